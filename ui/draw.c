/* The whole screen: header, frames, bottom line, and which view is drawn.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "model/text.h"
#include "ui/core.h"
#include "ui/words.h"

/* --- helpers for panes ------------------------------------------------------------------------ */

int draw_gutter(struct grid *g, struct rect row, bool selected, bool focused, bool tagged)
{
	if (selected && focused) {
		g->cursor_x = row.x;
		g->cursor_y = row.y;
	}
	grid_text(g, row, row.x, row.y, ELEMENT_TEXT, selected ? ">" : " ");
	grid_text(g, row, row.x + 1, row.y, ELEMENT_CITED, tagged ? "*" : " ");
	return row.x + 2;
}

void draw_empty(struct grid *g, struct rect area, const char *text)
{
	struct doc d = { 0 };

	doc_start(&d, area.w - 3, 0, g->ascii);
	doc_full(&d, ELEMENT_DIM, text);
	doc_draw(&d, g, area, (struct doc_view){ 0 });
	doc_free(&d);
}

const char *ui_highlight(const struct ui_state *s)
{
	return s->search.length > 0 ? buf_text(&s->search) : NULL;
}

/* --- header ----------------------------------------------------------------------------------- */

static void short_revision(const struct scope *scope, struct buf *out)
{
	if (scope->revision && scope->revision[0])
		buf_printf(out, " @ %.7s", scope->revision);
	if (scope->tree && scope->tree[0])
		buf_printf(out, " %s", scope->tree);
}

static void add_part(struct buf *out, const char *text)
{
	if (text && text[0])
		buf_printf(out, "%s%s", out->length ? " · " : "", text);
}

static void scope_words(const struct scope *scope, struct buf *out)
{
	add_part(out, scope->runtime);
	add_part(out, scope->os);
	if (scope->kubernetes && scope->kubernetes[0]) {
		add_part(out, "kubernetes ");
		buf_puts(out, scope->kubernetes);
	}
	add_part(out, scope->deployment);
}

/* Right side: severities, confirmed cells, signature. Returns where it begins. */
static int header_counts(const struct ui_state *s, struct grid *g, struct rect row)
{
	const struct counts *c = &s->match.counts;
	struct buf tail = { 0 };
	int x, left, width = 0;

	for (size_t i = 0; i < SEVERITY_COUNT; i++) {
		buf_printf(&tail, "%c%zu ", severity_letters[i], c->findings[i]);
		width = (int)tail.length;
	}
	buf_clear(&tail);
	buf_printf(&tail, "%s%zu/%zu confirmed   %s ", row.w >= 120 ? "   cells " : "  ",
	           c->confirmed, c->cells,
	           s->snapshot->partial              ? "PARTIAL"
	           : s->is_signed                    ? "signed"
	           : s->review->signatures.count > 0 ? "changed since signed"
	                                             : "unsigned");
	width += (int)tail.length;
	x = left = row.x + row.w - width;
	grid_fill(g, (struct rect){ x - 1, row.y, width + 1, 1 }, ELEMENT_HEADER);
	for (enum severity i = 0; i < SEVERITY_COUNT; i++) {
		x = grid_printf(g, row, x, row.y, element_of_severity(i), "%c%zu",
		                severity_letters[i], c->findings[i]);
		x = grid_text(g, row, x, row.y, ELEMENT_HEADER, " ");
	}
	grid_text(g, row, x, row.y, s->snapshot->partial ? ELEMENT_WARNING : ELEMENT_HEADER,
	          buf_text(&tail));
	buf_free(&tail);
	return left;
}

static void draw_header(const struct ui_state *s, struct grid *g)
{
	struct rect row = s->layout.header;
	struct buf text = { 0 };
	int x, end;

	grid_fill(g, row, ELEMENT_HEADER);
	x = grid_text(g, row, row.x + 1, row.y, ELEMENT_HEADER, "boundwalk");
	x += row.w >= 100 ? 2 : 1;
	if (!s->loaded) {
		grid_raw(g, row, x, row.y, row.w, ELEMENT_HEADER, buf_text(&s->tree_path),
		         s->tree_path.length, GRID_CUT_MIDDLE);
	} else {
		end = row.w >= 60 ? header_counts(s, g, row) : row.x + row.w;
		buf_puts(&text, s->snapshot->scope.root ? s->snapshot->scope.root : "");
		short_revision(&s->snapshot->scope, &text);
		x = grid_value(g, row, x, row.y, end - x - 1, ELEMENT_HEADER, buf_text(&text));
		buf_clear(&text);
		scope_words(&s->snapshot->scope, &text);
		if (x + 3 + grid_cells(buf_text(&text)) < end)
			grid_value(g, row, x + 3, row.y, row.w, ELEMENT_HEADER, buf_text(&text));
	}
	buf_free(&text);
}

/* --- bottom line ------------------------------------------------------------------------------ */

/* 1240 as "1,240". */
static void add_number(struct buf *out, size_t number)
{
	char digits[32];
	int length = snprintf(digits, sizeof digits, "%zu", number);

	for (int i = 0; i < length; i++) {
		if (i > 0 && (length - i) % 3 == 0)
			buf_putc(out, ',');
		buf_putc(out, digits[i]);
	}
}

static void progress_words(const struct ui_state *s, struct buf *out)
{
	const struct progress *p = &s->progress;

	buf_printf(out, "%s", buf_text(&p->stage));
	if (p->total > 0) {
		buf_putc(out, ' ');
		add_number(out, p->done);
		buf_puts(out, " of ~");
		add_number(out, p->total);
	}
	if (p->path.length > 0)
		buf_printf(out, "  %s", buf_text(&p->path));
}

static const char *active_filter(const struct ui_state *s)
{
	if (s->mode == MODE_HELP)
		return buf_text(&s->help_filter);
	return s->mode == MODE_MAIN ? buf_text(&s->filters[s->focus]) : "";
}

/* Where the reviewer is: "finding 3/17 · 5 undecided · filter: mount". */
static void context_words(const struct ui_state *s, struct buf *out)
{
	size_t at = ui_finding_index(s);

	if (!s->loaded)
		return;
	if (at != SIZE_MAX)
		buf_printf(out, "finding %zu/%zu · ", at + 1, s->match.finding_count);
	buf_printf(out, "%zu undecided", s->match.counts.undecided);
	if (s->match.counts.stale > 0)
		buf_printf(out, " · %zu stale", s->match.counts.stale);
	if (s->tags.count > 0)
		buf_printf(out, " · %zu tagged", s->tags.count);
	if (s->ranging)
		buf_puts(out, " · range");
	if (active_filter(s)[0])
		buf_printf(out, " · filter: %s", active_filter(s));
	if (s->read_only)
		buf_puts(out, " · read-only");
}

static const enum action main_hints[] = {
	ACTION_DECLARED, ACTION_OBSERVED, ACTION_UNAVAILABLE, ACTION_TRIAGE,    ACTION_HELP,
	ACTION_COMMENT,  ACTION_SEARCH,   ACTION_FILTER,      ACTION_MATRIX,    ACTION_PRESENT,
	ACTION_EXPORT,   ACTION_ALL,      ACTION_COVERAGE,    ACTION_OPEN_NEXT, ACTION_NONE,
};
static const enum action text_hints[] = { ACTION_BACK, ACTION_SEARCH, ACTION_HELP, ACTION_NONE };
static const enum action present_hints[] = {
	ACTION_PRESENT_BACK, ACTION_PRESENT_NEXT, ACTION_DECIDE_1, ACTION_DECIDE_2,
	ACTION_DECIDE_3,     ACTION_DECIDE_4,     ACTION_DECLARED, ACTION_OBSERVED,
	ACTION_UNAVAILABLE,  ACTION_COMMENT,      ACTION_BACK,     ACTION_NONE,
};
static const enum action matrix_hints[] = {
	ACTION_DECLARED, ACTION_OBSERVED, ACTION_UNAVAILABLE, ACTION_TAG,
	ACTION_ENTER,    ACTION_BACK,     ACTION_HELP,        ACTION_NONE,
};
static const enum action export_hints[] = { ACTION_WRITE, ACTION_SIGN, ACTION_BACK, ACTION_SEARCH,
	                                    ACTION_NONE };
static const enum action scope_hints[] = { ACTION_ENTER, ACTION_BACK, ACTION_NONE };
static const enum action help_hints[] = { ACTION_FILTER, ACTION_BACK, ACTION_NONE };

static const enum action *const hints[MODE_COUNT] = {
	[MODE_MAIN] = main_hints, [MODE_MATRIX] = matrix_hints, [MODE_PRESENT] = present_hints,
	[MODE_HELP] = help_hints, [MODE_EXPORT] = export_hints, [MODE_SCOPE] = scope_hints,
	[MODE_LOG] = text_hints,  [MODE_COVERAGE] = text_hints,
};

static int hint_width(const struct ui_state *s, enum action action, char key[KEY_NAME_BYTES],
                      const char **word)
{
	*word =
	    action_table[action].hint[0] ? action_table[action].hint : action_table[action].name;
	keymap_first(&s->keymap, action, key);
	return key[0] ? grid_cells(key) + 1 + grid_cells(*word) + 2 : 0;
}

static bool hint_applies(const struct ui_state *s, enum action action)
{
	return !(s->read_only && (action_table[action].flags & ACTION_MUTATES));
}

/* "d/o/u mark" where the three words have no room. */
static int draw_short_marks(const struct ui_state *s, struct grid *g, struct rect area, int x,
                            bool measure)
{
	char d[KEY_NAME_BYTES], o[KEY_NAME_BYTES], u[KEY_NAME_BYTES];
	int width;

	keymap_first(&s->keymap, ACTION_DECLARED, d);
	keymap_first(&s->keymap, ACTION_OBSERVED, o);
	keymap_first(&s->keymap, ACTION_UNAVAILABLE, u);
	width = grid_cells(d) + grid_cells(o) + grid_cells(u) + 2 + 7;
	if (!measure) {
		x = grid_printf(g, area, x, area.y, ELEMENT_KEY, "%s/%s/%s", d, o, u);
		grid_text(g, area, x + 1, area.y, ELEMENT_TEXT, "mark");
	}
	return width;
}

static bool is_mark(enum action action)
{
	return action == ACTION_DECLARED || action == ACTION_OBSERVED ||
	       action == ACTION_UNAVAILABLE;
}

/* Width of a hint; with NARROW the first mark stands for all three. */
static int hint_room(const struct ui_state *s, struct grid *g, struct rect area, enum action action,
                     bool narrow)
{
	char key[KEY_NAME_BYTES];
	const char *word;

	if (!hint_applies(s, action))
		return 0;
	if (narrow && is_mark(action))
		return action == ACTION_DECLARED ? draw_short_marks(s, g, area, 0, true) : 0;
	return hint_width(s, action, key, &word);
}

/* Draws what fits, in the order of the list, at the right edge. */
static void draw_hints(const struct ui_state *s, struct grid *g, struct rect area)
{
	const enum action *list = hints[s->mode];
	bool narrow = area.w < 80;
	char key[KEY_NAME_BYTES];
	const char *word;
	int width = 0, x;
	size_t count = 0;

	for (; list[count] != ACTION_NONE; count++) {
		int w = hint_room(s, g, area, list[count], narrow);

		if (width + w > area.w)
			break;
		width += w;
	}
	x = area.x + area.w - width;
	for (size_t i = 0; i < count; i++) {
		if (hint_room(s, g, area, list[i], narrow) == 0)
			continue;
		if (narrow && is_mark(list[i])) {
			x += draw_short_marks(s, g, area, x, false);
			continue;
		}
		hint_width(s, list[i], key, &word);
		x = grid_text(g, area, x, area.y, ELEMENT_KEY, key);
		x = grid_text(g, area, x + 1, area.y, ELEMENT_TEXT, word) + 2;
	}
}

static const char *after_label(enum prompt_kind kind)
{
	if (kind == PROMPT_COMMAND)
		return "";
	return kind == PROMPT_TRIAGE || kind == PROMPT_SEVERITY || kind == PROMPT_SIGN ? " " : ": ";
}

static void draw_prompt(const struct ui_state *s, struct grid *g, struct rect row)
{
	const struct prompt *p = &s->prompt;
	struct buf before = { 0 };
	int x, room, skip;

	x = grid_value(g, row, row.x + 1, row.y, row.w * 6 / 10, ELEMENT_PROMPT,
	               buf_text(&p->label));
	if (p->text.length == 0 && p->proposal.length > 0) {
		x = grid_text(g, row, x, row.y, ELEMENT_TEXT, " [");
		x = grid_value(g, row, x, row.y, row.x + row.w - x - 4, ELEMENT_TEXT,
		               buf_text(&p->proposal));
		x = grid_text(g, row, x, row.y, ELEMENT_TEXT, "]");
	}
	x = grid_text(g, row, x, row.y, ELEMENT_PROMPT, after_label(p->kind));
	/* A long text shows the part around the cursor. */
	buf_add(&before, buf_text(&p->text), p->at);
	room = row.x + row.w - x - 1;
	skip = grid_cells(buf_text(&before)) - room;
	buf_clear(&before);
	buf_puts(&before, buf_text(&p->text));
	if (skip > 0) {
		size_t cut = 0, used;

		for (int left = skip; left > 0 && cut < before.length; cut += used) {
			uint32_t point =
			    text_decode_point(before.bytes + cut, before.length - cut, &used);
			int width = text_point_width(point);

			left -= width > 0 ? width : 0;
		}
		grid_text(g, row, x, row.y, ELEMENT_TEXT, before.bytes + cut);
		g->cursor_x = x + room;
	} else {
		grid_text(g, row, x, row.y, ELEMENT_TEXT, buf_text(&before));
		g->cursor_x = x + room + skip;
	}
	g->cursor_y = row.y;
	g->cursor_shown = true;
	buf_free(&before);
}

static enum element element_of_message(enum message_level level)
{
	static const enum element elements[] = {
		[MESSAGE_INFO] = ELEMENT_TEXT,
		[MESSAGE_WARNING] = ELEMENT_WARNING,
		[MESSAGE_ERROR] = ELEMENT_ERROR,
	};

	return elements[level];
}

static void draw_status(const struct ui_state *s, struct grid *g)
{
	struct rect row = s->layout.status;
	enum element element = ELEMENT_TEXT;
	struct buf text = { 0 };
	int x;

	if (s->prompt.active && !s->message.text) {
		draw_prompt(s, g, row);
		return;
	}
	if (s->message.text) {
		buf_printf(&text, "%s%s", s->message.level == MESSAGE_ERROR ? "E: " : "",
		           s->message.text);
		element = element_of_message(s->message.level);
	} else if (s->progress.active) {
		progress_words(s, &text);
		buf_puts(&text, "  Esc stops");
	} else {
		context_words(s, &text);
	}
	x = grid_value(g, row, row.x + 1, row.y, row.w - 1, element, buf_text(&text));
	row.w -= x + 2 - row.x;
	row.x = x + 2;
	if (!s->prompt.active && (s->message.level != MESSAGE_ERROR || !s->message.text))
		draw_hints(s, g, row);
	buf_free(&text);
}

/* --- frames ----------------------------------------------------------------------------------- */

/* "1 Workloads 6": number, name and what the pane adds. */
static int draw_title(const struct ui_state *s, struct grid *g, struct rect row, int x,
                      enum pane pane, bool brief)
{
	bool focused = pane == s->focus && s->mode == MODE_MAIN;
	enum element element = focused ? ELEMENT_TITLE_FOCUS : ELEMENT_TITLE;
	struct buf text = { 0 };

	x = grid_printf(g, row, x, row.y, element, "%d %s", (int)pane + 1,
	                pane_classes[pane]->name);
	if (brief)
		pane_classes[pane]->brief(s, &text);
	else
		pane_classes[pane]->title(s, &text);
	if (text.length > 0 && s->loaded)
		x = grid_value(g, row, x, row.y, row.x + row.w - x - 1, element, buf_text(&text));
	if (!brief && s->layout.boxed)
		x = grid_text(g, row, x, row.y, element, " ");
	buf_free(&text);
	return x;
}

/* The other panes of a group as tabs at the right of a title. */
static void draw_tabs(const struct ui_state *s, struct grid *g, struct rect row, int x,
                      const enum pane *others, size_t count)
{
	int width = 0;

	for (size_t i = 0; i < count; i++)
		width += 5 + grid_cells(pane_classes[others[i]]->name);
	if (x + width >= row.x + row.w)
		return;
	x = row.x + row.w - width - 1;
	for (size_t i = 0; i < count; i++)
		x = grid_printf(g, row, x, row.y, ELEMENT_TITLE, " %d %s %s", (int)others[i] + 1,
		                pane_classes[others[i]]->name, grid_glyph(g, GLYPH_HORIZONTAL));
	(void)s;
}

static void draw_group_tabs(const struct ui_state *s, struct grid *g, struct rect row, int x,
                            enum pane pane)
{
	enum pane others[PANE_COUNT];
	size_t count = 0;

	if (s->layout.kind == LAYOUT_TWO && pane == s->layout.tab && s->zoom != ZOOM_FULL) {
		for (enum pane p = 0; p < PANE_COUNT; p++) {
			if (p != pane && p != PANE_WORKLOADS && p != PANE_FINDINGS)
				others[count++] = p;
		}
	} else if (s->layout.kind == LAYOUT_SINGLE || s->zoom == ZOOM_FULL) {
		for (enum pane p = 0; p < PANE_COUNT; p++) {
			if (p != pane)
				others[count++] = p;
		}
	}
	if (count > 0)
		draw_tabs(s, g, row, x, others, count);
}

static void draw_pane(const struct ui_state *s, struct grid *g, enum pane pane)
{
	struct rect r = s->layout.panes[pane], inside = layout_inside(&s->layout, pane);
	bool focused = pane == s->focus;
	struct rect row = { r.x, r.y, r.w, 1 };
	int x;

	if (rect_is_empty(r))
		return;
	if (!layout_is_open(&s->layout, pane)) {
		draw_title(s, g, row, r.x + 1, pane, true);
		return;
	}
	if (s->layout.boxed) {
		grid_box(g, r, focused ? ELEMENT_BORDER_FOCUS : ELEMENT_BORDER);
		row = (struct rect){ r.x + 1, r.y, r.w - 2, 1 };
	}
	x = draw_title(s, g, row, r.x + 1, pane, false);
	draw_group_tabs(s, g, row, x, pane);
	if (!rect_is_empty(inside))
		pane_classes[pane]->draw(s, g, inside, focused);
}

/* The longest message that fits. */
static void draw_small(const struct ui_state *s, struct grid *g)
{
	struct buf text = { 0 };
	static const char *const endings[] = { " is too small: enlarge or press q", " is too small",
		                               " too small" };

	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		buf_clear(&text);
		buf_printf(&text, "%dx%d%s", s->width, s->height, endings[i]);
		if ((int)text.length <= s->width)
			break;
	}
	if ((int)text.length > s->width) {
		buf_clear(&text);
		buf_puts(&text, "too small");
	}
	grid_text(g, s->layout.body, 0, 0, ELEMENT_TEXT, buf_text(&text));
	buf_free(&text);
}

void ui_draw(const struct ui_state *s, struct grid *g)
{
	static void (*const views[MODE_COUNT])(const struct ui_state *, struct grid *,
	                                       struct rect) = {
		[MODE_MATRIX] = draw_matrix,      [MODE_PRESENT] = draw_present,
		[MODE_HELP] = draw_text_view,     [MODE_EXPORT] = draw_text_view,
		[MODE_SCOPE] = draw_scope,        [MODE_LOG] = draw_text_view,
		[MODE_COVERAGE] = draw_text_view,
	};

	g->ascii = s->ascii;
	grid_reset(g, s->width, s->height);
	if (s->layout.kind == LAYOUT_TOO_SMALL) {
		draw_small(s, g);
		return;
	}
	draw_header(s, g);
	if (s->mode == MODE_MAIN) {
		for (enum pane p = 0; p < PANE_COUNT; p++)
			draw_pane(s, g, p);
	} else {
		views[s->mode](s, g, s->layout.body);
	}
	draw_status(s, g);
}

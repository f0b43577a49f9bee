/* The whole screen: header, frames, bottom line, and which view is drawn.
 * SPDX-License-Identifier: MIT */
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

struct rect draw_view_frame(const struct ui_state *s, struct grid *g, struct rect area)
{
	if (s->layout.boxed)
		grid_box(g, area, ELEMENT_BORDER_FOCUS);
	return layout_view_inside(&s->layout);
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

enum { LEAST_NAME = 6 }; /* cells of a name that is still one */

static void short_revision(const struct scope *scope, struct buf *out)
{
	if (scope->revision && scope->revision[0])
		buf_printf(out, " @ %.7s", scope->revision);
	if (scope->tree && scope->tree[0])
		buf_printf(out, " %s", scope->tree);
}

/* What is reviewed, in the cells from X to END: the name is cut before the revision is. */
static int draw_subject(const struct scope *scope, struct grid *g, struct rect row, int x, int end)
{
	const char *root = scope->root ? scope->root : "";
	struct buf revision = { 0 };
	int room;

	short_revision(scope, &revision);
	room = end - 1 - x - grid_cells(buf_text(&revision));
	if (room < LEAST_NAME && grid_cells(root) > room) {
		room = end - 1 - x;
		buf_clear(&revision);
	}
	x = grid_raw(g, row, x, row.y, room, ELEMENT_HEADER, root, strlen(root), GRID_CUT_MIDDLE);
	x = grid_value(g, row, x, row.y, end - 1 - x, ELEMENT_HEADER, buf_text(&revision));
	buf_free(&revision);
	return x;
}

/* Cells that name and revision want. */
static int subject_width(const struct scope *scope)
{
	struct buf revision = { 0 };
	int width;

	short_revision(scope, &revision);
	width = grid_cells(scope->root ? scope->root : "") + grid_cells(buf_text(&revision));
	buf_free(&revision);
	return width;
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
	const char *name = "boundwalk";
	int x, end;

	grid_fill(g, row, ELEMENT_HEADER);
	end = s->loaded && row.w >= 60 ? header_counts(s, g, row) : row.x + row.w;
	/* What is reviewed comes before our own name. */
	x = row.x + 1;
	if (!s->loaded ||
	    x + (int)strlen(name) + 1 + subject_width(&s->snapshot->scope) < end)
		x = grid_text(g, row, x, row.y, ELEMENT_HEADER, name) + (row.w >= 100 ? 2 : 1);
	if (!s->loaded) {
		grid_raw(g, row, x, row.y, row.w, ELEMENT_HEADER, buf_text(&s->tree_path),
		         s->tree_path.length, GRID_CUT_MIDDLE);
	} else {
		x = draw_subject(&s->snapshot->scope, g, row, x, end);
		scope_words(&s->snapshot->scope, &text);
		if (x + 3 + grid_cells(buf_text(&text)) < end)
			grid_value(g, row, x + 3, row.y, row.w, ELEMENT_HEADER, buf_text(&text));
	}
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

/* The bottom line: where the reviewer is, what was said, and which keys help now.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "ui/core.h"

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

/* Where the reviewer is: "finding 3/17 · 5 undecided · filter: mount". What follows a stop may be cut. */
static void context_words(const struct ui_state *s, struct buf *out)
{
	size_t at = ui_finding_index(s);

	if (!s->loaded)
		return;
	/* The view of one finding has its number in the head. */
	if (at != SIZE_MAX && s->mode != MODE_PRESENT)
		buf_printf(out, "%s%zu/%zu · ", s->width < 76 ? "" : "finding ", at + 1,
			   s->match.finding_count);
	buf_printf(out, "%zu undecided", s->match.counts.undecided);
	if (s->match.counts.stale > 0)
		buf_printf(out, " · %zu stale", s->match.counts.stale);
	if (s->tags.count > 0 && s->mode != MODE_PRESENT)
		buf_printf(out, " · %zu tagged", s->tags.count);
	if (s->ranging)
		buf_puts(out, " · range");
	if (s->read_only)
		buf_puts(out, " · read-only");
	if (active_filter(s)[0])
		buf_printf(out, " · filter: %s", active_filter(s));
}

static const enum action main_hints[] = {
	ACTION_DECLARED, ACTION_OBSERVED, ACTION_UNAVAILABLE, ACTION_TRIAGE,    ACTION_HELP,
	ACTION_COMMENT,  ACTION_SEARCH,   ACTION_FILTER,      ACTION_MATRIX,    ACTION_PRESENT,
	ACTION_EXPORT,   ACTION_ALL,      ACTION_COVERAGE,    ACTION_OPEN_NEXT, ACTION_NONE,
};
static const enum action text_hints[] = { ACTION_BACK, ACTION_SEARCH, ACTION_HELP, ACTION_NONE };
static const enum action present_hints[] = {
	ACTION_PRESENT_NEXT, ACTION_DECIDE_1, ACTION_DECIDE_2,     ACTION_DECIDE_3,
	ACTION_DECIDE_4,     ACTION_BACK,     ACTION_DECLARED,     ACTION_OBSERVED,
	ACTION_UNAVAILABLE,  ACTION_COMMENT,  ACTION_PRESENT_BACK, ACTION_NONE,
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

enum { HINTS_AT_MOST = 16 };

/* True when the three marks, with what comes before them, have no room for their words. */
static bool wants_short_marks(const struct ui_state *s, struct grid *g, struct rect area)
{
	const enum action *list = hints[s->mode];
	int width = 0;

	for (size_t i = 0; list[i] != ACTION_NONE; i++) {
		width += hint_room(s, g, area, list[i], false);
		if (list[i] == ACTION_UNAVAILABLE)
			return area.w < 80 || width > area.w;
	}
	return false;
}

/* Draws what fits, in the order of the list, at the right edge. */
static void draw_hints(const struct ui_state *s, struct grid *g, struct rect area)
{
	const enum action *list = hints[s->mode];
	enum action fitting[HINTS_AT_MOST];
	bool narrow = wants_short_marks(s, g, area);
	char key[KEY_NAME_BYTES];
	const char *word;
	int width = 0, x;
	size_t count = 0;

	for (size_t i = 0; list[i] != ACTION_NONE && count < HINTS_AT_MOST; i++) {
		int w = hint_room(s, g, area, list[i], narrow);

		if (w == 0 || width + w > area.w)
			continue;
		width += w;
		fitting[count++] = list[i];
	}
	x = area.x + area.w - width;
	for (size_t i = 0; i < count; i++) {
		if (narrow && is_mark(fitting[i])) {
			x += draw_short_marks(s, g, area, x, false);
			continue;
		}
		hint_width(s, fitting[i], key, &word);
		x = grid_text(g, area, x, area.y, ELEMENT_KEY, key);
		x = grid_text(g, area, x + 1, area.y, ELEMENT_TEXT, word) + 2;
	}
}

/* Cells that the first hints keep, whatever else there is to say. */
static int room_for_hints(int width)
{
	if (width >= 76)
		return 33;
	if (width >= 50)
		return 23;
	return width >= 36 ? 11 : 0;
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

void draw_status(const struct ui_state *s, struct grid *g)
{
	struct rect row = s->layout.status;
	enum element element = ELEMENT_TEXT;
	struct buf text = { 0 };
	int x, room = row.w - 1;

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
		room -= room_for_hints(row.w);
	}
	x = grid_value(g, row, row.x + 1, row.y, room, element, buf_text(&text));
	row.w -= x + 2 - row.x;
	row.x = x + 2;
	if (!s->prompt.active && (s->message.level != MESSAGE_ERROR || !s->message.text))
		draw_hints(s, g, row);
	buf_free(&text);
}

/* The prompt on the screen: its question beside what is typed, or above it where that is long.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "model/text.h"
#include "ui/core.h"

static const char *after_label(const struct prompt *p)
{
	if (p->kind == PROMPT_COMMAND)
		return "";
	return ui_prompt_is_choice(p) ? " " : ": ";
}

/* The label as it may stand on the screen. */
static void visible_label(const struct grid *g, const char *label, struct buf *out)
{
	struct buf plain = { 0 };

	if (g->ascii)
		grid_spell_plainly(&plain, label);
	else
		buf_puts(&plain, label);
	text_visible(out, buf_text(&plain), plain.length,
		     TEXT_ONE_LINE | (g->ascii ? TEXT_ASCII : TEXT_PLAIN));
	buf_free(&plain);
}

/* Bytes of the next line in CELLS: whole choices (two blanks part them), else whole words, else
 * what there is room for. */
static size_t take_line(const char *text, int cells)
{
	size_t length = strlen(text), at = 0, word = 0, choice = 0, used;
	int width = 0;

	while (at < length) {
		uint32_t point = text_decode_point(text + at, length - at, &used);
		int w = point == TEXT_INVALID ? 1 : text_point_width(point);

		width += w > 0 ? w : 0;
		if (width > cells && at > 0 && text[at] != ' ')
			return choice > 0 ? choice : word > 0 ? word : at;
		if (text[at] == ' ' && at > 0) {
			word = at;
			if (text[at + 1] == ' ')
				choice = at;
		}
		at += used;
	}
	return length;
}

enum { LINES_AT_MOST = 16 };

struct lines {
	struct {
		size_t start, length;
	} items[LINES_AT_MOST];
	int count;
};

static struct lines wrap(const char *text, int cells)
{
	struct lines l = { 0 };
	const char *at = text;

	while (*at && l.count < LINES_AT_MOST) {
		l.items[l.count].start = (size_t)(at - text);
		l.items[l.count].length = take_line(at, cells);
		at += l.items[l.count++].length;
		while (*at == ' ')
			at++;
	}
	return l;
}

/* Draws the question in the lines that end with BOTTOM; returns where the last one ends. */
static int draw_question(struct grid *g, struct rect row, int bottom, const char *label)
{
	struct lines l = wrap(label, row.w - 3);
	int top = bottom - l.count + 1, x = row.x + 1;

	/* With too little room the first lines matter most. */
	if (top < 0)
		top = 0;
	for (int i = 0; i < l.count && top + i <= bottom; i++) {
		struct rect line = { row.x, top + i, row.w, 1 };
		struct buf text = { 0 };

		buf_add(&text, label + l.items[i].start, l.items[i].length);
		grid_fill(g, line, ELEMENT_PROMPT);
		x = grid_text(g, line, row.x + 1, line.y, ELEMENT_PROMPT, buf_text(&text));
		buf_free(&text);
	}
	return x;
}

/* What is typed; a long text shows the part around the cursor. */
static void draw_typed(struct grid *g, struct rect row, int x, const struct prompt *p)
{
	struct buf before = { 0 };
	int room = row.x + row.w - x - 1, skip;
	size_t cut = 0, used;

	buf_add(&before, buf_text(&p->text), p->at);
	skip = grid_cells(buf_text(&before)) - room;
	g->cursor_x = skip > 0 ? x + room : x + room + skip;
	g->cursor_y = row.y;
	g->cursor_shown = true;
	for (int left = skip; left > 0 && cut < p->text.length; cut += used) {
		int width;

		width = text_point_width(
		    text_decode_point(p->text.bytes + cut, p->text.length - cut, &used));
		left -= width > 0 ? width : 0;
	}
	grid_text(g, row, x, row.y, ELEMENT_TEXT, buf_text(&p->text) + cut);
	buf_free(&before);
}

void draw_prompt(const struct ui_state *s, struct grid *g, struct rect row)
{
	const struct prompt *p = &s->prompt;
	struct buf label = { 0 };
	int x = row.x + 1;

	visible_label(g, buf_text(&p->label), &label);
	if (ui_prompt_is_choice(p))
		x = draw_question(g, row, row.y, buf_text(&label));
	else if (grid_cells(buf_text(&label)) <= row.w * 6 / 10)
		x = grid_text(g, row, x, row.y, ELEMENT_PROMPT, buf_text(&label));
	else
		draw_question(g, row, row.y - 1, buf_text(&label));
	if (p->text.length == 0 && p->proposal.length > 0) {
		x = grid_text(g, row, x, row.y, ELEMENT_TEXT, x > row.x + 1 ? " [" : "[");
		x = grid_value(g, row, x, row.y, row.x + row.w - x - 4, ELEMENT_TEXT,
			       buf_text(&p->proposal));
		x = grid_text(g, row, x, row.y, ELEMENT_TEXT, "]");
	}
	x = grid_text(g, row, x, row.y, ELEMENT_PROMPT, after_label(p));
	draw_typed(g, row, x, p);
	buf_free(&label);
}

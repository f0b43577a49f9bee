/* Drawing into the cell grid.
 * SPDX-License-Identifier: MIT */
#include "ui/grid.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "model/arena.h"
#include "model/text.h"

static const struct {
	const char *unicode, *ascii;
} glyphs[GLYPH_COUNT] = {
	[GLYPH_HORIZONTAL] = { "─", "-" },    [GLYPH_VERTICAL] = { "│", "|" },
	[GLYPH_TOP_LEFT] = { "┌", "+" },      [GLYPH_TOP_RIGHT] = { "┐", "+" },
	[GLYPH_BOTTOM_LEFT] = { "└", "+" },   [GLYPH_BOTTOM_RIGHT] = { "┘", "+" },
	[GLYPH_TREE_MIDDLE] = { "├ ", "|-" }, [GLYPH_TREE_LAST] = { "└ ", "`-" },
	[GLYPH_TREE_BAR] = { "│ ", "| " },    [GLYPH_NOTHING] = { "–", "-" },
	[GLYPH_DOT] = { "·", "|" },           [GLYPH_ELLIPSIS] = { "…", "~" },
	[GLYPH_ARROW] = { "→", "->" },
};

static const struct grid_cell blank = { .points = { ' ' }, .width = 1, .element = ELEMENT_TEXT };

void grid_reset(struct grid *g, int width, int height)
{
	size_t count;

	g->width = width > 0 ? width : 0;
	g->height = height > 0 ? height : 0;
	count = (size_t)g->width * (size_t)g->height;
	free(g->cells);
	g->cells = calloc(count ? count : 1, sizeof *g->cells);
	if (!g->cells)
		abort();
	for (size_t i = 0; i < count; i++)
		g->cells[i] = blank;
	g->cursor_x = g->cursor_y = 0;
	g->cursor_shown = false;
}

void grid_free(struct grid *g)
{
	free(g->cells);
	*g = (struct grid){ 0 };
}

const char *grid_glyph(const struct grid *g, enum glyph glyph)
{
	return g->ascii ? glyphs[glyph].ascii : glyphs[glyph].unicode;
}

static struct rect clip_to_grid(const struct grid *g, struct rect r)
{
	int right = r.x + r.w, bottom = r.y + r.h;

	if (r.x < 0)
		r.x = 0;
	if (r.y < 0)
		r.y = 0;
	if (right > g->width)
		right = g->width;
	if (bottom > g->height)
		bottom = g->height;
	r.w = right > r.x ? right - r.x : 0;
	r.h = bottom > r.y ? bottom - r.y : 0;
	return r;
}

static struct grid_cell *cell_at(const struct grid *g, int x, int y)
{
	return &g->cells[(size_t)y * (size_t)g->width + (size_t)x];
}

/* A wide character that loses one half must lose the other. */
static void break_wide(struct grid *g, int x, int y)
{
	struct grid_cell *cell = cell_at(g, x, y);

	if (cell->width == 2 && x + 1 < g->width)
		*cell_at(g, x + 1, y) = blank;
	if (cell->width == 0 && x > 0)
		*cell_at(g, x - 1, y) = blank;
}

static void put_point(struct grid *g, int x, int y, uint32_t point, int width, enum element element)
{
	break_wide(g, x, y);
	if (width == 2)
		break_wide(g, x + 1, y);
	*cell_at(g, x, y) = (struct grid_cell){
		.points = { point },
		.width = (unsigned char)width,
		.element = (unsigned char)element,
	};
	if (width == 2)
		*cell_at(g, x + 1, y) = (struct grid_cell){ .element = (unsigned char)element };
}

static void combine(struct grid *g, struct rect clip, int x, int y, uint32_t point)
{
	struct grid_cell *cell;

	if (x - 1 < clip.x)
		return;
	cell = cell_at(g, x - 1, y);
	if (cell->width == 0 && x - 2 >= clip.x)
		cell = cell_at(g, x - 2, y);
	for (size_t i = 1; i < GRID_POINTS; i++) {
		if (cell->points[i] == 0) {
			cell->points[i] = point;
			return;
		}
	}
}

static int draw(struct grid *g, struct rect clip, int x, int y, enum element element,
                const char *text, size_t length)
{
	size_t used;

	clip = clip_to_grid(g, clip);
	if (y < clip.y || y >= clip.y + clip.h)
		return x;
	for (size_t i = 0; i < length; i += used) {
		uint32_t point = text_decode_point(text + i, length - i, &used);
		int width = point == TEXT_INVALID ? -1 : text_point_width(point);

		/* Only visible text comes here; whatever else does must still be harmless. */
		if (width < 0 || (g->ascii && point >= 0x80)) {
			point = '?';
			width = 1;
		}
		if (width == 0) {
			if (x <= clip.x + clip.w)
				combine(g, clip, x, y, point);
			continue;
		}
		if (x + width > clip.x + clip.w)
			return clip.x + clip.w;
		if (x >= clip.x)
			put_point(g, x, y, point, width, element);
		x += width;
	}
	return x;
}

int grid_text(struct grid *g, struct rect clip, int x, int y, enum element element,
              const char *text)
{
	return draw(g, clip, x, y, element, text, strlen(text));
}

int grid_printf(struct grid *g, struct rect clip, int x, int y, enum element element,
                const char *format, ...)
{
	struct buf text = { 0 };
	va_list args;

	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	x = draw(g, clip, x, y, element, buf_text(&text), text.length);
	buf_free(&text);
	return x;
}

int grid_raw(struct grid *g, struct rect clip, int x, int y, int cells, enum element element,
             const char *bytes, size_t length, enum grid_cut cut)
{
	struct buf text = { 0 };
	int room = clip.x + clip.w - x;

	if (cells > room)
		cells = room;
	if (cells <= 0)
		return x;
	text_fit(&text, bytes, length, (size_t)cells,
	         TEXT_ONE_LINE | (g->ascii ? TEXT_ASCII : TEXT_PLAIN), cut == GRID_CUT_MIDDLE);
	x = draw(g, clip, x, y, element, buf_text(&text), text.length);
	buf_free(&text);
	return x;
}

/* Punctuation of our own sentences that has a plain spelling. */
static const struct {
	const char *unicode, *ascii;
} spellings[] = { { "→", "->" }, { "–", "-" }, { "…", "..." }, { "·", "|" },
	          { "×", "x" },  { "▸", ">" }, { "─", "-" } };

void grid_spell_plainly(struct buf *out, const char *text)
{
	while (*text) {
		size_t i = 0, count = sizeof spellings / sizeof *spellings;

		while (i < count &&
		       strncmp(text, spellings[i].unicode, strlen(spellings[i].unicode)) != 0)
			i++;
		if (i == count) {
			buf_putc(out, *text++);
			continue;
		}
		buf_puts(out, spellings[i].ascii);
		text += strlen(spellings[i].unicode);
	}
}

int grid_value(struct grid *g, struct rect clip, int x, int y, int cells, enum element element,
               const char *text)
{
	struct buf plain = { 0 };

	if (!g->ascii)
		return grid_raw(g, clip, x, y, cells, element, text, strlen(text), GRID_CUT_END);
	grid_spell_plainly(&plain, text);
	x = grid_raw(g, clip, x, y, cells, element, buf_text(&plain), plain.length, GRID_CUT_END);
	buf_free(&plain);
	return x;
}

void grid_fill(struct grid *g, struct rect area, enum element element)
{
	area = clip_to_grid(g, area);
	for (int y = area.y; y < area.y + area.h; y++) {
		for (int x = area.x; x < area.x + area.w; x++)
			put_point(g, x, y, ' ', 1, element);
	}
}

void grid_select(struct grid *g, struct rect area)
{
	area = clip_to_grid(g, area);
	for (int y = area.y; y < area.y + area.h; y++) {
		for (int x = area.x; x < area.x + area.w; x++)
			cell_at(g, x, y)->selected = true;
	}
}

void grid_rule(struct grid *g, struct rect clip, int x, int y, int n, enum element element)
{
	for (int i = 0; i < n; i++)
		x = grid_text(g, clip, x, y, element, grid_glyph(g, GLYPH_HORIZONTAL));
}

struct rect grid_box(struct grid *g, struct rect area, enum element element)
{
	int right = area.x + area.w - 1, bottom = area.y + area.h - 1;

	if (area.w < 2 || area.h < 2)
		return area;
	grid_rule(g, area, area.x + 1, area.y, area.w - 2, element);
	grid_rule(g, area, area.x + 1, bottom, area.w - 2, element);
	for (int y = area.y + 1; y < bottom; y++) {
		grid_text(g, area, area.x, y, element, grid_glyph(g, GLYPH_VERTICAL));
		grid_text(g, area, right, y, element, grid_glyph(g, GLYPH_VERTICAL));
	}
	grid_text(g, area, area.x, area.y, element, grid_glyph(g, GLYPH_TOP_LEFT));
	grid_text(g, area, right, area.y, element, grid_glyph(g, GLYPH_TOP_RIGHT));
	grid_text(g, area, area.x, bottom, element, grid_glyph(g, GLYPH_BOTTOM_LEFT));
	grid_text(g, area, right, bottom, element, grid_glyph(g, GLYPH_BOTTOM_RIGHT));
	return rect_inset(area, 1, 1);
}

int grid_cells(const char *text)
{
	return (int)text_cells(text, strlen(text));
}

struct rect rect_inset(struct rect r, int dx, int dy)
{
	r.x += dx;
	r.y += dy;
	r.w = r.w > 2 * dx ? r.w - 2 * dx : 0;
	r.h = r.h > 2 * dy ? r.h - 2 * dy : 0;
	return r;
}

bool rect_is_empty(struct rect r)
{
	return r.w <= 0 || r.h <= 0;
}

static void dump_points(const struct grid_cell *cell, struct buf *out)
{
	for (size_t i = 0; i < GRID_POINTS && cell->points[i]; i++)
		text_encode_point(out, cell->points[i]);
}

static char plane_letter(const struct grid_cell *cell)
{
	char letter = element_table[cell->element].letter;

	if (!cell->selected)
		return letter;
	return letter == '.' ? 'S' : (char)(letter - 'a' + 'A');
}

/* Runs of one style as letter and length: "b1.12c1". */
static void dump_styles(const struct grid *g, int y, struct buf *out)
{
	for (int x = 0, from = 0; x < g->width; from = x) {
		char letter = plane_letter(cell_at(g, x, y));

		while (x < g->width && plane_letter(cell_at(g, x, y)) == letter)
			x++;
		buf_printf(out, "%c%d", letter, x - from);
	}
	buf_putc(out, '\n');
}

void grid_dump(const struct grid *g, struct buf *out)
{
	for (int y = 0; y < g->height; y++) {
		buf_putc(out, '|');
		for (int x = 0; x < g->width; x++)
			dump_points(cell_at(g, x, y), out);
		buf_puts(out, "|\n");
	}
	for (int y = 0; y < g->height; y++)
		dump_styles(g, y, out);
	buf_printf(out, "cursor %d,%d%s\n", g->cursor_x, g->cursor_y,
	           g->cursor_shown ? " shown" : "");
}

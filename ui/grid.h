/* The cell grid that panes draw into: code points, width, element and selection of every cell.
 *
 * The grid knows no terminal. Every function clips to the grid and to the given rectangle, so
 * drawing can never write outside. Repository text is drawn by grid_raw() only, which makes it
 * visible first. SPDX-License-Identifier: MIT */
#ifndef UI_GRID_H
#define UI_GRID_H

#include "model/buf.h"
#include "ui/theme.h"

#include <stdbool.h>
#include <stdint.h>

#define GRID_POINTS 3 /* a base and up to two combining points */

struct rect {
	int x, y, w, h;
};

struct grid_cell {
	uint32_t points[GRID_POINTS]; /* points[0] is 0 in the right half of a wide character */
	unsigned char width;          /* 1, 2, or 0 in the right half of a wide character */
	unsigned char element;
	bool selected;
};

struct grid {
	int width, height;
	struct grid_cell *cells;
	int cursor_x, cursor_y; /* where the hardware cursor goes */
	bool cursor_shown;      /* in a prompt */
	bool ascii;             /* draw with ASCII only */
};

enum glyph {
	GLYPH_HORIZONTAL,
	GLYPH_VERTICAL,
	GLYPH_TOP_LEFT,
	GLYPH_TOP_RIGHT,
	GLYPH_BOTTOM_LEFT,
	GLYPH_BOTTOM_RIGHT,
	GLYPH_TREE_MIDDLE,
	GLYPH_TREE_LAST,
	GLYPH_TREE_BAR,
	GLYPH_NOTHING, /* en dash: no value */
	GLYPH_DOT,     /* separates parts of a line */
	GLYPH_ELLIPSIS,
	GLYPH_ARROW,
	GLYPH_COUNT,
};

/* Resizes and blanks; negative sizes count as 0. */
void grid_reset(struct grid *g, int width, int height);
void grid_free(struct grid *g);

const char *grid_glyph(const struct grid *g, enum glyph glyph);
/* Draws visible text (our own words) from X on, at most to the right edge of CLIP; returns the next
 * x. */
int grid_text(struct grid *g, struct rect clip, int x, int y, enum element element,
              const char *text);
int grid_printf(struct grid *g, struct rect clip, int x, int y, enum element element,
                const char *format, ...) __attribute__((format(printf, 6, 7)));

enum grid_cut {
	GRID_CUT_END,
	GRID_CUT_MIDDLE, /* for paths */
};
/* Draws untrusted bytes made visible, in at most CELLS cells; returns the next x. */
int grid_raw(struct grid *g, struct rect clip, int x, int y, int cells, enum element element,
             const char *bytes, size_t length, enum grid_cut cut);
/* The same for a NUL-terminated text, cut at the end. */
int grid_value(struct grid *g, struct rect clip, int x, int y, int cells, enum element element,
               const char *text);
/* Appends our own punctuation in its plain spelling ("->" for an arrow), for screens of ASCII only.
 */
void grid_spell_plainly(struct buf *out, const char *text);
/* Fills with blanks. */
void grid_fill(struct grid *g, struct rect area, enum element element);
/* Marks the cells of AREA as selected. */
void grid_select(struct grid *g, struct rect area);
/* Draws a box; returns its inside. */
struct rect grid_box(struct grid *g, struct rect area, enum element element);
/* Draws N of the horizontal line glyph. */
void grid_rule(struct grid *g, struct rect clip, int x, int y, int n, enum element element);

/* Cells that our own text occupies. */
int grid_cells(const char *text);
struct rect rect_inset(struct rect r, int dx, int dy);
bool rect_is_empty(struct rect r);

/* Appends the grid as text: the rows between bars, then each row's styles as runs of letter and
 * length (upper case where selected), then the cursor's place. */
void grid_dump(const struct grid *g, struct buf *out);

#endif

/* The layout: one pure function from a size to the rectangles of the panes.
 * SPDX-License-Identifier: MIT */
#ifndef UI_LAYOUT_H
#define UI_LAYOUT_H

#include "ui/grid.h"

enum pane {
	PANE_WORKLOADS,
	PANE_MAP,
	PANE_FINDINGS,
	PANE_SOURCE,
	PANE_DETAIL,
	PANE_COUNT,
};

enum layout_kind {
	LAYOUT_WIDE,      /* three columns over source and detail */
	LAYOUT_TWO,       /* workloads and findings over one tabbed pane */
	LAYOUT_ACCORDION, /* the focused pane open, the others a title line each */
	LAYOUT_SINGLE,    /* one pane, the others as tabs in its title */
	LAYOUT_TOO_SMALL, /* one line */
};

enum zoom { ZOOM_NORMAL, ZOOM_HALF, ZOOM_FULL, ZOOM_COUNT };

enum {
	LAYOUT_WIDE_WIDTH = 160,
	LAYOUT_WIDE_HEIGHT = 30,
	LAYOUT_TWO_WIDTH = 100,
	LAYOUT_TWO_HEIGHT = 20,
	LAYOUT_STACK_WIDTH = 60,
	LAYOUT_STACK_HEIGHT = 12,
	LAYOUT_LEAST_WIDTH = 20,
	LAYOUT_LEAST_HEIGHT = 4,
};

struct layout {
	enum layout_kind kind;
	struct rect header, status;    /* one line each; empty when too small */
	struct rect body;              /* all between them: what a full-screen view gets */
	struct rect panes[PANE_COUNT]; /* empty: not shown; one line high: only its title */
	enum pane tab;                 /* LAYOUT_TWO: the pane shown in the lower half */
	bool boxed;                    /* panes have a frame */
};

/* FOCUS is shown whatever the size; TAB is the last focused of map, source and detail; SHIFT moves
 * the border between the columns by cells. */
struct layout layout_compute(int width, int height, enum pane focus, enum pane tab, enum zoom zoom,
                             int shift);
/* Inside the frame of a full-screen view, or below its title where there is no room for a frame. */
struct rect layout_view_inside(const struct layout *l);
/* The lines inside a pane's frame, or of its title only: what can be drawn in it. */
struct rect layout_inside(const struct layout *l, enum pane pane);
/* True when the pane shows more than its title. */
bool layout_is_open(const struct layout *l, enum pane pane);

#endif

/* Arithmetic of the layout.
 * SPDX-License-Identifier: MIT */
#include "ui/layout.h"

static int clamp(int value, int low, int high)
{
	if (value > high)
		value = high;
	return value < low ? low : value;
}

static enum layout_kind kind_of(int width, int height)
{
	if (width < LAYOUT_LEAST_WIDTH || height < LAYOUT_LEAST_HEIGHT)
		return LAYOUT_TOO_SMALL;
	if (width < LAYOUT_STACK_WIDTH || height < LAYOUT_STACK_HEIGHT)
		return LAYOUT_SINGLE;
	if (width >= LAYOUT_WIDE_WIDTH && height >= LAYOUT_WIDE_HEIGHT)
		return LAYOUT_WIDE;
	if (width >= LAYOUT_TWO_WIDTH && height >= LAYOUT_TWO_HEIGHT)
		return LAYOUT_TWO;
	return LAYOUT_ACCORDION;
}

static void lay_wide(struct layout *l, enum pane focus, enum zoom zoom, int shift)
{
	struct rect b = l->body;
	bool below = focus == PANE_SOURCE || focus == PANE_DETAIL;
	/* The map wants its head and twenty fields. */
	int top = clamp(b.h / 2, b.h < 36 ? b.h * 6 / 10 : 23, b.h - 8);
	int left, right, half;

	if (zoom == ZOOM_HALF)
		top = below ? b.h / 3 : b.h - 7;
	left = clamp(b.w * 22 / 100 + shift, 24, b.w / 3);
	right = clamp(b.w * 3 / 10, 34, b.w / 3);
	if (zoom == ZOOM_HALF && focus == PANE_WORKLOADS)
		left = b.w / 3;
	if (zoom == ZOOM_HALF && focus == PANE_FINDINGS)
		right = b.w / 3;
	half = b.w / 2;
	l->panes[PANE_WORKLOADS] = (struct rect){ b.x, b.y, left, top };
	l->panes[PANE_MAP] = (struct rect){ b.x + left, b.y, b.w - left - right, top };
	l->panes[PANE_FINDINGS] = (struct rect){ b.x + b.w - right, b.y, right, top };
	l->panes[PANE_SOURCE] = (struct rect){ b.x, b.y + top, half, b.h - top };
	l->panes[PANE_DETAIL] = (struct rect){ b.x + half, b.y + top, b.w - half, b.h - top };
}

static void lay_two(struct layout *l, enum pane focus, enum zoom zoom, int shift)
{
	struct rect b = l->body;
	bool above = focus == PANE_WORKLOADS || focus == PANE_FINDINGS;
	int top = clamp(b.h * 4 / 10, 6, b.h - 6);
	int left = clamp(b.w * 38 / 100 + shift, 24, b.w - 40);

	if (zoom == ZOOM_HALF)
		top = above ? b.h - 7 : 5;
	l->panes[PANE_WORKLOADS] = (struct rect){ b.x, b.y, left, top };
	l->panes[PANE_FINDINGS] = (struct rect){ b.x + left, b.y, b.w - left, top };
	l->panes[l->tab] = (struct rect){ b.x, b.y + top, b.w, b.h - top };
}

static void lay_accordion(struct layout *l, enum pane focus)
{
	struct rect b = l->body;
	int y = b.y;

	for (enum pane p = 0; p < PANE_COUNT; p++) {
		int h = p == focus ? b.h - (PANE_COUNT - 1) : 1;

		l->panes[p] = (struct rect){ b.x, y, b.w, h };
		y += h;
	}
}

struct layout layout_compute(int width, int height, enum pane focus, enum pane tab, enum zoom zoom,
                             int shift)
{
	struct layout l = { .kind = kind_of(width, height) };

	l.tab = focus == PANE_MAP || focus == PANE_SOURCE || focus == PANE_DETAIL ? focus : tab;
	if (l.tab == PANE_WORKLOADS || l.tab == PANE_FINDINGS)
		l.tab = PANE_MAP;
	if (l.kind == LAYOUT_TOO_SMALL) {
		l.body = (struct rect){ 0, 0, width > 0 ? width : 0, height > 0 ? height : 0 };
		return l;
	}
	l.header = (struct rect){ 0, 0, width, 1 };
	l.body = (struct rect){ 0, 1, width, height - 2 };
	l.status = (struct rect){ 0, height - 1, width, 1 };
	l.boxed = l.kind != LAYOUT_SINGLE;
	if (zoom == ZOOM_FULL || l.kind == LAYOUT_SINGLE)
		l.panes[focus] = l.body;
	else if (l.kind == LAYOUT_WIDE)
		lay_wide(&l, focus, zoom, shift);
	else if (l.kind == LAYOUT_TWO)
		lay_two(&l, focus, zoom, shift);
	else
		lay_accordion(&l, focus);
	return l;
}

bool layout_is_open(const struct layout *l, enum pane pane)
{
	return l->panes[pane].h > 1 && l->panes[pane].w > 0;
}

struct rect layout_view_inside(const struct layout *l)
{
	struct rect r = l->body;

	if (l->boxed)
		return rect_inset(r, 1, 1);
	return (struct rect){ r.x, r.y + 1, r.w, r.h > 0 ? r.h - 1 : 0 };
}

struct rect layout_inside(const struct layout *l, enum pane pane)
{
	struct rect r = l->panes[pane];

	if (!layout_is_open(l, pane))
		return (struct rect){ r.x, r.y, r.w, 0 };
	if (l->boxed)
		return rect_inset(r, 1, 1);
	return (struct rect){ r.x, r.y + 1, r.w, r.h - 1 };
}

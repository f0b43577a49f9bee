/* Workloads: files, their rows as trees, and the open findings of each.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "ui/core.h"
#include "ui/find.h"
#include "ui/words.h"

static size_t count(const struct ui_state *s)
{
	return s->workloads.count;
}

static void text(const struct ui_state *s, size_t i, struct buf *out)
{
	const struct workload_item *item;

	if (i >= s->workloads.count)
		return;
	item = &s->workloads.items[i];
	if (item->row)
		words_row(s->snapshot, item->row, out);
}

static void chosen(struct ui_state *s, size_t i)
{
	if (i < s->workloads.count && s->workloads.items[i].row)
		ui_select_row(s, s->workloads.items[i].row);
}

/* "C2 H3" right-aligned in front of the edge; returns where it begins. */
static int draw_counts(struct grid *g, struct rect row, const struct workload_item *item)
{
	int width = 0, x, shown = 0;

	for (enum severity i = 0; i < SEVERITY_INFO; i++)
		if (item->open[i] > 0) {
			size_t n = item->open[i];

			width += 3;
			while (n >= 10) {
				n /= 10;
				width++;
			}
			shown++;
		}
	if (width > row.w / 2)
		return row.x + row.w;
	x = row.x + row.w - width;
	for (enum severity i = 0; shown > 0 && i < SEVERITY_INFO; i++)
		if (item->open[i] > 0)
			x = grid_printf(g, row, x, row.y, element_of_severity(i), "%c%zu ",
			                severity_letters[i], item->open[i]);
	return row.x + row.w - width;
}

static void draw_item(const struct ui_state *s, struct grid *g, struct rect row,
                      const struct workload_item *item, bool selected, bool focused)
{
	int x = draw_gutter(g, row, selected, focused, false), end, kind_at;
	const char *role;

	end = draw_counts(g, row, item);
	for (unsigned i = 1; i < item->depth && i < 8; i++)
		x = grid_text(g, row, x, row.y, ELEMENT_DIM, "  ");
	if (item->depth > 0)
		x = grid_text(g, row, x, row.y, ELEMENT_DIM,
		              grid_glyph(g, item->last ? GLYPH_TREE_LAST : GLYPH_TREE_MIDDLE));
	role = words_role(&s->match, item->row);
	if (!role[0])
		role = item->workload == SIZE_MAX ? item->row->object_kind
		                                  : row_kind_names[item->row->kind];
	kind_at = end - 1 - (row.w > 40 ? 16 : 10);
	if (row.w < 26)
		kind_at = end;
	if (row_is_numbered(item->row))
		x = grid_printf(g, row, x, row.y, ELEMENT_DIM, "%s ", item->row->object_kind);
	grid_raw(g, row, x, row.y, kind_at - 1 - x, ELEMENT_TEXT, item->row->label,
	         strlen(item->row->label), GRID_CUT_MIDDLE);
	if (kind_at < end)
		grid_value(g, row, kind_at, row.y, end - kind_at - 1, ELEMENT_DIM, role);
	if (selected)
		grid_select(g, row);
}

static void draw_heading(struct grid *g, struct rect row, const struct workload_item *item)
{
	int room = row.w - 1 - (item->objects ? 10 : 0), x;

	x = grid_raw(g, row, row.x + 1, row.y, room, ELEMENT_HEADING, item->heading,
	             strlen(item->heading), GRID_CUT_MIDDLE);
	if (item->objects)
		grid_text(g, row, x + 1, row.y, ELEMENT_DIM, "(objects)");
}

static void draw(const struct ui_state *s, struct grid *g, struct rect inside, bool focused)
{
	const struct cursor *c = &s->cursors[PANE_WORKLOADS];

	if (!s->loaded)
		return;
	if (s->workloads.count == 0) {
		draw_empty(g, inside,
		           s->workloads.total > 0
		               ? "No workload passes the filter. F clears it."
		               : "No container, pod, agent or sandbox was found in the files. "
		                 "C lists what was read and what was not.");
		return;
	}
	for (int y = 0; y < inside.h && c->top + (size_t)y < s->workloads.count; y++) {
		const struct workload_item *item = &s->workloads.items[c->top + (size_t)y];
		struct rect row = { inside.x, inside.y + y, inside.w, 1 };

		if (item->row)
			draw_item(s, g, row, item, c->top + (size_t)y == c->at, focused);
		else
			draw_heading(g, row, item);
		if (ui_highlight(s) && focused)
			find_highlight(g, row, ui_highlight(s));
	}
}

static void title(const struct ui_state *s, struct buf *out)
{
	if (s->filters[PANE_WORKLOADS].length > 0)
		buf_printf(out, " %zu of %zu ─ filter%s: %s", s->workloads.shown,
		           s->workloads.total,
		           s->filter_why[PANE_WORKLOADS].length ? " not understood" : "",
		           buf_text(&s->filters[PANE_WORKLOADS]));
	else
		buf_printf(out, " %zu", s->workloads.total);
	if (s->workload_order != WORKLOADS_BY_FILE)
		buf_printf(out, " ─ %s", workload_order_names[s->workload_order]);
}

/* Place of the row among the workloads that are listed, from 1; 0 when it is not. */
static size_t place_of(const struct ui_state *s, const struct row *row)
{
	size_t place = 0;

	for (size_t i = 0; i < s->workloads.count; i++) {
		const struct workload_item *item = &s->workloads.items[i];

		place += item->workload != SIZE_MAX;
		if (item->row && item->row == row)
			return item->workload != SIZE_MAX ? place : 0;
	}
	return 0;
}

static void brief(const struct ui_state *s, struct buf *out)
{
	const struct row *row = ui_row(s);
	size_t at = place_of(s, row);
	const char *role = row ? words_role(&s->match, row) : "";

	if (row)
		buf_printf(out, " ─ %s %s", row->label, *role ? role : row_kind_names[row->kind]);
	if (at > 0)
		buf_printf(out, " ─ %zu of %zu", at, s->workloads.shown);
	if (s->filters[PANE_WORKLOADS].length > 0)
		buf_printf(out, " ─ filtered: %zu", s->workloads.shown);
}

const struct pane_class pane_workloads = {
	.name = "Workloads",
	.count = count,
	.text = text,
	.chosen = chosen,
	.draw = draw,
	.title = title,
	.brief = brief,
};

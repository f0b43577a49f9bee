/* Boundary map: the twenty fields of the selected workload.
 * SPDX-License-Identifier: MIT */
#include "ui/core.h"
#include "ui/find.h"
#include "ui/words.h"

static size_t count(const struct ui_state *s)
{
	return s->fields.count;
}

static const struct matched_cell *cell_at(const struct ui_state *s, size_t i)
{
	size_t workload = ui_workload(s);

	if (workload == SIZE_MAX || i >= s->fields.count)
		return NULL;
	return match_cell(&s->match, workload, (enum field)s->fields.items[i]);
}

static void text(const struct ui_state *s, size_t i, struct buf *out)
{
	const struct matched_cell *cell = cell_at(s, i);

	if (cell)
		words_cell(&s->match, cell, out);
}

static void chosen(struct ui_state *s, size_t i)
{
	if (i < s->fields.count)
		ui_select_field(s, (enum field)s->fields.items[i]);
}

/* Columns: flag and field, declared, observed, mark. */
struct columns {
	int field, declared, observed, mark; /* left edges */
	int end;
	bool words; /* the mark's word has room */
};

/* Cells that the longest observed value takes; 0 without one. */
static int observed_width(const struct ui_state *s)
{
	struct buf value = { 0 };
	int widest = 0;

	for (size_t i = 0; i < s->fields.count; i++) {
		const struct matched_cell *cell = cell_at(s, i);

		if (!cell || !cell->cell.has_observed)
			continue;
		buf_clear(&value);
		cell_observed(s->snapshot, cell->cell.row, cell->cell.field, &value);
		if (grid_cells(buf_text(&value)) > widest)
			widest = grid_cells(buf_text(&value));
		widest = widest > 8 ? widest : 8;
	}
	buf_free(&value);
	return widest;
}

static struct columns columns_of(struct rect inside, int observed)
{
	struct columns c = { .field = inside.x + 4, .end = inside.x + inside.w };
	int room;

	c.words = inside.w >= 70;
	c.declared = c.field + 17;
	c.mark = c.end - (c.words ? 14 : 5);
	room = c.mark - c.declared;
	/* Without an export the column keeps only its dash. */
	if (observed > 0)
		observed = observed + 1 < room * 4 / 10 ? observed + 1 : room * 4 / 10;
	c.observed = c.mark - (observed > 4 ? observed : 4);
	return c;
}

static void draw_head(struct grid *g, struct rect row, const struct columns *c)
{
	grid_text(g, row, c->field, row.y, ELEMENT_LABEL, "Field");
	grid_text(g, row, c->declared, row.y, ELEMENT_LABEL, "Declared");
	grid_text(g, row, c->observed, row.y, ELEMENT_LABEL,
	          c->mark - c->observed >= 9 ? "Observed" : "Obs");
	grid_text(g, row, c->mark, row.y, ELEMENT_LABEL, "Mark");
}

static void draw_value(struct grid *g, struct rect row, int x, int end, enum element element,
                       const struct buf *value)
{
	if (value->length > 0)
		grid_value(g, row, x, row.y, end - x - 1, element, buf_text(value));
	else
		grid_text(g, row, x, row.y, ELEMENT_DIM, grid_glyph(g, GLYPH_NOTHING));
}

static void draw_mark(struct grid *g, struct rect row, const struct columns *c,
                      const struct matched_cell *cell)
{
	enum element element = element_of_mark(cell->effective);
	char overlay = words_overlay(cell);
	int x;

	x = grid_printf(g, row, c->mark, row.y, element, "%c", words_mark_letter(cell));
	x = grid_printf(g, row, x, row.y, ELEMENT_CONFLICT, "%c", overlay);
	if (c->words)
		grid_text(g, row, x, row.y, element, mark_names[cell->effective]);
}

static void draw_cell(const struct ui_state *s, struct grid *g, struct rect row,
                      const struct columns *c, const struct matched_cell *cell)
{
	struct buf value = { 0 };
	char overlay = words_overlay(cell);

	grid_printf(g, row, row.x + 2, row.y, ELEMENT_CONFLICT, "%c", overlay);
	grid_value(g, row, c->field, row.y, c->declared - c->field - 1, ELEMENT_TEXT,
	           field_table[cell->cell.field].slug);
	cell_declared(s->snapshot, cell->cell.row, cell->cell.field, &value);
	draw_value(g, row, c->declared, c->observed, ELEMENT_TEXT, &value);
	buf_clear(&value);
	cell_observed(s->snapshot, cell->cell.row, cell->cell.field, &value);
	draw_value(g, row, c->observed, c->mark, ELEMENT_OBSERVED, &value);
	draw_mark(g, row, c, cell);
	buf_free(&value);
}

static bool is_tagged(const struct ui_state *s, size_t i, const struct matched_cell *cell)
{
	struct arena a = { 0 };
	bool yes;

	if (s->tags.count == 0)
		return s->focus == PANE_MAP && ui_is_range(s, i);
	yes = tags_have(&s->tags, cell_key(&a, cell->cell.row, cell->cell.field));
	arena_free(&a);
	return yes || (s->focus == PANE_MAP && ui_is_range(s, i));
}

static void draw_nothing(const struct ui_state *s, struct grid *g, struct rect inside)
{
	const struct row *row = ui_row(s);

	if (row && !row_is_workload(row))
		draw_empty(g, inside,
		           "An object without a workload: it is judged, and its findings count; "
		           "it has no row in the boundary map.");
	else if (row && s->filters[PANE_MAP].length > 0)
		draw_empty(g, inside, "No field passes the filter. F clears it.");
	else
		draw_empty(g, inside, "Select a workload to see its twenty fields.");
}

static void draw(const struct ui_state *s, struct grid *g, struct rect inside, bool focused)
{
	const struct cursor *cursor = &s->cursors[PANE_MAP];
	struct columns c;

	if (!s->loaded)
		return;
	if (s->fields.count == 0) {
		draw_nothing(s, g, inside);
		return;
	}
	c = columns_of(inside, observed_width(s));
	draw_head(g, (struct rect){ inside.x, inside.y, inside.w, 1 }, &c);
	for (int y = 1; y < inside.h; y++) {
		size_t i = cursor->top + (size_t)y - 1;
		const struct matched_cell *cell = cell_at(s, i);
		struct rect row = { inside.x, inside.y + y, inside.w, 1 };

		if (!cell)
			break;
		draw_gutter(g, row, i == cursor->at, focused, is_tagged(s, i, cell));
		draw_cell(s, g, row, &c, cell);
		if (ui_highlight(s) && focused)
			find_highlight(g, row, ui_highlight(s));
		if (i == cursor->at)
			grid_select(g, row);
	}
}

static void title(const struct ui_state *s, struct buf *out)
{
	const struct row *row = ui_row(s);

	if (s->filters[PANE_MAP].length > 0)
		buf_printf(out, " %zu of %zu ─ filter%s: %s", s->fields.count, s->fields.total,
		           s->filter_why[PANE_MAP].length ? " not understood" : "",
		           buf_text(&s->filters[PANE_MAP]));
	if (row) {
		buf_printf(out, " ─ %s ─ ", row->label);
		words_place(s->snapshot, row->span, out);
	}
}

static void brief(const struct ui_state *s, struct buf *out)
{
	const struct matched_cell *cell = ui_cell(s);

	if (!cell)
		return;
	if (s->filters[PANE_MAP].length > 0)
		buf_printf(out, " filtered: %zu of %d", s->fields.count, FIELD_COUNT);
	buf_printf(out, " ─ %s ─ %c ", field_table[s->field].slug, words_mark_letter(cell));
	words_mark(cell, out);
	buf_puts(out, " ─ ");
	cell_declared(s->snapshot, cell->cell.row, s->field, out);
}

const struct pane_class pane_map = {
	.name = "Boundary map",
	.count = count,
	.text = text,
	.chosen = chosen,
	.draw = draw,
	.title = title,
	.brief = brief,
	.head = 1,
};

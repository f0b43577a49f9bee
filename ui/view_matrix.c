/* Matrix: the boundary map as one table, a workload each line, a field each column.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "ui/core.h"
#include "ui/words.h"

size_t matrix_count(const struct ui_state *s)
{
	return s->loaded ? s->match.workload_count : 0;
}

void matrix_text(const struct ui_state *s, size_t i, struct buf *out)
{
	if (i < matrix_count(s))
		words_row(s->snapshot, s->match.workloads[i], out);
}

void matrix_chosen(struct ui_state *s, size_t i)
{
	enum field field = s->field;

	if (i >= matrix_count(s))
		return;
	ui_select_row(s, s->match.workloads[i]);
	ui_select_field(s, field);
}

static void note_worst(const struct ui_state *s, const struct row *row,
		       const struct matched_finding *f, unsigned char *worst)
{
	size_t workload = row && row_is_workload(row) ? match_workload(&s->match, row) : SIZE_MAX;
	unsigned char *cell;

	if (workload == SIZE_MAX)
		return;
	cell = &worst[workload * FIELD_COUNT + f->finding->rule->field];
	if (f->severity < *cell)
		*cell = (unsigned char)f->severity;
}

/* The worst open finding of each cell, or SEVERITY_COUNT: in one pass, as there may be many. */
static unsigned char *worst_of_cells(const struct ui_state *s)
{
	size_t count = matrix_count(s) * FIELD_COUNT;
	unsigned char *worst = malloc(count ? count : 1);

	if (!worst)
		abort();
	memset(worst, SEVERITY_COUNT, count);
	for (size_t i = 0; i < s->match.finding_count; i++) {
		const struct matched_finding *f = &s->match.findings[i];

		if (f->finding->rule->field >= FIELD_COUNT || f->severity >= SEVERITY_INFO ||
		    (!f->changed && disposition_is_settled(f->disposition)))
			continue;
		for (size_t k = 0; k < f->finding->row_count; k++)
			note_worst(s, f->finding->rows[k], f, worst);
	}
	return worst;
}

struct columns {
	int name, first, width;
	size_t from, shown; /* fields */
};

static struct columns columns_of(const struct ui_state *s, struct rect inside)
{
	struct columns c = { .name = inside.x + 2 };
	int name_width = inside.w >= 140 ? 24 : inside.w >= 100 ? 16 : inside.w >= 50 ? 14 : 8;

	c.first = c.name + name_width;
	c.width = inside.x + inside.w - c.first >= FIELD_COUNT * 5 ? 5 : 4;
	c.shown = (size_t)((inside.x + inside.w - c.first) / c.width);
	if (c.shown > FIELD_COUNT)
		c.shown = FIELD_COUNT;
	if (c.shown == 0)
		c.shown = 1;
	if (s->field >= c.shown)
		c.from = s->field - c.shown + 1;
	return c;
}

static void draw_head(const struct ui_state *s, struct grid *g, struct rect row,
                      const struct columns *c)
{
	grid_text(g, row, c->name, row.y, ELEMENT_LABEL, "Row");
	for (size_t i = 0; i < c->shown; i++) {
		enum field f = (enum field)(c->from + i);

		grid_text(g,
		          (struct rect){ row.x, row.y,
		                         c->first + (int)(i + 1) * c->width - 1 - row.x, 1 },
		          c->first + (int)i * c->width, row.y,
		          f == s->field ? ELEMENT_TITLE_FOCUS : ELEMENT_LABEL,
		          field_table[f].abbreviation);
	}
}

static void draw_cell(struct grid *g, struct rect row, int x, const struct matched_cell *cell,
		      enum severity worst)
{

	x = grid_printf(g, row, x, row.y, element_of_mark(cell->effective), "%c",
	                words_mark_letter(cell));
	x = grid_printf(g, row, x, row.y, ELEMENT_CONFLICT, "%c", words_overlay(cell));
	if (worst != SEVERITY_COUNT)
		grid_printf(g, row, x, row.y, element_of_severity(worst), "%c",
		            severity_letters[worst]);
}

static void draw_row(const struct ui_state *s, struct grid *g, struct rect row,
                     const struct columns *c, size_t workload, const unsigned char *worst,
		     bool here)
{
	struct arena a = { 0 };

	draw_gutter(g, row, here, here, false);
	grid_raw(g, row, c->name, row.y, c->first - c->name - 1, ELEMENT_TEXT,
	         s->match.workloads[workload]->label,
	         strlen(s->match.workloads[workload]->label), GRID_CUT_MIDDLE);
	for (size_t i = 0; i < c->shown; i++) {
		enum field f = (enum field)(c->from + i);
		int x = c->first + (int)i * c->width;

		draw_cell(g, row, x, match_cell(&s->match, workload, f),
			  (enum severity)worst[workload * FIELD_COUNT + f]);
		if (s->tags.count > 0 &&
		    tags_have(&s->tags, cell_key(&a, s->match.workloads[workload], f)))
			grid_text(g, row, x + 3, row.y, ELEMENT_CITED, "*");
		if (here && f == s->field) {
			grid_select(g, (struct rect){ x, row.y, 3, 1 });
			g->cursor_x = x;
		}
	}
	if (here)
		grid_select(g, (struct rect){ row.x, row.y, c->first - row.x - 1, 1 });
	arena_free(&a);
}

void draw_matrix(const struct ui_state *s, struct grid *g, struct rect area)
{
	const struct cursor *cursor = &s->texts[MODE_MATRIX];
	struct rect inside = draw_view_frame(s, g, area);
	struct rect title = { area.x + 1, area.y, area.w - 2, 1 };
	struct columns c = columns_of(s, inside);
	struct buf text = { 0 };
	unsigned char *worst;

	buf_printf(&text, "Boundary map ─ %zu rows × %d fields", matrix_count(s), FIELD_COUNT);
	if (ui_row(s))
		buf_printf(&text, " ─ %s %s", ui_row(s)->label, field_table[s->field].slug);
	if (ui_cell(s)) {
		buf_puts(&text, ": ");
		cell_declared(s->snapshot, ui_row(s), s->field, &text);
	}
	grid_value(g, title, title.x, title.y, title.w, ELEMENT_TITLE_FOCUS, buf_text(&text));
	buf_free(&text);
	if (matrix_count(s) == 0) {
		draw_empty(g, inside, "No workload was found.");
		return;
	}
	worst = worst_of_cells(s);
	draw_head(s, g, (struct rect){ inside.x, inside.y, inside.w, 1 }, &c);
	for (int y = 1; y < inside.h; y++) {
		size_t i = cursor->top + (size_t)y - 1;

		if (i >= matrix_count(s))
			break;
		draw_row(s, g, (struct rect){ inside.x, inside.y + y, inside.w, 1 }, &c, i,
		         worst, i == cursor->at);
	}
	free(worst);
}

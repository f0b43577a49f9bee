/* Findings of the selected workload, or of all.
 * SPDX-License-Identifier: MIT */
#include "ui/core.h"

#include <string.h>

#include "ui/find.h"
#include "ui/words.h"

static size_t count(const struct ui_state *s)
{
	return s->findings.count;
}

static const struct matched_finding *finding_at(const struct ui_state *s, size_t i)
{
	return i < s->findings.count ? &s->match.findings[s->findings.items[i]] : NULL;
}

static void text(const struct ui_state *s, size_t i, struct buf *out)
{
	const struct matched_finding *f = finding_at(s, i);

	if (f)
		words_finding(&s->match, f, out);
}

static void chosen(struct ui_state *s, size_t i)
{
	const struct matched_finding *f = finding_at(s, i);

	if (f)
		ui_select_finding(s, f);
}

/* Left edges; a column that has no room is at the end. */
struct columns {
	int severity, rule, mark, decision, row, place, end;
	bool words;
	bool only_line; /* of the place */
};

static struct columns columns_of(struct rect inside, bool all)
{
	struct columns c = { .severity = inside.x + 2, .end = inside.x + inside.w };
	int x;

	c.rule = c.severity + 2;
	if (inside.w < 34) {
		/* Severity and mark stay whatever else goes. */
		c.mark = c.end - 2;
		c.decision = c.row = c.place = c.end;
		return c;
	}
	c.words = inside.w >= 110;
	x = c.rule + (inside.w < 40 ? inside.w - 18 : inside.w < 70 ? 24 : 28);
	c.mark = x;
	c.decision = c.mark + (c.words ? 14 : 3);
	x = c.decision + (inside.w < 70 ? 10 : 15);
	c.row = c.place = c.end;
	if (all && inside.w >= 56) {
		c.row = x;
		x += inside.w < 100 ? 16 : 22;
	}
	if (c.end - x >= 5)
		c.place = x;
	c.only_line = c.end - x < 12;
	return c;
}

/* The mark of the finding's cell; of an object, the evidence of the finding. */
static void draw_mark(const struct ui_state *s, struct grid *g, struct rect row,
                      const struct columns *c, const struct finding *f)
{
	size_t workload =
	    f->row && row_is_workload(f->row) ? match_workload(&s->match, f->row) : SIZE_MAX;
	const struct matched_cell *cell;
	enum element element;
	int x;

	if (workload == SIZE_MAX || f->rule->field == FIELD_NONE) {
		grid_text(g, row, c->mark, row.y, ELEMENT_DIM, grid_glyph(g, GLYPH_NOTHING));
		return;
	}
	cell = match_cell(&s->match, workload, f->rule->field);
	element = element_of_mark(cell->effective);
	x = grid_printf(g, row, c->mark, row.y, element, "%c", words_mark_letter(cell));
	x = grid_printf(g, row, x, row.y, ELEMENT_CONFLICT, "%c", words_overlay(cell));
	if (c->words)
		grid_text(g, row, x, row.y, element, mark_names[cell->effective]);
}

static void draw_finding(const struct ui_state *s, struct grid *g, struct rect row,
                         const struct columns *c, const struct matched_finding *f)
{
	bool open = f->disposition == DISPOSITION_NEW || f->changed;
	struct buf place = { 0 };
	enum element severity = element_of_severity(f->severity);

	grid_printf(g, row, c->severity, row.y, severity, "%c", severity_letters[f->severity]);
	grid_value(g, row, c->rule, row.y, c->mark - c->rule - 1,
	           f->severity <= SEVERITY_HIGH ? severity : ELEMENT_TEXT, f->finding->rule->slug);
	draw_mark(s, g, row, c, f->finding);
	grid_value(g, row, c->decision, row.y,
	           (c->row < c->end ? c->row : c->place) - c->decision - 1,
	           open ? ELEMENT_TEXT : ELEMENT_SETTLED, words_decision(f));
	if (c->row < c->end && f->finding->row)
		grid_value(g, row, c->row, row.y, c->place - c->row - 1, ELEMENT_TEXT,
		           f->finding->row->label);
	if (c->only_line)
		buf_printf(&place, ":%u",
		           snapshot_line(s->snapshot, words_finding_span(f->finding)));
	else
		words_place(s->snapshot, words_finding_span(f->finding), &place);
	if (c->place < c->end)
		grid_raw(g, row, c->place, row.y, c->end - c->place, ELEMENT_DIM, buf_text(&place),
		         place.length, GRID_CUT_MIDDLE);
	buf_free(&place);
}

static void draw_nothing(const struct ui_state *s, struct grid *g, struct rect inside)
{
	if (s->findings.total > 0)
		draw_empty(g, inside, "No finding passes the filter. F clears it.");
	else if (s->match.finding_count == 0)
		draw_empty(g, inside,
		           "No rule fired on what was read. That proves nothing about "
		           "what was not: C lists it.");
	else
		draw_empty(g, inside, "No finding in this workload. a shows those of all.");
}

static void draw(const struct ui_state *s, struct grid *g, struct rect inside, bool focused)
{
	const struct cursor *cursor = &s->cursors[PANE_FINDINGS];
	bool selected = ui_finding_index(s) != SIZE_MAX;
	struct columns c;

	if (!s->loaded)
		return;
	if (s->findings.count == 0) {
		draw_nothing(s, g, inside);
		return;
	}
	c = columns_of(inside, s->all_findings);
	for (int y = 0; y < inside.h; y++) {
		size_t i = cursor->top + (size_t)y;
		const struct matched_finding *f = finding_at(s, i);
		struct rect row = { inside.x, inside.y + y, inside.w, 1 };
		bool here = i == cursor->at && (selected || focused);

		if (!f)
			break;
		draw_gutter(g, row, here, focused,
		            tags_have(&s->tags, f->finding->id) ||
		                (s->focus == PANE_FINDINGS && ui_is_range(s, i)));
		draw_finding(s, g, row, &c, f);
		if (ui_highlight(s) && focused)
			find_highlight(g, row, ui_highlight(s));
		if (here)
			grid_select(g, row);
	}
}

static void title(const struct ui_state *s, struct buf *out)
{
	const struct row *row = ui_row(s);
	bool filtered = s->filters[PANE_FINDINGS].length > 0;

	if (!s->all_findings || filtered)
		buf_printf(out, " %zu of %zu", s->findings.count,
		           filtered ? s->findings.total : s->match.finding_count);
	else
		buf_printf(out, " %zu", s->findings.count);
	if (s->all_findings)
		buf_puts(out, " ─ all workloads");
	else if (row)
		buf_printf(out, " ─ %s", row->label);
	if (filtered)
		buf_printf(out, " ─ filter%s: %s",
		           s->filter_why[PANE_FINDINGS].length ? " not understood" : "",
		           buf_text(&s->filters[PANE_FINDINGS]));
	if (s->finding_order != FINDINGS_BY_SEVERITY)
		buf_printf(out, " ─ %s", finding_order_names[s->finding_order]);
}

static void brief(const struct ui_state *s, struct buf *out)
{
	const struct matched_finding *f = ui_finding(s);

	buf_printf(out, " %s%zu of %zu", s->filters[PANE_FINDINGS].length > 0 ? "filtered: " : "",
		   s->findings.count, s->match.finding_count);
	if (!f)
		return;
	buf_printf(out, " ─ %c %s ─ %s ─ ", severity_letters[f->severity], f->finding->rule->slug,
	           words_decision(f));
	words_place(s->snapshot, words_finding_span(f->finding), out);
}

const struct pane_class pane_findings = {
	.name = "Findings",
	.count = count,
	.text = text,
	.chosen = chosen,
	.draw = draw,
	.title = title,
	.brief = brief,
};

/* Present: one finding on the whole screen, for the meeting.
 * SPDX-License-Identifier: MIT */
#include "ui/core.h"

#include <string.h>

#include "ui/words.h"

static void add_line(const struct ui_state *s, struct doc *d, const char *label, struct span span)
{
	struct buf text = { 0 };
	const struct source *source = snapshot_source(s->snapshot, span.source);
	struct span line;
	const char *bytes;

	words_place(s->snapshot, span, &text);
	if (source) {
		line = source_line_span(source, snapshot_line(s->snapshot, span));
		bytes = source_text(source, line);
		buf_puts(&text, "    ");
		while (bytes && line.length > 0 && (*bytes == ' ' || *bytes == '\t')) {
			bytes++;
			line.length--;
		}
		if (bytes)
			buf_add(&text, bytes, line.length < 400 ? line.length : 400);
	}
	doc_at(d, span);
	doc_add(d, ELEMENT_CITED, label, buf_text(&text));
	doc_at(d, (struct span){ 0 });
	buf_free(&text);
}

/* Facts of one line are shown once. */
static bool is_repeated(const struct ui_state *s, const struct finding *f, size_t at)
{
	for (size_t i = 0; i < at; i++) {
		if (f->citations[i].span.source == f->citations[at].span.source &&
		    snapshot_line(s->snapshot, f->citations[i].span) ==
		        snapshot_line(s->snapshot, f->citations[at].span))
			return true;
	}
	return false;
}

static void add_evidence(const struct ui_state *s, struct doc *d, const struct finding *f)
{
	bool declared = false, observed = false;

	for (size_t i = 0; i < f->citation_count; i++) {
		const struct citation *c = &f->citations[i];
		bool is_observed =
		    c->fact ? c->fact->layer == LAYER_OBSERVED : f->evidence == EVIDENCE_OBSERVED;

		if (!span_is_set(c->span) || is_observed || is_repeated(s, f, i))
			continue;
		add_line(s, d, declared ? "" : "declared", c->span);
		declared = true;
	}
	if (!declared)
		doc_add(d, ELEMENT_DIM, "declared", "–");
	for (size_t i = 0; i < f->citation_count; i++) {
		const struct citation *c = &f->citations[i];

		if (!c->fact || c->fact->layer != LAYER_OBSERVED || !span_is_set(c->span))
			continue;
		add_line(s, d, observed ? "" : "observed", c->span);
		observed = true;
	}
	if (!observed)
		doc_add(d, ELEMENT_DIM, "observed", "–");
	if (!observed && f->rule->field != FIELD_NONE)
		doc_add(d, ELEMENT_TEXT, "missing", field_table[f->rule->field].observed_by);
}

static const struct {
	enum disposition disposition;
	const char *name;
} choices[] = {
	{ DISPOSITION_CONFIRMED, "1 confirmed" },
	{ DISPOSITION_ACCEPTED, "2 accepted" },
	{ DISPOSITION_FALSE_POSITIVE, "3 false positive" },
	{ DISPOSITION_NEEDS_EVIDENCE, "4 needs evidence" },
};

static void add_decision(const struct matched_finding *f, struct doc *d)
{
	struct buf text = { 0 };
	bool among = false, narrow = d->width - d->label_width < 78;

	for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
		bool is = !f->changed && f->disposition == choices[i].disposition;

		among |= is;
		buf_printf(&text, "%s(%c) %s", i == 0 ? "" : i == 2 && narrow ? "\n" : "  ",
			   is ? '*' : ' ', choices[i].name);
	}
	if (!among && f->disposition != DISPOSITION_NEW)
		buf_printf(&text, "  (*) %s", words_decision(f));
	doc_add(d, ELEMENT_TEXT, "decision", buf_text(&text));
	if (f->decided && f->decided->owner && f->decided->owner[0])
		doc_printf(d, ELEMENT_TEXT, "owner", "%s  until %s", f->decided->owner,
		           f->decided->expires);
	if (f->decided && f->decided->note && f->decided->note[0])
		doc_add(d, ELEMENT_TEXT, "because", f->decided->note);
	buf_free(&text);
}

/* The way out of the boundary of which the finding is a step. */
static void add_path(const struct ui_state *s, struct doc *d, const struct finding *f)
{
	enum reach_target to = reach_of(f->rule);

	for (size_t i = 0; i < s->match.paths.count; i++) {
		const struct path *p = &s->match.paths.items[i];
		struct buf text = { 0 };

		if (p->to != to || !finding_concerns(f, p->from))
			continue;
		buf_printf(&text, "%s → %s", p->from->label, reach_target_names[to]);
		doc_add(d, ELEMENT_WARNING, "path", buf_text(&text));
		buf_free(&text);
	}
}

static void add_said(const struct ui_state *s, struct doc *d, const char *id)
{
	size_t said = 0;

	for (size_t i = 0; i < s->review->notes.count; i++) {
		const struct noted *n = &s->review->notes.items[i];

		if (strcmp(n->key, id) == 0)
			doc_printf(d, ELEMENT_TEXT, said++ ? "" : "said", "%s: %s", n->who,
			           n->text);
	}
	if (said == 0)
		doc_add(d, ELEMENT_DIM, "said", "–");
}

void doc_present(const struct ui_state *s, struct doc *d)
{
	const struct matched_finding *m = ui_finding(s);
	const struct matched_cell *cell = ui_cell(s);
	struct buf mark = { 0 };

	d->label_width = 12;
	if (!m)
		return;
	doc_full(d, ELEMENT_HEADING,
	         m->finding->message && m->finding->message[0] ? m->finding->message
	                                                       : m->finding->rule->consequence);
	doc_blank(d);
	add_evidence(s, d, m->finding);
	if (cell) {
		buf_printf(&mark, "%s: %c ", field_table[s->field].slug, words_mark_letter(cell));
		words_mark(cell, &mark);
		doc_add(d, element_of_mark(cell->effective), "mark", buf_text(&mark));
	}
	add_path(s, d, m->finding);
	doc_blank(d);
	doc_add(d, ELEMENT_TEXT, "so", m->finding->rule->consequence);
	doc_add(d, ELEMENT_TEXT, "fix", m->finding->rule->fix);
	doc_add(d, ELEMENT_TEXT, "breaks", m->finding->rule->compatibility);
	doc_add(d, ELEMENT_TEXT, "owner", m->finding->rule->owner);
	doc_blank(d);
	add_decision(m, d);
	add_said(s, d, m->finding->id);
	buf_free(&mark);
}

static void shout(const char *text, struct buf *out)
{
	for (; *text; text++)
		buf_putc(out, *text >= 'a' && *text <= 'z' ? (char)(*text - 'a' + 'A') : *text);
}

void draw_present(const struct ui_state *s, struct grid *g, struct rect area)
{
	const struct matched_finding *m = ui_finding(s);
	struct rect row = { area.x, area.y, area.w, 1 };
	struct rect body = { area.x + 1, area.y + 1, area.w - 1, area.h - 1 };
	struct buf severity = { 0 }, name = { 0 };
	int x;

	if (!m)
		return;
	if (area.h > 16)
		body = (struct rect){ area.x + 1, area.y + 2, area.w - 1, area.h - 2 };
	shout(severity_names[m->severity], &severity);
	x = grid_printf(g, row, row.x + 1, row.y, ELEMENT_TEXT, "%zu of %zu   ",
	                ui_finding_index(s) + 1, s->match.finding_count);
	x = grid_value(g, row, x, row.y, row.w, ELEMENT_HEADING, m->finding->rule->slug);
	x = grid_printf(g, row, x, row.y, element_of_severity(m->severity), "   %s",
	                buf_text(&severity));
	if (m->finding->row) {
		const char *role = words_role(&s->match, m->finding->row);

		buf_printf(&name, "%s %s", m->finding->row->label,
		           *role ? role : row_kind_names[m->finding->row->kind]);
		x += 3;
		if (row.x + row.w - grid_cells(buf_text(&name)) - 1 > x)
			x = row.x + row.w - grid_cells(buf_text(&name)) - 1;
		grid_value(g, row, x, row.y, row.w, ELEMENT_TEXT, buf_text(&name));
	}
	doc_draw(&s->doc, g, body, (struct doc_view){ .top = s->texts[MODE_PRESENT].top });
	g->cursor_x = row.x + 1;
	g->cursor_y = row.y;
	buf_free(&severity);
	buf_free(&name);
}

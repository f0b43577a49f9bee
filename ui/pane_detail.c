/* Detail: everything about the selected finding, cell or workload.
 * SPDX-License-Identifier: MIT */
#include "ui/core.h"

#include <string.h>

#include "model/secret.h"
#include "ui/words.h"

/* --- parts ------------------------------------------------------------------------------------ */

static void add_if(struct doc *d, const char *label, const char *text)
{
	if (text && text[0])
		doc_add(d, ELEMENT_TEXT, label, text);
}

static void add_place(const struct ui_state *s, struct doc *d, const char *label, struct span span,
                      const char *before, const char *after)
{
	struct buf text = { 0 };

	words_place(s->snapshot, span, &text);
	if (before && before[0])
		buf_printf(&text, "  %s", before);
	if (after && after[0])
		buf_printf(&text, "  %s", after);
	doc_at(d, span);
	doc_add(d, ELEMENT_TEXT, label, buf_text(&text));
	doc_at(d, (struct span){ 0 });
	buf_free(&text);
}

static void add_notes(const struct ui_state *s, struct doc *d, const char *key)
{
	for (size_t i = 0; i < s->review->notes.count; i++) {
		const struct noted *n = &s->review->notes.items[i];

		if (strcmp(n->key, key) == 0)
			doc_printf(d, ELEMENT_TEXT, "Comment", "%s (%s, %s)", n->text, n->who,
			           n->when);
	}
}

static void add_fact(const struct ui_state *s, struct doc *d, const struct fact *f)
{
	struct buf text = { 0 };
	size_t shown = 0;

	buf_printf(&text, "%s", fact_kind_table[f->kind].title);
	if (f->value[0])
		buf_printf(&text, ": %s", f->value);
	for (uint32_t i = 0; i < f->attribute_count; i++)
		if (*f->attributes[i].value)
			buf_printf(&text, "%s%s %s", shown++ ? ", " : " (", f->attributes[i].name,
			           f->attributes[i].value);
	buf_printf(&text, "%s", shown ? ")" : "");
	if (f->provenance != PROVENANCE_EXPLICIT)
		buf_printf(&text, "  %s", provenance_names[f->provenance]);
	add_place(s, d, f->layer == LAYER_OBSERVED ? "Observed" : "Declared", f->span,
	          buf_text(&text), NULL);
	for (uint32_t i = 0; i < f->via_count; i++)
		add_place(s, d, "", f->via[i].span, f->via[i].role, f->via[i].value);
	if (f->note && f->note[0])
		doc_add(d, ELEMENT_DIM, "", f->note);
	buf_free(&text);
}

static void add_marked(const struct matched_cell *cell, struct doc *d)
{
	const struct marked *m = cell->marked;
	struct buf words = { 0 };

	words_mark(cell, &words);
	if (m)
		doc_printf(d, element_of_mark(cell->effective), "Mark", "%s by %s, %s",
		           buf_text(&words), m->who ? m->who : "", m->when ? m->when : "");
	else
		doc_printf(d, element_of_mark(cell->effective), "Mark", "%s (%s): d o u confirm",
		           buf_text(&words), cell->cell.sub ? cell->cell.sub : "");
	if (m) {
		add_if(d, "Basis", m->basis);
		add_if(d, "Because", m->note);
	}
	if (m && cell->freshness == FRESH_STALE)
		doc_printf(d, ELEMENT_STALE, "Stale", "what was marked %s has changed since",
		           mark_names[m->mark]);
	buf_free(&words);
}

/* --- finding ---------------------------------------------------------------------------------- */

/* A link of a fact's chain (a right's role and binding) says what it is; its value is told at the fact. */
static bool is_link(const struct citation *c)
{
	return c->fact && c->span.offset != c->fact->span.offset &&
	       (strcmp(c->role, "role") == 0 || strcmp(c->role, "binding") == 0);
}

static void add_citations(const struct ui_state *s, struct doc *d, const struct finding *f)
{
	for (size_t i = 0; i < f->citation_count; i++) {
		const struct citation *c = &f->citations[i];

		if (span_is_set(c->span))
			add_place(s, d, i == 0 ? "Evidence" : "", c->span,
			          c->fact && !is_link(c) ? fact_kind_table[c->fact->kind].title
			                                 : c->role,
			          c->fact && !is_link(c) ? c->fact->value : NULL);
	}
	if (f->citation_count == 0 && f->row)
		add_place(s, d, "Evidence", f->row->span, f->row->label, NULL);
}

static void add_parts(const struct ui_state *s, struct doc *d, const struct finding *f)
{
	for (size_t i = 0; i < f->part_count; i++) {
		for (size_t j = 0; j < s->match.finding_count; j++) {
			const struct finding *part = s->match.findings[j].finding;

			if (strcmp(part->id, f->parts[i]) == 0)
				add_place(s, d, i == 0 ? "Joined from" : "",
				          words_finding_span(part), part->rule->slug, NULL);
		}
	}
}

static void add_decision(const struct matched_finding *f, struct doc *d)
{
	const struct decided *c = f->decided;

	if (!c) {
		doc_add(d, ELEMENT_TEXT, "Decision", "new: t decides");
		return;
	}
	doc_printf(d, f->changed ? ELEMENT_STALE : ELEMENT_TEXT, "Decision", "%s by %s, %s%s",
	           words_decision(f), c->who ? c->who : "", c->when ? c->when : "",
	           f->changed ? "; what it was decided on has changed" : "");
	add_if(d, "Because", c->note);
	if (c->owner && c->owner[0])
		doc_printf(d, ELEMENT_TEXT, "Accepted by", "%s until %s", c->owner, c->expires);
}

static void add_severity(const struct matched_finding *m, struct doc *d)
{
	const struct decided *c = m->decided;
	const char *rule = severity_names[m->finding->severity];

	if (c && c->has_severity)
		doc_printf(d, ELEMENT_TEXT, "Severity", "%s by the rule, changed by %s: %s", rule,
			   c->who ? c->who : "", c->severity_note ? c->severity_note : "");
	else if (m->severity != m->finding->severity && m->finding->rule->task_context)
		doc_printf(d, ELEMENT_TEXT, "Severity",
			   "%s by the rule: counts as info until the task is written (T)", rule);
	else if (m->severity != m->finding->severity)
		doc_printf(d, ELEMENT_TEXT, "Severity", "%s by the rule", rule);
}

static void finding_detail(const struct ui_state *s, struct doc *d, const struct matched_finding *m)
{
	const struct matched_cell *cell = ui_cell(s);
	const struct finding *f = m->finding;
	const struct rule *rule = f->rule;
	struct buf head = { 0 };

	buf_printf(&head, "%s  %s · confidence %s · %s", rule->slug, severity_names[m->severity],
	           confidence_names[f->confidence], evidence_names[f->evidence]);
	doc_full(d, element_of_severity(m->severity), buf_text(&head));
	buf_free(&head);
	doc_full(d, ELEMENT_TEXT, f->message && f->message[0] ? f->message : rule->consequence);
	add_citations(s, d, f);
	if (cell)
		add_marked(cell, d);
	if (f->message && f->message[0])
		add_if(d, "So", rule->consequence);
	add_severity(m, d);
	add_if(d, "Fix", rule->fix);
	add_if(d, "Breaks", rule->compatibility);
	add_if(d, "Owner", rule->owner);
	add_if(d, "Undo", rule->restore);
	if (rule->field != FIELD_NONE)
		doc_printf(d, ELEMENT_TEXT, "Missing", "to observe it: %s",
		           field_table[rule->field].observed_by);
	add_parts(s, d, f);
	add_decision(m, d);
	add_notes(s, d, f->id);
	for (size_t i = 0; i < f->row_count; i++)
		doc_add(d, ELEMENT_TEXT,
		        i                  ? ""
		        : f->row_count > 1 ? "Workloads"
		                           : "Workload",
		        f->rows[i]->label);
	doc_add(d, ELEMENT_DIM, "Id", f->id);
}

/* --- cell ------------------------------------------------------------------------------------- */

static void add_cell_findings(const struct ui_state *s, struct doc *d, const struct row *row)
{
	bool first = true;

	for (size_t i = 0; i < s->match.finding_count; i++) {
		const struct matched_finding *f = &s->match.findings[i];
		char letter[2] = { severity_letters[f->severity], '\0' };

		if (!finding_concerns(f->finding, row) || f->finding->rule->field != s->field)
			continue;
		doc_at(d, words_finding_span(f->finding));
		doc_printf(d, element_of_severity(f->severity), first ? "Findings" : "",
		           "%s %s  %s", letter, f->finding->rule->slug, words_decision(f));
		doc_at(d, (struct span){ 0 });
		first = false;
	}
}

static void cell_detail(const struct ui_state *s, struct doc *d, const struct matched_cell *cell)
{
	const struct row *row = cell->cell.row;
	const struct field_info *field = &field_table[s->field];
	const struct fact *f = NULL;
	struct arena a = { 0 };
	struct buf text = { 0 };

	buf_printf(&text, "%s · %s", field->title, row->label);
	doc_full(d, ELEMENT_HEADING, buf_text(&text));
	doc_full(d, ELEMENT_DIM, field->question);
	add_marked(cell, d);
	buf_clear(&text);
	cell_declared(s->snapshot, row, s->field, &text);
	if (text.length > 0)
		doc_add(d, ELEMENT_TEXT, "Says", buf_text(&text));
	while ((f = cell_next(row, s->field, f)))
		add_fact(s, d, f);
	if (cell->cell.reason && strcmp(cell->cell.reason, buf_text(&text)) != 0)
		add_if(d, "Unknown", cell->cell.reason);
	if (cell->cell.fact_count == 0)
		doc_add(d, ELEMENT_TEXT, "By absence", field->when_absent);
	doc_add(d, ELEMENT_TEXT, "To observe", field->observed_by);
	add_cell_findings(s, d, row);
	add_notes(s, d, cell_key(&a, row, s->field));
	buf_free(&text);
	arena_free(&a);
}

/* --- row -------------------------------------------------------------------------------------- */

static void add_pod_security(const struct ui_state *s, struct doc *d, const struct pod_security *p)
{
	if (!p)
		return;
	doc_printf(d, ELEMENT_TEXT, "Pod level", "%s, policy %s%s", p->level, p->version,
	           p->version_assumed ? " (version assumed)" : "");
	for (size_t i = 0; i < p->count; i++)
		add_place(s, d, "", p->violations[i].span, p->violations[i].level,
		          p->violations[i].check);
}

static void add_relations(const struct ui_state *s, struct doc *d, const struct row *row)
{
	if (row->parent > 0 && row->parent <= s->snapshot->rows.count)
		add_if(d, "Parent", s->snapshot->rows.items[row->parent - 1]->label);
	for (size_t i = 0; i < row->shares_with.count; i++) {
		uint32_t other = row->shares_with.items[i];

		if (other < s->snapshot->rows.count)
			doc_add(d, ELEMENT_TEXT, i == 0 ? "Shares with" : "",
			        s->snapshot->rows.items[other]->label);
	}
}

static void add_role(const struct ui_state *s, struct doc *d, const struct row *row)
{
	const char *said = review_role(s->review, row->key);
	struct buf text = { 0 };

	if (!said && row->role == ROLE_UNKNOWN) {
		doc_add(d, ELEMENT_TEXT, "Role", "not known: r says what it is");
		return;
	}
	buf_printf(&text, "%s%s", said ? said : row_role_names[row->role],
	           said ? ", as a reviewer says" : ", proposed");
	if (!said && row->role_reason)
		buf_printf(&text, ": %s", row->role_reason);
	match_judged_role(&s->match, row, &text);
	if (!said && row->role_span.source)
		add_place(s, d, "Role", row->role_span, buf_text(&text), NULL);
	else
		doc_add(d, ELEMENT_TEXT, "Role", buf_text(&text));
	buf_free(&text);
}

/* What the row reaches beyond its boundary; each line leads to the first place that shows it. */
static void add_reach(const struct ui_state *s, struct doc *d, const struct row *row)
{
	size_t listed = 0;

	for (size_t i = 0; i < s->match.paths.count; i++) {
		const struct path *p = &s->match.paths.items[i];
		struct buf text = { 0 };

		if (p->from != row)
			continue;
		buf_printf(&text, "%s, by ", reach_target_names[p->to]);
		path_via(p, &text);
		buf_printf(&text, " (%s)", evidence_names[p->weakest]);
		doc_at(d, p->hops.items[0]->citations[0].span);
		doc_add(d, ELEMENT_WARNING, listed++ ? "" : "Reaches", buf_text(&text));
		doc_at(d, (struct span){ 0 });
		buf_free(&text);
	}
}

static void row_detail(const struct ui_state *s, struct doc *d, const struct row *row)
{
	const char *task = review_task(s->review, row->key);
	struct buf head = { 0 };

	buf_printf(&head, "%s · %s", row->name, row_kind_names[row->kind]);
	doc_full(d, ELEMENT_HEADING, buf_text(&head));
	add_place(s, d, "From", row->span, format_table[row->format].title, NULL);
	doc_printf(d, ELEMENT_TEXT, "Object", "%s %s%s%s", row->object_kind, row->unit,
	           row->namespace && row->namespace[0] ? ", namespace " : "",
	           row->namespace ? row->namespace : "");
	add_role(s, d, row);
	add_reach(s, d, row);
	if (row_is_workload(row))
		doc_add(d, ELEMENT_TEXT, "Task",
		        task ? task : "not written: T writes what this workload needs to do");
	if (row->activity != ROW_ACTIVE)
		doc_printf(d, ELEMENT_WARNING, "Active", "%s",
		           row->activity_reason ? row->activity_reason : "not always");
	add_relations(s, d, row);
	add_if(d, "Export", row->export_note);
	add_pod_security(s, d, row->pod_security);
	add_notes(s, d, row->key);
	doc_add(d, ELEMENT_DIM, "Key", row->key);
	buf_free(&head);
}

void doc_detail(const struct ui_state *s, struct doc *d)
{
	const struct matched_finding *f = ui_finding(s);
	const struct matched_cell *cell = ui_cell(s);
	const struct row *row = ui_row(s);

	if (s->subject == SUBJECT_FINDING && f)
		finding_detail(s, d, f);
	else if (s->subject == SUBJECT_CELL && cell)
		cell_detail(s, d, cell);
	else if (row)
		row_detail(s, d, row);
}

/* --- pane ------------------------------------------------------------------------------------- */

static size_t count(const struct ui_state *s)
{
	return s->detail.count;
}

static void text(const struct ui_state *s, size_t i, struct buf *out)
{
	doc_text(&s->detail, i, out);
}

static void draw(const struct ui_state *s, struct grid *g, struct rect inside, bool focused)
{
	const struct cursor *c = &s->cursors[PANE_DETAIL];

	if (!s->loaded)
		return;
	if (s->detail.count == 0) {
		draw_empty(g, inside, "Select a finding, a field or a workload.");
		return;
	}
	doc_draw(&s->detail, g, inside,
	         (struct doc_view){ .top = c->top,
	                            .at = c->at,
	                            .left = c->left,
	                            .focused = focused,
	                            .match = focused ? ui_highlight(s) : NULL });
}

static void title(const struct ui_state *s, struct buf *out)
{
	const struct matched_finding *f = ui_finding(s);
	const struct row *row = ui_row(s);

	if (s->subject == SUBJECT_FINDING && f)
		buf_printf(out, " ─ %s", f->finding->rule->slug);
	else if (s->subject == SUBJECT_CELL && row)
		buf_printf(out, " ─ %s", field_table[s->field].slug);
	else if (row)
		buf_printf(out, " ─ %s", row->label);
}

static void brief(const struct ui_state *s, struct buf *out)
{
	const struct matched_finding *f = ui_finding(s);

	title(s, out);
	if (s->subject == SUBJECT_FINDING && f && f->finding->message) {
		buf_puts(out, " ─ ");
		secret_redact_prose(out, f->finding->message, strlen(f->finding->message));
	}
}

const struct pane_class pane_detail = {
	.name = "Detail",
	.count = count,
	.text = text,
	.draw = draw,
	.title = title,
	.brief = brief,
};

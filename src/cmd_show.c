/* show: one row, cell or finding with its cited lines.
 * SPDX-License-Identifier: MIT */
#include "src/cmd.h"

#include <string.h>

#include "model/limits.h"
#include "model/listing.h"
#include "model/secret.h"
#include "model/text.h"
#include "src/session.h"

#define CONTEXT_LINES 1
#define MOST_LINES 12 /* of one citation */

/* Everything of a reviewed file goes through here: secrets hidden, bytes made visible. */
static void put_bytes(struct buf *out, const char *text, size_t length, unsigned flags)
{
	struct buf redacted = { 0 };

	secret_redact(&redacted, text, length);
	text_visible(out, buf_text(&redacted), redacted.length, TEXT_ONE_LINE | flags);
	buf_free(&redacted);
}

static void put_visible(struct buf *out, const char *text)
{
	put_bytes(out, text, strlen(text), 0);
}

static void put_member(struct buf *out, const char *name, const char *text)
{
	if (!text || !*text)
		return;
	buf_printf(out, "%-14s ", name);
	put_visible(out, text);
	buf_putc(out, '\n');
}

static void put_source_line(const struct source *source, uint32_t line, bool cited,
			    struct buf *out)
{
	struct buf redacted = { 0 };

	buf_printf(out, "  %c %5u  ", cited ? '>' : ' ', line);
	secret_redact_line(&redacted, source, line);
	text_visible(out, buf_text(&redacted), redacted.length, TEXT_ONE_LINE | TEXT_TABS);
	buf_putc(out, '\n');
	buf_free(&redacted);
}

static void put_citation(const struct session *s, struct span span, const char *role,
			 struct buf *out)
{
	const struct source *source = snapshot_source(&s->snapshot, span.source);
	uint32_t first, last, line, stop;

	if (!source)
		return;
	first = source_line(source, span.offset);
	last = source_end_line(source, span);
	stop = last - first >= MOST_LINES ? first + MOST_LINES - 1 : last;
	buf_puts(out, "\n  ");
	put_visible(out, source->path);
	buf_printf(out, ":%u%s%s\n", first, *role ? "  " : "", role);
	line = first > CONTEXT_LINES ? first - CONTEXT_LINES : 1;
	for (; line <= stop + CONTEXT_LINES && line <= source->line_count; line++)
		put_source_line(source, line, line >= first && line <= stop, out);
	if (stop < last)
		buf_printf(out, "    … to line %u\n", last);
}

/* --- finding ------------------------------------------------------------------------------------ */

static void put_decision(const struct matched_finding *f, struct buf *out)
{
	const struct decided *d = f->decided;

	put_member(out, "disposition", disposition_names[f->disposition]);
	if (!d)
		return;
	put_member(out, "decided by", d->who);
	put_member(out, "note", d->note);
	put_member(out, "owner", d->owner);
	put_member(out, "until", d->expires);
	if (f->changed)
		put_member(out, "reopened", "what the decision was about has changed");
	if (f->expired)
		put_member(out, "reopened", "the acceptance has expired");
}

static void show_finding(const struct session *s, const struct matched_finding *m,
			 struct buf *out)
{
	const struct finding *f = m->finding;

	buf_printf(out, "%s   %s · confidence %s · %s\n", f->rule->slug,
		   severity_names[m->severity], confidence_names[f->confidence],
		   evidence_names[f->evidence]);
	put_visible(out, f->message);
	buf_putc(out, '\n');
	for (size_t i = 0; i < f->row_count; i++)
		put_member(out, "row", f->rows[i]->key);
	put_member(out, "field", field_table[f->rule->field].slug);
	put_member(out, "consequence", f->rule->consequence);
	put_member(out, "fix", f->rule->fix);
	put_member(out, "compatibility", f->rule->compatibility);
	put_member(out, "owner", f->rule->owner);
	put_member(out, "restore", f->rule->restore);
	put_decision(m, out);
	put_member(out, "id", f->id);
	for (size_t i = 0; i < f->part_count; i++)
		put_member(out, "part", f->parts[i]);
	for (size_t i = 0; i < f->citation_count; i++)
		put_citation(s, f->citations[i].span, f->citations[i].role, out);
}

/* --- cell --------------------------------------------------------------------------------------- */

static void put_fact(const struct session *s, const struct fact *f, struct buf *out)
{
	struct buf text = { 0 };

	buf_printf(&text, "%s%s%s", fact_kind_table[f->kind].title, *f->value ? ": " : "",
		   f->value);
	if (f->note)
		buf_printf(&text, " (%s)", f->note);
	put_member(out, provenance_names[f->provenance], buf_text(&text));
	for (uint32_t i = 0; i < f->via_count; i++)
		put_citation(s, f->via[i].span, f->via[i].role, out);
	put_citation(s, f->span, f->layer == LAYER_OBSERVED ? "observed" : "", out);
	buf_free(&text);
}

static void put_marked(const struct matched_cell *c, struct buf *out)
{
	const struct marked *m = c->marked;

	if (!m) {
		put_member(out, "mark", "proposed by the program, not confirmed");
		return;
	}
	put_member(out, "marked", mark_names[m->mark]);
	put_member(out, "by", m->who);
	put_member(out, "at", m->when);
	put_member(out, "basis", m->basis);
	put_member(out, "note", m->note);
	if (c->freshness == FRESH_STALE)
		put_member(out, "stale", "what the mark was about has changed");
	for (const struct opinion *o = m->disputed ? m->opinions : NULL; o; o = o->next)
		buf_printf(out, "%-14s %s says %s\n", "disputed", o->who, mark_names[o->mark]);
}

static void show_cell(const struct session *s, size_t workload, enum field field,
		      struct buf *out)
{
	const struct matched_cell *c = match_cell(&s->match, workload, field);
	const struct row *row = c->cell.row;
	struct buf text = { 0 };

	buf_printf(out, "%s of ", field_table[field].slug);
	put_visible(out, row->key);
	buf_putc(out, '\n');
	put_member(out, "question", field_table[field].question);
	put_member(out, "proposal", mark_names[c->cell.mark]);
	put_member(out, "because", c->cell.sub);
	cell_declared(&s->snapshot, row, field, &text);
	put_member(out, "declared", buf_text(&text));
	buf_clear(&text);
	cell_observed(&s->snapshot, row, field, &text);
	put_member(out, "observed", text.length ? buf_text(&text) : NULL);
	if (c->cell.conflict)
		put_member(out, "conflict", "declared and observed differ");
	put_marked(c, out);
	put_member(out, "observed by", field_table[field].observed_by);
	for (const struct fact *f = cell_next(row, field, NULL); f; f = cell_next(row, field, f))
		put_fact(s, f, out);
	buf_free(&text);
}

/* --- row ---------------------------------------------------------------------------------------- */

static void put_cells(const struct session *s, size_t workload, struct buf *out)
{
	struct buf text = { 0 }, mark = { 0 };

	for (unsigned field = 0; field < FIELD_COUNT; field++) {
		const struct matched_cell *c = match_cell(&s->match, workload, (enum field)field);

		buf_clear(&text);
		buf_clear(&mark);
		listing_mark(c, &mark);
		cell_declared(&s->snapshot, c->cell.row, (enum field)field, &text);
		buf_printf(out, "  %-4s %-17s ", buf_text(&mark), field_table[field].slug);
		put_visible(out, buf_text(&text));
		buf_clear(&text);
		cell_observed(&s->snapshot, c->cell.row, (enum field)field, &text);
		if (text.length) {
			buf_puts(out, "   observed: ");
			put_visible(out, buf_text(&text));
		}
		buf_putc(out, '\n');
	}
	buf_free(&text);
	buf_free(&mark);
}

static void put_findings_of(const struct session *s, const struct row *row, struct buf *out)
{
	for (size_t i = 0; i < s->match.finding_count; i++) {
		const struct matched_finding *f = &s->match.findings[i];
		struct span place = f->finding->citations[0].span;

		if (!finding_concerns(f->finding, row))
			continue;
		buf_printf(out, "  F-%02zu %-8s %-26s ", i + 1, severity_names[f->severity],
			   f->finding->rule->slug);
		put_visible(out, snapshot_path(&s->snapshot, place));
		buf_printf(out, ":%u\n", snapshot_line(&s->snapshot, place));
	}
}

static void put_role(const struct session *s, const struct row *row, struct buf *out)
{
	const char *said = review_role(&s->review, row->key);
	struct buf text = { 0 };

	buf_printf(&text, "%s", said ? said : row_role_names[row->role]);
	if (!said && row->role_reason)
		buf_printf(&text, ", proposed: %s", row->role_reason);
	match_judged_role(&s->match, row, &text);
	put_member(out, "role", buf_text(&text));
	buf_free(&text);
}

/* The level of the row's pod and the place of every check that it violates. */
static void put_pod_security(const struct session *s, const struct pod_security *p, struct buf *out)
{
	struct buf text = { 0 };

	if (!p)
		return;
	buf_printf(&text, "%s, policy %s%s", p->level, p->version,
		   p->version_assumed ? " (assumed)" : "");
	put_member(out, "pod security", buf_text(&text));
	buf_free(&text);
	for (size_t i = 0; i < p->count; i++) {
		const struct row_violation *v = &p->violations[i];

		buf_printf(out, "  %-10s %-26s ", v->level, v->check);
		put_visible(out, snapshot_path(&s->snapshot, v->span));
		buf_printf(out, ":%u\n", snapshot_line(&s->snapshot, v->span));
	}
}

static void show_row(const struct session *s, size_t workload, struct buf *out)
{
	const struct row *row = s->match.workloads[workload];
	const char *task = review_task(&s->review, row->key);

	buf_printf(out, "R-%02zu ", workload + 1);
	put_visible(out, row->key);
	buf_putc(out, '\n');
	put_member(out, "kind", row_kind_names[row->kind]);
	put_role(s, row, out);
	put_member(out, "task", task ? task : "not written");
	put_member(out, "state", row->activity_reason);
	put_member(out, "export", row->export_note);
	if (row->parent)
		put_member(out, "parent", s->snapshot.rows.items[row->parent - 1]->key);
	put_pod_security(s, row->pod_security, out);
	put_citation(s, row->span, "", out);
	buf_puts(out, "\nboundary map\n");
	put_cells(s, workload, out);
	buf_puts(out, "\nfindings\n");
	put_findings_of(s, row, out);
}

/* Tries a finding, a cell and a row; explains by the form that was meant. */
static bool show_key(const struct session *s, const char *key, struct buf *out, struct buf *why)
{
	struct buf as_finding = { 0 }, as_cell = { 0 };
	const struct matched_finding *f = session_find_finding(s, key, &as_finding);
	size_t workload = SIZE_MAX;
	enum field field;
	bool several = strstr(buf_text(&as_finding), "fired") != NULL;

	if (f)
		show_finding(s, f, out);
	else if (session_find_cell(s, key, &workload, &field, &as_cell))
		show_cell(s, workload, field, out);
	else if (several)
		buf_puts(why, buf_text(&as_finding));
	else if ((workload = session_find_row(s, key, why)) != SIZE_MAX)
		show_row(s, workload, out);
	buf_free(&as_finding);
	buf_free(&as_cell);
	return why->length == 0;
}

int cmd_show(const struct options *o)
{
	struct buf out = { 0 }, why = { 0 };
	struct session s;
	int code = EXIT_USAGE;

	if (!session_open(&s, o, o->arguments.count > 1 ? o->arguments.items[1] : "."))
		return EXIT_USAGE;
	if (show_key(&s, o->arguments.items[0], &out, &why))
		code = cmd_print(&out) ? EXIT_DONE : EXIT_USAGE;
	else
		cmd_error("%s", buf_text(&why));
	buf_free(&out);
	buf_free(&why);
	session_close(&s);
	return code;
}

/* Findings and unknown verdicts of the JSON report.
 * SPDX-License-Identifier: MIT */
#include "src/report/json_internal.h"

#include <string.h>

/* Named only where the same line concerns several rows. */
static void put_rows(struct buf *out, const struct finding *f)
{
	if (f->row_count < 2)
		return;
	json_put_key(out, "rows");
	json_put_open(out, '[');
	for (size_t i = 0; i < f->row_count; i++)
		json_put_string(out, f->rows[i]->key);
	json_put_close(out, ']');
}

static void put_also(struct json *j, const struct finding *f)
{
	json_put_key(j->out, "also");
	json_put_open(j->out, '[');
	for (size_t i = 1; i < f->citation_count; i++) {
		const struct citation *c = &f->citations[i];

		if (!span_is_set(c->span))
			continue;
		json_put_open(j->out, '{');
		json_place(j, c->span);
		json_put_member_number(j->out, "end_line", snapshot_end_line(j->report->snapshot, c->span));
		json_put_member(j->out, "role", c->role);
		json_put_close(j->out, '}');
	}
	json_put_close(j->out, ']');
}

static void put_decision(struct buf *out, const struct matched_finding *m)
{
	const struct decided *d = m->decided;

	json_put_member(out, "disposition", disposition_names[m->disposition]);
	if (!d)
		return;
	json_put_key(out, "decision");
	json_put_open(out, '{');
	json_put_member(out, "disposition", disposition_names[d->disposition]);
	json_put_member(out, "by", d->who);
	json_put_member(out, "at", d->when);
	json_member_or_null(out, "note", d->note);
	json_member_or_null(out, "owner", d->owner);
	json_member_or_null(out, "expires", d->expires);
	json_put_member_bool(out, "reopened", m->changed || m->expired);
	json_put_close(out, '}');
}

static void put_texts(struct buf *out, const struct rule *rule)
{
	json_put_member(out, "consequence", rule->consequence);
	json_put_member(out, "fix", rule->fix);
	json_put_member(out, "compatibility", rule->compatibility);
	json_put_member(out, "owner", rule->owner);
	json_put_member(out, "restore", rule->restore);
}

static void put_finding(struct json *j, const struct matched_finding *m)
{
	const struct finding *f = m->finding;
	struct span place = f->citations[0].span;

	json_put_open(j->out, '{');
	json_put_member(j->out, "id", f->id);
	json_put_member(j->out, "fingerprint", f->fingerprint);
	json_put_member(j->out, "rule", f->rule->slug);
	json_put_key(j->out, "concepts");
	json_words(j->out, f->concepts);
	json_put_member(j->out, "severity", severity_names[m->severity]);
	if (m->severity != f->severity)
		json_put_member(j->out, "original_severity", severity_names[f->severity]);
	json_put_member(j->out, "confidence", confidence_names[f->confidence]);
	json_put_member(j->out, "row", f->row->key);
	put_rows(j->out, f);
	json_put_member(j->out, "field", field_table[f->rule->field].slug);
	json_place(j, place);
	json_put_member_number(j->out, "column", snapshot_column(j->report->snapshot, place));
	json_put_member_number(j->out, "end_line", snapshot_end_line(j->report->snapshot, place));
	put_also(j, f);
	json_prose(j, "message", f->message);
	put_texts(j->out, f->rule);
	json_put_member(j->out, "evidence", evidence_names[f->evidence]);
	put_decision(j->out, m);
	json_put_key(j->out, "parts");
	json_put_open(j->out, '[');
	for (size_t i = 0; i < f->part_count; i++)
		json_put_string(j->out, f->parts[i]);
	json_put_close(j->out, ']');
	json_put_close(j->out, '}');
}

void json_findings(struct json *j)
{
	json_put_key(j->out, "findings");
	json_put_open(j->out, '[');
	for (size_t i = 0; i < j->report->match->finding_count; i++)
		put_finding(j, &j->report->match->findings[i]);
	json_put_close(j->out, ']');
}

void json_unknowns(struct json *j)
{
	json_put_key(j->out, "unknowns");
	json_put_open(j->out, '[');
	for (size_t i = 0; i < j->report->snapshot->unknowns.count; i++) {
		const struct unknown *u = &j->report->snapshot->unknowns.items[i];

		json_put_open(j->out, '{');
		json_put_member(j->out, "rule", u->rule->slug);
		json_put_member(j->out, "row", u->row->key);
		json_put_member(j->out, "field", field_table[u->rule->field].slug);
		json_place(j, u->span);
		json_prose(j, "reason", u->reason);
		json_put_close(j->out, '}');
	}
	json_put_close(j->out, ']');
}

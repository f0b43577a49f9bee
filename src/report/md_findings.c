/* Section 5: findings, grouped by rule within a severity; annex C: texts of rules at info.
 * SPDX-License-Identifier: MIT */
#include "src/report/md.h"

#include <string.h>

static void member_begin(struct md *m, const char *name)
{
	md_printf(m, "| %s | ", name);
}

static void member_end(struct md *m)
{
	buf_puts(m->out, " |\n");
}

static void add_member(struct md *m, const char *name, const char *text)
{
	if (!text || !*text)
		return;
	member_begin(m, name);
	md_own(m, text);
	member_end(m);
}

static void add_parts(struct md *m, const struct finding *f)
{
	for (size_t i = 0; i < f->part_count; i++) {
		size_t number = match_finding(m->report->match, f->parts[i]) + 1;

		buf_puts(m->out, i ? ", " : " (parts ");
		if (number)
			md_printf(m, "F-%02zu ", number);
		md_printf(m, "`%.*s`", (int)strcspn(f->parts[i], "@"), f->parts[i]);
	}
	if (f->part_count)
		buf_putc(m->out, ')');
}

static void add_conflict(struct md *m, const struct finding *f)
{
	const struct match *match = m->report->match;
	size_t workload = match_workload(match, f->row), number;

	if (workload == SIZE_MAX)
		return;
	number = match_cell(match, workload, f->rule->field)->conflict;
	if (number)
		md_printf(m, "; declared and observed differ, see C-%zu", number);
}

static void add_decision(struct md *m, const struct matched_finding *f)
{
	const struct decided *d = f->decided;

	md_printf(m, "%s", disposition_names[f->disposition]);
	if (!d)
		return;
	if (f->changed || f->expired)
		md_printf(m, ", open again: %s",
			  f->expired ? "the acceptance has expired"
				     : "what was decided on has changed");
	if (*d->note) {
		buf_puts(m->out, ": ");
		md_text(m, d->note);
	}
	if (*d->owner) {
		buf_puts(m->out, "; owner ");
		md_text(m, d->owner);
	}
	if (*d->expires) {
		buf_puts(m->out, ", until ");
		md_text(m, d->expires);
	}
	if (d->who) {
		buf_puts(m->out, " (");
		md_text(m, d->who);
		md_printf(m, ", %.10s)", d->when ? d->when : "");
	}
}

static void add_severity_change(struct md *m, const struct matched_finding *f)
{
	const struct finding *raw = f->finding;

	if (f->severity == raw->severity)
		return;
	member_begin(m, "Severity");
	md_printf(m, "%s, %s from %s because ", severity_names[f->severity],
		  f->severity > raw->severity ? "lowered" : "raised", severity_names[raw->severity]);
	if (f->decided && f->decided->has_severity)
		md_text(m, f->decided->severity_note);
	else
		buf_puts(m->out, "the row's task is not written");
	member_end(m);
}

static void add_evidence(struct md *m, const struct finding *f)
{
	member_begin(m, "Evidence");
	md_printf(m, "**%s**: ", evidence_names[f->evidence]);
	md_place(m, f->citations[0].span);
	buf_puts(m->out, " ");
	md_quote(m, f->citations[0].span);
	add_conflict(m, f);
	member_end(m);
	for (size_t i = 1; i < f->citation_count; i++) {
		if (!span_is_set(f->citations[i].span))
			continue;
		member_begin(m, "");
		md_printf(m, "%s: ", f->citations[i].role);
		md_place(m, f->citations[i].span);
		buf_puts(m->out, " ");
		md_quote(m, f->citations[i].span);
		member_end(m);
	}
}

static void add_texts(struct md *m, const struct rule *rule)
{
	add_member(m, "Consequence", rule->consequence);
	add_member(m, "Smallest fix", rule->fix);
	add_member(m, "Compatibility", rule->compatibility);
	add_member(m, "Owner", rule->owner);
	add_member(m, "Restore", rule->restore);
}

static void add_single(struct md *m, size_t place)
{
	const struct matched_finding *f = &m->report->match->findings[place];

	md_printf(m, "### F-%02zu `%s` in ", place + 1, f->finding->rule->slug);
	md_rows(m, f->finding);
	md_printf(m, " \xE2\x80\x94 %s\n\n", severity_names[f->severity]);
	md_text(m, f->finding->message);
	buf_puts(m->out, "\n\n| | |\n|---|---|\n");
	member_begin(m, "Rule");
	md_printf(m, "`%s`, field %s", f->finding->rule->slug,
		  field_table[f->finding->rule->field].slug);
	add_parts(m, f->finding);
	member_end(m);
	add_severity_change(m, f);
	add_member(m, "Confidence", confidence_names[f->finding->confidence]);
	add_evidence(m, f->finding);
	add_texts(m, f->finding->rule);
	member_begin(m, "Disposition");
	add_decision(m, f);
	member_end(m);
	buf_putc(m->out, '\n');
}

/* --- several findings of one rule --------------------------------------------------------------- */

static void add_also(struct md *m, const struct finding *f)
{
	size_t listed = 0;

	for (size_t i = 1; i < f->citation_count; i++) {
		if (!span_is_set(f->citations[i].span))
			continue;
		buf_puts(m->out, listed++ ? ", " : "; also ");
		md_place(m, f->citations[i].span);
	}
}

static void add_occurrence(struct md *m, size_t place)
{
	const struct matched_finding *f = &m->report->match->findings[place];

	md_printf(m, "| F-%02zu | ", place + 1);
	md_rows(m, f->finding);
	md_printf(m, " | %s | ", evidence_names[f->finding->evidence]);
	md_place(m, f->finding->citations[0].span);
	add_also(m, f->finding);
	buf_puts(m->out, " | ");
	md_text(m, f->finding->message);
	add_parts(m, f->finding);
	add_conflict(m, f->finding);
	buf_puts(m->out, " | ");
	md_quote(m, f->finding->citations[0].span);
	buf_puts(m->out, " | ");
	add_decision(m, f);
	buf_puts(m->out, " |\n");
}

static void occurrence_head(struct md *m)
{
	buf_puts(m->out, "| Id | Row | Evidence | Place | What | Line | Disposition |\n"
			 "|---|---|---|---|---|---|---|\n");
}

static void add_group(struct md *m, const size_t *next, size_t first, size_t count)
{
	const struct matched_finding *f = &m->report->match->findings[first];

	md_printf(m, "### `%s` \xE2\x80\x94 %s, %zu findings\n\n", f->finding->rule->slug,
		  severity_names[f->severity], count);
	buf_puts(m->out, "| | |\n|---|---|\n");
	add_member(m, "Field", field_table[f->finding->rule->field].slug);
	add_member(m, "Confidence", confidence_names[f->finding->confidence]);
	add_texts(m, f->finding->rule);
	buf_putc(m->out, '\n');
	occurrence_head(m);
	for (size_t i = first + 1; i; i = next[i - 1])
		add_occurrence(m, i - 1);
	buf_putc(m->out, '\n');
}

/* Findings of one severity are linked by rule: for each place the next of the same rule and severity + 1. */
struct groups {
	size_t *next, *count; /* count is 0 for all but the first of a group */
};

static struct groups group_findings(struct arena *a, const struct match *match)
{
	struct groups g = { .next = arena_array(a, match->finding_count + 1, sizeof *g.next),
			    .count = arena_array(a, match->finding_count + 1, sizeof *g.count) };
	size_t *last = arena_array(a, match->finding_count + 1, sizeof *last);
	struct hash_index index = { 0 };

	for (size_t i = 0; i < match->finding_count; i++) {
		const struct matched_finding *f = &match->findings[i];
		const char *key = arena_printf(a, "%d %s", (int)f->severity,
					       f->finding->rule->slug);
		uint32_t first;

		if (hash_index_get(&index, key, &first)) {
			g.next[last[first]] = i + 1;
		} else {
			first = (uint32_t)i;
			hash_index_put(a, &index, key, first);
		}
		last[first] = i;
		g.count[first]++;
	}
	return g;
}

static void add_info(struct md *m)
{
	const struct match *match = m->report->match;
	size_t listed = 0;

	for (size_t i = 0; i < match->finding_count; i++) {
		const struct matched_finding *f = &match->findings[i];

		if (f->severity != SEVERITY_INFO)
			continue;
		if (!listed++)
			buf_puts(m->out, "### Info\n\nWhat these rules mean is in annex C.\n\n"
					 "| Id | Rule | Row | Place | What | Disposition |\n"
					 "|---|---|---|---|---|---|\n");
		md_printf(m, "| F-%02zu | `%s` | ", i + 1, f->finding->rule->slug);
		md_rows(m, f->finding);
		buf_puts(m->out, " | ");
		md_place(m, f->finding->citations[0].span);
		buf_puts(m->out, " | ");
		md_text(m, f->finding->message);
		if (f->severity != f->finding->severity)
			md_printf(m, " (%s once its task is written)",
				  severity_names[f->finding->severity]);
		buf_puts(m->out, " | ");
		add_decision(m, f);
		buf_puts(m->out, " |\n");
	}
	if (listed)
		buf_putc(m->out, '\n');
}

void md_findings(struct md *m)
{
	const struct match *match = m->report->match;
	struct arena scratch = { 0 };
	struct groups g = group_findings(&scratch, match);

	buf_puts(m->out, "## 5. Findings\n\n");
	if (!match->finding_count)
		buf_puts(m->out, "No rule fired. What could not be judged is in section 7.\n\n");
	for (size_t i = 0; i < match->finding_count; i++) {
		if (!g.count[i] || match->findings[i].severity == SEVERITY_INFO)
			continue;
		if (g.count[i] == 1)
			add_single(m, i);
		else
			add_group(m, g.next, i, g.count[i]);
	}
	add_info(m);
	arena_free(&scratch);
}

void md_annex_rules(struct md *m)
{
	const struct match *match = m->report->match;
	struct arena scratch = { 0 };
	struct groups g = group_findings(&scratch, match);
	size_t listed = 0;

	for (size_t i = 0; i < match->finding_count; i++) {
		const struct rule *rule = match->findings[i].finding->rule;

		if (!g.count[i] || match->findings[i].severity != SEVERITY_INFO)
			continue;
		if (!listed++)
			buf_puts(m->out, "## Annex C. Rules at info\n\n"
					 "| Rule | Consequence | Smallest fix | Owner |\n"
					 "|---|---|---|---|\n");
		md_printf(m, "| `%s` | ", rule->slug);
		md_own(m, rule->consequence);
		buf_puts(m->out, " | ");
		md_own(m, rule->fix);
		buf_puts(m->out, " | ");
		md_own(m, rule->owner);
		buf_puts(m->out, " |\n");
	}
	if (listed)
		buf_putc(m->out, '\n');
	arena_free(&scratch);
}

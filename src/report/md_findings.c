/* Section 5: findings, bundled by place and grouped by rules within a severity; annex C: texts of rules at info.
 * SPDX-License-Identifier: MIT */
#include "src/report/md.h"

#include <stddef.h>
#include <string.h>

#include "src/report/md_bundle.h"

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

/* An observed finding is cited where it is declared too: only an export shows what was observed. */
static bool shows_observed(const struct md *m, struct span span)
{
	enum artifact_class class = md_class(m, span);

	return class == CLASS_EXPORT || class == CLASS_TEST;
}

static const char *evidence_at(const struct md *m, const struct finding *f, struct span span)
{
	if (f->evidence == EVIDENCE_OBSERVED && !shows_observed(m, span))
		return "declared, and observed";
	return evidence_names[f->evidence];
}

static const char *role_at(const struct md *m, const struct citation *c)
{
	if (strcmp(c->role, "observed") == 0 && !shows_observed(m, c->span))
		return "row";
	return c->role;
}

static void add_evidence(struct md *m, const struct finding *f)
{
	member_begin(m, "Evidence");
	md_printf(m, "**%s**: ", evidence_at(m, f, f->citations[0].span));
	md_place(m, f->citations[0].span);
	buf_puts(m->out, " ");
	md_quote(m, f->citations[0].span);
	add_conflict(m, f);
	member_end(m);
}

static bool cites(const struct finding *f, struct span span)
{
	for (size_t i = 0; i < f->citation_count; i++)
		if (f->citations[i].span.source == span.source &&
		    f->citations[i].span.offset == span.offset)
			return true;
	return false;
}

/* The further places of a bundle, each once. */
static void add_further(struct md *m, const struct md_bundles *b, size_t leader)
{
	const struct matched_finding *findings = m->report->match->findings;

	for (size_t at = leader + 1; at; at = b->same[at - 1]) {
		const struct finding *f = findings[at - 1].finding;

		for (size_t i = 1; i < f->citation_count; i++) {
			size_t before = leader + 1;

			while (before != at &&
			       !cites(findings[before - 1].finding, f->citations[i].span))
				before = b->same[before - 1];
			if (before != at || !span_is_set(f->citations[i].span))
				continue;
			member_begin(m, "");
			md_printf(m, "%s: ", role_at(m, &f->citations[i]));
			md_place(m, f->citations[i].span);
			buf_puts(m->out, " ");
			md_quote(m, f->citations[i].span);
			member_end(m);
		}
	}
}

/* --- texts of the rules of a bundle -------------------------------------------------------------- */

static const struct {
	const char *title;
	size_t offset;
} texts[] = {
	{ "Consequence", offsetof(struct rule, consequence) },
	{ "Smallest fix", offsetof(struct rule, fix) },
	{ "Compatibility", offsetof(struct rule, compatibility) },
	{ "Owner", offsetof(struct rule, owner) },
	{ "Restore", offsetof(struct rule, restore) },
};

static const char *text_of(const struct rule *rule, size_t text)
{
	const char *const *at = (const void *)((const char *)rule + texts[text].offset);

	return *at ? *at : "";
}

/* True when an earlier finding of the bundle has the same rule, or (TEXT given) says the same. */
static bool said_before(const struct md *m, const struct md_bundles *b, size_t leader, size_t at,
			const size_t *text)
{
	const struct matched_finding *findings = m->report->match->findings;
	const struct rule *rule = findings[at - 1].finding->rule;

	for (size_t i = leader + 1; i != at; i = b->same[i - 1]) {
		const struct rule *other = findings[i - 1].finding->rule;

		if (other == rule)
			return true;
		if (text && strcmp(text_of(other, *text), text_of(rule, *text)) == 0)
			return true;
	}
	return false;
}

/* Each text once; the rule is named beside it where the bundle's rules differ in it. */
static void add_texts(struct md *m, const struct md_bundles *b, size_t leader)
{
	const struct matched_finding *findings = m->report->match->findings;

	for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
		size_t different = 0;

		for (size_t at = leader + 1; at; at = b->same[at - 1])
			different += !said_before(m, b, leader, at, &t);
		for (size_t at = leader + 1; at; at = b->same[at - 1]) {
			const struct rule *rule = findings[at - 1].finding->rule;

			if (said_before(m, b, leader, at, &t) || !*text_of(rule, t))
				continue;
			md_printf(m, "| %s", texts[t].title);
			if (different > 1)
				md_printf(m, ", `%s`", rule->slug);
			buf_puts(m->out, " | ");
			md_own(m, text_of(rule, t));
			member_end(m);
		}
	}
}

static void add_slugs(struct md *m, const struct md_bundles *b, size_t leader)
{
	for (size_t at = leader + 1; at; at = b->same[at - 1])
		if (!said_before(m, b, leader, at, NULL))
			md_printf(m, "%s`%s`", at == leader + 1 ? "" : ", ",
				  m->report->match->findings[at - 1].finding->rule->slug);
}

static void add_ids(struct md *m, const struct md_bundles *b, size_t leader)
{
	for (size_t at = leader + 1; at; at = b->same[at - 1])
		md_printf(m, "%sF-%02zu", at == leader + 1 ? "" : ", ", at);
}

/* --- one bundle by itself -------------------------------------------------------------------------- */

static void add_messages(struct md *m, const struct md_bundles *b, size_t leader)
{
	for (size_t at = leader + 1; at; at = b->same[at - 1]) {
		if (b->size[leader] > 1)
			md_printf(m, "- F-%02zu: ", at);
		md_text(m, m->report->match->findings[at - 1].finding->message);
		buf_putc(m->out, '\n');
	}
}

static void add_rules(struct md *m, const struct md_bundles *b, size_t leader)
{
	for (size_t at = leader + 1; at; at = b->same[at - 1]) {
		const struct matched_finding *f = &m->report->match->findings[at - 1];

		member_begin(m, "Rule");
		md_printf(m, "`%s`, field %s", f->finding->rule->slug,
			  field_table[f->finding->rule->field].slug);
		add_parts(m, f->finding);
		if (b->size[leader] > 1)
			md_printf(m, ", confidence %s", confidence_names[f->finding->confidence]);
		member_end(m);
		add_severity_change(m, f);
	}
}

static void add_single(struct md *m, const struct md_bundles *b, size_t leader)
{
	const struct matched_finding *f = &m->report->match->findings[leader];

	buf_puts(m->out, "### ");
	add_ids(m, b, leader);
	buf_putc(m->out, ' ');
	add_slugs(m, b, leader);
	buf_puts(m->out, " in ");
	md_rows(m, f->finding);
	md_printf(m, " \xE2\x80\x94 %s\n\n", severity_names[f->severity]);
	add_messages(m, b, leader);
	buf_puts(m->out, "\n| | |\n|---|---|\n");
	add_rules(m, b, leader);
	if (b->size[leader] == 1)
		add_member(m, "Confidence", confidence_names[f->finding->confidence]);
	add_evidence(m, f->finding);
	add_further(m, b, leader);
	add_texts(m, b, leader);
	member_begin(m, "Disposition");
	add_decision(m, f);
	member_end(m);
	buf_putc(m->out, '\n');
}

/* --- several bundles of the same rules -------------------------------------------------------------- */

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

static void add_occurrence(struct md *m, const struct md_bundles *b, size_t leader,
			   enum confidence usual)
{
	const struct matched_finding *f = &m->report->match->findings[leader];

	buf_puts(m->out, "| ");
	add_ids(m, b, leader);
	buf_puts(m->out, " | ");
	md_rows(m, f->finding);
	md_printf(m, " | %s | ", evidence_at(m, f->finding, f->finding->citations[0].span));
	md_place(m, f->finding->citations[0].span);
	add_also(m, f->finding);
	buf_puts(m->out, " | ");
	for (size_t at = leader + 1; at; at = b->same[at - 1]) {
		const struct finding *one = m->report->match->findings[at - 1].finding;

		buf_puts(m->out, at == leader + 1 ? "" : "; ");
		md_text(m, one->message);
		add_parts(m, one);
		if (one->confidence != usual)
			md_printf(m, " (confidence %s)", confidence_names[one->confidence]);
	}
	add_conflict(m, f->finding);
	buf_puts(m->out, " | ");
	md_quote(m, f->finding->citations[0].span);
	buf_puts(m->out, " | ");
	add_decision(m, f);
	buf_puts(m->out, " |\n");
}

static void add_group(struct md *m, const struct md_bundles *b, size_t first)
{
	const struct matched_finding *f = &m->report->match->findings[first];
	const enum confidence usual = f->finding->confidence;

	buf_puts(m->out, "### ");
	add_slugs(m, b, first);
	md_printf(m, " \xE2\x80\x94 %s, %zu findings", severity_names[f->severity],
		  b->findings[first]);
	if (b->findings[first] > b->places[first])
		md_printf(m, " in %zu places", b->places[first]);
	buf_puts(m->out, "\n\n| | |\n|---|---|\n");
	add_member(m, "Field", field_table[f->finding->rule->field].slug);
	add_member(m, "Confidence", confidence_names[usual]);
	add_texts(m, b, first);
	buf_puts(m->out, "\n| Id | Row | Evidence | Place | What | Line | Disposition |\n"
			 "|---|---|---|---|---|---|---|\n");
	for (size_t at = first + 1; at; at = b->next[at - 1])
		add_occurrence(m, b, at - 1, usual);
	buf_putc(m->out, '\n');
}

/* --- all ------------------------------------------------------------------------------------------ */

static void add_info_line(struct md *m, const struct md_bundles *b, size_t leader)
{
	const struct matched_finding *f = &m->report->match->findings[leader];

	buf_puts(m->out, "| ");
	add_ids(m, b, leader);
	md_printf(m, " | `%s` | ", f->finding->rule->slug);
	md_rows(m, f->finding);
	buf_puts(m->out, " | ");
	md_place(m, f->finding->citations[0].span);
	buf_puts(m->out, " | ");
	for (size_t at = leader + 1; at; at = b->same[at - 1]) {
		buf_puts(m->out, at == leader + 1 ? "" : "; ");
		md_text(m, m->report->match->findings[at - 1].finding->message);
	}
	if (f->severity != f->finding->severity)
		md_printf(m, " (%s once its task is written)",
			  severity_names[f->finding->severity]);
	buf_puts(m->out, " | ");
	add_decision(m, f);
	buf_puts(m->out, " |\n");
}

static void add_info(struct md *m, const struct md_bundles *b)
{
	const struct match *match = m->report->match;
	size_t listed = 0;

	for (size_t i = 0; i < match->finding_count; i++) {
		if (!b->size[i] || match->findings[i].severity != SEVERITY_INFO)
			continue;
		if (!listed++)
			buf_puts(m->out, "### Info\n\nWhat these rules mean is in annex C.\n\n"
					 "| Id | Rule | Row | Place | What | Disposition |\n"
					 "|---|---|---|---|---|---|\n");
		add_info_line(m, b, i);
	}
	if (listed)
		buf_putc(m->out, '\n');
}

/* In the order of their first findings, as the match has them. */
static void add_groups(struct md *m, const struct md_bundles *b)
{
	const struct match *match = m->report->match;

	for (size_t i = 0; i < match->finding_count; i++) {
		if (!b->places[i] || match->findings[i].severity == SEVERITY_INFO)
			continue;
		if (b->places[i] == 1)
			add_single(m, b, i);
		else
			add_group(m, b, i);
	}
}

void md_findings(struct md *m)
{
	struct arena scratch = { 0 };
	struct md_bundles b = md_bundle(m, &scratch);

	buf_puts(m->out, "## 5. Findings\n\n");
	if (!m->report->match->finding_count)
		buf_puts(m->out, "No rule fired. What could not be judged is in section 7.\n\n");
	add_groups(m, &b);
	add_info(m, &b);
	arena_free(&scratch);
}

void md_annex_rules(struct md *m)
{
	const struct match *match = m->report->match;
	struct arena scratch = { 0 };
	struct hash_index seen = { 0 };
	size_t listed = 0;

	for (size_t i = 0; i < match->finding_count; i++) {
		const struct rule *rule = match->findings[i].finding->rule;
		uint32_t before;

		if (match->findings[i].severity != SEVERITY_INFO ||
		    hash_index_get(&seen, rule->slug, &before))
			continue;
		hash_index_put(&scratch, &seen, rule->slug, 1);
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

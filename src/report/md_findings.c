/* Section 5: findings, bundled by place and grouped by rules within a severity; annex C: texts of rules at info.
 * What a group says of many places is written by md_statements().
 * SPDX-License-Identifier: MIT */
#include "src/report/md.h"

#include <stddef.h>
#include <string.h>

#include "src/report/md_statements.h"

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

static void add_severity_change(struct md *m, const struct matched_finding *f)
{
	if (f->severity == f->finding->severity)
		return;
	member_begin(m, "Severity");
	md_severity_note(m, f);
	member_end(m);
}

static const char *role_at(const struct md *m, const struct citation *c)
{
	enum artifact_class class = md_class(m, c->span);

	if (strcmp(c->role, "observed") == 0 && class != CLASS_EXPORT && class != CLASS_TEST)
		return "row";
	return c->role;
}

static void add_evidence(struct md *m, const struct finding *f)
{
	member_begin(m, "Evidence");
	md_printf(m, "**%s**: ", md_evidence_at(m, f, f->citations[0].span));
	md_place(m, f->citations[0].span);
	buf_puts(m->out, " ");
	md_quote(m, f->citations[0].span);
	md_conflict(m, f);
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
		md_parts(m, f->finding);
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
	md_rows(m, &f->finding, 1);
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
	md_decision(m, f);
	member_end(m);
	buf_putc(m->out, '\n');
}

/* --- several bundles of the same rules -------------------------------------------------------------- */

static void add_group(struct md *m, const struct md_bundles *b, size_t first)
{
	const struct matched_finding *f = &m->report->match->findings[first];

	buf_puts(m->out, "### ");
	add_slugs(m, b, first);
	md_printf(m, " \xE2\x80\x94 %s, %zu findings", severity_names[f->severity],
		  b->findings[first]);
	if (b->findings[first] > b->places[first])
		md_printf(m, " in %zu places", b->places[first]);
	buf_puts(m->out, "\n\n| | |\n|---|---|\n");
	add_member(m, "Field", field_table[f->finding->rule->field].slug);
	add_member(m, "Confidence", confidence_names[f->finding->confidence]);
	add_member(m, "Evidence", md_evidence_at(m, f->finding, f->finding->citations[0].span));
	add_texts(m, b, first);
	buf_putc(m->out, '\n');
	md_statements(m, b, first, f);
	buf_putc(m->out, '\n');
}

/* --- all ------------------------------------------------------------------------------------------ */

static void add_info(struct md *m, const struct md_bundles *b)
{
	const struct match *match = m->report->match;
	size_t listed = 0;

	for (size_t i = 0; i < match->finding_count; i++) {
		if (!b->places[i] || match->findings[i].severity != SEVERITY_INFO)
			continue;
		if (!listed++)
			buf_puts(m->out, "### Info\n\nWhat these rules mean is in annex C.\n\n");
		md_statements(m, b, i, NULL);
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
	else
		buf_puts(m->out, "Findings of one severity and rule stand together, and each statement once. "
				 "Under it: the file, the line as it stands there unless it only names the "
				 "row, further places (also), then the findings with their rows and lines. "
				 "Where nothing else is said nobody has decided yet.\n\n");
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

/* The Markdown report: its order, head and summary.
 * SPDX-License-Identifier: MIT */
#include "src/report/md.h"

#include <string.h>

#include "model/kube_version.h"

#define MOST_HEADLINES 8
#define MOST_AGENTS 12
#define MOST_PATHS 10

static void add_state(struct md *m)
{
	const struct report *r = m->report;

	if (r->snapshot->partial)
		buf_puts(m->out, "DRAFT: the reading was stopped before the end");
	else if (r->is_signed && !r->match->counts.stale)
		buf_puts(m->out, "SIGNED as it stands");
	else if (r->review->signatures.count)
		buf_puts(m->out, "DRAFT: signed, but something has changed since");
	else
		buf_puts(m->out, "DRAFT: not signed");
}

static void add_revision(struct md *m)
{
	const struct scope *s = &m->report->snapshot->scope;

	md_code(m, s->root);
	if (*s->revision)
		md_printf(m, " at `%.12s`", s->revision);
	md_printf(m, " (tree %s", s->tree);
	if (s->changed.count)
		md_printf(m, ", %zu changed", s->changed.count);
	buf_putc(m->out, ')');
}

static void add_kubernetes(struct md *m, const char *given)
{
	unsigned minor;
	const bool known = kube_version_minor(given, &minor);

	buf_puts(m->out, ", Kubernetes ");
	if (!*given) {
		buf_puts(m->out, "version not stated: the latest known is assumed");
		return;
	}
	md_text(m, given);
	if (!known)
		buf_puts(m->out, ", which is no known version: the latest known is assumed");
	else if (minor > KUBE_LATEST)
		md_printf(m, ", newer than 1.%u, the latest known, which is assumed", KUBE_LATEST);
}

static void add_runtime(struct md *m)
{
	const struct scope *s = &m->report->snapshot->scope;

	if (*s->runtime)
		md_text(m, s->runtime);
	else
		buf_puts(m->out, "runtime not stated");
	buf_puts(m->out, ", ");
	if (*s->os)
		md_text(m, s->os);
	else
		buf_puts(m->out, "operating system not stated");
	add_kubernetes(m, s->kubernetes);
	if (*s->deployment) {
		buf_puts(m->out, "; deployment ");
		md_text(m, s->deployment);
	}
}

/* Everybody who left a mark or a decision, once. */
static void add_reviewers(struct md *m)
{
	const struct review *r = m->report->review;
	size_t named = 0;

	for (size_t i = 0; i < r->events.count; i++) {
		const char *who = r->events.items[i].who;
		size_t k = 0;

		while (k < i && strcmp(r->events.items[k].who, who) != 0)
			k++;
		if (k < i || !*who)
			continue;
		buf_puts(m->out, named++ ? ", " : "");
		md_text(m, who);
	}
	if (!named)
		buf_puts(m->out, "nobody yet");
}

static size_t export_count(const struct md *m)
{
	const struct snapshot *s = m->report->snapshot;
	size_t count = 0;

	for (size_t i = 0; i < s->artifacts.count; i++)
		count += s->artifacts.items[i]->class == CLASS_EXPORT &&
			 s->artifacts.items[i]->state != ARTIFACT_IGNORED;
	return count;
}

void md_head(struct md *m)
{
	size_t exports = export_count(m);

	buf_puts(m->out, "# Boundary review: ");
	md_text(m, m->report->snapshot->scope.root);
	buf_puts(m->out, "\n\n| | |\n|---|---|\n| Report | ");
	add_state(m);
	buf_puts(m->out, " |\n| Root and revision | ");
	add_revision(m);
	buf_puts(m->out, " |\n| Intended runtime | ");
	add_runtime(m);
	buf_puts(m->out, " |\n| Reviewers | ");
	add_reviewers(m);
	buf_puts(m->out, " |\n| Authorisation | Reading of the supplied files");
	if (exports) {
		buf_puts(m->out, ", among them ");
		md_count(m, exports, "runtime export", "runtime exports");
	}
	md_printf(m, ". No runtime test |\n| Made with | boundwalk %s, rule catalogue `%.12s` |\n\n",
		  m->report->version, m->report->catalogue);
	buf_puts(m->out, "> [!IMPORTANT]\n> This report describes configuration that was read. It "
			 "does not prove host isolation or kernel security.\n\n");
	if (m->report->snapshot->partial)
		buf_puts(m->out, "> [!WARNING]\n> The reading was stopped before the end: files, "
				 "rows and findings are missing.\n\n");
}

/* --- summary ------------------------------------------------------------------------------------ */

static size_t settled_as(const struct md *m, enum severity severity, bool accepted)
{
	size_t count = 0;

	for (size_t i = 0; i < m->report->match->finding_count; i++) {
		const struct matched_finding *f = &m->report->match->findings[i];

		count += f->severity == severity && disposition_is_settled(f->disposition) &&
			 (f->disposition == DISPOSITION_ACCEPTED) == accepted;
	}
	return count;
}

static void add_severity_table(struct md *m)
{
	const struct counts *n = &m->report->match->counts;

	buf_puts(m->out, "| Severity | Open | Accepted | Otherwise settled |\n"
			 "|---|---:|---:|---:|\n");
	for (unsigned i = 0; i < SEVERITY_COUNT; i++)
		md_printf(m, "| %s | %zu | %zu | %zu |\n", severity_names[i], n->findings[i],
			  settled_as(m, (enum severity)i, true),
			  settled_as(m, (enum severity)i, false));
	buf_putc(m->out, '\n');
}

/* Rules by which findings of critical or high severity were given, each at its first finding. */
struct headline {
	size_t first, count;
};

static size_t gather_headlines(const struct md *m, struct headline *out)
{
	const struct match *match = m->report->match;
	size_t count = 0;

	for (size_t i = 0; i < match->finding_count; i++) {
		const struct matched_finding *f = &match->findings[i];
		size_t k = 0;

		if (!f->blocking)
			continue;
		while (k < count && (match->findings[out[k].first].finding->rule != f->finding->rule ||
				     match->findings[out[k].first].severity != f->severity))
			k++;
		if (k < count)
			out[k].count++;
		else
			out[count++] = (struct headline){ i, 1 };
	}
	return count;
}

static void add_headline(struct md *m, const struct headline *h)
{
	const struct matched_finding *f = &m->report->match->findings[h->first];

	md_printf(m, "- **%s** `%s`, ", severity_names[f->severity], f->finding->rule->slug);
	if (h->count > 1)
		md_printf(m, "%zu findings, first ", h->count);
	md_printf(m, "F-%02zu, ", h->first + 1);
	md_rows(m, &f->finding, 1);
	buf_puts(m->out, ": ");
	md_text(m, f->finding->message);
	buf_puts(m->out, " (");
	md_place(m, f->finding->citations[0].span);
	buf_puts(m->out, ")\n");
}

/* What a meeting asks first: where the agents are, and how bad it is there. */
static void add_agents(struct md *m)
{
	const struct match *match = m->report->match;
	size_t listed = 0, more = 0;

	for (size_t i = 0; i < match->workload_count; i++) {
		const struct row_tally *t = &match->tallies[i];

		if (match_role(match, match->workloads[i]) != ROLE_AGENT)
			continue;
		if (listed == MOST_AGENTS) {
			more++;
			continue;
		}
		buf_puts(m->out, listed++ ? "; " : "Agents, as far as files show: ");
		md_row(m, match->workloads[i]);
		md_printf(m, " (C%zu H%zu)", t->findings[SEVERITY_CRITICAL],
			  t->findings[SEVERITY_HIGH]);
	}
	if (more)
		md_printf(m, " and %zu more", more);
	buf_puts(m->out, listed ? ".\n\n" : "No workload is known to be an agent: roles are "
					     "proposals from names, commands and variables.\n\n");
}

/* Ways out of the boundary, one line each. */
static void add_paths(struct md *m)
{
	const struct path_list *paths = &m->report->match->paths;
	struct buf via = { 0 };
	size_t i;

	for (i = 0; i < paths->count && i < MOST_PATHS; i++) {
		const struct path *p = &paths->items[i];

		buf_puts(m->out, i ? "- " : "Ways out of the boundary:\n\n- ");
		md_row(m, p->from);
		md_printf(m, " \xE2\x86\x92 **%s**, by ", reach_target_names[p->to]);
		buf_clear(&via);
		path_via(p, &via);
		md_own(m, buf_text(&via));
		md_printf(m, " (%s)\n", evidence_names[p->weakest]);
	}
	if (paths->count > i)
		md_printf(m, "- and %zu more: `boundwalk paths`\n", paths->count - i);
	if (i)
		buf_putc(m->out, '\n');
	buf_free(&via);
}

/* The worst ones, one line a rule; those of examples and tests last. */
static void add_worst(struct md *m)
{
	const struct match *match = m->report->match;
	struct arena a = { 0 };
	struct headline *lines = arena_array(&a, match->finding_count + 1, sizeof *lines);
	size_t count = gather_headlines(m, lines), listed = 0, ranks[3] = { 0 };

	for (size_t i = 0; i < match->finding_count; i++)
		if (match->findings[i].blocking)
			ranks[match_rank(match, match->findings[i].finding)]++;
	if (ranks[1] || ranks[2])
		md_printf(m,
			  "Of the critical and high findings %zu %s in examples and %zu in "
			  "tests.\n\n",
			  ranks[1], ranks[1] == 1 ? "stands" : "stand", ranks[2]);
	for (unsigned rank = 0; rank < 3; rank++)
		for (size_t i = 0; i < count && listed < MOST_HEADLINES; i++)
			if (match_rank(match, match->findings[lines[i].first].finding) == rank) {
				add_headline(m, &lines[i]);
				listed++;
			}
	if (count > listed) {
		buf_puts(m->out, "- ");
		md_count(m, count - listed, "further rule", "further rules");
		buf_puts(m->out, " of critical or high severity in section 5\n");
	}
	if (listed)
		buf_putc(m->out, '\n');
	arena_free(&a);
}

/* Rows that are a workload of another row as a further file has it. */
static size_t count_variants(const struct match *match)
{
	size_t count = 0;

	for (size_t i = 0; i < match->workload_count; i++)
		count += match->workloads[i]->variant;
	return count;
}

void md_summary(struct md *m)
{
	const struct counts *n = &m->report->match->counts;
	size_t variants = count_variants(m->report->match);

	buf_puts(m->out, "## 1. Summary\n\n");
	md_count(m, m->report->match->workload_count - variants, "workload was found",
		 "workloads were found");
	if (variants) {
		buf_puts(m->out, ", and ");
		md_count(m, variants, "variant of them,", "variants of them,");
	}
	buf_puts(m->out, " in ");
	md_count(m, n->assessed + n->partial, "file that was read", "files that were read");
	md_printf(m,
		  ". Open findings: %zu critical, %zu high, %zu medium, %zu info; "
		  "%zu findings are undecided. ",
		  n->findings[SEVERITY_CRITICAL], n->findings[SEVERITY_HIGH],
		  n->findings[SEVERITY_MEDIUM], n->findings[SEVERITY_INFO], n->undecided);
	md_count(m, n->unknowns, "rule check could not be answered", "rule checks could not be answered");
	buf_puts(m->out, n->unknowns ? " (section 7).\n\n" : ".\n\n");
	add_severity_table(m);
	add_agents(m);
	add_paths(m);
	add_worst(m);
	md_result(m);
}

void report_markdown(const struct report *r, struct buf *out)
{
	struct md m = { .report = r, .out = out };

	md_head(&m);
	md_summary(&m);
	md_scope(&m);
	md_workloads(&m);
	md_map(&m);
	md_findings(&m);
	md_evidence(&m);
	md_coverage(&m);
	md_changes(&m);
	md_signoff(&m);
	md_annex_hashes(&m);
	md_annex_map(&m);
	md_annex_rules(&m);
	md_end(&m);
}

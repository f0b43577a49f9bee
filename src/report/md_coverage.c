/* Sections 7 to 9: limits of the reading, changes, sign-off.
 * SPDX-License-Identifier: MIT */
#include "src/report/md.h"

#include <string.h>

#include "model/kube_version.h"

#define MOST_PROBLEMS 20 /* shown of one file; the rest is counted */

/* --- files -------------------------------------------------------------------------------------- */

static void add_problem(struct md *m, const struct problem *p)
{
	md_printf(m, "  - line %u: ", snapshot_line(m->report->snapshot, p->span));
	md_text(m, p->message);
	buf_putc(m->out, '\n');
}

static void add_file(struct md *m, const struct artifact *a)
{
	size_t shown = a->problems.count < MOST_PROBLEMS ? a->problems.count : MOST_PROBLEMS;

	buf_puts(m->out, "- ");
	md_code(m, shared_path(a->path));
	md_printf(m, " (A%u) %s", m->report->match->artifact_numbers[a->index], artifact_state_names[a->state]);
	if (a->reason) {
		buf_puts(m->out, ": ");
		md_text(m, a->reason);
	}
	buf_putc(m->out, '\n');
	for (size_t i = 0; i < shown; i++)
		add_problem(m, &a->problems.items[i]);
	if (a->problems.count + a->problems.dropped > shown)
		md_printf(m, "  - and %zu more\n", a->problems.count + a->problems.dropped - shown);
}

static void add_files(struct md *m)
{
	const struct snapshot *s = m->report->snapshot;
	size_t listed = 0;

	for (size_t i = 0; i < s->artifacts.count; i++) {
		const struct artifact *a = s->artifacts.items[i];

		if (a->state != ARTIFACT_PARTIAL && a->state != ARTIFACT_NOT_ASSESSED)
			continue;
		if (!listed++)
			buf_puts(m->out, "### Files not read in full\n\n");
		add_file(m, a);
	}
	if (listed)
		buf_putc(m->out, '\n');
}

/* One line for each state and reason, in the order of first appearance within the state. */
static void add_reasons(struct md *m)
{
	const struct snapshot *s = m->report->snapshot;
	struct arena a = { 0 };
	struct hash_index index = { 0 };
	struct string_list keys = { 0 };
	size_t *counts = arena_array(&a, s->artifacts.count + 1, sizeof *counts);

	for (size_t i = 0; i < s->artifacts.count; i++) {
		const struct artifact *f = s->artifacts.items[i];
		const char *key = arena_printf(&a, "%d%s", (int)f->state, f->reason ? f->reason : "");
		uint32_t at;

		if (!hash_index_get(&index, key, &at)) {
			at = (uint32_t)keys.count;
			hash_index_put(&a, &index, key, at);
			*ARENA_PUSH(&a, &keys) = key;
		}
		counts[at]++;
	}
	buf_puts(m->out, "| State | Reason | Files |\n|---|---|---:|\n");
	for (unsigned state = 0; state < ARTIFACT_STATE_COUNT; state++)
		for (size_t i = 0; i < keys.count; i++) {
			if ((unsigned)(keys.items[i][0] - '0') != state)
				continue;
			md_printf(m, "| %s | ", artifact_state_names[state]);
			md_short(m, keys.items[i] + 1, MD_VALUE_CELLS);
			md_printf(m, " | %zu |\n", counts[i]);
		}
	buf_putc(m->out, '\n');
	arena_free(&a);
}

/* --- conditions ---------------------------------------------------------------------------------- */

static const char *activity_of(const struct row *row)
{
	if (row->activity_reason)
		return row->activity_reason;
	return row->activity == ROW_DISABLED ? "disabled in its file" : "on a condition";
}

/* Rows of one condition are one line. */
static void add_condition(struct md *m, const char *activity, size_t *rows)
{
	const struct match *match = m->report->match;
	size_t count = 0;

	for (size_t i = 0; i < match->workload_count; i++)
		if (match->workloads[i]->activity != ROW_ACTIVE &&
		    strcmp(activity_of(match->workloads[i]), activity) == 0)
			rows[count++] = i;
	buf_puts(m->out, "- Not always started, ");
	md_text(m, activity);
	buf_puts(m->out, ": ");
	md_row_ranges(m, rows, count);
	buf_puts(m->out, ".\n");
}

static void add_conditions(struct md *m)
{
	const struct match *match = m->report->match;
	struct arena a = { 0 };
	struct hash_index seen = { 0 };
	size_t *rows = arena_array(&a, match->workload_count + 1, sizeof *rows);
	uint32_t ignored;

	for (size_t i = 0; i < match->workload_count; i++) {
		const struct row *row = match->workloads[i];

		if (row->activity == ROW_ACTIVE ||
		    hash_index_get(&seen, activity_of(row), &ignored))
			continue;
		hash_index_put(&a, &seen, activity_of(row), 1);
		add_condition(m, activity_of(row), rows);
	}
	arena_free(&a);
}

void md_coverage(struct md *m)
{
	const struct snapshot *s = m->report->snapshot;
	const struct counts *n = &m->report->match->counts;

	md_printf(m, "## 7. Coverage limits\n\n"
		     "- Static reading only; nothing was built, pulled, started or queried.\n"
		     "- %zu files were seen: %zu read, %zu read in part, %zu not assessed, %zu "
		     "ignored.\n",
		  n->files, n->assessed, n->partial, n->not_assessed, n->ignored);
	for (size_t i = 0; i < s->limits.count; i++) {
		buf_puts(m->out, "- ");
		md_text(m, s->limits.items[i]);
		buf_putc(m->out, '\n');
	}
	if (!*s->scope.kubernetes)
		md_printf(m, "- The Kubernetes version was not stated; the latest known, 1.%u, is "
			     "assumed.\n", KUBE_LATEST);
	add_conditions(m);
	if (m->report->review->torn_lines)
		md_printf(m, "- %zu lines of the review file could not be read.\n",
			  m->report->review->torn_lines);
	buf_putc(m->out, '\n');
	add_reasons(m);
	add_files(m);
	md_unknowns(m);
	md_result(m);
}

/* --- changes ------------------------------------------------------------------------------------ */

static void add_orphans(struct md *m)
{
	const struct match *match = m->report->match;

	for (size_t i = 0; i < match->orphans.count; i++) {
		const struct marked *mark = match->orphans.items[i];

		buf_puts(m->out, "- orphan: the row of ");
		md_code(m, mark->key);
		md_printf(m, " is gone; it was marked %s by ", mark_names[mark->mark]);
		md_text(m, mark->who);
		buf_putc(m->out, '\n');
	}
}

static void add_stale(struct md *m)
{
	const struct match *match = m->report->match;

	for (size_t i = 0; i < match->workload_count * FIELD_COUNT; i++) {
		const struct matched_cell *c = &match->cells[i];

		if (c->freshness != FRESH_STALE)
			continue;
		buf_puts(m->out, "- stale: ");
		md_row(m, c->cell.row);
		md_printf(m, " %s, marked %s by ", field_table[c->cell.field].slug,
			  mark_names[c->marked->mark]);
		md_text(m, c->marked->who);
		md_printf(m, " on %.10s, has changed since\n", c->marked->when);
	}
}

static void add_decisions(struct md *m)
{
	const struct match *match = m->report->match;
	const struct review *r = m->report->review;

	for (size_t i = 0; i < match->finding_count; i++) {
		const struct matched_finding *f = &match->findings[i];

		if (f->changed || f->expired)
			md_printf(m, "- open again: F-%02zu `%s`, %s\n", i + 1,
				  f->finding->rule->slug,
				  f->expired ? "its acceptance has expired"
					     : "what was decided on has changed");
	}
	for (size_t i = 0; i < r->decisions.count; i++) {
		const struct decided *d = &r->decisions.items[i];

		if (match_finding(match, d->key) != SIZE_MAX)
			continue;
		buf_puts(m->out, "- gone: ");
		md_code(m, d->key);
		md_printf(m, ", last %s, no longer fires\n", disposition_names[d->disposition]);
	}
}

void md_changes(struct md *m)
{
	size_t start;

	buf_puts(m->out, "## 8. Changes since the marks were made\n\n");
	start = m->out->length;
	add_stale(m);
	add_orphans(m);
	add_decisions(m);
	buf_puts(m->out, m->out->length > start ? "\n" : "None.\n\n");
}

/* --- sign-off ----------------------------------------------------------------------------------- */

static void add_signature(struct md *m, const struct signature *s)
{
	bool current = strcmp(s->digest, m->report->review_digest) == 0;

	buf_puts(m->out, "| ");
	md_text(m, s->role);
	buf_puts(m->out, " | ");
	md_text(m, s->who);
	buf_puts(m->out, " | ");
	md_text(m, s->decision);
	md_printf(m, " | %.10s | `%.16s` | %s |\n", s->when, s->digest,
		  current ? "as it stands" : "**something has changed since**");
}

void md_signoff(struct md *m)
{
	const struct review *r = m->report->review;

	buf_puts(m->out, "## 9. Sign-off\n\n| Role | Name | Decision | Date | Signed digest | State "
			 "|\n|---|---|---|---|---|---|\n");
	for (size_t i = 0; i < r->signatures.count; i++)
		add_signature(m, &r->signatures.items[i]);
	if (!r->signatures.count)
		buf_puts(m->out, "| Lead reviewer | " MD_DASH " | " MD_DASH " | " MD_DASH
				 " | " MD_DASH " | not signed |\n"
				 "| Service owner | " MD_DASH " | " MD_DASH " | " MD_DASH
				 " | " MD_DASH " | not signed |\n");
	md_printf(m, "\nDigest over artifacts, scope, rules and marks as they stand: `%s`.\n\n"
		     "Verify: `boundwalk verify REPORT PATH`; with a signature of this file: "
		     "`ssh-keygen -Y verify -n boundary-review -f allowed_signers -I NAME -s "
		     "report.md.sig < report.md`\n\n",
		  m->report->review_digest);
}

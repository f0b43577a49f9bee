/* Section 6: what is declared, observed and unavailable, kept apart; and the result paragraph.
 * SPDX-License-Identifier: MIT */
#include "src/report/md.h"

#include <string.h>

static size_t cell_total(const struct md *m)
{
	return m->report->match->workload_count * FIELD_COUNT;
}

static size_t rounded_share(size_t part, size_t whole)
{
	return whole ? (part * 100 + whole / 2) / whole : 0;
}

/* Shares are differences of rounded sums, so that they make up 100. */
static void add_shares(struct md *m)
{
	const struct counts *n = &m->report->match->counts;
	static const enum mark order[] = { MARK_OBSERVED, MARK_DECLARED, MARK_UNAVAILABLE };
	size_t sum = 0;

	buf_puts(m->out, "| | Cells | Share |\n|---|---:|---:|\n");
	for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
		size_t before = rounded_share(sum, n->cells);

		sum += n->by_mark[order[i]];
		md_printf(m, "| %s | %zu | %zu %% |\n", mark_names[order[i]], n->by_mark[order[i]],
			  rounded_share(sum, n->cells) - before);
	}
	md_printf(m, "\nConfirmed by a person: %zu of %zu. The others are the program's proposals, "
		     "which are never \"observed\". ",
		  n->confirmed, n->cells);
	md_printf(m, "Stale: %zu, counted as unavailable. Disputed: %zu.\n\n", n->stale,
		  n->disputed);
}

static void add_conflict(struct md *m, const struct matched_cell *c)
{
	const struct artifact *export = shared_export(m->report, c->cell.row, c->cell.field);
	struct buf text = { 0 };

	md_printf(m, "| C-%zu | ", c->conflict);
	md_row(m, c->cell.row);
	md_printf(m, " %s | ", field_table[c->cell.field].slug);
	cell_declared(m->report->snapshot, c->cell.row, c->cell.field, &text);
	md_short(m, buf_text(&text), 2 * MD_VALUE_CELLS);
	buf_puts(m->out, " | ");
	buf_clear(&text);
	cell_observed(m->report->snapshot, c->cell.row, c->cell.field, &text);
	md_short(m, buf_text(&text), 2 * MD_VALUE_CELLS);
	buf_puts(m->out, " | ");
	if (export)
		md_printf(m, "A%u ", m->report->match->artifact_numbers[export->index]);
	if (export && export->captured_at)
		md_text(m, export->captured_at);
	buf_puts(m->out, " | ");
	md_short(m, c->marked ? c->marked->note : "", 2 * MD_VALUE_CELLS);
	buf_puts(m->out, " |\n");
	buf_free(&text);
}

static void add_conflicts(struct md *m)
{
	bool any = false;

	for (size_t i = 0; i < cell_total(m); i++) {
		const struct matched_cell *c = &m->report->match->cells[i];

		if (!c->cell.conflict)
			continue;
		if (!any)
			buf_puts(m->out, "### Conflicts between declared and observed\n\n"
					 "| Id | Cell | Declared | Observed | Export | Note |\n"
					 "|---|---|---|---|---|---|\n");
		add_conflict(m, c);
		any = true;
	}
	buf_puts(m->out, any ? "\n" : "No conflict between declared and observed.\n\n");
}

/* Cells whose export value nobody has marked observed: offered, not counted. */
static void add_offered(struct md *m)
{
	size_t offered = 0;

	for (size_t i = 0; i < cell_total(m); i++) {
		const struct matched_cell *c = &m->report->match->cells[i];

		offered += c->cell.has_observed && !c->marked;
	}
	if (!offered)
		return;
	md_count(m, offered, "cell has a value in an export that nobody has marked",
		 "cells have a value in an export that nobody has marked");
	buf_puts(m->out, " observed; annex B shows them.\n\n");
}

/* --- unavailable -------------------------------------------------------------------------------- */

static const char *reason_of(const struct matched_cell *c)
{
	if (c->freshness == FRESH_STALE)
		return "the mark is stale";
	if (c->marked && c->marked->mark == MARK_UNAVAILABLE)
		return c->marked->note;
	return c->cell.reason ? c->cell.reason : c->cell.sub;
}

/* Cells of one field with one reason are one line: "identity (image user not supplied): R-01, R-04". */
static void add_gap_rows(struct md *m, struct arena *a, const size_t *next, size_t first)
{
	size_t *rows = arena_array(a, m->report->match->workload_count + 1, sizeof *rows);
	size_t count = 0;

	for (size_t at = first + 1; at; at = next[at - 1])
		rows[count++] = (at - 1) / FIELD_COUNT;
	md_row_ranges(m, rows, count);
}

static void add_unavailable(struct md *m)
{
	const struct match *match = m->report->match;
	size_t total = cell_total(m);
	struct arena a = { 0 };
	size_t *next = arena_array(&a, total + 1, sizeof *next);
	size_t *last = arena_array(&a, total + 1, sizeof *last);
	struct string_list keys = { 0 };
	struct hash_index index = { 0 };

	for (size_t i = 0; i < total; i++) {
		const struct matched_cell *c = &match->cells[i];
		const char *key;
		uint32_t first;

		if (c->effective != MARK_UNAVAILABLE)
			continue;
		key = arena_printf(&a, "%02d%s", (int)c->cell.field, reason_of(c));
		if (hash_index_get(&index, key, &first)) {
			next[last[first]] = i + 1;
		} else {
			first = (uint32_t)i;
			hash_index_put(&a, &index, key, first);
			*ARENA_PUSH(&a, &keys) = key;
		}
		last[first] = i;
	}
	buf_puts(m->out, keys.count ? "### Unavailable\n\n| Field | Why | What would answer it | Rows "
				      "|\n|---|---|---|---|\n"
				    : "No cell is unavailable.\n");
	for (unsigned field = 0; field < FIELD_COUNT; field++)
		for (size_t i = 0; i < keys.count; i++) {
			uint32_t first = 0;

			hash_index_get(&index, keys.items[i], &first);
			if (match->cells[first].cell.field != (enum field)field)
				continue;
			md_printf(m, "| %s | ", field_table[field].slug);
			md_short(m, keys.items[i] + 2, 2 * MD_VALUE_CELLS);
			md_printf(m, " | %s | ", field_table[field].observed_by);
			add_gap_rows(m, &a, next, first);
			buf_puts(m->out, " |\n");
		}
	buf_putc(m->out, '\n');
	arena_free(&a);
}

void md_evidence(struct md *m)
{
	buf_puts(m->out, "## 6. Declared, observed, unavailable\n\n");
	add_shares(m);
	add_conflicts(m);
	add_offered(m);
	add_unavailable(m);
}

/* --- result ------------------------------------------------------------------------------------- */

static void add_withheld(struct md *m, const struct result_sentence *result)
{
	buf_puts(m->out, "Result statement: withheld, because ");
	for (size_t i = 0; i < result->reasons.count; i++)
		md_printf(m, "%s%s", i ? "; " : "", result->reasons.items[i]);
	buf_puts(m->out, ".\n\n");
}

static void add_unresolved(struct md *m)
{
	const struct match *match = m->report->match;
	size_t listed = 0;

	for (size_t i = 0; i < cell_total(m); i++) {
		const struct matched_cell *c = &match->cells[i];

		if (c->effective != MARK_UNAVAILABLE)
			continue;
		buf_puts(m->out, listed++ ? "; " : " Unresolved checks: ");
		md_row_id(m, c->cell.row);
		md_printf(m, " %s", field_table[c->cell.field].slug);
	}
	buf_puts(m->out, listed ? "." : " Unresolved checks: none.");
}

static void add_accepted(struct md *m)
{
	const struct match *match = m->report->match;
	size_t listed = 0;

	for (size_t i = 0; i < match->finding_count; i++) {
		const struct matched_finding *f = &match->findings[i];

		if (f->disposition != DISPOSITION_ACCEPTED)
			continue;
		md_printf(m, "%sF-%02zu (", listed++ ? ", " : " Accepted: ", i + 1);
		md_text(m, f->decided->owner);
		buf_puts(m->out, ", until ");
		md_text(m, f->decided->expires);
		buf_putc(m->out, ')');
	}
	if (listed)
		buf_putc(m->out, '.');
}

static void add_allowed(struct md *m, const struct result_sentence *result)
{
	const struct counts *n = &m->report->match->counts;
	const struct scope *scope = &m->report->snapshot->scope;

	buf_puts(m->out, "> No blocking issue found in reviewed scope. Artifacts: ");
	md_count(m, n->assessed + n->partial, "file", "files");
	if (*scope->revision)
		md_printf(m, " at revision `%.12s`", scope->revision);
	md_printf(m, ", hashes in annex A. Cells: %zu observed, %zu declared, %zu unavailable.",
		  n->by_mark[MARK_OBSERVED], n->by_mark[MARK_DECLARED],
		  n->by_mark[MARK_UNAVAILABLE]);
	add_unresolved(m);
	if (result->boundary_unresolved)
		md_printf(m, " With %zu boundary check%s unresolved.", result->boundary_unresolved,
			  result->boundary_unresolved == 1 ? "" : "s");
	if (result->declared_only)
		buf_puts(m->out, " From declared configuration only; runtime enforcement was not "
				 "observed.");
	add_accepted(m);
	if (n->partial + n->not_assessed) {
		buf_putc(m->out, ' ');
		md_count(m, n->partial + n->not_assessed, "file was", "files were");
		buf_puts(m->out, " not read in full (section 7).");
	}
	buf_puts(m->out, " Not assessed: dependency and binary contents, host kernel, cloud "
			 "account.\n\n");
}

void md_result(struct md *m)
{
	struct arena a = { 0 };
	struct result_sentence result;

	match_result(m->report->match, &a, &result);
	if (result.allowed)
		add_allowed(m, &result);
	else
		add_withheld(m, &result);
	arena_free(&a);
}

/* Section 4: the boundary map; annex B: every cell with its evidence.
 * SPDX-License-Identifier: MIT */
#include "src/report/md.h"

#include "model/listing.h"

#define ROWS_IN_TABLE 3
#define MOST_ROWS 12 /* shown with values in section 4; all are in annex B */

static void add_letters(struct md *m, const struct matched_cell *c)
{
	listing_mark(c, m->out);
	if (c->worst < SEVERITY_COUNT)
		md_printf(m, " %c", severity_letters[c->worst]);
}

static void add_matrix(struct md *m)
{
	const struct match *match = m->report->match;

	buf_puts(m->out, "| Row |");
	for (unsigned field = 0; field < FIELD_COUNT; field++)
		md_printf(m, " %s |", field_table[field].abbreviation);
	buf_puts(m->out, "\n|---|");
	for (unsigned field = 0; field < FIELD_COUNT; field++)
		buf_puts(m->out, "---|");
	buf_putc(m->out, '\n');
	for (size_t i = 0; i < match->workload_count; i++) {
		md_printf(m, "| R-%02zu ", i + 1);
		md_text(m, match->workloads[i]->name);
		buf_puts(m->out, " |");
		for (unsigned field = 0; field < FIELD_COUNT; field++) {
			buf_putc(m->out, ' ');
			add_letters(m, match_cell(match, i, (enum field)field));
			buf_puts(m->out, " |");
		}
		buf_putc(m->out, '\n');
	}
	buf_putc(m->out, '\n');
}

static void add_fields(struct md *m)
{
	buf_puts(m->out, "Columns:");
	for (unsigned field = 0; field < FIELD_COUNT; field++)
		md_printf(m, "%s %s = %s", field ? "," : "", field_table[field].abbreviation,
			  field_table[field].slug);
	buf_puts(m->out, ".\n\n");
}

static void add_value(struct md *m, const struct matched_cell *c)
{
	struct buf declared = { 0 }, observed = { 0 };

	listing_mark(c, m->out);
	buf_putc(m->out, ' ');
	cell_declared(m->report->snapshot, c->cell.row, c->cell.field, &declared);
	cell_observed(m->report->snapshot, c->cell.row, c->cell.field, &observed);
	md_short(m, buf_text(&declared), MD_VALUE_CELLS);
	if (observed.length) {
		buf_puts(m->out, "; observed: ");
		md_short(m, buf_text(&observed), MD_VALUE_CELLS);
	}
	if (c->conflict)
		md_printf(m, " (C-%zu)", c->conflict);
	buf_free(&declared);
	buf_free(&observed);
}

static void add_table(struct md *m, const size_t *rows, size_t count)
{
	const struct match *match = m->report->match;

	buf_puts(m->out, "| Field |");
	for (size_t i = 0; i < count; i++) {
		buf_putc(m->out, ' ');
		md_row(m, match->workloads[rows[i]]);
		buf_puts(m->out, " |");
	}
	buf_puts(m->out, "\n|---|");
	for (size_t i = 0; i < count; i++)
		buf_puts(m->out, "---|");
	buf_putc(m->out, '\n');
	for (unsigned field = 0; field < FIELD_COUNT; field++) {
		md_printf(m, "| %s |", field_table[field].slug);
		for (size_t i = 0; i < count; i++) {
			buf_putc(m->out, ' ');
			add_value(m, match_cell(match, rows[i], (enum field)field));
			buf_puts(m->out, " |");
		}
		buf_putc(m->out, '\n');
	}
	buf_putc(m->out, '\n');
}

static bool stands_out(const struct match *match, size_t workload)
{
	const struct row_tally *t = &match->tallies[workload];

	return t->findings[SEVERITY_CRITICAL] || t->findings[SEVERITY_HIGH] ||
	       match->workloads[workload]->role == ROLE_AGENT;
}

/* When there are too many rows to read, those that stand out come first. */
static size_t choose_rows(const struct match *match, size_t *rows)
{
	size_t count = 0;

	for (unsigned pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < match->workload_count && count < MOST_ROWS; i++)
			if (stands_out(match, i) == (pass == 0))
				rows[count++] = i;
	return count;
}

static void sort_rows(size_t *rows, size_t count)
{
	for (size_t i = 1; i < count; i++)
		for (size_t k = i; k > 0 && rows[k - 1] > rows[k]; k--) {
			size_t swap = rows[k];

			rows[k] = rows[k - 1];
			rows[k - 1] = swap;
		}
}

void md_map(struct md *m)
{
	const struct match *match = m->report->match;
	size_t rows[MOST_ROWS], count = choose_rows(match, rows);

	buf_puts(m->out, "## 4. Boundary map\n\n");
	if (!count) {
		buf_puts(m->out, "No row.\n\n");
		return;
	}
	sort_rows(rows, count);
	buf_puts(m->out,
		 "Marks: **D** declared, **O** observed, **U** unavailable; in lower case the "
		 "program's proposal that nobody has confirmed; `~` stale, `!` declared and observed "
		 "differ, `?` reviewers differ. A second letter is the worst open finding.\n\n");
	add_matrix(m);
	add_fields(m);
	if (count < match->workload_count)
		md_printf(m, "Values of %zu of %zu rows, those with critical or high findings and the "
			     "agents first; every cell of every row is in annex B.\n\n",
			  count, match->workload_count);
	for (size_t i = 0; i < count; i += ROWS_IN_TABLE)
		add_table(m, rows + i, count - i < ROWS_IN_TABLE ? count - i : ROWS_IN_TABLE);
}

/* --- annex B ------------------------------------------------------------------------------------ */

static void add_basis(struct md *m, const struct matched_cell *c)
{
	const struct fact *f = cell_next(c->cell.row, c->cell.field, NULL);
	size_t listed = 0, more = 0;

	for (; f; f = cell_next(c->cell.row, c->cell.field, f)) {
		if (!span_is_set(f->span))
			continue;
		if (listed == 2) {
			more++;
			continue;
		}
		buf_puts(m->out, listed++ ? ", " : "");
		md_place(m, f->span);
	}
	if (more)
		md_printf(m, " and %zu more", more);
	if (!listed)
		buf_puts(m->out, MD_DASH);
}

static void add_marked(struct md *m, const struct matched_cell *c)
{
	if (!c->marked) {
		md_printf(m, "%s, %s", mark_names[c->cell.mark], c->cell.sub);
		return;
	}
	md_printf(m, "%s, %s, by ", mark_names[c->marked->mark], shared_sub(m->report, c));
	md_text(m, c->marked->who);
	md_printf(m, " %.10s", c->marked->when);
	if (*c->marked->basis) {
		buf_puts(m->out, ", basis ");
		md_code(m, c->marked->basis);
	}
	if (*c->marked->note) {
		buf_puts(m->out, ": ");
		md_text(m, c->marked->note);
	}
	if (c->freshness == FRESH_STALE)
		buf_puts(m->out, " (**stale**)");
}

static void add_cell(struct md *m, const struct matched_cell *c)
{
	struct buf text = { 0 };

	md_printf(m, "| %s | ", field_table[c->cell.field].slug);
	listing_mark(c, m->out);
	buf_puts(m->out, " | ");
	cell_declared(m->report->snapshot, c->cell.row, c->cell.field, &text);
	md_short(m, buf_text(&text), 4 * MD_VALUE_CELLS);
	buf_puts(m->out, " | ");
	buf_clear(&text);
	cell_observed(m->report->snapshot, c->cell.row, c->cell.field, &text);
	md_short(m, buf_text(&text), 4 * MD_VALUE_CELLS);
	buf_puts(m->out, " | ");
	add_marked(m, c);
	buf_puts(m->out, " | ");
	add_basis(m, c);
	buf_puts(m->out, " |\n");
	buf_free(&text);
}

void md_annex_map(struct md *m)
{
	const struct match *match = m->report->match;

	buf_puts(m->out, "## Annex B. Every cell\n\n");
	for (size_t i = 0; i < match->workload_count; i++) {
		buf_puts(m->out, "### ");
		md_row(m, match->workloads[i]);
		buf_puts(m->out, "\n\nKey ");
		md_code(m, match->workloads[i]->key);
		buf_puts(m->out, "\n\n| Field | Mark | Declared | Observed | Evidence | Place |\n"
				 "|---|---|---|---|---|---|\n");
		for (unsigned field = 0; field < FIELD_COUNT; field++)
			add_cell(m, match_cell(match, i, (enum field)field));
		buf_putc(m->out, '\n');
	}
}

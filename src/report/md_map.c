/* Section 4: the boundary map; annex B: every cell with its evidence.
 * SPDX-License-Identifier: MIT */
#include "src/report/md.h"

#include "model/listing.h"

#define MOST_LINES 40 /* of the matrix, with a row each */
#define ROWS_IN_TABLE 3
#define MOST_ROWS 12 /* shown with values in section 4; all are in annex B */

static void add_letters(struct md *m, const struct matched_cell *c)
{
	listing_mark(c, m->out);
	if (c->worst < SEVERITY_COUNT)
		md_printf(m, " %c", severity_letters[c->worst]);
}

/* Rows whose letters are the same. */
struct alike {
	const char *letters;
	struct {
		size_t *items;
		size_t count, capacity;
	} rows;
};

struct matrix {
	struct arena arena;
	struct hash_index index;
	struct {
		struct alike *items;
		size_t count, capacity;
	} lines;
};

static const char *row_letters(struct md *m, struct arena *a, size_t workload)
{
	struct buf letters = { 0 }, *out = m->out;
	const char *copy;

	m->out = &letters;
	for (unsigned field = 0; field < FIELD_COUNT; field++) {
		buf_putc(m->out, ' ');
		add_letters(m, match_cell(m->report->match, workload, (enum field)field));
		buf_puts(m->out, " |");
	}
	m->out = out;
	copy = arena_strdup(a, buf_text(&letters));
	buf_free(&letters);
	return copy;
}

static void gather_alike(struct md *m, struct matrix *x, size_t workload, bool join)
{
	const char *letters = row_letters(m, &x->arena, workload);
	uint32_t at;

	if (!join || !hash_index_get(&x->index, letters, &at)) {
		at = (uint32_t)x->lines.count;
		hash_index_put(&x->arena, &x->index, letters, at);
		*ARENA_PUSH(&x->arena, &x->lines) = (struct alike){ .letters = letters };
	}
	*ARENA_PUSH(&x->arena, &x->lines.items[at].rows) = workload;
}

static void add_matrix(struct md *m)
{
	const struct match *match = m->report->match;
	const bool join = match->workload_count > MOST_LINES;
	struct matrix x = { 0 };

	for (size_t i = 0; i < match->workload_count; i++)
		gather_alike(m, &x, i, join);
	buf_puts(m->out, join ? "Rows with the same letters share a line.\n\n| Row |" : "| Row |");
	for (unsigned field = 0; field < FIELD_COUNT; field++)
		md_printf(m, " %s |", field_table[field].abbreviation);
	buf_puts(m->out, "\n|---|");
	for (unsigned field = 0; field < FIELD_COUNT; field++)
		buf_puts(m->out, "---|");
	buf_putc(m->out, '\n');
	for (size_t i = 0; i < x.lines.count; i++) {
		const struct alike *line = &x.lines.items[i];

		buf_puts(m->out, "| ");
		if (line->rows.count == 1)
			md_row(m, match->workloads[line->rows.items[0]]);
		else
			md_row_ranges(m, line->rows.items, line->rows.count);
		md_printf(m, " |%s\n", line->letters);
	}
	buf_putc(m->out, '\n');
	arena_free(&x.arena);
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

static bool is_build(const struct match *match, size_t workload)
{
	return match->workloads[workload]->kind == ROW_BUILD;
}

/* Of builds: nothing in a Dockerfile speaks of the field, as of most. */
static bool is_decided_elsewhere(const struct match *match, const size_t *rows, size_t count,
				 enum field field)
{
	for (size_t i = 0; i < count; i++) {
		const struct matched_cell *c = match_cell(match, rows[i], field);

		if (!is_build(match, rows[i]) || c->marked || cell_next(c->cell.row, field, NULL))
			return false;
	}
	return true;
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
		if (is_decided_elsewhere(match, rows, count, (enum field)field))
			continue;
		md_printf(m, "| %s |", field_table[field].slug);
		for (size_t i = 0; i < count; i++) {
			buf_putc(m->out, ' ');
			add_value(m, match_cell(match, rows[i], (enum field)field));
			buf_puts(m->out, " |");
		}
		buf_putc(m->out, '\n');
	}
	buf_puts(m->out, is_build(match, rows[0]) ?
				 "\nThe other fields are decided where the image is run.\n\n" :
				 "\n");
}

/* How soon a row is shown with its values: agents in trouble first, builds that nothing speaks of never. */
static unsigned row_turn(const struct match *match, size_t workload)
{
	const size_t *open = match->tallies[workload].findings;
	bool critical = open[SEVERITY_CRITICAL] > 0, serious = critical || open[SEVERITY_HIGH] > 0;
	bool agent = match_role(match, match->workloads[workload]) == ROLE_AGENT;

	if (is_build(match, workload))
		return serious ? 4 : 6;
	return agent && serious ? 0 : critical ? 1 : serious ? 2 : agent ? 3 : 5;
}

static size_t choose_rows(const struct match *match, size_t *rows)
{
	size_t count = 0;

	for (unsigned turn = 0; turn < 6; turn++)
		for (size_t i = 0; i < match->workload_count && count < MOST_ROWS; i++)
			if (row_turn(match, i) == turn)
				rows[count++] = i;
	return count;
}

/* By number, stages of builds last: most of their fields are decided elsewhere. */
static void sort_rows(const struct match *match, size_t *rows, size_t count)
{
	for (size_t i = 1; i < count; i++)
		for (size_t k = i; k > 0; k--) {
			size_t swap = rows[k];
			bool build = is_build(match, rows[k]), before = is_build(match, rows[k - 1]);

			if (before == build ? rows[k - 1] < rows[k] : build)
				break;
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
	sort_rows(match, rows, count);
	buf_puts(m->out,
		 "Marks: **D** declared, **O** observed, **U** unavailable; in lower case the "
		 "program's proposal that nobody has confirmed; `~` stale, `!` declared and observed "
		 "differ, `?` reviewers differ. A second letter is the worst open finding.\n\n");
	add_matrix(m);
	add_fields(m);
	if (count < match->workload_count)
		md_printf(m, "Values of %zu of %zu rows, agents and those with critical or high "
			     "findings first; every cell of every row is in annex B.\n\n",
			  count, match->workload_count);
	for (size_t i = 0, n; i < count; i += n) {
		for (n = 1; n < ROWS_IN_TABLE && i + n < count &&
			    is_build(match, rows[i]) == is_build(match, rows[i + n]);)
			n++;
		add_table(m, rows + i, n);
	}
}

/* Rows by number and name.
 * SPDX-License-Identifier: MIT */
#include "src/report/md.h"

#include <stdlib.h>
#include <string.h>

static bool is_workload(const struct md *m, const struct row *row)
{
	return match_workload(m->report->match, row) != SIZE_MAX;
}

void md_row_id(struct md *m, const struct row *row)
{
	if (!row || !is_workload(m, row))
		buf_puts(m->out, MD_DASH);
	else
		md_printf(m, "R-%02zu", match_workload(m->report->match, row) + 1);
}

static void add_name(struct md *m, const struct row *row)
{
	if (row_is_numbered(row) && *row->name)
		md_printf(m, "%s ", row->object_kind);
	if (*row->name)
		md_text(m, row->name);
	else
		buf_puts(m->out, "without a name");
}

void md_row(struct md *m, const struct row *row)
{
	if (is_workload(m, row))
		md_row_id(m, row);
	else
		md_text(m, row->object_kind);
	buf_putc(m->out, ' ');
	add_name(m, row);
}

static void add_runs(struct md *m, const size_t *workloads, size_t count)
{
	for (size_t i = 0, last; i < count; i = last + 1) {
		last = i;
		while (last + 1 < count && workloads[last + 1] == workloads[last] + 1)
			last++;
		if (last - i < 2)
			last = i;
		md_printf(m, "%sR-%02zu", i ? ", " : "", workloads[i] + 1);
		if (last > i)
			md_printf(m, MD_DASH "R-%02zu", workloads[last] + 1);
	}
}

void md_row_ranges(struct md *m, const size_t *workloads, size_t count)
{
	if (count > 3 && count == m->report->match->workload_count)
		buf_puts(m->out, "all rows");
	else
		add_runs(m, workloads, count);
}

/* --- the rows of findings --------------------------------------------------------------------------- */

/* Rows that read alike: workloads of one name, or one object. */
struct alike {
	const struct row *row; /* the first */
	struct {
		size_t *items;
		size_t count, capacity;
	} workloads;
};

struct gathered {
	struct arena arena;
	struct hash_index index; /* by what is read */
	struct {
		struct alike *items;
		size_t count, capacity;
	} names;
	size_t listed, more;
};

static void gather(const struct md *m, struct gathered *g, const struct row *row)
{
	size_t workload = match_workload(m->report->match, row);
	bool named = workload == SIZE_MAX || row_is_numbered(row);
	const char *key = arena_printf(&g->arena, "%c%s %s", workload == SIZE_MAX ? 'o' : 'w',
				       named ? row->object_kind : "", row->name);
	uint32_t at;

	if (!hash_index_get(&g->index, key, &at)) {
		at = (uint32_t)g->names.count;
		hash_index_put(&g->arena, &g->index, key, at);
		*ARENA_PUSH(&g->arena, &g->names) = (struct alike){ .row = row };
	}
	if (workload != SIZE_MAX)
		*ARENA_PUSH(&g->arena, &g->names.items[at].workloads) = workload;
}

static int by_number(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return (x > y) - (x < y);
}

static size_t sort_once(size_t *items, size_t count)
{
	size_t kept = 0;

	qsort(items, count, sizeof *items, by_number);
	for (size_t i = 0; i < count; i++)
		if (!kept || items[kept - 1] != items[i])
			items[kept++] = items[i];
	return kept;
}

static void add_alike(struct md *m, struct gathered *g, struct alike *alike)
{
	size_t count = alike->workloads.count;

	if (g->listed >= MD_MOST_ROWS) {
		g->more += count ? sort_once(alike->workloads.items, count) : 1;
		return;
	}
	buf_puts(m->out, g->listed++ ? ", " : "");
	if (!count) {
		md_row(m, alike->row);
		return;
	}
	add_runs(m, alike->workloads.items, sort_once(alike->workloads.items, count));
	buf_putc(m->out, ' ');
	add_name(m, alike->row);
}

void md_rows(struct md *m, const struct finding *const *findings, size_t count)
{
	struct gathered g = { 0 };

	for (size_t i = 0; i < count; i++) {
		gather(m, &g, findings[i]->row);
		for (size_t k = 0; k < findings[i]->row_count; k++)
			gather(m, &g, findings[i]->rows[k]);
	}
	for (unsigned turn = 0; turn < 2; turn++)
		for (size_t i = 0; i < g.names.count; i++)
			if ((g.names.items[i].workloads.count > 0) ==
			    ((g.names.items[0].workloads.count > 0) == (turn == 0)))
				add_alike(m, &g, &g.names.items[i]);
	if (g.more) {
		buf_puts(m->out, " and ");
		md_count(m, g.more, "more row", "more rows");
	}
	arena_free(&g.arena);
}

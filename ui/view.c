/* Building the lists: tree order of workloads, orders and filters.
 * SPDX-License-Identifier: MIT */
#include "ui/view.h"

#include <stdlib.h>
#include <string.h>

#include "ui/find.h"
#include "ui/words.h"

const char *const workload_order_names[WORKLOAD_ORDERS] = {
	[WORKLOADS_BY_FILE] = "by file",
	[WORKLOADS_WORST_FIRST] = "worst first",
	[WORKLOADS_BY_NAME] = "by name",
};

const char *const finding_order_names[FINDING_ORDERS] = {
	[FINDINGS_BY_SEVERITY] = "by severity",
	[FINDINGS_BY_PLACE] = "by place",
	[FINDINGS_BY_RULE] = "by rule",
	[FINDINGS_BY_ROW] = "by workload",
	[FINDINGS_BY_DECISION] = "undecided first",
};

static void *grow(void *items, size_t count, size_t *capacity, size_t size)
{
	if (count < *capacity)
		return items;
	*capacity = *capacity ? 2 * *capacity : 64;
	items = realloc(items, *capacity * size);
	if (!items)
		abort();
	return items;
}

static void push_index(struct index_view *v, size_t index)
{
	v->items = grow(v->items, v->count, &v->capacity, sizeof *v->items);
	v->items[v->count++] = index;
}

static void push_item(struct workload_view *v, struct workload_item item)
{
	v->items = grow(v->items, v->count, &v->capacity, sizeof *v->items);
	v->items[v->count++] = item;
}

void workload_view_free(struct workload_view *v)
{
	free(v->items);
	*v = (struct workload_view){0};
}

void index_view_free(struct index_view *v)
{
	free(v->items);
	*v = (struct index_view){0};
}

/* --- workloads ------------------------------------------------------------------------------ */

/* Rows to show, as links over the snapshot's row indices: 0 is none, else index + 1. */
struct tree {
	const struct snapshot *snapshot;
	bool *shown;
	uint32_t *child, *sibling, *last_child;
	size_t (*open)[SEVERITY_COUNT];
};

static void tree_free(struct tree *t)
{
	free(t->shown);
	free(t->child);
	free(t->sibling);
	free(t->last_child);
	free(t->open);
}

static void *zeroed(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size);

	if (!memory)
		abort();
	return memory;
}

static void tree_count_findings(struct tree *t, const struct match *m)
{
	for (size_t i = 0; i < m->finding_count; i++) {
		const struct matched_finding *f = &m->findings[i];

		if (!f->finding->row)
			continue;
		/* An object is worth a line once something was found in it. */
		if (!row_is_workload(f->finding->row))
			t->shown[f->finding->row->index] = true;
		if (f->disposition != DISPOSITION_ACCEPTED &&
		    f->disposition != DISPOSITION_FALSE_POSITIVE &&
		    f->disposition != DISPOSITION_FIX_VERIFIED &&
		    f->disposition != DISPOSITION_DUPLICATE &&
		    f->disposition != DISPOSITION_NOT_APPLICABLE)
			t->open[f->finding->row->index][f->severity]++;
	}
}

static void tree_init(struct tree *t, const struct match *m)
{
	size_t count = m->snapshot->rows.count;

	*t = (struct tree){
		.snapshot = m->snapshot,
		.shown = zeroed(count, sizeof *t->shown),
		.child = zeroed(count, sizeof *t->child),
		.sibling = zeroed(count, sizeof *t->sibling),
		.last_child = zeroed(count, sizeof *t->last_child),
		.open = zeroed(count, sizeof *t->open),
	};
	for (size_t i = 0; i < m->workload_count; i++)
		t->shown[m->workloads[i]->index] = true;
	tree_count_findings(t, m);
}

/* The row's parent as an index, or SIZE_MAX; a parent is only one that comes earlier, so that no cycle
 * can arise. */
static size_t parent_of(const struct tree *t, const struct row *row)
{
	size_t parent = row->parent;

	return parent > 0 && parent <= row->index && t->shown[parent - 1] ? parent - 1 : SIZE_MAX;
}

static void tree_link(struct tree *t)
{
	for (size_t i = 0; i < t->snapshot->rows.count; i++) {
		size_t parent;

		if (!t->shown[i])
			continue;
		parent = parent_of(t, t->snapshot->rows.items[i]);
		if (parent == SIZE_MAX)
			continue;
		if (t->last_child[parent])
			t->sibling[t->last_child[parent] - 1] = (uint32_t)i + 1;
		else
			t->child[parent] = (uint32_t)i + 1;
		t->last_child[parent] = (uint32_t)i + 1;
	}
}

static struct workload_item item_of(const struct tree *t, const struct match *m, size_t index,
				    unsigned depth)
{
	struct workload_item item = {
		.row = t->snapshot->rows.items[index],
		.depth = depth,
		.last = t->sibling[index] == 0,
	};

	item.workload = row_is_workload(item.row) ? match_workload(m, item.row) : SIZE_MAX;
	memcpy(item.open, t->open[index], sizeof item.open);
	return item;
}

static bool passes(const struct match *m, const struct row *row, const char *filter)
{
	struct buf text = {0};
	bool yes;

	if (!filter[0])
		return true;
	words_row(m->snapshot, row, &text);
	yes = find_filter(buf_text(&text), filter);
	buf_free(&text);
	return yes;
}

/* Adds a root and its descendants, depth first, without recursion: the links lead the way back. */
static void push_tree(struct workload_view *v, const struct tree *t, const struct match *m,
		      size_t root)
{
	size_t at = root;
	unsigned depth = 0;

	for (;;) {
		push_item(v, item_of(t, m, at, depth));
		if (t->child[at]) {
			at = t->child[at] - 1;
			depth++;
			continue;
		}
		while (depth > 0 && !t->sibling[at]) {
			at = parent_of(t, t->snapshot->rows.items[at]);
			depth--;
		}
		if (depth == 0)
			return;
		at = t->sibling[at] - 1;
	}
}

struct root {
	const char *path;
	size_t first, index;
};

static int compare_roots(const void *a, const void *b)
{
	const struct root *x = a, *y = b;

	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

/* Files in the order of their first workload; objects after all of them. */
static size_t collect_roots(const struct tree *t, struct root *roots)
{
	struct arena a = {0};
	struct hash_index first = {0};
	size_t count = 0, rows = t->snapshot->rows.count;

	for (size_t i = 0; i < rows; i++) {
		const struct row *row = t->snapshot->rows.items[i];
		uint32_t at;

		if (!t->shown[i] || parent_of(t, row) != SIZE_MAX)
			continue;
		roots[count].path = t->snapshot->artifacts.count > row->artifact
					    ? t->snapshot->artifacts.items[row->artifact]->path
					    : "";
		roots[count].index = i;
		if (!row_is_workload(row)) {
			roots[count++].first = rows + row->artifact;
			continue;
		}
		if (!hash_index_get(&first, roots[count].path, &at)) {
			at = (uint32_t)i;
			hash_index_put(&a, &first, roots[count].path, at);
		}
		roots[count++].first = at;
	}
	arena_free(&a);
	qsort(roots, count, sizeof *roots, compare_roots);
	return count;
}

static void fill_by_file(struct workload_view *v, const struct tree *t, const struct match *m)
{
	struct root *roots = zeroed(t->snapshot->rows.count, sizeof *roots);
	size_t count = collect_roots(t, roots);

	for (size_t i = 0; i < count; i++) {
		if (i == 0 || roots[i].first != roots[i - 1].first)
			push_item(v, (struct workload_item){
					     .heading = roots[i].path,
					     .objects = roots[i].first >= t->snapshot->rows.count,
					     .workload = SIZE_MAX});
		push_tree(v, t, m, roots[i].index);
	}
	free(roots);
}

static int compare_worst(const void *a, const void *b)
{
	const struct workload_item *x = a, *y = b;

	for (size_t i = 0; i < SEVERITY_COUNT; i++) {
		if (x->open[i] != y->open[i])
			return x->open[i] > y->open[i] ? -1 : 1;
	}
	return x->row->index < y->row->index ? -1 : x->row->index > y->row->index;
}

static int compare_names(const void *a, const void *b)
{
	const struct workload_item *x = a, *y = b;
	int order = strcmp(x->row->name, y->row->name);

	if (order != 0)
		return order;
	return x->row->index < y->row->index ? -1 : x->row->index > y->row->index;
}

static void fill_flat(struct workload_view *v, const struct tree *t, const struct match *m,
		      enum workload_order order)
{
	for (size_t i = 0; i < t->snapshot->rows.count; i++) {
		if (t->shown[i])
			push_item(v, item_of(t, m, i, 0));
	}
	qsort(v->items, v->count, sizeof *v->items,
	      order == WORKLOADS_BY_NAME ? compare_names : compare_worst);
}

/* Drops rows that do not pass, and headings that are left without a row. */
static void filter_items(struct workload_view *v, const struct match *m, const char *filter)
{
	size_t kept = 0;

	for (size_t i = 0; i < v->count; i++) {
		bool heading = !v->items[i].row;

		if (!heading && !passes(m, v->items[i].row, filter))
			continue;
		if (heading && kept > 0 && !v->items[kept - 1].row)
			kept--;
		v->items[kept++] = v->items[i];
	}
	if (kept > 0 && !v->items[kept - 1].row)
		kept--;
	v->count = kept;
}

void view_workloads(struct workload_view *v, const struct match *m, enum workload_order order,
		    const char *filter)
{
	struct tree t;

	v->count = v->shown = v->total = 0;
	tree_init(&t, m);
	if (order == WORKLOADS_BY_FILE) {
		tree_link(&t);
		fill_by_file(v, &t, m);
	} else {
		fill_flat(v, &t, m, order);
	}
	tree_free(&t);
	for (size_t i = 0; i < v->count; i++)
		v->total += v->items[i].workload != SIZE_MAX;
	if (filter[0])
		filter_items(v, m, filter);
	for (size_t i = 0; i < v->count; i++)
		v->shown += v->items[i].workload != SIZE_MAX;
}

/* --- findings ------------------------------------------------------------------------------- */

struct sort_key {
	const struct matched_finding *finding;
	const char *path;
	uint32_t line;
	size_t index;
	enum finding_order order;
};

static int compare_places(const struct sort_key *x, const struct sort_key *y)
{
	int order = strcmp(x->path, y->path);

	if (order == 0)
		order = x->line < y->line ? -1 : x->line > y->line;
	return order;
}

static int compare_findings(const void *a, const void *b)
{
	const struct sort_key *x = a, *y = b;
	const struct matched_finding *f = x->finding, *g = y->finding;
	int order = 0;

	if (x->order == FINDINGS_BY_PLACE)
		order = compare_places(x, y);
	if (x->order == FINDINGS_BY_RULE)
		order = strcmp(f->finding->rule->slug, g->finding->rule->slug);
	if (x->order == FINDINGS_BY_ROW && f->finding->row && g->finding->row)
		order = strcmp(f->finding->row->name, g->finding->row->name);
	if (x->order == FINDINGS_BY_DECISION)
		order = (f->disposition != DISPOSITION_NEW) - (g->disposition != DISPOSITION_NEW);
	if (order == 0)
		order = x->index < y->index ? -1 : x->index > y->index;
	return order;
}

static void sort_findings(struct index_view *v, const struct match *m, enum finding_order order)
{
	struct sort_key *keys = zeroed(v->count, sizeof *keys);

	for (size_t i = 0; i < v->count; i++) {
		struct span span = words_finding_span(m->findings[v->items[i]].finding);

		keys[i] = (struct sort_key){
			.finding = &m->findings[v->items[i]],
			.path = snapshot_path(m->snapshot, span),
			.line = snapshot_line(m->snapshot, span),
			.index = v->items[i],
			.order = order,
		};
	}
	qsort(keys, v->count, sizeof *keys, compare_findings);
	for (size_t i = 0; i < v->count; i++)
		v->items[i] = keys[i].index;
	free(keys);
}

void view_findings(struct index_view *v, const struct match *m, const struct row *row,
		   enum finding_order order, const char *filter)
{
	struct buf text = {0};

	v->count = v->total = 0;
	for (size_t i = 0; i < m->finding_count; i++) {
		if (row && m->findings[i].finding->row != row)
			continue;
		v->total++;
		buf_clear(&text);
		if (filter[0])
			words_finding(m, &m->findings[i], &text);
		if (filter[0] && !find_filter(buf_text(&text), filter))
			continue;
		push_index(v, i);
	}
	buf_free(&text);
	if (order != FINDINGS_BY_SEVERITY)
		sort_findings(v, m, order);
}

void view_fields(struct index_view *v, const struct match *m, size_t workload, const char *filter)
{
	struct buf text = {0};

	v->count = v->total = 0;
	if (workload == SIZE_MAX)
		return;
	for (size_t i = 0; i < FIELD_COUNT; i++) {
		v->total++;
		buf_clear(&text);
		if (filter[0])
			words_cell(m, match_cell(m, workload, (enum field)i), &text);
		if (!filter[0] || find_filter(buf_text(&text), filter))
			push_index(v, i);
	}
	buf_free(&text);
}

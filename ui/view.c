/* Building the lists: tree order of workloads, orders and filters.
 * SPDX-License-Identifier: MIT */
#include "ui/view.h"

#include <stdlib.h>
#include <string.h>

#include "model/listing.h"
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
	*v = (struct workload_view){ 0 };
}

void index_view_free(struct index_view *v)
{
	free(v->items);
	*v = (struct index_view){ 0 };
}

/* --- workloads ------------------------------------------------------------------------------ */

/* Rows to show, as links over the snapshot's row indices: 0 is none, else index + 1. */
struct tree {
	const struct snapshot *snapshot;
	bool *shown;
	uint32_t *child, *sibling, *last_child;
	const struct row_findings *findings;
};

static void tree_free(struct tree *t)
{
	free(t->shown);
	free(t->child);
	free(t->sibling);
	free(t->last_child);
}

static void *zeroed(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size);

	if (!memory)
		abort();
	return memory;
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
		.findings = m->by_row,
	};
	for (size_t i = 0; i < m->workload_count; i++)
		t->shown[m->workloads[i]->index] = true;
	/* An object is worth a line once something was found in it. */
	for (size_t i = 0; i < count; i++)
		if (m->by_row[i].leads && !row_is_workload(m->snapshot->rows.items[i]))
			t->shown[i] = true;
}

/* The row's parent as an index, or SIZE_MAX; a parent is only one that comes earlier, so that no
 * cycle can arise. */
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
	memcpy(item.open, t->findings[index].open, sizeof item.open);
	return item;
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
	struct arena a = { 0 };
	struct hash_index first = { 0 };
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
			push_item(v, (struct workload_item){ .heading = roots[i].path,
			                                     .objects = roots[i].first >=
			                                                t->snapshot->rows.count,
			                                     .workload = SIZE_MAX });
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

/* Workloads that the expression lets through, as the command lists them; false when it is not well
 * formed. */
static bool mark_passing(const struct match *m, const char *filter, bool *passing, struct buf *why)
{
	struct listing l;
	bool ok;

	listing_init(&l, LISTING_INVENTORY, m);
	ok = listing_filter(&l, filter, why);
	for (size_t i = 0; ok && i < l.count; i++)
		passing[l.items[i]] = true;
	listing_free(&l);
	return ok;
}

static bool passes(const struct match *m, const struct workload_item *item, const bool *passing,
                   const char *filter)
{
	struct buf text = { 0 };
	bool yes;

	if (item->workload != SIZE_MAX)
		return passing[item->workload];
	words_row(m->snapshot, item->row, &text);
	yes = find_filter(buf_text(&text), filter);
	buf_free(&text);
	return yes;
}

/* Drops rows that do not pass, and headings that are left without a row. */
static bool filter_items(struct workload_view *v, const struct match *m, const char *filter,
                         struct buf *why)
{
	bool *passing = zeroed(m->workload_count, sizeof *passing);
	bool ok = mark_passing(m, filter, passing, why);
	size_t kept = 0;

	for (size_t i = 0; ok && i < v->count; i++) {
		bool heading = !v->items[i].row;

		if (!heading && !passes(m, &v->items[i], passing, filter))
			continue;
		if (heading && kept > 0 && !v->items[kept - 1].row)
			kept--;
		v->items[kept++] = v->items[i];
	}
	if (kept > 0 && !v->items[kept - 1].row)
		kept--;
	if (ok)
		v->count = kept;
	free(passing);
	return ok;
}

bool view_workloads(struct workload_view *v, const struct match *m, enum workload_order order,
                    const char *filter, struct buf *why)
{
	struct tree t;
	bool ok = true;

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
		ok = filter_items(v, m, filter, why);
	for (size_t i = 0; i < v->count; i++)
		v->shown += v->items[i].workload != SIZE_MAX;
	return ok;
}

/* --- findings ------------------------------------------------------------------------------- */

static void take_items(struct index_view *v, const struct listing *l)
{
	v->count = 0;
	v->total = l->total;
	for (size_t i = 0; i < l->count; i++)
		push_index(v, l->items[i]);
}

/* Those that wait for a decision come first, both parts in their order. */
static void undecided_first(struct listing *l)
{
	size_t *decided = arena_array(&l->arena, l->count + 1, sizeof *decided);
	size_t open = 0, settled = 0;

	for (size_t i = 0; i < l->count; i++) {
		const struct matched_finding *f = &l->match->findings[l->items[i]];

		if (f->disposition == DISPOSITION_NEW || f->changed)
			l->items[open++] = l->items[i];
		else
			decided[settled++] = l->items[i];
	}
	if (settled > 0)
		memcpy(l->items + open, decided, settled * sizeof *decided);
}

static void sort_findings(struct listing *l, enum finding_order order)
{
	struct buf why = { 0 };

	if (order == FINDINGS_BY_PLACE) {
		listing_sort(l, "line", &why);
		listing_sort(l, "path", &why);
	} else if (order == FINDINGS_BY_RULE) {
		listing_sort(l, "rule", &why);
	} else if (order == FINDINGS_BY_ROW) {
		listing_sort(l, "row", &why);
	} else if (order == FINDINGS_BY_DECISION) {
		undecided_first(l);
	}
	buf_free(&why);
}

bool view_findings(struct index_view *v, const struct match *m, const struct row *row,
                   enum finding_order order, const char *filter, struct buf *why)
{
	struct listing l;
	bool ok;

	listing_init(&l, LISTING_FINDINGS, m);
	if (row)
		listing_only_row(&l, row);
	ok = listing_filter(&l, filter, why);
	sort_findings(&l, order);
	take_items(v, &l);
	listing_free(&l);
	return ok;
}

bool view_fields(struct index_view *v, const struct match *m, size_t workload, const char *filter,
                 struct buf *why)
{
	struct listing l;
	bool ok;

	v->count = v->total = 0;
	if (workload == SIZE_MAX)
		return true;
	listing_init(&l, LISTING_MAP, m);
	listing_only_row(&l, m->workloads[workload]);
	ok = listing_filter(&l, filter, why);
	take_items(v, &l);
	for (size_t i = 0; i < v->count; i++)
		v->items[i] %= FIELD_COUNT;
	listing_free(&l);
	return ok;
}

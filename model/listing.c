/* Building, filtering and sorting of listings; the columns are in listing_rows.c and its siblings.
 * SPDX-License-Identifier: MIT */
#include "model/listing.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/query.h"

static size_t item_count(enum listing_kind kind, const struct match *m)
{
	switch (kind) {
	case LISTING_INVENTORY:
		return m->workload_count;
	case LISTING_MAP:
		return m->workload_count * FIELD_COUNT;
	case LISTING_FINDINGS:
		return m->finding_count;
	case LISTING_COVERAGE:
	case LISTING_ARTIFACTS:
		return m->snapshot->artifacts.count;
	case LISTING_PATHS:
		return m->paths.count;
	case LISTING_KIND_COUNT:
		break;
	}
	return 0;
}

/* Coverage is about what was not read in full; what no format knows is listed among the artifacts. */
static bool belongs(enum listing_kind kind, const struct match *m, size_t item)
{
	const struct artifact *a;

	if (kind != LISTING_COVERAGE)
		return true;
	a = m->snapshot->artifacts.items[item];
	return a->state == ARTIFACT_PARTIAL || a->state == ARTIFACT_NOT_ASSESSED;
}

/* Files that were read first. */
static void order_by_number(struct listing *l)
{
	for (size_t i = 0; i < l->total; i++)
		l->items[l->match->artifact_numbers[i] - 1] = i;
}

void listing_init(struct listing *l, enum listing_kind kind, const struct match *m)
{
	size_t count = item_count(kind, m);

	*l = (struct listing){ .kind = kind, .info = listing_table[kind], .match = m };
	l->items = arena_array(&l->arena, count + 1, sizeof *l->items);
	for (size_t i = 0; i < count; i++)
		if (belongs(kind, m, i))
			l->items[l->count++] = i;
	l->total = l->count;
	if (kind == LISTING_ARTIFACTS)
		order_by_number(l);
}

void listing_free(struct listing *l)
{
	struct arena arena = l->arena;

	*l = (struct listing){ 0 };
	arena_free(&arena);
}

static const struct row *row_of(const struct listing *l, size_t item)
{
	if (l->kind == LISTING_INVENTORY)
		return l->match->workloads[item];
	if (l->kind == LISTING_MAP)
		return l->match->workloads[item / FIELD_COUNT];
	return l->kind == LISTING_FINDINGS ? l->match->findings[item].finding->row : NULL;
}

static bool concerns(const struct listing *l, size_t item, const struct row *row)
{
	if (l->kind == LISTING_FINDINGS)
		return finding_concerns(l->match->findings[item].finding, row);
	return row_of(l, item) == row;
}

static bool in_own_order(const struct listing *l)
{
	for (size_t i = 0; i < l->count; i++)
		if (l->items[i] != i)
			return false;
	return l->count == l->total;
}

void listing_only_row(struct listing *l, const struct row *row)
{
	size_t kept = 0;

	/* All findings in their own order: those of the row are known. */
	if (l->kind == LISTING_FINDINGS && in_own_order(l)) {
		const struct row_findings *r = &l->match->by_row[row->index];

		if (r->count)
			memcpy(l->items, l->match->row_places + r->first,
			       r->count * sizeof *l->items);
		l->count = r->count;
		return;
	}
	for (size_t i = 0; i < l->count; i++)
		if (concerns(l, l->items[i], row))
			l->items[kept++] = l->items[i];
	l->count = kept;
}

const struct listing_column *listing_column(const struct listing_info *info, const char *name)
{
	for (size_t i = 0; i < info->column_count; i++)
		if (strcmp(info->columns[i].name, name) == 0)
			return &info->columns[i];
	return NULL;
}

void listing_text(const struct listing *l, size_t place, const struct listing_column *column,
		  struct buf *out)
{
	column->text(l, l->items[place], out);
}

static void say_columns(const struct listing_info *info, const char *name, struct buf *why)
{
	buf_printf(why, "%s: no column \"%s\"; there are", info->name, name);
	for (size_t i = 0; i < info->column_count; i++)
		buf_printf(why, "%s %s", i ? "," : "", info->columns[i].name);
}

/* --- filter ------------------------------------------------------------------------------------- */

struct subject {
	const struct listing *listing;
	size_t item;
};

static bool subject_text(void *context, const char *name, struct buf *out)
{
	const struct subject *s = context;
	const struct listing_info *info = s->listing->info;
	const struct listing_column *column = name ? listing_column(info, name) : NULL;

	if (column)
		column->text(s->listing, s->item, out);
	for (size_t i = 0; !name && i < info->column_count; i++) {
		info->columns[i].text(s->listing, s->item, out);
		buf_putc(out, '\n');
	}
	return !name || column;
}

bool listing_filter(struct listing *l, const char *expression, struct buf *why)
{
	struct query q;
	size_t kept = 0;

	if (!query_parse(&l->arena, expression, &q, why))
		return false;
	for (size_t i = 0; i < q.count; i++)
		if (q.items[i].column && !listing_column(l->info, q.items[i].column)) {
			say_columns(l->info, q.items[i].column, why);
			return false;
		}
	for (size_t i = 0; i < l->count; i++) {
		struct subject s = { l, l->items[i] };

		if (query_matches(&q, subject_text, &s))
			l->items[kept++] = l->items[i];
	}
	l->count = kept;
	return true;
}

/* --- sort --------------------------------------------------------------------------------------- */

struct sorted {
	size_t item, place;
	long number;
	const char *text;
	bool reverse;
};

static int compare_sorted(const void *left, const void *right)
{
	const struct sorted *a = left, *b = right;
	int order = a->text ? strcasecmp(a->text, b->text) : (a->number > b->number) -
								      (a->number < b->number);

	if (order)
		return a->reverse ? -order : order;
	return (a->place > b->place) - (a->place < b->place);
}

static struct sorted sort_key(struct listing *l, const struct listing_column *column,
			      size_t place, bool reverse)
{
	struct sorted key = { .item = l->items[place], .place = place, .reverse = reverse };
	struct buf text = { 0 };

	if (column->number) {
		key.number = column->number(l, key.item);
		return key;
	}
	column->text(l, key.item, &text);
	key.text = arena_copy(&l->arena, buf_text(&text), text.length);
	buf_free(&text);
	return key;
}

bool listing_sort(struct listing *l, const char *name, struct buf *why)
{
	bool reverse = name[0] == '-';
	const struct listing_column *column = listing_column(l->info, name + reverse);
	struct sorted *keys;

	if (!column) {
		say_columns(l->info, name + reverse, why);
		return false;
	}
	keys = arena_array(&l->arena, l->count + 1, sizeof *keys);
	for (size_t i = 0; i < l->count; i++)
		keys[i] = sort_key(l, column, i, reverse);
	if (l->count > 1)
		qsort(keys, l->count, sizeof *keys, compare_sorted);
	for (size_t i = 0; i < l->count; i++)
		l->items[i] = keys[i].item;
	return true;
}

void listing_count(const struct listing *l, struct buf *out)
{
	if (l->count != l->total)
		buf_printf(out, "%zu of ", l->count);
	buf_printf(out, "%zu %s", l->total, l->info->items);
}

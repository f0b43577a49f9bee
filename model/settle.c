/* The order of findings, and one finding for one line although several rows share it.
 * SPDX-License-Identifier: MIT */
#include "model/eval_private.h"

#include <stdlib.h>
#include <string.h>

struct ordered {
	uint64_t place; /* rank of the path, then line */
	size_t given;
	struct finding *finding;
};

static int compare_paths(const void *left, const void *right)
{
	const struct source *const *a = left, *const *b = right;

	return strcmp((*a)->path, (*b)->path);
}

/* Rank of each source's path, by source id; paths are compared here once, not once a finding. */
static uint32_t *path_ranks(struct snapshot *s)
{
	const struct source **sorted = arena_array(&s->arena, s->sources.count + 1, sizeof *sorted);
	uint32_t *ranks = arena_array(&s->arena, s->sources.count + 1, sizeof *ranks);

	for (size_t i = 0; i < s->sources.count; i++)
		sorted[i] = s->sources.items[i];
	if (s->sources.count > 1)
		qsort(sorted, s->sources.count, sizeof *sorted, compare_paths);
	for (size_t i = 0; i < s->sources.count; i++)
		ranks[sorted[i]->id] = (uint32_t)i + 1;
	return ranks;
}

static int compare_findings(const void *left, const void *right)
{
	const struct ordered *a = left, *b = right;
	int order;

	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	order = strcmp(a->finding->rule->slug, b->finding->rule->slug);
	return order ? order : (a->given > b->given) - (a->given < b->given);
}

static void sort_findings(struct snapshot *s)
{
	struct ordered *order = arena_array(&s->arena, s->findings.count + 1, sizeof *order);
	const uint32_t *ranks = path_ranks(s);

	for (size_t i = 0; i < s->findings.count; i++) {
		struct span span = s->findings.items[i]->citations[0].span;

		order[i] = (struct ordered){
			.place = (uint64_t)ranks[span.source] << 32 | snapshot_line(s, span),
			.given = i,
			.finding = s->findings.items[i],
		};
	}
	if (s->findings.count > 1)
		qsort(order, s->findings.count, sizeof *order, compare_findings);
	for (size_t i = 0; i < s->findings.count; i++)
		s->findings.items[i] = order[i].finding;
}

static bool is_object(const struct finding *f)
{
	return f->row->kind == ROW_OBJECT;
}

/* The same line says the same of another row: one finding, not two. An object and the workload that it
 * reaches may be judged differently; the workload is what is at stake. */
static bool says_the_same(const struct finding *a, const struct finding *b)
{
	const struct fact *x = a->citations[0].fact, *y = b->citations[0].fact;

	return a->rule == b->rule && a->row != b->row && x && y && x->kind == y->kind &&
	       (a->severity == b->severity || is_object(a) != is_object(b)) &&
	       memcmp(&a->citations[0].span, &b->citations[0].span, sizeof(struct span)) == 0 &&
	       strcmp(x->value, y->value) == 0;
}

/* A main container speaks for the others, any workload for an object. */
static unsigned weight(const struct row *r)
{
	return r->kind == ROW_MAIN ? 0 : r->kind == ROW_OBJECT ? 2 : 1;
}

#define LOOK_BACK 64 /* findings of one line and rule, or places of one finding, that are compared */

/* Rows of several overlays stand in one file at one line: that is cited once. */
static bool is_cited(const struct finding *f, struct span span)
{
	size_t i = f->citation_count > LOOK_BACK ? f->citation_count - LOOK_BACK : 0;

	for (; i < f->citation_count; i++)
		if (memcmp(&f->citations[i].span, &span, sizeof span) == 0)
			return true;
	return false;
}

static void cite(struct snapshot *s, struct finding *f, struct citation place)
{
	struct {
		struct citation *items;
		size_t count, capacity;
	} list = { f->citations, f->citation_count,
		   f->citation_room ? f->citation_room : f->citation_count };

	if (is_cited(f, place.span))
		return;
	*ARENA_PUSH(&s->arena, &list) = place;
	f->citations = list.items;
	f->citation_count = list.count;
	f->citation_room = list.capacity;
}

/* Where the other row stands stays cited. */
static void join_places(struct snapshot *s, struct finding *kept, const struct finding *other)
{
	for (size_t i = 0; i < other->citation_count; i++)
		if (strcmp(other->citations[i].role, "row") == 0)
			cite(s, kept, other->citations[i]);
}

static void join_rows(struct snapshot *s, struct finding *kept, const struct finding *other)
{
	struct {
		const struct row **items;
		size_t count, capacity;
	} rows = { kept->rows, kept->row_count, kept->row_room };

	if (other->severity < kept->severity) {
		kept->severity = other->severity;
		kept->message = other->message;
		kept->confidence = other->confidence;
	}
	*ARENA_PUSH(&s->arena, &rows) = other->row;
	if (weight(other->row) < weight(kept->row)) {
		rows.items[rows.count - 1] = rows.items[0];
		rows.items[0] = other->row;
	}
	kept->rows = rows.items;
	kept->row_count = rows.count;
	kept->row_room = rows.capacity;
	kept->row = rows.items[0];
	join_places(s, kept, other);
	if (other->evidence == EVIDENCE_OBSERVED)
		kept->evidence = EVIDENCE_OBSERVED;
}

/* A combination that was built on a finding which another one now speaks for names that one. */
static void rename_parts(struct snapshot *s, const struct hash_index *renamed)
{
	for (size_t i = 0; renamed->count && i < s->findings.count; i++)
		for (size_t k = 0; k < s->findings.items[i]->part_count; k++) {
			struct finding *f = s->findings.items[i];
			uint32_t at;

			if (hash_index_get(renamed, f->parts[k], &at))
				f->parts[k] = s->findings.items[at]->id;
		}
}

/* The place among the kept findings of one that says the same as F, or SIZE_MAX. */
static size_t find_same(const struct snapshot *s, size_t kept, const struct finding *f)
{
	for (size_t k = kept; k-- > 0 && kept - k <= LOOK_BACK;) {
		const struct finding *before = s->findings.items[k];

		if (before->rule != f->rule ||
		    before->citations[0].span.source != f->citations[0].span.source)
			return SIZE_MAX;
		if (says_the_same(before, f))
			return k;
	}
	return SIZE_MAX;
}

static void join_equal(struct snapshot *s)
{
	struct hash_index renamed = { 0 };
	size_t kept = 0;

	for (size_t i = 0; i < s->findings.count; i++) {
		struct finding *f = s->findings.items[i];
		size_t same = find_same(s, kept, f);

		if (same != SIZE_MAX) {
			join_rows(s, s->findings.items[same], f);
			hash_index_put(&s->arena, &renamed, f->id, (uint32_t)same);
			continue;
		}
		f->rows = arena_array(&s->arena, 1, sizeof *f->rows);
		f->rows[0] = f->row;
		f->row_count = f->row_room = 1;
		s->findings.items[kept++] = f;
	}
	s->findings.count = kept;
	rename_parts(s, &renamed);
}

/* --- variants ------------------------------------------------------------------------------------
 * Files that repeat a service say the same of one workload: one finding with every place. */

/* What a finding says of the workload, whichever file says it; NULL when that cannot be compared. */
static const char *said_of_workload(struct snapshot *s, const struct finding *f)
{
	const struct fact *fact = f->citations[0].fact;

	if (!fact || f->part_count)
		return NULL;
	return arena_printf(&s->arena, "%s %u %u %u %s %s", f->rule->slug,
			    f->row->variant ? f->row->parent - 1 : f->row->index, (unsigned)fact->kind,
			    (unsigned)f->severity, fact->value, f->message);
}

static void join_variant(struct snapshot *s, struct finding *kept, const struct finding *other)
{
	struct citation place = other->citations[0];

	place.role = "variant";
	cite(s, kept, place);
	for (size_t i = 0; i < other->row_count; i++)
		if (!finding_concerns(kept, other->rows[i])) {
			struct finding one = *other;

			one.row = other->rows[i];
			one.citation_count = 0;
			join_rows(s, kept, &one);
		}
}

static bool has_variants(const struct snapshot *s)
{
	for (size_t i = 0; i < s->rows.count; i++)
		if (s->rows.items[i]->variant)
			return true;
	return false;
}

/* The workload's own file speaks for its variants. */
static void join_variants(struct snapshot *s)
{
	struct hash_index said = { 0 }, renamed = { 0 };
	size_t kept = 0, count = s->findings.count;
	bool *joined = arena_array(&s->arena, count + 1, sizeof *joined);
	uint32_t at;

	for (int own = 1; own >= 0; own--)
		for (size_t i = 0; i < count; i++) {
			struct finding *f = s->findings.items[i];
			const char *key = !f->row->variant == own ? said_of_workload(s, f) : NULL;

			if (!key)
				continue;
			if (!hash_index_get(&said, key, &at)) {
				hash_index_put(&s->arena, &said, key, (uint32_t)i);
			} else if (f->row->variant && s->findings.items[at]->row != f->row) {
				join_variant(s, s->findings.items[at], f);
				hash_index_put(&s->arena, &renamed, f->id, at);
				joined[i] = true;
			}
		}
	rename_parts(s, &renamed);
	for (size_t i = 0; i < count; i++)
		if (!joined[i])
			s->findings.items[kept++] = s->findings.items[i];
	s->findings.count = kept;
}

void findings_settle(struct snapshot *s)
{
	sort_findings(s);
	join_equal(s);
	if (has_variants(s))
		join_variants(s);
}

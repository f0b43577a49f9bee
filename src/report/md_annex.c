/* Annex B: every cell. What several rows have alike is said once, for all of them; the rest by row.
 * SPDX-License-Identifier: MIT */
#include "src/report/md.h"

#include "model/listing.h"

#define MOST_PLACES 6 /* of one cell */

struct group {
	const char *body; /* the columns from mark to evidence */
	struct {
		size_t *items;
		size_t count, capacity;
	} rows; /* workloads, ascending */
};

struct annex {
	struct md *m;
	struct arena arena;
	struct {
		struct group *items;
		size_t count, capacity;
	} groups[FIELD_COUNT];
	size_t *group_of; /* by cell */
};

/* Values of one line have one place. */
static bool is_among(const struct md *m, const struct span *spans, size_t count, struct span span)
{
	const struct snapshot *s = m->report->snapshot;

	for (size_t i = 0; i < count; i++)
		if (spans[i].source == span.source &&
		    snapshot_line(s, spans[i]) == snapshot_line(s, span))
			return true;
	return false;
}

static void add_basis(struct md *m, const struct matched_cell *c)
{
	const struct fact *f = cell_next(c->cell.row, c->cell.field, NULL);
	struct span spans[MOST_PLACES];
	size_t listed = 0, more = 0;

	for (; f; f = cell_next(c->cell.row, c->cell.field, f)) {
		if (!span_is_set(f->span) || is_among(m, spans, listed, f->span))
			continue;
		if (listed == MOST_PLACES)
			more++;
		else
			spans[listed++] = f->span;
	}
	md_places(m, 0, spans, listed);
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

static const char *cell_body(struct annex *x, const struct matched_cell *c)
{
	struct buf body = { 0 }, text = { 0 }, *out = x->m->out;
	const struct snapshot *s = x->m->report->snapshot;
	const char *copy;

	x->m->out = &body;
	listing_mark(c, &body);
	buf_puts(&body, " | ");
	cell_declared(s, c->cell.row, c->cell.field, &text);
	md_short(x->m, buf_text(&text), 4 * MD_VALUE_CELLS);
	buf_puts(&body, " | ");
	buf_clear(&text);
	cell_observed(s, c->cell.row, c->cell.field, &text);
	md_short(x->m, buf_text(&text), 4 * MD_VALUE_CELLS);
	buf_puts(&body, " | ");
	add_marked(x->m, c);
	x->m->out = out;
	copy = arena_strdup(&x->arena, buf_text(&body));
	buf_free(&body);
	buf_free(&text);
	return copy;
}

static void group_field(struct annex *x, enum field field)
{
	const struct match *match = x->m->report->match;
	struct hash_index index = { 0 };

	for (size_t i = 0; i < match->workload_count; i++) {
		const char *body = cell_body(x, match_cell(match, i, field));
		uint32_t at;

		if (!hash_index_get(&index, body, &at)) {
			at = (uint32_t)x->groups[field].count;
			hash_index_put(&x->arena, &index, body, at);
			*ARENA_PUSH(&x->arena, &x->groups[field]) = (struct group){ .body = body };
		}
		x->group_of[i * FIELD_COUNT + field] = at;
		*ARENA_PUSH(&x->arena, &x->groups[field].items[at].rows) = i;
	}
}

/* Where a file says so; a default has no place but its row's. */
static struct span written_at(const struct matched_cell *c)
{
	const struct fact *f = cell_next(c->cell.row, c->cell.field, NULL);

	for (; f; f = cell_next(c->cell.row, c->cell.field, f))
		if (f->provenance != PROVENANCE_ABSENT && span_is_set(f->span))
			return f->span;
	return (struct span){ 0 };
}

/* Rows for which a shared value is written at one place. */
struct written {
	struct span span; /* unset: of rows with the default */
	struct {
		size_t *items;
		size_t count, capacity;
	} rows;
};

struct places {
	struct arena arena;
	struct hash_index index;
	struct {
		struct written *items;
		size_t count, capacity;
	} list;
};

static void gather_place(struct places *p, struct span span, size_t workload)
{
	const char *key = arena_printf(&p->arena, "%u %u %u", (unsigned)span.source,
				       (unsigned)span.offset, (unsigned)span.length);
	uint32_t at;

	if (!hash_index_get(&p->index, key, &at)) {
		at = (uint32_t)p->list.count;
		hash_index_put(&p->arena, &p->index, key, at);
		*ARENA_PUSH(&p->arena, &p->list) = (struct written){ .span = span };
	}
	*ARENA_PUSH(&p->arena, &p->list.items[at].rows) = workload;
}

/* "R-03–R-07 `path`:12; R-09 :30": each row once, with the place where its file says so. */
static void add_places(struct md *m, const struct group *g, enum field field)
{
	struct places p = { 0 };
	uint32_t source = 0;

	for (size_t i = 0; i < g->rows.count; i++)
		gather_place(&p, written_at(match_cell(m->report->match, g->rows.items[i], field)),
			     g->rows.items[i]);
	for (size_t i = 0; i < p.list.count; i++) {
		const struct written *w = &p.list.items[i];

		buf_puts(m->out, i ? "; " : "");
		md_row_ranges(m, w->rows.items, w->rows.count);
		if (!span_is_set(w->span))
			continue;
		buf_putc(m->out, ' ');
		md_places(m, source, &w->span, 1);
		source = w->span.source;
	}
	arena_free(&p.arena);
}

static void add_shared(struct annex *x)
{
	struct md *m = x->m;

	buf_puts(m->out, "### Values that several rows share\n\n"
			 "| Field | Mark | Declared | Observed | Evidence | Rows and places |\n"
			 "|---|---|---|---|---|---|\n");
	for (unsigned field = 0; field < FIELD_COUNT; field++)
		for (size_t i = 0; i < x->groups[field].count; i++) {
			const struct group *g = &x->groups[field].items[i];

			if (g->rows.count < 2)
				continue;
			md_printf(m, "| %s | %s | ", field_table[field].slug, g->body);
			add_places(m, g, (enum field)field);
			buf_puts(m->out, " |\n");
		}
	buf_putc(m->out, '\n');
}

static const struct group *group_at(const struct annex *x, size_t workload, unsigned field)
{
	return &x->groups[field].items[x->group_of[workload * FIELD_COUNT + field]];
}

static void add_row(struct annex *x, size_t workload)
{
	struct md *m = x->m;
	const struct match *match = m->report->match;
	size_t listed = 0;

	for (unsigned field = 0; field < FIELD_COUNT; field++) {
		const struct group *g = group_at(x, workload, field);

		if (g->rows.count > 1)
			continue;
		if (!listed++) {
			buf_puts(m->out, "### ");
			md_row(m, match->workloads[workload]);
			buf_puts(m->out, "\n\nKey ");
			md_code(m, match->workloads[workload]->key);
			buf_puts(m->out,
				 "\n\n| Field | Mark | Declared | Observed | Evidence | Place |\n"
				 "|---|---|---|---|---|---|\n");
		}
		md_printf(m, "| %s | %s | ", field_table[field].slug, g->body);
		add_basis(m, match_cell(match, workload, (enum field)field));
		buf_puts(m->out, " |\n");
	}
	if (listed)
		buf_putc(m->out, '\n');
}

void md_annex_map(struct md *m)
{
	const struct match *match = m->report->match;
	struct annex x = { .m = m };

	buf_puts(m->out, "## Annex B. Every cell\n\n");
	if (!match->workload_count) {
		buf_puts(m->out, "No row.\n\n");
		return;
	}
	buf_puts(m->out, "A cell is one field of one row. What several rows have alike stands once, in "
			 "the first table; what only one row has follows by row. A default has no "
			 "place but its row's own, in section 3.\n\n");
	x.group_of = arena_array(&x.arena, match->workload_count * FIELD_COUNT, sizeof *x.group_of);
	for (unsigned field = 0; field < FIELD_COUNT; field++)
		group_field(&x, (enum field)field);
	add_shared(&x);
	for (size_t i = 0; i < match->workload_count; i++)
		add_row(&x, i);
	arena_free(&x.arena);
}

/* A review laid over a snapshot.
 * SPDX-License-Identifier: MIT */
#include "model/match.h"

#include <stdlib.h>
#include <string.h>

/* --- order of the inventory --------------------------------------------------------------------- */

struct placed {
	const struct row *row;
	const char *path;
	uint32_t line;
};

static int compare_places(const void *left, const void *right)
{
	const struct placed *a = left, *b = right;
	int order = strcmp(a->path, b->path);

	if (order)
		return order;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return a->row->index < b->row->index ? -1 : a->row->index > b->row->index;
}

/* Children of each row as linked lists of places, in order; entry 0 heads the rows without parent. */
struct family {
	size_t *first, *next; /* place + 1; 0 = none */
};

static struct family family_of(struct arena *a, const struct snapshot *s,
			       const struct placed *places, size_t count)
{
	struct family f = { .first = arena_array(a, s->rows.count + 1, sizeof *f.first),
			    .next = arena_array(a, count + 1, sizeof *f.next) };

	for (size_t i = count; i-- > 0;) {
		const struct row *row = places[i].row;
		size_t parent = row->parent;

		if (parent > s->rows.count || parent == row->index + 1u ||
		    (parent && !row_is_workload(s->rows.items[parent - 1])))
			parent = 0;
		f.next[i] = f.first[parent];
		f.first[parent] = i + 1;
	}
	return f;
}

/* Parents before their children, without recursion; rows in a circle of parents come last. */
static void order_rows(struct match *m, const struct placed *places, size_t count)
{
	struct family f = family_of(&m->arena, m->snapshot, places, count);
	size_t *stack = arena_array(&m->arena, count + 1, sizeof *stack), depth = 0;
	bool *seen = arena_array(&m->arena, count + 1, sizeof *seen);
	size_t at = f.first[0];

	while (at || depth) {
		if (!at) {
			at = f.next[stack[--depth]];
			continue;
		}
		m->workloads[m->workload_count++] = places[at - 1].row;
		seen[at - 1] = true;
		stack[depth++] = at - 1;
		at = f.first[places[at - 1].row->index + 1];
	}
	for (size_t i = 0; i < count; i++)
		if (!seen[i])
			m->workloads[m->workload_count++] = places[i].row;
}

static void list_workloads(struct match *m)
{
	const struct snapshot *s = m->snapshot;
	struct placed *places = arena_array(&m->arena, s->rows.count + 1, sizeof *places);
	size_t count = 0;

	m->workloads = arena_array(&m->arena, s->rows.count + 1, sizeof *m->workloads);
	for (size_t i = 0; i < s->rows.count; i++) {
		const struct row *row = s->rows.items[i];

		if (row_is_workload(row))
			places[count++] = (struct placed){
				row, s->artifacts.items[row->artifact]->path,
				snapshot_line(s, row->span) };
	}
	if (count > 1)
		qsort(places, count, sizeof *places, compare_places);
	order_rows(m, places, count);
	m->places = arena_array(&m->arena, s->rows.count + 1, sizeof *m->places);
	for (size_t i = 0; i < m->workload_count; i++)
		m->places[m->workloads[i]->index] = i + 1;
}

/* --- cells -------------------------------------------------------------------------------------- */

static void match_one_cell(struct match *m, struct matched_cell *c, const struct row *row,
			   enum field field, digest_fn *digest)
{
	char fingerprint[DIGEST_HEX];

	c->cell = cell_of(m->snapshot, row, field);
	c->worst = SEVERITY_COUNT;
	c->effective = c->cell.mark;
	if (!m->review || !m->review->marks.count)
		return;
	c->marked = review_mark(m->review, cell_key(&m->arena, row, field));
	if (!c->marked)
		return;
	cell_fingerprint(m->snapshot, row, field, digest, fingerprint);
	c->freshness = strcmp(c->marked->fingerprint, fingerprint) == 0 ? FRESH_CURRENT
									: FRESH_STALE;
	c->effective = c->freshness == FRESH_CURRENT ? c->marked->mark : MARK_UNAVAILABLE;
}

static bool is_boundary(enum field field)
{
	return field == FIELD_ISOLATION || field == FIELD_CONTROL_CHANNELS ||
	       field == FIELD_MOUNTS || field == FIELD_PRIVILEGE_GAIN || field == FIELD_EGRESS;
}

static void count_cell(struct counts *n, const struct matched_cell *c)
{
	n->cells++;
	n->by_mark[c->effective]++;
	n->confirmed += c->freshness == FRESH_CURRENT;
	n->stale += c->freshness == FRESH_STALE;
	n->disputed += c->marked && c->marked->disputed;
	n->boundary_unresolved += c->effective == MARK_UNAVAILABLE && is_boundary(c->cell.field);
}

static void match_cells(struct match *m, digest_fn *digest)
{
	m->cells = arena_array(&m->arena, m->workload_count * FIELD_COUNT + 1, sizeof *m->cells);
	m->tallies = arena_array(&m->arena, m->workload_count + 1, sizeof *m->tallies);
	for (size_t i = 0; i < m->workload_count; i++)
		for (unsigned field = 0; field < FIELD_COUNT; field++) {
			struct matched_cell *c = &m->cells[i * FIELD_COUNT + field];

			match_one_cell(m, c, m->workloads[i], (enum field)field, digest);
			c->conflict = c->cell.conflict ? ++m->counts.conflicts : 0;
			count_cell(&m->counts, c);
			m->tallies[i].confirmed += c->freshness == FRESH_CURRENT;
			m->tallies[i].stale += c->freshness == FRESH_STALE;
		}
}

static void find_orphans(struct match *m)
{
	for (size_t i = 0; m->review && i < m->review->marks.count; i++) {
		const struct marked *marked = &m->review->marks.items[i];
		const struct row *row = NULL;
		const char *row_key;
		enum field field;

		if (cell_key_split(&m->arena, marked->key, &row_key, &field))
			row = snapshot_row_by_key(m->snapshot, row_key);
		if (!row || match_workload(m, row) == SIZE_MAX)
			*ARENA_PUSH(&m->arena, &m->orphans) = marked;
	}
}

/* --- findings ----------------------------------------------------------------------------------- */

bool disposition_is_settled(enum disposition d)
{
	return d == DISPOSITION_ACCEPTED || d == DISPOSITION_FALSE_POSITIVE ||
	       d == DISPOSITION_DUPLICATE || d == DISPOSITION_NOT_APPLICABLE;
}

/* A fix that was verified and whose finding is still there was none. */
static bool is_reopened(struct matched_finding *f, const char *today)
{
	const struct decided *d = f->decided;

	f->changed = strcmp(d->fingerprint, f->finding->fingerprint) != 0 ||
		     d->disposition == DISPOSITION_FIX_VERIFIED;
	f->expired = d->disposition == DISPOSITION_ACCEPTED && today && *d->expires &&
		     strcmp(d->expires, today) < 0;
	return f->changed || f->expired;
}

static void match_one_finding(const struct match *m, struct matched_finding *f,
			      const struct finding *finding, const char *today)
{
	const char *task = m->review ? review_task(m->review, finding->row->key) : NULL;

	f->finding = finding;
	f->severity = finding_severity(finding, task != NULL);
	f->decided = m->review ? review_decision(m->review, finding->id) : NULL;
	if (f->decided && !is_reopened(f, today)) {
		f->disposition = f->decided->disposition;
		if (f->decided->has_severity)
			f->severity = f->decided->severity;
	}
	f->blocking = f->severity <= SEVERITY_HIGH && !disposition_is_settled(f->disposition);
}

static void count_finding(struct counts *n, const struct matched_finding *f)
{
	bool settled = disposition_is_settled(f->disposition);

	n->findings[f->severity] += !settled;
	n->settled[f->severity] += settled;
	n->blocking += f->blocking;
	n->undecided += f->disposition == DISPOSITION_NEW;
}

static void tally_row(struct match *m, const struct matched_finding *f, const struct row *row)
{
	size_t workload = match_workload(m, row);
	struct matched_cell *c;

	if (workload == SIZE_MAX)
		return;
	c = &m->cells[workload * FIELD_COUNT + (size_t)f->finding->rule->field];
	m->tallies[workload].findings[f->severity]++;
	if (f->severity < c->worst)
		c->worst = f->severity;
}

/* An open finding counts for its rows and colours their cells. */
static void tally_finding(struct match *m, const struct matched_finding *f)
{
	if (disposition_is_settled(f->disposition))
		return;
	for (size_t i = 0; i < f->finding->row_count; i++)
		tally_row(m, f, f->finding->rows[i]);
}

/* --- order of the findings ---------------------------------------------------------------------- */

unsigned match_rank(const struct match *m, const struct finding *f)
{
	const struct span span = span_is_set(f->citations[0].span) ? f->citations[0].span
								   : f->row->span;
	const struct artifact *a =
		snapshot_artifact_by_path(m->snapshot, snapshot_path(m->snapshot, span));

	return !a ? 0 : a->class == CLASS_TEST ? 2 : a->class == CLASS_EXAMPLE ? 1 : 0;
}

enum row_role match_role(const struct match *m, const struct row *row)
{
	const char *said = m->review ? review_role(m->review, row->key) : NULL;

	for (unsigned role = 0; said && role < ROLE_COUNT; role++)
		if (strcmp(row_role_names[role], said) == 0)
			return (enum row_role)role;
	return row->role;
}

void match_judged_role(const struct match *m, const struct row *row, struct buf *out)
{
	if (match_role(m, row) != row->role)
		buf_printf(out, "; the findings still judge it as proposed: %s", row_role_names[row->role]);
}

#define ROLE_ORDERS 3
static const unsigned role_order[ROLE_COUNT] = {
	[ROLE_AGENT] = 0,   [ROLE_MCP_SERVER] = 1, [ROLE_TOOL] = 1,	     [ROLE_HELPER] = 1,
	[ROLE_UNKNOWN] = 2, [ROLE_INFRASTRUCTURE] = 2,
};

#define ORDERS (SEVERITY_COUNT * 3 * 2 * ROLE_ORDERS)

/* Of each row: whether others reach it, then what it does. */
static unsigned *row_orders(struct match *m)
{
	const struct snapshot *s = m->snapshot;
	unsigned *orders = arena_array(&m->arena, s->rows.count + 1, sizeof *orders);

	for (size_t i = 0; i < s->rows.count; i++)
		orders[i] = (row_is_exposed(s->rows.items[i]) ? 0 : ROLE_ORDERS) +
			    role_order[match_role(m, s->rows.items[i])];
	return orders;
}

/* Severity, whether the file is meant to be used, then the row. Findings that are equal in these keep the
 * snapshot's order: by path, line and rule. */
static void order_findings(struct match *m, const struct matched_finding *unsorted)
{
	unsigned *orders = arena_array(&m->arena, m->finding_count + 1, sizeof *orders);
	const unsigned *rows = row_orders(m);
	size_t next[ORDERS + 1] = { 0 };

	for (size_t i = 0; i < m->finding_count; i++) {
		orders[i] = (unsorted[i].severity * 3 + match_rank(m, unsorted[i].finding)) * 2 *
				    ROLE_ORDERS +
			    rows[unsorted[i].finding->row->index];
		next[orders[i] + 1]++;
	}
	for (unsigned i = 1; i < ORDERS; i++)
		next[i] += next[i - 1];
	for (size_t i = 0; i < m->finding_count; i++)
		m->findings[next[orders[i]]++] = unsorted[i];
}

/* Counts first, so that the places of each row lie side by side. */
static void list_by_row(struct match *m)
{
	size_t total = 0;

	m->by_row = arena_array(&m->arena, m->snapshot->rows.count + 1, sizeof *m->by_row);
	for (size_t i = 0; i < m->finding_count; i++) {
		const struct matched_finding *f = &m->findings[i];
		const bool open = !disposition_is_settled(f->disposition);

		m->by_row[f->finding->row->index].leads = true;
		for (size_t k = 0; k < f->finding->row_count; k++) {
			struct row_findings *r = &m->by_row[f->finding->rows[k]->index];

			r->count++;
			r->open[f->severity] += open;
		}
	}
	for (size_t i = 0; i < m->snapshot->rows.count; i++) {
		m->by_row[i].first = total;
		total += m->by_row[i].count;
		m->by_row[i].count = 0;
	}
	m->row_places = arena_array(&m->arena, total + 1, sizeof *m->row_places);
	for (size_t i = 0; i < m->finding_count; i++)
		for (size_t k = 0; k < m->findings[i].finding->row_count; k++) {
			struct row_findings *r =
				&m->by_row[m->findings[i].finding->rows[k]->index];

			m->row_places[r->first + r->count++] = i;
		}
}

static void match_findings(struct match *m, const char *today)
{
	const struct snapshot *s = m->snapshot;
	struct matched_finding *unsorted;

	m->finding_count = s->findings.count;
	unsorted = arena_array(&m->arena, m->finding_count + 1, sizeof *unsorted);
	m->findings = arena_array(&m->arena, m->finding_count + 1, sizeof *m->findings);
	for (size_t i = 0; i < m->finding_count; i++) {
		match_one_finding(m, &unsorted[i], s->findings.items[i], today);
		count_finding(&m->counts, &unsorted[i]);
		tally_finding(m, &unsorted[i]);
	}
	order_findings(m, unsorted);
	list_by_row(m);
	for (size_t i = 0; i < m->finding_count; i++)
		hash_index_put(&m->arena, &m->finding_places, m->findings[i].finding->id,
			       (uint32_t)i);
}

/* --- paths -------------------------------------------------------------------------------------- */

/* A finding that a person holds for wrong or mended leads nowhere; an accepted one still does. */
static bool leads_on(const struct matched_finding *f)
{
	return f->disposition != DISPOSITION_FALSE_POSITIVE &&
	       f->disposition != DISPOSITION_FIX_VERIFIED &&
	       f->disposition != DISPOSITION_DUPLICATE &&
	       f->disposition != DISPOSITION_NOT_APPLICABLE;
}

static bool starts_paths(const struct match *m, const struct row *row)
{
	enum row_role role = match_role(m, row);

	return row_is_workload(row) &&
	       (role == ROLE_AGENT || role == ROLE_TOOL || role == ROLE_MCP_SERVER);
}

static void add_hop(struct match *m, struct path *found, const struct matched_finding *f,
		    enum reach_target to)
{
	for (size_t i = 0; i < f->finding->row_count; i++) {
		const struct row *row = f->finding->rows[i];
		size_t place = match_workload(m, row);
		struct path *p;

		if (place == SIZE_MAX || !starts_paths(m, row))
			continue;
		p = &found[to * m->workload_count + place];
		p->from = row;
		p->to = to;
		if (f->finding->evidence == EVIDENCE_UNAVAILABLE)
			p->weakest = EVIDENCE_UNAVAILABLE;
		else if (!p->hops.count || f->finding->evidence == EVIDENCE_DECLARED)
			p->weakest = p->weakest == EVIDENCE_UNAVAILABLE ? EVIDENCE_UNAVAILABLE
									: f->finding->evidence;
		*ARENA_PUSH(&m->arena, &p->hops) = f->finding;
	}
}

static void match_paths(struct match *m)
{
	size_t total = m->workload_count * REACH_TARGET_COUNT;
	struct path *found = arena_array(&m->arena, total + 1, sizeof *found);

	for (size_t i = 0; i < m->finding_count; i++) {
		enum reach_target to = reach_of(m->findings[i].finding->rule);

		if (to != REACH_TARGET_COUNT && leads_on(&m->findings[i]))
			add_hop(m, found, &m->findings[i], to);
	}
	for (size_t i = 0; i < total; i++)
		if (found[i].from)
			*ARENA_PUSH(&m->arena, &m->paths) = found[i];
}

/* Files that were read come first, so that the ids that people meet are small. */
static void number_artifacts(struct match *m)
{
	const struct snapshot *s = m->snapshot;
	uint32_t number = 0;

	m->artifact_numbers = arena_array(&m->arena, s->artifacts.count + 1,
					  sizeof *m->artifact_numbers);
	for (unsigned pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < s->artifacts.count; i++)
			if ((s->artifacts.items[i]->state == ARTIFACT_IGNORED) == (pass == 1))
				m->artifact_numbers[i] = ++number;
}

static void count_files(struct match *m)
{
	for (size_t i = 0; i < m->snapshot->artifacts.count; i++) {
		enum artifact_state state = m->snapshot->artifacts.items[i]->state;

		m->counts.files++;
		m->counts.assessed += state == ARTIFACT_ASSESSED;
		m->counts.partial += state == ARTIFACT_PARTIAL;
		m->counts.not_assessed += state == ARTIFACT_NOT_ASSESSED;
		m->counts.ignored += state == ARTIFACT_IGNORED;
	}
	m->counts.unknowns = m->snapshot->unknowns.count;
}

void match_build_on(struct match *m, const struct snapshot *s, const struct review *r,
		    digest_fn *digest, const char *today)
{
	*m = (struct match){ .snapshot = s, .review = r };
	number_artifacts(m);
	list_workloads(m);
	match_cells(m, digest);
	find_orphans(m);
	match_findings(m, today);
	match_paths(m);
	count_files(m);
}

void match_build(struct match *m, const struct snapshot *s, const struct review *r,
		 digest_fn *digest)
{
	match_build_on(m, s, r, digest, NULL);
}

void match_free(struct match *m)
{
	struct arena arena = m->arena;

	*m = (struct match){ 0 };
	arena_free(&arena);
}

const struct matched_cell *match_cell(const struct match *m, size_t workload, enum field field)
{
	return &m->cells[workload * FIELD_COUNT + (size_t)field];
}

size_t match_workload(const struct match *m, const struct row *row)
{
	return m->places[row->index] ? m->places[row->index] - 1 : SIZE_MAX;
}

size_t match_finding(const struct match *m, const char *id)
{
	uint32_t at;

	return hash_index_get(&m->finding_places, id, &at) ? at : SIZE_MAX;
}

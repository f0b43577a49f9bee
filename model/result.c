/* Whether the one positive sentence of a report may be printed.
 * SPDX-License-Identifier: MIT */
#include "model/match.h"

#include <stdio.h>
#include <string.h>

struct sentence {
	struct arena *arena;
	struct result_sentence *out;
};

static void because(struct sentence *s, size_t count, const char *one, const char *many)
{
	if (count)
		*ARENA_PUSH(s->arena, &s->out->reasons) =
			arena_printf(s->arena, "%zu %s", count, count == 1 ? one : many);
}

static size_t unhashed(const struct match *m)
{
	size_t count = 0;

	for (size_t i = 0; i < m->snapshot->artifacts.count; i++) {
		const struct artifact *a = m->snapshot->artifacts.items[i];

		count += (a->state == ARTIFACT_ASSESSED || a->state == ARTIFACT_PARTIAL) &&
			 !a->has_digest;
	}
	return count;
}

static size_t conflicts_without_note(const struct match *m)
{
	size_t count = 0;

	for (size_t i = 0; i < m->workload_count * FIELD_COUNT; i++) {
		const struct matched_cell *c = &m->cells[i];
		bool noted = c->freshness == FRESH_CURRENT && *c->marked->note;

		count += c->cell.conflict && !noted;
	}
	return count;
}

static bool unresolved_confirmed(const struct match *m)
{
	char number[32];

	snprintf(number, sizeof number, "%zu", m->counts.boundary_unresolved);
	for (size_t i = 0; m->review && i < m->review->notes.count; i++)
		if (strcmp(m->review->notes.items[i].key, RESULT_CONFIRM_KEY) == 0 &&
		    strcmp(m->review->notes.items[i].text, number) == 0)
			return true;
	return false;
}

static void add_plain(struct sentence *s, const char *reason)
{
	*ARENA_PUSH(s->arena, &s->out->reasons) = reason;
}

void match_result(const struct match *m, struct arena *a, struct result_sentence *out)
{
	const struct counts *n = &m->counts;
	struct sentence s = { .arena = a, .out = out };

	*out = (struct result_sentence){ .boundary_unresolved = n->boundary_unresolved,
					 .declared_only = n->by_mark[MARK_OBSERVED] == 0 };
	if (m->snapshot->partial)
		add_plain(&s, "reading was stopped before the end");
	if (n->assessed + n->partial == 0)
		add_plain(&s, "no artifact was read");
	if (m->workload_count == 0)
		add_plain(&s, "no workload was found");
	because(&s, n->blocking, "critical or high finding is open",
		"critical or high findings are open");
	because(&s, unhashed(m), "artifact has no hash", "artifacts have no hash");
	because(&s, n->cells - n->confirmed - n->stale,
		"cell is the program's proposal and was not confirmed by a person",
		"cells are the program's proposals and were not confirmed by a person");
	because(&s, n->stale, "mark is stale", "marks are stale");
	because(&s, n->disputed, "cell is disputed", "cells are disputed");
	because(&s, conflicts_without_note(m),
		"conflict between declared and observed has no note",
		"conflicts between declared and observed have no note");
	if (n->boundary_unresolved && !unresolved_confirmed(m))
		because(&s, n->boundary_unresolved,
			"boundary check is unresolved, which was not confirmed once more",
			"boundary checks are unresolved, which was not confirmed once more");
	out->allowed = out->reasons.count == 0;
}

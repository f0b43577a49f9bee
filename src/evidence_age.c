/* Compares the times inside exports with the commit under review.
 * SPDX-License-Identifier: MIT */
#include "src/evidence_age.h"

#include <stdio.h>

#include "model/limits.h"

#define SECONDS_A_DAY 86400

/* Days from 1970-01-01 to a day of the Gregorian calendar. */
static int64_t days_of(int64_t year, int64_t month, int64_t day)
{
	int64_t y = month > 2 ? year : year - 1;
	int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

	return y * 365 + y / 4 - y / 100 + y / 400 + of_year - 719468;
}

/* How many days A was captured before COMMITTED; 0 when that is not known or later. */
static int64_t days_before(const struct artifact *a, int64_t committed)
{
	int year, month, day;
	int64_t days;

	if (!a->captured_at || sscanf(a->captured_at, "%4d-%2d-%2d", &year, &month, &day) != 3 ||
	    year < 1970 || month < 1 || month > 12 || day < 1 || day > 31)
		return 0;
	days = committed / SECONDS_A_DAY - days_of(year, month, day);
	return days > 0 ? days : 0;
}

/* Exports that are too old, by the id of their source. */
struct old {
	const struct artifact *artifact; /* NULL: not too old */
	int64_t days;
	const struct row *said_of; /* the last row that got the fact */
};

static void mark(struct snapshot *s, struct row *row, const struct old *old, struct span span)
{
	char text[80];
	struct fact *f;

	snprintf(text, sizeof text, "captured %.10s, %lld days before the reviewed commit",
		 old->artifact->captured_at, (long long)old->days);
	f = snapshot_add_fact(s, row, FACT_EVIDENCE_AGE, text, span);
	f->layer = LAYER_OBSERVED;
	snapshot_set_attribute(s, f, "stale", "true");
}

/* Says it once for each export that shows the row. */
static void mark_row(struct snapshot *s, struct row *row, struct old *olds)
{
	const size_t count = row->facts.count;

	for (size_t i = 0; i < count; i++) {
		const struct fact *shown = row->facts.items[i];
		struct old *old = &olds[shown->span.source];

		if (shown->layer != LAYER_OBSERVED || !old->artifact || old->said_of == row)
			continue;
		old->said_of = row;
		mark(s, row, old, shown->span);
	}
}

void evidence_age(struct snapshot *s, int64_t committed)
{
	struct arena scratch = { 0 };
	struct old *olds = arena_array(&scratch, s->sources.count + 1, sizeof *olds);
	bool any = false;

	for (size_t i = 0; committed && i < s->artifacts.count; i++) {
		const struct artifact *a = s->artifacts.items[i];
		int64_t days = a->class == CLASS_EXPORT && a->source ? days_before(a, committed) : 0;

		if (days <= LIMIT_EVIDENCE_DAYS)
			continue;
		olds[a->source->id] = (struct old){ .artifact = a, .days = days };
		any = true;
	}
	for (size_t i = 0; any && i < s->rows.count; i++)
		mark_row(s, s->rows.items[i], olds);
	arena_free(&scratch);
}

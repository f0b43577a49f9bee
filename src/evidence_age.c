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

static const struct fact *shown_by(const struct row *r, const struct artifact *a)
{
	for (size_t i = 0; i < r->facts.count; i++)
		if (r->facts.items[i]->layer == LAYER_OBSERVED &&
		    r->facts.items[i]->span.source == a->source->id)
			return r->facts.items[i];
	return NULL;
}

static void mark_rows(struct snapshot *s, const struct artifact *a, int64_t days)
{
	char text[80];

	snprintf(text, sizeof text, "captured %.10s, %lld days before the reviewed commit",
		 a->captured_at, (long long)days);
	for (size_t i = 0; i < s->rows.count; i++) {
		const struct fact *shown = shown_by(s->rows.items[i], a);
		struct fact *f;

		if (!shown)
			continue;
		f = snapshot_add_fact(s, s->rows.items[i], FACT_EVIDENCE_AGE, text, shown->span);
		f->layer = LAYER_OBSERVED;
		snapshot_set_attribute(s, f, "stale", "true");
	}
}

void evidence_age(struct snapshot *s, int64_t committed)
{
	for (size_t i = 0; committed && i < s->artifacts.count; i++) {
		const struct artifact *a = s->artifacts.items[i];
		int64_t days = a->class == CLASS_EXPORT && a->source ? days_before(a, committed) : 0;

		if (days > LIMIT_EVIDENCE_DAYS)
			mark_rows(s, a, days);
	}
}

/* Exports that are older than the commit under review: said of the rows that they show, and of no other.
 * SPDX-License-Identifier: MIT */


#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/format_help.h"

#include "src/evidence_age.h"

#define DAY (INT64_C(86400))
#define CAPTURED (INT64_C(20400) * DAY) /* 2025-11-08 */

static const struct fact *age_after(struct reading *r, const char *captured, int64_t committed)
{
	struct input *in = add_text(r, "e.json", "{}\n");
	struct row_spec spec = { .path = "e.json", .object_kind = "container", .unit = "a",
				 .kind = ROW_MAIN, .format = FORMAT_INSPECT };
	struct row *row = snapshot_add_row(&r->snapshot, &spec);
	struct span span = { in->source->id, 0, 2 };

	in->artifact->class = CLASS_EXPORT;
	in->artifact->captured_at = captured;
	snapshot_add_fact(&r->snapshot, row, FACT_USER, "0", span)->layer = LAYER_OBSERVED;
	evidence_age(&r->snapshot, committed);
	return row_first(row, FACT_EVIDENCE_AGE, LAYER_OBSERVED);
}

static void old_evidence_is_said(void **state)
{
	static const struct {
		const char *captured;
		int64_t committed;
		const char *days; /* NULL: not too old */
	} cases[] = {
		{ "2025-11-08T10:00:00Z", CAPTURED + 31 * DAY, "31 days" },
		{ "2025-11-08T10:00:00Z", CAPTURED + 30 * DAY, NULL },
		{ "2025-11-08T10:00:00Z", CAPTURED - 400 * DAY, NULL },
		{ "2024-02-29T00:00:00Z", CAPTURED, "618 days" },
		{ "2025-11-08T10:00:00Z", 0, NULL },
		{ "2025-99-08T10:00:00Z", CAPTURED + 90 * DAY, NULL },
		{ "soon", CAPTURED + 90 * DAY, NULL },
		{ NULL, CAPTURED + 90 * DAY, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct reading r = { 0 };
		const struct fact *f = age_after(&r, cases[i].captured, cases[i].committed);

		if (!f != !cases[i].days || (f && !strstr(f->value, cases[i].days)))
			fail_msg("case %zu: %s", i, f ? f->value : "nothing");
		reading_free(&r);
	}
}

static struct span old_export(struct reading *r, const char *path, const char *captured)
{
	struct input *in = add_text(r, path, "{}\n");

	in->artifact->class = CLASS_EXPORT;
	in->artifact->captured_at = captured;
	return (struct span){ in->source->id, 0, 2 };
}

static struct row *new_row(struct reading *r, const char *unit)
{
	return snapshot_add_row(&r->snapshot, &(struct row_spec){ .path = "e.json", .object_kind = "container",
								  .unit = unit, .kind = ROW_MAIN,
								  .format = FORMAT_INSPECT });
}

static size_t ages_of(const struct row *row)
{
	const struct fact *f = row_first(row, FACT_EVIDENCE_AGE, LAYER_OBSERVED);
	size_t count = 0;

	for (; f; f = row_next(row, f))
		count++;
	return count;
}

static void each_export_is_said_once_of_each_row(void **state)
{
	struct reading r = { 0 };
	const struct span first = old_export(&r, "a.json", "2025-11-08T10:00:00Z"),
			  second = old_export(&r, "b.json", "2025-10-08T10:00:00Z"),
			  fresh = old_export(&r, "c.json", "2026-01-08T10:00:00Z");
	struct row *both = new_row(&r, "a"), *one = new_row(&r, "b"), *none = new_row(&r, "c");

	(void)state;
	snapshot_add_fact(&r.snapshot, both, FACT_USER, "0", first)->layer = LAYER_OBSERVED;
	snapshot_add_fact(&r.snapshot, both, FACT_PRIVILEGED, "true", first)->layer = LAYER_OBSERVED;
	snapshot_add_fact(&r.snapshot, both, FACT_USER, "0", second)->layer = LAYER_OBSERVED;
	snapshot_add_fact(&r.snapshot, one, FACT_USER, "0", second)->layer = LAYER_OBSERVED;
	snapshot_add_fact(&r.snapshot, one, FACT_PRIVILEGED, "true", fresh)->layer = LAYER_OBSERVED;
	snapshot_add_fact(&r.snapshot, none, FACT_USER, "0", first); /* declared */
	evidence_age(&r.snapshot, CAPTURED + 61 * DAY);
	assert_int_equal(ages_of(both), 2);
	assert_int_equal(ages_of(one), 1);
	assert_int_equal(ages_of(none), 0);
	reading_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(old_evidence_is_said),
		cmocka_unit_test(each_export_is_said_once_of_each_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

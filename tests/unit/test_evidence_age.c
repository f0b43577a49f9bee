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

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(old_evidence_is_said) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What the model promises about the facts of a row and about texts that it formats.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/buf.h"
#include "model/snapshot.h"

static struct row *a_row(struct snapshot *s)
{
	snapshot_add_artifact(s, "pod.yaml");
	return snapshot_add_row(s, &(struct row_spec){ .path = "pod.yaml", .unit = "main" });
}

static struct fact *add(struct snapshot *s, struct row *r, enum fact_kind kind, const char *value)
{
	return snapshot_add_fact(s, r, kind, value, (struct span){ 0 });
}

static void test_facts_of_a_kind_come_in_order(void **state)
{
	struct snapshot s = { 0 };
	struct row *r = a_row(&s);
	const struct fact *f;

	(void)state;
	add(&s, r, FACT_ENV, "export")->layer = LAYER_OBSERVED;
	add(&s, r, FACT_IMAGE, "debian");
	add(&s, r, FACT_ENV, "first");
	add(&s, r, FACT_USER, "1000");
	add(&s, r, FACT_ENV, "second");
	f = row_first(r, FACT_ENV, LAYER_DECLARED);
	assert_string_equal(f->value, "first");
	f = row_next(r, f);
	assert_string_equal(f->value, "second");
	assert_null(row_next(r, f));
	assert_string_equal(row_first(r, FACT_ENV, LAYER_OBSERVED)->value, "export");
	assert_null(row_first(r, FACT_MOUNT, LAYER_DECLARED));
	assert_null(row_first(r, FACT_IMAGE, LAYER_OBSERVED));
	snapshot_free(&s);
}

/* The last USER of a Dockerfile takes the place of the one before, and nothing is left of that. */
static void test_a_fact_is_replaced_in_its_place(void **state)
{
	struct snapshot s = { 0 };
	struct row *r = a_row(&s);
	struct fact *old = add(&s, r, FACT_USER, "root");
	const struct fact *f;

	(void)state;
	add(&s, r, FACT_IMAGE, "debian");
	snapshot_replace_fact(r, old, add(&s, r, FACT_USER, "1000"));
	assert_int_equal(r->facts.count, 2);
	f = row_first(r, FACT_USER, LAYER_DECLARED);
	assert_string_equal(f->value, "1000");
	assert_int_equal(f->ordinal, 0);
	assert_null(row_next(r, f));
	assert_string_equal(row_first(r, FACT_IMAGE, LAYER_DECLARED)->value, "debian");
	add(&s, r, FACT_USER, "later");
	assert_string_equal(row_next(r, f)->value, "later");
	snapshot_free(&s);
}

/* Short and long texts are formatted alike, on both sides of every limit. */
static void test_formatting_of_any_length(void **state)
{
	struct arena a = { 0 };
	char text[1200];

	(void)state;
	for (size_t length = 0; length < sizeof text; length++) {
		struct buf b = { 0 };
		const char *copy;

		memset(text, 'x', length);
		text[length] = '\0';
		buf_puts(&b, "<");
		buf_printf(&b, "%s", text);
		buf_putc(&b, '>');
		assert_int_equal(b.length, length + 2);
		assert_int_equal(strlen(b.bytes), length + 2);
		assert_memory_equal(b.bytes + 1, text, length);
		copy = arena_printf(&a, "%s%d", text, 7);
		assert_int_equal(strlen(copy), length + 1);
		assert_int_equal(copy[length], '7');
		buf_free(&b);
	}
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_facts_of_a_kind_come_in_order),
		cmocka_unit_test(test_a_fact_is_replaced_in_its_place),
		cmocka_unit_test(test_formatting_of_any_length),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Filters, orders and tables are the same for panes and commands.
 * SPDX-License-Identifier: MIT */
#include "tests/unit/review_help.h"

#include "model/listing.h"
#include "model/query.h"
#include "src/report/listing.h"

static bool fixed_text(void *context, const char *column, struct buf *out)
{
	(void)context;
	if (column && strcmp(column, "severity") != 0 && strcmp(column, "name") != 0)
		return false;
	if (!column || strcmp(column, "severity") == 0)
		buf_puts(out, "critical\n");
	if (!column || strcmp(column, "name") == 0)
		buf_puts(out, "Docker Socket");
	if (column && strcmp(column, "severity") == 0)
		out->length--, out->bytes[out->length] = '\0';
	return true;
}

static bool holds(const char *expression)
{
	struct arena a = { 0 };
	struct buf why = { 0 };
	struct query q;
	bool yes;

	assert_true(query_parse(&a, expression, &q, &why));
	yes = query_matches(&q, fixed_text, NULL);
	arena_free(&a);
	return yes;
}

static void test_expressions(void **state)
{
	struct arena a = { 0 };
	struct buf why = { 0 };
	struct query q;

	(void)state;
	assert_true(holds(""));
	assert_true(holds("docker"));
	assert_true(holds("SOCKET critical"));
	assert_false(holds("socket high"));
	assert_true(holds("!high"));
	assert_false(holds("!docker"));
	assert_true(holds("severity:crit"));
	assert_false(holds("severity=crit"));
	assert_true(holds("severity=critical"));
	assert_true(holds("severity=high,critical"));
	assert_false(holds("!severity:high,critical"));
	assert_true(holds("\"docker socket\""));
	assert_true(holds("name:\"docker socket\""));
	assert_false(holds("\"severity:critical\""));
	assert_false(query_parse(&a, "\"open", &q, &why));
	arena_free(&a);
	buf_free(&why);
}

static void test_filter_and_count(void **state)
{
	struct snapshot s = { 0 };
	struct review r = { 0 };
	struct match m;
	struct listing l;
	struct buf out = { 0 };

	(void)state;
	help_snapshot(&s);
	match_build(&m, &s, &r, digest_sha256);
	listing_init(&l, LISTING_MAP, &m);
	assert_int_equal(l.count, FIELD_COUNT);
	assert_true(listing_filter(&l, "field=identity,mounts", &out));
	listing_count(&l, &out);
	assert_string_equal(buf_text(&out), "2 of 20 cells");
	buf_clear(&out);
	assert_false(listing_filter(&l, "colour:red", &out));
	assert_non_null(strstr(buf_text(&out), "no column \"colour\""));
	assert_int_equal(l.count, 2);
	buf_clear(&out);
	assert_true(listing_sort(&l, "-field", &out));
	listing_text(&l, 0, listing_column(l.info, "field"), &out);
	assert_string_equal(buf_text(&out), "mounts");
	assert_false(listing_sort(&l, "colour", &out));
	listing_free(&l);
	buf_free(&out);
	match_free(&m);
	snapshot_free(&s);
}

static void test_tables_fit(void **state)
{
	struct snapshot s = { 0 };
	struct review r = { 0 };
	struct match m;
	struct listing l;

	(void)state;
	help_snapshot(&s);
	match_build(&m, &s, &r, digest_sha256);
	listing_init(&l, LISTING_MAP, &m);
	for (size_t width = 1; width < 200; width += 7) {
		struct buf out = { 0 };
		size_t longest = 0, line = 0;

		report_listing_text(&l, width, true, &out);
		for (size_t i = 0; i < out.length; i++) {
			line = out.bytes[i] == '\n' ? 0 : line + 1;
			longest = line > longest ? line : longest;
		}
		assert_true(longest <= (width < 8 ? 8 : width));
		buf_free(&out);
	}
	listing_free(&l);
	match_free(&m);
	snapshot_free(&s);
}

static void test_tsv_and_json_are_safe(void **state)
{
	struct snapshot s = { 0 };
	struct review r = { 0 };
	struct row *row = help_snapshot(&s);
	struct match m;
	struct listing l;
	struct buf out = { 0 };

	(void)state;
	row->name = "a\tb\x1b[31m\n";
	match_build(&m, &s, &r, digest_sha256);
	listing_init(&l, LISTING_INVENTORY, &m);
	report_listing_tsv(&l, &out);
	assert_null(memchr(out.bytes, '\x1b', out.length));
	assert_non_null(strstr(out.bytes, "a^Ib^[[31m^J"));
	buf_clear(&out);
	report_listing_json(&l, &out);
	assert_non_null(strstr(out.bytes, "a\\tb\\u001b[31m\\n"));
	assert_int_equal(out.bytes[out.length - 1], '\n');
	listing_free(&l);
	buf_free(&out);
	match_free(&m);
	snapshot_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_expressions),
		cmocka_unit_test(test_filter_and_count),
		cmocka_unit_test(test_tables_fit),
		cmocka_unit_test(test_tsv_and_json_are_safe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

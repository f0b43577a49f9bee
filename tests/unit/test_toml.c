/* TOML into trees with places.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "src/syntax/syntax.h"

struct read {
	struct arena arena;
	struct source source;
	struct documents documents;
	struct problems problems;
};

static const struct node *read_toml(struct read *r, const char *text)
{
	*r = (struct read){ 0 };
	source_init(&r->source, &r->arena, 1, "x.toml", text, (uint32_t)strlen(text));
	toml_read(&r->arena, &r->source, &r->documents, &r->problems);
	assert_int_equal(r->documents.count, 1);
	return r->documents.items[0];
}

static void assert_text(const struct node *n, const char *text)
{
	assert_non_null(node_text(n));
	assert_string_equal(node_text(n), text);
}

static void tables_keys_and_values(void **state)
{
	struct read r;
	const struct node *n =
	    read_toml(&r, "a = 1 # one\n"
	                  "b.\"c d\".e = 'x\\y'\n"
	                  "[t.\"/home/me\"]\n"
	                  "level = \"tr\\u0075sted\"\n"
	                  "list = [ 1,\n  \"two\", # comment\n  [3, {x = 4, y.z = 5}],\n]\n"
	                  "[[s]]\nn = \"first\"\n[[s]]\nn = \"second\"\n[s.sub]\nk = true\n"
	                  "[t]\nlate = 2024-01-02T03:04:05Z\n");

	(void)state;
	assert_int_equal(r.problems.count, 0);
	assert_text(node_get(n, "a"), "1");
	assert_text(node_path(n, "b", "c d", "e", NULL), "x\\y");
	assert_text(node_path(n, "t", "/home/me", "level", NULL), "trusted");
	assert_int_equal(
	    source_line(&r.source, node_path(n, "t", "/home/me", "level", NULL)->span.offset), 4);
	assert_text(node_at(node_path(n, "t", "/home/me", "list", NULL), 1), "two");
	assert_text(node_path(node_at(node_at(node_path(n, "t", "/home/me", "list", NULL), 2), 1),
	                      "y", "z", NULL),
	            "5");
	assert_text(node_get(node_at(node_get(n, "s"), 1), "n"), "second");
	assert_text(node_path(node_at(node_get(n, "s"), 1), "sub", "k", NULL), "true");
	assert_text(node_path(n, "t", "late", NULL), "2024-01-02T03:04:05Z");
	arena_free(&r.arena);
}

static void strings_of_several_lines(void **state)
{
	struct read r;
	const struct node *n =
	    read_toml(&r, "a = \"\"\"\none \\\n   two\n\"q\"\"\"\"\nb = '''\n'x' \\n'''\n");

	(void)state;
	assert_int_equal(r.problems.count, 0);
	assert_text(node_get(n, "a"), "one two\n\"q\"");
	assert_text(node_get(n, "b"), "'x' \\n");
	arena_free(&r.arena);
}

static void a_bad_line_does_not_hide_the_others(void **state)
{
	static const char *const bad[] = { "x = ",    "x",           "x = \"abc", "[t",
		                           "= 1",     "x = [1 2]",   "x = {a 1}", "x = 1 2",
		                           "a.b = 1", "x = \"\\q\"", "[a.b]",     "[[a]]",
		                           "\"x" };

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		char text[128];
		struct read r;
		const struct node *n;

		snprintf(text, sizeof text, "a = 1\n%s\nb = 2\n", bad[i]);
		n = read_toml(&r, text);
		assert_true(r.problems.count > 0);
		assert_int_equal(source_line(&r.source, r.problems.items[0].span.offset), 2);
		assert_text(node_get(n, "a"), "1");
		assert_non_null(node_get(n, "b"));
		arena_free(&r.arena);
	}
}

static void a_repeated_key_is_a_problem(void **state)
{
	struct read r;

	(void)state;
	read_toml(&r, "a = 1\na = 2\n");
	assert_int_equal(r.problems.count, 1);
	assert_string_equal(r.problems.items[0].message, "duplicate key \"a\"");
	arena_free(&r.arena);
}

static void every_truncation_ends(void **state)
{
	static const char whole[] =
	    "a.b = [1, {c = \"\\u00e9\", d = '''x'''}]\n[[t.\"u\"]]\nk = 1.5e3\n";

	(void)state;
	for (size_t n = 0; n < sizeof whole; n++) {
		char text[sizeof whole];
		struct read r;

		memcpy(text, whole, n);
		text[n] = '\0';
		read_toml(&r, text);
		arena_free(&r.arena);
	}
}

static void hostile_nesting_ends(void **state)
{
	static char text[4096];
	struct read r;

	(void)state;
	memset(text, '[', sizeof text - 1);
	memcpy(text, "a = ", 4);
	read_toml(&r, text);
	assert_true(r.problems.count > 0);
	arena_free(&r.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_keys_and_values),
		cmocka_unit_test(strings_of_several_lines),
		cmocka_unit_test(a_bad_line_does_not_hide_the_others),
		cmocka_unit_test(a_repeated_key_is_a_problem),
		cmocka_unit_test(every_truncation_ends),
		cmocka_unit_test(hostile_nesting_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

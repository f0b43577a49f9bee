/* JSON and JSONC: positions, strictness, exact values, limits.
 * SPDX-License-Identifier: MIT */
#include "syntax_help.h"

static void read_bytes(struct reading *r, const char *text, size_t length, bool comments)
{
	reading_begin(r, text, length);
	json_read(&r->arena, &r->source, comments, &r->documents, &r->problems);
}

static void read_text(struct reading *r, const char *text)
{
	read_bytes(r, text, strlen(text), false);
}

static bool accepts(const char *text, bool comments)
{
	struct reading r;
	bool good;

	read_bytes(&r, text, strlen(text), comments);
	good = r.documents.failed == 0;
	assert_int_equal(r.problems.count, good ? 0 : 1);
	arena_free(&r.arena);
	return good;
}

static void every_key_and_value_has_its_place(void **state)
{
	struct reading r;
	const struct node *n;

	(void)state;
	read_text(&r, "{\n  \"k\xC3\xA9\": [1, -2.5e3, true, null],\n  \"o\": {\"s\": \"x\\ty\"}\n}\n");
	assert_int_equal(r.problems.count, 0);
	n = node_get(r.documents.items[0], "k\xC3\xA9");
	assert_span(&r, n->span, "[1, -2.5e3, true, null]");
	assert_span(&r, node_key_span(n), "\"k\xC3\xA9\"");
	assert_span(&r, node_at(n, 1)->span, "-2.5e3");
	assert_true(node_is_null(node_at(n, 3)));
	assert_span(&r, node_at(n, 3)->span, "null");
	n = node_path(r.documents.items[0], "o", "s", NULL);
	assert_string_equal(n->text, "x\ty");
	assert_int_equal(source_line(&r.source, n->span.offset), 3);
	assert_int_equal(source_column(&r.source, n->span.offset), 14);
	arena_free(&r.arena);
}

static void values_are_not_rounded_or_cut(void **state)
{
	struct reading r;
	const struct node *n;

	(void)state;
	read_text(&r, "[9007199254740993, \"a\\u0000b\", \"\\ud83d\\ude00\", \"\\ud800x\"]");
	n = r.documents.items[0];
	assert_string_equal(node_at(n, 0)->text, "9007199254740993");
	assert_int_equal(node_at(n, 1)->text_length, 3);
	assert_memory_equal(node_at(n, 1)->text, "a\0b", 3);
	assert_string_equal(node_at(n, 2)->text, "\xF0\x9F\x98\x80");
	assert_string_equal(node_at(n, 3)->text, "\xEF\xBF\xBDx");
	arena_free(&r.arena);
}

static void the_grammar_is_strict(void **state)
{
	static const char *const bad[] = {
		"", " ", "[1,]", "{\"a\":1,}", "[1 2]", "{a:1}", "{'a':1}", "[01]", "[1.]", "[.5]",
		"[+1]", "[1e]", "[-]", "[0x1]", "[NaN]", "[tru]", "[truex]", "[1a]", "\"a", "\"\\x\"",
		"\"\\u12g4\"", "\"a\tb\"", "[1]]", "{} {}", "{\"a\"}", "{\"a\":}", "[,]", "[1,,2]", "]",
		"// c\n1", "[1/**/]", "{\"a\":1,,}", "\"\\", "nul", "\xEF\xBB\xBF",
	};
	static const char *const good[] = { "1", " \"\" ", "[]", "{}", "[0, -0, 0.1e-7, 1E+2]", "null",
					    "{\"\":{}}", "[[],{}]", "\"\\/\\b\\f\"" };

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_false(accepts(bad[i], false));
	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		assert_true(accepts(good[i], false));
}

static void comments_are_an_option(void **state)
{
	(void)state;
	assert_true(accepts("// a\n{ /* b */ \"u\": \"https://x/*y*/\", // c\n \"l\": [1, 2, /**/ ], }\n// end",
			    true));
	assert_true(accepts("[/***/]", true));
	assert_false(accepts("[,]", true));
	assert_false(accepts("{,}", true));
	assert_false(accepts("[1] /* x", true));
	assert_false(accepts("[1] /*/", true));
	assert_false(accepts("[1] /", true));
	assert_false(accepts("1,", true));
}

static void an_error_keeps_what_was_read(void **state)
{
	struct reading r;

	(void)state;
	read_text(&r, "{\n  \"a\": {\"b\": [1, 2],\n  \"c\": oops }\n}");
	assert_int_equal(r.documents.failed, 1);
	assert_problem(&r, 0, 3, 8, "value is expected");
	assert_true(node_is(node_at(node_path(r.documents.items[0], "a", "b", NULL), 1), "2"));
	assert_true(node_is_null(node_path(r.documents.items[0], "a", "c", NULL)));
	arena_free(&r.arena);
}

static void duplicates_are_problems_but_no_failure(void **state)
{
	struct reading r;

	(void)state;
	read_text(&r, "{\"a\": 1,\n \"\\u0061\": 2}");
	assert_int_equal(r.documents.failed, 0);
	assert_problem(&r, 0, 2, 2, "duplicate key \"a\"");
	assert_true(node_is(node_get(r.documents.items[0], "a"), "2"));
	arena_free(&r.arena);
}

static void limits_end_as_problems(void **state)
{
	struct arena a = { 0 };
	struct reading r;

	(void)state;
	read_text(&r, repeated(&a, "", "[", 200000));
	assert_int_equal(r.documents.failed, 1);
	assert_problem(&r, 0, 1, LIMIT_DEPTH + 1, "deep");
	arena_free(&r.arena);
	read_text(&r, repeated(&a, "[1", ",1", LIMIT_NODES + 10));
	assert_int_equal(r.documents.failed, 1);
	assert_non_null(strstr(r.problems.items[0].message, "too many values"));
	arena_free(&r.arena);
	arena_free(&a);
}

static void every_truncation_is_an_error(void **state)
{
	static const char text[] =
		"{\"a\\u00e9\": [1.5e3, true, null, {\"b\": \"\\ud83d\\ude00\"}], \"c\": {}}";

	(void)state;
	for (size_t length = 0; length < sizeof text - 1; length++) {
		struct reading r;

		read_bytes(&r, text, length, false);
		assert_int_equal(r.documents.failed, 1);
		assert_true(r.problems.items[0].span.offset <= length);
		arena_free(&r.arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_key_and_value_has_its_place),
		cmocka_unit_test(values_are_not_rounded_or_cut),
		cmocka_unit_test(the_grammar_is_strict),
		cmocka_unit_test(comments_are_an_option),
		cmocka_unit_test(an_error_keeps_what_was_read),
		cmocka_unit_test(duplicates_are_problems_but_no_failure),
		cmocka_unit_test(limits_end_as_problems),
		cmocka_unit_test(every_truncation_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Variable expansion: operators, patterns, nesting, limits.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "src/syntax/expand.h"

static const struct {
	const char *word, *result; /* NULL: an error */
} cases[] = {
	{ "$A/${A}x", "abcabc/abcabcx" },
	{ "${A#a*c}", "abc" },
	{ "${A##a*c}", "" },
	{ "${A%b*}", "abca" },
	{ "${A%%b*}", "a" },
	{ "${A/b/X}", "aXcabc" },
	{ "${A//b/X}", "aXcaXc" },
	{ "${A//?c/-}", "a-a-" },
	{ "${PATHLIKE##*/}", "tool" },
	{ "${PATHLIKE%/*}", "/usr/bin" },
	{ "${PATHLIKE//\\//_}", "_usr_bin_tool" },
	{ "${NONE:-${A%c}}", "abcab" },
	{ "${EMPTY-x}", "" },
	{ "${EMPTY:-x}", "x" },
	{ "${A:?gone}", "abcabc" },
	{ "${NONE:?gone}", NULL },
	{ "${A:#b}", NULL },
	{ "${A", NULL },
	{ "\"${A\"", NULL },
	{ "'$A'\\$A", "$A$A" },
};

static void fill(struct arena *a, struct expand_vars *vars)
{
	expand_set(a, vars, "A", "abcabc", (struct span){ 0 });
	expand_set(a, vars, "EMPTY", "", (struct span){ 0 });
	expand_set(a, vars, "PATHLIKE", "/usr/bin/tool", (struct span){ 0 });
}

static void operators(void **state)
{
	struct arena a = { 0 };
	struct expand_vars vars = { 0 };

	(void)state;
	fill(&a, &vars);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct expansion e;

		expand_word(&a, &vars, cases[i].word, '\\', &e);
		if (!cases[i].result != !!e.error ||
		    (cases[i].result && strcmp(cases[i].result, e.text) != 0))
			fail_msg("%s: got \"%s\" %s", cases[i].word, e.text,
				 e.error ? e.error : "");
	}
	arena_free(&a);
}

static void unset_variables_are_reported(void **state)
{
	struct arena a = { 0 };
	struct expand_vars vars = { 0 };
	struct expansion e;

	(void)state;
	fill(&a, &vars);
	expand_word(&a, &vars, "$X${Y:-d}$A", '\\', &e);
	assert_string_equal(e.text, "dabcabc");
	assert_true(e.unresolved);
	assert_int_equal(e.use_count, 3);
	assert_int_equal(e.uses[0].outcome, EXPAND_UNRESOLVED);
	assert_int_equal(e.uses[1].outcome, EXPAND_DEFAULT);
	assert_int_equal(e.uses[2].outcome, EXPAND_VALUE);
	expand_word(&a, &vars, "${Y:-d}", '\\', &e);
	assert_false(e.unresolved);
	arena_free(&a);
}

static void hostile_nesting_ends_as_an_error(void **state)
{
	struct arena a = { 0 };
	struct expand_vars vars = { 0 };
	struct expansion e;
	char word[4096] = "";

	(void)state;
	for (size_t i = 0; i < 1000; i++)
		memcpy(word + i * 4, "${x-", 5);
	expand_word(&a, &vars, word, '\\', &e);
	assert_non_null(e.error);
	arena_free(&a);
}

static void growth_is_bounded(void **state)
{
	struct arena a = { 0 };
	struct expand_vars vars = { 0 };
	struct expansion e = { .text = "0123456789" };

	(void)state;
	for (int i = 0; i < 40 && !e.error; i++) {
		expand_set(&a, &vars, "X", e.text, (struct span){ 0 });
		expand_word(&a, &vars, "$X$X$X$X", '\\', &e);
	}
	assert_non_null(e.error);
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operators),
		cmocka_unit_test(unset_variables_are_reported),
		cmocka_unit_test(hostile_nesting_ends_as_an_error),
		cmocka_unit_test(growth_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

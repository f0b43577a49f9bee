/* Settings: what a line does and what a bad one says.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "src/config.h"

static void start(struct config *c)
{
	struct options o = { .config = "/dev/null" };
	struct buf why = { 0 };

	assert_true(config_load(c, &o, &why));
}

static void test_lines_set_and_bind(void **state)
{
	struct config c;
	struct buf why = { 0 };

	(void)state;
	start(&c);
	assert_true(config_line(&c, "  # a remark", &why));
	assert_true(config_line(&c, "", &why));
	assert_true(config_line(&c, "set theme dark", &why));
	assert_int_equal(c.theme, THEME_DARK);
	assert_true(config_line(&c, "set color never", &why));
	assert_string_equal(c.color, "never");
	assert_true(config_line(&c, "bind matrix F2 X", &why));
	assert_int_equal(keymap_find(&c.keymap, MODE_MAIN, 'X'), ACTION_MATRIX);
	config_free(&c);
}

static void test_bad_lines_say_what_would_be_right(void **state)
{
	static const struct {
		const char *line, *says;
	} cases[] = {
		{ "set theme pink", "contrast" },
		{ "set colour never", "color" },
		{ "bind nothing x", "list-keys" },
		{ "bind matrix nokey", "nokey" },
		{ "source /etc/passwd", "set nor" },
		{ "set", "no setting" },
		{ "bind", "no action" },
	};
	struct config c;
	struct buf why = { 0 };

	(void)state;
	start(&c);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		buf_clear(&why);
		assert_false(config_line(&c, cases[i].line, &why));
		assert_non_null(strstr(buf_text(&why), cases[i].says));
	}
	buf_free(&why);
	config_free(&c);
}

static void test_a_named_file_must_be_there(void **state)
{
	struct options o = { .config = "/nonexistent/file" };
	struct buf why = { 0 };
	struct config c;

	(void)state;
	assert_false(config_load(&c, &o, &why));
	assert_non_null(strstr(buf_text(&why), "/nonexistent/file"));
	buf_free(&why);
	config_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines_set_and_bind),
		cmocka_unit_test(test_bad_lines_say_what_would_be_right),
		cmocka_unit_test(test_a_named_file_must_be_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

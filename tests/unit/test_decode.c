/* File bytes to UTF-8.
 * SPDX-License-Identifier: MIT */
#include "syntax_help.h"

static void assert_decodes(const char *bytes, size_t length, const char *expected)
{
	struct arena a = { 0 };
	const char *out;
	size_t out_length;

	assert_true(text_decode(&a, bytes, length, &out, &out_length));
	assert_int_equal(out_length, strlen(expected));
	assert_string_equal(out, expected);
	arena_free(&a);
}

#define DECODES(bytes, expected) assert_decodes(bytes, sizeof(bytes) - 1, expected)

static void utf8_is_kept_without_its_mark(void **state)
{
	(void)state;
	DECODES("", "");
	DECODES("a\xC3\xA9", "a\xC3\xA9");
	DECODES("\xEF\xBB\xBF{}", "{}");
	DECODES("\xEF\xBB\xBF", "");
	DECODES("bad \xFF byte", "bad \xFF byte");
}

static void utf16_is_converted(void **state)
{
	(void)state;
	DECODES("\xFF\xFE" "a\0\xE9\0\xAC\x20\r\0\n\0", "a\xC3\xA9\xE2\x82\xAC\r\n");
	DECODES("\xFE\xFF" "\0a\0\xE9\x20\xAC", "a\xC3\xA9\xE2\x82\xAC");
	DECODES("\xFF\xFE\x3D\xD8\x00\xDE", "\xF0\x9F\x98\x80");
	DECODES("\xFE\xFF\xD8\x3D\xDE\x00", "\xF0\x9F\x98\x80");
	DECODES("\xFF\xFE", "");
}

static void broken_utf16_is_replaced(void **state)
{
	(void)state;
	DECODES("\xFF\xFE\x3D\xD8" "a\0", "\xEF\xBF\xBD" "a");
	DECODES("\xFF\xFE\x00\xDE" "a\0", "\xEF\xBF\xBD" "a");
	DECODES("\xFF\xFE\x3D\xD8", "\xEF\xBF\xBD");
	DECODES("\xFF\xFE" "a\0b", "a\xEF\xBF\xBD");
}

static void binary_is_refused(void **state)
{
	struct arena a = { 0 };
	const char *out;
	size_t length;
	char late[9000];

	(void)state;
	assert_false(text_decode(&a, "a\0b", 3, &out, &length));
	assert_false(text_decode(&a, "[\0]\0", 4, &out, &length));
	memset(late, 'x', sizeof late);
	late[8500] = '\0';
	assert_true(text_decode(&a, late, sizeof late, &out, &length));
	assert_int_equal(length, sizeof late);
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(utf8_is_kept_without_its_mark),
		cmocka_unit_test(utf16_is_converted),
		cmocka_unit_test(broken_utf16_is_replaced),
		cmocka_unit_test(binary_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Hostile bytes never reach the reader as they are, and text fits into its cells.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/text.h"

#define LITERAL(s) (s), sizeof(s) - 1

static void visible_is(const char *bytes, size_t length, unsigned flags, const char *expected,
		       bool suspicious)
{
	struct buf out = { 0 };
	bool said = text_visible(&out, bytes, length, flags);

	assert_string_equal(buf_text(&out), expected);
	assert_int_equal(said, suspicious);
	buf_free(&out);
}

static void test_controls_are_shown(void **state)
{
	(void)state;
	visible_is(LITERAL("a\x1b[31mb"), TEXT_PLAIN, "a^[[31mb", true);
	visible_is(LITERAL("\0\a\x7f"), TEXT_PLAIN, "^@^G^?", true);
	visible_is(LITERAL("\xc2\x9b" "31m"), TEXT_PLAIN, "\\x9b31m", true);
	visible_is(LITERAL("a\rb"), TEXT_ONE_LINE, "a^Mb", true);
	visible_is(LITERAL("a\r\nb"), TEXT_ONE_LINE, "a^M^Jb", false);
	visible_is(LITERAL("a\n\tb"), TEXT_PLAIN, "a\n\tb", false);
	visible_is(LITERAL("a\tb"), TEXT_TABS, "a       b", false);
	visible_is(LITERAL("\xe6\x97\xa5\tb"), TEXT_TABS, "\xe6\x97\xa5      b", false);
}

static void test_invalid_sequences(void **state)
{
	(void)state;
	visible_is(LITERAL("\xff\xfe"), TEXT_PLAIN, "\\xff\\xfe", true);
	visible_is(LITERAL("\xc0\xaf"), TEXT_PLAIN, "\\xc0\\xaf", true);
	visible_is(LITERAL("\xe0\x80\xaf"), TEXT_PLAIN, "\\xe0\\x80\\xaf", true);
	visible_is(LITERAL("\xed\xa0\x80"), TEXT_PLAIN, "\\xed\\xa0\\x80", true);
	visible_is(LITERAL("\xf4\x90\x80\x80"), TEXT_PLAIN, "\\xf4\\x90\\x80\\x80", true);
	visible_is(LITERAL("\xe6\x97"), TEXT_PLAIN, "\\xe6\\x97", true);
	visible_is(LITERAL("\xe6\x97" "a"), TEXT_PLAIN, "\\xe6\\x97" "a", true);
}

static void test_tricky_points(void **state)
{
	(void)state;
	visible_is("\xe2\x80\xae" "x", 4, TEXT_PLAIN, "\\u{202E}x", true);
	visible_is("\xe2\x81\xa6", 3, TEXT_PLAIN, "\\u{2066}", true);
	visible_is("a\xe2\x80\x8b" "b", 5, TEXT_PLAIN, "a\\u{200B}b", true);
	visible_is("\xef\xbb\xbf", 3, TEXT_PLAIN, "\\u{FEFF}", true);
	visible_is("\xe2\x80\xa8", 3, TEXT_PLAIN, "\\u{2028}", true);
	visible_is("\xf3\xa0\x81\x81", 4, TEXT_PLAIN, "\\u{E0041}", true);
	visible_is("\xee\x80\x80", 3, TEXT_PLAIN, "\\u{E000}", true);
	visible_is("\xe3\x85\xa4", 3, TEXT_PLAIN, "\\u{3164}", true);
	visible_is("\xc2\xad", 2, TEXT_PLAIN, "\\u{00AD}", true);
	visible_is("e\xcc\x81", 3, TEXT_PLAIN, "e\xcc\x81", false);
	visible_is("\xcc\x81" "e", 3, TEXT_PLAIN, "\\u{0301}e", true);
	visible_is("\xc3\xa9\xe6\x97\xa5", 5, TEXT_PLAIN, "\xc3\xa9\xe6\x97\xa5", false);
	visible_is("\xc3\xa9\xe6\x97\xa5", 5, TEXT_ASCII, "\\u{00E9}\\u{65E5}", false);
}

static void test_stacked_marks_end(void **state)
{
	struct buf in = { 0 }, out = { 0 };

	(void)state;
	buf_puts(&in, "z");
	for (int i = 0; i < 50; i++)
		buf_puts(&in, "\xcc\x81");
	assert_true(text_visible(&out, in.bytes, in.length, TEXT_PLAIN));
	assert_non_null(strstr(buf_text(&out), "\\u{0301}"));
	buf_free(&in);
	buf_free(&out);
}

/* Whatever the bytes, the result is well-formed and holds no unsafe point. */
static void test_any_bytes_become_safe(void **state)
{
	uint32_t seed = 12345;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		char bytes[64];
		struct buf out = { 0 };
		size_t used;

		for (size_t i = 0; i < sizeof bytes; i++) {
			seed = seed * 1664525u + 1013904223u;
			bytes[i] = (char)(seed >> 24);
		}
		text_visible(&out, bytes, sizeof bytes, TEXT_ONE_LINE);
		for (size_t i = 0; i < out.length; i += used) {
			uint32_t point = text_decode_point(out.bytes + i, out.length - i, &used);

			assert_true(point != TEXT_INVALID && text_point_width(point) >= 0);
		}
		buf_free(&out);
	}
}

static void test_widths(void **state)
{
	(void)state;
	assert_int_equal(text_point_width('a'), 1);
	assert_int_equal(text_point_width(0x65E5), 2);
	assert_int_equal(text_point_width(0x1F600), 2);
	assert_int_equal(text_point_width(0x1FAE8), 2);
	assert_int_equal(text_point_width(0x301), 0);
	assert_int_equal(text_point_width(0x2500), 1);
	assert_int_equal(text_point_width(0x2026), 1);
	assert_int_equal(text_point_width(0x200D), -1);
	assert_int_equal(text_point_width(0x85), -1);
	assert_int_equal(text_point_width(0x10FFFF), -1);
	assert_int_equal(text_point_width(TEXT_INVALID), -1);
	assert_int_equal(text_cells("a\xe6\x97\xa5" "e\xcc\x81", 7), 4);
}

static void fit_is(const char *bytes, size_t cells, unsigned flags, bool middle,
		   const char *expected)
{
	struct buf out = { 0 };
	size_t used = text_fit(&out, bytes, strlen(bytes), cells, flags, middle);

	assert_string_equal(buf_text(&out), expected);
	assert_int_equal(used, text_cells(buf_text(&out), out.length));
	assert_true(used <= cells);
	buf_free(&out);
}

static void test_fit(void **state)
{
	(void)state;
	fit_is("abc", 3, 0, false, "abc");
	fit_is("abcd", 3, 0, false, "ab\xe2\x80\xa6");
	fit_is("abcd", 3, TEXT_ASCII, false, "ab~");
	fit_is("abcd", 1, 0, false, "\xe2\x80\xa6");
	fit_is("abcd", 0, 0, false, "");
	fit_is("\xe6\x97\xa5\xe6\x97\xa5", 4, 0, false, "\xe6\x97\xa5\xe6\x97\xa5");
	fit_is("\xe6\x97\xa5\xe6\x97\xa5", 3, 0, false, "\xe6\x97\xa5\xe2\x80\xa6");
	fit_is("\xe6\x97\xa5\xe6\x97\xa5", 2, 0, false, "\xe2\x80\xa6");
	fit_is("ab\x1b", 3, 0, false, "ab\xe2\x80\xa6");
	fit_is("src/deep/folder/Dockerfile", 14, 0, true, "src/\xe2\x80\xa6" "ockerfile");
	fit_is("Dockerfile", 14, 0, true, "Dockerfile");
}

static void test_long_lines_stay_linear(void **state)
{
	struct buf in = { 0 }, out = { 0 };

	(void)state;
	for (int i = 0; i < 4000000; i++)
		buf_putc(&in, (char)(i % 7 ? 'a' : '\x01'));
	text_fit(&out, in.bytes, in.length, 80, 0, true);
	text_visible(&out, in.bytes, in.length, TEXT_ONE_LINE);
	assert_true(out.length > in.length);
	buf_free(&in);
	buf_free(&out);
}

static void markdown_is(const char *bytes, const char *expected)
{
	struct buf out = { 0 };

	text_markdown(&out, bytes, strlen(bytes));
	assert_string_equal(buf_text(&out), expected);
	buf_free(&out);
}

static void code_is(const char *bytes, const char *expected)
{
	struct buf out = { 0 };

	text_markdown_code(&out, bytes, strlen(bytes));
	assert_string_equal(buf_text(&out), expected);
	buf_free(&out);
}

static void test_markdown(void **state)
{
	(void)state;
	markdown_is("a|b`c`<script>", "a\\|b\\`c\\`&lt;script&gt;");
	markdown_is("![x](http://e)", "!\\[x\\](http&#58;//e)");
	markdown_is("www.example.org", "www&#46;example.org");
	markdown_is("NET_ADMIN _x_", "NET_ADMIN \\_x\\_");
	markdown_is("# head", "\\# head");
	markdown_is("- item", "\\- item");
	markdown_is("10. item", "10\\. item");
	markdown_is("a\nb", "a^Jb");
	code_is("a|b", "`a\\|b`");
	code_is("a`b``c", "```a`b``c```");
	code_is("`", "`` ` ``");
	code_is("", "` `");
	code_is("a\nb", "`a^Jb`");
}

static void json_is(const char *bytes, size_t length, const char *expected)
{
	struct buf out = { 0 };

	text_json(&out, bytes, length);
	assert_string_equal(buf_text(&out), expected);
	buf_free(&out);
}

static void test_json(void **state)
{
	(void)state;
	json_is(LITERAL("a\"\\\n\x01"), "\"a\\\"\\\\\\n\\u0001\"");
	json_is(LITERAL("\xff"), "\"\xef\xbf\xbd\"");
	json_is(LITERAL("\x00"), "\"\\u0000\"");
	json_is(LITERAL("\xe2\x80\xae"), "\"\\u202e\"");
	json_is(LITERAL("\xf3\xa0\x81\x81"), "\"\\udb40\\udc41\"");
	json_is(LITERAL("\xe6\x97\xa5"), "\"\xe6\x97\xa5\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_controls_are_shown),
		cmocka_unit_test(test_invalid_sequences),
		cmocka_unit_test(test_tricky_points),
		cmocka_unit_test(test_stacked_marks_end),
		cmocka_unit_test(test_any_bytes_become_safe),
		cmocka_unit_test(test_widths),
		cmocka_unit_test(test_fit),
		cmocka_unit_test(test_long_lines_stay_linear),
		cmocka_unit_test(test_markdown),
		cmocka_unit_test(test_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

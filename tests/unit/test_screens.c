/* Screens as text: every tests/screens/NAME.script is played on the sample and compared with
 * NAME.golden. UPDATE_GOLDEN=1 writes the goldens anew; read the difference before you keep it.
 * SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/ui_sample.h"

#define FOLDER "tests/screens"

static bool read_all(const char *path, struct buf *out)
{
	FILE *f = fopen(path, "re");
	char block[4096];
	size_t got;

	if (!f)
		return false;
	while ((got = fread(block, 1, sizeof block, f)) > 0)
		buf_add(out, block, got);
	fclose(f);
	return true;
}

static void write_all(const char *path, const struct buf *text)
{
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	assert_int_equal(fwrite(text->bytes, 1, text->length, f), text->length);
	assert_int_equal(fclose(f), 0);
}

static void show_difference(const char *name, const char *want, const char *got)
{
	size_t line = 1;

	while (*want || *got) {
		size_t w = strcspn(want, "\n"), g = strcspn(got, "\n");

		if (w != g || strncmp(want, got, w) != 0) {
			print_message("%s line %zu\n want %.*s\n got  %.*s\n", name, line, (int)w,
			              want, (int)g, got);
			return;
		}
		want += w + (want[w] == '\n');
		got += g + (got[g] == '\n');
		line++;
	}
}

static bool same_as_golden(const char *script_name)
{
	struct buf path = { 0 }, script = { 0 }, want = { 0 };
	struct sample s;
	bool same;

	buf_printf(&path, FOLDER "/%s", script_name);
	assert_true(read_all(buf_text(&path), &script));
	buf_clear(&path);
	buf_printf(&path, FOLDER "/%.*s.golden", (int)strcspn(script_name, "."), script_name);
	sample_init(&s);
	assert_true(sample_run(&s, buf_text(&script)));
	if (getenv("UPDATE_GOLDEN"))
		write_all(buf_text(&path), &s.out);
	assert_true(read_all(buf_text(&path), &want));
	same = strcmp(buf_text(&want), buf_text(&s.out)) == 0;
	if (!same)
		show_difference(script_name, buf_text(&want), buf_text(&s.out));
	sample_free(&s);
	buf_free(&path);
	buf_free(&script);
	buf_free(&want);
	return same;
}

static void test_screens_are_as_recorded(void **state)
{
	DIR *folder = opendir(FOLDER);
	const struct dirent *entry;
	size_t played = 0, different = 0;

	(void)state;
	assert_non_null(folder);
	while ((entry = readdir(folder))) {
		size_t length = strlen(entry->d_name);

		if (length < 8 || strcmp(entry->d_name + length - 7, ".script") != 0)
			continue;
		played++;
		different += !same_as_golden(entry->d_name);
	}
	closedir(folder);
	assert_true(played > 0);
	assert_int_equal(different, 0);
}

/* Every cell of the terminal must come from a printable point. */
static void test_no_control_byte_reaches_a_cell(void **state)
{
	struct sample s;

	(void)state;
	sample_init(&s);
	sample_run(&s, "size 160x44\nsnapshot a\n1 G\nsnapshot b\n4 g j j j j j j j j j j j\n"
	               "snapshot c\np\nsnapshot d\n");
	for (size_t i = 0; i < s.out.length; i++) {
		unsigned char c = (unsigned char)s.out.bytes[i];

		assert_true(c == '\n' || (c >= 0x20 && c != 0x7f));
	}
	assert_null(strstr(buf_text(&s.out), "\xe2\x80\xae"));
	sample_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_screens_are_as_recorded),
		cmocka_unit_test(test_no_control_byte_reaches_a_cell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

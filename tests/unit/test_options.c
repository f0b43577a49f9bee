/* The command line: what is taken, what is refused, and that help and completion name everything.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "src/options.h"

static bool parse_words(struct options *o, struct buf *why, int count, const char *const *words)
{
	char *argv[12] = { 0 };

	assert_true(count < 12);
	for (int i = 0; i < count; i++) {
		union {
			const char *in;
			char *out;
		} word = { .in = words[i] };

		argv[i] = word.out;
	}
	return options_parse(o, count, argv, why);
}

#define WORDS(...) ((const char *const[]){ "boundwalk", __VA_ARGS__ })
#define PARSE(o, why, ...)                                                                         \
	parse_words((o), (why), (int)(sizeof WORDS(__VA_ARGS__) / sizeof(char *)),                 \
		    WORDS(__VA_ARGS__))

static void test_commands_and_paths(void **state)
{
	struct options o;
	struct buf why = { 0 };

	(void)state;
	assert_true(PARSE(&o, &why, "."));
	assert_int_equal(o.command, COMMAND_TUI);
	assert_int_equal(o.arguments.count, 1);
	options_free(&o);
	assert_true(PARSE(&o, &why, "report", "-f", "json", "-o", "out.json", "dir"));
	assert_int_equal(o.command, COMMAND_REPORT);
	assert_string_equal(o.format, "json");
	assert_string_equal(o.output, "out.json");
	assert_string_equal(o.arguments.items[0], "dir");
	options_free(&o);
	assert_true(PARSE(&o, &why, "--kubernetes=1.30", "report", "-fjson"));
	assert_string_equal(o.kubernetes, "1.30");
	assert_string_equal(o.format, "json");
	options_free(&o);
	assert_true(PARSE(&o, &why, "report", "--", "-odd"));
	assert_string_equal(o.arguments.items[0], "-odd");
	options_free(&o);
}

static void test_lists_keep_their_order(void **state)
{
	struct options o;
	struct buf why = { 0 };

	(void)state;
	assert_true(PARSE(&o, &why, "inventory", "--compose-file", "a.yml", "--compose-file=b.yml",
			  "-o", "theme=plain"));
	assert_int_equal(o.compose_files.count, 2);
	assert_string_equal(o.compose_files.items[1], "b.yml");
	assert_string_equal(o.settings.items[0], "theme=plain");
	options_free(&o);
}

static void refused(int argc, const char *const *argv, const char *needle)
{
	struct options o;
	struct buf why = { 0 };

	assert_false(parse_words(&o, &why, argc, argv));
	if (!strstr(buf_text(&why), needle))
		fail_msg("%s", buf_text(&why));
	buf_free(&why);
	options_free(&o);
}

static void test_refusals(void **state)
{
	(void)state;
	refused(2, (const char *[]){ "b", "--nonsense" }, "unknown option");
	refused(2, (const char *[]){ "b", "-z" }, "unknown option");
	refused(2, (const char *[]){ "b", "--runtime" }, "needs NAME");
	refused(3, (const char *[]){ "b", "--runtime", "vmware" }, "none of");
	refused(3, (const char *[]){ "b", "check", "--format=json" }, "no option of check");
	refused(2, (const char *[]){ "b", "mark" }, "mark takes");
	refused(4, (const char *[]){ "b", "report", "a", "b" }, "report takes");
	refused(2, (const char *[]){ "b", "--quiet=yes" }, "takes no value");
}

static void test_versions_of_kubernetes(void **state)
{
	static const struct {
		const char *given;
		bool taken;
	} cases[] = {
		{ "1.29", true },      { "v1.29", true },  { "1.29.3", true }, { "1.29.3+k3s1", true },
		{ "1.29-gke.1", true }, { "latest", true }, { "1.99", true },   { "1.0", true },
		{ "nonsense", false },  { "0.9", false },   { "2.0", false },   { "1.", false },
		{ "1.030", false },     { " 1.30", false }, { "1.-3", false },  { "1.30.", false },
		{ "1.1000", false },    { "1.30x", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct options o;
		struct buf why = { 0 };

		assert_int_equal(PARSE(&o, &why, "report", "--kubernetes", cases[i].given),
				 cases[i].taken);
		assert_true(cases[i].taken || strstr(buf_text(&why), "such as 1.34"));
		options_free(&o);
		buf_free(&why);
	}
}

static void test_texts_name_everything(void **state)
{
	static const char *const shells[] = { "bash", "zsh", "fish" };
	struct buf help = { 0 }, none = { 0 };

	(void)state;
	for (unsigned c = 0; c < COMMAND_COUNT; c++) {
		assert_non_null(command_table[c].run);
		options_help((enum command_id)c, &help);
	}
	for (size_t i = 0; i < option_count; i++) {
		assert_true(strlen(option_table[i].help) > 8);
		assert_non_null(strstr(buf_text(&help), option_table[i].name));
	}
	for (size_t s = 0; s < 3; s++) {
		struct buf script = { 0 };

		assert_true(options_completion(shells[s], &script));
		for (size_t i = 0; i < option_count; i++)
			assert_non_null(strstr(buf_text(&script), option_table[i].name));
		for (unsigned c = 1; c < COMMAND_COUNT; c++)
			assert_non_null(strstr(buf_text(&script), command_table[c].name));
		buf_free(&script);
	}
	assert_false(options_completion("tcsh", &none));
	buf_free(&help);
	buf_free(&none);
}

static void test_no_letter_is_taken_twice(void **state)
{
	(void)state;
	for (size_t i = 0; i < option_count; i++)
		for (size_t k = i + 1; k < option_count; k++) {
			assert_string_not_equal(option_table[i].name, option_table[k].name);
			if (option_table[i].letter)
				assert_int_not_equal(option_table[i].letter,
						     option_table[k].letter);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_commands_and_paths),
		cmocka_unit_test(test_lists_keep_their_order),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_versions_of_kubernetes),
		cmocka_unit_test(test_texts_name_everything),
		cmocka_unit_test(test_no_letter_is_taken_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

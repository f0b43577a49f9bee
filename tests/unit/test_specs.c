/* Ports, mounts, references and env files: what a reader of their results relies on.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "src/syntax/dotenv.h"
#include "src/syntax/port_spec.h"
#include "src/syntax/volume_spec.h"

static const char *no_variable(void *ctx, const char *name)
{
	(void)ctx, (void)name;
	return NULL;
}

static void ports_keep_address_and_ranges(void **state)
{
	struct arena a = { 0 };
	struct port_mapping m = port_parse(&a, "[::1]:8080-8081:80-81/udp");

	(void)state;
	assert_null(m.error);
	assert_string_equal(m.host_ip, "::1");
	assert_int_equal(port_count(&m), 2);
	assert_string_equal(port_host(&a, &m, 1), "8081");
	assert_int_equal(port_container(&m, 1), 81);
	assert_string_equal(port_canonical(&a, &m), "[::1]:8080-8081:80-81/udp");
	assert_non_null(port_parse(&a, "300.0.0.1:80:80").error);
	assert_non_null(port_parse(&a, "1-3:1-2").error);
	assert_true(ip_is_valid("fe80::1%eth0"));
	assert_true(ip_is_valid("::ffff:10.0.0.1"));
	assert_false(ip_is_valid("1:2:3"));
	assert_false(ip_is_valid("::1::"));
	arena_free(&a);
}

static void mounts_tell_paths_from_volumes(void **state)
{
	struct arena a = { 0 };

	(void)state;
	assert_string_equal(volume_parse_compose(&a, "~/.ssh:/k:ro").type, "bind");
	assert_string_equal(volume_parse_compose(&a, "data:/d").type, "volume");
	assert_string_equal(volume_parse_compose(&a, "a:/d").source, "a");
	assert_string_equal(volume_parse_compose(&a, "C:\\x:/d").source, "C:\\x");
	assert_string_equal(volume_parse_compose(&a, "/srv").source, "");
	assert_string_equal(volume_parse_engine(&a, "name:/d:ro").type, "volume");
	assert_non_null(volume_parse_engine(&a, "/a:/b:ro,rw").error);
	assert_string_equal(volume_parse_mount(&a, "type=bind,src=/,dst=/h,readonly").source, "/");
	assert_int_equal(volume_parse_mount(&a, "type=bind,src=/,dst=/h,readonly").read_only,
	                 VOLUME_ON);
	arena_free(&a);
}

static void sizes_have_units(void **state)
{
	int64_t bytes;

	(void)state;
	assert_true(size_parse("1.5gb", &bytes));
	assert_int_equal(bytes, 1610612736);
	assert_true(size_parse("640 KiB", &bytes));
	assert_int_equal(bytes, 655360);
	assert_false(size_parse("lots", &bytes));
	assert_false(size_parse("-1", &bytes));
}

static void references_are_bounded_and_counted(void **state)
{
	struct arena a = { 0 };
	struct interpolation r;
	char deep[512] = "";

	(void)state;
	assert_true(interpolate(&a, "${A:-${B:-c}}/$$D", no_variable, NULL, &r));
	assert_string_equal(r.text, "c/$D");
	assert_true(r.defaulted);
	assert_null(r.missing);
	assert_true(interpolate(&a, "x${A:?give A}", no_variable, NULL, &r));
	assert_string_equal(r.required, "required variable A is missing a value: give A");
	for (int i = 0; i < 60; i++)
		strncat(deep, "${A:-", sizeof deep - strlen(deep) - 1);
	for (int i = 0; i < 60; i++)
		strncat(deep, "}", sizeof deep - strlen(deep) - 1);
	assert_false(interpolate(&a, deep, no_variable, NULL, &r));
	arena_free(&a);
}

static void env_files_give_names_classes_and_places(void **state)
{
	static const char text[] = "# c\nexport A=1\nKEY=\"two\nlines\"\nTODO=changeme\nE=\nALONE\n"
	                           "bad line\nR=${A}\n";
	struct arena a = { 0 };
	struct dotenv env = { 0 };
	struct problems problems = { 0 };
	struct source s;

	(void)state;
	source_init(&s, &a, 1, ".env", text, sizeof text - 1);
	dotenv_read(&a, &s, NULL, NULL, &env, &problems);
	assert_int_equal(problems.count, 1);
	assert_int_equal(source_line(&s, problems.items[0].span.offset), 8);
	assert_int_equal(dotenv_find(&env, "TODO")->class, DOTENV_PLACEHOLDER);
	assert_int_equal(dotenv_find(&env, "E")->class, DOTENV_EMPTY);
	assert_int_equal(dotenv_find(&env, "ALONE")->class, DOTENV_INHERITED);
	assert_int_equal(dotenv_find(&env, "R")->class, DOTENV_REFERENCE);
	assert_string_equal(dotenv_find(&env, "R")->value, "1");
	assert_string_equal(dotenv_find(&env, "KEY")->value, "two\nlines");
	assert_int_equal(source_line(&s, dotenv_find(&env, "KEY")->value_span.offset), 3);
	arena_free(&a);
}

/* What follows a stray "$" may be part of a password. */
static void errors_leave_the_value_out(void **state)
{
	static const char *const texts[] = { "pa${hidden", "pa${hidden:", "pa${a:-${hidden" };

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct arena a = { 0 };
		struct interpolation r = { 0 };

		assert_false(interpolate(&a, texts[i], no_variable, NULL, &r));
		assert_non_null(r.error);
		assert_null(strstr(r.error, "hidden"));
		assert_null(strstr(r.error, "pa$"));
		arena_free(&a);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(errors_leave_the_value_out),
		cmocka_unit_test(ports_keep_address_and_ranges),
		cmocka_unit_test(mounts_tell_paths_from_volumes),
		cmocka_unit_test(sizes_have_units),
		cmocka_unit_test(references_are_bounded_and_counted),
		cmocka_unit_test(env_files_give_names_classes_and_places),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

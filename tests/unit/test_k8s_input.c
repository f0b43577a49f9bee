/* Manifests that the API server would not take as they are: each fault one problem with its line, the rest read.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/k8s_help.h"

#include "model/buf.h"

#define CONTAINER(keys)                                                                            \
	POD("  containers:\n  - name: c\n    image: i\n" keys)

static size_t count_problems(const struct reading *r)
{
	return r->snapshot.artifacts.items[0]->problems.count;
}

static void read_one(struct reading *r, const char *text)
{
	*r = (struct reading){ 0 };
	read_k8s(r, "p.yaml", text);
	join_k8s(r);
}

static void every_spelling_of_a_quantity_is_taken(void **state)
{
	static const char *const good[] = { "1Gi", "1e3", "0.5", "128974848", "1G", "12E6", "1E", ".5G",
					    "5.", "+1Gi", "129e6", "536870912000m", "1Ki", "1.1Gi",
					    "\"2Mi\"", "{{ .Values.memory }}" };
	struct reading r;

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		char text[400];

		snprintf(text, sizeof text,
			 CONTAINER("    resources: {limits: {ephemeral-storage: '%s'}}\n"), good[i]);
		read_one(&r, text);
		if (good[i][0] != '"')
			assert_int_equal(count_problems(&r), 0);
		reading_free(&r);
	}
}

static void what_is_no_quantity_is_said(void **state)
{
	static const char *const bad[] = { "1gb", "100 Mi", "1GB", "1K", "Mi", "1e3Mi", "1,5Gi", "0x10",
					   "1Mib", "", "one", "1 ", " 1", "1..2" };
	struct reading r;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		char text[400];

		snprintf(text, sizeof text, CONTAINER("    resources: {limits: {cpu: '%s'}}\n"), bad[i]);
		read_one(&r, text);
		assert_problem(&r, 8, "no quantity");
		reading_free(&r);
	}
}

static void amounts_that_are_hardly_meant_are_said(void **state)
{
	struct reading r;

	(void)state;
	read_one(&r, CONTAINER("    resources:\n      limits:\n        memory: 500m\n        cpu: 500m\n"
			       "      requests:\n        memory: 512\n        cpu: 2\n"));
	assert_problem(&r, 10, "fraction of a byte");
	assert_problem(&r, 13, "less than a mebibyte");
	assert_problem(&r, 14, "above its limit");
	assert_non_null(strstr(fact_of(row_of(&r, "p.yaml#Pod//p/c"), FACT_MEMORY_LIMIT, "500m")->note,
			       "fraction of a byte"));
	reading_free(&r);
	read_one(&r, CONTAINER("    resources: {limits: {memory: 0Mi, cpu: \"0\"}}\n"));
	assert_string_equal(fact_of(row_of(&r, "p.yaml#Pod//p/c"), FACT_MEMORY_LIMIT, "0")->note,
			    "0 is no limit");
	reading_free(&r);
}

static void scalars_of_the_wrong_type_are_said_and_read(void **state)
{
	struct reading r;

	(void)state;
	read_one(&r,
		 "apiVersion: v1\nkind: Pod\nmetadata: {name: 7, labels: {v: 1.0}}\nspec:\n"
		 "  hostNetwork: \"true\"\n  securityContext: {runAsUser: \"5\", fsGroup: -1}\n"
		 "  containers:\n  - name: c\n    image: 1.10\n    args: [8080, on]\n"
		 "    env:\n    - {name: PORT, value: 80}\n    - {name: A, value: yes}\n"
		 "    ports: [{containerPort: \"80\"}, {containerPort: 70000}]\n"
		 "    securityContext: {privileged: \"yes\", runAsNonRoot: 1}\n");
	assert_problem(&r, 3, "name must be text, here it is a number");
	assert_problem(&r, 3, "v must be text");
	assert_problem(&r, 5, "hostNetwork is quoted text");
	assert_problem(&r, 6, "runAsUser must be a number, here it is text");
	assert_problem(&r, 6, "fsGroup must be a number from 0");
	assert_problem(&r, 9, "image must be text");
	assert_problem(&r, 10, "args must be text, here it is a number");
	assert_problem(&r, 10, "args must be text, here it is true or false");
	assert_problem(&r, 12, "value must be text, here it is a number");
	assert_problem(&r, 13, "value must be text, here it is true or false");
	assert_problem(&r, 14, "containerPort must be a number, here it is text");
	assert_problem(&r, 14, "containerPort must be a number from 0 to 65535");
	assert_problem(&r, 15, "privileged is quoted text");
	assert_problem(&r, 15, "runAsNonRoot must be true or false");
	fact_of(row_of(&r, "p.yaml#Pod//7/c"), FACT_PRIVILEGED, "true");
	reading_free(&r);
}

static void scalars_of_the_right_type_are_no_fault(void **state)
{
	struct reading r;

	(void)state;
	read_one(&r,
		 "apiVersion: !!str v1\nkind: Pod\nmetadata: {name: \"7\", labels: {v: \"1.0\", w: 1.0.0}}\n"
		 "spec:\n  hostNetwork: !!bool \"true\"\n  securityContext: {runAsUser: 0, fsGroup: 0x10}\n"
		 "  containers:\n  - name: c1\n    image: 10.0.0.1/a\n    args: [\"8080\", 12:30x, a1, 1e, -x]\n"
		 "    env: [{name: P, value: \"80\"}, {name: Q, value: \"\"}, {name: R, value: ~}]\n"
		 "    ports: [{containerPort: 80, hostPort: 0}]\n");
	assert_int_equal(count_problems(&r), 0);
	reading_free(&r);
}

static void values_one_after_the_other_are_objects(void **state)
{
	static const char text[] =
		"{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\"},"
		"\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}\n"
		"{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"b\"},"
		"\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}\n{\"a\":";
	struct reading r = { 0 };
	struct input *in;

	(void)state;
	in = add_text(&r, "p.json", text);
	input_parse(&r.workspace, in, SYNTAX_JSONC);
	r.workspace.open = tree_open;
	r.workspace.exists = tree_exists;
	assert_true(format_k8s.recognise(in));
	format_k8s.read(&r.workspace, in);
	row_of(&r, "p.json#Pod//a/c");
	row_of(&r, "p.json#Pod//b/c");
	assert_problem(&r, 3, "not read further");
	reading_free(&r);
}

/* Each row lists what its whole pod violates: that must not be the square of the pod. */
static void violations_of_a_huge_pod_are_bounded_and_said(void **state)
{
	struct reading r = { 0 };
	struct buf text = { 0 };
	const struct pod_security *security;

	(void)state;
	buf_puts(&text, POD("  containers:\n"));
	for (unsigned i = 0; i < 3000; i++)
		buf_printf(&text, "  - {name: c%u, image: i}\n", i);
	read_k8s(&r, "p.yaml", buf_text(&text));
	security = row_of(&r, "p.yaml#Pod//p/c2999")->pod_security;
	assert_true(security->count > 64 && security->count < 1000);
	assert_problem(&r, 70, "at more than 64 places");
	buf_free(&text);
	reading_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_spelling_of_a_quantity_is_taken),
		cmocka_unit_test(what_is_no_quantity_is_said),
		cmocka_unit_test(amounts_that_are_hardly_meant_are_said),
		cmocka_unit_test(scalars_of_the_wrong_type_are_said_and_read),
		cmocka_unit_test(scalars_of_the_right_type_are_no_fault),
		cmocka_unit_test(values_one_after_the_other_are_objects),
		cmocka_unit_test(violations_of_a_huge_pod_are_bounded_and_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

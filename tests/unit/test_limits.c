/* What an untrusted tree can make large ends at a limit, and the limit is said: in a file's problems, in its state,
 * or by a fact that is not known.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/git_help.h"
#include "tests/unit/grown.h"

#include "model/limits.h"

/* Reads the parts; some file that was not read in full says TEXT. */
static void assert_said(const struct part *parts, size_t part_count, size_t count, const char *text)
{
	struct snapshot s = { 0 };
	bool said = false;

	load_grown(parts, part_count, count, 0, &s);
	for (size_t i = 0; i < s.artifacts.count; i++) {
		const struct artifact *a = s.artifacts.items[i];

		for (size_t k = 0; k < a->problems.count; k++)
			said |= strstr(a->problems.items[k].message, text) != NULL &&
				a->state != ARTIFACT_ASSESSED;
	}
	snapshot_free(&s);
	if (!said)
		fail_msg("no file says \"%s\"", text);
}

#define SAYS(count, text, ...)                                                                    \
	do {                                                                                      \
		const struct part parts[] = { __VA_ARGS__ };                                      \
		assert_said(parts, sizeof parts / sizeof *parts, count, text);                    \
	} while (0)

static void memory_of_the_tree(void **state)
{
	const struct part parts[] = { { "d@/compose.yaml", "services:\n", "  s@: {image: x}\n", "" } };
	struct snapshot s = { 0 };
	size_t left_out = 0;

	(void)state;
	load_grown(parts, 1, 40, 64 * 1024, &s);
	for (size_t i = 0; i < s.artifacts.count; i++)
		left_out += s.artifacts.items[i]->state == ARTIFACT_NOT_ASSESSED &&
			    strstr(s.artifacts.items[i]->reason, "too large to be held in memory");
	assert_true(left_out > 0);
	assert_true(left_out < 40);
	snapshot_free(&s);
}

static void memory_of_one_project(void **state)
{
	struct buf base = { 0 };

	(void)state;
	buf_puts(&base, "services:\n  a:\n    image: x\n    environment:\n");
	for (int i = 0; i < 20000; i++)
		buf_printf(&base, "      A%d: b\n", i);
	SAYS(300, "expands to too many values", { "compose.yaml", buf_text(&base), "  s@: {extends: {service: a}}\n", "" });
	buf_free(&base);
}

static void aliases_of_a_short_file(void **state)
{
	(void)state;
	SAYS(1, "too many values",
	     { "compose.yaml",
	       "x-a: &a [x, x, x, x, x, x, x, x, x, x]\n"
	       "x-b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\n"
	       "x-c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]\n"
	       "x-d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]\n"
	       "x-e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d]\n"
	       "services: {a: {image: x, command: *e}}\n", "", "" });
}

static void text_of_a_variable(void **state)
{
	struct buf env = { 0 };

	(void)state;
	buf_puts(&env, "A=");
	for (int i = 0; i < 60000; i++)
		buf_puts(&env, "xx");
	buf_putc(&env, '\n');
	SAYS(8, "the expanded text is too long", { ".env", buf_text(&env), "", "" },
	     { "compose.yaml", "services:\n  a:\n    image: x\n    hostname: \"", "${A}", "\"\n" });
	buf_free(&env);
}

static void containers_of_one_script(void **state)
{
	(void)state;
	SAYS(LIMIT_LAUNCHES + 1, "the others are not assessed",
	     { "run.sh", "#!/bin/sh\n", "docker run --privileged x@\n", "" });
}

static void variables_of_an_image(void **state)
{
	(void)state;
	SAYS(LIMIT_ENV + 1, "variables in one stage; the others are not assessed",
	     { "Dockerfile", "FROM x\nENV ", "A@=b ", "\n" });
}

static void triggers_of_an_image(void **state)
{
	(void)state;
	SAYS(LIMIT_TRIGGERS / 4 + 1, "start from theirs; more are not assessed",
	     { "Dockerfile",
	       "FROM x AS b\nONBUILD RUN a\nONBUILD RUN b\nONBUILD RUN c\nONBUILD RUN d\n",
	       "FROM b AS s@\n", "" });
}

static void services_of_one_volume(void **state)
{
	(void)state;
	SAYS(LIMIT_SHARERS + 2, "not linked with each other",
	     { "compose.yaml", "volumes: {v: {}}\nservices:\n", "  s@: {image: x, volumes: ['v:/x']}\n", "" });
}

static void mounts_taken_from_others(void **state)
{
	struct buf base = { 0 };

	(void)state;
	buf_puts(&base, "services:\n  a:\n    image: x\n    volumes:\n");
	for (int i = 0; i < 500; i++)
		buf_printf(&base, "      - /h%d:/m%d\n", i, i);
	SAYS(LIMIT_TAKEN / 500 + 1, "mounts from others; the rest is not assessed",
	     { "compose.yaml", buf_text(&base), "  s@: {image: x, volumes_from: [a]}\n", "" });
	buf_free(&base);
}

#define POD "apiVersion: v1\nkind: Pod\nmetadata: {name: p@, namespace: n, labels: {a: b}}\n"       \
	    "spec: {containers: [{name: c, image: x}]}\n---\n"
#define POLICY(selector)                                                                          \
	"apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\n"                                   \
	"metadata: {name: np@, namespace: n}\nspec: {podSelector: " selector "}\n---\n"

static void objects_of_one_pod(void **state)
{
	(void)state;
	SAYS(LIMIT_JOINED + 1, "the rest is not joined",
	     { "pod.yaml", "", "", "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: n}\n"
	       "spec: {containers: [{name: c, image: x}]}\n" },
	     { "policies.yaml", "", POLICY("{}"), "" });
}

static void bindings_of_one_pod(void **state)
{
	(void)state;
	SAYS(LIMIT_JOINED + 1, "the rest is not joined",
	     { "pod.yaml", "", "", "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: n}\n"
	       "spec: {containers: [{name: c, image: x}]}\n" },
	     { "rbac.yaml", "", "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\n"
	       "metadata: {name: b@, namespace: n}\nroleRef: {kind: Role, name: r}\n"
	       "subjects: [{kind: Group, name: 'system:serviceaccounts'}]\n---\n", "" });
}

/* Selectors that only expressions tell from the pods' labels: each pair must be compared. */
static void comparisons_of_pods_and_policies(void **state)
{
	const struct part parts[] = {
		{ "pods.yaml", "", POD, "" },
		{ "policies.yaml", "",
		  POLICY("{matchExpressions: [{key: a, operator: NotIn, values: [b]}]}"), "" },
	};
	struct snapshot s = { 0 };
	size_t unresolved = 0, said = 0;

	(void)state;
	load_grown(parts, 2, 2600, 0, &s);
	for (size_t i = 0; i < s.rows.count; i++) {
		const struct fact *f = row_first(s.rows.items[i], FACT_NETWORK_POLICY, LAYER_DECLARED);

		if (s.rows.items[i]->kind == ROW_MAIN)
			unresolved += f && f->provenance == PROVENANCE_UNRESOLVED;
	}
	for (size_t i = 0; i < s.artifacts.count; i++)
		for (size_t k = 0; k < s.artifacts.items[i]->problems.count; k++)
			said += strstr(s.artifacts.items[i]->problems.items[k].message,
				       "what it applies to is not assessed") != NULL;
	assert_int_equal(unresolved, 2600);
	assert_true(said > 0);
	snapshot_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_of_the_tree),
		cmocka_unit_test(memory_of_one_project),
		cmocka_unit_test(aliases_of_a_short_file),
		cmocka_unit_test(text_of_a_variable),
		cmocka_unit_test(containers_of_one_script),
		cmocka_unit_test(variables_of_an_image),
		cmocka_unit_test(triggers_of_an_image),
		cmocka_unit_test(services_of_one_volume),
		cmocka_unit_test(mounts_taken_from_others),
		cmocka_unit_test(objects_of_one_pod),
		cmocka_unit_test(bindings_of_one_pod),
		cmocka_unit_test(comparisons_of_pods_and_policies),
	};

	return cmocka_run_group_tests(tests, hold_git, release_git);
}

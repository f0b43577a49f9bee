/* Helm templates: what a chart's values say by default, and templates that cannot be read whole.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/k8s_help.h"

#define POD_IN "c/templates/d.yaml#Pod//p/a"

static const struct row *read_chart(struct reading *r, const char *values, const char *template)
{
	*r = (struct reading){ 0 };
	read_with(r, &format_helm, "c/Chart.yaml", "apiVersion: v2\nname: c\n");
	if (values)
		add_text(r, "c/values.yaml", values);
	read_with(r, &format_helm, "c/templates/d.yaml", template);
	join_k8s(r);
	return row_of(r, POD_IN);
}

static void assert_default(const struct row *row, enum fact_kind kind, const char *note)
{
	const struct fact *f = fact_of(row, kind, NULL);

	assert_int_equal(f->provenance, PROVENANCE_TEMPLATED);
	assert_string_equal(f->note, note);
}

#define HEAD POD("  hostNetwork: {{ .Values.net }}\n  hostPID: {{ .Values.no.pid | default true }}\n") \
	"  containers:\n  - name: a\n"

static void defaults_are_shown_with_their_place(void **state)
{
	struct reading r;
	const struct row *row;

	(void)state;
	row = read_chart(&r,
			 "net: true\nimage:\n  name: nginx\n  tag: \"1\"\n  empty: \"\"\nsc:\n  runAsUser: 7\n"
			 "res:\n  limits: {memory: 1Gi}\ncaps: {drop: [ALL]}\n",
			 HEAD "    image: \"{{ .Values.image.name }}:{{ .Values.image.tag }}\"\n"
			      "    imagePullPolicy: {{ .Values.image.empty | default \"Always\" }}\n"
			      "    resources: {{- toYaml .Values.res | nindent 6 }}\n"
			      "    securityContext:\n      {{- toYaml .Values.sc | nindent 6 }}\n");
	assert_default(row, FACT_NETWORK_MODE, "default in c/values.yaml:1: true");
	assert_string_equal(fact_of(row, FACT_NETWORK_MODE, NULL)->value, "{{ .Values.net }}");
	assert_default(row, FACT_PID, "default in the template, c/templates/d.yaml:6: true");
	assert_default(row, FACT_IMAGE, "default in c/values.yaml:3: nginx:1");
	assert_default(row, FACT_PULL_POLICY, "default in the template, c/templates/d.yaml:10: Always");
	assert_default(row, FACT_USER, "default in c/values.yaml:7: 7");
	assert_default(row, FACT_PRIVILEGED, "not set by the default in c/values.yaml:7");
	assert_default(row, FACT_MEMORY_LIMIT, "default in c/values.yaml:9: 1Gi");
	assert_default(row, FACT_CPU_LIMIT, "not set by the default in c/values.yaml:9");
	reading_free(&r);
}

/* A setting put in on the line of its key is no setting left out. */
static void a_whole_setting_on_one_line_is_templated(void **state)
{
	struct reading r;
	const struct row *row;

	(void)state;
	row = read_chart(&r, "sc: {privileged: true}\ncaps: {drop: [ALL]}\n",
			 HEAD "    image: i\n    securityContext: {{- toYaml .Values.sc | nindent 6 }}\n");
	assert_default(row, FACT_PRIVILEGED, "default in c/values.yaml:1: true");
	reading_free(&r);
	row = read_chart(&r, NULL,
			 HEAD "    image: i\n    securityContext: {{- toYaml .Values.sc | nindent 6 }}\n");
	assert_default(row, FACT_PRIVILEGED, "a template expression may set it");
	reading_free(&r);
	row = read_chart(&r, "caps: {drop: [ALL]}\n",
			 HEAD "    image: i\n    securityContext:\n"
			      "      capabilities: {{- toYaml .Values.caps | nindent 8 }}\n");
	assert_default(row, FACT_CAP_DROP, "set in c/values.yaml:1");
	assert_int_equal(fact_of(row, FACT_PRIVILEGED, NULL)->provenance, PROVENANCE_ABSENT);
	reading_free(&r);
}

static void the_dot_is_what_with_names(void **state)
{
	struct reading r;
	const struct row *row;

	(void)state;
	row = read_chart(&r, "sc: {runAsUser: 7}\npod: {inner: {readOnlyRootFilesystem: true}}\n",
			 HEAD "    image: i\n    {{- with .Values.sc }}\n    securityContext:\n"
			      "      {{- toYaml . | nindent 6 }}\n    {{- end }}\n");
	assert_default(row, FACT_USER, "default in c/values.yaml:1: 7");
	reading_free(&r);
	row = read_chart(&r, "pod: {inner: {user: 9}}\n",
			 HEAD "    image: i\n    securityContext:\n      {{- with .Values.pod }}\n"
			      "      {{- with .inner }}\n      {{- if .user }}\n      runAsUser: {{ .user }}\n"
			      "      {{- end }}\n      {{- end }}\n      {{- end }}\n");
	assert_default(row, FACT_USER, "default in c/values.yaml:1: 9");
	reading_free(&r);
	row = read_chart(&r, "pod: {user: 9}\n",
			 HEAD "    image: i\n    securityContext:\n      {{- with .Values.pod }}\n"
			      "      {{- range $.Values.all }}\n      runAsUser: {{ .user }}\n"
			      "      {{- end }}\n      {{- end }}\n");
	assert_default(row, FACT_USER, "known only once the template is rendered");
	reading_free(&r);
}

static void a_chart_above_sets_values_of_the_one_it_holds(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	read_with(&r, &format_helm, "c/Chart.yaml", "apiVersion: v2\nname: c\n");
	add_text(&r, "c/values.yaml", "sub: {image: \"above:1\"}\n");
	read_with(&r, &format_helm, "c/charts/sub/Chart.yaml", "apiVersion: v2\nname: sub\n");
	add_text(&r, "c/charts/sub/values.yaml", "image: \"own:1\"\nnet: false\n");
	read_with(&r, &format_helm, "c/charts/sub/templates/d.yaml",
		  HEAD "    image: {{ .Values.image }}\n");
	join_k8s(&r);
	row = row_of(&r, "c/charts/sub/templates/d.yaml#Pod//p/a");
	assert_default(row, FACT_IMAGE, "default in c/values.yaml:1: above:1");
	assert_default(row, FACT_NETWORK_MODE, "default in c/charts/sub/values.yaml:2: false");
	reading_free(&r);
}

static void values_that_hold_nothing_of_use_are_no_default(void **state)
{
	static const char *const values[] = { NULL, "", "- a\n", "net: ~\n", "net: {a: b}\n", "x: [\n",
					      "net: []\n" };

	(void)state;
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		struct reading r;
		const struct row *row = read_chart(&r, values[i], HEAD "    image: i\n");
		const struct fact *f = fact_of(row, FACT_NETWORK_MODE, NULL);

		assert_int_equal(f->provenance, PROVENANCE_TEMPLATED);
		assert_true(strncmp(f->note, "default in", 10) != 0);
		reading_free(&r);
	}
}

/* What follows an expression that is not closed is read. */
static void an_expression_without_end_is_said(void **state)
{
	static const char after[] = "---\n" POD("  containers: [{name: a, image: i, securityContext: "
						"{privileged: true}}]\n");
	static const char *const broken[] = {
		"apiVersion: v1\nkind: Pod\nmetadata: {name: {{ .Values.x }\nspec: {}\n",
		"apiVersion: v1\nkind: Pod\nmetadata: {name: {{ .Values.x\nspec: {a: {{ .y }}}\n",
		"apiVersion: v1\nkind: Pod\nmetadata: {name: {{ .Values.x | default \"}} }\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
		char text[600];
		struct reading r = { 0 };

		snprintf(text, sizeof text, "%s%s", broken[i], after);
		read_with(&r, &format_helm, "c/templates/d.yaml", text);
		if (i < 2)
			assert_problem(&r, 3, "not closed");
		fact_of(row_of(&r, POD_IN), FACT_PRIVILEGED, "true");
		reading_free(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults_are_shown_with_their_place),
		cmocka_unit_test(a_whole_setting_on_one_line_is_templated),
		cmocka_unit_test(the_dot_is_what_with_names),
		cmocka_unit_test(a_chart_above_sets_values_of_the_one_it_holds),
		cmocka_unit_test(values_that_hold_nothing_of_use_are_no_default),
		cmocka_unit_test(an_expression_without_end_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

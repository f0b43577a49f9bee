/* Helm templates: what the chart's default values make of their blocks, and values that they leave open.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/k8s_help.h"

#include "src/formats/k8s/template_blocks.h"

#define CHART "apiVersion: v2\nname: c\n"

static void read_chart(struct reading *r, const char *values, const char *template)
{
	read_text(r, &format_helm, "c/values.yaml", SYNTAX_YAML, values);
	hash_index_put(&r->snapshot.arena, &r->workspace.input_paths, "c/values.yaml",
		       (uint32_t)r->workspace.inputs.count - 1);
	read_with(r, &format_helm, "c/Chart.yaml", CHART);
	read_with(r, &format_helm, "c/templates/d.yaml", template);
}

static enum tri judge(const char *values, const char *condition)
{
	struct reading r = { 0 };
	struct input *in = add_text(&r, "v.yaml", values);
	enum tri truth;

	input_parse(&r.workspace, in, SYNTAX_YAML);
	truth = template_condition(node_resolve(in->documents.items[0]), condition, strlen(condition),
				   NULL);
	reading_free(&r);
	return truth;
}

static void conditions_are_judged_by_the_defaults_alone(void **state)
{
	static const char values[] = "a: true\nb: false\nn: 0\ns: ''\nt: redis\nq: 'false'\nm: {x: 1}\ne: {}\n"
				     "d: {p: {q: yes}}\nnull_one:\n";
	static const struct {
		const char *condition;
		enum tri truth;
	} cases[] = {
		{ ".Values.a", TRI_TRUE },
		{ ".Values.b", TRI_FALSE },
		{ "$.Values.a", TRI_TRUE },
		{ ".Values.n", TRI_FALSE },
		{ ".Values.s", TRI_FALSE },
		{ ".Values.q", TRI_TRUE },
		{ ".Values.m", TRI_TRUE },
		{ ".Values.e", TRI_FALSE },
		{ ".Values.d.p.q", TRI_TRUE },
		{ ".Values.null_one", TRI_FALSE },
		{ ".Values.missing.deep", TRI_FALSE },
		{ "not .Values.a", TRI_FALSE },
		{ "not (.Values.b)", TRI_TRUE },
		{ "and .Values.a (not .Values.b)", TRI_TRUE },
		{ "and .Values.b .Capabilities.X", TRI_FALSE },
		{ "and .Values.a .Capabilities.X", TRI_UNKNOWN },
		{ "or .Values.b .Values.a", TRI_TRUE },
		{ "or .Values.b .Release.IsInstall", TRI_UNKNOWN },
		{ "eq .Values.t \"redis\"", TRI_TRUE },
		{ "eq .Values.t \"spanner\"", TRI_FALSE },
		{ "ne .Values.t `redis`", TRI_FALSE },
		{ "eq (.Values.t) \"redis\"", TRI_TRUE },
		{ "semverCompare \">1\" .Values.t", TRI_UNKNOWN },
		{ ".Values.t | empty", TRI_UNKNOWN },
		{ "include \"c.on\" .", TRI_UNKNOWN },
		{ "((((((((((((((((((((.Values.a", TRI_UNKNOWN },
		{ ".Values.a)", TRI_UNKNOWN },
		{ "eq .Values.t \"open", TRI_UNKNOWN },
		{ "", TRI_UNKNOWN },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (judge(values, cases[i].condition) != cases[i].truth)
			fail_msg("%s is judged %d", cases[i].condition,
				 (int)judge(values, cases[i].condition));
}

#define WORKLOAD(name, lines)                                                                      \
	"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: " name "}\nspec:\n  template:\n"    \
	"    spec:\n" lines "      containers:\n      - name: web\n        image: b:1\n"

static const char web[] = "c/templates/d.yaml#Deployment//web/web";

static void the_branch_that_the_defaults_take_gives_the_value(void **state)
{
	struct reading r = { 0 };

	(void)state;
	read_chart(&r, "sa: {create: true}\n",
		   WORKLOAD("web", "      {{- if .Values.sa.create }}\n      serviceAccountName: mine\n"
				   "      {{- else }}\n      serviceAccountName: default\n"
				   "      {{- end }}\n"));
	assert_string_equal(fact_of(row_of(&r, web), FACT_SERVICE_ACCOUNT, NULL)->value, "mine");
	reading_free(&r);
	r = (struct reading){ 0 };
	read_chart(&r, "sa: {create: false}\n",
		   WORKLOAD("web", "      {{- if .Values.sa.create }}\n      serviceAccountName: mine\n"
				   "      {{- else if .Values.other }}\n      serviceAccountName: other\n"
				   "      {{- else }}\n      serviceAccountName: default\n"
				   "      {{- end }}\n"));
	assert_string_equal(fact_of(row_of(&r, web), FACT_SERVICE_ACCOUNT, NULL)->value, "default");
	reading_free(&r);
}

static void what_the_defaults_leave_out_is_templated(void **state)
{
	struct reading r = { 0 };
	const struct fact *f;

	(void)state;
	read_chart(&r, "host: false\nuser: {set: true}\n",
		   WORKLOAD("web", "      {{- if .Values.host }}\n      hostNetwork: true\n      {{- end }}\n"
				   "      {{- if .Values.user.set }}\n"
				   "      securityContext: {runAsUser: 7}\n      {{- end }}\n"));
	f = fact_of(row_of(&r, web), FACT_NETWORK_MODE, NULL);
	assert_int_equal(f->provenance, PROVENANCE_TEMPLATED);
	assert_non_null(strstr(f->note, ".Values.host, set in c/values.yaml:1"));
	assert_int_equal(fact_of(row_of(&r, web), FACT_USER, "7")->provenance, PROVENANCE_EXPLICIT);
	reading_free(&r);
}

static void pods_and_objects_that_the_defaults_leave_out_stay_and_say_so(void **state)
{
	struct reading r = { 0 };
	const struct row *extra;
	const struct fact *f;

	(void)state;
	read_chart(&r, "extra: {create: false}\npolicies: false\n",
		   "{{- if .Values.extra.create }}\n" WORKLOAD("extra", "") "{{- end }}\n---\n"
		   WORKLOAD("web", "")
		   "{{- if .Values.policies }}\n---\napiVersion: networking.k8s.io/v1\n"
		   "kind: NetworkPolicy\nmetadata: {name: deny}\nspec: {podSelector: {}}\n{{- end }}\n");
	join_k8s(&r);
	extra = row_of(&r, "c/templates/d.yaml#Deployment//extra/web");
	assert_int_equal(extra->activity, ROW_CONDITIONAL);
	assert_non_null(strstr(extra->activity_reason, ".Values.extra.create"));
	assert_int_equal(fact_of(extra, FACT_IMAGE, NULL)->provenance, PROVENANCE_EXPLICIT);
	assert_int_equal(row_of(&r, web)->activity, ROW_ACTIVE);
	f = fact_of(row_of(&r, web), FACT_NETWORK_POLICY, "deny");
	assert_int_equal(f->provenance, PROVENANCE_TEMPLATED);
	assert_non_null(strstr(f->note, ".Values.policies"));
	reading_free(&r);
}

static void a_tag_that_is_not_known_leaves_the_pull_policy_open(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	read_chart(&r, "tag: latest\n",
		   "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n"
		   "  - {name: a, image: \"r/{{ .Values.name }}:{{ .Values.tag }}\"}\n"
		   "  - {name: b, image: \"{{ .Values.repository }}/redis:alpine\"}\n");
	row = row_of(&r, "c/templates/d.yaml#Pod//p/a");
	assert_int_equal(fact_of(row, FACT_PULL_POLICY, NULL)->provenance, PROVENANCE_TEMPLATED);
	row = row_of(&r, "c/templates/d.yaml#Pod//p/b");
	assert_string_equal(fact_of(row, FACT_PULL_POLICY, NULL)->value, "IfNotPresent");
	reading_free(&r);
}

static void a_template_value_violates_no_level_yet(void **state)
{
	struct reading r = { 0 };
	const struct pod_security *level;

	(void)state;
	read_chart(&r, "type: RuntimeDefault\n",
		   "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n"
		   "  securityContext: {seccompProfile: {type: \"{{ .Values.type }}\"}}\n"
		   "  containers: [{name: a, image: b}]\n");
	level = row_of(&r, "c/templates/d.yaml#Pod//p/a")->pod_security;
	assert_string_equal(level->level, "baseline");
	assert_true(level->templated);
	reading_free(&r);
}

static void blocks_without_an_end_are_read_as_they_stand(void **state)
{
	static const char *const texts[] = {
		"{{ if .Values.a }}\n" WORKLOAD("web", ""),
		"{{ end }}{{ else }}\n" WORKLOAD("web", ""),
		"{{ if\n" WORKLOAD("web", ""),
	};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct reading r = { 0 };

		read_chart(&r, "a: false\n", texts[i]);
		reading_free(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(conditions_are_judged_by_the_defaults_alone),
		cmocka_unit_test(the_branch_that_the_defaults_take_gives_the_value),
		cmocka_unit_test(what_the_defaults_leave_out_is_templated),
		cmocka_unit_test(pods_and_objects_that_the_defaults_leave_out_stay_and_say_so),
		cmocka_unit_test(a_tag_that_is_not_known_leaves_the_pull_policy_open),
		cmocka_unit_test(a_template_value_violates_no_level_yet),
		cmocka_unit_test(blocks_without_an_end_are_read_as_they_stand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Charts and kustomizations: objects that a patch moves, and calls of helpers as values.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/k8s_help.h"

static const char deployment[] =
	"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: old}\n"
	"spec:\n  template:\n    metadata: {labels: {app: web}}\n"
	"    spec: {containers: [{name: c, image: b}]}\n";
static const char policy[] =
	"apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: shut}\n"
	"spec: {podSelector: {matchLabels: {app: web}}, policyTypes: [Ingress]}\n";

static void read_patched(struct reading *r, const char *patches)
{
	struct arena *a = &r->snapshot.arena;

	read_with(r, &format_kustomize, "k/kustomization.yaml",
		  arena_printf(a, "resources: [d.yaml, n.yaml]\npatches:\n%s", patches));
	read_k8s(r, "k/d.yaml", deployment);
	read_k8s(r, "k/n.yaml", policy);
	join_k8s(r);
}

static void a_json_patch_moves_an_object_to_another_namespace(void **state)
{
	struct reading r = { 0 };

	(void)state;
	read_patched(&r, "- target: {kind: Deployment, namespace: old}\n  patch: |-\n"
			 "    - {op: remove, path: /metadata/namespace}\n");
	fact_of(row_of(&r, "k/d.yaml#Deployment//web/c"), FACT_NETWORK_POLICY, "shut");
	reading_free(&r);
}

static void a_json_patch_renames_an_object(void **state)
{
	struct reading r = { 0 };

	(void)state;
	read_patched(&r, "- target: {kind: Deployment}\n  patch: |-\n"
			 "    - {op: replace, path: /metadata/name, value: front}\n"
			 "    - {op: replace, path: /metadata/namespace, value: new}\n");
	row_of(&r, "k/d.yaml#Deployment/new/front/c");
	reading_free(&r);
}

static const struct fact *first_of(struct reading *r, enum fact_kind kind)
{
	return row_first(row_of(r, "k/d.yaml#Deployment//web/c"), kind, LAYER_DECLARED);
}

/* What a patch takes out is missing there, and not in the base, which still has it. */
static void what_is_taken_out_is_cited_at_the_patch(void **state)
{
	static const char *const patches[] = {
		"    - {op: remove, path: /spec/template/spec/containers/0/securityContext}\n",
		("    - {op: remove, path: /spec/template/spec/containers/0/securityContext/"
		 "allowPrivilegeEscalation}\n"
		 "    - {op: remove, path: /spec/template/spec/containers/0/securityContext/"
		 "capabilities}\n"),
		("    kind: Deployment\n    metadata: {name: web}\n    spec: {template: {spec: "
		 "{containers: [{name: c, securityContext: null}]}}}\n"),
	};

	(void)state;
	for (size_t i = 0; i < sizeof patches / sizeof *patches; i++) {
		struct reading r = { 0 };
		struct arena *a = &r.snapshot.arena;
		const struct fact *f;

		read_with(&r, &format_kustomize, "k/kustomization.yaml",
			  arena_printf(a, "resources: [d.yaml]\npatches:\n"
					  "- target: {kind: Deployment}\n  patch: |-\n%s", patches[i]));
		read_k8s(&r, "k/d.yaml",
			 "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n"
			 "  template:\n    spec:\n      containers:\n      - name: c\n        image: b\n"
			 "        securityContext:\n          allowPrivilegeEscalation: false\n"
			 "          capabilities: {drop: [ALL]}\n");
		join_k8s(&r);
		f = first_of(&r, FACT_ESCALATION);
		assert_int_equal(f->provenance, PROVENANCE_ABSENT);
		assert_string_equal(snapshot_path(&r.snapshot, f->span), "k/kustomization.yaml");
		f = first_of(&r, FACT_CAP_DROP);
		assert_int_equal(f->provenance, PROVENANCE_ABSENT);
		assert_string_equal(snapshot_path(&r.snapshot, f->span), "k/kustomization.yaml");
		reading_free(&r);
	}
}

static void what_was_taken_out_can_be_put_back(void **state)
{
	struct reading r = { 0 };

	(void)state;
	read_patched(&r, "- target: {kind: Deployment}\n  patch: |-\n"
			 "    - {op: add, path: /spec/template/spec/securityContext, value: {runAsUser: 5}}\n"
			 "    - {op: remove, path: /spec/template/spec/securityContext}\n"
			 "    - {op: add, path: /spec/template/spec/securityContext, value: {runAsUser: 7}}\n"
			 "    - {op: replace, path: /spec/template/spec/securityContext/runAsUser, value: 8}\n"
			 "- target: {kind: Deployment}\n  patch: |-\n"
			 "    - {op: remove, path: /metadata/namespace}\n");
	fact_of(row_of(&r, "k/d.yaml#Deployment//web/c"), FACT_USER, "8");
	reading_free(&r);
}

static void a_merged_patch_moves_nothing(void **state)
{
	struct reading r = { 0 };

	(void)state;
	read_patched(&r, "- target: {kind: Deployment}\n  patch: |-\n"
			 "    apiVersion: apps/v1\n    kind: Deployment\n"
			 "    metadata: {name: front, namespace: new}\n"
			 "    spec: {template: {spec: {hostPID: true}}}\n");
	assert_value(row_of(&r, "k/d.yaml#Deployment/old/web/c"), FACT_PID, "host", &r, 8);
	reading_free(&r);
}

static void read_chart(struct reading *r, const char *call)
{
	struct arena *a = &r->snapshot.arena;

	read_with(r, &format_helm, "c/templates/d.yaml",
		  arena_printf(a,
			       "apiVersion: {{ %s \"c.apiVersion\" . }}\nkind: Deployment\n"
			       "metadata:\n  name: {{ %s \"c.name\" . }}\n"
			       "spec:\n  template:\n    metadata: {labels: {app: web}}\n    spec:\n"
			       "      containers:\n      - name: {{ %s \"c.name\" . }}\n        image: b\n"
			       "        env:\n        - name: PASSWORD\n          valueFrom:\n"
			       "            secretKeyRef:\n              name: {{ %s \"c.name\" . }}\n"
			       "              key: k\n",
			       call, call, call, call));
	read_with(r, &format_helm, "c/templates/n.yaml",
		  arena_printf(a,
			       "apiVersion: {{ %s \"c.policy/v1\" . }}\nkind: NetworkPolicy\n"
			       "metadata: {name: shut}\nspec:\n  podSelector: {matchLabels: {app: web}}\n"
			       "  policyTypes: [Ingress]\n",
			       call));
	join_k8s(r);
}

static void helpers_give_versions_and_names(void **state)
{
	static const char *const calls[] = { "template", "include", "required" };

	(void)state;
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
		struct reading r = { 0 };
		const struct row *row;
		char name[40], key[200];

		read_chart(&r, calls[i]);
		snprintf(name, sizeof name, "{{ %s \"c.name\" . }}", calls[i]);
		snprintf(key, sizeof key, "c/templates/d.yaml#Deployment//%s/%s", name, name);
		row = row_of(&r, key);
		fact_of(row, FACT_NETWORK_POLICY, "shut");
		assert_attribute(row, FACT_ENV, "ref", name);
		/* A name that a template writes does not open what the container lacks. */
		assert_string_equal(row->pod_security->level, "baseline");
		assert_false(row->pod_security->templated);
		reading_free(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_json_patch_moves_an_object_to_another_namespace),
		cmocka_unit_test(a_json_patch_renames_an_object),
		cmocka_unit_test(a_merged_patch_moves_nothing),
		cmocka_unit_test(what_is_taken_out_is_cited_at_the_patch),
		cmocka_unit_test(what_was_taken_out_can_be_put_back),
		cmocka_unit_test(helpers_give_versions_and_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Kustomize trees: what patches, components and targets do, and what is said of what does not apply.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/buf.h"
#include "tests/unit/k8s_help.h"

static const char deployment[] =
	"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, labels: {app: web},\n"
	"  annotations: {a/b: x~y}}\nspec:\n  template:\n    spec:\n      serviceAccountName: runner\n"
	"      volumes: [{name: host, hostPath: {path: /etc}}, {name: data, emptyDir: {}}]\n"
	"      containers:\n      - name: main\n        image: nginx:1\n"
	"        env: [{name: A, value: x}, {name: B, value: y}]\n"
	"        ports: [{containerPort: 80}, {containerPort: 443, hostPort: 443}]\n"
	"        volumeMounts: [{name: host, mountPath: /host}, {name: data, mountPath: /data}]\n"
	"        securityContext: {privileged: true, capabilities: {add: [NET_ADMIN, SYS_TIME]}}\n"
	"      - {name: side, image: \"side:1\"}\n";

#define MAIN "base/dep.yaml#Deployment//web/main"
#define SIDE "base/dep.yaml#Deployment//web/side"
#define PATCH "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  template:\n    spec:\n"

static void read_tree(struct reading *r, const char *overlay, const char *patch)
{
	*r = (struct reading){ 0 };
	read_with(r, &format_kustomize, "prod/kustomization.yaml", overlay);
	read_with(r, &format_kustomize, "base/kustomization.yaml", "resources: [dep.yaml]\n");
	read_k8s(r, "base/dep.yaml", deployment);
	if (patch)
		read_k8s(r, "prod/p.yaml", patch);
	join_k8s(r);
}

static bool has(const struct row *row, enum fact_kind kind, const char *value)
{
	for (size_t i = 0; i < row->facts.count; i++)
		if (row->facts.items[i]->kind == kind && fact_is_written(row->facts.items[i]) &&
		    (!value || strcmp(row->facts.items[i]->value, value) == 0))
			return true;
	return false;
}

static void directives_delete_and_replace(void **state)
{
	struct reading r;
	const struct row *row;

	(void)state;
	read_tree(&r, "resources: [../base]\npatches: [{path: p.yaml}]\n",
		  PATCH "      volumes: [{name: host, $patch: delete}]\n      containers:\n"
			"      - {name: side, $patch: delete}\n      - name: main\n"
			"        env: [{name: A, $patch: delete}, {name: C, value: z}]\n"
			"        ports: [{containerPort: 443, $patch: delete}]\n"
			"        volumeMounts: [{mountPath: /host, $patch: delete}]\n"
			"        securityContext: {$patch: delete}\n"
			"      initContainers: [{name: i, image: i, securityContext: {privileged: null}}]\n");
	row = row_of(&r, MAIN);
	assert_false(has(row, FACT_PRIVILEGED, NULL));
	assert_false(has(row, FACT_CAP_ADD, NULL));
	assert_false(has(row, FACT_ENV, "A"));
	assert_true(has(row, FACT_ENV, "B"));
	assert_true(has(row, FACT_ENV, "C"));
	assert_true(has(row, FACT_CONTAINER_PORT, "80"));
	assert_false(has(row, FACT_CONTAINER_PORT, "443"));
	assert_false(has(row, FACT_MOUNT, "/etc:/host"));
	assert_true(has(row, FACT_MOUNT, "data:/data"));
	assert_null(snapshot_row_by_key(&r.snapshot, SIDE));
	assert_false(has(row_of(&r, "base/dep.yaml#Deployment//web/i"), FACT_PRIVILEGED, NULL));
	reading_free(&r);
	read_tree(&r, "resources: [../base]\npatches: [{path: p.yaml}]\n",
		  PATCH "      containers:\n      - $patch: replace\n      - {name: only, image: \"new:1\"}\n");
	row_of(&r, "base/dep.yaml#Deployment//web/only");
	assert_null(snapshot_row_by_key(&r.snapshot, MAIN));
	assert_null(snapshot_row_by_key(&r.snapshot, SIDE));
	reading_free(&r);
	read_tree(&r, "resources: [../base]\npatchesStrategicMerge: [p.yaml]\n",
		  PATCH "      containers:\n      - name: main\n"
			"        securityContext: {$patch: replace, runAsUser: 7}\n");
	row = row_of(&r, MAIN);
	assert_true(has(row, FACT_USER, "7"));
	assert_false(has(row, FACT_CAP_ADD, NULL));
	reading_free(&r);
}

static void every_operation_of_json_patch_applies(void **state)
{
	struct reading r;
	const struct row *row;

	(void)state;
	read_tree(&r,
		  "resources: [../base]\npatches:\n- target: {kind: Deployment}\n  patch: |-\n"
		  "    - {op: test, path: /metadata/annotations/a~1b, value: x~y}\n"
		  "    - {op: replace, path: /spec/template/spec/containers/0/securityContext/privileged, "
		  "value: false}\n"
		  "    - {op: remove, path: "
		  "/spec/template/spec/containers/0/securityContext/capabilities/add/1}\n"
		  "    - {op: add, path: /spec/template/spec/containers/0/env/-, value: {name: N, value: v}}\n"
		  "    - {op: add, path: /spec/template/spec/hostNetwork, value: true}\n"
		  "    - {op: copy, from: /spec/template/spec/hostNetwork, path: /spec/template/spec/hostPID}\n"
		  "    - {op: move, from: /spec/template/spec/containers/1, "
		  "path: /spec/template/spec/containers/0}\n",
		  NULL);
	row = row_of(&r, MAIN);
	assert_true(has(row, FACT_PRIVILEGED, "false"));
	assert_true(has(row, FACT_CAP_ADD, "NET_ADMIN"));
	assert_false(has(row, FACT_CAP_ADD, "SYS_TIME"));
	assert_true(has(row, FACT_ENV, "N"));
	assert_true(has(row, FACT_NETWORK_MODE, "host"));
	assert_true(has(row, FACT_PID, "host"));
	assert_int_equal(r.snapshot.artifacts.items[0]->problems.count, 0);
	reading_free(&r);
}

static void patches_that_do_not_apply_are_said(void **state)
{
	static const struct {
		const char *patches, *said;
		uint32_t line;
	} cases[] = {
		{ "- target: {kind: Deployment}\n  patch: |-\n    - {op: replace, path: /spec/nope, value: 1}\n",
		  "operation 1 does not apply to Deployment web", 5 },
		{ "- target: {kind: Deployment}\n  patch: |-\n    - {op: remove, path: /spec/a/b}\n",
		  "its path is not there", 5 },
		{ "- target: {kind: Deployment}\n  patch: |-\n    - {op: test, path: /kind, value: Pod}\n",
		  "the value that it tests for is not there", 5 },
		{ "- target: {kind: Deployment}\n  patch: |-\n    - {op: frob, path: /spec}\n",
		  "no operation of JSON Patch", 5 },
		{ "- target: {kind: Deployment}\n  patch: |-\n    - {op: move, from: /x, path: /spec/y}\n",
		  "its path is not there", 5 },
		{ "- target: {kind: Job}\n  patch: |-\n    - {op: add, path: /a, value: 1}\n",
		  "matches no object", 5 },
		{ "- path: none.yaml\n", "none.yaml is not in the tree", 3 },
		{ "- path: ../../x.yaml\n", "lies outside the tree", 3 },
		{ "- patch: |-\n    a: [b\n", "neither an object nor a list", 3 },
		{ "- patch: |-\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata: {name: no}\n",
		  "patch of Deployment no is not applied", 4 },
		{ "- target: {name: \"a{2}\"}\n  patch: |-\n    - {op: add, path: /a, value: 1}\n",
		  "pattern of the target's name is not read", 3 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[600];
		struct reading r;

		snprintf(text, sizeof text, "resources: [../base]\npatches:\n%s", cases[i].patches);
		read_tree(&r, text, NULL);
		assert_problem(&r, cases[i].line, cases[i].said);
		assert_true(has(row_of(&r, MAIN), FACT_PRIVILEGED, "true"));
		reading_free(&r);
	}
}

static void targets_take_sets_versions_and_escapes(void **state)
{
	static const struct {
		const char *target;
		bool holds;
	} cases[] = {
		{ "{labelSelector: \"app in (api, web)\"}", true },
		{ "{labelSelector: \"app notin (api, web)\"}", false },
		{ "{labelSelector: \"app in (api),other\"}", false },
		{ "{labelSelector: \"app == web, !other\"}", true },
		{ "{labelSelector: \"app!=web\"}", false },
		{ "{annotationSelector: \"a/b=x~y\"}", true },
		{ "{kind: \"Deployment|Job\", version: v1, group: apps}", true },
		{ "{version: v2}", false },
		{ "{kind: Deploy}", false },
		{ "{name: \"w\\\\w+\"}", true },
		{ "{name: \"we\\\\.\"}", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[600];
		struct reading r;

		snprintf(text, sizeof text,
			 "resources: [../base]\npatches:\n- target: %s\n  patch: |-\n"
			 "    - {op: add, path: /spec/template/spec/hostPID, value: true}\n",
			 cases[i].target);
		read_tree(&r, text, NULL);
		if (has(row_of(&r, MAIN), FACT_PID, "host") != cases[i].holds)
			fail_msg("%s", cases[i].target);
		reading_free(&r);
	}
}

/* Kustomize has no schema of custom resources and replaces their lists. */
static void lists_of_custom_resources_are_replaced(void **state)
{
	struct reading r = { 0 };

	(void)state;
	read_with(&r, &format_kustomize, "kustomization.yaml",
		  "resources: [s.yaml]\npatches:\n- patch: |-\n    apiVersion: example.org/v1\n    kind: Box\n"
		  "    metadata: {name: s}\n    spec: {podTemplate: {spec: {containers: [{name: a, image: n}]}}}\n");
	read_k8s(&r, "s.yaml",
		 "apiVersion: example.org/v1\nkind: Box\nmetadata: {name: s}\nspec:\n  podTemplate:\n"
		 "    spec: {containers: [{name: a, image: i}, {name: b, image: j}]}\n");
	join_k8s(&r);
	assert_true(has(row_of(&r, "s.yaml#Box//s/a"), FACT_IMAGE, "n"));
	assert_null(snapshot_row_by_key(&r.snapshot, "s.yaml#Box//s/b"));
	reading_free(&r);
}

static void components_of_components_apply_once_each(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	read_with(&r, &format_kustomize, "prod/kustomization.yaml",
		  "resources: [../base]\ncomponents: [../one]\n");
	read_with(&r, &format_kustomize, "base/kustomization.yaml", "resources: [dep.yaml]\n");
	read_k8s(&r, "base/dep.yaml", deployment);
	read_with(&r, &format_kustomize, "one/kustomization.yaml",
		  "kind: Component\ncomponents: [../two]\nnamePrefix: one-\n");
	read_with(&r, &format_kustomize, "two/kustomization.yaml",
		  "kind: Component\nnamePrefix: two-\nimages: [{name: nginx, newTag: \"2\", "
		  "digest: \"sha256:ab\"}]\n");
	join_k8s(&r);
	row = row_of(&r, "base/dep.yaml#Deployment//one-two-web/main");
	assert_true(has(row, FACT_IMAGE, "nginx:2@sha256:ab"));
	reading_free(&r);
}

static void a_component_that_nothing_takes_in_says_nothing_of_other_pods(void **state)
{
	static const char policy[] = "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\n"
				     "metadata: {name: deny}\nspec: {podSelector: {}}\n";
	static const char *const components[] = { "", "components: [parts/deny]\n" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct reading r = { 0 };
		const struct fact *f;

		read_with(&r, &format_kustomize, "k/kustomization.yaml",
			  arena_printf(&r.snapshot.arena, "resources: [base]\n%s", components[i]));
		read_with(&r, &format_kustomize, "k/base/kustomization.yaml",
			  "resources: [dep.yaml]\n");
		read_k8s(&r, "k/base/dep.yaml", deployment);
		read_with(&r, &format_kustomize, "k/parts/deny/kustomization.yaml",
			  "kind: Component\nresources: [deny.yaml]\n");
		read_k8s(&r, "k/parts/deny/deny.yaml", policy);
		join_k8s(&r);
		f = fact_of(row_of(&r, "k/base/dep.yaml#Deployment//web/main"), FACT_NETWORK_POLICY, NULL);
		assert_string_equal(f->value, i ? "deny" : "");
		reading_free(&r);
	}
}

static void what_a_kustomization_cannot_take_is_said(void **state)
{
	static const struct {
		const char *text, *said;
	} cases[] = {
		{ "resources: [../../x]\n", "lies outside the tree" },
		{ "resources: [/etc/x.yaml]\n", "lies outside the tree" },
		{ "bases: [../none]\n", "is not in the tree" },
		{ "components: [../base/other]\n", "is neither a folder with a kustomization nor" },
		{ "resources: [\"https://x.org/a?ref=1\"]\n", "lies elsewhere" },
		{ "resources: [../prod]\n", "kustomize refuses the cycle" },
		{ "resources: ../base\n", "resources must be a list" },
		{ "images: {a: b}\n", "images must be a list" },
		{ "namespace: [a]\n", "namespace must be a single value" },
		{ "helmCharts: [{name: a}]\n", "needs a program to run" },
		{ "generators: [g.yaml]\n", "needs a program to run" },
		{ "openapi: {path: s.json}\n", "is not read" },
		{ "crds: [c.json]\n", "are not read" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct reading r = { 0 };

		read_with(&r, &format_kustomize, "prod/kustomization.yaml", cases[i].text);
		read_with(&r, &format_kustomize, "base/kustomization.yaml", "resources: [dep.yaml]\n");
		read_k8s(&r, "base/dep.yaml", deployment);
		add_text(&r, "base/other/a.txt", "x");
		join_k8s(&r);
		assert_problem(&r, 1, cases[i].said);
		reading_free(&r);
	}
}

/* Copies of copies double an object each time. */
static void copies_of_copies_are_bounded_and_said(void **state)
{
	struct buf text = { 0 };
	struct reading r;

	(void)state;
	buf_puts(&text, "resources: [../base]\npatches:\n- target: {kind: Deployment}\n  patch: |-\n");
	for (unsigned i = 0; i < 40; i++)
		buf_printf(&text, "    - {op: copy, from: /spec, path: /spec/x%u}\n", i);
	read_tree(&r, buf_text(&text), NULL);
	assert_true(r.snapshot.rows.count < 2000);
	assert_non_null(strstr(r.snapshot.artifacts.items[0]->problems.items[0].message, "too large"));
	buf_free(&text);
	reading_free(&r);
}

/* Two that list each other do not change an object over and over. */
static void a_cycle_is_walked_once(void **state)
{
	struct reading r = { 0 };

	(void)state;
	read_with(&r, &format_kustomize, "b/kustomization.yaml", "resources: [../base]\nnamePrefix: b-\n");
	read_with(&r, &format_kustomize, "base/kustomization.yaml",
		  "resources: [dep.yaml, ../b]\nnamePrefix: a-\n");
	read_k8s(&r, "base/dep.yaml", deployment);
	join_k8s(&r);
	row_of(&r, "base/dep.yaml#Deployment//b-a-web/main");
	reading_free(&r);
}

#define USE                                                                                        \
	"apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  volumes:\n"                        \
	"  - {name: s, configMap: {name: cfg}}\n  containers:\n  - name: c\n    image: i\n"           \
	"    envFrom: [{configMapRef: {name: cfg}}, {secretRef: {name: sec}}]\n"                       \
	"    volumeMounts: [{name: s, mountPath: /s}]\n"

static const struct fact *secret_named(const struct reading *r, const char *row, const char *key)
{
	return fact_of(row_of(r, row), FACT_SECRET_OBJECT, key);
}

static void generated_objects_are_objects(void **state)
{
	struct reading r = { 0 };
	const struct fact *f;
	struct span script;

	(void)state;
	read_with(&r, &format_kustomize, "prod/kustomization.yaml",
		  "resources: [../base]\nnamePrefix: p-\nconfigMapGenerator:\n- name: cfg\n"
		  "  files: [run.sh, x=none.txt]\n  envs: [x.env]\n- name: plain\n"
		  "  options: {disableNameSuffixHash: true}\n  literals: [A=1]\n"
		  "secretGenerator:\n- name: sec\n  literals: [\"TOKEN='hunter2hunter2'\"]\n"
		  "  files: [id_rsa=key.pem]\n");
	read_with(&r, &format_kustomize, "base/kustomization.yaml", "resources: [p.yaml]\n");
	read_k8s(&r, "base/p.yaml", USE);
	add_text(&r, "prod/run.sh", "#!/bin/sh\nexec x\n");
	add_text(&r, "prod/key.pem", "-----BEGIN RSA PRIVATE KEY-----\n");
	add_text(&r, "prod/x.env", "# c\nLOG=1\nAPI_PASSWORD=abcdefgh1\n");
	join_k8s(&r);
	f = fact_of(row_of(&r, "base/p.yaml#Pod//p-p/c"), FACT_ENV_FILE, "p-cfg");
	assert_string_equal(snapshot_path(&r.snapshot, f->via[f->via_count - 1].span),
			    "prod/kustomization.yaml");
	assert_int_equal(snapshot_line(&r.snapshot, f->via[f->via_count - 1].span), 4);
	assert_non_null(strstr(f->note, "hash"));
	script = seen_find(&r.workspace, row_of(&r, "base/p.yaml#Pod//p-p/c"), "/s/run.sh");
	assert_true(script.length > 0);
	f = secret_named(&r, "prod/kustomization.yaml#ConfigMap//p-cfg", "API_PASSWORD");
	assert_string_equal(snapshot_path(&r.snapshot, f->span), "prod/x.env");
	assert_int_equal(snapshot_line(&r.snapshot, f->span), 3);
	f = secret_named(&r, "prod/kustomization.yaml#Secret//p-sec", "TOKEN");
	assert_null(strstr(f->value, "hunter2"));
	secret_named(&r, "prod/kustomization.yaml#Secret//p-sec", "id_rsa");
	row_of(&r, "prod/kustomization.yaml#ConfigMap//p-plain");
	assert_problem(&r, 5, "none.txt is not in the tree");
	reading_free(&r);
}

static void generators_merge_and_replace(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	read_with(&r, &format_kustomize, "prod/kustomization.yaml",
		  "resources: [../base]\nsecretGenerator:\n"
		  "- {name: a, behavior: merge, literals: [TWO_PASSWORD=bbbbbbbb2]}\n"
		  "- {name: b, behavior: replace, literals: [TWO_PASSWORD=bbbbbbbb2]}\n");
	read_with(&r, &format_kustomize, "base/kustomization.yaml",
		  "secretGenerator:\n- {name: a, literals: [ONE_PASSWORD=aaaaaaaa1]}\n"
		  "- {name: b, literals: [ONE_PASSWORD=aaaaaaaa1]}\n");
	join_k8s(&r);
	row = row_of(&r, "base/kustomization.yaml#Secret//a");
	assert_true(has(row, FACT_SECRET_OBJECT, "ONE_PASSWORD"));
	assert_true(has(row, FACT_SECRET_OBJECT, "TWO_PASSWORD"));
	row = row_of(&r, "base/kustomization.yaml#Secret//b");
	assert_false(has(row, FACT_SECRET_OBJECT, "ONE_PASSWORD"));
	assert_true(has(row, FACT_SECRET_OBJECT, "TWO_PASSWORD"));
	reading_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(directives_delete_and_replace),
		cmocka_unit_test(every_operation_of_json_patch_applies),
		cmocka_unit_test(patches_that_do_not_apply_are_said),
		cmocka_unit_test(targets_take_sets_versions_and_escapes),
		cmocka_unit_test(lists_of_custom_resources_are_replaced),
		cmocka_unit_test(components_of_components_apply_once_each),
		cmocka_unit_test(a_component_that_nothing_takes_in_says_nothing_of_other_pods),
		cmocka_unit_test(what_a_kustomization_cannot_take_is_said),
		cmocka_unit_test(a_cycle_is_walked_once),
		cmocka_unit_test(copies_of_copies_are_bounded_and_said),
		cmocka_unit_test(generated_objects_are_objects),
		cmocka_unit_test(generators_merge_and_replace),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Kubernetes manifests: pods found by structure, effective values, bad input, templates, kustomizations.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/k8s_help.h"

static void every_kind_of_container_is_a_row(void **state)
{
	struct reading r = { 0 };

	(void)state;
	read_k8s(&r, "p.yaml",
		 "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: n}\nspec:\n"
		 "  initContainers:\n"
		 "  - {name: one, image: a}\n"
		 "  - {name: side, image: b, restartPolicy: Always}\n"
		 "  - {name: other, image: b, restartPolicy: Never}\n"
		 "  containers:\n"
		 "  - {name: main, image: c}\n"
		 "  ephemeralContainers:\n"
		 "  - {name: debug, image: d}\n");
	assert_int_equal(row_of(&r, "p.yaml#Pod/n/p/one")->kind, ROW_INIT);
	assert_int_equal(row_of(&r, "p.yaml#Pod/n/p/side")->kind, ROW_SIDECAR);
	assert_int_equal(row_of(&r, "p.yaml#Pod/n/p/other")->kind, ROW_INIT);
	assert_int_equal(row_of(&r, "p.yaml#Pod/n/p/main")->kind, ROW_MAIN);
	assert_int_equal(row_of(&r, "p.yaml#Pod/n/p/debug")->kind, ROW_EPHEMERAL);
	assert_int_equal(row_of(&r, "p.yaml#Pod/n/p/main")->shares_with.count, 4);
	reading_free(&r);
}

static void a_host_port_cites_the_port_behind_it(void **state)
{
	struct reading r = { 0 };
	const struct fact *f;

	(void)state;
	read_k8s(&r, "p.yaml",
		 POD("  containers:\n  - name: a\n    ports:\n    - containerPort: 80\n"
		     "      hostIP: 10.0.0.1\n      hostPort: 8080\n"));
	f = fact_of(row_of(&r, "p.yaml#Pod//p/a"), FACT_HOST_PORT, "8080");
	assert_int_equal(snapshot_line(&r.snapshot, f->span), 10);
	assert_int_equal(f->via_count, 1);
	assert_int_equal(snapshot_line(&r.snapshot, f->via[0].span), 8);
	reading_free(&r);
}

static void a_manifest_never_says_that_nothing_is_injected(void **state)
{
	struct reading r = { 0 };
	const struct fact *f;

	(void)state;
	read_k8s(&r, "p.yaml", POD("  containers: [{name: a, image: b}]\n"));
	f = fact_of(row_of(&r, "p.yaml#Pod//p/a"), FACT_PEER, NULL);
	assert_int_equal(f->provenance, PROVENANCE_UNRESOLVED);
	reading_free(&r);
}

static void pod_specs_are_found_by_structure(void **state)
{
	struct reading r = { 0 };

	(void)state;
	read_k8s(&r, "c.yaml",
		 "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: j}\n"
		 "spec: {jobTemplate: {spec: {template: {spec: {containers: [{name: a, image: b}]}}}}}\n"
		 "---\n"
		 "apiVersion: agents.x-k8s.io/v1alpha1\nkind: Sandbox\nmetadata: {name: s}\n"
		 "spec: {podTemplate: {spec: {containers: [{name: a, image: b}]}}}\n"
		 "---\n"
		 "apiVersion: example.com/v1\nkind: MCPServer\nmetadata: {name: m}\n"
		 "spec: {podTemplateSpec: {spec: {containers: [{name: a, image: b}]}}}\n"
		 "---\n"
		 "kind: List\napiVersion: v1\nitems:\n"
		 "- {apiVersion: v1, kind: Pod, metadata: {name: l}, spec: {containers: [{name: a, image: b}]}}\n");
	row_of(&r, "c.yaml#CronJob//j/a");
	assert_int_equal(row_of(&r, "c.yaml#Sandbox//s/a")->role, ROLE_AGENT);
	row_of(&r, "c.yaml#MCPServer//m/a");
	row_of(&r, "c.yaml#Pod//l/a");
	reading_free(&r);
}

static void schemas_and_policies_are_no_workloads(void **state)
{
	struct reading r = { 0 };

	(void)state;
	read_k8s(&r, "x.yaml",
		 "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: c}\n"
		 "spec: {template: {spec: {containers: [{name: a, image: b}]}}}\n"
		 "---\n"
		 "apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nmetadata: {name: k}\n"
		 "spec: {rules: [{name: x, validate: {pattern: {spec: {template: {spec: {containers: [{name: a, image: b}]}}}}}}]}\n");
	for (size_t i = 0; i < r.snapshot.rows.count; i++)
		assert_int_equal(r.snapshot.rows.items[i]->kind, ROW_OBJECT);
	reading_free(&r);
}

static void the_container_wins_and_the_pod_stays_in_the_chain(void **state)
{
	struct reading r = { 0 };
	const struct row *row;
	const struct fact *f;

	(void)state;
	read_k8s(&r, "p.yaml",
		 POD("  securityContext:\n    runAsUser: 2000\n    runAsGroup: 2000\n"
		     "  containers:\n  - name: a\n    image: b\n    securityContext:\n"
		     "      runAsUser: 3000\n"));
	row = row_of(&r, "p.yaml#Pod//p/a");
	f = fact_of(row, FACT_USER, "3000");
	assert_int_equal(snapshot_line(&r.snapshot, f->span), 12);
	assert_int_equal(f->via_count, 1);
	assert_string_equal(f->via[0].value, "2000");
	assert_string_equal(f->via[0].role, "pod");
	assert_value(row, FACT_GROUP, "2000", &r, 7);
	assert_value(row, FACT_RUN_AS_NON_ROOT, "false", &r, 11);
	assert_int_equal(fact_of(row, FACT_RUN_AS_NON_ROOT, NULL)->provenance, PROVENANCE_ABSENT);
	reading_free(&r);
}

static void settings_at_the_wrong_level_are_named(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	read_k8s(&r, "p.yaml",
		 POD("  securityContext:\n    privileged: true\n"
		     "  containers:\n  - name: a\n    image: b\n    hostNetwork: true\n"
		     "    securityContext:\n      fsGroup: 1\n      allowPrivilegeEscalation: false\n"
		     "      capabilities: {add: [CAP_SYS_ADMIN]}\n"));
	row = row_of(&r, "p.yaml#Pod//p/a");
	assert_value(row, FACT_IGNORED_SETTING, "privileged", &r, 6);
	assert_value(row, FACT_IGNORED_SETTING, "hostNetwork", &r, 10);
	assert_value(row, FACT_IGNORED_SETTING, "fsGroup", &r, 12);
	assert_value(row, FACT_IGNORED_SETTING, "allowPrivilegeEscalation", &r, 13);
	assert_value(row, FACT_PRIVILEGED, "false", &r, 0);
	assert_attribute(row, FACT_CAP_ADD, "effective", "false");
	reading_free(&r);
}

static void mounts_join_the_volume_with_the_place(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	read_k8s(&r, "p.yaml",
		 POD("  containers:\n  - name: a\n    image: b\n    volumeMounts:\n"
		     "    - {name: h, mountPath: /host, readOnly: true}\n"
		     "  volumes:\n  - name: h\n    hostPath: {path: /var/run}\n"
		     "  - name: unused\n    hostPath: {path: /etc}\n"));
	row = row_of(&r, "p.yaml#Pod//p/a");
	assert_value(row, FACT_MOUNT, "/var/run:/host:ro", &r, 12);
	assert_attribute(row, FACT_MOUNT, "type", "bind");
	assert_attribute(row, FACT_MOUNT, "read_only", "true");
	assert_string_equal(fact_attribute(fact_of(row, FACT_MOUNT, "/etc:"), "mounted"), "false");
	reading_free(&r);
}

static void values_of_secrets_are_not_kept(void **state)
{
	struct reading r = { 0 };

	(void)state;
	read_k8s(&r, "p.yaml",
		 POD("  containers:\n  - name: a\n    image: b\n    args: [\"--api-key=hunter2value\"]\n"
		     "    env:\n    - {name: DB_PASSWORD, value: hunter2value}\n"
		     "    - {name: T, valueFrom: {secretKeyRef: {name: s, key: k}}}\n"
		     "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"
		     "data:\n  app.ini: |\n    password = hunter2value\n"));
	assert_no_text(&r, "hunter2value");
	assert_value(row_of(&r, "p.yaml#Pod//p/a"), FACT_ENV, "DB_PASSWORD", &r, 0);
	assert_value(row_of(&r, "p.yaml#ConfigMap//c"), FACT_SECRET_OBJECT, "app.ini: password", &r,
		     18);
	reading_free(&r);
}

static void bad_input_is_a_problem_and_the_rest_is_read(void **state)
{
	struct reading r = { 0 };

	(void)state;
	read_k8s(&r, "p.yaml",
		 "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n"
		 "  securityContext: []\n"
		 "  containers:\n  - just text\n  - {name: a, image: b, env: {A: b}, securityContext: {privileged: \"true\"}}\n"
		 "---\n"
		 "---\n"
		 "apiVersion: apps/v1\nkind: Deploymnt\nmetadata: {name: d}\nspec: {template: {spec: {containers: [{name: a, image: b}]}}}\n"
		 "---\n"
		 "- not an object\n"
		 "---\n"
		 "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: z, image: b}]}\n");
	row_of(&r, "p.yaml#Pod//p/a");
	row_of(&r, "p.yaml#Pod//p/z");
	row_of(&r, "p.yaml#Deploymnt//d/a");
	assert_problem(&r, 5, "securityContext must be a map");
	assert_problem(&r, 7, "a container must be a map");
	assert_problem(&r, 8, "env must be a list");
	assert_problem(&r, 8, "quoted text");
	assert_problem(&r, 10, "empty");
	assert_problem(&r, 12, "no kind of this name");
	assert_problem(&r, 16, "must be a map with apiVersion");
	assert_problem(&r, 20, "second object");
	reading_free(&r);
}

static void what_the_api_refuses_together_is_named(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	r.snapshot.scope.kubernetes = "1.30";
	read_k8s(&r, "p.yaml",
		 POD("  hostPID: true\n  hostUsers: false\n  shareProcessNamespace: true\n"
		     "  securityContext:\n    seccompProfile: {type: RuntimeDefault}\n"
		     "    appArmorProfile: {type: Localhost, localhostProfile: x}\n"
		     "  containers:\n  - name: a\n    image: i\n"
		     "    securityContext: {privileged: true}\n"
		     "  - name: b\n    image: i\n    securityContext: {procMount: Unmasked}\n"
		     "    volumeMounts:\n"
		     "    - {name: v, mountPath: /v, mountPropagation: Bidirectional, "
		     "recursiveReadOnly: Enabled}\n"
		     "  volumes: [{name: v, image: {reference: q}}]\n"));
	row = row_of(&r, "p.yaml#Pod//p/a");
	fact_of(row, FACT_IGNORED_SETTING, "hostUsers");
	fact_of(row, FACT_IGNORED_SETTING, "shareProcessNamespace");
	fact_of(row, FACT_IGNORED_SETTING, "seccompProfile");
	for (const struct fact *f = row_first(row, FACT_IGNORED_SETTING, LAYER_DECLARED); f;
	     f = row_next(row, f))
		assert_false(fact_is(f, "appArmorProfile") || fact_is(f, "mountPropagation"));
	row = row_of(&r, "p.yaml#Pod//p/b");
	fact_of(row, FACT_IGNORED_SETTING, "mountPropagation");
	assert_string_equal(fact_attribute(fact_of(row, FACT_FEATURE, "recursiveReadOnly"),
					   "ignored"), "true");
	assert_string_equal(fact_attribute(fact_of(row, FACT_FEATURE, "image volume"), "ignored"),
			    "true");
	reading_free(&r);
}

static void wrong_shapes_of_other_objects_are_problems_too(void **state)
{
	struct reading r = { 0 };

	(void)state;
	read_k8s(&r, "odd.yaml",
		 "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: text\n"
		 "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: r}\n"
		 "rules: {a: b}\n"
		 "---\napiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: n}\n"
		 "spec:\n  podSelector: text\n"
		 "---\napiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n- text\n"
		 "- {apiVersion: v1, kind: Pod, metadata: {name: b}, spec: {containers: [\n"
		 "  {name: c, image: i}, {name: c, image: i}]}}\n");
	join_k8s(&r);
	assert_problem(&r, 4, "spec must be a map");
	assert_problem(&r, 9, "rules must be a list");
	assert_problem(&r, 15, "podSelector must be a map");
	assert_problem(&r, 20, "kind is missing");
	assert_problem(&r, 21, "must be a map");
	assert_problem(&r, 23, "second container with the name \"c\"");
	row_of(&r, "odd.yaml#Pod//b/c");
	reading_free(&r);
}

static void a_config_maps_json_and_keys_are_searched(void **state)
{
	struct reading r = { 0 };
	const struct row *row;
	const struct fact *f;

	(void)state;
	read_k8s(&r, "c.yaml",
		 "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n"
		 "  app.json: '{\"port\": 1, \"db\": {\"password\": \"S3cretPass\"}}'\n"
		 "  id_rsa: |\n"
		 "    -----BEGIN RSA PRIVATE KEY-----\n    abc\n    -----END RSA PRIVATE KEY-----\n"
		 "  plain.json: '{\"passwordPolicy\": \"long\", \"url\": \"http://a/b\"}'\n"
		 "  key: value\n  sort.yaml: |\n    key: app-name\n  password.file: /etc/x/password.txt\n");
	row = row_of(&r, "c.yaml#ConfigMap//c");
	assert_value(row, FACT_SECRET_OBJECT, "app.json: password", &r, 5);
	f = fact_of(row, FACT_SECRET_OBJECT, "id_rsa: private key");
	assert_int_equal(snapshot_line(&r.snapshot, f->span), 7);
	assert_null(row_next(row, f));
	reading_free(&r);
}

/* Who logs in and when a password was changed is no secret, though a Secret holds it. */
static void a_secrets_plain_keys_are_no_secret(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	read_k8s(&r, "s.yaml",
		 "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData:\n"
		 "  hook.host.username: bob\n  admin.passwordMtime: 2019-03-20T17:54:53Z\n"
		 "  hook.host.password: Tr0ub4dor\n");
	row = row_of(&r, "s.yaml#Secret//s");
	assert_attribute(row, FACT_SECRET_OBJECT, "class", "setting");
	assert_string_equal(fact_attribute(fact_of(row, FACT_SECRET_OBJECT, "hook.host.password"),
					   "class"), "literal");
	for (const struct fact *f = row_first(row, FACT_SECRET_OBJECT, LAYER_DECLARED); f;
	     f = row_next(row, f))
		assert_null(strstr(f->value, "username"));
	reading_free(&r);
}

static void a_template_is_read_with_its_expressions_hidden(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	add_text(&r, "c/Chart.yaml", "apiVersion: v2\nname: c\n");
	add_text(&r, "c/values.yaml", "image: {tag: \"1.2\"}\npod: {runAsNonRoot: true}\n");
	read_with(&r, &format_helm, "c/templates/d.yaml",
		  "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n"
		  "  name: {{ include \"c.name\" . }}-web\n"
		  "spec:\n  template:\n    spec:\n"
		  "      {{- with .Values.pod }}\n"
		  "      securityContext:\n"
		  "        {{- toYaml .Values.pod | nindent 8 }}\n"
		  "      {{- end }}\n"
		  "      containers:\n"
		  "      - name: web\n"
		  "        image: repo/web:{{ .Values.image.tag }}\n"
		  "        securityContext:\n"
		  "          privileged: true\n");
	row = row_of(&r, "c/templates/d.yaml#Deployment//{{ include \"c.name\" . }}-web/web");
	assert_int_equal(fact_of(row, FACT_IMAGE, NULL)->provenance, PROVENANCE_TEMPLATED);
	assert_non_null(strstr(fact_of(row, FACT_IMAGE, NULL)->note, "values.yaml:1"));
	assert_value(row, FACT_PRIVILEGED, "true", &r, 16);
	assert_int_equal(fact_of(row, FACT_RUN_AS_NON_ROOT, NULL)->provenance,
			 PROVENANCE_TEMPLATED);
	assert_non_null(strstr(fact_of(row, FACT_RUN_AS_NON_ROOT, NULL)->note, "true"));
	assert_int_equal(fact_of(row, FACT_PID, NULL)->provenance, PROVENANCE_ABSENT);
	reading_free(&r);
}

/* A call of a helper behind a key is the key's value, as it stands there; on a line of its own it is hidden. */
static void a_call_behind_a_key_is_its_value(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	add_text(&r, "c/Chart.yaml", "apiVersion: v2\nname: c\n");
	read_with(&r, &format_helm, "c/templates/d.yaml",
		  "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n"
		  "  name: {{ template \"c.name\" . }}\n"
		  "  labels:\n    {{ template \"c.labels\" . }}\n"
		  "spec:\n  template:\n    spec:\n      containers:\n      - name: web\n"
		  "        image: {{ required \"an image\" .Values.image }}\n");
	row = row_of(&r, "c/templates/d.yaml#Deployment//{{ template \"c.name\" . }}/web");
	assert_int_equal(fact_of(row, FACT_IMAGE, NULL)->provenance, PROVENANCE_TEMPLATED);
	assert_non_null(strstr(fact_of(row, FACT_IMAGE, NULL)->value, "required"));
	reading_free(&r);
}

static const char base[] =
	"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  template:\n    spec:\n"
	"      containers:\n      - name: web\n        image: nginx:1.2\n        securityContext:\n"
	"          runAsUser: 1000\n";
static const char patch[] =
	"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  template:\n    spec:\n"
	"      containers:\n      - name: web\n        securityContext:\n          runAsUser: 0\n";

static void a_single_chain_of_kustomizations_is_applied(void **state)
{
	struct reading r = { 0 };
	const struct row *row;
	const struct fact *f;

	(void)state;
	read_with(&r, &format_kustomize, "base/kustomization.yaml", "resources: [dep.yaml]\n");
	read_k8s(&r, "base/dep.yaml", base);
	read_with(&r, &format_kustomize, "prod/kustomization.yaml",
		  "namespace: live\nnamePrefix: p-\nresources: [../base]\n"
		  "images:\n- {name: nginx, newTag: \"9\"}\n"
		  "patches:\n- path: patch.yaml\n"
		  "- target: {kind: Deployment}\n  patch: |-\n"
		  "    - op: add\n      path: /spec/template/spec/hostNetwork\n      value: true\n");
	read_k8s(&r, "prod/patch.yaml", patch);
	join_k8s(&r);
	row = row_of(&r, "base/dep.yaml#Deployment/live/p-web/web");
	f = fact_of(row, FACT_USER, "0");
	assert_string_equal(snapshot_path(&r.snapshot, f->span), "prod/patch.yaml");
	assert_int_equal(f->provenance, PROVENANCE_OVERRIDDEN);
	assert_string_equal(snapshot_path(&r.snapshot, f->via[0].span), "base/dep.yaml");
	assert_value(row, FACT_IMAGE, "nginx:9", &r, 5);
	assert_value(row, FACT_NETWORK_MODE, "host", &r, 12);
	assert_null(snapshot_row_by_key(&r.snapshot, "prod/patch.yaml#Deployment//web/web"));
	reading_free(&r);
}

static size_t problems_of(const struct reading *r, const char *path)
{
	for (size_t i = 0; i < r->snapshot.artifacts.count; i++)
		if (strcmp(r->snapshot.artifacts.items[i]->path, path) == 0)
			return r->snapshot.artifacts.items[i]->problems.count;
	fail_msg("no artifact %s", path);
	return 0;
}

static void overlays_that_share_a_base_are_rows_of_their_own(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	read_with(&r, &format_kustomize, "base/kustomization.yaml", "resources: [dep.yaml]\n");
	read_k8s(&r, "base/dep.yaml", base);
	read_with(&r, &format_kustomize, "a/kustomization.yaml",
		  "resources: [../base]\nnamespace: a\n");
	read_with(&r, &format_kustomize, "b/kustomization.yaml",
		  "resources: [../base]\nnamespace: b\npatches: [{path: side.yaml}]\n");
	read_with(&r, &format_kustomize, "c/kustomization.yaml",
		  "resources: [../base]\nnamespace: c\npatches:\n- patch: |-\n"
		  "    {kind: Deployment, metadata: {name: web}, $patch: delete}\n");
	read_k8s(&r, "b/side.yaml",
		 "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n"
		 "  template: {spec: {containers: [{name: side, image: s}]}}\n");
	join_k8s(&r);
	assert_int_equal(problems_of(&r, "b/side.yaml"), 0);
	row = row_of(&r, "b/kustomization.yaml#Deployment/b/web/side");
	assert_string_equal(snapshot_path(&r.snapshot, row->span), "b/side.yaml");
	row_of(&r, "b/kustomization.yaml#Deployment/b/web/web");
	row_of(&r, "a/kustomization.yaml#Deployment/a/web/web");
	assert_null(snapshot_row_by_key(&r.snapshot, "a/kustomization.yaml#Deployment/a/web/side"));
	assert_null(snapshot_row_by_key(&r.snapshot, "c/kustomization.yaml#Deployment/c/web/web"));
	row = row_of(&r, "base/dep.yaml#Deployment//web/web");
	assert_value(row, FACT_VARIANT, "a/kustomization.yaml", &r, 0);
	assert_value(row, FACT_VARIANT, "b/kustomization.yaml", &r, 0);
	reading_free(&r);
}

/* What the last kustomization of a chain changes is not laid at the door of one before it. */
static void an_overlay_of_an_overlay_is_named_by_the_last(void **state)
{
	struct reading r = { 0 };

	(void)state;
	read_with(&r, &format_kustomize, "base/kustomization.yaml", "resources: [dep.yaml]\n");
	read_k8s(&r, "base/dep.yaml", base);
	read_with(&r, &format_kustomize, "a/kustomization.yaml", "resources: [../base]\n");
	read_with(&r, &format_kustomize, "b/kustomization.yaml", "resources: [../base]\n");
	read_with(&r, &format_kustomize, "dev/kustomization.yaml",
		  "resources: [../b]\nnamespace: dev\n");
	join_k8s(&r);
	row_of(&r, "a/kustomization.yaml#Deployment//web/web");
	row_of(&r, "dev/kustomization.yaml#Deployment/dev/web/web");
	assert_null(snapshot_row_by_key(&r.snapshot, "b/kustomization.yaml#Deployment/dev/web/web"));
	reading_free(&r);
}

static void a_patch_without_its_base_says_so(void **state)
{
	struct reading r = { 0 };

	(void)state;
	read_with(&r, &format_kustomize, "b/kustomization.yaml",
		  "resources: [github.com/o/r//base]\npatches: [{path: side.yaml}]\n");
	read_k8s(&r, "b/side.yaml", patch);
	join_k8s(&r);
	assert_int_equal(problems_of(&r, "b/side.yaml"), 1);
	reading_free(&r);
}

static void names_and_labels_reach_what_refers_to_them(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	read_with(&r, &format_kustomize, "kustomization.yaml",
		  "resources: [all.yaml]\nnamePrefix: p-\nnamespace: live\n"
		  "commonLabels: {team: red}\n");
	read_k8s(&r, "all.yaml",
		 "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  template:\n"
		 "    spec:\n      serviceAccountName: runner\n"
		 "      containers: [{name: web, image: i, envFrom: [{configMapRef: {name: cfg}}, "
		 "{configMapRef: {name: other}}]}]\n"
		 "---\napiVersion: v1\nkind: ServiceAccount\nmetadata: {name: runner}\n"
		 "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: cfg}\n"
		 "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: r}\n"
		 "rules: [{apiGroups: [\"\"], resources: [secrets], verbs: [get]}]\n"
		 "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\n"
		 "metadata: {name: b}\nroleRef: {kind: Role, name: r}\n"
		 "subjects: [{kind: ServiceAccount, name: runner, namespace: old}]\n"
		 "---\napiVersion: v1\nkind: Service\nmetadata: {name: s}\n"
		 "spec: {selector: {team: red}}\n");
	join_k8s(&r);
	row = row_of(&r, "all.yaml#Deployment/live/p-web/web");
	assert_value(row, FACT_SERVICE_ACCOUNT, "p-runner", &r, 0);
	assert_attribute(row, FACT_SERVICE_ACCOUNT, "supplied", "true");
	fact_of(row, FACT_ENV_FILE, "p-cfg");
	fact_of(row, FACT_ENV_FILE, "other");
	fact_of(row, FACT_RBAC_RULE, "get on secrets");
	fact_of(row, FACT_SERVICE, "p-s");
	reading_free(&r);
}

static void targets_of_patches_are_patterns_and_selectors(void **state)
{
	struct reading r = { 0 };

	(void)state;
	read_with(&r, &format_kustomize, "kustomization.yaml",
		  "resources: [all.yaml]\npatches:\n"
		  "- target: {kind: Pod, name: a.*}\n  patch: |-\n"
		  "    - {op: add, path: /spec/hostPID, value: true}\n"
		  "- target: {labelSelector: \"tier=front,!gone\"}\n  patch: |-\n"
		  "    - {op: add, path: /spec/hostIPC, value: true}\n");
	read_k8s(&r, "all.yaml",
		 "apiVersion: v1\nkind: Pod\nmetadata: {name: abc}\n"
		 "spec: {containers: [{name: c, image: i}]}\n"
		 "---\napiVersion: v1\nkind: Pod\nmetadata: {name: ba, labels: {tier: front}}\n"
		 "spec: {containers: [{name: c, image: i}]}\n");
	join_k8s(&r);
	assert_value(row_of(&r, "all.yaml#Pod//abc/c"), FACT_PID, "host", &r, 0);
	assert_value(row_of(&r, "all.yaml#Pod//abc/c"), FACT_IPC, "private", &r, 0);
	assert_value(row_of(&r, "all.yaml#Pod//ba/c"), FACT_PID, "private", &r, 0);
	assert_value(row_of(&r, "all.yaml#Pod//ba/c"), FACT_IPC, "host", &r, 0);
	reading_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_of_container_is_a_row),
		cmocka_unit_test(a_host_port_cites_the_port_behind_it),
		cmocka_unit_test(a_manifest_never_says_that_nothing_is_injected),
		cmocka_unit_test(pod_specs_are_found_by_structure),
		cmocka_unit_test(schemas_and_policies_are_no_workloads),
		cmocka_unit_test(the_container_wins_and_the_pod_stays_in_the_chain),
		cmocka_unit_test(settings_at_the_wrong_level_are_named),
		cmocka_unit_test(mounts_join_the_volume_with_the_place),
		cmocka_unit_test(values_of_secrets_are_not_kept),
		cmocka_unit_test(bad_input_is_a_problem_and_the_rest_is_read),
		cmocka_unit_test(what_the_api_refuses_together_is_named),
		cmocka_unit_test(wrong_shapes_of_other_objects_are_problems_too),
		cmocka_unit_test(a_config_maps_json_and_keys_are_searched),
		cmocka_unit_test(a_secrets_plain_keys_are_no_secret),
		cmocka_unit_test(a_template_is_read_with_its_expressions_hidden),
		cmocka_unit_test(a_call_behind_a_key_is_its_value),
		cmocka_unit_test(a_single_chain_of_kustomizations_is_applied),
		cmocka_unit_test(overlays_that_share_a_base_are_rows_of_their_own),
		cmocka_unit_test(an_overlay_of_an_overlay_is_named_by_the_last),
		cmocka_unit_test(a_patch_without_its_base_says_so),
		cmocka_unit_test(names_and_labels_reach_what_refers_to_them),
		cmocka_unit_test(targets_of_patches_are_patterns_and_selectors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

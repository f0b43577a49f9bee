/* Every place a pod spec lives: custom resources that hold one whole, in parts or under names of their own, and
 * objects inside other objects.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/buf.h"
#include "model/limits.h"
#include "tests/unit/k8s_help.h"

#define CR(group, kind, spec)                                                                      \
	"apiVersion: " group "/v1\nkind: " kind "\nmetadata: {name: x}\nspec: " spec "\n"
#define IMAGE "{name: c, image: i}"
#define PODS "{spec: {containers: [" IMAGE "]}}"

static size_t count_rows(const struct reading *r)
{
	size_t count = 0;

	for (size_t i = 0; i < r->snapshot.rows.count; i++)
		count += r->snapshot.rows.items[i]->kind != ROW_OBJECT;
	return count;
}

static void a_container_is_found_wherever_a_controller_reads_it(void **state)
{
	static const struct {
		const char *text, *rows; /* keys behind "a.yaml#", in order */
	} cases[] = {
		{ CR("serving.knative.dev", "Service", "{template: " PODS "}"), "Service//x/c" },
		{ CR("serving.knative.dev", "Revision", "{containers: [{image: i}]}"),
		  "Revision//x/[0]" },
		{ CR("argoproj.io", "Rollout", "{template: " PODS "}"), "Rollout//x/c" },
		{ CR("argoproj.io", "Workflow",
		     "{templates: [{name: t, container: {image: i}, sidecars: [{name: s, image: i}], "
		     "initContainers: [{name: n, image: i}]}, {name: u, script: {image: i}}, "
		     "{name: v, steps: [[{name: w, template: t}]]}, "
		     "{name: d, containerSet: {containers: [{name: main, image: i}, " IMAGE "]}}]}"),
		  "Workflow//x.t/main Workflow//x.t/s Workflow//x.t/n Workflow//x.u/main "
		  "Workflow//x.d/main Workflow//x.d/c" },
		{ CR("argoproj.io", "CronWorkflow",
		     "{workflowSpec: {templates: [{name: t, container: {image: i}}]}}"),
		  "CronWorkflow//x.t/main" },
		{ CR("tekton.dev", "Task",
		     "{steps: [{name: a, image: i}, {image: i}], sidecars: [{name: s, image: i}]}"),
		  "Task//x/a Task//x/[1] Task//x/s" },
		{ CR("tekton.dev", "PipelineRun",
		     "{pipelineSpec: {tasks: [{name: t, taskSpec: {steps: [" IMAGE "]}}]}}"),
		  "PipelineRun//x.t/c" },
		{ CR("serving.kserve.io", "InferenceService",
		     "{predictor: {containers: [" IMAGE "]}, transformer: {containers: [{name: t, "
		     "image: i}]}}"),
		  "InferenceService//x/c InferenceService//x/t" },
		{ CR("ray.io", "RayCluster",
		     "{headGroupSpec: {template: " PODS "}, workerGroupSpecs: [{groupName: g, "
		     "template: {spec: {containers: [{name: w, image: i}]}}}]}"),
		  "RayCluster//x/c RayCluster//x/w" },
		{ CR("batch.volcano.sh", "Job", "{tasks: [{name: t, template: " PODS "}]}"),
		  "Job//x.t/c" },
		{ CR("jobset.x-k8s.io", "JobSet",
		     "{replicatedJobs: [{name: r, template: {spec: {template: " PODS "}}}]}"),
		  "JobSet//x.r/c" },
		{ CR("leaderworkerset.x-k8s.io", "LeaderWorkerSet",
		     "{leaderWorkerTemplate: {leaderTemplate: " PODS ", workerTemplate: " PODS "}}"),
		  "LeaderWorkerSet//x.leader/c LeaderWorkerSet//x.worker/c" },
		{ CR("apps.kruise.io", "SidecarSet", "{containers: [" IMAGE "]}"), "SidecarSet//x/c" },
		{ CR("sandbox.opensandbox.io", "BatchSandbox", "{template: " PODS "}"),
		  "BatchSandbox//x/c" },
		{ CR("monitoring.coreos.com", "Prometheus",
		     "{image: i, resources: {}, containers: [{name: prometheus, args: [a]}, " IMAGE
		     "]}"),
		  "Prometheus//x/prometheus Prometheus//x/c" },
		{ CR("elasticsearch.k8s.elastic.co", "Elasticsearch",
		     "{nodeSets: [{name: n, podTemplate: {spec: {initContainers: [{name: s, "
		     "securityContext: {privileged: true}}]}}}]}"),
		  "Elasticsearch//x.n/main Elasticsearch//x.n/s" },
		{ CR("kafka.strimzi.io", "Kafka",
		     "{kafka: {template: {pod: {securityContext: {runAsUser: 0}}, kafkaContainer: {env: "
		     "[]}}}}"),
		  "Kafka//x/kafka" },
		{ CR("sparkoperator.k8s.io", "SparkApplication",
		     "{image: i, driver: {cores: 1}, executor: {instances: 2}}"),
		  "SparkApplication//x/driver SparkApplication//x/executor" },
		{ CR("toolhive.stacklok.dev", "MCPServer", "{image: i, transport: stdio}"),
		  "MCPServer//x/mcp" },
		{ CR("toolhive.stacklok.dev", "MCPServer",
		     "{image: i, transport: sse, podTemplateSpec: {spec: {containers: [{name: mcp}, "
		     IMAGE "]}}}"),
		  "MCPServer//x/mcp MCPServer//x/c" },
		{ CR("kagent.dev", "MCPServer",
		     "{deployment: {image: i, cmd: run, initContainer: {image: j}}}"),
		  "MCPServer//x/mcp" },
		{ CR("kagent.dev", "Agent", "{byo: {deployment: {image: i, env: []}}}"),
		  "Agent//x/agent" },
		/* settings that only look alike */
		{ CR("helm.toolkit.fluxcd.io", "HelmRelease", "{values: {image: i, env: [a]}}"), "" },
		{ CR("image.toolkit.fluxcd.io", "ImageRepository", "{image: i, interval: 5m}"), "" },
		{ CR("kro.run", "ResourceGraphDefinition",
		     "{schema: {spec: {image: 'string | default=\"a\"', env: string}}}"),
		  "" },
		{ CR("kyverno.io", "Policy", "{rules: [{validate: {pattern: " PODS "}}]}"), "" },
		{ CR("chainsaw.kyverno.io", "Test", "{steps: [{try: [{assert: {resource: " PODS "}}]}]}"),
		  "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct reading r = { 0 };
		const char *at = cases[i].rows;
		size_t expected = 0;

		read_k8s(&r, "a.yaml", cases[i].text);
		join_k8s(&r);
		while (*at) {
			size_t length = strcspn(at, " ");

			row_of(&r, arena_printf(&r.snapshot.arena, "a.yaml#%.*s", (int)length, at));
			at += length + (at[length] == ' ');
			expected++;
		}
		if (count_rows(&r) != expected)
			fail_msg("%zu rows instead of %zu: %s", count_rows(&r), expected, cases[i].text);
		reading_free(&r);
	}
}

static void settings_keep_their_place_and_meaning(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	read_k8s(&r, "a.yaml",
		 "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\nmetadata: {name: x}\n"
		 "spec:\n  image: i:1\n  transport: sse\n"
		 "  secrets: [{name: s, key: token, targetEnvName: API_TOKEN}]\n"
		 "  volumes:\n  - {name: d, hostPath: /var/data, mountPath: /data, readOnly: true}\n"
		 "  serviceAccount: runner\n"
		 "  podTemplateSpec:\n    spec:\n      hostPID: true\n      containers:\n"
		 "      - name: mcp\n        securityContext: {privileged: true}\n");
	join_k8s(&r);
	row = row_of(&r, "a.yaml#MCPServer//x/mcp");
	assert_int_equal(row->role, ROLE_MCP_SERVER);
	assert_value(row, FACT_IMAGE, "i:1", &r, 5);
	assert_value(row, FACT_PRIVILEGED, "true", &r, 16);
	assert_value(row, FACT_PID, "host", &r, 13);
	assert_value(row, FACT_SERVICE_ACCOUNT, "runner", &r, 10);
	assert_value(row, FACT_ENV, "API_TOKEN", &r, 0);
	assert_attribute(row, FACT_ENV, "from", "secretKeyRef");
	assert_attribute(row, FACT_MOUNT, "source", "/var/data");
	assert_attribute(row, FACT_MOUNT, "target", "/data");
	assert_attribute(row, FACT_MOUNT, "read_only", "true");
	/* What the file does not say, the controller of the resource does. */
	assert_int_equal(fact_of(row, FACT_ESCALATION, NULL)->provenance, PROVENANCE_UNRESOLVED);
	assert_int_equal(fact_of(row, FACT_NETWORK_POLICY, NULL)->provenance, PROVENANCE_ABSENT);
	reading_free(&r);
}

static void a_security_context_belongs_to_the_level_it_fits(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	read_k8s(&r, "a.yaml",
		 CR("monitoring.coreos.com", "Prometheus",
		    "{image: i, resources: {}, securityContext: {fsGroup: 7, runAsUser: 5}}")
		 "---\n"
		 CR("kagent.dev", "Agent",
		    "{byo: {deployment: {image: i, cmd: a, securityContext: {privileged: true}, "
		    "podSecurityContext: {fsGroup: 8}}}}"));
	join_k8s(&r);
	row = row_of(&r, "a.yaml#Prometheus//x/prometheus");
	assert_string_equal(fact_of(row, FACT_FS_GROUP, NULL)->value, "7");
	assert_string_equal(fact_of(row, FACT_USER, NULL)->value, "5");
	row = row_of(&r, "a.yaml#Agent//x/agent");
	assert_string_equal(fact_of(row, FACT_FS_GROUP, NULL)->value, "8");
	assert_string_equal(fact_of(row, FACT_PRIVILEGED, NULL)->value, "true");
	assert_string_equal(fact_of(row, FACT_ENTRYPOINT, NULL)->value, "a");
	reading_free(&r);
}

static void a_workflow_takes_defaults_and_settings_from_above(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	read_k8s(&r, "a.yaml",
		 CR("argoproj.io", "WorkflowTemplate",
		    "{serviceAccountName: s, hostNetwork: true, podSpecPatch: '{}', templateDefaults: "
		    "{automountServiceAccountToken: false, container: {securityContext: {privileged: "
		    "true}}}, templates: [{name: t, serviceAccountName: own, container: {image: i}}]}"));
	join_k8s(&r);
	row = row_of(&r, "a.yaml#WorkflowTemplate//x.t/main");
	assert_string_equal(fact_of(row, FACT_SERVICE_ACCOUNT, NULL)->value, "own");
	assert_string_equal(fact_of(row, FACT_NETWORK_MODE, NULL)->value, "host");
	assert_string_equal(fact_of(row, FACT_PRIVILEGED, NULL)->value, "true");
	assert_string_equal(fact_of(row, FACT_TOKEN_MOUNT, NULL)->value, "false");
	/* Kubernetes' own defaults hold for what a workflow leaves out. */
	assert_int_equal(fact_of(row, FACT_ESCALATION, NULL)->provenance, PROVENANCE_ABSENT);
	assert_problem(&r, 4, "podSpecPatch");
	reading_free(&r);
}

static void a_run_gives_its_pod_settings_to_the_steps(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	read_k8s(&r, "a.yaml",
		 CR("tekton.dev", "TaskRun",
		    "{serviceAccountName: s, podTemplate: {hostNetwork: true}, taskSpec: {stepTemplate: "
		    "{securityContext: {runAsUser: 9}}, steps: [" IMAGE "]}}"));
	join_k8s(&r);
	row = row_of(&r, "a.yaml#TaskRun//x/c");
	assert_string_equal(fact_of(row, FACT_SERVICE_ACCOUNT, NULL)->value, "s");
	assert_string_equal(fact_of(row, FACT_NETWORK_MODE, NULL)->value, "host");
	assert_string_equal(fact_of(row, FACT_USER, NULL)->value, "9");
	reading_free(&r);
}

static void too_many_steps_are_said(void **state)
{
	struct reading r = { 0 };
	struct buf text = { 0 };

	(void)state;
	buf_puts(&text, "apiVersion: tekton.dev/v1\nkind: Task\nmetadata: {name: x}\nspec:\n  steps:\n");
	for (unsigned i = 0; i <= LIMIT_MADE_KEYS; i++)
		buf_puts(&text, "  - {image: i}\n");
	read_k8s(&r, "a.yaml", buf_text(&text));
	assert_problem(&r, 5, "steps in one pod");
	assert_int_equal(count_rows(&r), 0);
	buf_free(&text);
	reading_free(&r);
}

static void objects_inside_others_stand_for_themselves(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	read_k8s(&r, "a.yaml",
		 "apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\nmetadata: {name: g}\n"
		 "spec:\n  resources:\n  - id: d\n    template:\n      apiVersion: apps/v1\n"
		 "      kind: Deployment\n      metadata: {name: d}\n      spec:\n"
		 "        template: {metadata: {labels: {a: b}}, " "spec: {containers: [" IMAGE "]}}\n"
		 "  - id: n\n    template:\n      apiVersion: networking.k8s.io/v1\n"
		 "      kind: NetworkPolicy\n      metadata: {name: n}\n"
		 "      spec: {podSelector: {matchLabels: {a: b}}}\n"
		 "---\napiVersion: v1\nkind: Template\nmetadata: {name: t}\nobjects:\n"
		 "- {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [" IMAGE "]}}\n");
	join_k8s(&r);
	row = row_of(&r, "a.yaml#Deployment//d/c");
	assert_string_equal(fact_of(row, FACT_NETWORK_POLICY, NULL)->value, "n");
	row_of(&r, "a.yaml#Pod//p/c");
	assert_int_equal(count_rows(&r), 2);
	reading_free(&r);
}

static void a_manifest_needs_no_extension(void **state)
{
	static const char object[] = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n"
				     "spec: {containers: [" IMAGE "]}\n";
	static const struct {
		const char *path, *before;
		bool taken;
	} cases[] = {
		{ "deploy/pod", "", true },
		{ "deploy/pod", "# a copy\n\n---\n", true },
		{ "deploy/apply", "#!/bin/sh\n", false },
		{ "deploy/apply", "kubectl apply -f - <<E\n", false },
		{ "deploy/pod.txt", "", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct reading r = { .workspace = { .open = tree_open, .exists = tree_exists } };

		assert_int_equal(read_text(&r, &format_k8s, cases[i].path, SYNTAX_YAML,
					   arena_printf(&r.snapshot.arena, "%s%s", cases[i].before,
							object)),
				 cases[i].taken);
		assert_int_equal(count_rows(&r), cases[i].taken);
		reading_free(&r);
	}
}

static void a_bundle_of_an_operator_grants_its_permissions(void **state)
{
	struct reading r = { 0 };
	const struct row *row;
	const struct fact *f;

	(void)state;
	read_k8s(&r, "csv.yaml",
		 "apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\n"
		 "metadata: {name: op, namespace: n}\nspec:\n  install:\n    spec:\n"
		 "      clusterPermissions:\n      - serviceAccountName: s\n        rules:\n"
		 "        - {apiGroups: [''], resources: [secrets], verbs: [list]}\n"
		 "      permissions:\n      - serviceAccountName: other\n        rules:\n"
		 "        - {apiGroups: [''], resources: [pods], verbs: [get]}\n"
		 "      deployments:\n      - name: d\n        spec:\n          template:\n"
		 "            spec: {serviceAccountName: s, containers: [" IMAGE "]}\n");
	join_k8s(&r);
	row = row_of(&r, "csv.yaml#ClusterServiceVersion/n/op.d/c");
	f = fact_of(row, FACT_RBAC_RULE, "list on secrets");
	assert_string_equal(fact_attribute(f, "scope"), "cluster");
	assert_int_equal(snapshot_line(&r.snapshot, f->span), 10);
	assert_null(row_next(row, f));
	reading_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bundle_of_an_operator_grants_its_permissions),
		cmocka_unit_test(a_manifest_needs_no_extension),
		cmocka_unit_test(a_container_is_found_wherever_a_controller_reads_it),
		cmocka_unit_test(settings_keep_their_place_and_meaning),
		cmocka_unit_test(a_security_context_belongs_to_the_level_it_fits),
		cmocka_unit_test(a_workflow_takes_defaults_and_settings_from_above),
		cmocka_unit_test(a_run_gives_its_pod_settings_to_the_steps),
		cmocka_unit_test(too_many_steps_are_said),
		cmocka_unit_test(objects_inside_others_stand_for_themselves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

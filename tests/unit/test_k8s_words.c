/* What the boundary map says of a pod, in words.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/k8s_help.h"

#include "model/buf.h"
#include "model/cell.h"

static bool cell_holds(struct reading *r, const char *row, enum field field, const char *words)
{
	struct buf text = { 0 };
	bool found;

	cell_declared(&r->snapshot, row_of(r, row), field, &text);
	found = strstr(buf_text(&text), words);
	if (!found)
		print_message("no \"%s\" in: %s\n", words, buf_text(&text));
	buf_free(&text);
	return found;
}

static bool cell_lacks(struct reading *r, const char *row, enum field field, const char *words)
{
	struct buf text = { 0 };
	bool found;

	cell_declared(&r->snapshot, row_of(r, row), field, &text);
	found = strstr(buf_text(&text), words);
	buf_free(&text);
	return !found;
}

static void privileged_leaves_no_default_in_the_cells_it_empties(void **state)
{
	static const struct {
		enum field field;
		const char *said, *unsaid;
	} cells[] = {
		{ FIELD_CAPABILITIES, "all: privileged", "default set stays" },
		{ FIELD_SYSCALL_FILTER, "no default filter", "Unconfined by default" },
		{ FIELD_MAC_PROFILE, "no default profile", "RuntimeDefault" },
		{ FIELD_ROOT_FS, "no masked", "masks default" },
	};
	struct reading r = { 0 };

	(void)state;
	read_k8s(&r, "p.yaml",
		 POD("  containers:\n  - {name: a, image: b, securityContext: {privileged: true}}\n"
		     "  - {name: c, image: b}\n"));
	for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
		assert_true(cell_holds(&r, "p.yaml#Pod//p/a", cells[i].field, cells[i].said));
		assert_true(cell_lacks(&r, "p.yaml#Pod//p/a", cells[i].field, cells[i].unsaid));
	}
	assert_true(cell_holds(&r, "p.yaml#Pod//p/c", FIELD_CAPABILITIES, "default set stays"));
	assert_true(cell_holds(&r, "p.yaml#Pod//p/c", FIELD_ROOT_FS, "masks default"));
	reading_free(&r);
}

static void what_starts_is_unknown_without_a_command(void **state)
{
	struct reading r = { 0 };
	struct cell c;

	(void)state;
	read_k8s(&r, "p.yaml",
		 POD("  containers:\n"
		     "  - {name: a, image: b, livenessProbe: {grpc: {port: 1}}, workingDir: /w}\n"
		     "  - {name: c, image: b, args: [--serve]}\n"
		     "  - {name: d, image: b, command: [run]}\n"));
	c = cell_of(&r.snapshot, row_of(&r, "p.yaml#Pod//p/a"), FIELD_ENTRY_CHAIN);
	assert_int_equal(c.mark, MARK_UNAVAILABLE);
	assert_string_equal(c.sub, "not-supplied");
	assert_true(cell_holds(&r, "p.yaml#Pod//p/a", FIELD_ENTRY_CHAIN,
			       "image configuration not supplied; "));
	assert_true(cell_holds(&r, "p.yaml#Pod//p/a", FIELD_ENTRY_CHAIN, "probe grpc (liveness)"));
	assert_true(cell_holds(&r, "p.yaml#Pod//p/a", FIELD_ENTRY_CHAIN, "same pod: c, d"));
	c = cell_of(&r.snapshot, row_of(&r, "p.yaml#Pod//p/c"), FIELD_ENTRY_CHAIN);
	assert_int_equal(c.mark, MARK_DECLARED);
	assert_true(cell_holds(&r, "p.yaml#Pod//p/c", FIELD_ENTRY_CHAIN, "args --serve"));
	assert_true(cell_holds(&r, "p.yaml#Pod//p/d", FIELD_ENTRY_CHAIN, "command run"));
	reading_free(&r);
}

static void volumes_are_told_with_their_kind_and_as_the_kubelet_mounts_them(void **state)
{
	static const char *const words[] = { "configMap c \xE2\x86\x92 /c ro", "secret s \xE2\x86\x92 /s ro",
					     "emptyDir e \xE2\x86\x92 /e rw",
					     "/host \xE2\x86\x92 /h rw" };
	struct reading r = { 0 };

	(void)state;
	read_k8s(&r, "p.yaml",
		 POD("  containers:\n  - name: a\n    image: b\n    volumeMounts:\n"
		     "    - {name: c, mountPath: /c}\n    - {name: s, mountPath: /s, readOnly: false}\n"
		     "    - {name: e, mountPath: /e}\n    - {name: h, mountPath: /h}\n"
		     "  volumes:\n  - {name: c, configMap: {name: c}}\n"
		     "  - {name: s, secret: {secretName: s}}\n  - {name: e, emptyDir: {}}\n"
		     "  - {name: h, hostPath: {path: /host}}\n"));
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		assert_true(cell_holds(&r, "p.yaml#Pod//p/a", FIELD_MOUNTS, words[i]));
	reading_free(&r);
}

static void a_token_against_the_accounts_word_is_told_as_such(void **state)
{
	static const char words[] = "account token mounted: the pod says so, its account does not";
	struct reading r = { 0 };

	(void)state;
	read_k8s(&r, "p.yaml",
		 "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: s}\n"
		 "automountServiceAccountToken: false\n---\n" POD(
			 "  serviceAccountName: s\n  automountServiceAccountToken: true\n"
			 "  containers: [{name: a, image: b}]\n"));
	join_k8s(&r);
	assert_true(cell_holds(&r, "p.yaml#Pod//p/a", FIELD_CREDENTIALS, words));
	reading_free(&r);
}

static void a_namespace_label_is_told_with_its_mode(void **state)
{
	struct reading r = { 0 };

	(void)state;
	read_k8s(&r, "p.yaml",
		 "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: n\n  labels:\n"
		 "    pod-security.kubernetes.io/warn: baseline\n---\n"
		 "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: n}\n"
		 "spec:\n  containers: [{name: a, image: b}]\n");
	join_k8s(&r);
	assert_true(cell_holds(&r, "p.yaml#Pod/n/p/a", FIELD_ENFORCEMENT,
			       "namespace label warn: baseline; no enforce label"));
	reading_free(&r);
}

static void an_operators_pod_is_known_only_as_far_as_its_resource_says(void **state)
{
	static const char row[] = "o.yaml#Database/n/main/database";
	static const enum field open[] = { FIELD_CAPABILITIES, FIELD_SYSCALL_FILTER, FIELD_MOUNTS,
					   FIELD_PRIVILEGE_GAIN, FIELD_CREDENTIALS };
	struct reading r = { 0 };
	struct cell c;

	(void)state;
	read_k8s(&r, "o.yaml",
		 "apiVersion: db.example.com/v1\nkind: Database\nmetadata: {name: main, namespace: n}\n"
		 "spec:\n  image: example.com/db:1\n  replicas: 2\n  serviceAccountName: keeper\n"
		 "  podMetadata: {labels: {app: db}}\n  securityContext: {runAsUser: 70}\n"
		 "  resources: {limits: {memory: 1Gi}}\n"
		 "  containers:\n  - {name: database, resources: {}}\n  - {name: proxy, image: p}\n");
	join_k8s(&r);
	assert_int_equal(snapshot_line(&r.snapshot, fact_of(row_of(&r, row), FACT_IMAGE, NULL)->span), 5);
	assert_int_equal(snapshot_line(&r.snapshot, fact_of(row_of(&r, row), FACT_USER, "70")->span), 9);
	assert_non_null(fact_of(row_of(&r, row), FACT_SERVICE_ACCOUNT, "keeper"));
	assert_non_null(row_of(&r, "o.yaml#Database/n/main/proxy"));
	for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
		c = cell_of(&r.snapshot, row_of(&r, row), open[i]);
		assert_int_equal(c.mark, MARK_UNAVAILABLE);
		assert_true(cell_holds(&r, row, open[i], "the operator that makes the pod decides"));
	}
	assert_true(cell_holds(&r, row, FIELD_RESOURCES, "memory 1Gi"));
	assert_null(row_of(&r, row)->pod_security);
	reading_free(&r);
}

/* Containers that the resource only changes are there, and what it says of them counts. */
static void changes_of_an_operators_containers_are_read(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	read_k8s(&r, "o.yaml",
		 "apiVersion: db.example.com/v1\nkind: Database\nmetadata: {name: main}\n"
		 "spec:\n  image: example.com/db:1\n  replicas: 2\n"
		 "  resources: {limits: {memory: 1Gi}}\n  containers:\n"
		 "  - name: database\n"
		 "    securityContext: {privileged: true}\n"
		 "  - {name: helper, securityContext: {privileged: true}}\n");
	join_k8s(&r);
	row = row_of(&r, "o.yaml#Database//main/database");
	assert_value(row, FACT_PRIVILEGED, "true", &r, 10);
	assert_non_null(fact_of(row, FACT_MEMORY_LIMIT, "1Gi"));
	assert_value(row_of(&r, "o.yaml#Database//main/helper"), FACT_PRIVILEGED, "true", &r, 11);
	reading_free(&r);
}

/* A template whose containers the operator names and fills is a pod of which little is known. */
static void a_template_of_changes_alone_is_a_pod(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	read_k8s(&r, "o.yaml",
		 "apiVersion: id.example.com/v1\nkind: Login\nmetadata: {name: l}\nspec:\n"
		 "  unsupported:\n    podTemplate:\n      spec:\n        containers:\n"
		 "        - env: [{name: A_PASSWORD, value: Tr0ub4dor}]\n"
		 "          volumeMounts: [{name: v, mountPath: /d}]\n");
	join_k8s(&r);
	row = row_of(&r, "o.yaml#Login//l/[0]");
	assert_true(row->operated);
	assert_non_null(fact_of(row, FACT_ENV, "A_PASSWORD"));
	reading_free(&r);
}

static void a_label_tells_pods_apart_and_containers_where_there_are_several(void **state)
{
	static const struct {
		const char *text, *label;
	} cases[] = {
		{ "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n"
		  "spec: {template: {spec: {containers: [{name: server, image: i}]}}}\n", "web" },
		{ "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n"
		  "spec: {template: {spec: {containers: [{name: a, image: i}, {name: b, image: i}]}}}\n",
		  "web/a" },
		{ "apiVersion: v1\nkind: Pod\nmetadata: {name: 'x-{{ .Values.a.b }}'}\n"
		  "spec: {containers: [{name: c, image: i}]}\n", "x-a.b" },
		{ "apiVersion: v1\nkind: Pod\nmetadata: {name: '{{ include \"full\" . }}{{'}\n"
		  "spec: {containers: [{name: c, image: i}]}\n", "include{{" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct reading r = { 0 };

		read_k8s(&r, "p.yaml", cases[i].text);
		snapshot_label_rows(&r.snapshot);
		assert_string_equal(r.snapshot.rows.items[0]->label, cases[i].label);
		reading_free(&r);
	}
}

static void a_policy_finds_an_operators_pod_by_the_labels_it_is_to_have(void **state)
{
	static const char policy[] =
		"---\napiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: p}\n"
		"spec: {podSelector: {matchLabels: {app: db}}, policyTypes: [Ingress]}\n";
	static const char *const specs[] = {
		"{image: i, replicas: 1, podMetadata: {labels: {app: db}}}",
		"{version: '1', replicas: 1, serviceAccountName: s, podMetadata: {labels: {app: db}}}",
		("{image: i, resources: {limits: {cpu: 1}}, securityContext: {fsGroup: 1}, "
		 "podMetadata: {labels: {app: db}}}"),
	};

	(void)state;
	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		struct reading r = { 0 };

		read_k8s(&r, "o.yaml",
			 arena_printf(&r.snapshot.arena,
				      "apiVersion: db.example.com/v1\nkind: Database\n"
				      "metadata: {name: main}\nspec: %s\n%s", specs[i], policy));
		join_k8s(&r);
		assert_non_null(fact_of(r.snapshot.rows.items[0], FACT_NETWORK_POLICY, "p"));
		assert_true(r.snapshot.rows.items[0]->operated);
		reading_free(&r);
	}
}

static void resources_that_only_act_for_an_account_are_no_pods(void **state)
{
	static const char *const texts[] = {
		"apiVersion: flux.example.io/v2\nkind: Release\nmetadata: {name: a}\n"
		"spec: {serviceAccountName: s, version: '1', interval: 5m}\n",
		"apiVersion: scaler.example.io/v1\nkind: Scaler\nmetadata: {name: a}\n"
		"spec: {replicas: 3, scaleTargetRef: {name: b}}\n",
		"apiVersion: ops.example.io/v1\nkind: Plan\nmetadata: {name: a}\n"
		"spec: {image: i, replicas: 1, template: {spec: {containers: [{name: c, image: d}]}}}\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct reading r = { 0 };

		read_k8s(&r, "o.yaml", texts[i]);
		assert_int_equal(r.snapshot.rows.count, i == 2);
		if (i == 2)
			assert_false(r.snapshot.rows.items[0]->operated);
		reading_free(&r);
	}
}

static void a_placeholder_is_no_image(void **state)
{
	static const struct {
		const char *image;
		enum provenance provenance;
		bool policy_known;
	} cases[] = {
		{ "<IMAGE_URL>", PROVENANCE_TEMPLATED, false },
		{ "IMAGE_PLACEHOLDER", PROVENANCE_TEMPLATED, false },
		{ "__IMAGE__", PROVENANCE_TEMPLATED, false },
		{ "YOUR_REGISTRY/app:1.2", PROVENANCE_TEMPLATED, true },
		{ "ko://example.com/cmd/app", PROVENANCE_TEMPLATED, false },
		{ "${IMAGE}", PROVENANCE_TEMPLATED, false },
		{ "repo/app:${TAG}", PROVENANCE_TEMPLATED, false },
		{ "${REPO}/app:1.2", PROVENANCE_TEMPLATED, true },
		{ "repo/app:RELEASE", PROVENANCE_EXPLICIT, true },
		{ "repo/app", PROVENANCE_EXPLICIT, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct reading r = { 0 };
		const struct row *row;

		read_k8s(&r, "p.yaml",
			 arena_printf(&r.snapshot.arena,
				      POD("  containers: [{name: a, image: \"%s\"}]\n"),
				      cases[i].image));
		join_k8s(&r);
		row = row_of(&r, "p.yaml#Pod//p/a");
		assert_int_equal(fact_of(row, FACT_IMAGE, NULL)->provenance, cases[i].provenance);
		assert_null(fact_attribute(fact_of(row, FACT_IMAGE, NULL), "invalid"));
		assert_int_equal(fact_is_known(fact_of(row, FACT_PULL_POLICY, NULL)),
				 cases[i].policy_known);
		reading_free(&r);
	}
}

static void a_name_claims_isolation_when_it_is_the_things_own(void **state)
{
	static const struct {
		const char *kind, *name, *claim; /* NULL: none */
	} cases[] = {
		{ "Deployment", "code-sandbox", "name=code-sandbox" },
		{ "Deployment", "sandbox-router", NULL },
		{ "Deployment", "agent-sandbox-controller", NULL },
		{ "Deployment", "plain", "label=tier=secure-zone" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct reading r = { 0 };
		const struct row *row;
		const struct fact *f;

		read_k8s(&r, "d.yaml",
			 arena_printf(&r.snapshot.arena,
				      "apiVersion: apps/v1\nkind: %s\nmetadata: {name: %s}\nspec:\n"
				      "  template:\n    metadata: {labels: {app: %s%s}}\n"
				      "    spec: {containers: [{name: c, image: i}]}\n",
				      cases[i].kind, cases[i].name, cases[i].name,
				      i == 3 ? ", tier: secure-zone, zone: secure" : ""));
		join_k8s(&r);
		row = row_of(&r, arena_printf(&r.snapshot.arena, "d.yaml#%s//%s/c", cases[i].kind,
					      cases[i].name));
		f = row_first(row, FACT_ISOLATION_LABEL, LAYER_DECLARED);
		if (cases[i].claim)
			assert_string_equal(f ? f->value : "none", cases[i].claim);
		else
			assert_null(f);
		assert_null(f ? row_next(row, f) : NULL);
		reading_free(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_placeholder_is_no_image),
		cmocka_unit_test(a_name_claims_isolation_when_it_is_the_things_own),
		cmocka_unit_test(privileged_leaves_no_default_in_the_cells_it_empties),
		cmocka_unit_test(what_starts_is_unknown_without_a_command),
		cmocka_unit_test(volumes_are_told_with_their_kind_and_as_the_kubelet_mounts_them),
		cmocka_unit_test(a_token_against_the_accounts_word_is_told_as_such),
		cmocka_unit_test(a_namespace_label_is_told_with_its_mode),
		cmocka_unit_test(an_operators_pod_is_known_only_as_far_as_its_resource_says),
		cmocka_unit_test(changes_of_an_operators_containers_are_read),
		cmocka_unit_test(a_template_of_changes_alone_is_a_pod),
		cmocka_unit_test(a_policy_finds_an_operators_pod_by_the_labels_it_is_to_have),
		cmocka_unit_test(a_label_tells_pods_apart_and_containers_where_there_are_several),
		cmocka_unit_test(resources_that_only_act_for_an_account_are_no_pods),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Fields of a pod spec one by one: keys that are none, mounts that the API refuses, sources of variables,
 * limits of a whole pod, and lists with items of the wrong shape.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/k8s_help.h"

static const struct row *read_pod(struct reading *r, const char *version, const char *text)
{
	r->snapshot.scope.kubernetes = version;
	read_k8s(r, "p.yaml", text);
	return row_of(r, "p.yaml#Pod//p/a");
}

/* KEY on LINE is told to do nothing, with WHY in the reason. */
static bool is_ignored(const struct reading *r, const struct row *row, const char *key, uint32_t line,
		       const char *why)
{
	for (const struct fact *f = row_first(row, FACT_IGNORED_SETTING, LAYER_DECLARED); f;
	     f = row_next(row, f))
		if (fact_is(f, key) && snapshot_line(&r->snapshot, f->span) == line &&
		    strstr(fact_attribute(f, "why"), why))
			return true;
	return false;
}

static void keys_that_are_no_field_are_named(void **state)
{
	struct reading r = { 0 };
	const struct row *row = read_pod(
		&r, "",
		POD("  hostnetwork: true\n  fsGroup: 1\n  securityContext:\n    runAsuser: 5\n"
		    "    seccompProfile: {type: RuntimeDefault, profile: x}\n  containers:\n"
		    "  - name: a\n    image: i\n    hostPort: 1\n    securityContext:\n"
		    "      readonlyRootFilesystem: true\n      capabilities: {Drop: [ALL]}\n"
		    "    volumeMounts:\n    - {name: v, mountPath: /v, readonly: true}\n"
		    "  volumes:\n  - name: v\n    hostpath: {path: /}\n"));

	(void)state;
	assert_true(is_ignored(&r, row, "hostnetwork", 5, "hostNetwork and case counts"));
	assert_true(is_ignored(&r, row, "fsGroup", 6, "a pod spec has no such field"));
	assert_true(is_ignored(&r, row, "runAsuser", 8, "runAsUser"));
	assert_true(is_ignored(&r, row, "profile", 9, "seccompProfile has no such field"));
	assert_true(is_ignored(&r, row, "hostPort", 13, "a container has no such field"));
	assert_true(is_ignored(&r, row, "readonlyRootFilesystem", 15, "readOnlyRootFilesystem"));
	assert_true(is_ignored(&r, row, "Drop", 16, "drop"));
	assert_true(is_ignored(&r, row, "readonly", 18, "readOnly"));
	assert_true(is_ignored(&r, row, "hostpath", 21, "hostPath"));
	reading_free(&r);
}

static void fields_of_custom_resources_are_their_own(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	read_k8s(&r, "s.yaml",
		 "apiVersion: agents.x-k8s.io/v1alpha1\nkind: Sandbox\nmetadata: {name: s}\nspec:\n"
		 "  podTemplate:\n    spec:\n      extra: 1\n      containers: [{name: a, image: i}]\n");
	row = row_of(&r, "s.yaml#Sandbox//s/a");
	assert_null(row_first(row, FACT_IGNORED_SETTING, LAYER_DECLARED));
	reading_free(&r);
}

static void mounts_that_the_api_refuses_are_named(void **state)
{
	struct reading r = { 0 };
	const struct row *row = read_pod(
		&r, "",
		POD("  containers:\n  - name: a\n    image: i\n    volumeMounts:\n"
		    "    - {name: v, mountPath: /a, recursiveReadOnly: Enabled}\n"
		    "    - {name: v, mountPath: /b, recursiveReadOnly: IfPossible, readOnly: true, "
		    "mountPropagation: HostToContainer}\n"
		    "    - {name: v, mountPath: /c, subPath: x/../y}\n"
		    "    - {name: v, mountPath: /d, subPath: /x}\n"
		    "    - {name: v, mountPath: /e, subPath: x, subPathExpr: y}\n"
		    "    - {name: v, mountPath: /f, subPath: a/..b, recursiveReadOnly: Enabled, "
		    "readOnly: true}\n"
		    "  volumes: [{name: v, emptyDir: {}}]\n"));

	(void)state;
	assert_true(is_ignored(&r, row, "recursiveReadOnly", 9, "readOnly: true"));
	assert_true(is_ignored(&r, row, "recursiveReadOnly", 10, "other than None"));
	assert_true(is_ignored(&r, row, "subPath", 11, "holds .."));
	assert_true(is_ignored(&r, row, "subPath", 12, "root"));
	assert_true(is_ignored(&r, row, "subPathExpr", 13, "beside subPath"));
	assert_false(is_ignored(&r, row, "subPath", 14, ""));
	assert_false(is_ignored(&r, row, "recursiveReadOnly", 14, ""));
	reading_free(&r);
}

static void a_volume_is_what_its_source_is(void **state)
{
	struct reading r = { 0 };
	const struct row *row = read_pod(
		&r, "",
		POD("  containers:\n  - name: a\n    image: i\n    volumeMounts:\n"
		    "    - {name: none, mountPath: /none}\n    - {name: cm, mountPath: /cm}\n"
		    "    - {name: im, mountPath: /im}\n    - {name: e, mountPath: /e}\n"
		    "  volumes:\n  - {name: none, hostPath: null}\n  - {name: cm, configMap: {name: c}}\n"
		    "  - {name: im, image: {reference: q}}\n  - {name: e, emptyDir: {}}\n"));
	const struct fact *f = fact_of(row, FACT_MOUNT, "none:/none");

	(void)state;
	assert_string_equal(fact_attribute(f, "type"), "emptyDir");
	assert_string_equal(fact_attribute(fact_of(row, FACT_MOUNT, "c:/cm:ro"), "read_only"), "true");
	assert_string_equal(fact_attribute(fact_of(row, FACT_MOUNT, "q:/im:ro"), "read_only"), "true");
	assert_string_equal(fact_attribute(fact_of(row, FACT_MOUNT, "e:/e"), "read_only"), "false");
	reading_free(&r);
}

static void a_variable_says_where_it_comes_from(void **state)
{
	struct reading r = { 0 };
	const struct row *row = read_pod(
		&r, "",
		POD("  containers:\n  - name: a\n    image: i\n    env:\n"
		    "    - {name: A, valueFrom: {fieldRef: {fieldPath: status.hostIP}}}\n"
		    "    - {name: B, valueFrom: {resourceFieldRef: {containerName: c, resource: "
		    "limits.cpu}}}\n"
		    "    - {name: C, valueFrom: {fileKeyRef: {volumeName: v, path: f, key: k}}}\n"
		    "    - {name: D, valueFrom: {secretKeyRef: {name: s, key: k, optional: true}}}\n"
		    "    - {name: E, valueFrom: {}}\n    - {name: F, valueFrom: {other: {}}}\n"
		    "    - {name: G, value: [x]}\n    - word\n    - {value: x}\n"));

	(void)state;
	assert_string_equal(fact_attribute(fact_of(row, FACT_ENV, "A"), "ref"), "status.hostIP");
	assert_string_equal(fact_attribute(fact_of(row, FACT_ENV, "B"), "ref"), "limits.cpu");
	assert_string_equal(fact_attribute(fact_of(row, FACT_ENV, "B"), "container"), "c");
	assert_string_equal(fact_attribute(fact_of(row, FACT_ENV, "C"), "volume"), "v");
	assert_string_equal(fact_attribute(fact_of(row, FACT_ENV, "D"), "required"), "false");
	assert_problem(&r, 13, "valueFrom names none of");
	assert_problem(&r, 14, "valueFrom names none of");
	assert_problem(&r, 15, "must be a single value");
	assert_problem(&r, 16, "an item of env must be a map");
	assert_problem(&r, 17, "a variable has no name");
	reading_free(&r);
}

#define WHOLE                                                                                      \
	POD("  resources: {limits: {memory: 1Gi, cpu: \"2\"}}\n  restartPolicy: Never\n"               \
	    "  resourceClaims: [{name: g, resourceClaimName: card}]\n  containers:\n"                  \
	    "  - {name: a, image: i, restartPolicy: OnFailure, resources: {limits: {cpu: \"1\"}, "       \
	    "claims: [{name: g}]}}\n")

static void limits_of_the_pod_hold_from_the_version_that_reads_them(void **state)
{
	struct reading r = { 0 }, old = { 0 };
	const struct row *row = read_pod(&r, "1.35", WHOLE);

	(void)state;
	assert_attribute(row, FACT_MEMORY_LIMIT, "level", "pod");
	assert_string_equal(fact_of(row, FACT_CPU_LIMIT, "1")->via[0].value, "2");
	assert_string_equal(fact_of(row, FACT_RESTART, "OnFailure")->via[0].value, "Never");
	assert_attribute(row, FACT_DEVICE, "claim", "card");
	reading_free(&r);
	row = read_pod(&old, "1.33", WHOLE);
	assert_int_equal(fact_of(row, FACT_MEMORY_LIMIT, "")->provenance, PROVENANCE_ABSENT);
	fact_of(row, FACT_RESTART, "Never");
	assert_string_equal(fact_attribute(fact_of(row, FACT_FEATURE, "pod-level resources"), "ignored"),
			    "true");
	reading_free(&old);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_that_are_no_field_are_named),
		cmocka_unit_test(fields_of_custom_resources_are_their_own),
		cmocka_unit_test(mounts_that_the_api_refuses_are_named),
		cmocka_unit_test(a_volume_is_what_its_source_is),
		cmocka_unit_test(a_variable_says_where_it_comes_from),
		cmocka_unit_test(limits_of_the_pod_hold_from_the_version_that_reads_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

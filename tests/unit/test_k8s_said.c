/* What is said of manifests: one thing once, nothing that another word of the cell denies.
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

static void assert_cell(struct reading *r, const char *row, enum field field, const char *words)
{
	struct buf text = { 0 };

	cell_declared(&r->snapshot, row_of(r, row), field, &text);
	assert_string_equal(buf_text(&text), words);
	buf_free(&text);
}

static const char *sub_of(struct reading *r, const char *row, enum field field)
{
	return cell_of(&r->snapshot, row_of(r, row), field).sub;
}

static void a_numbered_user_is_not_called_root(void **state)
{
	struct reading r = { 0 };

	(void)state;
	read_k8s(&r, "p.yaml",
		 POD("  securityContext: {runAsUser: 1000, runAsGroup: 1000}\n"
		     "  containers:\n  - {name: a, image: b}\n"
		     "  - {name: c, image: b, securityContext: {runAsNonRoot: true}}\n"));
	assert_cell(&r, "p.yaml#Pod//p/a", FIELD_IDENTITY,
		    "1000; group 1000; no check against root by default; "
		    "supplementary groups policy Merge by default");
	assert_cell(&r, "p.yaml#Pod//p/c", FIELD_IDENTITY,
		    "1000; group 1000; must not be root; "
		    "supplementary groups policy Merge by default");
	reading_free(&r);
}

/* An account's name is no right, and an operating system enforces nothing. */
static void what_stands_around_an_answer_is_none(void **state)
{
	static const char account[] = "account token mounted by default; service account s";
	struct reading r = { 0 };
	struct arena *a = &r.snapshot.arena;

	(void)state;
	read_k8s(&r, "p.yaml",
		 POD("  os: {name: linux}\n  serviceAccountName: s\n"
		     "  containers: [{name: a, image: b}]\n"));
	read_k8s(&r, "q.yaml",
		 POD("  serviceAccountName: s\n  automountServiceAccountToken: false\n"
		     "  containers: [{name: c, image: b}]\n"));
	join_k8s(&r);
	assert_cell(&r, "p.yaml#Pod//p/a", FIELD_API_AUTHORITY,
		    arena_printf(a, "bindings of the account not supplied; %s", account));
	assert_string_equal(sub_of(&r, "p.yaml#Pod//p/a", FIELD_API_AUTHORITY), "not-supplied");
	assert_cell(&r, "p.yaml#Pod//p/a", FIELD_ENFORCEMENT,
		    "admission of the cluster not supplied; operating system linux");
	assert_string_equal(sub_of(&r, "p.yaml#Pod//p/a", FIELD_ENFORCEMENT), "not-supplied");
	assert_string_equal(sub_of(&r, "q.yaml#Pod//p/c", FIELD_API_AUTHORITY), "explicit");
	reading_free(&r);
}

static void a_command_is_said_word_for_word(void **state)
{
	struct reading r = { 0 };

	(void)state;
	read_k8s(&r, "p.yaml",
		 POD("  containers:\n"
		     "  - {name: a, image: b, command: [redis, --save, \"\", --port, \"1\"]}\n"));
	assert_cell(&r, "p.yaml#Pod//p/a", FIELD_ENTRY_CHAIN,
		    "command redis --save \"\" --port 1; "
		    "ephemeral and injected containers: not shown by a manifest");
	assert_string_equal(sub_of(&r, "p.yaml#Pod//p/a", FIELD_ENTRY_CHAIN), "explicit");
	reading_free(&r);
}

static void rights_on_paths_are_told_from_rights_on_objects(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	row = read_web(&r, "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\n"
			   "metadata: {name: all}\nrules:\n"
			   "- {apiGroups: [\"*\"], resources: [\"*\"], verbs: [\"*\"]}\n"
			   "- {nonResourceURLs: [\"*\"], verbs: [\"*\"]}\n---\n"
			   "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\n"
			   "metadata: {name: all}\nroleRef: {kind: ClusterRole, name: all}\n"
			   "subjects: [{kind: ServiceAccount, name: runner, namespace: shop}]\n");
	fact_of(row, FACT_RBAC_RULE, "* on *");
	fact_of(row, FACT_RBAC_RULE, "* on paths *");
	reading_free(&r);
}

static void an_object_without_a_name_is_said_to_have_none(void **state)
{
	struct reading r = { 0 };

	(void)state;
	read_k8s(&r, "b.yaml",
		 "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\n"
		 "metadata:\n  name: # later\nroleRef: {kind: ClusterRole, name: view}\n"
		 "subjects:\n- {kind: ServiceAccount, name: a}\n");
	join_k8s(&r);
	assert_problem(&r, 7, "ClusterRoleBinding without a name: a ServiceAccount needs");
	reading_free(&r);
}

#define AGGREGATED(metadata)                                                                       \
	"apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: a" metadata   \
	"}\naggregationRule: {clusterRoleSelectors: [{matchLabels: {a: b}}]}\n"                      \
	"rules: [{apiGroups: [\"\"], resources: [pods], verbs: [get]}]\n"

static void what_the_control_plane_wrote_is_no_mistake(void **state)
{
	struct reading r = { 0 };

	(void)state;
	read_k8s(&r, "live.yaml", AGGREGATED(", uid: 4-1, resourceVersion: \"51\""));
	join_k8s(&r);
	assert_int_equal(r.snapshot.artifacts.items[0]->problems.count, 0);
	reading_free(&r);
	memset(&r, 0, sizeof r);
	read_k8s(&r, "own.yaml", AGGREGATED(""));
	join_k8s(&r);
	assert_problem(&r, 5, "the control plane writes over rules");
	reading_free(&r);
}

static void a_bases_policy_may_speak_of_pods_of_another_base(void **state)
{
	static const char policy[] =
		"apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: n}\n"
		"spec:\n  podSelector: {matchLabels: {app: web}}\n"
		"  ingress: [{from: [{podSelector: {matchLabels: {app: api}}}]}]\n";
	static const char deployment[] =
		"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: %s}\nspec:\n  template:\n"
		"    metadata: {labels: {app: %s}}\n    spec: {containers: [{name: c, image: b}]}\n";
	struct reading r = { 0 };
	struct arena *a = &r.snapshot.arena;
	const struct fact *f;

	(void)state;
	read_with(&r, &format_kustomize, "m/web/kustomization.yaml", "resources: [d.yaml, n.yaml]\n");
	read_k8s(&r, "m/web/d.yaml", arena_printf(a, deployment, "web", "web"));
	read_k8s(&r, "m/web/n.yaml", policy);
	read_with(&r, &format_kustomize, "m/api/kustomization.yaml", "resources: [d.yaml]\n");
	read_k8s(&r, "m/api/d.yaml", arena_printf(a, deployment, "api", "api"));
	read_with(&r, &format_kustomize, "m/all/kustomization.yaml", "resources: [../web, ../api]\n");
	read_with(&r, &format_kustomize, "m/some/kustomization.yaml", "resources: [../web]\n");
	join_k8s(&r);
	f = row_first(row_of(&r, "m/web/n.yaml#NetworkPolicy//n"), FACT_NETWORK_POLICY,
		      LAYER_DECLARED);
	assert_true(fact_attribute_is(f, "peers", "true"));
	reading_free(&r);
}

static void a_build_that_changes_nothing_is_no_step(void **state)
{
	struct reading r = { 0 };

	(void)state;
	read_with(&r, &format_kustomize, "m/base/kustomization.yaml",
		  "resources: [d.yaml]\nimages: [{name: b, newTag: \"1\"}]\n");
	read_k8s(&r, "m/base/d.yaml",
		 "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: w}\nspec:\n  template:\n"
		 "    spec: {containers: [{name: c, image: 'b:1', imagePullPolicy: Always}]}\n");
	read_with(&r, &format_kustomize, "m/all/kustomization.yaml",
		  "resources: [../base]\nimages: [{name: b, newName: x}]\n");
	join_k8s(&r);
	assert_cell(&r, "m/base/d.yaml#Deployment//w/c", FIELD_IMAGE,
		    "b:1 in base \xE2\x86\x92 x:1; pull policy Always");
	reading_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_numbered_user_is_not_called_root),
		cmocka_unit_test(what_stands_around_an_answer_is_none),
		cmocka_unit_test(a_build_that_changes_nothing_is_no_step),
		cmocka_unit_test(a_command_is_said_word_for_word),
		cmocka_unit_test(rights_on_paths_are_told_from_rights_on_objects),
		cmocka_unit_test(an_object_without_a_name_is_said_to_have_none),
		cmocka_unit_test(what_the_control_plane_wrote_is_no_mistake),
		cmocka_unit_test(a_bases_policy_may_speak_of_pods_of_another_base),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

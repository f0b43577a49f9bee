/* Kubernetes objects joined with pods: accounts, rights, limits, admission, volumes, exports.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/unit/k8s_help.h"

static void the_accounts_token_setting_holds_where_the_pod_is_silent(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	row = read_web(&r, "apiVersion: v1\nkind: ServiceAccount\n"
			   "metadata: {name: runner, namespace: shop}\n"
			   "automountServiceAccountToken: false\n");
	assert_value(row, FACT_TOKEN_MOUNT, "false", &r, 4);
	assert_attribute(row, FACT_TOKEN_MOUNT, "source", "account");
	assert_attribute(row, FACT_SERVICE_ACCOUNT, "supplied", "true");
	reading_free(&r);
}

static void the_namespaces_limits_are_those_of_its_containers(void **state)
{
	struct reading r = { 0 };
	const struct row *row;
	const struct fact *f;

	(void)state;
	row = read_web(&r,
		       "apiVersion: v1\nkind: LimitRange\nmetadata: {name: lr, namespace: shop}\n"
		       "spec:\n  limits:\n  - type: Container\n    default: {memory: 512Mi}\n"
		       "---\napiVersion: v1\nkind: LimitRange\nmetadata: {name: lr}\n"
		       "spec: {limits: [{type: Container, default: {cpu: 1}}]}\n"
		       "---\napiVersion: v1\nkind: ResourceQuota\n"
		       "metadata: {name: q, namespace: shop}\n"
		       "spec: {hard: {limits.cpu: 4, pods: 10}}\n"
		       "---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\n"
		       "metadata: {name: high}\nvalue: 1000\nglobalDefault: true\n");
	assert_value(row, FACT_MEMORY_LIMIT, "512Mi", &r, 7);
	assert_attribute(row, FACT_MEMORY_LIMIT, "limit_range", "lr");
	f = row_first(row, FACT_MEMORY_LIMIT, LAYER_DECLARED);
	assert_int_equal(f->via[0].span.source, row->span.source);
	f = row_first(row, FACT_CPU_LIMIT, LAYER_DECLARED);
	assert_int_equal(f->provenance, PROVENANCE_ABSENT);
	assert_non_null(strstr(f->note, "the API refuses the pod"));
	assert_attribute(row, FACT_RESOURCE_QUOTA, "hard", "limits.cpu=4,pods=10");
	assert_attribute(row, FACT_PRIORITY, "value", "1000");
	reading_free(&r);
}

static void a_limit_above_the_namespaces_maximum_is_refused(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	read_k8s(&r, "pod.yaml",
		 POD("  priorityClassName: unheard-of\n  containers:\n  - name: a\n    image: i\n"
		     "    resources: {limits: {memory: 1.5Gi, cpu: 1000m}}\n"));
	read_k8s(&r, "limits.yaml",
		 "apiVersion: v1\nkind: LimitRange\nmetadata: {name: lr}\n"
		 "spec: {limits: [{type: Container, max: {memory: 1Gi, cpu: 1}}]}\n");
	join_k8s(&r);
	row = row_of(&r, "pod.yaml#Pod//p/a");
	assert_attribute(row, FACT_MEMORY_LIMIT, "maximum", "1Gi");
	assert_null(fact_attribute(row_first(row, FACT_CPU_LIMIT, LAYER_DECLARED), "maximum"));
	assert_non_null(strstr(row_first(row, FACT_PRIORITY, LAYER_DECLARED)->note, "export"));
	reading_free(&r);
}

static void a_build_does_not_take_rights_of_another_rendering(void **state)
{
	struct reading r = { 0 };

	(void)state;
	read_with(&r, &format_kustomize, "m/base/kustomization.yaml", "resources: [d.yaml]\n");
	read_k8s(&r, "m/base/d.yaml",
		 "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n"
		 "spec: {template: {spec: {serviceAccountName: a, containers: [{name: c, image: i}]}}}\n");
	read_with(&r, &format_kustomize, "m/ns/kustomization.yaml", "resources: [../base, r.yaml]\n");
	read_with(&r, &format_kustomize, "m/all/kustomization.yaml", "resources: [../base]\n");
	read_k8s(&r, "m/ns/r.yaml",
		 "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: a}\n"
		 "rules: [{apiGroups: [\"\"], resources: [secrets], verbs: [get]}]\n"
		 "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\n"
		 "metadata: {name: a}\nroleRef: {kind: Role, name: a}\n"
		 "subjects: [{kind: ServiceAccount, name: a}]\n");
	read_k8s(&r, "m/rendered.yaml",
		 "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n"
		 "spec: {template: {spec: {serviceAccountName: a, containers: [{name: c, image: i}]}}}\n"
		 "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: z}\n"
		 "rules: [{apiGroups: [\"\"], resources: [\"*\"], verbs: [\"*\"]}]\n"
		 "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\n"
		 "metadata: {name: z}\nroleRef: {kind: Role, name: z}\n"
		 "subjects: [{kind: ServiceAccount, name: a}]\n");
	join_k8s(&r);
	fact_of(row_of(&r, "m/ns/kustomization.yaml#Deployment//web/c"), FACT_RBAC_RULE,
		"get on secrets");
	assert_null(row_first(row_of(&r, "m/all/kustomization.yaml#Deployment//web/c"),
			      FACT_RBAC_RULE, LAYER_DECLARED));
	assert_null(row_first(row_of(&r, "m/base/d.yaml#Deployment//web/c"), FACT_RBAC_RULE,
			      LAYER_DECLARED));
	fact_of(row_of(&r, "m/rendered.yaml#Deployment//web/c"), FACT_RBAC_RULE, "* on *");
	reading_free(&r);
}

#define RBAC "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: "
#define TO_RUNNER "subjects: [{kind: ServiceAccount, name: runner, namespace: shop}]\n"
#define BOUND_TO(role)                                                                             \
	RBAC "ClusterRoleBinding\nmetadata: {name: b}\nroleRef: {kind: ClusterRole, name: " role        \
	     "}\n" TO_RUNNER

static void aggregation_follows_aggregated_roles(void **state)
{
	struct reading r = { 0 };
	const struct row *row;
	const struct fact *f;

	(void)state;
	row = read_web(&r,
		       BOUND_TO("top")
		       RBAC "ClusterRole\nmetadata: {name: top, labels: {level: \"1\"}}\n"
			    "aggregationRule: {clusterRoleSelectors: [{matchLabels: {level: \"2\"}}]}\n"
			    "rules: [{apiGroups: [\"\"], resources: [pods], verbs: [get]}]\n"
		       RBAC "ClusterRole\nmetadata: {name: mid, labels: {level: \"2\"}}\n"
			    "aggregationRule: {clusterRoleSelectors: [{matchLabels: {level: \"1\"}},"
			    " {matchExpressions: [{key: leaf, operator: Exists}]}]}\n"
		       RBAC "ClusterRole\nmetadata: {name: leaf, labels: {leaf: \"\"}}\n"
			    "rules: [{apiGroups: [\"\"], resources: [secrets], verbs: [get]}]\n");
	f = fact_of(row, FACT_RBAC_RULE, "get on secrets");
	assert_attribute(row, FACT_RBAC_RULE, "role", "top");
	assert_string_equal(f->via[1].value, "mid");
	assert_string_equal(f->via[2].value, "top");
	/* The control plane writes over the rules beside a selector. */
	for (size_t i = 0; i < row->facts.count; i++)
		assert_string_not_equal(row->facts.items[i]->value, "get on pods");
	reading_free(&r);
}

static void built_in_roles_have_their_rules_and_what_aggregates_into_them(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	row = read_web(&r, BOUND_TO("edit")
		       RBAC "ClusterRole\nmetadata: {name: more, labels: "
			    "{rbac.authorization.k8s.io/aggregate-to-view: \"true\"}}\n"
			    "rules: [{apiGroups: [\"\"], resources: [nodes/proxy], verbs: [get]}]\n");
	fact_of(row, FACT_RBAC_RULE, "impersonate on serviceaccounts");
	fact_of(row, FACT_RBAC_RULE, "get on nodes/proxy");
	assert_attribute(row, FACT_RBAC_SUBJECT, "role_supplied", "built-in");
	assert_attribute(row, FACT_RBAC_SUBJECT, "writes", "true");
	reading_free(&r);
}

static void a_binding_that_the_server_refuses_gives_nothing(void **state)
{
	static const struct {
		const char *binding, *why;
	} cases[] = {
		{ "ClusterRoleBinding\nmetadata: {name: b}\nroleRef: {kind: Role, name: edit}\n" TO_RUNNER,
		  "must name a ClusterRole" },
		{ "ClusterRoleBinding\nmetadata: {name: b}\n"
		  "roleRef: {apiGroup: v1, kind: ClusterRole, name: edit}\n" TO_RUNNER,
		  "apiGroup of roleRef" },
		{ "ClusterRoleBinding\nmetadata: {name: b}\nroleRef: {kind: ClusterRole, name: edit}\n"
		  "subjects: [{kind: ServiceAccount, name: runner}]\n",
		  "needs its namespace" },
		{ "RoleBinding\nmetadata: {name: b, namespace: shop}\n"
		  "roleRef: {kind: ClusterRole, name: edit}\n"
		  "subjects: [{apiGroup: rbac.authorization.k8s.io, kind: ServiceAccount, name: runner}]\n",
		  "must be empty" },
		{ "RoleBinding\nmetadata: {name: b, namespace: shop}\nroleRef: {kind: Role, name: edit}\n"
		  TO_RUNNER, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct reading r = { 0 };
		char text[600];
		const struct row *row;
		const struct problems *problems;

		snprintf(text, sizeof text, RBAC "%s", cases[i].binding);
		row = read_web(&r, text);
		assert_null(row_first(row, FACT_RBAC_RULE, LAYER_DECLARED));
		problems = &r.snapshot.artifacts.items[1]->problems;
		assert_int_equal(problems->count, cases[i].why ? 1 : 0);
		if (cases[i].why)
			assert_non_null(strstr(problems->items[0].message, cases[i].why));
		reading_free(&r);
	}
}

static void items_of_a_typed_list_need_no_kind(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	row = read_web(&r, "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBindingList\n"
			   "items:\n- metadata: {name: b}\n"
			   "  roleRef: {kind: ClusterRole, name: cluster-admin}\n"
			   "  subjects: [{kind: ServiceAccount, name: runner, namespace: shop}]\n");
	fact_of(row, FACT_RBAC_RULE, "* on *");
	reading_free(&r);
}

static void rights_reach_the_pod_through_the_binding(void **state)
{
	struct reading r = { 0 };
	const struct row *row;
	const struct fact *f;

	(void)state;
	row = read_web(&r,
		       "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\n"
		       "metadata: {name: all}\n"
		       "aggregationRule: {clusterRoleSelectors: [{matchLabels: {part: of-all}}]}\n"
		       "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\n"
		       "metadata: {name: piece, labels: {part: of-all}}\n"
		       "rules:\n- apiGroups: [\"\"]\n  resources: [secrets]\n  verbs: [get]\n"
		       "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\n"
		       "metadata: {name: b, namespace: shop}\n"
		       "roleRef: {kind: ClusterRole, name: all}\n"
		       "subjects: [{kind: Group, name: \"system:serviceaccounts:shop\"}]\n");
	f = fact_of(row, FACT_RBAC_RULE, "get on secrets");
	assert_string_equal(fact_attribute(f, "scope"), "namespace:shop");
	assert_string_equal(fact_attribute(f, "role"), "all");
	assert_string_equal(fact_attribute(f, "bound"), "true");
	assert_value(row, FACT_RBAC_SUBJECT, "Group:system:serviceaccounts:shop", &r, 0);
	reading_free(&r);
}

#define OPEN_INSTALL(account)                                                                     \
	"apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: s" account "}\n---\n"             \
	"apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: all}\n"   \
	"rules: [{apiGroups: ['*'], resources: ['*'], verbs: ['*']}]\n---\n"                     \
	"apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\n"                    \
	"metadata: {name: b}\nroleRef: {kind: ClusterRole, name: all}\n"                         \
	"subjects: [{kind: ServiceAccount, name: s, namespace: tool}]\n"
#define AGENT                                                                                     \
	"---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec:\n  template:\n"   \
	"    spec: {serviceAccountName: s, containers: [{name: c, image: i}]}\n"

/* An installation leaves the namespace to whoever applies it, and only its binding has to name one: the rights are
 * the pod's, unless an account of that namespace is supplied or the binding belongs to other files. */
static void a_binding_may_name_the_namespace_that_the_rest_leaves_open(void **state)
{
	struct reading r = { 0 };
	const struct fact *f;

	(void)state;
	read_k8s(&r, "one/install.yaml", OPEN_INSTALL("") AGENT);
	read_k8s(&r, "two/install.yaml", OPEN_INSTALL(", namespace: tool") AGENT);
	read_k8s(&r, "three/roles.yaml", OPEN_INSTALL(""));
	read_k8s(&r, "three/base/d.yaml", AGENT);
	read_k8s(&r, "four/roles.yaml", OPEN_INSTALL(""));
	read_k8s(&r, "four/d.yaml", AGENT);
	join_k8s(&r);
	f = fact_of(row_of(&r, "one/install.yaml#Deployment//d/c"), FACT_RBAC_RULE, "* on *");
	assert_string_equal(fact_attribute(f, "scope"), "cluster");
	fact_of(row_of(&r, "four/d.yaml#Deployment//d/c"), FACT_RBAC_RULE, "* on *");
	assert_null(row_first(row_of(&r, "two/install.yaml#Deployment//d/c"), FACT_RBAC_RULE,
			      LAYER_DECLARED));
	assert_null(row_first(row_of(&r, "three/base/d.yaml#Deployment//d/c"), FACT_RBAC_RULE,
			      LAYER_DECLARED));
	reading_free(&r);
}

static void an_unbound_role_gives_the_pod_nothing(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	row = read_web(&r, "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\n"
			   "metadata: {name: r, namespace: shop}\n"
			   "rules: [{apiGroups: [\"\"], resources: [pods], verbs: [create]}]\n");
	assert_null(row_first(row, FACT_RBAC_RULE, LAYER_DECLARED));
	assert_attribute(row_of(&r, "objects.yaml#Role/shop/r"), FACT_RBAC_RULE, "bound", "false");
	assert_attribute(row, FACT_SERVICE_ACCOUNT, "bound", "false");
	reading_free(&r);
}

static void a_claim_is_followed_to_the_hosts_path(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	read_k8s(&r, "a.yaml",
		 POD("  containers: [{name: a, image: b, volumeMounts: [{name: v, mountPath: /d}]}]\n"
		     "  volumes: [{name: v, persistentVolumeClaim: {claimName: c}}]\n"
		     "---\napiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: c}\n"
		     "spec: {volumeName: pv}\n"
		     "---\napiVersion: v1\nkind: PersistentVolume\nmetadata: {name: pv}\n"
		     "spec: {hostPath: {path: /etc}}\n"));
	join_k8s(&r);
	row = row_of(&r, "a.yaml#Pod//p/a");
	assert_value(row, FACT_MOUNT, "/etc:/d", &r, 16);
	reading_free(&r);
}

#define CLAIMED                                                                                    \
	POD("  containers: [{name: a, image: b, volumeMounts: [{name: v, mountPath: /d}]}]\n"       \
	    "  volumes: [{name: v, persistentVolumeClaim: {claimName: c}}]\n")                         \
	"---\napiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: c}\nspec: "

static void a_claim_takes_the_volume_that_fits(void **state)
{
	static const struct {
		const char *claim, *volume;
		bool bound;
	} cases[] = {
		{ "{volumeName: pv}", "{name: pv}\nspec: {", true },
		{ "{volumeName: other}", "{name: pv}\nspec: {", false },
		{ "{}", "{name: pv}\nspec: {claimRef: {name: c, namespace: default}, ", true },
		{ "{}", "{name: pv}\nspec: {claimRef: {name: c, namespace: shop}, ", false },
		{ "{storageClassName: m}", "{name: pv}\nspec: {storageClassName: m, ", true },
		{ "{storageClassName: m}", "{name: pv}\nspec: {storageClassName: n, ", false },
		{ "{storageClassName: m}",
		  "{name: pv}\nspec: {storageClassName: m, claimRef: {name: other}, ", false },
		{ "{}", "{name: pv}\nspec: {", false },
		{ "{selector: {matchLabels: {a: b}}}", "{name: pv, labels: {a: b}}\nspec: {", true },
		{ "{selector: {matchLabels: {a: b}}}", "{name: pv, labels: {a: c}}\nspec: {", false },
		{ "{storageClassName: m, resources: {requests: {storage: 10Gi}}}",
		  "{name: pv}\nspec: {storageClassName: m, capacity: {storage: 1Gi}, ", false },
		{ "{storageClassName: m, accessModes: [ReadWriteMany]}",
		  "{name: pv}\nspec: {storageClassName: m, accessModes: [ReadWriteOnce], ", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct reading r = { 0 };
		char text[900];
		bool found = false;
		const struct row *row;

		snprintf(text, sizeof text,
			 CLAIMED "%s\n---\napiVersion: v1\nkind: PersistentVolume\nmetadata: %s"
				 "hostPath: {path: /etc}}\n",
			 cases[i].claim, cases[i].volume);
		read_k8s(&r, "a.yaml", text);
		join_k8s(&r);
		row = row_of(&r, "a.yaml#Pod//p/a");
		for (size_t k = 0; k < row->facts.count; k++)
			found |= strcmp(row->facts.items[k]->value, "/etc:/d") == 0;
		if (found != cases[i].bound)
			fail_msg("claim %s, volume %s", cases[i].claim, cases[i].volume);
		reading_free(&r);
	}
}

static void the_claims_of_a_stateful_set_are_followed(void **state)
{
	static const struct {
		const char *volume;
		bool bound;
	} cases[] = {
		{ "storageClassName: m", true },
		{ "storageClassName: n", false },
		{ "claimRef: {name: v-s-0, namespace: default}", true },
		{ "claimRef: {name: v-other-0, namespace: default}", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct reading r = { 0 };
		char text[900];
		const struct row *row;
		bool found = false;

		snprintf(text, sizeof text,
			 "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: s}\nspec:\n"
			 "  template: {spec: {containers: [{name: a, image: b,\n"
			 "    volumeMounts: [{name: v, mountPath: /d}]}]}}\n"
			 "  volumeClaimTemplates: [{metadata: {name: v}, spec: {storageClassName: m}}]\n"
			 "---\napiVersion: v1\nkind: PersistentVolume\nmetadata: {name: pv}\n"
			 "spec: {%s, hostPath: {path: /etc}}\n",
			 cases[i].volume);
		read_k8s(&r, "a.yaml", text);
		join_k8s(&r);
		row = row_of(&r, "a.yaml#StatefulSet//s/a");
		for (size_t k = 0; k < row->facts.count; k++)
			found |= strcmp(row->facts.items[k]->value, "/etc:/d") == 0;
		if (found != cases[i].bound)
			fail_msg("volume %s", cases[i].volume);
		reading_free(&r);
	}
}

static void the_default_account_gives_its_token_to_pods_that_name_none(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	read_k8s(&r, "a.yaml",
		 "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: default, namespace: a}\n"
		 "---\napiVersion: v1\nkind: ServiceAccount\nmetadata: {name: default, namespace: b}\n"
		 "automountServiceAccountToken: false\n"
		 "---\napiVersion: v1\nkind: ServiceAccount\nmetadata: {name: own, namespace: a}\n");
	join_k8s(&r);
	row = row_of(&r, "a.yaml#ServiceAccount/a/default");
	assert_int_equal(fact_of(row, FACT_TOKEN_MOUNT, "true")->provenance, PROVENANCE_ABSENT);
	assert_value(row_of(&r, "a.yaml#ServiceAccount/b/default"), FACT_TOKEN_MOUNT, "false", &r, 8);
	assert_null(row_first(row_of(&r, "a.yaml#ServiceAccount/a/own"), FACT_TOKEN_MOUNT,
			      LAYER_DECLARED));
	reading_free(&r);
}

static void definition_and_application_of_a_policy_are_apart(void **state)
{
	struct reading r = { 0 };

	(void)state;
	read_k8s(&r, "v.yaml",
		 "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n"
		 "metadata: {name: loose}\nspec: {}\n"
		 "---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n"
		 "metadata: {name: held}\nspec: {}\n"
		 "---\napiVersion: admissionregistration.k8s.io/v1\n"
		 "kind: ValidatingAdmissionPolicyBinding\nmetadata: {name: b}\n"
		 "spec: {policyName: held, validationActions: [Deny]}\n");
	join_k8s(&r);
	assert_attribute(row_of(&r, "v.yaml#ValidatingAdmissionPolicy//loose"), FACT_POLICY, "bound",
			 "false");
	assert_attribute(row_of(&r, "v.yaml#ValidatingAdmissionPolicy//held"), FACT_POLICY, "action",
			 "enforce");
	reading_free(&r);
}

static void an_export_is_observed_on_the_declared_row(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	row = read_web(&r, "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web-5c9-x\n"
			   "  namespace: shop\n  uid: u\n  resourceVersion: \"7\"\n"
			   "  creationTimestamp: \"2026-01-02T03:04:05Z\"\n"
			   "  ownerReferences: [{kind: ReplicaSet, name: web-5c9}]\n"
			   "spec:\n  containers:\n  - {name: web, image: i, securityContext: {privileged: true}}\n"
			   "  - {name: proxy, image: p}\n"
			   "status: {containerStatuses: [{name: web, imageID: \"i@sha256:ab\"}]}\n");
	assert_int_equal(fact_truth(row_first(row, FACT_PRIVILEGED, LAYER_OBSERVED)), TRI_TRUE);
	assert_int_equal(fact_truth(row_first(row, FACT_PRIVILEGED, LAYER_DECLARED)), TRI_FALSE);
	assert_non_null(strstr(row->export_note, "ReplicaSet web-5c9"));
	assert_string_equal(
		fact_attribute(row_first(row, FACT_IMAGE, LAYER_OBSERVED), "pulled"), "sha256:ab");
	assert_int_equal(row_of(&r, "objects.yaml#Pod/shop/web-5c9-x/proxy")->kind, ROW_INJECTED);
	assert_int_equal(r.snapshot.artifacts.items[1]->class, CLASS_EXPORT);
	assert_string_equal(r.snapshot.artifacts.items[1]->captured_at, "2026-01-02T03:04:05Z");
	reading_free(&r);
}

/* --- Pod Security Standards ------------------------------------------------------------------- */

static void assert_level(const char *version, const char *level, const char *check,
			 const char *text)
{
	struct reading r = { 0 };
	const struct pod_security *s;
	bool found = !check;

	r.snapshot.scope.kubernetes = version;
	read_k8s(&r, "p.yaml", text);
	s = row_of(&r, "p.yaml#Pod//p/a")->pod_security;
	assert_string_equal(s->level, level);
	for (size_t i = 0; i < s->count; i++)
		found |= check && strcmp(s->violations[i].check, check) == 0;
	assert_true(found);
	reading_free(&r);
}

#define HARD                                                                                       \
	"securityContext: {allowPrivilegeEscalation: false, runAsNonRoot: true, "                  \
	"seccompProfile: {type: RuntimeDefault}, capabilities: {drop: [ALL]}}"

static void the_level_follows_the_policy_version(void **state)
{
	(void)state;
	assert_level("1.30", "restricted", NULL,
		     POD("  containers: [{name: a, image: b, " HARD "}]\n"));
	assert_level("1.7", "baseline", "runAsNonRoot", POD("  containers: [{name: a, image: b}]\n"));
	assert_level("1.33", "restricted", NULL,
		     POD("  containers: [{name: a, image: b, livenessProbe: {httpGet: {host: x, "
			 "port: 1}}, " HARD "}]\n"));
	assert_level("1.34", "privileged", "hostProbesAndHostLifecycle",
		     POD("  containers: [{name: a, image: b, livenessProbe: {httpGet: {host: x, "
			 "port: 1}}, " HARD "}]\n"));
	assert_level("1.28", "privileged", "sysctls",
		     POD("  securityContext: {sysctls: [{name: net.ipv4.tcp_fin_timeout, value: "
			 "\"1\"}]}\n  containers: [{name: a, image: b}]\n"));
	assert_level("1.29", "baseline", "allowPrivilegeEscalation",
		     POD("  securityContext: {sysctls: [{name: net.ipv4.tcp_fin_timeout, value: "
			 "\"1\"}]}\n  containers: [{name: a, image: b}]\n"));
	assert_level("1.35", "restricted", NULL,
		     POD("  hostUsers: false\n  containers: [{name: a, image: b, securityContext: "
			 "{allowPrivilegeEscalation: false, runAsUser: 0, seccompProfile: {type: "
			 "RuntimeDefault}, capabilities: {drop: [ALL]}}}]\n"));
	assert_level("", "baseline", "capabilities_restricted",
		     POD("  containers: [{name: a, image: b, securityContext: {capabilities: {drop: "
			 "[all]}}}]\n"));
}

static void a_tests_sample_of_an_export_is_no_evidence(void **state)
{
	struct reading r = { 0 };

	(void)state;
	read_k8s(&r, "web.yaml", WEB);
	read_k8s(&r, "pkg/testdata/live.yaml",
		 "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop, uid: u, "
		 "resourceVersion: \"7\"}\nspec: {template: {spec: {containers: "
		 "[{name: web, image: i, securityContext: {privileged: true}}]}}}\n");
	join_k8s(&r);
	assert_null(row_first(row_of(&r, "web.yaml#Deployment/shop/web/web"), FACT_PRIVILEGED,
			      LAYER_OBSERVED));
	reading_free(&r);
}

#define INSTALL(rights)                                                                                   \
	"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  template:\n"           \
	"    spec:\n      serviceAccountName: runner\n      containers: [{name: web, image: i}]\n---\n"   \
	"apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: r}\n"                   \
	"rules: [{apiGroups: [\"\"], resources: [" rights "], verbs: [get]}]\n---\n"                     \
	"apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: b}\n"            \
	"roleRef: {kind: Role, name: r}\nsubjects: [{kind: ServiceAccount, name: runner}]\n"

static unsigned rights_of(struct reading *r, const char *key, const char *value)
{
	const struct row *row = row_of(r, key);
	unsigned count = 0;

	for (size_t i = 0; i < row->facts.count; i++)
		if (row->facts.items[i]->kind == FACT_RBAC_RULE) {
			count++;
			assert_string_equal(row->facts.items[i]->value, value);
		}
	return count;
}

static void renderings_of_one_installation_do_not_mix(void **state)
{
	struct reading r = { 0 };

	(void)state;
	read_k8s(&r, "deploy/core.yaml", INSTALL("pods"));
	read_k8s(&r, "deploy/full.yaml", INSTALL("secrets"));
	join_k8s(&r);
	assert_int_equal(rights_of(&r, "deploy/core.yaml#Deployment//web/web", "get on pods"), 1);
	assert_int_equal(rights_of(&r, "deploy/full.yaml#Deployment//web/web", "get on secrets"), 1);
	reading_free(&r);
}

static void folders_of_a_collection_do_not_meet(void **state)
{
	static const char binding[] =
		"apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\n"
		"metadata: {name: b}\nroleRef: {kind: ClusterRole, name: cluster-admin}\n"
		"subjects: [{kind: ServiceAccount, name: default, namespace: default}]\n";
	struct reading r = { 0 };

	(void)state;
	read_k8s(&r, "tools/examples/admin/binding.yaml", binding);
	read_k8s(&r, "tools/examples/admin/pod.yaml", POD("  containers: [{name: a, image: i}]\n"));
	read_k8s(&r, "tools/examples/shop/pod.yaml", POD("  containers: [{name: a, image: i}]\n"));
	join_k8s(&r);
	assert_non_null(row_first(row_of(&r, "tools/examples/admin/pod.yaml#Pod//p/a"),
				  FACT_RBAC_RULE, LAYER_DECLARED));
	assert_null(row_first(row_of(&r, "tools/examples/shop/pod.yaml#Pod//p/a"), FACT_RBAC_RULE,
			      LAYER_DECLARED));
	reading_free(&r);
}

static void only_the_secret_entries_of_a_secret_count(void **state)
{
	struct reading r = { 0 };
	const struct row *row;
	unsigned count = 0;

	(void)state;
	read_k8s(&r, "s.yaml",
		 "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData:\n"
		 "  url: https://git.example.net/x\n  username: robot\n  password: hunter22\n"
		 "  app.yaml: |\n    level: info\n    users: {a: b}\n"
		 "  mail.ini: |\n    host = mx\n    smtp_password = hunter22\n");
	join_k8s(&r);
	row = row_of(&r, "s.yaml#Secret//s");
	for (size_t i = 0; i < row->facts.count; i++)
		count += row->facts.items[i]->kind == FACT_SECRET_OBJECT;
	assert_int_equal(count, 2);
	fact_of(row, FACT_SECRET_OBJECT, "password");
	fact_of(row, FACT_SECRET_OBJECT, "mail.ini: smtp_password");
	reading_free(&r);
}

/* A policy that asks for signatures is publisher evidence for the images that its patterns name. */
static void policies_tell_a_publisher(void **state)
{
	struct reading r = { 0 };

	(void)state;
	read_k8s(&r, "p.yaml",
		 POD("  containers:\n  - {name: a, image: 'ghcr.io/acme/app:1'}\n"
		     "  - {name: b, image: 'nginx:1'}\n  - {name: c, image: 'quay.io/x/y'}\n"));
	read_k8s(&r, "k.yaml",
		 "apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nmetadata: {name: k}\nspec:\n"
		 "  rules:\n  - name: r\n    verifyImages:\n    - imageReferences:\n"
		 "      - 'ghcr.io/acme/*'\n");
	read_k8s(&r, "s.yaml",
		 "apiVersion: policy.sigstore.dev/v1beta1\nkind: ClusterImagePolicy\n"
		 "metadata: {name: s}\nspec:\n  images:\n  - glob: 'docker.io/library/*'\n");
	join_k8s(&r);
	assert_value(row_of(&r, "p.yaml#Pod//p/a"), FACT_PUBLISHER,
		     "a signature is asked for by ClusterPolicy k", &r, 9);
	assert_value(row_of(&r, "p.yaml#Pod//p/b"), FACT_PUBLISHER,
		     "a signature is asked for by ClusterImagePolicy s", &r, 6);
	assert_null(row_first(row_of(&r, "p.yaml#Pod//p/c"), FACT_PUBLISHER, LAYER_DECLARED));
	reading_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(policies_tell_a_publisher),
		cmocka_unit_test(the_accounts_token_setting_holds_where_the_pod_is_silent),
		cmocka_unit_test(the_namespaces_limits_are_those_of_its_containers),
		cmocka_unit_test(a_limit_above_the_namespaces_maximum_is_refused),
		cmocka_unit_test(a_build_does_not_take_rights_of_another_rendering),
		cmocka_unit_test(aggregation_follows_aggregated_roles),
		cmocka_unit_test(built_in_roles_have_their_rules_and_what_aggregates_into_them),
		cmocka_unit_test(a_binding_that_the_server_refuses_gives_nothing),
		cmocka_unit_test(items_of_a_typed_list_need_no_kind),
		cmocka_unit_test(rights_reach_the_pod_through_the_binding),
		cmocka_unit_test(a_binding_may_name_the_namespace_that_the_rest_leaves_open),
		cmocka_unit_test(an_unbound_role_gives_the_pod_nothing),
		cmocka_unit_test(a_claim_is_followed_to_the_hosts_path),
		cmocka_unit_test(a_claim_takes_the_volume_that_fits),
		cmocka_unit_test(the_claims_of_a_stateful_set_are_followed),
		cmocka_unit_test(the_default_account_gives_its_token_to_pods_that_name_none),
		cmocka_unit_test(definition_and_application_of_a_policy_are_apart),
		cmocka_unit_test(an_export_is_observed_on_the_declared_row),
		cmocka_unit_test(a_tests_sample_of_an_export_is_no_evidence),
		cmocka_unit_test(renderings_of_one_installation_do_not_mix),
		cmocka_unit_test(folders_of_a_collection_do_not_meet),
		cmocka_unit_test(only_the_secret_entries_of_a_secret_count),
		cmocka_unit_test(the_level_follows_the_policy_version),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

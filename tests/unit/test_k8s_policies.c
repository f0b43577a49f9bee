/* Admission policies: whom they reach, whom they leave out, and what applies them.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/k8s_help.h"

#define SHOP "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: {env: prod}}\n---\n"

/* What a policy among OBJECTS does to the deployment in the namespace shop: "enforce" or "audit" of one that
 * reaches it, "out" of one that leaves it out, "none". */
static void assert_effect(const char *objects, const char *expected)
{
	struct reading r = { 0 };
	struct arena *a = &r.snapshot.arena;
	const struct row *row = read_web(&r, arena_printf(a, SHOP "%s", objects));
	const struct fact *f = row_first(row, FACT_POLICY, LAYER_DECLARED);
	const char *effect = !f ? "none" : fact_attribute_is(f, "bound", "false") ? "out" :
						fact_attribute(f, "action");
	const struct row *namespace = row_of(&r, "objects.yaml#Namespace//shop");

	if (strcmp(effect, expected) != 0)
		fail_msg("%s, not %s, of %s", effect, expected, objects);
	assert_int_equal(f != NULL, row_first(namespace, FACT_POLICY, LAYER_DECLARED) != NULL);
	reading_free(&r);
}

#define VAP(match)                                                                                 \
	"apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n"            \
	"metadata: {name: v}\nspec: {matchConstraints: {resourceRules: [{apiGroups: [" match         \
	"], operations: [CREATE], resources: "
#define BINDING(rest)                                                                              \
	"}]}}\n---\napiVersion: admissionregistration.k8s.io/v1\n"                                  \
	"kind: ValidatingAdmissionPolicyBinding\nmetadata: {name: b}\nspec: {policyName: v, " rest "}\n"

static void an_admission_policy_acts_through_its_binding(void **state)
{
	(void)state;
	assert_effect(VAP("\"\"") "[pods]" BINDING("validationActions: [Deny]"), "enforce");
	assert_effect(VAP("\"*\"") "[\"*\"]" BINDING("validationActions: [Deny, Audit]"), "enforce");
	assert_effect(VAP("\"\"") "[pods]" BINDING("validationActions: [Audit]"), "none");
	assert_effect(VAP("\"\"") "[configmaps]" BINDING("validationActions: [Deny]"), "none");
	assert_effect(VAP("apps") "[deployments]" BINDING("validationActions: [Deny]"), "none");
	assert_effect(VAP("\"\"") "[pods]" BINDING("validationActions: [Deny], matchResources: "
		      "{namespaceSelector: {matchLabels: {env: prod}}}"), "enforce");
	assert_effect(VAP("\"\"") "[pods]" BINDING("validationActions: [Deny], matchResources: "
		      "{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: shop}}}"),
		      "enforce");
	assert_effect(VAP("\"\"") "[pods]" BINDING("validationActions: [Deny], matchResources: "
		      "{namespaceSelector: {matchLabels: {env: dev}}}"), "none");
	assert_effect(VAP("\"\"") "[pods]" BINDING("validationActions: [Deny], matchResources: "
		      "{namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, "
		      "operator: NotIn, values: [shop]}]}}"), "out");
}

#define KYVERNO(spec, match)                                                                       \
	"apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nmetadata: {name: k}\nspec: {" spec          \
	"rules: [{name: r, match: " match ", validate: {message: m}}]}\n"
#define PODS "{any: [{resources: {kinds: [Pod]}}]}"
#define ENFORCE "validationFailureAction: Enforce, "

static void kyvernos_match_exclude_and_exceptions_decide(void **state)
{
	(void)state;
	assert_effect(KYVERNO(ENFORCE, PODS), "enforce");
	assert_effect(KYVERNO(ENFORCE, "{resources: {kinds: [v1/Pod], namespaces: [\"sh*\"]}}"),
		      "enforce");
	assert_effect(KYVERNO("", PODS), "none");
	assert_effect(KYVERNO(ENFORCE, "{any: [{resources: {kinds: [ConfigMap]}}]}"), "none");
	assert_effect(KYVERNO(ENFORCE, "{any: [{resources: {kinds: [Pod], namespaces: [a]}}]}"), "none");
	assert_effect(KYVERNO(ENFORCE, PODS ", exclude: {any: [{resources: {namespaces: [shop]}}]}"),
		      "out");
	assert_effect(KYVERNO(ENFORCE, PODS ", exclude: {any: [{resources: {namespaces: [a]}}]}"),
		      "enforce");
	assert_effect(KYVERNO(ENFORCE "validationFailureActionOverrides: "
			      "[{action: Audit, namespaces: [shop]}], ", PODS), "audit");
	assert_effect(KYVERNO("validationFailureActionOverrides: "
			      "[{action: enforce, namespaces: [shop]}], ", PODS), "enforce");
	assert_effect(KYVERNO(ENFORCE, PODS)
		      "---\napiVersion: kyverno.io/v2\nkind: PolicyException\nmetadata: {name: e}\n"
		      "spec: {exceptions: [{policyName: k, ruleNames: [\"*\"]}], match: " PODS "}\n",
		      "out");
}

#define CONSTRAINT(spec)                                                                           \
	"apiVersion: constraints.gatekeeper.sh/v1beta1\nkind: C\nmetadata: {name: c}\nspec: {" spec   \
	"match: {kinds: [{apiGroups: [\"\"], kinds: [Pod]}]"

static void gatekeepers_match_and_actions_decide(void **state)
{
	(void)state;
	assert_effect(CONSTRAINT("") "}}\n", "enforce");
	assert_effect(CONSTRAINT("enforcementAction: dryrun, ") "}}\n", "none");
	assert_effect(CONSTRAINT("enforcementAction: scoped, scopedEnforcementActions: [{action: deny, "
				 "enforcementPoints: [{name: audit.gatekeeper.sh}]}], ") "}}\n", "none");
	assert_effect(CONSTRAINT("enforcementAction: scoped, scopedEnforcementActions: [{action: deny, "
				 "enforcementPoints: [{name: \"*\"}]}], ") "}}\n", "enforce");
	assert_effect(CONSTRAINT("") ", excludedNamespaces: [\"sh*\"]}}\n", "out");
	assert_effect(CONSTRAINT("") ", namespaces: [other]}}\n", "none");
	assert_effect(CONSTRAINT("") "}}\n---\napiVersion: config.gatekeeper.sh/v1alpha1\nkind: Config\n"
		      "metadata: {name: config}\n"
		      "spec: {match: [{excludedNamespaces: [shop], processes: [\"*\"]}]}\n", "out");
}

#define HOOK(rest)                                                                                 \
	"apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\n"       \
	"metadata: {name: w}\nwebhooks: [{name: h, rules: [{apiGroups: [\"\"], resources: [pods], "   \
	"operations: [" rest "]\n"

static void a_webhook_is_asked_about_what_its_rules_hold(void **state)
{
	(void)state;
	assert_effect(HOOK("CREATE]}]}"), "enforce");
	assert_effect(HOOK("DELETE]}]}"), "none");
	assert_effect(HOOK("CREATE]}], failurePolicy: Ignore}"), "none");
	assert_effect(HOOK("CREATE]}], namespaceSelector: {matchExpressions: "
			   "[{key: env, operator: DoesNotExist}]}}"), "out");
}

#define PSP                                                                                        \
	"apiVersion: policy/v1beta1\nkind: PodSecurityPolicy\nmetadata: {name: p}\n"                \
	"spec: {privileged: true}\n---\napiVersion: rbac.authorization.k8s.io/v1\n"                  \
	"kind: ClusterRole\nmetadata: {name: u}\nrules: [{apiGroups: [policy], "                      \
	"resources: [podsecuritypolicies], resourceNames: [%s], verbs: [use]}]\n"                    \
	"---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\n"                 \
	"metadata: {name: b}\nroleRef: {kind: ClusterRole, name: %s}\n"                              \
	"subjects: [{kind: Group, name: \"system:serviceaccounts\"}]\n"

static void an_old_policy_is_applied_by_the_right_to_use_it(void **state)
{
	static const struct {
		const char *named, *bound, *expected;
	} cases[] = {
		{ "p", "u", "true" }, { "q", "u", "false" }, { "p", "other", "false" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct reading r = { 0 };

		read_k8s(&r, "p.yaml",
			 arena_printf(&r.snapshot.arena, PSP, cases[i].named, cases[i].bound));
		join_k8s(&r);
		assert_attribute(row_of(&r, "p.yaml#PodSecurityPolicy//p"), FACT_POLICY, "bound",
				 cases[i].expected);
		reading_free(&r);
	}
}

static void the_servers_defaults_hold_where_the_namespace_is_silent(void **state)
{
	static const char config[] =
		"---\napiVersion: pod-security.admission.config.k8s.io/v1\n"
		"kind: PodSecurityConfiguration\ndefaults: {enforce: baseline}\n"
		"exemptions: {namespaces: [exempt]}\n";
	static const struct {
		const char *name, *level;
	} cases[] = { { "plain", "baseline" }, { "exempt", "" } };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct reading r = { 0 };
		struct arena *a = &r.snapshot.arena;
		const struct fact *f, *last = NULL;
		const struct row *row;

		read_k8s(&r, "n.yaml",
			 arena_printf(a, "apiVersion: v1\nkind: Namespace\nmetadata: {name: %s}\n%s",
				      cases[i].name, config));
		join_k8s(&r);
		row = row_of(&r, arena_printf(a, "n.yaml#Namespace//%s", cases[i].name));
		for (f = row_first(row, FACT_POD_SECURITY_LABEL, LAYER_DECLARED); f; f = row_next(row, f))
			last = f;
		assert_string_equal(last ? last->value : "none", cases[i].level);
		reading_free(&r);
	}
}

static void a_level_that_does_not_exist_is_a_problem(void **state)
{
	struct reading r = { 0 };

	(void)state;
	read_k8s(&r, "n.yaml", "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: n\n  labels:\n"
			       "    pod-security.kubernetes.io/enforce: Restricted\n"
			       "    pod-security.kubernetes.io/enforce-version: \"1.24\"\n");
	assert_problem(&r, 6, "cannot be \"Restricted\"");
	assert_problem(&r, 7, "such as v1.34");
	reading_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_admission_policy_acts_through_its_binding),
		cmocka_unit_test(kyvernos_match_exclude_and_exceptions_decide),
		cmocka_unit_test(gatekeepers_match_and_actions_decide),
		cmocka_unit_test(a_webhook_is_asked_about_what_its_rules_hold),
		cmocka_unit_test(an_old_policy_is_applied_by_the_right_to_use_it),
		cmocka_unit_test(the_servers_defaults_hold_where_the_namespace_is_silent),
		cmocka_unit_test(a_level_that_does_not_exist_is_a_problem),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What an admission policy is for: kinds, namespaces and objects that it matches or leaves out.
 *
 * Sources: admissionregistration/v1, Kyverno's match and exclude blocks, Gatekeeper's match, of 2026-08. Every
 * namespace has the label of its own name, kubernetes.io/metadata.name.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/policy_scope.h"

#include <string.h>

#include "src/formats/k8s/objects.h"

bool policy_wildcard(const char *pattern, const char *text)
{
	const char *star = NULL, *again = text;

	while (*text) {
		if (*pattern == *text || *pattern == '?') {
			pattern++;
			text++;
		} else if (*pattern == '*') {
			star = ++pattern;
			again = text;
		} else if (star) {
			pattern = star;
			text = ++again;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

bool policy_wildcards_hold(const struct node *list, const char *text)
{
	for (uint32_t i = 0; i < node_count(list); i++)
		if (node_text(node_at(list, i)) && policy_wildcard(node_text(node_at(list, i)), text))
			return true;
	return false;
}

/* --- namespaces by label ------------------------------------------------------------------------- */

static const char *namespace_label(const struct policy_subject *s, const char *key)
{
	if (strcmp(key, "kubernetes.io/metadata.name") == 0)
		return k8s_namespace(s->namespace);
	return k8s_text(s->namespace_labels, key);
}

static bool is_negative(const struct node *expression)
{
	return node_is(k8s_get(expression, "operator"), "NotIn") ||
	       node_is(k8s_get(expression, "operator"), "DoesNotExist");
}

/* What only a label of a namespace that was not supplied could tell counts as elsewhere. */
static enum policy_reach select_namespace(const struct node *selector, const struct policy_subject *s)
{
	const struct node *match = k8s_map(selector, "matchLabels");
	const struct node *list = k8s_seq(selector, "matchExpressions");

	for (uint32_t i = 0; i < node_count(match); i++) {
		const char *key = node_text(match->items[i].key);
		const char *want = node_text(node_resolve(match->items[i].value));
		const char *have = key ? namespace_label(s, key) : NULL;

		if (!want || !have || strcmp(want, have) != 0)
			return POLICY_ELSEWHERE;
	}
	for (uint32_t i = 0; i < node_count(list); i++) {
		const char *key = k8s_text(node_at(list, i), "key");
		const char *have = key ? namespace_label(s, key) : NULL;

		if (!k8s_expression_holds(node_at(list, i), have))
			return is_negative(node_at(list, i)) ? POLICY_EXCLUDED : POLICY_ELSEWHERE;
	}
	return POLICY_REACHES;
}

static bool selects_object(const struct node *selector, const struct policy_subject *s)
{
	if (!node_count(selector))
		return true;
	/* A namespace as a whole is not what a selector of objects picks. */
	return s->pod && k8s_selects(selector, k8s_labels(s->pod));
}

/* --- admission policies and webhooks --------------------------------------------------------------- */

static bool has_text(const struct node *list, const char *a, const char *b)
{
	return k8s_holds(list, a) || k8s_holds(list, b);
}

bool policy_rules_have_pods(const struct node *rules)
{
	for (uint32_t i = 0; i < node_count(rules); i++) {
		const struct node *rule = node_at(rules, i);
		const struct node *resources = k8s_seq(rule, "resources");

		if (node_is(k8s_get(rule, "scope"), "Cluster") ||
		    !has_text(k8s_seq(rule, "operations"), "CREATE", "*") ||
		    !has_text(k8s_seq(rule, "apiGroups"), "", "*"))
			continue;
		if (has_text(resources, "pods", "*") || k8s_holds(resources, "*/*"))
			return true;
	}
	return false;
}

bool policy_rules_miss_pods(const struct node *rules)
{
	static const char *const makers[] = { "deployments", "statefulsets", "daemonsets",
					      "replicasets", "jobs", "cronjobs" };
	bool makes = false;

	for (uint32_t i = 0; i < node_count(rules); i++)
		for (size_t k = 0; k < sizeof makers / sizeof *makers; k++)
			makes |= k8s_holds(k8s_seq(node_at(rules, i), "resources"), makers[k]);
	return makes && !policy_rules_have_pods(rules);
}

enum policy_reach policy_match_reaches(const struct node *match, const struct policy_subject *s)
{
	const struct node *rules = k8s_seq(match, "resourceRules");

	if (!rules)
		rules = k8s_seq(match, "rules");
	if (node_count(rules) && !policy_rules_have_pods(rules))
		return POLICY_ELSEWHERE;
	if (!selects_object(k8s_map(match, "objectSelector"), s))
		return POLICY_ELSEWHERE;
	if (policy_rules_have_pods(k8s_seq(match, "excludeResourceRules")))
		return POLICY_EXCLUDED;
	return select_namespace(k8s_map(match, "namespaceSelector"), s);
}

/* --- Kyverno --------------------------------------------------------------------------------------- */

/* "Pod", "v1/Pod", "core/v1/Pod", "*"; not a sub-resource ("Pod/exec"). */
static bool names_pod(const char *kind)
{
	const char *slash = strrchr(kind, '/');

	return policy_wildcard(slash ? slash + 1 : kind, "Pod");
}

static bool kinds_have_pods(const struct node *kinds)
{
	for (uint32_t i = 0; i < node_count(kinds); i++)
		if (node_text(node_at(kinds, i)) && names_pod(node_text(node_at(kinds, i))))
			return true;
	return !node_count(kinds);
}

static bool resources_select(const struct node *resources, const struct policy_subject *s)
{
	const struct node *namespaces = k8s_seq(resources, "namespaces");
	const struct node *operations = k8s_seq(resources, "operations");
	const struct node *selector = k8s_map(resources, "namespaceSelector");

	if (!kinds_have_pods(k8s_seq(resources, "kinds")))
		return false;
	if (node_count(operations) && !k8s_holds(operations, "CREATE"))
		return false;
	if (node_count(namespaces) && !policy_wildcards_hold(namespaces, k8s_namespace(s->namespace)))
		return false;
	if (selector && select_namespace(selector, s) != POLICY_REACHES)
		return false;
	if (k8s_get(resources, "names") || k8s_get(resources, "name")) {
		const struct node *names = k8s_seq(resources, "names");
		const char *name = k8s_text(resources, "name");

		if (!s->pod || !((name && policy_wildcard(name, s->pod->object->name)) ||
				 policy_wildcards_hold(names, s->pod->object->name)))
			return false;
	}
	return selects_object(k8s_map(resources, "selector"), s);
}

static bool is_maker(const char *kind)
{
	const char *slash = strrchr(kind, '/');

	return k8s_word_in(slash ? slash + 1 : kind,
			   "Deployment StatefulSet DaemonSet ReplicaSet Job CronJob");
}

struct kinds {
	bool pods, makers;
};

static void note_kinds(struct kinds *k, const struct node *list)
{
	for (uint32_t i = 0; i < node_count(list); i++) {
		const char *kind = node_text(node_at(list, i));

		k->pods |= kind && names_pod(kind);
		k->makers |= kind && is_maker(kind);
	}
}

/* `match.resources.kinds`, `match.any[].resources.kinds` (Kyverno), `match.kinds[].kinds` (Gatekeeper). */
bool policy_kinds_miss_pods(const struct node *match)
{
	static const char *const lists[] = { "any", "all", "kinds" };
	struct kinds k = { 0 };

	note_kinds(&k, k8s_seq(k8s_map(match, "resources"), "kinds"));
	for (size_t l = 0; l < 3; l++) {
		const struct node *list = k8s_seq(match, lists[l]);

		for (uint32_t i = 0; i < node_count(list); i++) {
			note_kinds(&k, k8s_seq(k8s_map(node_at(list, i), "resources"), "kinds"));
			note_kinds(&k, k8s_seq(node_at(list, i), "kinds"));
		}
	}
	return k.makers && !k.pods;
}

/* Who asks (subjects, roles) is not known of a file: such a filter narrows. */
static bool filter_selects(const struct node *filter, const struct policy_subject *s)
{
	const struct node *resources = k8s_map(filter, "resources");

	if (k8s_get(filter, "subjects") || k8s_get(filter, "roles") || k8s_get(filter, "clusterRoles"))
		return false;
	return resources && resources_select(resources, s);
}

bool policy_kyverno_selects(const struct node *block, const struct policy_subject *s)
{
	const struct node *any = k8s_seq(block, "any"), *all = k8s_seq(block, "all");

	if (!any && !all)
		return filter_selects(block, s);
	for (uint32_t i = 0; i < node_count(all); i++)
		if (!filter_selects(node_at(all, i), s))
			return false;
	for (uint32_t i = 0; i < node_count(any); i++)
		if (filter_selects(node_at(any, i), s))
			return true;
	return !any && node_count(all);
}

enum policy_reach policy_kyverno_reaches(const struct k8s_object *policy, const struct node *rule,
					 const struct policy_subject *s)
{
	if (strcmp(policy->kind, "Policy") == 0 &&
	    !k8s_same_namespace(policy->namespace, s->namespace))
		return POLICY_ELSEWHERE;
	if (!policy_kyverno_selects(k8s_map(rule, "match"), s))
		return POLICY_ELSEWHERE;
	return policy_kyverno_selects(k8s_map(rule, "exclude"), s) ? POLICY_EXCLUDED : POLICY_REACHES;
}

/* --- Gatekeeper ------------------------------------------------------------------------------------ */

static bool gatekeeper_has_pods(const struct node *kinds)
{
	for (uint32_t i = 0; i < node_count(kinds); i++) {
		const struct node *groups = k8s_seq(node_at(kinds, i), "apiGroups");

		if ((!node_count(groups) || has_text(groups, "", "*")) &&
		    has_text(k8s_seq(node_at(kinds, i), "kinds"), "Pod", "*"))
			return true;
	}
	return !node_count(kinds);
}

enum policy_reach policy_gatekeeper_reaches(const struct node *match, const struct policy_subject *s)
{
	const struct node *namespaces = k8s_seq(match, "namespaces");
	const char *name = k8s_namespace(s->namespace);

	if (!gatekeeper_has_pods(k8s_seq(match, "kinds")) ||
	    node_is(k8s_get(match, "scope"), "Cluster") ||
	    (node_count(namespaces) && !policy_wildcards_hold(namespaces, name)) ||
	    !selects_object(k8s_map(match, "labelSelector"), s))
		return POLICY_ELSEWHERE;
	if (policy_wildcards_hold(k8s_seq(match, "excludedNamespaces"), name))
		return POLICY_EXCLUDED;
	return select_namespace(k8s_map(match, "namespaceSelector"), s);
}

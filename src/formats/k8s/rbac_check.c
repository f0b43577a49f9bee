/* Roles and bindings that the API server refuses, with the place and the reason.
 *
 * Source: rbac/v1 validation of 1.36: a reference cannot name another API group or kind, an account has the
 * core group, and outside namespaces it needs one written.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/rbac_roles.h"

#include <string.h>

#define RBAC_GROUP "rbac.authorization.k8s.io"

static const char *called(struct workspace *w, const struct k8s_object *o)
{
	return *o->name ? arena_printf(&w->snapshot->arena, "%s \"%s\"", o->kind, o->name) :
			  arena_printf(&w->snapshot->arena, "%s without a name", o->kind);
}

static bool refuse(struct workspace *w, const struct k8s_object *o, const struct node *map,
		   const char *key, const char *why)
{
	if (!o->overlaid)
		input_problem(w, o->in, k8s_get(map, key) ? k8s_place(map, key) : k8s_key(map, key),
			      "%s: %s; the API server refuses the object", called(w, o), why);
	return true;
}

/* KEY is written in MAP, as plain text that is not WANTED. */
static bool differs(const struct workspace *w, const struct node *map, const char *key,
		    const char *wanted)
{
	const struct node *n = k8s_get(map, key);

	return node_text(n) && *node_text(n) && !k8s_templated(w, n) && !k8s_word_in(node_text(n), wanted);
}

static bool reference_is_refused(struct workspace *w, const struct k8s_object *o)
{
	const struct node *ref = k8s_map(o->node, "roleRef");
	const bool cluster = strcmp(o->kind, "ClusterRoleBinding") == 0;

	if (differs(w, ref, "apiGroup", RBAC_GROUP))
		return refuse(w, o, ref, "apiGroup", "apiGroup of roleRef must be " RBAC_GROUP);
	if (differs(w, ref, "kind", cluster ? "ClusterRole" : "Role ClusterRole"))
		return refuse(w, o, ref, "kind",
			      cluster ? "roleRef of a ClusterRoleBinding must name a ClusterRole" :
					"roleRef must name a Role or a ClusterRole");
	return false;
}

static bool subject_is_refused(struct workspace *w, const struct k8s_object *o, const struct node *s)
{
	if (differs(w, s, "kind", "ServiceAccount User Group"))
		return refuse(w, o, s, "kind", "a subject must be a ServiceAccount, a User or a Group");
	if (!node_is(k8s_get(s, "kind"), "ServiceAccount")) {
		if (!k8s_text(s, "kind") || !differs(w, s, "apiGroup", RBAC_GROUP))
			return false;
		return refuse(w, o, s, "apiGroup", "apiGroup of a User or Group must be " RBAC_GROUP);
	}
	if (differs(w, s, "apiGroup", ""))
		return refuse(w, o, s, "apiGroup", "apiGroup of a ServiceAccount must be empty");
	if (strcmp(o->kind, "ClusterRoleBinding") == 0 && !o->root && !k8s_get(s, "namespace"))
		return refuse(w, o, s, "name",
			      "a ServiceAccount needs its namespace in a ClusterRoleBinding");
	return false;
}

bool k8s_binding_is_refused(struct workspace *w, const struct k8s_object *binding)
{
	const struct node *list = k8s_seq(binding->node, "subjects");

	if (reference_is_refused(w, binding))
		return true;
	for (uint32_t i = 0; i < node_count(list); i++)
		if (node_is_map(node_at(list, i)) &&
		    subject_is_refused(w, binding, node_at(list, i)))
			return true;
	return false;
}

static const char *why_rule_is_refused(const struct k8s_object *role, const struct node *rule)
{
	const bool urls = node_count(k8s_seq(rule, "nonResourceURLs")) > 0;
	const bool resources = node_count(k8s_seq(rule, "resources")) > 0;

	if (urls && strcmp(role->kind, "Role") == 0)
		return "a Role cannot grant nonResourceURLs";
	if (urls && (resources || node_count(k8s_seq(rule, "apiGroups"))))
		return "a rule has either resources or nonResourceURLs";
	if (!node_count(k8s_seq(rule, "verbs")))
		return "a rule needs verbs";
	if (!urls && !resources)
		return "a rule needs resources or nonResourceURLs";
	return !urls && !k8s_get(rule, "apiGroups") ? "a rule needs apiGroups" : NULL;
}

void k8s_check_role(struct workspace *w, const struct k8s_object *role)
{
	const struct k8s_file *file = role->in->state[FORMAT_K8S];
	const struct node *list = k8s_seq(role->node, "rules");

	/* Expressions of a template may put in what is missing. */
	if (role->overlaid || file->template)
		return;
	for (uint32_t i = 0; i < node_count(list); i++) {
		const struct node *rule = node_at(list, i);
		const char *why = node_is_map(rule) ? why_rule_is_refused(role, rule) : NULL;

		if (why)
			input_problem(w, role->in,
				      rule->count ? rule->items[0].key->span : rule->span,
				      "%s: %s; the API server refuses the object",
				      called(w, role), why);
	}
}

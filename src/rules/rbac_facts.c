/* Questions about a FACT_RBAC_RULE.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rbac_facts.h"

#include <string.h>

#include "src/rules/judge.h"

static bool group_matches(const struct fact *f, const char *group)
{
	const char *groups = fact_attribute(f, "groups");

	if (!group || !groups || list_has(groups, "*"))
		return true;
	/* The core group is written as an empty string, which leaves an empty item or nothing. */
	if (!*group)
		return !*groups || list_has(groups, "") || list_has(groups, "core") ||
		       groups[0] == ',' || groups[strlen(groups) - 1] == ',';
	return list_has(groups, group);
}

bool grant_covers(const struct fact *f, const char *group)
{
	return group_matches(f, group);
}

bool grant_has_every_verb(const struct fact *f)
{
	static const char *const all[] = { "get",    "list",  "watch",	"create",
					   "update", "patch", "delete", NULL };
	const char *verbs = attribute_of(f, "verbs");

	for (size_t i = 0; all[i] && !list_has(verbs, "*"); i++)
		if (!list_has(verbs, all[i]))
			return false;
	return true;
}

/* "*" before a slash stands for every resource with that sub-resource. */
static bool has_any_subresource(const char *objects, const char *const *resources)
{
	char pattern[64];

	for (; *resources; resources++) {
		const char *slash = strchr(*resources, '/');

		if (!slash || slash[1] == '*' || strlen(slash) + 2 > sizeof pattern)
			continue;
		pattern[0] = '*';
		memcpy(pattern + 1, slash, strlen(slash) + 1);
		if (list_has(objects, pattern))
			return true;
	}
	return false;
}

bool grant_is_namespaced(const struct fact *f)
{
	return text_begins(attribute_of(f, "scope"), "namespace:");
}

bool grant_is_built_in(const struct fact *f)
{
	return attribute_false(f, "bound") && !grant_is_namespaced(f) &&
	       fact_attribute_is(f, "role", "cluster-admin");
}

bool grants(const struct fact *f, const char *const *verbs, const char *const *resources,
	    const char *group)
{
	const char *granted = attribute_of(f, "verbs"), *objects = attribute_of(f, "resources");
	bool all_verbs = grant_has_every_verb(f), all_resources = list_has(objects, "*");

	if (!fact_is_known(f) || grant_is_built_in(f) || (all_verbs && all_resources) ||
	    !group_matches(f, group))
		return false;
	return (all_verbs || list_has_any(granted, verbs)) &&
	       (all_resources || list_has_any(objects, resources) ||
		has_any_subresource(objects, resources));
}

bool grant_is_wide(const struct fact *f)
{
	const char *scope = attribute_of(f, "scope");

	return !text_begins(scope, "namespace:") || fact_attribute_is(f, "scope",
								      "namespace:kube-system");
}

static bool is_everything(const struct fact *f)
{
	return grant_has_every_verb(f) && list_has(attribute_of(f, "resources"), "*");
}

const char *const grant_workloads[] = {
	"pods",
	"deployments",
	"daemonsets",
	"statefulsets",
	"jobs",
	"cronjobs",
	"replicasets",
	"replicationcontrollers",
	"sandboxes",
	"sandboxtemplates",
	"sandboxclaims",
	"sandboxwarmpools",
	"workflows",
	"cronworkflows",
	"rollouts",
	NULL,
};

bool grant_starts_pods(const struct fact *f)
{
	static const char *const makers[] = { "create", NULL };

	return fact_is_known(f) && (is_everything(f) || grants(f, makers, grant_workloads, NULL));
}

bool grant_changes_templates(const struct fact *f)
{
	static const char *const changers[] = { "update", "patch", NULL };

	return grants(f, changers, grant_workloads + 1, NULL);
}

static const char *place(const struct fact *f)
{
	const char *scope = attribute_of(f, "scope");

	return text_begins(scope, "namespace:") ? scope + strlen("namespace:") : "the whole cluster";
}

enum verdict say_grant(struct eval *e, const struct fact *f, const char *consequence)
{
	const char *role = attribute_of(f, "role");
	bool loose = attribute_false(f, "bound");

	if (loose)
		eval_confidence(e, CONFIDENCE_MEDIUM);
	eval_say(e, "%s in %s%s%s: %s%s", f->value, place(f), *role ? " by role " : "", role,
		 consequence, loose ? " (no supplied binding uses the role)" : "");
	return VERDICT_FIRES;
}

enum verdict say_cluster_grant(struct eval *e, const struct fact *f, const char *consequence)
{
	if (!grant_is_namespaced(f))
		return say_grant(e, f, consequence);
	/* A Role over such kinds grants nothing, yet somebody wanted it to. */
	eval_severity(e, SEVERITY_INFO);
	return say_grant(e, f, "a Role cannot grant it; a ClusterRole of that text would");
}

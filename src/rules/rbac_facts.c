/* Questions about a FACT_RBAC_RULE.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rbac_facts.h"

#include <string.h>

#include "src/rules/judge.h"

/* RBAC compares exactly: a resource in capitals names nothing. */
static bool has(const char *list, const char *item)
{
	const size_t length = strlen(item);

	while (*list) {
		const size_t part = strcspn(list, ",");

		if (part == length && memcmp(list, item, length) == 0)
			return true;
		list += part + (list[part] == ',');
	}
	return false;
}

/* The core group is written as an empty string, which leaves an empty item or nothing. */
static bool has_core_group(const char *groups)
{
	return !*groups || groups[0] == ',' || groups[strlen(groups) - 1] == ',' ||
	       strstr(groups, ",,") || has(groups, "core");
}

/* GROUPS, separated by blanks with "core" for the core group, has one that the rule names. */
static bool group_matches(const struct fact *f, const char *groups)
{
	const char *granted = fact_attribute(f, "groups");

	if (!groups || !granted || has(granted, "*"))
		return true;
	do {
		const size_t length = strcspn(groups, " ");
		char group[80];

		if (!length || (length == 4 && memcmp(groups, "core", 4) == 0)) {
			if (has_core_group(granted))
				return true;
		} else if (length < sizeof group) {
			memcpy(group, groups, length);
			group[length] = '\0';
			if (has(granted, group))
				return true;
		}
		groups += length + (groups[length] == ' ');
	} while (*groups);
	return false;
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

	for (size_t i = 0; all[i] && !has(verbs, "*"); i++)
		if (!has(verbs, all[i]))
			return false;
	return true;
}

/* RESOURCE itself, or its sub-resource of every resource ("*" before the slash). */
static bool names_resource(const char *objects, const char *resource)
{
	const char *slash = strchr(resource, '/');
	char pattern[64];

	if (has(objects, "*") || has(objects, resource))
		return true;
	if (!slash || slash[1] == '*' || strlen(slash) + 2 > sizeof pattern)
		return false;
	pattern[0] = '*';
	memcpy(pattern + 1, slash, strlen(slash) + 1);
	return has(objects, pattern);
}

bool grant_is_named(const struct fact *f)
{
	return *attribute_of(f, "names") != '\0';
}

/* A request to create, or to delete a collection, has no name that resourceNames could match; one on a
 * sub-resource has that of its object. */
static bool verb_is_granted(const struct fact *f, const char *const *verbs, bool named)
{
	const bool every = grant_has_every_verb(f);

	for (; *verbs; verbs++) {
		if (named && (strcmp(*verbs, "create") == 0 || strcmp(*verbs, "deletecollection") == 0))
			continue;
		if (every || has(attribute_of(f, "verbs"), *verbs))
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

static bool grants_as(const struct fact *f, const char *const *verbs, const char *const *resources,
		      const char *groups, bool named)
{
	const char *objects = attribute_of(f, "resources");

	if (!fact_is_known(f) || grant_is_built_in(f) || !group_matches(f, groups) ||
	    (grant_has_every_verb(f) && has(objects, "*")))
		return false;
	for (; *resources; resources++)
		if (names_resource(objects, *resources) &&
		    verb_is_granted(f, verbs, named && !strchr(*resources, '/')))
			return true;
	return false;
}

bool grants(const struct fact *f, const char *const *verbs, const char *const *resources,
	    const char *groups)
{
	return grants_as(f, verbs, resources, groups, grant_is_named(f));
}

bool grants_but_for_names(const struct fact *f, const char *const *verbs,
			  const char *const *resources, const char *groups)
{
	return grants_as(f, verbs, resources, groups, false);
}

bool grants_of(const struct fact *f, const char *const *verbs, const struct grant_target *targets)
{
	for (; targets->groups; targets++)
		if (grants(f, verbs, targets->resources, targets->groups))
			return true;
	return false;
}

bool grant_is_wide(const struct fact *f)
{
	const char *scope = attribute_of(f, "scope");

	return !text_begins(scope, "namespace:") || fact_attribute_is(f, "scope",
								      "namespace:kube-system");
}

bool grant_is_of_the_cluster(const struct fact *f)
{
	static const char *const served[] = { "apps", "batch", "extensions", "policy", "autoscaling", NULL };
	static const char *const foreign[] = { "metrics.k8s.io", "custom.metrics.k8s.io",
					       "external.metrics.k8s.io", NULL };
	const char *groups = attribute_of(f, "groups");

	/* The core group is the empty name: a list that begins, ends or goes on with a comma. */
	if (!*groups || *groups == ',' || groups[strlen(groups) - 1] == ',' || strstr(groups, ",,"))
		return true;
	while (*groups) {
		size_t length = strcspn(groups, ",");
		char name[128];

		if (length >= sizeof name)
			return true;
		memcpy(name, groups, length);
		name[length] = '\0';
		if (strcmp(name, "*") == 0 || text_is_any(name, served) ||
		    (strstr(name, ".k8s.io") && !strstr(name, ".x-k8s.io") &&
		     !text_is_any(name, foreign)))
			return true;
		groups += length + (groups[length] == ',');
	}
	return false;
}

static bool is_everything(const struct fact *f)
{
	return grant_has_every_verb(f) && has(attribute_of(f, "resources"), "*") && !grant_is_named(f);
}

#define LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* Custom kinds whose controllers start pods from a template in them [known]. */
const struct grant_target grant_templates[] = {
	{ "core", LIST("replicationcontrollers") },
	{ "apps extensions",
	  LIST("deployments", "daemonsets", "statefulsets", "replicasets") },
	{ "batch extensions", LIST("jobs", "cronjobs", "scheduledjobs") },
	{ "agents.x-k8s.io extensions.agents.x-k8s.io",
	  LIST("sandboxes", "sandboxtemplates") },
	{ "argoproj.io",
	  LIST("workflows", "cronworkflows", "workflowtemplates", "clusterworkflowtemplates",
	       "rollouts") },
	{ "tekton.dev", LIST("taskruns", "pipelineruns", "tasks", "pipelines") },
	{ "serving.knative.dev", LIST("services", "configurations", "revisions") },
	{ "kagent.dev", LIST("agents", "mcpservers", "toolservers") },
	{ "toolhive.stacklok.dev", LIST("mcpservers") },
	{ "sandbox.opensandbox.io", LIST("sandboxes", "batchsandboxes", "pools") },
	{ "batch.volcano.sh", LIST("jobs") },
	{ "jobset.x-k8s.io", LIST("jobsets") },
	{ "leaderworkerset.x-k8s.io", LIST("leaderworkersets") },
	{ "kubeflow.org",
	  LIST("notebooks", "mpijobs", "pytorchjobs", "tfjobs", "xgboostjobs", "trainjobs") },
	{ "trainer.kubeflow.org", LIST("trainjobs", "trainingruntimes", "clustertrainingruntimes") },
	{ "serving.kserve.io", LIST("inferenceservices", "servingruntimes") },
	{ "ray.io", LIST("rayclusters", "rayjobs", "rayservices") },
	{ "sparkoperator.k8s.io", LIST("sparkapplications", "scheduledsparkapplications") },
	{ "flink.apache.org", LIST("flinkdeployments", "flinksessionjobs") },
	{ "keda.sh", LIST("scaledjobs") },
	{ "apps.kruise.io", LIST("clonesets", "daemonsets", "statefulsets", "sidecarsets") },
	{ "apps.openshift.io", LIST("deploymentconfigs") },
	{ "kubevirt.io", LIST("virtualmachines", "virtualmachineinstances") },
	{ "actions.github.com actions.summerwind.dev",
	  LIST("autoscalingrunnersets", "ephemeralrunnersets", "ephemeralrunners", "runners",
	       "runnerdeployments") },
	{ NULL, NULL },
};

static bool grants_pods(const struct fact *f, const char *const *verbs)
{
	return grants(f, verbs, LIST("pods"), "core");
}

bool grant_makes_workloads(const struct fact *f, const char *const *verbs)
{
	return grants_pods(f, verbs) || grants_of(f, verbs, grant_templates);
}

bool grant_makes_claims(const struct fact *f)
{
	return grants(f, LIST("create"), LIST("sandboxclaims", "sandboxwarmpools"),
		      "extensions.agents.x-k8s.io");
}

bool grant_starts_pods(const struct fact *f)
{
	return fact_is_known(f) && (is_everything(f) || grant_makes_workloads(f, LIST("create")));
}

bool grant_changes_templates(const struct fact *f)
{
	return grants_of(f, LIST("update", "patch"), grant_templates);
}

/* Where a grant holds: "namespace " is followed by NAME. */
static const char *place(const struct fact *f, const char **name)
{
	const char *scope = attribute_of(f, "scope");

	*name = "";
	if (!text_begins(scope, "namespace:"))
		return "the whole cluster";
	*name = scope + strlen("namespace:");
	return **name ? "namespace " : "the namespace it is applied to";
}

enum verdict say_grant(struct eval *e, const struct fact *f, const char *consequence)
{
	const char *role = attribute_of(f, "role");
	bool loose = attribute_false(f, "bound");
	const char *name, *where = place(f, &name);
	const bool apart = has(attribute_of(f, "resources"), "*") && !grant_is_of_the_cluster(f);

	if (loose)
		eval_confidence(e, CONFIDENCE_MEDIUM);
	eval_say(e, "%s%s%s%s%s in %s%s: %s%s", f->value, apart ? " of " : "",
		 apart ? attribute_of(f, "groups") : "", *role ? " by role " : "", role, where, name,
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

/* Questions about a FACT_RBAC_RULE.
 * SPDX-License-Identifier: MIT */
#ifndef RULES_RBAC_FACTS_H
#define RULES_RBAC_FACTS_H

#include "model/eval.h"

/* Resources of one API group, or of several. */
struct grant_target {
	const char *groups;           /* separated by blanks, "core" for the core group */
	const char *const *resources; /* ended by NULL */
};

/* True when the rule grants one of VERBS on one of RESOURCES (lists ended by NULL) of one of GROUPS (separated
 * by blanks, "" or "core" for the core group; NULL = any). What resourceNames make void does not count. A
 * rule that has all verbs on every resource is left to rbac-wildcard. */
bool grants(const struct fact *f, const char *const *verbs, const char *const *resources,
	    const char *groups);
/* The same as if the rule had no resourceNames. */
bool grants_but_for_names(const struct fact *f, const char *const *verbs,
			  const char *const *resources, const char *groups);
/* The same as grants() for several TARGETS, ended by one without groups. */
bool grants_of(const struct fact *f, const char *const *verbs, const struct grant_target *targets);
/* True when resourceNames narrow the rule. */
bool grant_is_named(const struct fact *f);
/* True when the right holds in one namespace only: nothing cluster-scoped is granted. */
bool grant_is_namespaced(const struct fact *f);
/* True for a rule in a supplied text of cluster-admin that nothing supplied binds: the API server has the
 * role anyway, and restores it when it starts. */
bool grant_is_built_in(const struct fact *f);
/* True when the right holds in the whole cluster or in kube-system. */
bool grant_is_wide(const struct fact *f);
/* True when it reaches kinds that the API server itself serves, and not only those of other programs. */
bool grant_is_of_the_cluster(const struct fact *f);
/* True when the rule's API groups hold GROUP ("" = core). */
bool grant_covers(const struct fact *f, const char *group);
/* True for "*" and for a list of all ordinary verbs. */
bool grant_has_every_verb(const struct fact *f);
/* Says what the rule grants, where and by which role, then CONSEQUENCE; lowers a right that nothing
 * supplied binds. Returns FIRES. */
enum verdict say_grant(struct eval *e, const struct fact *f, const char *consequence);
/* The same for kinds outside namespaces, on which a RoleBinding grants nothing: info in one namespace. */
enum verdict say_cluster_grant(struct eval *e, const struct fact *f, const char *consequence);
/* Resources that hold a pod template, ended by one without groups. */
extern const struct grant_target grant_templates[];
/* True when the rule grants one of VERBS on pods or on what holds a pod template. */
bool grant_makes_workloads(const struct fact *f, const char *const *verbs);
/* True when its holder starts pods only of templates that somebody else wrote. */
bool grant_makes_claims(const struct fact *f);
/* True when the rule lets its holder start pods, wildcards included. */
bool grant_starts_pods(const struct fact *f);
/* True when it lets its holder rewrite a controller's pod template, and so start other pods. */
bool grant_changes_templates(const struct fact *f);

#endif

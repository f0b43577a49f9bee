/* Questions about a FACT_RBAC_RULE.
 * SPDX-License-Identifier: MIT */
#ifndef RULES_RBAC_FACTS_H
#define RULES_RBAC_FACTS_H

#include "model/eval.h"

/* True when the rule grants one of VERBS on one of RESOURCES (lists ended by NULL) of API group GROUP
 * ("" = core; NULL = any). A wildcard counts for one of the two; a rule that has it in both, or all
 * verbs on every resource, is left to rbac-wildcard. */
bool grants(const struct fact *f, const char *const *verbs, const char *const *resources,
	    const char *group);
/* True when the right holds in one namespace only: nothing cluster-scoped is granted. */
bool grant_is_namespaced(const struct fact *f);
/* True for a rule in a supplied text of cluster-admin that nothing supplied binds: the API server has the
 * role anyway, and restores it when it starts. */
bool grant_is_built_in(const struct fact *f);
/* True when the right holds in the whole cluster or in kube-system. */
bool grant_is_wide(const struct fact *f);
/* True when the rule's API groups hold GROUP ("" = core). */
bool grant_covers(const struct fact *f, const char *group);
/* True for "*" and for a list of all ordinary verbs. */
bool grant_has_every_verb(const struct fact *f);
/* Says what the rule grants, where and by which role, then CONSEQUENCE; lowers a right that nothing
 * supplied binds. Returns FIRES. */
enum verdict say_grant(struct eval *e, const struct fact *f, const char *consequence);
/* The same for kinds outside namespaces, on which a RoleBinding grants nothing: info in one namespace. */
enum verdict say_cluster_grant(struct eval *e, const struct fact *f, const char *consequence);
/* Resources of which pods come, ended by NULL: pods first, then what holds a pod template. */
extern const char *const grant_workloads[];
/* True when the rule lets its holder start pods, wildcards included. */
bool grant_starts_pods(const struct fact *f);
/* True when it lets its holder rewrite a controller's pod template, and so start other pods. */
bool grant_changes_templates(const struct fact *f);

#endif

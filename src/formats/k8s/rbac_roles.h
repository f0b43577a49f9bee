/* Roles as they take effect: own rules, what aggregates into them, and the roles that every cluster has.
 * SPDX-License-Identifier: MIT */
#ifndef FORMATS_K8S_RBAC_ROLES_H
#define FORMATS_K8S_RBAC_ROLES_H

#include "src/formats/k8s/k8s.h"

/* One rule of a role that the API server makes by itself, in short: comma lists. */
struct built_in_rule {
	const char *role, *verbs, *resources, *groups;
	const char *urls; /* instead of resources, or NULL */
};

/* A role that counts: a supplied object, or the name of a built-in one. */
struct role_part {
	const struct k8s_object *object; /* or NULL */
	const char *built_in;            /* or NULL */
	uint32_t parent;                 /* index of the part that it aggregates into; its own for the first */
};

/* A role with all that aggregates into it, the role itself first; none for an unknown role. */
struct role_parts {
	struct role_part *items;
	size_t count, capacity;
};

/* What the rules of the parts add up to. */
struct role_summary {
	bool writes;  /* some verb beside get, list and watch on a resource */
	bool secrets; /* reaches Secrets */
};

/* All built-in rules, those of one role side by side. */
const struct built_in_rule *built_in_rules(size_t *count);
/* The built-in cluster role that NAME aggregates into, or NULL. */
const char *built_in_target(const char *name);
/* NAME as the table's own text when the API server makes a cluster role of that name, else NULL. */
const char *built_in_role(const char *name);

/* Collects the parts of ROLE, or of the built-in role NAME as BESIDE meets it. CANDIDATES are the supplied
 * cluster roles with labels, as indices into the world's objects. */
void role_parts_of(struct k8s_world *world, const struct id_list *candidates,
		   const struct k8s_object *role, struct role_parts *out);
void role_parts_built_in(struct k8s_world *world, const struct id_list *candidates, const char *name,
			 const struct k8s_object *beside, struct role_parts *out);
/* True when the rules in the role's own text count: those of an aggregated role are written over. */
bool role_has_own_rules(const struct k8s_object *role);
struct role_summary role_summarise(const struct role_parts *parts);

/* True when the API server does not take BINDING, which becomes a problem. */
bool k8s_binding_is_refused(struct workspace *w, const struct k8s_object *binding);
/* Rules that the API server does not take become problems. */
void k8s_check_role(struct workspace *w, const struct k8s_object *role);

#endif

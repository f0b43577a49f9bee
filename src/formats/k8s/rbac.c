/* RBAC: rights of roles, who is bound to them, and what a pod's identity may do.
 *
 * A right is one rule of a role. It stands on the role's row (with the widest scope in which it is bound)
 * and on the rows of pods whose identity the binding reaches, with the binding as a link.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/objects.h"

#include <string.h>

#include "model/limits.h"

/* Roles that every cluster has, in short: rules that decide takeover. Source: bootstrap policy [known]. */
static const struct {
	const char *role, *verbs, *resources, *groups;
} built_in[] = {
	{ "cluster-admin", "*", "*", "*" },
	{ "admin", "create,delete,get,list,patch,update,watch",
	  "pods,pods/exec,pods/attach,pods/portforward,secrets,configmaps,deployments,daemonsets,"
	  "statefulsets,jobs,cronjobs,services,serviceaccounts,serviceaccounts/token", ",apps,batch" },
	{ "admin", "create,delete,get,list,patch,update,watch", "roles,rolebindings",
	  "rbac.authorization.k8s.io" },
	{ "edit", "create,delete,get,list,patch,update,watch",
	  "pods,pods/exec,pods/attach,pods/portforward,secrets,configmaps,deployments,daemonsets,"
	  "statefulsets,jobs,cronjobs,services,serviceaccounts,serviceaccounts/token", ",apps,batch" },
	{ "view", "get,list,watch", "pods,services,configmaps,deployments", ",apps,batch" },
};

static bool is_role(const struct k8s_object *o)
{
	return o->row && o->row->format == FORMAT_RBAC &&
	       k8s_word_in(o->kind, "Role ClusterRole");
}

static bool is_binding(const struct k8s_object *o)
{
	return o->row && o->row->format == FORMAT_RBAC &&
	       k8s_word_in(o->kind, "RoleBinding ClusterRoleBinding");
}

static const char *scope_of(struct k8s_world *world, const struct k8s_object *binding)
{
	if (strcmp(binding->kind, "ClusterRoleBinding") == 0)
		return "cluster";
	return arena_printf(&world->w->snapshot->arena, "namespace:%s",
			    *binding->namespace ? binding->namespace : "default");
}

static bool binds(const struct k8s_object *binding, const struct k8s_object *role)
{
	const struct node *ref = k8s_map(binding->node, "roleRef");

	return node_is(k8s_get(ref, "kind"), role->kind) &&
	       node_is(k8s_get(ref, "name"), role->name) &&
	       (strcmp(role->kind, "ClusterRole") == 0 ? k8s_near(role, binding) :
							 k8s_related(role, binding));
}

/* The binding with the widest scope, or NULL. */
static const struct k8s_object *widest_binding(struct k8s_world *world,
					       const struct k8s_object *role)
{
	const struct k8s_object *best = NULL;

	for (size_t i = 0; i < world->objects.count; i++) {
		const struct k8s_object *o = world->objects.items[i];

		if (!is_binding(o) || !binds(o, role))
			continue;
		if (!best || strcmp(o->kind, "ClusterRoleBinding") == 0)
			best = o;
	}
	return best;
}

static struct fact *add_rule(struct k8s_world *world, struct row *row, enum layer layer,
			     const struct node *rule, const char *role, const char *scope, bool bound)
{
	struct workspace *w = world->w;
	const char *verbs = k8s_joined(w, k8s_get(rule, "verbs"), ",");
	const char *resources = k8s_joined(w, k8s_get(rule, "resources"), ",");
	const char *groups = k8s_joined(w, k8s_get(rule, "apiGroups"), ",");
	const char *names = k8s_joined(w, k8s_get(rule, "resourceNames"), ",");
	struct fact *f;

	if (!*resources)
		resources = k8s_joined(w, k8s_get(rule, "nonResourceURLs"), ",");
	f = snapshot_add_fact(w->snapshot, row, FACT_RBAC_RULE,
			      arena_printf(&w->snapshot->arena, "%s on %s", verbs, resources),
			      rule->span);
	f->layer = layer;
	k8s_attribute(w, f, "verbs", verbs);
	k8s_attribute(w, f, "resources", resources);
	k8s_attribute(w, f, "groups", groups);
	if (*names)
		k8s_attribute(w, f, "names", names);
	k8s_attribute(w, f, "scope", scope);
	k8s_attribute(w, f, "role", role);
	k8s_attribute(w, f, "bound", bound ? "true" : "false");
	return f;
}

/* One role and those that aggregate into it; aggregation reaches one level, as in the controller. */
static bool aggregates(const struct k8s_object *role, const struct k8s_object *other)
{
	const struct node *list = k8s_seq(k8s_map(role->node, "aggregationRule"),
					  "clusterRoleSelectors");

	if (role == other || strcmp(other->kind, "ClusterRole") != 0)
		return false;
	for (uint32_t i = 0; i < node_count(list); i++)
		if (k8s_selects(node_at(list, i), k8s_map(other->metadata, "labels")))
			return true;
	return false;
}

struct grant {
	struct row *row;
	uint32_t count; /* rights given so far */
	enum layer layer;
	const char *scope;
	bool bound;
	const struct k8s_object *binding;
};

static bool is_full(struct k8s_world *world, struct grant *g, const struct k8s_object *role)
{
	if (g->count < LIMIT_RIGHTS)
		return false;
	if (g->count++ == LIMIT_RIGHTS)
		input_problem(world->w, role->in, role->row->span,
			      "%s \"%s\": more than %u rights; the rest is not listed", role->kind,
			      role->name, LIMIT_RIGHTS);
	return true;
}

static void grant_rules(struct k8s_world *world, struct grant *g, const struct k8s_object *role,
			const struct k8s_object *from)
{
	const struct node *list = k8s_seq(from->node, "rules");

	for (uint32_t i = 0; i < node_count(list); i++) {
		struct fact *f;

		if (is_full(world, g, role))
			return;
		g->count++;
		if (!node_is_map(node_at(list, i)))
			continue;
		f = add_rule(world, g->row, g->layer, node_at(list, i), role->name, g->scope,
			     g->bound);
		snapshot_add_hop(world->w->snapshot, f, k8s_place(from->node, "kind"), from->name,
				 "role");
		if (role != from)
			snapshot_add_hop(world->w->snapshot, f, role->row->span, role->name,
					 "aggregated");
		if (g->binding) {
			const struct node *ref = k8s_map(g->binding->node, "roleRef");

			k8s_attribute(world->w, f, "binding", g->binding->name);
			snapshot_add_hop(world->w->snapshot, f, k8s_place(ref, "name"),
					 g->binding->name, "binding");
		}
	}
}

static void grant_role(struct k8s_world *world, struct grant *g, const struct k8s_object *role)
{
	grant_rules(world, g, role, role);
	if (!k8s_get(role->node, "aggregationRule"))
		return;
	for (size_t i = 0; i < world->objects.count && g->count < LIMIT_RIGHTS; i++)
		if (is_role(world->objects.items[i]) && aggregates(role, world->objects.items[i]))
			grant_rules(world, g, role, world->objects.items[i]);
}

static void read_role(struct k8s_world *world, struct k8s_object *o)
{
	const struct k8s_object *binding = widest_binding(world, o);
	struct grant g = {
		.row = o->row,
		.layer = o->exported ? LAYER_OBSERVED : LAYER_DECLARED,
		.bound = binding != NULL,
		.binding = binding,
		.scope = binding ? scope_of(world, binding) :
			 strcmp(o->kind, "ClusterRole") == 0 ?
				   "cluster" :
				   arena_printf(&world->w->snapshot->arena, "namespace:%s",
						*o->namespace ? o->namespace : "default"),
	};

	grant_role(world, &g, o);
}

static const struct k8s_object *role_of(struct k8s_world *world, const struct k8s_object *binding)
{
	for (size_t i = 0; i < world->objects.count; i++)
		if (is_role(world->objects.items[i]) && binds(binding, world->objects.items[i]))
			return world->objects.items[i];
	return NULL;
}

static struct fact *subject_fact(struct k8s_world *world, struct row *row, enum layer layer,
				 const struct k8s_object *binding, const struct node *subject)
{
	struct workspace *w = world->w;
	const struct node *ref = k8s_map(binding->node, "roleRef");
	const char *kind = k8s_text(subject, "kind"), *name = k8s_text(subject, "name");
	const char *ns = k8s_text(subject, "namespace");
	struct fact *f;

	f = snapshot_add_fact(w->snapshot, row, FACT_RBAC_SUBJECT,
			      arena_printf(&w->snapshot->arena, "%s:%s", kind ? kind : "",
					   name ? name : ""),
			      k8s_get(subject, "name") ? k8s_place(subject, "name") : subject->span);
	f->layer = layer;
	k8s_attribute(w, f, "kind", kind);
	k8s_attribute(w, f, "name", name);
	k8s_attribute(w, f, "namespace", ns ? ns : binding->namespace);
	k8s_attribute(w, f, "role", k8s_text(ref, "name"));
	k8s_attribute(w, f, "role_kind", k8s_text(ref, "kind"));
	k8s_attribute(w, f, "scope", scope_of(world, binding));
	k8s_attribute(w, f, "binding", binding->name);
	k8s_attribute(w, f, "role_supplied", role_of(world, binding) ? "true" : "false");
	if (k8s_get(ref, "name"))
		snapshot_add_hop(w->snapshot, f, k8s_place(ref, "name"), k8s_text(ref, "name"),
				 "role");
	return f;
}

/* What the bound role grants, copied to the subject's fact so that one fact tells reads from writes. */
static void summarise(struct k8s_world *world, struct fact *f, const struct k8s_object *role)
{
	const struct node *list = role ? k8s_seq(role->node, "rules") : NULL;
	bool writes = false, secrets = false;

	if (!role)
		return;
	for (uint32_t i = 0; i < node_count(list); i++) {
		const struct node *verbs = k8s_get(node_at(list, i), "verbs");
		const struct node *resources = k8s_get(node_at(list, i), "resources");

		for (uint32_t v = 0; v < node_count(verbs); v++)
			writes |= !k8s_word_in(node_text(node_at(verbs, v)), "get list watch");
		secrets |= k8s_holds(resources, "secrets") || k8s_holds(resources, "*");
	}
	k8s_attribute(world->w, f, "writes", writes ? "true" : "false");
	k8s_attribute(world->w, f, "secrets", secrets ? "true" : "false");
}

static void read_binding(struct k8s_world *world, struct k8s_object *o)
{
	const struct node *list = k8s_seq(o->node, "subjects");
	const struct k8s_object *role = role_of(world, o);

	for (uint32_t i = 0; i < node_count(list); i++)
		if (node_is_map(node_at(list, i)))
			summarise(world,
				  subject_fact(world, o->row,
					       o->exported ? LAYER_OBSERVED : LAYER_DECLARED, o,
					       node_at(list, i)),
				  role);
}

/* --- pods -------------------------------------------------------------------------------------- */

static bool group_reaches(const char *name, const char *namespace)
{
	static const char prefix[] = "system:serviceaccounts:";

	if (k8s_word_in(name, "system:serviceaccounts system:authenticated"))
		return true;
	return strncmp(name, prefix, sizeof prefix - 1) == 0 &&
	       k8s_same_namespace(name + sizeof prefix - 1, namespace);
}

static bool user_reaches(struct k8s_world *world, const char *name, const char *namespace,
			 const char *account)
{
	return strcmp(name, arena_printf(&world->w->snapshot->arena, "system:serviceaccount:%s:%s",
					 *namespace ? namespace : "default", account)) == 0;
}

/* The subject of BINDING that is the pod's identity, or NULL. */
static const struct node *subject_for(struct k8s_world *world, const struct k8s_object *binding,
				      const struct k8s_pod *pod, const char *account)
{
	const struct node *list = k8s_seq(binding->node, "subjects");
	const char *ns = pod->object->namespace;

	for (uint32_t i = 0; i < node_count(list); i++) {
		const struct node *s = node_at(list, i);
		const char *kind = k8s_text(s, "kind"), *name = k8s_text(s, "name");
		const char *theirs = k8s_text(s, "namespace");

		if (!kind || !name)
			continue;
		if (strcmp(kind, "ServiceAccount") == 0 && strcmp(name, account) == 0 &&
		    k8s_same_namespace(theirs ? theirs : binding->namespace, ns))
			return s;
		if (strcmp(kind, "Group") == 0 && group_reaches(name, ns))
			return s;
		if (strcmp(kind, "User") == 0 && strncmp(name, "system:serviceaccount:", 22) == 0 &&
		    user_reaches(world, name, ns, account))
			return s;
	}
	return NULL;
}

static void grant_built_in(struct k8s_world *world, struct row *row, struct k8s_pod *pod,
			   const struct k8s_object *binding)
{
	struct workspace *w = world->w;
	const struct node *ref = k8s_map(binding->node, "roleRef");

	for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++) {
		struct fact *f;

		if (!node_is(k8s_get(ref, "name"), built_in[i].role))
			continue;
		f = snapshot_add_fact(w->snapshot, row, FACT_RBAC_RULE,
				      arena_printf(&w->snapshot->arena, "%s on %s",
						   built_in[i].verbs, built_in[i].resources),
				      k8s_place(ref, "name"));
		f->layer = pod->layer;
		f->note = "built-in role; its rules are those of a default cluster";
		k8s_attribute(w, f, "verbs", built_in[i].verbs);
		k8s_attribute(w, f, "resources", built_in[i].resources);
		k8s_attribute(w, f, "groups", built_in[i].groups);
		k8s_attribute(w, f, "scope", scope_of(world, binding));
		k8s_attribute(w, f, "role", built_in[i].role);
		k8s_attribute(w, f, "binding", binding->name);
		k8s_attribute(w, f, "bound", "true");
	}
}

static void join_pod(struct k8s_world *world, struct k8s_pod *pod, struct k8s_object *binding,
		     const struct node *subject)
{
	const struct k8s_object *role = role_of(world, binding);

	for (size_t i = 0; i < pod->rows.count; i++) {
		struct grant g = { .row = pod->rows.items[i],
				   .layer = pod->layer,
				   .scope = scope_of(world, binding),
				   .bound = true,
				   .binding = binding };

		summarise(world, subject_fact(world, g.row, g.layer, binding, subject), role);
		if (role)
			grant_role(world, &g, role);
		else
			grant_built_in(world, g.row, pod, binding);
	}
}

static void mark_bound(struct k8s_world *world, struct k8s_pod *pod, bool bound)
{
	for (size_t i = 0; i < pod->rows.count; i++)
		for (size_t k = 0; k < pod->rows.items[i]->facts.count; k++) {
			struct fact *f = pod->rows.items[i]->facts.items[k];

			if (f->kind == FACT_SERVICE_ACCOUNT && f->layer == pod->layer)
				k8s_attribute(world->w, f, "bound", bound ? "true" : "false");
		}
}

static void join_identity(struct k8s_world *world, struct k8s_pod *pod)
{
	const char *account = k8s_text(pod->spec, "serviceAccountName");
	bool bound = false;
	unsigned bindings = 0;

	if (!account)
		account = k8s_text(pod->spec, "serviceAccount");
	if (!account || !*account)
		account = "default";
	for (size_t i = 0; i < world->objects.count; i++) {
		struct k8s_object *o = world->objects.items[i];
		const struct node *subject = is_binding(o) && k8s_near(o, pod->object) ?
						     subject_for(world, o, pod, account) :
						     NULL;

		if (subject && bindings++ < LIMIT_JOINED)
			join_pod(world, pod, o, subject);
		bound |= subject != NULL;
	}
	mark_bound(world, pod, bound);
}

void k8s_join_rbac(struct k8s_world *world)
{
	for (size_t i = 0; i < world->objects.count; i++) {
		if (is_role(world->objects.items[i]))
			read_role(world, world->objects.items[i]);
		else if (is_binding(world->objects.items[i]))
			read_binding(world, world->objects.items[i]);
	}
	for (size_t i = 0; i < world->pods.count; i++)
		join_identity(world, world->pods.items[i]);
}

/* RBAC: rights of roles, who is bound to them, and what a pod's identity may do.
 *
 * A right is one rule of a role. It stands on the role's row (with the widest scope in which it is bound)
 * and on the rows of pods whose identity the binding reaches, with the binding as a link.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/objects.h"

#include <string.h>

#include "model/limits.h"
#include "src/formats/k8s/index.h"

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

/* Where a role or a binding holds. */
static const char *scope_of(struct k8s_world *world, const struct k8s_object *o)
{
	if (k8s_word_in(o->kind, "ClusterRole ClusterRoleBinding"))
		return "cluster";
	return arena_printf(&world->w->snapshot->arena, "namespace:%s",
			    k8s_namespace(o->namespace));
}

/* What the joins of RBAC look up. */
struct rbac {
	struct k8s_world *world;
	struct name_lists by_role;    /* "kind\nname" of the role → bindings */
	struct name_lists by_subject; /* kind, namespace and name, as subject_key() writes them → subjects */
	struct {
		struct subject {
			uint32_t binding; /* index among the objects */
			const struct node *node;
		} *items;
		size_t count, capacity;
	} subjects; /* of all bindings, in order */
	const struct k8s_object **roles; /* of a binding, by its index among the objects; NULL: none */
	struct id_list aggregated;       /* the cluster roles, which may be aggregated */
};

/* BINDING names ROLE; whether they meet. */
static bool binds(const struct k8s_object *binding, const struct k8s_object *role)
{
	return strcmp(role->kind, "ClusterRole") == 0 ? k8s_near(role, binding) :
							k8s_related(role, binding);
}

static const char *role_key(struct k8s_world *world, const char *kind, const char *name)
{
	return arena_printf(&world->w->snapshot->arena, "%s\n%s", kind, name);
}

/* The binding with the widest scope, or NULL. */
static const struct k8s_object *widest_binding(struct rbac *rbac, const struct k8s_object *role)
{
	struct k8s_world *world = rbac->world;
	const struct id_list *list =
		name_lists_get(&rbac->by_role, role_key(world, role->kind, role->name));
	const struct k8s_object *best = NULL;

	for (size_t i = 0; i < list->count; i++) {
		const struct k8s_object *o = world->objects.items[list->items[i]];

		if (best && strcmp(o->kind, "ClusterRoleBinding") != 0)
			continue;
		if (!k8s_may_compare(world, k8s_near_cost(role))) {
			k8s_not_joined(world, role);
			return best;
		}
		if (binds(o, role))
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
	const struct k8s_pod *pod; /* whose row it is, or NULL */
};

static bool is_full(struct k8s_world *world, struct grant *g, const struct k8s_object *role)
{
	const struct k8s_object *o = g->pod ? g->pod->object : role;

	if (g->count < LIMIT_RIGHTS)
		return false;
	if (g->count++ == LIMIT_RIGHTS)
		input_problem(world->w, o->in,
			      g->pod || o->overlaid ? k8s_object_place(o) : role->row->span,
			      "%s \"%s\": more than %u rights; the rest is not listed", o->kind,
			      g->pod ? g->pod->unit : o->name, LIMIT_RIGHTS);
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

static void grant_role(struct rbac *rbac, struct grant *g, const struct k8s_object *role)
{
	struct k8s_world *world = rbac->world;

	grant_rules(world, g, role, role);
	if (!k8s_get(role->node, "aggregationRule"))
		return;
	for (size_t i = 0; i < rbac->aggregated.count && g->count < LIMIT_RIGHTS; i++) {
		const struct k8s_object *other = world->objects.items[rbac->aggregated.items[i]];

		if (!k8s_may_compare(world, 16)) {
			k8s_not_joined(world, role);
			return;
		}
		if (aggregates(role, other))
			grant_rules(world, g, role, other);
	}
}

static void read_role(struct rbac *rbac, struct k8s_object *o)
{
	struct k8s_world *world = rbac->world;
	const struct k8s_object *binding = widest_binding(rbac, o);
	struct grant g = {
		.row = o->row,
		.layer = k8s_layer(o),
		.bound = binding != NULL,
		.binding = binding,
		.scope = scope_of(world, binding ? binding : o),
	};

	grant_role(rbac, &g, o);
}

static const struct k8s_object *find_role(struct k8s_world *world, const struct k8s_object *binding)
{
	const struct node *ref = k8s_map(binding->node, "roleRef");
	const char *kind = k8s_text(ref, "kind"), *name = k8s_text(ref, "name");
	const struct id_list *list = kind && name ? k8s_named(world, kind, name) : NULL;

	for (size_t i = 0; list && i < list->count; i++) {
		const struct k8s_object *role = world->objects.items[list->items[i]];

		if (!k8s_may_compare(world, k8s_near_cost(role))) {
			k8s_not_joined(world, binding);
			return NULL;
		}
		if (is_role(role) && binds(binding, role))
			return role;
	}
	return NULL;
}

static struct fact *subject_fact(struct k8s_world *world, struct row *row, enum layer layer,
				 const struct k8s_object *binding, const struct node *subject,
				 const struct k8s_object *role)
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
	k8s_attribute(w, f, "role_supplied", role ? "true" : "false");
	if (k8s_get(ref, "name"))
		snapshot_add_hop(w->snapshot, f, k8s_place(ref, "name"), k8s_text(ref, "name"),
				 "role");
	return f;
}

/* What the bound role grants, copied to the subject's fact so that one fact tells reads from writes. */
struct summary {
	bool known, writes, secrets;
};

static struct summary summarise(const struct k8s_object *role)
{
	const struct node *list = role ? k8s_seq(role->node, "rules") : NULL;
	struct summary s = { .known = role != NULL };

	for (uint32_t i = 0; i < node_count(list); i++) {
		const struct node *verbs = k8s_get(node_at(list, i), "verbs");
		const struct node *resources = k8s_get(node_at(list, i), "resources");

		for (uint32_t v = 0; !s.writes && v < node_count(verbs); v++)
			s.writes = !k8s_word_in(node_text(node_at(verbs, v)), "get list watch");
		s.secrets = s.secrets || k8s_holds(resources, "secrets") || k8s_holds(resources, "*");
		if (s.writes && s.secrets)
			break;
	}
	return s;
}

static void set_summary(struct k8s_world *world, struct fact *f, const struct summary *s)
{
	if (!s->known)
		return;
	k8s_attribute(world->w, f, "writes", s->writes ? "true" : "false");
	k8s_attribute(world->w, f, "secrets", s->secrets ? "true" : "false");
}

static void read_binding(struct rbac *rbac, uint32_t index)
{
	struct k8s_world *world = rbac->world;
	struct k8s_object *o = world->objects.items[index];
	const struct node *list = k8s_seq(o->node, "subjects");
	const struct k8s_object *role = rbac->roles[index];
	const struct summary summary = summarise(role);

	for (uint32_t i = 0; i < node_count(list); i++)
		if (node_is_map(node_at(list, i)))
			set_summary(world,
				    subject_fact(world, o->row, k8s_layer(o), o, node_at(list, i),
						 role),
				    &summary);
}

/* --- pods -------------------------------------------------------------------------------------- */

static const char *subject_key(struct k8s_world *world, const char *kind, const char *namespace,
			       const char *name)
{
	return arena_printf(&world->w->snapshot->arena, "%s\n%s\n%s", kind,
			    k8s_namespace(namespace), name);
}

static void list_group(struct rbac *rbac, const char *name, uint32_t subject)
{
	static const char *const all[] = { "system:serviceaccounts", "system:authenticated" };
	static const char prefix[] = "system:serviceaccounts:";
	struct k8s_world *world = rbac->world;
	struct arena *a = &world->w->snapshot->arena;

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (strcmp(name, all[i]) == 0)
			name_lists_add(a, &rbac->by_subject, "Group", subject);
	if (strncmp(name, prefix, sizeof prefix - 1) == 0)
		name_lists_add(a, &rbac->by_subject,
			      subject_key(world, "Group", name + sizeof prefix - 1, ""), subject);
}

static void list_subject(struct rbac *rbac, uint32_t binding, const struct node *s)
{
	struct k8s_world *world = rbac->world;
	struct arena *a = &world->w->snapshot->arena;
	const char *kind = k8s_text(s, "kind"), *name = k8s_text(s, "name");
	const char *theirs = k8s_text(s, "namespace");
	const uint32_t subject = (uint32_t)rbac->subjects.count;

	if (!kind || !name)
		return;
	*ARENA_PUSH(a, &rbac->subjects) = (struct subject){ .binding = binding, .node = s };
	if (strcmp(kind, "ServiceAccount") == 0)
		name_lists_add(a, &rbac->by_subject,
			      subject_key(world, kind,
					  theirs ? theirs : world->objects.items[binding]->namespace,
					  name),
			      subject);
	else if (strcmp(kind, "Group") == 0)
		list_group(rbac, name, subject);
	else if (strcmp(kind, "User") == 0)
		name_lists_add(a, &rbac->by_subject, subject_key(world, kind, "", name), subject);
}

/* The subjects that are a pod's identity: four ascending lists, read as one. */
#define IDENTITIES 4

struct identity {
	const struct id_list *lists[IDENTITIES];
	size_t at[IDENTITIES];
};

static struct identity identity_of(struct rbac *rbac, const struct k8s_pod *pod, const char *account)
{
	struct k8s_world *world = rbac->world;
	const char *ns = k8s_namespace(pod->object->namespace);
	const char *user = arena_printf(&world->w->snapshot->arena, "system:serviceaccount:%s:%s",
					ns, account);
	const char *const keys[IDENTITIES] = {
		subject_key(world, "ServiceAccount", ns, account),
		subject_key(world, "User", "", user),
		subject_key(world, "Group", ns, ""),
		"Group",
	};
	struct identity id = { 0 };

	for (size_t k = 0; k < IDENTITIES; k++)
		id.lists[k] = name_lists_get(&rbac->by_subject, keys[k]);
	return id;
}

static const struct subject *next_subject(const struct rbac *rbac, struct identity *id)
{
	uint32_t next = 0;

	return id_lists_next(id->lists, id->at, IDENTITIES, &next) ? &rbac->subjects.items[next] : NULL;
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

static void join_pod(struct rbac *rbac, struct k8s_pod *pod, const struct subject *subject,
		     uint32_t *rights)
{
	struct k8s_world *world = rbac->world;
	const struct k8s_object *binding = world->objects.items[subject->binding];
	const struct k8s_object *role = rbac->roles[subject->binding];
	const struct summary summary = summarise(role);
	const uint32_t before = *rights;

	for (size_t i = 0; i < pod->rows.count; i++) {
		struct grant g = { .row = pod->rows.items[i],
				   .layer = pod->layer,
				   .count = before,
				   .scope = scope_of(world, binding),
				   .bound = true,
				   .binding = binding,
				   .pod = pod };

		set_summary(world, subject_fact(world, g.row, g.layer, binding, subject->node, role),
			    &summary);
		if (role)
			grant_role(rbac, &g, role);
		else
			grant_built_in(world, g.row, pod, binding);
		*rights = g.count;
	}
}

static void join_identity(struct rbac *rbac, struct k8s_pod *pod)
{
	struct k8s_world *world = rbac->world;
	struct identity id = identity_of(rbac, pod, k8s_account(pod));
	uint32_t last = UINT32_MAX, rights = 0;
	unsigned bindings = 0;

	for (const struct subject *s; (s = next_subject(rbac, &id));) {
		const struct k8s_object *o = world->objects.items[s->binding];

		if (s->binding == last && k8s_may_compare(world, 1))
			continue;
		last = s->binding;
		if (!k8s_may_compare(world, k8s_near_cost(o))) {
			k8s_not_joined(world, pod->object);
			break;
		}
		if (!k8s_near(o, pod->object))
			continue;
		if (bindings++ == LIMIT_JOINED) {
			k8s_too_many(world, pod->object);
			break;
		}
		join_pod(rbac, pod, s, &rights);
	}
	k8s_mark_account(world, pod, "bound", bindings > 0);
}

static void index_bindings(struct rbac *rbac)
{
	struct k8s_world *world = rbac->world;
	struct arena *a = &world->w->snapshot->arena;

	rbac->roles = arena_array(a, world->objects.count + 1, sizeof(struct k8s_object *));
	for (size_t i = 0; i < world->objects.count; i++) {
		const struct k8s_object *o = world->objects.items[i];
		const struct node *ref = k8s_map(o->node, "roleRef");
		const struct node *list = k8s_seq(o->node, "subjects");
		const char *kind = k8s_text(ref, "kind"), *name = k8s_text(ref, "name");

		if (is_role(o) && strcmp(o->kind, "ClusterRole") == 0)
			*ARENA_PUSH(a, &rbac->aggregated) = (uint32_t)i;
		if (!is_binding(o))
			continue;
		rbac->roles[i] = find_role(world, o);
		if (kind && name)
			name_lists_add(a, &rbac->by_role, role_key(world, kind, name), (uint32_t)i);
		for (uint32_t s = 0; s < node_count(list); s++)
			list_subject(rbac, (uint32_t)i, node_at(list, s));
	}
}

void k8s_join_rbac(struct k8s_world *world)
{
	struct rbac rbac = { .world = world };

	index_bindings(&rbac);
	for (size_t i = 0; i < world->objects.count; i++) {
		if (is_role(world->objects.items[i]))
			read_role(&rbac, world->objects.items[i]);
		else if (is_binding(world->objects.items[i]))
			read_binding(&rbac, (uint32_t)i);
	}
	for (size_t i = 0; i < world->pods.count; i++)
		join_identity(&rbac, world->pods.items[i]);
}

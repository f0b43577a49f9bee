/* RBAC: rights of roles, who is bound to them, and what a pod's identity may do.
 *
 * A right is one rule of a role. It stands on the role's row (with the widest scope in which it is bound)
 * and on the rows of pods whose identity the binding reaches, with the binding as a link.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/objects.h"

#include <string.h>

#include "model/limits.h"
#include "src/formats/k8s/index.h"
#include "src/formats/k8s/rbac_roles.h"

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

/* Where a role or a binding holds; no name behind "namespace:" where the file leaves it to whoever applies it. */
static const char *scope_of(struct k8s_world *world, const struct k8s_object *o)
{
	if (k8s_word_in(o->kind, "ClusterRole ClusterRoleBinding"))
		return "cluster";
	return arena_printf(&world->w->snapshot->arena, "namespace:%s", o->namespace);
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
	struct bound {
		const struct k8s_object *role; /* NULL: not supplied, or a built-in one */
		struct role_parts parts;
		struct role_summary summary;
	} *bound; /* what a binding gives, by its index among the objects */
	struct id_list labelled; /* the cluster roles with labels, which may aggregate into others */
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

/* What is asked for, on which objects; or at which addresses that are none. */
struct right {
	const char *verbs, *resources, *groups, *names, *urls; /* comma lists */
};

static struct right right_of(struct workspace *w, const struct node *rule)
{
	return (struct right){
		.verbs = k8s_joined(w, k8s_get(rule, "verbs"), ","),
		.resources = k8s_joined(w, k8s_get(rule, "resources"), ","),
		.groups = k8s_joined(w, k8s_get(rule, "apiGroups"), ","),
		.names = k8s_joined(w, k8s_get(rule, "resourceNames"), ","),
		.urls = k8s_joined(w, k8s_get(rule, "nonResourceURLs"), ","),
	};
}

struct grant {
	struct row *row;
	uint32_t count; /* rights given so far */
	enum layer layer;
	const char *scope, *role;
	bool bound;
	const struct k8s_object *binding;
	const struct k8s_pod *pod; /* whose row it is, or NULL */
};

static struct fact *add_rule(struct k8s_world *world, const struct grant *g,
			     const struct right *right, struct span span)
{
	struct workspace *w = world->w;
	const bool urls_only = !*right->resources && *right->urls;
	struct fact *f;

	f = snapshot_add_fact(w->snapshot, g->row, FACT_RBAC_RULE,
			      arena_printf(&w->snapshot->arena, "%s on %s%s%s%s", right->verbs,
					   urls_only ? "paths " : "",
					   urls_only ? right->urls : right->resources,
					   *right->names ? " named " : "", right->names),
			      span);
	f->layer = g->layer;
	k8s_attribute(w, f, "verbs", right->verbs);
	k8s_attribute(w, f, "resources", right->resources);
	k8s_attribute(w, f, "groups", right->groups);
	if (*right->names)
		k8s_attribute(w, f, "names", right->names);
	if (*right->urls)
		k8s_attribute(w, f, "urls", right->urls);
	k8s_attribute(w, f, "scope", g->scope);
	k8s_attribute(w, f, "role", g->role);
	k8s_attribute(w, f, "bound", g->bound ? "true" : "false");
	return f;
}

/* ROLE may be NULL for a pod's row. */
static bool is_full(struct k8s_world *world, struct grant *g, const struct k8s_object *role)
{
	const struct k8s_object *o = g->pod ? g->pod->object : role;

	if (g->count < LIMIT_RIGHTS)
		return false;
	if (g->count++ == LIMIT_RIGHTS)
		input_problem(world->w, o->in,
			      g->pod || o->overlaid ? k8s_object_place(o) : o->row->span,
			      "%s \"%s\": more than %u rights; the rest is not listed", o->kind,
			      g->pod ? g->pod->unit : o->name, LIMIT_RIGHTS);
	return true;
}

static struct span role_reference(const struct k8s_object *binding)
{
	return k8s_place(k8s_map(binding->node, "roleRef"), "name");
}

/* The links from a rule to the role that it aggregates into, and to the binding. */
static void add_chain(struct k8s_world *world, const struct grant *g, struct fact *f,
		      const struct role_parts *parts, const struct role_part *part)
{
	while (part != &parts->items[part->parent]) {
		part = &parts->items[part->parent];
		if (part->object)
			snapshot_add_hop(world->w->snapshot, f, part->object->row->span,
					 part->object->name, "aggregated");
	}
	if (!g->binding)
		return;
	k8s_attribute(world->w, f, "binding", g->binding->name);
	snapshot_add_hop(world->w->snapshot, f, role_reference(g->binding), g->binding->name,
			 "binding");
}

static void grant_supplied(struct k8s_world *world, struct grant *g, const struct role_parts *parts,
			   const struct role_part *part)
{
	const struct k8s_object *from = part->object;
	const struct node *list = k8s_seq(from->node, "rules");

	for (uint32_t i = 0; i < node_count(list); i++) {
		struct right right;
		struct fact *f;

		if (is_full(world, g, parts->items[0].object))
			return;
		g->count++;
		if (!node_is_map(node_at(list, i)))
			continue;
		right = right_of(world->w, node_at(list, i));
		f = add_rule(world, g, &right, node_at(list, i)->span);
		snapshot_add_hop(world->w->snapshot, f, k8s_place(from->node, "kind"), from->name,
				 "role");
		add_chain(world, g, f, parts, part);
	}
}

/* A built-in role has no text: its rules stand where a binding or a selector names it. */
static void grant_built_in(struct k8s_world *world, struct grant *g, const struct role_parts *parts,
			   const struct role_part *part)
{
	size_t count;
	const struct built_in_rule *rules = built_in_rules(&count);

	for (size_t i = 0; i < count; i++) {
		const struct right right = { rules[i].verbs, rules[i].resources, rules[i].groups, "",
					     rules[i].urls ? rules[i].urls : "" };
		struct fact *f;

		if (strcmp(rules[i].role, part->built_in) != 0 || !rules[i].verbs)
			continue;
		if (is_full(world, g, parts->items[0].object))
			return;
		g->count++;
		f = add_rule(world, g, &right,
			     g->binding ? role_reference(g->binding) : g->row->span);
		f->note = "built-in role; its rules are those of a default cluster";
		add_chain(world, g, f, parts, part);
	}
}

static void grant_parts(struct k8s_world *world, struct grant *g, const struct role_parts *parts)
{
	for (size_t i = 0; i < parts->count; i++) {
		const struct role_part *part = &parts->items[i];

		if (part->built_in)
			grant_built_in(world, g, parts, part);
		else if (part->object->row && role_has_own_rules(part->object))
			grant_supplied(world, g, parts, part);
	}
}

static void check_aggregated(struct workspace *w, const struct k8s_object *o)
{
	/* In what a cluster gave out they are what the control plane has written. */
	if (k8s_text(o->metadata, "uid") && k8s_text(o->metadata, "resourceVersion"))
		return;
	if (!role_has_own_rules(o) && !o->overlaid && node_count(k8s_seq(o->node, "rules")))
		input_problem(w, o->in, k8s_key(o->node, "rules"),
			      "%s \"%s\": the control plane writes over rules beside an "
			      "aggregationRule; put them in a role that it selects", o->kind, o->name);
}

static void read_role(struct rbac *rbac, struct k8s_object *o)
{
	struct k8s_world *world = rbac->world;
	const struct k8s_object *binding = widest_binding(rbac, o);
	struct role_parts parts = { 0 };
	struct grant g = {
		.row = o->row,
		.layer = k8s_layer(o),
		.bound = binding != NULL,
		.binding = binding,
		.role = o->name,
		.scope = scope_of(world, binding ? binding : o),
	};

	k8s_check_role(world->w, o);
	check_aggregated(world->w, o);
	role_parts_of(world, &rbac->labelled, o, &parts);
	grant_parts(world, &g, &parts);
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

static struct fact *subject_fact(struct rbac *rbac, struct row *row, enum layer layer,
				 uint32_t binding_index, const struct node *subject)
{
	struct k8s_world *world = rbac->world;
	struct workspace *w = world->w;
	const struct k8s_object *binding = world->objects.items[binding_index];
	const struct bound *bound = &rbac->bound[binding_index];
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
	k8s_attribute(w, f, "role_supplied",
		      bound->role	   ? "true" :
		      bound->parts.count ? "built-in" :
					   "false");
	/* What the role grants, so that one fact tells reads from writes. */
	if (bound->parts.count) {
		k8s_attribute(w, f, "writes", bound->summary.writes ? "true" : "false");
		k8s_attribute(w, f, "secrets", bound->summary.secrets ? "true" : "false");
	}
	if (row != binding->row && ns && !k8s_same_namespace(ns, row->namespace))
		f->note = "the binding names a namespace, the row's file names none";
	if (k8s_get(ref, "name"))
		snapshot_add_hop(w->snapshot, f, k8s_place(ref, "name"), k8s_text(ref, "name"),
				 "role");
	return f;
}

static void read_binding(struct rbac *rbac, uint32_t index)
{
	struct k8s_object *o = rbac->world->objects.items[index];
	const struct node *list = k8s_seq(o->node, "subjects");

	for (uint32_t i = 0; i < node_count(list); i++)
		if (node_is_map(node_at(list, i)))
			subject_fact(rbac, o->row, k8s_layer(o), index, node_at(list, i));
}

/* --- pods -------------------------------------------------------------------------------------- */

static const char *subject_key(struct k8s_world *world, const char *kind, const char *namespace,
			       const char *name)
{
	return arena_printf(&world->w->snapshot->arena, "%s\n%s\n%s", kind,
			    k8s_namespace(namespace), name);
}

/* Accounts of a namespace that the binding names. */
static const char *elsewhere_key(struct k8s_world *world, const char *name)
{
	return arena_printf(&world->w->snapshot->arena, "\n%s", name);
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
	const struct k8s_object *o = world->objects.items[binding];
	const uint32_t subject = (uint32_t)rbac->subjects.count;

	if (!kind || !name)
		return;
	if (strcmp(kind, "ServiceAccount") == 0 && !theirs &&
	    strcmp(o->kind, "ClusterRoleBinding") == 0)
		return;
	*ARENA_PUSH(a, &rbac->subjects) = (struct subject){ .binding = binding, .node = s };
	if (theirs && strcmp(kind, "ServiceAccount") == 0 && !k8s_same_namespace(theirs, ""))
		name_lists_add(a, &rbac->by_subject, elsewhere_key(world, name), subject);
	if (strcmp(kind, "ServiceAccount") == 0)
		name_lists_add(a, &rbac->by_subject,
			      subject_key(world, kind,
					  theirs ? theirs : o->namespace, name),
			      subject);
	else if (strcmp(kind, "Group") == 0)
		list_group(rbac, name, subject);
	else if (strcmp(kind, "User") == 0)
		name_lists_add(a, &rbac->by_subject, subject_key(world, kind, "", name), subject);
}

/* The subjects that are a pod's identity: ascending lists, read as one. */
#define IDENTITIES 5

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
		*pod->object->namespace ? "" : elsewhere_key(world, account),
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

static void join_pod(struct rbac *rbac, struct k8s_pod *pod, const struct subject *subject,
		     uint32_t *rights)
{
	struct k8s_world *world = rbac->world;
	const struct k8s_object *binding = world->objects.items[subject->binding];
	const struct bound *bound = &rbac->bound[subject->binding];
	const uint32_t before = *rights;

	for (size_t i = 0; i < pod->rows.count; i++) {
		struct grant g = { .row = pod->rows.items[i],
				   .layer = pod->layer,
				   .count = before,
				   .scope = scope_of(world, binding),
				   .role = k8s_text(k8s_map(binding->node, "roleRef"), "name"),
				   .bound = true,
				   .binding = binding,
				   .pod = pod };

		subject_fact(rbac, g.row, g.layer, subject->binding, subject->node);
		grant_parts(world, &g, &bound->parts);
		*rights = g.count;
	}
}

/* Accounts near a pod that a subject of another namespace could mean. */
struct meant {
	bool unstated, stated; /* one without a namespace, one in that of the subject */
};

static void note_account(struct meant *meant, const struct k8s_object *account, const char *namespace)
{
	if (!*account->namespace)
		meant->unstated = true;
	else if (strcmp(account->namespace, namespace) == 0)
		meant->stated = true;
}

/* Surely applied together: one file, one folder, one kustomization. */
static bool is_installed_with(const struct k8s_object *a, const struct k8s_object *b)
{
	return a->in == b->in || (a->root && a->root == b->root) ||
	       (!a->root && !b->root && k8s_path_distance(a, b) == 0);
}

/* A binding often names the namespace that the rest of an installation leaves to whoever applies it. Its account
 * is the pod's when one of that name stands beside the pod without a namespace and none in the one that the
 * binding names; the pod's own file decides before those near it. */
static bool is_meant(struct k8s_world *world, const struct k8s_pod *pod, const struct subject *s)
{
	const char *theirs = k8s_text(s->node, "namespace"), *name = k8s_text(s->node, "name");
	struct meant same = { 0 }, near = { 0 };
	const struct id_list *list;

	if (!node_is(k8s_get(s->node, "kind"), "ServiceAccount") || !theirs ||
	    k8s_same_namespace(theirs, pod->object->namespace))
		return true;
	if (!is_installed_with(world->objects.items[s->binding], pod->object))
		return false;
	list = k8s_named(world, "ServiceAccount", name);
	for (size_t i = 0; i < list->count; i++) {
		const struct k8s_object *o = world->objects.items[list->items[i]];

		if (!k8s_may_compare(world, k8s_near_cost(o))) {
			k8s_not_joined(world, pod->object);
			return false;
		}
		if (o->in == pod->object->in)
			note_account(&same, o, theirs);
		else if (k8s_near(o, pod->object))
			note_account(&near, o, theirs);
	}
	if (same.unstated || same.stated)
		return !same.stated;
	return near.unstated && !near.stated;
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
		if (!k8s_near(o, pod->object) || !is_meant(world, pod, s))
			continue;
		if (bindings++ == LIMIT_JOINED) {
			k8s_too_many(world, pod->object);
			break;
		}
		join_pod(rbac, pod, s, &rights);
	}
	k8s_mark_account(world, pod, "bound", bindings > 0);
}

/* What BINDING gives: the parts of the supplied role that it names, or of the built-in one. */
static void find_bound(struct rbac *rbac, const struct k8s_object *binding, struct bound *out)
{
	const struct node *ref = k8s_map(binding->node, "roleRef");
	const char *name = k8s_text(ref, "name");

	out->role = find_role(rbac->world, binding);
	if (out->role)
		role_parts_of(rbac->world, &rbac->labelled, out->role, &out->parts);
	else if (name && node_is(k8s_get(ref, "kind"), "ClusterRole") && built_in_role(name))
		role_parts_built_in(rbac->world, &rbac->labelled, built_in_role(name), binding,
				    &out->parts);
	out->summary = role_summarise(&out->parts);
}

static void index_binding(struct rbac *rbac, uint32_t index)
{
	struct k8s_world *world = rbac->world;
	const struct k8s_object *o = world->objects.items[index];
	const struct node *ref = k8s_map(o->node, "roleRef");
	const struct node *list = k8s_seq(o->node, "subjects");
	const char *kind = k8s_text(ref, "kind"), *name = k8s_text(ref, "name");
	const bool refused = k8s_binding_is_refused(world->w, o);

	find_bound(rbac, o, &rbac->bound[index]);
	if (refused)
		return;
	if (kind && name)
		name_lists_add(&world->w->snapshot->arena, &rbac->by_role,
			      role_key(world, kind, name), index);
	for (uint32_t s = 0; s < node_count(list); s++)
		list_subject(rbac, index, node_at(list, s));
}

static void index_bindings(struct rbac *rbac)
{
	struct k8s_world *world = rbac->world;
	struct arena *a = &world->w->snapshot->arena;

	rbac->bound = arena_array(a, world->objects.count + 1, sizeof *rbac->bound);
	for (size_t i = 0; i < world->objects.count; i++) {
		const struct k8s_object *o = world->objects.items[i];

		if (is_role(o) && strcmp(o->kind, "ClusterRole") == 0 &&
		    node_count(k8s_map(o->metadata, "labels")))
			*ARENA_PUSH(a, &rbac->labelled) = (uint32_t)i;
	}
	for (size_t i = 0; i < world->objects.count; i++)
		if (is_binding(world->objects.items[i]))
			index_binding(rbac, (uint32_t)i);
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

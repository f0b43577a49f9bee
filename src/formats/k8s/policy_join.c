/* Admission policies given to the namespaces and pods that they govern, or leave out.
 *
 * A policy of a kind that enforces stands on the rows that it reaches; one that would reach them and excludes
 * them stands there as not applied. What only a cluster can tell, whether the engine is installed, stays open.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/index.h"
#include "src/formats/k8s/objects.h"
#include "src/formats/k8s/policy_scope.h"

#include <string.h>
#include <strings.h>

#include "model/limits.h"

struct governor;

/* What a policy does to one subject. */
struct effect {
	enum policy_reach reach;
	bool enforces;
};

struct join {
	struct k8s_world *world;
	const struct name_lists *bindings; /* "kind\nname" of the policy → bindings */
	struct {
		struct governor {
			const struct k8s_object *object;
			const struct fact *fact;
			const struct node *part; /* rule, hook or spec that the fact is about */
			struct effect (*effect)(struct join *, const struct governor *,
						const struct policy_subject *);
		} *items;
		size_t count, capacity;
	} governors;
};

typedef struct effect (*effect_fn)(struct join *, const struct governor *,
				   const struct policy_subject *);

static bool enforces(const struct fact *f)
{
	return fact_attribute_is(f, "action", "enforce");
}

/* --- one engine each ------------------------------------------------------------------------------- */

/* Policy and binding both narrow. */
static enum policy_reach both(enum policy_reach a, enum policy_reach b)
{
	if (a == POLICY_ELSEWHERE || b == POLICY_ELSEWHERE)
		return POLICY_ELSEWHERE;
	return a == POLICY_REACHES ? b : a;
}

static struct effect admission_effect(struct join *j, const struct governor *g,
				      const struct policy_subject *s)
{
	struct arena *a = &j->world->w->snapshot->arena;
	const struct id_list *list = name_lists_get(
		j->bindings, arena_printf(a, "%s\n%s", g->object->kind, g->object->name));
	const enum policy_reach own =
		policy_match_reaches(k8s_map(g->part, "matchConstraints"), s);
	struct effect best = { POLICY_ELSEWHERE, false };

	for (size_t i = 0; own != POLICY_ELSEWHERE && i < list->count && i < LIMIT_JOINED; i++) {
		const struct node *binding =
			k8s_map(j->world->objects.items[list->items[i]]->node, "spec");
		const struct effect e = {
			both(own, policy_match_reaches(k8s_map(binding, "matchResources"), s)),
			k8s_holds(k8s_seq(binding, "validationActions"), "Deny"),
		};

		if (e.reach > best.reach || (e.reach == best.reach && e.enforces))
			best = e;
	}
	return best;
}

static struct effect hook_effect(struct join *j, const struct governor *g,
				 const struct policy_subject *s)
{
	(void)j;
	return (struct effect){ policy_match_reaches(g->part, s), enforces(g->fact) };
}

static struct effect cel_effect(struct join *j, const struct governor *g,
				const struct policy_subject *s)
{
	(void)j;
	return (struct effect){ policy_match_reaches(k8s_map(g->part, "matchConstraints"), s),
				enforces(g->fact) };
}

/* The first override for the namespace; BASE without one. */
static bool overridden(const struct node *list, const struct policy_subject *s, bool base)
{
	for (uint32_t i = 0; i < node_count(list); i++) {
		const char *action = k8s_text(node_at(list, i), "action");

		if (action && policy_wildcards_hold(k8s_seq(node_at(list, i), "namespaces"),
						    k8s_namespace(s->namespace)))
			return strcasecmp(action, "enforce") == 0;
	}
	return base;
}

static bool exception_names(const struct node *exception, const struct governor *g)
{
	const struct node *list = k8s_seq(exception, "exceptions");
	const char *rule = k8s_text(g->part, "name");

	for (uint32_t i = 0; i < node_count(list); i++) {
		const char *policy = k8s_text(node_at(list, i), "policyName");
		const char *slash = policy ? strchr(policy, '/') : NULL;

		if (policy && strcmp(slash ? slash + 1 : policy, g->object->name) == 0 &&
		    policy_wildcards_hold(k8s_seq(node_at(list, i), "ruleNames"), rule ? rule : ""))
			return true;
	}
	return false;
}

static bool is_excepted(struct join *j, const struct governor *g, const struct policy_subject *s)
{
	const struct id_list *list = k8s_of_kind(j->world, "PolicyException");

	for (size_t i = 0; i < list->count; i++) {
		const struct k8s_object *o = j->world->objects.items[list->items[i]];
		const struct node *spec = k8s_map(o->node, "spec");

		if (!k8s_may_compare(j->world, k8s_near_cost(o) + 16))
			return false;
		if (exception_names(spec, g) && k8s_near(o, g->object) &&
		    policy_kyverno_selects(k8s_map(spec, "match"), s))
			return true;
	}
	return false;
}

static struct effect kyverno_effect(struct join *j, const struct governor *g,
				    const struct policy_subject *s)
{
	const struct node *spec = k8s_map(g->object->node, "spec");
	const struct node *rule_list = k8s_seq(k8s_map(g->part, "validate"), "failureActionOverrides");
	struct effect e = { policy_kyverno_reaches(g->object, g->part, s), enforces(g->fact) };

	e.enforces = overridden(k8s_seq(spec, "validationFailureActionOverrides"), s, e.enforces);
	e.enforces = overridden(rule_list, s, e.enforces);
	if (e.reach == POLICY_REACHES && is_excepted(j, g, s))
		e.reach = POLICY_EXCLUDED;
	return e;
}

/* Gatekeeper's Config takes namespaces out of every constraint. */
static bool is_exempt(struct join *j, const struct governor *g, const struct policy_subject *s)
{
	const struct id_list *list = k8s_of_kind(j->world, "Config");

	for (size_t i = 0; i < list->count; i++) {
		const struct k8s_object *o = j->world->objects.items[list->items[i]];
		const struct node *match = k8s_seq(k8s_map(o->node, "spec"), "match");

		if (strcmp(o->group, "config.gatekeeper.sh") != 0 ||
		    !k8s_may_compare(j->world, k8s_near_cost(o)) || !k8s_near(o, g->object))
			continue;
		for (uint32_t k = 0; k < node_count(match); k++) {
			const struct node *item = node_at(match, k);
			const struct node *processes = k8s_seq(item, "processes");

			if ((k8s_holds(processes, "*") || k8s_holds(processes, "webhook")) &&
			    policy_wildcards_hold(k8s_seq(item, "excludedNamespaces"),
						  k8s_namespace(s->namespace)))
				return true;
		}
	}
	return false;
}

static struct effect gatekeeper_effect(struct join *j, const struct governor *g,
				       const struct policy_subject *s)
{
	struct effect e = { policy_gatekeeper_reaches(k8s_map(g->part, "match"), s),
			    enforces(g->fact) };

	if (e.reach == POLICY_REACHES && is_exempt(j, g, s))
		e.reach = POLICY_EXCLUDED;
	return e;
}

/* --- all that may govern --------------------------------------------------------------------------- */

static void add_governor(struct join *j, const struct k8s_object *o, const struct fact *f,
			 const struct node *part, effect_fn effect)
{
	if (f && fact_attribute_is(f, "bound", "true"))
		*ARENA_PUSH(&j->world->w->snapshot->arena, &j->governors) =
			(struct governor){ o, f, part, effect };
}

/* One fact for each item of LIST that has KEY (NULL: for each), in their order. */
static void add_parts(struct join *j, const struct k8s_object *o, const struct node *list,
		      const char *key, effect_fn effect)
{
	const struct fact *f = row_first(o->row, FACT_POLICY, k8s_layer(o));

	for (uint32_t i = 0; f && i < node_count(list); i++) {
		if (key && !k8s_map(node_at(list, i), key))
			continue;
		add_governor(j, o, f, node_at(list, i), effect);
		f = row_next(o->row, f);
	}
}

static void list_governor(struct join *j, const struct k8s_object *o)
{
	const struct node *spec = k8s_map(o->node, "spec");
	const struct fact *f = row_first(o->row, FACT_POLICY, k8s_layer(o));

	if (strcmp(o->kind, "ValidatingWebhookConfiguration") == 0)
		add_parts(j, o, k8s_seq(o->node, "webhooks"), NULL, hook_effect);
	else if (strcmp(o->kind, "ValidatingAdmissionPolicy") == 0)
		add_governor(j, o, f, spec, admission_effect);
	else if (strcmp(o->group, "constraints.gatekeeper.sh") == 0)
		add_governor(j, o, f, spec, gatekeeper_effect);
	else if (strcmp(o->kind, "ValidatingPolicy") == 0)
		add_governor(j, o, f, spec, cel_effect);
	else if (strcmp(o->group, "kyverno.io") == 0)
		add_parts(j, o, k8s_seq(spec, "rules"), "validate", kyverno_effect);
}

/* --- handing over ------------------------------------------------------------------------------------ */

static bool is_worth_saying(const struct governor *g, const struct effect *e)
{
	if (e->reach == POLICY_ELSEWHERE)
		return false;
	return e->enforces || (e->reach == POLICY_REACHES && enforces(g->fact));
}

static void shape(struct k8s_world *world, struct fact *f, const struct effect *e)
{
	k8s_attribute(world->w, f, "admits", "");
	k8s_attribute(world->w, f, "elsewhere", "true");
	k8s_attribute(world->w, f, "action", e->enforces ? "enforce" : "audit");
	if (e->reach == POLICY_EXCLUDED) {
		k8s_attribute(world->w, f, "bound", "false");
		k8s_attribute(world->w, f, "excluded", "true");
	}
}

static void give_to_namespace(struct join *j, const struct governor *g, struct k8s_object *ns,
			      const struct effect *e)
{
	struct fact *f = snapshot_copy_fact(j->world->w->snapshot, ns->row, g->fact);

	f->layer = k8s_layer(ns);
	shape(j->world, f, e);
}

static void give_to_pod(struct join *j, const struct governor *g, struct k8s_pod *pod,
			const struct effect *e)
{
	k8s_give(j->world, pod, g->fact, (struct span){ 0 }, NULL);
	for (size_t i = 0; !k8s_is_full(pod) && i < pod->rows.count; i++) {
		struct row *r = pod->rows.items[i];

		shape(j->world, r->facts.items[r->facts.count - 1], e);
	}
}

/* O is the namespace, or what POD (else NULL) stands in. */
static void judge(struct join *j, const struct policy_subject *s, struct k8s_object *o,
		  struct k8s_pod *pod)
{
	size_t given = 0;

	for (size_t i = 0; i < j->governors.count && given < LIMIT_JOINED; i++) {
		const struct governor *g = &j->governors.items[i];
		struct effect e;

		if (!k8s_may_compare(j->world, k8s_near_cost(g->object) + 32)) {
			k8s_not_joined(j->world, o);
			return;
		}
		if (g->object == o || !k8s_near(g->object, o))
			continue;
		e = g->effect(j, g, s);
		if (!is_worth_saying(g, &e))
			continue;
		if (pod)
			give_to_pod(j, g, pod, &e);
		else
			give_to_namespace(j, g, o, &e);
		given++;
	}
	if (given == LIMIT_JOINED)
		k8s_too_many(j->world, o);
}

static const struct k8s_object *namespace_of(const struct k8s_world *world, const struct k8s_pod *pod)
{
	const struct id_list *list =
		k8s_named(world, "Namespace", k8s_namespace(pod->object->namespace));

	for (size_t i = 0; i < list->count; i++) {
		const struct k8s_object *o = world->objects.items[list->items[i]];

		if (!k8s_may_compare(world, k8s_near_cost(o)))
			return NULL;
		if (k8s_near(o, pod->object))
			return o;
	}
	return NULL;
}

void k8s_give_policies(struct k8s_world *world, const struct name_lists *bindings)
{
	struct join j = { .world = world, .bindings = bindings };
	const struct id_list *namespaces = k8s_of_kind(world, "Namespace");
	size_t at = 0;

	for (size_t i = 0; i < world->objects.count; i++)
		if (world->objects.items[i]->row)
			list_governor(&j, world->objects.items[i]);
	if (!j.governors.count)
		return;
	for (struct k8s_object *ns; (ns = k8s_next_with_row(world, namespaces, &at));)
		judge(&j, &(struct policy_subject){ ns->name, k8s_map(ns->metadata, "labels"), NULL }, ns,
		      NULL);
	for (size_t p = 0; p < world->pods.count; p++) {
		struct k8s_pod *pod = world->pods.items[p];
		const struct k8s_object *ns = namespace_of(world, pod);
		const struct policy_subject s = { pod->object->namespace,
						  ns ? k8s_map(ns->metadata, "labels") : NULL, pod };

		judge(&j, &s, pod->object, pod);
	}
}

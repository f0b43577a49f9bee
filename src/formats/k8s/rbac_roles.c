/* What aggregates into a role, as the control plane's controller fills it in.
 *
 * Source: rbac/v1 AggregationRule: the rules of every cluster role that a selector picks, those of an
 * aggregated role included, replace the rules in the text.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/rbac_roles.h"

#include <string.h>

#include "model/limits.h"
#include "src/formats/k8s/index.h"
#include "src/formats/k8s/objects.h"

#define TO_BUILT_IN "rbac.authorization.k8s.io/aggregate-to-"

static const struct node *selectors_of(const struct k8s_object *role)
{
	return k8s_seq(k8s_map(role->node, "aggregationRule"), "clusterRoleSelectors");
}

bool role_has_own_rules(const struct k8s_object *role)
{
	return !k8s_get(role->node, "aggregationRule") || role->exported || built_in_role(role->name);
}

static bool picks(const struct k8s_object *role, const struct k8s_object *other)
{
	const struct node *list = selectors_of(role);

	for (uint32_t i = 0; i < node_count(list); i++)
		if (k8s_selects(node_at(list, i), k8s_map(other->metadata, "labels")))
			return true;
	return false;
}

/* The label by which built-in roles aggregate into TARGET. */
static const char *label_of(struct k8s_world *world, const char *target)
{
	return arena_printf(&world->w->snapshot->arena, TO_BUILT_IN "%s", target);
}

/* ROLE, a supplied one, picks built-in roles by the label of TARGET. */
static bool picks_label(struct k8s_world *world, const struct k8s_object *role, const char *target)
{
	const struct node *list = selectors_of(role);

	for (uint32_t i = 0; i < node_count(list); i++) {
		const struct node *match = k8s_map(node_at(list, i), "matchLabels");

		if (node_count(match) == 1 && !k8s_get(node_at(list, i), "matchExpressions") &&
		    node_is(k8s_get(match, label_of(world, target)), "true"))
			return true;
	}
	return false;
}

struct collection {
	struct k8s_world *world;
	const struct id_list *candidates;
	const struct k8s_object *beside; /* whom the parts must meet */
	struct role_parts *parts;
};

static void add_part(struct collection *c, const struct k8s_object *object, const char *built_in,
		     uint32_t parent)
{
	for (size_t i = 0; i < c->parts->count; i++)
		if (c->parts->items[i].object == object && c->parts->items[i].built_in == built_in)
			return;
	if (c->parts->count < LIMIT_RIGHTS)
		*ARENA_PUSH(&c->world->w->snapshot->arena, c->parts) =
			(struct role_part){ object, built_in, parent };
}

static bool takes(struct collection *c, const struct role_part *into, const struct k8s_object *other)
{
	if (into->object)
		return into->object != other && picks(into->object, other);
	return node_is(k8s_get(k8s_map(other->metadata, "labels"),
			       label_of(c->world, into->built_in)), "true");
}

/* False when there were no steps left. */
static bool add_supplied(struct collection *c, uint32_t parent)
{
	for (size_t i = 0; i < c->candidates->count; i++) {
		const struct role_part into = c->parts->items[parent];
		const struct k8s_object *other =
			c->world->objects.items[c->candidates->items[i]];

		if (!k8s_may_compare(c->world, 16 + k8s_near_cost(other)))
			return false;
		if (takes(c, &into, other) && k8s_near(other, c->beside))
			add_part(c, other, NULL, parent);
	}
	return true;
}

static void add_built_in(struct collection *c, uint32_t parent)
{
	const struct role_part into = c->parts->items[parent];
	size_t count;
	const struct built_in_rule *rules = built_in_rules(&count);

	for (size_t i = 0; i < count; i++) {
		const char *target = built_in_target(rules[i].role);

		if (!target || (i && rules[i].role == rules[i - 1].role))
			continue;
		if (into.built_in ? strcmp(target, into.built_in) == 0 :
				    picks_label(c->world, into.object, target))
			add_part(c, NULL, rules[i].role, parent);
	}
}

static void collect(struct collection *c)
{
	for (size_t i = 0; i < c->parts->count; i++) {
		const struct role_part part = c->parts->items[i];

		if (part.object && (part.object->exported || !selectors_of(part.object)))
			continue;
		add_built_in(c, (uint32_t)i);
		if (!add_supplied(c, (uint32_t)i)) {
			k8s_not_joined(c->world, c->beside);
			return;
		}
	}
}

void role_parts_of(struct k8s_world *world, const struct id_list *candidates,
		   const struct k8s_object *role, struct role_parts *out)
{
	struct collection c = { world, candidates, role, out };

	add_part(&c, role, NULL, 0);
	collect(&c);
}

void role_parts_built_in(struct k8s_world *world, const struct id_list *candidates, const char *name,
			 const struct k8s_object *beside, struct role_parts *out)
{
	struct collection c = { world, candidates, beside, out };

	add_part(&c, NULL, name, 0);
	collect(&c);
}

/* --- in short ----------------------------------------------------------------------------------- */

static void summarise_rule(const struct node *rule, struct role_summary *s)
{
	const struct node *verbs = k8s_seq(rule, "verbs"), *resources = k8s_seq(rule, "resources");

	if (!node_count(resources))
		return;
	for (uint32_t v = 0; !s->writes && v < node_count(verbs); v++)
		s->writes = !k8s_word_in(node_text(node_at(verbs, v)), "get list watch");
	s->secrets = s->secrets || k8s_holds(resources, "secrets") || k8s_holds(resources, "*");
}

static bool only_reads(const char *verbs)
{
	while (*verbs) {
		const size_t length = strcspn(verbs, ",");

		if (!(length == 3 && memcmp(verbs, "get", 3) == 0) &&
		    !(length == 4 && memcmp(verbs, "list", 4) == 0) &&
		    !(length == 5 && memcmp(verbs, "watch", 5) == 0))
			return false;
		verbs += length + (verbs[length] == ',');
	}
	return true;
}

static void summarise_built_in(const char *role, struct role_summary *s)
{
	size_t count;
	const struct built_in_rule *rules = built_in_rules(&count);

	for (size_t i = 0; i < count; i++) {
		if (strcmp(rules[i].role, role) != 0 || !rules[i].verbs || rules[i].urls)
			continue;
		s->writes = s->writes || !only_reads(rules[i].verbs);
		s->secrets = s->secrets || strstr(rules[i].resources, "secrets") ||
			     strchr(rules[i].resources, '*');
	}
}

struct role_summary role_summarise(const struct role_parts *parts)
{
	struct role_summary s = { 0 };

	for (size_t i = 0; i < parts->count; i++) {
		const struct role_part *p = &parts->items[i];
		const struct node *list = p->object && role_has_own_rules(p->object) ?
						  k8s_seq(p->object->node, "rules") : NULL;

		for (uint32_t k = 0; k < node_count(list) && !(s.writes && s.secrets); k++)
			summarise_rule(node_at(list, k), &s);
		if (p->built_in)
			summarise_built_in(p->built_in, &s);
	}
	return s;
}

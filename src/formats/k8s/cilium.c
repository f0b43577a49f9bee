/* Cilium's own network policies: which pods they select and which directions they close.
 *
 * Source: Cilium policy language [known]: a policy with an ingress (egress) section puts the selected
 * endpoints into default deny for that direction. Layer 7 and entity rules are read only for "world".
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/objects.h"

#include <stdio.h>
#include <string.h>

#include "src/formats/k8s/index.h"

static bool is_cilium(const struct k8s_object *o)
{
	return o->row && strcmp(o->group, "cilium.io") == 0;
}

bool k8s_is_clusterwide(const struct k8s_object *policy)
{
	return strcmp(policy->kind, "CiliumClusterwideNetworkPolicy") == 0;
}

/* Labels may carry their source: "k8s:app" is "app". */
static const char *bare(const char *key)
{
	if (strncmp(key, "k8s:", 4) == 0 || strncmp(key, "any:", 4) == 0)
		return key + 4;
	return key;
}

static bool is_namespace_key(const char *key)
{
	return strcmp(bare(key), "io.kubernetes.pod.namespace") == 0;
}

/* What a selector asks of one key: a label of the pod, or the namespace it lies in. */
static const char *value_of(const char *key, const struct node *labels, const char *namespace)
{
	if (is_namespace_key(key))
		return k8s_namespace(namespace);
	return k8s_text(labels, bare(key));
}

static bool expressions_match(const struct node *expressions, const struct node *labels,
			      const char *namespace)
{
	for (uint32_t i = 0; i < node_count(expressions); i++) {
		const char *key = k8s_text(node_at(expressions, i), "key");

		if (!key || !k8s_expression_holds(node_at(expressions, i),
						  value_of(key, labels, namespace)))
			return false;
	}
	return true;
}

static bool labels_match(const struct node *match, const struct node *labels,
			 const char *namespace)
{
	for (uint32_t i = 0; i < node_count(match); i++) {
		const char *key = node_text(match->items[i].key);
		const char *want = node_text(match->items[i].value);
		const char *have = key ? value_of(key, labels, namespace) : NULL;

		if (!want || !have || strcmp(want, have) != 0)
			return false;
	}
	return true;
}

static bool selects(const struct k8s_object *o, const struct node *spec, const struct k8s_pod *pod)
{
	const struct node *selector = k8s_map(spec, "endpointSelector");

	if (!selector ||
	    !(k8s_is_clusterwide(o) ? k8s_near(o, pod->object) : k8s_related(o, pod->object)))
		return false;
	if (!labels_match(k8s_map(selector, "matchLabels"), k8s_labels(pod),
			  pod->object->namespace))
		return false;
	return expressions_match(k8s_seq(selector, "matchExpressions"), k8s_labels(pod),
				 pod->object->namespace);
}

static bool asks_of_pods(const struct node *expressions)
{
	for (uint32_t i = 0; i < node_count(expressions); i++) {
		const char *key = k8s_text(node_at(expressions, i), "key");

		if (!key || !is_namespace_key(key))
			return true;
	}
	return false;
}

/* A selector of nothing, or of the namespace only. */
static bool reaches(const struct node *spec, const char *namespace)
{
	const struct node *selector = k8s_map(spec, "endpointSelector");
	const struct node *expressions = k8s_seq(selector, "matchExpressions");

	return selector && !asks_of_pods(expressions) &&
	       expressions_match(expressions, NULL, namespace) &&
	       labels_match(k8s_map(selector, "matchLabels"), NULL, namespace);
}

bool k8s_cilium_reaches(const struct k8s_object *o, const char *namespace)
{
	const struct node *specs = k8s_seq(o->node, "specs");

	if (reaches(k8s_map(o->node, "spec"), namespace))
		return true;
	for (uint32_t s = 0; s < node_count(specs); s++)
		if (reaches(node_at(specs, s), namespace))
			return true;
	return false;
}

struct direction {
	const char *section, *deny, *way; /* "ingress", "ingressDeny", "from" */
};
static const struct direction inward = { "ingress", "ingressDeny", "from" },
			      outward = { "egress", "egressDeny", "to" };

static const struct node *peers_of(const struct node *rule, const struct direction *d,
				   const char *kind)
{
	char key[40];

	snprintf(key, sizeof key, "%s%s", d->way, kind);
	return k8s_seq(rule, key);
}

static bool is_world(const char *cidr)
{
	return cidr && k8s_word_in(cidr, "0.0.0.0/0 ::/0 0.0.0.0/1 128.0.0.0/1");
}

static bool names_world(const struct node *rule, const struct direction *d)
{
	const struct node *entities = peers_of(rule, d, "Entities");
	const struct node *cidrs = peers_of(rule, d, "CIDR"), *sets = peers_of(rule, d, "CIDRSet");
	const struct node *names = peers_of(rule, d, "FQDNs");

	if (k8s_holds(entities, "world") || k8s_holds(entities, "all") ||
	    k8s_holds(entities, "world-ipv4") || k8s_holds(entities, "world-ipv6"))
		return true;
	for (uint32_t i = 0; i < node_count(cidrs); i++)
		if (is_world(node_text(node_at(cidrs, i))))
			return true;
	for (uint32_t i = 0; i < node_count(sets); i++)
		if (is_world(k8s_text(node_at(sets, i), "cidr")) &&
		    !node_count(k8s_seq(node_at(sets, i), "except")))
			return true;
	for (uint32_t i = 0; i < node_count(names); i++)
		if (node_is(k8s_get(node_at(names, i), "matchPattern"), "*") ||
		    node_is(k8s_get(node_at(names, i), "matchPattern"), "**"))
			return true;
	return false;
}

/* Ports without peers are for every peer; a rule without anything is for none. */
static bool leads_anywhere(const struct node *rule, const struct direction *d)
{
	static const char *const kinds[] = { "Endpoints", "Entities", "CIDR",	 "CIDRSet", "FQDNs",
					     "Services",  "Groups",   "Requires", "Nodes" };

	if (names_world(rule, d))
		return true;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (peers_of(rule, d, kinds[i]))
			return false;
	return d == &outward && node_count(k8s_get(rule, "toPorts"));
}

/* enableDefaultDeny: false leaves the direction open whatever the rules say. */
static const char *verdict(const struct node *spec, const struct direction *d)
{
	const struct node *rules = k8s_seq(spec, d->section);

	if ((!rules && !k8s_seq(spec, d->deny)) ||
	    k8s_is_false(k8s_map(spec, "enableDefaultDeny"), d->section))
		return "none";
	for (uint32_t i = 0; i < node_count(rules); i++)
		if (leads_anywhere(node_at(rules, i), d))
			return "open";
	return "restricted";
}

static void describe(struct workspace *w, struct fact *f, const struct node *spec)
{
	const char *out = verdict(spec, &outward), *in = verdict(spec, &inward);
	const bool wide_out = strcmp(out, "open") == 0, wide_in = strcmp(in, "open") == 0;

	k8s_attribute(w, f, "engine", "Cilium");
	k8s_attribute(w, f, "egress", out);
	k8s_attribute(w, f, "ingress", in);
	k8s_attribute(w, f, "wide", wide_out || wide_in ? "true" : "false");
	k8s_attribute(w, f, "wide_egress", wide_out ? "true" : "false");
	if (wide_out)
		k8s_attribute(w, f, "lets_out", "every address");
	else if (wide_in)
		k8s_attribute(w, f, "lets_in", "every address");
}

static const char *label_of(const char *key)
{
	return is_namespace_key(key) ? NULL : bare(key);
}

static bool join_spec(struct k8s_world *world, struct k8s_object *o, const struct node *spec,
		      bool *selected)
{
	const struct node *selector = k8s_map(spec, "endpointSelector");
	const struct id_list *list =
		k8s_candidates(world, k8s_is_clusterwide(o) ? NULL : o->namespace,
			       k8s_map(selector, "matchLabels"), label_of);
	struct fact *f;

	if (!node_is_map(spec))
		return true;
	f = k8s_object_fact(world->w, o, FACT_NETWORK_POLICY, o->name, o->row->span);
	describe(world->w, f, spec);
	for (size_t i = 0; i < list->count; i++) {
		struct k8s_pod *pod = world->pods.items[list->items[i]];

		if (!k8s_may_compare(world, k8s_near_cost(o) + k8s_selector_cost(selector, pod))) {
			k8s_not_joined(world, o);
			return false;
		}
		if (!selects(o, spec, pod))
			continue;
		selected[list->items[i]] = true;
		k8s_give(world, pod, f, (struct span){ 0 }, NULL);
	}
	return true;
}

bool k8s_join_cilium(struct k8s_world *world, bool *selected)
{
	bool complete = true;

	for (size_t i = 0; i < world->objects.count; i++) {
		struct k8s_object *o = world->objects.items[i];
		const struct node *specs = k8s_seq(o->node, "specs");

		if (!is_cilium(o))
			continue;
		complete &= join_spec(world, o, k8s_map(o->node, "spec"), selected);
		for (uint32_t s = 0; s < node_count(specs); s++)
			complete &= join_spec(world, o, node_at(specs, s), selected);
	}
	return complete;
}

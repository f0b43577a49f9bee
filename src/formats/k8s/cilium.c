/* Cilium's own network policies: which pods they select and which directions they close.
 *
 * Source: Cilium policy language [known]: a policy with an ingress (egress) section puts the selected
 * endpoints into default deny for that direction. Layer 7 and entity rules are read only for "world".
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/objects.h"

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

static bool leads_anywhere(const struct node *rule, const char *entities, const char *cidrs)
{
	return k8s_holds(k8s_seq(rule, entities), "world") ||
	       k8s_holds(k8s_seq(rule, entities), "all") ||
	       k8s_holds(k8s_seq(rule, cidrs), "0.0.0.0/0");
}

static const char *verdict(const struct node *spec, const char *section, const char *deny,
			   const char *entities, const char *cidrs)
{
	const struct node *rules = k8s_seq(spec, section);

	if (!rules && !k8s_seq(spec, deny))
		return "none";
	for (uint32_t i = 0; i < node_count(rules); i++)
		if (leads_anywhere(node_at(rules, i), entities, cidrs))
			return "open";
	return "restricted";
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
	k8s_attribute(world->w, f, "engine", "Cilium");
	k8s_attribute(world->w, f, "egress",
		      verdict(spec, "egress", "egressDeny", "toEntities", "toCIDR"));
	k8s_attribute(world->w, f, "ingress",
		      verdict(spec, "ingress", "ingressDeny", "fromEntities", "fromCIDR"));
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

/* Routes and the gateways that they hang on: Gateway API, Istio, Knative, OpenShift, Traefik.
 *
 * Source: Gateway API (parentRefs) and Istio networking (gateways, "mesh") [known]. A route that hangs on
 * no gateway, or on a Service, holds inside the cluster only.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/index.h"
#include "src/formats/k8s/objects.h"

#include <string.h>

static bool is_virtual_service(const struct k8s_object *o)
{
	return strcmp(o->kind, "VirtualService") == 0;
}

static const struct node *parents_of(const struct k8s_object *o)
{
	const struct node *spec = k8s_map(o->node, "spec");

	return k8s_seq(spec, is_virtual_service(o) ? "gateways" : "parentRefs");
}

static bool is_inner(const struct node *parent)
{
	return node_is(parent, "mesh") || node_is(k8s_get(parent, "kind"), "Service");
}

/* A route of the Gateway API without parents is taken up by nobody. */
static bool hangs_on_nothing(const struct k8s_object *o)
{
	const struct node *spec = k8s_map(o->node, "spec");

	return strcmp(o->group, "gateway.networking.k8s.io") == 0 && strcmp(o->kind, "Gateway") != 0 &&
	       (!k8s_get(spec, "parentRefs") || k8s_seq(spec, "parentRefs"));
}

static bool is_mesh(const struct k8s_object *o)
{
	const struct node *list = parents_of(o);

	if (node_is(k8s_get(k8s_map(o->metadata, "labels"), "networking.knative.dev/visibility"),
		    "cluster-local"))
		return true;
	for (uint32_t i = 0; i < node_count(list); i++)
		if (!is_inner(node_at(list, i)))
			return false;
	return node_count(list) || is_virtual_service(o) || hangs_on_nothing(o);
}

void k8s_read_route(struct workspace *w, struct k8s_object *o)
{
	const struct node *spec = k8s_map(o->node, "spec");
	struct fact *f;

	f = k8s_object_fact(w, o, FACT_INGRESS_ROUTE, o->name,
			    k8s_get(o->node, "spec") ? k8s_key(o->node, "spec") : o->row->span);
	k8s_attribute(w, f, "kind", o->kind);
	if (k8s_get(spec, "tls"))
		k8s_attribute(w, f, "tls", "true");
	if (is_mesh(o))
		k8s_attribute(w, f, "mesh", "true");
	k8s_read_snippets(w, o);
}

/* --- joins ------------------------------------------------------------------------------------ */

/* Istio writes "namespace/name" or "name", the Gateway API a map. */
static const char *parent_name(const struct node *parent)
{
	const char *text = node_text(parent), *slash = text ? strrchr(text, '/') : NULL;

	if (!text)
		return k8s_text(parent, "name");
	return slash ? slash + 1 : text;
}

static bool parent_is(const struct node *parent, const struct k8s_object *route,
		      const struct k8s_object *gateway)
{
	const char *text = node_text(parent), *slash = text ? strrchr(text, '/') : NULL;
	const char *namespace = k8s_text(parent, "namespace");
	const size_t length = slash ? (size_t)(slash - text) : 0;

	if (slash && !(length == 1 && *text == '.'))
		return strlen(gateway->namespace) == length &&
		       memcmp(gateway->namespace, text, length) == 0;
	return k8s_same_namespace(namespace ? namespace : route->namespace, gateway->namespace);
}

static const struct k8s_object *gateway_of(const struct k8s_world *world,
					   const struct node *parent,
					   const struct k8s_object *route)
{
	const char *name = parent_name(parent);
	const struct id_list *list = k8s_named(world, "Gateway", name ? name : "");

	for (size_t i = 0; i < list->count; i++) {
		const struct k8s_object *o = world->objects.items[list->items[i]];

		if (!k8s_may_compare(world, k8s_near_cost(o)))
			return NULL;
		if (o->row && parent_is(parent, route, o) && k8s_near(o, route))
			return o;
	}
	return NULL;
}

static void link_gateways(struct k8s_world *world, const struct k8s_object *o, struct fact *f)
{
	const struct node *list = parents_of(o);

	for (uint32_t i = 0; i < node_count(list); i++) {
		const struct node *parent = node_at(list, i);
		const struct k8s_object *gateway;

		if (is_inner(parent) || !parent_name(parent))
			continue;
		gateway = gateway_of(world, parent, o);
		if (gateway)
			snapshot_add_hop(world->w->snapshot, f, gateway->row->span, gateway->name,
					 "gateway");
		else
			f->note = "a gateway of the route is not among the files; an export of it "
				  "tells on which port and for which names it listens";
	}
}

/* --- backends in other namespaces ------------------------------------------------------------- */

static bool grant_is_from(const struct k8s_object *grant, const struct k8s_object *route)
{
	const struct node *list = k8s_seq(k8s_map(grant->node, "spec"), "from");

	for (uint32_t i = 0; i < node_count(list); i++)
		if (node_is(k8s_get(node_at(list, i), "kind"), route->kind) &&
		    k8s_same_namespace(k8s_text(node_at(list, i), "namespace") ?
					       k8s_text(node_at(list, i), "namespace") : "",
				       route->namespace))
			return true;
	return false;
}

static bool is_granted(const struct k8s_world *world, const struct k8s_object *route,
		       const char *namespace)
{
	const struct id_list *list = k8s_of_kind(world, "ReferenceGrant");

	for (size_t i = 0; i < list->count; i++) {
		const struct k8s_object *o = world->objects.items[list->items[i]];

		if (!k8s_may_compare(world, k8s_near_cost(o)))
			return true;
		if (k8s_same_namespace(o->namespace, namespace) && grant_is_from(o, route) &&
		    k8s_near(o, route))
			return true;
	}
	return false;
}

/* A backend in another namespace takes part only when a ReferenceGrant there lets the route name it. */
static void check_grants(const struct k8s_world *world, const struct k8s_object *o, struct fact *f)
{
	const struct node *rules = k8s_seq(k8s_map(o->node, "spec"), "rules");

	for (uint32_t i = 0; i < node_count(rules); i++) {
		const struct node *list = k8s_seq(node_at(rules, i), "backendRefs");

		for (uint32_t k = 0; k < node_count(list); k++) {
			const char *namespace = k8s_text(node_at(list, k), "namespace");

			if (!namespace || k8s_same_namespace(namespace, o->namespace) ||
			    is_granted(world, o, namespace))
				continue;
			f->note = "a backend lies in another namespace, and no supplied ReferenceGrant "
				  "there admits the route; an export of them tells whether it is used";
			return;
		}
	}
}

/* Istio's gateways are pods, chosen by labels in every namespace. */
static void give_to_proxies(struct k8s_world *world, const struct k8s_object *gateway,
			    const struct fact *f)
{
	const struct node *selector = k8s_map(k8s_map(gateway->node, "spec"), "selector");
	const struct id_list *list = k8s_candidates(world, NULL, selector, NULL);

	for (size_t i = 0; node_count(selector) && i < list->count; i++) {
		struct k8s_pod *pod = world->pods.items[list->items[i]];

		if (!k8s_may_compare(world, k8s_near_cost(gateway) +
						    k8s_selector_cost(selector, pod))) {
			k8s_not_joined(world, gateway);
			return;
		}
		if (!k8s_is_full(pod) && k8s_near(gateway, pod->object) &&
		    k8s_labels_hold(selector, k8s_labels(pod)))
			k8s_give(world, pod, f,
				 k8s_key(k8s_map(gateway->node, "spec"), "selector"), "selector");
	}
}

void k8s_join_gateways(struct k8s_world *world)
{
	for (size_t i = 0; i < world->objects.count; i++) {
		const struct k8s_object *o = world->objects.items[i];
		struct fact *f = k8s_route_fact(o);

		if (f && parents_of(o))
			link_gateways(world, o, f);
		if (f && strcmp(o->group, "gateway.networking.k8s.io") == 0)
			check_grants(world, o, f);
		if (f && strcmp(o->group, "networking.istio.io") == 0 &&
		    strcmp(o->kind, "Gateway") == 0)
			give_to_proxies(world, o, f);
	}
}

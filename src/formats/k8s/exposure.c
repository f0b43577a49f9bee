/* Services and routes: what leads to pods from outside, and which pods.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/objects.h"

#include <string.h>

/* Annotations that keep a load balancer inside the provider's network. */
static bool is_internal(const struct k8s_object *o)
{
	static const char *const keys[] = {
		"service.beta.kubernetes.io/aws-load-balancer-internal",
		"service.beta.kubernetes.io/azure-load-balancer-internal",
		"networking.gke.io/load-balancer-type",
		"cloud.google.com/load-balancer-type",
		"service.kubernetes.io/qcloud-loadbalancer-internal-subnetid",
		"service.beta.kubernetes.io/alibaba-cloud-loadbalancer-address-type",
		"service.beta.kubernetes.io/openstack-internal-load-balancer",
		"service.kubernetes.io/ibm-load-balancer-cloud-provider-ip-type",
	};
	const struct node *map = k8s_map(o->metadata, "annotations");
	const char *scheme =
		k8s_text(map, "service.beta.kubernetes.io/aws-load-balancer-scheme");

	if (scheme && strcmp(scheme, "internal") == 0)
		return true;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const char *value = k8s_text(map, keys[i]);

		if (value && !k8s_word_in(value, "false External external internet public"))
			return true;
	}
	return false;
}

static struct span service_place(const struct k8s_object *o, const struct node *spec)
{
	if (k8s_get(spec, "type"))
		return k8s_place(spec, "type");
	return o->row->span;
}

/* The ports of the pods behind it; 22 first, since one attribute holds one number for rules. */
static void read_targets(struct workspace *w, struct fact *f, const struct node *ports)
{
	const char *first = NULL;

	for (uint32_t i = 0; i < node_count(ports); i++) {
		const struct node *item = node_at(ports, i);
		const char *target = k8s_text(item, "targetPort");

		if (!target)
			target = k8s_text(item, "port");
		if (target && (!first || strcmp(target, "22") == 0))
			first = target;
	}
	k8s_attribute(w, f, "target", first);
}

void k8s_read_service(struct workspace *w, struct k8s_object *o)
{
	const struct node *spec = k8s_map(o->node, "spec");
	const char *type = k8s_text(spec, "type");
	const struct node *ips = k8s_seq(spec, "externalIPs");
	struct fact *f;

	f = k8s_object_fact(w, o, FACT_SERVICE, o->name, service_place(o, spec));
	k8s_attribute(w, f, "type", type ? type : "ClusterIP");
	if (node_count(ips)) {
		k8s_attribute(w, f, "external", k8s_joined(w, ips, ","));
		snapshot_add_hop(w->snapshot, f, k8s_key(spec, "externalIPs"), NULL, "address");
	}
	read_targets(w, f, k8s_seq(spec, "ports"));
	if (is_internal(o))
		k8s_attribute(w, f, "internal", "true");
	if (node_count(k8s_seq(spec, "loadBalancerSourceRanges")))
		k8s_attribute(w, f, "ranges",
			      k8s_joined(w, k8s_seq(spec, "loadBalancerSourceRanges"), ","));
	if (k8s_templated(w, k8s_get(spec, "type")))
		f->provenance = PROVENANCE_TEMPLATED;
}

/* Annotations whose value reaches the controller's configuration as text: characters that end a directive
 * put more of it in (CVE-2025-1097, CVE-2025-1098, CVE-2025-24514). */
static bool injects(const char *key, const char *value)
{
	static const char *const places[] = { "/auth-url", "/auth-signin", "/auth-tls-match-cn",
					      "/mirror-target", "/mirror-host" };

	for (size_t i = 0; value && i < sizeof places / sizeof *places; i++)
		if (strstr(key, places[i]) && strpbrk(value, "\n\r;#{}|`\"\\"))
			return true;
	return false;
}

static void read_snippets(struct workspace *w, struct k8s_object *o)
{
	const struct node *map = k8s_map(o->metadata, "annotations");

	for (uint32_t i = 0; i < node_count(map); i++) {
		const char *key = node_text(map->items[i].key);
		struct fact *f;

		if (!key || !strstr(key, "nginx") ||
		    !(strstr(key, "snippet") || injects(key, node_text(map->items[i].value))))
			continue;
		f = k8s_object_fact(w, o, FACT_INGRESS_ROUTE, o->name, map->items[i].key->span);
		k8s_attribute(w, f, "kind", o->kind);
		k8s_attribute(w, f, "snippet", "true");
		k8s_attribute(w, f, "name", key);
	}
}

void k8s_read_ingress(struct workspace *w, struct k8s_object *o)
{
	const struct node *spec = k8s_map(o->node, "spec"), *tls = k8s_seq(spec, "tls");
	struct fact *f;

	f = k8s_object_fact(w, o, FACT_INGRESS_ROUTE, o->name,
			    k8s_get(o->node, "spec") ? k8s_key(o->node, "spec") : o->row->span);
	k8s_attribute(w, f, "kind", "Ingress");
	k8s_attribute(w, f, "tls", node_count(tls) ? "true" : "false");
	read_snippets(w, o);
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
	read_snippets(w, o);
}

/* --- joins ------------------------------------------------------------------------------------ */

static bool selects(const struct k8s_object *service, const struct k8s_pod *pod)
{
	const struct node *selector = k8s_map(k8s_map(service->node, "spec"), "selector");

	if (!node_count(selector) || !k8s_related(service, pod->object))
		return false;
	for (uint32_t i = 0; i < selector->count; i++) {
		const char *key = node_text(selector->items[i].key);
		const char *want = node_text(selector->items[i].value);
		const char *have = key ? k8s_text(k8s_labels(pod), key) : NULL;

		if (!want || !have || strcmp(want, have) != 0)
			return false;
	}
	return true;
}

/* What a route may call a service: its name, and whether the name alone, or the name with the namespace and
 * perhaps the cluster's domain behind it, is meant. */
struct callee {
	const char *name, *namespace;
	bool beside; /* the route lies in the service's namespace */
};

/* "web", "web.shop", "web.shop.svc", "web.shop.svc.cluster.local". */
static bool host_names(const struct node *host, const struct callee *c)
{
	const char *text = node_text(host);
	const size_t name = strlen(c->name), namespace = strlen(c->namespace);

	if (!text || strncmp(text, c->name, name) != 0)
		return false;
	text += name;
	if (!*text)
		return c->beside;
	if (*text != '.' || strncmp(text + 1, c->namespace, namespace) != 0)
		return false;
	text += 1 + namespace;
	return !*text || strcmp(text, ".svc") == 0 || strncmp(text, ".svc.", 5) == 0;
}

/* A reference by name means the route's own namespace unless it has another in it. */
static bool reference_names(const struct node *reference, const struct callee *c)
{
	const char *namespace = k8s_text(reference, "namespace");

	return node_is(k8s_get(reference, "name"), c->name) &&
	       (namespace ? k8s_same_namespace(namespace, c->namespace) : c->beside);
}

static bool is_backend(const struct node *at, const struct callee *c)
{
	if (host_names(k8s_get(k8s_map(at, "destination"), "host"), c))
		return true;
	if (c->beside && node_is(k8s_get(at, "serviceName"), c->name))
		return true;
	return reference_names(k8s_map(at, "service"), c) ||
	       ((k8s_get(at, "port") || node_is(k8s_get(at, "kind"), "Service")) &&
		reference_names(at, c));
}

/* The walk visits every map of a route; a backend is one that names a service. */
static bool names_service(const struct node *n, const struct callee *c, unsigned *budget)
{
	struct {
		const struct node *items[64];
		size_t count;
	} open = { .items = { n }, .count = 1 };

	while (open.count && (*budget)-- > 0) {
		const struct node *at = open.items[--open.count];

		if (node_is_map(at) && is_backend(at, c))
			return true;
		for (uint32_t i = 0; at && i < at->count && open.count < 64; i++) {
			const struct node *child = node_resolve(at->items[i].value);

			if (child && (child->kind == NODE_MAP || child->kind == NODE_SEQ))
				open.items[open.count++] = child;
		}
	}
	return false;
}

static void join_routes(struct k8s_world *world, const struct k8s_object *service,
			struct k8s_pod *pod)
{
	for (size_t i = 0; i < world->objects.count; i++) {
		const struct k8s_object *o = world->objects.items[i];
		const struct fact *f = o->row ? row_first(o->row, FACT_INGRESS_ROUTE,
							  o->exported ? LAYER_OBSERVED :
									LAYER_DECLARED) :
						NULL;
		const struct callee callee = {
			.name = service->name,
			.namespace = *service->namespace ? service->namespace : "default",
			.beside = k8s_same_namespace(o->namespace, service->namespace),
		};
		unsigned budget = 2000;

		if (f && k8s_near(o, service) &&
		    names_service(k8s_map(o->node, "spec"), &callee, &budget))
			k8s_give(world, pod, f, service->row->span, "service");
	}
}

void k8s_join_services(struct k8s_world *world)
{
	for (size_t i = 0; i < world->objects.count; i++) {
		const struct k8s_object *o = world->objects.items[i];

		if (!o->row || strcmp(o->kind, "Service") != 0)
			continue;
		for (size_t p = 0; p < world->pods.count; p++) {
			struct k8s_pod *pod = world->pods.items[p];

			if (!selects(o, pod) || !o->row->facts.count)
				continue;
			k8s_give(world, pod, o->row->facts.items[0],
				 k8s_key(k8s_map(o->node, "spec"), "selector"), "selector");
			join_routes(world, o, pod);
		}
	}
}

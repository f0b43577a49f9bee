/* Services and routes: what leads to pods from outside, and which pods.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/objects.h"

#include <string.h>

#include "src/formats/k8s/index.h"

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

/* As a field, or as the annotation that came before it. */
static const char *source_ranges(struct workspace *w, const struct k8s_object *o)
{
	const struct node *list = k8s_seq(k8s_map(o->node, "spec"), "loadBalancerSourceRanges");
	const char *annotation =
		k8s_text(k8s_map(o->metadata, "annotations"),
			 "service.beta.kubernetes.io/load-balancer-source-ranges");

	if (node_count(list))
		return k8s_joined(w, list, ",");
	return annotation && *annotation ? annotation : NULL;
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
	if (source_ranges(w, o))
		k8s_attribute(w, f, "ranges", source_ranges(w, o));
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

void k8s_read_snippets(struct workspace *w, struct k8s_object *o)
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

/* "a.example" by itself or by "*.example", which stands for one label. */
static bool host_matches(const char *pattern, const char *host)
{
	const char *dot = strchr(host, '.');

	if (!pattern || strcmp(pattern, host) == 0)
		return pattern != NULL;
	return strncmp(pattern, "*.", 2) == 0 && dot && strcmp(pattern + 1, dot) == 0;
}

/* An entry without hosts holds for all of them. */
static bool has_certificate(const struct node *tls, const char *host)
{
	for (uint32_t i = 0; i < node_count(tls); i++) {
		const struct node *hosts = k8s_seq(node_at(tls, i), "hosts");

		if (!node_count(hosts))
			return true;
		for (uint32_t k = 0; k < node_count(hosts); k++)
			if (host_matches(node_text(node_at(hosts, k)), host))
				return true;
	}
	return false;
}

/* A host of the rules for which no TLS entry stands, or NULL. */
static const char *plain_host(struct workspace *w, const struct node *spec)
{
	const struct node *rules = k8s_seq(spec, "rules"), *tls = k8s_seq(spec, "tls");

	for (uint32_t i = 0; node_count(tls) && i < node_count(rules); i++) {
		const struct node *host = k8s_get(node_at(rules, i), "host");

		if (node_text(host) && *node_text(host) && !k8s_templated(w, host) &&
		    !has_certificate(tls, node_text(host)))
			return node_text(host);
	}
	return NULL;
}

/* Controllers of clouds take the certificate from an annotation. */
static bool names_certificate(const struct node *annotations)
{
	static const char *const keys[] = {
		"networking.gke.io/managed-certificates", "ingress.gcp.kubernetes.io/pre-shared-cert",
		"alb.ingress.kubernetes.io/certificate-arn",
		"appgw.ingress.kubernetes.io/appgw-ssl-certificate",
		"service.beta.kubernetes.io/aws-load-balancer-ssl-cert",
	};

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (k8s_text(annotations, keys[i]) && *k8s_text(annotations, keys[i]))
			return true;
	return false;
}

void k8s_read_ingress(struct workspace *w, struct k8s_object *o)
{
	const struct node *spec = k8s_map(o->node, "spec"), *tls = k8s_seq(spec, "tls");
	const char *plain = plain_host(w, spec);
	struct fact *f;

	f = k8s_object_fact(w, o, FACT_INGRESS_ROUTE, o->name,
			    k8s_get(o->node, "spec") ? k8s_key(o->node, "spec") : o->row->span);
	k8s_attribute(w, f, "kind", "Ingress");
	if (names_certificate(k8s_map(o->metadata, "annotations")))
		plain = NULL, f->note = "an annotation names the certificate";
	k8s_attribute(w, f, "tls", (node_count(tls) && !plain) || f->note ? "true" : "false");
	if (plain)
		k8s_attribute(w, f, "plain_host", plain);
	k8s_read_snippets(w, o);
}

/* --- joins ------------------------------------------------------------------------------------ */

static bool selects(const struct k8s_object *service, const struct node *selector,
		    const struct k8s_pod *pod)
{
	return k8s_related(service, pod->object) && k8s_labels_hold(selector, k8s_labels(pod));
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
	if (c->beside && (node_is(k8s_get(at, "serviceName"), c->name) ||
			  node_is(k8s_get(at, "configurationName"), c->name)))
		return true;
	return reference_names(k8s_map(at, "service"), c) ||
	       ((k8s_get(at, "port") || node_is(k8s_get(at, "kind"), "Service")) &&
		reference_names(at, c));
}

/* A walk over the maps and lists of a route, a bounded number of each. */
#define ROUTE_NODES 2000u
#define ROUTE_OPEN 64u

struct visit {
	const struct node *open[ROUTE_OPEN];
	size_t count;
	unsigned left;
};

static void visit_start(struct visit *v, const struct node *n)
{
	*v = (struct visit){ .open = { n }, .count = 1, .left = ROUTE_NODES };
}

static const struct node *visit_next(struct visit *v)
{
	const struct node *at;

	do {
		if (!v->count || !v->left)
			return NULL;
		v->left--;
		at = v->open[--v->count];
	} while (!at);
	for (uint32_t i = 0; i < at->count && v->count < ROUTE_OPEN; i++) {
		const struct node *child = node_resolve(at->items[i].value);

		if (child && (child->kind == NODE_MAP || child->kind == NODE_SEQ))
			v->open[v->count++] = child;
	}
	return at;
}

/* A backend is a map that names a service. */
static bool names_service(const struct node *n, const struct callee *c)
{
	struct visit v;

	visit_start(&v, n);
	for (const struct node *at; (at = visit_next(&v));)
		if (node_is_map(at) && is_backend(at, c))
			return true;
	return false;
}

/* --- which routes may lead to a service -------------------------------------------------------- */

struct routes {
	struct k8s_world *world;
	struct name_lists by_name; /* what a route calls services, also up to the first dot → routes */
	struct buf name;
};

static void list_name(struct routes *routes, const struct node *n, uint32_t route)
{
	const char *text = node_text(n);

	if (!text)
		return;
	name_lists_add(&routes->world->w->snapshot->arena, &routes->by_name, text, route);
	if (!strchr(text, '.'))
		return;
	buf_clear(&routes->name);
	buf_add(&routes->name, text, strcspn(text, "."));
	name_lists_add(&routes->world->w->snapshot->arena, &routes->by_name,
		      buf_text(&routes->name), route);
}

/* Every place in which is_backend() looks for a name. */
static void list_backends(struct routes *routes, const struct node *at, uint32_t route)
{
	list_name(routes, k8s_get(k8s_map(at, "destination"), "host"), route);
	list_name(routes, k8s_get(at, "serviceName"), route);
	list_name(routes, k8s_get(at, "configurationName"), route);
	list_name(routes, k8s_get(k8s_map(at, "service"), "name"), route);
	list_name(routes, k8s_get(at, "name"), route);
}

struct fact *k8s_route_fact(const struct k8s_object *o)
{
	return o->row ? row_first_mutable(o->row, FACT_INGRESS_ROUTE, k8s_layer(o)) : NULL;
}

static void list_routes(struct routes *routes)
{
	const struct k8s_world *world = routes->world;

	for (size_t i = 0; i < world->objects.count; i++) {
		struct visit v = { 0 };

		if (!k8s_route_fact(world->objects.items[i]))
			continue;
		visit_start(&v, k8s_map(world->objects.items[i]->node, "spec"));
		for (const struct node *at; (at = visit_next(&v));)
			if (node_is_map(at))
				list_backends(routes, at, (uint32_t)i);
	}
}

/* The routes that lead to SERVICE; false when there were no steps left to find all. */
static bool routes_of(const struct routes *routes, const struct k8s_object *service,
		      struct id_list *found)
{
	const struct k8s_world *world = routes->world;
	const struct id_list *list = name_lists_get(&routes->by_name, service->name);

	for (size_t i = 0; i < list->count; i++) {
		const struct k8s_object *o = world->objects.items[list->items[i]];
		const struct callee callee = {
			.name = service->name,
			.namespace = k8s_namespace(service->namespace),
			.beside = k8s_same_namespace(o->namespace, service->namespace),
		};

		if (!k8s_may_compare(world, ROUTE_NODES / 16 + k8s_near_cost(o)))
			return false;
		if (k8s_near(o, service) && names_service(k8s_map(o->node, "spec"), &callee))
			*ARENA_PUSH(&world->w->snapshot->arena, found) = list->items[i];
	}
	return true;
}

static void give_routes(struct k8s_world *world, struct span service, struct k8s_pod *pod,
			const struct id_list *found)
{
	for (size_t i = 0; i < found->count && !k8s_is_full(pod); i++)
		k8s_give(world, pod, k8s_route_fact(world->objects.items[found->items[i]]),
			 service, "service");
}

static void join_service(const struct routes *routes, const struct k8s_object *o)
{
	struct k8s_world *world = routes->world;
	const struct node *spec = k8s_map(o->node, "spec");
	/* A name for something elsewhere leads to no pod, whatever it selects. */
	const struct node *selector =
		node_is(k8s_get(spec, "type"), "ExternalName") ? NULL : k8s_map(spec, "selector");
	const struct id_list *list = k8s_candidates(world, o->namespace, selector, NULL);
	struct id_list found = { 0 };
	bool searched = false, complete = true;

	for (size_t p = 0; node_count(selector) && complete && p < list->count; p++) {
		struct k8s_pod *pod = world->pods.items[list->items[p]];

		complete = k8s_may_compare(world, k8s_is_full(pod) ?
							  1 :
							  k8s_near_cost(o) +
								  k8s_selector_cost(selector, pod));
		if (!complete || k8s_is_full(pod) || !selects(o, selector, pod))
			continue;
		if (!searched)
			complete = routes_of(routes, o, &found);
		searched = true;
		k8s_give(world, pod, o->row->facts.items[0],
			 k8s_key(k8s_map(o->node, "spec"), "selector"), "selector");
		give_routes(world, o->row->span, pod, &found);
	}
	if (!complete)
		k8s_not_joined(world, o);
}

static bool is_knative(const struct k8s_object *o, const char *kind)
{
	return strcmp(o->group, "serving.knative.dev") == 0 && strcmp(o->kind, kind) == 0;
}

/* A Knative Service is workload and route in one: the network layer publishes it unless a label keeps it in
 * the cluster. Source: serving.knative.dev/v1 [known]. */
static void publish(struct k8s_world *world, struct k8s_pod *pod)
{
	const struct k8s_object *o = pod->object;
	const char *visibility = k8s_text(k8s_map(o->metadata, "labels"),
					  "networking.knative.dev/visibility");

	for (size_t i = 0; i < pod->rows.count; i++) {
		struct fact *f = snapshot_add_fact(world->w->snapshot, pod->rows.items[i],
						   FACT_INGRESS_ROUTE, o->name,
						   k8s_place(o->node, "kind"));

		f->layer = pod->layer;
		k8s_attribute(world->w, f, "kind", "Knative Service");
		if (visibility && strcmp(visibility, "cluster-local") == 0)
			k8s_attribute(world->w, f, "mesh", "true");
	}
}

static void join_knative(const struct routes *routes, struct k8s_pod *pod)
{
	const struct k8s_object *o = pod->object;
	struct id_list found = { 0 };

	if (is_knative(o, "Service"))
		publish(routes->world, pod);
	else if (!is_knative(o, "Configuration"))
		return;
	if (!routes_of(routes, o, &found))
		k8s_not_joined(routes->world, o);
	give_routes(routes->world, k8s_place(o->metadata, "name"), pod, &found);
}

void k8s_join_services(struct k8s_world *world)
{
	const struct id_list *services = k8s_of_kind(world, "Service");
	struct routes routes = { .world = world };
	size_t at = 0;

	list_routes(&routes);
	for (const struct k8s_object *o; (o = k8s_next_with_row(world, services, &at));)
		join_service(&routes, o);
	for (size_t i = 0; i < world->pods.count; i++)
		join_knative(&routes, world->pods.items[i]);
	buf_free(&routes.name);
}

/* Custom resources that hold settings of a pod but no containers: an operator makes the pod of them.
 *
 * Such a resource is told by what stands in its spec, not by its kind (Prometheus and Alertmanager keep an
 * image, an account and a securityContext there). It is read as the pod spec that it speaks of, with one
 * container; whatever it does not say is the operator's to decide and therefore not known.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/operated.h"

#include <ctype.h>
#include <string.h>

/* Keys of such a spec, and how much each tells of a pod. */
static const struct sign {
	const char *key;
	enum node_kind kind;
	unsigned weight;
} signs[] = {
	{ "image", NODE_SCALAR, 2 },		 { "imageName", NODE_SCALAR, 2 },
	{ "podMetadata", NODE_MAP, 2 },		 { "serviceAccountName", NODE_SCALAR, 1 },
	{ "serviceAccount", NODE_SCALAR, 1 },	 { "securityContext", NODE_MAP, 1 },
	{ "podSecurityContext", NODE_MAP, 1 },	 { "resources", NODE_MAP, 1 },
	{ "replicas", NODE_SCALAR, 1 },		 { "instances", NODE_SCALAR, 1 },
	{ "nodeSelector", NODE_MAP, 1 },	 { "tolerations", NODE_SEQ, 1 },
	{ "affinity", NODE_MAP, 1 },		 { "version", NODE_SCALAR, 1 },
	{ "volumes", NODE_SEQ, 1 },		 { "volumeMounts", NODE_SEQ, 1 },
	{ "imagePullSecrets", NODE_SEQ, 1 },
};

/* Less is also what resources hold that only act for an account, or scale somebody else's pods. */
#define ENOUGH 3u

static bool is_custom(const struct k8s_object *o)
{
	size_t length = strlen(o->kind);

	return strchr(o->group, '.') && !strstr(o->group, ".k8s.io") &&
	       !(length > 4 && strcmp(o->kind + length - 4, "List") == 0);
}

bool k8s_is_operated(const struct k8s_object *o)
{
	const struct node *spec = k8s_map(o->node, "spec");
	unsigned weight = 0;

	if (!is_custom(o) || !node_is_map(spec))
		return false;
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
		const struct node *n = k8s_get(spec, signs[i].key);

		weight += n && n->kind == signs[i].kind ? signs[i].weight : 0;
	}
	return weight >= ENOUGH;
}

static void add(struct arena *a, struct node *map, const struct node *place, const char *key,
		const struct node *value)
{
	struct node *copy = ARENA_NEW(a, struct node), *k = ARENA_NEW(a, struct node);

	*copy = *value;
	*k = (struct node){ .kind = NODE_SCALAR,
			    .text = key,
			    .text_length = (uint32_t)strlen(key),
			    .span = node_key_span(place) };
	map->items[map->count++] = (struct node_item){ k, copy };
}

/* Copies the pairs of FROM whose keys are KEYS, with the places that they have there. */
static void take(struct node *map, const struct node *from, const char *const *keys, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct node_item *item = node_find(from, keys[i]);

		if (item)
			map->items[map->count++] = *item;
	}
}

static const char *lower(struct arena *a, const char *kind)
{
	char *copy = arena_strdup(a, kind);

	for (char *p = copy; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return copy;
}

/* A securityContext with settings that only containers have is the container's. */
static bool is_of_container(const struct node *security)
{
	return k8s_get(security, "privileged") || k8s_get(security, "capabilities") ||
	       k8s_get(security, "allowPrivilegeEscalation") ||
	       k8s_get(security, "readOnlyRootFilesystem");
}

static struct node *new_map(struct arena *a, const struct node *like, size_t room)
{
	struct node *map = ARENA_NEW(a, struct node);

	*map = *like;
	map->items = arena_array(a, room, sizeof *map->items);
	map->count = 0;
	return map;
}

static struct node *container_of(struct arena *a, const struct k8s_object *o,
				       const struct node *spec)
{
	static const char *const keys[] = { "image", "imagePullPolicy", "resources", "env", "envFrom",
					    "volumeMounts", "ports" };
	struct node *map = new_map(a, spec, sizeof keys / sizeof *keys + 3);
	const struct node *kind = k8s_get(o->node, "kind");
	const struct node *security = k8s_map(spec, "securityContext");
	struct node name = kind ? *kind : *spec;

	name.kind = NODE_SCALAR;
	name.text = lower(a, o->kind);
	name.text_length = (uint32_t)strlen(name.text);
	add(a, map, kind ? kind : spec, "name", &name);
	if (!k8s_get(spec, "image") && k8s_get(spec, "imageName"))
		add(a, map, k8s_get(spec, "imageName"), "image", k8s_get(spec, "imageName"));
	if (is_of_container(security))
		add(a, map, security, "securityContext", security);
	take(map, spec, keys, sizeof keys / sizeof *keys);
	return map;
}

const struct node *k8s_operated_spec(struct workspace *w, const struct k8s_object *o)
{
	static const char *const keys[] = {
		"serviceAccountName", "automountServiceAccountToken", "hostNetwork", "hostPID", "hostIPC",
		"hostUsers", "imagePullSecrets", "nodeSelector", "volumes", "hostAliases", "dnsPolicy",
		"priorityClassName", "runtimeClassName", "initContainers",
	};
	struct arena *a = &w->snapshot->arena;
	const struct node *spec = k8s_map(o->node, "spec"), *more = k8s_seq(spec, "containers");
	const struct node *account = k8s_get(spec, "serviceAccount");
	const struct node *security = k8s_map(spec, "podSecurityContext");
	struct node *map = new_map(a, spec, sizeof keys / sizeof *keys + 4), *list;

	list = new_map(a, spec, node_count(more) + 1u);
	list->kind = NODE_SEQ;
	list->items[list->count++].value = container_of(a, o, spec);
	/* Without an image an item only changes a container of the operator. */
	for (uint32_t i = 0; i < node_count(more); i++)
		if (k8s_get(node_at(more, i), "image"))
			list->items[list->count++].value = more->items[i].value;
	add(a, map, spec, "containers", list);
	if (!security && !is_of_container(k8s_map(spec, "securityContext")))
		security = k8s_map(spec, "securityContext");
	if (security)
		add(a, map, security, "securityContext", security);
	if (account && account->kind == NODE_SCALAR && !k8s_get(spec, "serviceAccountName"))
		add(a, map, account, "serviceAccountName", account);
	take(map, spec, keys, sizeof keys / sizeof *keys);
	return map;
}

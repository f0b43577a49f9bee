/* Files that a container finds through ConfigMaps: scripts among them are read like scripts of the tree.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/objects.h"

#include <string.h>

#define KEYS_MAX 64u /* of one ConfigMap, for one mount */

/* One mount of one volume. */
struct reading {
	struct k8s_world *world;
	const struct k8s_pod *pod;
	const struct row *row;
	const char *target, *subpath; /* SUBPATH: only this file, and TARGET is its own path */
};

/* The path under which ITEMS (NULL: every key under its own name) shows KEY; NULL when it does not. */
static const char *shown_as(const struct node *items, const char *key)
{
	if (!items)
		return key;
	for (uint32_t i = 0; i < node_count(items); i++) {
		const char *name = k8s_text(node_at(items, i), "key");

		if (name && strcmp(name, key) == 0)
			return k8s_text(node_at(items, i), "path");
	}
	return NULL;
}

static void add_keys(const struct reading *r, const struct node *source, const char *name)
{
	struct workspace *w = r->world->w;
	const struct k8s_object *o =
		name ? k8s_find_object(r->world, "ConfigMap", name, r->pod->object) : NULL;
	const struct node *data = o ? k8s_map(o->node, "data") : NULL;

	for (uint32_t i = 0; i < node_count(data) && i < KEYS_MAX; i++) {
		const char *key = node_text(data->items[i].key);
		const struct node *value = node_resolve(data->items[i].value);
		const char *path = key ? shown_as(k8s_seq(source, "items"), key) : NULL;

		if (!path || !node_text(value))
			continue;
		if (r->subpath && strcmp(r->subpath, path) != 0)
			continue;
		seen_add(w, r->row,
			 r->subpath ? r->target
				    : arena_printf(&w->snapshot->arena, "%s%s%s", r->target,
						   r->target[strlen(r->target) - 1] == '/' ? "" : "/",
						   path),
			 node_text(value), value->span);
	}
}

static void read_mount(struct k8s_world *world, const struct k8s_pod *pod, const struct row *row,
		       const struct fact *mount)
{
	const struct reading r = { world, pod, row, fact_attribute(mount, "target"),
				   fact_attribute(mount, "subpath") };
	const struct node *volume = k8s_volume(pod, fact_attribute(mount, "volume"));
	const struct node *map = k8s_map(volume, "configMap");
	const struct node *list = k8s_seq(k8s_map(volume, "projected"), "sources");

	if (!r.target || r.target[0] != '/')
		return;
	if (map)
		add_keys(&r, map, k8s_text(map, "name"));
	for (uint32_t i = 0; i < node_count(list); i++) {
		map = k8s_map(node_at(list, i), "configMap");
		if (map)
			add_keys(&r, map, k8s_text(map, "name"));
	}
}

void k8s_join_mounted_texts(struct k8s_world *world)
{
	for (size_t p = 0; p < world->pods.count; p++) {
		const struct k8s_pod *pod = world->pods.items[p];

		for (size_t i = 0; i < pod->rows.count; i++) {
			const struct row *row = pod->rows.items[i];
			const struct fact *f = row_first(row, FACT_MOUNT, LAYER_DECLARED);

			for (; f; f = row_next(row, f))
				if (fact_attribute_is(f, "type", "configMap") ||
				    fact_attribute_is(f, "type", "projected"))
					read_mount(world, pod, row, f);
		}
	}
}

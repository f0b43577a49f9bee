/* Claims followed to volumes: a hostPath behind a PersistentVolumeClaim is a host mount of the pod.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/index.h"
#include "src/formats/k8s/objects.h"

#include <string.h>

/* The volume that CLAIM names, or the one that names the claim. */
static const struct k8s_object *volume_of(const struct k8s_world *world,
					  const struct name_lists *claimed,
					  const struct k8s_object *claim)
{
	const char *wanted = k8s_text(k8s_map(claim->node, "spec"), "volumeName");

	const struct id_list *list = wanted ? k8s_named(world, "PersistentVolume", wanted) :
					      name_lists_get(claimed, claim->name);

	for (size_t i = 0; i < list->count; i++) {
		const struct k8s_object *o = world->objects.items[list->items[i]];

		if (!k8s_may_compare(world, k8s_near_cost(o))) {
			k8s_not_joined(world, claim);
			return NULL;
		}
		if (k8s_near(o, claim))
			return o;
	}
	return NULL;
}

static void follow(struct k8s_world *world, const struct name_lists *claimed, struct k8s_pod *pod,
		   struct row *r, struct fact *mount)
{
	struct workspace *w = world->w;
	const struct k8s_object *claim = k8s_find_object(world, "PersistentVolumeClaim",
							 fact_attribute(mount, "source"),
							 pod->object);
	const struct k8s_object *volume = claim ? volume_of(world, claimed, claim) : NULL;
	const struct fact *host =
		volume && volume->row ? row_first(volume->row, FACT_MOUNT, k8s_layer(volume)) : NULL;
	struct fact *f;

	if (!host)
		return;
	f = snapshot_copy_fact(w->snapshot, r, host);
	f->layer = pod->layer;
	f->value = arena_printf(&w->snapshot->arena, "%s:%s", fact_attribute(host, "source"),
				fact_attribute(mount, "target"));
	k8s_attribute(w, f, "target", fact_attribute(mount, "target"));
	k8s_attribute(w, f, "read_only", fact_attribute(mount, "read_only"));
	snapshot_add_hop(w->snapshot, f, claim->row ? claim->row->span : mount->span, claim->name,
			 "claim");
	snapshot_add_hop(w->snapshot, f, mount->span, mount->value, "mount");
}

/* Volumes by the name of the claim that they are kept for. */
static void list_claimed(struct k8s_world *world, struct name_lists *claimed)
{
	const struct id_list *volumes = k8s_of_kind(world, "PersistentVolume");

	for (size_t i = 0; i < volumes->count; i++) {
		const struct k8s_object *o = world->objects.items[volumes->items[i]];
		const char *name = node_text(node_path(o->node, "spec", "claimRef", "name", NULL));

		if (name)
			name_lists_add(&world->w->snapshot->arena, claimed, name,
				      volumes->items[i]);
	}
}

void k8s_join_volumes(struct k8s_world *world)
{
	struct name_lists claimed = { 0 };

	list_claimed(world, &claimed);
	for (size_t p = 0; p < world->pods.count; p++) {
		struct k8s_pod *pod = world->pods.items[p];

		for (size_t i = 0; i < pod->rows.count; i++) {
			struct row *r = pod->rows.items[i];
			size_t count = r->facts.count;

			for (size_t k = 0; k < count; k++)
				if (r->facts.items[k]->kind == FACT_MOUNT &&
				    fact_attribute_is(r->facts.items[k], "type",
						      "persistentVolumeClaim"))
					follow(world, &claimed, pod, r, r->facts.items[k]);
		}
	}
}

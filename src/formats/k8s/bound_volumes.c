/* Claims followed to volumes: a hostPath behind a PersistentVolumeClaim is a host mount of the pod.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/objects.h"

#include <string.h>

/* The volume that CLAIM names, or the one that names the claim. */
static const struct k8s_object *volume_of(const struct k8s_world *world,
					  const struct k8s_object *claim)
{
	const char *wanted = k8s_text(k8s_map(claim->node, "spec"), "volumeName");

	for (size_t i = 0; i < world->objects.count; i++) {
		const struct k8s_object *o = world->objects.items[i];
		const struct node *ref = node_path(o->node, "spec", "claimRef", NULL);

		if (strcmp(o->kind, "PersistentVolume") != 0 || !k8s_near(o, claim))
			continue;
		if (wanted ? strcmp(o->name, wanted) == 0 :
			     node_is(k8s_get(ref, "name"), claim->name))
			return o;
	}
	return NULL;
}

static void follow(struct k8s_world *world, struct k8s_pod *pod, struct row *r, struct fact *mount)
{
	struct workspace *w = world->w;
	const struct k8s_object *claim = k8s_find_object(world, "PersistentVolumeClaim",
							 fact_attribute(mount, "source"),
							 pod->object);
	const struct k8s_object *volume = claim ? volume_of(world, claim) : NULL;
	const struct fact *host = volume && volume->row ?
					  row_first(volume->row, FACT_MOUNT,
						    volume->exported ? LAYER_OBSERVED :
								       LAYER_DECLARED) :
					  NULL;
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

void k8s_join_volumes(struct k8s_world *world)
{
	for (size_t p = 0; p < world->pods.count; p++) {
		struct k8s_pod *pod = world->pods.items[p];

		for (size_t i = 0; i < pod->rows.count; i++) {
			struct row *r = pod->rows.items[i];
			size_t count = r->facts.count;

			for (size_t k = 0; k < count; k++)
				if (r->facts.items[k]->kind == FACT_MOUNT &&
				    fact_attribute_is(r->facts.items[k], "type",
						      "persistentVolumeClaim"))
					follow(world, pod, r, r->facts.items[k]);
		}
	}
}

/* Objects that came out of a cluster: dated, matched with their manifests, read as observed.
 *
 * An exported pod shows a declared one when it is the same object, or when its owner chain leads there: a
 * ReplicaSet is named after its Deployment, a Job of a CronJob after that.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/objects.h"

#include <stdint.h>
#include <string.h>

#include "src/formats/k8s/index.h"

/* RFC 3339 times in UTC compare as text. */
static void later(const char **newest, const struct node *n)
{
	const char *text = node_text(n);

	if (text && strlen(text) >= 20 && text[4] == '-' && (!*newest || strcmp(text, *newest) > 0))
		*newest = text;
}

static const char *newest_time(const struct k8s_object *o)
{
	static const char *const lists[] = { "containerStatuses", "initContainerStatuses",
					     "ephemeralContainerStatuses" };
	const struct node *status = k8s_map(o->node, "status");
	const struct node *conditions = k8s_seq(status, "conditions");
	const char *newest = NULL;

	later(&newest, k8s_get(o->metadata, "creationTimestamp"));
	later(&newest, k8s_get(status, "startTime"));
	for (uint32_t i = 0; i < node_count(conditions); i++)
		later(&newest, k8s_get(node_at(conditions, i), "lastTransitionTime"));
	for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
		const struct node *list = k8s_seq(status, lists[l]);

		for (uint32_t i = 0; i < node_count(list); i++)
			later(&newest, node_path(node_at(list, i), "state", "running", "startedAt",
						 NULL));
	}
	return newest;
}

static void mark_artifact(struct workspace *w, const struct k8s_object *o)
{
	struct artifact *artifact = o->in->artifact;
	const char *newest = newest_time(o);

	artifact->class = CLASS_EXPORT;
	if (newest && (!artifact->captured_at || strcmp(newest, artifact->captured_at) > 0))
		artifact->captured_at = newest;
	if (!artifact->target && *o->name)
		artifact->target = arena_printf(&w->snapshot->arena, "%s %s%s%s", o->kind,
						o->namespace, *o->namespace ? "/" : "", o->name);
}

/* "web-7d4b9c" belongs to "web"; "backup-28123456" to "backup". */
static bool is_named_after(const char *name, const char *owner)
{
	size_t length = strlen(owner);

	return strncmp(name, owner, length) == 0 && name[length] == '-' &&
	       strchr(name + length + 1, '-') == NULL;
}

static bool owner_is(const char *kind, const char *name, const struct k8s_object *declared)
{
	if (strcmp(kind, declared->kind) == 0 && strcmp(name, declared->name) == 0)
		return true;
	if (strcmp(kind, "ReplicaSet") == 0 && strcmp(declared->kind, "Deployment") == 0)
		return is_named_after(name, declared->name);
	return strcmp(kind, "Job") == 0 && strcmp(declared->kind, "CronJob") == 0 &&
	       is_named_after(name, declared->name);
}

static bool same_place(const struct k8s_object *exported, const struct k8s_object *declared)
{
	return !*declared->namespace || strcmp(exported->namespace, declared->namespace) == 0;
}

static const char *match_reason(struct workspace *w, const struct k8s_object *exported,
				const struct k8s_object *declared)
{
	const struct node *owners = k8s_seq(exported->metadata, "ownerReferences");

	if (declared->exported || !*declared->name || !same_place(exported, declared))
		return NULL;
	if (owner_is(exported->kind, exported->name, declared))
		return arena_printf(&w->snapshot->arena, "matched by kind and name: %s %s",
				    declared->kind, declared->name);
	for (uint32_t i = 0; i < node_count(owners); i++) {
		const char *kind = k8s_text(node_at(owners, i), "kind");
		const char *name = k8s_text(node_at(owners, i), "name");

		if (kind && name && owner_is(kind, name, declared))
			return arena_printf(&w->snapshot->arena, "matched by owner: %s %s of %s %s",
					    kind, name, declared->kind, declared->name);
	}
	return NULL;
}

struct twin {
	size_t distance;
	uint32_t index; /* among the pods */
};

/* Pods of objects named NAME; of several equally near ones the first is the twin. */
static void try_name(struct k8s_world *world, struct k8s_pod *pod, const char *name,
		     struct twin *best)
{
	const struct id_list *list = name_lists_get(&world->index->owners, name);

	for (size_t i = 0; i < list->count; i++) {
		const struct k8s_pod *other = world->pods.items[list->items[i]];
		struct twin found = { .index = list->items[i] };
		const char *reason;

		if (!other->rows.count)
			continue;
		if (!k8s_may_compare(world, 16)) {
			k8s_not_joined(world, pod->object);
			return;
		}
		reason = match_reason(world->w, pod->object, other->object);
		if (!reason)
			continue;
		found.distance = k8s_path_distance(pod->object, other->object);
		if (found.distance > best->distance ||
		    (found.distance == best->distance && found.index >= best->index))
			continue;
		*best = found;
		pod->twin = other;
		pod->twin_reason = reason;
	}
}

/* Owners are named after the declared object, with a hash behind the last dash or without. */
static void find_twin(struct k8s_world *world, struct k8s_pod *pod)
{
	const struct node *owners = k8s_seq(pod->object->metadata, "ownerReferences");
	struct twin best = { .distance = SIZE_MAX };
	const char *name = pod->object->name;

	for (uint32_t i = 0; name; name = k8s_text(node_at(owners, i++), "name")) {
		const char *dash = strrchr(name, '-');

		try_name(world, pod, name, &best);
		if (dash)
			try_name(world, pod,
				 arena_copy(&world->w->snapshot->arena, name, (size_t)(dash - name)),
				 &best);
	}
}

/* What the node really pulled: the digest in imageID. */
static void add_image_ids(struct workspace *w, struct k8s_pod *pod)
{
	static const char *const lists[] = { "containerStatuses", "initContainerStatuses",
					     "ephemeralContainerStatuses" };
	const struct node *status = k8s_map(pod->object->node, "status");

	for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
		const struct node *list = k8s_seq(status, lists[l]);

		for (uint32_t i = 0; i < node_count(list); i++) {
			const char *name = k8s_text(node_at(list, i), "name");
			const struct node *id = k8s_get(node_at(list, i), "imageID");
			const char *at = node_text(id) ? strstr(node_text(id), "@sha256:") : NULL;

			for (size_t r = 0; name && at && r < pod->rows.count; r++) {
				struct row *row = pod->rows.items[r];
				struct fact *f = row_first_mutable(row, FACT_IMAGE, LAYER_OBSERVED);

				if (!f || strcmp(row->name, name) != 0)
					continue;
				k8s_attribute(w, f, "pulled", at + 1);
				snapshot_add_hop(w->snapshot, f, id->span, at + 1, "status");
			}
		}
	}
}

void k8s_join_exports(struct k8s_world *world)
{
	for (size_t i = 0; i < world->objects.count; i++)
		if (world->objects.items[i]->exported)
			mark_artifact(world->w, world->objects.items[i]);
	for (size_t i = 0; i < world->pods.count; i++) {
		struct k8s_pod *pod = world->pods.items[i];

		if (!pod->object->exported)
			continue;
		mark_artifact(world->w, pod->object);
		find_twin(world, pod);
		k8s_add_pod(world->w, pod);
		add_image_ids(world->w, pod);
	}
}

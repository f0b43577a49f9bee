/* Claims followed to volumes: a hostPath behind a PersistentVolumeClaim is a host mount of the pod.
 *
 * Source: core/v1 and the volume binder [known]: a volume kept for a claim goes to it, else class, labels, size
 * and access modes must fit. Which of several fitting volumes is taken only a cluster can tell; a claim without
 * a class takes the cluster's default and is not guessed at.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/index.h"
#include "src/formats/k8s/objects.h"

#include <string.h>

/* Volumes by what claims ask for. */
struct volumes {
	struct k8s_world *world;
	struct name_lists claimed; /* name of the claim that they are kept for, also without its "-N" */
	struct name_lists classes; /* storage class, "" for none */
};

struct claim {
	const struct node *spec;         /* NULL when the claim was not supplied */
	const char *name;                /* NULL when it is not known */
	bool numbered;                   /* the name goes on with "-N" */
	const char *namespace;
	const struct k8s_object *object; /* the claim, else what makes or mounts it */
	struct span place;
};

static const struct node *spec_of(const struct k8s_object *volume)
{
	return k8s_map(volume->node, "spec");
}

static const char *class_of(const struct node *spec)
{
	const char *class = k8s_text(spec, "storageClassName");

	return class ? class : "";
}

/* Length of NAME without a "-N" at its end. */
static size_t stem(const char *name)
{
	size_t end = strlen(name);

	while (end && strchr("0123456789", name[end - 1]))
		end--;
	return end && name[end] && name[end - 1] == '-' ? end - 1 : strlen(name);
}

static bool is_kept_for(const struct node *reference, const struct claim *c)
{
	const char *name = k8s_text(reference, "name"), *namespace = k8s_text(reference, "namespace");
	size_t length = c->name && name ? (c->numbered ? stem(name) : strlen(name)) : 0;

	return length && strlen(c->name) == length && memcmp(name, c->name, length) == 0 &&
	       (!namespace || k8s_same_namespace(namespace, c->namespace));
}

static const char *storage(const struct node *spec, const char *first, const char *second)
{
	const struct node *map = k8s_map(spec, first);

	return k8s_text(second ? k8s_map(map, second) : map, "storage");
}

static bool has_modes(const struct node *volume, const struct node *claim)
{
	const struct node *wanted = k8s_seq(claim, "accessModes"), *have = k8s_seq(volume, "accessModes");

	for (uint32_t i = 0; i < node_count(wanted); i++)
		if (!k8s_holds(have, node_text(node_at(wanted, i))))
			return false;
	return true;
}

static bool fits(const struct k8s_object *volume, const struct claim *c)
{
	const struct node *spec = spec_of(volume), *reference = k8s_map(spec, "claimRef");
	const char *wanted = k8s_text(c->spec, "volumeName");
	const struct node *selector = k8s_map(c->spec, "selector");

	if (k8s_get(reference, "name"))
		return is_kept_for(reference, c);
	if (wanted)
		return strcmp(volume->name, wanted) == 0;
	return c->spec && (selector || k8s_get(c->spec, "storageClassName")) &&
	       strcmp(class_of(c->spec), class_of(spec)) == 0 &&
	       (!selector || k8s_selects(selector, k8s_map(volume->metadata, "labels"))) &&
	       has_modes(spec, c->spec) &&
	       !k8s_quantity_exceeds(storage(c->spec, "resources", "requests"),
				     storage(spec, "capacity", NULL));
}

static const struct k8s_object *first_that_fits(const struct volumes *v, const struct id_list *list,
						const struct claim *c)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct k8s_object *o = v->world->objects.items[list->items[i]];

		if (!k8s_may_compare(v->world, k8s_near_cost(o) + 8)) {
			k8s_not_joined(v->world, c->object);
			return NULL;
		}
		if (fits(o, c) && k8s_near(o, c->object))
			return o;
	}
	return NULL;
}

static const struct k8s_object *volume_of(const struct volumes *v, const struct claim *c)
{
	const char *wanted = k8s_text(c->spec, "volumeName");
	const struct k8s_object *found = NULL;

	if (c->name)
		found = first_that_fits(v, name_lists_get(&v->claimed, c->name), c);
	if (!found && wanted)
		found = first_that_fits(v, k8s_named(v->world, "PersistentVolume", wanted), c);
	if (!found && !wanted && c->spec)
		found = first_that_fits(v, name_lists_get(&v->classes, class_of(c->spec)), c);
	return found;
}

/* --- the claim behind a mount -------------------------------------------------------------------- */

static bool claim_of(struct k8s_world *world, const struct k8s_pod *pod, const struct fact *mount,
		     struct claim *out)
{
	struct arena *a = &world->w->snapshot->arena;
	const char *source = fact_attribute(mount, "source");
	const struct node *template = NULL;

	*out = (struct claim){ .namespace = pod->object->namespace,
			       .object = pod->object,
			       .place = mount->span };
	if (fact_attribute_is(mount, "type", "persistentVolumeClaim")) {
		const struct k8s_object *o =
			k8s_find_object(world, "PersistentVolumeClaim", source, pod->object);

		out->name = source;
		if (o) {
			out->spec = k8s_map(o->node, "spec");
			out->object = o;
			out->place = k8s_place(o->metadata, "name");
		}
		return true;
	}
	if (fact_attribute_is(mount, "type", "volume")) {
		template = k8s_claim_template(pod, source);
		out->name = template ? arena_printf(a, "%s-%s", source, pod->object->name) : NULL;
		out->numbered = true;
	} else if (fact_attribute_is(mount, "type", "ephemeral")) {
		template = k8s_map(k8s_map(k8s_volume(pod, fact_attribute(mount, "volume")),
					   "ephemeral"), "volumeClaimTemplate");
	}
	out->spec = k8s_map(template, "spec");
	if (template)
		out->place = k8s_key(template, "spec");
	return template != NULL;
}

static void follow(const struct volumes *v, struct k8s_pod *pod, struct row *r, struct fact *mount)
{
	struct workspace *w = v->world->w;
	struct claim claim;
	const struct k8s_object *volume =
		claim_of(v->world, pod, mount, &claim) ? volume_of(v, &claim) : NULL;
	const struct fact *host =
		volume && volume->row ? row_first(volume->row, FACT_MOUNT, k8s_layer(volume)) : NULL;
	struct fact *f;

	if (!host)
		return;
	f = snapshot_copy_fact(w->snapshot, r, host);
	f->layer = pod->layer;
	f->value = arena_printf(&w->snapshot->arena, "%s:%s", fact_attribute(host, "source"),
				fact_attribute(mount, "target"));
	if (!k8s_text(claim.spec, "volumeName") && !k8s_get(spec_of(volume), "claimRef"))
		f->note = "the volume fits the claim; an export of the claim shows whether it is bound "
			  "to this one";
	k8s_attribute(w, f, "target", fact_attribute(mount, "target"));
	k8s_attribute(w, f, "read_only", fact_attribute(mount, "read_only"));
	snapshot_add_hop(w->snapshot, f, claim.place, claim.name, "claim");
	snapshot_add_hop(w->snapshot, f, mount->span, mount->value, "mount");
}

static void list_volumes(struct volumes *v)
{
	const struct id_list *list = k8s_of_kind(v->world, "PersistentVolume");
	struct arena *a = &v->world->w->snapshot->arena;

	for (size_t i = 0; i < list->count; i++) {
		const struct k8s_object *o = v->world->objects.items[list->items[i]];
		const char *name = k8s_text(k8s_map(spec_of(o), "claimRef"), "name");

		name_lists_add(a, &v->classes, class_of(spec_of(o)), list->items[i]);
		if (!name)
			continue;
		name_lists_add(a, &v->claimed, name, list->items[i]);
		if (stem(name) < strlen(name))
			name_lists_add(a, &v->claimed, arena_copy(a, name, stem(name)),
				       list->items[i]);
	}
}

void k8s_join_volumes(struct k8s_world *world)
{
	struct volumes v = { .world = world };

	list_volumes(&v);
	for (size_t p = 0; p < world->pods.count; p++) {
		struct k8s_pod *pod = world->pods.items[p];

		for (size_t i = 0; i < pod->rows.count; i++) {
			struct row *r = pod->rows.items[i];
			const size_t count = r->facts.count;

			for (size_t k = 0; k < count; k++)
				if (r->facts.items[k]->kind == FACT_MOUNT)
					follow(&v, pod, r, r->facts.items[k]);
		}
	}
}

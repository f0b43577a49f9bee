/* Objects by kind and name, pods by namespace and label, and the budget of comparing them.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/index.h"

#include <string.h>

#include "model/limits.h"
#include "src/formats/k8s/objects.h"

#define ALL_NAMESPACES "*"

static const char *make_key(struct k8s_index *index, const char *first, const char *second,
			    const char *third)
{
	buf_clear(&index->key);
	buf_puts(&index->key, first);
	if (second) {
		buf_putc(&index->key, '\n');
		buf_puts(&index->key, second);
	}
	if (third) {
		buf_putc(&index->key, '\n');
		buf_puts(&index->key, third);
	}
	return buf_text(&index->key);
}

static void add_label(struct arena *a, struct k8s_index *index, const char *namespace,
		      const struct node_item *item, uint32_t pod)
{
	const char *key = node_text(item->key), *value = node_text(node_resolve(item->value));

	if (!key || !value)
		return;
	name_lists_add(a, &index->pods, make_key(index, namespace, key, value), pod);
	name_lists_add(a, &index->pods, make_key(index, ALL_NAMESPACES, key, value), pod);
}

static void add_pod(struct arena *a, struct k8s_index *index, const struct k8s_pod *pod, uint32_t id)
{
	const struct k8s_file *file = pod->object->in->state[FORMAT_K8S];
	const char *namespace = k8s_namespace(pod->object->namespace);
	uint32_t budget = LIMIT_ALIAS_VISITS;
	const struct node *labels = node_flatten(a, k8s_map(pod->metadata, "labels"), &budget);

	name_lists_add(a, &index->owners, pod->object->name, id);
	name_lists_add(a, &index->folders, file->folder, id);
	name_lists_add(a, &index->pods, namespace, id);
	name_lists_add(a, &index->pods, ALL_NAMESPACES, id);
	for (uint32_t i = 0; node_is_map(labels) && i < labels->count; i++)
		add_label(a, index, namespace, &labels->items[i], id);
}

void k8s_index_init(struct k8s_world *world, struct k8s_index *index)
{
	struct arena *a = &world->w->snapshot->arena;

	*index = (struct k8s_index){ .left = LIMIT_COMPARED };
	world->index = index;
	for (size_t i = 0; i < world->objects.count; i++) {
		const struct k8s_object *o = world->objects.items[i];

		name_lists_add(a, &index->objects, o->kind, (uint32_t)i);
		name_lists_add(a, &index->objects, make_key(index, o->kind, o->name, NULL),
			      (uint32_t)i);
	}
	for (size_t p = 0; p < world->pods.count; p++)
		add_pod(a, index, world->pods.items[p], (uint32_t)p);
}

void k8s_index_free(struct k8s_index *index)
{
	buf_free(&index->key);
}

const struct id_list *k8s_of_kind(const struct k8s_world *world, const char *kind)
{
	return name_lists_get(&world->index->objects, kind);
}

const struct id_list *k8s_named(const struct k8s_world *world, const char *kind, const char *name)
{
	return name_lists_get(&world->index->objects, make_key(world->index, kind, name, NULL));
}

struct k8s_object *k8s_next_with_row(const struct k8s_world *world, const struct id_list *list,
				     size_t *at)
{
	while (*at < list->count) {
		struct k8s_object *o = world->objects.items[list->items[(*at)++]];

		if (o->row)
			return o;
	}
	return NULL;
}

const struct id_list *k8s_candidates(const struct k8s_world *world, const char *namespace,
				     const struct node *match, const char *(*bare)(const char *))
{
	const char *where = namespace ? k8s_namespace(namespace) : ALL_NAMESPACES;
	const struct id_list *best = name_lists_get(&world->index->pods, where);

	for (uint32_t i = 0; i < node_count(match); i++) {
		const char *key = node_text(match->items[i].key);
		const char *value = node_text(match->items[i].value);
		const struct id_list *list;

		if (key && bare)
			key = bare(key);
		if (!key || !value)
			continue;
		list = name_lists_get(&world->index->pods, make_key(world->index, where, key, value));
		if (list->count < best->count)
			best = list;
	}
	return best;
}

bool k8s_may_compare(const struct k8s_world *world, size_t cost)
{
	if (cost > world->index->left) {
		world->index->left = 0;
		return false;
	}
	world->index->left -= cost;
	return true;
}

size_t k8s_selector_cost(const struct node *selector, const struct k8s_pod *pod)
{
	/* The first label that differs ends the comparison; a label is found by a walk over all. */
	return 8 + (size_t)node_count(selector) * (1 + (size_t)node_count(k8s_map(pod->metadata, "labels")));
}

void k8s_not_joined(const struct k8s_world *world, const struct k8s_object *o)
{
	input_problem(world->w, o->in, k8s_object_place(o),
		      "%s \"%s\": the tree holds too many objects and pods to be compared; what it "
		      "applies to is not assessed", o->kind, o->name);
}

void k8s_too_many(const struct k8s_world *world, const struct k8s_object *o)
{
	input_problem(world->w, o->in, k8s_object_place(o),
		      "%s \"%s\": more than %u objects apply to it; the rest is not joined", o->kind,
		      o->name, LIMIT_JOINED);
}

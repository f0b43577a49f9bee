/* What one kustomization changes in one object: patches, images, labels, namespace and names.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/kustomize.h"

#include <string.h>

#include "model/limits.h"
#include "model/name_lists.h"

#define TARGET_STEPS 500u /* a pattern costs as much as some hundred comparisons */

void kustomize_replace(struct k8s_object *o, const struct node *n)
{
	o->node = n;
	o->metadata = k8s_map(n, "metadata");
}

/* One document of a patch; what it is for is known by name, or only by a look at each object. */
struct change {
	const struct node *node, *target; /* node NULL: unreadable; target may be NULL */
	struct k8s_file *file;            /* of the patch, or NULL */
	struct input *in;                 /* where it stands */
	struct span place;
	bool applied; /* some object was changed by it */
	bool failed;  /* it was said that an operation does not apply */
};

struct changes {
	struct change *items;
	size_t count, capacity;
	struct name_lists names; /* name of the object → indices */
	struct id_list any;     /* indices of those for other names */
};

static const char *wanted_name(const struct change *c)
{
	const char *name = k8s_text(c->target, "name");

	if (c->target)
		return name && *name && !kustomize_is_pattern(name) ? name : NULL;
	return node_is_map(c->node) ? k8s_text(k8s_map(c->node, "metadata"), "name") : NULL;
}

static void add_change(struct arena *a, struct changes *list, const struct change *c)
{
	const char *name = wanted_name(c);

	if (name)
		name_lists_add(a, &list->names, name, (uint32_t)list->count);
	else
		*ARENA_PUSH(a, &list->any) = (uint32_t)list->count;
	*ARENA_PUSH(a, list) = *c;
}

static void add_documents(struct kustomize_run *g, struct kustomization *k, const struct node *entry,
			  const char *text, const struct node *target)
{
	struct workspace *w = g->w;
	const char *path = path_join(&w->snapshot->arena, k->folder, text);
	struct input *in = path ? w->open(w, path, FORMAT_KUSTOMIZE) : NULL;

	if (!in) {
		input_problem(w, k->in, entry->span,
			      "kustomization: the patch %s %s, so it is not applied", text,
			      !path		 ? "lies outside the tree" :
			      w->exists(w, path) ? "cannot be read" :
						   "is not in the tree");
		return;
	}
	input_parse(w, in, path_ends(path, ".json") ? SYNTAX_JSON : SYNTAX_YAML);
	for (size_t i = 0; i < in->documents.count; i++) {
		const struct node *n = node_resolve(in->documents.items[i]);

		if (n && n->kind != NODE_NULL)
			add_change(&w->snapshot->arena, k->changes,
				   &(struct change){ .node = n, .target = target, .in = in,
						     .place = n->span,
						     .file = in->state[FORMAT_K8S] });
	}
}

/* Patches that stand as text in the kustomization; text that cannot be read is a change without a node. */
static void add_text(struct kustomize_run *g, struct kustomization *k, const struct node *text,
		     const struct node *target)
{
	struct change c = { .target = target, .in = k->in, .place = text->span };
	struct documents list = { 0 };

	patch_parse(g->w, k->in, text, &list);
	if (!list.count)
		add_change(&g->w->snapshot->arena, k->changes, &c);
	for (size_t i = 0; i < list.count; i++) {
		c.node = node_resolve(list.items[i]);
		c.place = c.node ? c.node->span : text->span;
		if (c.node && c.node->kind != NODE_NULL)
			add_change(&g->w->snapshot->arena, k->changes, &c);
	}
}

/* One entry of a list of patches: a path, text, or a map with one of both and a target. */
static void add_entry(struct kustomize_run *g, struct kustomization *k, const struct node *entry)
{
	struct arena *a = &g->w->snapshot->arena;
	const struct node *target = k8s_map(entry, "target"), *text = k8s_get(entry, "patch");
	const char *path = k8s_text(entry, "path");

	kustomize_check_target(g->w, k, target);
	if (node_text(entry) && strchr(node_text(entry), '\n'))
		text = entry;
	else if (node_text(entry))
		path = node_text(entry);
	if (node_text(text))
		add_text(g, k, text, target);
	else if (path)
		add_documents(g, k, entry, path, target);
	else if (node_is_map(entry) && k8s_get(entry, "kind"))
		add_change(a, k->changes, &(struct change){ .node = entry, .in = k->in,
							    .place = entry->span });
}

/* The kustomization's patches, read when the first object asks for them. */
static struct changes *changes_of(struct kustomize_run *g, struct kustomization *k)
{
	static const char *const lists[] = { "patchesStrategicMerge", "patches",
					     "patchesJson6902" };

	if (k->changes)
		return k->changes;
	k->changes = ARENA_NEW(&g->w->snapshot->arena, struct changes);
	for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
		const struct node *list = k8s_seq(k->node, lists[l]);

		for (uint32_t i = 0; i < node_count(list); i++)
			if (node_at(list, i))
				add_entry(g, k, node_at(list, i));
	}
	return k->changes;
}

bool kustomize_may(struct kustomize_run *g, struct kustomization *k, size_t cost)
{
	g->left -= cost < g->left ? cost : g->left;
	if (g->left)
		return true;
	if (!k->cut)
		input_problem(g->w, k->in, k->node->span,
			      "kustomization: the tree's patches are too many or too large to be all "
			      "applied; what they change is not assessed");
	k->cut = true;
	return false;
}

/* True when C is for O. */
static bool is_for(struct workspace *w, const struct change *c, const struct k8s_object *o)
{
	const struct node *name = k8s_get(k8s_map(c->node, "metadata"), "name");

	if (c->target || node_is_seq(c->node))
		return kustomize_is_target(w, c->target, o);
	return node_is(k8s_get(c->node, "kind"), o->kind) &&
	       (node_is(name, o->name) || node_is(name, kustomize_name(w, o)));
}

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* A JSON patch may move an object; a strategic one keeps name and namespace [src kustomize ApplySmPatch]. */
static void follow_identity(struct k8s_object *o, const struct node *before)
{
	const char *namespace = k8s_text(o->metadata, "namespace");
	const char *name = k8s_text(o->metadata, "name");

	if (!is_same(k8s_text(before, "namespace"), namespace))
		o->namespace = namespace ? namespace : "";
	if (name && *name && !is_same(k8s_text(before, "name"), name))
		o->name = name;
}

/* An operation that does not apply ends a build; the others are shown all the same. */
static void apply_operations(struct kustomize_run *g, struct k8s_object *o, struct change *c)
{
	for (uint32_t i = 0; i < node_count(c->node); i++) {
		const struct node *operation = node_at(c->node, i), *changed;
		const char *why;

		changed = patch_operate(&g->w->snapshot->arena, o->node, operation, &g->left, &why);
		if (changed)
			kustomize_replace(o, changed);
		else if (!c->failed && g->left)
			input_problem(g->w, c->in,
				      node_is_map(operation) ? k8s_key(operation, "op") : c->place,
				      "patch: operation %u does not apply to %s %s: %s; kustomize "
				      "build fails here", i + 1, o->kind, o->name, why);
		c->failed |= !changed;
	}
}

static void apply_change(struct kustomize_run *g, struct kustomization *k, struct k8s_object *o,
			 struct change *c)
{
	struct arena *a = &g->w->snapshot->arena;
	const struct node *before = o->metadata;

	if ((!node_is_map(c->node) && !node_is_seq(c->node)) || !is_for(g->w, c, o))
		return;
	if (node_is_seq(c->node)) {
		apply_operations(g, o, c);
		follow_identity(o, before);
	} else if (node_is(k8s_get(c->node, "$patch"), "delete")) {
		o->gone = true;
	} else {
		kustomize_replace(o, patch_merge(a, o->node, c->node, &g->left));
	}
	c->applied = true;
	if (kustomize_may(g, k, 1) && c->file)
		c->file->applied = true;
}

/* A patch in a file of its own is told there, once for all that name it. */
void kustomize_report_patches(struct kustomize_run *g, struct kustomization *k)
{
	const struct changes *list = changes_of(g, k);

	for (size_t i = 0; i < list->count; i++) {
		const struct change *c = &list->items[i];
		const char *name = k8s_text(k8s_map(c->node, "metadata"), "name");

		if (c->applied || c->file || k->cut)
			continue;
		if (!node_is_map(c->node) && !node_is_seq(c->node))
			input_problem(g->w, c->in, c->place,
				      "patch: neither an object nor a list of operations that can be "
				      "read, so it is not applied");
		else if (c->target || node_is_seq(c->node))
			input_problem(g->w, c->in, c->place,
				      "patch: its target matches no object of the tree, so it changes "
				      "nothing");
		else
			input_problem(g->w, c->in, c->place,
				      "patch of %s %s is not applied: no kustomization of the tree "
				      "brings it there; what it adds or changes has no row",
				      k8s_text(c->node, "kind") ? k8s_text(c->node, "kind") : "object",
				      name ? name : "without a name");
	}
}

static void apply_patches(struct kustomize_run *g, struct kustomization *k, struct k8s_object *o)
{
	const struct changes *list = changes_of(g, k);
	const char *name = o->prefix || o->suffix ? kustomize_name(g->w, o) : "";
	const struct id_list *const lists[3] = { name_lists_get(&list->names, o->name),
						 name_lists_get(&list->names, name), &list->any };
	size_t at[3] = { 0 };

	for (uint32_t i = 0; id_lists_next(lists, at, 3, &i);) {
		if (!kustomize_may(g, k, list->items[i].target ? TARGET_STEPS : 1))
			return;
		apply_change(g, k, o, &list->items[i]);
	}
}

/* --- walks ------------------------------------------------------------------------------------------ */

struct place {
	struct node *node;
	const char *key; /* under which it stands; that of the list for its items */
};

struct walk {
	struct arena *arena;
	const struct scalar_change *change;
	bool changed;
	struct {
		struct place *items;
		size_t count, capacity;
	} open;
};

static void walk_into(struct walk *walk, const struct place *p)
{
	struct node *n = p->node;
	const struct node before = *n; /* a map's other values, as they were */
	struct node_item *items = arena_array(walk->arena, n->count + 1u, sizeof *items);

	if (n->count)
		memcpy(items, n->items, n->count * sizeof *items);
	n->items = items;
	for (uint32_t k = 0; k < n->count; k++) {
		const struct node *child = node_resolve(items[k].value);
		const char *key = n->kind == NODE_MAP ? node_text(items[k].key) : p->key;
		const struct node *other = NULL;
		struct node *copy;

		if (child && key && n->kind == NODE_MAP && child->kind == NODE_SCALAR)
			other = walk->change->of(walk->change, &before, p->key, key, child);
		walk->changed |= other != NULL;
		if (!child || (!other && child->kind == NODE_SCALAR))
			continue;
		copy = ARENA_NEW(walk->arena, struct node);
		*copy = other ? *other : *child;
		copy->parent = n;
		items[k].value = copy;
		if (!other && copy->count)
			*ARENA_PUSH(walk->arena, &walk->open) = (struct place){ copy, key ? key : "" };
	}
}

size_t kustomize_change_scalars(struct workspace *w, struct k8s_object *o,
				const struct scalar_change *change)
{
	struct walk walk = { .arena = &w->snapshot->arena, .change = change };
	struct node *root = ARENA_NEW(walk.arena, struct node);

	*root = *o->node;
	*ARENA_PUSH(walk.arena, &walk.open) = (struct place){ root, "" };
	for (size_t i = 0; i < walk.open.count && walk.open.count < LIMIT_ALIAS_VISITS; i++) {
		struct place p = walk.open.items[i];

		walk_into(&walk, &p);
	}
	if (walk.changed)
		kustomize_replace(o, root);
	return walk.open.count;
}

/* --- images ---------------------------------------------------------------------------------------- */

static bool image_is(const char *image, const char *name)
{
	size_t length = strlen(name);

	return strncmp(image, name, length) == 0 &&
	       (image[length] == '\0' || image[length] == ':' || image[length] == '@');
}

static const struct node *new_image(struct arena *a, const struct node *entry,
				    const struct node *image)
{
	const char *name = k8s_text(entry, "name"), *renamed = k8s_text(entry, "newName");
	const char *tag = k8s_text(entry, "newTag"), *digest = k8s_text(entry, "digest");
	const char *rest, *text;

	tag = tag && *tag ? tag : NULL;
	digest = digest && *digest ? digest : NULL;
	renamed = renamed && *renamed ? renamed : NULL;
	if (!name || !node_text(image) || !image_is(node_text(image), name))
		return NULL;
	rest = node_text(image) + strlen(name);
	if (tag || digest)
		text = arena_printf(a, "%s%s%s%s%s", renamed ? renamed : name, tag ? ":" : "",
				    tag ? tag : "", digest ? "@" : "", digest ? digest : "");
	else
		text = arena_printf(a, "%s%s", renamed ? renamed : name, rest);
	return patch_scalar(a, image, text,
			    k8s_place(entry, digest ? "digest" : tag ? "newTag" : "newName"));
}

/* The kustomization's entries by the name of the image. */
static const struct name_lists *images_of(struct kustomize_run *g, struct kustomization *k)
{
	const struct node *list = k8s_seq(k->node, "images");
	struct arena *a = &g->w->snapshot->arena;

	if (k->images)
		return k->images;
	k->images = ARENA_NEW(a, struct name_lists);
	for (uint32_t i = 0; i < node_count(list); i++) {
		const char *name = k8s_text(node_at(list, i), "name");

		if (name)
			name_lists_add(a, k->images, name, i);
	}
	return k->images;
}

/* The first of an ascending LIST that is not below FROM, or UINT32_MAX. */
static uint32_t first_from(const struct id_list *list, uint32_t from)
{
	size_t low = 0, high = list->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (list->items[middle] < from)
			low = middle + 1;
		else
			high = middle;
	}
	return low < list->count ? list->items[low] : UINT32_MAX;
}

/* The first entry at or behind FROM whose name IMAGE has, or UINT32_MAX: names end at ':' or '@'. */
static uint32_t next_entry(struct kustomize_run *g, const struct name_lists *images, const char *image,
			   uint32_t from)
{
	uint32_t first = UINT32_MAX;

	for (size_t end = strcspn(image, ":@");; end += 1 + strcspn(image + end + 1, ":@")) {
		const char *name = arena_copy(&g->w->snapshot->arena, image, end);
		const uint32_t found = first_from(name_lists_get(images, name), from);

		first = found < first ? found : first;
		if (!image[end])
			return first;
	}
}

/* IMAGE with every entry applied, one after the other, or NULL when there is none. */
static const struct node *final_image(struct kustomize_run *g, struct kustomization *k,
				      const struct node *image)
{
	const struct name_lists *images = images_of(g, k);
	const struct node *changed = NULL, *list = k8s_seq(k->node, "images");

	if (!node_text(image))
		return NULL;
	for (uint32_t i = 0;; i++) {
		const struct node *now = changed ? changed : image;

		i = next_entry(g, images, node_text(now), i);
		if (i == UINT32_MAX)
			return changed;
		if (!kustomize_may(g, k, 64))
			return changed;
		now = new_image(&g->w->snapshot->arena, node_at(list, i), now);
		changed = now ? now : changed;
	}
}

struct image_change {
	struct scalar_change base;
	struct kustomize_run *run;
	struct kustomization *by;
};

static const struct node *change_image(const struct scalar_change *base, const struct node *map,
				       const char *above, const char *key, const struct node *value)
{
	const struct image_change *c = (const struct image_change *)base;

	(void)map;
	/* Kustomize changes images of containers, wherever a list of them stands, and no others. */
	return strcmp(key, "image") == 0 && k8s_word_in(above, "containers initContainers") ? final_image(c->run, c->by, value) : NULL;
}

static void apply_images(struct kustomize_run *g, struct kustomization *k, struct k8s_object *o)
{
	struct image_change c = { { change_image }, g, k };

	if (k8s_map(o->node, "spec") && node_count(k8s_seq(k->node, "images")) && kustomize_may(g, k, 1))
		kustomize_may(g, k, kustomize_change_scalars(g->w, o, &c.base));
}

/* --- one kustomization on one object ---------------------------------------------------------------- */

static bool is_cluster_scoped(const struct k8s_object *o)
{
	return k8s_word_in(o->kind, "Namespace ClusterRole ClusterRoleBinding PersistentVolume "
				    "CustomResourceDefinition StorageClass RuntimeClass Node "
				    "ValidatingWebhookConfiguration MutatingWebhookConfiguration "
				    "ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding "
				    "PriorityClass ClusterPolicy PodSecurityPolicy");
}

static void apply_names(struct workspace *w, const struct kustomization *k, struct k8s_object *o)
{
	const char *namespace = k8s_text(k->node, "namespace");
	const char *prefix = k8s_text(k->node, "namePrefix"), *suffix = k8s_text(k->node, "nameSuffix");
	struct arena *a = &w->snapshot->arena;

	if (namespace && strcmp(o->kind, "Namespace") == 0)
		o->name = namespace;
	else if (namespace && !is_cluster_scoped(o))
		o->namespace = namespace;
	if (k8s_word_in(o->kind, "Namespace CustomResourceDefinition APIService"))
		return;
	if (prefix && *prefix)
		o->prefix = arena_printf(a, "%s%s", prefix, o->prefix ? o->prefix : "");
	if (suffix && *suffix)
		o->suffix = arena_printf(a, "%s%s", o->suffix ? o->suffix : "", suffix);
}

const char *kustomize_name(struct workspace *w, const struct k8s_object *o)
{
	if (!o->prefix && !o->suffix)
		return o->name;
	return arena_printf(&w->snapshot->arena, "%s%s%s", o->prefix ? o->prefix : "", o->name,
			    o->suffix ? o->suffix : "");
}

static void apply_own(struct kustomize_run *g, struct kustomization *k, struct k8s_object *o)
{
	kustomize_merge_generated(g, k, o);
	apply_patches(g, k, o);
	apply_images(g, k, o);
	kustomize_label(g, k, o);
	apply_names(g->w, k, o);
}

/* The components of K, each after those that it lists itself. A component's own objects have come through it
 * already. */
static void apply_components(struct kustomize_run *g, const struct kustomization *k, struct k8s_object *o)
{
	struct {
		const struct kustomization *k;
		size_t next;
	} open[LIMIT_INCLUDE_DEPTH] = { { k, 0 } };
	unsigned depth = 1;

	while (depth) {
		const struct kustomizations *list = &open[depth - 1].k->components;
		struct kustomization *component;

		if (open[depth - 1].next == list->count) {
			component = depth > 1 ? open[depth - 2].k->components.items[open[depth - 2].next++] :
						NULL;
			if (component && kustomize_may(g, component, 1))
				apply_own(g, component, o);
			depth--;
			continue;
		}
		component = list->items[open[depth - 1].next];
		if (component == o->root || depth == LIMIT_INCLUDE_DEPTH || !g->left) {
			open[depth - 1].next++;
			continue;
		}
		open[depth].k = component;
		open[depth++].next = 0;
	}
}

void kustomize_change(struct kustomize_run *g, struct kustomization *k, struct k8s_object *o)
{
	apply_components(g, k, o);
	apply_own(g, k, o);
	o->root = k;
}

/* Kustomizations: which files they name, how they chain, and what they change.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/kustomize.h"

#include <string.h>

#include "model/limits.h"
#include "src/formats/k8s/index.h"

static const char *const names[] = { "kustomization.yaml", "kustomization.yml", "Kustomization" };

static bool interested(const char *path)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(path_base(path), names[i]) == 0)
			return true;
	return false;
}

static bool claims(const char *path, const char *bytes, size_t length)
{
	(void)bytes;
	(void)length;
	return interested(path);
}

static bool recognise(const struct input *in)
{
	return interested(in->artifact->path) && in->documents.count &&
	       node_is_map(in->documents.items[0]);
}

/* What takes a program or the network to know. */
static void report_unread(struct workspace *w, struct input *in, const struct node *n)
{
	static const char *const keys[] = { "generators", "transformers", "validators",
					    "helmCharts", "helmChartInflationGenerator" };

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (k8s_get(n, keys[i]))
			input_problem(w, in, k8s_key(n, keys[i]),
				      "kustomization: %s needs a program to run and is not assessed; "
				      "supply the output of kustomize build", keys[i]);
}

static void read_kustomization(struct workspace *w, struct input *in)
{
	struct arena *a = &w->snapshot->arena;
	struct kustomization *k = ARENA_NEW(a, struct kustomization);

	k->in = in;
	k->node = node_resolve(in->documents.items[0]);
	k->folder = path_folder(a, in->artifact->path);
	in->state[FORMAT_KUSTOMIZE] = k;
	report_unread(w, in, k->node);
}

const struct format format_kustomize = {
	.id = FORMAT_KUSTOMIZE,
	.syntax = SYNTAX_YAML,
	.claims = claims,
	.interested = interested,
	.recognise = recognise,
	.read = read_kustomization,
};

static bool has_kustomization(struct workspace *w, const char *folder)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (w->exists(w, *folder ? arena_printf(&w->snapshot->arena, "%s/%s", folder, names[i]) :
					   names[i]))
			return true;
	return false;
}

bool kustomize_governs(struct workspace *w, const char *path)
{
	const char *folder = path_folder(&w->snapshot->arena, path);

	for (unsigned up = 0; up < LIMIT_INCLUDE_DEPTH; up++) {
		if (has_kustomization(w, folder))
			return true;
		if (!*folder)
			return false;
		folder = path_folder(&w->snapshot->arena, folder);
	}
	return false;
}

/* --- the graph ----------------------------------------------------------------------------------- */

struct graph {
	struct workspace *w;
	struct {
		struct kustomization **items;
		size_t count, capacity;
	} all;
	struct hash_index folders;  /* folder → the first in it */
	struct name_lists resources; /* path of a file → kustomizations that list it */
	struct name_lists patches;   /* the same for patches */
	unsigned long left;         /* of LIMIT_COMPARED */
};

static void gather(struct graph *g)
{
	struct arena *a = &g->w->snapshot->arena;
	uint32_t at;

	for (size_t i = 0; i < g->w->inputs.count; i++) {
		struct kustomization *k = g->w->inputs.items[i]->state[FORMAT_KUSTOMIZE];

		if (!k)
			continue;
		if (!hash_index_get(&g->folders, k->folder, &at))
			hash_index_put(a, &g->folders, k->folder, (uint32_t)g->all.count);
		*ARENA_PUSH(a, &g->all) = k;
	}
}

static struct kustomization *in_folder(const struct graph *g, const char *folder)
{
	uint32_t at;

	return hash_index_get(&g->folders, folder, &at) ? g->all.items[at] : NULL;
}

static bool is_remote(const char *path)
{
	return strstr(path, "://") || strncmp(path, "github.com/", 11) == 0 ||
	       strncmp(path, "git@", 4) == 0 || strstr(path, "?ref=");
}

static const char *const resource_lists[] = { "resources", "bases", "components" };

static void link_folders(struct graph *g, struct kustomization *k)
{
	struct arena *a = &g->w->snapshot->arena;

	for (size_t l = 0; l < sizeof resource_lists / sizeof *resource_lists; l++) {
		const struct node *list = k8s_seq(k->node, resource_lists[l]);

		for (uint32_t i = 0; i < node_count(list); i++) {
			const char *text = node_text(node_at(list, i));
			const char *path = text && !is_remote(text) ? path_join(a, k->folder, text) :
								      NULL;
			struct kustomization *base = path ? in_folder(g, path) : NULL;

			if (text && is_remote(text))
				input_problem(g->w, k->in, node_at(list, i)->span,
					      "kustomization: %s lies elsewhere and is not assessed; "
					      "supply the output of kustomize build", text);
			else if (path && !base && !g->w->exists(g->w, path))
				input_problem(g->w, k->in, node_at(list, i)->span,
					      "kustomization: %s is not in the tree", text);
			if (base && base != k)
				*ARENA_PUSH(a, &base->parents) = k;
		}
	}
}

static void list_files(struct graph *g, uint32_t index, const char *key, struct name_lists *files)
{
	const struct kustomization *k = g->all.items[index];
	const struct node *list = k8s_seq(k->node, key);
	struct arena *a = &g->w->snapshot->arena;

	for (uint32_t i = 0; i < node_count(list); i++) {
		const struct node *item = node_at(list, i);
		const char *text = node_text(item) ? node_text(item) : k8s_text(item, "path");
		const char *joined = text && !strchr(text, '\n') ? path_join(a, k->folder, text) : NULL;

		if (joined)
			name_lists_add(a, files, joined, index);
	}
}

static void list_all_files(struct graph *g)
{
	for (uint32_t i = 0; i < g->all.count; i++) {
		list_files(g, i, "resources", &g->resources);
		list_files(g, i, "patches", &g->patches);
		list_files(g, i, "patchesStrategicMerge", &g->patches);
		list_files(g, i, "patchesJson6902", &g->patches);
	}
}

/* --- changes ------------------------------------------------------------------------------------- */

static void replace_object(struct k8s_object *o, const struct node *n)
{
	o->node = n;
	o->metadata = k8s_map(n, "metadata");
}

static bool text_matches(const struct node *target, const char *key, const char *value)
{
	const char *want = k8s_text(target, key);

	return !want || !*want || strcmp(want, value) == 0 || strcmp(want, ".*") == 0;
}

static bool is_target(const struct node *target, const struct k8s_object *o)
{
	return text_matches(target, "kind", o->kind) && text_matches(target, "name", o->name) &&
	       text_matches(target, "group", o->group) &&
	       (!*o->namespace || text_matches(target, "namespace", o->namespace)) &&
	       !k8s_get(target, "labelSelector") && !k8s_get(target, "annotationSelector");
}

/* One document of a patch; what it is for is known by name, or only by a look at each object. */
struct change {
	const struct node *node, *target; /* target may be NULL */
	struct k8s_file *file;            /* of the patch, or NULL */
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
		return name && *name && strcmp(name, ".*") != 0 ? name : NULL;
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

static void add_documents(struct workspace *w, struct changes *list, const char *path,
			  const struct node *target)
{
	struct input *in = path ? w->open(w, path, FORMAT_KUSTOMIZE) : NULL;

	if (!in)
		return;
	input_parse(w, in, path_ends(path, ".json") ? SYNTAX_JSON : SYNTAX_YAML);
	for (size_t i = 0; i < in->documents.count; i++)
		add_change(&w->snapshot->arena, list,
			   &(struct change){ .node = node_resolve(in->documents.items[i]),
					     .target = target,
					     .file = in->state[FORMAT_K8S] });
}

/* One entry of a list of patches: a path, text, or a map with one of both and a target. */
static void add_entry(struct graph *g, const struct kustomization *k, struct changes *list,
		      const struct node *entry)
{
	struct arena *a = &g->w->snapshot->arena;
	const struct node *target = k8s_map(entry, "target"), *text = k8s_get(entry, "patch");
	const char *path = k8s_text(entry, "path");

	if (node_text(entry) && strchr(node_text(entry), '\n'))
		text = entry;
	else if (node_text(entry))
		path = node_text(entry);
	if (node_text(text))
		add_change(a, list, &(struct change){ .node = patch_parse(g->w, k->in, text),
						      .target = target });
	else if (path)
		add_documents(g->w, list, path_join(a, k->folder, path), target);
	else if (node_is_map(entry) && k8s_get(entry, "kind"))
		add_change(a, list, &(struct change){ .node = entry });
}

/* The kustomization's patches, read when the first object asks for them. */
static struct changes *changes_of(struct graph *g, struct kustomization *k)
{
	static const char *const lists[] = { "patchesStrategicMerge", "patches",
					     "patchesJson6902" };

	if (k->changes)
		return k->changes;
	k->changes = ARENA_NEW(&g->w->snapshot->arena, struct changes);
	for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
		const struct node *list = k8s_seq(k->node, lists[l]);

		for (uint32_t i = 0; i < node_count(list); i++)
			add_entry(g, k, k->changes, node_at(list, i));
	}
	return k->changes;
}

/* Takes COST steps; when there are none left, says so once a kustomization. */
static bool take_steps(struct graph *g, struct kustomization *k, size_t cost)
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
static bool is_for(const struct change *c, const struct k8s_object *o)
{
	if (c->target || node_is_seq(c->node))
		return is_target(c->target, o);
	return node_is(k8s_get(c->node, "kind"), o->kind) &&
	       node_is(k8s_get(k8s_map(c->node, "metadata"), "name"), o->name);
}

static void apply_change(struct graph *g, struct kustomization *k, struct k8s_object *o,
			 const struct change *c)
{
	struct arena *a = &g->w->snapshot->arena;

	if ((!node_is_map(c->node) && !node_is_seq(c->node)) || !is_for(c, o))
		return;
	for (uint32_t i = 0; node_is_seq(c->node) && i < node_count(c->node); i++) {
		const struct node *changed = patch_operate(a, o->node, node_at(c->node, i), &g->left);

		if (changed)
			replace_object(o, changed);
	}
	if (node_is_map(c->node))
		replace_object(o, patch_merge(a, o->node, c->node, &g->left));
	if (take_steps(g, k, 1) && c->file)
		c->file->applied = true;
}

static void apply_patches(struct graph *g, struct kustomization *k, struct k8s_object *o)
{
	const struct changes *list = changes_of(g, k);
	const struct id_list *named = name_lists_get(&list->names, o->name), *any = &list->any;

	for (size_t n = 0, w = 0; n < named->count || w < any->count;) {
		const bool first = w == any->count ||
				   (n < named->count && named->items[n] < any->items[w]);

		if (!take_steps(g, k, 1))
			return;
		apply_change(g, k, o, &list->items[first ? named->items[n++] : any->items[w++]]);
	}
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

	if (!name || !node_text(image) || !image_is(node_text(image), name))
		return NULL;
	rest = node_text(image) + strlen(name);
	text = digest ? arena_printf(a, "%s@%s", renamed ? renamed : name, digest) :
	       tag    ? arena_printf(a, "%s:%s", renamed ? renamed : name, tag) :
			arena_printf(a, "%s%s", renamed ? renamed : name, rest);
	return patch_scalar(a, image, text,
			    k8s_place(entry, digest ? "digest" : tag ? "newTag" : "newName"));
}

/* The kustomization's entries by the name of the image. */
static const struct name_lists *images_of(struct graph *g, struct kustomization *k)
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
static uint32_t next_entry(struct graph *g, const struct name_lists *images, const char *image,
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
static const struct node *final_image(struct graph *g, struct kustomization *k,
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
		if (!take_steps(g, k, 64))
			return changed;
		now = new_image(&g->w->snapshot->arena, node_at(list, i), now);
		changed = now ? now : changed;
	}
}

/* A copy of the object in which the images are changed. */
static void change_images(struct graph *g, struct kustomization *k, struct k8s_object *o)
{
	struct {
		struct node **items;
		size_t count, capacity;
	} open = { 0 };
	struct arena *a = &g->w->snapshot->arena;
	struct node *root = ARENA_NEW(a, struct node);

	*root = *o->node;
	*ARENA_PUSH(a, &open) = root;
	for (size_t i = 0; i < open.count && open.count < LIMIT_ALIAS_VISITS; i++) {
		struct node *n = open.items[i];
		struct node_item *items = arena_array(a, n->count + 1u, sizeof *items);

		memcpy(items, n->items, n->count * sizeof *items);
		n->items = items;
		for (uint32_t c = 0; c < n->count; c++) {
			const struct node *child = node_resolve(items[c].value);
			const struct node *image = n->kind == NODE_MAP && node_is(items[c].key, "image") ?
							   final_image(g, k, child) :
							   NULL;
			struct node *copy;

			if (!child || (!image && child->kind == NODE_SCALAR))
				continue;
			copy = ARENA_NEW(a, struct node);
			*copy = image ? *image : *child;
			copy->parent = n;
			items[c].value = copy;
			if (!image && copy->count)
				*ARENA_PUSH(a, &open) = copy;
		}
	}
	take_steps(g, k, open.count);
	replace_object(o, root);
}

static void apply_images(struct graph *g, struct kustomization *k, struct k8s_object *o)
{
	if (!k8s_map(o->node, "spec") || !node_count(k8s_seq(k->node, "images")))
		return;
	if (take_steps(g, k, 1))
		change_images(g, k, o);
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

	if (namespace && !is_cluster_scoped(o))
		o->namespace = namespace;
	if (prefix)
		o->prefix = arena_printf(a, "%s%s", prefix, o->prefix ? o->prefix : "");
	if (suffix)
		o->suffix = arena_printf(a, "%s%s", o->suffix ? o->suffix : "", suffix);
}

static void apply_components(struct graph *g, struct kustomization *k, struct k8s_object *o)
{
	const struct node *list = k8s_seq(k->node, "components");

	for (uint32_t i = 0; i < node_count(list); i++) {
		const char *text = node_text(node_at(list, i));
		const char *path = text ? path_join(&g->w->snapshot->arena, k->folder, text) : NULL;
		struct kustomization *component = path ? in_folder(g, path) : NULL;

		if (!component || component == k)
			continue;
		apply_patches(g, component, o);
		apply_images(g, component, o);
	}
}

static void apply_one(struct graph *g, struct kustomization *k, struct k8s_object *o)
{
	apply_components(g, k, o);
	apply_patches(g, k, o);
	apply_images(g, k, o);
	apply_names(g->w, k, o);
}

/* The chain upwards while it is the only one; where it parts, the overlays are variants. */
static void apply_chain(struct graph *g, struct kustomization *k, struct k8s_object *o)
{
	for (unsigned depth = 0; k && depth < LIMIT_INCLUDE_DEPTH; depth++) {
		apply_one(g, k, o);
		if (k->parents.count > 1) {
			o->variants.items = k->parents.items;
			o->variants.count = k->parents.count;
		}
		k = k->parents.count == 1 ? k->parents.items[0] : NULL;
	}
}

static void apply_file(struct graph *g, struct input *in, struct k8s_file *file)
{
	const struct id_list *owners = name_lists_get(&g->resources, in->artifact->path);

	file->patch = (file->patch || name_lists_get(&g->patches, in->artifact->path)->count) &&
		      owners->count == 0;
	if (owners->count != 1)
		return;
	for (size_t i = 0; i < file->objects.count; i++)
		apply_chain(g, g->all.items[owners->items[0]], file->objects.items[i]);
}

/* A patch whose base several overlays share, or that lies elsewhere, changes no row: that is said. */
static void report_unapplied(struct workspace *w, struct input *in)
{
	const struct k8s_file *file = in->state[FORMAT_K8S];

	for (size_t i = 0; file && file->patch && !file->applied && i < file->objects.count; i++) {
		const struct k8s_object *o = file->objects.items[i];

		input_problem(w, in, k8s_place(o->node, "kind"),
			      "patch of %s %s is not applied: its base lies elsewhere or is shared by "
			      "several overlays; what it adds or changes has no row",
			      o->kind, o->name);
	}
}

void kustomize_apply(struct workspace *w)
{
	struct graph g = { .w = w, .left = LIMIT_COMPARED };

	gather(&g);
	list_all_files(&g);
	for (size_t i = 0; i < g.all.count; i++)
		link_folders(&g, g.all.items[i]);
	for (size_t i = 0; g.all.count && i < w->inputs.count; i++) {
		struct k8s_file *file = w->inputs.items[i]->state[FORMAT_K8S];

		if (file && file->deferred)
			apply_file(&g, w->inputs.items[i], file);
	}
	for (size_t i = 0; g.all.count && i < w->inputs.count; i++)
		report_unapplied(w, w->inputs.items[i]);
}

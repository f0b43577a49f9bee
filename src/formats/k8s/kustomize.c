/* Kustomizations: which files they name, how they chain, and what they change.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/kustomize.h"

#include <string.h>

#include "model/limits.h"

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
};

static void gather(struct graph *g)
{
	for (size_t i = 0; i < g->w->inputs.count; i++)
		if (g->w->inputs.items[i]->state[FORMAT_KUSTOMIZE])
			*ARENA_PUSH(&g->w->snapshot->arena, &g->all) =
				g->w->inputs.items[i]->state[FORMAT_KUSTOMIZE];
}

static struct kustomization *in_folder(const struct graph *g, const char *folder)
{
	for (size_t i = 0; i < g->all.count; i++)
		if (strcmp(g->all.items[i]->folder, folder) == 0)
			return g->all.items[i];
	return NULL;
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

static bool lists_file(struct graph *g, const struct kustomization *k, const char *key,
		       const char *path)
{
	const struct node *list = k8s_seq(k->node, key);

	for (uint32_t i = 0; i < node_count(list); i++) {
		const struct node *item = node_at(list, i);
		const char *text = node_text(item) ? node_text(item) : k8s_text(item, "path");
		const char *joined =
			text && !strchr(text, '\n') ?
				path_join(&g->w->snapshot->arena, k->folder, text) :
				NULL;

		if (joined && strcmp(joined, path) == 0)
			return true;
	}
	return false;
}

static bool is_patch_of(struct graph *g, const struct kustomization *k, const char *path)
{
	return lists_file(g, k, "patches", path) ||
	       lists_file(g, k, "patchesStrategicMerge", path) ||
	       lists_file(g, k, "patchesJson6902", path);
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

/* True when PATCH is for O. */
static bool apply_patch(struct workspace *w, struct k8s_object *o, const struct node *patch,
			const struct node *target)
{
	struct arena *a = &w->snapshot->arena;

	if (node_is_seq(patch)) {
		for (uint32_t i = 0; is_target(target, o) && i < node_count(patch); i++) {
			const struct node *changed = patch_operate(a, o->node, node_at(patch, i));

			if (changed)
				replace_object(o, changed);
		}
		return is_target(target, o);
	}
	if (!node_is_map(patch))
		return false;
	if (target ? !is_target(target, o) :
		     !node_is(k8s_get(patch, "kind"), o->kind) ||
			     !node_is(k8s_get(k8s_map(patch, "metadata"), "name"), o->name))
		return false;
	replace_object(o, patch_merge(a, o->node, patch));
	return true;
}

static void apply_documents(struct workspace *w, struct k8s_object *o, const char *path,
			    const struct node *target)
{
	struct input *in = path ? w->open(w, path, FORMAT_KUSTOMIZE) : NULL;
	struct k8s_file *file;

	if (!in)
		return;
	input_parse(w, in, path_ends(path, ".json") ? SYNTAX_JSON : SYNTAX_YAML);
	file = in->state[FORMAT_K8S];
	for (size_t i = 0; i < in->documents.count; i++)
		if (apply_patch(w, o, node_resolve(in->documents.items[i]), target) && file)
			file->applied = true;
}

/* One entry of a list of patches: a path, text, or a map with one of both and a target. */
static void apply_entry(struct graph *g, const struct kustomization *k, struct k8s_object *o,
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
		apply_patch(g->w, o, patch_parse(g->w, k->in, text), target);
	else if (path)
		apply_documents(g->w, o, path_join(a, k->folder, path), target);
	else if (node_is_map(entry) && k8s_get(entry, "kind"))
		apply_patch(g->w, o, entry, NULL);
}

static void apply_patches(struct graph *g, const struct kustomization *k, struct k8s_object *o)
{
	static const char *const lists[] = { "patchesStrategicMerge", "patches",
					     "patchesJson6902" };

	for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
		const struct node *list = k8s_seq(k->node, lists[l]);

		for (uint32_t i = 0; i < node_count(list); i++)
			apply_entry(g, k, o, node_at(list, i));
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

/* A change of one container's image, as a patch of the containers' list of a pod. */
static void change_images(struct workspace *w, struct k8s_object *o, const struct node *entry)
{
	struct {
		struct node **items;
		size_t count, capacity;
	} open = { 0 };
	struct arena *a = &w->snapshot->arena;
	struct node *root = ARENA_NEW(a, struct node);

	*root = *o->node;
	*ARENA_PUSH(a, &open) = root;
	for (size_t i = 0; i < open.count && open.count < LIMIT_ALIAS_VISITS; i++) {
		struct node *n = open.items[i];
		struct node_item *items = arena_array(a, n->count + 1u, sizeof *items);

		memcpy(items, n->items, n->count * sizeof *items);
		n->items = items;
		for (uint32_t k = 0; k < n->count; k++) {
			const struct node *child = node_resolve(items[k].value);
			const struct node *image = n->kind == NODE_MAP && node_is(items[k].key, "image") ?
							   new_image(a, entry, child) :
							   NULL;
			struct node *copy;

			if (!child || (!image && child->kind == NODE_SCALAR))
				continue;
			copy = ARENA_NEW(a, struct node);
			*copy = image ? *image : *child;
			copy->parent = n;
			items[k].value = copy;
			if (!image && copy->count)
				*ARENA_PUSH(a, &open) = copy;
		}
	}
	replace_object(o, root);
}

static void apply_images(struct workspace *w, const struct kustomization *k, struct k8s_object *o)
{
	const struct node *list = k8s_seq(k->node, "images");

	if (!k8s_map(o->node, "spec"))
		return;
	for (uint32_t i = 0; i < node_count(list); i++)
		if (node_is_map(node_at(list, i)))
			change_images(w, o, node_at(list, i));
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

static void apply_components(struct graph *g, const struct kustomization *k, struct k8s_object *o)
{
	const struct node *list = k8s_seq(k->node, "components");

	for (uint32_t i = 0; i < node_count(list); i++) {
		const char *text = node_text(node_at(list, i));
		const char *path = text ? path_join(&g->w->snapshot->arena, k->folder, text) : NULL;
		const struct kustomization *component = path ? in_folder(g, path) : NULL;

		if (!component || component == k)
			continue;
		apply_patches(g, component, o);
		apply_images(g->w, component, o);
	}
}

static void apply_one(struct graph *g, const struct kustomization *k, struct k8s_object *o)
{
	apply_components(g, k, o);
	apply_patches(g, k, o);
	apply_images(g->w, k, o);
	apply_names(g->w, k, o);
}

/* The chain upwards while it is the only one; where it parts, the overlays are variants. */
static void apply_chain(struct graph *g, struct kustomization *k, struct k8s_object *o)
{
	for (unsigned depth = 0; k && depth < LIMIT_INCLUDE_DEPTH; depth++) {
		apply_one(g, k, o);
		if (k->parents.count > 1)
			for (size_t i = 0; i < k->parents.count; i++)
				*ARENA_PUSH(&g->w->snapshot->arena, &o->variants) =
					k->parents.items[i];
		k = k->parents.count == 1 ? k->parents.items[0] : NULL;
	}
}

static void apply_file(struct graph *g, struct input *in, struct k8s_file *file)
{
	struct kustomization *owner = NULL;
	size_t owners = 0;

	for (size_t i = 0; i < g->all.count; i++) {
		file->patch |= is_patch_of(g, g->all.items[i], in->artifact->path);
		if (!lists_file(g, g->all.items[i], "resources", in->artifact->path))
			continue;
		owner = g->all.items[i];
		owners++;
	}
	file->patch &= owners == 0;
	if (owners != 1)
		return;
	for (size_t i = 0; i < file->objects.count; i++)
		apply_chain(g, owner, file->objects.items[i]);
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
	struct graph g = { .w = w };

	gather(&g);
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

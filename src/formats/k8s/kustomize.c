/* Kustomizations: which files they name, and how they chain.
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

static void read_kustomization(struct workspace *w, struct input *in)
{
	struct arena *a = &w->snapshot->arena;
	struct kustomization *k = ARENA_NEW(a, struct kustomization);

	k->in = in;
	k->node = node_resolve(in->documents.items[0]);
	k->folder = path_folder(a, in->artifact->path);
	in->state[FORMAT_KUSTOMIZE] = k;
	kustomize_check(w, in, k->node);
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

/* An object that goes on through one of several kustomizations. */
struct overlay {
	struct k8s_object *object;
	struct kustomization *through;
	unsigned depth;
};

struct graph {
	struct workspace *w;
	struct kustomize_run run;
	struct {
		struct kustomization **items;
		size_t count, capacity;
	} all;
	struct hash_index folders;  /* folder → the first in it */
	struct name_lists resources; /* path of a file → kustomizations that list it */
	struct name_lists patches;   /* the same for patches */
	struct {
		struct overlay *items;
		size_t count, capacity;
	} overlays; /* still to be applied */
	uint32_t visit; /* of the kustomizations, counted */
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
		else
			input_problem(g->w, k->in, k->node->span,
				      "kustomization: second one of its folder beside %s; kustomize "
				      "takes one only", g->all.items[at]->in->artifact->path);
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

/* What a base lacks, those that build on it lack, too. */
static void spread_missing(struct graph *g)
{
	bool changed = true;

	for (unsigned pass = 0; changed && pass < 16; pass++) {
		changed = false;
		for (size_t i = 0; i < g->all.count; i++) {
			const struct kustomization *k = g->all.items[i];

			for (size_t p = 0; k->missing && p < k->parents.count; p++) {
				changed |= !k->parents.items[p]->missing;
				if (!k->parents.items[p]->missing)
					k->parents.items[p]->missing = k->missing;
			}
		}
	}
}

/* True when K is BASE or one of its bases: what BASE would then be built of holds BASE itself. */
static bool is_above(struct graph *g, struct kustomization *base, struct kustomization *k)
{
	struct kustomizations open = { 0 };
	struct arena *a = &g->w->snapshot->arena;

	g->visit++;
	*ARENA_PUSH(a, &open) = k;
	for (size_t i = 0; i < open.count && g->run.left; i++) {
		const struct kustomizations *parents = &open.items[i]->parents;

		if (open.items[i] == base)
			return true;
		for (size_t p = 0; p < parents->count; p++, g->run.left -= g->run.left > 0)
			if (parents->items[p]->visit != g->visit) {
				parents->items[p]->visit = g->visit;
				*ARENA_PUSH(a, &open) = parents->items[p];
			}
	}
	return false;
}

/* What stops the entry TEXT, at PATH of the tree, from being taken; NULL for nothing. */
static const char *fault_of(struct graph *g, const char *text, const char *path)
{
	if (is_remote(text))
		return "lies elsewhere and is not assessed; supply the output of kustomize build";
	if (!path)
		return "lies outside the tree and is not assessed; supply the output of kustomize build";
	if (!g->w->exists(g->w, path))
		return "is not in the tree";
	if (has_kustomization(g->w, path))
		return "has a kustomization that could not be read";
	return workspace_input(g->w, path) ?
		       NULL :
		       "is neither a folder with a kustomization nor a manifest that was read";
}

static void link_entry(struct graph *g, struct kustomization *k, const struct node *entry, bool component)
{
	struct arena *a = &g->w->snapshot->arena;
	const char *text = node_text(entry);
	const char *path = text && !is_remote(text) ? path_join(a, k->folder, text) : NULL;
	struct kustomization *base = path ? in_folder(g, path) : NULL;
	const char *fault = text && !base ? fault_of(g, text, path) : NULL;

	if (base && is_above(g, base, k)) {
		fault = "leads back to this kustomization; kustomize refuses the cycle";
		base = NULL;
	}
	if (fault) {
		input_problem(g->w, k->in, entry->span, "kustomization: %s %s", text, fault);
		k->missing = k->missing ? k->missing : entry;
	}
	if (!base)
		return;
	*ARENA_PUSH(a, &base->parents) = k;
	if (component)
		*ARENA_PUSH(a, &k->components) = base;
}

static void link_folders(struct graph *g, struct kustomization *k)
{
	for (size_t l = 0; l < sizeof resource_lists / sizeof *resource_lists; l++) {
		const struct node *list = k8s_seq(k->node, resource_lists[l]);

		for (uint32_t i = 0; i < node_count(list); i++)
			link_entry(g, k, node_at(list, i),
				   strcmp(resource_lists[l], "components") == 0);
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

/* --- applying ------------------------------------------------------------------------------------ */

static struct k8s_file *file_for(struct workspace *w, struct input *in)
{
	struct k8s_file *file = in->state[FORMAT_K8S];

	if (file)
		return file;
	file = ARENA_NEW(&w->snapshot->arena, struct k8s_file);
	file->deferred = true;
	in->state[FORMAT_K8S] = file;
	return file;
}

/* Where the chain from K ends or parts: all on the way change the object, so that it is this one's. */
static struct kustomization *chain_end(struct kustomization *k, unsigned depth)
{
	for (; k->parents.count == 1 && depth < LIMIT_INCLUDE_DEPTH; depth++)
		k = k->parents.items[0];
	return k;
}

/* O as it goes on through K: an object of the file where that chain ends, with spans where its values stand.
 * False when there are too many already. */
static bool branch(struct graph *g, struct k8s_object *o, struct kustomization *k, unsigned depth)
{
	struct input *in = chain_end(k, depth)->in;
	struct arena *a = &g->w->snapshot->arena;
	struct k8s_object *copy;

	if (depth >= LIMIT_INCLUDE_DEPTH)
		return true;
	if (g->overlays.count >= LIMIT_OVERLAID) {
		if (!k->crowded)
			input_problem(g->w, k->in, k->node->span,
				      "kustomization: more than %u objects of overlays in the tree; "
				      "the rest has no rows", LIMIT_OVERLAID);
		k->crowded = true;
		return false;
	}
	copy = ARENA_NEW(a, struct k8s_object);
	*copy = *o;
	copy->in = in;
	copy->overlaid = true;
	memset(&copy->variants, 0, sizeof copy->variants);
	*ARENA_PUSH(a, &file_for(g->w, in)->objects) = copy;
	*ARENA_PUSH(a, &g->overlays) = (struct overlay){ copy, k, depth };
	return true;
}

static void branch_all(struct graph *g, struct k8s_object *o, unsigned depth)
{
	for (size_t i = 0; i < o->variants.count; i++)
		if (!branch(g, o, o->variants.items[i], depth))
			return;
}

/* The chain upwards while it is the only one; where it parts, each overlay makes an object of its own. */
static void apply_chain(struct graph *g, struct kustomization *k, struct k8s_object *o, unsigned depth)
{
	for (; k && depth < LIMIT_INCLUDE_DEPTH; depth++) {
		kustomize_change(&g->run, k, o);
		if (k->parents.count > 1) {
			o->variants = k->parents;
			branch_all(g, o, depth + 1);
		}
		k = k->parents.count == 1 ? k->parents.items[0] : NULL;
	}
}

static void add_generated(void *context, struct kustomization *k, struct k8s_object *o)
{
	struct graph *g = context;

	*ARENA_PUSH(&g->w->snapshot->arena, &file_for(g->w, k->in)->objects) = o;
	apply_chain(g, k, o, 0);
}

static void apply_file(struct graph *g, struct input *in, struct k8s_file *file)
{
	const struct id_list *owners = name_lists_get(&g->resources, in->artifact->path);
	struct kustomizations shared = { 0 };

	file->patch = !owners->count && name_lists_get(&g->patches, in->artifact->path)->count;
	for (size_t i = 0; owners->count > 1 && i < owners->count; i++)
		*ARENA_PUSH(&g->w->snapshot->arena, &shared) = g->all.items[owners->items[i]];
	for (size_t i = 0; owners->count && i < file->objects.count; i++) {
		struct k8s_object *o = file->objects.items[i];

		o->variants = shared;
		if (owners->count == 1)
			apply_chain(g, g->all.items[owners->items[0]], o, 0);
		else
			branch_all(g, o, 0);
	}
}

/* What an overlay takes away is not there; an object of the base stays a row, since it stands in a file. */
static void drop_gone(struct k8s_file *file)
{
	size_t kept = 0;

	for (size_t i = 0; file && i < file->objects.count; i++)
		if (!file->objects.items[i]->gone || !file->objects.items[i]->overlaid)
			file->objects.items[kept++] = file->objects.items[i];
	if (file)
		file->objects.count = kept;
}

/* A patch whose object lies elsewhere changes no row: that is said. */
static void report_unapplied(struct workspace *w, struct input *in)
{
	const struct k8s_file *file = in->state[FORMAT_K8S];

	for (size_t i = 0; file && file->patch && !file->applied && i < file->objects.count; i++) {
		const struct k8s_object *o = file->objects.items[i];

		input_problem(w, in, k8s_place(o->node, "kind"),
			      "patch of %s %s is not applied: no kustomization of the tree brings "
			      "it there; what it adds or changes has no row", o->kind, o->name);
	}
}

void kustomize_apply(struct workspace *w)
{
	struct graph g = { .w = w, .run = { .w = w, .left = LIMIT_COMPARED } };
	const size_t inputs = w->inputs.count;

	gather(&g);
	list_all_files(&g);
	for (size_t i = 0; i < g.all.count; i++)
		link_folders(&g, g.all.items[i]);
	spread_missing(&g);
	for (size_t i = 0; g.all.count && i < inputs; i++) {
		struct k8s_file *file = w->inputs.items[i]->state[FORMAT_K8S];

		if (file && file->deferred && !w->inputs.items[i]->state[FORMAT_KUSTOMIZE])
			apply_file(&g, w->inputs.items[i], file);
	}
	for (size_t i = 0; i < g.all.count; i++)
		kustomize_generate(&g.run, g.all.items[i], add_generated, &g);
	for (size_t i = 0; i < g.overlays.count; i++) {
		struct overlay next = g.overlays.items[i];

		apply_chain(&g, next.through, next.object, next.depth);
	}
	for (size_t i = 0; g.all.count && i < w->inputs.count; i++)
		drop_gone(w->inputs.items[i]->state[FORMAT_K8S]);
	kustomize_rename(w);
	for (size_t i = 0; g.all.count && i < w->inputs.count; i++)
		report_unapplied(w, w->inputs.items[i]);
	for (size_t i = 0; i < g.all.count; i++)
		kustomize_report_patches(&g.run, g.all.items[i]);
}

/* ConfigMaps and Secrets that kustomizations generate: objects like those that stand in a manifest.
 *
 * Values of ConfigMaps are those of the files and literals named, with their places there. Of a Secret's files
 * nothing is read: a key's value is only known to be there. References follow a generated name, so objects keep
 * the name without the hash that kustomize adds to it.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/kustomize.h"

#include <string.h>

#include "model/limits.h"
#include "model/name_lists.h"
#include "src/syntax/dotenv.h"

struct generation {
	struct kustomize_run *run;
	struct workspace *w;
	struct kustomization *k;
	const struct node *entry;
	bool secret;
	struct node *data; /* the map under construction */
	uint32_t room;     /* of its items */
};

static struct node *new_node(struct arena *a, enum node_kind kind, struct span span)
{
	struct node *n = ARENA_NEW(a, struct node);

	*n = (struct node){ .kind = kind, .style = NODE_BLOCK, .span = span };
	return n;
}

static struct node *new_text(struct arena *a, const char *text, struct span span)
{
	struct node *n = new_node(a, NODE_SCALAR, span);

	n->style = NODE_DOUBLE;
	n->text = text;
	n->text_length = (uint32_t)strlen(text);
	return n;
}

static void add_item(struct arena *a, struct node *map, uint32_t *room, const char *key, struct span span,
		     struct node *value)
{
	if (map->count == *room) {
		struct node_item *items;

		*room = *room ? *room * 2 : 8;
		items = arena_array(a, *room, sizeof *items);
		if (map->count)
			memcpy(items, map->items, map->count * sizeof *items);
		map->items = items;
	}
	value->parent = map;
	map->items[map->count].key = new_text(a, key, span);
	map->items[map->count++].value = value;
}

static void add_pair(struct generation *g, const char *key, struct span span, struct node *value)
{
	if (g->data->count < LIMIT_VARIABLES)
		add_item(&g->w->snapshot->arena, g->data, &g->room, key, span, value);
}

/* "KEY=value" in quotes or not. */
static void add_literal(struct generation *g, const struct node *n)
{
	struct arena *a = &g->w->snapshot->arena;
	const char *text = node_text(n), *equals = text ? strchr(text, '=') : NULL;
	struct span place = n ? n->span : (struct span){ 0 };
	const char *value;

	if (!equals || equals == text) {
		if (n)
			input_problem(g->w, g->k->in, n->span,
				      "kustomization: a literal must be written as name=value");
		return;
	}
	value = equals + 1;
	if (strlen(value) > 1 && strchr("'\"", *value) && value[strlen(value) - 1] == *value)
		value = arena_copy(a, value + 1, strlen(value) - 2);
	if (n->style == NODE_PLAIN && place.length == n->text_length) {
		place.offset += (uint32_t)(equals + 1 - text);
		place.length -= (uint32_t)(equals + 1 - text);
	}
	add_pair(g, arena_copy(a, text, (size_t)(equals - text)), n->span, new_text(a, value, place));
}

/* Path in the tree of what an entry names, or NULL, which is said. */
static const char *path_of(struct generation *g, const struct node *n, const char *text)
{
	const char *path = path_join(&g->w->snapshot->arena, g->k->folder, text);

	if (path && g->w->exists(g->w, path))
		return path;
	input_problem(g->w, g->k->in, n->span, "kustomization: %s %s, so what it generates is not known",
		      text, path ? "is not in the tree" : "lies outside the tree");
	return NULL;
}

/* "path" or "key=path". */
static void add_file(struct generation *g, const struct node *n)
{
	struct arena *a = &g->w->snapshot->arena;
	const char *text = node_text(n), *equals = text ? strchr(text, '=') : NULL;
	const char *path = text ? path_of(g, n, equals ? equals + 1 : text) : NULL;
	const char *key = equals ? arena_copy(a, text, (size_t)(equals - text)) : path_base(text ? text : "");
	struct input *in;
	struct node *value;

	if (!path) {
		if (text)
			add_pair(g, key, n->span, new_text(a, "$(FILE)", n->span));
		return;
	}
	if (g->secret) {
		add_pair(g, key, n->span, new_text(a, "file of the tree", n->span));
		return;
	}
	in = g->w->open(g->w, path, FORMAT_KUSTOMIZE);
	if (!in || !kustomize_may(g->run, g->k, in->source->length))
		return;
	value = new_text(a, arena_copy(a, in->source->bytes, in->source->length),
			 (struct span){ in->source->id, 0, in->source->length });
	value->style = NODE_LITERAL;
	add_pair(g, key, n->span, value);
}

static void add_variables(struct generation *g, const struct node *n)
{
	const char *text = node_text(n), *path = text ? path_of(g, n, text) : NULL;
	struct input *in = path ? g->w->open(g->w, path, FORMAT_DOTENV) : NULL;
	struct arena *a = &g->w->snapshot->arena;
	struct dotenv env = { 0 };

	if (!in || !kustomize_may(g->run, g->k, in->source->length))
		return;
	dotenv_read_raw(a, in->source, NULL, NULL, &env);
	for (size_t i = 0; i < env.count; i++) {
		const struct dotenv_entry *e = &env.items[i];

		add_pair(g, e->name, e->name_span,
			 new_text(a, e->value ? e->value : "", e->value ? e->value_span : e->name_span));
	}
}

static void each(struct generation *g, const char *key,
		 void (*add)(struct generation *g, const struct node *n))
{
	const struct node *list = k8s_get(g->entry, key);

	if (node_text(list))
		add(g, list);
	for (uint32_t i = 0; node_is_seq(list) && i < node_count(list); i++)
		add(g, node_at(list, i));
}

static void read_data(struct generation *g)
{
	g->data = new_node(&g->w->snapshot->arena, NODE_MAP, k8s_place(g->entry, "name"));
	each(g, "literals", add_literal);
	each(g, "files", add_file);
	each(g, "envs", add_variables);
	each(g, "env", add_variables);
}

static const char *data_key(bool secret)
{
	return secret ? "stringData" : "data";
}

static struct node *object_node(struct generation *g, const char *name)
{
	struct arena *a = &g->w->snapshot->arena;
	const struct span place = k8s_place(g->entry, "name");
	struct node *top = new_node(a, NODE_MAP, g->entry->span);
	struct node *metadata = new_node(a, NODE_MAP, place);
	const char *namespace = k8s_text(g->entry, "namespace");
	uint32_t room = 0, inner = 0;

	add_item(a, metadata, &inner, "name", place, new_text(a, name, place));
	if (namespace)
		add_item(a, metadata, &inner, "namespace", place, new_text(a, namespace, place));
	add_item(a, top, &room, "apiVersion", place, new_text(a, "v1", place));
	add_item(a, top, &room, "kind", place, new_text(a, g->secret ? "Secret" : "ConfigMap", place));
	add_item(a, top, &room, "metadata", place, metadata);
	if (k8s_text(g->entry, "type"))
		add_item(a, top, &room, "type", place, new_text(a, k8s_text(g->entry, "type"), place));
	add_item(a, top, &room, data_key(g->secret), place, g->data);
	return top;
}

static bool is_hashed(const struct kustomization *k, const struct node *entry)
{
	const struct node *own = k8s_map(entry, "options"), *all = k8s_map(k->node, "generatorOptions");

	if (k8s_get(own, "disableNameSuffixHash"))
		return !k8s_is_true(own, "disableNameSuffixHash");
	return !k8s_is_true(all, "disableNameSuffixHash");
}

static struct k8s_object *new_object(struct generation *g)
{
	const char *name = k8s_text(g->entry, "name"), *namespace = k8s_text(g->entry, "namespace");
	struct k8s_object *o = ARENA_NEW(&g->w->snapshot->arena, struct k8s_object);

	read_data(g);
	o->in = g->k->in;
	o->node = object_node(g, name);
	o->api_version = "v1";
	o->group = "";
	o->kind = g->secret ? "Secret" : "ConfigMap";
	o->metadata = k8s_map(o->node, "metadata");
	o->name = name;
	o->namespace = namespace ? namespace : "";
	o->hashed = is_hashed(g->k, g->entry);
	return o;
}

static const struct {
	const char *key;
	bool secret;
} generators[] = { { "configMapGenerator", false }, { "secretGenerator", true } };

static bool changes_other(const struct node *entry)
{
	return k8s_word_in(k8s_text(entry, "behavior"), "merge replace");
}

void kustomize_generate(struct kustomize_run *run, struct kustomization *k,
			void (*made)(void *context, struct kustomization *k, struct k8s_object *o),
			void *context)
{
	for (size_t l = 0; l < sizeof generators / sizeof *generators; l++) {
		const struct node *list = k8s_seq(k->node, generators[l].key);

		for (uint32_t i = 0; i < node_count(list); i++) {
			struct generation g = { .run = run, .w = run->w, .k = k,
						.entry = node_at(list, i),
						.secret = generators[l].secret };

			if (!k8s_text(g.entry, "name"))
				input_problem(run->w, k->in, g.entry ? g.entry->span : list->span,
					      "kustomization: an entry of %s has no name and generates "
					      "nothing", generators[l].key);
			else if (!changes_other(g.entry))
				made(context, k, new_object(&g));
		}
	}
}

/* What ENTRY puts into O or in place of it. */
static void merge_entry(struct kustomize_run *run, struct generation *g, struct k8s_object *o)
{
	struct arena *a = &run->w->snapshot->arena;
	const bool replace = node_is(k8s_get(g->entry, "behavior"), "replace");
	struct node *top = new_node(a, NODE_MAP, g->entry->span);
	struct node *without = new_node(a, NODE_MAP, o->node->span);
	uint32_t room = 0;

	read_data(g);
	add_item(a, top, &room, data_key(g->secret), g->data->span, g->data);
	*without = *o->node;
	if (replace) {
		without->items = arena_array(a, o->node->count + 1u, sizeof *without->items);
		without->count = 0;
		for (uint32_t i = 0; i < o->node->count; i++)
			if (!k8s_word_in(node_text(o->node->items[i].key), "data stringData"))
				without->items[without->count++] = o->node->items[i];
	}
	kustomize_replace(o, patch_merge(a, without, top, &run->left));
}

/* K's entries of generators[L] that change what is there, by name. */
static const struct name_lists *merged_of(struct workspace *w, struct kustomization *k, size_t l)
{
	const struct node *list = k8s_seq(k->node, generators[l].key);
	struct arena *a = &w->snapshot->arena;

	if (k->merged[l])
		return k->merged[l];
	k->merged[l] = ARENA_NEW(a, struct name_lists);
	for (uint32_t i = 0; i < node_count(list); i++) {
		const char *name = k8s_text(node_at(list, i), "name");

		if (name && changes_other(node_at(list, i)))
			name_lists_add(a, k->merged[l], name, i);
	}
	return k->merged[l];
}

void kustomize_merge_generated(struct kustomize_run *run, struct kustomization *k, struct k8s_object *o)
{
	const size_t l = strcmp(o->kind, "Secret") == 0;
	const struct id_list *found;

	if (*o->group || !k8s_word_in(o->kind, "ConfigMap Secret"))
		return;
	found = name_lists_get(merged_of(run->w, k, l), o->name);
	for (size_t i = 0; i < found->count && kustomize_may(run, k, 1); i++) {
		struct generation g = {
			.run = run, .w = run->w, .k = k, .secret = generators[l].secret,
			.entry = node_at(k8s_seq(k->node, generators[l].key), found->items[i]),
		};

		merge_entry(run, &g, o);
	}
}

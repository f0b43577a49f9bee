/* Strategic merge and JSON 6902 patches on node trees, without recursion.
 *
 * A scalar that replaces another one keeps it as `target`, so that a fact can show the former place.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/kustomize.h"

#include <stdlib.h>
#include <string.h>

#include "model/limits.h"

/* Lists that are merged item by item, and the key that tells items apart; the rest is replaced. */
static const char *merge_key(const char *list, const struct node *item)
{
	static const char by_name[] = "containers initContainers ephemeralContainers volumes env "
				      "imagePullSecrets secrets";

	if (k8s_word_in(list, by_name))
		return "name";
	if (strcmp(list, "volumeMounts") == 0)
		return "mountPath";
	if (strcmp(list, "volumeDevices") == 0)
		return "devicePath";
	if (strcmp(list, "hostAliases") == 0)
		return "ip";
	if (strcmp(list, "ports") == 0)
		return k8s_get(item, "containerPort") ? "containerPort" : "port";
	return NULL;
}

struct task {
	struct node *out;
	const struct node *base, *patch;
	const char *list; /* key under which they stand */
};

struct merge {
	struct arena *arena;
	struct {
		struct task *items;
		size_t count, capacity;
	} tasks;
	unsigned long *left;
};

static struct node *later(struct merge *m, const struct node *base, const struct node *patch,
			  const char *list, const struct node *parent)
{
	struct node *out = ARENA_NEW(m->arena, struct node);

	*out = *patch;
	out->parent = parent;
	*ARENA_PUSH(m->arena, &m->tasks) = (struct task){ out, base, patch, list };
	return out;
}

static struct node_item *copy_items(struct arena *a, const struct node *n, uint32_t room)
{
	struct node_item *items = arena_array(a, n->count + room + 1u, sizeof *items);

	if (n->count)
		memcpy(items, n->items, n->count * sizeof *items);
	return items;
}

static uint32_t index_of_key(const struct node *map, const char *key)
{
	for (uint32_t i = 0; i < map->count; i++)
		if (node_is(map->items[i].key, key))
			return i;
	return map->count;
}

static void drop(struct node *n, uint32_t i)
{
	memmove(&n->items[i], &n->items[i + 1], (n->count - i - 1) * sizeof *n->items);
	n->count--;
}

/* Takes COST steps; false when there are none left. */
static bool step(unsigned long *left, size_t cost)
{
	*left -= cost < *left ? cost : *left;
	return *left > 0;
}

static void merge_maps(struct merge *m, struct task *t)
{
	struct node *out = t->out;

	out->items = copy_items(m->arena, t->base, t->patch->count);
	out->count = t->base->count;
	out->span = t->base->span;
	for (uint32_t i = 0; i < t->patch->count && step(m->left, 1 + out->count); i++) {
		const struct node_item *item = &t->patch->items[i];
		const struct node *value = node_resolve(item->value);
		const char *key = node_text(item->key);
		uint32_t at;

		if (!key || key[0] == '$' || !value)
			continue;
		at = index_of_key(out, key);
		if (value->kind == NODE_NULL) {
			if (at < out->count)
				drop(out, at);
		} else if (at < out->count) {
			out->items[at].value =
				later(m, node_resolve(out->items[at].value), value, key, out);
			if (value->kind == NODE_SCALAR)
				out->items[at].key = item->key;
		} else {
			out->items[out->count++] = *item;
		}
	}
}

static uint32_t index_of_item(const struct node *list, const char *key, const char *value)
{
	for (uint32_t i = 0; value && i < list->count; i++)
		if (node_is(k8s_get(node_resolve(list->items[i].value), key), value))
			return i;
	return list->count;
}

static void merge_lists(struct merge *m, struct task *t)
{
	struct node *out = t->out;

	out->items = copy_items(m->arena, t->base, t->patch->count);
	out->count = t->base->count;
	out->span = t->base->span;
	for (uint32_t i = 0; i < t->patch->count && step(m->left, 1 + out->count); i++) {
		const struct node *item = node_at(t->patch, i);
		const char *key = node_is_map(item) ? merge_key(t->list, item) : NULL;
		uint32_t at = key ? index_of_item(out, key, k8s_text(item, key)) : out->count;

		if (node_is(k8s_get(item, "$patch"), "delete")) {
			if (at < out->count)
				drop(out, at);
		} else if (at < out->count) {
			out->items[at].value =
				later(m, node_resolve(out->items[at].value), item, "", out);
		} else {
			out->items[out->count++] = t->patch->items[i];
		}
	}
}

static void merge_one(struct merge *m, struct task *t)
{
	const struct node *base = t->base, *patch = t->patch;

	if (!base || base->kind != patch->kind) {
		t->out->target = NULL;
	} else if (patch->kind == NODE_SCALAR && node_is(base, patch->text)) {
		const struct node *parent = t->out->parent;

		*t->out = *base;
		t->out->parent = parent;
	} else if (patch->kind == NODE_SCALAR) {
		t->out->target = ARENA_NEW(m->arena, struct node);
		*t->out->target = *base;
	} else if (patch->kind == NODE_MAP && !node_is(k8s_get(patch, "$patch"), "replace")) {
		merge_maps(m, t);
	} else if (patch->kind == NODE_SEQ && patch->count &&
		   merge_key(t->list, node_at(patch, 0))) {
		merge_lists(m, t);
	}
}

const struct node *patch_merge(struct arena *a, const struct node *base, const struct node *patch,
			       unsigned long *left)
{
	struct merge m = { .arena = a, .left = left };
	struct node *out = later(&m, node_resolve(base), node_resolve(patch), "", NULL);

	for (size_t i = 0; i < m.tasks.count && m.tasks.count < LIMIT_ALIAS_VISITS; i++) {
		struct task t = m.tasks.items[i];

		merge_one(&m, &t);
	}
	return *left ? out : base;
}

struct node *patch_scalar(struct arena *a, const struct node *former, const char *text,
			  struct span span)
{
	struct node *out = ARENA_NEW(a, struct node);

	*out = (struct node){ .kind = NODE_SCALAR,
			      .style = NODE_PLAIN,
			      .text = text,
			      .text_length = (uint32_t)strlen(text),
			      .span = span,
			      .parent = former ? former->parent : NULL };
	if (former) {
		out->target = ARENA_NEW(a, struct node);
		*out->target = *former;
	}
	return out;
}

/* --- JSON 6902 ---------------------------------------------------------------------------------- */

/* The next part of a JSON pointer, "~1" and "~0" decoded; false at the end. */
static bool next_part(struct arena *a, const char **pointer, const char **part)
{
	const char *end;
	char *copy, *to;

	if (**pointer != '/')
		return false;
	end = *pointer + 1 + strcspn(*pointer + 1, "/");
	copy = arena_copy(a, *pointer + 1, (size_t)(end - *pointer - 1));
	to = copy;
	for (const char *from = copy; *from; from++, to++) {
		*to = *from;
		if (from[0] == '~' && (from[1] == '0' || from[1] == '1'))
			*to = *++from == '0' ? '~' : '/';
	}
	*to = '\0';
	*part = copy;
	*pointer = end;
	return true;
}

static uint32_t index_of_part(const struct node *n, const char *part)
{
	char *end;
	unsigned long i;

	if (n->kind == NODE_MAP)
		return index_of_key(n, part);
	if (strcmp(part, "-") == 0)
		return n->count;
	i = strtoul(part, &end, 10);
	return *end || end == part || i > n->count ? UINT32_MAX : (uint32_t)i;
}

static struct node *copy_node(struct arena *a, const struct node *n, const struct node *parent)
{
	struct node *out = ARENA_NEW(a, struct node);

	*out = *n;
	out->items = copy_items(a, n, 1);
	out->parent = parent;
	return out;
}

static bool set_at(struct arena *a, struct node *n, uint32_t at, const char *part,
		   const struct node *operation, const char *op)
{
	const struct node *value = node_get(operation, "value");
	struct node *copy;

	if (strcmp(op, "remove") == 0) {
		if (at < n->count)
			drop(n, at);
		return true;
	}
	if (!value || (strcmp(op, "add") != 0 && strcmp(op, "replace") != 0))
		return strcmp(op, "test") == 0;
	copy = ARENA_NEW(a, struct node);
	*copy = *value;
	copy->parent = n;
	if (at < n->count && (n->kind == NODE_MAP || strcmp(op, "replace") == 0)) {
		const struct node *former = node_resolve(n->items[at].value);

		if (former && former->kind == NODE_SCALAR && copy->kind == NODE_SCALAR)
			*copy = *patch_scalar(a, former, value->text, value->span);
		n->items[at].value = copy;
		return true;
	}
	if (at < n->count)
		memmove(&n->items[at + 1], &n->items[at], (n->count - at) * sizeof *n->items);
	n->items[at].key = n->kind == NODE_MAP ? patch_scalar(a, NULL, part, value->span) : NULL;
	n->items[at].value = copy;
	n->count++;
	return true;
}

const struct node *patch_operate(struct arena *a, const struct node *base,
				 const struct node *operation, unsigned long *left)
{
	const char *op = k8s_text(operation, "op"), *pointer = k8s_text(operation, "path");
	const char *part = NULL;
	struct node *root, *at;

	if (!op || !pointer || !*pointer || !node_is_map(base))
		return NULL;
	root = at = copy_node(a, node_resolve(base), NULL);
	while (next_part(a, &pointer, &part)) {
		uint32_t i = index_of_part(at, part);
		const struct node *child;
		struct node *copy;

		if (i == UINT32_MAX)
			return NULL;
		if (!*pointer)
			return set_at(a, at, i, part, operation, op) ? root : NULL;
		if (!step(left, 1 + at->count))
			return NULL;
		child = i < at->count ? node_resolve(at->items[i].value) : NULL;
		if (!child || (child->kind != NODE_MAP && child->kind != NODE_SEQ))
			return NULL;
		copy = copy_node(a, child, at);
		at->items[i].value = copy;
		at = copy;
	}
	return NULL;
}

/* --- patches as text ------------------------------------------------------------------------------ */

/* Line K of a literal block is line K of its text, further right by the block's indentation. */
static void remap(const struct source *file, const struct source *text, const struct node *scalar,
		  struct node *n)
{
	uint32_t line = source_line(text, n->span.offset), column, first, indent = 0, start;

	if (scalar->style != NODE_LITERAL) {
		n->span = scalar->span;
		return;
	}
	column = n->span.offset - text->line_starts[line - 1];
	first = source_line(file, scalar->span.offset) + 1;
	if (first + line - 1 > file->line_count) {
		n->span = scalar->span;
		return;
	}
	start = file->line_starts[first - 1];
	while (start + indent < file->length && file->bytes[start + indent] == ' ')
		indent++;
	n->span.source = file->id;
	n->span.offset = file->line_starts[first + line - 2] + indent + column;
	if (n->span.offset > file->length)
		n->span = scalar->span;
	else if (n->span.length > file->length - n->span.offset)
		n->span.length = file->length - n->span.offset;
}

const struct node *patch_parse(struct workspace *w, struct input *in, const struct node *scalar)
{
	struct arena *a = &w->snapshot->arena;
	struct source text;
	struct documents documents = { 0 };
	struct problems problems = { 0 };
	struct {
		struct node **items;
		size_t count, capacity;
	} open = { 0 };

	source_init(&text, a, in->source->id, in->source->path, scalar->text, scalar->text_length);
	yaml_read(a, &text, &documents, &problems);
	if (!documents.count || problems.count)
		return NULL;
	*ARENA_PUSH(a, &open) = documents.items[0];
	for (size_t i = 0; i < open.count && open.count < LIMIT_NODES; i++) {
		struct node *n = open.items[i];

		for (uint32_t k = 0; n->kind != NODE_ALIAS && k < n->count; k++) {
			if (n->items[k].key)
				*ARENA_PUSH(a, &open) = n->items[k].key;
			*ARENA_PUSH(a, &open) = n->items[k].value;
		}
		remap(in->source, &text, scalar, n);
	}
	return node_resolve(documents.items[0]);
}

/* Accessors of the node tree.
 * SPDX-License-Identifier: MIT */
#include "model/node.h"

#include <stdarg.h>
#include <string.h>

#include "model/limits.h"

const struct node *node_resolve(const struct node *n)
{
	unsigned hops = 0;

	while (n && n->kind == NODE_ALIAS && hops++ < LIMIT_INCLUDE_DEPTH)
		n = n->target;
	return n && n->kind == NODE_ALIAS ? NULL : n;
}

static bool key_is(const struct node *key, const char *text)
{
	key = node_resolve(key);
	return key && key->kind == NODE_SCALAR && node_is(key, text);
}

static const struct node_item *find_own(const struct node *map, const char *key)
{
	for (uint32_t i = map->count; i-- > 0;)
		if (key_is(map->items[i].key, key))
			return &map->items[i];
	return NULL;
}

static const struct node_item *find_bounded(const struct node *map, const char *key, unsigned depth)
{
	const struct node_item *item;
	const struct node *merged;

	map = node_resolve(map);
	if (!map || map->kind != NODE_MAP || depth > LIMIT_INCLUDE_DEPTH)
		return NULL;
	item = find_own(map, key);
	if (item || strcmp(key, "<<") == 0)
		return item;
	item = find_own(map, "<<");
	merged = item ? node_resolve(item->value) : NULL;
	if (!merged || merged->kind != NODE_SEQ)
		return merged ? find_bounded(merged, key, depth + 1) : NULL;
	for (uint32_t i = 0; i < merged->count; i++) {
		item = find_bounded(merged->items[i].value, key, depth + 1);
		if (item)
			return item;
	}
	return NULL;
}

const struct node_item *node_find(const struct node *map, const char *key)
{
	return find_bounded(map, key, 0);
}

const struct node *node_get(const struct node *map, const char *key)
{
	const struct node_item *item = node_find(map, key);

	return item ? node_resolve(item->value) : NULL;
}

const struct node *node_path(const struct node *n, ...)
{
	va_list keys;
	const char *key;

	va_start(keys, n);
	while (n && (key = va_arg(keys, const char *)))
		n = node_get(n, key);
	va_end(keys);
	return node_resolve(n);
}

const struct node *node_at(const struct node *seq, uint32_t i)
{
	seq = node_resolve(seq);
	if (!seq || seq->kind != NODE_SEQ || i >= seq->count)
		return NULL;
	return node_resolve(seq->items[i].value);
}

uint32_t node_items(const struct node *n)
{
	n = node_resolve(n);
	return n && (n->kind == NODE_MAP || n->kind == NODE_SEQ) ? n->count : 0;
}

const char *node_text(const struct node *n)
{
	n = node_resolve(n);
	return n && n->kind == NODE_SCALAR ? n->text : NULL;
}

bool node_is(const struct node *n, const char *text)
{
	n = node_resolve(n);
	return n && n->kind == NODE_SCALAR && n->text_length == strlen(text) &&
	       memcmp(n->text, text, n->text_length) == 0;
}

bool node_has_kind(const struct node *n, enum node_kind kind)
{
	n = node_resolve(n);
	return n && n->kind == kind;
}

bool node_is_null(const struct node *n)
{
	n = node_resolve(n);
	return n && n->kind == NODE_NULL;
}

struct span node_key_span(const struct node *n)
{
	const struct node *parent = n ? n->parent : NULL;

	if (!n)
		return (struct span){ 0 };
	if (parent && parent->kind == NODE_MAP)
		for (uint32_t i = 0; i < parent->count; i++)
			if (parent->items[i].value == n && parent->items[i].key)
				return parent->items[i].key->span;
	return n->span;
}

struct flatten {
	struct arena *arena;
	struct node *out;
	size_t capacity;
	uint32_t *budget;
};

static bool already_has(const struct flatten *f, const struct node *key)
{
	const char *text = node_text(key);

	return text && find_own(f->out, text);
}

static void take_items(struct flatten *f, const struct node *map, bool merged, unsigned depth)
{
	const struct node_item *merge = NULL;
	const struct node *from;

	map = node_resolve(map);
	if (!map || map->kind != NODE_MAP || depth > LIMIT_INCLUDE_DEPTH)
		return;
	for (uint32_t i = 0; i < map->count && *f->budget; i++) {
		if (key_is(map->items[i].key, "<<")) {
			merge = &map->items[i];
			continue;
		}
		if (merged && already_has(f, map->items[i].key))
			continue;
		--*f->budget;
		f->out->items = arena_grow(f->arena, f->out->items, f->out->count, &f->capacity,
					   sizeof *f->out->items);
		f->out->items[f->out->count++] = map->items[i];
	}
	from = merge ? node_resolve(merge->value) : NULL;
	if (from && from->kind == NODE_SEQ)
		for (uint32_t i = 0; i < from->count; i++)
			take_items(f, from->items[i].value, true, depth + 1);
	else if (from)
		take_items(f, from, true, depth + 1);
}

const struct node *node_flatten(struct arena *a, const struct node *map, uint32_t *budget)
{
	struct flatten f = { .arena = a, .budget = budget };

	map = node_resolve(map);
	if (!map || map->kind != NODE_MAP || !find_own(map, "<<"))
		return map;
	f.out = ARENA_NEW(a, struct node);
	*f.out = *map;
	f.out->items = NULL;
	f.out->count = 0;
	take_items(&f, map, false, 0);
	return f.out;
}

/* The value tree of a Compose model: construction and access.
 *
 * cvalue_copy() recurses; trees are bounded in depth by LIMIT_DEPTH when they are built.
 * SPDX-License-Identifier: MIT */
#include "src/formats/compose/cvalue.h"

#include <stdarg.h>
#include <string.h>

#include "model/limits.h"

/* Maps of fewer members are searched one by one. */
#define INDEX_FROM 32u

struct cvalue *cvalue_new(struct arena *a, enum cvalue_kind kind, struct span span)
{
	struct cvalue *v = ARENA_NEW(a, struct cvalue);

	v->kind = kind;
	v->span = span;
	return v;
}

struct cvalue *cvalue_string(struct arena *a, const char *text, struct span span)
{
	struct cvalue *v = cvalue_new(a, CVALUE_STRING, span);

	v->text = text;
	return v;
}

struct cvalue *cvalue_integer(struct arena *a, long long number, struct span span)
{
	struct cvalue *v = cvalue_new(a, CVALUE_INTEGER, span);

	v->text = arena_printf(a, "%lld", number);
	return v;
}

struct cvalue *cvalue_boolean(struct arena *a, bool on, struct span span)
{
	struct cvalue *v = cvalue_new(a, CVALUE_BOOLEAN, span);

	v->text = on ? "true" : "false";
	return v;
}

struct cvalue *cvalue_derive(struct arena *a, const struct cvalue *like, enum cvalue_kind kind,
                             const char *text)
{
	struct cvalue *v = cvalue_new(a, kind, like->span);

	v->text = text;
	v->raw = like->raw;
	v->variable = like->variable;
	v->origin = like->origin;
	v->unresolved = like->unresolved;
	v->defaulted = like->defaulted;
	v->implied = like->implied;
	v->external = like->external;
	v->tag = like->tag;
	v->former = like->former;
	return v;
}

/* A key that was put at AT now lies there, or lower by as much as was removed. */
static struct cmember *find_indexed(const struct cvalue *map, const char *key)
{
	uint32_t at;

	if (!hash_index_get(map->index, key, &at))
		return NULL;
	for (size_t moved = 0; moved <= map->removed && moved <= at; moved++) {
		size_t i = at - moved;

		if (i < map->count && strcmp(map->items[i].key, key) == 0)
			return &map->items[i];
	}
	return NULL;
}

static struct cmember *find(const struct cvalue *map, const char *key)
{
	if (!cvalue_is_map(map))
		return NULL;
	if (map->index)
		return find_indexed(map, key);
	for (size_t i = 0; i < map->count; i++)
		if (strcmp(map->items[i].key, key) == 0)
			return &map->items[i];
	return NULL;
}

const struct cmember *cvalue_member(const struct cvalue *map, const char *key)
{
	return find(map, key);
}

static void index_anew(struct arena *a, struct cvalue *map)
{
	map->index = NULL;
	map->removed = 0;
	if (!cvalue_is_map(map) || map->count < INDEX_FROM)
		return;
	map->index = ARENA_NEW(a, struct hash_index);
	for (size_t i = 0; i < map->count; i++)
		hash_index_put(a, map->index, map->items[i].key, (uint32_t)i);
}

/* Adds a member whose key is not there yet. */
static void append(struct arena *a, struct cvalue *map, struct cmember member)
{
	*ARENA_PUSH(a, map) = member;
	if (map->removed > INDEX_FROM || (!map->index && map->count == INDEX_FROM))
		index_anew(a, map);
	else if (map->index)
		hash_index_put(a, map->index, member.key, (uint32_t)(map->count - 1));
}

struct cvalue *cvalue_get(const struct cvalue *map, const char *key)
{
	const struct cmember *m = cvalue_member(map, key);

	return m ? m->value : NULL;
}

struct cvalue *cvalue_path(const struct cvalue *v, ...)
{
	va_list keys;
	const char *key;
	struct cvalue *at = NULL;

	va_start(keys, v);
	while ((key = va_arg(keys, const char *))) {
		at = cvalue_get(v, key);
		v = at;
	}
	va_end(keys);
	return at;
}

struct cvalue *cvalue_at(const struct cvalue *list, size_t i)
{
	return cvalue_is_list(list) && i < list->count ? list->items[i].value : NULL;
}

bool cvalue_is_true(const struct cvalue *v)
{
	return cvalue_is_scalar(v) && strcmp(v->text, "true") == 0;
}

static struct cformer *former_new(struct arena *a, struct span span, const char *text)
{
	struct cformer *f = ARENA_NEW(a, struct cformer);

	f->span = span;
	f->text = text;
	return f;
}

/* Links are shared between copies, so the list is rebuilt instead of changed. */
void cvalue_chain(struct arena *a, struct cvalue *new_value, const struct cvalue *old)
{
	const struct cformer *at = new_value->former;
	const struct cformer **end = &new_value->former;
	struct cformer *link;

	if (!old || old->implied || old == new_value)
		return;
	for (unsigned hops = 0; at && hops < LIMIT_INCLUDE_DEPTH; hops++, at = at->next) {
		link = former_new(a, at->span, at->text);
		*end = link;
		end = &link->next;
	}
	link = former_new(a, old->span, old->text);
	link->next = old->former;
	*end = link;
}

void cvalue_set(struct arena *a, struct cvalue *map, const char *key, struct span key_span,
                struct cvalue *value)
{
	const struct cmember *old = find(map, key);

	if (old)
		cvalue_chain(a, value, old->value);
	cvalue_put(a, map, key, key_span, value);
}

void cvalue_put(struct arena *a, struct cvalue *map, const char *key, struct span key_span,
                struct cvalue *value)
{
	struct cmember *old = find(map, key);

	if (old) {
		old->value = value;
		old->key_span = key_span;
	} else {
		append(a, map, (struct cmember){ key, key_span, value });
	}
}

void cvalue_imply(struct arena *a, struct cvalue *map, const char *key, struct cvalue *value)
{
	if (cvalue_member(map, key))
		return;
	value->implied = true;
	append(a, map, (struct cmember){ key, map->span, value });
}

void cvalue_push(struct arena *a, struct cvalue *list, struct cvalue *item)
{
	*ARENA_PUSH(a, list) = (struct cmember){ NULL, item->span, item };
}

void cvalue_remove(struct cvalue *map, const char *key)
{
	struct cmember *member = find(map, key);
	size_t after;

	if (!member)
		return;
	after = map->count - (size_t)(member - map->items) - 1;
	memmove(member, member + 1, after * sizeof *member);
	map->count--;
	map->removed++;
}

void cvalue_compact(struct arena *a, struct cvalue *v)
{
	size_t kept = 0;

	for (size_t i = 0; i < v->count; i++)
		if (v->items[i].value)
			v->items[kept++] = v->items[i];
	if (kept == v->count)
		return;
	v->count = kept;
	index_anew(a, v);
}

struct cvalue *cvalue_copy(struct arena *a, const struct cvalue *v)
{
	struct cvalue *copy = ARENA_NEW(a, struct cvalue);

	*copy = *v;
	copy->items = v->count ? arena_array(a, v->count, sizeof *copy->items) : NULL;
	copy->capacity = v->count;
	for (size_t i = 0; i < v->count; i++) {
		copy->items[i] = v->items[i];
		copy->items[i].value = cvalue_copy(a, v->items[i].value);
	}
	index_anew(a, copy);
	return copy;
}

/* The value tree of a Compose model: construction and access.
 *
 * cvalue_copy() recurses; trees are bounded in depth by LIMIT_DEPTH when they are built.
 * SPDX-License-Identifier: MIT */
#include "src/formats/compose/cvalue.h"

#include <stdarg.h>
#include <string.h>

#include "model/limits.h"

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

const struct cmember *cvalue_member(const struct cvalue *map, const char *key)
{
	if (!cvalue_is_map(map))
		return NULL;
	for (size_t i = 0; i < map->count; i++)
		if (strcmp(map->items[i].key, key) == 0)
			return &map->items[i];
	return NULL;
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

size_t cvalue_count(const struct cvalue *v)
{
	return cvalue_is_map(v) || cvalue_is_list(v) ? v->count : 0;
}

const char *cvalue_text(const struct cvalue *v)
{
	return cvalue_is_scalar(v) ? v->text : NULL;
}

bool cvalue_is_true(const struct cvalue *v)
{
	return cvalue_is_scalar(v) && strcmp(v->text, "true") == 0;
}

bool cvalue_is_map(const struct cvalue *v)
{
	return v && v->kind == CVALUE_MAP;
}

bool cvalue_is_list(const struct cvalue *v)
{
	return v && v->kind == CVALUE_LIST;
}

bool cvalue_is_scalar(const struct cvalue *v)
{
	return v && v->kind != CVALUE_NULL && v->kind != CVALUE_MAP && v->kind != CVALUE_LIST;
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
	for (size_t i = 0; i < map->count; i++) {
		if (strcmp(map->items[i].key, key) != 0)
			continue;
		cvalue_chain(a, value, map->items[i].value);
		map->items[i].value = value;
		map->items[i].key_span = key_span;
		return;
	}
	*ARENA_PUSH(a, map) = (struct cmember){ key, key_span, value };
}

void cvalue_imply(struct arena *a, struct cvalue *map, const char *key, struct cvalue *value)
{
	if (cvalue_member(map, key))
		return;
	value->implied = true;
	*ARENA_PUSH(a, map) = (struct cmember){ key, map->span, value };
}

void cvalue_push(struct arena *a, struct cvalue *list, struct cvalue *item)
{
	*ARENA_PUSH(a, list) = (struct cmember){ NULL, item->span, item };
}

void cvalue_remove_at(struct cvalue *v, size_t i)
{
	memmove(&v->items[i], &v->items[i + 1], (v->count - i - 1) * sizeof v->items[0]);
	v->count--;
}

void cvalue_remove(struct cvalue *map, const char *key)
{
	if (!cvalue_is_map(map))
		return;
	for (size_t i = 0; i < map->count; i++) {
		if (strcmp(map->items[i].key, key) == 0) {
			cvalue_remove_at(map, i);
			return;
		}
	}
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
	return copy;
}

/* How one file's values change another's.
 *
 * Recursion follows the table of keys; free content is bounded in depth by LIMIT_DEPTH.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "model/hash_index.h"
#include "src/formats/compose/load.h"

static const char *text_of(const struct cvalue *map, const char *key)
{
	const char *text = cvalue_text(cvalue_get(map, key));

	return text ? text : "";
}

static struct cvalue *replace(struct cload *c, struct cvalue *base, struct cvalue *over)
{
	cvalue_chain(c->arena, over, base);
	over->tag = CVALUE_PLAIN;
	return over;
}

static void merge_member(struct cload *c, struct cvalue *base, const struct cmember *m,
                         const struct ckey *key, const struct cplace *place)
{
	const struct ckey *child = schema_child(key, m->key);
	const struct cmember *there = cvalue_member(base, m->key);
	struct cplace here = { place, m->key, 0 };
	struct cvalue *old, *merged;

	old = there ? there->value : NULL;
	if (!there) {
		cvalue_put(c->arena, base, m->key, m->key_span, m->value);
		return;
	}
	/* A pair without a value takes the caller's, so it does replace. */
	if (key->form == CFORM_PAIRS && m->value->kind == CVALUE_NULL &&
	    m->value->tag == CVALUE_PLAIN)
		merged = replace(c, old, m->value);
	else
		merged = merge_values(c, old, m->value, child ? child : key, &here);
	/* A member without a value is dropped by merge_maps(). */
	cvalue_put(c->arena, base, m->key, merged == m->value && merged ? m->key_span : there->key_span,
	           merged);
}

static void merge_maps(struct cload *c, struct cvalue *base, struct cvalue *over,
                       const struct ckey *key, const struct cplace *place)
{
	if (key->merge == CMERGE_LOGGING && cvalue_member(over, "driver") &&
	    cvalue_member(base, "driver") &&
	    strcmp(text_of(base, "driver"), text_of(over, "driver")) != 0)
		cvalue_remove(base, "options");
	for (size_t i = 0; i < over->count; i++)
		merge_member(c, base, &over->items[i], key, place);
	cvalue_compact(c->arena, base);
	base->implied = base->implied && over->implied;
}

static struct cvalue *same_subnet(const struct cvalue *list, const struct cvalue *item)
{
	for (size_t i = 0; i < list->count; i++)
		if (text_of(item, "subnet")[0] &&
		    strcmp(text_of(list->items[i].value, "subnet"), text_of(item, "subnet")) == 0)
			return list->items[i].value;
	return NULL;
}

static void merge_lists(struct cload *c, struct cvalue *base, struct cvalue *over,
                        const struct ckey *key, const struct cplace *place)
{
	for (size_t i = 0; i < over->count; i++) {
		struct cvalue *item = over->items[i].value;
		struct cvalue *same = key->merge == CMERGE_IPAM ? same_subnet(base, item) : NULL;

		if (same)
			merge_maps(c, same, item, key->item, place);
		else
			cvalue_push(c->arena, base, item);
	}
}

struct cvalue *merge_values(struct cload *c, struct cvalue *base, struct cvalue *over,
                            const struct ckey *key, const struct cplace *place)
{
	if (!over)
		return base;
	if (over->tag == CVALUE_RESET)
		return NULL;
	if (!base)
		return over;
	if (over->tag == CVALUE_OVERRIDE || base->tag == CVALUE_RESET)
		return replace(c, base, over);
	if (over->kind == CVALUE_NULL)
		return base;
	if (base->kind == CVALUE_NULL || key->merge == CMERGE_REPLACE)
		return replace(c, base, over);
	if (base->kind == CVALUE_MAP && over->kind == CVALUE_MAP) {
		merge_maps(c, base, over, key, place);
		return base;
	}
	if (base->kind == CVALUE_LIST && over->kind == CVALUE_LIST) {
		merge_lists(c, base, over, key, place);
		return base;
	}
	if (!cvalue_is_scalar(base) || !cvalue_is_scalar(over))
		cload_report(c, COMPOSE_REFUSED, over->span,
		             "cannot override %s: the values are of "
		             "different types",
		             cplace_text(c->arena, place));
	return replace(c, base, over);
}

static const char *mount_identity(struct cload *c, const struct cvalue *item, const char *folder)
{
	const char *target = text_of(item, "target");

	if (!target[0])
		target = text_of(item, "source");
	return target[0] == '/' ? target : arena_printf(c->arena, "%s/%s", folder, target);
}

static const char *port_identity(struct cload *c, const struct cvalue *item)
{
	if (!cvalue_member(item, "target"))
		return NULL;
	return arena_printf(c->arena, "%s:%s:%s:%s", text_of(item, "host_ip"),
	                    text_of(item, "target"), text_of(item, "published"),
	                    text_of(item, "protocol"));
}

/* What makes an item of the list the same as another; NULL: nothing does. */
static const char *identity(struct cload *c, const struct cvalue *item, enum cunique unique)
{
	const char *text = cvalue_text(item);

	switch (unique) {
	case CUNIQUE_TEXT:
		return text;
	case CUNIQUE_TARGET:
		text = text_of(item, "target");
		return text[0] ? text : NULL;
	case CUNIQUE_SECRET:
		return mount_identity(c, item, "/run/secrets");
	case CUNIQUE_CONFIG:
		return mount_identity(c, item, "");
	case CUNIQUE_PORT:
		return port_identity(c, item);
	case CUNIQUE_PATH:
		return text_of(item, "path");
	case CUNIQUE_NONE:
		break;
	}
	return NULL;
}

/* ITEM takes the place of OLD, each of its values that of the same key. */
static void take_place(struct cload *c, struct cvalue *item, const struct cvalue *old)
{
	cvalue_chain(c->arena, item, old);
	for (size_t i = 0; cvalue_is_map(item) && i < item->count; i++) {
		const struct cvalue *before = cvalue_get(old, item->items[i].key);

		if (before && cvalue_is_scalar(before) && !before->implied)
			cvalue_chain(c->arena, item->items[i].value, before);
	}
}

/* Of items of one identity the last takes the place of the first. */
static void fold_list(struct cload *c, struct cvalue *list, enum cunique unique)
{
	struct hash_index seen = { 0 };
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++) {
		struct cmember item = list->items[i];
		const char *id = unique == CUNIQUE_NONE ? NULL : identity(c, item.value, unique);
		uint32_t first;

		if (id && hash_index_get(&seen, id, &first)) {
			take_place(c, item.value, list->items[first].value);
			list->items[first] = item;
			continue;
		}
		if (id)
			hash_index_put(c->arena, &seen, id, (uint32_t)kept);
		list->items[kept++] = item;
	}
	list->count = kept;
}

static void drop_reset(struct cload *c, struct cvalue *v)
{
	for (size_t i = 0; i < v->count; i++)
		if (v->items[i].value->tag == CVALUE_RESET)
			v->items[i].value = NULL;
	cvalue_compact(c->arena, v);
}

static void settle_list(struct cload *c, struct cvalue *list, const struct ckey *key)
{
	drop_reset(c, list);
	if (list->count > 1)
		fold_list(c, list, key->unique);
	if (key->item && key->item->keys)
		for (size_t i = 0; i < list->count; i++)
			merge_settle(c, list->items[i].value, key->item);
}

void merge_settle(struct cload *c, struct cvalue *v, const struct ckey *key)
{
	if (cvalue_is_list(v)) {
		settle_list(c, v, key);
		return;
	}
	if (!cvalue_is_map(v))
		return;
	drop_reset(c, v);
	for (size_t i = 0; i < v->count; i++) {
		const struct ckey *child = schema_child(key, v->items[i].key);

		merge_settle(c, v->items[i].value, child ? child : key);
	}
}

/* How one file's values change another's.
 *
 * Recursion follows the table of keys; free content is bounded in depth by LIMIT_DEPTH.
 * SPDX-License-Identifier: MIT */
#include <string.h>

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

/* The index of KEY in MAP, or its count. */
static size_t index_of(const struct cvalue *map, const char *key)
{
	size_t i = 0;

	while (i < map->count && strcmp(map->items[i].key, key) != 0)
		i++;
	return i;
}

static void merge_member(struct cload *c, struct cvalue *base, const struct cmember *m,
                         const struct ckey *key, const struct cplace *place)
{
	const struct ckey *child = schema_child(key, m->key);
	size_t i = index_of(base, m->key);
	struct cplace here = { place, m->key, 0 };
	struct cvalue *old, *merged;

	if (i == base->count) {
		*ARENA_PUSH(c->arena, base) = *m;
		return;
	}
	old = base->items[i].value;
	/* A pair without a value takes the caller's, so it does replace. */
	if (key->form == CFORM_PAIRS && m->value->kind == CVALUE_NULL &&
	    m->value->tag == CVALUE_PLAIN)
		merged = replace(c, old, m->value);
	else
		merged = merge_values(c, old, m->value, child ? child : key, &here);
	if (!merged) {
		cvalue_remove_at(base, i);
		return;
	}
	base->items[i].value = merged;
	if (merged == m->value)
		base->items[i].key_span = m->key_span;
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

static bool fold_into_earlier(struct cload *c, struct cvalue *list, size_t i, const char **ids)
{
	for (size_t j = 0; j < i; j++) {
		if (!ids[j] || strcmp(ids[j], ids[i]) != 0)
			continue;
		cvalue_chain(c->arena, list->items[i].value, list->items[j].value);
		list->items[j] = list->items[i];
		return true;
	}
	return false;
}

static void settle_list(struct cload *c, struct cvalue *list, const struct ckey *key)
{
	const char **ids = arena_array(c->arena, list->count + 1, sizeof *ids);

	for (size_t i = 0; i < list->count; i++) {
		bool drop = list->items[i].value->tag == CVALUE_RESET;

		if (!drop && key->unique != CUNIQUE_NONE)
			ids[i] = identity(c, list->items[i].value, key->unique);
		if (drop || (ids[i] && fold_into_earlier(c, list, i, ids)))
			cvalue_remove_at(list, i--);
	}
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
	for (size_t i = 0; cvalue_is_map(v) && i < v->count; i++) {
		const struct ckey *child = schema_child(key, v->items[i].key);

		if (v->items[i].value->tag == CVALUE_RESET)
			cvalue_remove_at(v, i--);
		else
			merge_settle(c, v->items[i].value, child ? child : key);
	}
}

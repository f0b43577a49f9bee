/* Equal keys within one map: pairs for small maps, a sort for large ones.
 *
 * A sort instead of a hash table, because file content could be made to collide.
 * SPDX-License-Identifier: MIT */
#include "src/syntax/duplicates.h"

#include <stdlib.h>
#include <string.h>

#define SMALL_MAP 16u
#define KEY_SHOWN 80u

struct key {
	const char *text;
	uint32_t length, index, first; /* FIRST: index of the equal key that comes first */
};

static bool key_text(const struct node_item *item, struct key *key)
{
	const struct node *n = node_resolve(item->key);

	if (!n || (n->kind != NODE_SCALAR && n->kind != NODE_NULL))
		return false;
	key->text = n->text ? n->text : "";
	key->length = n->text ? n->text_length : 0;
	return true;
}

static uint32_t shown_length(const struct key *key)
{
	uint32_t length = key->length < KEY_SHOWN ? key->length : KEY_SHOWN;

	while (length && length < key->length && ((unsigned char)key->text[length] & 0xC0) == 0x80)
		length--;
	return length;
}

static void report(const struct node *map, const struct key *key, const struct source *s,
		   struct arena *a, struct problems *problems)
{
	uint32_t shown = shown_length(key);

	problem_add(a, problems, map->items[key->index].key->span,
		    "duplicate key \"%.*s%s\" (first on line %lu)", (int)shown, key->text,
		    shown < key->length ? "…" : "",
		    (unsigned long)source_line(s, map->items[key->first].key->span.offset));
}

static int compare_text(const void *left, const void *right)
{
	const struct key *a = left, *b = right;
	int order;

	if (a->length != b->length)
		return a->length < b->length ? -1 : 1;
	order = memcmp(a->text, b->text, a->length);
	if (order)
		return order;
	return a->index < b->index ? -1 : 1;
}

static int compare_index(const void *left, const void *right)
{
	const struct key *a = left, *b = right;

	return a->index < b->index ? -1 : a->index > b->index;
}

static bool same_text(const struct key *a, const struct key *b)
{
	return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

/* Keeps, at the front of KEYS, those that repeat an earlier one, in the order of the file. */
static size_t keep_repeated(struct key *keys, size_t count)
{
	size_t kept = 0;
	struct key first;

	qsort(keys, count, sizeof *keys, compare_text);
	first = keys[0];
	for (size_t i = 1; i < count; i++) {
		struct key key = keys[i];

		if (!same_text(&key, &first)) {
			first = key;
			continue;
		}
		key.first = first.index;
		keys[kept++] = key;
	}
	qsort(keys, kept, sizeof *keys, compare_index);
	return kept;
}

static void report_large(const struct node *map, const struct source *s, struct arena *a,
			 struct problems *problems)
{
	struct arena scratch = { 0 };
	struct key *keys = arena_array(&scratch, map->count, sizeof *keys);
	size_t count = 0;

	for (uint32_t i = 0; i < map->count; i++) {
		keys[count].index = i;
		if (key_text(&map->items[i], &keys[count]))
			count++;
	}
	count = count ? keep_repeated(keys, count) : 0;
	for (size_t i = 0; i < count; i++)
		report(map, &keys[i], s, a, problems);
	arena_free(&scratch);
}

static void report_small(const struct node *map, const struct source *s, struct arena *a,
			 struct problems *problems)
{
	struct key keys[SMALL_MAP];
	uint32_t count = 0;

	for (uint32_t i = 0; i < map->count; i++) {
		struct key *key = &keys[count];
		uint32_t earlier = 0;

		if (!key_text(&map->items[i], key))
			continue;
		key->index = i;
		while (earlier < count && !same_text(&keys[earlier], key))
			earlier++;
		if (earlier == count) {
			count++;
			continue;
		}
		key->first = keys[earlier].index;
		report(map, key, s, a, problems);
	}
}

void duplicates_report(const struct node *map, const struct source *s, struct arena *a,
		       struct problems *problems)
{
	if (map->count <= SMALL_MAP)
		report_small(map, s, a, problems);
	else
		report_large(map, s, a, problems);
}

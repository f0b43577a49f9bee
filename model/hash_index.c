/* Open-addressing string index.
 * SPDX-License-Identifier: MIT */
#include "model/hash_index.h"

#include <string.h>

struct hash_slot {
	const char *key;
	uint32_t value;
};

uint64_t hash_bytes(const void *bytes, size_t length)
{
	const unsigned char *p = bytes;
	uint64_t hash = UINT64_C(14695981039346656037);

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ p[i]) * UINT64_C(1099511628211);
	return hash;
}

static struct hash_slot *slot_for(const struct hash_index *h, const char *key)
{
	size_t at = (size_t)hash_bytes(key, strlen(key)) & (h->capacity - 1);

	while (h->slots[at].key && strcmp(h->slots[at].key, key) != 0)
		at = (at + 1) & (h->capacity - 1);
	return &h->slots[at];
}

static void grow(struct arena *a, struct hash_index *h)
{
	struct hash_index bigger = { .capacity = h->capacity ? h->capacity * 2 : 64,
				     .count = h->count };

	bigger.slots = arena_array(a, bigger.capacity, sizeof *bigger.slots);
	for (size_t i = 0; i < h->capacity; i++)
		if (h->slots[i].key)
			*slot_for(&bigger, h->slots[i].key) = h->slots[i];
	*h = bigger;
}

void hash_index_put(struct arena *a, struct hash_index *h, const char *key, uint32_t value)
{
	struct hash_slot *slot;

	if ((h->count + 1) * 2 > h->capacity)
		grow(a, h);
	slot = slot_for(h, key);
	if (!slot->key) {
		slot->key = key;
		h->count++;
	}
	slot->value = value;
}

bool hash_index_get(const struct hash_index *h, const char *key, uint32_t *value)
{
	const struct hash_slot *slot;

	if (!h->capacity)
		return false;
	slot = slot_for(h, key);
	if (!slot->key)
		return false;
	*value = slot->value;
	return true;
}

/* Open-addressing string index.
 * SPDX-License-Identifier: MIT */
#include "model/hash_index.h"

#include <string.h>

struct hash_slot {
	const char *key;
	uint32_t value, hash;
};

uint64_t hash_bytes(const void *bytes, size_t length)
{
	const unsigned char *p = bytes;
	uint64_t hash = UINT64_C(14695981039346656037);

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ p[i]) * UINT64_C(1099511628211);
	return hash;
}

/* Of the keys in memory only, so that it may take eight bytes at a time. */
static uint32_t hash_key(const char *key)
{
	const uint64_t factor = UINT64_C(0x9E3779B97F4A7C15);
	size_t length = strlen(key);
	uint64_t hash = length, word = 0;

	for (; length >= sizeof word; key += sizeof word, length -= sizeof word) {
		memcpy(&word, key, sizeof word);
		hash = (hash ^ word) * factor;
		hash ^= hash >> 32;
	}
	word = 0;
	memcpy(&word, key, length);
	hash = (hash ^ word) * factor;
	return (uint32_t)(hash >> 32);
}

static struct hash_slot *slot_for(const struct hash_index *h, const char *key, uint32_t hash)
{
	size_t at = hash & (h->capacity - 1);

	while (h->slots[at].key &&
	       (h->slots[at].hash != hash || strcmp(h->slots[at].key, key) != 0))
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
			*slot_for(&bigger, h->slots[i].key, h->slots[i].hash) = h->slots[i];
	*h = bigger;
}

void hash_index_put(struct arena *a, struct hash_index *h, const char *key, uint32_t value)
{
	uint32_t hash = hash_key(key);
	struct hash_slot *slot;

	if ((h->count + 1) * 2 > h->capacity)
		grow(a, h);
	slot = slot_for(h, key, hash);
	if (!slot->key) {
		slot->key = key;
		slot->hash = hash;
		h->count++;
	}
	slot->value = value;
}

bool hash_index_get(const struct hash_index *h, const char *key, uint32_t *value)
{
	const struct hash_slot *slot;

	if (!h->capacity)
		return false;
	slot = slot_for(h, key, hash_key(key));
	if (!slot->key)
		return false;
	*value = slot->value;
	return true;
}

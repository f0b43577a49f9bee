/* String → number index with open addressing, for keys and paths; lives in an arena.
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_HASH_INDEX_H
#define MODEL_HASH_INDEX_H

#include "model/arena.h"

#include <stdbool.h>
#include <stdint.h>

struct hash_index {
	struct hash_slot *slots;
	size_t capacity, count;
};

/* Stores VALUE under KEY (borrowed; must outlive the index); replaces an equal key. */
void hash_index_put(struct arena *a, struct hash_index *h, const char *key, uint32_t value);
bool hash_index_get(const struct hash_index *h, const char *key, uint32_t *value);
/* 64-bit FNV-1a, also used for cheap content keys. */
uint64_t hash_bytes(const void *bytes, size_t length);

#endif

/* Anchors in a tree over the bits of a hash: it never grows by copying, and names made to collide in
 * the low bits cost depth, not a linear search.
 * SPDX-License-Identifier: MIT */
#include "src/syntax/anchors.h"

#include <string.h>

static uint64_t hash_of(const char *name)
{
	uint64_t h = 14695981039346656037u;

	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * 1099511628211u;
	return h ^ h >> 32;
}

static struct anchor *const *find(struct anchor *const *at, const char *name)
{
	for (uint64_t h = hash_of(name); *at && strcmp((*at)->name, name) != 0; h >>= 2)
		at = &(*at)->children[h & 3];
	return at;
}

void anchors_set(struct anchor **root, struct arena *a, const char *name, struct node *n)
{
	struct anchor **at = root;

	for (uint64_t h = hash_of(name); *at && strcmp((*at)->name, name) != 0; h >>= 2)
		at = &(*at)->children[h & 3];
	if (!*at) {
		*at = ARENA_NEW(a, struct anchor);
		(*at)->name = name;
	}
	(*at)->node = n;
}

struct node *anchors_get(struct anchor *const *root, const char *name)
{
	const struct anchor *found = *find(root, name);

	return found ? found->node : NULL;
}

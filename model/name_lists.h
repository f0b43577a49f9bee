/* Lists of numbers by name: what has one key is found without a walk over all.
 *
 * Lives in an arena; a zeroed struct is empty. SPDX-License-Identifier: MIT */
#ifndef MODEL_NAME_LISTS_H
#define MODEL_NAME_LISTS_H

#include "model/hash_index.h"
#include "model/row.h"

struct name_lists {
	struct hash_index names; /* text → index in items */
	struct id_list *items;
	size_t count, capacity;
};

/* Appends ID to the list of KEY (copied); the same ID twice in a row is kept once. */
void name_lists_add(struct arena *a, struct name_lists *lists, const char *key, uint32_t id);
/* Never NULL; empty when nothing has KEY. */
const struct id_list *name_lists_get(const struct name_lists *lists, const char *key);

/* Reads COUNT ascending lists as one: the lowest number behind the places AT (zeroed at first), once when it
 * is in several lists. False at their end. */
bool id_lists_next(const struct id_list *const *lists, size_t *at, size_t count, uint32_t *id);

#endif

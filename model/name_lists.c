/* Lists of numbers by name.
 * SPDX-License-Identifier: MIT */
#include "model/name_lists.h"

void name_lists_add(struct arena *a, struct name_lists *lists, const char *key, uint32_t id)
{
	struct id_list *list;
	uint32_t at;

	if (!hash_index_get(&lists->names, key, &at)) {
		at = (uint32_t)lists->count;
		hash_index_put(a, &lists->names, arena_strdup(a, key), at);
		*ARENA_PUSH(a, lists) = (struct id_list){ 0 };
	}
	list = &lists->items[at];
	if (list->count && list->items[list->count - 1] == id)
		return;
	/* Most lists hold one thing. */
	if (!list->count) {
		list->items = arena_array(a, 1, sizeof *list->items);
		list->capacity = 1;
	}
	*ARENA_PUSH(a, list) = id;
}

const struct id_list *name_lists_get(const struct name_lists *lists, const char *key)
{
	static const struct id_list none;
	uint32_t at;

	return hash_index_get(&lists->names, key, &at) ? &lists->items[at] : &none;
}

bool id_lists_next(const struct id_list *const *lists, size_t *at, size_t count, uint32_t *id)
{
	bool found = false;

	for (size_t i = 0; i < count; i++)
		if (at[i] < lists[i]->count && (!found || lists[i]->items[at[i]] < *id)) {
			*id = lists[i]->items[at[i]];
			found = true;
		}
	for (size_t i = 0; found && i < count; i++)
		at[i] += at[i] < lists[i]->count && lists[i]->items[at[i]] == *id;
	return found;
}

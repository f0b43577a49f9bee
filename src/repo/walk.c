/* The iterative walk that both kinds of tree share: order, limits, dependency trees.
 * SPDX-License-Identifier: MIT */
#include "src/repo/internal.h"

#include <stdlib.h>
#include <string.h>

#include "model/limits.h"

bool name_is_skipped(const char *name)
{
	static const char *const names[] = { "node_modules", "vendor", "third_party" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

/* Names of one directory share their prefix. A directory that is entered sorts as "name/", which
 * makes the walk yield paths in byte order. */
static int compare_slots(const void *x, const void *y)
{
	const struct slot *a = *(struct slot *const *)x, *b = *(struct slot *const *)y;
	size_t n = a->entry.path_length < b->entry.path_length ? a->entry.path_length :
								 b->entry.path_length;
	int order = memcmp(a->entry.path, b->entry.path, n);
	unsigned char ca, cb;

	if (order)
		return order;
	ca = (unsigned char)a->entry.path[n];
	cb = (unsigned char)b->entry.path[n];
	if (!ca && a->directory)
		ca = '/';
	if (!cb && b->directory)
		cb = '/';
	return (ca > cb) - (ca < cb);
}

static int compare_paths(const struct slot *a, const struct slot *b)
{
	return strcmp(a->entry.path, b->entry.path);
}

static void cut(struct repo *r, struct walk *w, struct slot *slot)
{
	slot->entry.kind = REPO_CUT;
	slot->entry.reason = arena_printf(r->arena,
					  "more than %u entries: this and what follows is not listed",
					  LIMIT_FILES);
	w->done = true;
}

void walk_emit(struct repo *r, struct walk *w, struct slot *slot)
{
	size_t at = w->list.count;

	if (at >= LIMIT_FILES)
		cut(r, w, slot);
	*ARENA_PUSH(r->arena, &w->list) = slot;
	/* A directory that is not entered after all stands before siblings such as "name-x". */
	while (at > 0 && compare_paths(w->list.items[at - 1], slot) > 0) {
		w->list.items[at] = w->list.items[at - 1];
		at--;
	}
	w->list.items[at] = slot;
	if (slot->entry.kind == REPO_SKIPPED) {
		w->counted = slot;
		w->counted_names = 0;
		*ARENA_PUSH(r->arena, &w->counting) = slot;
	}
}

static bool read_names(struct repo *r, struct walk *w, struct slot *slot, struct slots *names)
{
	return w->disk ? worktree_names(r, slot, names) : tree_names(r, w, slot, names);
}

static void enter(struct repo *r, struct walk *w, struct slot *slot)
{
	struct frame frame = { 0 };

	if (++w->directories > LIMIT_FILES) {
		cut(r, w, slot);
		walk_emit(r, w, slot);
		return;
	}
	if (slot->entry.path_length > PATH_BYTES_MAX) {
		slot->entry.kind = REPO_CUT;
		slot->entry.reason = "its path is too long; what lies below is not listed";
		walk_emit(r, w, slot);
		return;
	}
	if (!read_names(r, w, slot, &frame.names)) {
		walk_emit(r, w, slot);
		return;
	}
	if (frame.names.count > 1)
		qsort(frame.names.items, frame.names.count, sizeof *frame.names.items,
		      compare_slots);
	*ARENA_PUSH(r->arena, &w->stack) = frame;
}

static void start(struct repo *r, struct walk *w)
{
	struct slot *root = ARENA_NEW(r->arena, struct slot);

	w->started = true;
	if (w->disk ? r->only != NULL : r->tree_is_blob) {
		struct slot *single = w->disk ? worktree_single(r) : tree_single(r, w);

		walk_emit(r, w, single);
		w->done = true;
		return;
	}
	root->entry.path = "";
	root->directory = true;
	memcpy(root->oid, r->tree.id, OID_BYTES);
	if (!w->disk && !r->has_tree) {
		w->done = true;
		return;
	}
	enter(r, w, root);
}

static void count_one(struct repo *r, struct walk *w)
{
	struct slot *directory = w->counting.items[--w->counting.count];
	bool complete = w->disk ? worktree_count(r, w, directory) : tree_count(r, w, directory);

	if (!complete || w->counted_names > LIMIT_FILES) {
		w->counted->entry.count_is_least = true;
		if (w->counted_names > LIMIT_FILES)
			w->counting.count = 0;
	}
}

static void next_name(struct repo *r, struct walk *w)
{
	struct frame *top = &w->stack.items[w->stack.count - 1];
	struct slot *slot;

	if (top->next == top->names.count) {
		w->stack.count--;
		return;
	}
	slot = top->names.items[top->next++];
	if (slot->directory)
		enter(r, w, slot);
	else
		walk_emit(r, w, slot);
}

bool walk_step(struct repo *r, struct walk *w, size_t max)
{
	size_t until = w->list.count + max, work = 2 * max + 16;

	if (!w->started)
		start(r, w);
	while (!w->done && w->list.count < until && work-- > 0) {
		if (w->counting.count)
			count_one(r, w);
		else if (w->stack.count)
			next_name(r, w);
		else
			w->done = true;
	}
	return !w->done;
}

size_t walk_lower_bound(const struct walk *w, const char *path)
{
	size_t low = 0, high = w->list.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(w->list.items[middle]->entry.path, path) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct slot *walk_find(const struct walk *w, const char *path)
{
	size_t at = walk_lower_bound(w, path);

	if (at == w->list.count || strcmp(w->list.items[at]->entry.path, path) != 0)
		return NULL;
	return w->list.items[at];
}

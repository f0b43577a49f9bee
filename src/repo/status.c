/* Is the working tree what its HEAD commit says? Staged, unstaged, untracked and ignored paths.
 * SPDX-License-Identifier: MIT */
#include "src/repo/internal.h"

#include <stdlib.h>
#include <string.h>

#include "model/limits.h"

struct tracked {
	const char *path;
	const struct slot *head;
	const git_index_entry *index;
	bool conflict; /* unmerged */
};

struct tracked_list {
	struct tracked *items;
	size_t count, capacity;
};

struct changes {
	struct repo_change *items;
	size_t count, capacity;
};

enum phase { PHASE_LIST, PHASE_HEAD, PHASE_COMPARE, PHASE_UNTRACKED, PHASE_DONE };

struct status {
	enum phase phase;
	struct walk head;
	struct tracked_list tracked;
	struct changes changes;
	struct ignores *ignores;
	size_t next;
	size_t not_checked_out;
};

static void add_change(struct repo *r, const char *path, unsigned flags)
{
	if (!flags)
		return;
	*ARENA_PUSH(r->arena, &r->status->changes) =
		(struct repo_change){ .path = path, .flags = flags };
}

/* Adds index entry E, which follows all that were added; HEAD slots before it come first. */
static void merge_index(struct repo *r, size_t *head, const git_index_entry *e, const char *path)
{
	struct status *s = r->status;
	struct tracked *last = s->tracked.count ? &s->tracked.items[s->tracked.count - 1] : NULL;

	if (last && last->index && strcmp(last->path, path) == 0) {
		last->conflict = true;
		return;
	}
	while (*head < s->head.list.count) {
		const struct slot *slot = s->head.list.items[*head];
		int order = strcmp(slot->entry.path, path);

		if (order > 0)
			break;
		++*head;
		*ARENA_PUSH(r->arena, &s->tracked) = (struct tracked){
			.path = slot->entry.path, .head = slot, .index = order ? NULL : e
		};
		if (order == 0)
			return;
	}
	*ARENA_PUSH(r->arena, &s->tracked) =
		(struct tracked){ .path = arena_strdup(r->arena, path), .index = e };
}

static void merge(struct repo *r)
{
	struct status *s = r->status;
	size_t head = 0, count = r->index ? git_index_entrycount(r->index) : 0;

	for (size_t i = r->index ? index_first(r) : 0; i < count; i++) {
		const git_index_entry *e = git_index_get_byindex(r->index, i);
		const char *path = index_path(r, e);

		if (!path && strncmp(e->path, r->prefix, strlen(r->prefix)) != 0)
			break;
		if (path)
			merge_index(r, &head, e, path);
	}
	for (; head < s->head.list.count; head++)
		*ARENA_PUSH(r->arena, &s->tracked) =
			(struct tracked){ .path = s->head.list.items[head]->entry.path,
					  .head = s->head.list.items[head] };
}

static void disk_of(const struct repo *r, const char *path, struct disk *out)
{
	const struct slot *slot = walk_find(&r->walk, path);

	*out = (struct disk){ 0 };
	if (!slot || slot->entry.kind > REPO_LINK) {
		disk_look(r, path, out);
		return;
	}
	*out = (struct disk){ .type = slot->entry.kind == REPO_LINK ? S_IFLNK : S_IFREG,
			      .executable = slot->entry.executable,
			      .size = slot->entry.size,
			      .inode = slot->inode,
			      .mtime = slot->mtime,
			      .ctime = slot->ctime };
}

static unsigned staged(const struct repo *r, const struct tracked *t)
{
	if (!r->index)
		return 0;
	if (t->conflict || !t->head || !t->index)
		return REPO_STAGED;
	return t->head->mode != t->index->mode ||
			       memcmp(t->head->oid, t->index->id.id, OID_BYTES) != 0 ?
		       REPO_STAGED :
		       0;
}

/* Compares the name on disk with MODE and OID; *COST grows by what was hashed. */
static bool disk_same(const struct repo *r, const struct tracked *t, const struct disk *d,
		      size_t *cost)
{
	uint32_t mode = t->index ? t->index->mode : t->head->mode;
	git_oid oid;

	if (mode >> 12 == 016)
		return S_ISDIR(d->type);
	if (mode >> 12 == 012 ? !S_ISLNK(d->type) : !S_ISREG(d->type))
		return false;
	if (S_ISREG(d->type) && ((mode & 0100) != 0) != d->executable)
		return false;
	if (t->index && index_stat_same(r, t->index, d))
		return true;
	*cost += (size_t)(d->size / 65536);
	memcpy(oid.id, t->index ? t->index->id.id : t->head->oid, OID_BYTES);
	return disk_hash_same(r, t->path, d, &oid);
}

static bool is_left_out(const struct tracked *t, const struct disk *d)
{
	return !d->type && t->index &&
	       (t->index->flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE) != 0;
}

static void compare_one(struct repo *r, const struct tracked *t, size_t *cost)
{
	unsigned flags = staged(r, t);
	struct disk d;

	disk_of(r, t->path, &d);
	if (is_left_out(t, &d))
		r->status->not_checked_out++;
	else if (r->index && !t->index)
		flags |= d.type ? REPO_UNTRACKED : 0;
	else if (t->conflict || !disk_same(r, t, &d, cost))
		flags |= REPO_UNSTAGED;
	add_change(r, t->path, flags);
}

/* First tracked path that is not before PATH followed by BELOW ("" or "/"). */
static const struct tracked *tracked_from(const struct status *s, const char *path, bool below)
{
	size_t low = 0, high = s->tracked.count, length = strlen(path);

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const char *at = s->tracked.items[middle].path;
		int order = below ? strncmp(at, path, length) : strcmp(at, path);

		if (below && order == 0)
			order = (unsigned char)at[length] < '/' ? -1 : 1;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < s->tracked.count ? &s->tracked.items[low] : NULL;
}

static bool is_tracked(const struct status *s, const struct repo_entry *e)
{
	const struct tracked *t = tracked_from(s, e->path, false);

	if (t && strcmp(t->path, e->path) == 0)
		return true;
	if (e->kind != REPO_SKIPPED && e->kind != REPO_SUBMODULE)
		return false;
	t = tracked_from(s, e->path, true);
	return t && strncmp(t->path, e->path, e->path_length) == 0 &&
	       t->path[e->path_length] == '/';
}

/* Kinds that git could track. */
static bool is_trackable(enum repo_kind kind)
{
	return kind <= REPO_SKIPPED;
}

static void look_untracked(struct repo *r, const struct repo_entry *e)
{
	bool directory = e->kind == REPO_SKIPPED || e->kind == REPO_SUBMODULE;

	if (!is_trackable(e->kind) || is_tracked(r->status, e))
		return;
	add_change(r, e->path,
		   ignores_match(r->status->ignores, e->path, directory) ? REPO_IGNORED :
									    REPO_UNTRACKED);
}

static int compare_changes(const void *x, const void *y)
{
	const struct repo_change *a = x, *b = y;

	return strcmp(a->path, b->path);
}

static void note(struct repo *r, const char *text)
{
	r->info.note = r->info.note ? arena_printf(r->arena, "%s; %s", r->info.note, text) : text;
}

static void finish(struct repo *r)
{
	struct status *s = r->status;

	if (s->changes.count > 1)
		qsort(s->changes.items, s->changes.count, sizeof *s->changes.items,
		      compare_changes);
	r->info.changes = s->changes.items;
	r->info.change_count = s->changes.count;
	for (size_t i = 0; i < s->changes.count; i++)
		r->info.dirty_count += s->changes.items[i].flags != REPO_IGNORED;
	if (s->not_checked_out)
		note(r, arena_printf(r->arena, "sparse checkout: %zu files are not here",
				     s->not_checked_out));
	if (ignores_gave_up(s->ignores))
		note(r, "the .gitignore rules were too many to apply to all files");
	if (s->head.list.count > LIMIT_FILES)
		note(r, "its commit has too many files to compare them all");
	if (!r->index)
		note(r, "without a readable index, staged and unstaged changes are one");
	r->info.state = r->info.dirty_count ? REPO_DIRTY : REPO_CLEAN;
}

static void start(struct repo *r)
{
	r->status = calloc(1, sizeof *r->status);
	if (!r->status)
		abort();
	r->status->head.whole = true;
}

static void next_phase(struct repo *r)
{
	struct status *s = r->status;

	s->phase++;
	s->next = 0;
	if (s->phase == PHASE_COMPARE)
		merge(r);
	else if (s->phase == PHASE_UNTRACKED)
		s->ignores = ignores_read(r);
	else if (s->phase == PHASE_DONE)
		finish(r);
}

/* One unit of work of the current phase; false when the phase is over. */
static bool work(struct repo *r, size_t *cost)
{
	struct status *s = r->status;

	switch (s->phase) {
	case PHASE_LIST:
		return repo_list_step(r, 64);
	case PHASE_HEAD:
		return r->has_tree && walk_step(r, &s->head, 64);
	case PHASE_COMPARE:
		if (s->next < s->tracked.count)
			compare_one(r, &s->tracked.items[s->next], cost);
		return ++s->next < s->tracked.count;
	case PHASE_UNTRACKED:
		if (s->next < r->walk.list.count)
			look_untracked(r, &r->walk.list.items[s->next]->entry);
		return ++s->next < r->walk.list.count;
	case PHASE_DONE:
		break;
	}
	return false;
}

bool repo_status_step(struct repo *r, size_t max)
{
	size_t cost = 0;

	if (!r->git || !r->walk.disk)
		return false;
	if (!r->status)
		start(r);
	while (r->status->phase != PHASE_DONE && cost++ < max)
		if (!work(r, &cost))
			next_phase(r);
	return r->status->phase != PHASE_DONE;
}

void repo_status(struct repo *r)
{
	while (repo_status_step(r, 4096))
		;
}

void status_free(struct repo *r)
{
	git_index_free(r->index);
	r->index = NULL;
	free(r->status);
	r->status = NULL;
}

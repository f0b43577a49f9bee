/* The tree of a commit: names from tree objects and bytes from blobs, without a checkout.
 * SPDX-License-Identifier: MIT */
#include "src/repo/internal.h"

#include <string.h>
#include <strings.h>

#include "model/limits.h"

#define LINK_BYTES 4096u

static git_oid to_oid(const struct slot *slot)
{
	git_oid oid = { { 0 } };

	memcpy(oid.id, slot->oid, OID_BYTES);
	return oid;
}

/* Names that git itself refuses to check out; a reader must not join them to a path. */
static bool name_is_bad(const char *name)
{
	return !*name || strchr(name, '/') || strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
	       strcasecmp(name, ".git") == 0;
}

/* The content of blob OID when it has at most LIMIT bytes; NULL with a reason otherwise. */
static git_odb_object *blob_read(const struct repo *r, const git_oid *oid, size_t limit,
				 const char **reason)
{
	git_odb_object *object = NULL;
	git_odb *odb = NULL;
	git_object_t type;
	size_t size;

	*reason = NULL;
	if (git_repository_odb(&odb, r->git) != 0 ||
	    git_odb_read_header(&size, &type, odb, oid) != 0)
		*reason = "its object is missing or damaged";
	else if (type != GIT_OBJECT_BLOB)
		*reason = "its object is not a file's";
	else if (size > limit)
		*reason = "larger than the limit for one file";
	else if (git_odb_read(&object, odb, oid) != 0)
		*reason = "its object is damaged";
	git_odb_free(odb);
	return object;
}

static void fill_link(struct repo *r, struct slot *slot)
{
	struct repo_entry *e = &slot->entry;
	git_oid oid = to_oid(slot);
	const char *reason;
	git_odb_object *object = blob_read(r, &oid, LINK_BYTES, &reason);

	e->kind = REPO_LINK;
	e->target = "";
	if (object)
		e->target = arena_copy(r->arena, git_odb_object_data(object),
				       git_odb_object_size(object));
	e->outside = path_leads_out(e->path, e->target);
	e->reason = e->outside ? "symbolic link that leads out of the root, not followed" :
				 "symbolic link, not followed";
	git_odb_object_free(object);
}

static void fill(struct repo *r, const struct walk *w, struct slot *slot, const char *name)
{
	struct repo_entry *e = &slot->entry;

	e->executable = (slot->mode & 0111) != 0 && slot->mode >> 12 == 010;
	if (name_is_bad(name)) {
		e->kind = REPO_BAD_NAME;
		e->reason = "a name that cannot be checked out";
	} else if (slot->mode >> 12 == 04) {
		slot->directory = w->whole || !name_is_skipped(name);
		if (!slot->directory) {
			e->kind = REPO_SKIPPED;
			e->reason = "dependencies";
		}
	} else if (slot->mode >> 12 == 016) {
		e->kind = REPO_SUBMODULE;
		e->reason = "submodule, its files are not part of this revision";
	} else if (slot->mode >> 12 == 012) {
		fill_link(r, slot);
	}
}

static struct slot *slot_new(struct repo *r, const char *directory, const git_tree_entry *te)
{
	struct slot *slot = ARENA_NEW(r->arena, struct slot);

	slot->entry.path = repo_path_join(r->arena, directory, git_tree_entry_name(te),
				     &slot->entry.path_length);
	slot->mode = (uint32_t)git_tree_entry_filemode(te);
	memcpy(slot->oid, git_tree_entry_id(te)->id, OID_BYTES);
	return slot;
}

static git_tree *tree_of(const struct repo *r, const struct slot *directory)
{
	git_oid oid = to_oid(directory);
	git_tree *tree = NULL;

	if (repo_object_fits(r, &oid) && git_tree_lookup(&tree, r->git, &oid) != 0)
		return NULL;
	return tree;
}

bool tree_names(struct repo *r, const struct walk *w, struct slot *directory, struct slots *out)
{
	git_tree *tree = tree_of(r, directory);
	size_t count;

	if (!tree) {
		directory->entry.kind = REPO_UNREADABLE;
		directory->entry.reason = "directory cannot be read: its object is missing or damaged";
		return false;
	}
	count = git_tree_entrycount(tree);
	for (size_t i = 0; i < count && i <= LIMIT_FILES; i++) {
		const git_tree_entry *te = git_tree_entry_byindex(tree, i);
		struct slot *slot = slot_new(r, directory->entry.path, te);

		fill(r, w, slot, git_tree_entry_name(te));
		*ARENA_PUSH(r->arena, out) = slot;
	}
	git_tree_free(tree);
	return true;
}

bool tree_count(struct repo *r, struct walk *w, struct slot *directory)
{
	git_tree *tree = tree_of(r, directory);
	size_t count = tree ? git_tree_entrycount(tree) : 0;

	for (size_t i = 0; i < count && w->counted_names <= LIMIT_FILES; i++) {
		const git_tree_entry *te = git_tree_entry_byindex(tree, i);

		w->counted_names++;
		if (git_tree_entry_filemode(te) == GIT_FILEMODE_TREE)
			*ARENA_PUSH(r->arena, &w->counting) =
				slot_new(r, "", te); /* only its object matters */
		else
			w->counted->entry.count++;
	}
	git_tree_free(tree);
	return tree != NULL;
}

struct slot *tree_single(struct repo *r, const struct walk *w)
{
	struct slot *slot = ARENA_NEW(r->arena, struct slot);

	slot->entry.path = arena_strdup(r->arena, r->only);
	slot->entry.path_length = strlen(r->only);
	slot->mode = r->tree_mode;
	memcpy(slot->oid, r->tree.id, OID_BYTES);
	fill(r, w, slot, r->only);
	return slot;
}

bool tree_read(const struct repo *r, const struct slot *slot, struct arena *a,
	       struct repo_bytes *out)
{
	git_oid oid = to_oid(slot);
	git_odb_object *object = blob_read(r, &oid, LIMIT_FILE_BYTES, &out->reason);

	if (!object)
		return false;
	out->length = git_odb_object_size(object);
	out->bytes = arena_copy(a, git_odb_object_data(object), out->length);
	git_odb_object_free(object);
	return true;
}

/* Opening the tree under review and the parts of the interface that all kinds of tree share.
 * SPDX-License-Identifier: MIT */
#include "src/repo/repo.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/limits.h"
#include "src/repo/internal.h"

#define PACK_OBJECT_BYTES ((size_t)256 * 1024 * 1024)

static const char *const kind_names[REPO_KIND_COUNT] = {
	[REPO_FILE] = "file",
	[REPO_TOO_LARGE] = "too large",
	[REPO_LINK] = "link",
	[REPO_SUBMODULE] = "submodule",
	[REPO_SKIPPED] = "skipped",
	[REPO_UNREADABLE] = "unreadable",
	[REPO_DEVICE] = "device",
	[REPO_FIFO] = "fifo",
	[REPO_SOCKET] = "socket",
	[REPO_BAD_NAME] = "bad name",
	[REPO_CUT] = "cut",
};

const char *repo_kind_name(enum repo_kind kind)
{
	return kind < REPO_KIND_COUNT ? kind_names[kind] : "";
}

/* What is opened here is never run, so its owner does not matter; and nobody's configuration is
 * read, neither the system's nor the user's. */
static bool library_start(void)
{
	static const int levels[] = { GIT_CONFIG_LEVEL_PROGRAMDATA, GIT_CONFIG_LEVEL_SYSTEM,
				      GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL };

	if (git_libgit2_init() < 0)
		return false;
	for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
		git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, levels[i], "");
	git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
	git_libgit2_opts(GIT_OPT_SET_PACK_MAX_OBJECT_SIZE, PACK_OBJECT_BYTES);
	return true;
}

/* Starting the library takes longer than a small listing, so it waits for a git directory. */
static bool start_git(struct repo *r, struct gitdir *g)
{
	if (!r->library && !library_start())
		g->refused = "the git library cannot be started";
	else
		r->library = true;
	if (!g->refused)
		r->git = gitdir_open(r->arena, g);
	return r->git != NULL;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* "agent/.git" is shown as "agent": the name of the directory that people know. */
static const char *shown_name(struct arena *a, const char *real)
{
	const char *base = base_name(real);
	size_t length = strlen(real);

	if (strcmp(base, ".git") != 0 || length <= 5)
		return arena_strdup(a, base);
	return base_name(arena_copy(a, real, length - 5));
}

static bool fail(struct buf *why, const char *path, const char *what)
{
	buf_printf(why, "%s: %s", path, what);
	return false;
}

static char *join_prefix(struct repo *r)
{
	if (!r->only)
		return arena_strdup(r->arena, r->prefix);
	return repo_path_join(r->arena, r->prefix, r->only, NULL);
}

static void note_add(struct repo *r, const char *note)
{
	r->info.note = r->info.note ? arena_printf(r->arena, "%s; %s", r->info.note, note) : note;
}

#define OBJECT_BYTES (64u * 1024 * 1024) /* a larger commit or tree is not parsed */

bool repo_object_fits(const struct repo *r, const git_oid *id)
{
	git_odb *odb = NULL;
	git_object_t type;
	size_t size;
	bool fits = git_repository_odb(&odb, r->git) == 0 &&
		    git_odb_read_header(&size, &type, odb, id) == 0 && size <= OBJECT_BYTES;

	git_odb_free(odb);
	return fits;
}

/* Finds the root's tree (or blob) in the commit. */
static void find_tree(struct repo *r)
{
	char *prefix = join_prefix(r);
	git_commit *commit = NULL;
	git_tree *tree = NULL;
	git_tree_entry *entry = NULL;

	if (!repo_object_fits(r, &r->commit) ||
	    git_commit_lookup(&commit, r->git, &r->commit) != 0 ||
	    !repo_object_fits(r, git_commit_tree_id(commit)) ||
	    git_commit_tree(&tree, commit) != 0) {
		note_add(r, "the objects of its commit are not in its git directory");
	} else if (!*prefix) {
		git_oid_cpy(&r->tree, git_tree_id(tree));
		r->has_tree = true;
	} else if (git_tree_entry_bypath(&entry, tree, prefix) == 0) {
		git_oid_cpy(&r->tree, git_tree_entry_id(entry));
		r->tree_mode = (uint32_t)git_tree_entry_filemode(entry);
		r->tree_is_blob = r->tree_mode != GIT_FILEMODE_TREE;
		r->has_tree = r->tree_is_blob == (r->only != NULL);
	}
	r->info.committed = commit ? git_commit_time(commit) : 0;
	git_tree_entry_free(entry);
	git_tree_free(tree);
	git_commit_free(commit);
}

static void set_commit(struct repo *r, const git_oid *id)
{
	char hex[GIT_OID_HEXSZ + 1];

	git_oid_cpy(&r->commit, id);
	r->has_commit = true;
	r->info.revision = arena_strdup(r->arena, git_oid_tostr(hex, sizeof hex, id));
	find_tree(r);
}

static void use_head(struct repo *r)
{
	git_oid id;

	if (git_reference_name_to_id(&id, r->git, "HEAD") == 0)
		set_commit(r, &id);
	else
		note_add(r, "the repository has no commit yet, or its HEAD cannot be read");
}

/* The commit that REVISION names. Names of references are looked up apart, because libgit2 1.5 leaks
 * one whose object is missing; a full id is never taken for a name. */
static git_object *find_commit(const struct repo *r, const char *revision)
{
	git_object *object = NULL, *commit = NULL;
	git_reference *reference = NULL, *target = NULL;
	git_oid id;
	bool is_id = strlen(revision) == GIT_OID_HEXSZ;

	if (is_id && git_oid_fromstr(&id, revision) == 0 && !repo_object_fits(r, &id))
		return NULL;
	if (!is_id && git_reference_dwim(&reference, r->git, revision) == 0) {
		if (git_reference_resolve(&target, reference) == 0 &&
		    repo_object_fits(r, git_reference_target(target)))
			git_reference_peel(&commit, reference, GIT_OBJECT_COMMIT);
	} else if (git_revparse_single(&object, r->git, revision) == 0) {
		git_object_peel(&commit, object, GIT_OBJECT_COMMIT);
	}
	git_reference_free(target);
	git_reference_free(reference);
	git_object_free(object);
	return commit;
}

static bool use_revision(struct repo *r, const char *path, const char *revision, struct buf *why)
{
	git_object *commit = find_commit(r, revision);

	if (!commit) {
		buf_printf(why, "%s: no commit is named \"%s\" in this repository", path, revision);
		return false;
	}
	set_commit(r, git_object_id(commit));
	git_object_free(commit);
	if (r->has_tree)
		return true;
	buf_printf(why, "%s: nothing is at this path in revision \"%s\"", path, revision);
	return false;
}

static bool open_revision(struct repo *r, const char *path, const char *revision, struct buf *why)
{
	if (!use_revision(r, path, revision, why))
		return false;
	r->info.from_revision = true;
	r->info.state = REPO_CLEAN;
	return true;
}

static bool open_bare(struct repo *r, const char *path, const char *revision, struct buf *why)
{
	struct gitdir g = { .path = arena_strdup(r->arena, r->info.real_path) };

	g.common = g.path;
	if (!start_git(r, &g))
		return fail(why, path, g.refused);
	return open_revision(r, path, revision ? revision : "HEAD", why);
}

/* Gives up on git: the tree is then a plain directory, with the reason beside it. */
static void forget_git(struct repo *r, const char *reason)
{
	git_repository_free(r->git);
	r->git = NULL;
	r->has_commit = false;
	r->info.revision = "";
	r->info.state = REPO_NOT_GIT;
	r->info.note = reason;
}

static void set_prefix(struct repo *r, const char *directory, const char *top)
{
	size_t length = strlen(top);

	r->prefix = "";
	if (strcmp(top, "/") == 0)
		r->prefix = arena_strdup(r->arena, directory + 1);
	else if (directory[length] == '/')
		r->prefix = arena_strdup(r->arena, directory + length + 1);
}

static void use_worktree(struct repo *r, const struct gitdir *g)
{
	r->git_path = g->path;
	r->common_path = g->common;
	r->top = g->top;
	use_head(r);
	index_open(r);
	if ((*r->prefix || r->only) && !r->has_tree && !index_has_below(r)) {
		forget_git(r, "the enclosing git repository tracks nothing of it");
		return;
	}
	r->info.state = REPO_CLEAN;
}

static bool open_git(struct repo *r, const char *path, const char *directory, const char *revision,
		     struct buf *why)
{
	struct gitdir g = { 0 };

	if (!gitdir_find(r->arena, directory, &g))
		return !revision || fail(why, path,
					 "is in no git repository, so no revision can be read");
	set_prefix(r, directory, g.top);
	if (!start_git(r, &g)) {
		r->info.note = g.refused;
		return !revision || fail(why, path, g.refused);
	}
	if (revision)
		return open_revision(r, path, revision, why);
	use_worktree(r, &g);
	return true;
}

static bool open_directory(struct repo *r, const char *path, const char *directory,
			   struct buf *why)
{
	r->root = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return r->root >= 0 || fail(why, path, path_error(r->arena, "cannot be read", errno));
}

static bool open_path(struct repo *r, const char *path, const char *revision, struct buf *why)
{
	const char *real = r->info.real_path;
	char *directory = arena_strdup(r->arena, real);
	struct stat st;

	if (stat(real, &st) != 0)
		return fail(why, path, path_error(r->arena, "cannot be read", errno));
	if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode))
		return fail(why, path, "is neither a directory nor a regular file");
	if (S_ISREG(st.st_mode)) {
		char *slash = strrchr(directory, '/');

		r->only = base_name(real);
		slash[slash == directory] = '\0';
	} else if (gitdir_is_bare(real)) {
		return open_bare(r, path, revision, why);
	}
	if (!open_git(r, path, directory, revision, why))
		return false;
	return r->info.from_revision || open_directory(r, path, directory, why);
}

struct repo *repo_open(struct arena *a, const char *path, const char *revision, struct buf *why)
{
	struct repo *r;
	char *real = realpath(path, NULL);

	if (!real) {
		buf_printf(why, "%s: %s", path,
			   errno == ENOENT ? "no such file or directory" : "cannot be read");
		return NULL;
	}
	r = ARENA_NEW(a, struct repo);
	*r = (struct repo){ .arena = a, .root = -1, .prefix = "" };
	r->info = (struct repo_info){ .name = shown_name(a, real), .revision = "" };
	r->info.real_path = arena_strdup(a, real);
	free(real);
	if (!open_path(r, path, revision, why)) {
		repo_close(r);
		return NULL;
	}
	r->walk.disk = !r->info.from_revision;
	return r;
}

void repo_close(struct repo *r)
{
	if (!r)
		return;
	if (r->root >= 0)
		close(r->root);
	status_free(r);
	git_repository_free(r->git);
	if (r->library)
		git_libgit2_shutdown();
	r->library = false;
	r->root = -1;
	r->git = NULL;
}

const struct repo_info *repo_info(const struct repo *r)
{
	return &r->info;
}

bool repo_list_step(struct repo *r, size_t max)
{
	return walk_step(r, &r->walk, max);
}

void repo_list(struct repo *r)
{
	while (repo_list_step(r, 4096))
		;
}

size_t repo_count(const struct repo *r)
{
	return r->walk.list.count;
}

const struct repo_entry *repo_at(const struct repo *r, size_t i)
{
	return i < r->walk.list.count ? &r->walk.list.items[i]->entry : NULL;
}

const struct repo_entry *repo_find(const struct repo *r, const char *path)
{
	const struct slot *slot = walk_find(&r->walk, path);

	return slot ? &slot->entry : NULL;
}

size_t repo_lower_bound(const struct repo *r, const char *prefix)
{
	return walk_lower_bound(&r->walk, prefix);
}

bool repo_has_directory(const struct repo *r, const char *path)
{
	size_t length = strlen(path);
	struct buf below = { 0 };
	const struct repo_entry *e;

	if (!length || strcmp(path, ".") == 0)
		return true;
	buf_printf(&below, "%s/", path);
	e = repo_at(r, repo_lower_bound(r, below.bytes));
	buf_free(&below);
	if (e && strncmp(e->path, path, length) == 0 && e->path[length] == '/')
		return true;
	e = repo_find(r, path);
	return e && (e->kind == REPO_SKIPPED || e->kind == REPO_SUBMODULE);
}

/* A pointer file stands for content that is kept elsewhere. The format has a first line that names
 * it, an oid and a size, and is below 1024 bytes (Git LFS specification, v1). */
static bool is_lfs_pointer(const struct repo_bytes *b)
{
	static const char first[] = "version https://git-lfs.github.com/spec/";

	return b->length < 1024 && strncmp(b->bytes, first, sizeof first - 1) == 0 &&
	       strstr(b->bytes, "\noid ") != NULL;
}

bool repo_read(const struct repo *r, const struct repo_entry *entry, struct arena *a,
	       struct repo_bytes *out)
{
	const struct slot *slot = (const struct slot *)entry;
	bool read;

	*out = (struct repo_bytes){ 0 };
	if (entry->kind != REPO_FILE) {
		out->reason = entry->reason;
		return false;
	}
	read = r->walk.disk ? worktree_read(r, slot, a, out) : tree_read(r, slot, a, out);
	if (!read || !is_lfs_pointer(out))
		return read;
	*out = (struct repo_bytes){ .reason = "Git LFS pointer, its content is not in the tree" };
	return false;
}

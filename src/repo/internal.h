/* What the files of src/repo share and nobody else includes.
 * SPDX-License-Identifier: MIT */
#ifndef REPO_INTERNAL_H
#define REPO_INTERNAL_H

#include <git2.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "src/repo/repo.h"

#define OID_BYTES 20
#define PATH_BYTES_MAX 4096u /* longer paths are not entered */

/* One name of the tree. The public entry comes first, so that a pointer to it is a slot's. */
struct slot {
	struct repo_entry entry;
	bool directory; /* to be entered, never listed as such */
	uint8_t oid[OID_BYTES]; /* of a git tree: the blob or tree */
	uint32_t mode;          /* of a git tree: its file mode */
	uint64_t inode;         /* on disk, for the comparison with the index */
	struct timespec mtime, ctime;
};

struct slots {
	struct slot **items;
	size_t count, capacity;
};

struct frame {
	struct slots names;
	size_t next;
};

struct frames {
	struct frame *items;
	size_t count, capacity;
};

/* An iterative walk over a directory tree, on disk or in git objects. */
struct walk {
	struct frames stack; /* directories that are being listed */
	struct slots list;     /* what is found, ordered by path */
	struct slots counting; /* directories below `counted` still to be counted */
	struct slot *counted;
	size_t counted_names;
	size_t directories; /* entered so far */
	bool disk;          /* else git objects */
	bool whole;         /* enter dependency trees too, for the comparison with HEAD */
	bool started, done;
};

struct repo {
	struct arena *arena;
	struct repo_info info;
	int root;         /* directory fd; -1 with a revision */
	const char *only; /* root is one file: its name below `root` */
	bool library; /* libgit2 was started */
	git_repository *git;
	const char *prefix; /* of the root below the repository's top: "" or "a/b" */
	const char *git_path, *common_path, *top; /* absolute; NULL without a working tree */
	bool has_commit;
	git_oid commit, tree; /* tree: of the prefix, when tree_is_blob the file's */
	bool tree_is_blob;
	uint32_t tree_mode;
	bool has_tree; /* the prefix exists in the commit */
	git_index *index; /* NULL when there is none or it cannot be read */
	struct timespec index_time;
	struct walk walk;
	struct status *status;
};

/* path.c: joining, links, and opening below a directory fd without following anything */
char *repo_path_join(struct arena *a, const char *directory, const char *name, size_t *length);
bool path_leads_out(const char *link_path, const char *target);
/* openat() that refuses links in every component; FLAGS as for openat. */
int path_open(int root, const char *path, int flags);
int path_retry_open(int root, const char *name, int flags);
const char *path_error(struct arena *a, const char *what, int error);

/* gitdir.c: finding the git directory of a path and opening it without its configuration */
struct gitdir {
	char *path;   /* git directory, absolute */
	char *common; /* where objects and refs are; equals `path` but in linked worktrees */
	char *top;    /* working tree, absolute; NULL for a bare one */
	const char *refused; /* why what was found is not used; NULL otherwise */
};
bool gitdir_is_bare(const char *path);
/* Looks from DIRECTORY (absolute, real) upwards; returns false when there is none. */
bool gitdir_find(struct arena *a, const char *directory, struct gitdir *out);
/* Returns NULL and sets g->refused when it is not safe or not possible to open. */
git_repository *gitdir_open(struct arena *a, struct gitdir *g);

/* walk.c */
bool walk_step(struct repo *r, struct walk *w, size_t max);
void walk_emit(struct repo *r, struct walk *w, struct slot *slot);
size_t walk_lower_bound(const struct walk *w, const char *path);
struct slot *walk_find(const struct walk *w, const char *path);
bool name_is_skipped(const char *name);

/* worktree.c and tree.c: the names of one directory. Return false when it cannot be read, with the
 * reason in the slot. */
bool worktree_names(struct repo *r, struct slot *directory, struct slots *out);
bool worktree_count(struct repo *r, struct walk *w, struct slot *directory);
struct slot *worktree_single(struct repo *r);
bool worktree_read(const struct repo *r, const struct slot *slot, struct arena *a,
		   struct repo_bytes *out);
/* Reads FD whole and closes it. */
bool file_read(int fd, struct arena *a, struct repo_bytes *out);
bool tree_names(struct repo *r, const struct walk *w, struct slot *directory, struct slots *out);
bool tree_count(struct repo *r, struct walk *w, struct slot *directory);
struct slot *tree_single(struct repo *r, const struct walk *w);
bool tree_read(const struct repo *r, const struct slot *slot, struct arena *a,
	       struct repo_bytes *out);

/* index.c: git's list of tracked files, read without the repository's configuration */
struct disk { /* what is known of one name on disk */
	mode_t type; /* S_IFREG …; 0 when absent */
	bool executable;
	uint64_t size, inode;
	struct timespec mtime, ctime;
};
void index_open(struct repo *r);
/* First index position at or after the root's entries, and the path below the root of entry I, or
 * NULL when it lies outside. */
size_t index_first(const struct repo *r);
const char *index_path(const struct repo *r, const git_index_entry *e);
bool index_has_gitlink(const struct repo *r, const char *path);
bool index_has_below(const struct repo *r);
/* True when the stat data prove that the file was not written since git recorded it. */
bool index_stat_same(const struct repo *r, const git_index_entry *e, const struct disk *d);
void disk_look(const struct repo *r, const char *path, struct disk *out);
/* True when the raw bytes (or the link's text) hash to blob OID. */
bool disk_hash_same(const struct repo *r, const char *path, const struct disk *d,
		    const git_oid *oid);

/* False for an object that is missing, damaged, or too large to be a commit or a tree. libgit2 makes room for
 * whatever size an object claims, so this is asked before it reads one. */
bool repo_object_fits(const struct repo *r, const git_oid *id);

/* ignore.c: .gitignore files, only to tell build output from changes */
struct ignores;
struct ignores *ignores_read(struct repo *r);
/* Paths must come in ascending order to be fast; any order is right. */
bool ignores_match(struct ignores *g, const char *path, bool directory);
bool ignores_gave_up(const struct ignores *g);

/* status.c */
void status_free(struct repo *r);

#endif

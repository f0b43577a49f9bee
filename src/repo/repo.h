/* The tree under review, read-only: a working tree, a plain directory, one file, or a git revision.
 *
 * Links are never followed below the root. Nothing of a repository's or a user's git configuration,
 * attributes, filters, hooks or excludes is obeyed, and no object store outside the git directory is
 * opened. Entries, paths and info live in the arena given to repo_open() and stay valid after
 * repo_close(). All paths are relative to the root, '/' separated, and may hold any byte but NUL.
 * SPDX-License-Identifier: MIT */
#ifndef REPO_REPO_H
#define REPO_REPO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/arena.h"
#include "model/buf.h"

enum repo_kind {
	REPO_FILE,
	REPO_TOO_LARGE,  /* a file over LIMIT_FILE_BYTES */
	REPO_LINK,       /* symbolic link, not followed */
	REPO_SUBMODULE,  /* gitlink or nested repository, not entered */
	REPO_SKIPPED,    /* a tree of dependencies; `count` files lie in it */
	REPO_UNREADABLE, /* a directory or entry that cannot be read */
	REPO_DEVICE,
	REPO_FIFO,
	REPO_SOCKET,
	REPO_BAD_NAME, /* a name in a git tree that no working tree can hold */
	REPO_CUT,      /* a limit was reached: what follows (or lies below) is not listed */
	REPO_KIND_COUNT,
};

struct repo_entry {
	const char *path;
	size_t path_length;
	enum repo_kind kind;
	bool executable;
	bool outside;        /* of a link: its text leads out of the root or is absolute */
	bool count_is_least; /* `count` stopped at a limit */
	bool size_known;     /* false for blobs until they are read */
	uint64_t size;
	uint64_t count;     /* of REPO_SKIPPED */
	const char *target; /* of a link: its text; else NULL */
	const char *reason; /* why it is not read; NULL for REPO_FILE */
};

enum repo_state { REPO_NOT_GIT, REPO_CLEAN, REPO_DIRTY };

enum repo_change_flag {
	REPO_STAGED = 1,    /* the index differs from HEAD */
	REPO_UNSTAGED = 2,  /* the working file differs from the index, or is gone */
	REPO_UNTRACKED = 4, /* git does not know it and no .gitignore names it */
	REPO_IGNORED = 8,   /* untracked and named by a .gitignore: listed, but not dirt */
};

struct repo_change {
	const char *path;
	unsigned flags;
};

struct repo_info {
	const char *name;     /* base name of the root, never a path */
	const char *revision; /* full commit id in hex; "" without one */
	int64_t committed;    /* time of that commit, seconds of UTC; 0 without one */
	enum repo_state state; /* final when repo_status_step() has returned false */
	bool from_revision;   /* entries and bytes are blobs of `revision` */
	const char *note;     /* why there is no revision or what was not compared; NULL without */
	const char *real_path; /* absolute: to derive an identity from, never to be shown */
	const struct repo_change *changes; /* by path */
	size_t change_count;
	size_t dirty_count; /* changes other than REPO_IGNORED ones */
};

struct repo_bytes {
	const char *bytes; /* NUL-terminated at `length`, in the arena; NULL when not read */
	size_t length;
	const char *reason; /* why it was not read; NULL on success */
};

struct repo;

/* Opens PATH. With REVISION (or when PATH is a bare repository) the tree is that commit's, else the
 * one on disk. Returns NULL with a message in WHY. */
struct repo *repo_open(struct arena *a, const char *path, const char *revision, struct buf *why);
void repo_close(struct repo *r);
const struct repo_info *repo_info(const struct repo *r);

/* Lists about MAX more entries; returns true while there is more. The list is ordered bytewise by
 * path at all times and grows at its end, but for directories that turn out not to be entered: an
 * index is good for good only when all is listed. */
bool repo_list_step(struct repo *r, size_t max);
/* Lists all that is left. */
void repo_list(struct repo *r);
size_t repo_count(const struct repo *r);
const struct repo_entry *repo_at(const struct repo *r, size_t i);
/* The listed entry of PATH ("a/b", no "./", no trailing slash), or NULL. */
const struct repo_entry *repo_find(const struct repo *r, const char *path);
/* True when a listed entry lies below PATH; "" and "." are the root. */
bool repo_has_directory(const struct repo *r, const char *path);
/* Index of the first entry whose path is not less than PREFIX: the start of a directory "a/". */
size_t repo_lower_bound(const struct repo *r, const char *prefix);

/* Compares about MAX more files with HEAD and the index, listing first what is not listed yet.
 * Returns true while there is more. Without git it returns false at once. */
bool repo_status_step(struct repo *r, size_t max);
void repo_status(struct repo *r);

/* Reads a whole file. Reads nothing and gives the reason for anything but a readable regular file
 * within LIMIT_FILE_BYTES; a Git LFS pointer counts as not read. Safe to call from several threads
 * with an arena each. */
bool repo_read(const struct repo *r, const struct repo_entry *entry, struct arena *a,
	       struct repo_bytes *out);

/* One word for a kind: "file", "link", "fifo" … */
const char *repo_kind_name(enum repo_kind kind);

#endif

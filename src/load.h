/* Loading: a tree becomes a snapshot, in slices, so that a screen can draw meanwhile.
 *
 * A loader is made by load_start(), fed by load_step() until that returns false, and ended by
 * load_finish(), which hands the snapshot over (also a partial one, said so) or by load_free().
 * SPDX-License-Identifier: MIT */
#ifndef SRC_LOAD_H
#define SRC_LOAD_H

#include "model/buf.h"
#include "model/snapshot.h"

struct load_options {
	const char *path;     /* tree or file under review; NULL = "." */
	const char *revision; /* read blobs of this revision, or NULL */
	struct string_list observed; /* exports kept outside the tree */
	size_t most_bytes;    /* of memory, then nothing more is read; 0: LIMIT_SNAPSHOT_BYTES */
	struct scope scope;   /* runtime, os, kubernetes, deployment, compose_files, profiles, env_files */
};

enum load_stage { LOAD_LISTING, LOAD_READING, LOAD_COMPARING, LOAD_JOINING, LOAD_JUDGING, LOAD_DONE };

struct load_progress {
	enum load_stage stage;
	size_t done, total; /* files; total grows while listing */
	const char *path;   /* file being read, raw bytes; valid until the next step */
};

struct loader;

/* Opens the tree; NULL with a message when it cannot be opened. */
struct loader *load_start(const struct load_options *options, struct buf *why);
/* Works for about BUDGET_MS milliseconds (0: one unit of work); true while there is more. */
bool load_step(struct loader *l, unsigned budget_ms);
void load_progress(const struct loader *l, struct load_progress *out);
/* Ends the load: joins and judges what has been read, moves the snapshot to OUT and frees the loader.
 * Called before load_step() returned false, the snapshot is partial. */
void load_finish(struct loader *l, struct snapshot *out);
void load_free(struct loader *l);

/* All of it at once. */
bool load_all(const struct load_options *options, struct snapshot *out, struct buf *why);
/* Stable identity of the tree for the default place of its journal: 16 hex digits. */
const char *load_identity(const struct loader *l);

#endif

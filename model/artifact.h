/* An artifact: one file seen in the tree under review, with its coverage state.
 *
 * Every file seen ends in exactly one state. The reason is NULL only for `assessed`.
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_ARTIFACT_H
#define MODEL_ARTIFACT_H

#include "model/format_id.h"
#include "model/problem.h"

enum artifact_state {
	ARTIFACT_ASSESSED,     /* read as its format without a problem */
	ARTIFACT_PARTIAL,      /* read, and something in it could not be */
	ARTIFACT_NOT_ASSESSED, /* matters or may matter, and was not read: the reason says why */
	ARTIFACT_IGNORED,      /* of no known format, or in a folder that is not read */
	ARTIFACT_STATE_COUNT,
};
extern const char *const artifact_state_names[ARTIFACT_STATE_COUNT];

enum artifact_class {
	CLASS_PROPOSED, /* configuration as it would be used */
	CLASS_EXAMPLE,  /* active only once copied */
	CLASS_GENERATED,
	CLASS_TEST,
	CLASS_EXPORT, /* a dated runtime export */
	CLASS_COUNT,
};
extern const char *const artifact_class_names[CLASS_COUNT];

struct artifact {
	uint32_t index; /* place in the snapshot; the number in ids is the match's: model/match.h */
	const char *path;
	enum format_id format; /* the first that recognised it */
	format_set formats;    /* all that did */
	enum artifact_class class;
	enum artifact_state state;
	const char *reason;
	bool has_digest;
	unsigned char sha256[32]; /* of the original bytes */
	uint64_t bytes;
	const struct source *source; /* NULL when not read */
	struct problems problems;
	const char *captured_at; /* exports: time from inside the file, UTC text, or NULL */
	const char *target;      /* exports: what was captured, or NULL */
};

#endif

/* What the readers of structured text share: documents and the wish to be told about problems.
 *
 * Every reader takes a source and an arena and never fails as a whole: what it could not read is a
 * problem row, the rest is returned. Nothing recurses on the depth of the input.
 * SPDX-License-Identifier: MIT */
#ifndef SYNTAX_SYNTAX_H
#define SYNTAX_SYNTAX_H

#include "model/node.h"
#include "model/problem.h"

struct documents {
	struct node **items; /* top node of each document, in order */
	size_t count, capacity;
};

/* YAML: every document of the stream. A bad document is a problem and the others are still read
 * (the stream is resumed at the next line that begins "---"). Duplicate keys are problems. Tags,
 * anchors, aliases and merge keys are kept. Limits of model/limits.h hold. */
void yaml_read(struct arena *a, const struct source *s, struct documents *out,
	       struct problems *problems);

/* JSON: one document. With COMMENTS also JSONC: line and block comments, trailing commas. */
void json_read(struct arena *a, const struct source *s, bool comments, struct documents *out,
	       struct problems *problems);

/* Turns file bytes into UTF-8: drops a UTF-8 BOM, converts UTF-16LE/BE with a BOM. Returns false for
 * what is not text (a NUL byte in the first 8 KiB and no BOM). *OUT lies in the arena. */
bool text_decode(struct arena *a, const char *bytes, size_t length, const char **out,
		 size_t *out_length);

#endif

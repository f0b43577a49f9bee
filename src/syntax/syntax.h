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
	size_t failed; /* documents that could not be read, each with one problem row */
};

/* YAML: every document of the stream. A bad document is a problem and the others are still read
 * (the stream is resumed at the next line that begins "---"). Duplicate keys are problems. Tags,
 * anchors, aliases and merge keys are kept; an unknown alias, or one to a collection that contains it,
 * has no target and is a problem. A plain null word ("null", "~") as a value is a NODE_NULL that spans
 * the word; as a key it stays a scalar. Spans leave out tags and anchors. The depth limit fails one
 * document, the others end the reading. */
void yaml_read(struct arena *a, const struct source *s, struct documents *out,
	       struct problems *problems);

/* JSON: one document. With COMMENTS also JSONC: line and block comments, trailing commas. After an
 * error the document holds what was read before it and counts as failed. Duplicate keys are problems
 * but no failure. */
void json_read(struct arena *a, const struct source *s, bool comments, struct documents *out,
	       struct problems *problems);

/* JSON: every value of a stream, one after the other ("JSON lines"), without comments. After an error the
 * last document holds what was read before it. */
void json_read_stream(struct arena *a, const struct source *s, struct documents *out,
		      struct problems *problems);

/* TOML: one document, a map. A line that cannot be read is a problem and the others are still read.
 * Duplicate keys are problems. Values other than strings, lists and tables are plain scalars. */
void toml_read(struct arena *a, const struct source *s, struct documents *out,
	       struct problems *problems);

/* Turns file bytes into UTF-8: drops a UTF-8 BOM, converts UTF-16LE/BE with a BOM. Returns false for
 * what is not text (a NUL byte in the first 8 KiB and no BOM). *OUT lies in the arena. */
bool text_decode(struct arena *a, const char *bytes, size_t length, const char **out,
		 size_t *out_length);

#endif

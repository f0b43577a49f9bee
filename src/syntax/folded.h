/* Text put together from pieces of one source: continuation lines joined, comments left out,
 * quotes removed. Every byte of it can still be cited.
 *
 * A position in the text ("at") is not an offset in the source; folded_span() translates. Text and
 * pieces live in the arena of whoever built them. A zeroed struct is the empty text.
 * SPDX-License-Identifier: MIT */
#ifndef SYNTAX_FOLDED_H
#define SYNTAX_FOLDED_H

#include "model/buf.h"
#include "model/source.h"

struct folded_piece {
	uint32_t at, offset, length; /* position in the text, in the source, bytes */
};

struct folded {
	uint32_t source;
	const char *text; /* NUL-terminated */
	uint32_t length;
	const struct folded_piece *pieces; /* ascending, covering the text */
	size_t count;
};

/* Builds a folded text piece by piece; free it with folded_builder_free(). */
struct folded_builder {
	struct buf text;
	struct folded_piece *items;
	size_t count, capacity;
};

/* Appends LENGTH bytes that stand at OFFSET of the source; adjoining pieces are merged. */
void folded_add(struct arena *a, struct folded_builder *b, const char *bytes, uint32_t length,
		uint32_t offset);
/* Takes back the last LENGTH bytes. */
void folded_trim(struct folded_builder *b, uint32_t length);
struct folded folded_finish(struct arena *a, struct folded_builder *b, uint32_t source);
void folded_builder_free(struct folded_builder *b);

/* The bytes of SPAN as they stand in the source. */
struct folded folded_from(struct arena *a, const struct source *s, struct span span);
/* A part of a folded text; shares text only by copy, so it is NUL-terminated. */
struct folded folded_slice(struct arena *a, const struct folded *f, uint32_t at, uint32_t length);
/* Source offset of position AT; the end of the last piece when AT is the end of the text. */
uint32_t folded_offset(const struct folded *f, uint32_t at);
/* The smallest source span around LENGTH bytes from AT (skipped comments lie inside it). */
struct span folded_span(const struct folded *f, uint32_t at, uint32_t length);

#endif

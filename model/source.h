/* The bytes of one file and positions in them.
 *
 * A span names bytes: source id, byte offset, length. Source id 0 means "nowhere", so a zeroed span
 * is the empty one. Lines and columns are 1-based; lines are counted in '\n' bytes and nothing else.
 * Bytes are UTF-8 as far as the file is (UTF-16 input is converted first, BOM removed); they are
 * untrusted and reach a screen or a report only through model/text.h.
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_SOURCE_H
#define MODEL_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/arena.h"

struct span {
	uint32_t source, offset, length;
};

struct source_part;

struct source {
	uint32_t id;         /* index into the snapshot's sources, from 1 */
	const char *path;    /* relative to the root, '/' separated */
	const char *bytes;   /* NUL-terminated copy, may hold NUL bytes inside */
	uint32_t length;
	const uint32_t *line_starts;
	uint32_t line_count; /* at least 1 */
	const struct source_part *part; /* set for a text that is written inside another file */
};

/* Where a text stands that is a value in a file, such as a Dockerfile in a Compose file: its line N is
 * line FIRST_LINE + N - 1 of WHOLE without INDENT bytes; FIRST_LINE 0: its lines are not those of the
 * file, and SPAN is all that is known. */
struct source_part {
	const struct source *whole;
	struct span span;
	uint32_t first_line, indent;
};

/* Builds the line table; BYTES must outlive the source and be NUL-terminated at LENGTH. */
void source_init(struct source *s, struct arena *a, uint32_t id, const char *path,
		 const char *bytes, uint32_t length);
/* SPAN of S as a span of the file that S is a part of; SPAN itself when it is none. */
struct span source_whole_span(const struct source *s, struct span span);
/* 1-based line of OFFSET; an offset past the end gives the last line. */
uint32_t source_line(const struct source *s, uint32_t offset);
/* 1-based column of OFFSET in code points (a byte that starts no code point counts as one). */
uint32_t source_column(const struct source *s, uint32_t offset);
/* The bytes of 1-based LINE without its line end ("\r\n" or "\n"); empty past the end. */
struct span source_line_span(const struct source *s, uint32_t line);
/* Last 1-based line that SPAN touches. */
uint32_t source_end_line(const struct source *s, struct span span);
/* The span's bytes, not NUL-terminated; NULL when it does not lie in S. */
const char *source_text(const struct source *s, struct span span);

static inline bool span_is_set(struct span span)
{
	return span.source != 0;
}

#endif

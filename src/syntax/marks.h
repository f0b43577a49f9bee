/* From libyaml's positions, which count code points, to byte offsets.
 * SPDX-License-Identifier: MIT */
#ifndef SYNTAX_MARKS_H
#define SYNTAX_MARKS_H

#include "model/source.h"

struct marks {
	const struct source *source;
	bool ascii;                   /* the whole file: index and offset differ by BASE only */
	uint32_t base;                /* byte offset of index 0 */
	size_t index, offset;         /* a cursor: byte OFFSET begins code point INDEX */
};

/* BASE is where the parser's input begins in S. */
void marks_init(struct marks *m, const struct source *s);
void marks_begin(struct marks *m, uint32_t base);
/* The byte offset of code point INDEX. Close to constant for positions that come nearly in order. */
uint32_t marks_offset(struct marks *m, size_t index);

#endif

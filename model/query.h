/* Filter expressions, as --filter and the filter of the screen take them.
 *
 * Terms are separated by blanks and must all hold: `word` occurs in any column, `column:text` occurs in
 * that column, `column=text` is that column, `a,b` after the ':' or '=' means either, `!` before a term
 * turns it round, "quotes" keep blanks and make a plain word. Upper and lower case are the same (ASCII).
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_QUERY_H
#define MODEL_QUERY_H

#include <stdbool.h>

#include "model/arena.h"
#include "model/buf.h"

struct query_term {
	bool negated, exact;
	const char *column; /* NULL: any */
	const char *text;   /* lower case; alternatives are NUL-separated, the last is followed by two */
};

struct query {
	struct query_term *items;
	size_t count, capacity;
};

/* Appends the text of COLUMN of the item that CONTEXT names; NULL: all columns, a '\n' between. False when
 * there is no such column. */
typedef bool query_text_fn(void *context, const char *column, struct buf *out);

/* False with a message for an expression that is not well formed. */
bool query_parse(struct arena *a, const char *text, struct query *out, struct buf *why);
/* True when every term holds; an empty query always does. */
bool query_matches(const struct query *q, query_text_fn *text, void *context);

#endif

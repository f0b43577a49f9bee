/* A problem with the input: data, never an exit path.
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_PROBLEM_H
#define MODEL_PROBLEM_H

#include "model/source.h"

struct problem {
	struct span span;    /* where; length may be 0 */
	const char *message; /* lower case, no full stop, names the object first; arena */
};

struct problems {
	struct problem *items;
	size_t count, capacity;
	size_t dropped; /* past LIMIT_PROBLEMS */
};

/* Adds one row, counting instead of storing past LIMIT_PROBLEMS. */
void problem_add(struct arena *a, struct problems *list, struct span span, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

#endif

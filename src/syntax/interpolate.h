/* Variable references in text, after the Compose specification's rules.
 *
 * Understands $NAME, ${NAME} and the operators :- - :? ? :+ + with nested text, and $$ for a dollar
 * sign. Where values come from is the caller's business. What a reference is replaced with when
 * nothing supplies the variable is the empty string, as Compose does; the result says so.
 * SPDX-License-Identifier: MIT */
#ifndef SYNTAX_INTERPOLATE_H
#define SYNTAX_INTERPOLATE_H

#include <stdbool.h>

#include "model/arena.h"

/* Answers the value of NAME (NUL-terminated) or NULL when it is not set. */
typedef const char *(*interpolate_lookup)(void *ctx, const char *name);

struct interpolation {
	const char *text;     /* the result; NULL with an error that leaves none */
	const char *variable; /* first variable that decided the text, NULL when there was none */
	const char *missing;  /* first variable without value and without default, else NULL */
	const char *required; /* message of a missing required variable (":?"), else NULL */
	const char *error;    /* malformed reference, else NULL */
	bool defaulted;       /* an inline default or alternative stands in for an unset variable */
};

/* Replaces the references in TEXT. All strings of *OUT lie in the arena. Returns false with an
 * error; a missing required variable is reported in OUT->required and not an error. */
bool interpolate(struct arena *a, const char *text, interpolate_lookup lookup, void *ctx,
                 struct interpolation *out);

/* True when TEXT holds a reference, an escaped dollar sign not counted. */
bool interpolate_has_reference(const char *text);

#endif

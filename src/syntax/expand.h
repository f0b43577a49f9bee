/* Variable expansion as a Dockerfile does it: $x, ${x}, the operators :- :+ :? - + ? # ## % %% / //,
 * quotes and the escape character.
 *
 * Rules: BuildKit frontend/dockerfile/shell, 2026-08. Errors are values; a variable that is not set
 * expands to nothing and is reported in the uses. Results live in the arena.
 * SPDX-License-Identifier: MIT */
#ifndef SYNTAX_EXPAND_H
#define SYNTAX_EXPAND_H

#include "model/source.h"

struct expand_var {
	const char *name;
	const char *value;  /* NULL: declared, but no value is known (ARG without a default) */
	struct span span;   /* where the value was given; may be unset */
	bool env;           /* given by ENV, which an ARG cannot override */
	bool unsure;        /* the value was made from something unresolved */
	uint32_t hash;      /* of the name */
};

struct expand_vars {
	struct expand_var *items; /* the last of equal names counts */
	size_t count, capacity;
};

enum expand_outcome {
	EXPAND_VALUE,      /* the variable has a value */
	EXPAND_DEFAULT,    /* it has none; the operator's own word was used */
	EXPAND_UNRESOLVED, /* it has none, so nothing was put in its place */
};

struct expand_use {
	const char *name;
	enum expand_outcome outcome;
	const struct expand_var *var; /* NULL when not declared */
};

struct expansion {
	const char *text; /* "" after an error */
	uint32_t length;
	const char *error; /* NULL when the word is well formed; lower case */
	struct expand_use *uses;
	size_t use_count, use_capacity;
	bool unresolved; /* some use is EXPAND_UNRESOLVED or rests on an unsure value */
	const char **words; /* the text split at blanks that are neither quoted nor escaped */
	size_t word_count, word_capacity;
};

/* Sets or replaces NAME; returns the entry. Past LIMIT_VARIABLES the entry is not kept. */
struct expand_var *expand_set(struct arena *a, struct expand_vars *vars, const char *name,
			      const char *value, struct span span);
const struct expand_var *expand_find(const struct expand_vars *vars, const char *name);

/* Expands TEXT; ESCAPE is '\\' or '`'. */
void expand_word(struct arena *a, const struct expand_vars *vars, const char *text, char escape,
		 struct expansion *out);

/* One pattern operator ('#', '%', '/'), DOUBLED for its long form. Returns the new value in the
 * arena, or NULL with *ERROR set. */
const char *expand_pattern(struct arena *a, const char *value, char op, bool doubled,
			   const char *pattern, const char *replacement, const char **error);

#endif

/* Environment files: names with their values, positions and the kind of value.
 *
 * The grammar is the one of Compose env files: NAME=value or NAME: value, an optional "export ",
 * quotes, comments, values over several lines in quotes, references to variables. Values are kept
 * in memory because interpolation needs them; nothing but their class may be shown.
 * SPDX-License-Identifier: MIT */
#ifndef SYNTAX_DOTENV_H
#define SYNTAX_DOTENV_H

#include "model/hash_index.h"
#include "model/problem.h"
#include "src/syntax/interpolate.h"

enum dotenv_class {
	DOTENV_INHERITED, /* a name alone: taken from the caller */
	DOTENV_EMPTY,
	DOTENV_PLACEHOLDER, /* changeme, your-…, <…>, xxx */
	DOTENV_REFERENCE,   /* holds a reference to another variable */
	DOTENV_LITERAL,
};

struct dotenv_entry {
	const char *name;
	const char *value; /* expanded; NULL when inherited and not supplied */
	struct span name_span, value_span;
	enum dotenv_class class;
};

struct dotenv {
	struct dotenv_entry *items;
	size_t count, capacity;
	struct hash_index index; /* name → last entry of that name */
};

/* Reads S. LOOKUP (may be NULL) supplies variables that win over those of the file in references
 * and fill names that stand alone. A line that cannot be read is a problem; the rest is read. */
void dotenv_read(struct arena *a, const struct source *s, interpolate_lookup lookup, void *ctx,
                 struct dotenv *out, struct problems *problems);

/* Reads S in the raw form: each line is NAME=value to its end, without quotes and references. */
void dotenv_read_raw(struct arena *a, const struct source *s, interpolate_lookup lookup, void *ctx,
                     struct dotenv *out);

void dotenv_add(struct arena *a, struct dotenv *env, const struct dotenv_entry *entry);
/* The value of NAME, the last one of equal names, or NULL. */
const struct dotenv_entry *dotenv_find(const struct dotenv *env, const char *name);

/* The class of VALUE as it would stand after "NAME="; NULL is DOTENV_INHERITED. */
enum dotenv_class dotenv_classify(const char *value);

const char *dotenv_class_name(enum dotenv_class class);

#endif

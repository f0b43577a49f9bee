/* The value tree of a Compose model: like a node tree, but after interpolation, and mutable while
 * files are merged.
 *
 * Every value knows the place it was written at and, through `former`, the values that it replaced,
 * newest first. Values live in the arena of the load. Accessors accept NULL.
 * SPDX-License-Identifier: MIT */
#ifndef FORMATS_COMPOSE_CVALUE_H
#define FORMATS_COMPOSE_CVALUE_H

#include "model/hash_index.h"
#include "model/source.h"

enum cvalue_kind {
	CVALUE_NULL,
	CVALUE_STRING,
	CVALUE_INTEGER,
	CVALUE_FLOAT,
	CVALUE_BOOLEAN, /* text is "true" or "false" */
	CVALUE_MAP,
	CVALUE_LIST,
};

enum cvalue_tag {
	CVALUE_PLAIN,
	CVALUE_RESET,    /* "!reset": removes what it meets */
	CVALUE_OVERRIDE, /* "!override": replaces instead of merging */
};

struct cvalue;

/* A place that a value was written at before it was replaced. */
struct cformer {
	struct span span;
	const char *text;           /* NULL for maps and lists */
	const struct cformer *next; /* the one before */
};

struct cmember {
	const char *key; /* NULL in lists */
	struct span key_span;
	struct cvalue *value;
};

struct cvalue {
	enum cvalue_kind kind;
	enum cvalue_tag tag;
	const char *text;     /* scalars, after interpolation; never NULL for them */
	const char *raw;      /* the text before interpolation when that changed it, else NULL */
	const char *variable; /* first variable that decided the text, NULL without one */
	struct span origin;   /* where that variable's value stands in an env file, if it does */
	bool unresolved;      /* a variable without value stands for the empty string */
	bool defaulted;       /* an inline default or alternative was used */
	bool implied;         /* not written: a default of Compose; span is the nearest ancestor */
	bool external;        /* taken from an env file: never shown */
	bool elided;          /* past a limit, content left out */
	struct span span;
	const struct cformer *former; /* the value that this one replaced */
	struct cmember *items;
	size_t count, capacity;
	struct hash_index *index; /* of a large map: where a key was put; NULL for small ones */
	size_t removed;           /* members taken out since: keys moved down by at most as many */
};

struct cvalue *cvalue_new(struct arena *a, enum cvalue_kind kind, struct span span);
struct cvalue *cvalue_string(struct arena *a, const char *text, struct span span);
struct cvalue *cvalue_integer(struct arena *a, long long number, struct span span);
struct cvalue *cvalue_boolean(struct arena *a, bool on, struct span span);
/* A scalar of KIND and TEXT that keeps place, flags and chain of LIKE. */
struct cvalue *cvalue_derive(struct arena *a, const struct cvalue *like, enum cvalue_kind kind,
                             const char *text);

const struct cmember *cvalue_member(const struct cvalue *map, const char *key);
struct cvalue *cvalue_get(const struct cvalue *map, const char *key);
/* Follows keys: cvalue_path(v, "deploy", "resources", NULL). */
struct cvalue *cvalue_path(const struct cvalue *v, ...) __attribute__((sentinel));
struct cvalue *cvalue_at(const struct cvalue *list, size_t i);
bool cvalue_is_true(const struct cvalue *v);
/* These are seen whole by every caller: nothing is neither map, list nor scalar. */
static inline bool cvalue_is_map(const struct cvalue *v)
{
	return v && v->kind == CVALUE_MAP;
}
static inline bool cvalue_is_list(const struct cvalue *v)
{
	return v && v->kind == CVALUE_LIST;
}
/* A null is no scalar. */
static inline bool cvalue_is_scalar(const struct cvalue *v)
{
	return v && v->kind != CVALUE_NULL && v->kind != CVALUE_MAP && v->kind != CVALUE_LIST;
}
static inline size_t cvalue_count(const struct cvalue *v)
{
	return cvalue_is_map(v) || cvalue_is_list(v) ? v->count : 0;
}
/* Text of a scalar, or NULL. */
static inline const char *cvalue_text(const struct cvalue *v)
{
	return cvalue_is_scalar(v) ? v->text : NULL;
}

/* Sets KEY, replacing an equal key in place; the old value becomes the chain of the new one. */
void cvalue_set(struct arena *a, struct cvalue *map, const char *key, struct span key_span,
                struct cvalue *value);
/* Sets KEY, replacing an equal key and its value without a trace. */
void cvalue_put(struct arena *a, struct cvalue *map, const char *key, struct span key_span,
                struct cvalue *value);
/* Sets KEY to a value that is implied, unless it is there. */
void cvalue_imply(struct arena *a, struct cvalue *map, const char *key, struct cvalue *value);
void cvalue_push(struct arena *a, struct cvalue *list, struct cvalue *item);
void cvalue_remove(struct cvalue *map, const char *key);
/* Drops every member whose value was set to NULL. */
void cvalue_compact(struct arena *a, struct cvalue *v);
/* Appends OLD and its chain to the end of the chain of NEW_VALUE. */
void cvalue_chain(struct arena *a, struct cvalue *new_value, const struct cvalue *old);
/* A copy that shares nothing mutable. */
struct cvalue *cvalue_copy(struct arena *a, const struct cvalue *v);

#endif

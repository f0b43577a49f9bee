/* The tree that YAML, JSON, TOML and INI files become: every key and value has a span.
 *
 * Scalars keep decoded text and style; their type is the format's business, because only it knows the
 * consumer's rules. Aliases stay visible (NODE_ALIAS with its target) and merge keys ("<<") stay
 * keys; the accessors below look through both. Nodes live in an arena and are immutable once read.
 * Trees may share targets, so a walk over aliases must be bounded (LIMIT_ALIAS_VISITS).
 * All accessors accept NULL and wrong kinds and then answer "nothing".
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_NODE_H
#define MODEL_NODE_H

#include "model/source.h"

enum node_kind { NODE_NULL, NODE_SCALAR, NODE_MAP, NODE_SEQ, NODE_ALIAS };
/* NODE_NULL is an absent value ("key:" in YAML, null in JSON), with the span of the place. */

enum node_style {
	NODE_PLAIN,  /* YAML plain; JSON number, true, false */
	NODE_SINGLE, /* 'text' */
	NODE_DOUBLE, /* "text", every JSON string */
	NODE_LITERAL,
	NODE_FOLDED,
	NODE_BLOCK, /* collections */
	NODE_FLOW,
};

struct node_item {
	struct node *key; /* NULL in sequences */
	struct node *value;
};

struct node {
	enum node_kind kind;
	enum node_style style;
	const char *tag;    /* as written ("!reset", "!!str"), NULL without one */
	const char *anchor; /* without '&', NULL without one; of an alias: the name */
	const char *text;   /* scalar, decoded, NUL-terminated; NULL for other kinds */
	uint32_t text_length;
	struct span span;         /* the value as written, quotes included */
	const struct node *parent; /* structural parent, NULL at the top */
	struct node *target;      /* of an alias; NULL when the anchor is unknown */
	struct node_item *items;
	uint32_t count;
};

/* Follows aliases (bounded); NULL for a dangling one. */
const struct node *node_resolve(const struct node *n);
/* The item with KEY: the last of equal own keys, else the first found through "<<" merges. */
const struct node_item *node_find(const struct node *map, const char *key);
/* The resolved value of KEY, or NULL. */
const struct node *node_get(const struct node *map, const char *key);
/* Walks a path of keys: node_path(n, "spec", "template", "spec", NULL). */
const struct node *node_path(const struct node *n, ...) __attribute__((sentinel));
/* Element I of a sequence, resolved, or NULL. */
const struct node *node_at(const struct node *seq, uint32_t i);
/* Count of items of N, looking through an alias; 0 when it is neither map nor sequence. */
uint32_t node_items(const struct node *n);
/* True when N, looking through an alias, is of KIND. */
bool node_has_kind(const struct node *n, enum node_kind kind);
/* The text of a scalar, or NULL. */
const char *node_text(const struct node *n);
/* True when N is a scalar of exactly this text. */
bool node_is(const struct node *n, const char *text);
/* These are seen whole by every caller: nothing is neither map, sequence nor text. */
static inline uint32_t node_count(const struct node *n)
{
	return n ? node_items(n) : 0;
}
static inline bool node_is_map(const struct node *n)
{
	return n && node_has_kind(n, NODE_MAP);
}
static inline bool node_is_seq(const struct node *n)
{
	return n && node_has_kind(n, NODE_SEQ);
}
/* True for a present scalar or an explicit null. */
bool node_is_null(const struct node *n);
/* The span of the key under which N stands in its parent, else N's own. */
struct span node_key_span(const struct node *n);
/* A copy of MAP whose merge keys are replaced by the items that they add; MAP itself when it has
 * none. Values are shared. *BUDGET bounds the work and reaches 0 when it is used up. */
const struct node *node_flatten(struct arena *a, const struct node *map, uint32_t *budget);

#endif

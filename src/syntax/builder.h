/* Builds one node tree after another from a reader's events, with a stack of its own.
 *
 * Ownership: nodes lie in the arena; builder_free() gives back the scratch memory only.
 * A reader makes a node, then adds it: builder_add() for a leaf, builder_open() … builder_close() for
 * a collection. In a map, keys and values simply alternate.
 * SPDX-License-Identifier: MIT */
#ifndef SYNTAX_BUILDER_H
#define SYNTAX_BUILDER_H

#include "model/limits.h"
#include "model/node.h"
#include "model/problem.h"

#define BUILDER_INLINE 256u /* items held without scratch memory, enough for most files */

struct builder_frame {
	struct node *node;
	size_t first; /* index of its first item in the shared item stack */
	bool has_key; /* a key waits for its value */
};

struct builder {
	struct arena *arena;
	const struct source *source;
	struct problems *problems;
	struct arena scratch;
	struct {
		struct node_item *items;
		size_t count, capacity;
	} pending; /* items of all open collections */
	struct builder_frame frames[LIMIT_DEPTH];
	uint32_t depth, nodes;
	struct node_item inline_items[BUILDER_INLINE];
	struct node *top; /* the finished or open top node of the current tree */
};

/* B must not move afterwards. */
void builder_init(struct builder *b, struct arena *a, const struct source *s,
		  struct problems *problems);
/* A new node of the bytes START to END; NULL when the file has used up LIMIT_NODES. */
struct node *builder_node(struct builder *b, enum node_kind kind, enum node_style style,
			  uint32_t start, uint32_t end);
/* Adds a finished node to the open collection, or as the top. */
void builder_add(struct builder *b, struct node *n);
/* Adds a collection and opens it; false when it would be nested too deep. */
bool builder_open(struct builder *b, struct node *n);
/* Closes the innermost collection, which ends at END, and reports its duplicate keys. A key without a
 * value gets a NODE_NULL. */
void builder_close(struct builder *b, uint32_t end);
/* The innermost open collection, or NULL. */
struct node *builder_current(const struct builder *b);
/* True when the next node added becomes a key. */
bool builder_wants_key(const struct builder *b);
/* End of the last node in the innermost collection, its own start when there is none. */
uint32_t builder_last_end(const struct builder *b);
/* True when N is one of the open collections. */
bool builder_is_open(const struct builder *b, const struct node *n);
/* Forgets the tree at hand and returns its top; what is still open is dropped. */
struct node *builder_take(struct builder *b);
void builder_free(struct builder *b);

#endif

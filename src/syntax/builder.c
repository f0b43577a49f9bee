/* Node trees from events: a frame stack and one shared stack of items.
 * SPDX-License-Identifier: MIT */
#include "src/syntax/builder.h"

#include <string.h>

#include "src/syntax/duplicates.h"

static struct builder_frame *frame_of(struct builder *b)
{
	return b->depth ? &b->frames[b->depth - 1] : NULL;
}

void builder_init(struct builder *b, struct arena *a, const struct source *s,
		  struct problems *problems)
{
	*b = (struct builder){ .arena = a, .source = s, .problems = problems };
	b->pending.items = b->inline_items;
	b->pending.capacity = BUILDER_INLINE;
}

struct node *builder_node(struct builder *b, enum node_kind kind, enum node_style style,
			  uint32_t start, uint32_t end)
{
	struct node *n;

	if (b->nodes >= LIMIT_NODES)
		return NULL;
	b->nodes++;
	n = ARENA_NEW(b->arena, struct node);
	n->kind = kind;
	n->style = style;
	n->span = (struct span){ .source = b->source->id, .offset = start,
				 .length = end > start ? end - start : 0 };
	return n;
}

void builder_add(struct builder *b, struct node *n)
{
	struct builder_frame *frame = frame_of(b);

	if (!frame) {
		b->top = n;
		return;
	}
	n->parent = frame->node;
	if (frame->has_key) {
		b->pending.items[b->pending.count - 1].value = n;
		frame->has_key = false;
		return;
	}
	frame->has_key = frame->node->kind == NODE_MAP;
	*ARENA_PUSH(&b->scratch, &b->pending) =
		frame->has_key ? (struct node_item){ .key = n } : (struct node_item){ .value = n };
}

bool builder_open(struct builder *b, struct node *n)
{
	if (b->depth >= LIMIT_DEPTH)
		return false;
	builder_add(b, n);
	b->frames[b->depth++] = (struct builder_frame){ .node = n, .first = b->pending.count };
	return true;
}

static void complete_key(struct builder *b, struct builder_frame *frame)
{
	struct node_item *last = &b->pending.items[b->pending.count - 1];
	uint32_t at = last->key->span.offset + last->key->span.length;
	struct node *value = builder_node(b, NODE_NULL, NODE_PLAIN, at, at);

	if (value) {
		value->parent = frame->node;
		last->value = value;
	} else {
		b->pending.count--;
	}
	frame->has_key = false;
}

void builder_close(struct builder *b, uint32_t end)
{
	struct builder_frame *frame = frame_of(b);
	struct node *n;
	size_t count;

	if (!frame)
		return;
	n = frame->node;
	if (frame->has_key)
		complete_key(b, frame);
	count = b->pending.count - frame->first;
	if (count) {
		n->items = arena_array(b->arena, count, sizeof *n->items);
		memcpy(n->items, b->pending.items + frame->first, count * sizeof *n->items);
	}
	n->count = (uint32_t)count;
	n->span.length = end > n->span.offset ? end - n->span.offset : 0;
	b->pending.count = frame->first;
	b->depth--;
	if (n->kind == NODE_MAP)
		duplicates_report(n, b->source, b->arena, b->problems);
}

struct node *builder_current(const struct builder *b)
{
	return b->depth ? b->frames[b->depth - 1].node : NULL;
}

bool builder_wants_key(const struct builder *b)
{
	const struct builder_frame *frame = b->depth ? &b->frames[b->depth - 1] : NULL;

	return frame && frame->node->kind == NODE_MAP && !frame->has_key;
}

uint32_t builder_last_end(const struct builder *b)
{
	const struct builder_frame *frame = &b->frames[b->depth - 1];
	const struct node_item *last;
	const struct node *n;

	if (b->pending.count == frame->first)
		return frame->node->span.offset;
	last = &b->pending.items[b->pending.count - 1];
	n = last->value ? last->value : last->key;
	return n->span.offset + n->span.length;
}

bool builder_is_open(const struct builder *b, const struct node *n)
{
	for (uint32_t i = b->depth; i-- > 0;)
		if (b->frames[i].node == n)
			return true;
	return false;
}

struct node *builder_take(struct builder *b)
{
	struct node *top = b->top;

	b->top = NULL;
	b->depth = 0;
	b->pending.count = 0;
	return top;
}

void builder_free(struct builder *b)
{
	arena_free(&b->scratch);
	b->pending.items = NULL;
	b->pending.count = b->pending.capacity = 0;
}

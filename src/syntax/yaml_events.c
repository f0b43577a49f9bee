/* Node trees from libyaml's events.
 * SPDX-License-Identifier: MIT */
#include "src/syntax/yaml_events.h"

#include <string.h>

#define CORE_TAG "tag:yaml.org,2002:"

struct piece { /* what nodes of every kind have in an event */
	const yaml_char_t *anchor, *tag;
	uint32_t start, end;
};

static const char *text_of(const yaml_char_t *text)
{
	return (const char *)text;
}

/* libyaml spells "!!name" out; the rest is kept as it was written. */
static const char *short_tag(struct arena *a, const yaml_char_t *tag)
{
	const char *text = text_of(tag);
	size_t prefix = sizeof CORE_TAG - 1;

	if (!text)
		return NULL;
	if (strncmp(text, CORE_TAG, prefix) == 0)
		return arena_printf(a, "!!%s", text + prefix);
	return arena_strdup(a, text);
}

/* Where the value begins behind its tag and anchor; libyaml's events begin at these. */
static uint32_t value_start(const char *bytes, const struct piece *p)
{
	uint32_t at = p->start;

	if (!p->anchor && !p->tag)
		return at;
	while (at < p->end) {
		char c = bytes[at];

		if (c == '#')
			while (at < p->end && bytes[at] != '\n' && bytes[at] != '\r')
				at++;
		else if (c == '&' || c == '!')
			while (at < p->end && !memchr(" \t\r\n", bytes[at], 4))
				at++;
		else if (memchr(" \t\r\n", c, 4))
			at++;
		else
			break;
	}
	return at;
}

static struct node *new_node(struct yaml_reader *r, enum node_kind kind, enum node_style style,
			     const struct piece *p)
{
	struct builder *b = &r->builder;
	struct node *n = builder_node(b, kind, style, value_start(b->source->bytes, p), p->end);

	if (!n)
		return NULL;
	n->tag = short_tag(b->arena, p->tag);
	if (p->anchor) {
		n->anchor = arena_strdup(b->arena, text_of(p->anchor));
		anchors_set(&r->anchors, &b->scratch, n->anchor, n);
	}
	return n;
}

static bool is_null_word(const char *text, size_t length)
{
	static const char *const words[] = { "", "~", "null", "Null", "NULL" };

	if (length > 4)
		return false;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i]) == length && memcmp(words[i], text, length) == 0)
			return true;
	return false;
}

static bool is_null(const struct yaml_reader *r, const char *text, size_t length, const char *tag)
{
	if (tag)
		return length == 0 && strcmp(tag, "!") != 0 && strcmp(tag, CORE_TAG "str") != 0;
	return length == 0 || (is_null_word(text, length) && !builder_wants_key(&r->builder));
}

static uint32_t trimmed_end(const char *bytes, uint32_t start, uint32_t end)
{
	while (end > start + 1 && memchr(" \t\r\n", bytes[end - 1], 4))
		end--;
	return end;
}

static enum yaml_result take_scalar(struct yaml_reader *r, const yaml_event_t *event,
				    struct piece *p)
{
	static const enum node_style styles[] = {
		[YAML_PLAIN_SCALAR_STYLE] = NODE_PLAIN,
		[YAML_SINGLE_QUOTED_SCALAR_STYLE] = NODE_SINGLE,
		[YAML_DOUBLE_QUOTED_SCALAR_STYLE] = NODE_DOUBLE,
		[YAML_LITERAL_SCALAR_STYLE] = NODE_LITERAL,
		[YAML_FOLDED_SCALAR_STYLE] = NODE_FOLDED,
	};
	const char *text = text_of(event->data.scalar.value);
	size_t length = event->data.scalar.length;
	enum node_style style = styles[event->data.scalar.style];
	bool null;
	struct node *n;

	p->anchor = event->data.scalar.anchor;
	p->tag = event->data.scalar.tag;
	if (style == NODE_LITERAL || style == NODE_FOLDED)
		p->end = trimmed_end(r->builder.source->bytes, p->start, p->end);
	null = style == NODE_PLAIN && is_null(r, text, length, text_of(p->tag));
	n = new_node(r, null ? NODE_NULL : NODE_SCALAR, style, p);
	if (!n)
		return YAML_TOO_MANY_NODES;
	if (!null) {
		n->text = arena_copy(r->builder.arena, text, length);
		n->text_length = (uint32_t)length;
	}
	builder_add(&r->builder, n);
	return YAML_GOES_ON;
}

static enum yaml_result take_alias(struct yaml_reader *r, const yaml_event_t *event,
				   struct piece *p)
{
	struct builder *b = &r->builder;
	const char *name = text_of(event->data.alias.anchor);
	struct node *n = builder_node(b, NODE_ALIAS, NODE_PLAIN, p->start, p->end);

	if (!n)
		return YAML_TOO_MANY_NODES;
	n->anchor = arena_strdup(b->arena, name);
	n->target = anchors_get(&r->anchors, name);
	if (!n->target) {
		problem_add(b->arena, b->problems, n->span, "alias \"*%.80s\" has no anchor before it",
			    name);
	} else if (builder_is_open(b, n->target)) {
		n->target = NULL;
		problem_add(b->arena, b->problems, n->span, "alias \"*%.80s\" contains itself", name);
	}
	builder_add(b, n);
	return YAML_GOES_ON;
}

static enum yaml_result open_node(struct yaml_reader *r, struct node *n)
{
	if (!n)
		return YAML_TOO_MANY_NODES;
	return builder_open(&r->builder, n) ? YAML_GOES_ON : YAML_TOO_DEEP;
}

static enum yaml_result take_sequence_start(struct yaml_reader *r, const yaml_event_t *event,
					    struct piece *p)
{
	bool flow = event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;

	p->anchor = event->data.sequence_start.anchor;
	p->tag = event->data.sequence_start.tag;
	return open_node(r, new_node(r, NODE_SEQ, flow ? NODE_FLOW : NODE_BLOCK, p));
}

static enum yaml_result take_mapping_start(struct yaml_reader *r, const yaml_event_t *event,
					   struct piece *p)
{
	bool flow = event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;

	p->anchor = event->data.mapping_start.anchor;
	p->tag = event->data.mapping_start.tag;
	return open_node(r, new_node(r, NODE_MAP, flow ? NODE_FLOW : NODE_BLOCK, p));
}

/* libyaml ends a block collection where the next token begins; it really ends with its last item. */
static enum yaml_result take_end(struct yaml_reader *r, const yaml_event_t *event, struct piece *p)
{
	struct builder *b = &r->builder;
	bool flow = builder_current(b)->style == NODE_FLOW;

	(void)event;
	builder_close(b, flow ? p->end : builder_last_end(b));
	return YAML_GOES_ON;
}

static enum yaml_result take_document_start(struct yaml_reader *r, const yaml_event_t *event,
					    struct piece *p)
{
	(void)event;
	(void)p;
	r->anchors = NULL;
	if (r->out->count + r->out->failed >= LIMIT_DOCUMENTS)
		return YAML_TOO_MANY_DOCUMENTS;
	return YAML_GOES_ON;
}

static enum yaml_result take_document_end(struct yaml_reader *r, const yaml_event_t *event,
					  struct piece *p)
{
	struct node *top = builder_take(&r->builder);

	(void)event;
	(void)p;
	if (top)
		*ARENA_PUSH(r->builder.arena, r->out) = top;
	return YAML_GOES_ON;
}

enum yaml_result yaml_take(struct yaml_reader *r, const yaml_event_t *event)
{
	static enum yaml_result (*const takers[])(struct yaml_reader *, const yaml_event_t *,
						  struct piece *) = {
		[YAML_DOCUMENT_START_EVENT] = take_document_start,
		[YAML_DOCUMENT_END_EVENT] = take_document_end,
		[YAML_ALIAS_EVENT] = take_alias,
		[YAML_SCALAR_EVENT] = take_scalar,
		[YAML_SEQUENCE_START_EVENT] = take_sequence_start,
		[YAML_SEQUENCE_END_EVENT] = take_end,
		[YAML_MAPPING_START_EVENT] = take_mapping_start,
		[YAML_MAPPING_END_EVENT] = take_end,
	};
	struct piece p = { 0 };

	if (!takers[event->type])
		return YAML_GOES_ON;
	p.start = marks_offset(&r->marks, event->start_mark.index);
	p.end = marks_offset(&r->marks, event->end_mark.index);
	r->at = p.start;
	return takers[event->type](r, event, &p);
}

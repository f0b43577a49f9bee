/* Node trees as JSON text, with a stack instead of recursion.
 * SPDX-License-Identifier: MIT */
#include "src/syntax/tree_json.h"

#include <string.h>

#include "model/limits.h"
#include "model/secret.h"
#include "model/text.h"

/* A key may hold a whole tree, so each open collection remembers which half of an item comes next. */
struct level {
	const struct node *node;
	uint32_t next;
	bool key_done;
};

static void put_text(struct buf *out, const char *name, const char *text)
{
	if (!text)
		return;
	buf_printf(out, ",\"%s\":", name);
	text_json(out, text, strlen(text));
}

static void put_place(struct buf *out, const struct source *s, uint32_t offset)
{
	buf_printf(out, "\"line\":%lu,\"column\":%lu", (unsigned long)source_line(s, offset),
		   (unsigned long)source_column(s, offset));
}

static void put_target(struct buf *out, const struct source *s, const struct node *target)
{
	buf_puts(out, ",\"target\":");
	if (!target) {
		buf_puts(out, "null");
		return;
	}
	buf_putc(out, '{');
	put_place(out, s, target->span.offset);
	buf_putc(out, '}');
}

static bool is_collection(const struct node *n)
{
	return n->kind == NODE_MAP || n->kind == NODE_SEQ;
}

/* The text of a scalar under KEY (NULL in lists and of keys), secrets hidden. */
static void put_scalar(struct buf *out, const struct node *n, const struct node *key)
{
	struct buf shown = { 0 };
	const char *name = key && key->kind == NODE_SCALAR ? key->text : "";

	buf_puts(out, ",\"text\":");
	if (secret_value(name, n->text, n->text_length))
		buf_puts(&shown, SECRET_SHOWN);
	else
		secret_redact(&shown, n->text, n->text_length);
	text_json(out, buf_text(&shown), shown.length);
	buf_free(&shown);
}

/* Everything of a node but its items and the closing brace. */
static void put_head(struct buf *out, const struct source *s, const struct node *n,
		     const struct node *key)
{
	static const char *const kinds[] = {
		[NODE_NULL] = "null", [NODE_SCALAR] = "scalar", [NODE_MAP] = "map",
		[NODE_SEQ] = "seq",   [NODE_ALIAS] = "alias",
	};
	static const char *const styles[] = {
		[NODE_PLAIN] = "plain",	    [NODE_SINGLE] = "single", [NODE_DOUBLE] = "double",
		[NODE_LITERAL] = "literal", [NODE_FOLDED] = "folded", [NODE_BLOCK] = "block",
		[NODE_FLOW] = "flow",
	};

	buf_printf(out, "{\"kind\":\"%s\",", kinds[n->kind]);
	put_place(out, s, n->span.offset);
	buf_printf(out, ",\"offset\":%lu,\"length\":%lu", (unsigned long)n->span.offset,
		   (unsigned long)n->span.length);
	if (n->kind == NODE_SCALAR || is_collection(n))
		buf_printf(out, ",\"style\":\"%s\"", styles[n->style]);
	put_text(out, "tag", n->tag);
	put_text(out, "anchor", n->anchor);
	if (n->kind == NODE_SCALAR) {
		put_scalar(out, n, key);
	} else if (n->kind == NODE_ALIAS) {
		put_target(out, s, n->target);
	} else if (is_collection(n)) {
		buf_puts(out, ",\"items\":[");
	}
}

/* The node that comes next below LEVEL, or NULL at its end; writes what stands before it. */
static const struct node *next_child(struct buf *out, struct level *level)
{
	const struct node_item *item;

	if (level->next == level->node->count)
		return NULL;
	item = &level->node->items[level->next];
	if (level->next && !level->key_done)
		buf_putc(out, ',');
	if (level->node->kind == NODE_MAP && !level->key_done) {
		level->key_done = true;
		buf_puts(out, "{\"key\":");
		return item->key;
	}
	if (level->key_done)
		buf_puts(out, ",\"value\":");
	level->key_done = false;
	level->next++;
	return item->value;
}

/* The key of the value that next_child() has just given. */
static const struct node *current_key(const struct level *level)
{
	if (level->node->kind != NODE_MAP || level->key_done || !level->next)
		return NULL;
	return level->node->items[level->next - 1].key;
}

/* Closes the object of an item once its value is written. */
static void close_item(struct buf *out, const struct level *level)
{
	if (level->node->kind == NODE_MAP && !level->key_done)
		buf_putc(out, '}');
}

static void put_tree(struct buf *out, const struct source *s, const struct node *top)
{
	struct level levels[LIMIT_DEPTH + 1];
	uint32_t depth = 0;
	const struct node *n = top;

	for (;;) {
		put_head(out, s, n, depth ? current_key(&levels[depth - 1]) : NULL);
		if (is_collection(n) && depth <= LIMIT_DEPTH) {
			levels[depth++] = (struct level){ .node = n };
		} else {
			buf_puts(out, is_collection(n) ? "]}" : "}");
			if (depth)
				close_item(out, &levels[depth - 1]);
		}
		while (depth && !(n = next_child(out, &levels[depth - 1]))) {
			buf_puts(out, "]}");
			if (--depth)
				close_item(out, &levels[depth - 1]);
		}
		if (!depth)
			return;
	}
}

static void put_problems(struct buf *out, const struct source *s, const struct problems *problems)
{
	buf_puts(out, "],\"problems\":[");
	for (size_t i = 0; i < problems->count; i++) {
		const struct problem *p = &problems->items[i];

		buf_puts(out, i ? ",{" : "{");
		put_place(out, s, p->span.offset);
		put_text(out, "message", p->message);
		buf_putc(out, '}');
	}
	buf_puts(out, "]}\n");
}

void tree_json_write(struct buf *out, const struct source *s, const struct documents *documents,
		     const struct problems *problems)
{
	buf_puts(out, "{\"file\":");
	text_json(out, s->path ? s->path : "", s->path ? strlen(s->path) : 0);
	buf_printf(out, ",\"failed\":%zu,\"documents\":[", documents->failed);
	for (size_t i = 0; i < documents->count; i++) {
		if (i)
			buf_putc(out, ',');
		put_tree(out, s, documents->items[i]);
	}
	put_problems(out, s, problems);
}

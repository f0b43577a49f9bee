/* Node trees as JSON text, with a stack instead of recursion.
 * SPDX-License-Identifier: MIT */
#include "src/syntax/tree_json.h"

#include <string.h>
#include <strings.h>

#include "model/limits.h"
#include "model/secret.h"
#include "model/text.h"

enum { MEMBERS_LOOKED_AT = 200 }; /* of a map, for what it is */

/* A key may hold a whole tree, so each open collection remembers which half of an item comes next. */
struct level {
	const struct node *node;
	uint32_t next;
	bool key_done;
};

/* The key of the value that next_child() has just given. */
static const struct node *current_key(const struct level *level)
{
	if (level->node->kind != NODE_MAP || level->key_done || !level->next)
		return NULL;
	return level->node->items[level->next - 1].key;
}

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

static const char *scalar_text(const struct node *n)
{
	return n && n->kind == NODE_SCALAR ? n->text : "";
}

static bool is_among(const char *name, const char *one, const char *other)
{
	return strcmp(name, one) == 0 || strcmp(name, other) == 0;
}

/* The map names a secret beside VALUE: "name: API_TOKEN", "password: true". */
static bool names_secret(const struct node *map)
{
	for (uint32_t i = 0; i < map->count && i < MEMBERS_LOOKED_AT; i++) {
		const char *key = scalar_text(map->items[i].key);
		const char *value = scalar_text(map->items[i].value);

		if ((is_among(key, "name", "key") && name_is_secret(value)) ||
		    (strcmp(key, "password") == 0 && strcmp(value, "true") == 0))
			return true;
	}
	return false;
}

/* The option before an item of a list takes a secret. */
static bool follows_option(const struct level *level, const char *text)
{
	const struct node *list = level->node;

	return list->kind == NODE_SEQ && level->next > 1 &&
	       secret_follows(scalar_text(list->items[level->next - 2].value), text);
}

/* "API_TOKEN=first line\nsecond line" */
static bool is_long_variable(const char *text)
{
	char name[128];
	size_t length = strcspn(text, "=\n");

	if (text[length] != '=' || length >= sizeof name || !strchr(text, '\n'))
		return false;
	memcpy(name, text, length);
	name[length] = '\0';
	return name_is_secret(name);
}

static bool is_kind_secret(const struct node *map)
{
	for (uint32_t i = 0; i < map->count && i < MEMBERS_LOOKED_AT; i++)
		if (strcmp(scalar_text(map->items[i].key), "kind") == 0)
			return strcmp(scalar_text(map->items[i].value), "Secret") == 0;
	return false;
}

/* The places whose values are secrets whatever they are called: data of a Secret, headers, the content of a
 * Compose secret. */
static bool is_secret_place(const struct level *levels, uint32_t depth)
{
	const char *own = scalar_text(current_key(&levels[depth - 1])), *over;

	if (levels[depth - 1].node->kind != NODE_MAP || depth < 2)
		return false;
	over = scalar_text(current_key(&levels[depth - 2]));
	if (is_among(over, "headers", "http_headers"))
		return strcmp(own, "name") != 0 && strcasecmp(own, "accept") != 0 &&
		       strcasecmp(own, "content-type") != 0;
	if (is_among(over, "data", "stringData"))
		return is_kind_secret(levels[depth - 2].node);
	return depth == 3 && strcmp(own, "content") == 0 &&
	       strcmp(scalar_text(current_key(&levels[0])), "secrets") == 0;
}

/* The scalar N, which is a value at the last of the levels, is a secret because of what stands around it. */
static bool is_secret_here(const struct level *levels, uint32_t depth, const struct node *n)
{
	const struct level *last = &levels[depth - 1];
	const char *key = scalar_text(current_key(last));

	return secret_value(key, n->text, n->text_length) || is_long_variable(n->text) ||
	       follows_option(last, n->text) || is_secret_place(levels, depth) ||
	       (is_among(key, "value", "default") && names_secret(last->node));
}

/* An item of a list with the three before it: they may be the words of a command. */
static void put_word(struct buf *out, const struct level *level, const char *text)
{
	uint32_t i = level->next - 1;
	struct buf before = { 0 };

	for (uint32_t k = i > 3 ? i - 3 : 0; k < i; k++)
		buf_printf(&before, "%s%.200s", before.length ? " " : "",
			   scalar_text(level->node->items[k].value));
	secret_redact_word(out, buf_text(&before), text);
	buf_free(&before);
}

static void put_scalar(struct buf *out, const struct node *n, const struct level *levels, uint32_t depth)
{
	struct buf shown = { 0 };
	bool is_value = depth && !(levels[depth - 1].node->kind == NODE_MAP && levels[depth - 1].key_done);

	buf_puts(out, ",\"text\":");
	if (is_value && n->text_length && is_secret_here(levels, depth, n))
		buf_puts(&shown, SECRET_SHOWN);
	else if (is_value && levels[depth - 1].node->kind == NODE_SEQ && levels[depth - 1].next > 1 &&
		 strlen(n->text) == n->text_length)
		put_word(&shown, &levels[depth - 1], n->text);
	else
		secret_redact(&shown, n->text, n->text_length);
	text_json(out, buf_text(&shown), shown.length);
	buf_free(&shown);
}

/* Everything of a node but its items and the closing brace. */
static void put_head(struct buf *out, const struct source *s, const struct node *n,
		     const struct level *levels, uint32_t depth)
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
		put_scalar(out, n, levels, depth);
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
		put_head(out, s, n, levels, depth);
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

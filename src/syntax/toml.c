/* Reads TOML 1.0 (and the relaxed inline tables of 1.1) into the node tree, with a stack of its
 * own.
 *
 * Tables stay open for later headers, so nodes grow in place. After an error the reader goes on at
 * the next line. Dates and numbers stay plain text. SPDX-License-Identifier: MIT */
#include "src/syntax/syntax.h"

#include <string.h>

#include "model/buf.h"
#include "model/hash_index.h"
#include "model/limits.h"

struct toml {
	struct arena *arena;
	const struct source *source;
	struct problems *problems;
	const char *bytes;
	uint32_t at, length, nodes;
	struct node *root, *table; /* table: the one of the last header */
	struct arena scratch;
	struct hash_index members; /* table and key → place in the table */
	bool failed;
};

/* --- nodes ---------------------------------------------------------------------------------- */

static struct node *make(struct toml *t, enum node_kind kind, enum node_style style, uint32_t start,
                         uint32_t end)
{
	struct node *n;

	if (t->nodes++ >= LIMIT_NODES)
		return NULL;
	n = ARENA_NEW(t->arena, struct node);
	n->kind = kind;
	n->style = style;
	n->span = (struct span){ .source = t->source->id, .offset = start, .length = end - start };
	return n;
}

static const char *member_name(struct toml *t, const struct node *map, const struct node *key)
{
	return arena_printf(&t->scratch, "%p %s", (const void *)map, key->text);
}

static struct node_item *find(struct toml *t, const struct node *map, const struct node *key)
{
	uint32_t i;

	return hash_index_get(&t->members, member_name(t, map, key), &i) ? &map->items[i] : NULL;
}

static void append(struct toml *t, struct node *parent, struct node *key, struct node *value)
{
	struct node_item *grown = parent->items;

	if ((parent->count & (parent->count - 1)) == 0) {
		grown =
		    arena_array(t->arena, parent->count ? parent->count * 2u : 1u, sizeof *grown);
		if (parent->count)
			memcpy(grown, parent->items, parent->count * sizeof *grown);
		parent->items = grown;
	}
	if (key)
		hash_index_put(&t->scratch, &t->members, member_name(t, parent, key),
		               parent->count);
	grown[parent->count++] = (struct node_item){ .key = key, .value = value };
	value->parent = parent;
	if (key)
		key->parent = parent;
}

static bool fail(struct toml *t, uint32_t at, const char *what)
{
	t->failed = true;
	problem_add(t->arena, t->problems,
	            (struct span){ .source = t->source->id, .offset = at, .length = 0 }, "%s",
	            what);
	return false;
}

/* --- text ----------------------------------------------------------------------------------- */

static int peek(const struct toml *t)
{
	return t->at < t->length ? (unsigned char)t->bytes[t->at] : -1;
}

static bool looking_at(const struct toml *t, const char *text)
{
	size_t n = strlen(text);

	return t->length - t->at >= n && memcmp(t->bytes + t->at, text, n) == 0;
}

static void skip_blanks(struct toml *t)
{
	while (peek(t) == ' ' || peek(t) == '\t')
		t->at++;
}

static void skip_line(struct toml *t)
{
	while (t->at < t->length && t->bytes[t->at] != '\n')
		t->at++;
}

/* Blanks, comments and line ends. */
static void skip_space(struct toml *t)
{
	for (;;) {
		int c = peek(t);

		if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
			t->at++;
		else if (c == '#')
			skip_line(t);
		else
			return;
	}
}

static void put_code_point(struct buf *out, uint32_t c)
{
	if (c < 0x80) {
		buf_putc(out, (char)c);
	} else if (c < 0x800) {
		buf_putc(out, (char)(0xC0 | c >> 6));
		buf_putc(out, (char)(0x80 | (c & 0x3F)));
	} else if (c < 0x10000) {
		buf_putc(out, (char)(0xE0 | c >> 12));
		buf_putc(out, (char)(0x80 | (c >> 6 & 0x3F)));
		buf_putc(out, (char)(0x80 | (c & 0x3F)));
	} else {
		buf_putc(out, (char)(0xF0 | (c >> 18 & 0x07)));
		buf_putc(out, (char)(0x80 | (c >> 12 & 0x3F)));
		buf_putc(out, (char)(0x80 | (c >> 6 & 0x3F)));
		buf_putc(out, (char)(0x80 | (c & 0x3F)));
	}
}

static int hex_digit(int c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool escape_code(struct toml *t, struct buf *out, unsigned digits)
{
	uint32_t c = 0;

	for (unsigned i = 0; i < digits; i++, t->at++) {
		if (hex_digit(peek(t)) < 0)
			return fail(t, t->at, "a \\u escape needs hexadecimal digits");
		c = c << 4 | (uint32_t)hex_digit(peek(t));
	}
	put_code_point(out, c > 0x10FFFF || (c >= 0xD800 && c < 0xE000) ? 0xFFFD : c);
	return true;
}

/* A backslash at a line end swallows the blanks and line ends behind it. */
static bool escape(struct toml *t, struct buf *out, bool multi)
{
	static const char from[] = "btnfre\"\\", to[] = "\b\t\n\f\r\033\"\\";
	int c = peek(t);
	const char *known = c > 0 ? strchr(from, c) : NULL;

	if (multi && (c == '\n' || c == ' ' || c == '\t' || c == '\r')) {
		while (peek(t) == ' ' || peek(t) == '\t' || peek(t) == '\n' || peek(t) == '\r')
			t->at++;
		return true;
	}
	t->at++;
	if (known && *known) {
		buf_putc(out, to[known - from]);
		return true;
	}
	if (c == 'u' || c == 'U' || c == 'x')
		return escape_code(t, out, c == 'u' ? 4 : c == 'U' ? 8 : 2);
	return fail(t, t->at - 1, "unknown escape in a string");
}

static void trim_closing_quotes(struct toml *t, struct buf *out, char quote)
{
	/* Up to two more quotes before the closing three belong to the text. */
	for (unsigned extra = 0; extra < 2 && peek(t) == quote; extra++) {
		buf_putc(out, quote);
		t->at++;
	}
}

static bool string_body(struct toml *t, struct buf *out, char quote, bool multi)
{
	const char closing[4] = { quote, multi ? quote : 0, multi ? quote : 0, 0 };

	for (;;) {
		int c = peek(t);

		if (c < 0 || (c == '\n' && !multi))
			return fail(t, t->at, "a string is not closed");
		if (looking_at(t, closing)) {
			t->at += (uint32_t)strlen(closing);
			if (multi)
				trim_closing_quotes(t, out, quote);
			return true;
		}
		t->at++;
		if (c == '\\' && quote == '"') {
			if (!escape(t, out, multi))
				return false;
		} else {
			buf_putc(out, (char)c);
		}
	}
}

static struct node *finish_text(struct toml *t, struct node *n, const char *text, size_t length)
{
	if (n) {
		n->text = arena_copy(t->arena, text, length);
		n->text_length = (uint32_t)length;
	}
	return n;
}

static struct node *read_string(struct toml *t)
{
	uint32_t start = t->at;
	char quote = t->bytes[t->at];
	const char three[4] = { quote, quote, quote, 0 };
	bool multi = looking_at(t, three), ok;
	struct buf text = { 0 };
	struct node *n;

	t->at += multi ? 3 : 1;
	if (multi && peek(t) == '\r')
		t->at++;
	if (multi && peek(t) == '\n')
		t->at++;
	ok = string_body(t, &text, quote, multi);
	n = ok ? make(t, NODE_SCALAR, quote == '"' ? NODE_DOUBLE : NODE_SINGLE, start, t->at)
	       : NULL;
	finish_text(t, n, buf_text(&text), text.length);
	buf_free(&text);
	return n;
}

static bool is_bare(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '-';
}

/* Numbers, dates, true and false. */
static struct node *read_plain(struct toml *t)
{
	uint32_t start = t->at;

	while (is_bare(peek(t)) || peek(t) == '+' || peek(t) == '.' || peek(t) == ':')
		t->at++;
	if (t->at == start) {
		fail(t, start, "a value is missing or has no quotes");
		return NULL;
	}
	return finish_text(t, make(t, NODE_SCALAR, NODE_PLAIN, start, t->at), t->bytes + start,
	                   t->at - start);
}

static struct node *read_key_part(struct toml *t)
{
	uint32_t start = t->at;

	if (peek(t) == '"' || peek(t) == '\'')
		return read_string(t);
	while (is_bare(peek(t)))
		t->at++;
	if (t->at == start) {
		fail(t, start, "expected a key");
		return NULL;
	}
	return finish_text(t, make(t, NODE_SCALAR, NODE_PLAIN, start, t->at), t->bytes + start,
	                   t->at - start);
}

/* --- keys ----------------------------------------------------------------------------------- */

static void duplicate(struct toml *t, const struct node *key)
{
	problem_add(t->arena, t->problems, key->span, "duplicate key \"%s\"", key->text);
}

/* The table under KEY in MAP, made when it is not there; of a list of tables the last one. */
static struct node *enter(struct toml *t, struct node *map, struct node *key)
{
	struct node_item *item = find(t, map, key);
	struct node *child = item ? item->value : NULL;

	if (child && child->kind == NODE_SEQ && child->count)
		child = child->items[child->count - 1].value;
	if (child && child->kind == NODE_MAP)
		return child;
	if (item) {
		fail(t, key->span.offset, "a key is used both as a value and as a table");
		return NULL;
	}
	child =
	    make(t, NODE_MAP, NODE_BLOCK, key->span.offset, key->span.offset + key->span.length);
	if (child)
		append(t, map, key, child);
	return child;
}

/* Reads "a.b.c"; *LAST is the last part and the result the table that it belongs to. */
static struct node *read_path(struct toml *t, struct node *map, struct node **last)
{
	struct node *key;

	for (;;) {
		skip_blanks(t);
		key = read_key_part(t);
		if (!key)
			return NULL;
		skip_blanks(t);
		if (peek(t) != '.') {
			*last = key;
			return map;
		}
		t->at++;
		map = enter(t, map, key);
		if (!map)
			return NULL;
	}
}

/* --- values --------------------------------------------------------------------------------- */

struct value_frame {
	struct node *node;
};

struct value_stack {
	struct value_frame frames[LIMIT_DEPTH];
	uint32_t depth;
};

static void close_top(struct toml *t, struct value_stack *s)
{
	struct node *n = s->frames[--s->depth].node;

	n->span.length = t->at - n->span.offset;
}

static bool open_collection(struct toml *t, struct value_stack *s, struct node *parent,
                            struct node *key)
{
	bool map = peek(t) == '{';
	struct node *n = make(t, map ? NODE_MAP : NODE_SEQ, NODE_FLOW, t->at, t->at + 1);

	if (!n)
		return fail(t, t->at, "more nodes than are read");
	if (s->depth >= LIMIT_DEPTH)
		return fail(t, t->at, "nested too deep");
	append(t, parent, key, n);
	s->frames[s->depth++].node = n;
	t->at++;
	return true;
}

/* The key of the next member of an inline table, or nothing for a list; *PARENT is where it goes.
 */
static bool next_key(struct toml *t, struct value_stack *s, struct node **parent, struct node **key)
{
	struct node *top = s->frames[s->depth - 1].node;

	*key = NULL;
	*parent = top;
	if (top->kind == NODE_SEQ)
		return true;
	*parent = read_path(t, top, key);
	if (!*parent)
		return false;
	if (find(t, *parent, *key))
		duplicate(t, *key);
	skip_blanks(t);
	if (peek(t) != '=')
		return fail(t, t->at, "expected \"=\" after a key");
	t->at++;
	skip_space(t);
	return true;
}

static bool at_end(const struct toml *t, const struct value_stack *s)
{
	return peek(t) == (s->frames[s->depth - 1].node->kind == NODE_MAP ? '}' : ']');
}

/* After a value or an opening bracket: closes what ends here; false on an error. *MORE: another
 * member follows. */
static bool between(struct toml *t, struct value_stack *s, bool opened, bool *more)
{
	*more = false;
	while (s->depth) {
		skip_space(t);
		if (!opened && peek(t) == ',') {
			t->at++;
			skip_space(t);
			if (!at_end(t, s)) {
				*more = true;
				return true;
			}
		}
		if (at_end(t, s)) {
			t->at++;
			close_top(t, s);
			opened = false;
			continue;
		}
		if (!opened)
			return fail(t, t->at, "expected \",\" or the end of a list or table");
		*more = true;
		return true;
	}
	return true;
}

static bool read_value(struct toml *t, struct node *parent, struct node *key)
{
	struct value_stack s = { .depth = 0 };
	bool more = true, first = true;

	while (more) {
		bool opened;
		int c;

		if (!first && !next_key(t, &s, &parent, &key))
			return false;
		first = false;
		c = peek(t);
		opened = c == '[' || c == '{';
		if (opened) {
			if (!open_collection(t, &s, parent, key))
				return false;
		} else {
			struct node *n = c == '"' || c == '\'' ? read_string(t) : read_plain(t);

			if (!n)
				return false;
			append(t, parent, key, n);
		}
		if (!between(t, &s, opened, &more))
			return false;
	}
	return true;
}

/* --- lines ---------------------------------------------------------------------------------- */

static bool read_header(struct toml *t)
{
	bool list = looking_at(t, "[[");
	struct node *map, *key = NULL, *table;
	struct node_item *item;

	t->at += list ? 2 : 1;
	map = read_path(t, t->root, &key);
	if (!map)
		return false;
	if (!looking_at(t, list ? "]]" : "]"))
		return fail(t, t->at, "a table header is not closed");
	t->at += list ? 2 : 1;
	if (!list) {
		t->table = enter(t, map, key);
		return t->table != NULL;
	}
	item = find(t, map, key);
	if (item && item->value->kind != NODE_SEQ)
		return fail(t, key->span.offset, "a key is used both as a value and as a list");
	if (!item) {
		table = make(t, NODE_SEQ, NODE_BLOCK, key->span.offset,
		             key->span.offset + key->span.length);
		if (!table)
			return false;
		append(t, map, key, table);
		item = find(t, map, key);
	}
	table =
	    make(t, NODE_MAP, NODE_BLOCK, key->span.offset, key->span.offset + key->span.length);
	if (!table || !item)
		return false;
	append(t, item->value, NULL, table);
	t->table = table;
	return true;
}

static bool read_pair(struct toml *t)
{
	struct node *key = NULL, *map = read_path(t, t->table, &key);

	if (!map)
		return false;
	if (peek(t) != '=')
		return fail(t, t->at, "expected \"=\" after a key");
	t->at++;
	skip_blanks(t);
	if (find(t, map, key))
		duplicate(t, key);
	return read_value(t, map, key);
}

static void read_line(struct toml *t)
{
	bool ok = peek(t) == '[' ? read_header(t) : read_pair(t);

	if (ok) {
		skip_blanks(t);
		if (peek(t) == '\r')
			t->at++;
		if (peek(t) != '\n' && peek(t) != '#' && peek(t) >= 0)
			fail(t, t->at, "text after the end of a value");
	}
	skip_line(t);
}

void toml_read(struct arena *a, const struct source *s, struct documents *out,
               struct problems *problems)
{
	struct toml t = { .arena = a,
		          .source = s,
		          .problems = problems,
		          .bytes = s->bytes,
		          .length = s->length };

	t.root = t.table = make(&t, NODE_MAP, NODE_BLOCK, 0, s->length);
	for (skip_space(&t); t.at < t.length; skip_space(&t)) {
		if (t.nodes >= LIMIT_NODES) {
			fail(&t, t.at, "more nodes than are read");
			break;
		}
		read_line(&t);
	}
	*ARENA_PUSH(a, out) = t.root;
	out->failed += t.failed;
	arena_free(&t.scratch);
}

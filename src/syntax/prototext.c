/* Protocol buffers in text form.
 * SPDX-License-Identifier: MIT */
#include "src/syntax/prototext.h"

#include <ctype.h>
#include <string.h>

#include "model/buf.h"
#include "model/limits.h"

struct reader {
	struct arena *arena;
	const struct source *source;
	struct problems *problems;
	struct proto *out;
	uint32_t at;
	int32_t open[LIMIT_DEPTH]; /* messages around this place */
	uint32_t depth;
};

static int peek(const struct reader *r)
{
	return r->at < r->source->length ? (unsigned char)r->source->bytes[r->at] : -1;
}

static bool fail(struct reader *r, const char *what)
{
	problem_add(r->arena, r->problems,
	            (struct span){ .source = r->source->id, .offset = r->at }, "%s", what);
	return false;
}

/* Separators between fields count as blanks. */
static void skip_space(struct reader *r)
{
	for (;;) {
		int c = peek(r);

		if (c == '#')
			while (peek(r) >= 0 && peek(r) != '\n')
				r->at++;
		else if (c > 0 && strchr(" \t\r\n,;", c))
			r->at++;
		else
			return;
	}
}

static struct span span_from(const struct reader *r, uint32_t start)
{
	return (struct span){ .source = r->source->id, .offset = start, .length = r->at - start };
}

static bool is_word(int c)
{
	return c > 0 && (isalnum(c) || strchr("_.-+/", c));
}

static const char *read_word(struct reader *r)
{
	uint32_t start = r->at;

	while (is_word(peek(r)))
		r->at++;
	return r->at == start ? NULL
	                      : arena_copy(r->arena, r->source->bytes + start, r->at - start);
}

static bool string_part(struct reader *r, struct buf *text)
{
	int quote = peek(r);

	for (r->at++; peek(r) != quote; r->at++) {
		if (peek(r) < 0 || peek(r) == '\n')
			return fail(r, "a string is not closed");
		if (peek(r) == '\\')
			r->at++;
		if (peek(r) >= 0)
			buf_putc(text, (char)peek(r));
	}
	r->at++;
	return true;
}

/* Neighbouring strings are one value. */
static const char *read_string(struct reader *r)
{
	struct buf text = { 0 };
	const char *out = NULL;
	bool ok = true;
	uint32_t end = r->at;

	while (ok && (peek(r) == '"' || peek(r) == '\'')) {
		ok = string_part(r, &text);
		end = r->at;
		while (peek(r) > 0 && strchr(" \t\r\n", peek(r)))
			r->at++;
	}
	r->at = end;
	if (ok)
		out = arena_copy(r->arena, buf_text(&text), text.length);
	buf_free(&text);
	return out;
}

static struct proto_field *add(struct reader *r, const char *name, struct span key)
{
	struct proto_field *f = ARENA_PUSH(r->arena, r->out);

	*f = (struct proto_field){ .name = name,
		                   .key = key,
		                   .value = key,
		                   .parent = r->depth ? r->open[r->depth - 1] : -1 };
	return f;
}

static bool read_scalar(struct reader *r, const char *name, struct span key)
{
	uint32_t start = r->at;
	const char *text = peek(r) == '"' || peek(r) == '\'' ? read_string(r) : read_word(r);
	struct proto_field *f;

	if (!text)
		return fail(r, "expected a value");
	f = add(r, name, key);
	f->text = text;
	f->value = span_from(r, start);
	return true;
}

static bool open_message(struct reader *r, const char *name, struct span key)
{
	if (r->depth >= LIMIT_DEPTH)
		return fail(r, "nested too deep");
	add(r, name, key);
	r->open[r->depth++] = (int32_t)(r->out->count - 1);
	r->at++;
	return true;
}

static bool read_list(struct reader *r, const char *name, struct span key)
{
	for (r->at++, skip_space(r); peek(r) != ']'; skip_space(r))
		if (peek(r) < 0 || !read_scalar(r, name, key))
			return fail(r, "a list is not closed");
	r->at++;
	return true;
}

static bool read_field(struct reader *r)
{
	uint32_t start = r->at;
	const char *name;
	struct span key;

	if (peek(r) == '}' && r->depth) {
		r->at++;
		r->depth--;
		return true;
	}
	name = read_word(r);
	if (!name)
		return fail(r, "expected the name of a field");
	key = span_from(r, start);
	skip_space(r);
	if (peek(r) == ':') {
		r->at++;
		skip_space(r);
	}
	if (peek(r) == '{')
		return open_message(r, name, key);
	return peek(r) == '[' ? read_list(r, name, key) : read_scalar(r, name, key);
}

void proto_read(struct arena *a, const struct source *s, struct proto *out,
                struct problems *problems)
{
	struct reader r = { .arena = a, .source = s, .problems = problems, .out = out };

	for (skip_space(&r); peek(&r) >= 0; skip_space(&r))
		if (out->count >= LIMIT_NODES || !read_field(&r))
			return;
	if (r.depth)
		fail(&r, "a message is not closed");
}

const struct proto_field *proto_find(const struct proto *p, int32_t parent, const char *name)
{
	const struct proto_field *found = NULL;

	/* What a message holds follows it without a gap. */
	for (size_t i = (size_t)parent + 1; i < p->count && p->items[i].parent >= parent; i++)
		if (p->items[i].parent == parent && strcmp(p->items[i].name, name) == 0)
			found = &p->items[i];
	return found;
}

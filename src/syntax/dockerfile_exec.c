/* The exec form: a JSON array of strings, told apart from a shell "[" test.
 *
 * Only text that is JSON as a whole counts: "[ -f x ]" is a command, ["a", ["b"]] is a mistake.
 * SPDX-License-Identifier: MIT */
#include "src/syntax/dockerfile_internal.h"

#include <string.h>

#include "model/buf.h"
#include "model/limits.h"

struct json_scan {
	const char *p, *end;
	char open[LIMIT_DEPTH]; /* '[' or '{' of each level */
	size_t depth;
};

static void skip_blank(struct json_scan *j)
{
	while (j->p < j->end && strchr(" \t\r\n", *j->p) && *j->p)
		j->p++;
}

static int hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 32;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Four hex digits at P; -1 for anything else. */
static int32_t unit(const char *p, const char *end)
{
	int32_t value = 0;

	if (end - p < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		if (hex(p[i]) < 0)
			return -1;
		value = value * 16 + hex(p[i]);
	}
	return value;
}

static void put_code(struct buf *out, uint32_t c)
{
	if (c < 0x80) {
		buf_putc(out, (char)c);
	} else if (c < 0x800) {
		buf_putc(out, (char)(0xC0 | c >> 6));
		buf_putc(out, (char)(0x80 | (c & 63)));
	} else if (c < 0x10000) {
		buf_putc(out, (char)(0xE0 | c >> 12));
		buf_putc(out, (char)(0x80 | (c >> 6 & 63)));
		buf_putc(out, (char)(0x80 | (c & 63)));
	} else {
		buf_putc(out, (char)(0xF0 | c >> 18));
		buf_putc(out, (char)(0x80 | (c >> 12 & 63)));
		buf_putc(out, (char)(0x80 | (c >> 6 & 63)));
		buf_putc(out, (char)(0x80 | (c & 63)));
	}
}

static bool unicode_escape(struct json_scan *j, struct buf *out)
{
	int32_t high = unit(j->p, j->end), low = -1;

	if (high < 0)
		return false;
	j->p += 4;
	if (high >= 0xD800 && high < 0xE000) {
		if (high < 0xDC00 && j->end - j->p >= 6 && j->p[0] == '\\' && j->p[1] == 'u')
			low = unit(j->p + 2, j->end);
		if (low >= 0xDC00 && low < 0xE000) {
			j->p += 6;
			put_code(out, (uint32_t)(0x10000 + ((high - 0xD800) << 10) + low - 0xDC00));
			return true;
		}
		high = 0xFFFD;
	}
	put_code(out, (uint32_t)high);
	return true;
}

/* A string whose opening quote is at p; decoded into OUT. */
static bool string(struct json_scan *j, struct buf *out)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";

	for (j->p++; j->p < j->end && *j->p != '"';) {
		const char *which;

		if ((unsigned char)*j->p < 0x20)
			return false;
		if (*j->p != '\\') {
			buf_putc(out, *j->p++);
			continue;
		}
		if (++j->p == j->end)
			return false;
		if (*j->p == 'u') {
			j->p++;
			if (!unicode_escape(j, out))
				return false;
			continue;
		}
		which = *j->p ? strchr(from, *j->p) : NULL;
		if (!which)
			return false;
		buf_putc(out, to[which - from]);
		j->p++;
	}
	if (j->p == j->end)
		return false;
	j->p++;
	return true;
}

static bool digits(struct json_scan *j)
{
	const char *start = j->p;

	while (j->p < j->end && *j->p >= '0' && *j->p <= '9')
		j->p++;
	return j->p > start;
}

static bool number(struct json_scan *j)
{
	if (*j->p == '-')
		j->p++;
	if (j->p < j->end && *j->p == '0')
		j->p++;
	else if (!digits(j))
		return false;
	if (j->p < j->end && *j->p == '.') {
		j->p++;
		if (!digits(j))
			return false;
	}
	if (j->p < j->end && (*j->p | 32) == 'e') {
		j->p++;
		if (j->p < j->end && (*j->p == '+' || *j->p == '-'))
			j->p++;
		return digits(j);
	}
	return true;
}

static bool word(struct json_scan *j)
{
	static const char *const words[] = { "true", "false", "null" };

	for (size_t i = 0; i < 3; i++) {
		size_t length = strlen(words[i]);

		if ((size_t)(j->end - j->p) >= length && memcmp(j->p, words[i], length) == 0) {
			j->p += length;
			return true;
		}
	}
	return number(j);
}

/* After a complete value: commas and closing brackets up to the next value or the end. */
static bool after_value(struct json_scan *j, bool *want_key)
{
	for (;;) {
		skip_blank(j);
		if (!j->depth)
			return j->p == j->end;
		if (j->p == j->end)
			return false;
		if (*j->p == ',') {
			j->p++;
			*want_key = j->open[j->depth - 1] == '{';
			return true;
		}
		if (*j->p != (j->open[j->depth - 1] == '[' ? ']' : '}'))
			return false;
		j->p++;
		j->depth--;
	}
}

static bool key(struct json_scan *j)
{
	struct buf sink = { 0 };
	bool good = j->p < j->end && *j->p == '"' && string(j, &sink);

	buf_free(&sink);
	skip_blank(j);
	if (!good || j->p == j->end || *j->p != ':')
		return false;
	j->p++;
	skip_blank(j);
	return true;
}

static void keep(struct dockerfile_reader *r, struct dockerfile_instruction *in,
		 const struct buf *text, uint32_t at, uint32_t length)
{
	struct dockerfile_word *w =
		DOCKERFILE_APPEND(r->arena, in->args, in->arg_count, in->arg_capacity);

	*w = (struct dockerfile_word){
		.text = arena_copy(r->arena, buf_text(text), text->length),
		.span = folded_span(&in->body, at, length),
		.at = at,
		.length = length,
		.templated = dockerfile_is_templated(buf_text(text), text->length),
	};
}

/* One value at p. Opens collections without going into them. */
static bool value(struct dockerfile_reader *r, struct dockerfile_instruction *in,
		  struct json_scan *j, bool *only_strings)
{
	struct buf text = { 0 };
	uint32_t at = (uint32_t)(j->p - in->body.text);
	bool good;

	if (*j->p != '"') {
		*only_strings = false;
		return word(j);
	}
	good = string(j, &text);
	if (good && j->depth == 1)
		keep(r, in, &text, at, (uint32_t)(j->p - in->body.text) - at);
	buf_free(&text);
	return good;
}

static bool scan(struct dockerfile_reader *r, struct dockerfile_instruction *in,
		 struct json_scan *j, bool *only_strings)
{
	bool want_key = false, fresh = false;

	for (;;) {
		skip_blank(j);
		if (j->p == j->end)
			return false;
		if (fresh && *j->p == (j->open[j->depth - 1] == '[' ? ']' : '}')) {
			j->p++;
			j->depth--;
		} else {
			if (want_key && !key(j))
				return false;
			if (j->p == j->end)
				return false;
			if (*j->p == '[' || *j->p == '{') {
				if (j->depth == LIMIT_DEPTH)
					return false;
				*only_strings = *only_strings && j->depth == 0;
				want_key = *j->p == '{';
				j->open[j->depth++] = *j->p++;
				fresh = true;
				continue;
			}
			if (!value(r, in, j, only_strings))
				return false;
		}
		fresh = false;
		if (!after_value(j, &want_key))
			return false;
		if (!j->depth)
			return true;
		want_key = j->open[j->depth - 1] == '{';
	}
}

enum dockerfile_exec dockerfile_exec_form(struct dockerfile_reader *r,
					  struct dockerfile_instruction *in, uint32_t at)
{
	struct json_scan j = { .p = in->body.text + at, .end = in->body.text + in->body.length };
	bool only_strings = true;

	skip_blank(&j);
	if (j.p == j.end || *j.p != '[' || !scan(r, in, &j, &only_strings)) {
		in->arg_count = 0;
		return DOCKERFILE_NOT_JSON;
	}
	return only_strings ? DOCKERFILE_STRINGS : DOCKERFILE_NOT_STRINGS;
}

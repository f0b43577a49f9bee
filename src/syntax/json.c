/* Reads JSON and JSONC strictly, one pass, with a stack of its own.
 *
 * Written by hand instead of on cJSON, which keeps no positions, takes input that the grammar
 * refuses, cuts strings at \u0000 and turns numbers into doubles: a walk beside its tree would have
 * to be a scanner like this one anyway.
 * SPDX-License-Identifier: MIT */
#include "src/syntax/syntax.h"

#include <string.h>

#include "model/limits.h"
#include "src/syntax/builder.h"

#define REPLACEMENT 0xFFFDu

struct json {
	struct builder builder;
	const char *bytes;
	uint32_t at, length;
	bool comments;
	const char *error; /* the first error, NULL while all is well */
	uint32_t error_at;
};

static bool fail(struct json *j, uint32_t at, const char *error)
{
	if (!j->error) {
		j->error = error;
		j->error_at = at;
	}
	return false;
}

static int peek(const struct json *j)
{
	return j->at < j->length ? (unsigned char)j->bytes[j->at] : -1;
}

static bool is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static bool skip_comment(struct json *j)
{
	const char *p = j->bytes + j->at, *end = j->bytes + j->length;

	if (end - p >= 2 && p[1] == '/') {
		p = memchr(p, '\n', (size_t)(end - p));
		j->at = p ? (uint32_t)(p - j->bytes) : j->length;
		return true;
	}
	if (end - p < 2 || p[1] != '*')
		return fail(j, j->at, "a \"/\" begins no comment");
	for (p += 2; end - p >= 2; p++) {
		if (p[0] == '*' && p[1] == '/') {
			j->at = (uint32_t)(p - j->bytes) + 2;
			return true;
		}
	}
	return fail(j, j->at, "a comment is not closed");
}

/* Goes to the next token; false after a broken comment. */
static bool skip_space(struct json *j)
{
	for (;;) {
		int c = peek(j);

		if (c == ' ' || c == '\n' || c == '\t' || c == '\r')
			j->at++;
		else if (c != '/' || !j->comments)
			return true;
		else if (!skip_comment(j))
			return false;
	}
}

static int hex_value(int c)
{
	if (is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The four digits at AT, or -1. */
static long hex4(const struct json *j, uint32_t at)
{
	long value = 0;

	if (j->length - at < 4)
		return -1;
	for (uint32_t i = 0; i < 4; i++) {
		int digit = hex_value((unsigned char)j->bytes[at + i]);

		if (digit < 0)
			return -1;
		value = value * 16 + digit;
	}
	return value;
}

static char *put_utf8(char *out, unsigned long c)
{
	if (c < 0x80) {
		*out++ = (char)c;
		return out;
	}
	if (c < 0x800) {
		*out++ = (char)(0xC0 | c >> 6);
	} else {
		if (c < 0x10000) {
			*out++ = (char)(0xE0 | c >> 12);
		} else {
			*out++ = (char)(0xF0 | c >> 18);
			*out++ = (char)(0x80 | (c >> 12 & 0x3F));
		}
		*out++ = (char)(0x80 | (c >> 6 & 0x3F));
	}
	*out++ = (char)(0x80 | (c & 0x3F));
	return out;
}

/* Reads "\uXXXX" whose digits begin at j->at, and its second half if it is a surrogate. */
static char *unescape_unicode(struct json *j, char *out)
{
	long high = hex4(j, j->at), low = -1;

	if (high < 0) {
		fail(j, j->at - 2, "a \\u escape needs four hexadecimal digits");
		return NULL;
	}
	j->at += 4;
	if (high < 0xD800 || high > 0xDFFF)
		return put_utf8(out, (unsigned long)high);
	if (high < 0xDC00 && j->length - j->at >= 6 && memcmp(j->bytes + j->at, "\\u", 2) == 0)
		low = hex4(j, j->at + 2);
	if (low < 0xDC00 || low > 0xDFFF)
		return put_utf8(out, REPLACEMENT);
	j->at += 6;
	return put_utf8(out, 0x10000ul + ((unsigned long)(high - 0xD800) << 10) +
				     (unsigned long)(low - 0xDC00));
}

static char *unescape(struct json *j, char *out)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	int c;
	const char *found;

	j->at++;
	c = peek(j);
	j->at++;
	if (c == 'u')
		return unescape_unicode(j, out);
	found = c > 0 ? strchr(from, c) : NULL;
	if (!found) {
		fail(j, j->at - 2, "a string has an unknown escape");
		return NULL;
	}
	*out++ = to[found - from];
	return out;
}

/* The offset of the closing quote of the string that begins before AT; sets *ESCAPED. */
static bool find_quote(struct json *j, uint32_t at, uint32_t *quote, bool *escaped)
{
	*escaped = false;
	for (; at < j->length; at++) {
		unsigned char c = (unsigned char)j->bytes[at];

		if (c == '"') {
			*quote = at;
			return true;
		}
		if (c < 0x20)
			return fail(j, at, "a string has a raw control character");
		if (c == '\\') {
			*escaped = true;
			at++;
		}
	}
	return fail(j, j->at, "a string is not closed");
}

static bool decode_string(struct json *j, struct node *n, uint32_t quote)
{
	char *text = arena_alloc(j->builder.arena, quote - j->at + 1), *out = text;

	while (j->at < quote) {
		if (j->bytes[j->at] != '\\') {
			*out++ = j->bytes[j->at++];
			continue;
		}
		out = unescape(j, out);
		if (!out)
			return false;
	}
	n->text = text;
	n->text_length = (uint32_t)(out - text);
	return true;
}

static bool out_of_nodes(struct json *j)
{
	return fail(j, j->at, "too many values in one file");
}

static bool read_string(struct json *j)
{
	uint32_t start = j->at, quote = 0;
	bool escaped;
	struct node *n;

	if (!find_quote(j, start + 1, &quote, &escaped))
		return false;
	n = builder_node(&j->builder, NODE_SCALAR, NODE_DOUBLE, start, quote + 1);
	if (!n)
		return out_of_nodes(j);
	j->at = start + 1;
	if (escaped) {
		if (!decode_string(j, n, quote))
			return false;
	} else {
		n->text = arena_copy(j->builder.arena, j->bytes + j->at, quote - j->at);
		n->text_length = quote - j->at;
	}
	j->at = quote + 1;
	builder_add(&j->builder, n);
	return true;
}

static bool skip_digits(struct json *j)
{
	uint32_t start = j->at;

	while (is_digit(peek(j)))
		j->at++;
	return j->at > start;
}

static bool scan_number(struct json *j)
{
	if (peek(j) == '-')
		j->at++;
	if (peek(j) == '0')
		j->at++;
	else if (!skip_digits(j))
		return false;
	if (peek(j) == '.') {
		j->at++;
		if (!skip_digits(j))
			return false;
	}
	if (peek(j) == 'e' || peek(j) == 'E') {
		j->at++;
		if (peek(j) == '+' || peek(j) == '-')
			j->at++;
		if (!skip_digits(j))
			return false;
	}
	return true;
}

static bool is_word(int c)
{
	return is_digit(c) || c == '.' || c == '+' || c == '-' || c == '_' || c == '$' || c >= 0x80 ||
	       ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

static bool add_plain(struct json *j, uint32_t start, enum node_kind kind)
{
	struct node *n = builder_node(&j->builder, kind, NODE_PLAIN, start, j->at);

	if (!n)
		return out_of_nodes(j);
	if (kind == NODE_SCALAR) {
		n->text = arena_copy(j->builder.arena, j->bytes + start, j->at - start);
		n->text_length = j->at - start;
	}
	builder_add(&j->builder, n);
	return true;
}

static bool read_number(struct json *j)
{
	uint32_t start = j->at;

	if (!scan_number(j) || is_word(peek(j)))
		return fail(j, start, "a number is malformed");
	return add_plain(j, start, NODE_SCALAR);
}

static bool read_word(struct json *j)
{
	static const char *const words[] = { "null", "true", "false" };
	uint32_t start = j->at;
	size_t length;

	while (is_word(peek(j)))
		j->at++;
	length = j->at - start;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (length == strlen(words[i]) && memcmp(j->bytes + start, words[i], length) == 0)
			return add_plain(j, start, i ? NODE_SCALAR : NODE_NULL);
	return fail(j, start, "a value is expected");
}

static bool open_collection(struct json *j)
{
	enum node_kind kind = peek(j) == '{' ? NODE_MAP : NODE_SEQ;
	struct node *n = builder_node(&j->builder, kind, NODE_FLOW, j->at, j->at + 1);

	if (!n)
		return out_of_nodes(j);
	if (!builder_open(&j->builder, n))
		return fail(j, j->at, "values are nested too deep");
	j->at++;
	return true;
}

static bool read_value(struct json *j)
{
	int c = peek(j);

	if (c == '{' || c == '[')
		return open_collection(j);
	if (c == '"')
		return read_string(j);
	if (c == '-' || is_digit(c))
		return read_number(j);
	if (c < 0)
		return fail(j, j->at, "the text ends where a value is expected");
	return read_word(j);
}

static int closer_of(const struct json *j)
{
	return builder_current(&j->builder)->kind == NODE_MAP ? '}' : ']';
}

/* A key with its colon; the value comes next. */
static bool read_key(struct json *j)
{
	if (peek(j) != '"')
		return fail(j, j->at, peek(j) < 0 ? "an object is not closed" :
						   "a key in double quotes is expected");
	if (!read_string(j) || !skip_space(j))
		return false;
	if (peek(j) != ':')
		return fail(j, j->at, "a colon is expected after a key");
	j->at++;
	return skip_space(j);
}

/* After a value: closes what ends here and stops before the next value or at the end. */
static bool finish_value(struct json *j)
{
	while (builder_current(&j->builder)) {
		if (!skip_space(j))
			return false;
		if (peek(j) == ',') {
			j->at++;
			if (!skip_space(j))
				return false;
			if (!j->comments || peek(j) != closer_of(j))
				return true;
		}
		if (peek(j) != closer_of(j))
			return fail(j, j->at, builder_current(&j->builder)->kind == NODE_MAP ?
						      "a comma or \"}\" is expected" :
						      "a comma or \"]\" is expected");
		j->at++;
		builder_close(&j->builder, j->at);
	}
	return true;
}

/* One key and value, or one element, or the top value; opens at most one collection. */
static bool read_item(struct json *j)
{
	uint32_t depth = j->builder.depth;

	if (builder_wants_key(&j->builder) && !read_key(j))
		return false;
	if (!read_value(j))
		return false;
	if (j->builder.depth == depth)
		return finish_value(j);
	if (!skip_space(j))
		return false;
	if (peek(j) != closer_of(j))
		return true;
	j->at++;
	builder_close(&j->builder, j->at);
	return finish_value(j);
}

static bool read_top(struct json *j)
{
	if (!skip_space(j))
		return false;
	do {
		if (!read_item(j))
			return false;
	} while (builder_current(&j->builder));
	return skip_space(j);
}

static void add_document(struct json *j, struct arena *a, struct documents *out)
{
	struct node *top;

	while (builder_current(&j->builder))
		builder_close(&j->builder, j->at < j->length ? j->at : j->length);
	top = builder_take(&j->builder);
	if (top)
		*ARENA_PUSH(a, out) = top;
}

/* One value, or MOST of them one after the other. */
static void read_values(struct arena *a, const struct source *s, bool comments, unsigned most,
			struct documents *out, struct problems *problems)
{
	struct json j = {
		.bytes = s->bytes, .length = s->length, .comments = comments,
	};

	builder_init(&j.builder, a, s, problems);
	for (unsigned i = 0; i < most; i++) {
		const bool more = read_top(&j) && peek(&j) >= 0;

		add_document(&j, a, out);
		if (!more)
			break;
		if (i + 1 == most)
			fail(&j, j.at, most > 1 ? "too many values" : "text follows the end of the value");
	}
	if (j.error) {
		out->failed++;
		problem_add(a, problems, (struct span){ .source = s->id, .offset = j.error_at },
			    "JSON is not read further: %s", j.error);
	}
	builder_free(&j.builder);
}

void json_read(struct arena *a, const struct source *s, bool comments, struct documents *out,
	       struct problems *problems)
{
	read_values(a, s, comments, 1, out, problems);
}

void json_read_stream(struct arena *a, const struct source *s, struct documents *out,
		      struct problems *problems)
{
	read_values(a, s, false, LIMIT_DOCUMENTS, out, problems);
}

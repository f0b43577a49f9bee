/* The pattern operators of ${}: '*' and '?' wildcards with an escape, nothing else.
 *
 * The pattern is run as a small automaton over code points, so the work is bounded by the length of
 * the value times itself whatever the pattern.
 * SPDX-License-Identifier: MIT */
#include "src/syntax/expand.h"

#include <string.h>

#include "model/buf.h"
#include "model/limits.h"

#define PATTERN_TOKENS 63
#define TOKEN_ANY 1u  /* '?' */
#define TOKEN_MANY 2u /* '*' */

struct pattern {
	uint32_t tokens[PATTERN_TOKENS]; /* a code point, or one of the two above */
	unsigned count;
};

/* Decodes one code point; a byte that starts none stands for itself. */
static size_t decode(const char *p, uint32_t *code)
{
	unsigned char lead = (unsigned char)*p;
	size_t want = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;

	*code = lead;
	for (size_t i = 1; i < want; i++) {
		if (((unsigned char)p[i] & 0xC0) != 0x80)
			return 1;
		*code = (*code << 6) | ((unsigned char)p[i] & 0x3F);
	}
	return want;
}

static bool compile(const char *text, struct pattern *pattern, const char **error)
{
	pattern->count = 0;
	while (*text) {
		uint32_t token;

		if (pattern->count == PATTERN_TOKENS) {
			*error = "the pattern in a substitution is too long";
			return false;
		}
		if (*text == '*' || *text == '?') {
			token = *text++ == '*' ? TOKEN_MANY : TOKEN_ANY;
		} else if (*text == '\\') {
			if (!text[1] || !strchr("*?\\}/", text[1])) {
				*error = "invalid escape in the pattern of a substitution";
				return false;
			}
			token = (unsigned char)text[1];
			text += 2;
		} else {
			text += decode(text, &token);
		}
		pattern->tokens[pattern->count++] = token;
	}
	return true;
}

/* States reachable without input: a '*' may match nothing. */
static uint64_t closure(const struct pattern *p, uint64_t states)
{
	for (unsigned i = 0; i < p->count; i++)
		if ((states >> i & 1) && p->tokens[i] == TOKEN_MANY)
			states |= (uint64_t)1 << (i + 1);
	return states;
}

static uint64_t advance(const struct pattern *p, uint64_t states, uint32_t code)
{
	uint64_t next = 0;

	for (unsigned i = 0; i < p->count; i++) {
		if (!(states >> i & 1))
			continue;
		if (p->tokens[i] == TOKEN_MANY && code != '\n')
			next |= (uint64_t)1 << i;
		else if (p->tokens[i] == code || (p->tokens[i] == TOKEN_ANY && code != '\n'))
			next |= (uint64_t)1 << (i + 1);
	}
	return closure(p, next);
}

/* Bytes from the start of TEXT that the pattern matches, shortest or longest; SIZE_MAX for none.
 * With WHOLE only a match up to the end counts. */
static size_t match(const struct pattern *p, const char *text, bool longest, bool whole)
{
	uint64_t states = closure(p, 1), accept = (uint64_t)1 << p->count;
	size_t at = 0, best = SIZE_MAX;

	for (;;) {
		uint32_t code;

		if ((states & accept) && (!whole || !text[at])) {
			best = at;
			if (!longest)
				return best;
		}
		if (!states || !text[at])
			return best;
		at += decode(text + at, &code);
		states = advance(p, states, code);
	}
}

static const char *trim_suffix(struct arena *a, const struct pattern *p, const char *value,
			       bool longest)
{
	size_t length = strlen(value), cut = length + 1;

	for (size_t start = 0; start <= length; start++) {
		if (((unsigned char)value[start] & 0xC0) == 0x80)
			continue;
		if (match(p, value + start, true, true) == SIZE_MAX)
			continue;
		cut = start;
		if (longest)
			break;
	}
	return cut > length ? value : arena_copy(a, value, cut);
}

static const char *replace(struct arena *a, const struct pattern *p, const char *value, bool all,
			   const char *with, const char **error)
{
	struct buf out = { 0 };
	bool done = false, after_match = false;
	const char *text;

	for (;;) {
		size_t length = done ? SIZE_MAX : match(p, value, true, false);
		uint32_t code;

		if (length != SIZE_MAX && !(length == 0 && after_match)) {
			buf_puts(&out, with);
			value += length;
			done = !all;
			after_match = length > 0;
			if (length)
				continue;
		}
		after_match = false;
		if (!*value)
			break;
		length = decode(value, &code);
		buf_add(&out, value, length);
		value += length;
		if (out.length > LIMIT_EXPANDED) {
			*error = "the expanded text is too long";
			break;
		}
	}
	text = arena_copy(a, buf_text(&out), out.length);
	buf_free(&out);
	return text;
}

const char *expand_pattern(struct arena *a, const char *value, char op, bool doubled,
			   const char *pattern, const char *replacement, const char **error)
{
	struct pattern p;
	size_t length;

	if (strlen(value) > LIMIT_SCALAR_SHOWN) {
		*error = "the value in a substitution is too long";
		return NULL;
	}
	if (!compile(pattern, &p, error))
		return NULL;
	if (op == '/')
		return replace(a, &p, value, doubled, replacement, error);
	if (op == '%')
		return trim_suffix(a, &p, value, doubled);
	length = match(&p, value, doubled, false);
	return length == SIZE_MAX ? value : value + length;
}

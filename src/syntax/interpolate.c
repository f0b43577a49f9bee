/* Variable references in text: the scanner and the operators.
 *
 * Nested text is expanded by recursion; its depth is bounded by LIMIT_INCLUDE_DEPTH.
 * SPDX-License-Identifier: MIT */
#include "src/syntax/interpolate.h"

#include <string.h>

#include "model/buf.h"
#include "model/limits.h"

struct expander {
	struct arena *arena;
	interpolate_lookup lookup;
	void *ctx;
	struct interpolation *out;
};

struct reference {
	const char *name;
	const char *operand; /* text after the operator, NULL without one */
	char operator;       /* '-', '?', '+' or 0 */
	bool empty_is_unset; /* the operator had a colon */
};

static bool expand(struct expander *e, const char *text, size_t length, unsigned depth,
                   struct buf *to);

static bool name_start(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static size_t name_length(const char *text, size_t length)
{
	size_t n = 0;

	if (length == 0 || !name_start(text[0]))
		return 0;
	while (n < length && (name_start(text[n]) || (text[n] >= '0' && text[n] <= '9')))
		n++;
	return n;
}

/* Offset of the brace that closes the one at TEXT[0]; with BALANCED every inner brace counts, else
 * only those of references. Returns LENGTH when there is none. */
static size_t closing_brace(const char *text, size_t length, bool balanced)
{
	size_t open = 0;

	for (size_t i = 0; i < length; i++) {
		if (text[i] == '{' && (i == 0 || balanced || text[i - 1] == '$'))
			open++;
		else if (text[i] == '}' && --open == 0)
			return i;
	}
	return length;
}

/* The text may be part of a secret: the message leaves it out, its place is known to the caller. */
static bool fail(struct expander *e)
{
	e->out->error = "invalid template: a \"$\" that begins no variable; "
			"write \"$$\" for a dollar sign";
	return false;
}

static bool fail_with(struct expander *e, const char *error)
{
	e->out->error = error;
	return false;
}

static bool parse_braced(struct expander *e, const char *body, size_t length, struct reference *ref)
{
	size_t n = name_length(body, length);

	*ref = (struct reference){ 0 };
	if (n == 0)
		return false;
	ref->name = arena_copy(e->arena, body, n);
	if (n == length)
		return true;
	if (body[n] == ':') {
		ref->empty_is_unset = true;
		n++;
	}
	if (n == length || !strchr("-?+", body[n]))
		return false;
	ref->operator= body[n++];
	ref->operand = arena_copy(e->arena, body + n, length - n);
	return true;
}

static void note_missing(struct expander *e, const char *name)
{
	if (!e->out->missing)
		e->out->missing = name;
}

static bool expand_operand(struct expander *e, const struct reference *ref, unsigned depth,
                           struct buf *to)
{
	return expand(e, ref->operand, strlen(ref->operand), depth + 1, to);
}

static bool require(struct expander *e, const struct reference *ref, unsigned depth)
{
	struct buf message = { 0 };
	bool ok = expand_operand(e, ref, depth, &message);

	if (ok && !e->out->required)
		e->out->required =
		    arena_printf(e->arena, "required variable %s is missing a value%s%s", ref->name,
		                 message.length ? ": " : "", buf_text(&message));
	note_missing(e, ref->name);
	buf_free(&message);
	return ok;
}

static bool substitute(struct expander *e, const struct reference *ref, unsigned depth,
                       struct buf *to)
{
	const char *value = e->lookup ? e->lookup(e->ctx, ref->name) : NULL;
	bool set = value && (!ref->empty_is_unset || value[0] != '\0');

	if (!e->out->variable)
		e->out->variable = ref->name;
	if (ref->operator== '+') {
		if (!value)
			e->out->defaulted = true;
		return !set || expand_operand(e, ref, depth, to);
	}
	if (set) {
		buf_puts(to, value);
		return true;
	}
	if (ref->operator== '-') {
		e->out->defaulted = true;
		return expand_operand(e, ref, depth, to);
	}
	if (ref->operator== '?')
		return require(e, ref, depth);
	if (!value)
		note_missing(e, ref->name);
	return true;
}

/* One reference at TEXT[0] == '$'; answers its length in *USED. */
static bool expand_one(struct expander *e, const char *text, size_t length, unsigned depth,
                       struct buf *to, size_t *used)
{
	struct reference ref = { 0 };
	size_t n;

	*used = 1;
	if (length > 1 && text[1] == '$') {
		*used = 2;
		buf_putc(to, '$');
		return true;
	}
	if (length < 2 || (text[1] != '{' && !name_start(text[1]))) {
		buf_putc(to, '$');
		return true;
	}
	if (text[1] != '{') {
		n = name_length(text + 1, length - 1);
		ref.name = arena_copy(e->arena, text + 1, n);
		*used = n + 1;
		return substitute(e, &ref, depth, to);
	}
	n = closing_brace(text + 1, length - 1, true);
	if (n == length - 1)
		n = closing_brace(text + 1, length - 1, false);
	if (n == length - 1 || !parse_braced(e, text + 2, n - 1, &ref))
		return fail(e);
	*used = n + 2;
	return substitute(e, &ref, depth, to);
}

static bool expand(struct expander *e, const char *text, size_t length, unsigned depth,
                   struct buf *to)
{
	if (depth > LIMIT_INCLUDE_DEPTH)
		return fail_with(e, "variables inside of variables go too deep");
	for (size_t i = 0; i < length;) {
		if (to->length > LIMIT_EXPANDED)
			return fail_with(e, "the expanded text is too long");

		const char *dollar = memchr(text + i, '$', length - i);
		size_t plain = dollar ? (size_t)(dollar - text) - i : length - i;
		size_t used;

		buf_add(to, text + i, plain);
		i += plain;
		if (i == length)
			break;
		if (!expand_one(e, text + i, length - i, depth, to, &used))
			return false;
		i += used;
	}
	return true;
}

bool interpolate(struct arena *a, const char *text, interpolate_lookup lookup, void *ctx,
                 struct interpolation *out)
{
	struct expander e = { a, lookup, ctx, out };
	struct buf to = { 0 };
	bool ok;

	*out = (struct interpolation){ 0 };
	ok = expand(&e, text, strlen(text), 0, &to);
	if (ok)
		out->text = arena_copy(a, buf_text(&to), to.length);
	buf_free(&to);
	return ok;
}

bool interpolate_has_reference(const char *text)
{
	for (const char *c = strchr(text, '$'); c; c = strchr(c, '$')) {
		if (c[1] == '{' || name_start(c[1]))
			return true;
		c += c[1] == '$' ? 2 : 1;
	}
	return false;
}

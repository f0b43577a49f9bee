/* Environment files: the line scanner.
 * SPDX-License-Identifier: MIT */
#include "src/syntax/dotenv.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "model/buf.h"
#include "model/limits.h"

struct reader {
	struct arena *arena;
	const struct source *source;
	uint32_t at;
	interpolate_lookup lookup;
	void *ctx;
	struct dotenv *out;
	struct problems *problems;
	size_t expanded; /* bytes of values with references so far */
};

static bool at_end(const struct reader *r)
{
	return r->at >= r->source->length;
}

static char peek(const struct reader *r)
{
	return at_end(r) ? '\0' : r->source->bytes[r->at];
}

static struct span span_from(const struct reader *r, uint32_t from, uint32_t to)
{
	return (struct span){ r->source->id, from, to - from };
}

static void skip_line(struct reader *r)
{
	while (!at_end(r) && peek(r) != '\n')
		r->at++;
}

static void skip_blanks(struct reader *r)
{
	while (peek(r) == ' ' || peek(r) == '\t')
		r->at++;
}

/* Moves to the first byte of the next statement; false at the end. */
static bool next_statement(struct reader *r)
{
	while (!at_end(r)) {
		if (isspace((unsigned char)peek(r)))
			r->at++;
		else if (peek(r) == '#')
			skip_line(r);
		else
			return true;
	}
	return false;
}

static void skip_export(struct reader *r)
{
	const char *here = r->source->bytes + r->at;

	if (r->source->length - r->at > 7 && memcmp(here, "export", 6) == 0 &&
	    (here[6] == ' ' || here[6] == '\t')) {
		r->at += 7;
		skip_blanks(r);
	}
}

static bool name_byte(char c)
{
	return isalnum((unsigned char)c) || (c != '\0' && strchr("_.-[]", c));
}

static const char *lookup_value(void *ctx, const char *name)
{
	struct reader *r = ctx;
	const char *value = r->lookup ? r->lookup(r->ctx, name) : NULL;
	const struct dotenv_entry *entry = value ? NULL : dotenv_find(r->out, name);

	return entry ? entry->value : value;
}

static const char *expand_references(struct reader *r, const char *text, struct span where)
{
	struct interpolation result;

	if (r->expanded > LIMIT_FILE_BYTES) {
		problem_add(r->arena, r->problems, where,
		            "the variables expand to too much; references are left as they are");
		return text;
	}
	if (interpolate(r->arena, text, lookup_value, r, &result)) {
		if (result.required)
			problem_add(r->arena, r->problems, where, "%s", result.required);
		r->expanded += strlen(result.text);
		return result.text;
	}
	problem_add(r->arena, r->problems, where, "a variable reference is malformed");
	return text;
}

static size_t octal_escape(const char *text, size_t length, struct buf *to)
{
	unsigned value = 0;
	size_t n = 0;

	while (n < 3 && n < length && text[n] >= '0' && text[n] <= '7')
		value = value * 8 + (unsigned)(text[n++] - '0');
	buf_putc(to, (char)(unsigned char)value);
	return n;
}

/* Resolves the escapes of a double-quoted value. A backslash before a dollar sign becomes a
 * doubled dollar sign, which the reference scanner turns into one. */
static const char *unescape(struct reader *r, const char *text, size_t length)
{
	static const char from[] = "abfnrtv\\\"", to[] = "\a\b\f\n\r\t\v\\\"";
	struct buf b = { 0 };
	const char *copy;

	for (size_t i = 0; i < length; i++) {
		const char *known = i + 1 < length ? strchr(from, text[i + 1]) : NULL;

		if (text[i] != '\\' || i + 1 == length) {
			buf_putc(&b, text[i]);
		} else if (text[i + 1] == '$') {
			buf_puts(&b, "$$");
			i++;
		} else if (text[i + 1] == '0') {
			i += 1 + octal_escape(text + i + 2, length - i - 2, &b);
		} else if (known && *known) {
			buf_putc(&b, to[known - from]);
			i++;
		} else {
			buf_putc(&b, '\\');
		}
	}
	copy = arena_copy(r->arena, buf_text(&b), b.length);
	buf_free(&b);
	return copy;
}

static bool read_quoted(struct reader *r, struct dotenv_entry *entry)
{
	char quote = peek(r);
	uint32_t from = r->at++;
	const char *bytes = r->source->bytes;
	const char *raw;

	while (!at_end(r) && !(peek(r) == quote && bytes[r->at - 1] != '\\'))
		r->at++;
	if (at_end(r)) {
		entry->value_span = span_from(r, from, from + 1);
		problem_add(r->arena, r->problems, entry->value_span,
		            "%s: unterminated quoted value", entry->name);
		r->at = from;
		skip_line(r);
		return false;
	}
	raw = arena_copy(r->arena, bytes + from + 1, r->at - from - 1);
	r->at++;
	entry->value_span = span_from(r, from, r->at);
	entry->class = dotenv_classify(raw);
	entry->value = raw;
	if (quote == '"')
		entry->value =
		    expand_references(r, unescape(r, raw, strlen(raw)), entry->value_span);
	else if (entry->class == DOTENV_REFERENCE)
		entry->class = DOTENV_LITERAL;
	skip_blanks(r);
	if (!at_end(r) && !strchr("\r\n#", peek(r)))
		problem_add(r->arena, r->problems, span_from(r, r->at, r->at + 1),
		            "%s: text after the closing quote", entry->name);
	skip_line(r);
	return true;
}

static void read_plain(struct reader *r, struct dotenv_entry *entry)
{
	const char *bytes = r->source->bytes;
	uint32_t from = r->at, end = from;
	const char *raw;

	while (!at_end(r) && peek(r) != '\n') {
		if (peek(r) == '#' && (r->at == from || isspace((unsigned char)bytes[r->at - 1])))
			break;
		r->at++;
		if (!isspace((unsigned char)bytes[r->at - 1]))
			end = r->at;
	}
	skip_line(r);
	raw = arena_copy(r->arena, bytes + from, end - from);
	entry->value_span = span_from(r, from, end);
	entry->class = dotenv_classify(raw);
	entry->value = expand_references(r, raw, entry->value_span);
}

/* Reads the name; false (with the line skipped) when there is none. *ALONE: no value follows. */
static bool read_name(struct reader *r, struct dotenv_entry *entry, bool *alone)
{
	uint32_t from, end;

	skip_export(r);
	from = r->at;
	while (name_byte(peek(r)))
		r->at++;
	end = r->at;
	skip_blanks(r);
	entry->name = arena_copy(r->arena, r->source->bytes + from, end - from);
	entry->name_span = span_from(r, from, end);
	*alone = at_end(r) || strchr("\r\n#", peek(r));
	if (*alone && end > from) {
		skip_line(r);
		return true;
	}
	if (!*alone && (peek(r) == '=' || peek(r) == ':')) {
		r->at++;
		return true;
	}
	problem_add(r->arena, r->problems, span_from(r, r->at, r->at + 1),
	            "unexpected character in a variable name");
	skip_line(r);
	return false;
}

static void read_statement(struct reader *r)
{
	struct dotenv_entry entry = { 0 };
	bool alone, ok = true;

	if (!read_name(r, &entry, &alone))
		return;
	if (alone) {
		entry.value = r->lookup ? r->lookup(r->ctx, entry.name) : NULL;
	} else {
		skip_blanks(r);
		if (peek(r) == '"' || peek(r) == '\'')
			ok = read_quoted(r, &entry);
		else
			read_plain(r, &entry);
	}
	if (ok && r->out->count < LIMIT_NODES)
		dotenv_add(r->arena, r->out, &entry);
}

void dotenv_add(struct arena *a, struct dotenv *env, const struct dotenv_entry *entry)
{
	hash_index_put(a, &env->index, entry->name, (uint32_t)env->count);
	*ARENA_PUSH(a, env) = *entry;
}

void dotenv_read(struct arena *a, const struct source *s, interpolate_lookup lookup, void *ctx,
                 struct dotenv *out, struct problems *problems)
{
	struct reader r = { a, s, 0, lookup, ctx, out, problems, 0 };

	while (next_statement(&r))
		read_statement(&r);
}

void dotenv_read_raw(struct arena *a, const struct source *s, interpolate_lookup lookup, void *ctx,
                     struct dotenv *out)
{
	struct reader r = { a, s, 0, lookup, ctx, out, NULL, 0 };

	while (next_statement(&r) && out->count < LIMIT_NODES) {
		struct dotenv_entry entry = { 0 };
		uint32_t from = r.at, end;
		const char *line = s->bytes + from, *equals;

		skip_line(&r);
		end = r.at - (r.at > from && s->bytes[r.at - 1] == '\r');
		equals = memchr(line, '=', end - from);
		entry.name_span = span_from(&r, from, equals ? from + (uint32_t)(equals - line) : end);
		entry.name = arena_copy(a, line, entry.name_span.length);
		if (equals) {
			uint32_t value = entry.name_span.offset + entry.name_span.length + 1;

			entry.value_span = span_from(&r, value, end);
			entry.value = arena_copy(a, equals + 1, end - value);
			entry.class = dotenv_classify(entry.value);
			if (entry.class == DOTENV_REFERENCE)
				entry.class = DOTENV_LITERAL;
		} else {
			entry.value = lookup ? lookup(ctx, entry.name) : NULL;
		}
		dotenv_add(a, out, &entry);
	}
}

const struct dotenv_entry *dotenv_find(const struct dotenv *env, const char *name)
{
	uint32_t at;

	return hash_index_get(&env->index, name, &at) ? &env->items[at] : NULL;
}

static bool has_prefix(const char *text, const char *prefix)
{
	return strncasecmp(text, prefix, strlen(prefix)) == 0;
}

static bool is_placeholder(const char *value)
{
	static const char *const prefixes[] = { "changeme", "change-me", "change_me", "your-",
		                                "your_",    "<",         "xxx",       "...",
		                                "replace",  "todo",      "example",   "placeholder",
		                                "sk-...",   "insert" };

	for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
		if (has_prefix(value, prefixes[i]))
			return true;
	return value[0] == '*' || strstr(value, "...") != NULL;
}

enum dotenv_class dotenv_classify(const char *value)
{
	if (!value)
		return DOTENV_INHERITED;
	if (value[0] == '\0')
		return DOTENV_EMPTY;
	if (interpolate_has_reference(value))
		return DOTENV_REFERENCE;
	return is_placeholder(value) ? DOTENV_PLACEHOLDER : DOTENV_LITERAL;
}

const char *dotenv_class_name(enum dotenv_class class)
{
	static const char *const names[] = {
		[DOTENV_INHERITED] = "inherited",     [DOTENV_EMPTY] = "empty",
		[DOTENV_PLACEHOLDER] = "placeholder", [DOTENV_REFERENCE] = "reference",
		[DOTENV_LITERAL] = "literal",
	};

	return names[class];
}

/* Parsing and matching of filter expressions.
 * SPDX-License-Identifier: MIT */
#include "model/query.h"

#include <string.h>

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

static bool is_column_char(char c)
{
	return (c >= 'a' && c <= 'z') || c == '_' || c == '-';
}

/* Length of a column name that ':' or '=' follows, else 0. */
static size_t column_length(const char *text, size_t length)
{
	size_t i = 0;

	while (i < length && is_column_char(lower(text[i])))
		i++;
	return i && i + 1 < length && (text[i] == ':' || text[i] == '=') ? i : 0;
}

/* A copy in lower case with one more NUL; commas of a column's value divide it. */
static char *lower_copy(struct arena *a, const char *text, size_t length, bool divide)
{
	char *copy = arena_alloc(a, length + 2);

	for (size_t i = 0; i < length; i++)
		copy[i] = divide && text[i] == ',' ? '\0' : lower(text[i]);
	return copy;
}

static struct query_term make_term(struct arena *a, const char *word, size_t length, bool quoted)
{
	struct query_term term = { 0 };
	size_t column;

	if (!quoted && length > 1 && word[0] == '!') {
		term.negated = true;
		word++;
		length--;
	}
	column = quoted ? 0 : column_length(word, length);
	if (column) {
		term.column = lower_copy(a, word, column, false);
		term.exact = word[column] == '=';
		word += column + 1;
		length -= column + 1;
	}
	if (!quoted && length > 1 && word[0] == '"' && word[length - 1] == '"') {
		word++;
		length -= 2;
		column = 0;
	}
	term.text = lower_copy(a, word, length, column != 0);
	return term;
}

/* The end of the word at TEXT: a blank outside quotes; NULL when a quote is not closed. */
static const char *word_end(const char *text)
{
	bool inside = false;

	for (; *text; text++) {
		if (*text == '"')
			inside = !inside;
		else if (!inside && (*text == ' ' || *text == '\t'))
			break;
	}
	return inside ? NULL : text;
}

bool query_parse(struct arena *a, const char *text, struct query *out, struct buf *why)
{
	*out = (struct query){ 0 };
	for (;;) {
		const char *end;
		size_t length;
		bool quoted;

		text += strspn(text, " \t");
		if (!*text)
			return true;
		end = word_end(text);
		if (!end) {
			buf_puts(why, "filter: a quote is not closed");
			return false;
		}
		length = (size_t)(end - text);
		quoted = length > 1 && text[0] == '"' && end[-1] == '"';
		*ARENA_PUSH(a, out) = quoted ? make_term(a, text + 1, length - 2, true)
					     : make_term(a, text, length, false);
		text = end;
	}
}

static bool has_part(const char *text, const char *part, bool exact)
{
	return exact ? strcmp(text, part) == 0 : strstr(text, part) != NULL;
}

static bool term_holds(const struct query_term *t, const char *text)
{
	const char *part = t->text;

	do {
		if (has_part(text, part, t->exact))
			return !t->negated;
		part += strlen(part) + 1;
	} while (*part);
	return t->negated;
}

bool query_matches(const struct query *q, query_text_fn *text, void *context)
{
	struct buf value = { 0 };
	bool all = true;

	for (size_t i = 0; all && i < q->count; i++) {
		buf_clear(&value);
		if (!text(context, q->items[i].column, &value)) {
			all = false;
			break;
		}
		for (size_t k = 0; k < value.length; k++)
			value.bytes[k] = lower(value.bytes[k]);
		all = term_holds(&q->items[i], buf_text(&value));
	}
	buf_free(&value);
	return all;
}

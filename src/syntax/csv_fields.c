/* The comma separated fields of one option value.
 * SPDX-License-Identifier: MIT */
#include "src/syntax/csv_fields.h"

#include <string.h>

#include "model/buf.h"

/* Reads a quoted field at TEXT[0] == '"' into B; returns the position after it or NULL. */
static const char *read_quoted(const char *text, struct buf *b)
{
	for (text++; *text; text++) {
		if (*text != '"') {
			buf_putc(b, *text);
		} else if (text[1] == '"') {
			buf_putc(b, '"');
			text++;
		} else {
			return text + 1;
		}
	}
	return NULL;
}

static const char *read_field(struct arena *a, const char *line, const char **at, struct buf *b)
{
	const char *text = *at;
	const char *quote;
	size_t n;

	if (*text == '"') {
		text = read_quoted(text, b);
		if (!text || (*text && *text != ','))
			return "parse error on line 1: extraneous or missing \" in quoted-field";
		*at = text;
		return NULL;
	}
	n = strcspn(text, ",");
	quote = memchr(text, '"', n);
	if (quote)
		return arena_printf(a,
		                    "parse error on line 1, column %zu: bare \" in "
		                    "non-quoted-field",
		                    (size_t)(quote - line) + 1);
	buf_add(b, text, n);
	*at = text + n;
	return NULL;
}

const char *csv_fields_read(struct arena *a, const char *text, struct csv_fields *out)
{
	const char *at = text;
	struct buf b = { 0 };
	const char *error = NULL;

	for (;;) {
		buf_clear(&b);
		error = read_field(a, text, &at, &b);
		if (error)
			break;
		*ARENA_PUSH(a, out) = arena_copy(a, buf_text(&b), b.length);
		if (*at == '\0')
			break;
		at++;
	}
	buf_free(&b);
	return error;
}

/* Splits a command text into words.
 * SPDX-License-Identifier: MIT */
#include "src/syntax/words.h"

#include <string.h>

#include "model/buf.h"

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " \t\r\n");
}

/* Reads one word at TEXT into B; returns where it ends, or NULL when a quote is not closed. */
static const char *read_word(const char *text, struct buf *b)
{
	char quote = '\0';

	for (; *text; text++) {
		if (quote ? *text == quote : *text == '"' || *text == '\'')
			quote = quote ? '\0' : *text;
		else if (*text == '\\' && quote != '\'' && text[1])
			buf_putc(b, *++text);
		else if (!quote && strchr(" \t\r\n", *text))
			break;
		else
			buf_putc(b, *text);
	}
	return quote ? NULL : text;
}

bool words_split(struct arena *a, const char *text, struct word_list *out)
{
	struct buf b = { 0 };

	for (text = skip_blanks(text); text && *text;) {
		buf_clear(&b);
		text = read_word(text, &b);
		*ARENA_PUSH(a, out) = arena_copy(a, buf_text(&b), b.length);
		if (text)
			text = skip_blanks(text);
	}
	buf_free(&b);
	return text != NULL;
}

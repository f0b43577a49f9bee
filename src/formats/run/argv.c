/* Words of a command line.
 * SPDX-License-Identifier: MIT */
#include "src/formats/run/argv.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "model/buf.h"

void argv_add(struct arena *a, struct argv *v, const char *text, struct span span)
{
	*ARENA_PUSH(a, v) = (struct argv_word){ .text = arena_strdup(a, text), .span = span };
}

/* Length of the word at TEXT, quotes included. */
static size_t word_length(const char *text)
{
	char quote = 0;
	size_t i = 0;

	for (; text[i] && (quote || !isspace((unsigned char)text[i])); i++) {
		if (quote && text[i] == quote)
			quote = 0;
		else if (!quote && (text[i] == '"' || text[i] == '\''))
			quote = text[i];
	}
	return i;
}

static const char *unquote(struct arena *a, const char *text, size_t length)
{
	char *out = arena_copy(a, text, length);
	size_t used = 0;
	char quote = 0;

	for (size_t i = 0; i < length; i++) {
		if (quote ? text[i] == quote : text[i] == '"' || text[i] == '\'')
			quote = quote ? 0 : text[i];
		else
			out[used++] = text[i];
	}
	out[used] = '\0';
	return out;
}

void argv_split(struct arena *a, struct argv *v, const char *text, struct span span)
{
	for (;;) {
		size_t length;

		while (isspace((unsigned char)*text))
			text++;
		length = word_length(text);
		if (!length)
			return;
		argv_add(a, v, unquote(a, text, length), span);
		text += length;
	}
}

bool argv_add_node(struct arena *a, struct argv *v, const struct node *n)
{
	bool whole = true;

	n = node_resolve(n);
	if (node_text(n)) {
		argv_add(a, v, node_text(n), n->span);
		return true;
	}
	if (!node_is_seq(n))
		return !n || node_is_null(n);
	for (uint32_t i = 0; i < n->count; i++) {
		const struct node *item = node_at(n, i);

		if (node_text(item))
			argv_add(a, v, node_text(item), item->span);
		else
			whole = false;
	}
	return whole;
}

const char *argv_at(const struct argv *v, size_t i)
{
	return i < v->count ? v->items[i].text : "";
}

const char *argv_join(struct arena *a, const struct argv *v, size_t from)
{
	struct buf text = { 0 };
	const char *out;

	for (size_t i = from; i < v->count; i++) {
		if (i > from)
			buf_putc(&text, ' ');
		buf_puts(&text, v->items[i].secret ? "***" :
				*v->items[i].text  ? v->items[i].text : "\"\"");
	}
	out = arena_copy(a, buf_text(&text), text.length);
	buf_free(&text);
	return out;
}

const char *argv_program(struct arena *a, const char *path)
{
	static const char *const suffixes[] = { ".exe", ".cmd", ".bat", ".ps1" };
	size_t from = strlen(path), length;
	char *name;

	while (from && path[from - 1] != '/' && path[from - 1] != '\\')
		from--;
	name = arena_strdup(a, path + from);
	length = strlen(name);
	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
		if (length > 4 && strcasecmp(name + length - 4, suffixes[i]) == 0)
			name[length - 4] = '\0';
	for (char *p = name; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return name;
}

bool argv_is_option(const char *word, const char *option, const char **value)
{
	size_t length = strlen(option);

	if (strncmp(word, option, length) != 0 || (word[length] && word[length] != '='))
		return false;
	*value = word[length] ? word + length + 1 : NULL;
	return true;
}

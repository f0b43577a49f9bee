/* What can be told of a line or a value by looking at it: what is no secret, what is one in spite
 * of its form, and what names and kinds stand beside it. SPDX-License-Identifier: MIT */
#include "model/secret_private.h"

#include <string.h>
#include <strings.h>

#include "model/secret.h"

#define LONGEST_NAME 128

/* As memmem(), which prepares for long texts: these are short, and few begin as what is looked for. */
static const char *find(const char *text, size_t length, const char *what)
{
	size_t need = strlen(what);

	for (const char *at = text; at && (size_t)(text + length - at) >= need; at++) {
		at = memchr(at, *what, (size_t)(text + length - at) - need + 1);
		if (!at || memcmp(at, what, need) == 0)
			return at;
	}
	return NULL;
}

bool secret_is_number(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (text[i] < '0' || text[i] > '9')
			return false;
	return true;
}

static bool is_filler(char c)
{
	return c && strchr(" \t\"'\\", c);
}

/* Words that say nothing secret even behind a secret's name. */
bool secret_is_harmless(const char *value, size_t length)
{
	static const char *const words[] = { "true", "false", "yes", "no", "on", "off",
		                             "null", "none",  "|",   ">",  "|-", ">-",
		                             "{",    "[",     "{}",  "[]" };

	if (length > 7 && strncasecmp(value, "bearer ", 7) == 0)
		value += 7, length -= 7;
	if (length == 0 || value[0] == '$' || value[0] == '*' || value[0] == '&')
		return true;
	if (memmem(value, length, "{{", 2) || memmem(value, length, "/run/secrets/", 13))
		return true;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i]) == length && strncasecmp(words[i], value, length) == 0)
			return true;
	return false;
}

/* "key: password" names an entry of a secret; a key itself has digits among its letters. */
bool secret_is_entry_name(const char *name, const char *value, size_t length)
{
	if (strcasecmp(name, "key") != 0 || length > 40)
		return false;
	for (size_t i = 0; i < length; i++)
		if (!secret_name_char(value[i]) || (value[i] >= '0' && value[i] <= '9'))
			return false;
	return true;
}

bool secret_is_plain_header(const char *name)
{
	static const char *const plain[] = { "accept", "content-type", "user-agent", "host", "origin" };

	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
		if (strcasecmp(name, plain[i]) == 0)
			return true;
	return false;
}

/* "${NAME:-value}", "$(echo value)": what stands in a reference is a literal all the same; 0 when
 * there is none, else its length, and *SKIP what stands before it. */
size_t secret_literal_inside(const char *value, size_t length, size_t *skip)
{
	static const char *const prints[] = { "$(echo ", "$(printf " };
	size_t end;

	for (size_t i = 0; i < sizeof prints / sizeof *prints; i++)
		if (length > strlen(prints[i]) &&
		    memcmp(value, prints[i], strlen(prints[i])) == 0) {
			*skip = strlen(prints[i]);
			*skip += *skip < length && strchr("\"'", value[*skip]);
			for (end = *skip; end < length && !strchr(" \"')$`", value[end]); end++)
				;
			return end < length && value[end] == '$' ? 0 : end - *skip;
		}
	if (length < 4 || value[0] != '$' || value[1] != '{')
		return 0;
	for (*skip = 2; *skip < length && (secret_name_char(value[*skip]) && value[*skip] != '-');
	     ++*skip)
		;
	if (*skip < length && value[*skip] == ':')
		++*skip;
	if (*skip >= length || !strchr("-=", value[*skip]))
		return 0;
	++*skip;
	for (end = length; end > *skip && strchr("}\"'", value[end - 1]); end--)
		;
	return end > *skip && !secret_is_harmless(value + *skip, end - *skip) ? end - *skip : 0;
}

/* "kind": "Secret" with its data, all on one line. */
bool secret_holds_object(const char *text, size_t length)
{
	const char *at = find(text, length, "kind"), *end = text + length;
	char word[LONGEST_NAME];

	while (at) {
		at += 4;
		while (at < end && is_filler(*at))
			at++;
		if (secret_line_word(at, (size_t)(end - at), word, sizeof word) &&
		    strcmp(word, "Secret") == 0)
			return true;
		at = find(at, (size_t)(end - at), "kind");
	}
	return false;
}

/* "name: API_TOKEN" somewhere on the line makes what stands under "value" there a secret. */
bool secret_has_pair(const char *text, size_t length)
{
	const char *end = text + length, *at;
	char name[LONGEST_NAME];

	/* {"password": true, "default": X}: what a person is asked for. */
	at = find(text, length, "\"password\"");
	if (at && find(text, length, "efault") &&
	    secret_line_word(at + 10, (size_t)(end - at) - 10, name, sizeof name) &&
	    strcmp(name, "true") == 0)
		return true;
	if (!find(text, length, "alue"))
		return false;
	at = text;
	while ((at = find(at, (size_t)(end - at), "ame"))) {
		at += 3;
		if (secret_line_word(at, (size_t)(end - at), name, sizeof name) &&
		    name_is_secret(name))
			return true;
	}
	return false;
}

bool secret_line_word(const char *text, size_t length, char *out, size_t size)
{
	size_t at = 0, n = 0;

	while (at < length && (is_filler(text[at])))
		at++;
	if (at >= length || (text[at] != ':' && text[at] != '='))
		return false;
	at++;
	while (at < length && (is_filler(text[at])))
		at++;
	while (at + n < length && secret_name_char(text[at + n]) && n + 1 < size)
		out[n] = text[at + n], n++;
	out[n] = '\0';
	return n > 0;
}

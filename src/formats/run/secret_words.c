/* Secrets on a command line.
 * SPDX-License-Identifier: MIT */
#include "src/formats/run/secret_words.h"

#include <string.h>
#include <strings.h>

struct marker {
	struct workspace *w;
	struct row *row;
	struct argv *v;
	bool say;
};

static void hide(const struct marker *m, struct argv_word *word, const char *what)
{
	word->secret = true;
	if (m->say)
		snapshot_add_fact(m->w->snapshot, m->row, FACT_SECRET_ARGUMENT, what, word->span);
}

static bool is_literal(const char *value)
{
	return strcmp(value_class(value), "literal") == 0 || value_token(value);
}

/* "name=value" or "--name=value" with a secret-like name and a literal value: the name. */
static const char *secret_assignment(struct arena *a, const char *word)
{
	const char *equals = strchr(word, '='), *name;

	if (!equals || equals == word || memchr(word, ':', (size_t)(equals - word)))
		return NULL;
	name = arena_copy(a, word, (size_t)(equals - word));
	name += strspn(name, "-");
	return *name && name_is_secret(name) && is_literal(equals + 1) ? name : NULL;
}

static bool is_secret_option(const char *word)
{
	return word[0] == '-' && !strchr(word, '=') && name_is_secret(word + strspn(word, "-"));
}

static bool is_header_option(const char *word)
{
	return strcmp(word, "-H") == 0 || strcmp(word, "--header") == 0 ||
	       strcmp(word, "--headers") == 0;
}

/* "Name: value" behind -H or --header. */
static bool header_word(const struct marker *m, struct argv_word *word)
{
	const char *colon = strchr(word->text, ':'), *value;

	if (!colon || colon == word->text)
		return false;
	for (value = colon + 1; *value == ' '; value++)
		continue;
	if (m->say)
		header_fact(
		    m->w, m->row,
		    arena_copy(&m->w->snapshot->arena, word->text, (size_t)(colon - word->text)),
		    value, word->span);
	word->secret = true;
	return true;
}

static void mark_word(const struct marker *m, size_t i)
{
	struct argv_word *word = &m->v->items[i];
	const char *before = i ? m->v->items[i - 1].text : "";
	const char *name = secret_assignment(&m->w->snapshot->arena, word->text);

	if (word->secret || (is_header_option(before) && header_word(m, word)))
		return;
	if (name)
		hide(m, word, name);
	else if (is_secret_option(before) && word->text[0] != '-' && is_literal(word->text))
		hide(m, word, before);
	else if (url_has_secret(word->text))
		hide(m, word, "url");
	else if (value_token(word->text))
		hide(m, word, value_token(word->text));
}

void secret_words(struct workspace *w, struct row *r, struct argv *v, size_t from, bool say)
{
	const struct marker m = { .w = w, .row = r, .v = v, .say = say };

	for (size_t i = from; i < v->count; i++)
		mark_word(&m, i);
}

/* The credential behind a scheme word: "Bearer x" → "x". */
static const char *credential_of(const char *value)
{
	static const char *const schemes[] = { "Bearer ", "Basic ", "Token ", "ApiKey " };

	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
		if (strncasecmp(value, schemes[i], strlen(schemes[i])) == 0)
			return value + strlen(schemes[i]);
	return value;
}

struct fact *header_fact(struct workspace *w, struct row *r, const char *name, const char *value,
                         struct span span)
{
	struct snapshot *s = w->snapshot;
	struct fact *f = snapshot_add_fact(s, r, FACT_HEADER, name, span);
	const char *credential = value ? credential_of(value) : NULL;
	bool token = credential && value_token(credential);

	snapshot_set_attribute(s, f, "name", name);
	snapshot_set_attribute(s, f, "class",
	                       !credential ? "reference"
	                       : token     ? "literal"
	                                   : value_class(credential));
	snapshot_set_attribute(s, f, "secret", token || name_is_secret(name) ? "true" : "false");
	return f;
}

/* What the lines around a line say about secrets on it: names and values often stand on different lines.
 *
 * Nothing is parsed: files that could not be parsed are shown as well. Hiding too much costs a reader a look
 * into the file.
 * SPDX-License-Identifier: MIT */
#include "model/secret.h"

#include <string.h>
#include <strings.h>

#include "model/limits.h"
#include "model/secret_private.h"

enum {
	PAIR_LINES = 4,    /* lines between a name and its value */
	BLOCK_LINES = 200, /* of a block, looked at upwards */
	SECRET_LINES = 400, /* of a document, searched for its kind */
	LONGEST_WORD = 128,
};

/* One line: its text without indentation and list dashes. */
struct piece {
	const char *text;
	size_t length, indent;
	bool item; /* began with a dash */
};

static struct piece piece_of(const struct source *s, uint32_t line)
{
	struct span span = source_line_span(s, line);
	struct piece p = { .text = source_text(s, span) };
	size_t at = 0;

	if (!p.text)
		return p;
	p.length = span.length < LIMIT_LINE_SHOWN ? span.length : LIMIT_LINE_SHOWN;
	while (at < p.length && (p.text[at] == ' ' || p.text[at] == '\t' ||
				 (p.text[at] == '-' && at + 1 < p.length && p.text[at + 1] == ' '))) {
		p.item = p.item || p.text[at] == '-';
		at++;
	}
	p.indent = at;
	p.text += at;
	p.length -= at;
	while (p.length && strchr(" \t\r", p.text[p.length - 1]))
		p.length--;
	return p;
}

/* The name before ':' or '=' at the begin of the piece, and where it ends; false without one. */
static bool piece_key(const struct piece *p, char key[LONGEST_WORD], size_t *end)
{
	size_t at = 0, n = 0;

	if (at < p->length && strchr("\"'", p->text[at]))
		at++;
	while (at < p->length && n + 1 < LONGEST_WORD && !strchr(" :=\"'{[,", p->text[at]))
		key[n++] = p->text[at++];
	key[n] = '\0';
	*end = at;
	while (at < p->length && strchr("\"' ", p->text[at]))
		at++;
	return n > 0 && at < p->length && strchr(":=", p->text[at]);
}

static bool key_is(const struct piece *p, const char *name)
{
	char key[LONGEST_WORD];
	size_t end;

	return piece_key(p, key, &end) && strcasecmp(key, name) == 0;
}

/* "name: API_TOKEN" */
static bool names_secret(const struct piece *p)
{
	char word[LONGEST_WORD];
	size_t end;

	if (key_is(p, "password"))
		return piece_key(p, word, &end) &&
		       secret_line_word(p->text + end, p->length - end, word, sizeof word) &&
		       strcmp(word, "true") == 0;
	return (key_is(p, "name") || key_is(p, "key")) && piece_key(p, word, &end) &&
	       secret_line_word(p->text + end, p->length - end, word, sizeof word) &&
	       name_is_secret(word);
}

/* The name of a pair may stand before or after its value; a dash or a brace begins another pair. */
static bool pair_is_secret(const struct source *s, uint32_t line, const struct piece *own)
{
	if (!key_is(own, "value") && !key_is(own, "default"))
		return false;
	for (uint32_t i = 1; i <= PAIR_LINES && i < line && !(i == 1 && own->item); i++) {
		struct piece p = piece_of(s, line - i);

		if (names_secret(&p))
			return true;
		if (p.item || !p.length || strchr("{}", p.text[0]))
			break;
	}
	for (uint32_t i = 1; i <= PAIR_LINES && line + i <= s->line_count; i++) {
		struct piece p = piece_of(s, line + i);

		if (p.item || !p.length || strchr("{}", p.text[0]))
			break;
		if (names_secret(&p))
			return true;
	}
	return false;
}

/* The line before ends in an option that takes a secret, and this one begins with no option. */
static bool follows_option(const struct source *s, uint32_t line, const struct piece *own)
{
	struct piece p = { 0 };
	char word[LONGEST_WORD];
	size_t end, start;

	for (uint32_t i = 1; i <= 2 && i < line && !p.length; i++)
		p = piece_of(s, line - i);
	end = p.length;
	while (end && strchr("\"',\\ \t", p.text[end - 1]))
		end--;
	start = end;
	while (start && !strchr("\"', \t[", p.text[start - 1]))
		start--;
	if (end - start < 3 || end - start >= sizeof word || p.text[start] != '-')
		return false;
	memcpy(word, p.text + start, end - start);
	word[end - start] = '\0';
	if (strchr(word, '=') || !name_is_secret(word + strspn(word, "-")))
		return false;
	start = own->length && strchr("\"'", own->text[0]);
	return own->length > start && own->text[start] != '-';
}

/* "key: |", "key: >-" and a key without anything. */
static bool opens_block(const struct piece *p, size_t key_end)
{
	size_t end = p->length;

	while (end > key_end && strchr("+-0123456789", p->text[end - 1]))
		end--;
	return end > key_end && strchr("|>", p->text[end - 1]);
}

/* The document that holds LINE says "kind: Secret" beside the key at INDENT. */
static bool document_is_secret(const struct source *s, uint32_t line, size_t indent)
{
	for (int step = -1; step <= 1; step += 2) {
		uint32_t at = line;
		size_t end;

		for (unsigned i = 0; i < SECRET_LINES && at >= 1 && at <= s->line_count; i++) {
			struct piece p = piece_of(s, at);
			char word[LONGEST_WORD];

			if (p.indent == 0 && p.length >= 3 && memcmp(p.text, "---", 3) == 0)
				break;
			if (p.indent == indent && piece_key(&p, word, &end) && strcmp(word, "kind") == 0 &&
			    secret_line_word(p.text + end, p.length - end, word, sizeof word))
				return strcmp(word, "Secret") == 0;
			at += (uint32_t)step;
		}
	}
	return false;
}

/* Between the first and the last line of a private key. Most files have none, so the lines before are searched in
 * one piece. */
static bool inside_key(const struct source *s, uint32_t line)
{
	size_t begin = source_line_span(s, line > BLOCK_LINES ? line - BLOCK_LINES : 1).offset;
	const char *at = s->bytes + begin, *end = s->bytes + source_line_span(s, line).offset;
	const char *mark = NULL, *title;

	while ((at = memmem(at, (size_t)(end - at), "-----BEGIN ", 11)))
		mark = at, at += 11;
	if (!mark || memmem(mark, (size_t)(end - mark), "-----END ", 9))
		return false;
	title = memmem(mark, (size_t)(end - mark), "PRIVATE KEY-----", 16);
	return title && title - mark < 64;
}

/* A key whose entries are secrets whatever they are called: headers, and the text of a Compose secret. */
static bool holds_entries(const char *key, const struct piece *own, size_t depth, size_t indent)
{
	char name[LONGEST_WORD];
	size_t end;

	if (depth == 1 && (strcasecmp(key, "headers") == 0 || strcasecmp(key, "http_headers") == 0))
		return !piece_key(own, name, &end) ||
		       (!secret_is_plain_header(name) && strcasecmp(name, "name") != 0);
	return depth == 2 && indent == 0 && strcmp(key, "secrets") == 0 && key_is(own, "content");
}

/* Walks outwards by indentation: a block or a value under a secret's name, the data of a Secret. */
static enum secret_hint enclosing_hint(const struct source *s, uint32_t line, const struct piece *own)
{
	size_t indent = own->indent, end, own_end, depth = 0;
	bool direct = true, block = false;

	for (uint32_t i = 1; i <= BLOCK_LINES && i < line && indent > 0; i++) {
		struct piece p = piece_of(s, line - i);
		char key[LONGEST_WORD], own_key[LONGEST_WORD];

		if (!p.length || p.indent >= indent)
			continue;
		indent = p.indent;
		if (!piece_key(&p, key, &end))
			continue;
		depth++;
		if (holds_entries(key, own, depth, indent))
			return SECRET_HINT_ENTRY;
		if (depth == 1 && indent == 0 && strcmp(key, "secrets") == 0 &&
		    memmem(own->text, own->length, "content", 7))
			return SECRET_HINT_PAIR;
		if (opens_block(&p, end)) {
			if (name_is_secret(key) || pair_is_secret(s, line - i, &p))
				return SECRET_HINT_WHOLE;
			block = direct = true;
			continue;
		}
		if (direct && (strcmp(key, "data") == 0 || strcmp(key, "stringData") == 0) &&
		    document_is_secret(s, line - i, indent))
			return block ? SECRET_HINT_WHOLE : SECRET_HINT_ENTRY;
		if (direct && !block && name_is_secret(key) && p.text[p.length - 1] == ':' &&
		    !own->item && !piece_key(own, own_key, &own_end))
			return SECRET_HINT_WHOLE;
		direct = false;
	}
	return SECRET_HINT_NONE;
}

/* ".env", ".env.local", "agent.env" */
static bool is_environment_file(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t length = strlen(name);

	return strncmp(name, ".env", 4) == 0 || (length > 4 && strcmp(name + length - 4, ".env") == 0);
}

static enum secret_hint hint_of(const struct source *s, uint32_t line)
{
	struct piece own = piece_of(s, line);
	char key[LONGEST_WORD];
	size_t end;

	if (!own.length)
		return SECRET_HINT_NONE;
	if (own.text[0] != '#' && is_environment_file(s->path))
		return piece_key(&own, key, &end) || strcmp(key, "export") == 0 ? SECRET_HINT_ENTRY
										: SECRET_HINT_WHOLE;
	if (inside_key(s, line))
		return SECRET_HINT_WHOLE;
	if (pair_is_secret(s, line, &own))
		return SECRET_HINT_PAIR;
	if (follows_option(s, line, &own))
		return SECRET_HINT_WHOLE;
	return enclosing_hint(s, line, &own);
}

bool secret_redact_line(struct buf *out, const struct source *source, uint32_t line)
{
	struct span span = source_line_span(source, line);
	const char *text = source_text(source, span);
	size_t length = span.length < LIMIT_LINE_SHOWN ? span.length : LIMIT_LINE_SHOWN;

	return text && secret_redact_hinted(out, text, length, hint_of(source, line));
}

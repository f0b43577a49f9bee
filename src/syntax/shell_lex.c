/* Shell words: quotes, escapes and expansions that are stepped over as wholes.
 * SPDX-License-Identifier: MIT */
#include "src/syntax/shell_lex.h"

#include <ctype.h>
#include <string.h>

#include "model/limits.h"

static char at_or_end(const struct shell_lex *x, uint32_t at)
{
	return at < x->end ? x->text->text[at] : '\0';
}

bool shell_lex_is_meta(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ';' || c == '&' ||
	       c == '|' || c == '<' || c == '>' || c == '(' || c == ')';
}

/* Length of an escaped line end at AT, 0 for none. */
static uint32_t continuation(const struct shell_lex *x, uint32_t at)
{
	if (at_or_end(x, at) != '\\')
		return 0;
	if (at_or_end(x, at + 1) == '\n')
		return 2;
	return at_or_end(x, at + 1) == '\r' && at_or_end(x, at + 2) == '\n' ? 3 : 0;
}

uint32_t shell_lex_blank(const struct shell_lex *x, uint32_t at)
{
	for (;;) {
		char c = at_or_end(x, at);

		if (c == ' ' || c == '\t' || c == '\r')
			at++;
		else if (continuation(x, at))
			at += continuation(x, at);
		else
			break;
	}
	if (at_or_end(x, at) == '#')
		while (at < x->end && at_or_end(x, at) != '\n')
			at++;
	return at;
}

/* The line after NEWLINE at which a heredoc with the delimiter [WORD, WORD + LENGTH) ends. */
static uint32_t heredoc_end(const struct shell_lex *x, uint32_t newline, const char *word,
			    size_t length)
{
	uint32_t at = newline + 1;

	while (at < x->end) {
		const char *line = x->text->text + at;
		const char *stop = memchr(line, '\n', x->end - at);
		size_t n = stop ? (size_t)(stop - line) : x->end - at;
		size_t tabs = 0;

		while (tabs < n && line[tabs] == '\t')
			tabs++;
		if (n - tabs == length && memcmp(line + tabs, word, length) == 0)
			return at + (uint32_t)n;
		if (!stop)
			break;
		at += (uint32_t)n + 1;
	}
	return newline;
}

struct nesting {
	char close[LIMIT_DEPTH];
	size_t depth;
	const char *delimiter; /* of a heredoc opened inside, NULL for none */
	size_t delimiter_length;
	unsigned misses; /* delimiters that never came; looking is given up after a few */
};

/* Notes a heredoc operator at AT inside $(…); returns the position after its delimiter. */
static uint32_t note_heredoc(const struct shell_lex *x, uint32_t at, struct nesting *n)
{
	uint32_t start;

	at += 2;
	if (at_or_end(x, at) == '<')
		return at + 1;
	while (at_or_end(x, at) == '-' || at_or_end(x, at) == ' ')
		at++;
	while (at_or_end(x, at) == '\'' || at_or_end(x, at) == '"' || at_or_end(x, at) == '\\')
		at++;
	for (start = at; isalnum((unsigned char)at_or_end(x, at)) || at_or_end(x, at) == '_';)
		at++;
	if (at > start && n->misses < 8) {
		n->delimiter = x->text->text + start;
		n->delimiter_length = at - start;
	}
	while (at_or_end(x, at) == '\'' || at_or_end(x, at) == '"')
		at++;
	return at;
}

/* One step inside brackets: may open or close one. */
static uint32_t nested_step(const struct shell_lex *x, uint32_t at, struct nesting *n)
{
	char c = at_or_end(x, at), top = n->close[n->depth - 1], open = '\0';
	bool code = top == ')';

	if (c == '\\')
		return at + 2;
	if (c == top) {
		n->depth--;
		return at + 1;
	}
	if (c == '\'' && top != '"' && top != '`') {
		while (++at < x->end && at_or_end(x, at) != '\'')
			;
		return at + 1;
	}
	if (code && c == '<' && at_or_end(x, at + 1) == '<')
		return note_heredoc(x, at, n);
	if (code && c == '\n' && n->delimiter) {
		uint32_t end = heredoc_end(x, at, n->delimiter, n->delimiter_length);

		n->delimiter = NULL;
		n->misses += end == at;
		return end + (end == at);
	}
	if (code && c == '#' && strchr(" \t\n", at_or_end(x, at - 1))) {
		while (at < x->end && at_or_end(x, at) != '\n' && at_or_end(x, at) != ')')
			at++;
		return at;
	}
	if (c == '$' && (at_or_end(x, at + 1) == '(' || at_or_end(x, at + 1) == '{'))
		open = at_or_end(x, ++at) == '(' ? ')' : '}';
	else if (code && c == '(')
		open = ')';
	else if ((c == '"' && top != '"') || (c == '`' && top != '`'))
		open = c;
	if (open && n->depth < LIMIT_DEPTH)
		n->close[n->depth++] = open;
	return at + 1;
}

uint32_t shell_lex_nested(const struct shell_lex *x, uint32_t at)
{
	struct nesting n = { .depth = 1 };
	char c = at_or_end(x, at);

	if (c == '$' || c == '<' || c == '>')
		c = at_or_end(x, ++at);
	n.close[0] = c == '(' ? ')' : c == '{' ? '}' : '`';
	for (at++; at < x->end && n.depth;)
		at = nested_step(x, at, &n);
	return at < x->end ? at : x->end;
}

static void keep_inner(struct shell_lex *x, uint32_t from, uint32_t to)
{
	bool arithmetic = to > from + 1 && x->text->text[from] == '(' &&
			  x->text->text[to - 1] == ')';

	if (to > from && !arithmetic)
		*ARENA_PUSH(x->arena, &x->inner) = (struct shell_inner){ .from = from, .to = to };
}

static void take(struct shell_lex *x, struct folded_builder *b, uint32_t at, uint32_t length)
{
	if (at + length > x->end)
		length = x->end - at;
	for (uint32_t i = 0; i < length; i++)
		folded_add(x->arena, b, x->text->text + at + i, 1,
			   folded_offset(x->text, at + i));
}

/* An expansion at AT, copied as written; a command substitution is noted. */
static uint32_t expansion(struct shell_lex *x, uint32_t at, struct folded_builder *b)
{
	char c = at_or_end(x, at), next = at_or_end(x, at + 1);
	uint32_t end = at + 1;

	if (c == '`' || next == '(' || (c == '$' && next == '{')) {
		end = shell_lex_nested(x, at);
		if (c == '`')
			keep_inner(x, at + 1, end > at + 1 ? end - 1 : end);
		else if (next == '(' && x->flavour == SHELL_POSIX)
			keep_inner(x, at + 2, end > at + 2 ? end - 1 : end);
	} else if (isalpha((unsigned char)next) || next == '_') {
		while (isalnum((unsigned char)at_or_end(x, end)) || at_or_end(x, end) == '_')
			end++;
	} else if (next && strchr("@*#?-$!0123456789", next)) {
		end = at + 2;
	}
	take(x, b, at, end - at);
	return end;
}

/* '$' or '`' at AT; in a recipe "$$" stands for the shell's own dollar. */
static uint32_t dollar(struct shell_lex *x, uint32_t at, struct folded_builder *b, bool *literal)
{
	enum shell_flavour flavour = x->flavour;
	char next;
	uint32_t end;

	if (flavour == SHELL_MAKE && at_or_end(x, at) == '$' && at_or_end(x, at + 1) == '$') {
		at++;
		x->flavour = SHELL_POSIX;
	}
	next = at_or_end(x, at + 1);
	if (at_or_end(x, at) == '`' || next == '(' || next == '{' || next == '_' ||
	    isalpha((unsigned char)next) || (next && strchr("@*#?-$!0123456789", next)))
		*literal = false;
	end = expansion(x, at, b);
	x->flavour = flavour;
	return end;
}

/* Inside double quotes, AT after the opening one. */
static uint32_t double_quoted(struct shell_lex *x, uint32_t at, struct folded_builder *b,
			      bool *literal)
{
	while (at < x->end && at_or_end(x, at) != '"') {
		char c = at_or_end(x, at), next = at_or_end(x, at + 1);

		if (continuation(x, at)) {
			at += continuation(x, at);
		} else if (c == '\\' && next && strchr("$`\"\\", next)) {
			take(x, b, at + 1, 1);
			at += 2;
		} else if (c == '$' || c == '`') {
			at = dollar(x, at, b, literal);
		} else {
			take(x, b, at++, 1);
		}
	}
	return at + 1;
}

static uint32_t single_quoted(struct shell_lex *x, uint32_t at, struct folded_builder *b)
{
	uint32_t start = at;

	while (at < x->end && at_or_end(x, at) != '\'')
		at++;
	take(x, b, start, at - start);
	return at + 1;
}

/* $'…' with its C escapes; AT after the quote. */
static uint32_t c_quoted(struct shell_lex *x, uint32_t at, struct folded_builder *b)
{
	static const char letter[] = "ntrabef", code[] = "\n\t\r\a\b\033\f";

	while (at < x->end && at_or_end(x, at) != '\'') {
		const char *which = NULL;

		if (at_or_end(x, at) == '\\' && at + 1 < x->end) {
			at++;
			which = strchr(letter, at_or_end(x, at));
		}
		folded_add(x->arena, b, which && *which ? code + (which - letter)
							: x->text->text + at,
			   1, folded_offset(x->text, at));
		at++;
	}
	return at + 1;
}

static const struct {
	char open[3], close[3];
} placeholders[SHELL_LEX_PLACEHOLDERS] = { { "{{", "}}" }, { "{%", "%}" }, { "<%", "%>" } };

/* Length of a template engine's placeholder at AT ("{{ x }}", "<%= x %>"), 0 for none. */
static uint32_t placeholder(struct shell_lex *x, uint32_t at)
{
	const char *text = x->text->text;
	size_t kind = 0;
	uint32_t end = at + 2;

	if (end > x->end)
		return 0;
	while (kind < SHELL_LEX_PLACEHOLDERS && memcmp(text + at, placeholders[kind].open, 2) != 0)
		kind++;
	if (kind == SHELL_LEX_PLACEHOLDERS || at < x->unclosed[kind])
		return 0;
	for (; end + 1 < x->end && text[end] != '\n'; end++)
		if (memcmp(text + end, placeholders[kind].close, 2) == 0)
			return end + 2 - at;
	x->unclosed[kind] = end;
	return 0;
}

uint32_t shell_lex_unquote(struct shell_lex *x, uint32_t at, struct folded_builder *b,
			   bool *literal, bool *quoted)
{
	uint32_t start = at;

	*literal = true;
	*quoted = false;
	while (at < x->end) {
		char c = at_or_end(x, at), next = at_or_end(x, at + 1);
		uint32_t length = c == '{' || c == '<' ? placeholder(x, at) : 0;

		if (continuation(x, at)) {
			at += continuation(x, at);
		} else if (c == '\\') {
			*quoted = true;
			take(x, b, at + 1, 1);
			at += 2;
		} else if (c == '\'' || c == '"' || (c == '$' && (next == '\'' || next == '"'))) {
			*quoted = true;
			if (c == '$' && next == '\'')
				at = c_quoted(x, at + 2, b);
			else if (c == '\'')
				at = single_quoted(x, at + 1, b);
			else
				at = double_quoted(x, at + 1 + (c == '$'), b, literal);
		} else if (c == '$' || c == '`') {
			at = dollar(x, at, b, literal);
		} else if (length) {
			*literal = false;
			take(x, b, at, length);
			at += length;
		} else if ((c == '<' || c == '>') && next == '(') {
			*literal = false;
			at = expansion(x, at, b);
		} else if (c == '(' && at > start && strchr("@?*+!", x->text->text[at - 1])) {
			uint32_t end = shell_lex_nested(x, at);

			take(x, b, at, end - at);
			at = end;
		} else if (shell_lex_is_meta(c)) {
			break;
		} else {
			take(x, b, at++, 1);
		}
	}
	return at < x->end ? at : x->end;
}

uint32_t shell_lex_word(struct shell_lex *x, uint32_t at, struct shell_word *out)
{
	struct folded_builder b = { 0 };
	uint32_t end;

	*out = (struct shell_word){ 0 };
	end = shell_lex_unquote(x, at, &b, &out->literal, &out->quoted);
	if (end == at && at < x->end)
		end++;
	out->text = arena_copy(x->arena, buf_text(&b.text), b.text.length);
	out->at = at;
	out->length = end - at;
	out->span = folded_span(x->text, at, end - at);
	folded_builder_free(&b);
	return end;
}

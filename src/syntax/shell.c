/* Splits shell text into commands: one pass with a stack of open groups, then the commands inside
 * substitutions from a queue.
 * SPDX-License-Identifier: MIT */
#include "src/syntax/shell.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "model/limits.h"
#include "src/syntax/shell_lex.h"

#define SHELL_APPEND(a, list, n, cap)                                                             \
	((list) = arena_grow((a), (list), (n), &(cap), sizeof *(list)), &(list)[(n)++])

struct group {
	char kind; /* '(' '{' 'i'f 'l'oop 'c'ase */
	const char *function;
};

struct pending {
	size_t command, redirect;
};

struct parser {
	struct arena *arena;
	struct shell *out;
	struct shell_lex lex;
	uint32_t at;
	struct shell_command now;
	bool open;           /* now holds something */
	bool after_operator; /* a newline here does not end the list */
	const char *keyword;
	const char *function; /* named, waiting for its body */
	bool negated;
	enum shell_connector before;
	struct group groups[LIMIT_DEPTH];
	size_t depth;
	int32_t parent;
	uint32_t level;
	struct {
		struct pending *items;
		size_t count, capacity;
	} heredocs;
	struct {
		struct shell_inner *items;
		size_t count, capacity;
	} queue;
};

static char peek(const struct parser *p, uint32_t ahead)
{
	return p->at + ahead < p->lex.end ? p->lex.text->text[p->at + ahead] : '\0';
}

static const char *function_now(const struct parser *p)
{
	for (size_t i = p->depth; i-- > 0;)
		if (p->groups[i].function)
			return p->groups[i].function;
	return NULL;
}

static void begin(struct parser *p)
{
	if (p->open)
		return;
	p->now = (struct shell_command){ .before = p->before,
					 .keyword = p->keyword,
					 .function = function_now(p),
					 .negated = p->negated,
					 .parent = p->parent,
					 .depth = (uint32_t)p->depth,
					 .span = folded_span(p->lex.text, p->at, 0) };
	p->open = true;
	p->after_operator = false;
	p->keyword = NULL;
	p->negated = false;
}

static void stretch(struct parser *p, uint32_t end)
{
	uint32_t last = folded_offset(p->lex.text, end ? end - 1 : 0) + 1;

	if (last > p->now.span.offset)
		p->now.span.length = last - p->now.span.offset;
}

/* Closes the command at hand; what comes next is joined by BEFORE. */
static void finish(struct parser *p, enum shell_connector before)
{
	if (p->open) {
		struct shell *out = p->out;

		if (out->count == LIMIT_SHELL_COMMANDS) {
			out->truncated = true;
			p->lex.inner.count = 0;
		} else {
			*ARENA_PUSH(p->arena, out) = p->now;
		}
		for (size_t i = 0; i < p->lex.inner.count; i++) {
			struct shell_inner *inner = ARENA_PUSH(p->arena, &p->queue);

			*inner = p->lex.inner.items[i];
			inner->parent = (int32_t)out->count - 1;
			inner->level = p->level + 1;
		}
		p->lex.inner.count = 0;
	}
	p->open = false;
	p->before = before;
}

static void push_group(struct parser *p, char kind)
{
	if (p->depth < LIMIT_DEPTH)
		p->groups[p->depth++] = (struct group){ .kind = kind, .function = p->function };
	p->function = NULL;
}

static void pop_group(struct parser *p, char kind)
{
	for (size_t i = p->depth; i-- > 0;)
		if (p->groups[i].kind == kind) {
			p->depth = i;
			return;
		}
}

/* Case patterns: skips to the ')' that ends them, or stands before esac. */
static void skip_pattern(struct parser *p)
{
	for (;;) {
		p->at = shell_lex_blank(&p->lex, p->at);
		if (peek(p, 0) != '\n')
			break;
		p->at++;
	}
	if (p->at + 4 <= p->lex.end && memcmp(p->lex.text->text + p->at, "esac", 4) == 0 &&
	    (p->at + 4 == p->lex.end || shell_lex_is_meta(peek(p, 4))))
		return;
	if (peek(p, 0) == '(')
		p->at++;
	while (p->at < p->lex.end && peek(p, 0) != ')') {
		struct shell_word ignored;

		if (shell_lex_is_meta(peek(p, 0)))
			p->at++;
		else
			p->at = shell_lex_word(&p->lex, p->at, &ignored);
	}
	if (p->at < p->lex.end)
		p->at++;
	p->lex.inner.count = 0;
}

static bool in_case(const struct parser *p)
{
	return p->depth && p->groups[p->depth - 1].kind == 'c';
}

/* Reads the bodies of the heredocs that the line just ended has opened. */
static void heredoc_bodies(struct parser *p)
{
	const char *text = p->lex.text->text;

	for (size_t i = 0; i < p->heredocs.count; i++) {
		const struct pending *which = &p->heredocs.items[i];
		struct shell_redirect *r;
		uint32_t start = p->at, stop = p->at;
		bool found = false;

		if (which->command >= p->out->count)
			continue;
		r = &p->out->items[which->command].redirects[which->redirect];
		while (!found && p->at < p->lex.end) {
			uint32_t line = p->at, tabs = 0, n;
			const char *end = memchr(text + line, '\n', p->lex.end - line);

			n = end ? (uint32_t)(end - text) - line : p->lex.end - line;
			p->at = line + n + (end ? 1 : 0);
			while (r->op[2] == '-' && tabs < n && text[line + tabs] == '\t')
				tabs++;
			found = strlen(r->target.text) == n - tabs &&
				memcmp(text + line + tabs, r->target.text, n - tabs) == 0;
			stop = found ? line : p->at;
		}
		r->body = folded_span(p->lex.text, start, stop - start);
	}
	p->heredocs.count = 0;
}

static void newline(struct parser *p)
{
	p->at++;
	if (p->open)
		finish(p, SHELL_SEQUENCE);
	else if (!p->after_operator && p->before != SHELL_START)
		p->before = SHELL_SEQUENCE;
	heredoc_bodies(p);
}

/* Matches one of the redirection operators at the position; returns its length. */
static uint32_t redirect_op(const struct parser *p, char *op)
{
	static const char *const ops[] = { "<<<", "<<-", "&>>", "<<", ">>", ">&", "<&",
					   "&>",  ">|",	 "<>",	"<",  ">" };

	for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
		uint32_t n = (uint32_t)strlen(ops[i]);

		if (p->at + n <= p->lex.end &&
		    memcmp(p->lex.text->text + p->at, ops[i], n) == 0) {
			memcpy(op, ops[i], n + 1);
			return n;
		}
	}
	return 0;
}

static void redirect(struct parser *p, int descriptor, uint32_t start)
{
	struct shell_redirect *r;
	char op[4] = "";
	uint32_t n = redirect_op(p, op);

	begin(p);
	r = SHELL_APPEND(p->arena, p->now.redirects, p->now.redirect_count,
			  p->now.redirect_capacity);
	*r = (struct shell_redirect){ .descriptor = descriptor };
	memcpy(r->op, op, sizeof op);
	p->at = shell_lex_blank(&p->lex, p->at + n);
	if (p->at < p->lex.end && peek(p, 0) != '\n' &&
	    (!shell_lex_is_meta(peek(p, 0)) || peek(p, 1) == '('))
		p->at = shell_lex_word(&p->lex, p->at, &r->target);
	else
		r->target.text = "";
	if (strcmp(op, "<<") == 0 || strcmp(op, "<<-") == 0) {
		r->expand = !r->target.quoted;
		*ARENA_PUSH(p->arena, &p->heredocs) = (struct pending){
			.command = p->out->count, .redirect = p->now.redirect_count - 1
		};
	}
	stretch(p, p->at > start ? p->at : start);
}

/* "NAME=", "NAME+=", "NAME[…]=" at the start of a word: length of the name, 0 for none. */
static uint32_t assignment_name(const struct parser *p, uint32_t *value, bool *append)
{
	uint32_t n = 0, at;

	if (!isalpha((unsigned char)peek(p, 0)) && peek(p, 0) != '_')
		return 0;
	while (isalnum((unsigned char)peek(p, n)) || peek(p, n) == '_')
		n++;
	at = n;
	if (peek(p, at) == '[') {
		while (peek(p, at) && peek(p, at) != ']' && peek(p, at) != '\n')
			at++;
		at++;
	}
	*append = peek(p, at) == '+';
	at += *append;
	*value = at + 1;
	return peek(p, at) == '=' ? n : 0;
}

static void array_elements(struct parser *p, struct shell_assignment *a)
{
	a->array = true;
	a->value.text = "";
	a->value.literal = true;
	p->at++;
	while (p->at < p->lex.end && peek(p, 0) != ')') {
		p->at = shell_lex_blank(&p->lex, p->at);
		if (peek(p, 0) == '\n' || peek(p, 0) == ';')
			p->at++;
		else if (p->at < p->lex.end && peek(p, 0) != ')')
			p->at = shell_lex_word(&p->lex, p->at, ARENA_PUSH(p->arena, &a->elements));
	}
	p->at += p->at < p->lex.end;
}

static bool assignment(struct parser *p)
{
	struct shell_assignment *a;
	uint32_t value = 0, start = p->at, n;
	bool append = false;

	if (p->now.words.count && p->open)
		return false;
	n = assignment_name(p, &value, &append);
	if (!n)
		return false;
	begin(p);
	a = SHELL_APPEND(p->arena, p->now.assignments, p->now.assignment_count,
			  p->now.assignment_capacity);
	*a = (struct shell_assignment){ .append = append };
	a->name = arena_copy(p->arena, p->lex.text->text + start, n);
	p->at += value;
	if (peek(p, 0) == '(') {
		array_elements(p, a);
	} else if (p->at < p->lex.end && !shell_lex_is_meta(peek(p, 0))) {
		p->at = shell_lex_word(&p->lex, p->at, &a->value);
	} else {
		a->value = (struct shell_word){ .text = "", .literal = true, .at = p->at };
		a->value.span = folded_span(p->lex.text, p->at, 0);
	}
	a->span = folded_span(p->lex.text, start, p->at - start);
	stretch(p, p->at);
	return true;
}

/* Control words that only steer; OPENS and CLOSES name the group they begin or end. */
static const struct {
	const char *word;
	char opens, closes;
} steering[] = {
	{ "if", 'i', 0 },   { "then", 0, 0 },	{ "elif", 0, 0 },  { "else", 0, 0 },
	{ "fi", 0, 'i' },   { "while", 'l', 0 }, { "until", 'l', 0 }, { "do", 0, 0 },
	{ "done", 0, 'l' }, { "{", '{', 0 },	{ "}", 0, '{' },   { "esac", 0, 'c' },
	{ "!", 0, 0 },	    { "time", 0, 0 },	{ "coproc", 0, 0 },
};

static bool steer(struct parser *p, const struct shell_word *w)
{
	for (size_t i = 0; i < sizeof steering / sizeof steering[0]; i++) {
		if (strcmp(steering[i].word, w->text) != 0)
			continue;
		if (steering[i].closes)
			pop_group(p, steering[i].closes);
		if (steering[i].opens)
			push_group(p, steering[i].opens);
		if (w->text[0] == '!')
			p->negated = true;
		else
			p->keyword = steering[i].closes ? NULL : steering[i].word;
		p->after_operator = p->after_operator && !steering[i].closes;
		return true;
	}
	return false;
}

static void add_word(struct parser *p, const struct shell_word *w, uint32_t start)
{
	uint32_t after = p->at;

	p->at = start;
	begin(p);
	p->at = after;
	*ARENA_PUSH(p->arena, &p->now.words) = *w;
	stretch(p, after);
}

static void function_definition(struct parser *p, const struct shell_word *w, uint32_t start)
{
	add_word(p, w, start);
	p->now.kind = SHELL_FUNCTION;
	finish(p, SHELL_SEQUENCE);
	p->at = shell_lex_blank(&p->lex, p->at);
	if (peek(p, 0) == '(') {
		while (p->at < p->lex.end && peek(p, 0) != ')')
			p->at++;
		p->at += p->at < p->lex.end;
	}
	p->function = w->text;
}

/* [[ … ]]: everything up to the closing word belongs to one command. */
static void test_words(struct parser *p)
{
	p->now.kind = SHELL_TEST;
	while (p->at < p->lex.end) {
		struct shell_word w;
		uint32_t start = p->at = shell_lex_blank(&p->lex, p->at);

		if (p->at >= p->lex.end)
			break;
		if (peek(p, 0) == '\n') {
			p->at++;
			continue;
		}
		p->at = shell_lex_word(&p->lex, p->at, &w);
		if (shell_lex_is_meta(p->lex.text->text[start]) && p->at == start + 1)
			w.text = arena_copy(p->arena, p->lex.text->text + start, 1);
		add_word(p, &w, start);
		if (strcmp(w.text, "]]") == 0)
			break;
	}
}

static void case_header(struct parser *p)
{
	finish(p, SHELL_SEQUENCE);
	push_group(p, 'c');
	skip_pattern(p);
}

/* The first word of a command, unquoted. */
static bool special_word(struct parser *p, const struct shell_word *w, uint32_t start)
{
	uint32_t next = shell_lex_blank(&p->lex, p->at);

	if (next < p->lex.end && p->lex.text->text[next] == '(' && *w->text) {
		function_definition(p, w, start);
		return true;
	}
	if (strcmp(w->text, "function") == 0) {
		struct shell_word name;

		p->at = next;
		if (p->at < p->lex.end && !shell_lex_is_meta(peek(p, 0))) {
			p->at = shell_lex_word(&p->lex, p->at, &name);
			function_definition(p, &name, next);
		}
		return true;
	}
	if (steer(p, w))
		return true;
	if (strcmp(w->text, "for") == 0 || strcmp(w->text, "select") == 0) {
		push_group(p, 'l');
		add_word(p, w, start);
		p->now.kind = SHELL_FOR;
		return true;
	}
	if (strcmp(w->text, "case") == 0) {
		add_word(p, w, start);
		p->now.kind = SHELL_CASE;
		return true;
	}
	return false;
}

/* Digits that end in a redirection: its descriptor. */
static bool descriptor(struct parser *p)
{
	uint32_t n = 0, start = p->at;
	int value = 0;

	while (n < 6 && isdigit((unsigned char)peek(p, n)))
		value = value * 10 + (peek(p, n++) - '0');
	if (!n || (peek(p, n) != '<' && peek(p, n) != '>') || peek(p, n + 1) == '(')
		return false;
	begin(p);
	p->at += n;
	redirect(p, value, start);
	return true;
}

static void word(struct parser *p)
{
	struct shell_word w;
	uint32_t start = p->at;
	bool first = !p->open;

	if (descriptor(p) || assignment(p))
		return;
	p->at = shell_lex_word(&p->lex, p->at, &w);
	if (first && !w.quoted && w.literal && special_word(p, &w, start))
		return;
	add_word(p, &w, start);
	if (first && strcmp(w.text, "[[") == 0)
		test_words(p);
	else if (p->now.kind == SHELL_CASE && p->now.words.count > 2 && !w.quoted &&
		 strcmp(w.text, "in") == 0)
		case_header(p);
}

static void operator_at(struct parser *p, uint32_t length, enum shell_connector before)
{
	p->at += length;
	finish(p, before);
	p->after_operator = before != SHELL_SEQUENCE;
}

static void semicolon(struct parser *p)
{
	if (peek(p, 1) != ';' && peek(p, 1) != '&') {
		operator_at(p, 1, SHELL_SEQUENCE);
		return;
	}
	operator_at(p, 2, SHELL_SEQUENCE);
	if (peek(p, 0) == '&')
		p->at++;
	if (in_case(p))
		skip_pattern(p);
}

static void ampersand(struct parser *p)
{
	if (peek(p, 1) == '&') {
		operator_at(p, 2, SHELL_AND);
	} else if (peek(p, 1) == '>') {
		redirect(p, -1, p->at);
	} else {
		p->now.background = p->open;
		operator_at(p, 1, SHELL_SEQUENCE);
	}
}

static void open_paren(struct parser *p)
{
	if (peek(p, 1) == '(' || (p->open && p->now.kind == SHELL_FOR)) {
		/* Arithmetic: ((…)), for ((…;…;…)). */
		p->at = shell_lex_nested(&p->lex, p->at);
		return;
	}
	finish(p, p->open ? SHELL_SEQUENCE : p->before);
	push_group(p, '(');
	p->at++;
}

static void step(struct parser *p)
{
	char c;

	p->at = shell_lex_blank(&p->lex, p->at);
	c = peek(p, 0);
	if (p->at >= p->lex.end)
		return;
	if (c == '\n') {
		newline(p);
	} else if (c == ';') {
		semicolon(p);
	} else if (c == '&') {
		ampersand(p);
	} else if (c == '|') {
		operator_at(p, peek(p, 1) == '|' || peek(p, 1) == '&' ? 2 : 1,
			    peek(p, 1) == '|' ? SHELL_OR : SHELL_PIPE);
	} else if (c == '(') {
		open_paren(p);
	} else if (c == ')') {
		operator_at(p, 1, SHELL_SEQUENCE);
		pop_group(p, '(');
	} else if ((c == '<' || c == '>') && peek(p, 1) != '(') {
		redirect(p, -1, p->at);
	} else {
		word(p);
	}
}

static void parse(struct parser *p, uint32_t from, uint32_t to)
{
	p->at = from;
	p->lex.end = to;
	memset(p->lex.unclosed, 0, sizeof p->lex.unclosed);
	p->depth = 0;
	p->open = p->after_operator = p->negated = false;
	p->keyword = p->function = NULL;
	p->before = SHELL_START;
	p->heredocs.count = 0;
	while (p->at < p->lex.end && !p->out->truncated)
		step(p);
	finish(p, SHELL_SEQUENCE);
}

static void shebang(struct arena *a, struct shell *out)
{
	const char *text = out->text.text;

	if (strncmp(text, "#!", 2) == 0)
		out->interpreter = arena_copy(a, text + 2, strcspn(text + 2, "\r\n"));
}

void shell_read(struct arena *a, const struct folded *text, enum shell_flavour flavour,
		struct shell *out)
{
	struct parser *p = ARENA_NEW(a, struct parser);

	*out = (struct shell){ .text = *text };
	shebang(a, out);
	p->arena = a;
	p->out = out;
	p->lex = (struct shell_lex){ .arena = a, .text = &out->text, .flavour = flavour };
	p->parent = -1;
	parse(p, 0, out->text.length);
	for (size_t i = 0; i < p->queue.count; i++) {
		struct shell_inner inner = p->queue.items[i];

		if (inner.level > LIMIT_SHELL_LEVELS || out->truncated)
			continue;
		p->parent = inner.parent;
		p->level = inner.level;
		parse(p, inner.from, inner.to);
	}
}

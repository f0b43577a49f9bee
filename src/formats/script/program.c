/* Start programs in Python and JavaScript: what they start with literal words is followed like a line of
 * a shell script, everything else is named as not followed.
 *
 * The text is scanned, not parsed: strings and comments are told apart, calls are known by name.
 * SPDX-License-Identifier: MIT */
#include "src/formats/script/chain.h"

#include <ctype.h>
#include <string.h>

#include "model/buf.h"

#define STARTS_MAX 48u /* calls of one program that are followed */
#define WORDS_MAX 64u  /* of one call */

enum language { LANGUAGE_NONE, LANGUAGE_PYTHON, LANGUAGE_NODE };

enum call_form {
	FORM_LIST,  /* the words in a list, or one text; a list may follow the program */
	FORM_SHELL, /* a text for a shell */
	FORM_EXEC,  /* program, then a list or words that begin with its name: replaces the process */
	FORM_MODE,  /* the same after a mode; starts another process */
	FORM_USER,  /* sets the user */
};

/* Calls by the end of their name; OWNERS (NULL: any or none) must stand before the last dot, "" for none. */
static const struct start_call {
	enum language language;
	const char *owners, *names;
	enum call_form form;
} start_calls[] = {
	{ LANGUAGE_PYTHON, "subprocess sp", "run Popen call check_call check_output", FORM_LIST },
	{ LANGUAGE_PYTHON, "", "Popen check_call check_output", FORM_LIST },
	{ LANGUAGE_PYTHON, "pty pexpect", "spawn", FORM_LIST },
	{ LANGUAGE_PYTHON, NULL, "create_subprocess_exec", FORM_LIST },
	{ LANGUAGE_PYTHON, NULL, "create_subprocess_shell", FORM_SHELL },
	{ LANGUAGE_PYTHON, "subprocess sp", "getoutput getstatusoutput", FORM_SHELL },
	{ LANGUAGE_PYTHON, "os", "system popen", FORM_SHELL },
	{ LANGUAGE_PYTHON, NULL, "execv execve execvp execvpe execl execle execlp execlpe", FORM_EXEC },
	{ LANGUAGE_PYTHON, "os", "spawnv spawnve spawnvp spawnvpe spawnl spawnle spawnlp spawnlpe",
	  FORM_MODE },
	{ LANGUAGE_PYTHON, "os", "setuid setreuid setresuid", FORM_USER },
	{ LANGUAGE_NODE, NULL, "spawn spawnSync execFile execFileSync execa execaSync", FORM_LIST },
	{ LANGUAGE_NODE, NULL, "execSync", FORM_SHELL },
	{ LANGUAGE_NODE, "child_process cp childProcess", "exec fork", FORM_SHELL },
	{ LANGUAGE_NODE, "", "exec", FORM_SHELL },
	{ LANGUAGE_NODE, "process", "setuid", FORM_USER },
};

struct scan {
	struct chain *c;
	const struct source *source;
	const char *text; /* of the program */
	size_t at, length;
	enum language language;
	size_t starts;
	bool unknown; /* some call starts what the text does not say */
	struct span unknown_at;
};

static const char *const language_names[] = { "", "python", "javascript" };

static enum language language_of(const char *path, const char *interpreter)
{
	if (interpreter && *interpreter)
		return strstr(interpreter, "python") ? LANGUAGE_PYTHON
		       : strstr(interpreter, "node") || strstr(interpreter, "bun") ||
				       strstr(interpreter, "deno")
			       ? LANGUAGE_NODE
			       : LANGUAGE_NONE;
	if (path_ends(path, ".py"))
		return LANGUAGE_PYTHON;
	return path_ends(path, ".js .mjs .cjs .ts .mts") ? LANGUAGE_NODE : LANGUAGE_NONE;
}

/* --- tokens ------------------------------------------------------------------------------------- */

static char peek(const struct scan *s, size_t ahead)
{
	return s->at + ahead < s->length ? s->text[s->at + ahead] : '\0';
}

static bool skip_comment(struct scan *s)
{
	bool line = s->language == LANGUAGE_PYTHON ? peek(s, 0) == '#'
						   : peek(s, 0) == '/' && peek(s, 1) == '/';
	const char *end;

	if (line) {
		end = memchr(s->text + s->at, '\n', s->length - s->at);
		s->at = end ? (size_t)(end - s->text) : s->length;
		return true;
	}
	if (s->language != LANGUAGE_NODE || peek(s, 0) != '/' || peek(s, 1) != '*')
		return false;
	end = memmem(s->text + s->at + 2, s->length - s->at - 2, "*/", 2);
	s->at = end ? (size_t)(end - s->text) + 2 : s->length;
	return true;
}

/* Skips the string that begins here; its content goes to OUT, which may be NULL. What is put in by
 * "{name}" becomes a variable. */
static void take_string(struct scan *s, bool format, struct buf *out)
{
	char quote = peek(s, 0);
	bool triple = s->language == LANGUAGE_PYTHON && peek(s, 1) == quote && peek(s, 2) == quote;

	s->at += triple ? 3 : 1;
	while (s->at < s->length) {
		char ch = peek(s, 0);

		if (ch == quote && (!triple || (peek(s, 1) == quote && peek(s, 2) == quote)))
			break;
		if (ch == '\n' && !triple && quote != '`')
			return;
		if (ch == '\\' && s->at + 1 < s->length)
			ch = s->text[++s->at];
		else if (format && ch == '{' && out)
			buf_putc(out, '$');
		if (out)
			buf_putc(out, ch);
		s->at++;
	}
	s->at += triple ? 3 : 1;
	if (s->at > s->length)
		s->at = s->length;
}

static bool is_quote(const struct scan *s, char ch)
{
	return ch == '"' || ch == '\'' || (ch == '`' && s->language == LANGUAGE_NODE);
}

static bool is_name(char ch)
{
	return isalnum((unsigned char)ch) || ch == '_' || ch == '.';
}

/* --- arguments ---------------------------------------------------------------------------------- */

struct words {
	struct {
		const char *text;
		bool literal;
	} items[WORDS_MAX];
	size_t count;
	bool listed; /* some stand in a list */
	size_t first_listed;
};

static void add_word(struct words *w, const char *text, bool literal, bool listed)
{
	if (w->count == WORDS_MAX)
		return;
	if (listed && !w->listed) {
		w->listed = true;
		w->first_listed = w->count;
	}
	w->items[w->count].literal = literal;
	w->items[w->count++].text = text;
}

/* A word that a variable or a call stands for; false when it names an argument ("shell=True"). */
static bool take_expression(struct scan *s, struct words *w, bool listed)
{
	struct arena *a = &s->c->w->snapshot->arena;
	size_t from = s->at;
	const char *name;

	while (s->at < s->length && is_name(peek(s, 0)))
		s->at++;
	name = arena_copy(a, s->text + from, s->at - from);
	while (peek(s, 0) == ' ')
		s->at++;
	if ((peek(s, 0) == '=' && peek(s, 1) != '=') || peek(s, 0) == ':')
		return false;
	if (strcmp(name, "sys.argv") == 0 || strcmp(name, "process.argv") == 0)
		add_word(w, "\"$@\"", true, listed);
	else if (strcmp(name, "sys.executable") == 0 || strcmp(name, "process.execPath") == 0)
		add_word(w, s->language == LANGUAGE_PYTHON ? "python3" : "node", true, listed);
	else
		add_word(w, "$value", false, listed);
	return true;
}

static const char *quoted(struct arena *a, const char *text)
{
	struct buf b = { 0 };
	const char *copy;

	buf_putc(&b, '\'');
	for (; *text; text++)
		if (*text == '\'')
			buf_puts(&b, "'\\''");
		else
			buf_putc(&b, *text);
	buf_putc(&b, '\'');
	copy = arena_copy(a, buf_text(&b), b.length);
	buf_free(&b);
	return copy;
}

/* One string; a letter before it may make it a format. */
static void take_literal(struct scan *s, struct words *w, bool format, bool listed)
{
	struct buf b = { 0 };
	const char *copy;

	take_string(s, format, &b);
	copy = arena_copy(&s->c->w->snapshot->arena, buf_text(&b), b.length);
	buf_free(&b);
	add_word(w, copy, true, listed);
}

/* The words of a call whose "(" is here. */
static void take_arguments(struct scan *s, struct words *w)
{
	int depth = 0, list = 0;
	bool named = false; /* inside an argument with a name */

	do {
		char ch = peek(s, 0);
		bool counts = !named && (depth == 1 || (depth == 2 && list == 2));
		bool prefix = counts && isalpha((unsigned char)ch) &&
			      (is_quote(s, peek(s, 1)) ||
			       (isalpha((unsigned char)peek(s, 1)) && is_quote(s, peek(s, 2))));

		if (skip_comment(s))
			continue;
		if (ch == '(' || ch == '[' || ch == '{') {
			depth++;
			/* "x[1]" is no list. */
			list = ch == '[' && depth == 2 &&
					       (s->at == 0 || !is_name(s->text[s->at - 1]))
				       ? 2
				       : list;
			s->at++;
		} else if (ch == ')' || ch == ']' || ch == '}') {
			list = list == depth ? 0 : list;
			depth--;
			s->at++;
		} else if (prefix) {
			bool format = ch == 'f' || ch == 'F' || peek(s, 1) == 'f';

			s->at += is_quote(s, peek(s, 1)) ? 1 : 2;
			take_literal(s, w, format, list == 2);
		} else if (is_quote(s, ch)) {
			if (counts)
				take_literal(s, w, false, list == 2);
			else
				take_string(s, false, NULL);
		} else if (counts && (isalpha((unsigned char)ch) || ch == '_')) {
			named = !take_expression(s, w, list == 2);
		} else {
			named = named && !(ch == ',' && depth == 1);
			s->at++;
		}
	} while (depth > 0 && s->at < s->length);
}

/* --- calls -------------------------------------------------------------------------------------- */

static const struct start_call *find_call(const struct scan *s, const char *name)
{
	const char *dot = strrchr(name, '.');
	const char *last = dot ? dot + 1 : name;
	struct arena *a = &s->c->w->snapshot->arena;
	const char *owner = dot ? arena_copy(a, name, (size_t)(dot - name)) : "";
	const char *inner = strrchr(owner, '.');

	if (inner)
		owner = inner + 1;
	for (size_t i = 0; i < sizeof start_calls / sizeof *start_calls; i++) {
		const struct start_call *call = &start_calls[i];

		if (call->language != s->language || !word_in(call->names, last))
			continue;
		if (!call->owners || (*call->owners ? *owner && word_in(call->owners, owner) : !dot))
			return call;
	}
	return NULL;
}

/* The words as a line of a shell; NULL when the program is not known. */
static const char *line_of(struct scan *s, const struct start_call *call, const struct words *w)
{
	struct arena *a = &s->c->w->snapshot->arena;
	size_t first = call->form == FORM_MODE ? 1 : 0;
	bool again = call->form == FORM_EXEC || call->form == FORM_MODE;
	struct buf b = { 0 };
	const char *line;

	if (w->count <= first || !w->items[first].literal)
		return NULL;
	if (call->form == FORM_SHELL || (call->form == FORM_LIST && w->count == 1 && !w->listed))
		return w->items[first].text;
	buf_puts(&b, call->form == FORM_EXEC ? "exec" : "");
	for (size_t i = first; i < w->count; i++) {
		/* The list of an exec begins with the name that the program is told. */
		if (again && i == first + 1 && strcmp(w->items[first].text, "\"$@\"") != 0)
			continue;
		if (again && i > first && strcmp(w->items[i].text, w->items[first].text) == 0)
			continue;
		buf_printf(&b, "%s%s", b.length ? " " : "",
			   w->items[i].literal && w->items[i].text[0] != '"'
				   ? quoted(a, w->items[i].text)
				   : w->items[i].text);
	}
	line = arena_copy(a, buf_text(&b), b.length);
	buf_free(&b);
	return line;
}

static void set_user(struct scan *s, size_t from, struct span span)
{
	struct snapshot *snapshot = s->c->w->snapshot;
	const char *open = memchr(s->text + from, '(', s->at - from);
	size_t n = open ? (size_t)(s->text + s->at - open) : 0;
	struct fact *f;

	if (n <= 2)
		return;
	open++;
	n -= 2;
	if (n > 2 && strchr("'\"", *open)) {
		open++;
		n -= 2;
	}
	f = snapshot_add_fact(snapshot, s->c->row, FACT_PRIVILEGE_DROP,
			      arena_copy(&snapshot->arena, open, n), span);
	snapshot_set_attribute(snapshot, f, "tool", "setuid");
	snapshot_set_attribute(snapshot, f, "closed", "true");
}

static void read_call(struct scan *s, const struct start_call *call, size_t from, uint32_t base)
{
	struct words w = { 0 };
	struct span span;
	const char *line;

	take_arguments(s, &w);
	span = (struct span){ s->source->id, base + (uint32_t)from, (uint32_t)(s->at - from) };
	if (call->form == FORM_USER) {
		set_user(s, from, span);
		return;
	}
	s->starts++;
	line = line_of(s, call, &w);
	if (line) {
		chain_read_text(s->c, line, strlen(line), span, false);
	} else if (!s->unknown) {
		s->unknown = true;
		s->unknown_at = span;
	}
}

static void scan_text(struct scan *s, uint32_t base)
{
	while (s->at < s->length && s->starts < STARTS_MAX) {
		size_t from = s->at;

		if (skip_comment(s))
			continue;
		if (is_quote(s, peek(s, 0))) {
			take_string(s, false, NULL);
		} else if (is_name(peek(s, 0))) {
			const struct start_call *call;

			while (s->at < s->length && is_name(peek(s, 0)))
				s->at++;
			if (peek(s, 0) != '(' || s->at - from > 64)
				continue;
			call = find_call(s, arena_copy(&s->c->w->snapshot->arena, s->text + from,
						       s->at - from));
			if (call)
				read_call(s, call, from, base);
		} else {
			s->at++;
		}
	}
}

/* "/usr/bin/env ruby" and "/usr/bin/ruby" are both ruby. */
static const char *program_name(const char *interpreter)
{
	const char *blank = strrchr(interpreter, ' ');

	return path_base(blank && blank[1] != '-' ? blank + 1 : interpreter);
}

bool chain_read_program(struct chain *c, const char *path, const char *interpreter,
			const struct source *source, struct span body, struct span named)
{
	struct scan s = { .c = c, .source = source, .text = source->bytes + body.offset,
			  .length = body.length, .language = language_of(path, interpreter) };
	struct snapshot *snapshot = c->w->snapshot;
	struct fact *f;

	if (s.language == LANGUAGE_NONE) {
		if (!interpreter || !*interpreter)
			return false;
		f = chain_script_fact(c, path, "unfollowed", named);
		snapshot_set_attribute(snapshot, f, "why",
				       arena_printf(&snapshot->arena, "a program for %s",
						    program_name(interpreter)));
		return true;
	}
	f = chain_script_fact(c, path, "read", named);
	snapshot_set_attribute(snapshot, f, "language", language_names[s.language]);
	scan_text(&s, body.offset);
	if (!s.unknown)
		return true;
	snapshot_set_attribute(snapshot, f, "state", "unfollowed");
	snapshot_set_attribute(snapshot, f, "why",
			       arena_printf(&snapshot->arena,
					    "%s: line %u starts what only its variables name",
					    language_names[s.language],
					    snapshot_line(snapshot, s.unknown_at)));
	snapshot_add_hop(snapshot, f, s.unknown_at, NULL, "start");
	return true;
}

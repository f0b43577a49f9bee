/* Scripts, make files, batch files and the like as one shell text.
 * SPDX-License-Identifier: MIT */
#include <string.h>
#include <strings.h>

#include "src/formats/script/launch.h"

enum kind { KIND_SHELL, KIND_MAKE, KIND_JUST, KIND_PACKAGE, KIND_BATCH, KIND_POWERSHELL };

static bool name_is(const char *name, const char *const *list)
{
	for (; *list; list++)
		if (strcasecmp(name, *list) == 0)
			return true;
	return false;
}

static enum kind kind_of(const char *path)
{
	static const char *const makes[] = { "makefile", "gnumakefile", NULL };
	static const char *const justs[] = { "justfile", ".justfile", NULL };
	const char *name = path_base(path);

	if (name_is(name, makes) || path_ends(name, ".mk .mak") || strncasecmp(name, "makefile.", 9) == 0)
		return KIND_MAKE;
	if (name_is(name, justs) || path_ends(name, ".just"))
		return KIND_JUST;
	if (strcmp(name, "package.json") == 0)
		return KIND_PACKAGE;
	if (path_ends(name, ".bat .cmd"))
		return KIND_BATCH;
	return path_ends(name, ".ps1") ? KIND_POWERSHELL : KIND_SHELL;
}

bool launch_interested(const char *path)
{
	const char *name = path_base(path);

	if (kind_of(path) != KIND_SHELL)
		return true;
	return path_ends(name, ".sh .bash .zsh .command") || (!strchr(name, '.') && *name);
}

bool launch_claims(const char *path, const char *bytes, size_t length)
{
	static const char *const needles[] = { "docker", "podman", "nerdctl", "DOCKER", "ENGINE" };
	static const char *const verbs[] = { " run", " create", " build", " exec" };
	bool tool = false, verb = false;

	for (size_t i = 0; i < sizeof needles / sizeof *needles; i++)
		tool |= bytes_hold(bytes, length, needles[i]);
	for (size_t i = 0; tool && i < sizeof verbs / sizeof *verbs; i++)
		verb |= bytes_hold(bytes, length, verbs[i]);
	if (!verb)
		return false;
	/* A file without a suffix is a script only when it says so. */
	return kind_of(path) != KIND_SHELL || strchr(path_base(path), '.') ||
	       (length > 2 && bytes[0] == '#' && bytes[1] == '!');
}

/* --- lines ------------------------------------------------------------------------------------- */

struct text {
	struct arena *arena;
	struct folded_builder b;
	const char *bytes;
	uint32_t length;
};

static void put(struct text *t, uint32_t at, uint32_t length)
{
	folded_add(t->arena, &t->b, t->bytes + at, length, at);
}

static void put_char(struct text *t, char c, uint32_t at)
{
	folded_add(t->arena, &t->b, &c, 1, at);
}

/* Recipe lines without their prefix; other lines become empty ones. */
static void recipes(struct text *t, bool just)
{
	bool continued = false;

	for (uint32_t at = 0; at < t->length;) {
		const char *line = t->bytes + at, *end = memchr(line, '\n', t->length - at);
		uint32_t n = end ? (uint32_t)(end - line) : t->length - at, skip = 0;
		bool recipe = n && (line[0] == '\t' || (just && line[0] == ' '));

		/* The prefix belongs to the first line of a command; options begin with '-' too. */
		while (recipe && skip < n && strchr(continued ? "\t " : "\t @-+", line[skip]))
			skip++;
		if (recipe)
			put(t, at + skip, n - skip);
		continued = recipe && n > 1 && line[n - 1] == '\\';
		if (end)
			put_char(t, '\n', at + n);
		at += n + 1;
	}
}

static bool is_remark(const char *line, uint32_t n)
{
	while (n && (*line == ' ' || *line == '\t' || *line == '@')) {
		line++;
		n--;
	}
	return (n >= 2 && line[0] == ':' && line[1] == ':') ||
	       (n >= 3 && strncasecmp(line, "rem", 3) == 0 && (n == 3 || line[3] == ' '));
}

/* Batch and PowerShell lines: their own continuation mark, backslashes that are no escapes. */
static void windows_line(struct text *t, uint32_t at, uint32_t n, char mark)
{
	bool joined;

	while (n && t->bytes[at + n - 1] == '\r')
		n--;
	if (mark == '^' && is_remark(t->bytes + at, n)) {
		put_char(t, '\n', at);
		return;
	}
	while (n && (t->bytes[at] == '@' || t->bytes[at] == ' ' || t->bytes[at] == '&')) {
		at++;
		n--;
	}
	joined = n && t->bytes[at + n - 1] == mark;
	for (uint32_t i = 0; i < n - joined; i++) {
		if (t->bytes[at + i] == '\\')
			put_char(t, '\\', at + i);
		put(t, at + i, 1);
	}
	put_char(t, joined ? ' ' : '\n', at + n);
}

static void windows(struct text *t, char mark)
{
	for (uint32_t at = 0; at < t->length;) {
		const char *end = memchr(t->bytes + at, '\n', t->length - at);
		uint32_t n = end ? (uint32_t)(end - t->bytes) - at : t->length - at;

		windows_line(t, at, n, mark);
		at += n + 1;
	}
}

/* The texts under "scripts", one a line. */
static void package_scripts(struct text *t, struct workspace *w, struct input *in)
{
	const struct node *scripts;

	input_parse(w, in, SYNTAX_JSONC);
	scripts = in->documents.count ? node_get(in->documents.items[0], "scripts") : NULL;
	for (size_t i = 0; node_is_map(scripts) && i < node_count(scripts); i++) {
		const struct node *value = scripts->items[i].value;
		const char *text = node_text(value);
		uint32_t start = value ? value->span.offset : 0, n = text ? (uint32_t)strlen(text) : 0;
		bool exact = value && value->span.length == n + 2;

		for (uint32_t k = 0; k < n; k++)
			put_char(t, text[k], exact ? start + 1 + k : start);
		put_char(t, '\n', start);
	}
}

void launch_shell(struct workspace *w, struct input *in, struct shell *out)
{
	struct arena *a = &w->snapshot->arena;
	enum kind kind = kind_of(in->artifact->path);
	struct text t = { .arena = a, .bytes = in->source->bytes, .length = in->source->length };
	struct folded text;

	if (kind == KIND_SHELL) {
		text = folded_from(a, in->source, (struct span){ .source = in->source->id,
								  .length = in->source->length });
		shell_read(a, &text, SHELL_POSIX, out);
		return;
	}
	if (kind == KIND_MAKE || kind == KIND_JUST)
		recipes(&t, kind == KIND_JUST);
	else if (kind == KIND_PACKAGE)
		package_scripts(&t, w, in);
	else
		windows(&t, kind == KIND_BATCH ? '^' : '`');
	text = folded_finish(a, &t.b, in->source->id);
	shell_read(a, &text, kind == KIND_MAKE ? SHELL_MAKE : SHELL_POSIX, out);
}

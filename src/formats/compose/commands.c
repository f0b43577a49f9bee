/* Command lines that say which Compose files make a stack.
 * SPDX-License-Identifier: MIT */
#include "src/formats/compose/commands.h"

#include <ctype.h>
#include <string.h>

#include "model/limits.h"

#define FILES_MAX 12u /* of one command */

/* A command being read. */
struct scan {
	struct workspace *w;
	const struct input *in;
	const char *at, *end; /* of the file */
	const char *files[FILES_MAX];
	size_t count;
	const char *folder; /* --project-directory */
	const char *last; /* end of the last file name */
};

static bool interested(const char *path)
{
	static const char *const names[] = { "makefile", "gnumakefile", "justfile", "package.json",
		                             ".env" };
	const char *base = path_base(path);

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strlen(base) == strlen(names[i]) && path_ends(base, names[i]))
			return true;
	return path_ends(path, ".mk .sh .bash .zsh .ps1 .bat .cmd .md .rst .adoc .yml .yaml");
}

static bool claims(const char *path, const char *bytes, size_t length)
{
	(void)path;
	return bytes_hold(bytes, length, "COMPOSE_FILE") ||
	       (bytes_hold(bytes, length, "compose") && (bytes_hold(bytes, length, "compose -f") ||
	                                                 bytes_hold(bytes, length, "compose --f") ||
	                                                 bytes_hold(bytes, length, "compose -p") ||
	                                                 bytes_hold(bytes, length, "compose --p") ||
	                                                 bytes_hold(bytes, length, "compose --e") ||
	                                                 bytes_hold(bytes, length, "compose \\")));
}

/* Only what turns out to hold a usable command becomes an artifact: see commands_collect(). */
static bool recognise(const struct input *in)
{
	(void)in;
	return false;
}

const struct format format_compose_commands = {
	.id = FORMAT_SCRIPT,
	.syntax = SYNTAX_TEXT,
	.interested = interested,
	.claims = claims,
	.recognise = recognise,
};

/* --- words -------------------------------------------------------------------------------------
 */

/* Skips blanks and continued line ends; false at the end of the command. */
static bool next_word(struct scan *s)
{
	for (;;) {
		while (s->at < s->end && (*s->at == ' ' || *s->at == '\t'))
			s->at++;
		if (s->at + 1 < s->end && *s->at == '\\' && (s->at[1] == '\n' || s->at[1] == '\r'))
			s->at += s->at[1] == '\r' ? 3 : 2;
		else
			break;
		if (s->at > s->end)
			s->at = s->end;
	}
	return s->at < s->end && !strchr("\r\n;|&`)", *s->at);
}

/* The word at the current place without its quotes. */
static const char *read_word(struct scan *s)
{
	const char *from = s->at, *to;

	while (s->at < s->end && !isspace((unsigned char)*s->at) && !strchr(";|&`)", *s->at))
		s->at++;
	to = s->at;
	while (from < to && strchr("\"'", *from))
		from++;
	while (to > from && strchr("\"',", to[-1]))
		to--;
	return arena_copy(&s->w->snapshot->arena, from, (size_t)(to - from));
}

static void add_file(struct scan *s, const char *name)
{
	if (name[0] && s->count < FILES_MAX)
		s->files[s->count++] = name;
	s->last = s->at;
}

static bool takes_value(const char *option)
{
	static const char *const names[] = { "--profile",  "-p",         "--project-name",
		                             "--env-file", "--parallel", "--project-directory",
		                             "--progress", "--ansi" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(option, names[i]) == 0)
			return true;
	return false;
}

/* Options up to the subcommand. */
static void read_options(struct scan *s)
{
	while (next_word(s) && *s->at == '-') {
		const char *word = read_word(s);

		if (strcmp(word, "-f") == 0 || strcmp(word, "--file") == 0) {
			if (next_word(s))
				add_file(s, read_word(s));
		} else if (strncmp(word, "--file=", 7) == 0) {
			add_file(s, word + 7);
		} else if (takes_value(word) && next_word(s)) {
			const char *value = read_word(s);

			if (strcmp(word, "--project-directory") == 0)
				s->folder = value;
		} else if (strncmp(word, "--project-directory=", 20) == 0) {
			s->folder = word + 20;
		}
	}
}

/* COMPOSE_FILE=a:b, also with ';' between. */
static void read_variable(struct scan *s)
{
	const char *text = read_word(s);
	struct arena *a = &s->w->snapshot->arena;

	while (*text) {
		size_t n = strcspn(text, ":;");

		add_file(s, arena_copy(a, text, n));
		text += text[n] ? n + 1 : n;
	}
}

/* --- files --------------------------------------------------------------------------------------
 */

static struct input *compose_input(const struct workspace *w, const char *path)
{
	struct input *in = path ? workspace_input(w, path) : NULL;

	return in && in->state[FORMAT_COMPOSE] ? in : NULL;
}

/* The only Compose file whose path ends in NAME, for commands that change the folder first. */
static const char *by_ending(const struct workspace *w, const char *name)
{
	const char *found = NULL;

	for (size_t i = 0; i < w->inputs.count; i++) {
		const char *path = w->inputs.items[i]->artifact->path;
		size_t n = strlen(path), m = strlen(name);

		if (!w->inputs.items[i]->state[FORMAT_COMPOSE] || n <= m ||
		    path[n - m - 1] != '/' || strcmp(path + n - m, name) != 0)
			continue;
		if (found)
			return NULL;
		found = path;
	}
	return found;
}

static const char *resolve(const struct scan *s, const char *name)
{
	struct arena *a = &s->w->snapshot->arena;
	const char *folder = path_folder(a, s->in->artifact->path);
	const char *near = path_join(a, folder, name), *top = path_join(a, "", name);

	if (compose_input(s->w, near))
		return near;
	if (compose_input(s->w, top))
		return top;
	return top ? by_ending(s->w, top) : NULL;
}

/* The project directory as a folder of the tree, seen from the file or from the root. */
static const char *project_folder(const struct scan *s)
{
	if (!s->folder || strchr(s->folder, '$'))
		return NULL;
	return workspace_find(s->w, path_folder(&s->w->snapshot->arena, s->in->artifact->path),
	                      s->folder);
}

static void keep(struct scan *s, const char *from, struct compose_commands *out)
{
	struct arena *a = &s->w->snapshot->arena;
	struct compose_command command = { .span = { s->in->source->id,
		                                     (uint32_t)(from - s->in->source->bytes),
		                                     (uint32_t)(s->last - from) } };

	command.paths = arena_array(a, s->count + 1, sizeof *command.paths);
	for (size_t i = 0; i < s->count; i++) {
		command.paths[i] = resolve(s, s->files[i]);
		if (!command.paths[i])
			return;
	}
	command.path_count = s->count;
	command.folder = project_folder(s);
	*ARENA_PUSH(a, out) = command;
	input_assess(s->in, FORMAT_SCRIPT);
}

/* Reads one command that begins at FROM; AT stands behind its name. */
static const char *read_command(struct scan *s, const char *from, bool variable,
                                struct compose_commands *out)
{
	s->count = 0;
	s->last = s->at;
	if (variable)
		read_variable(s);
	else
		read_options(s);
	if (s->count)
		keep(s, from, out);
	return s->at;
}

static void scan_input(struct workspace *w, const struct input *in, struct compose_commands *out)
{
	static const struct {
		const char *text;
		bool variable;
	} starts[] = { { "docker compose ", false },
		       { "docker-compose ", false },
		       { "podman compose ", false },
		       { "podman-compose ", false },
		       { "COMPOSE_FILE=", true } };
	const char *bytes = in->source->bytes, *end = bytes + in->source->length;

	for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
		size_t n = strlen(starts[i].text);

		for (const char *at = bytes; (at = strstr(at, starts[i].text));) {
			struct scan s = { .w = w, .in = in, .at = at + n, .end = end };

			at = read_command(&s, at, starts[i].variable, out);
			if (out->count >= LIMIT_PROBLEMS)
				return;
		}
	}
}

void commands_collect(struct workspace *w, struct compose_commands *out)
{
	size_t count = w->inputs.count;

	for (size_t i = 0; i < count; i++) {
		const struct input *in = w->inputs.items[i];

		if (in->source && interested(in->artifact->path) && !in->state[FORMAT_COMPOSE] &&
		    claims(in->artifact->path, in->source->bytes, in->source->length))
			scan_input(w, in, out);
	}
}

bool command_names(const struct compose_command *c, const char *path)
{
	for (size_t k = 1; k < c->path_count; k++)
		if (strcmp(c->paths[k], path) == 0)
			return true;
	return false;
}

const struct compose_command *commands_naming(const struct compose_commands *list, const char *path)
{
	const struct compose_command *best = NULL;

	for (size_t i = 0; i < list->count; i++)
		if (command_names(&list->items[i], path) &&
		    (!best || list->items[i].path_count < best->path_count))
			best = &list->items[i];
	return best;
}

/* How a server is started: the command, wrappers around it, shells, packages, containers.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <string.h>

#include "src/formats/mcp/mcp.h"
#include "src/formats/run/secret_words.h"

#define KEYS(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define WRAPPERS 4u /* programs in front of the server that are looked through */

static bool is_any(const char *text, const char *const *list)
{
	for (; *list; list++)
		if (strcmp(text, *list) == 0)
			return true;
	return false;
}

static const char *program_at(const struct mcp_server *s, const struct argv *v, size_t i)
{
	return argv_program(&s->w->snapshot->arena, argv_at(v, i));
}

/* --- words ---------------------------------------------------------------------------------- */

/* A whole command line in "command" is split; a path with blanks is not. */
static bool is_line(const char *command, const struct node *args)
{
	return strchr(command, ' ') && !node_count(args) && command[0] != '/' &&
	       !(isalpha((unsigned char)command[0]) && command[1] == ':');
}

static void read_words(struct mcp_server *s)
{
	struct arena *a = &s->w->snapshot->arena;
	const struct node *command = mcp_field(s, KEYS("command", "cmd"));
	const struct node *args = mcp_field(s, KEYS("args", "arguments"));

	if (node_is_map(command)) { /* an older form of Zed */
		args = node_get(command, "args");
		if (node_get(command, "path"))
			command = node_get(command, "path");
	}
	if (node_text(command) && is_line(node_text(command), args))
		argv_split(a, &s->argv, node_text(command), command->span);
	else if (!argv_add_node(a, &s->argv, command))
		input_problem(s->w, s->in, command->span,
		              "server \"%s\": \"command\" is neither text nor a list of texts",
		              s->name);
	if (node_text(args))
		argv_split(a, &s->argv, node_text(args), args->span);
	else if (!argv_add_node(a, &s->argv, args))
		input_problem(s->w, s->in, args->span,
		              "server \"%s\": \"args\" holds something that is not text", s->name);
}

/* --- wrappers ------------------------------------------------------------------------------- */

static size_t skip_options(const struct argv *v, size_t i)
{
	while (i < v->count && (v->items[i].text[0] == '-' || strchr(v->items[i].text, '=')))
		i++;
	return i;
}

/* The index of the program behind env, sudo, nohup …; sudo is a fact of its own. */
static size_t unwrap(struct mcp_server *s, const struct argv *v, size_t i)
{
	static const char *const plain[] = { "env",  "nohup",     "exec",   "command", "nice",
		                             "time", "cross-env", "stdbuf", "dotenv",  NULL };

	for (unsigned n = 0; n < WRAPPERS && i < v->count; n++) {
		const char *program = program_at(s, v, i);

		if (strcmp(program, "sudo") == 0 || strcmp(program, "doas") == 0)
			mcp_fact(s, FACT_SUDO, argv_join(&s->w->snapshot->arena, v, i),
			         v->items[i].span);
		else if (strcmp(program, "timeout") == 0)
			i = skip_options(v, i + 1);
		else if (!is_any(program, plain))
			break;
		i = skip_options(v, i + 1);
	}
	return i;
}

/* --- shells --------------------------------------------------------------------------------- */

static bool is_shell(const char *program)
{
	static const char *const shells[] = { "sh",  "bash", "zsh",        "dash", "ksh", "fish",
		                              "cmd", "ash",  "powershell", "pwsh", NULL };

	return is_any(program, shells);
}

static void shell_fact(struct mcp_server *s, const char *what, const char *how, struct span span)
{
	mcp_set(s, mcp_fact(s, FACT_SHELL_LAUNCH, what, span), "how", how);
}

/* "${…}" around something that is no variable name. */
static bool is_odd_expansion(const char *text)
{
	const char *open = strstr(text, "${");
	size_t n = open ? strcspn(open + 2, "}") : 0;

	return open && memchr(open + 2, ' ', n) && !memchr(open + 2, ':', n);
}

static const char *operator_of(const char *text)
{
	static const char *const operators[] = { "$(", "`", "&&", "||", "; ", " | ", ">/", " > " };

	for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
		if (strstr(text, operators[i]))
			return operators[i];
	return is_odd_expansion(text) ? "${" : NULL;
}

static void find_operators(struct mcp_server *s, const struct argv *v, size_t from)
{
	for (size_t i = from; i < v->count; i++)
		if (operator_of(v->items[i].text)) {
			shell_fact(s, operator_of(v->items[i].text), "operator", v->items[i].span);
			return;
		}
}

/* "-c", "-lc", "/c", "-Command": the next word is shell text. */
static bool is_inline_option(const char *word)
{
	size_t length = strlen(word);

	if (strcmp(word, "/c") == 0 || strcmp(word, "/C") == 0 || strcmp(word, "/k") == 0 ||
	    strcmp(word, "-Command") == 0 || strcmp(word, "-command") == 0)
		return true;
	return length > 1 && word[0] == '-' && word[1] != '-' && word[length - 1] == 'c';
}

/* Looks into the text of "sh -c"; the words behind "cmd /c" are the command itself. */
static void read_shell(struct mcp_server *s, struct argv *inner)
{
	struct arena *a = &s->w->snapshot->arena;
	const struct argv *v = &s->argv;
	size_t i = s->program + 1;
	bool windows = strcmp(program_at(s, v, s->program), "cmd") == 0;

	while (i < v->count && v->items[i].text[0] == '-' && !is_inline_option(v->items[i].text))
		i++;
	if (i + 1 >= v->count || !is_inline_option(v->items[i].text)) {
		shell_fact(s, program_at(s, v, s->program), "script", v->items[s->program].span);
		return;
	}
	shell_fact(s, program_at(s, v, s->program), "inline", v->items[s->program].span);
	if (!windows) {
		argv_split(a, inner, v->items[i + 1].text, v->items[i + 1].span);
		return;
	}
	for (i++; i < v->count; i++)
		argv_add(a, inner, v->items[i].text, v->items[i].span);
}

/* --- scripts -------------------------------------------------------------------------------- */

static bool is_interpreter(const char *program)
{
	static const char *const names[] = { "node", "python", "python3", "ruby", "bun",
		                             "deno", "tsx",    "ts-node", "perl", "php",
		                             "bash", "sh",     NULL };

	return is_any(program, names);
}

/* The file of the project that is started, when it is one. */
static void read_script(struct mcp_server *s, const struct argv *v, size_t program)
{
	struct arena *a = &s->w->snapshot->arena;
	size_t i = is_interpreter(program_at(s, v, program)) ? program + 1 : program;
	const char *path;
	struct fact *f;

	while (i > program && i < v->count && v->items[i].text[0] == '-')
		i++;
	if (i >= v->count || !path_ends(v->items[i].text, ".js .mjs .cjs .ts .py .sh .rb .php .pl"))
		return;
	path = path_join(a, path_folder(a, s->in->artifact->path), v->items[i].text);
	f = mcp_fact(s, FACT_SCRIPT, v->items[i].text, v->items[i].span);
	if (path && s->w->exists && s->w->exists(s->w, path))
		mcp_set(s, f, "state", "unfollowed");
	else
		mcp_set(s, f, "state", "missing");
}

/* --- wrappers that confine ------------------------------------------------------------------ */

static bool read_sandbox_wrapper(struct mcp_server *s, const struct argv *v, size_t i)
{
	static const char *const products[] = {
		"bwrap", "firejail", "nsjail",  "sandbox-exec", "systemd-run",
		"srt",   "unshare",  "landrun", "runsc",        NULL
	};
	const char *program = program_at(s, v, i);

	if (!is_any(program, products))
		return false;
	mcp_set(s, mcp_fact(s, FACT_SANDBOX, "on", v->items[i].span), "product", program);
	s->row->kind = ROW_SANDBOX_PROCESS;
	return true;
}

/* --- all of it ------------------------------------------------------------------------------ */

static bool is_engine(const char *program)
{
	static const char *const names[] = { "docker", "podman", "nerdctl", NULL };

	return is_any(program, names);
}

static bool is_gateway(const struct argv *v, size_t i)
{
	return strcmp(argv_at(v, i + 1), "mcp") == 0 && strcmp(argv_at(v, i + 2), "gateway") == 0 &&
	       strcmp(argv_at(v, i + 3), "run") == 0;
}

static void read_program(struct mcp_server *s, struct argv *v, size_t i)
{
	const char *program = program_at(s, v, i);

	if (read_sandbox_wrapper(s, v, i))
		return;
	mcp_read_package(s, v, i);
	if (is_engine(program) && is_gateway(v, i))
		mcp_read_gateway(s, v, i + 4);
	else if (is_engine(program))
		mcp_read_container(s, v, i);
	else
		mcp_read_arguments(s, v, i + 1);
	if (!s->package && !is_engine(program))
		read_script(s, v, i);
}

/* Text for a shell that holds a secret is one word of the outer command: it is not shown. */
static void hide_outer(struct mcp_server *s, const struct argv *inner)
{
	for (size_t i = 0; i < inner->count; i++)
		for (size_t k = 0; inner->items[i].secret && k < s->argv.count; k++)
			s->argv.items[k].secret |=
			    s->argv.items[k].span.offset == inner->items[i].span.offset;
}

static void command_fact(struct mcp_server *s)
{
	struct arena *a = &s->w->snapshot->arena;
	struct fact *f =
	    mcp_fact(s, FACT_COMMAND, argv_join(a, &s->argv, 0), s->argv.items[0].span);

	mcp_set(s, f, "form",
	        row_first(s->row, FACT_SHELL_LAUNCH, LAYER_DECLARED) ? "shell" : "exec");
}

void mcp_read_launch(struct mcp_server *s)
{
	struct argv inner = { 0 };

	read_words(s);
	if (!s->argv.count)
		return;
	s->program = unwrap(s, &s->argv, 0);
	if (s->program >= s->argv.count)
		s->program = 0;
	if (s->program + 1 < s->argv.count && is_shell(program_at(s, &s->argv, s->program)))
		read_shell(s, &inner);
	/* What the inner command or the container's own row will tell is not told twice. */
	secret_words(s->w, s->row, &s->argv, 0,
	             !inner.count && !is_engine(program_at(s, &s->argv, s->program)));
	find_operators(s, &s->argv, s->program + 1);
	secret_words(s->w, s->row, &inner, 0, true);
	hide_outer(s, &inner);
	command_fact(s);
	if (inner.count) {
		s->program = unwrap(s, &inner, 0);
		read_program(s, &inner, s->program);
	} else {
		read_program(s, &s->argv, s->program);
	}
}

/* Follows entry points, commands and hooks into scripts, line by line.
 * SPDX-License-Identifier: MIT */
#include "src/formats/script/chain.h"

#include <string.h>

static struct arena *arena_of(const struct chain *c)
{
	return &c->w->snapshot->arena;
}

/* --- where a path of the container lies in the tree ------------------------------------------- */

static const char *existing(const struct chain *c, const char *path)
{
	return path && *path && c->w->exists(c->w, path) ? path : NULL;
}

/* A bind mount of a folder of the tree that covers PATH. */
static const char *through_mounts(const struct chain *c, const char *path)
{
	const struct fact *f = row_first(c->row, FACT_MOUNT, LAYER_DECLARED);
	const char *found = NULL;

	for (; f; f = row_next(c->row, f)) {
		const char *source = fact_attribute(f, "source"), *target, *folder;
		size_t n;

		target = fact_attribute(f, "target");
		if (!source || !target || source[0] != '.' || target[0] != '/')
			continue;
		n = strlen(target);
		while (n > 1 && target[n - 1] == '/')
			n--;
		if (strncmp(path, target, n) != 0 || (path[n] != '/' && path[n] != '\0'))
			continue;
		folder = path_folder(arena_of(c), snapshot_path(c->w->snapshot, f->span));
		folder = path_join(arena_of(c), folder, source);
		if (folder && existing(c, path_join(arena_of(c), folder, path + n +
								  strspn(path + n, "/"))))
			found = path_join(arena_of(c), folder, path + n + strspn(path + n, "/"));
	}
	return found;
}

static const char *row_workdir(const struct chain *c)
{
	const struct fact *f = row_first(c->row, FACT_WORKDIR, LAYER_DECLARED);

	if (f && f->value[0] == '/')
		return f->value;
	return c->stage ? c->stage->workdir : "/";
}

/* "$SCRIPT_DIR/x.sh" and "$(dirname "$0")/x.sh" lie beside the script that names them. */
static const char *beside(const struct chain *c, const char *path, struct span named)
{
	const char *slash = strrchr(path, '/');
	const char *folder = path_folder(arena_of(c), snapshot_path(c->w->snapshot, named));

	if (path[0] != '$' || !slash || strchr(slash, '$'))
		return NULL;
	return existing(c, path_join(arena_of(c), folder, slash + 1));
}

static const char *in_tree(const struct chain *c, const char *path, struct span named)
{
	struct arena *a = arena_of(c);
	const char *found, *folder = path_folder(a, snapshot_path(c->w->snapshot, named));

	if (path[0] == '$')
		return beside(c, path, named);
	if (!c->host) {
		const char *inside = image_path(a, row_workdir(c), path);

		found = through_mounts(c, inside);
		if (!found && c->stage)
			found = image_source_path(c->w, c->file, c->stage, inside);
		if (found)
			return found;
	}
	if (path[0] == '/' && !c->host)
		return NULL;
	if (path[0] == '/')
		return NULL;
	found = existing(c, path_join(a, folder, path));
	/* A dev container's commands start in the folder that its own lies in. */
	if (!found && c->row->format == FORMAT_DEVCONTAINER)
		found = existing(c, path_join(a, path_folder(a, folder), path));
	if (!found)
		found = existing(c, path_join(a, c->folder, path));
	return found ? found : existing(c, path_join(a, "", path));
}

/* --- scripts ---------------------------------------------------------------------------------- */

struct fact *chain_script_fact(struct chain *c, const char *path, const char *state, struct span named)
{
	struct fact *f = snapshot_add_fact(c->w->snapshot, c->row, FACT_SCRIPT, path, named);

	snapshot_set_attribute(c->w->snapshot, f, "state", state);
	return f;
}

static bool is_system_program(const char *path)
{
	static const char *const folders[] = { "/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/",
					       "/usr/local/bin/", "/usr/local/sbin/", "/dev/",
					       "/proc/", "/opt/venv/bin/", "/nix/" };

	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		if (strncmp(path, folders[i], strlen(folders[i])) == 0)
			return true;
	return strstr(path, "/bin/") != NULL;
}

static bool names_script(const char *path)
{
	static const char *const words[] = { "entrypoint", "entry-point", "bootstrap", "startup" };
	const char *name = path_base(path);

	if (path[0] == '-') /* an option with a path */
		return false;
	if (path_ends(path, ".sh .bash .zsh .ksh"))
		return true;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strstr(name, words[i]))
			return true;
	return strcmp(path, "/init") == 0 || strcmp(name, "start") == 0 || strcmp(name, "run") == 0;
}

static bool already(const struct chain *c, const char *path)
{
	for (size_t i = 0; i < c->scripts.count; i++)
		if (strcmp(c->scripts.items[i].path, path) == 0)
			return true;
	return false;
}

/* The lines of a file that stands in another one: mounted, or written by the Dockerfile. */
static struct span written(const struct chain *c, const char *path)
{
	const char *inside;
	struct span body;

	if (c->host || path[0] == '$')
		return (struct span){ 0 };
	inside = image_path(arena_of(c), row_workdir(c), path);
	body = seen_find(c->w, c->row, inside);
	if (!span_is_set(body) && c->stage)
		body = image_written_text(c->w, c->file, c->stage, inside);
	return body;
}

static void follow(struct chain *c, const char *path, struct span named)
{
	struct span body = written(c, path);
	const char *found = span_is_set(body) ? path : in_tree(c, path, named);

	if (found && !already(c, found)) {
		if (c->scripts.count == CHAIN_SCRIPTS) {
			chain_script_fact(c, found, "unfollowed", named);
			return;
		}
		c->scripts.items[c->scripts.count++] =
			(struct pending_script){ .path = found, .body = body, .named = named };
	} else if (!found && c->wrapped && names_script(path) && !strchr(path, '$') &&
		   (path_ends(path, ".sh") || !is_system_program(path) ||
		    strstr(path, "entrypoint"))) {
		chain_script_fact(c, path, c->stage || path[0] != '/' ? "missing" : "image", named);
	}
}

static void starts(struct steps *s, const struct call *call, const struct shell_word *path)
{
	struct chain *c = s->context;

	follow(c, path->text, span_is_set(s->place) ? s->place : call->command->span);
}

static bool is_shell_script(const struct shell *sh, const char *path)
{
	if (!sh->interpreter)
		return path_ends(path, ".sh .bash .zsh .ksh") || !strchr(path_base(path), '.');
	return strstr(sh->interpreter, "sh") && !strstr(sh->interpreter, "python") &&
	       !strstr(sh->interpreter, "fish");
}

static void read_script(struct chain *c, const struct pending_script *script)
{
	bool inside = span_is_set(script->body);
	struct input *in = inside ? NULL : c->w->open(c->w, script->path, FORMAT_SCRIPT);
	const struct source *source =
		inside ? snapshot_source(c->w->snapshot, script->body.source) : in ? in->source : NULL;
	struct folded text;
	struct span body;
	struct shell sh;

	if (!source) {
		chain_script_fact(c, script->path, "missing", script->named);
		return;
	}
	body = inside ? script->body
		      : (struct span){ .source = source->id, .length = source->length };
	text = folded_from(arena_of(c), source, body);
	shell_read(arena_of(c), &text, SHELL_POSIX, &sh);
	if (!is_shell_script(&sh, script->path)) {
		chain_read_program(c, script->path, sh.interpreter, source, body, script->named);
		return;
	}
	chain_script_fact(c, script->path, "read", script->named);
	c->steps.place = (struct span){ 0 };
	c->steps.stops_on_error = false;
	c->steps.names_socket = false;
	c->wrapped = false;
	steps_read(&c->steps, &sh);
}

/* --- texts of the row -------------------------------------------------------------------------- */

void chain_read_text(struct chain *c, const char *value, size_t length, struct span place, bool wrapped)
{
	struct folded_piece *piece = ARENA_NEW(arena_of(c), struct folded_piece);
	struct folded text = { .text = arena_copy(arena_of(c), value, length),
			       .length = (uint32_t)length, .pieces = piece, .count = 1 };
	struct shell sh;

	if (!length)
		return;
	piece->length = text.length;
	shell_read(arena_of(c), &text, SHELL_POSIX, &sh);
	c->steps.place = place;
	c->steps.stops_on_error = false;
	c->steps.names_socket = false;
	c->wrapped = wrapped;
	steps_read(&c->steps, &sh);
}

/* Where the text of "sh -c TEXT" begins, if TEXT was one word of a list: the words are joined by blanks,
 * and its own blanks are no longer told from those. *FROM is where the shell's name begins. */
static const char *script_word(struct arena *a, const char *value, const char **from)
{
	for (const char *at = strstr(value, "sh -"); at; at = strstr(at + 1, "sh -")) {
		const char *name = at, *end = at + 4, *shell;

		while (name > value && name[-1] != ' ')
			name--;
		end += strspn(end, "eulxio");
		shell = arena_copy(a, name, (size_t)(at + 2 - name));
		if (!steps_is_shell(shell_base_name(shell)) || strncmp(end, "c ", 2) != 0)
			continue;
		*from = name;
		return end[2] && !strchr("\"'", end[2]) ? end + 2 : NULL;
	}
	return NULL;
}

static void read_value(struct chain *c, const struct fact *f)
{
	const char *value = f->value, *shell = NULL, *script;

	if (!fact_is_written(f))
		return;
	script = fact_attribute_is(f, "form", "shell") ? NULL : script_word(arena_of(c), value, &shell);
	if (!script) {
		chain_read_text(c, value, strlen(value), f->span, true);
		return;
	}
	chain_read_text(c, value, (size_t)(shell - value), f->span, true);
	chain_read_text(c, script, strlen(script), f->span, true);
}

/* What a health check runs is part of the image more often than not: that is not worth a word. */
static void read_probes(struct chain *c)
{
	size_t count = c->row->facts.count;

	c->host = false;
	for (size_t i = 0; i < count; i++) {
		const struct fact *f = c->row->facts.items[i];
		const char *command =
			f->kind == FACT_PROBE && f->layer == LAYER_DECLARED && fact_is_written(f)
				? fact_attribute(f, "command")
				: NULL;

		if (!command)
			continue;
		if (strncmp(command, "CMD-SHELL ", 10) == 0)
			command += 10;
		else if (strncmp(command, "CMD ", 4) == 0)
			command += 4;
		chain_read_text(c, command, strlen(command), f->span, false);
	}
}

static void read_kind(struct chain *c, enum fact_kind kind, bool host)
{
	/* Reading adds facts to the row: only those that are there now are followed. */
	size_t count = c->row->facts.count;

	for (size_t i = 0; i < count; i++) {
		const struct fact *f = c->row->facts.items[i];

		if (f->kind != kind || f->layer != LAYER_DECLARED)
			continue;
		c->host = host || fact_attribute_is(f, "where", "host");
		read_value(c, f);
	}
}

static void read_scripts(struct chain *c)
{
	for (size_t i = 0; i < c->scripts.count; i++)
		read_script(c, &c->scripts.items[i]);
}

void chain_follow_row(struct workspace *w, struct row *r, const struct image_names *names)
{
	struct arena *a = &w->snapshot->arena;
	struct chain *c = ARENA_NEW(a, struct chain);

	*c = (struct chain){
		.w = w,
		.row = r,
		.folder = path_folder(a, w->snapshot->artifacts.items[r->artifact]->path),
		.steps = { .w = w, .row = r, .where = STEPS_START, .starts = starts,
			   .context = c },
	};
	c->stage = image_of_row(w, r, names, &c->file);
	if (c->stage && c->stage->row != r) {
		chain_take_image(w, r, c->stage);
		image_user_of_build(w, r, c->file, c->stage);
	}
	read_kind(c, FACT_ENTRYPOINT, r->format == FORMAT_MCP);
	read_kind(c, FACT_COMMAND, r->format == FORMAT_MCP);
	read_kind(c, FACT_HOOK, false);
	read_probes(c);
	read_kind(c, FACT_HOST_COMMAND, true);
	read_scripts(c);
}

/* parse: what is read in one file, as JSON.
 * SPDX-License-Identifier: MIT */
#include "src/cmd.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "model/limits.h"
#include "src/cmd_parse.h"
#include "src/formats/compose/compose.h"
#include "src/syntax/dockerfile.h"
#include "src/syntax/tree_json.h"

struct opened {
	struct arena *arena;
	struct {
		struct source **items;
		size_t count, capacity;
	} sources;
};

static bool open_file(void *ctx, const char *path, struct compose_file *out)
{
	struct opened *o = ctx;
	struct buf b = { 0 };
	const char *text;
	size_t length;
	struct source *s;
	bool ok;

	for (size_t i = 0; i < o->sources.count; i++) {
		out->source = o->sources.items[i];
		if (strcmp(out->source->path, path) == 0)
			return true;
	}
	ok = cmd_read_file(path, LIMIT_FILE_BYTES, &b) &&
	     text_decode(o->arena, buf_text(&b), b.length, &text, &length);
	buf_free(&b);
	out->source = NULL;
	if (!ok)
		return false;
	s = ARENA_NEW(o->arena, struct source);
	source_init(s, o->arena, (uint32_t)o->sources.count + 1, arena_strdup(o->arena, path), text,
		    (uint32_t)length);
	*ARENA_PUSH(o->arena, &o->sources) = s;
	out->source = s;
	return true;
}

/* --- compose ------------------------------------------------------------------------------------ */

/* The variables of the env files; later files win, so they are searched first. */
static bool supplied(struct arena *a, struct opened *o, const struct string_list *files,
		     const struct compose_env **env)
{
	struct problems problems = { 0 };

	*env = NULL;
	for (size_t i = 0; i < files->count; i++) {
		struct compose_env *layer = ARENA_NEW(a, struct compose_env);
		struct compose_file file = { 0 };

		if (!open_file(o, files->items[i], &file)) {
			cmd_error("%s: cannot be read", files->items[i]);
			return false;
		}
		dotenv_read(a, file.source, NULL, NULL, &layer->values, &problems);
		layer->under = *env;
		*env = layer;
	}
	return true;
}

/* --- finding the files of a folder ------------------------------------------------------------ */

static const char *first_of(struct arena *a, struct opened *o, const char *folder,
			    const char *const names[4])
{
	for (size_t i = 0; i < 4; i++) {
		const char *path = compose_join(a, folder, names[i]);
		struct compose_file file = { 0 };

		if (open_file(o, path, &file))
			return path;
	}
	return NULL;
}

/* What Compose loads in FOLDER: the first base name there or in the nearest folder above, and the first
 * override beside it. Returns the number of files. */
static size_t discover(struct arena *a, struct opened *o, const char *folder, const char *paths[2])
{
	char here[PATH_MAX];
	size_t up = 0;

	for (const char *at = realpath(folder, here) ? here : ""; *at; at++)
		up += *at == '/';
	for (size_t i = 0; i <= up; i++, folder = compose_join(a, folder, "..")) {
		paths[0] = first_of(a, o, folder, compose_base_names);
		if (!paths[0])
			continue;
		paths[1] = first_of(a, o, folder, compose_override_names);
		return paths[1] ? 2 : 1;
	}
	return 0;
}

static bool is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* The last part of the real path of FOLDER, or of the folder of FILE. */
static const char *folder_name(struct arena *a, const char *folder, const char *file)
{
	const char *slash = strrchr(file, '/');
	char here[PATH_MAX];

	if (!folder)
		folder = slash ? arena_copy(a, file, (size_t)(slash - file)) : ".";
	if (!realpath(*folder ? folder : "/", here))
		return NULL;
	slash = strrchr(here, '/');
	return arena_strdup(a, slash ? slash + 1 : here);
}

static int parse_compose(struct arena *a, const struct options *o, const char **files,
			 size_t count)
{
	struct opened opened = { .arena = a };
	const char *found[2];
	struct compose_options options = {
		.folder = o->project_directory,
		.files = files,
		.file_count = count,
		.default_env = o->env_files.count == 0,
		.profiles = o->profiles.items,
		.profile_count = o->profiles.count,
		.open = open_file,
		.ctx = &opened,
	};
	struct compose_project project;
	struct buf out = { 0 };
	const char *error;
	bool printed;

	if (count == 1 && is_folder(files[0])) {
		options.files = found;
		options.file_count = discover(a, &opened, files[0], found);
		if (!options.file_count)
			return cmd_error("%s: no Compose file there or in a folder above", files[0]);
	}
	if (!supplied(a, &opened, &o->env_files, &options.env))
		return EXIT_USAGE;
	options.folder_name = folder_name(a, options.folder, options.files[0]);
	compose_load(a, &options, &project);
	compose_to_json(a, &project, &out);
	printed = cmd_print(&out);
	buf_free(&out);
	error = compose_error(a, &project, project.refused ? COMPOSE_REFUSED : COMPOSE_INCONSISTENT);
	if (error)
		return cmd_error("%s", error);
	return printed ? EXIT_DONE : EXIT_USAGE;
}

/* --- single files ------------------------------------------------------------------------------- */

typedef void print_fn(struct arena *a, const struct source *s, struct buf *out,
		      struct problems *problems);

static void print_yaml(struct arena *a, const struct source *s, struct buf *out,
		       struct problems *problems)
{
	struct documents documents = { 0 };

	yaml_read(a, s, &documents, problems);
	tree_json_write(out, s, &documents, problems);
}

static void print_json(struct arena *a, const struct source *s, struct buf *out,
		       struct problems *problems)
{
	struct documents documents = { 0 };

	json_read(a, s, 0, &documents, problems);
	tree_json_write(out, s, &documents, problems);
}

static void print_toml(struct arena *a, const struct source *s, struct buf *out,
		       struct problems *problems)
{
	struct documents documents = { 0 };

	toml_read(a, s, &documents, problems);
	tree_json_write(out, s, &documents, problems);
}

static void print_dockerfile(struct arena *a, const struct source *s, struct buf *out,
			     struct problems *problems)
{
	struct dockerfile d = { 0 };

	dockerfile_read(a, s, &d, problems);
	dockerfile_to_json(out, s, &d, problems);
}

static int print_files(struct arena *a, const char **files, size_t count, print_fn *print)
{
	struct opened opened = { .arena = a };
	struct buf out = { 0 };
	int code = EXIT_DONE;

	for (size_t i = 0; i < count && code == EXIT_DONE; i++) {
		struct compose_file file = { 0 };
		struct problems problems = { 0 };

		if (!open_file(&opened, files[i], &file)) {
			code = cmd_error("%s: %s", files[i],
					 errno ? strerror(errno) : "not text");
			break;
		}
		buf_clear(&out);
		print(a, file.source, &out, &problems);
		if (out.length && out.bytes[out.length - 1] != '\n')
			buf_putc(&out, '\n');
		if (!cmd_print(&out))
			code = EXIT_USAGE;
	}
	buf_free(&out);
	return code;
}

/* --- texts -------------------------------------------------------------------------------------- */

static int print_text(struct arena *a, const char *text, parse_text_fn *print)
{
	struct buf out = { 0 };
	int code = print(a, text, &out) ? EXIT_DONE : EXIT_USAGE;

	buf_putc(&out, '\n');
	if (!cmd_print(&out))
		code = EXIT_USAGE;
	buf_free(&out);
	return code;
}

/* One answer a line of standard input; a refused line is an answer, too. */
static int print_lines(struct arena *a, parse_text_fn *print)
{
	struct buf in = { 0 };
	int code = EXIT_DONE;

	if (!cmd_read_file("-", LIMIT_FILE_BYTES, &in)) {
		buf_free(&in);
		return cmd_error("standard input: %s", strerror(errno));
	}
	for (char *at = in.bytes, *end; at && *at; at = end) {
		end = strchr(at, '\n');
		if (end)
			*end++ = '\0';
		print_text(a, at, print);
	}
	buf_free(&in);
	return code;
}

static int print_texts(struct arena *a, const char **texts, size_t count, parse_text_fn *print)
{
	int code = EXIT_DONE;

	for (size_t i = 0; i < count; i++) {
		int one = strcmp(texts[i], "-") == 0 ? print_lines(a, print)
						     : print_text(a, texts[i], print);

		code = one == EXIT_DONE ? code : one;
	}
	return code;
}

/* A kind reads several files together, each file alone, or texts. */
static const struct parse_kind {
	const char *name;
	int (*together)(struct arena *a, const struct options *o, const char **files, size_t count);
	print_fn *file;
	parse_text_fn *text;
} kinds[] = {
	{ "compose", .together = parse_compose },
	{ "dockerfile", .file = print_dockerfile },
	{ "yaml", .file = print_yaml },
	{ "json", .file = print_json },
	{ "toml", .file = print_toml },
	{ "env", .file = parse_env_source },
	{ "image", .text = parse_image_text },
	{ "port", .text = parse_port_text },
	{ "volume", .text = parse_volume_text },
	{ "run", .text = parse_run_text },
};

static int parse_as(struct arena *a, const struct parse_kind *kind, const struct options *o)
{
	const char **items = o->arguments.items + 1;
	size_t count = o->arguments.count - 1;

	if (kind->together)
		return kind->together(a, o, items, count);
	if (kind->file)
		return print_files(a, items, count, kind->file);
	return print_texts(a, items, count, kind->text);
}

int cmd_parse(const struct options *o)
{
	const char *name = o->arguments.items[0];
	struct buf known = { 0 };
	struct arena a = { 0 };
	int code = -1;

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		buf_printf(&known, "%s%s", i ? "|" : "", kinds[i].name);
		if (strcmp(name, kinds[i].name) == 0 && o->arguments.count > 1)
			code = parse_as(&a, &kinds[i], o);
	}
	if (code < 0)
		code = cmd_error(o->arguments.count > 1 ? "parse: \"%s\" is none of %s"
							: "parse %s: name a file (kinds: %s)",
				 name, buf_text(&known));
	buf_free(&known);
	arena_free(&a);
	return code;
}

/* parse: what is read in one file, as JSON.
 * SPDX-License-Identifier: MIT */
#include "src/cmd.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

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

/* Reads PATH whole ("-": standard input); false with errno when it cannot be read or is too large. */
static bool read_whole(const char *path, struct buf *out)
{
	bool standard = strcmp(path, "-") == 0;
	FILE *f = standard ? stdin : fopen(path, "rbe");
	char chunk[65536];
	size_t n;
	bool ok;

	if (!f)
		return false;
	errno = 0;
	while (out->length <= LIMIT_FILE_BYTES && (n = fread(chunk, 1, sizeof chunk, f)) > 0)
		buf_add(out, chunk, n);
	ok = !ferror(f) && out->length <= LIMIT_FILE_BYTES;
	if (ok || !errno)
		errno = ok ? 0 : EFBIG;
	if (!standard)
		fclose(f);
	return ok;
}

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
	ok = read_whole(path, &b) &&
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

static int parse_compose(struct arena *a, const struct options *o, const char **files,
			 size_t count)
{
	struct opened opened = { .arena = a };
	struct compose_options options = {
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

	if (!supplied(a, &opened, &o->env_files, &options.env))
		return EXIT_USAGE;
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

	if (!read_whole("-", &in)) {
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

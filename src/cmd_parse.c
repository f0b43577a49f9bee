/* The command "parse": its kinds and their arguments.
 * SPDX-License-Identifier: MIT */
#include "src/cmd_parse.h"

#include <stdio.h>
#include <string.h>

#include "model/buf.h"
#include "model/limits.h"
#include "src/formats/compose/compose.h"

struct parse_arguments {
	const char **files, **env_files, **profiles;
	size_t file_count, env_file_count, profile_count;
};

struct opened {
	struct arena *arena;
	struct {
		struct source **items;
		size_t count, capacity;
	} sources;
};

static int usage(const char *problem)
{
	fprintf(stderr, "boundwalk: parse: %s; usage: boundwalk parse compose [--env-file FILE] "
			"[--profile NAME] FILE…\n", problem);
	return 2;
}

/* Reads PATH whole; false when it cannot be opened, is no file or is too large. */
static bool read_whole(const char *path, struct buf *out)
{
	FILE *f = fopen(path, "rb");
	char chunk[65536];
	size_t n;
	bool ok;

	if (!f)
		return false;
	while ((n = fread(chunk, 1, sizeof chunk, f)) > 0 && out->length <= LIMIT_FILE_BYTES)
		buf_add(out, chunk, n);
	ok = !ferror(f) && out->length <= LIMIT_FILE_BYTES;
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

/* The variables of the env files; later files win, so they are searched first. */
static bool supplied(struct arena *a, struct opened *o, const struct parse_arguments *args,
		     const struct compose_env **env)
{
	struct problems problems = { 0 };

	*env = NULL;
	for (size_t i = 0; i < args->env_file_count; i++) {
		struct compose_env *layer = ARENA_NEW(a, struct compose_env);
		struct compose_file file = { 0 };

		if (!open_file(o, args->env_files[i], &file)) {
			fprintf(stderr, "boundwalk: %s: cannot be read\n", args->env_files[i]);
			return false;
		}
		dotenv_read(a, file.source, NULL, NULL, &layer->values, &problems);
		layer->under = *env;
		*env = layer;
	}
	return true;
}

static int parse_compose(struct arena *a, const struct parse_arguments *args)
{
	struct opened o = { .arena = a };
	struct compose_options options = {
		.files = args->files,
		.file_count = args->file_count,
		.default_env = args->env_file_count == 0,
		.profiles = args->profiles,
		.profile_count = args->profile_count,
		.open = open_file,
		.ctx = &o,
	};
	struct compose_project project;
	struct buf out = { 0 };
	const char *error;

	if (!supplied(a, &o, args, &options.env))
		return 2;
	compose_load(a, &options, &project);
	compose_to_json(a, &project, &out);
	fwrite(buf_text(&out), 1, out.length, stdout);
	buf_free(&out);
	error = compose_error(a, &project, project.refused ? COMPOSE_REFUSED : COMPOSE_INCONSISTENT);
	if (error)
		fprintf(stderr, "boundwalk: %s\n", error);
	return error ? 2 : 0;
}

struct parse_kind {
	const char *name;
	int (*run)(struct arena *a, const struct parse_arguments *args);
};

static const struct parse_kind kinds[] = {
	{ "compose", parse_compose },
};

static bool take_option(int argc, char **argv, int *i, const char *name, const char **list,
			size_t *count)
{
	size_t n = strlen(name);

	if (strcmp(argv[*i], name) == 0 && *i + 1 < argc)
		list[(*count)++] = argv[++*i];
	else if (strncmp(argv[*i], name, n) == 0 && argv[*i][n] == '=')
		list[(*count)++] = argv[*i] + n + 1;
	else
		return false;
	return true;
}

static const char *read_arguments(struct arena *a, int argc, char **argv,
				  struct parse_arguments *args)
{
	size_t room = (size_t)argc + 1;

	args->files = arena_array(a, room, sizeof *args->files);
	args->env_files = arena_array(a, room, sizeof *args->env_files);
	args->profiles = arena_array(a, room, sizeof *args->profiles);
	for (int i = 1; i < argc; i++) {
		if (take_option(argc, argv, &i, "--env-file", args->env_files,
				&args->env_file_count) ||
		    take_option(argc, argv, &i, "--profile", args->profiles, &args->profile_count))
			continue;
		if (argv[i][0] == '-' && argv[i][1])
			return arena_printf(a, "unknown option %s", argv[i]);
		args->files[args->file_count++] = argv[i];
	}
	return args->file_count ? NULL : "no file named";
}

int cmd_parse(int argc, char **argv)
{
	struct arena a = { 0 };
	struct parse_arguments args = { 0 };
	const char *problem = argc > 0 ? read_arguments(&a, argc, argv, &args) : "no kind named";
	int code = -1;

	for (size_t i = 0; !problem && i < sizeof kinds / sizeof kinds[0]; i++)
		if (strcmp(argv[0], kinds[i].name) == 0)
			code = kinds[i].run(&a, &args);
	if (!problem && code < 0)
		problem = arena_printf(&a, "unknown kind %s", argv[0]);
	if (problem)
		code = usage(problem);
	arena_free(&a);
	return code;
}

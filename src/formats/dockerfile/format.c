/* Dockerfiles: recognised by name and content, parsed, and turned into rows once all files are known.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "src/formats/dockerfile/image.h"
#include "src/formats/script/launch.h"

/* --- recognition ------------------------------------------------------------------------------ */

static bool begins(const char *name, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncasecmp(name, prefix, n) == 0 &&
	       (!name[n] || name[n] == '.' || name[n] == '-' || name[n] == '_');
}

/* Program text and documents about Dockerfiles carry their name too. */
static bool is_other_file(const char *path)
{
	return path_ends(path, ".dockerignore .containerignore .md .rst .go .py .rs .js .mjs .cjs .ts "
			       ".tsx .jsx .json .jsonc .yaml .yml .toml .html .css .java .kt .rb .php "
			       ".c .h .cc .cpp .cs .png .svg .jpg .gif .sum .lock .snap .adoc .xml "
			       ".sh .bash .vim .lua .el .swift .scala .patch .diff");
}

static bool interested(const char *path)
{
	const char *name = path_base(path);

	if (is_other_file(name))
		return false;
	if (begins(name, "dockerfile") || begins(name, "containerfile"))
		return true;
	if (path_ends(name, ".dockerfile .containerfile"))
		return true;
	return strcasestr(name, ".dockerfile.") != NULL &&
	       path_ends(name, ".j2 .in .template .tmpl .tpl .erb .jinja .jinja2 .mustache");
}

static bool is_instruction(const char *line, size_t length)
{
	static const char *const names[] = { "FROM", "RUN", "COPY", "ADD", "ENV", "ARG", "USER",
					     "WORKDIR", "CMD", "ENTRYPOINT", "EXPOSE", "LABEL",
					     "SHELL", "VOLUME", "HEALTHCHECK", "ONBUILD",
					     "STOPSIGNAL", "MAINTAINER" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t n = strlen(names[i]);

		if (length > n && strncasecmp(line, names[i], n) == 0 &&
		    (line[n] == ' ' || line[n] == '\t'))
			return true;
	}
	return false;
}

/* The first line that is no comment must be an instruction or belong to a template. */
static bool claims(const char *path, const char *bytes, size_t length)
{
	size_t at = 0;

	(void)path;
	while (at < length) {
		const char *line = bytes + at, *end = memchr(line, '\n', length - at);
		size_t n = end ? (size_t)(end - line) : length - at;

		at += n + 1;
		while (n && isspace((unsigned char)*line)) {
			line++;
			n--;
		}
		if (!n || *line == '#')
			continue;
		if (is_instruction(line, n))
			return true;
		if (!dockerfile_is_templated(line, n) && strncmp(line, "%", 1) != 0)
			return bytes_hold(bytes, length, "\nFROM ");
	}
	return false;
}

/* --- reading ---------------------------------------------------------------------------------- */

struct image_file *image_file_of(const struct input *in)
{
	return in ? in->state[FORMAT_DOCKERFILE] : NULL;
}

void image_parse(struct workspace *w, struct input *in)
{
	struct arena *a = &w->snapshot->arena;
	struct image_file *f = ARENA_NEW(a, struct image_file);

	f->in = in;
	dockerfile_read(a, in->source, &f->parsed, &in->artifact->problems);
	in->state[FORMAT_DOCKERFILE] = f;
}

struct image_build *image_add_build(struct workspace *w, struct image_file *f, const struct row *by)
{
	struct image_build *build = ARENA_PUSH(&w->snapshot->arena, &f->builds);

	*build = (struct image_build){ .by = by };
	return build;
}

struct image_file *image_open(struct workspace *w, const char *path)
{
	struct input *in = path ? w->open(w, path, FORMAT_DOCKERFILE) : NULL;

	if (!in)
		return NULL;
	if (!image_file_of(in))
		image_parse(w, in);
	return image_file_of(in);
}

/* --- joining ---------------------------------------------------------------------------------- */

static void add_target(struct arena *a, struct image_file *f, const char *target, const char *by)
{
	f->targets = arena_grow(a, f->targets, f->target_count, &f->target_capacity,
				sizeof *f->targets);
	f->target_by = arena_grow(a, f->target_by, f->target_count, &f->target_by_capacity,
				  sizeof *f->target_by);
	f->targets[f->target_count] = target;
	f->target_by[f->target_count++] = by;
}

static void add_context(struct arena *a, struct image_file *f, const char *folder)
{
	for (size_t i = 0; i < f->context_count; i++)
		if (strcmp(f->contexts[i], folder) == 0)
			return;
	f->contexts = arena_grow(a, f->contexts, f->context_count, &f->context_capacity,
				 sizeof *f->contexts);
	f->contexts[f->context_count++] = folder;
}

/* What other files say about the build of a row. */
static void take_build(struct workspace *w, const struct row *r, const struct fact *build)
{
	struct arena *a = &w->snapshot->arena;
	const char *folder = path_folder(a, snapshot_path(w->snapshot, build->span));
	struct image_file *f = image_open(w, fact_attribute(build, "dockerfile"));
	const char *context = path_join(a, folder, build->value);

	if (!f)
		return;
	if (context)
		add_context(a, f, context);
	add_target(a, f, fact_attribute(build, "target"),
		   arena_printf(a, "%s of %s", r->name, snapshot_path(w->snapshot, build->span)));
}

static void take_builds(struct workspace *w)
{
	for (size_t i = 0; i < w->snapshot->rows.count; i++) {
		const struct row *r = w->snapshot->rows.items[i];
		const struct fact *f = row_first(r, FACT_BUILD, LAYER_DECLARED);

		for (; f; f = row_next(r, f))
			take_build(w, r, f);
	}
}

/* Builds that scripts run. */
static void take_launches(struct workspace *w)
{
	struct arena *a = &w->snapshot->arena;
	size_t count = w->inputs.count;

	for (size_t i = 0; i < count; i++) {
		const struct launch_file *launch = launch_file_of(w->inputs.items[i]);

		for (size_t k = 0; launch && k < launch->builds.count; k++) {
			const struct launch_build *b = &launch->builds.items[k];
			struct image_file *f = image_open(w, b->dockerfile);

			if (!f)
				continue;
			add_context(a, f, b->context);
			if (b->unknown)
				continue;
			add_target(a, f, b->target,
				   arena_printf(a, "%s:%u", snapshot_path(w->snapshot, b->span),
						snapshot_line(w->snapshot, b->span)));
		}
	}
}

static void join(struct workspace *w)
{
	take_builds(w);
	ci_builds_collect(w);
	take_launches(w);
	for (size_t i = 0; i < w->inputs.count; i++) {
		struct image_file *f = image_file_of(w->inputs.items[i]);

		if (f && !f->done) {
			f->done = true;
			image_choose_stages(w, f);
			image_add_rows(w, f);
		}
	}
}

const struct format format_dockerfile = {
	.id = FORMAT_DOCKERFILE,
	.syntax = SYNTAX_TEXT,
	.claims = claims,
	.interested = interested,
	.read = image_parse,
	.join = join,
};

/* Image builds that workflows, pipelines and build files name: which stage of which Dockerfile.
 *
 * Actions of GitHub and its kin (docker/build-push-action and others), steps of Cloud Build, Azure and
 * kaniko, artifacts of skaffold, targets of a bake file in JSON, and every text that calls an engine.
 * SPDX-License-Identifier: MIT */
#include <string.h>
#include <strings.h>

#include "model/buf.h"
#include "model/limits.h"
#include "src/formats/script/call.h"
#include "src/formats/script/launch.h"

#define MATRIX_ROWS 64u /* and keys: no service runs a larger one */

/* --- which files ------------------------------------------------------------------------------ */

static bool is_workflow(const char *path)
{
	return strstr(path, ".github/") || strstr(path, ".gitea/") || strstr(path, ".forgejo/");
}

/* Paths in these are relative to the file, not to the root. */
static bool is_build_file(const char *name)
{
	return strncasecmp(name, "skaffold", 8) == 0 || strncasecmp(name, "taskfile", 8) == 0 ||
	       strncasecmp(name, "docker-bake", 11) == 0;
}

static bool interested(const char *path)
{
	static const char *const names[] = { "azure-pipelines", "cloudbuild", ".drone", ".woodpecker",
					     "bitbucket-pipelines", ".travis", "appveyor", "buildspec" };
	const char *name = path_base(path);

	if (is_build_file(name))
		return path_ends(name, ".yml .yaml .json");
	if (!path_ends(name, ".yml .yaml"))
		return false;
	if (is_workflow(path) || strstr(path, ".circleci/") || strstr(path, ".woodpecker/") ||
	    path_ends(name, ".gitlab-ci.yml .gitlab-ci.yaml"))
		return true;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strncasecmp(name, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

static bool claims(const char *path, const char *bytes, size_t length)
{
	static const char *const needles[] = { "build-push-action", "buildah-build", "kaniko",
					       "docker build", "buildx build", "image build",
					       "podman build", "buildah bud", "buildah build",
					       "cloud-builders/docker", "Docker@", "dockerfile" };

	if (is_build_file(path_base(path)))
		return true;
	for (size_t i = 0; i < sizeof needles / sizeof *needles; i++)
		if (bytes_hold(bytes, length, needles[i]))
			return true;
	return false;
}

/* Only what turns out to build a Dockerfile of the tree becomes an artifact. */
static bool recognise(const struct input *in)
{
	(void)in;
	return false;
}

const struct format format_ci_builds = {
	.id = FORMAT_SCRIPT,
	.syntax = SYNTAX_YAML,
	.interested = interested,
	.claims = claims,
	.recognise = recognise,
};

/* --- places ----------------------------------------------------------------------------------- */

struct ci {
	struct workspace *w;
	struct input *in;
	const char *folder; /* to which paths are relative */
};

/* Where NEEDLE stands in what a node says, the node itself when it does not. */
static struct span place_of(const struct ci *ci, const struct node *n, const char *needle)
{
	const char *text = source_text(ci->in->source, n->span), *at;

	at = text && needle && *needle ? memmem(text, n->span.length, needle, strlen(needle)) : NULL;
	if (!at)
		return n->span;
	return (struct span){ .source = n->span.source,
			      .offset = n->span.offset + (uint32_t)(at - text),
			      .length = (uint32_t)strlen(needle) };
}

/* The folder in which the commands of a step run. */
static const char *folder_of(const struct ci *ci, const struct node *n)
{
	for (const struct node *p = n->parent; p; p = p->parent) {
		const char *name = node_text(node_get(p, "working-directory")), *folder;

		if (!name)
			name = node_text(node_get(p, "working_directory"));
		if (!name)
			name = node_text(node_path(p, "defaults", "run", "working-directory", NULL));
		folder = name && !strchr(name, '$')
				 ? path_join(&ci->w->snapshot->arena, ci->folder, name)
				 : NULL;
		if (folder)
			return folder;
	}
	return ci->folder;
}

static void keep(const struct ci *ci, const struct node *n, const char *folder,
		 const struct launch_words *words)
{
	const struct launch_place place = {
		.folder = folder,
		.span = place_of(ci, n, words->target ? words->target : words->file),
	};

	launch_keep_build(ci->w, ci->in, &place, words);
}

/* --- the matrix of a job ----------------------------------------------------------------------- */

static const struct node *matrix_of(const struct node *n)
{
	for (; n; n = n->parent)
		if (node_is_map(node_path(n, "strategy", "matrix", NULL)))
			return node_path(n, "strategy", "matrix", NULL);
	return NULL;
}

/* The value that "matrix.NAME" or "matrix.NAME.PART" has in a row, or NULL. */
static const char *matrix_value(struct arena *a, const char *key, const struct node *value,
				const struct node *row, const char *name, size_t length)
{
	char *first = arena_copy(a, name, length), *part = strchr(first, '.');
	const struct node *n;

	if (part)
		*part++ = '\0';
	n = row ? node_get(row, first) : key && strcmp(key, first) == 0 ? value : NULL;
	return node_text(part ? node_get(n, part) : n);
}

/* TEXT with the matrix expressions of one row put in; as it is when it gets longer than any path. */
static const char *fill(struct arena *a, const char *text, const char *key, const struct node *value,
			const struct node *row)
{
	const char *from = text, *at = text ? strstr(text, "${{") : NULL;
	const char *end = at ? strstr(at, "}}") : NULL, *filled = text;
	struct buf out = { 0 };

	for (; at && end && out.length <= LIMIT_SCALAR_SHOWN; end = at ? strstr(at, "}}") : NULL) {
		const char *name = at + 3 + strspn(at + 3, " ");
		const char *put = strncmp(name, "matrix.", 7) == 0
					  ? matrix_value(a, key, value, row, name + 7,
							 strcspn(name + 7, " }"))
					  : NULL;

		if (put) {
			buf_add(&out, from, (size_t)(at - from));
			buf_puts(&out, put);
			from = end + 2;
		}
		at = strstr(end, "${{");
	}
	if (from != text && out.length <= LIMIT_SCALAR_SHOWN) {
		buf_puts(&out, from);
		filled = arena_copy(a, buf_text(&out), out.length);
	}
	buf_free(&out);
	return filled;
}

static struct launch_words fill_words(struct arena *a, const struct launch_words *w, const char *key,
				      const struct node *value, const struct node *row)
{
	return (struct launch_words){
		.tag = fill(a, w->tag, key, value, row),
		.file = fill(a, w->file, key, value, row),
		.target = fill(a, w->target, key, value, row),
		.context = fill(a, w->context, key, value, row),
	};
}

static bool names_matrix(const struct launch_words *w)
{
	return (w->file && strstr(w->file, "matrix.")) ||
	       (w->target && strstr(w->target, "matrix.")) ||
	       (w->context && strstr(w->context, "matrix."));
}

struct matrix_rows {
	struct launch_words items[MATRIX_ROWS];
	size_t count;
};

/* Every row once for each value of a key of the matrix. */
static void multiply(struct arena *a, struct matrix_rows *rows, const struct node_item *key)
{
	size_t count = rows->count;
	const struct node *list = node_resolve(key->value);

	if (!node_is_seq(list) || !node_text(key->key) || !list->count)
		return;
	for (uint32_t i = 1; i <= list->count; i++)
		for (size_t k = 0; k < count; k++) {
			struct launch_words one = fill_words(a, &rows->items[k], node_text(key->key),
							     node_at(list, i % list->count), NULL);

			if (i < list->count && rows->count == MATRIX_ROWS)
				return;
			/* The first value takes the row's own place, last. */
			rows->items[i < list->count ? rows->count++ : k] = one;
		}
}

static void keep_rows(const struct ci *ci, const struct node *n, const struct launch_words *words)
{
	struct arena *a = &ci->w->snapshot->arena;
	const struct node *matrix = names_matrix(words) ? matrix_of(n) : NULL;
	const struct node *include = node_get(matrix, "include");
	struct matrix_rows rows = { .items = { *words }, .count = 1 };

	for (uint32_t i = 0; matrix && i < matrix->count && i < MATRIX_ROWS; i++)
		if (!node_is(matrix->items[i].key, "include") &&
		    !node_is(matrix->items[i].key, "exclude"))
			multiply(a, &rows, &matrix->items[i]);
	for (size_t i = 0; i < rows.count; i++)
		if (!names_matrix(&rows.items[i]) || !node_is_seq(include))
			keep(ci, n, ci->folder, &rows.items[i]);
	for (uint32_t i = 0; node_is_seq(include) && i < include->count && i < MATRIX_ROWS; i++) {
		struct launch_words one = fill_words(a, words, NULL, NULL, node_at(include, i));

		if (!names_matrix(&one))
			keep(ci, n, ci->folder, &one);
	}
}

/* --- maps that describe a build --------------------------------------------------------------- */

static const char *first_line(struct arena *a, const char *text)
{
	return text ? arena_copy(a, text, strcspn(text, "\n, ")) : NULL;
}

/* "uses: docker/build-push-action@v6" and its kin. */
static void action(const struct ci *ci, const struct node *step)
{
	const char *uses = node_text(node_get(step, "uses"));
	const struct node *with = node_get(step, "with");
	struct launch_words words;

	if (!uses || !(strstr(uses, "build-push-action") || strstr(uses, "buildah-build") ||
		       strstr(uses, "kaniko")))
		return;
	words = (struct launch_words){
		.file = node_text(node_get(with, "file")),
		.target = node_text(node_get(with, "target")),
		.context = node_text(node_get(with, "context")),
		.tag = first_line(&ci->w->snapshot->arena, node_text(node_get(with, "tags"))),
	};
	if (!words.file)
		words.file = first_line(&ci->w->snapshot->arena,
					node_text(node_get(with, "containerfiles")));
	if (!words.file)
		words.file = node_text(node_get(with, "dockerfile"));
	if (!words.context || strstr(words.context, "{{defaultContext}}"))
		words.context = ".";
	keep_rows(ci, with ? with : step, &words);
}

/* An item of skaffold's list that names no other builder is built from the context's Dockerfile. */
static bool is_plain_artifact(const struct node *map)
{
	static const char *const builders[] = { "bazel", "jib", "ko", "buildpacks", "custom" };
	const struct node *list = map->parent;

	if (!list || !list->parent || node_get(list->parent, "artifacts") != list)
		return false;
	for (size_t i = 0; i < sizeof builders / sizeof *builders; i++)
		if (node_get(map, builders[i]))
			return false;
	return true;
}

/* skaffold: { image, context, docker: { dockerfile, target } }, kaniko alike. */
static void artifact(const struct ci *ci, const struct node *map)
{
	const struct node *how = node_get(map, "docker");
	struct launch_words words;

	if (!how)
		how = node_get(map, "kaniko");
	if (!how && is_plain_artifact(map))
		how = map;
	if (!node_get(map, "image") || !node_is_map(how))
		return;
	words = (struct launch_words){
		.tag = node_text(node_get(map, "image")),
		.file = node_text(node_get(how, "dockerfile")),
		.target = node_text(node_get(how, "target")),
		.context = node_text(node_get(map, "context")),
	};
	if (!words.context)
		words.context = ".";
	keep(ci, how, ci->folder, &words);
}

/* The targets of a bake file. */
static void bake(const struct ci *ci, const struct node *map)
{
	const struct node *targets = map->parent ? NULL : node_get(map, "target");

	for (uint32_t i = 0; node_is_map(targets) && i < targets->count; i++) {
		const struct node *t = node_resolve(targets->items[i].value);
		const struct launch_words words = {
			.tag = node_text(node_at(node_get(t, "tags"), 0)),
			.file = node_text(node_get(t, "dockerfile")),
			.target = node_text(node_get(t, "target")),
			.context = node_text(node_get(t, "context")) ? node_text(node_get(t, "context"))
								     : ".",
		};

		if (node_is_map(t))
			keep(ci, t, ci->folder, &words);
	}
}

/* Azure: "task: Docker@2" with its own arguments. */
static void task(const struct ci *ci, const struct node *map)
{
	const char *name = node_text(node_get(map, "task"));
	const struct node *inputs = node_get(map, "inputs");
	const char *arguments = node_text(node_get(inputs, "arguments"));
	const char *target = arguments ? strstr(arguments, "--target") : NULL;
	struct launch_words words;

	if (!name || strncmp(name, "Docker@", 7) != 0 || !inputs)
		return;
	words = (struct launch_words){
		.file = node_text(node_get(inputs, "Dockerfile")),
		.context = node_text(node_get(inputs, "buildContext")),
	};
	if (target)
		words.target = first_line(&ci->w->snapshot->arena,
					  target + 8 + strspn(target + 8, " ="));
	if (!words.context || strchr(words.context, '*'))
		words.context = ".";
	if (words.file && !strchr(words.file, '*'))
		keep(ci, inputs, ci->folder, &words);
}

/* --- commands --------------------------------------------------------------------------------- */

/* kaniko's own program. */
static bool kaniko(const struct ci *ci, const struct node *n, const struct launch_args *args)
{
	struct launch_words words = { 0 };
	static const char *const names[] = { "--dockerfile", "--target", "--context",
					     "--destination" };
	const char **const values[] = { &words.file, &words.target, &words.context, &words.tag };

	if (!args->count || strcmp(shell_base_name(args->items[0].text), "executor") != 0)
		return false;
	for (size_t i = 1; i < args->count; i++)
		for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
			const char *value = launch_option_value(args, i, names[k]);

			if (value)
				*values[k] = value;
		}
	if (!words.context || strstr(words.context, "://"))
		words.context = ".";
	keep(ci, n, folder_of(ci, n), &words);
	return true;
}

static const char *target_word(const struct launch_args *args)
{
	for (size_t i = 0; i < args->count; i++)
		if (strncmp(args->items[i].text, "--target", 8) == 0)
			return args->items[i].text;
	return NULL;
}

static void command(const struct ci *ci, const struct node *n, struct launch_args *args)
{
	struct launch_place place = { .folder = folder_of(ci, n) };

	if (kaniko(ci, n, args) || !args->count)
		return;
	if (strcmp(shell_base_name(args->items[0].text), "buildah") == 0)
		args->items[0].text = "docker";
	if (!launch_find_engine(args) || !launch_build_at(args))
		return;
	place.span = place_of(ci, n, target_word(args));
	launch_add_build(ci->w, ci->in, &place, args);
}

static bool may_build(const char *text)
{
	return strstr(text, " build") || strstr(text, " bud") || strstr(text, "/kaniko/executor");
}

/* A text that a shell runs. */
static void script(const struct ci *ci, const struct node *n)
{
	struct arena *a = &ci->w->snapshot->arena;
	struct launch_variables variables;
	struct folded_builder b = { 0 };
	struct folded text;
	struct shell sh;

	if (n->kind == NODE_ALIAS || !n->text || !may_build(n->text))
		return;
	folded_add(a, &b, n->text, n->text_length, n->span.offset);
	text = folded_finish(a, &b, ci->in->source->id);
	shell_read(a, &text, SHELL_POSIX, &sh);
	launch_variables_init(a, &sh, &variables);
	for (size_t i = 0; i < sh.count; i++) {
		struct launch_args args = { 0 };
		struct call c;

		call_init(&c, &sh, i);
		if (!*c.program)
			continue;
		launch_expand(a, &variables, i, c.at, &args);
		command(ci, n, &args);
	}
}

/* The words of a program in a list: of Docker's own step, of kaniko's image. */
static void words(const struct ci *ci, const struct node *map)
{
	struct arena *a = &ci->w->snapshot->arena;
	const struct node *list = node_get(map, "args");
	const char *image = node_text(node_get(map, "name"));
	struct launch_args args = { 0 };

	if (!image || !node_is_seq(list))
		return;
	ARENA_PUSH(a, &args)->text = strstr(image, "kaniko") ? "executor"
				     : strstr(image, "docker") ? "docker" : "";
	for (uint32_t i = 0; i < list->count && args.count < LIMIT_DEPTH * 4; i++)
		if (node_text(node_at(list, i)))
			ARENA_PUSH(a, &args)->text = node_text(node_at(list, i));
	command(ci, list, &args);
}

/* --- the walk --------------------------------------------------------------------------------- */

static void visit(const struct ci *ci, const struct node *n)
{
	if (n->kind != NODE_MAP) {
		if (n->kind != NODE_SEQ)
			script(ci, n);
		return;
	}
	action(ci, n);
	artifact(ci, n);
	task(ci, n);
	words(ci, n);
	if (path_ends(ci->in->artifact->path, ".json"))
		bake(ci, n);
}

static void walk(const struct ci *ci, const struct node *root)
{
	struct {
		const struct node *node;
		uint32_t next;
	} levels[LIMIT_DEPTH + 1] = { { root, 0 } };
	size_t depth = root ? 1 : 0;

	while (depth) {
		const struct node *n = levels[depth - 1].node;
		bool inner = n->kind == NODE_MAP || n->kind == NODE_SEQ;

		if (levels[depth - 1].next == 0)
			visit(ci, n);
		if (!inner || levels[depth - 1].next == n->count) {
			depth--;
			continue;
		}
		n = n->items[levels[depth - 1].next++].value;
		if (n && depth <= LIMIT_DEPTH) {
			levels[depth].node = n;
			levels[depth++].next = 0;
		}
	}
}

static void collect(struct workspace *w, struct input *in)
{
	const char *path = in->artifact->path;
	const struct ci ci = {
		.w = w,
		.in = in,
		.folder = is_build_file(path_base(path))
				  ? path_folder(&w->snapshot->arena, path)
				  : "",
	};

	for (size_t i = 0; i < in->documents.count; i++)
		walk(&ci, in->documents.items[i]);
	if (launch_file_of(in))
		input_assess(in, FORMAT_SCRIPT);
}

void ci_builds_collect(struct workspace *w)
{
	size_t count = w->inputs.count;

	for (size_t i = 0; i < count; i++) {
		struct input *in = w->inputs.items[i];

		if (in->source && !launch_file_of(in) && interested(in->artifact->path) &&
		    claims(in->artifact->path, in->source->bytes, in->source->length))
			collect(w, in);
	}
}

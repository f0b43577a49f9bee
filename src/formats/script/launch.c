/* Rows of containers that a script starts, and the images that it builds.
 * SPDX-License-Identifier: MIT */
#include "src/formats/script/launch.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "model/limits.h"
#include "src/formats/run/run_facts.h"
#include "src/formats/script/call.h"
#include "src/formats/script/steps.h"
#include "src/syntax/image_ref.h"

const struct launch_file *launch_file_of(const struct input *in)
{
	return in ? in->state[FORMAT_SCRIPT] : NULL;
}

/* --- the engine -------------------------------------------------------------------------------- */

/* "$DOCKER", "${CONTAINER_ENGINE}", "$(DOCKER_CMD)": a variable that names the engine. */
static bool is_engine_variable(const char *word)
{
	return word[0] == '$' && (strcasestr(word, "docker") || strcasestr(word, "engine") ||
				  strcasestr(word, "podman") || strcasestr(word, "container_cmd") ||
				  strcasestr(word, "container_tool") ||
				  strcasestr(word, "container_runtime"));
}

static bool is_engine(const char *word)
{
	const char *name = shell_base_name(word);

	return word_in("docker podman nerdctl docker.exe podman.exe", name);
}

/* Makes the first word the name of the engine; false when it is none. */
static bool find_engine(struct launch_args *args)
{
	if (args->count < 2)
		return false;
	if (is_engine_variable(args->items[0].text))
		args->items[0].text = "docker";
	else if (!is_engine(args->items[0].text))
		return false;
	if (path_ends(args->items[0].text, ".exe"))
		args->items[0].text = "docker";
	return true;
}

/* --- run --------------------------------------------------------------------------------------- */

/* Says how the row is called: by its own name (as written, when a variable gives it), else by its image. */
static const char *row_name(struct arena *a, const struct docker_run *run)
{
	const struct docker_option *name = docker_run_option(run, "name");
	struct image_ref ref;

	if (name && *name->value && strlen(name->value) <= 60)
		return name->value;
	if (!run->image.text || strstr(run->image.text, "$(") || strlen(run->image.text) > 120)
		return "run";
	ref = image_ref_parse(a, run->image.text);
	return ref.error == IMAGE_REF_OK ? path_base(ref.path) : run->image.text;
}

/* Counts the rows of a script; one problem says where the limit was reached. */
static bool may_add_row(struct workspace *w, struct input *in, struct span span)
{
	struct launch_file *file = in->state[FORMAT_SCRIPT];

	if (file->rows++ == LIMIT_LAUNCHES)
		input_problem(w, in, span, "%s: more than %u containers: the others are not assessed",
			      in->artifact->path, LIMIT_LAUNCHES);
	return file->rows <= LIMIT_LAUNCHES;
}

static void add_run(struct workspace *w, struct input *in, const struct docker_run *run,
		    struct span span)
{
	struct arena *a = &w->snapshot->arena;
	const struct row_spec spec = {
		.path = in->artifact->path,
		.object_kind = "launch",
		.unit = row_name(a, run),
		.kind = ROW_MAIN,
		.format = FORMAT_RUN,
		.artifact = in->artifact->index,
		.span = span,
	};

	if (!may_add_row(w, in, span))
		return;
	run_facts(w, snapshot_add_row(w->snapshot, &spec), run, span);
}

/* "docker exec --privileged": a hook into a container that runs. */
static void add_exec(struct workspace *w, struct input *in, const struct docker_run *run,
		     struct span span)
{
	struct arena *a = &w->snapshot->arena;
	const struct docker_option *user = docker_run_option(run, "user");
	struct row_spec spec = {
		.path = in->artifact->path,
		.object_kind = "exec",
		.unit = run->image.text ? run->image.text : "exec",
		.kind = ROW_HOOK,
		.format = FORMAT_RUN,
		.artifact = in->artifact->index,
		.span = span,
	};
	struct fact *f;
	struct row *row;

	if (!docker_run_switch(run, "privileged", false) || !may_add_row(w, in, span))
		return;
	row = snapshot_add_row(w->snapshot, &spec);
	f = snapshot_add_fact(w->snapshot, row, FACT_HOOK,
			      arena_printf(a, "exec in %s", spec.unit), span);
	snapshot_set_attribute(w->snapshot, f, "event", "exec");
	snapshot_set_attribute(w->snapshot, f, "where", "container");
	snapshot_set_attribute(w->snapshot, f, "privileged", "true");
	snapshot_set_attribute(w->snapshot, f, "user", user ? user->value : NULL);
}

/* --- build ------------------------------------------------------------------------------------- */

static bool takes_value(const char *option)
{
	return word_in("-t --tag -f --file --target --build-arg --label --platform --network --secret "
		       "--ssh --cache-from --cache-to --output -o --progress --build-context --add-host "
		       "--iidfile --metadata-file --builder --memory -m --shm-size --ulimit --isolation "
		       "--allow --annotation --attest --sbom --provenance --security-opt --cgroup-parent "
		       "--cpu-shares -c --cpuset-cpus --cpuset-mems --format --layers --squash --volume "
		       "-v --runtime --userns --arch --os",
		       option);
}

/* The folder or file NAME as the script sees it: beside the script, or from the root. */
static const char *find_path(struct workspace *w, const struct input *in, const char *name)
{
	struct arena *a = &w->snapshot->arena;
	const char *slash = strrchr(name, '/');
	const char *path;

	if (name[0] == '$')
		name = slash && !strchr(slash, '$') ? slash + 1 : ".";
	path = path_join(a, path_folder(a, in->artifact->path), name);
	if (path && (!*path || w->exists(w, path)))
		return path;
	path = path_join(a, "", name);
	return path && (!*path || w->exists(w, path)) ? path : NULL;
}

struct build_words {
	const char *tag, *file, *target, *context;
};

static const char *value_of(const struct launch_args *args, size_t *i, const char *name)
{
	const char *word = args->items[*i].text;
	size_t n = strlen(name);

	if (strncmp(word, name, n) != 0)
		return NULL;
	if (word[n] == '=')
		return word + n + 1;
	return !word[n] && *i + 1 < args->count ? args->items[*i + 1].text : NULL;
}

static struct build_words read_build(const struct launch_args *args, size_t at)
{
	struct build_words b = { 0 };
	static const char *const names[] = { "-t", "--tag", "-f", "--file", "--target" };
	const char **const values[] = { &b.tag, &b.tag, &b.file, &b.file, &b.target };

	for (size_t i = at; i < args->count; i++) {
		const char *word = args->items[i].text;

		if (word[0] != '-' || !word[1]) {
			b.context = word;
			continue;
		}
		for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
			const char *value = value_of(args, &i, names[k]);

			if (value && !*values[k])
				*values[k] = value;
		}
		i += takes_value(word);
	}
	return b;
}

static void add_build(struct workspace *w, struct input *in, const struct launch_args *args, size_t at,
		      struct span span)
{
	struct arena *a = &w->snapshot->arena;
	struct launch_file *file = in->state[FORMAT_SCRIPT];
	struct build_words b = read_build(args, at);
	const char *context = b.context && !strstr(b.context, "://") ? find_path(w, in, b.context)
								     : NULL;
	const char *path = NULL;

	if (b.file)
		path = find_path(w, in, b.file);
	else if (context)
		path = path_join(a, context, "Dockerfile");
	if (!path || !w->exists(w, path))
		return;
	*ARENA_PUSH(a, &file->builds) = (struct launch_build){
		.name = b.tag,
		.dockerfile = path,
		.context = context ? context : path_folder(a, path),
		.target = b.target && b.target[0] != '$' ? b.target : NULL,
		.span = span,
	};
}

/* The word behind "build", "buildx build", "image build"; 0 when it is something else. */
static size_t build_words_at(const struct launch_args *args)
{
	size_t i = 1;

	while (i < args->count && args->items[i].text[0] == '-')
		i++;
	if (i < args->count && word_in("buildx image builder", args->items[i].text))
		i++;
	return i < args->count && word_in("build bake", args->items[i].text) ? i + 1 : 0;
}

/* --- commands ---------------------------------------------------------------------------------- */

static void read_command(struct workspace *w, struct input *in, struct launch_variables *v,
			 size_t index)
{
	struct arena *a = &w->snapshot->arena;
	struct launch_args args = { 0 };
	struct docker_run run;
	struct call c;

	call_init(&c, v->sh, index);
	if (!*c.program || !(is_engine(call_word(&c, 0)) || call_word(&c, 0)[0] == '$'))
		return;
	launch_expand(a, v, index, c.at, &args);
	if (!find_engine(&args))
		return;
	if (build_words_at(&args)) {
		add_build(w, in, &args, build_words_at(&args), c.command->span);
		return;
	}
	if (!docker_run_read(a, args.items, args.count, &run))
		return;
	if (run.verb == DOCKER_EXEC)
		add_exec(w, in, &run, c.command->span);
	else if (run.image.text || run.option_count || run.opaque_count)
		add_run(w, in, &run, c.command->span);
}

void launch_read(struct workspace *w, struct input *in)
{
	struct launch_variables variables;
	struct shell sh;

	in->state[FORMAT_SCRIPT] = ARENA_NEW(&w->snapshot->arena, struct launch_file);
	launch_shell(w, in, &sh);
	if (sh.truncated)
		input_problem(w, in, (struct span){ .source = in->source->id },
			      "%s: too many commands: the rest is not assessed", in->artifact->path);
	launch_variables_init(&w->snapshot->arena, &sh, &variables);
	for (size_t i = 0; i < sh.count; i++)
		read_command(w, in, &variables, i);
}

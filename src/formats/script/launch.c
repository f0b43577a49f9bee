/* Rows of containers that a script starts.
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

bool launch_find_engine(struct launch_args *args)
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
	if (!launch_find_engine(&args))
		return;
	if (launch_build_at(&args)) {
		launch_add_build(w, in, &(struct launch_place){ path_folder(a, in->artifact->path),
								c.command->span }, &args);
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

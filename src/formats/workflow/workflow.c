/* Containers of GitHub workflows: job containers, service containers, container steps.
 *
 * Source: actions/runner of 2026. On hosted runners the machine around them is thrown away; on
 * self-hosted ones it stays, and the runner gives every job container the engine's socket.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "src/formats/run/argv.h"
#include "src/formats/run/container_facts.h"
#include "src/formats/run/run_facts.h"

struct job {
	struct workspace *w;
	struct input *in;
	const char *name;
	const struct node *node;
	bool self_hosted;
};

static bool interested(const char *path)
{
	return path_ends(path, ".yml .yaml") &&
	       (strstr(path, ".github/workflows/") || strstr(path, ".gitea/workflows/") ||
	        strstr(path, ".forgejo/workflows/"));
}

static bool claims(const char *path, const char *bytes, size_t length)
{
	(void)path;
	return bytes_hold(bytes, length, "jobs");
}

static const struct node *jobs_of(const struct input *in)
{
	return in->documents.count ? node_get(in->documents.items[0], "jobs") : NULL;
}

static bool recognise(const struct input *in)
{
	return node_is_map(jobs_of(in));
}

static struct row *add_row(const struct job *j, const char *container, struct span span)
{
	const struct row_spec spec = {
		.path = j->in->artifact->path,
		.object_kind = "job",
		.unit = j->name,
		.container = container,
		.kind = ROW_MAIN,
		.format = FORMAT_WORKFLOW,
		.artifact = j->in->artifact->index,
		.span = span,
	};

	return snapshot_add_row(j->w->snapshot, &spec);
}

/* --- one container -------------------------------------------------------------------------- */

/* "options" is a text of engine flags. */
static void read_options(const struct job *j, struct row *row, const struct node *options)
{
	struct arena *a = &j->w->snapshot->arena;
	struct argv words = { 0 };
	struct docker_arg *args;
	struct docker_run run;

	if (!node_text(options))
		return;
	argv_split(a, &words, node_text(options), options->span);
	args = arena_array(a, words.count + 1, sizeof *args);
	for (size_t i = 0; i < words.count; i++)
		args[i] = (struct docker_arg){ .text = words.items[i].text,
			                       .span = words.items[i].span,
			                       .literal = !strchr(words.items[i].text, '$') };
	docker_run_options(a, DOCKER_TOOL_DOCKER, args, words.count, &run);
	run_option_facts(j->w, row, &run);
}

static void read_volumes(const struct job *j, struct row *row, const struct node *list)
{
	for (uint32_t i = 0; node_is_seq(list) && i < list->count; i++) {
		const struct node *item = node_at(list, i);
		struct volume_spec spec;

		if (!node_text(item))
			continue;
		spec = volume_parse_compose(&j->w->snapshot->arena, node_text(item));
		mount_fact(j->w, row, &spec, item->span);
	}
}

static void read_ports(const struct job *j, struct row *row, const struct node *list)
{
	for (uint32_t i = 0; node_is_seq(list) && i < list->count; i++)
		if (node_text(node_at(list, i)))
			port_fact(j->w, row, node_text(node_at(list, i)), node_at(list, i)->span);
}

static void read_env(const struct job *j, struct row *row, const struct node *map)
{
	for (uint32_t i = 0; node_is_map(map) && i < map->count; i++) {
		const char *value = node_text(map->items[i].value);

		if (node_text(map->items[i].key))
			env_fact(j->w, row, node_text(map->items[i].key), value ? value : "",
			         map->items[i].key->span);
	}
}

/* The runner binds the engine's socket into job containers, not into services. */
static void runner_socket(const struct job *j, struct row *row)
{
	static const struct volume_spec socket = {
		.type = "bind",
		.source = "/var/run/docker.sock",
		.target = "/var/run/docker.sock",
	};

	if (j->self_hosted)
		mount_fact(j->w, row, &socket, row->span)->note =
		    "bound by the runner into every job container";
}

static void read_container(const struct job *j, const char *name, const struct node *n,
                           struct span span, bool of_job)
{
	const struct node *image = node_is_map(n) ? node_get(n, "image") : n;
	struct row *row = add_row(j, name, span);

	if (node_text(image))
		image_fact(j->w, row, FACT_IMAGE, node_text(image), image->span);
	read_options(j, row, node_get(n, "options"));
	read_volumes(j, row, node_get(n, "volumes"));
	read_ports(j, row, node_get(n, "ports"));
	read_env(j, row, node_get(n, "env"));
	if (of_job)
		runner_socket(j, row);
	if (!row_first(row, FACT_NETWORK, LAYER_DECLARED) &&
	    !row_first(row, FACT_NETWORK_MODE, LAYER_DECLARED))
		snapshot_add_absent(j->w->snapshot, row, FACT_NETWORK, "network of the job", span,
		                    "the runner makes a network for each job");
	container_defaults(j->w, row, LAYER_DECLARED, span);
}

/* --- jobs ----------------------------------------------------------------------------------- */

/* "runs-on" is a label, a list of labels, or a map with "labels". */
static bool names_self(const struct node *runs_on)
{
	const struct node *labels = node_is_map(runs_on) ? node_get(runs_on, "labels") : runs_on;

	if (node_text(labels))
		return strstr(node_text(labels), "self-hosted") != NULL;
	for (uint32_t i = 0; node_is_seq(labels) && i < labels->count; i++)
		if (node_is(node_at(labels, i), "self-hosted"))
			return true;
	return false;
}

/* "uses: docker://IMAGE" */
static void read_steps(const struct job *j)
{
	const struct node *steps = node_get(j->node, "steps");

	for (uint32_t i = 0; node_is_seq(steps) && i < steps->count; i++) {
		const struct node *uses = node_get(node_at(steps, i), "uses");
		struct row *row;

		if (!node_text(uses) || strncmp(node_text(uses), "docker://", 9) != 0)
			continue;
		row =
		    add_row(j, arena_printf(&j->w->snapshot->arena, "step %u", i + 1), uses->span);
		image_fact(j->w, row, FACT_IMAGE, node_text(uses) + 9, uses->span);
		read_env(j, row, node_get(node_at(steps, i), "env"));
		runner_socket(j, row);
		container_defaults(j->w, row, LAYER_DECLARED, uses->span);
	}
}

static void read_job(const struct job *j)
{
	const struct node_item *container = node_find(j->node, "container");
	const struct node *services = node_get(j->node, "services");

	if (container && (node_text(container->value) || node_is_map(container->value)))
		read_container(j, "container", node_resolve(container->value), container->key->span,
		               true);
	for (uint32_t i = 0; node_is_map(services) && i < services->count; i++)
		if (node_text(services->items[i].key))
			read_container(j, node_text(services->items[i].key),
			               node_resolve(services->items[i].value),
			               services->items[i].key->span, false);
	read_steps(j);
}

static void read(struct workspace *w, struct input *in)
{
	const struct node *jobs = jobs_of(in);

	for (uint32_t i = 0; jobs && i < jobs->count; i++) {
		const struct job j = {
			.w = w,
			.in = in,
			.name = node_text(jobs->items[i].key),
			.node = node_resolve(jobs->items[i].value),
			.self_hosted = names_self(node_get(jobs->items[i].value, "runs-on")),
		};

		if (j.name && node_is_map(j.node))
			read_job(&j);
	}
}

const struct format format_workflow = {
	.id = FORMAT_WORKFLOW,
	.syntax = SYNTAX_YAML,
	.interested = interested,
	.claims = claims,
	.recognise = recognise,
	.read = read,
};

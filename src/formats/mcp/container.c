/* Servers that run in a container: "docker run -i --rm IMAGE" gives the container a row of its own.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "src/formats/mcp/mcp.h"
#include "src/formats/run/run_facts.h"
#include "src/syntax/image_ref.h"

static struct docker_arg *words_of(struct arena *a, const struct argv *v, size_t at)
{
	struct docker_arg *args = arena_array(a, v->count - at, sizeof *args);

	for (size_t i = at; i < v->count; i++)
		args[i - at] = (struct docker_arg){
			.text = v->items[i].text,
			.span = v->items[i].span,
			.literal = !strchr(v->items[i].text, '$'),
		};
	return args;
}

static struct row *container_row(const struct mcp_server *s, struct span span)
{
	const struct row_spec spec = {
		.path = s->in->artifact->path,
		.object_kind = "mcp",
		.unit = s->name,
		.container = "container",
		.kind = ROW_MAIN,
		.role = ROLE_MCP_SERVER,
		.format = FORMAT_RUN,
		.artifact = s->in->artifact->index,
		.span = span,
	};
	struct row *row = snapshot_add_row(s->w->snapshot, &spec);

	row->parent = s->row->index + 1;
	row->role_reason = s->row->role_reason;
	row->activity = s->row->activity;
	row->activity_reason = s->row->activity_reason;
	return row;
}

/* A digest, or a tag that names one release. */
static void image_package(struct mcp_server *s, const struct docker_run *run, const char *tool)
{
	struct arena *a = &s->w->snapshot->arena;
	struct image_ref ref = image_ref_parse(a, run->image.text);
	struct fact *f = mcp_fact(s, FACT_PACKAGE, run->image.text, run->image.span);

	mcp_set(s, f, "manager", tool);
	if (ref.error != IMAGE_REF_OK) {
		f->provenance = PROVENANCE_UNRESOLVED;
		return;
	}
	mcp_set(s, f, "name", ref.path);
	mcp_set(s, f, "version", *ref.digest ? ref.digest : ref.tag);
	mcp_set(s, f, "pinned", *ref.digest || mcp_is_exact_version(ref.tag) ? "true" : "false");
}

void mcp_read_container(struct mcp_server *s, const struct argv *v, size_t at)
{
	struct arena *a = &s->w->snapshot->arena;
	const char *tool = argv_program(a, v->items[at].text);
	struct docker_run run;
	struct fact *f;

	if (!docker_run_read(a, words_of(a, v, at), v->count - at, &run))
		return;
	f = mcp_fact(s, FACT_SANDBOX, "on", v->items[at].span);
	mcp_set(s, f, "product", tool);
	mcp_set(s, f, "setting", run.verb == DOCKER_EXEC ? "exec" : "run");
	if (run.verb == DOCKER_EXEC)
		return;
	if (run.image.text)
		image_package(s, &run, tool);
	run_facts(s->w, container_row(s, run.image.text ? run.image.span : v->items[at].span), &run,
	          v->items[at].span);
}

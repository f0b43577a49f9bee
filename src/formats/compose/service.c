/* One service becomes one row; its pre_start steps, containers of their own, become rows too.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "src/formats/compose/rows.h"

static struct row *new_row(struct workspace *w, const char *name, const char *step,
                           const struct crow_place *place, enum row_kind kind)
{
	const struct artifact *artifact = snapshot_artifact_by_path(w->snapshot, place->path);
	struct row_spec spec = {
		.path = place->path,
		.object_kind = "service",
		.unit = name,
		.container = step,
		.kind = kind,
		.format = FORMAT_COMPOSE,
		.artifact = artifact ? artifact->index : 0,
		.span = place->span,
	};
	struct row *row = snapshot_add_row(w->snapshot, &spec);

	row->activity = place->activity;
	row->activity_reason = place->reason;
	return row;
}

static void all_facts(const struct crow *r)
{
	crow_image(r);
	crow_privileges(r);
	crow_mounts(r);
	crow_network(r);
	crow_socket_proxy(r);
	crow_secrets(r);
	crow_resources(r);
	container_defaults(r->w, r->row, LAYER_DECLARED, r->row->span);
}

/* A provider is a command of the host that Compose runs in place of a container. */
static bool is_provided(const struct cvalue *service)
{
	return cvalue_is_map(cvalue_get(service, "provider"));
}

static void provider_facts(const struct crow *r)
{
	const struct cvalue *provider = cvalue_get(r->service, "provider");
	struct fact *f = crow_fact(r, FACT_HOST_COMMAND, cvalue_get(provider, "type"));

	crow_attribute(r, f, "event", "provider");
	crow_facts(r, FACT_PROFILE, cvalue_get(r->service, "profiles"));
	crow_secrets(r);
}

/* A step shares volumes and networks of its service; image, user and privileges are its own. */
static void step_facts(const struct crow *r, const struct cvalue *step)
{
	const struct cvalue *image = cvalue_get(step, "image"), *user = cvalue_get(step, "user");

	if (cvalue_text(image))
		crow_trace(r, image_fact(r->w, r->row, FACT_IMAGE, crow_shown(image), image->span),
		           image);
	crow_command(r, step);
	if (cvalue_text(user))
		crow_trace(r, user_fact(r->w, r->row, crow_shown(user), user->span), user);
	crow_fact(r, FACT_PRIVILEGED, cvalue_get(step, "privileged"));
	crow_fact(r, FACT_WORKDIR, cvalue_get(step, "working_dir"));
	crow_environment(r, cvalue_get(step, "environment"));
	crow_mounts(r);
	crow_network(r);
	container_defaults(r->w, r->row, LAYER_DECLARED, r->row->span);
}

static const char *step_name(struct arena *a, const struct crow *r, const struct cvalue *step)
{
	const char *words = crow_words(r, cvalue_get(step, "command"));

	return arena_printf(a, "pre_start:%.*s", (int)strcspn(words, " /#"), words);
}

static void steps(const struct crow *service, const struct crow_place *place)
{
	const struct cvalue *list = cvalue_get(service->service, "pre_start");
	struct arena *a = &service->w->snapshot->arena;

	for (size_t i = 0; cvalue_is_list(list) && i < list->count; i++) {
		const struct cvalue *step = list->items[i].value;
		struct crow_place here = *place;
		struct crow r = *service;

		if (!cvalue_is_map(step))
			continue;
		here.span = step->span;
		r.row = new_row(r.w, r.name, step_name(a, service, step), &here, ROW_HOOK);
		r.row->parent = service->row->index + 1;
		step_facts(&r, step);
	}
}

struct row *crow_add(struct workspace *w, const struct compose_project *project, const char *name,
                     const struct cvalue *service, const struct crow_place *place)
{
	struct crow r = { w, project, service, name, NULL };

	if (is_provided(service)) {
		r.row = new_row(w, name, NULL, place, ROW_TOOL_SUBPROCESS);
		provider_facts(&r);
		return r.row;
	}
	r.row = new_row(w, name, NULL, place, ROW_MAIN);
	all_facts(&r);
	steps(&r, place);
	return r.row;
}

/* Volumes, devices and shared volumes of a service.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "src/formats/compose/rows.h"
#include "src/syntax/volume_spec.h"

static const char *text_at(const struct cvalue *map, const char *key)
{
	const struct cvalue *v = cvalue_get(map, key);

	return cvalue_text(v) ? crow_shown(v) : "";
}

/* A relative source as it lies in the tree: "./data", "." for the root; others as written. */
static const char *bind_source(const struct crow *r, const char *source, bool *in_tree)
{
	struct arena *a = &r->w->snapshot->arena;
	const char *path;

	*in_tree = false;
	if (source[0] != '.' || strchr(source, '$'))
		return source;
	path = path_join(a, r->project->folder, source);
	*in_tree = path != NULL;
	if (!path)
		return compose_join(a, r->project->folder, source);
	return path[0] ? arena_printf(a, "./%s", path) : ".";
}

/* A volume that driver options make a bind of a host path, or a network share. */
static const char *look_behind(const struct crow *r, struct volume_spec *m, bool *in_tree)
{
	const char *name = m->source;
	const struct cvalue *volume =
	    cvalue_get(cvalue_get(r->project->model, "volumes"), m->source);
	const struct cvalue *options = cvalue_get(volume, "driver_opts");
	const char *device = text_at(options, "device"), *o = text_at(options, "o");
	const char *type = text_at(options, "type");

	if (!device[0])
		return NULL;
	m->source = device;
	if (strstr(o, "bind") || strcmp(type, "none") == 0) {
		m->type = "bind";
		m->source = bind_source(r, device, in_tree);
	} else if (type[0]) {
		m->type = type;
	}
	return name;
}

static struct fact *add_mount(const struct crow *r, const struct volume_spec *m, bool in_tree,
                              struct span span)
{
	struct fact *f = mount_fact(r->w, r->row, m, span);

	if (in_tree)
		crow_attribute(r, f, "project", "true");
	return f;
}

static void mount_flags(const struct crow *r, struct fact *f, const struct cvalue *v)
{
	const struct cvalue *source = cvalue_get(v, "source"), *target = cvalue_get(v, "target");
	const struct cvalue *read_only = cvalue_get(v, "read_only");
	const struct cvalue *parts[] = { source, target, read_only };

	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		if (!parts[i] || !(parts[i]->unresolved || parts[i]->defaulted || parts[i]->former))
			continue;
		crow_trace(r, f, parts[i]);
		break;
	}
	if (v->former && f->via_count == 0)
		for (const struct cformer *c = v->former; c; c = c->next)
			snapshot_add_hop(r->w->snapshot, f, c->span, c->text, NULL);
}

/* A short form with a variable that has no value is taken apart as it is written: what stands for the
 * empty string would move the parts. A source that is only a variable may be a path as well as a name,
 * and a path reaches further. */
static void as_written(const struct crow *r, const struct cvalue *v, struct volume_spec *m)
{
	const struct cvalue *target = cvalue_get(v, "target");
	struct volume_spec spec;

	if (!v->unresolved || !v->raw || !target || !target->raw)
		return;
	spec = volume_parse_compose(&r->w->snapshot->arena, target->raw);
	if (spec.error)
		return;
	if (spec.source[0] == '$')
		spec.type = "bind";
	*m = spec;
}

static void volume(const struct crow *r, const struct cvalue *v)
{
	const char *type = text_at(v, "type");
	const struct cvalue *bind = cvalue_get(v, "bind");
	struct volume_spec m = {
		.type = type[0] ? type : "volume",
		.source = text_at(v, "source"),
		.target = text_at(v, "target"),
		.read_only = cvalue_is_true(cvalue_get(v, "read_only")) ? VOLUME_ON : VOLUME_UNSET,
		.propagation = cvalue_text(cvalue_get(bind, "propagation")),
		.recursive = cvalue_text(cvalue_get(bind, "recursive")),
		.subpath = cvalue_text(cvalue_path(v, "volume", "subpath", NULL)),
	};
	const char *behind = NULL;
	bool in_tree = false;
	struct fact *f;

	as_written(r, v, &m);
	if (strcmp(type, "tmpfs") == 0) {
		crow_fact(r, FACT_TMPFS, cvalue_get(v, "target"));
		return;
	}
	if (strcmp(m.type, "bind") == 0)
		m.source = bind_source(r, m.source, &in_tree);
	else if (m.source[0] && strcmp(m.type, "volume") == 0)
		behind = look_behind(r, &m, &in_tree);
	f = add_mount(r, &m, in_tree, v->span);
	crow_attribute(r, f, "volume", behind);
	mount_flags(r, f, v);
}

static void configs(const struct crow *r)
{
	const struct cvalue *list = cvalue_get(r->service, "configs");

	for (size_t i = 0; cvalue_is_list(list) && i < list->count; i++) {
		const struct cvalue *v = list->items[i].value;
		const char *name = text_at(v, "source"), *target = text_at(v, "target");
		const struct cvalue *file =
		    cvalue_path(r->project->model, "configs", name, "file", NULL);
		struct volume_spec m = { .type = "config", .source = name, .read_only = VOLUME_ON };
		const struct cvalue *content =
		    cvalue_path(r->project->model, "configs", name, "content", NULL);
		bool in_tree = false;

		m.target = target[0] ? target : arena_printf(&r->w->snapshot->arena, "/%s", name);
		if (cvalue_text(file)) {
			m.source = bind_source(r, file->text, &in_tree);
			/* The engine mounts the host's file. */
			m.type = in_tree ? m.type : "bind";
		}
		if (cvalue_text(content) && span_is_set(content->span) && !content->implied)
			seen_add(r->w, r->row, m.target, crow_shown(content), content->span);
		crow_trace(r, add_mount(r, &m, in_tree, v->span), v);
	}
}

static void devices(const struct crow *r)
{
	const struct cvalue *list = cvalue_get(r->service, "devices");

	for (size_t i = 0; cvalue_is_list(list) && i < list->count; i++) {
		const struct cvalue *v = list->items[i].value, *source = cvalue_get(v, "source");
		struct fact *f;

		if (!cvalue_text(source))
			continue;
		f = snapshot_add_fact(r->w->snapshot, r->row, FACT_DEVICE, crow_shown(source),
		                      v->span);
		crow_trace(r, f, source);
		crow_attribute(r, f, "target", cvalue_text(cvalue_get(v, "target")));
		crow_attribute(r, f, "mode", cvalue_text(cvalue_get(v, "permissions")));
	}
	crow_facts(r, FACT_DEVICE_RULE, cvalue_get(r->service, "device_cgroup_rules"));
}

static void gpu_requests(const struct crow *r, const struct cvalue *list)
{
	for (size_t i = 0; cvalue_is_list(list) && i < list->count; i++) {
		const struct cvalue *v = list->items[i].value;
		const char *driver = text_at(v, "driver"), *count = text_at(v, "count");

		if (v->kind != CVALUE_MAP)
			continue;
		crow_fact_text(r, FACT_GPU,
		               arena_printf(&r->w->snapshot->arena, "%s%s%s",
		                            driver[0] ? driver : "gpu", count[0] ? " × " : "",
		                            strcmp(count, "-1") == 0 ? "all" : count),
		               v);
	}
}

/* develop.watch: while it runs, what changes on the host is copied into the container. */
static void watch(const struct crow *r)
{
	const struct cvalue *list = cvalue_path(r->service, "develop", "watch", NULL);
	struct arena *a = &r->w->snapshot->arena;

	for (size_t i = 0; cvalue_is_list(list) && i < list->count; i++) {
		const struct cvalue *v = list->items[i].value;
		const char *action = text_at(v, "action"), *path = text_at(v, "path");
		const struct cvalue *command = cvalue_path(v, "exec", "command", NULL);
		bool in_tree = false;
		struct fact *f;

		if (strncmp(action, "sync", 4) != 0)
			continue;
		path = bind_source(r, path[0] == '/' || path[0] == '.'
					      ? path
					      : arena_printf(a, "./%s", path), &in_tree);
		f = crow_fact_text(r, FACT_SYNC,
		                   arena_printf(a, "%s:%s", path, text_at(v, "target")), v);
		crow_attribute(r, f, "action", action);
		crow_attribute(r, f, "source", path);
		crow_attribute(r, f, "target", text_at(v, "target"));
		crow_attribute(r, f, "project", in_tree ? "true" : "false");
		if (cvalue_is_true(cvalue_get(v, "initial_sync")))
			crow_attribute(r, f, "initial", "true");
		if (command)
			crow_hook(r, "watch", cvalue_get(v, "exec"));
	}
}

void crow_mounts(const struct crow *r)
{
	const struct cvalue *list = cvalue_get(r->service, "volumes");

	for (size_t i = 0; cvalue_is_list(list) && i < list->count; i++)
		if (cvalue_is_map(list->items[i].value))
			volume(r, list->items[i].value);
	configs(r);
	watch(r);
	crow_facts(r, FACT_VOLUMES_FROM, cvalue_get(r->service, "volumes_from"));
	devices(r);
	gpu_requests(r, cvalue_get(r->service, "gpus"));
	gpu_requests(
	    r, cvalue_path(r->service, "deploy", "resources", "reservations", "devices", NULL));
}

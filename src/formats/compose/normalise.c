/* What Compose fills in when nothing is written.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "src/formats/compose/load.h"

static void imply_text(struct cload *c, struct cvalue *map, const char *key, const char *text)
{
	cvalue_imply(c->arena, map, key, cvalue_string(c->arena, text, map->span));
}

/* A member that must be a map: a null one becomes empty. */
static struct cvalue *map_at(struct cload *c, struct cvalue *parent, size_t i)
{
	struct cvalue *v = parent->items[i].value, *map;

	if (cvalue_is_map(v))
		return v;
	map = cvalue_new(c->arena, CVALUE_MAP, parent->items[i].key_span);
	map->implied = v->kind == CVALUE_NULL;
	parent->items[i].value = map;
	return map;
}

static void build(struct cload *c, struct cvalue *service)
{
	struct cvalue *v = cvalue_get(service, "build");

	if (!cvalue_is_map(v))
		return;
	imply_text(c, v, "context", ".");
	if (!cvalue_member(v, "dockerfile_inline"))
		imply_text(c, v, "dockerfile", "Dockerfile");
}

/* Names without a value take it from the variables as supplied, if they are among them. */
static void pass_through(struct cload *c, struct cvalue *pairs)
{
	for (size_t i = 0; i < cvalue_count(pairs); i++) {
		struct cvalue *v = pairs->items[i].value;
		const char *value = v->kind == CVALUE_NULL && !v->elided
		                        ? env_value(c->env, pairs->items[i].key)
		                        : NULL;

		if (!value)
			continue;
		v = cvalue_derive(c->arena, v, CVALUE_STRING, value);
		v->variable = pairs->items[i].key;
		pairs->items[i].value = v;
	}
}

static void drop_unsupplied(struct cload *c, struct cvalue *pairs)
{
	if (!cvalue_count(pairs))
		return;
	for (size_t i = 0; i < pairs->count; i++)
		if (pairs->items[i].value->kind == CVALUE_NULL)
			pairs->items[i].value = NULL;
	cvalue_compact(c->arena, pairs);
}

static void add_env_file(struct cload *c, struct cvalue *environment, const struct cvalue *entry,
                         const struct dotenv *values)
{
	for (size_t i = 0; i < values->count; i++) {
		struct cvalue *v;

		if (cvalue_member(environment, values->items[i].name) ||
		    (!values->items[i].value && !c->options->review))
			continue;
		v = cvalue_string(c->arena, values->items[i].value ? values->items[i].value : "",
		                  values->items[i].value_span);
		v->external = true;
		v->former = NULL;
		cvalue_set(c->arena, environment, values->items[i].name, values->items[i].name_span,
		           v);
	}
	(void)entry;
}

static bool is_raw(struct cload *c, const struct cvalue *entry)
{
	const struct cvalue *format = cvalue_get(entry, "format");
	bool raw = cvalue_text(format) && strcmp(format->text, "raw") == 0;

	if (cvalue_text(format) && format->text[0] && !raw && !format->unresolved)
		cload_report(c, COMPOSE_INCONSISTENT, format->span,
		             "unsupported env_file format \"%s\"; only raw is known", format->text);
	return raw;
}

/* What the files say, the last file first, because what is there already wins. */
static void env_files(struct cload *c, struct cvalue *service)
{
	const struct cvalue *files = cvalue_get(service, "env_file");
	struct cvalue *environment = cvalue_get(service, "environment");

	for (size_t i = cvalue_count(files); i-- > 0;) {
		const struct cvalue *entry = files->items[i].value;
		const struct cvalue *path = cvalue_get(entry, "path");
		const struct cvalue *required = cvalue_get(entry, "required");
		struct compose_env *values;

		if (!cvalue_text(path) || (path->unresolved && !path->text[0]) ||
		    cload_exhausted(c, entry->span))
			continue;
		values = env_open(c, compose_join(c->arena, c->project->folder, path->text),
		                  is_raw(c, entry), c->env);
		if (!values && cvalue_is_true(required) && !c->options->review)
			cload_report(c, COMPOSE_INCONSISTENT, path->span, "env file %s not found",
			             path->text);
		if (!values)
			continue;
		if (!cvalue_is_map(environment)) {
			environment = cvalue_new(c->arena, CVALUE_MAP, service->span);
			environment->implied = true;
			cvalue_set(c->arena, service, "environment", service->span, environment);
		}
		add_env_file(c, environment, entry, &values->values);
	}
}

/* Labels of files, under those that are written. */
static void label_files(struct cload *c, struct cvalue *service)
{
	const struct cvalue *files = cvalue_get(service, "label_file");
	struct cvalue *labels = cvalue_get(service, "labels");

	for (size_t i = cvalue_count(files); i-- > 0;) {
		const struct cvalue *path = files->items[i].value;
		struct compose_env *values;

		if (!cvalue_text(path) || path->unresolved || cload_exhausted(c, path->span))
			continue;
		values = env_open(c, compose_join(c->arena, c->project->folder, path->text), false,
		                  c->env);
		if (!values && !c->options->review)
			cload_report(c, COMPOSE_INCONSISTENT, path->span, "label file %s not found",
			             path->text);
		if (values && !cvalue_is_map(labels)) {
			labels = cvalue_new(c->arena, CVALUE_MAP, service->span);
			cvalue_set(c->arena, service, "labels", service->span, labels);
		}
		for (size_t k = 0; values && k < values->values.count; k++) {
			const struct dotenv_entry *e = &values->values.items[k];

			if (!cvalue_member(labels, e->name))
				cvalue_set(c->arena, labels, e->name, e->name_span,
				           cvalue_string(c->arena, e->value ? e->value : "",
				                         e->value_span));
		}
	}
}

/* --- dependencies that other keys imply ---------------------------------------------------------
 */

static void depend(struct cload *c, struct cvalue *service, const struct cvalue *at,
                   const char *name, bool restart)
{
	struct cvalue *needs = cvalue_get(service, "depends_on"), *entry;

	if (cvalue_member(needs, name))
		return;
	if (!cvalue_is_map(needs)) {
		needs = cvalue_new(c->arena, CVALUE_MAP, at->span);
		cvalue_remove(service, "depends_on");
		cvalue_imply(c->arena, service, "depends_on", needs);
	}
	entry = cvalue_new(c->arena, CVALUE_MAP, at->span);
	imply_text(c, entry, "condition", "service_started");
	cvalue_imply(c->arena, entry, "restart", cvalue_boolean(c->arena, restart, at->span));
	cvalue_imply(c->arena, entry, "required", cvalue_boolean(c->arena, true, at->span));
	cvalue_imply(c->arena, needs, name, entry);
}

static void implied_dependencies(struct cload *c, struct cvalue *service)
{
	static const char *const shared[] = { "network_mode", "ipc", "pid", "uts", "cgroup" };
	const struct cvalue *links = cvalue_get(service, "links");
	const struct cvalue *from = cvalue_get(service, "volumes_from");

	for (size_t i = 0; i < cvalue_count(links); i++) {
		const struct cvalue *v = links->items[i].value;

		if (cvalue_text(v))
			depend(c, service, v, arena_copy(c->arena, v->text, strcspn(v->text, ":")),
			       true);
	}
	for (size_t i = 0; i < sizeof shared / sizeof shared[0]; i++) {
		const struct cvalue *v = cvalue_get(service, shared[i]);

		if (cvalue_text(v) && strncmp(v->text, "service:", 8) == 0)
			depend(c, service, v, v->text + 8, true);
	}
	for (size_t i = 0; i < cvalue_count(from); i++) {
		const struct cvalue *v = from->items[i].value;

		if (cvalue_text(v) && strncmp(v->text, "container:", 10) != 0)
			depend(c, service, v, arena_copy(c->arena, v->text, strcspn(v->text, ":")),
			       false);
	}
}

static void hooks(struct cload *c, struct cvalue *service)
{
	const struct cvalue *list = cvalue_get(service, "pre_start");
	const struct cvalue *image = cvalue_get(service, "image");

	for (size_t i = 0; cvalue_is_list(list) && i < list->count; i++)
		if (cvalue_text(image) && cvalue_is_map(list->items[i].value))
			imply_text(c, list->items[i].value, "image", image->text);
}

static bool network_given(const struct cvalue *service)
{
	const char *mode = cvalue_text(cvalue_get(service, "network_mode"));

	return (mode && mode[0]) || cvalue_count(cvalue_get(service, "networks")) > 0 ||
	       cvalue_member(service, "provider");
}

static void default_network(struct cload *c, struct cvalue *service)
{
	struct cvalue *map;

	if (network_given(service))
		return;
	map = cvalue_new(c->arena, CVALUE_MAP, service->span);
	cvalue_imply(c->arena, map, "default", cvalue_new(c->arena, CVALUE_NULL, service->span));
	cvalue_remove(service, "networks");
	cvalue_imply(c->arena, service, "networks", map);
}

static bool uses_default(const struct cvalue *services)
{
	for (size_t i = 0; i < cvalue_count(services); i++)
		if (cvalue_member(cvalue_get(services->items[i].value, "networks"), "default"))
			return true;
	return false;
}

static void declare_default(struct cload *c)
{
	struct cvalue *model = c->project->model;
	struct cvalue *networks = cvalue_get(model, "networks");

	if (!uses_default(cvalue_get(model, "services")))
		return;
	if (!cvalue_is_map(networks)) {
		networks = cvalue_new(c->arena, CVALUE_MAP, model->span);
		cvalue_remove(model, "networks");
		cvalue_imply(c->arena, model, "networks", networks);
	}
	cvalue_imply(c->arena, networks, "default", cvalue_new(c->arena, CVALUE_MAP, model->span));
}

/* external: {name: x} is the older way to write external: true, name: x. */
static bool external(struct cload *c, struct cvalue *v, const char *key)
{
	struct cvalue *given = cvalue_get(v, "external");
	struct cvalue *name = cvalue_get(given, "name");

	if (cvalue_is_map(given)) {
		cvalue_set(c->arena, v, "external", given->span,
		           cvalue_boolean(c->arena, true, given->span));
		if (cvalue_text(name) && cvalue_text(cvalue_get(v, "name")) &&
		    strcmp(name->text, cvalue_get(v, "name")->text) != 0)
			cload_report(c, COMPOSE_REFUSED, name->span,
			             "%s: name and external.name conflict; only use name", key);
		else if (cvalue_text(name) && !cvalue_member(v, "name"))
			cvalue_set(c->arena, v, "name", name->span, name);
		return true;
	}
	return cvalue_is_true(given) || (cvalue_text(given) && strcmp(given->text, "yes") == 0);
}

static void resource(struct cload *c, struct cvalue *v, const char *key, bool driver)
{
	bool outside = external(c, v, key);

	imply_text(c, v, "name",
	           outside ? key : arena_printf(c->arena, "%s_%s", c->project->name, key));
	cvalue_imply(c->arena, v, "external", cvalue_boolean(c->arena, false, v->span));
	if (driver)
		imply_text(c, v, "driver", "");
}

static void resources(struct cload *c, const char *section, bool driver)
{
	struct cvalue *map = cvalue_get(c->project->model, section);

	for (size_t i = 0; cvalue_is_map(map) && i < map->count; i++)
		resource(c, map_at(c, map, i), map->items[i].key, driver);
}

static void config_content(struct cload *c)
{
	struct cvalue *map = cvalue_get(c->project->model, "configs");

	for (size_t i = 0; cvalue_is_map(map) && i < map->count; i++) {
		struct cvalue *v = map->items[i].value;
		const char *name = cvalue_text(cvalue_get(v, "environment"));
		const char *value = name ? env_value(c->env, name) : NULL;

		if (value)
			imply_text(c, v, "content", value);
	}
}

static void service(struct cload *c, struct cvalue *v)
{
	struct cvalue *build_map = cvalue_get(v, "build");

	build(c, v);
	pass_through(c, cvalue_get(v, "environment"));
	pass_through(c, cvalue_get(build_map, "args"));
	drop_unsupplied(c, cvalue_get(build_map, "args"));
	env_files(c, v);
	label_files(c, v);
	implied_dependencies(c, v);
	hooks(c, v);
	default_network(c, v);
}

void normalise_project(struct cload *c)
{
	struct cvalue *services = cvalue_get(c->project->model, "services");

	c->project->name = project_name(c);
	for (size_t i = 0; cvalue_is_map(services) && i < services->count; i++)
		service(c, map_at(c, services, i));
	declare_default(c);
	resources(c, "networks", true);
	resources(c, "volumes", true);
	resources(c, "secrets", false);
	resources(c, "configs", false);
	config_content(c);
}

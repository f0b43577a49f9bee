/* Environment, env files and secrets of a service: names and places, never values.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "src/formats/compose/rows.h"

/* True for a variable that takes the value of its own name from the caller. */
static bool passes_through(const struct cmember *m)
{
	const struct cvalue *v = m->value;

	return !cvalue_is_scalar(v) || (v->variable && strcmp(v->variable, m->key) == 0 && !v->raw);
}

/* What decides the class of a variable: the value when a file of the tree or an inline default
 * gives it, else the reference. */
static const char *deciding_text(const struct cmember *m)
{
	const struct cvalue *v = m->value;

	if (passes_through(m))
		return NULL;
	return v->raw && !v->defaulted && !span_is_set(v->origin) ? v->raw : v->text;
}

static void env_variable(const struct crow *r, const struct cmember *m)
{
	const struct cvalue *v = m->value;
	struct span span = span_is_set(v->span) ? v->span : m->key_span;
	struct fact *f = env_fact(r->w, r->row, m->key, deciding_text(m), span);

	if (v->external)
		crow_attribute(r, f, "from", "env_file");
	if (v->raw && v->defaulted && fact_attribute_is(f, "class", "literal"))
		crow_attribute(r, f, "class", "default");
	if (span_is_set(v->origin))
		snapshot_add_hop(r->w->snapshot, f, v->origin, NULL, "env file");
	for (const struct cformer *c = v->former; c; c = c->next)
		snapshot_add_hop(r->w->snapshot, f, c->span, NULL, NULL);
}

void crow_environment(const struct crow *r, const struct cvalue *environment)
{
	for (size_t i = 0; cvalue_is_map(environment) && i < environment->count; i++)
		env_variable(r, &environment->items[i]);
}

static void env_files(const struct crow *r)
{
	const struct cvalue *list = cvalue_get(r->service, "env_file");

	for (size_t i = 0; cvalue_is_list(list) && i < list->count; i++) {
		const struct cvalue *entry = list->items[i].value,
		                    *path = cvalue_get(entry, "path");
		struct fact *f = crow_fact(r, FACT_ENV_FILE, path);
		const char *full;

		if (!f)
			continue;
		crow_attribute(r, f, "kind", "file");
		crow_attribute(r, f, "required",
		               cvalue_is_true(cvalue_get(entry, "required")) ? "true" : "false");
		full = path_join(&r->w->snapshot->arena, r->project->folder, path->text);
		if (!path->unresolved && (!full || !r->w->exists(r->w, full)))
			crow_attribute(r, crow_fact(r, FACT_MISSING_FILE, path), "role",
			               "env_file");
	}
}

static const char *secret_source(const struct cvalue *top)
{
	if (cvalue_is_true(cvalue_get(top, "external")))
		return "external";
	if (cvalue_member(top, "environment"))
		return "environment";
	return cvalue_member(top, "file") ? "file" : "unknown";
}

static void secrets(const struct crow *r)
{
	const struct cvalue *list = cvalue_get(r->service, "secrets");

	for (size_t i = 0; cvalue_is_list(list) && i < list->count; i++) {
		const struct cvalue *v = list->items[i].value, *source = cvalue_get(v, "source");
		const char *target = cvalue_text(cvalue_get(v, "target"));
		struct fact *f = crow_fact(r, FACT_SECRET, source);

		if (!f)
			continue;
		crow_attribute(
		    r, f, "source",
		    secret_source(cvalue_path(r->project->model, "secrets", source->text, NULL)));
		crow_attribute(
		    r, f, "target",
		    target ? target
		           : arena_printf(&r->w->snapshot->arena, "/run/secrets/%s", source->text));
	}
}

void crow_secrets(const struct crow *r)
{
	crow_environment(r, cvalue_get(r->service, "environment"));
	env_files(r);
	secrets(r);
}

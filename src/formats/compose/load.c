/* Loading a project: files, documents, include.
 *
 * Chains of include recurse; they are bounded by LIMIT_INCLUDE_DEPTH.
 * SPDX-License-Identifier: MIT */
#include "src/formats/compose/load.h"

#include <stdarg.h>
#include <string.h>

#include "model/buf.h"
#include "model/limits.h"

/* The files that are being included, innermost first. */
struct including {
	const struct including *up;
	const char *path;
	unsigned depth;
};

/* NAMED is the place of the include entry, if it is one. */
static struct cvalue *load_model(struct cload *c, const char *const *paths, size_t count,
                                 const char *folder, const struct including *up,
                                 struct span named);

const char *cplace_text(struct arena *a, const struct cplace *place)
{
	const struct cplace *frames[LIMIT_DEPTH];
	struct buf b = { 0 };
	size_t n = 0;
	const char *text;

	for (; place && n < LIMIT_DEPTH; place = place->up)
		frames[n++] = place;
	while (n-- > 0) {
		if (b.length)
			buf_putc(&b, '.');
		if (frames[n]->key)
			buf_puts(&b, frames[n]->key);
		else
			buf_printf(&b, "%zu", frames[n]->index);
	}
	text = arena_copy(a, buf_text(&b), b.length);
	buf_free(&b);
	return text;
}

static void add_problem(struct cload *c, const struct compose_problem *problem)
{
	struct compose_project *p = c->project;

	if (problem->level == COMPOSE_REFUSED)
		p->refused = true;
	else if (problem->level == COMPOSE_INCONSISTENT)
		p->inconsistent = true;
	if (p->problems.count < LIMIT_PROBLEMS)
		*ARENA_PUSH(c->arena, &p->problems) = *problem;
}

void cload_report(struct cload *c, enum compose_level level, struct span span, const char *format,
                  ...)
{
	struct compose_problem problem = { level, span, NULL };
	va_list args;

	va_start(args, format);
	problem.message = arena_vprintf(c->arena, format, args);
	va_end(args);
	if (!c->held)
		add_problem(c, &problem);
	else if (c->held->count < LIMIT_PROBLEMS)
		*ARENA_PUSH(c->arena, c->held) = problem;
}

/* Reports what was held back about the bytes from FROM up to TO, once. */
void cload_release(struct cload *c, struct cheld *held, uint32_t from, uint32_t to)
{
	for (size_t i = 0; held && i < held->count; i++) {
		struct compose_problem *p = &held->items[i];

		if (!p->message || p->span.offset < from || p->span.offset >= to)
			continue;
		add_problem(c, p);
		p->message = NULL;
	}
}

bool cload_exhausted(struct cload *c, struct span at)
{
	size_t used = c->arena->used;

	if (used - c->used_before <= LIMIT_PROJECT_BYTES && used <= LIMIT_SNAPSHOT_BYTES)
		return false;
	if (!c->exhausted)
		cload_report(c, COMPOSE_REFUSED, at,
		             "the project expands to too many values; the rest is not read");
	c->exhausted = true;
	return true;
}

/* What PATH gave when it was last read with the variables of now. */
struct cload_read *cload_read_before(struct cload *c, const char *path,
                                      const struct compose_env *env)
{
	uint32_t at;

	if (!hash_index_get(&c->read_index, path, &at) || c->reads.items[at].env != env)
		return NULL;
	return &c->reads.items[at];
}

void cload_read_keep(struct cload *c, const char *path, struct cload_read read)
{
	hash_index_put(c->arena, &c->read_index, path, (uint32_t)c->reads.count);
	*ARENA_PUSH(c->arena, &c->reads) = read;
}

bool cload_open(struct cload *c, const char *path, struct compose_file *out)
{
	struct compose_project *p = c->project;

	*out = (struct compose_file){ 0 };
	if (!c->options->open(c->options->ctx, path, out) || !out->source) {
		*ARENA_PUSH(c->arena, &p->missing) = path;
		return false;
	}
	for (size_t i = 0; i < p->sources.count; i++)
		if (p->sources.items[i]->id == out->source->id)
			return true;
	*ARENA_PUSH(c->arena, &p->sources) = out->source;
	return true;
}

const struct source *compose_source(const struct compose_project *p, struct span span)
{
	for (size_t i = 0; i < p->sources.count; i++)
		if (span.source && p->sources.items[i]->id == span.source)
			return p->sources.items[i];
	return NULL;
}

const struct dotenv_entry *env_entry(const struct compose_env *env, const char *name)
{
	const struct dotenv_entry *entry = NULL;

	for (; env && !entry; env = env->under)
		entry = dotenv_find(&env->values, name);
	return entry;
}

const char *env_value(const struct compose_env *env, const char *name)
{
	const struct dotenv_entry *entry = env_entry(env, name);

	return entry ? entry->value : NULL;
}

const char *cload_variable(void *ctx, const char *name)
{
	struct cload *c = ctx;
	const char *value = env_value(c->env, name);

	if (!value && strcmp(name, "COMPOSE_PROJECT_NAME") == 0)
		value = project_name(c);
	return value && (value[0] || env_entry(c->env, name)) ? value : NULL;
}

static const char *variable_above(void *env, const char *name)
{
	return env_value(env, name);
}

/* A copy of ENV with LAST as its lowest layer. */
static const struct compose_env *env_below(struct arena *a, const struct compose_env *env,
                                           const struct compose_env *last)
{
	struct compose_env *first = NULL, **end = &first;
	struct compose_env *layer;

	for (; env; env = env->under) {
		layer = ARENA_NEW(a, struct compose_env);
		layer->values = env->values;
		*end = layer;
		end = (struct compose_env **)(uintptr_t)&layer->under;
	}
	if (!first)
		return last;
	*end = (struct compose_env *)(uintptr_t)last;
	return first;
}

struct compose_env *env_open(struct cload *c, const char *path, bool raw,
                             const struct compose_env *under)
{
	struct compose_file file;
	struct compose_env *env;
	struct problems problems = { 0 };
	struct compose_env above = { { 0 }, under };
	/* No path holds a line end: the two ways to read a file stay apart. */
	const char *key = raw ? arena_printf(c->arena, "%s\nraw", path) : path;
	const struct cload_read *before = cload_read_before(c, key, under);

	if (before && before->values)
		return before->values;
	if (cload_exhausted(c, (struct span){ 0 }) || !cload_open(c, path, &file))
		return NULL;
	env = ARENA_NEW(c->arena, struct compose_env);
	if (raw)
		dotenv_read_raw(c->arena, file.source, variable_above, &above, &env->values);
	else
		dotenv_read(c->arena, file.source, variable_above, &above, &env->values, &problems);
	for (size_t i = 0; i < problems.count; i++)
		cload_report(c, COMPOSE_REFUSED, problems.items[i].span, "%s",
		             problems.items[i].message);
	cload_read_keep(c, key, (struct cload_read){ under, env, NULL, NULL });
	return env;
}

const char *cload_folder(struct arena *a, const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? arena_copy(a, path, (size_t)(slash - path)) : "";
}

/* --- documents ----------------------------------------------------------------------------- */

bool cload_parse(struct cload *c, const char *path, struct documents *docs)
{
	struct compose_file file;
	struct problems problems = { 0 };

	if (!cload_open(c, path, &file))
		return false;
	if (file.documents) {
		*docs = *file.documents;
		return true;
	}
	yaml_read(c->arena, file.source, docs, &problems);
	for (size_t i = 0; i < problems.count; i++)
		cload_report(c, COMPOSE_REFUSED, problems.items[i].span, "%s",
		             problems.items[i].message);
	return true;
}

/* What is wrong with the form of values goes to HELD, if it is given. */
struct cvalue *cload_document(struct cload *c, const struct node *top, struct cheld *held)
{
	struct cvalue *v = convert_document(c, top);

	if (!v || (v->kind == CVALUE_NULL && !v->elided))
		return NULL;
	c->held = held;
	v = shape_value(c, v, &compose_schema, NULL);
	c->held = NULL;
	return cvalue_is_map(v) ? v : NULL;
}

/* --- files --------------------------------------------------------------------------------- */

static struct cvalue *load_file(struct cload *c, struct cvalue *model, const char *path,
                                const char *folder, struct span named)
{
	struct documents docs = { 0 };

	if (!cload_parse(c, path, &docs)) {
		cload_report(c, COMPOSE_REFUSED, named, "no file %s", path);
		return model;
	}
	for (size_t i = 0; i < docs.count; i++) {
		struct cvalue *doc = cload_document(c, docs.items[i], NULL), *services;

		if (!doc)
			continue;
		services = cvalue_get(doc, "services");
		for (size_t j = 0; cvalue_is_map(services) && j < services->count; j++)
			extends_resolve(c, services, services->items[j].key, path, folder);
		model = model ? merge_values(c, model, doc, &compose_schema, NULL) : doc;
	}
	if (model)
		merge_settle(c, model, &compose_schema);
	return model;
}

/* --- include ------------------------------------------------------------------------------- */

static const char *const sections[] = { "services", "networks", "volumes",
	                                "secrets",  "configs",  "models" };

static void import(struct cload *c, struct cvalue *model, struct cvalue *included)
{
	for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
		const struct ckey *key = schema_child(&compose_schema, sections[i]);
		const struct cmember *from = cvalue_member(included, sections[i]);
		const struct cmember *to = cvalue_member(model, sections[i]);
		struct cplace place = { NULL, sections[i], 0 };
		struct cvalue *merged;

		if (!from)
			continue;
		merged = merge_values(c, from->value, to ? to->value : NULL, key, &place);
		cvalue_remove(model, sections[i]);
		if (merged)
			cvalue_set(c->arena, model, sections[i], to ? to->key_span : from->key_span,
			           merged);
	}
}

static const struct compose_env *include_env(struct cload *c, const struct cvalue *entry,
                                             const char *folder, const char *there)
{
	const struct cvalue *files = cvalue_get(entry, "env_file");
	const struct compose_env *env = c->env;
	struct compose_env *layer;

	if (cvalue_count(files) == 0) {
		struct compose_file probe = { 0 };
		const char *path = compose_join(c->arena, there, ".env");

		if (!c->options->default_env || !c->options->open(c->options->ctx, path, &probe))
			return env;
		layer = env_open(c, path, false, env);
		return layer ? env_below(c->arena, env, layer) : env;
	}
	/* Later files win, so they are searched first. */
	for (size_t i = cvalue_count(files); i-- > 0;) {
		const struct cvalue *file = files->items[i].value;
		const char *path = cvalue_text(file);

		if (!path || strcmp(path, "/dev/null") == 0)
			continue;
		layer = env_open(c, compose_join(c->arena, folder, path), false, env);
		if (layer)
			env = env_below(c->arena, env, layer);
		else
			cload_report(c, COMPOSE_REFUSED, file->span, "no file %s", path);
	}
	return env;
}

static void include_entry(struct cload *c, struct cvalue *model, const struct cvalue *entry,
                          const char *folder, const struct including *up)
{
	const struct cvalue *list = cvalue_get(entry, "path");
	const char *given = cvalue_text(cvalue_get(entry, "project_directory"));
	const char **paths = arena_array(c->arena, cvalue_count(list) + 1, sizeof *paths);
	const struct compose_env *env = c->env;
	const char *there;
	struct cvalue *included;
	size_t count = 0;

	for (size_t i = 0; i < cvalue_count(list); i++)
		if (cvalue_text(list->items[i].value))
			paths[count++] = compose_join(c->arena, folder, list->items[i].value->text);
	if (count == 0)
		return;
	for (const struct including *at = up; at; at = at->up)
		for (size_t i = 0; i < count; i++)
			if (strcmp(at->path, paths[i]) == 0) {
				cload_report(c, COMPOSE_REFUSED, entry->span,
				             "include cycle detected: %s includes itself",
				             at->path);
				return;
			}
	there = given ? compose_join(c->arena, folder, given) : cload_folder(c->arena, paths[0]);
	c->env = include_env(c, entry, folder, there);
	included = load_model(c, paths, count, there, up, entry->span);
	c->env = env;
	if (!included)
		return;
	paths_rebase(c, included, compose_relative(c->arena, folder, there));
	import(c, model, included);
}

static void include_all(struct cload *c, struct cvalue *model, const char *folder,
                        const struct including *up)
{
	const struct cvalue *list = cvalue_get(model, "include");

	if (!cvalue_is_list(list))
		return;
	if (up && up->depth > LIMIT_INCLUDE_DEPTH) {
		cload_report(c, COMPOSE_REFUSED, list->span, "the chain of includes is too long");
		return;
	}
	for (size_t i = 0; i < list->count; i++)
		if (cvalue_is_map(list->items[i].value) &&
		    !cload_exhausted(c, list->items[i].value->span))
			include_entry(c, model, list->items[i].value, folder, up);
	cvalue_remove(model, "include");
}

static struct cvalue *load_model(struct cload *c, const char *const *paths, size_t count,
                                 const char *folder, const struct including *up,
                                 struct span named)
{
	struct including *frames = arena_array(c->arena, count + 1, sizeof *frames);
	struct cvalue *model = NULL;
	bool included = up != NULL;

	for (size_t i = 0; i < count; i++) {
		frames[i] = (struct including){ up, paths[i], up ? up->depth + 1 : 0 };
		up = &frames[i];
		if (included)
			*ARENA_PUSH(c->arena, &c->project->included) = paths[i];
		if (!cload_exhausted(c, (struct span){ 0 }))
			model = load_file(c, model, paths[i], folder, named);
	}
	if (model)
		include_all(c, model, folder, up);
	return model;
}

/* --- project ------------------------------------------------------------------------------- */

/* Variables that every shell has and whose value is the caller's own place. */
static const struct compose_env *known_places(struct cload *c)
{
	struct compose_env *env = ARENA_NEW(c->arena, struct compose_env);

	dotenv_add(c->arena, &env->values, &(struct dotenv_entry){ .name = "HOME", .value = "~" });
	dotenv_add(c->arena, &env->values, &(struct dotenv_entry){ .name = "PWD", .value = "." });
	return env;
}

static const struct compose_env *project_env(struct cload *c)
{
	const struct compose_env *env = c->options->env;
	struct compose_file probe = { 0 };
	const char *path = compose_join(c->arena, c->project->folder, ".env");
	struct compose_env *layer;

	if (c->options->review)
		env = env_below(c->arena, env, known_places(c));
	if (!c->options->default_env || !c->options->open(c->options->ctx, path, &probe))
		return env;
	layer = env_open(c, path, false, env);
	return layer ? env_below(c->arena, env, layer) : env;
}

/* The start of the first file, for what is said about the whole. */
static struct span first_place(const struct cload *c)
{
	const struct compose_project *p = c->project;

	for (size_t i = 0; i < p->sources.count; i++)
		if (strcmp(p->sources.items[i]->path, c->options->files[0]) == 0)
			return (struct span){ p->sources.items[i]->id, 0, 1 };
	return (struct span){ 0 };
}

void compose_load(struct arena *a, const struct compose_options *options,
                  struct compose_project *out)
{
	struct cload c = { .arena = a, .options = options, .project = out,
		           .used_before = a->used };

	*out = (struct compose_project){ 0 };
	out->profiles = options->profiles;
	out->profile_count = options->profile_count;
	out->folder = options->folder ? options->folder : "";
	if (!options->folder && options->file_count)
		out->folder = cload_folder(a, compose_join(a, "", options->files[0]));
	c.env = c.project_env = project_env(&c);
	out->model = load_model(&c, options->files, options->file_count, out->folder, NULL,
	                        (struct span){ 0 });
	if (!out->model) {
		out->model = cvalue_new(a, CVALUE_MAP, (struct span){ 0 });
		if (!out->refused)
			cload_report(&c, COMPOSE_REFUSED, first_place(&c),
			             "empty compose file: there is nothing to read");
	}
	shape_nulls(&c, out->model, &compose_schema, NULL);
	normalise_project(&c);
	check_project(&c);
}

static bool profile_on(const struct compose_project *p, const char *profile)
{
	for (size_t i = 0; i < p->profile_count; i++)
		if (strcmp(p->profiles[i], "*") == 0 || strcmp(p->profiles[i], profile) == 0)
			return true;
	return false;
}

bool compose_active(const struct compose_project *p, const struct cvalue *service)
{
	const struct cvalue *profiles = cvalue_get(service, "profiles");

	for (size_t i = 0; i < cvalue_count(profiles); i++) {
		const char *profile = cvalue_text(profiles->items[i].value);

		if (profile && profile_on(p, profile))
			return true;
	}
	return p->profile_count == 0 || cvalue_count(profiles) == 0;
}

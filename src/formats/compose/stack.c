/* One stack: loading it from the tree, its rows, its problems.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "model/buf.h"
#include "model/limits.h"
#include "src/formats/compose/stack.h"

/* --- loading ------------------------------------------------------------------------------------
 */

static bool open_in_tree(void *ctx, const char *path, struct compose_file *out)
{
	struct workspace *w = ctx;
	bool yaml = path_ends(path, ".yml .yaml .json");
	struct input *in = w->open(w, path, yaml ? FORMAT_COMPOSE : FORMAT_DOTENV);

	if (!in)
		return false;
	out->source = in->source;
	if (yaml)
		input_parse(w, in, path_ends(path, ".json") ? SYNTAX_JSON : SYNTAX_YAML);
	if (in->parsed)
		out->documents = &in->documents;
	return true;
}

static const struct compose_env *supplied(struct workspace *w)
{
	struct arena *a = &w->snapshot->arena;
	const struct string_list *files = &w->snapshot->scope.env_files;
	const struct compose_env *env = NULL;

	for (size_t i = 0; i < files->count; i++) {
		struct input *in = workspace_input(w, files->items[i]);
		struct compose_env *layer = ARENA_NEW(a, struct compose_env);

		if (!in)
			continue;
		dotenv_read(a, in->source, NULL, NULL, &layer->values, &in->artifact->problems);
		layer->under = env;
		env = layer;
	}
	return env;
}

static bool has_problem(const struct problems *list, const struct compose_problem *p)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].span.offset == p->span.offset &&
		    strcmp(list->items[i].message, p->message) == 0)
			return true;
	return false;
}

static void report(struct workspace *w, const struct stack *s)
{
	for (size_t i = 0; i < s->project.problems.count; i++) {
		const struct compose_problem *p = &s->project.problems.items[i];
		const char *path =
		    span_is_set(p->span) ? snapshot_path(w->snapshot, p->span) : s->paths[0];
		struct input *in = workspace_input(w, path);

		if (in && p->level != COMPOSE_NOTICE && !has_problem(&in->artifact->problems, p))
			input_problem(w, in, p->span, "%s", p->message);
	}
}

struct stack *stack_load(struct workspace *w, const char *const *paths, size_t count,
                         const char *folder)
{
	struct arena *a = &w->snapshot->arena;
	struct stack *s = ARENA_NEW(a, struct stack);
	const struct scope *scope = &w->snapshot->scope;
	struct compose_options options = {
		.file_count = count,
		.env = supplied(w),
		.default_env = true,
		.review = true,
		.profiles = scope->profiles.items,
		.profile_count = scope->profiles.count,
		.open = open_in_tree,
		.ctx = w,
	};

	s->paths = arena_array(a, count + 1, sizeof *s->paths);
	memcpy(s->paths, paths, count * sizeof *paths);
	s->path_count = count;
	s->folder = path_folder(a, paths[0]);
	options.files = s->paths;
	options.folder = folder;
	if (!scope->profiles.count) {
		const char *names = stack_env(w, folder ? folder : s->folder, "COMPOSE_PROFILES");
		struct string_list active = stack_split(a, names, ",");

		options.profiles = active.items;
		options.profile_count = active.count;
	}
	compose_load(a, &options, &s->project);
	report(w, s);
	return s;
}

/* --- services of one file -----------------------------------------------------------------------
 */

const struct node *file_service(const struct input *in, const char *name, struct span *key)
{
	for (size_t i = in->documents.count; i-- > 0;) {
		const struct node *services = node_get(in->documents.items[i], "services");
		const struct node_item *item = node_find(services, name);

		if (!item)
			continue;
		if (key)
			*key = item->key->span;
		return node_resolve(item->value);
	}
	return NULL;
}

static bool has_source(const struct node *service)
{
	return node_find(service, "image") || node_find(service, "build") ||
	       node_find(service, "extends") || node_find(service, "provider");
}

typedef bool service_test(const struct stack *s, const char *name, const struct node *service);

/* True when TEST holds for every service of the file. */
static bool every_service(const struct input *in, const struct stack *s, service_test *test)
{
	for (size_t i = 0; i < in->documents.count; i++) {
		const struct node *services = node_get(in->documents.items[i], "services");

		for (uint32_t j = 0; node_is_map(services) && j < services->count; j++) {
			const char *name = node_text(services->items[j].key);

			if (name && !test(s, name, node_resolve(services->items[j].value)))
				return false;
		}
	}
	return true;
}

static bool stands_alone(const struct stack *s, const char *name, const struct node *service)
{
	(void)s, (void)name;
	return has_source(service);
}

static bool carried(const struct stack *s, const char *name, const struct node *service)
{
	return has_source(service) ||
	       cvalue_member(cvalue_get(s->project.model, "services"), name) != NULL;
}

/* An override by its name ("docker-compose.override.example.yml") changes others even when each of
 * its services could stand alone. */
bool file_is_overlay(const struct input *in)
{
	return strstr(path_base(in->artifact->path), "override") ||
	       !every_service(in, NULL, stands_alone);
}

bool stack_carries(const struct stack *s, const struct input *in)
{
	return every_service(in, s, carried);
}

/* --- rows ----------------------------------------------------------------------------------------
 */

static const char *joined(struct arena *a, const char *before, const struct cvalue *list)
{
	struct buf b = { 0 };
	const char *text;

	buf_puts(&b, before);
	for (size_t i = 0; i < cvalue_count(list); i++)
		if (cvalue_text(list->items[i].value))
			buf_printf(&b, "%s %s", i ? "," : "", list->items[i].value->text);
	text = arena_copy(a, buf_text(&b), b.length);
	buf_free(&b);
	return text;
}

static const char *files_text(struct arena *a, const struct stack *s)
{
	struct buf b = { 0 };
	const char *text;

	buf_puts(&b, "only with");
	for (size_t i = 0; i < s->path_count; i++)
		buf_printf(&b, " -f %s", path_base(s->paths[i]));
	text = arena_copy(a, buf_text(&b), b.length);
	buf_free(&b);
	return text;
}

static bool switched_off(const struct cvalue *service)
{
	const char *scale = cvalue_text(cvalue_get(service, "scale"));
	const char *replicas = cvalue_text(cvalue_path(service, "deploy", "replicas", NULL));

	return (scale && strcmp(scale, "0") == 0) || (replicas && strcmp(replicas, "0") == 0);
}

static void set_activity(struct workspace *w, const struct stack *s, const struct cvalue *service,
                         struct crow_place *place)
{
	struct arena *a = &w->snapshot->arena;
	const struct cvalue *profiles = cvalue_get(service, "profiles");

	const char *reason;

	if (switched_off(service)) {
		place->activity = ROW_DISABLED;
		place->reason = "scaled to 0";
	} else if (cvalue_count(profiles) &&
	           !(s->project.profile_count && compose_active(&s->project, service))) {
		reason = joined(a,
		                cvalue_count(profiles) > 1 ? "only with one of profiles"
		                                           : "only with profile",
		                profiles);
		place->activity = ROW_CONDITIONAL;
		place->reason =
		    place->reason ? arena_printf(a, "%s, %s", place->reason, reason) : reason;
	}
}

static void add_row(struct workspace *w, struct stack *s, const struct cmember *m,
                    const struct input *only)
{
	struct crow_place place = { .span = m->key_span };

	if (only) {
		if (!file_service(only, m->key, &place.span))
			return;
		place.activity = ROW_CONDITIONAL;
		place.reason = files_text(&w->snapshot->arena, s);
	}
	place.path = span_is_set(place.span) ? snapshot_path(w->snapshot, place.span) : s->paths[0];
	set_activity(w, s, m->value, &place);
	hash_index_put(&w->snapshot->arena, &s->services, m->key, (uint32_t)s->rows.count);
	*ARENA_PUSH(&w->snapshot->arena, &s->rows) =
	    crow_add(w, &s->project, m->key, m->value, &place);
}

struct row *stack_row(const struct stack *s, const char *service)
{
	uint32_t at;

	return hash_index_get(&s->services, service, &at) ? s->rows.items[at] : NULL;
}

static void missing_files(struct workspace *w, const struct stack *s)
{
	for (size_t i = 0; i < s->project.missing.count; i++) {
		const char *path = s->project.missing.items[i];
		struct fact *f;

		if (!path_ends(path, ".yml .yaml .json"))
			continue;
		f = snapshot_add_fact(w->snapshot, s->rows.items[0], FACT_MISSING_FILE, path,
		                      s->rows.items[0]->span);
		snapshot_set_attribute(w->snapshot, f, "role", "include");
	}
}

void stack_rows(struct workspace *w, struct stack *s, const struct input *only)
{
	const struct cvalue *services = cvalue_get(s->project.model, "services");

	for (size_t i = 0; cvalue_is_map(services) && i < services->count; i++)
		add_row(w, s, &services->items[i], only);
	if (s->rows.count == 0)
		return;
	stack_share(w, s);
	missing_files(w, s);
}

/* --- variants ------------------------------------------------------------------------------------
 */

static void make_variant(const struct workspace *w, const struct row *base, struct row *over)
{
	if (base->variant)
		base = w->snapshot->rows.items[base->parent - 1];
	if (!over || over == base || over->parent)
		return;
	over->parent = base->index + 1;
	over->variant = true;
}

void stack_variants(struct workspace *w, const struct stack *base, const struct stack *over,
                    const struct input *file,
                    const struct compose_commands *commands)
{
	for (size_t i = 0; i < base->rows.count; i++) {
		struct row *row = base->rows.items[i];
		struct span key = { 0 };
		const struct node *service = file_service(file, row->unit, &key);
		struct fact *f;

		if (!service || row->activity == ROW_DISABLED)
			continue;
		make_variant(w, row, stack_row(over, row->unit));
		f = snapshot_add_fact(w->snapshot, row, FACT_VARIANT, file->artifact->path, key);
		snapshot_set_attribute(w->snapshot, f, "changes",
		                       service_keys(&w->snapshot->arena, service));
		for (size_t k = 0; k < commands->count && f->via_count < 4; k++)
			if (command_names(&commands->items[k], file->artifact->path))
				snapshot_add_hop(w->snapshot, f, commands->items[k].span, NULL,
				                 "command line");
	}
}

/* Exports of docker and podman inspect: one or several containers with the settings they were
 * started with.
 *
 * Fields and their absence: moby api/types of 2026-08, podman 6.0-dev.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "model/limits.h"
#include "src/formats/exports/export.h"

static bool interested(const char *path)
{
	return path_ends(path, ".json .jsonc .txt .log .inspect .out");
}

static bool claims(const char *path, const char *bytes, size_t length)
{
	size_t blank = 0;

	(void)path;
	while (blank < length && strchr(" \t\r\n", bytes[blank]))
		blank++;
	return blank < length && (bytes[blank] == '[' || bytes[blank] == '{') &&
	       bytes_hold(bytes, length, "\"HostConfig\"") && bytes_hold(bytes, length, "\"Id\"");
}

/* Object I of a list, or the object itself. */
static const struct node *object_at(const struct input *in, uint32_t i)
{
	const struct node *top = in->documents.count ? node_resolve(in->documents.items[0]) : NULL;

	if (node_is_seq(top))
		return node_at(top, i);
	return i == 0 && node_is_map(top) ? top : NULL;
}

static uint32_t object_count(const struct input *in)
{
	const struct node *top = in->documents.count ? node_resolve(in->documents.items[0]) : NULL;

	return node_is_seq(top) ? node_count(top) : node_is_map(top);
}

static bool is_container(const struct node *object)
{
	return node_text(node_get(object, "Id")) && node_is_map(node_get(object, "HostConfig")) &&
	       (node_is_map(node_get(object, "State")) || node_is_map(node_get(object, "Config")));
}

static bool recognise(const struct input *in)
{
	for (uint32_t i = 0; i < object_count(in); i++)
		if (is_container(object_at(in, i)))
			return true;
	return false;
}

/* --- the capture ---------------------------------------------------------------------------- */

bool export_time(const char *text)
{
	return text && strlen(text) >= 19 && text[4] == '-' && text[10] == 'T' &&
	       strncmp(text, "0001-", 5) != 0 && strspn(text, "0123456789") == 4;
}

/* The latest time inside: the export was made then or later. */
static const char *captured_at(const struct node *object)
{
	static const char *const keys[] = { "StartedAt", "FinishedAt" };
	const char *latest = node_text(node_get(object, "Created"));

	if (!export_time(latest))
		latest = NULL;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const char *text = node_text(node_path(object, "State", keys[i], NULL));

		if (export_time(text) && (!latest || strcmp(text, latest) > 0))
			latest = text;
	}
	return latest;
}

void export_mark(struct input *in, const char *when, const char *target)
{
	struct artifact *artifact = in->artifact;

	artifact->class = CLASS_EXPORT;
	if (when && (!artifact->captured_at || strcmp(when, artifact->captured_at) > 0))
		artifact->captured_at = when;
	if (!artifact->target)
		artifact->target = target;
}

bool export_is_sample(struct workspace *w, struct input *in, struct span span)
{
	static const char given[] = "observed:"; /* begins the path of what --observed names */
	const struct artifact *artifact = in->artifact;
	bool test = artifact->class == CLASS_TEST;

	if ((!test && artifact->class != CLASS_EXAMPLE) ||
	    strncmp(artifact->path, given, sizeof given - 1) == 0)
		return false;
	if (!artifact->problems.count)
		input_problem(w, in, span,
			      "candidate only: an export among %s shows no deployment; "
			      "--observed FILE takes it as evidence",
			      test ? "tests" : "examples");
	return true;
}

void export_observed(struct row *r, size_t from)
{
	for (size_t i = from; i < r->facts.count; i++)
		r->facts.items[i]->layer = LAYER_OBSERVED;
}

static const char *container_name(const struct node *object)
{
	const char *name = node_text(node_get(object, "Name"));

	if (!name || !*name)
		return node_text(node_get(object, "Id"));
	return *name == '/' ? name + 1 : name;
}

/* A read of the file alone: its class and time. The containers follow when all files are known. */
static void read(struct workspace *w, struct input *in)
{
	if (export_is_sample(w, in, object_at(in, 0) ? object_at(in, 0)->span : (struct span){ 0 }))
		return;
	for (uint32_t i = 0; i < object_count(in); i++) {
		const struct node *object = object_at(in, i);

		if (is_container(object))
			export_mark(in, captured_at(object), container_name(object));
		else if (object)
			input_problem(w, in, object->span,
			              "element %u is no container: expected Id and HostConfig",
			              i + 1);
	}
	in->state[FORMAT_INSPECT] = in;
}

/* --- rows ----------------------------------------------------------------------------------- */

static bool is_podman(const struct node *object)
{
	static const char *const keys[] = { "OCIConfigPath", "lockNumber", "EffectiveCaps",
		                            "BoundingCaps",  "OCIRuntime", "ConmonPidFile" };

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (node_get(object, keys[i]))
			return true;
	return false;
}

static struct row *own_row(const struct inspect *i)
{
	const struct node *name = node_get(i->top, "Name");
	const struct row_spec spec = {
		.path = i->in->artifact->path,
		.object_kind = "container",
		.unit = i->name,
		.kind = ROW_MAIN,
		.format = FORMAT_INSPECT,
		.artifact = i->in->artifact->index,
		.span = name ? node_key_span(name) : i->top->span,
	};

	return snapshot_add_row(i->w->snapshot, &spec);
}

/* Real ids have 64 hexadecimal digits. */
static const char *edited_note(struct arena *a, const struct node *object)
{
	const char *id = node_text(node_get(object, "Id"));
	size_t hex = strspn(id, "0123456789abcdef");

	if (id[hex])
		return "; the export was edited: its Id is no hexadecimal number";
	if (hex != 64)
		return arena_printf(a, "; the export was edited: its Id has %zu digits, not 64",
		                    hex);
	return "";
}

/* A thousand replicas of one service are not all named. */
static void add_note(struct workspace *w, struct row *row, const char *note)
{
	static const char more[] = "; further exports match it as well";
	size_t length = row->export_note ? strlen(row->export_note) : 0;

	if (length > LIMIT_SCALAR_SHOWN) {
		if (strcmp(row->export_note + length - (sizeof more - 1), more) != 0)
			row->export_note = arena_printf(&w->snapshot->arena, "%s%s",
			                                row->export_note, more);
		return;
	}
	row->export_note = row->export_note
	                       ? arena_printf(&w->snapshot->arena, "%s; %s", row->export_note, note)
	                       : note;
}

static void read_object(struct workspace *w, const struct inspect_rows *rows, struct input *in,
                        const struct node *object)
{
	struct arena *a = &w->snapshot->arena;
	struct inspect i = { .w = w, .rows = rows, .in = in, .top = object };
	const char *how, *when = captured_at(object);
	bool matched;
	size_t from;

	i.host = node_get(object, "HostConfig");
	i.config = node_get(object, "Config");
	i.podman = is_podman(object);
	i.privileged = node_is(node_get(i.host, "Privileged"), "true");
	i.name = container_name(object);
	i.row = inspect_match(&i, &how);
	matched = i.row != NULL;
	if (!matched)
		i.row = own_row(&i);
	from = i.row->facts.count;
	inspect_facts(&i);
	export_observed(i.row, from);
	add_note(w, i.row,
	         arena_printf(a, "%s: container \"%s\" of %s, captured %s%s%s",
	                      matched ? "matched export" : "unmatched export", i.name,
	                      in->artifact->path,
	                      when ? "at or after " : "at a time the file does not tell",
	                      when ? when : "", edited_note(a, object)));
	add_note(w, i.row, how);
}

static void join(struct workspace *w)
{
	struct inspect_rows rows = { 0 };
	bool listed = false;

	for (size_t k = 0; k < w->inputs.count; k++) {
		struct input *in = w->inputs.items[k];

		for (uint32_t i = 0; in->state[FORMAT_INSPECT] && i < object_count(in); i++)
			if (is_container(object_at(in, i))) {
				if (!listed)
					inspect_rows_list(&rows, w);
				listed = true;
				read_object(w, &rows, in, object_at(in, i));
			}
	}
}

const struct format format_inspect = {
	.id = FORMAT_INSPECT,
	.syntax = SYNTAX_JSON,
	.interested = interested,
	.claims = claims,
	.recognise = recognise,
	.read = read,
	.join = join,
};

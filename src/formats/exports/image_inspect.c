/* Exports of docker image inspect: what an image sets by itself.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "src/formats/exports/export.h"
#include "src/formats/run/argv.h"
#include "src/formats/run/container_facts.h"
#include "src/formats/run/secret_words.h"

static bool interested(const char *path)
{
	return path_ends(path, ".json .txt .out");
}

static bool claims(const char *path, const char *bytes, size_t length)
{
	(void)path;
	return bytes_hold(bytes, length, "\"RepoTags\"") && bytes_hold(bytes, length, "\"RootFS\"");
}

static const struct node *object_at(const struct input *in, uint32_t i)
{
	const struct node *top = in->documents.count ? node_resolve(in->documents.items[0]) : NULL;

	if (node_is_seq(top))
		return node_at(top, i);
	return i == 0 && node_is_map(top) ? top : NULL;
}

static bool is_image(const struct node *object)
{
	return node_get(object, "RepoTags") && node_is_map(node_get(object, "RootFS"));
}

static uint32_t object_count(const struct input *in)
{
	const struct node *top = in->documents.count ? node_resolve(in->documents.items[0]) : NULL;

	return node_is_seq(top) ? node_count(top) : node_is_map(top);
}

static bool recognise(const struct input *in)
{
	for (uint32_t i = 0; i < object_count(in); i++)
		if (is_image(object_at(in, i)))
			return true;
	return false;
}

static const char *image_name(const struct node *object)
{
	const char *tag = node_text(node_at(node_get(object, "RepoTags"), 0));

	if (!tag)
		tag = node_text(node_at(node_get(object, "RepoDigests"), 0));
	if (!tag)
		tag = node_text(node_get(object, "Id"));
	return tag ? tag : "image";
}

static void environment(struct workspace *w, struct row *row, const struct node *list)
{
	for (uint32_t k = 0; node_is_seq(list) && k < list->count; k++) {
		const char *pair = node_text(node_at(list, k));
		const char *equals = pair ? strchr(pair, '=') : NULL;

		if (equals)
			env_fact(w, row,
			         arena_copy(&w->snapshot->arena, pair, (size_t)(equals - pair)),
			         equals + 1, node_at(list, k)->span);
	}
}

static void words(struct workspace *w, struct row *row, enum fact_kind kind, const struct node *n)
{
	struct arena *a = &w->snapshot->arena;
	struct argv v = { 0 };

	argv_add_node(a, &v, n);
	if (!v.count)
		return;
	secret_words(w, row, &v, 0, true);
	snapshot_set_attribute(
	    w->snapshot,
	    snapshot_add_fact(w->snapshot, row, kind, argv_join(a, &v, 0), v.items[0].span), "form",
	    "exec");
}

static void names(struct workspace *w, struct row *row, enum fact_kind kind, const struct node *map)
{
	for (uint32_t k = 0; node_is_map(map) && k < map->count; k++)
		if (node_text(map->items[k].key))
			snapshot_add_fact(w->snapshot, row, kind, node_text(map->items[k].key),
			                  map->items[k].key->span);
}

static void identity(struct workspace *w, struct row *row, const struct node *config)
{
	const struct node *user = node_get(config, "User");

	if (node_text(user) && *node_text(user))
		user_fact(w, row, node_text(user), user->span);
	else if (config)
		snapshot_set_attribute(w->snapshot,
		                       snapshot_add_fact(w->snapshot, row, FACT_USER, "",
		                                         user ? user->span : node_key_span(config)),
		                       "uid", "0");
}

static void image(struct workspace *w, struct row *row, const struct node *object)
{
	const struct node *tag = node_at(node_get(object, "RepoTags"), 0);
	const struct node *digest = node_at(node_get(object, "RepoDigests"), 0);
	const struct node *name = tag ? tag : digest;
	struct fact *f;

	if (!node_text(name))
		return;
	f = image_fact(w, row, FACT_IMAGE, node_text(name), name->span);
	if (node_text(digest) && strchr(node_text(digest), '@'))
		snapshot_set_attribute(w->snapshot, f, "running_digest",
		                       strchr(node_text(digest), '@') + 1);
}

static void read_image(struct workspace *w, struct input *in, const struct node *object)
{
	const struct node *config = node_get(object, "Config");
	const struct node *id = node_find(object, "Id") ? node_find(object, "Id")->key : object;
	const struct row_spec spec = {
		.path = in->artifact->path,
		.object_kind = "image",
		.unit = image_name(object),
		.kind = ROW_OBJECT,
		.format = FORMAT_IMAGE_INSPECT,
		.artifact = in->artifact->index,
		.span = id->span,
	};
	struct row *row = snapshot_add_row(w->snapshot, &spec);
	const char *created = node_text(node_get(object, "Created"));

	image(w, row, object);
	identity(w, row, config);
	words(w, row, FACT_ENTRYPOINT, node_get(config, "Entrypoint"));
	words(w, row, FACT_COMMAND, node_get(config, "Cmd"));
	environment(w, row, node_get(config, "Env"));
	names(w, row, FACT_EXPOSE, node_get(config, "ExposedPorts"));
	export_observed(row, 0);
	row->export_note = "an image, not a container: what it sets when nothing else is said";
	export_mark(in, export_time(created) ? created : NULL, image_name(object));
}

static void read(struct workspace *w, struct input *in)
{
	if (export_is_sample(w, in, object_at(in, 0) ? object_at(in, 0)->span : (struct span){ 0 }))
		return;
	for (uint32_t i = 0; i < object_count(in); i++)
		if (is_image(object_at(in, i)))
			read_image(w, in, object_at(in, i));
}

const struct format format_image_inspect = {
	.id = FORMAT_IMAGE_INSPECT,
	.syntax = SYNTAX_JSON,
	.interested = interested,
	.claims = claims,
	.recognise = recognise,
	.read = read,
};

/* Which declared row an inspected container is.
 *
 * Evidence in the order of its weight: Compose labels, the container's name, its image. A weaker
 * sign is only taken when exactly one row carries it. SPDX-License-Identifier: MIT */
#include <string.h>
#include <strings.h>

#include "src/formats/exports/export.h"

static bool is_candidate(const struct row *r)
{
	return row_is_workload(r) && r->format != FORMAT_INSPECT;
}

static const char *service_key(struct arena *a, const char *path, const char *service)
{
	return arena_printf(a, "%s\n%s", path, service);
}

void inspect_rows_list(struct inspect_rows *rows, struct workspace *w)
{
	struct arena *a = &w->snapshot->arena;

	for (size_t k = 0; k < w->snapshot->rows.count; k++) {
		const struct row *r = w->snapshot->rows.items[k];
		const struct fact *image = row_first(r, FACT_IMAGE, LAYER_DECLARED);

		if (!is_candidate(r))
			continue;
		if (r->format == FORMAT_COMPOSE) {
			const char *path = w->snapshot->artifacts.items[r->artifact]->path;

			name_lists_add(a, &rows->services, service_key(a, path, r->unit),
				       (uint32_t)k);
			name_lists_add(a, &rows->services, service_key(a, "", r->unit), (uint32_t)k);
		}
		if (r->kind != ROW_TOOL_SUBPROCESS && r->kind != ROW_BUILD)
			name_lists_add(a, &rows->names, r->name, (uint32_t)k);
		if (image && r->kind != ROW_BUILD)
			name_lists_add(a, &rows->images, image->value, (uint32_t)k);
	}
}

/* What a search found: the only row, or how many there are. */
struct found {
	struct row *row;
	size_t count;
};

static void take(struct found *found, const struct inspect *i, const struct id_list *list)
{
	for (size_t k = 0; k < list->count && found->count < 2; k++) {
		struct row *r = i->w->snapshot->rows.items[list->items[k]];

		found->count += r != found->row;
		found->row = r;
	}
}

static struct row *only(const struct found *found)
{
	return found->count == 1 ? found->row : NULL;
}

static const char *label(const struct inspect *i, const char *name)
{
	return node_text(node_path(i->config, "Labels", name, NULL));
}

/* The label of Compose's files, with every separator a slash. */
static const char *files_label(const struct inspect *i)
{
	const char *files = label(i, "com.docker.compose.project.config_files");
	char *copy = arena_strdup(&i->w->snapshot->arena, files ? files : "");

	for (char *p = copy; *p; p++)
		if (*p == '\\')
			*p = '/';
	return copy;
}

/* The services of that name in files whose path is the end of an absolute path of FILES. */
static void take_files(struct found *found, const struct inspect *i, const char *service,
                       const char *files)
{
	struct arena *a = &i->w->snapshot->arena;

	while (*files) {
		const char *path = arena_copy(a, files, strcspn(files, ","));

		files += strlen(path);
		files += *files == ',';
		for (; path; path = strchr(path, '/')) {
			path += *path == '/';
			take(found, i, name_lists_get(&i->rows->services, service_key(a, path, service)));
		}
	}
}

static struct row *by_labels(const struct inspect *i, const char **how)
{
	const char *service = label(i, "com.docker.compose.service");
	struct found found = { 0 };

	if (!service)
		return NULL;
	take_files(&found, i, service, files_label(i));
	if (!found.count)
		take(&found, i, name_lists_get(&i->rows->services, service_key(&i->w->snapshot->arena, "", service)));
	if (only(&found))
		*how = "matched by its Compose labels";
	else if (found.count)
		*how = "its Compose labels fit several services";
	return only(&found);
}

static struct row *by_sign(const struct inspect *i, const char *wanted, const char *matched,
                           const struct name_lists *lists, const char **how)
{
	struct found found = { 0 };

	if (wanted && *wanted)
		take(&found, i, name_lists_get(lists, wanted));
	if (only(&found))
		*how = matched;
	return only(&found);
}

struct row *inspect_match(const struct inspect *i, const char **how)
{
	struct row *row;

	*how = "no row among the files has its labels, name or image";
	row = by_labels(i, how);
	if (!row && !label(i, "com.docker.compose.service"))
		row = by_sign(i, i->name, "matched by the container's name", &i->rows->names, how);
	if (!row && !label(i, "com.docker.compose.service"))
		row = by_sign(i, node_text(node_get(i->config, "Image")), "matched by its image",
		              &i->rows->images, how);
	return row;
}

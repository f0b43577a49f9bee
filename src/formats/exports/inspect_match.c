/* Which declared row an inspected container is.
 *
 * Evidence in the order of its weight: Compose labels, the container's name, its image. A weaker
 * sign is only taken when exactly one row carries it. SPDX-License-Identifier: MIT */
#include <string.h>
#include <strings.h>

#include "src/formats/exports/export.h"

struct search {
	const struct inspect *i;
	const char *wanted;
	bool (*fits)(const struct search *s, const struct row *r);
};

/* The only row that fits, or NULL; *COUNT is how many do. */
static struct row *only_row(const struct search *s, size_t *count)
{
	const struct snapshot *snapshot = s->i->w->snapshot;
	struct row *found = NULL;

	*count = 0;
	for (size_t k = 0; k < snapshot->rows.count; k++) {
		struct row *r = snapshot->rows.items[k];

		if (!row_is_workload(r) || r->format == FORMAT_INSPECT || !s->fits(s, r))
			continue;
		found = r;
		++*count;
	}
	return *count == 1 ? found : NULL;
}

static const char *label(const struct inspect *i, const char *name)
{
	return node_text(node_path(i->config, "Labels", name, NULL));
}

/* True when PATH is the end of one of the comma-separated absolute FILES. */
static bool is_one_of(const char *files, const char *path)
{
	size_t length = strlen(path);

	while (*files) {
		size_t n = strcspn(files, ",");

		if (n >= length && memcmp(files + n - length, path, length) == 0 &&
		    (n == length || strchr("/\\", files[n - length - 1])))
			return true;
		files += n + (files[n] == ',');
	}
	return false;
}

static bool is_service(const struct search *s, const struct row *r)
{
	return r->format == FORMAT_COMPOSE && strcmp(r->unit, s->wanted) == 0;
}

static bool is_service_of_files(const struct search *s, const struct row *r)
{
	const char *files = label(s->i, "com.docker.compose.project.config_files");
	const struct artifact *artifact = s->i->w->snapshot->artifacts.items[r->artifact];
	char *copy;

	if (!files || !is_service(s, r))
		return false;
	copy = arena_strdup(&s->i->w->snapshot->arena, files);
	for (char *p = copy; *p; p++)
		if (*p == '\\')
			*p = '/';
	return is_one_of(copy, artifact->path);
}

static bool has_name(const struct search *s, const struct row *r)
{
	return strcmp(r->name, s->wanted) == 0 && r->kind != ROW_TOOL_SUBPROCESS &&
	       r->kind != ROW_BUILD;
}

static bool has_image(const struct search *s, const struct row *r)
{
	return r->kind != ROW_BUILD && fact_is(row_first(r, FACT_IMAGE, LAYER_DECLARED), s->wanted);
}

static struct row *by_labels(const struct inspect *i, const char **how)
{
	struct search s = { .i = i, .wanted = label(i, "com.docker.compose.service") };
	struct row *row;
	size_t count;

	if (!s.wanted)
		return NULL;
	s.fits = is_service_of_files;
	row = only_row(&s, &count);
	if (!row && !count) {
		s.fits = is_service;
		row = only_row(&s, &count);
	}
	if (row)
		*how = "matched by its Compose labels";
	else if (count)
		*how = "its Compose labels fit several services";
	return row;
}

static struct row *by_sign(const struct inspect *i, const char *wanted, const char *matched,
                           bool (*fits)(const struct search *, const struct row *),
                           const char **how)
{
	struct search s = { .i = i, .wanted = wanted, .fits = fits };
	size_t count;
	struct row *row = wanted && *wanted ? only_row(&s, &count) : NULL;

	if (row)
		*how = matched;
	return row;
}

struct row *inspect_match(const struct inspect *i, const char **how)
{
	struct row *row;

	*how = "no row among the files has its labels, name or image";
	row = by_labels(i, how);
	if (!row && !label(i, "com.docker.compose.service"))
		row = by_sign(i, i->name, "matched by the container's name", has_name, how);
	if (!row && !label(i, "com.docker.compose.service"))
		row = by_sign(i, node_text(node_get(i->config, "Image")), "matched by its image",
		              has_image, how);
	return row;
}

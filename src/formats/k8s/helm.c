/* Helm charts: templates are read as Kubernetes manifests with hidden expressions; Chart.yaml and the
 * default values are listed as what they are.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/template.h"

#include <string.h>

static bool is_chart(const char *path)
{
	return strcmp(path_base(path), "Chart.yaml") == 0;
}

static bool interested(const char *path)
{
	return is_chart(path) || k8s_is_template_path(path);
}

static bool claims(const char *path, const char *bytes, size_t length)
{
	if (is_chart(path))
		return bytes_hold(bytes, length, "apiVersion");
	return bytes_hold(bytes, length, "{{") && bytes_hold(bytes, length, "kind");
}

/* The chart's folder: the nearest one above templates/ that holds a Chart.yaml. */
static const char *chart_folder(struct workspace *w, const char *path)
{
	struct arena *a = &w->snapshot->arena;
	const char *folder = path_folder(a, path);

	for (unsigned up = 0; up < 8; up++) {
		if (w->exists(w, *folder ? arena_printf(a, "%s/Chart.yaml", folder) : "Chart.yaml"))
			return folder;
		if (!*folder)
			return NULL;
		folder = path_folder(a, folder);
	}
	return NULL;
}

static struct input *default_values(struct workspace *w, const char *folder)
{
	struct input *in;

	in = w->open(w, *folder ? arena_printf(&w->snapshot->arena, "%s/values.yaml", folder) :
				  "values.yaml",
		     FORMAT_HELM);
	if (in)
		input_parse(w, in, SYNTAX_YAML);
	return in;
}

/* Charts above hold this one in charts/NAME and may set its values under NAME. */
static void find_above(struct workspace *w, struct k8s_file *file, const char *folder)
{
	struct arena *a = &w->snapshot->arena;
	const char *prefix = "";

	while (file->above_count < CHARTS_ABOVE) {
		const char *charts = path_folder(a, folder), *name = path_base(folder);
		struct input *values;

		if (strcmp(path_base(charts), "charts") != 0)
			return;
		folder = path_folder(a, charts);
		prefix = *prefix ? arena_printf(a, "%s.%s", name, prefix) : name;
		values = default_values(w, folder);
		if (!values)
			return;
		file->above[file->above_count].values = values;
		file->above[file->above_count++].prefix = prefix;
	}
}

static void read_template(struct workspace *w, struct input *in)
{
	struct k8s_file *file;
	const char *folder;

	if (is_chart(in->artifact->path))
		return;
	file = ARENA_NEW(&w->snapshot->arena, struct k8s_file);
	in->state[FORMAT_K8S] = file;
	folder = chart_folder(w, in->artifact->path);
	if (folder) {
		file->values = default_values(w, folder);
		find_above(w, file, folder);
	}
	template_read(w, in, file);
	k8s_read_objects(w, in, file);
}

const struct format format_helm = {
	.id = FORMAT_HELM,
	.syntax = SYNTAX_TEXT,
	.claims = claims,
	.interested = interested,
	.read = read_template,
};

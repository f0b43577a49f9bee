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

static void read_template(struct workspace *w, struct input *in)
{
	struct k8s_file *file;
	const char *folder;

	if (is_chart(in->artifact->path))
		return;
	file = ARENA_NEW(&w->snapshot->arena, struct k8s_file);
	in->state[FORMAT_K8S] = file;
	folder = chart_folder(w, in->artifact->path);
	if (folder)
		file->values = default_values(w, folder);
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

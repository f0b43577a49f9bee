/* Reading manifests from text, with the files already added as the tree.
 * SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_K8S_HELP_H
#define TESTS_UNIT_K8S_HELP_H

#include "tests/unit/format_help.h"

extern const struct format format_k8s, format_helm, format_kustomize;

#define POD(spec) "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n" spec

/* A deployment with a label, an account and a namespace of its own. */
#define WEB                                                                                        \
	"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\nspec:\n"    \
	"  template:\n    metadata: {labels: {app: web}}\n    spec:\n"                             \
	"      serviceAccountName: runner\n      containers: [{name: web, image: i}]\n"

static inline struct input *tree_open(struct workspace *w, const char *path, enum format_id format)
{
	(void)format;
	for (size_t i = 0; i < w->inputs.count; i++)
		if (strcmp(w->inputs.items[i]->artifact->path, path) == 0)
			return w->inputs.items[i];
	return NULL;
}

static inline bool tree_exists(struct workspace *w, const char *path)
{
	size_t length = strlen(path);

	for (size_t i = 0; i < w->inputs.count; i++) {
		const char *have = w->inputs.items[i]->artifact->path;

		if (strncmp(have, path, length) == 0 && (!have[length] || have[length] == '/'))
			return true;
	}
	return false;
}

static inline void read_with(struct reading *r, const struct format *format, const char *path,
			     const char *text)
{
	struct arena *a = &r->snapshot.arena;

	r->workspace.open = tree_open;
	r->workspace.exists = tree_exists;
	hash_index_put(a, &r->workspace.input_paths, arena_strdup(a, path),
		       (uint32_t)r->workspace.inputs.count);
	if (!read_text(r, format, path, format->syntax, text))
		fail_msg("%s is not taken as %s", path, format_table[format->id].name);
}

static inline void read_k8s(struct reading *r, const char *path, const char *text)
{
	read_with(r, &format_k8s, path, text);
}

static inline void join_k8s(struct reading *r)
{
	format_k8s.join(&r->workspace);
}

/* The deployment's row beside OBJECTS. */
static inline const struct row *read_web(struct reading *r, const char *objects)
{
	read_k8s(r, "web.yaml", WEB);
	read_k8s(r, "objects.yaml", objects);
	join_k8s(r);
	return row_of(r, "web.yaml#Deployment/shop/web/web");
}

/* Some problem of the first artifact on LINE says TEXT. */
static inline void assert_problem(const struct reading *r, uint32_t line, const char *text)
{
	const struct problems *list = &r->snapshot.artifacts.items[0]->problems;

	for (size_t i = 0; i < list->count; i++)
		if (snapshot_line(&r->snapshot, list->items[i].span) == line &&
		    strstr(list->items[i].message, text))
			return;
	fail_msg("no problem on line %u says \"%s\"", line, text);
}

#endif

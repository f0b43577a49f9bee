/* ingress-nginx: whether a controller puts snippets of Ingress objects into its configuration.
 *
 * Source: CVE-2021-25742 and the controller's change log [known]: the setting allow-snippet-annotations
 * exists from 0.49.1 and 1.0.1 on; it is on by default before 1.9.0 and off from then on.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/index.h"
#include "src/formats/k8s/objects.h"

#include <stdio.h>
#include <string.h>

static const char setting[] = "allow-snippet-annotations";

static bool is_controller(const char *repository)
{
	const char *slash = strrchr(repository, '/');
	const char *name = slash ? slash + 1 : repository;

	if (strcmp(name, "controller") == 0)
		return strstr(repository, "ingress-nginx/") != NULL;
	return k8s_word_in(name, "nginx-ingress-controller nginx-controller "
				 "ingress-nginx-controller");
}

/* "v1.2.3" or "1.2.3" as one number; false for other tags. */
static bool read_version(const char *tag, unsigned long *out)
{
	unsigned major, minor, patch = 0;

	if (!tag || sscanf(*tag == 'v' ? tag + 1 : tag, "%3u.%3u.%3u", &major, &minor, &patch) < 2)
		return false;
	*out = major * 1000000ul + minor * 1000ul + patch;
	return true;
}

static bool has_no_switch(unsigned long version)
{
	return version < 49001 || version == 1000000;
}

/* The controller's own ConfigMap is known by the setting in it. */
static const struct node *switch_of(const struct k8s_world *world, const struct k8s_object *beside)
{
	const struct id_list *list = k8s_of_kind(world, "ConfigMap");

	for (size_t i = 0; i < list->count; i++) {
		const struct k8s_object *o = world->objects.items[list->items[i]];
		const struct node *n = k8s_get(k8s_map(o->node, "data"), setting);

		if (!k8s_may_compare(world, n ? k8s_near_cost(o) : 1))
			return NULL;
		if (n && k8s_related(o, beside))
			return n;
	}
	return NULL;
}

static void judge_row(struct k8s_world *world, struct k8s_pod *pod, struct row *r)
{
	const struct fact *image = row_first(r, FACT_IMAGE, pod->layer);
	const char *repository = image ? fact_attribute(image, "repository") : NULL;
	struct k8s_target t = { .w = world->w, .pod = pod, .row = r, .anchor = r->span };
	unsigned long version = 0;
	const struct node *n;
	struct fact *f;

	if (!repository || !is_controller(repository))
		return;
	n = switch_of(world, pod->object);
	if (!read_version(fact_attribute(image, "tag"), &version) && !n)
		return;
	if (n && !has_no_switch(version)) {
		f = k8s_fact(&t, FACT_SNIPPETS, n, NULL);
		snapshot_add_hop(world->w->snapshot, f, image->span, image->value, "controller");
		return;
	}
	f = k8s_fact_at(&t, FACT_SNIPPETS, version >= 1009000 ? "false" : "true", image->span);
	f->note = has_no_switch(version) ? "this version knows no setting that refuses snippets" :
					   "default of this version; no supplied ConfigMap of the "
					   "namespace sets allow-snippet-annotations";
}

void k8s_join_snippets(struct k8s_world *world)
{
	for (size_t p = 0; p < world->pods.count; p++)
		for (size_t i = 0; i < world->pods.items[p]->rows.count; i++)
			judge_row(world, world->pods.items[p], world->pods.items[p]->rows.items[i]);
}

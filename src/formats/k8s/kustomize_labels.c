/* Labels and annotations that a kustomization puts on objects, their pods and the selectors of both.
 *
 * Source: kustomize's default field specs [known]. commonLabels reach selectors and pods; an entry of labels
 * does so where it says includeSelectors or includeTemplates.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/kustomize.h"

#include <string.h>

#define STEPS 6u

enum reach { REACH_OBJECT, REACH_TEMPLATE, REACH_SELECTOR };

static const struct place {
	const char *kinds; /* NULL: all */
	enum reach reach;
	bool create; /* also where nothing stands */
	const char *path[STEPS];
} places[] = {
	{ NULL, REACH_OBJECT, true, { "metadata", "labels" } },
	{ "Deployment StatefulSet DaemonSet ReplicaSet ReplicationController Job", REACH_TEMPLATE, true,
	  { "spec", "template", "metadata", "labels" } },
	{ "CronJob", REACH_TEMPLATE, true,
	  { "spec", "jobTemplate", "spec", "template", "metadata", "labels" } },
	{ "Service ReplicationController", REACH_SELECTOR, true, { "spec", "selector" } },
	{ "Deployment StatefulSet DaemonSet ReplicaSet", REACH_SELECTOR, true,
	  { "spec", "selector", "matchLabels" } },
	{ "NetworkPolicy", REACH_SELECTOR, false, { "spec", "podSelector", "matchLabels" } },
};

static const struct node *value_at(const struct node *n, const struct place *p)
{
	for (unsigned i = 0; n && i < STEPS && p->path[i]; i++)
		n = k8s_get(n, p->path[i]);
	return n;
}

/* PAIRS as a patch that holds them at P; an annotation stands where labels do. */
static const struct node *patch_at(struct arena *a, const struct place *p, const struct node *pairs,
				   bool annotations)
{
	struct node *inner = ARENA_NEW(a, struct node);
	unsigned depth = 0;

	*inner = *pairs;
	while (depth < STEPS && p->path[depth])
		depth++;
	while (depth--) {
		const bool last = strcmp(p->path[depth], "labels") == 0;
		struct node *outer = ARENA_NEW(a, struct node);

		*outer = (struct node){ .kind = NODE_MAP, .style = NODE_BLOCK, .span = pairs->span };
		outer->items = ARENA_NEW(a, struct node_item);
		outer->count = 1;
		outer->items[0].key = patch_scalar(
			a, NULL, annotations && last ? "annotations" : p->path[depth], pairs->span);
		outer->items[0].value = inner;
		inner->parent = outer;
		inner = outer;
	}
	return inner;
}

static void put(struct kustomize_run *g, struct k8s_object *o, const struct node *pairs, enum reach reach,
		bool annotations)
{
	struct arena *a = &g->w->snapshot->arena;

	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		const struct place *p = &places[i];

		if (p->reach > reach || (p->kinds && !k8s_word_in(o->kind, p->kinds)) ||
		    (!p->create && !value_at(o->node, p)))
			continue;
		kustomize_replace(o, patch_merge(a, o->node, patch_at(a, p, pairs, annotations),
						 &g->left));
	}
}

void kustomize_label(struct kustomize_run *g, const struct kustomization *k, struct k8s_object *o)
{
	const struct node *list = k8s_seq(k->node, "labels");
	const struct node *common = k8s_map(k->node, "commonLabels");
	const struct node *annotations = k8s_map(k->node, "commonAnnotations");

	if (node_count(common))
		put(g, o, common, REACH_SELECTOR, false);
	if (node_count(annotations))
		put(g, o, annotations, REACH_TEMPLATE, true);
	for (uint32_t i = 0; i < node_count(list); i++) {
		const struct node *entry = node_at(list, i), *pairs = k8s_map(entry, "pairs");

		if (node_count(pairs))
			put(g, o, pairs,
			    k8s_is_true(entry, "includeSelectors") ? REACH_SELECTOR :
			    k8s_is_true(entry, "includeTemplates") ? REACH_TEMPLATE :
								     REACH_OBJECT,
			    false);
	}
}

/* What joins share: finding objects, matching labels, handing a fact to a pod's rows.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/objects.h"

#include <string.h>

#include "model/limits.h"
#include "src/formats/k8s/template_blocks.h"

bool k8s_is_full(const struct k8s_pod *pod)
{
	return pod->joined > LIMIT_JOINED;
}

/* What an object that the chart's defaults leave out says of a pod that they do not. */
static void mark_branch(struct k8s_world *world, const struct k8s_pod *pod, struct fact *f)
{
	const struct source *s = snapshot_source(world->w->snapshot, f->span.source);
	const struct input *in = s ? workspace_input(world->w, s->path) : NULL;
	const struct k8s_branch *branch;
	uint32_t owner = pod->spec->span.offset;

	if (!in || !in->state[FORMAT_K8S])
		return;
	branch = template_branch_at(in->state[FORMAT_K8S], f->span.offset);
	if (!branch || (pod->object->in == in && owner >= branch->from && owner < branch->to))
		return;
	f->provenance = PROVENANCE_TEMPLATED;
	f->note = branch->note;
}

void k8s_give(struct k8s_world *world, struct k8s_pod *pod, const struct fact *fact,
	      struct span place, const char *role)
{
	if (pod->joined >= LIMIT_JOINED) {
		if (pod->joined++ == LIMIT_JOINED)
			input_problem(world->w, pod->object->in, k8s_object_place(pod->object),
				      "%s \"%s\": more than %u objects apply to it; the rest is not "
				      "joined", pod->object->kind, pod->unit, LIMIT_JOINED);
		return;
	}
	pod->joined++;
	for (size_t i = 0; i < pod->rows.count; i++) {
		struct row *r = pod->rows.items[i];
		struct fact *f = snapshot_copy_fact(world->w->snapshot, r, fact);

		f->layer = pod->layer;
		mark_branch(world, pod, f);
		if (span_is_set(place))
			snapshot_add_hop(world->w->snapshot, f, place, NULL, role);
		/* A selector leads to the labels that it matches. */
		if (role && strcmp(role, "selector") == 0 && node_count(k8s_labels(pod)))
			snapshot_add_hop(world->w->snapshot, f, k8s_key(pod->metadata, "labels"),
					 NULL, "labels");
		/* The object as a whole is what the other one leads to. */
		snapshot_add_hop(world->w->snapshot, f, k8s_place(pod->object->node, "kind"), NULL,
				 "row");
	}
}

const struct node *k8s_labels(const struct k8s_pod *pod)
{
	return k8s_map(pod->metadata, "labels");
}

bool k8s_expression_holds(const struct node *e, const char *have)
{
	const char *operator = k8s_text(e, "operator");
	const struct node *values = k8s_seq(e, "values");

	if (!operator)
		return false;
	if (strcmp(operator, "Exists") == 0)
		return have != NULL;
	if (strcmp(operator, "DoesNotExist") == 0)
		return have == NULL;
	if (strcmp(operator, "In") == 0)
		return have && k8s_holds(values, have);
	return strcmp(operator, "NotIn") == 0 && !(have && k8s_holds(values, have));
}

bool k8s_expressions_hold(const struct node *expressions, const struct node *labels)
{
	for (uint32_t i = 0; i < node_count(expressions); i++) {
		const char *key = k8s_text(node_at(expressions, i), "key");

		if (!key || !k8s_expression_holds(node_at(expressions, i), k8s_text(labels, key)))
			return false;
	}
	return true;
}

bool k8s_labels_hold(const struct node *match, const struct node *labels)
{
	for (uint32_t i = 0; i < node_count(match); i++) {
		const char *key = node_text(match->items[i].key);
		const char *want = node_text(match->items[i].value);
		const char *have = key ? k8s_text(labels, key) : NULL;

		if (!want || !have || strcmp(want, have) != 0)
			return false;
	}
	return true;
}

bool k8s_selects(const struct node *selector, const struct node *labels)
{
	return k8s_labels_hold(k8s_map(selector, "matchLabels"), labels) &&
	       k8s_expressions_hold(k8s_seq(selector, "matchExpressions"), labels);
}

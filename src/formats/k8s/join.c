/* What joins share: finding objects, matching labels, handing a fact to a pod's rows.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/objects.h"

#include <string.h>

#include "model/limits.h"

bool k8s_same_namespace(const char *a, const char *b)
{
	return strcmp(*a ? a : "default", *b ? b : "default") == 0;
}

/* Folders of two paths are near when one holds the other, or both lie in the same one. */
static bool near_folders(const char *a, const char *b)
{
	size_t common = 0, deeper_a = 0, deeper_b = 0;

	for (size_t i = 0; a[i] && a[i] == b[i]; i++)
		if (a[i] == '/')
			common = i + 1;
	for (const char *p = a + common; *p; p++)
		deeper_a += *p == '/';
	for (const char *p = b + common; *p; p++)
		deeper_b += *p == '/';
	return deeper_a == 0 || deeper_b == 0 || (deeper_a == 1 && deeper_b == 1 && common > 0);
}

bool k8s_near(const struct k8s_object *a, const struct k8s_object *b)
{
	const bool tests = a->in->artifact->class == CLASS_TEST;

	if (a->in == b->in)
		return true;
	if (tests != (b->in->artifact->class == CLASS_TEST))
		return false;
	if (*a->namespace && *b->namespace && !tests)
		return true;
	return near_folders(a->in->artifact->path, b->in->artifact->path);
}

bool k8s_related(const struct k8s_object *a, const struct k8s_object *b)
{
	return k8s_same_namespace(a->namespace, b->namespace) && k8s_near(a, b);
}

struct k8s_object *k8s_find_object(const struct k8s_world *world, const char *kind,
				   const char *name, const struct k8s_object *beside)
{
	for (size_t i = 0; i < world->objects.count; i++) {
		struct k8s_object *o = world->objects.items[i];

		if (strcmp(o->kind, kind) == 0 && strcmp(o->name, name) == 0 &&
		    k8s_related(o, beside))
			return o;
	}
	return NULL;
}

void k8s_give(struct k8s_world *world, struct k8s_pod *pod, const struct fact *fact,
	      struct span place, const char *role)
{
	if (pod->joined >= LIMIT_JOINED) {
		if (pod->joined++ == LIMIT_JOINED)
			input_problem(world->w, pod->object->in, k8s_place(pod->object->node, "kind"),
				      "%s \"%s\": more than %u objects apply to it; the rest is not "
				      "joined", pod->object->kind, pod->unit, LIMIT_JOINED);
		return;
	}
	pod->joined++;
	for (size_t i = 0; i < pod->rows.count; i++) {
		struct row *r = pod->rows.items[i];
		struct fact *f = snapshot_copy_fact(world->w->snapshot, r, fact);

		f->layer = pod->layer;
		if (span_is_set(place))
			snapshot_add_hop(world->w->snapshot, f, place, NULL, role);
		/* The object as a whole is what the other one leads to. */
		snapshot_add_hop(world->w->snapshot, f, k8s_place(pod->object->node, "kind"), NULL,
				 "row");
	}
}

const struct node *k8s_labels(const struct k8s_pod *pod)
{
	return k8s_map(pod->metadata, "labels");
}

static bool expression_holds(const struct node *e, const struct node *labels)
{
	const char *key = k8s_text(e, "key"), *operator = k8s_text(e, "operator");
	const char *have = key ? k8s_text(labels, key) : NULL;
	const struct node *values = k8s_seq(e, "values");

	if (!key || !operator)
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
	for (uint32_t i = 0; i < node_count(expressions); i++)
		if (!expression_holds(node_at(expressions, i), labels))
			return false;
	return true;
}

bool k8s_selects(const struct node *selector, const struct node *labels)
{
	const struct node *match = k8s_map(selector, "matchLabels");

	for (uint32_t i = 0; i < node_count(match); i++) {
		const char *key = node_text(match->items[i].key);
		const char *want = node_text(match->items[i].value);
		const char *have = key ? k8s_text(labels, key) : NULL;

		if (!want || !have || strcmp(want, have) != 0)
			return false;
	}
	return k8s_expressions_hold(k8s_seq(selector, "matchExpressions"), labels);
}

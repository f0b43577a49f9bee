/* What the namespace and the cluster add to a container's resources: limits, quotas, priority.
 *
 * Source: LimitRanger and quota admission, API core/v1 and scheduling/v1 [known]. A LimitRange gives a
 * container without a limit its `default`, else its `max`; it acts when a pod is made, so that an export
 * shows the result already. Which of several defaults holds is not defined.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/index.h"
#include "src/formats/k8s/objects.h"
#include "src/formats/k8s/quantity.h"

#include <stdlib.h>
#include <string.h>

static const struct limited {
	const char *resource, *quota;
	enum fact_kind kind;
} limited[] = {
	{ "memory", "limits.memory", FACT_MEMORY_LIMIT },
	{ "cpu", "limits.cpu", FACT_CPU_LIMIT },
};
#define LIMITED_COUNT (sizeof limited / sizeof *limited)

bool k8s_quantity_exceeds(const char *value, const char *most)
{
	double a, b;

	return quantity_read(value, &a) && quantity_read(most, &b) && a > b;
}

/* --- LimitRange -------------------------------------------------------------------------------- */

static void take_default(struct workspace *w, struct fact *f, const struct k8s_object *o,
			 const struct node *n)
{
	const char *other = fact_attribute(f, "limit_range");

	if (other && strcmp(f->value, node_text(n)) != 0) {
		f->provenance = PROVENANCE_UNRESOLVED;
		f->note = "several LimitRanges give a default, and which one holds is not defined; "
			  "an export of the running pod shows it";
		snapshot_add_hop(w->snapshot, f, n->span, node_text(n), "LimitRange");
		return;
	}
	if (other || f->provenance != PROVENANCE_ABSENT || *f->value)
		return;
	snapshot_add_hop(w->snapshot, f, f->span, "not set", "container");
	f->provenance = PROVENANCE_EXPLICIT;
	f->value = node_text(n);
	f->span = n->span;
	f->note = "default of a LimitRange of the namespace, given when the pod is made";
	k8s_attribute(w, f, "limit_range", o->name);
}

static void take_maximum(struct workspace *w, struct fact *f, const struct k8s_object *o,
			 const struct node *most)
{
	if (!fact_is_written(f) || fact_attribute(f, "limit_range") ||
	    !k8s_quantity_exceeds(f->value, node_text(most)))
		return;
	f->note = "above the maximum of a LimitRange of the namespace: the API refuses the pod";
	k8s_attribute(w, f, "maximum", node_text(most));
	k8s_attribute(w, f, "maximum_of", o->name);
	snapshot_add_hop(w->snapshot, f, most->span, NULL, "maximum");
}

static void limit_container(struct workspace *w, const struct k8s_pod *pod, struct row *r,
			    const struct k8s_object *o, const struct node *item)
{
	for (size_t i = 0; i < LIMITED_COUNT; i++) {
		const struct node *given = k8s_get(k8s_map(item, "default"), limited[i].resource);
		const struct node *most = k8s_get(k8s_map(item, "max"), limited[i].resource);
		struct fact *f = row_first_mutable(r, limited[i].kind, pod->layer);

		if (!given)
			given = most;
		if (f && node_text(given))
			take_default(w, f, o, given);
		if (f && node_text(most))
			take_maximum(w, f, o, most);
	}
}

static struct fact *describe_range(struct workspace *w, const struct k8s_object *o,
				   const struct node *item)
{
	static const char *const parts[] = { "default", "defaultRequest", "max", "min" };
	struct fact *f = k8s_object_fact(w, o, FACT_LIMIT_RANGE, o->name, k8s_place(item, "type"));

	k8s_attribute(w, f, "type", k8s_text(item, "type"));
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		const struct node *map = k8s_map(item, parts[i]);

		for (size_t k = 0; k < LIMITED_COUNT; k++)
			if (k8s_text(map, limited[k].resource))
				k8s_attribute(w, f,
					      arena_printf(&w->snapshot->arena, "%s_%s", parts[i],
							   limited[k].resource),
					      k8s_text(map, limited[k].resource));
	}
	return f;
}

/* A full pod takes no further facts, its limits still count. */
static void join_range(struct k8s_world *world, const struct k8s_object *o, struct k8s_pod *pod,
		       const struct node *item, const struct fact *f)
{
	if (pod->layer == LAYER_OBSERVED || !k8s_related(o, pod->object))
		return;
	k8s_give(world, pod, f, (struct span){ 0 }, NULL);
	if (!node_is(k8s_get(item, "type"), "Container"))
		return;
	for (size_t i = 0; i < pod->rows.count; i++)
		if (pod->rows.items[i]->kind != ROW_EPHEMERAL)
			limit_container(world->w, pod, pod->rows.items[i], o, item);
}

/* False when there were no steps left for all of the namespace's pods. */
static bool join_pods(struct k8s_world *world, const struct k8s_object *o,
		      const struct node *item, const struct fact *f)
{
	const struct id_list *list = k8s_candidates(world, o->namespace, NULL, NULL);

	for (size_t p = 0; p < list->count; p++) {
		if (!k8s_may_compare(world, k8s_near_cost(o))) {
			k8s_not_joined(world, o);
			return false;
		}
		join_range(world, o, world->pods.items[list->items[p]], item, f);
	}
	return true;
}

static void add_range(struct k8s_world *world, const struct k8s_object *o)
{
	const struct node *list = k8s_seq(k8s_map(o->node, "spec"), "limits");

	for (uint32_t i = 0; i < node_count(list); i++) {
		const struct node *item = node_at(list, i);
		const struct fact *f;

		if (!node_is_map(item) ||
		    !k8s_word_in(k8s_text(item, "type"), "Container Pod PersistentVolumeClaim"))
			continue;
		f = describe_range(world->w, o, item);
		if (node_is(k8s_get(item, "type"), "PersistentVolumeClaim"))
			continue;
		if (!join_pods(world, o, item, f))
			return;
	}
}

/* --- ResourceQuota ------------------------------------------------------------------------------ */

static struct fact *describe_quota(struct workspace *w, const struct k8s_object *o)
{
	const struct node *spec = k8s_map(o->node, "spec"), *hard = k8s_map(spec, "hard");
	struct fact *f = k8s_object_fact(w, o, FACT_RESOURCE_QUOTA, o->name, k8s_key(spec, "hard"));
	const char *text = "";

	for (uint32_t i = 0; i < node_count(hard); i++) {
		const char *key = node_text(hard->items[i].key);
		const char *value = node_text(node_resolve(hard->items[i].value));

		if (key && value)
			text = arena_printf(&w->snapshot->arena, "%s%s%s=%s", text,
					    *text ? "," : "", key, value);
	}
	k8s_attribute(w, f, "hard", text);
	if (k8s_get(spec, "scopes") || k8s_get(spec, "scopeSelector"))
		k8s_attribute(w, f, "scoped", "true");
	return f;
}

/* A quota on limits makes the API refuse pods that have none. */
static void require_limits(const struct k8s_pod *pod, const struct node *hard)
{
	for (size_t i = 0; i < pod->rows.count; i++)
		for (size_t k = 0; k < LIMITED_COUNT; k++) {
			struct fact *f = row_first_mutable(pod->rows.items[i], limited[k].kind,
							   pod->layer);

			if (f && f->provenance == PROVENANCE_ABSENT &&
			    k8s_get(hard, limited[k].quota))
				f->note = "no limit in the manifest, while a ResourceQuota of the "
					  "namespace counts limits: the API refuses the pod";
		}
}

static void add_quota(struct k8s_world *world, const struct k8s_object *o)
{
	const struct node *hard = k8s_map(k8s_map(o->node, "spec"), "hard");
	const struct fact *f = describe_quota(world->w, o);
	const struct id_list *list = k8s_candidates(world, o->namespace, NULL, NULL);

	for (size_t p = 0; p < list->count; p++) {
		struct k8s_pod *pod = world->pods.items[list->items[p]];

		if (!k8s_may_compare(world, k8s_near_cost(o))) {
			k8s_not_joined(world, o);
			return;
		}
		if (!k8s_related(o, pod->object))
			continue;
		k8s_give(world, pod, f, (struct span){ 0 }, NULL);
		if (pod->layer == LAYER_DECLARED && !fact_attribute(f, "scoped"))
			require_limits(pod, hard);
	}
}

/* --- PriorityClass ------------------------------------------------------------------------------ */

static const char *built_in_priority(const char *class)
{
	if (strcmp(class, "system-node-critical") == 0)
		return "2000001000";
	return strcmp(class, "system-cluster-critical") == 0 ? "2000000000" : NULL;
}

static const struct k8s_object *priority_class(const struct k8s_world *world,
					       const struct k8s_pod *pod, const char *name)
{
	const struct id_list *list = name ? k8s_named(world, "PriorityClass", name) :
					    k8s_of_kind(world, "PriorityClass");

	for (size_t i = 0; i < list->count; i++) {
		const struct k8s_object *o = world->objects.items[list->items[i]];

		if (!k8s_may_compare(world, k8s_near_cost(o)))
			return NULL;
		if (k8s_near(o, pod->object) && (name || k8s_is_true(o->node, "globalDefault")))
			return o;
	}
	return NULL;
}

static void add_class(const struct k8s_target *t, struct fact *f, const struct k8s_object *class)
{
	const char *preemption = k8s_text(class->node, "preemptionPolicy");

	k8s_set(t, f, "value", k8s_text(class->node, "value"));
	k8s_set(t, f, "preemption", preemption ? preemption : "PreemptLowerPriority");
	snapshot_add_hop(t->w->snapshot, f, k8s_place(class->node, "value"),
			 k8s_text(class->node, "value"), "PriorityClass");
}

static void add_priority(struct k8s_world *world, struct k8s_pod *pod, struct row *r,
			 const struct k8s_object *class)
{
	struct k8s_target t = { .w = world->w, .pod = pod, .row = r, .anchor = r->span };
	const struct node *name = k8s_get(pod->spec, "priorityClassName");
	struct fact *f;

	if (name)
		f = k8s_fact(&t, FACT_PRIORITY, name, NULL);
	else if (class)
		f = k8s_absent(&t, FACT_PRIORITY, class->name, node_key_span(pod->spec),
			       "no priorityClassName: the class marked globalDefault holds");
	else
		return;
	if (class) {
		add_class(&t, f, class);
	} else if (built_in_priority(f->value)) {
		k8s_set(&t, f, "value", built_in_priority(f->value));
		k8s_set(&t, f, "preemption", "PreemptLowerPriority");
	} else {
		f->note = "the PriorityClass is not among the files; an export of it "
			  "(kubectl get priorityclass -o yaml) tells its value";
	}
}

static void join_priority(struct k8s_world *world, struct k8s_pod *pod)
{
	const char *name = k8s_text(pod->spec, "priorityClassName");
	const struct k8s_object *class = priority_class(world, pod, name);

	for (size_t i = 0; (name || class) && i < pod->rows.count; i++)
		add_priority(world, pod, pod->rows.items[i], class);
}

static void each(struct k8s_world *world, const char *kind,
		 void (*add)(struct k8s_world *world, const struct k8s_object *o))
{
	const struct id_list *list = k8s_of_kind(world, kind);
	size_t at = 0;

	for (const struct k8s_object *o; (o = k8s_next_with_row(world, list, &at));)
		add(world, o);
}

void k8s_join_limits(struct k8s_world *world)
{
	each(world, "LimitRange", add_range);
	each(world, "ResourceQuota", add_quota);
	for (size_t p = 0; p < world->pods.count; p++)
		join_priority(world, world->pods.items[p]);
}

/* Finds pod specs by structure: a map with `containers` in the place of a pod spec.
 *
 * A pod spec stands under `spec` of a Pod or of a template (template, podTemplate, podTemplateSpec …), or
 * directly under `spec` of a custom resource when its containers name images. Schemas and policies
 * hold the same words and are no workloads; they are left out by kind and group.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/k8s.h"

#include <string.h>

#include "model/limits.h"

/* Groups and kinds whose objects quote pod specs instead of running them. */
static const char quoting_groups[] =
	"apiextensions.k8s.io admissionregistration.k8s.io kyverno.io policies.kyverno.io "
	"templates.gatekeeper.sh constraints.gatekeeper.sh mutations.gatekeeper.sh config.gatekeeper.sh "
	"policy security.openshift.io kustomize.config.k8s.io kubescape.io cli.kyverno.io "
	"apiregistration.k8s.io";

struct step {
	const struct node *node;
	const char *key; /* under which it stands; "" in a sequence */
	const char *above;
	const struct node *parent;
};

struct walk {
	struct arena *arena;
	struct {
		struct step *items;
		size_t count, capacity;
	} queue;
};

static bool is_container_list(const struct node *list, bool image_needed)
{
	for (uint32_t i = 0; i < node_count(list); i++) {
		const struct node *item = node_at(list, i);

		if (!node_is_map(item) || !(k8s_get(item, "image") || k8s_get(item, "name")))
			continue;
		if (!image_needed || (k8s_get(item, "image") && k8s_get(item, "name")))
			return true;
	}
	return false;
}

static bool is_template_key(const char *key)
{
	size_t length = strlen(key);

	return strcmp(key, "template") == 0 || k8s_word_in(key, "podTemplate podTemplateSpec") ||
	       (length > 8 && strcmp(key + length - 8, "Template") == 0) ||
	       (length > 12 && strcmp(key + length - 12, "TemplateSpec") == 0);
}

static bool holds_containers(const struct node *n, bool image_needed)
{
	return is_container_list(k8s_seq(n, "containers"), image_needed) ||
	       is_container_list(k8s_seq(n, "initContainers"), true);
}

/* Built-in kinds: where their pod spec stands is known, whatever it holds. */
static bool is_known_place(const struct k8s_object *o, const struct step *s)
{
	static const char kinds[] = "Pod Deployment StatefulSet DaemonSet ReplicaSet Job CronJob "
				    "ReplicationController PodTemplate";

	if (!k8s_word_in(o->group, "apps batch extensions") && *o->group)
		return false;
	if (!k8s_word_in(o->kind, kinds) || strcmp(s->key, "spec") != 0)
		return false;
	return strcmp(o->kind, "Pod") == 0 ? s->parent == o->node :
					     strcmp(s->above, "template") == 0;
}

static bool is_pod_spec(const struct k8s_object *o, const struct step *s)
{
	if (!node_is_map(s->node))
		return false;
	if (is_known_place(o, s))
		return true;
	if (strcmp(s->key, "spec") == 0 && is_template_key(s->above))
		return holds_containers(s->node, false);
	if (strcmp(s->key, "spec") == 0 && s->parent == o->node)
		return holds_containers(s->node, strcmp(o->kind, "Pod") != 0);
	return k8s_word_in(s->key, "podSpec podSpecPatch pod") && holds_containers(s->node, true);
}

/* Custom resources may keep several templates; the name beside the template tells them apart. */
static const char *unit_of(struct workspace *w, const struct k8s_object *o, const struct step *s)
{
	const struct node *parent = s->parent;
	const char *name = NULL;

	for (unsigned up = 0; parent && parent != o->node && up < 3 && !name; up++) {
		if (parent != s->parent)
			name = k8s_text(parent, "name");
		parent = parent->parent;
	}
	if (!name || strcmp(name, o->name) == 0)
		return o->name;
	return arena_printf(&w->snapshot->arena, "%s.%s", o->name, name);
}

/* The name as kustomize makes it. */
static const char *full_name(struct workspace *w, const struct k8s_object *o, const char *unit)
{
	if (!o->prefix && !o->suffix)
		return unit;
	return arena_printf(&w->snapshot->arena, "%s%s%s", o->prefix ? o->prefix : "", unit,
			    o->suffix ? o->suffix : "");
}

static struct k8s_pod *new_pod(struct workspace *w, struct k8s_object *o, const struct node *spec,
			       const struct node *metadata, const char *unit)
{
	struct k8s_pod *pod = ARENA_NEW(&w->snapshot->arena, struct k8s_pod);

	pod->object = o;
	pod->unit = unit;
	pod->spec = spec;
	pod->metadata = metadata;
	pod->security = k8s_map(spec, "securityContext");
	pod->layer = o->exported ? LAYER_OBSERVED : LAYER_DECLARED;
	pod->windows = node_is(node_path(spec, "os", "name", NULL), "windows");
	*ARENA_PUSH(&w->snapshot->arena, &o->pods) = pod;
	return pod;
}

static void push(struct walk *walk, const struct node *n, const char *key, const char *above,
		 const struct node *parent)
{
	n = node_resolve(n);
	if (n && (n->kind == NODE_MAP || n->kind == NODE_SEQ) &&
	    walk->queue.count < LIMIT_ALIAS_VISITS)
		*ARENA_PUSH(walk->arena, &walk->queue) = (struct step){ n, key, above, parent };
}

static void push_children(struct walk *walk, const struct step *s)
{
	for (uint32_t i = 0; i < s->node->count; i++) {
		const struct node_item *item = &s->node->items[i];
		const char *key = s->node->kind == NODE_MAP ? node_text(item->key) : "";

		/* What a cluster reports about itself is no second workload. */
		if (key && !k8s_word_in(key, "status managedFields annotations labels"))
			push(walk, item->value, *key ? key : s->key, *key ? s->key : s->above,
			     s->node);
	}
}

static bool quotes_only(const struct k8s_object *o)
{
	return k8s_word_in(o->group, quoting_groups) ||
	       strstr(o->group, "gatekeeper.sh") != NULL ||
	       k8s_word_in(o->kind, "CustomResourceDefinition ConfigMap Secret");
}

void k8s_find_pods(struct workspace *w, struct k8s_object *o)
{
	struct walk walk = { .arena = &w->snapshot->arena };

	if (quotes_only(o))
		return;
	push(&walk, o->node, "", "", NULL);
	for (size_t i = 0; i < walk.queue.count; i++) {
		struct step s = walk.queue.items[i];

		if (is_pod_spec(o, &s)) {
			const struct node *metadata = s.parent == o->node ?
							      o->metadata :
							      k8s_map(s.parent, "metadata");

			new_pod(w, o, s.node, metadata, full_name(w, o, unit_of(w, o, &s)));
			continue;
		}
		push_children(&walk, &s);
	}
}

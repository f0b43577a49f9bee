/* Finds pod specs by structure: a map with `containers` in the place of a pod spec.
 *
 * A pod spec stands under `spec` of a Pod or of a template (template, podTemplate, podTemplateSpec …), or
 * directly under `spec` of a custom resource when its containers name images; a resource that keeps only
 * settings of a pod is read as operated.c says. Schemas and policies
 * hold the same words and are no workloads; they are left out by kind and group.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/operated.h"

#include <string.h>

#include "model/limits.h"

/* Groups and kinds whose objects quote pod specs instead of running them. */
static const char quoting_groups[] =
	"apiextensions.k8s.io admissionregistration.k8s.io kyverno.io policies.kyverno.io "
	"templates.gatekeeper.sh constraints.gatekeeper.sh mutations.gatekeeper.sh config.gatekeeper.sh "
	"policy security.openshift.io kustomize.config.k8s.io kubescape.io cli.kyverno.io "
	"apiregistration.k8s.io policy.open-cluster-management.io";

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
	const struct node *wrong = k8s_map(n, "containers");

	/* A map where the list belongs is still meant as a pod; its shape is a problem of its own. */
	if (k8s_get(wrong, "image") && k8s_get(wrong, "name"))
		return true;
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
	/* A whole Pod inside another object (lists of pods in custom resources). */
	if (strcmp(s->key, "spec") == 0 && s->parent && node_is(k8s_get(s->parent, "kind"), "Pod"))
		return holds_containers(s->node, false);
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

	if (parent != o->node && node_is(k8s_get(parent, "kind"), "Pod"))
		name = k8s_text(k8s_map(parent, "metadata"), "name");
	for (unsigned up = 0; parent && parent != o->node && up < 3 && !name; up++) {
		if (parent != s->parent)
			name = k8s_text(parent, "name");
		parent = parent->parent;
	}
	if (!name || strcmp(name, o->name) == 0)
		return o->name;
	return arena_printf(&w->snapshot->arena, "%s.%s", o->name, name);
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
	pod->layer = k8s_layer(o);
	pod->windows = node_is(node_path(spec, "os", "name", NULL), "windows");
	*ARENA_PUSH(&w->snapshot->arena, &o->pods) = pod;
	return pod;
}

static void wrap(struct arena *a, const struct node *key_of, const char *key, struct node *value,
		 struct node_item *out)
{
	struct node *k = ARENA_NEW(a, struct node);

	*k = (struct node){ .kind = NODE_SCALAR,
			    .text = key,
			    .text_length = (uint32_t)strlen(key),
			    .span = node_key_span(key_of) };
	*out = (struct node_item){ k, value };
}

/* A workflow's template runs one `container` or `script` with pod settings of its own and of the
 * workflow: it is read as the pod spec that the controller makes of it. */
static const struct node *workflow_spec(struct arena *a, const struct node *workflow,
					const struct node *template, const struct node *container)
{
	static const char *const shared[] = { "serviceAccountName", "automountServiceAccountToken",
					      "hostNetwork",	    "imagePullSecrets",
					      "nodeSelector",	    "volumes",
					      "securityContext",    "hostAliases",
					      "initContainers",	    "sidecars" };
	struct node *spec = ARENA_NEW(a, struct node), *list = ARENA_NEW(a, struct node);
	struct node *copy = ARENA_NEW(a, struct node);

	*copy = *container;
	*list = (struct node){ .kind = NODE_SEQ, .style = NODE_BLOCK, .span = container->span,
			       .items = ARENA_NEW(a, struct node_item), .count = 1 };
	list->items[0].value = copy;
	*spec = *template;
	spec->items = arena_array(a, sizeof shared / sizeof *shared + 1, sizeof *spec->items);
	spec->count = 0;
	wrap(a, container, "containers", list, &spec->items[spec->count++]);
	for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
		const struct node_item *item = node_find(template, shared[i]);

		if (!item)
			item = node_find(workflow, shared[i]);
		if (item)
			spec->items[spec->count++] = *item;
	}
	return spec;
}

static void find_workflow(struct workspace *w, struct k8s_object *o)
{
	const struct node *spec = k8s_map(o->node, "spec"), *list;

	if (k8s_map(spec, "workflowSpec"))
		spec = k8s_map(spec, "workflowSpec");
	list = k8s_seq(spec, "templates");
	for (uint32_t i = 0; i < node_count(list); i++) {
		const struct node *template = node_at(list, i);
		const struct node *container = k8s_map(template, "container");
		const char *name = k8s_text(template, "name");

		if (!container)
			container = k8s_map(template, "script");
		if (container && k8s_get(container, "image"))
			new_pod(w, o, workflow_spec(&w->snapshot->arena, spec, template, container),
				k8s_map(template, "metadata"),
				arena_printf(&w->snapshot->arena, "%s.%s", o->name,
					     name ? name : ""));
	}
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
	const bool operated = k8s_is_operated(o);

	if (quotes_only(o))
		return;
	if (strcmp(o->group, "argoproj.io") == 0 && strstr(o->kind, "Workflow"))
		find_workflow(w, o);
	push(&walk, o->node, "", "", NULL);
	for (size_t i = 0; i < walk.queue.count; i++) {
		struct step s = walk.queue.items[i];

		if (operated && s.parent == o->node && strcmp(s.key, "spec") == 0) {
			push_children(&walk, &s);
			continue;
		}
		if (is_pod_spec(o, &s)) {
			const struct node *metadata = s.parent == o->node ?
							      o->metadata :
							      k8s_map(s.parent, "metadata");

			new_pod(w, o, s.node, metadata, unit_of(w, o, &s));
			continue;
		}
		push_children(&walk, &s);
	}
	if (operated && !o->pods.count)
		new_pod(w, o, k8s_operated_spec(w, o), k8s_map(k8s_map(o->node, "spec"), "podMetadata"),
			o->name)
			->operated = true;
}

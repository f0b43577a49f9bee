/* Finds pod specs by structure: a map with `containers` in the place of a pod spec.
 *
 * A pod spec stands under `spec` of a Pod or of a template (template, podTemplate, podTemplateSpec …), or
 * directly under `spec` of a custom resource when its containers name images; a resource that keeps only
 * settings of a pod is read as made.c and operated.c say. Schemas and policies
 * hold the same words and are no workloads; they are left out by kind and group.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/made.h"
#include "src/formats/k8s/operated.h"

#include <string.h>

#include "model/limits.h"

/* Groups and kinds whose objects quote pod specs instead of running them. */
static const char quoting_groups[] =
	"apiextensions.k8s.io admissionregistration.k8s.io kyverno.io policies.kyverno.io "
	"templates.gatekeeper.sh constraints.gatekeeper.sh mutations.gatekeeper.sh config.gatekeeper.sh "
	"policy security.openshift.io chainsaw.kyverno.io kuttl.dev kustomize.config.k8s.io kubescape.io "
	"cli.kyverno.io apiregistration.k8s.io policy.open-cluster-management.io";

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
		if (!image_needed || k8s_get(item, "image"))
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

static bool is_workflow(const struct k8s_object *o)
{
	return strcmp(o->group, "argoproj.io") == 0 && strstr(o->kind, "Workflow");
}

/* Kinds of groups that the API server does not serve itself. */
bool k8s_is_custom(const struct k8s_object *o)
{
	return *o->group && !k8s_word_in(o->group, "apps batch extensions policy autoscaling "
						   "rbac.authorization.k8s.io networking.k8s.io");
}

/* A resource may name neither container nor image where its operator knows both. */
static bool changes_a_pod(const struct node *spec)
{
	static const char *const keys[] = { "env", "envFrom", "volumeMounts", "securityContext",
					    "resources", "command", "args" };
	const struct node *list = k8s_seq(spec, "containers");

	for (uint32_t i = 0; i < node_count(list); i++)
		for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
			if (k8s_get(node_at(list, i), keys[k]))
				return true;
	return false;
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
		return holds_containers(s->node, false) || changes_a_pod(s->node);
	if (strcmp(s->key, "spec") == 0 && s->parent == o->node)
		return holds_containers(s->node, strcmp(o->kind, "Pod") != 0);
	return ((k8s_is_custom(o) && !is_workflow(o)) ||
		k8s_word_in(s->key, "podSpec podSpecPatch pod")) &&
	       holds_containers(s->node, true);
}

/* "leaderTemplate", not "podTemplate". */
static bool is_named_template(const char *key)
{
	size_t length = strlen(key);

	return length > 8 && strcmp(key + length - 8, "Template") == 0 &&
	       !k8s_word_in(key, "podTemplate jobTemplate sandboxTemplate");
}

/* Custom resources may keep several templates; the name beside the template tells them apart. */
static const char *unit_of(struct workspace *w, const struct k8s_object *o, const struct step *s)
{
	const struct node *parent = s->parent;
	const char *name = NULL;

	if (parent != o->node && node_is(k8s_get(parent, "kind"), "Pod"))
		name = k8s_text(k8s_map(parent, "metadata"), "name");
	for (unsigned up = 0; parent && parent != o->node && up < 4 && !name; up++) {
		/* Beside `spec` stands what the template has of a name; elsewhere, the pod's own. */
		if (parent != s->parent || strcmp(s->key, "spec") != 0)
			name = k8s_text(parent, "name");
		parent = parent->parent;
	}
	if (!name && strcmp(s->key, "spec") == 0 && is_named_template(s->above))
		return arena_printf(&w->snapshot->arena, "%s.%.*s", o->name,
				    (int)(strlen(s->above) - strlen("Template")), s->above);
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

/* MADE with the object's own metadata where it has none. */
static struct k8s_pod *add_made(struct workspace *w, struct k8s_object *o,
				const struct made_pod *made, const char *unit)
{
	struct k8s_pod *pod;

	if (!made->spec)
		return NULL;
	pod = new_pod(w, o, made->spec, made->metadata, unit);
	pod->operated = made->completed;
	return pod;
}

/* A workflow's template runs a container, a script or a set of containers, with pod settings of its own
 * and of the workflow. */
static void find_workflow(struct workspace *w, struct k8s_object *o)
{
	struct arena *a = &w->snapshot->arena;
	const struct node *spec = k8s_map(o->node, "spec"), *list;

	if (k8s_map(spec, "workflowSpec"))
		spec = k8s_map(spec, "workflowSpec");
	list = k8s_seq(spec, "templates");
	for (uint32_t i = 0; i < node_count(list); i++) {
		const struct node *template = node_at(list, i);
		const struct made_pod made = made_of_workflow(a, spec, template);
		const char *name = k8s_text(template, "name");

		add_made(w, o, &made, arena_printf(a, "%s.%s", o->name, name ? name : ""));
	}
	if (k8s_get(spec, "podSpecPatch"))
		input_problem(w, o->in, k8s_key(spec, "podSpecPatch"),
			      "%s \"%s\": podSpecPatch is text that changes every pod; it is not applied",
			      o->kind, o->name);
}

/* "mcp" for an MCPServer, the kind in lower case where the place has no name of its own. */
static const char *container_name(struct arena *a, const struct k8s_object *o, const char *key)
{
	char *name;

	if (strcmp(o->kind, "MCPServer") == 0)
		return "mcp";
	if (*key && !k8s_word_in(key, "spec deployment container template byo"))
		return key;
	name = arena_strdup(a, o->kind);
	for (char *c = name; *c; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c = (char)(*c + 'a' - 'A');
	return name;
}

/* Spark names the image once for its two roles. */
static bool is_role(const struct step *s)
{
	return k8s_word_in(s->key, "driver executor") && node_is_map(s->node) && s->parent &&
	       k8s_text(s->parent, "image") && !k8s_get(s->node, "image");
}

static void say_too_long(struct workspace *w, const struct k8s_object *o, const struct node *steps)
{
	input_problem(w, o->in, node_key_span(steps),
		      "%s \"%s\": more than %u steps in one pod; they are not assessed", o->kind,
		      o->name, LIMIT_MADE_KEYS);
}

/* Settings of a pod under names of the controller's own; false where S holds none. *TAKEN is a pod
 * template that went into it. */
static bool find_made(struct workspace *w, struct k8s_object *o, const struct step *s,
		      const struct node **taken)
{
	struct arena *a = &w->snapshot->arena;
	struct made_pod made = { 0 };

	if (!node_is_map(s->node) || !k8s_is_custom(o) || is_workflow(o) ||
	    k8s_word_in(s->key, "containers initContainers ephemeralContainers sidecars steps "
				"extraContainers initContainer"))
		return false;
	if (made_is_steps(s->node)) {
		if (node_count(k8s_seq(s->node, "steps")) > LIMIT_MADE_KEYS)
			say_too_long(w, o, k8s_seq(s->node, "steps"));
		else
			made = made_of_steps(a, s->node, k8s_map(o->node, "spec"));
	} else if (made_is_container(s->node)) {
		made = made_of_container(a, s->node, container_name(a, o, s->key), NULL);
	} else if (is_role(s)) {
		made = made_of_container(a, s->node, s->key, s->parent);
	} else if (strcmp(s->key, "template") == 0 && made_is_parts(s->node)) {
		made = made_of_parts(a, s->node);
	} else if (strcmp(s->key, "spec") == 0 && k8s_word_in(s->above, "podTemplate podTemplateSpec") &&
		   made_is_rest(s->node)) {
		made = made_of_rest(a, s->node);
	}
	*taken = made.taken;
	return add_made(w, o, &made, unit_of(w, o, s)) != NULL;
}

static void push(struct walk *walk, const struct node *n, const char *key, const char *above,
		 const struct node *parent)
{
	n = node_resolve(n);
	if (n && (n->kind == NODE_MAP || n->kind == NODE_SEQ) &&
	    walk->queue.count < LIMIT_ALIAS_VISITS)
		*ARENA_PUSH(walk->arena, &walk->queue) = (struct step){ n, key, above, parent };
}

/* Values of a chart inside a resource are no settings of the resource. */
static const char skipped_keys[] = "status managedFields annotations labels values valuesObject";

/* TAKEN is not looked into, nor are objects that stand for themselves. */
static void push_children(struct walk *walk, const struct k8s_object *o, const struct step *s,
			  const struct node *taken)
{
	for (uint32_t i = 0; i < s->node->count; i++) {
		const struct node_item *item = &s->node->items[i];
		const char *key = s->node->kind == NODE_MAP ? node_text(item->key) : "";

		/* What a cluster reports about itself is no second workload. */
		if (key && !k8s_word_in(key, skipped_keys) && node_resolve(item->value) != taken &&
		    !k8s_is_embedded(o, item->value))
			push(walk, item->value, *key ? key : s->key, *key ? s->key : s->above,
			     s->node);
	}
}

bool k8s_only_quotes(const struct k8s_object *o)
{
	return k8s_word_in(o->group, quoting_groups) ||
	       strstr(o->group, "gatekeeper.sh") != NULL ||
	       k8s_word_in(o->kind, "CustomResourceDefinition ConfigMap Secret");
}

void k8s_find_pods(struct workspace *w, struct k8s_object *o)
{
	struct walk walk = { .arena = &w->snapshot->arena };
	const bool operated = k8s_is_operated(o);

	if (k8s_only_quotes(o))
		return;
	if (is_workflow(o))
		find_workflow(w, o);
	push(&walk, o->node, "", "", NULL);
	for (size_t i = 0; i < walk.queue.count; i++) {
		struct step s = walk.queue.items[i];
		const struct node *taken = NULL;

		if (find_made(w, o, &s, &taken)) {
			push_children(&walk, o, &s, taken);
			continue;
		}
		if (operated && s.parent == o->node && strcmp(s.key, "spec") == 0) {
			push_children(&walk, o, &s, NULL);
			continue;
		}
		if (is_pod_spec(o, &s)) {
			const struct node *metadata = s.parent == o->node ?
							      o->metadata :
							      k8s_map(s.parent, "metadata");

			new_pod(w, o, s.node, metadata, unit_of(w, o, &s))->operated =
				!is_known_place(o, &s) && !holds_containers(s.node, false);
			continue;
		}
		push_children(&walk, o, &s, NULL);
	}
	if (operated && !o->pods.count)
		new_pod(w, o, k8s_operated_spec(w, o), k8s_map(k8s_map(o->node, "spec"), "podMetadata"),
			o->name)
			->operated = true;
}

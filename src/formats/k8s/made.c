/* Pod specs that a controller makes of settings spread over a custom resource, as one node each.
 *
 * Sources [known]: argo-workflows of 2026 (workflow_types.go), tektoncd/pipeline v1 (Task, TaskRun),
 * toolhive v1beta1 and kagent v1alpha2 (MCPServer, Agent), strimzi v1 (templates).
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/made.h"

#include <string.h>

#include "model/limits.h"

#define ROOM 64u /* for settings that are added to a map's own */

static const char pod_settings[] =
	"serviceAccountName serviceAccount automountServiceAccountToken hostNetwork hostPID hostIPC "
	"hostUsers imagePullSecrets nodeSelector hostAliases runtimeClassName dnsPolicy dnsConfig "
	"shareProcessNamespace priorityClassName os enableServiceLinks restartPolicy tolerations "
	"affinity initContainers schedulerName";
static const char container_settings[] =
	"command args workingDir env envFrom ports resources volumeMounts volumeDevices livenessProbe "
	"readinessProbe startupProbe lifecycle imagePullPolicy stdin tty";
/* What a map with an image needs to be meant as a container; `cmd` and `transport` are spellings of agent
 * controllers. */
static const char container_signs[] =
	"command args cmd env envFrom volumeMounts securityContext resources livenessProbe "
	"readinessProbe ports transport script";
static const char container_only[] =
	"privileged capabilities allowPrivilegeEscalation readOnlyRootFilesystem procMount";
static const char pod_only[] =
	"fsGroup fsGroupChangePolicy supplementalGroups supplementalGroupsPolicy sysctls";

/* --- making nodes --------------------------------------------------------------------------- */

/* With room for MORE items than LIKE has, whose place it takes. */
static struct node *new_node(struct arena *a, enum node_kind kind, const struct node *like,
			     size_t more)
{
	struct node *n = ARENA_NEW(a, struct node);

	*n = (struct node){ .kind = kind, .style = NODE_BLOCK };
	if (like) {
		n->span = like->span;
		n->parent = like->parent;
	}
	n->items = arena_array(a, node_count(like) + more, sizeof *n->items);
	return n;
}

static struct node *new_map(struct arena *a, const struct node *like)
{
	return new_node(a, NODE_MAP, like, ROOM);
}

static struct node *new_text(struct arena *a, const char *text, struct span span)
{
	struct node *n = ARENA_NEW(a, struct node);

	*n = (struct node){ .kind = NODE_SCALAR,
			    .text = text,
			    .text_length = (uint32_t)strlen(text),
			    .span = span };
	return n;
}

/* VALUE under another KEY than its own, which is where the file has it. */
static void put(struct arena *a, struct node *map, const char *key, struct node *value,
		struct span span)
{
	map->items[map->count++] = (struct node_item){ new_text(a, key, span), value };
}

static void put_own(struct node *map, const struct node_item *item)
{
	if (item && item->key && !node_find(map, node_text(item->key)))
		map->items[map->count++] = *item;
}

/* The items of FROM whose keys are in WORDS, unless MAP has them. */
static void put_words(struct node *map, const struct node *from, const char *words)
{
	from = node_resolve(from);
	for (uint32_t i = 0; node_is_map(from) && i < from->count; i++) {
		const char *key = node_text(from->items[i].key);

		if (key && k8s_word_in(key, words))
			put_own(map, &from->items[i]);
	}
}

/* The items of FROM, with room for as many as OTHER has. */
static struct node *copy_map(struct arena *a, const struct node *from, const struct node *other)
{
	struct node *map = new_node(a, NODE_MAP, from, ROOM + node_count(other));

	from = node_resolve(from);
	map->count = from->count;
	memcpy(map->items, from->items, from->count * sizeof *from->items);
	return map;
}

static void append(struct node *list, const struct node *item)
{
	if (node_is_map(item))
		list->items[list->count++].value = (struct node *)(uintptr_t)item;
}

static void append_all(struct node *list, const struct node *from)
{
	for (uint32_t i = 0; i < node_count(from); i++)
		append(list, node_at(from, i));
}

static void put_list(struct arena *a, struct node *map, const char *key, struct node *list,
		     const struct node *place)
{
	if (list->count)
		put(a, map, key, list, node_key_span(place));
}

/* --- Argo workflows -------------------------------------------------------------------------- */

static const char workflow_settings[] =
	"serviceAccountName automountServiceAccountToken hostNetwork imagePullSecrets nodeSelector "
	"volumes securityContext hostAliases dnsPolicy dnsConfig tolerations affinity initContainers "
	"priorityClassName";

/* The container that a template runs, completed from the workflow's defaults. */
static struct node *main_container(struct arena *a, const struct node *template,
				   const struct node *defaults, const char *key)
{
	const struct node *own = k8s_map(template, key);
	struct node *c;

	if (!own)
		return NULL;
	c = copy_map(a, own, k8s_map(defaults, key));
	for (uint32_t i = 0; i < node_count(k8s_map(defaults, key)); i++)
		put_own(c, &k8s_map(defaults, key)->items[i]);
	if (!k8s_get(c, "image"))
		return NULL;
	if (!k8s_get(c, "name"))
		put(a, c, "name", new_text(a, "main", node_key_span(own)), node_key_span(own));
	return c;
}

struct made_pod made_of_workflow(struct arena *a, const struct node *workflow,
				 const struct node *template)
{
	static const char *const keys[] = { "container", "script" };
	const struct node *defaults = k8s_map(workflow, "templateDefaults");
	const struct node *set = k8s_seq(k8s_map(template, "containerSet"), "containers");
	const struct node *sidecars = k8s_seq(template, "sidecars");
	struct node *list = new_node(a, NODE_SEQ, template, 2 + node_count(set) + node_count(sidecars));
	struct node *spec = new_map(a, template);

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		append(list, main_container(a, template, defaults, keys[i]));
	append_all(list, set);
	if (!list->count)
		return (struct made_pod){ 0 };
	append_all(list, sidecars);
	put_list(a, spec, "containers", list, template);
	put_words(spec, template, workflow_settings);
	put_words(spec, defaults, workflow_settings);
	put_words(spec, workflow, workflow_settings);
	return (struct made_pod){ .spec = spec,
				  .metadata = k8s_map(template, "metadata") ?
						      k8s_map(template, "metadata") :
						      k8s_map(workflow, "podMetadata") };
}

/* --- Tekton ------------------------------------------------------------------------------------ */

bool made_is_steps(const struct node *map)
{
	const struct node *steps = k8s_seq(map, "steps");
	const bool shared = k8s_get(k8s_map(map, "stepTemplate"), "image") != NULL;

	for (uint32_t i = 0; i < node_count(steps); i++)
		if (node_is_map(node_at(steps, i)) &&
		    (shared || k8s_text(node_at(steps, i), "image")))
			return true;
	return false;
}

struct made_pod made_of_steps(struct arena *a, const struct node *task, const struct node *outer)
{
	const struct node *steps = k8s_seq(task, "steps"), *shared = k8s_map(task, "stepTemplate");
	const struct node *sidecars = k8s_seq(task, "sidecars"), *pod = k8s_map(outer, "podTemplate");
	struct node *list = new_node(a, NODE_SEQ, steps, node_count(sidecars));
	struct node *spec = new_node(a, NODE_MAP, task, ROOM + node_count(pod));

	for (uint32_t i = 0; i < node_count(steps); i++) {
		struct node *c;

		if (!node_is_map(node_at(steps, i)))
			continue;
		c = copy_map(a, node_at(steps, i), shared);
		for (uint32_t k = 0; k < node_count(shared); k++)
			put_own(c, &shared->items[k]);
		if (k8s_get(c, "image"))
			append(list, c);
	}
	append_all(list, sidecars);
	put_list(a, spec, "containers", list, steps);
	put_words(spec, task, "volumes");
	put_words(spec, outer, "serviceAccountName");
	for (uint32_t i = 0; i < node_count(pod); i++)
		put_own(spec, &pod->items[i]);
	return (struct made_pod){ .spec = spec };
}

/* --- one container among other settings ------------------------------------------------------ */

static bool has_word(const struct node *map, const char *words)
{
	map = node_resolve(map);
	for (uint32_t i = 0; node_is_map(map) && i < map->count; i++)
		if (k8s_word_in(node_text(map->items[i].key), words) &&
		    map->items[i].value->kind != NODE_NULL)
			return true;
	return false;
}

/* A map of settings is no container when it has more of them than one could. */
static bool is_settings(const struct node *map)
{
	return node_is_map(map) && node_count(map) <= LIMIT_MADE_KEYS;
}

bool made_is_container(const struct node *map)
{
	const char *image = k8s_text(map, "image");

	return image && *image && !strpbrk(image, " \t\n") && is_settings(map) &&
	       has_word(map, container_signs);
}

/* Volumes as agent controllers shorten them: { name, hostPath: /path, mountPath, readOnly }. */
static void put_short_volumes(struct arena *a, const struct node *from, struct node *spec,
			      struct node *container)
{
	const struct node *volumes = k8s_seq(from, "volumes");
	struct node *list = new_node(a, NODE_SEQ, volumes, 0);
	struct node *mounts = new_node(a, NODE_SEQ, volumes, 0);

	for (uint32_t i = 0; i < node_count(volumes); i++) {
		const struct node *item = node_at(volumes, i);
		const struct node_item *path = node_find(item, "hostPath");
		struct node *volume, *host;

		if (!path || !node_text(path->value) || !k8s_get(item, "mountPath"))
			continue;
		volume = new_map(a, item);
		host = new_map(a, path->value);
		put_own(volume, node_find(item, "name"));
		put(a, host, "path", path->value, path->key->span);
		put(a, volume, "hostPath", host, path->key->span);
		append(list, volume);
		append(mounts, item);
	}
	if (list->count) {
		put_list(a, spec, "volumes", list, volumes);
		put_list(a, container, "volumeMounts", mounts, volumes);
	} else {
		put_words(spec, from, "volumes");
	}
}

/* Secrets as { name, key, targetEnvName }: a variable each. */
static void put_short_secrets(struct arena *a, const struct node *from, struct node *container)
{
	const struct node *secrets = k8s_seq(from, "secrets");
	const struct node *env = k8s_seq(container, "env");
	struct node *list = new_node(a, NODE_SEQ, secrets, node_count(env));

	append_all(list, env);
	for (uint32_t i = 0; i < node_count(secrets); i++) {
		const struct node *item = node_at(secrets, i);
		const struct node_item *name = node_find(item, "targetEnvName");
		struct node *variable, *value;
		struct span span = node_is_map(item) ? k8s_place(item, "name") : (struct span){ 0 };

		if (!k8s_text(item, "name") || !k8s_text(item, "key"))
			continue;
		if (!name)
			name = node_find(item, "key");
		variable = new_map(a, item);
		value = new_map(a, item);
		put(a, variable, "name", name->value, name->value->span);
		put(a, value, "secretKeyRef", copy_map(a, item, NULL), span);
		put(a, variable, "valueFrom", value, span);
		append(list, variable);
	}
	for (uint32_t i = 0; i < container->count; i++)
		if (node_is(container->items[i].key, "env"))
			container->items[i].value = list;
	if (!k8s_get(container, "env") && secrets)
		put_list(a, container, "env", list, secrets);
}

/* In a map with a pod's own settings it is the pod's; fields of one level only decide otherwise. */
static bool is_of_pod(const struct node *map, const struct node *context)
{
	if (has_word(context, container_only) || k8s_map(map, "podSecurityContext"))
		return false;
	return has_word(context, pod_only) || k8s_seq(map, "containers");
}

static void put_contexts(struct arena *a, const struct node *map, struct node *spec,
			 struct node *container)
{
	const struct node *own = k8s_map(map, "securityContext");
	const struct node_item *pod = node_find(map, "podSecurityContext");

	if (pod && pod->key)
		put(a, spec, "securityContext", pod->value, pod->key->span);
	if (own && is_of_pod(map, own))
		put_own(spec, node_find(map, "securityContext"));
	else if (own)
		put_own(container, node_find(map, "securityContext"));
}

/* `cmd` is one word where Kubernetes has the list `command`. */
static void put_command(struct arena *a, const struct node *map, struct node *container)
{
	const struct node_item *word = node_find(map, "cmd");
	struct node *list;

	if (!word || !word->key || k8s_get(container, "command"))
		return;
	if (node_is_seq(word->value)) {
		put(a, container, "command", word->value, word->key->span);
	} else if (node_text(word->value)) {
		list = new_node(a, NODE_SEQ, word->value, 1);
		list->items[list->count++].value = word->value;
		put(a, container, "command", list, word->key->span);
	}
}

/* The pod template beside the container's settings, and the container in it that is meant. */
static const struct node *template_beside(const struct node *map)
{
	static const char *const keys[] = { "podTemplateSpec", "podTemplate" };

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (k8s_map(k8s_map(map, keys[i]), "spec"))
			return k8s_map(map, keys[i]);
	return NULL;
}

static const struct node *unnamed_image(const struct node *containers)
{
	for (uint32_t i = 0; i < node_count(containers); i++)
		if (node_is_map(node_at(containers, i)) && !k8s_get(node_at(containers, i), "image"))
			return node_at(containers, i);
	return NULL;
}

/* What the resource changes of the container; an empty list or map changes nothing. */
static struct node *changes_of(struct arena *a, const struct node *container)
{
	struct node *map = new_map(a, container);

	container = node_resolve(container);
	for (uint32_t i = 0; i < container->count; i++) {
		const struct node *value = node_resolve(container->items[i].value);

		if (value && (node_count(value) || !(node_is_map(value) || node_is_seq(value))))
			map->items[map->count++] = container->items[i];
	}
	return map;
}

struct made_pod made_of_container(struct arena *a, const struct node *map, const char *name,
				  const struct node *shared)
{
	const struct node *template = template_beside(map);
	const struct node *base = template ? k8s_map(template, "spec") : NULL;
	const struct node *others = base ? k8s_seq(base, "containers") : k8s_seq(map, "containers");
	const struct node *meant = unnamed_image(others);
	const struct node *more = k8s_seq(map, "extraContainers");
	struct node *spec = base ? copy_map(a, base, NULL) : new_map(a, map);
	struct node *list = new_node(a, NODE_SEQ, map, 1 + node_count(others) + node_count(more));
	struct node *c = meant ? changes_of(a, meant) : new_map(a, map);

	if (!k8s_get(c, "name"))
		put(a, c, "name", new_text(a, name, k8s_key(map, "image")), k8s_key(map, "image"));
	put_own(c, node_find(map, "image"));
	put_words(c, map, container_settings);
	put_words(c, shared, "image imagePullPolicy");
	put_command(a, map, c);
	put_contexts(a, map, spec, c);
	put_short_volumes(a, map, spec, c);
	put_short_secrets(a, map, c);
	append(list, c);
	for (uint32_t i = 0; i < node_count(others); i++)
		if (node_at(others, i) != meant)
			append(list, node_at(others, i));
	append_all(list, more);
	for (uint32_t i = 0; i < spec->count; i++)
		if (node_is(spec->items[i].key, "containers"))
			spec->items[i].value = list;
	if (!k8s_get(spec, "containers"))
		put_list(a, spec, "containers", list, map);
	put_words(spec, map, pod_settings);
	return (struct made_pod){ .spec = spec,
				  .metadata = template ? k8s_map(template, "metadata") :
							 k8s_map(map, "podMetadata"),
				  .taken = template,
				  .completed = true };
}

/* --- parts of a pod spec ---------------------------------------------------------------------- */

static bool is_part(const char *key, size_t *name)
{
	const size_t length = key ? strlen(key) : 0;

	*name = length > 9 && strcmp(key + length - 9, "Container") == 0 ? length - 9 : 0;
	return *name > 0;
}

bool made_is_parts(const struct node *map)
{
	return is_settings(map) && k8s_map(map, "pod") && has_word(k8s_map(map, "pod"),
					       "securityContext volumes hostAliases metadata affinity "
					       "tolerations imagePullSecrets priorityClassName "
					       "terminationGracePeriodSeconds schedulerName");
}

struct made_pod made_of_parts(struct arena *a, const struct node *template)
{
	const struct node *pod = k8s_map(template, "pod");
	struct node *spec = copy_map(a, pod, NULL), *list = new_node(a, NODE_SEQ, template, 0);

	for (uint32_t i = 0; i < template->count; i++) {
		const struct node_item *item = &template->items[i];
		const char *key = node_text(item->key);
		struct node *c;
		size_t length;

		if (!is_part(key, &length) || !node_is_map(item->value))
			continue;
		c = copy_map(a, item->value, NULL);
		put(a, c, "name", new_text(a, arena_copy(a, key, length), item->key->span),
		    item->key->span);
		append(list, c);
	}
	if (!list->count)
		return made_of_rest(a, pod);
	put_list(a, spec, "containers", list, template);
	return (struct made_pod){ .spec = spec,
				  .metadata = k8s_map(pod, "metadata"),
				  .completed = true };
}

bool made_is_rest(const struct node *map)
{
	return is_settings(map) && !k8s_seq(map, "containers") &&
	       (has_word(map, pod_settings) || has_word(map, "securityContext volumes"));
}

struct made_pod made_of_rest(struct arena *a, const struct node *spec)
{
	struct node *made = copy_map(a, spec, NULL), *list = new_node(a, NODE_SEQ, spec, 1);
	struct node *c = new_map(a, spec);

	put(a, c, "name", new_text(a, "main", node_key_span(spec)), node_key_span(spec));
	append(list, c);
	put_list(a, made, "containers", list, spec);
	return (struct made_pod){ .spec = made, .completed = true };
}

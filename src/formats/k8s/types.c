/* Fields whose value has the wrong shape: lists where maps belong and the like.
 *
 * Readers skip such values; here each becomes one problem with its line.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/k8s.h"
#include "src/formats/k8s/quantity.h"

#include <string.h>

#include "model/hash_index.h"

static const struct shape {
	const char *key;
	enum node_kind kind;
} pod_shapes[] = {
	{ "containers", NODE_SEQ },       { "initContainers", NODE_SEQ },
	{ "ephemeralContainers", NODE_SEQ }, { "volumes", NODE_SEQ },
	{ "securityContext", NODE_MAP },  { "hostAliases", NODE_SEQ },
	{ "imagePullSecrets", NODE_SEQ }, { "nodeSelector", NODE_MAP },
	{ "serviceAccountName", NODE_SCALAR }, { "hostNetwork", NODE_SCALAR },
	{ "hostPID", NODE_SCALAR },       { "hostIPC", NODE_SCALAR },
	{ "hostUsers", NODE_SCALAR },     { "runtimeClassName", NODE_SCALAR },
	{ "automountServiceAccountToken", NODE_SCALAR }, { "os", NODE_MAP },
	{ "shareProcessNamespace", NODE_SCALAR }, { "dnsConfig", NODE_MAP },
}, container_shapes[] = {
	{ "name", NODE_SCALAR },     { "image", NODE_SCALAR },
	{ "command", NODE_SEQ },     { "args", NODE_SEQ },
	{ "env", NODE_SEQ },         { "envFrom", NODE_SEQ },
	{ "ports", NODE_SEQ },       { "volumeMounts", NODE_SEQ },
	{ "resources", NODE_MAP },   { "securityContext", NODE_MAP },
	{ "lifecycle", NODE_MAP },   { "livenessProbe", NODE_MAP },
	{ "readinessProbe", NODE_MAP }, { "startupProbe", NODE_MAP },
	{ "volumeDevices", NODE_SEQ }, { "workingDir", NODE_SCALAR },
}, context_shapes[] = {
	{ "privileged", NODE_SCALAR },     { "runAsUser", NODE_SCALAR },
	{ "runAsGroup", NODE_SCALAR },     { "runAsNonRoot", NODE_SCALAR },
	{ "capabilities", NODE_MAP },      { "seccompProfile", NODE_MAP },
	{ "appArmorProfile", NODE_MAP },   { "seLinuxOptions", NODE_MAP },
	{ "windowsOptions", NODE_MAP },    { "allowPrivilegeEscalation", NODE_SCALAR },
	{ "readOnlyRootFilesystem", NODE_SCALAR }, { "procMount", NODE_SCALAR },
	{ "sysctls", NODE_SEQ },           { "supplementalGroups", NODE_SEQ },
	{ "fsGroup", NODE_SCALAR },
}, capability_shapes[] = {
	{ "add", NODE_SEQ }, { "drop", NODE_SEQ },
};

static const char *const shape_names[] = {
	[NODE_NULL] = "nothing", [NODE_SCALAR] = "a single value",
	[NODE_MAP] = "a map",	 [NODE_SEQ] = "a list",
	[NODE_ALIAS] = "an alias",
};

static void check(struct workspace *w, const struct k8s_object *o, const struct node *map,
		  const struct shape *shapes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct node *n = k8s_get(map, shapes[i].key);

		if (!n)
			continue;
		if (n->kind == shapes[i].kind) {
			if (n->kind == NODE_SCALAR)
				k8s_check_scalar(w, o, shapes[i].key, n);
			continue;
		}
		if (k8s_templated(w, n))
			continue;
		input_problem(w, o->in, k8s_key(map, shapes[i].key),
			      "%s \"%s\": %s must be %s, here it is %s; the value is not assessed",
			      o->kind, o->name, shapes[i].key, shape_names[shapes[i].kind],
			      shape_names[n->kind]);
	}
}

#define CHECK(map, shapes) check(w, o, (map), (shapes), sizeof(shapes) / sizeof *(shapes))

static void check_context(struct workspace *w, const struct k8s_object *o, const struct node *map)
{
	CHECK(map, context_shapes);
	CHECK(k8s_map(map, "capabilities"), capability_shapes);
}

/* The scalars of a list under KEY, which are all of one type. */
static void check_items(struct workspace *w, const struct k8s_object *o, const struct node *list,
			const char *key)
{
	for (uint32_t i = 0; i < node_count(list); i++)
		if (node_text(node_at(list, i)))
			k8s_check_scalar(w, o, key, node_at(list, i));
}

/* Lists of which every item must be a map, in the pod spec and in a container. */
static void check_lists(struct workspace *w, const struct k8s_object *o, const struct node *map,
			const char *const *keys)
{
	for (size_t k = 0; keys[k]; k++) {
		const struct node *list = k8s_seq(map, keys[k]);

		for (uint32_t i = 0; i < node_count(list); i++) {
			const struct node *n = node_at(list, i);

			if (n && n->kind != NODE_MAP && n->kind != NODE_NULL && !k8s_templated(w, n))
				input_problem(w, o->in, n->span,
					      "%s \"%s\": an item of %s must be a map, here it is %s; it "
					      "is not assessed", o->kind, o->name, keys[k],
					      shape_names[n->kind]);
		}
	}
}

/* A variable needs a name; what is behind valueFrom must be one of the known sources. */
static void check_variable(struct workspace *w, const struct k8s_object *o, const struct node *item)
{
	static const char sources[] =
		"secretKeyRef configMapKeyRef fieldRef resourceFieldRef fileKeyRef";
	const struct node *from = k8s_get(item, "valueFrom"), *value = k8s_get(item, "value");

	if (!node_is_map(item))
		return;
	if (!k8s_get(item, "name"))
		input_problem(w, o->in, node_key_span(item),
			      "%s \"%s\": a variable has no name; it is not assessed", o->kind,
			      o->name);
	if (value && value->kind != NODE_SCALAR)
		input_problem(w, o->in, k8s_key(item, "value"),
			      "%s \"%s\": value must be a single value, here it is %s; it is not "
			      "assessed", o->kind, o->name, shape_names[value->kind]);
	if (!from || k8s_templated(w, from))
		return;
	for (uint32_t i = 0; node_is_map(from) && i < from->count; i++)
		if (k8s_word_in(node_text(from->items[i].key), sources) &&
		    node_is_map(node_resolve(from->items[i].value)))
			return;
	input_problem(w, o->in, k8s_key(item, "valueFrom"),
		      "%s \"%s\": valueFrom names none of %s; the variable is not assessed", o->kind,
		      o->name, sources);
}

/* KEYS, ended by NULL, in each map of LIST. */
static void check_maps(struct workspace *w, const struct k8s_object *o, const struct node *list,
		       const char *const *keys)
{
	for (uint32_t i = 0; i < node_count(list); i++)
		for (size_t k = 0; keys[k]; k++)
			if (k8s_text(node_at(list, i), keys[k]))
				k8s_check_scalar(w, o, keys[k], k8s_get(node_at(list, i), keys[k]));
}

static void check_container(struct workspace *w, const struct k8s_object *o,
			    const struct node *container)
{
	static const char *const variable[] = { "name", "value", NULL };
	static const char *const port[] = { "name", "containerPort", "hostPort", "hostIP", NULL };
	static const char *const mount[] = { "name", "mountPath", "subPath", "readOnly", NULL };
	static const char *const lists[] = { "env", "envFrom", "ports", "volumeMounts",
					     "volumeDevices", NULL };
	const struct node *context = k8s_map(container, "securityContext");

	CHECK(container, container_shapes);
	check_context(w, o, context);
	check_lists(w, o, container, lists);
	for (uint32_t i = 0; i < node_count(k8s_seq(container, "env")); i++)
		check_variable(w, o, node_at(k8s_seq(container, "env"), i));
	check_items(w, o, k8s_seq(container, "command"), "command");
	check_items(w, o, k8s_seq(container, "args"), "args");
	check_maps(w, o, k8s_seq(container, "env"), variable);
	check_maps(w, o, k8s_seq(container, "ports"), port);
	check_maps(w, o, k8s_seq(container, "volumeMounts"), mount);
	quantity_check(w, o, container);
}

/* Two containers of one name: the API server refuses the pod. */
static void check_names(struct workspace *w, const struct k8s_pod *pod, const struct node *list,
			struct hash_index *seen)
{
	const struct k8s_object *o = pod->object;
	uint32_t at;

	for (uint32_t i = 0; i < node_count(list); i++) {
		const char *name = k8s_text(node_at(list, i), "name");

		if (!name || k8s_templated(w, k8s_get(node_at(list, i), "name")))
			continue;
		if (hash_index_get(seen, name, &at))
			input_problem(w, o->in, k8s_place(node_at(list, i), "name"),
				      "%s \"%s\": second container with the name \"%s\"; the API server "
				      "refuses the pod", o->kind, o->name, name);
		else
			hash_index_put(&w->snapshot->arena, seen, name, i);
	}
}

/* Fields of objects that are judged or joined; a word of KINDS, the map that holds KEY, its shape. */
static const struct {
	const char *kinds, *above[2], *key;
	enum node_kind kind;
} object_shapes[] = {
	{ "Pod Deployment StatefulSet DaemonSet ReplicaSet ReplicationController Job CronJob",
	  { NULL, NULL }, "spec", NODE_MAP },
	{ "Deployment StatefulSet DaemonSet ReplicaSet ReplicationController Job", { "spec", NULL },
	  "template", NODE_MAP },
	{ "Deployment StatefulSet DaemonSet ReplicaSet ReplicationController Job",
	  { "spec", "template" }, "spec", NODE_MAP },
	{ "CronJob", { "spec", NULL }, "jobTemplate", NODE_MAP },
	{ "Role ClusterRole", { NULL, NULL }, "rules", NODE_SEQ },
	{ "RoleBinding ClusterRoleBinding", { NULL, NULL }, "subjects", NODE_SEQ },
	{ "RoleBinding ClusterRoleBinding", { NULL, NULL }, "roleRef", NODE_MAP },
	{ "NetworkPolicy Service Ingress LimitRange ResourceQuota PersistentVolume", { NULL, NULL },
	  "spec", NODE_MAP },
	{ "NetworkPolicy", { "spec", NULL }, "podSelector", NODE_MAP },
	{ "NetworkPolicy", { "spec", NULL }, "policyTypes", NODE_SEQ },
	{ "NetworkPolicy", { "spec", NULL }, "ingress", NODE_SEQ },
	{ "NetworkPolicy", { "spec", NULL }, "egress", NODE_SEQ },
	{ "Service", { "spec", NULL }, "selector", NODE_MAP },
	{ "Service", { "spec", NULL }, "ports", NODE_SEQ },
	{ "Service", { "spec", NULL }, "externalIPs", NODE_SEQ },
	{ "Ingress", { "spec", NULL }, "rules", NODE_SEQ },
	{ "Ingress", { "spec", NULL }, "tls", NODE_SEQ },
	{ "LimitRange", { "spec", NULL }, "limits", NODE_SEQ },
	{ "ResourceQuota", { "spec", NULL }, "hard", NODE_MAP },
	{ "ConfigMap Secret", { NULL, NULL }, "data", NODE_MAP },
	{ "Secret", { NULL, NULL }, "stringData", NODE_MAP },
};

bool k8s_is_served(const struct k8s_object *o)
{
	return k8s_word_in(o->group, "apps batch extensions policy rbac.authorization.k8s.io "
				     "networking.k8s.io") ||
	       !*o->group;
}

void k8s_check_object(struct workspace *w, const struct k8s_object *o)
{
	static const char *const names[] = { "name", "namespace" };

	if (!k8s_is_served(o) || o->overlaid)
		return;
	for (size_t i = 0; i < sizeof object_shapes / sizeof *object_shapes; i++) {
		const struct shape shape = { object_shapes[i].key, object_shapes[i].kind };
		const struct node *map = o->node;

		if (!k8s_word_in(o->kind, object_shapes[i].kinds))
			continue;
		for (size_t a = 0; a < 2 && object_shapes[i].above[a]; a++)
			map = k8s_map(map, object_shapes[i].above[a]);
		check(w, o, map, &shape, 1);
	}
	for (size_t i = 0; i < 2; i++)
		if (k8s_text(o->metadata, names[i]))
			k8s_check_scalar(w, o, "name", k8s_get(o->metadata, names[i]));
	k8s_check_texts(w, o, k8s_map(o->metadata, "labels"));
	k8s_check_texts(w, o, k8s_map(o->metadata, "annotations"));
	if (k8s_word_in(o->kind, "ConfigMap"))
		k8s_check_texts(w, o, k8s_map(o->node, "data"));
}

void k8s_check_types(struct workspace *w, const struct k8s_pod *pod)
{
	static const char *const lists[] = { "containers", "initContainers", "ephemeralContainers" };
	static const char *const of_maps[] = { "volumes", "imagePullSecrets", "hostAliases",
					       "resourceClaims", NULL };
	static const char *const of_context[] = { "sysctls", NULL };
	const struct k8s_object *o = pod->object;
	struct hash_index seen = { 0 };

	CHECK(pod->spec, pod_shapes);
	check_lists(w, o, pod->spec, of_maps);
	check_lists(w, o, pod->security, of_context);
	k8s_check_texts(w, o, k8s_map(pod->metadata, "labels"));
	k8s_check_texts(w, o, k8s_map(pod->metadata, "annotations"));
	check_context(w, o, pod->security);
	for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
		const struct node *list = k8s_seq(pod->spec, lists[l]);

		check_names(w, pod, list, &seen);
		for (uint32_t i = 0; i < node_count(list); i++) {
			check_container(w, o, node_at(list, i));
		}
	}
}

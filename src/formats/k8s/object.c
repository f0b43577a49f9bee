/* Splits documents into objects: lists are opened, what is no object becomes a problem.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/olm.h"

#include <string.h>

#include "model/limits.h"

/* Kinds of the groups that the API server itself serves; an unknown one there is a slip of the pen. */
static const struct {
	const char *group, *kinds;
} built_in[] = {
	{ "", "Pod Service ServiceAccount ConfigMap Secret Namespace Node PersistentVolume "
	      "PersistentVolumeClaim ReplicationController PodTemplate LimitRange ResourceQuota "
	      "Endpoints Event Binding ComponentStatus List PodList ServiceList ConfigMapList "
	      "SecretList NamespaceList ServiceAccountList PersistentVolumeList "
	      "PersistentVolumeClaimList ReplicationControllerList NodeList EventList Config "
	      "Status PodStatusResult RangeAllocation SerializedReference Template" },
	{ "apps", "Deployment StatefulSet DaemonSet ReplicaSet ControllerRevision DeploymentList "
		  "StatefulSetList DaemonSetList ReplicaSetList ControllerRevisionList Scale" },
	{ "batch", "Job CronJob JobList CronJobList" },
	{ "rbac.authorization.k8s.io", "Role ClusterRole RoleBinding ClusterRoleBinding RoleList "
				       "ClusterRoleList RoleBindingList ClusterRoleBindingList" },
	{ "networking.k8s.io", "NetworkPolicy Ingress IngressClass NetworkPolicyList IngressList "
			       "IngressClassList IPAddress ServiceCIDR" },
	{ "policy", "PodDisruptionBudget PodSecurityPolicy PodDisruptionBudgetList "
		    "PodSecurityPolicyList Eviction" },
};

static bool is_known(const char *group, const char *kind)
{
	for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++)
		if (strcmp(built_in[i].group, group) == 0)
			return k8s_word_in(kind, built_in[i].kinds);
	return true;
}

/* The group by which the API server knows KIND; a helper of the chart then decides only the version. */
static const char *usual_group(const char *kind)
{
	for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++)
		if (k8s_word_in(kind, built_in[i].kinds))
			return built_in[i].group;
	return "";
}

static const char *group_of(struct arena *a, const char *api_version, const char *kind)
{
	const char *slash = strchr(api_version, '/'), *hidden = strstr(api_version, "{{");

	if (hidden && (!slash || hidden < slash))
		return usual_group(kind);
	return slash ? arena_copy(a, api_version, (size_t)(slash - api_version)) : "";
}

static void report_duplicate(struct workspace *w, struct k8s_file *file, struct k8s_object *o)
{
	size_t first = file->objects.count > 200 ? file->objects.count - 200 : 0;

	if (!*o->name || file->template)
		return;
	for (size_t i = first; i < file->objects.count; i++) {
		const struct k8s_object *other = file->objects.items[i];

		if (other == o || strcmp(other->name, o->name) != 0 ||
		    strcmp(other->kind, o->kind) != 0 || strcmp(other->namespace, o->namespace) != 0 ||
		    strcmp(other->group, o->group) != 0)
			continue;
		input_problem(w, o->in, k8s_place(o->metadata, "name"),
			      "%s: second object of this file with the name \"%s\" and this kind; "
			      "the later one replaces the earlier when applied", o->kind, o->name);
		return;
	}
}

/* A test's sample of an export tells nothing of a cluster, unless it is handed in as evidence
 * ("observed:" begins its path). */
static bool is_sample(const struct artifact *artifact)
{
	return artifact->class == CLASS_TEST && !strchr(artifact->path, ':');
}

/* What the items of a typed list ("RoleBindingList") are when they do not say so themselves. */
struct item_type {
	const char *api_version, *kind; /* NULL: nothing */
};

static struct item_type item_type_of(struct arena *a, const struct node *list)
{
	const char *kind = k8s_text(list, "kind");
	const size_t length = kind ? strlen(kind) : 0;

	if (length <= 4 || strcmp(kind + length - 4, "List") != 0)
		return (struct item_type){ 0 };
	return (struct item_type){ k8s_text(list, "apiVersion"), arena_copy(a, kind, length - 4) };
}

static struct k8s_object *new_object(struct workspace *w, struct input *in, struct k8s_file *file,
				     const struct node *n, struct item_type type)
{
	struct arena *a = &w->snapshot->arena;
	struct k8s_object *o;
	const char *api_version = k8s_text(n, "apiVersion"), *kind = k8s_text(n, "kind");

	if (!k8s_get(n, "apiVersion"))
		api_version = type.api_version;
	if (!k8s_get(n, "kind"))
		kind = type.kind;
	if (!api_version || !kind)
		return NULL;
	o = ARENA_NEW(a, struct k8s_object);
	o->in = in;
	o->node = n;
	o->api_version = api_version;
	o->group = group_of(a, api_version, kind);
	o->kind = kind;
	o->metadata = k8s_map(n, "metadata");
	o->name = k8s_text(o->metadata, "name") ? k8s_text(o->metadata, "name") : "";
	if (!*o->name && k8s_text(o->metadata, "generateName"))
		o->name = k8s_text(o->metadata, "generateName");
	o->namespace = k8s_text(o->metadata, "namespace") ? k8s_text(o->metadata, "namespace") : "";
	o->exported = k8s_text(o->metadata, "uid") && k8s_text(o->metadata, "resourceVersion") &&
		      !is_sample(in->artifact);
	if (!is_known(o->group, kind) && !k8s_templated(w, k8s_get(n, "kind")))
		input_problem(w, in, k8s_place(n, "kind"),
			      "%s: no kind of this name in %s; what it holds is read by its structure",
			      kind, *o->group ? api_version : "the core API");
	if (k8s_get(n, "metadata") && !o->metadata)
		input_problem(w, in, k8s_key(n, "metadata"), "%s: metadata must be a map", kind);
	*ARENA_PUSH(a, &file->objects) = o;
	return o;
}

/* OpenShift's old templates have no group. */
static bool makes_objects(const struct k8s_object *o)
{
	return (k8s_is_custom(o) || strcmp(o->kind, "Template") == 0) && !k8s_only_quotes(o);
}

static bool is_version(const char *text)
{
	const char *slash = text ? strrchr(text, '/') : NULL;
	const char *version = slash ? slash + 1 : text;

	return version && version[0] == 'v' && version[1] >= '1' && version[1] <= '9';
}

bool k8s_is_embedded(const struct k8s_object *o, const struct node *n)
{
	const char *kind;

	n = node_resolve(n);
	if (!node_is_map(n) || n == o->node || !makes_objects(o))
		return false;
	kind = k8s_text(n, "kind");
	return is_version(k8s_text(n, "apiVersion")) && kind && kind[0] >= 'A' && kind[0] <= 'Z' &&
	       (k8s_map(n, "metadata") || k8s_map(n, "spec"));
}

/* Objects that a custom resource makes: those of a composition, a graph, a template or a bundle of work. */
static void add_embedded(struct workspace *w, struct input *in, struct k8s_file *file,
			 const struct k8s_object *outer)
{
	struct walked {
		const struct k8s_object *owner;
		const struct node *node;
	};
	struct {
		struct walked *items;
		size_t count, capacity;
	} queue = { 0 };
	struct arena *a = &w->snapshot->arena;

	*ARENA_PUSH(a, &queue) = (struct walked){ outer, outer->node };
	for (size_t i = 0; i < queue.count; i++) {
		const struct walked at = queue.items[i];

		for (uint32_t k = 0; k < at.node->count; k++) {
			const struct node *child = node_resolve(at.node->items[k].value);
			const struct k8s_object *owner = at.owner;

			if (!child || (child->kind != NODE_MAP && child->kind != NODE_SEQ) ||
			    queue.count >= LIMIT_ALIAS_VISITS)
				continue;
			if (k8s_is_embedded(owner, child))
				owner = new_object(w, in, file, child, (struct item_type){ 0 });
			if (owner && makes_objects(owner))
				*ARENA_PUSH(a, &queue) = (struct walked){ owner, child };
		}
	}
}

struct made_here {
	struct workspace *w;
	struct input *in;
	struct k8s_file *file;
};

static void add_made_object(void *context, const struct node *n)
{
	struct made_here *m = context;

	new_object(m->w, m->in, m->file, n, (struct item_type){ 0 });
}

static void add_object(struct workspace *w, struct input *in, struct k8s_file *file,
		       const struct node *n, struct item_type type)
{
	struct k8s_object *o = new_object(w, in, file, n, type);

	if (!o)
		return;
	report_duplicate(w, file, o);
	if (makes_objects(o)) {
		struct made_here m = { w, in, file };

		add_embedded(w, in, file, o);
		k8s_olm_objects(&w->snapshot->arena, o, add_made_object, &m);
	}
}

struct span k8s_object_place(const struct k8s_object *o)
{
	const struct node *file = o->overlaid ? node_resolve(o->in->documents.items[0]) : NULL;

	if (!file)
		return k8s_place(o->node, "kind");
	return file->count && file->items[0].key ? file->items[0].key->span : file->span;
}

static bool is_list(const struct node *n)
{
	const char *kind = k8s_text(n, "kind");
	size_t length = kind ? strlen(kind) : 0;

	return length >= 4 && strcmp(kind + length - 4, "List") == 0 && k8s_seq(n, "items");
}

static bool is_typed(const struct node *item, struct item_type type)
{
	return (k8s_text(item, "apiVersion") || (!k8s_get(item, "apiVersion") && type.api_version)) &&
	       (k8s_text(item, "kind") || (!k8s_get(item, "kind") && type.kind));
}

static void add_items(struct workspace *w, struct input *in, struct k8s_file *file,
		      const struct node *list, struct item_type type)
{
	struct arena *a = &w->snapshot->arena;

	for (uint32_t i = 0; i < node_count(list); i++) {
		const struct node *item = node_at(list, i);

		if (!node_is_map(item))
			input_problem(w, in, item ? item->span : node_key_span(list),
				      "list item: an object must be a map");
		else if (is_list(item))
			for (uint32_t k = 0; k < node_count(k8s_seq(item, "items")); k++)
				add_object(w, in, file, node_at(k8s_seq(item, "items"), k),
					   item_type_of(a, item));
		else if (!is_typed(item, type))
			input_problem(w, in, item->count ? item->items[0].key->span : item->span,
				      "list item: %s is missing or no text, so the object is not "
				      "assessed", k8s_text(item, "kind") ? "apiVersion" : "kind");
		else
			add_object(w, in, file, item, type);
	}
}

static void report_odd(struct workspace *w, struct input *in, const struct node *n, bool inner)
{
	if (!n || n->kind == NODE_NULL) {
		if (inner)
			input_problem(w, in, n ? n->span : (struct span){ 0 },
				      "document: empty, nothing to read between two \"---\"");
	} else if (n->kind != NODE_MAP) {
		input_problem(w, in, n->span,
			      "document: a manifest must be a map with apiVersion and kind");
	} else if (!k8s_text(n, "apiVersion") || !k8s_text(n, "kind")) {
		input_problem(w, in, n->count ? n->items[0].key->span : n->span,
			      "document: %s is missing or no text, so the object is not assessed",
			      k8s_text(n, "kind") ? "apiVersion" : "kind");
	}
}

void k8s_collect(struct workspace *w, struct input *in, struct k8s_file *file)
{
	for (size_t i = 0; i < in->documents.count; i++) {
		const struct node *n = node_resolve(in->documents.items[i]);

		if (is_list(n))
			add_items(w, in, file, k8s_seq(n, "items"),
				  item_type_of(&w->snapshot->arena, n));
		else if (node_is_seq(n) && node_is_map(node_at(n, 0)))
			add_items(w, in, file, n, (struct item_type){ 0 });
		else if (node_is_map(n) && k8s_text(n, "apiVersion") && k8s_text(n, "kind"))
			add_object(w, in, file, n, (struct item_type){ 0 });
		else
			report_odd(w, in, n, i > 0 && i + 1 < in->documents.count);
	}
}

/* Which expression may set what, and the default that the chart's values.yaml gives it.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/template.h"

#include <stdlib.h>
#include <string.h>


/* Where a fact's setting stands: key in the container, key in the pod spec, name of the field. */
static const struct place {
	enum fact_kind kind;
	const char *container, *pod, *field;
} places[] = {
	{ FACT_USER, "securityContext", "securityContext", "runAsUser" },
	{ FACT_GROUP, "securityContext", "securityContext", "runAsGroup" },
	{ FACT_RUN_AS_NON_ROOT, "securityContext", "securityContext", "runAsNonRoot" },
	{ FACT_SECCOMP, "securityContext", "securityContext", "seccompProfile" },
	{ FACT_APPARMOR, "securityContext", "securityContext", "appArmorProfile" },
	{ FACT_SECURITY_CONTEXT, "securityContext", "securityContext", NULL },
	{ FACT_GROUPS_POLICY, NULL, "securityContext", "supplementalGroupsPolicy" },
	{ FACT_PRIVILEGED, "securityContext", NULL, "privileged" },
	{ FACT_ESCALATION, "securityContext", NULL, "allowPrivilegeEscalation" },
	{ FACT_READ_ONLY_ROOT, "securityContext", NULL, "readOnlyRootFilesystem" },
	{ FACT_CAP_DROP, "securityContext", NULL, "capabilities" },
	{ FACT_PROC_MASK, "securityContext", NULL, "procMount" },
	{ FACT_MEMORY_LIMIT, "resources", NULL, "limits.memory" },
	{ FACT_CPU_LIMIT, "resources", NULL, "limits.cpu" },
	{ FACT_PID, NULL, "hostPID", NULL },
	{ FACT_IPC, NULL, "hostIPC", NULL },
	{ FACT_NETWORK_MODE, NULL, "hostNetwork", NULL },
	{ FACT_USERNS, NULL, "hostUsers", NULL },
	{ FACT_RUNTIME, NULL, "runtimeClassName", NULL },
	{ FACT_SERVICE_ACCOUNT, NULL, "serviceAccountName", NULL },
	{ FACT_TOKEN_MOUNT, NULL, "automountServiceAccountToken", NULL },
};

static const struct place *place_of(enum fact_kind kind)
{
	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		if (places[i].kind == kind)
			return &places[i];
	return NULL;
}

/* The first part of a field: "limits" of "limits.memory". */
static size_t first_part(const char *field)
{
	return field ? strcspn(field, ".") : 0;
}

static bool is_part(const char *key, const char *field)
{
	const size_t length = first_part(field);

	return length && strncmp(key, field, length) == 0 && !key[length];
}

const char *template_field(enum fact_kind kind, const struct k8s_opaque *o)
{
	const struct place *p = place_of(kind);
	const char *field = p ? p->field : NULL;

	if (!is_part(o->key, field))
		return field;
	field += first_part(field);
	return *field ? field + 1 : NULL;
}

static bool is_inside(const struct node *n, uint32_t offset)
{
	return n && offset >= n->span.offset && offset < n->span.offset + n->span.length;
}

static bool may_set(const struct k8s_opaque *o, const char *key)
{
	return !o->hint || strcmp(o->hint, key) == 0;
}

static bool in_container(const struct k8s_target *t, const struct k8s_opaque *o, const struct place *p)
{
	const char *key = p->container;

	if (!key || !is_inside(t->container, o->parent))
		return false;
	if (strcmp(o->key, key) == 0 || is_part(o->key, p->field))
		return true;
	/* Put in beside the container's own keys: the line above is the item itself. */
	return !*o->key && may_set(o, key) && t->anchor.offset >= o->parent && t->anchor.offset - o->parent < 16;
}

static bool in_pod(const struct k8s_target *t, const struct k8s_opaque *o, const struct place *p)
{
	const char *key = p->pod;
	struct span spec = node_key_span(t->pod->spec);

	if (!key)
		return false;
	if (strcmp(o->key, "spec") == 0)
		return o->parent == spec.offset && may_set(o, key);
	return strcmp(o->key, key) == 0 && is_inside(t->pod->spec, o->parent) &&
	       !is_inside(k8s_seq(t->pod->spec, "containers"), o->parent) &&
	       !is_inside(k8s_seq(t->pod->spec, "initContainers"), o->parent);
}

static int compare_parents(const void *left, const void *right)
{
	const struct k8s_opaque *const *a = left, *const *b = right;

	if ((*a)->parent != (*b)->parent)
		return (*a)->parent < (*b)->parent ? -1 : 1;
	return (*a > *b) - (*a < *b);
}

/* The file's expressions in the order of the lines that they are put into. */
static void order_opaques(struct arena *a, struct k8s_file *file)
{
	file->by_parent = arena_array(a, file->opaques.count + 1, sizeof *file->by_parent);
	for (size_t i = 0; i < file->opaques.count; i++)
		file->by_parent[i] = &file->opaques.items[i];
	if (file->opaques.count > 1)
		qsort(file->by_parent, file->opaques.count, sizeof *file->by_parent,
		      compare_parents);
}

static size_t first_at(const struct k8s_file *file, uint32_t offset)
{
	size_t low = 0, high = file->opaques.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (file->by_parent[middle]->parent < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The first expression of the file that FITS and is put into a line from FROM to END. */
static const struct k8s_opaque *first_between(
	const struct k8s_target *t, uint32_t from, uint32_t end, const struct place *p,
	bool (*fits)(const struct k8s_target *, const struct k8s_opaque *, const struct place *))
{
	const struct k8s_file *file = t->pod->object->in->state[FORMAT_K8S];
	const struct k8s_opaque *found = NULL;

	for (size_t i = first_at(file, from);
	     i < file->opaques.count && file->by_parent[i]->parent < end; i++)
		if ((!found || file->by_parent[i] < found) && fits(t, file->by_parent[i], p))
			found = file->by_parent[i];
	return found;
}

/* What the pod's own lines put in is the same for all of its containers. */
static const struct k8s_opaque *pod_opaque(const struct k8s_target *t, const struct place *p)
{
	const size_t at = (size_t)(p - places), count = sizeof places / sizeof *places;
	const struct span spec = t->pod->spec->span;
	const uint32_t key = node_key_span(t->pod->spec).offset;

	if (!t->pod->opaques) {
		t->pod->opaques = arena_array(&t->w->snapshot->arena, count,
					      sizeof *t->pod->opaques);
		t->pod->opaques_known = arena_array(&t->w->snapshot->arena, count, sizeof(bool));
	}
	if (!t->pod->opaques_known[at])
		t->pod->opaques[at] = first_between(t, key < spec.offset ? key : spec.offset,
						    spec.offset + spec.length, p, in_pod);
	t->pod->opaques_known[at] = true;
	return t->pod->opaques[at];
}

const struct k8s_opaque *template_opaque(const struct k8s_target *t, enum fact_kind kind)
{
	struct k8s_file *file = t->pod->object->in->state[FORMAT_K8S];
	const struct place *p = place_of(kind);
	const struct k8s_opaque *found = NULL;

	if (!file || !file->template || !p)
		return NULL;
	if (!file->by_parent)
		order_opaques(&t->w->snapshot->arena, file);
	if (t->container)
		found = first_between(t, t->container->span.offset,
				      t->container->span.offset + t->container->span.length,
				      p, in_container);
	return found ? found : pod_opaque(t, p);
}

/* Rows of a pod: one for each container, with what the pod itself decides.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/k8s.h"

#include <string.h>

#include "model/buf.h"
#include "model/limits.h"
#include "src/formats/k8s/kustomize.h"
#include "src/formats/k8s/pod_security.h"
#include "src/formats/k8s/template_blocks.h"

static const struct {
	const char *key;
	enum row_kind kind;
} container_lists[] = {
	{ "containers", ROW_MAIN },
	{ "initContainers", ROW_INIT },
	{ "ephemeralContainers", ROW_EPHEMERAL },
};

/* A SidecarSet's containers are put into other pods. */
static enum row_kind kind_of(const struct k8s_pod *pod, enum row_kind listed,
			     const struct node *container)
{
	if (strcmp(pod->object->kind, "SidecarSet") == 0)
		return ROW_INJECTED;
	return listed == ROW_INIT && node_is(k8s_get(container, "restartPolicy"), "Always") ?
		       ROW_SIDECAR :
		       listed;
}

static void propose_role(const struct k8s_pod *pod, struct row *r)
{
	if (r->kind == ROW_MAIN &&
	    k8s_word_in(pod->object->kind, "Sandbox SandboxTemplate Agent SandboxAgent") &&
	    *pod->object->group) {
		r->role = ROLE_AGENT;
		r->role_reason = "custom resource that runs agents";
	} else if (r->kind == ROW_MAIN && strcmp(pod->object->kind, "MCPServer") == 0 &&
		   (!pod->operated || !pod->rows.count)) {
		r->role = ROLE_MCP_SERVER;
		r->role_reason = "custom resource that runs an MCP server";
	}
}

/* The declared row that an exported container shows running, or NULL. */
static struct row *declared_row(const struct k8s_pod *pod, const char *name)
{
	for (size_t i = 0; pod->twin && i < pod->twin->rows.count; i++)
		if (strcmp(pod->twin->rows.items[i]->name, name) == 0)
			return pod->twin->rows.items[i];
	return NULL;
}

static struct row *add_row(struct workspace *w, struct k8s_pod *pod, const struct k8s_target *t,
			   enum row_kind kind)
{
	const struct k8s_object *o = pod->object;
	struct row *r = declared_row(pod, t->name);

	if (r) {
		r->export_note = pod->twin_reason;
		return r;
	}
	r = snapshot_add_row(
		w->snapshot, &(struct row_spec){ .path = o->in->artifact->path,
						 .object_kind = o->kind,
						 .namespace = o->namespace,
						 .unit = pod->unit,
						 .container = t->name,
						 .kind = pod->twin && kind == ROW_MAIN ? ROW_INJECTED : kind,
						 .format = FORMAT_K8S,
						 .artifact = o->in->artifact->index,
						 .span = t->anchor });
	if (pod->layer == LAYER_OBSERVED)
		r->export_note = pod->twin ? "runs in the pod, and its manifest does not name it" :
					     "no manifest of this pod was supplied";
	return r;
}

const char *k8s_container_name(struct workspace *w, const struct node *container, uint32_t i)
{
	const char *name = k8s_text(container, "name");

	return name ? name : arena_printf(&w->snapshot->arena, "[%u]", i);
}

/* A row that the chart's defaults leave out is judged in full, and it is said. */
static void mark_condition(const struct k8s_pod *pod, const struct k8s_target *t)
{
	const struct k8s_branch *branch =
		template_branch_at(pod->object->in->state[FORMAT_K8S], t->anchor.offset);

	if (!branch || t->row->activity != ROW_ACTIVE)
		return;
	t->row->activity = ROW_CONDITIONAL;
	t->row->activity_reason = branch->note;
}

static void add_container(struct workspace *w, struct k8s_pod *pod, const struct node *list,
			  uint32_t i, enum row_kind listed)
{
	const struct node *container = node_at(list, i);
	const bool named = k8s_text(container, "name") != NULL;
	struct k8s_target t = { .w = w, .pod = pod, .container = container };
	struct k8s_object *o = pod->object;

	if (!node_is_map(container)) {
		if (!o->overlaid)
			input_problem(w, o->in, container ? container->span : node_key_span(list),
				      "%s \"%s\": a container must be a map", o->kind, o->name);
		return;
	}
	t.name = k8s_container_name(w, container, i);
	t.security = k8s_map(container, "securityContext");
	t.anchor = named ? k8s_get(container, "name")->span :
			  (container->count ? container->items[0].key->span : container->span);
	t.row = add_row(w, pod, &t, kind_of(pod, listed, container));
	t.row->operated = pod->operated;
	mark_condition(pod, &t);
	propose_role(pod, t.row);
	*ARENA_PUSH(&w->snapshot->arena, &pod->rows) = t.row;
	k8s_read_process(&t);
	k8s_read_security(&t);
	k8s_read_ignored(&t);
	k8s_read_unknown(&t);
	k8s_read_pod_level(&t);
	k8s_read_network(&t);
	k8s_read_resources(&t);
	k8s_read_environment(&t);
	k8s_read_volumes(&t, pod->rows.count == 1);
}

static void add_peer(struct workspace *w, struct k8s_pod *pod, struct row *r, struct row *peer)
{
	struct fact *f = snapshot_add_fact(w->snapshot, r, FACT_PEER, peer->name, peer->span);

	f->layer = pod->layer;
	snapshot_set_attribute(w->snapshot, f, "kind", row_kind_names[peer->kind]);
	for (size_t i = 0; i < r->shares_with.count; i++)
		if (r->shares_with.items[i] == peer->index)
			return;
	*ARENA_PUSH(&w->snapshot->arena, &r->shares_with) = peer->index;
}

/* A manifest can never show what is added to the running pod. */
static void add_unseen(struct workspace *w, struct k8s_pod *pod, struct row *r)
{
	struct fact *f;

	if (pod->layer == LAYER_OBSERVED)
		return;
	f = snapshot_add_fact(w->snapshot, r, FACT_PEER, "ephemeral and injected containers",
			      node_key_span(pod->spec));
	f->provenance = PROVENANCE_UNRESOLVED;
	f->note = "visible only in an export of the running pod (kubectl get pod -o json)";
	snapshot_set_attribute(w->snapshot, f, "kind", "unseen");
}

/* Pods of dozens of containers are rare; a hostile one must not make the square of its size. */
#define PEERS_LISTED 24u

static void link_peers(struct workspace *w, struct k8s_pod *pod)
{
	size_t count = pod->rows.count < PEERS_LISTED ? pod->rows.count : PEERS_LISTED;

	for (size_t i = 0; i < pod->rows.count; i++) {
		for (size_t k = 0; k < count; k++)
			if (k != i)
				add_peer(w, pod, pod->rows.items[i], pod->rows.items[k]);
		add_unseen(w, pod, pod->rows.items[i]);
	}
}

/* Overlays that share a base each deploy it in another way. */
static void add_variants(struct workspace *w, struct k8s_pod *pod)
{
	static const char *const keys[] = { "patches", "patchesStrategicMerge", "patchesJson6902",
					    "images", "components", "namespace", "namePrefix" };
	const struct k8s_object *o = pod->object;

	for (size_t i = 0; i < o->variants.count && i < LIMIT_JOINED; i++) {
		const struct kustomization *k = o->variants.items[i];
		struct buf changes = { 0 };

		for (size_t c = 0; c < sizeof keys / sizeof *keys; c++)
			if (k8s_get(k->node, keys[c]))
				buf_printf(&changes, "%s%s", changes.length ? ", " : "", keys[c]);
		for (size_t r = 0; r < pod->rows.count; r++) {
			struct fact *f = snapshot_add_fact(w->snapshot, pod->rows.items[r],
							   FACT_VARIANT, k->in->artifact->path,
							   k->node->span);

			f->layer = pod->layer;
			snapshot_set_attribute(w->snapshot, f, "changes", buf_text(&changes));
		}
		buf_free(&changes);
	}
}

/* The pod's level on a row; its violations come behind. */
static struct fact *add_level(struct workspace *w, const struct k8s_pod *pod, struct row *row,
			      const struct pod_security *security)
{
	struct fact *f = snapshot_add_fact(w->snapshot, row, FACT_POD_SECURITY, security->level,
					   node_key_span(pod->spec));

	f->layer = pod->layer;
	if (security->templated) {
		f->provenance = PROVENANCE_TEMPLATED;
		f->note = "of what is written; an expression of the template may change it";
	}
	k8s_attribute(w, f, "version", security->version);
	k8s_attribute(w, f, "assumed", security->version_assumed ? "true" : "false");
	return f;
}

/* A violation of the pod itself goes to all LEVELS, one of a container to the row of its name. */
static void add_violation(struct workspace *w, const struct hash_index *names, struct fact **levels,
			  size_t count, const struct row_violation *v)
{
	uint32_t at;

	if (v->container) {
		if (hash_index_get(names, v->container, &at))
			snapshot_add_hop(w->snapshot, levels[at], v->span, v->level, v->check);
		return;
	}
	for (size_t i = 0; i < count; i++)
		snapshot_add_hop(w->snapshot, levels[i], v->span, v->level, v->check);
}

static void attach_security(struct workspace *w, struct k8s_pod *pod)
{
	struct arena *a = &w->snapshot->arena;
	const struct pod_security *security = pod_security_judge(w, pod);
	struct fact **levels = arena_array(a, pod->rows.count, sizeof *levels);
	struct hash_index names = { 0 };
	uint32_t at;

	for (size_t i = 0; i < pod->rows.count; i++) {
		struct row *row = pod->rows.items[i];

		levels[i] = add_level(w, pod, row, security);
		if (!row->pod_security)
			row->pod_security = security;
		if (!hash_index_get(&names, row->name, &at))
			hash_index_put(a, &names, row->name, (uint32_t)i);
	}
	for (size_t i = 0; i < security->count; i++)
		add_violation(w, &names, levels, pod->rows.count, &security->violations[i]);
}

/* A pod spec without containers runs nothing; what it asks of the host is still shown. */
static void add_empty(struct workspace *w, struct k8s_pod *pod)
{
	const struct k8s_object *o = pod->object;
	struct k8s_target t = { .w = w, .pod = pod, .name = "", .anchor = node_key_span(pod->spec) };

	t.row = snapshot_add_row(
		w->snapshot, &(struct row_spec){ .path = o->in->artifact->path,
						 .object_kind = o->kind,
						 .namespace = o->namespace,
						 .unit = pod->unit,
						 .kind = ROW_OBJECT,
						 .format = FORMAT_K8S,
						 .artifact = o->in->artifact->index,
						 .span = t.anchor });
	k8s_read_security(&t);
	k8s_read_pod_level(&t);
	k8s_read_volumes(&t, true);
}

void k8s_add_pod(struct workspace *w, struct k8s_pod *pod)
{
	if (!pod->object->overlaid)
		k8s_check_types(w, pod);
	for (size_t l = 0; l < sizeof container_lists / sizeof *container_lists; l++) {
		const struct node *list = k8s_seq(pod->spec, container_lists[l].key);

		for (uint32_t i = 0; i < node_count(list); i++)
			add_container(w, pod, list, i, container_lists[l].kind);
	}
	if (!pod->rows.count)
		add_empty(w, pod);
	if (!pod->rows.count)
		input_problem(w, pod->object->in, node_key_span(pod->spec),
			      "%s \"%s\": the pod spec lists no containers", pod->object->kind,
			      pod->object->name);
	link_peers(w, pod);
	add_variants(w, pod);
	if (!pod->operated)
		attach_security(w, pod);
}

/* What the tree holds, or lacks, of the things around a pod: profiles, the kubelet's defaults, bases.
 *
 * On the node a seccomp profile lies below the kubelet's seccomp folder and an AppArmor profile is loaded by
 * name; the file that the tree keeps of it may lie elsewhere.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/index.h"
#include "src/formats/k8s/kustomize.h"
#include "src/formats/k8s/objects.h"
#include "src/formats/profile_file.h"

static void look_up(struct k8s_world *world, const struct k8s_pod *pod, struct row *r, struct fact *f)
{
	struct workspace *w = world->w;
	const struct k8s_file *file = pod->object->in->state[FORMAT_K8S];
	const char *name = fact_attribute(f, "profile");
	const bool seccomp = f->kind == FACT_SECCOMP;
	const char *path = !name || !fact_is(f, "Localhost") ? NULL :
			   seccomp ? seccomp_profile_find(w, file->folder, name) :
				     apparmor_profile_find(w, file->folder, name);

	if (!path)
		return;
	k8s_attribute(w, f, "supplied", "true");
	if (seccomp)
		seccomp_profile_read(w, r, f->layer, path);
	else
		apparmor_profile_read(w, r, f->layer, path, name);
}

static void look_up_profiles(struct k8s_world *world, const struct k8s_pod *pod)
{
	for (size_t i = 0; i < pod->rows.count; i++) {
		struct row *r = pod->rows.items[i];
		const size_t count = r->facts.count;

		for (size_t k = 0; k < count; k++)
			if (r->facts.items[k]->kind == FACT_SECCOMP ||
			    r->facts.items[k]->kind == FACT_APPARMOR)
				look_up(world, pod, r, r->facts.items[k]);
	}
}

/* A kubelet that gives every container the runtime's filter is evidence for pods near it. */
static void take_kubelet_default(struct k8s_world *world, struct k8s_pod *pod)
{
	const struct id_list *list = k8s_of_kind(world, "KubeletConfiguration");
	size_t at = 0;

	for (const struct k8s_object *o; (o = k8s_next_with_row(world, list, &at));) {
		const struct fact *f = row_first(o->row, FACT_DAEMON_DEFAULT, k8s_layer(o));

		if (!k8s_may_compare(world, k8s_near_cost(o)))
			return;
		for (; f; f = row_next(o->row, f))
			if (fact_is(f, "seccompDefault=true") && k8s_near(o, pod->object))
				k8s_give(world, pod, f, o->row->span, "kubelet");
	}
}

/* A build whose base is not in the tree gives something else than what was read. */
static void note_missing_base(struct k8s_world *world, struct k8s_pod *pod)
{
	const struct kustomization *k = pod->object->root;

	for (size_t i = 0; k && k->missing && i < pod->rows.count; i++) {
		struct fact *f = snapshot_add_fact(world->w->snapshot, pod->rows.items[i],
						   FACT_MISSING_FILE, node_text(k->missing),
						   k->missing->span);

		f->layer = pod->layer;
		k8s_attribute(world->w, f, "role", "a part of the kustomization");
	}
}

void k8s_join_evidence(struct k8s_world *world)
{
	for (size_t p = 0; p < world->pods.count; p++) {
		look_up_profiles(world, world->pods.items[p]);
		take_kubelet_default(world, world->pods.items[p]);
		note_missing_base(world, world->pods.items[p]);
	}
}

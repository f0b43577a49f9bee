/* Volumes of a pod joined with the mounts of a container.
 *
 * A mount's fact cites what was mounted (the host path, the claim, the object's name); the volumeMounts
 * item is a link of its chain.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/k8s.h"

#include <string.h>

/* How a volume source names what it mounts. */
static const struct source_kind {
	const char *key;  /* in the volume */
	const char *type; /* of the mount fact */
	const char *name; /* key inside that says which one; NULL without one */
	bool read_only;   /* the kubelet mounts it so, whatever the mount says */
} source_kinds[] = {
	{ "hostPath", "bind", "path", false },
	{ "emptyDir", "emptyDir", NULL, false },
	{ "configMap", "configMap", "name", true },
	{ "secret", "secret", "secretName", true },
	{ "projected", "projected", NULL, true },
	{ "persistentVolumeClaim", "persistentVolumeClaim", "claimName", false },
	{ "ephemeral", "ephemeral", NULL, false },
	{ "downwardAPI", "downwardAPI", NULL, true },
	{ "csi", "csi", "driver", false },
	{ "image", "image", "reference", true },
	{ "nfs", "nfs", "path", false },
	{ "gitRepo", "gitRepo", "repository", false },
};

static const struct source_kind *kind_of(const char *key)
{
	for (size_t i = 0; i < sizeof source_kinds / sizeof *source_kinds; i++)
		if (strcmp(source_kinds[i].key, key) == 0)
			return &source_kinds[i];
	return NULL;
}

/* The volume's source: a key that is one, else the first that is neither name nor null. */
static const struct node_item *source_of(const struct node *volume)
{
	const struct node_item *other = NULL;

	for (uint32_t i = 0; i < node_count(volume); i++) {
		const struct node_item *item = &volume->items[i];
		const char *key = node_text(item->key);

		if (!key || k8s_word_in(key, "name <<") || node_is_null(item->value))
			continue;
		if (kind_of(key))
			return item;
		if (!other)
			other = item;
	}
	return other;
}

static void list_mounts(struct arena *a, struct k8s_pod *pod, const struct node *container)
{
	const struct node *mounts = k8s_seq(container, "volumeMounts");

	for (uint32_t i = 0; i < node_count(mounts); i++) {
		const char *name = k8s_text(node_at(mounts, i), "name");

		if (name)
			hash_index_put(a, &pod->mounted, name, 0);
	}
}

static void list_volumes(struct arena *a, struct k8s_pod *pod)
{
	static const char *const lists[] = { "containers", "initContainers", "ephemeralContainers" };
	const struct node *volumes = k8s_seq(pod->spec, "volumes");
	uint32_t at;

	for (uint32_t i = 0; i < node_count(volumes); i++) {
		const char *name = k8s_text(node_at(volumes, i), "name");

		if (name && !hash_index_get(&pod->volumes, name, &at))
			hash_index_put(a, &pod->volumes, name, i);
	}
	for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
		const struct node *list = k8s_seq(pod->spec, lists[l]);

		for (uint32_t i = 0; i < node_count(list); i++)
			list_mounts(a, pod, node_at(list, i));
	}
	pod->volumes_listed = true;
}

const struct node *k8s_volume(const struct k8s_pod *pod, const char *name)
{
	uint32_t at;

	if (!name || !hash_index_get(&pod->volumes, name, &at))
		return NULL;
	return node_at(k8s_seq(pod->spec, "volumes"), at);
}

/* What the kubelet writes itself, and images, are mounted read-only whatever the mount says. */
static bool is_read_only_kind(const char *key)
{
	return k8s_word_in(key, "configMap secret projected downwardAPI image");
}

static bool read_only(const struct node *mount, const struct node *source)
{
	return k8s_is_true(mount, "readOnly") || k8s_is_true(source, "readOnly");
}

static void describe_mount(const struct k8s_target *t, struct fact *f, const struct node *mount)
{
	k8s_set(t, f, "target", k8s_text(mount, "mountPath") ? k8s_text(mount, "mountPath") : "");
	k8s_set(t, f, "propagation", k8s_text(mount, "mountPropagation"));
	k8s_set(t, f, "recursive", k8s_text(mount, "recursiveReadOnly"));
	k8s_set(t, f, "subpath", k8s_text(mount, "subPath"));
	if (!k8s_text(mount, "subPath"))
		k8s_set(t, f, "subpath", k8s_text(mount, "subPathExpr"));
}

static struct fact *add_mount(const struct k8s_target *t, const struct node *volume,
			      const struct node *mount)
{
	const struct node_item *source = source_of(volume);
	const char *key = source ? node_text(source->key) : "emptyDir";
	const struct source_kind *kind = kind_of(key);
	const struct node *map = source ? node_resolve(source->value) : NULL;
	const char *volume_name = k8s_text(volume, "name");
	const struct node *which = kind && kind->name ? k8s_get(map, kind->name) : NULL;
	const char *name = node_text(which) ? node_text(which) : volume_name ? volume_name : "";
	const char *target = k8s_text(mount, "mountPath");
	const bool ro = read_only(mount, map) || is_read_only_kind(key);
	struct fact *f;

	f = k8s_fact(t, FACT_MOUNT, which,
		     arena_printf(&t->w->snapshot->arena, "%s:%s%s", name, target ? target : "",
				  ro ? ":ro" : ""));
	if (!which)
		f->span = source && source->key ? source->key->span : k8s_place(volume, "name");
	k8s_set(t, f, "type", kind ? kind->type : key);
	k8s_set(t, f, "source", name);
	k8s_set(t, f, "volume", volume_name);
	k8s_set(t, f, "read_only", ro ? "true" : "false");
	describe_mount(t, f, mount);
	if (mount)
		snapshot_add_hop(t->w->snapshot, f, k8s_place(mount, "mountPath"), target, "mount");
	return f;
}

static void add_token(const struct k8s_target *t, const struct node *item)
{
	const struct node *token = k8s_map(item, "serviceAccountToken");
	struct fact *f;

	if (!token)
		return;
	f = k8s_fact_at(t, FACT_TOKEN_MOUNT, "true", k8s_key(item, "serviceAccountToken"));
	k8s_set(t, f, "source", "projected");
	k8s_set(t, f, "audience", k8s_text(token, "audience"));
	k8s_set(t, f, "expires", k8s_text(token, "expirationSeconds"));
}

static void add_secret(const struct k8s_target *t, const struct node *name, const char *target)
{
	struct fact *f;

	if (!node_text(name))
		return;
	f = k8s_fact(t, FACT_SECRET, name, NULL);
	k8s_set(t, f, "source", "k8s");
	k8s_set(t, f, "target", target);
}

static void read_contents(const struct k8s_target *t, const struct node *volume, const char *target)
{
	const struct node *list = k8s_seq(k8s_map(volume, "projected"), "sources");

	add_secret(t, k8s_get(k8s_map(volume, "secret"), "secretName"), target);
	for (uint32_t i = 0; i < node_count(list); i++) {
		add_token(t, node_at(list, i));
		add_secret(t, k8s_get(k8s_map(node_at(list, i), "secret"), "name"), target);
	}
	if (k8s_map(volume, "image")) {
		const struct node *reference = k8s_get(k8s_map(volume, "image"), "reference");
		struct fact *f = node_text(reference) ?
					 image_fact(t->w, t->row, FACT_IMAGE_VOLUME,
						    node_text(reference), reference->span) :
					 NULL;

		if (f)
			f->layer = t->pod->layer;
	}
}

const struct node *k8s_claim_template(const struct k8s_pod *pod, const char *name)
{
	const struct node *list = k8s_seq(k8s_map(pod->object->node, "spec"), "volumeClaimTemplates");

	for (uint32_t i = 0; name && i < node_count(list); i++)
		if (node_is(k8s_get(k8s_map(node_at(list, i), "metadata"), "name"), name))
			return node_at(list, i);
	return NULL;
}

static void read_mount(const struct k8s_target *t, const struct node *mount)
{
	const char *name = k8s_text(mount, "name"), *target = k8s_text(mount, "mountPath");
	const struct node *volume = k8s_volume(t->pod, name);
	struct fact *f;

	if (volume) {
		add_mount(t, volume, mount);
		read_contents(t, volume, target);
		return;
	}
	if (!name && !target)
		return;
	/* A claim template of a StatefulSet, or a volume that a template or an injector adds. */
	f = k8s_fact(t, FACT_MOUNT, k8s_get(mount, "name"),
		     arena_printf(&t->w->snapshot->arena, "%s:%s%s", name ? name : "",
				  target ? target : "", read_only(mount, NULL) ? ":ro" : ""));
	k8s_set(t, f, "type", "volume");
	k8s_set(t, f, "source", name);
	k8s_set(t, f, "volume", name);
	k8s_set(t, f, "read_only", read_only(mount, NULL) ? "true" : "false");
	describe_mount(t, f, mount);
	f->note = k8s_claim_template(t->pod, name) ?
			  "a claim that the controller makes for each pod" :
			  "the pod lists no volume of this name";
}

static bool is_mounted(const struct k8s_pod *pod, const char *name)
{
	uint32_t at;

	return name && hash_index_get(&pod->mounted, name, &at);
}

/* Admission judges volumes, mounted or not; the first row of the pod shows those that nobody mounts. */
static void read_unmounted(const struct k8s_target *t)
{
	const struct node *list = k8s_seq(t->pod->spec, "volumes");

	for (uint32_t i = 0; i < node_count(list); i++) {
		const struct node *volume = node_at(list, i);
		struct fact *f;

		if (!node_is_map(volume) || is_mounted(t->pod, k8s_text(volume, "name")))
			continue;
		f = add_mount(t, volume, NULL);
		k8s_set(t, f, "mounted", "false");
		k8s_set(t, f, "read_only", "true");
		f->note = "a volume of the pod that no container mounts";
	}
}

void k8s_read_volumes(const struct k8s_target *t, bool first)
{
	const struct node *mounts = k8s_seq(t->container, "volumeMounts");

	if (!t->pod->volumes_listed)
		list_volumes(&t->w->snapshot->arena, t->pod);
	for (uint32_t i = 0; i < node_count(mounts); i++)
		if (node_is_map(node_at(mounts, i)))
			read_mount(t, node_at(mounts, i));
	if (first)
		read_unmounted(t);
}

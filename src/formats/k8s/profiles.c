/* Profiles of a container: seccomp, AppArmor and SELinux, as fields or as the annotations before them.
 *
 * Source: Kubernetes API validation and pod strategy of 2026-07. Seccomp annotations are honoured below 1.27;
 * an AppArmor annotation is all there is below 1.30 and since then stands for the container's field.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/k8s.h"

#include <string.h>

enum {
	SECCOMP_FIELD = 19,      /* first minor version with the field */
	SECCOMP_ANNOTATION = 27, /* first that reads no annotation */
	APPARMOR_FIELD = 30,
};

static const char localhost[] = "localhost/";
static const char apparmor_prefix[] = "container.apparmor.security.beta.kubernetes.io/";

static const char *pod_annotation(const struct k8s_target *t, const char *prefix,
				  const char *suffix, const struct node **value)
{
	const struct node *map = k8s_map(t->pod->metadata, "annotations");
	const char *key = arena_printf(&t->w->snapshot->arena, "%s%s", prefix, suffix);

	*value = k8s_get(map, key);
	return node_text(*value);
}

static void read_profile_file(const struct k8s_target *t, struct fact *f, const char *file)
{
	if (!file)
		return;
	k8s_set(t, f, "profile", file);
	k8s_set(t, f, "supplied",
		t->w->exists && t->w->exists(t->w, file) ? "true" : "false");
}

/* The type that an annotation asks for; NULL for a text that the API refuses. */
static const char *noted_type(const char *text)
{
	if (k8s_word_in(text, "runtime/default docker/default"))
		return "RuntimeDefault";
	if (strcmp(text, "unconfined") == 0)
		return "Unconfined";
	return strncmp(text, localhost, sizeof localhost - 1) == 0 ? "Localhost" : NULL;
}

static struct fact *noted_profile(const struct k8s_target *t, enum fact_kind kind,
				  const struct node *n)
{
	const char *text = node_text(n), *type = noted_type(text);
	struct fact *f = k8s_fact(t, kind, n, type ? type : text);

	k8s_set(t, f, "source", "annotation");
	if (!type && f->provenance != PROVENANCE_TEMPLATED) {
		k8s_set(t, f, "invalid", "true");
		f->note = "the API refuses this: the annotation must be runtime/default, unconfined or "
			  "localhost/ with a name";
	}
	if (type && strcmp(type, "Localhost") == 0)
		read_profile_file(t, f, text + sizeof localhost - 1);
	return f;
}

static bool profile_is_valid(const struct node *map)
{
	const char *type = k8s_text(map, "type");

	if (k8s_word_in(type, "RuntimeDefault Unconfined"))
		return true;
	return type && strcmp(type, "Localhost") == 0 && k8s_text(map, "localhostProfile");
}

static struct fact *profile(const struct k8s_target *t, enum fact_kind kind, const char *key)
{
	const struct node *own = k8s_map(t->security, key), *pods = k8s_map(t->pod->security, key);
	const struct node *map = own ? own : pods;
	const struct node *type = k8s_get(map, "type");
	struct fact *f;

	if (!map)
		return NULL;
	f = k8s_fact(t, kind, type ? type : map, type ? NULL : "");
	if (f->provenance != PROVENANCE_TEMPLATED && !profile_is_valid(map)) {
		k8s_set(t, f, "invalid", "true");
		f->note = "the API refuses this: type must be RuntimeDefault, Unconfined, or Localhost "
			  "with a localhostProfile";
	}
	if (!type)
		f->span = k8s_key(own ? t->security : t->pod->security, key);
	if (own && pods)
		snapshot_add_hop(t->w->snapshot, f, k8s_place(pods, "type"),
				 k8s_text(pods, "type"), "pod");
	k8s_set(t, f, "level", own ? "container" : "pod");
	k8s_set(t, f, "source", "field");
	read_profile_file(t, f, k8s_text(map, "localhostProfile"));
	return f;
}

/* The annotation that holds for the container: its own, else the pod's. */
static const struct node *seccomp_note(const struct k8s_target *t)
{
	const struct node *n;

	if (!pod_annotation(t, "container.seccomp.security.alpha.kubernetes.io/", t->name, &n))
		pod_annotation(t, "seccomp.security.alpha.kubernetes.io/pod", "", &n);
	return node_text(n) ? n : NULL;
}

/* Those of a PodSecurityPolicy were never read on a pod. */
static void read_seccomp_notes(const struct k8s_target *t, const struct node *note)
{
	static const char *const of_policies[] = { "defaultProfileName", "allowedProfileNames" };
	const struct node *n;

	for (size_t i = 0; i < sizeof of_policies / sizeof *of_policies; i++)
		if (pod_annotation(t, "seccomp.security.alpha.kubernetes.io/", of_policies[i], &n))
			k8s_set(t, k8s_fact(t, FACT_SECCOMP_ANNOTATION, n, NULL), "policy", "true");
	if (note)
		k8s_set(t, k8s_fact(t, FACT_SECCOMP_ANNOTATION, note, NULL), "dead",
			k8s_minor(t->w) >= SECCOMP_ANNOTATION ? "true" : "false");
}

static void read_seccomp(const struct k8s_target *t)
{
	const unsigned minor = k8s_minor(t->w);
	const struct node *note = seccomp_note(t);
	const bool field = k8s_map(t->security, "seccompProfile") ||
			   k8s_map(t->pod->security, "seccompProfile");

	read_seccomp_notes(t, note);
	if (note && minor < SECCOMP_ANNOTATION && (!field || minor < SECCOMP_FIELD)) {
		noted_profile(t, FACT_SECCOMP, note);
		return;
	}
	if (!profile(t, FACT_SECCOMP, "seccompProfile"))
		k8s_missing(t, FACT_SECCOMP, "Unconfined",
			    "Kubernetes default: no filter, unless the kubelet sets seccompDefault");
}

/* True when annotation TEXT and the field FIELD ask for the same. */
static bool agrees(const char *text, const struct node *field)
{
	const char *type = noted_type(text), *file = k8s_text(field, "localhostProfile");

	if (!type || !node_is(k8s_get(field, "type"), type))
		return false;
	return strcmp(type, "Localhost") != 0 ||
	       (file && strcmp(text + sizeof localhost - 1, file) == 0);
}

static void read_apparmor(const struct k8s_target *t)
{
	const bool fields = k8s_minor(t->w) >= APPARMOR_FIELD;
	const struct node *own = k8s_map(t->security, "appArmorProfile"), *n;
	const struct node *pods = k8s_map(t->pod->security, "appArmorProfile");
	const char *text = pod_annotation(t, apparmor_prefix, t->name, &n);
	struct fact *f;

	if (text && (!*text || t->pod->windows))
		text = NULL;
	if (text && fields && own && !agrees(text, own))
		k8s_ignored(t, arena_printf(&t->w->snapshot->arena, "%s%s", apparmor_prefix, t->name),
			    n->span, "the API refuses an annotation that differs from the container's "
				     "appArmorProfile");
	if (text && !(fields && own)) {
		f = noted_profile(t, FACT_APPARMOR, n);
		if (pods && fields)
			snapshot_add_hop(t->w->snapshot, f, k8s_place(pods, "type"),
					 k8s_text(pods, "type"), "pod");
	} else if (!profile(t, FACT_APPARMOR, "appArmorProfile")) {
		k8s_missing(t, FACT_APPARMOR, "RuntimeDefault",
			    "the runtime's default profile, where the node has AppArmor");
	}
}

static bool has_container(const struct k8s_pod *pod, const char *name)
{
	static const char *const lists[] = { "containers", "initContainers", "ephemeralContainers" };

	for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
		const struct node *list = k8s_seq(pod->spec, lists[l]);

		for (uint32_t i = 0; i < node_count(list); i++)
			if (node_is(k8s_get(node_at(list, i), "name"), name))
				return true;
	}
	return false;
}

#define NAMES_LOOKED_UP 16u /* annotations of a pod; each looks through its containers */

/* An annotation for no container: told on the pod's first row. */
static void read_lost_notes(const struct k8s_target *t)
{
	const struct node *map = k8s_map(t->pod->metadata, "annotations");
	uint32_t found = 0;

	if (t->pod->rows.count != 1)
		return;
	for (uint32_t i = 0; i < node_count(map) && found < NAMES_LOOKED_UP; i++) {
		const char *key = node_text(map->items[i].key);

		if (!key || strncmp(key, apparmor_prefix, sizeof apparmor_prefix - 1) != 0)
			continue;
		found++;
		if (!has_container(t->pod, key + sizeof apparmor_prefix - 1))
			k8s_ignored(t, key, map->items[i].key->span,
				    "the pod has no container of this name: the API refuses it");
	}
}

static const char *const selinux_keys[] = { "type", "user", "role", "level" };

static const char *selinux_text(const struct k8s_target *t, const struct node *map)
{
	const char *text = "";

	for (size_t i = 0; i < sizeof selinux_keys / sizeof *selinux_keys; i++)
		if (k8s_text(map, selinux_keys[i]))
			text = arena_printf(&t->w->snapshot->arena, "%s%s%s:%s", text,
					    *text ? " " : "", selinux_keys[i],
					    k8s_text(map, selinux_keys[i]));
	return text;
}

/* The container's options replace the pod's as a whole. `level` is SELinux's own. */
static void read_selinux(const struct k8s_target *t)
{
	const struct node *own = k8s_map(t->security, "seLinuxOptions");
	const struct node *pods = k8s_map(t->pod->security, "seLinuxOptions");
	const struct node *map = own ? own : pods;
	const char *type = k8s_text(map, "type");
	struct fact *f;

	if (!map)
		return;
	f = k8s_fact_at(t, FACT_SELINUX,
			type ? arena_printf(&t->w->snapshot->arena, "type:%s", type) :
			       selinux_text(t, map),
			k8s_key(own ? t->security : t->pod->security, "seLinuxOptions"));
	for (size_t i = 0; i < sizeof selinux_keys / sizeof *selinux_keys; i++)
		if (k8s_text(map, selinux_keys[i])) {
			k8s_set(t, f, selinux_keys[i], k8s_text(map, selinux_keys[i]));
			f->span = k8s_place(map, selinux_keys[i]);
		}
	if (type)
		f->span = k8s_place(map, "type");
	k8s_set(t, f, "from", own ? "container" : "pod");
	k8s_set(t, f, "change_policy", k8s_text(t->pod->security, "seLinuxChangePolicy"));
	if (own && pods)
		snapshot_add_hop(t->w->snapshot, f, k8s_key(t->pod->security, "seLinuxOptions"),
				 selinux_text(t, pods), "pod");
}

void k8s_read_profiles(const struct k8s_target *t)
{
	read_seccomp(t);
	read_apparmor(t);
	read_lost_notes(t);
	read_selinux(t);
}

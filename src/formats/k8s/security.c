/* Security settings of a container: its own value, else the pod's, else the documented default.
 *
 * Inheritance and defaults: Kubernetes API core/v1 of 2026-07. A container's value replaces the pod's;
 * what exists only in containers is not looked for at pod level (see ignored.c).
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/k8s.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/buf.h"

/* Where an absent setting is missed: the container's securityContext, else the container. */
static struct span missing_at(const struct k8s_target *t)
{
	return t->security ? k8s_key(t->container, "securityContext") : t->anchor;
}

/* A pod spec without containers has no defaults to speak of. */
static void absent(const struct k8s_target *t, enum fact_kind kind, const char *value,
		   struct span ancestor, const char *note)
{
	if (t->container)
		k8s_absent(t, kind, value, ancestor, note);
}

/* The effective node of KEY with the pod's as a link of the chain; NULL when neither has it. */
static struct fact *inherited(const struct k8s_target *t, enum fact_kind kind, const char *key)
{
	const struct node *own = k8s_get(t->security, key), *pods = k8s_get(t->pod->security, key);
	struct fact *f;

	if (!own && !pods)
		return NULL;
	f = k8s_fact(t, kind, own ? own : pods, NULL);
	if (own && pods)
		snapshot_add_hop(t->w->snapshot, f, pods->span, node_text(pods), "pod");
	k8s_set(t, f, "level", own ? "container" : "pod");
	return f;
}

static void flag(const struct k8s_target *t, enum fact_kind kind, const char *key,
		 const char *by_default, const char *note)
{
	const struct node *own = k8s_get(t->security, key);
	const char *canonical = k8s_is_true(t->security, key)  ? "true" :
				k8s_is_false(t->security, key) ? "false" :
								 NULL;

	if (own)
		k8s_fact(t, kind, own, canonical);
	else
		absent(t, kind, by_default, missing_at(t), note);
}

static bool is_number(const char *text)
{
	return *text && text[strspn(text, "0123456789")] == '\0';
}

static void read_user(const struct k8s_target *t)
{
	struct fact *user = inherited(t, FACT_USER, "runAsUser");
	struct fact *group = inherited(t, FACT_GROUP, "runAsGroup");
	struct fact *must = inherited(t, FACT_RUN_AS_NON_ROOT, "runAsNonRoot");

	if (user && is_number(user->value))
		k8s_set(t, user, "uid", user->value);
	if (!user)
		absent(t, FACT_USER, "", missing_at(t),
			   "runAsUser is not set: the image's USER decides, root when it has none");
	if (group && is_number(group->value))
		k8s_set(t, group, "gid", group->value);
	if (!group)
		absent(t, FACT_GROUP, "", missing_at(t),
			   "runAsGroup is not set: the image decides, group 0 when it names none");
	if (!must)
		absent(t, FACT_RUN_AS_NON_ROOT, "false", missing_at(t),
			   "Kubernetes default: nothing checks that the user is not root");
}

static void read_groups(const struct k8s_target *t)
{
	const struct node *list = k8s_seq(t->pod->security, "supplementalGroups");
	const struct node *fs = k8s_get(t->pod->security, "fsGroup");
	const struct node *policy = k8s_get(t->pod->security, "supplementalGroupsPolicy");

	for (uint32_t i = 0; i < node_count(list); i++)
		if (node_text(node_at(list, i)))
			k8s_set(t, k8s_fact(t, FACT_GROUP_ADD, node_at(list, i), NULL), "gid",
				node_text(node_at(list, i)));
	if (fs)
		k8s_set(t, k8s_fact(t, FACT_FS_GROUP, fs, NULL), "gid", node_text(fs));
	if (policy)
		k8s_fact(t, FACT_GROUPS_POLICY, policy, NULL);
	else
		absent(t, FACT_GROUPS_POLICY, "Merge", node_key_span(t->pod->spec),
			   "Kubernetes default: groups of the image's /etc/group are added");
}

/* containerd puts CAP_ in front of every name, so "CAP_X" names nothing there; CRI-O takes both. */
static void read_capability(const struct k8s_target *t, enum fact_kind kind, const struct node *n)
{
	const char *raw = node_text(n);
	bool prefixed = raw && strncasecmp(raw, "CAP_", 4) == 0;
	char *name;
	struct fact *f;

	if (!raw)
		return;
	name = arena_strdup(&t->w->snapshot->arena, prefixed ? raw + 4 : raw);
	for (char *p = name; *p; p++)
		if (*p >= 'a' && *p <= 'z')
			*p = (char)(*p - 32);
	f = k8s_fact(t, kind, n, name);
	k8s_set(t, f, "raw", raw);
	if (prefixed && strcmp(name, "ALL") != 0) {
		k8s_set(t, f, "effective", "false");
		f->note = "containerd adds CAP_ itself and knows no capability of this spelling; "
			  "CRI-O does";
	}
}

static void read_capabilities(const struct k8s_target *t)
{
	static const struct {
		const char *key;
		enum fact_kind kind;
	} lists[] = { { "add", FACT_CAP_ADD }, { "drop", FACT_CAP_DROP } };
	const struct node *map = k8s_map(t->security, "capabilities");

	for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
		const struct node *list = k8s_seq(map, lists[l].key);

		for (uint32_t i = 0; i < node_count(list); i++)
			read_capability(t, lists[l].kind, node_at(list, i));
	}
	if (!k8s_seq(map, "drop") || !node_count(k8s_seq(map, "drop")))
		absent(t, FACT_CAP_DROP, "",
			   map ? k8s_key(t->security, "capabilities") : missing_at(t),
			   "nothing is dropped: the runtime's default set stays");
}

static const char *pod_annotation(const struct k8s_target *t, const char *prefix,
				  const char *suffix, const struct node **value)
{
	const struct node *map = k8s_map(t->pod->metadata, "annotations");
	const char *key = arena_printf(&t->w->snapshot->arena, "%s%s", prefix, suffix);

	*value = k8s_get(map, key);
	return node_text(*value);
}

/* Alpha annotations: not honoured from 1.27 on. Those of a PodSecurityPolicy were never read on a pod. */
static void read_seccomp_annotation(const struct k8s_target *t)
{
	static const char *const of_policies[] = { "defaultProfileName", "allowedProfileNames" };
	const struct node *n;

	for (size_t i = 0; i < sizeof of_policies / sizeof *of_policies; i++)
		if (pod_annotation(t, "seccomp.security.alpha.kubernetes.io/", of_policies[i], &n))
			k8s_set(t, k8s_fact(t, FACT_SECCOMP_ANNOTATION, n, NULL), "policy", "true");
	if (!pod_annotation(t, "container.seccomp.security.alpha.kubernetes.io/", t->name, &n) &&
	    !pod_annotation(t, "seccomp.security.alpha.kubernetes.io/pod", "", &n))
		return;
	k8s_set(t, k8s_fact(t, FACT_SECCOMP_ANNOTATION, n, NULL), "dead",
		k8s_minor(t->w) >= 27 ? "true" : "false");
}

static void read_profile_file(const struct k8s_target *t, struct fact *f, const struct node *map)
{
	const char *file = k8s_text(map, "localhostProfile");

	if (!file)
		return;
	k8s_set(t, f, "profile", file);
	k8s_set(t, f, "supplied",
		t->w->exists && t->w->exists(t->w, file) ? "true" : "false");
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
	read_profile_file(t, f, map);
	return f;
}

static void read_seccomp(const struct k8s_target *t)
{
	read_seccomp_annotation(t);
	if (!profile(t, FACT_SECCOMP, "seccompProfile"))
		absent(t, FACT_SECCOMP, "Unconfined", missing_at(t),
			   "Kubernetes default: no filter, unless the kubelet sets seccompDefault");
}

static const char *apparmor_value(const char *annotation)
{
	if (strcmp(annotation, "runtime/default") == 0)
		return "RuntimeDefault";
	if (strcmp(annotation, "unconfined") == 0)
		return "Unconfined";
	return strncmp(annotation, "localhost/", 10) == 0 ? "Localhost" : annotation;
}

static void read_apparmor(const struct k8s_target *t)
{
	const struct node *n;
	const char *text;
	struct fact *f;

	if (profile(t, FACT_APPARMOR, "appArmorProfile"))
		return;
	text = pod_annotation(t, "container.apparmor.security.beta.kubernetes.io/", t->name, &n);
	if (!text) {
		absent(t, FACT_APPARMOR, "RuntimeDefault", missing_at(t),
			   "the runtime's default profile, where the node has AppArmor");
		return;
	}
	f = k8s_fact(t, FACT_APPARMOR, n, apparmor_value(text));
	k8s_set(t, f, "source", "annotation");
	if (strncmp(text, "localhost/", 10) == 0)
		k8s_set(t, f, "profile", text + 10);
}

static void read_selinux(const struct k8s_target *t)
{
	static const char *const keys[] = { "type", "user", "role", "level" };
	const struct node *own = k8s_map(t->security, "seLinuxOptions");
	const struct node *map = own ? own : k8s_map(t->pod->security, "seLinuxOptions");
	const char *type = k8s_text(map, "type"), *text = "";
	struct arena *a = &t->w->snapshot->arena;
	struct fact *f;

	if (!map)
		return;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (k8s_text(map, keys[i]))
			text = arena_printf(a, "%s%s%s:%s", text, *text ? " " : "", keys[i],
					    k8s_text(map, keys[i]));
	f = k8s_fact_at(t, FACT_SELINUX, type ? arena_printf(a, "type:%s", type) : text,
			k8s_key(own ? t->security : t->pod->security, "seLinuxOptions"));
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (k8s_text(map, keys[i])) {
			k8s_set(t, f, keys[i], k8s_text(map, keys[i]));
			f->span = k8s_place(map, keys[i]);
		}
	if (type)
		f->span = k8s_place(map, "type");
}

static void read_windows(const struct k8s_target *t)
{
	const struct node *own = k8s_map(t->security, "windowsOptions");
	const struct node *pods = k8s_map(t->pod->security, "windowsOptions");
	const struct node *n = k8s_get(own, "hostProcess");

	if (!n)
		n = k8s_get(pods, "hostProcess");
	if (n)
		k8s_fact(t, FACT_HOST_PROCESS, n, NULL);
	n = k8s_get(own, "runAsUserName");
	if (!n)
		n = k8s_get(pods, "runAsUserName");
	if (n)
		k8s_fact(t, FACT_WINDOWS_USER, n, NULL);
}

static void read_proc_mount(const struct k8s_target *t)
{
	const struct node *n = k8s_get(t->security, "procMount");

	if (n)
		k8s_fact(t, FACT_PROC_MASK, n, node_is(n, "Default") ? "default" : "unconfined");
	else
		absent(t, FACT_PROC_MASK, "default", missing_at(t),
			   "Kubernetes default: /proc stays masked");
}

static void read_context(const struct k8s_target *t)
{
	const bool own = node_count(t->security) > 0, pods = node_count(t->pod->security) > 0;

	if (own || pods)
		k8s_set(t,
			k8s_fact_at(t, FACT_SECURITY_CONTEXT, "set",
				    k8s_key(own ? t->container : t->pod->spec, "securityContext")),
			"level", own && pods ? "both" : own ? "container" : "pod");
	else
		absent(t, FACT_SECURITY_CONTEXT, "", t->anchor,
			   "neither the pod nor the container has a securityContext");
}

void k8s_read_security(const struct k8s_target *t)
{
	read_context(t);
	read_user(t);
	read_groups(t);
	flag(t, FACT_PRIVILEGED, "privileged", "false", "Kubernetes default");
	flag(t, FACT_ESCALATION, "allowPrivilegeEscalation", "true",
	     "Kubernetes default: no_new_privs is not set");
	flag(t, FACT_READ_ONLY_ROOT, "readOnlyRootFilesystem", "false",
	     "Kubernetes default: the root file system is writable");
	read_capabilities(t);
	read_seccomp(t);
	read_apparmor(t);
	read_selinux(t);
	read_windows(t);
	read_proc_mount(t);
}

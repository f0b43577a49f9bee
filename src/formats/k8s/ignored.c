/* Settings that are written and have no effect: at the wrong level, refused together, or for another
 * operating system.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/k8s.h"

#include <string.h>

/* Only containers have these; in a pod's securityContext they are unknown fields. */
static const char *const container_only[] = { "privileged", "capabilities",
					      "allowPrivilegeEscalation", "readOnlyRootFilesystem",
					      "procMount" };
/* Only pods have these. */
static const char *const pod_only[] = { "supplementalGroups", "supplementalGroupsPolicy", "fsGroup",
					"fsGroupChangePolicy", "sysctls", "seLinuxChangePolicy" };
/* Fields of the pod spec itself that are often written into a container or a securityContext. */
static const char *const spec_only[] = { "hostNetwork", "hostPID", "hostIPC", "hostUsers",
					 "serviceAccountName", "automountServiceAccountToken",
					 "runtimeClassName", "shareProcessNamespace",
					 "hostAliases" };
/* Fields of securityContext that are often written one level too high. */
static const char *const context_only[] = { "runAsUser",     "runAsNonRoot", "runAsGroup",
					    "privileged",    "capabilities", "seccompProfile",
					    "allowPrivilegeEscalation", "readOnlyRootFilesystem",
					    "appArmorProfile" };
/* The API refuses these when spec.os.name is windows. */
static const char *const linux_only[] = {
	"appArmorProfile", "seLinuxOptions", "seccompProfile", "runAsUser",
	"runAsGroup", "capabilities", "readOnlyRootFilesystem", "privileged",
	"allowPrivilegeEscalation", "procMount", "fsGroup", "sysctls", "supplementalGroups",
	"fsGroupChangePolicy", "supplementalGroupsPolicy", "seLinuxChangePolicy",
};

#define COUNT(list) (sizeof(list) / sizeof *(list))

void k8s_ignored(const struct k8s_target *t, const char *key, struct span span, const char *why)
{
	k8s_set(t, k8s_fact_at(t, FACT_IGNORED_SETTING, key, span), "why", why);
}

static void misplaced(const struct k8s_target *t, const struct node *map, const char *const *keys,
		      size_t count, const char *why)
{
	for (size_t i = 0; i < count; i++)
		if (node_find(map, keys[i]))
			k8s_ignored(t, keys[i], k8s_key(map, keys[i]), why);
}

static void refused_together(const struct k8s_target *t)
{
	const struct node *add = k8s_seq(k8s_map(t->security, "capabilities"), "add");

	if (!k8s_is_false(t->security, "allowPrivilegeEscalation"))
		return;
	if (k8s_is_true(t->security, "privileged"))
		k8s_ignored(t, "allowPrivilegeEscalation", k8s_key(t->security, "allowPrivilegeEscalation"),
			"the API refuses false beside privileged: true, so this pod cannot be created");
	else if (k8s_holds(add, "CAP_SYS_ADMIN"))
		k8s_ignored(t, "allowPrivilegeEscalation", k8s_key(t->security, "allowPrivilegeEscalation"),
			"the API refuses false beside an added CAP_SYS_ADMIN, so this pod cannot be "
			"created");
}

static bool is_default_profile(const struct node *context)
{
	return node_is(k8s_get(k8s_map(context, "appArmorProfile"), "type"), "RuntimeDefault");
}

/* A named AppArmor profile stays; the runtime's own goes with the seccomp filter. */
static void removed_by_privileged(const struct k8s_target *t)
{
	static const char *const keys[] = { "seccompProfile", "capabilities", "procMount" };
	static const char *const profile[] = { "appArmorProfile" };
	static const char why[] =
		"privileged: true removes it: every capability, no seccomp filter, no masked paths";
	const struct node *pods = t->pod->security;

	if (!k8s_is_true(t->security, "privileged"))
		return;
	misplaced(t, t->security, keys, COUNT(keys), why);
	if (!k8s_get(t->security, "seccompProfile"))
		misplaced(t, pods, keys, 1, why);
	if (is_default_profile(t->security))
		misplaced(t, t->security, profile, 1, why);
	else if (!k8s_get(t->security, "appArmorProfile") && is_default_profile(pods))
		misplaced(t, pods, profile, 1, why);
}

/* Fields of MAP that hold something: the API looks at values, not at keys. */
static void refused_fields(const struct k8s_target *t, const struct node *map, const char *const *keys,
			   size_t count, const char *why)
{
	for (size_t i = 0; i < count; i++) {
		const struct node *n = k8s_get(map, keys[i]);

		if (n && !(n->kind == NODE_SEQ && !n->count))
			k8s_ignored(t, keys[i], k8s_key(map, keys[i]), why);
	}
}

static bool begins_with(const char *text, const char *const *prefixes)
{
	for (size_t i = 0; prefixes[i]; i++)
		if (strncmp(text, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return false;
}

/* Parameters of a namespace that the pod shares with the host would be the host's. */
static void refused_sysctls(const struct k8s_target *t)
{
	static const char *const net[] = { "net.", "net/", NULL };
	static const char *const ipc[] = { "kernel.shm", "kernel/shm", "kernel.msg", "kernel/msg",
					   "kernel.sem", "kernel/sem", "fs.mqueue.", "fs/mqueue/",
					   NULL };
	const struct node *list = k8s_seq(t->pod->security, "sysctls");
	const bool shares_net = k8s_is_true(t->pod->spec, "hostNetwork");
	const bool shares_ipc = k8s_is_true(t->pod->spec, "hostIPC");

	for (uint32_t i = 0; (shares_net || shares_ipc) && i < node_count(list); i++) {
		const char *name = k8s_text(node_at(list, i), "name");

		if (name && shares_net && begins_with(name, net))
			k8s_ignored(t, name, k8s_place(node_at(list, i), "name"),
				    "the API refuses a net parameter beside hostNetwork");
		else if (name && shares_ipc && begins_with(name, ipc))
			k8s_ignored(t, name, k8s_place(node_at(list, i), "name"),
				    "the API refuses an IPC parameter beside hostIPC");
	}
}

/* Debugging containers come into a running pod, and only with some of the fields. */
static void refused_ephemeral(const struct k8s_target *t)
{
	static const char *const keys[] = { "ports", "livenessProbe", "readinessProbe", "startupProbe",
					    "lifecycle", "resources", "resizePolicy" };

	if (t->row->kind != ROW_EPHEMERAL)
		return;
	refused_fields(t, t->container, keys, COUNT(keys),
		       "the API refuses it in an ephemeral container");
	if (t->pod->layer == LAYER_DECLARED)
		k8s_ignored(t, "ephemeralContainers", k8s_key(t->pod->spec, "ephemeralContainers"),
			    "the API refuses them in a new pod: they are added to a running one");
}

/* Source: API validation of pods, core/v1 of 2026-07. */
static void refused_in_pod(const struct k8s_target *t)
{
	static const char *const shared[] = { "hostPID", "hostIPC", "hostNetwork" };
	const struct node *spec = t->pod->spec;
	const bool own_users = k8s_is_false(spec, "hostUsers");

	for (size_t i = 0; own_users && i < COUNT(shared); i++)
		if (k8s_is_true(spec, shared[i]))
			k8s_ignored(t, "hostUsers", k8s_key(spec, "hostUsers"),
				i < 2 ? "the API refuses a user namespace beside hostPID or hostIPC" :
					"the API refuses a user namespace beside hostNetwork, unless an "
					"alpha gate from 1.35 on lets it");
	if (k8s_is_true(spec, "hostPID") && k8s_is_true(spec, "shareProcessNamespace"))
		k8s_ignored(t, "shareProcessNamespace", k8s_key(spec, "shareProcessNamespace"),
			"the API refuses it beside hostPID");
	refused_sysctls(t);
	if (node_is(k8s_get(t->security, "procMount"), "Unmasked") && !own_users)
		k8s_ignored(t, "procMount", k8s_key(t->security, "procMount"),
			"the API takes Unmasked only with hostUsers: false");
}

/* ".." as a part of PATH, or a PATH from the root. */
static bool leaves_volume(const char *path)
{
	if (!path)
		return false;
	if (*path == '/')
		return true;
	for (;;) {
		if (strncmp(path, "..", 2) == 0 && (!path[2] || path[2] == '/'))
			return true;
		path = strchr(path, '/');
		if (!path)
			return false;
		path++;
	}
}

static void refused_mount(const struct k8s_target *t, const struct node *mount)
{
	const char *propagation = k8s_text(mount, "mountPropagation");
	const bool recursive = k8s_word_in(k8s_text(mount, "recursiveReadOnly"),
					   "Enabled IfPossible");

	if (k8s_word_in(propagation, "Bidirectional") && !k8s_is_true(t->security, "privileged"))
		k8s_ignored(t, "mountPropagation", k8s_key(mount, "mountPropagation"),
			    "the API refuses Bidirectional in a container that is not privileged");
	if (recursive && !k8s_is_true(mount, "readOnly"))
		k8s_ignored(t, "recursiveReadOnly", k8s_key(mount, "recursiveReadOnly"),
			    "the API refuses it without readOnly: true");
	else if (recursive && propagation && strcmp(propagation, "None") != 0)
		k8s_ignored(t, "recursiveReadOnly", k8s_key(mount, "recursiveReadOnly"),
			    "the API refuses it beside a mountPropagation other than None");
	if (leaves_volume(k8s_text(mount, "subPath")))
		k8s_ignored(t, "subPath", k8s_key(mount, "subPath"),
			    "the API refuses a path that starts at the root or holds ..");
	else if (k8s_text(mount, "subPath") && k8s_text(mount, "subPathExpr"))
		k8s_ignored(t, "subPathExpr", k8s_key(mount, "subPathExpr"),
			    "the API refuses it beside subPath");
}

static void refused_mounts(const struct k8s_target *t)
{
	const struct node *list = k8s_seq(t->container, "volumeMounts");

	for (uint32_t i = 0; i < node_count(list); i++)
		if (node_is_map(node_at(list, i)))
			refused_mount(t, node_at(list, i));
}

static void refused_on_windows(const struct k8s_target *t)
{
	static const char why[] = "the API refuses this Linux field when os.name is windows";
	static const char *const spec_fields[] = { "hostUsers", "shareProcessNamespace" };
	static const char *const shared[] = { "hostPID", "hostIPC" };

	refused_fields(t, t->pod->spec, spec_fields, COUNT(spec_fields), why);
	for (size_t i = 0; i < COUNT(shared); i++)
		if (k8s_is_true(t->pod->spec, shared[i]))
			k8s_ignored(t, shared[i], k8s_key(t->pod->spec, shared[i]), why);
	refused_fields(t, t->pod->security, linux_only, COUNT(linux_only), why);
	refused_fields(t, t->security, linux_only, COUNT(linux_only), why);
}

static const struct node *host_process(const struct node *context)
{
	return k8s_map(context, "windowsOptions");
}

/* Containers of a HostProcess pod must all be one, on the host's network. */
static void refused_host_process(const struct k8s_target *t)
{
	const struct node *own = host_process(t->security), *pods = host_process(t->pod->security);
	const struct node *map = k8s_get(own, "hostProcess") ? own : pods;

	if (k8s_get(own, "hostProcess") && k8s_get(pods, "hostProcess") &&
	    k8s_is_true(own, "hostProcess") != k8s_is_true(pods, "hostProcess"))
		k8s_ignored(t, "hostProcess", k8s_key(own, "hostProcess"),
			    "the API refuses a container that differs from its pod in hostProcess");
	else if (k8s_is_true(map, "hostProcess") && !k8s_is_true(t->pod->spec, "hostNetwork"))
		k8s_ignored(t, "hostProcess", k8s_key(map, "hostProcess"),
			    "the API refuses hostProcess without hostNetwork: true");
}

static void other_system(const struct k8s_target *t)
{
	static const char linux_pod[] = "the API refuses windowsOptions when os.name is linux";
	static const char *const options[] = { "windowsOptions" };

	refused_host_process(t);
	if (t->pod->windows) {
		refused_on_windows(t);
	} else if (node_is(node_path(t->pod->spec, "os", "name", NULL), "linux")) {
		refused_fields(t, t->pod->security, options, 1, linux_pod);
		refused_fields(t, t->security, options, 1, linux_pod);
	}
}

void k8s_read_ignored(const struct k8s_target *t)
{
	misplaced(t, t->pod->security, container_only, COUNT(container_only),
		  "exists only in a container's securityContext; at pod level it is dropped or refused");
	misplaced(t, t->security, pod_only, COUNT(pod_only),
		  "exists only in the pod's securityContext; in a container it is dropped or refused");
	misplaced(t, t->container, spec_only, COUNT(spec_only),
		  "is a field of the pod spec; in a container it is dropped or refused");
	misplaced(t, t->security, spec_only, COUNT(spec_only),
		  "is a field of the pod spec; in securityContext it is dropped or refused");
	misplaced(t, t->pod->security, spec_only, COUNT(spec_only),
		  "is a field of the pod spec; in securityContext it is dropped or refused");
	misplaced(t, t->container, context_only, COUNT(context_only),
		  "is a field of securityContext; beside it, it is dropped or refused");
	misplaced(t, t->pod->spec, context_only, COUNT(context_only),
		  "is a field of securityContext; beside it, it is dropped or refused");
	refused_together(t);
	removed_by_privileged(t);
	refused_in_pod(t);
	refused_mounts(t);
	refused_ephemeral(t);
	other_system(t);
}

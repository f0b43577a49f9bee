/* What the pod decides for all its containers: namespaces, runtime, account, names, annotations.
 *
 * Defaults: Kubernetes API core/v1 of 2026-07.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/k8s.h"

#include <stdlib.h>
#include <string.h>

static struct span spec_key(const struct k8s_target *t)
{
	return node_key_span(t->pod->spec);
}

static void read_host_namespaces(const struct k8s_target *t)
{
	static const struct {
		const char *key;
		enum fact_kind kind;
	} shared[] = { { "hostPID", FACT_PID },
		       { "hostIPC", FACT_IPC },
		       { "hostNetwork", FACT_NETWORK_MODE } };

	const struct node *target = k8s_get(t->container, "targetContainerName");
	const size_t first = t->pod->windows ? 2 : 0; /* Windows shares the network only */

	for (size_t i = first; i < sizeof shared / sizeof *shared; i++) {
		const struct node *n = k8s_get(t->pod->spec, shared[i].key);

		if (shared[i].kind == FACT_PID && t->row->kind == ROW_EPHEMERAL && node_text(target) &&
		    !k8s_is_true(t->pod->spec, "hostPID"))
			k8s_fact(t, FACT_PID, target,
				 arena_printf(&t->w->snapshot->arena, "container:%s",
					      node_text(target)));
		else if (n)
			k8s_set(t,
				k8s_fact(t, shared[i].kind, n,
					 k8s_templated(t->w, n)			  ? NULL :
					 k8s_is_true(t->pod->spec, shared[i].key) ? "host" :
										    "private"),
				"setting", shared[i].key);
		else
			k8s_absent(t, shared[i].kind, "private", spec_key(t), "Kubernetes default");
	}
}

/* Below version 1.ON the server drops the field or a gate keeps it off. */
static void feature(const struct k8s_target *t, const char *name, struct span span,
		    const char *since, const char *on)
{
	struct fact *f = k8s_fact_at(t, FACT_FEATURE, name, span);
	unsigned long needed = strtoul(on + 2, NULL, 10);

	k8s_set(t, f, "ignored", k8s_minor(t->w) < needed ? "true" : "false");
	k8s_set(t, f, "since", since);
	k8s_set(t, f, "default_on", on);
	k8s_set(t, f, "target", t->w->snapshot->scope.kubernetes);
}

static void read_user_namespace(const struct k8s_target *t)
{
	const struct node *n = k8s_get(t->pod->spec, "hostUsers");

	if (!n && t->pod->windows)
		return;
	if (!n) {
		k8s_absent(t, FACT_USERNS, "host", spec_key(t),
			   "Kubernetes default: no user namespace of its own (hostUsers true)");
		return;
	}
	k8s_fact(t, FACT_USERNS, n, k8s_is_false(t->pod->spec, "hostUsers") ? "private" : "host");
	feature(t, "hostUsers", n->span, "1.25", "1.33");
}

/* Fields in the lists of a container and in the pod's volumes. */
static void read_container_features(const struct k8s_target *t)
{
	const struct node *mounts = k8s_seq(t->container, "volumeMounts");
	const struct node *env = k8s_seq(t->container, "env");
	const struct node *volumes = k8s_seq(t->pod->spec, "volumes");

	for (uint32_t i = 0; i < node_count(mounts); i++)
		if (k8s_word_in(k8s_text(node_at(mounts, i), "recursiveReadOnly"),
				"Enabled IfPossible"))
			feature(t, "recursiveReadOnly",
				k8s_key(node_at(mounts, i), "recursiveReadOnly"), "1.30", "1.31");
	for (uint32_t i = 0; i < node_count(env); i++) {
		const struct node *from = k8s_map(node_at(env, i), "valueFrom");

		if (k8s_get(from, "fileKeyRef"))
			feature(t, "fileKeyRef", k8s_key(from, "fileKeyRef"), "1.34", "1.35");
	}
	for (uint32_t i = 0; i < node_count(volumes); i++)
		if (k8s_map(node_at(volumes, i), "image"))
			feature(t, "image volume", k8s_key(node_at(volumes, i), "image"), "1.31",
				"1.35");
}

/* Fields that an older server gates or drops: name, where, first version, on by default from. */
static void read_features(const struct k8s_target *t)
{
	static const struct {
		const char *key, *since, *on;
		bool in_container, in_pod;
	} context[] = {
		{ "appArmorProfile", "1.30", "1.30", true, true },
		{ "procMount", "1.12", "1.33", true, false },
		{ "supplementalGroupsPolicy", "1.31", "1.33", false, true },
		{ "seLinuxChangePolicy", "1.32", "1.33", false, true },
		{ "seccompProfile", "1.19", "1.19", true, true },
	};

	for (size_t i = 0; i < sizeof context / sizeof *context; i++) {
		if (context[i].in_container && k8s_get(t->security, context[i].key))
			feature(t, context[i].key, k8s_key(t->security, context[i].key),
				context[i].since, context[i].on);
		else if (context[i].in_pod && k8s_get(t->pod->security, context[i].key))
			feature(t, context[i].key, k8s_key(t->pod->security, context[i].key),
				context[i].since, context[i].on);
	}
	if (k8s_map(t->pod->spec, "resources"))
		feature(t, "pod-level resources", k8s_key(t->pod->spec, "resources"), "1.32", "1.34");
	read_container_features(t);
	if ((t->row->kind == ROW_MAIN || t->row->kind == ROW_INIT) &&
	    k8s_get(t->container, "restartPolicy"))
		feature(t, "container restartPolicy", k8s_key(t->container, "restartPolicy"), "1.34",
			"1.35");
	if (t->row->kind == ROW_SIDECAR)
		feature(t, "sidecar restartPolicy", k8s_key(t->container, "restartPolicy"), "1.28",
			"1.29");
}

static void read_system(const struct k8s_target *t)
{
	const struct node *os = node_path(t->pod->spec, "os", "name", NULL);
	const struct node *selector = k8s_map(t->pod->spec, "nodeSelector");
	const struct node *runtime = k8s_get(t->pod->spec, "runtimeClassName");

	if (!os)
		os = k8s_get(selector, "kubernetes.io/os");
	if (os)
		k8s_fact(t, FACT_TARGET_OS, os, NULL);
	if (runtime)
		k8s_fact(t, FACT_RUNTIME, runtime, NULL);
	else
		k8s_absent(t, FACT_RUNTIME, "", spec_key(t),
			   "no runtimeClassName: the node's default runtime");
	if (k8s_get(t->pod->spec, "shareProcessNamespace"))
		k8s_fact(t, FACT_SHARE_PROCESS, k8s_get(t->pod->spec, "shareProcessNamespace"),
			 k8s_is_true(t->pod->spec, "shareProcessNamespace") ? "true" : "false");
}

/* Safe sets by policy version: kubernetes/pod-security-admission of 2026-07-01. */
bool k8s_sysctl_is_safe(const char *name, unsigned minor)
{
	static const struct {
		const char *names;
		unsigned since;
	} safe[] = {
		{ "kernel.shm_rmid_forced net.ipv4.ip_local_port_range net.ipv4.tcp_syncookies "
		  "net.ipv4.ping_group_range net.ipv4.ip_unprivileged_port_start", 0 },
		{ "net.ipv4.ip_local_reserved_ports", 27 },
		{ "net.ipv4.tcp_keepalive_time net.ipv4.tcp_fin_timeout "
		  "net.ipv4.tcp_keepalive_intvl net.ipv4.tcp_keepalive_probes", 29 },
		{ "net.ipv4.tcp_rmem net.ipv4.tcp_wmem", 32 },
		{ "net.ipv4.tcp_slow_start_after_idle net.ipv4.tcp_notsent_lowat", 37 },
	};

	for (size_t i = 0; i < sizeof safe / sizeof *safe; i++)
		if (minor >= safe[i].since && k8s_word_in(name, safe[i].names))
			return true;
	return false;
}

/* Names may be written with slashes: when the first separator is one, both change places. */
static const char *dotted(const struct k8s_target *t, const char *name)
{
	size_t first = strcspn(name, "./");
	char *copy;

	if (name[first] != '/')
		return name;
	copy = arena_strdup(&t->w->snapshot->arena, name);
	for (char *p = copy; *p; p++)
		*p = *p == '/' ? '.' : *p == '.' ? '/' : *p;
	return copy;
}

static void read_sysctls(const struct k8s_target *t)
{
	const struct node *list = k8s_seq(t->pod->security, "sysctls");

	for (uint32_t i = 0; i < node_count(list); i++) {
		const struct node *item = node_at(list, i), *name = k8s_get(item, "name");
		const char *value = k8s_text(item, "value");
		struct fact *f;

		if (!node_text(name))
			continue;
		f = k8s_fact(t, FACT_SYSCTL, name,
			     arena_printf(&t->w->snapshot->arena, "%s=%s", node_text(name),
					  value ? value : ""));
		k8s_set(t, f, "name", node_text(name));
		k8s_set(t, f, "safe",
			k8s_sysctl_is_safe(dotted(t, node_text(name)), k8s_minor(t->w)) ? "true" :
											 "false");
	}
}

static void read_names(const struct k8s_target *t)
{
	const struct node *aliases = k8s_seq(t->pod->spec, "hostAliases");
	const struct node *policy = k8s_get(t->pod->spec, "dnsPolicy");
	const struct node *servers = k8s_seq(k8s_map(t->pod->spec, "dnsConfig"), "nameservers");

	for (uint32_t i = 0; i < node_count(aliases); i++) {
		const struct node *item = node_at(aliases, i), *ip = k8s_get(item, "ip");
		const char *names = k8s_joined(t->w, k8s_seq(item, "hostnames"), ",");

		if (ip || *names)
			k8s_fact(t, FACT_EXTRA_HOST, ip ? ip : k8s_seq(item, "hostnames"),
				 arena_printf(&t->w->snapshot->arena, "%s:%s", names,
					      node_text(ip) ? node_text(ip) : ""));
	}
	if (policy)
		k8s_fact(t, FACT_DNS, policy, NULL);
	for (uint32_t i = 0; i < node_count(servers); i++)
		k8s_fact(t, FACT_DNS, node_at(servers, i), NULL);
}

static void read_account(const struct k8s_target *t)
{
	const struct node *name = k8s_get(t->pod->spec, "serviceAccountName");
	const struct node *secrets = k8s_seq(t->pod->spec, "imagePullSecrets");
	struct fact *f;

	if (!name)
		name = k8s_get(t->pod->spec, "serviceAccount");
	if (name && node_text(name) && *node_text(name))
		f = k8s_fact(t, FACT_SERVICE_ACCOUNT, name, NULL);
	else
		f = k8s_absent(t, FACT_SERVICE_ACCOUNT, "default",
			       name ? name->span : spec_key(t),
			       "no serviceAccountName: the namespace's account \"default\"");
	k8s_set(t, f, "default", fact_is(f, "default") ? "true" : "false");
	for (uint32_t i = 0; i < node_count(secrets); i++)
		if (k8s_text(node_at(secrets, i), "name") && *k8s_text(node_at(secrets, i), "name"))
			k8s_fact(t, FACT_PULL_SECRET, k8s_get(node_at(secrets, i), "name"), NULL);
}

static bool runtime_reads(const char *key)
{
	static const char *const prefixes[] = { "io.katacontainers.config.", "dev.gvisor.",
						"cdi.k8s.io/", "io.kubernetes.cri-o.",
						"devices.crio.io", "seccomp-profile.kubernetes.cri-o.io",
						"io.containerd.cri.", "run.oci." };

	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
		if (strncmp(key, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return strstr(key, ".crio.io") != NULL;
}

/* "sandbox-router" is a router: the last word says what a thing is. */
static bool serves_others(const char *text)
{
	static const char heads[] = "router controller operator manager gateway proxy webhook server api "
				    "client exporter monitor scheduler dashboard config policy test sa "
				    "deployment service namespace role binding";
	const char *last = text;

	for (const char *p = text; *p; p++)
		if (strchr("-._/=", *p) && p[1])
			last = p + 1;
	return k8s_word_in(last, heads);
}

static bool claims_isolation(const char *text)
{
	static const char *const words[] = { "sandbox", "gvisor", "isolated", "secure", "kata" };

	if (serves_others(text))
		return false;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strstr(text, words[i]))
			return true;
	return false;
}

static void read_annotations(const struct k8s_target *t)
{
	const struct node *map = k8s_map(t->pod->metadata, "annotations");
	struct arena *a = &t->w->snapshot->arena;

	for (uint32_t i = 0; i < node_count(map); i++) {
		const char *key = node_text(map->items[i].key);
		const char *value = node_text(map->items[i].value);

		if (!key || !runtime_reads(key))
			continue;
		k8s_fact_at(t, FACT_RUNTIME_ANNOTATION,
			    arena_printf(a, "%s=%s", key, value ? value : ""), map->items[i].key->span);
	}
}

/* Names the pod by what it should be; once is enough. The kind of a sandbox claims it by itself. */
static void read_labels(const struct k8s_target *t)
{
	const struct node *map = k8s_map(t->pod->metadata, "labels");
	const struct node *name = k8s_get(t->pod->object->metadata, "name");
	struct arena *a = &t->w->snapshot->arena;

	if (strncmp(t->pod->object->kind, "Sandbox", 7) == 0)
		return;
	if (node_text(name) && claims_isolation(node_text(name))) {
		k8s_fact(t, FACT_ISOLATION_LABEL, name, arena_printf(a, "name=%s", node_text(name)));
		return;
	}
	for (uint32_t i = 0; i < node_count(map); i++) {
		const char *key = node_text(map->items[i].key);
		const char *value = node_text(map->items[i].value);

		if (!key || !value || !(claims_isolation(key) || claims_isolation(value)) ||
		    serves_others(value))
			continue;
		k8s_fact_at(t, FACT_ISOLATION_LABEL, arena_printf(a, "label=%s=%s", key, value),
			    map->items[i].key->span);
		return;
	}
}

/* Comments to other tools in annotations are shown, never obeyed. */
static void read_suppressions(const struct k8s_target *t)
{
	const struct node *maps[] = { k8s_map(t->pod->object->metadata, "annotations"),
				      k8s_map(t->pod->metadata, "annotations") };

	for (size_t m = 0; m < 2; m++) {
		if (m == 1 && maps[1] == maps[0])
			break;
		for (uint32_t i = 0; i < node_count(maps[m]); i++) {
			const char *key = node_text(maps[m]->items[i].key);

			if (key && (strncmp(key, "checkov.io/skip", 15) == 0 ||
				    strstr(key, "kube-linter.io/") ||
				    strstr(key, "kube-score/ignore") ||
				    strstr(key, "polaris.fairwinds.com/")))
				k8s_fact_at(t, FACT_SUPPRESSION, key, maps[m]->items[i].key->span);
		}
	}
}

void k8s_read_pod_level(const struct k8s_target *t)
{
	read_host_namespaces(t);
	read_user_namespace(t);
	read_features(t);
	read_system(t);
	read_sysctls(t);
	read_names(t);
	read_account(t);
	read_annotations(t);
	read_labels(t);
	read_suppressions(t);
}

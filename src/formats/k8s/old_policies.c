/* PodSecurityPolicy and SecurityContextConstraints: what each admits.
 *
 * One fact for each admitted thing, with the line that admits it; a policy that admits none of them
 * has a single fact with an empty list. PodSecurityPolicy was removed in Kubernetes 1.25.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/objects.h"

#include <string.h>

struct policy {
	struct workspace *w;
	struct k8s_object *object;
	const char *engine;
	const struct node *body; /* where the settings are */
	struct span place;       /* key of the body, or the name */
	unsigned admitted;
};

static struct fact *admit(struct policy *p, const char *what, struct span span)
{
	struct fact *f = k8s_object_fact(p->w, p->object, FACT_POLICY, p->object->name, span);

	k8s_attribute(p->w, f, "engine", p->engine);
	k8s_attribute(p->w, f, "bound", "true");
	k8s_attribute(p->w, f, "action", "enforce");
	k8s_attribute(p->w, f, "admits", what);
	k8s_attribute(p->w, f, "name", what);
	p->admitted++;
	return f;
}

static struct span setting(const struct policy *p, const char *key)
{
	return k8s_get(p->body, key) ? k8s_place(p->body, key) : p->place;
}

static void admit_when_true(struct policy *p, const char *key, const char *what)
{
	if (k8s_is_true(p->body, key))
		admit(p, what, setting(p, key));
}

/* A group rule lets group 0 in: RunAsAny, none, or a range that starts at 0. */
static bool admits_group_zero(const struct node *rule)
{
	const struct node *ranges = k8s_seq(rule, "ranges");
	bool zero = !ranges;

	for (uint32_t i = 0; i < node_count(ranges); i++)
		zero |= node_is(k8s_get(node_at(ranges, i), "min"), "0");
	return zero;
}

/* Beside uid 0 the root group: named in the same finding. */
static void cite_groups(struct policy *p, struct fact *f)
{
	static const char *const keys[] = { "supplementalGroups", "fsGroup", "runAsGroup" };

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const struct node *rule = k8s_map(p->body, keys[i]);

		if (rule && admits_group_zero(rule))
			snapshot_add_hop(p->w->snapshot, f, k8s_key(p->body, keys[i]), NULL,
					 "group 0");
	}
}

/* The user rule lets uid 0 in: anything but MustRunAsNonRoot and ranges that start above 0. */
static void admit_root(struct policy *p, const char *rule_key)
{
	const struct node *user = k8s_map(p->body, "runAsUser");
	const struct node *ranges = k8s_seq(user, "ranges");
	const char *rule = k8s_text(user, rule_key), *uid = k8s_text(user, "uid");

	if (rule && k8s_word_in(rule, "MustRunAsNonRoot MustRunAsRange"))
		return;
	if (rule && strcmp(rule, "MustRunAs") == 0) {
		bool zero = uid && strcmp(uid, "0") == 0;

		for (uint32_t i = 0; i < node_count(ranges); i++)
			zero |= node_is(k8s_get(node_at(ranges, i), "min"), "0");
		if (!zero)
			return;
	}
	cite_groups(p, admit(p, "root",
			     !user ? p->place :
			     rule  ? k8s_place(user, rule_key) :
				     k8s_key(p->body, "runAsUser")));
}

static bool drops_all(const struct node *list)
{
	return k8s_holds(list, "ALL") || k8s_holds(list, "all") || k8s_holds(list, "NET_RAW");
}

static void admit_capabilities(struct policy *p)
{
	static const char *const keys[] = { "allowedCapabilities", "defaultAddCapabilities" };
	const struct node *drop = k8s_seq(p->body, "requiredDropCapabilities");

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (node_count(k8s_seq(p->body, keys[i])))
			admit(p, "capabilities", k8s_key(p->body, keys[i]));
	if (!drops_all(drop))
		admit(p, "capabilities", drop ? k8s_key(p->body, "requiredDropCapabilities") : p->place);
}

static void finish(struct policy *p)
{
	struct fact *f;

	if (p->admitted)
		return;
	f = k8s_object_fact(p->w, p->object, FACT_POLICY, p->object->name, p->object->row->span);
	k8s_attribute(p->w, f, "engine", p->engine);
	k8s_attribute(p->w, f, "bound", "true");
	k8s_attribute(p->w, f, "action", "enforce");
	k8s_attribute(p->w, f, "admits", "");
}

static void admit_host_namespaces(struct policy *p, const char *const *keys)
{
	for (size_t i = 0; i < 3; i++)
		admit_when_true(p, keys[i], "host-namespaces");
}

static void admit_escalation(struct policy *p)
{
	if (k8s_is_false(p->body, "allowPrivilegeEscalation"))
		return;
	admit(p, "escalation", setting(p, "allowPrivilegeEscalation"));
}

static void admit_volumes(struct policy *p)
{
	const struct node *volumes = k8s_seq(p->body, "volumes");
	const struct node *paths = k8s_seq(p->body, "allowedHostPaths");
	bool all_read_only = node_count(paths) > 0;

	if (volumes && !k8s_holds(volumes, "*") && !k8s_holds(volumes, "hostPath"))
		return;
	for (uint32_t i = 0; i < node_count(paths); i++)
		all_read_only &= k8s_is_true(node_at(paths, i), "readOnly");
	if (!all_read_only)
		admit(p, "host-path", paths ? k8s_key(p->body, "allowedHostPaths") :
					      volumes ? k8s_key(p->body, "volumes") : p->place);
}

static void admit_seccomp(struct policy *p)
{
	const struct node *map = k8s_map(p->object->metadata, "annotations");
	const char *names =
		k8s_text(map, "seccomp.security.alpha.kubernetes.io/allowedProfileNames");
	const char *by_default =
		k8s_text(map, "seccomp.security.alpha.kubernetes.io/defaultProfileName");

	if (by_default && !strstr(by_default, "unconfined"))
		return;
	if (names && !strchr(names, '*') && !strstr(names, "unconfined"))
		return;
	admit(p, "seccomp", p->object->row->span);
}

void k8s_read_pod_security_policy(struct workspace *w, struct k8s_object *o)
{
	static const char *const keys[] = { "hostPID", "hostIPC", "hostNetwork" };
	struct policy p = { .w = w,
			    .object = o,
			    .engine = "PodSecurityPolicy",
			    .body = k8s_map(o->node, "spec"),
			    .place = k8s_key(o->node, "spec") };

	admit_when_true(&p, "privileged", "privileged");
	admit_escalation(&p);
	admit_root(&p, "rule");
	admit_capabilities(&p);
	admit_host_namespaces(&p, keys);
	admit_volumes(&p);
	admit_seccomp(&p);
	finish(&p);
}

void k8s_read_constraints(struct workspace *w, struct k8s_object *o)
{
	static const char *const keys[] = { "allowHostPID", "allowHostIPC", "allowHostNetwork" };
	struct policy p = { .w = w,
			    .object = o,
			    .engine = "SecurityContextConstraints",
			    .body = o->node,
			    .place = o->row->span };

	admit_when_true(&p, "allowPrivilegedContainer", "privileged");
	admit_escalation(&p);
	admit_root(&p, "type");
	admit_capabilities(&p);
	admit_host_namespaces(&p, keys);
	admit_when_true(&p, "allowHostDirVolumePlugin", "host-path");
	finish(&p);
}

/* Limits, devices and restart of a container.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/k8s.h"
#include "src/formats/k8s/quantity.h"

#include <string.h>

#include "model/limits.h"

static struct span limits_place(const struct k8s_target *t)
{
	const struct node *resources = k8s_map(t->container, "resources");

	if (k8s_get(resources, "limits"))
		return k8s_key(resources, "limits");
	return resources ? k8s_key(t->container, "resources") : t->anchor;
}

/* Limits of a whole pod are read from 1.34 on, a restart policy of a regular container from 1.35 on. */
enum { POD_LIMITS = 34, OWN_RESTART = 35 };

static const struct node *pod_limit(const struct k8s_target *t, const char *key)
{
	if (k8s_minor(t->w) < POD_LIMITS)
		return NULL;
	return k8s_get(k8s_map(k8s_map(t->pod->spec, "resources"), "limits"), key);
}

/* The container's own limit, else that of the whole pod, which all its containers share. */
static void limit(const struct k8s_target *t, const struct node *limits, const char *key,
		  enum fact_kind kind)
{
	const struct node *own = k8s_get(limits, key);
	const struct node *pods = pod_limit(t, key), *n = own ? own : pods;
	double value;
	struct fact *f;

	if (n) {
		const bool none = quantity_read(node_text(n), &value) && value == 0;

		f = k8s_fact(t, kind, n, none ? "0" : NULL);
		if (pods)
			k8s_set(t, f, "level", own ? "container" : "pod");
		if (own && pods)
			snapshot_add_hop(t->w->snapshot, f, pods->span, node_text(pods), "whole pod");
		if (f->provenance == PROVENANCE_EXPLICIT)
			f->note = none ? "0 is no limit" : quantity_note(key, node_text(n));
	} else {
		k8s_absent(t, kind, "", limits_place(t),
			   "none in the manifest, a LimitRange of the namespace may add one");
	}
}

/* A device that a driver gives; the pod's list says by which claim. */
static void read_claim(const struct k8s_target *t, const struct node *name)
{
	const struct node *list = k8s_seq(t->pod->spec, "resourceClaims");
	struct fact *f = k8s_fact(t, FACT_DEVICE, name, NULL);

	k8s_set(t, f, "source", "resource claim");
	for (uint32_t i = 0; i < node_count(list) && i < LIMIT_JOINED; i++) {
		const struct node *item = node_at(list, i);

		if (!node_is(k8s_get(item, "name"), node_text(name)))
			continue;
		k8s_set(t, f, "claim", k8s_text(item, "resourceClaimName"));
		k8s_set(t, f, "template", k8s_text(item, "resourceClaimTemplateName"));
		snapshot_add_hop(t->w->snapshot, f, k8s_place(item, "name"), NULL, "claim");
		return;
	}
	f->note = "the pod lists no resource claim of this name";
}

/* Extended resources carry a vendor's domain: what a device plugin hands out. */
static void read_devices(const struct k8s_target *t, const struct node *limits)
{
	const struct node *claims = k8s_seq(k8s_map(t->container, "resources"), "claims");
	const struct node *blocks = k8s_seq(t->container, "volumeDevices");

	for (uint32_t i = 0; i < node_count(limits); i++) {
		const char *key = node_text(limits->items[i].key);
		const char *slash = key ? strchr(key, '/') : NULL;

		if (!slash || strncmp(key, "requests.", 9) == 0)
			continue;
		if (strstr(slash, "gpu") || strstr(key, "nvidia.com/") || strstr(key, "gpu."))
			k8s_fact_at(t, FACT_GPU, key, limits->items[i].key->span);
		else
			k8s_set(t, k8s_fact_at(t, FACT_DEVICE, key, limits->items[i].key->span),
				"source", "device plugin");
	}
	for (uint32_t i = 0; i < node_count(claims); i++)
		if (k8s_get(node_at(claims, i), "name"))
			read_claim(t, k8s_get(node_at(claims, i), "name"));
	for (uint32_t i = 0; i < node_count(blocks); i++)
		if (k8s_get(node_at(blocks, i), "name"))
			k8s_set(t, k8s_fact(t, FACT_DEVICE, k8s_get(node_at(blocks, i), "name"), NULL),
				"target", k8s_text(node_at(blocks, i), "devicePath"));
}

void k8s_read_resources(const struct k8s_target *t)
{
	const struct node *limits = k8s_map(k8s_map(t->container, "resources"), "limits");
	const bool may_differ = t->row->kind == ROW_SIDECAR || k8s_minor(t->w) >= OWN_RESTART;
	const struct node *own = may_differ ? k8s_get(t->container, "restartPolicy") : NULL;
	const struct node *pods = k8s_get(t->pod->spec, "restartPolicy");

	if (t->row->kind != ROW_EPHEMERAL) {
		limit(t, limits, "memory", FACT_MEMORY_LIMIT);
		limit(t, limits, "cpu", FACT_CPU_LIMIT);
	}
	read_devices(t, limits);
	if (own || pods) {
		struct fact *f = k8s_fact(t, FACT_RESTART, own ? own : pods, NULL);

		k8s_set(t, f, "level", own ? "container" : "pod");
		if (own && pods)
			snapshot_add_hop(t->w->snapshot, f, pods->span, node_text(pods), "pod");
	}
}

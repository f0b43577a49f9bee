/* Limits, devices and restart of a container.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/k8s.h"
#include "src/formats/k8s/quantity.h"

#include <string.h>

static struct span limits_place(const struct k8s_target *t)
{
	const struct node *resources = k8s_map(t->container, "resources");

	if (k8s_get(resources, "limits"))
		return k8s_key(resources, "limits");
	return resources ? k8s_key(t->container, "resources") : t->anchor;
}

static void limit(const struct k8s_target *t, const struct node *limits, const char *key,
		  enum fact_kind kind)
{
	const struct node *n = k8s_get(limits, key);
	double value;
	struct fact *f;

	if (n) {
		const bool none = quantity_read(node_text(n), &value) && value == 0;

		f = k8s_fact(t, kind, n, none ? "0" : NULL);
		if (f->provenance == PROVENANCE_EXPLICIT)
			f->note = none ? "0 is no limit" : quantity_note(key, node_text(n));
	} else {
		k8s_absent(t, kind, "", limits_place(t),
			   "none in the manifest, a LimitRange of the namespace may add one");
	}
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
			k8s_set(t, k8s_fact(t, FACT_DEVICE, k8s_get(node_at(claims, i), "name"), NULL),
				"source", "resource claim");
	for (uint32_t i = 0; i < node_count(blocks); i++)
		if (k8s_get(node_at(blocks, i), "name"))
			k8s_set(t, k8s_fact(t, FACT_DEVICE, k8s_get(node_at(blocks, i), "name"), NULL),
				"target", k8s_text(node_at(blocks, i), "devicePath"));
}

void k8s_read_resources(const struct k8s_target *t)
{
	const struct node *limits = k8s_map(k8s_map(t->container, "resources"), "limits");
	const struct node *restart = k8s_get(t->pod->spec, "restartPolicy");

	if (t->row->kind != ROW_EPHEMERAL) {
		limit(t, limits, "memory", FACT_MEMORY_LIMIT);
		limit(t, limits, "cpu", FACT_CPU_LIMIT);
	}
	read_devices(t, limits);
	if (restart)
		k8s_fact(t, FACT_RESTART, restart, NULL);
}

/* Environment of a container: names and where values come from, never a value.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/k8s.h"

#include <string.h>

static const char *const sources[] = { "secretKeyRef", "configMapKeyRef", "fieldRef",
				       "resourceFieldRef", "fileKeyRef" };

static void read_reference(const struct k8s_target *t, const struct node *item,
			   const struct node *from)
{
	static const char *const named[] = { "name", "path", "fieldPath", "resource" };
	const char *name = k8s_text(item, "name");

	for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
		const struct node *ref = k8s_map(from, sources[i]);
		struct fact *f;

		if (!ref)
			continue;
		f = k8s_fact_at(t, FACT_ENV, name, k8s_key(from, sources[i]));
		k8s_set(t, f, "class", strcmp(sources[i], "fileKeyRef") ? "reference" : "file");
		k8s_set(t, f, "from", sources[i]);
		k8s_set(t, f, "secret",
			i == 0 || name_is_secret(name) ? "true" : "false");
		for (size_t k = 0; k < sizeof named / sizeof *named && !fact_attribute(f, "ref"); k++)
			k8s_set(t, f, "ref", k8s_text(ref, named[k]));
		k8s_set(t, f, "key", k8s_text(ref, "key"));
		k8s_set(t, f, "volume", k8s_text(ref, "volumeName"));
		k8s_set(t, f, "container", k8s_text(ref, "containerName"));
		if (k8s_is_true(ref, "optional"))
			k8s_set(t, f, "required", "false");
		snapshot_add_hop(t->w->snapshot, f, k8s_place(item, "name"), name, "variable");
		return;
	}
}

static void read_variable(const struct k8s_target *t, const struct node *item)
{
	const char *name = k8s_text(item, "name");
	const struct node *value = k8s_get(item, "value"), *from = k8s_map(item, "valueFrom");
	struct fact *f;

	if (!name || !*name)
		return;
	if (from) {
		read_reference(t, item, from);
		return;
	}
	if (value && !node_text(value))
		return; /* told as a problem */
	f = env_fact(t->w, t->row, name, value ? node_text(value) : "",
		     value ? value->span : k8s_place(item, "name"));
	if (!f)
		return;
	if (k8s_templated(t->w, value) && strcmp(value_class(node_text(value)), "literal") == 0)
		k8s_set(t, f, "class", "reference");
	snapshot_add_hop(t->w->snapshot, f, k8s_place(item, "name"), name, "variable");
}

static void read_env_from(const struct k8s_target *t, const struct node *item)
{
	static const struct {
		const char *key, *kind;
	} kinds[] = { { "secretRef", "secret" }, { "configMapRef", "configMap" } };

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		const struct node *ref = k8s_map(item, kinds[i].key);
		struct fact *f;

		if (!k8s_text(ref, "name"))
			continue;
		f = k8s_fact(t, FACT_ENV_FILE, k8s_get(ref, "name"), NULL);
		k8s_set(t, f, "kind", kinds[i].kind);
		k8s_set(t, f, "required", k8s_is_true(ref, "optional") ? "false" : "true");
	}
}

void k8s_read_environment(const struct k8s_target *t)
{
	const struct node *env = k8s_seq(t->container, "env");
	const struct node *from = k8s_seq(t->container, "envFrom");
	size_t first = t->row->facts.count;

	for (uint32_t i = 0; i < node_count(env); i++)
		if (node_is_map(node_at(env, i)))
			read_variable(t, node_at(env, i));
	for (uint32_t i = 0; i < node_count(from); i++)
		if (node_is_map(node_at(from, i)))
			read_env_from(t, node_at(from, i));
	for (size_t i = first; i < t->row->facts.count; i++)
		t->row->facts.items[i]->layer = t->pod->layer;
}

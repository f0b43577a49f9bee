/* Names as kustomize leaves them: objects get prefix and suffix, references to them follow.
 *
 * Source: kustomize's default name references [known]. Objects that went through the same outermost
 * kustomization are one build; a reference is looked up in its own build by the name in the files.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/kustomize.h"

#include <string.h>

#include "model/hash_index.h"

/* A scalar under KEY, in a map that stands under ABOVE (NULL: anywhere), names an object of KIND; an empty
 * kind is the map's own. */
static const struct reference {
	const char *key, *above, *kind;
} references[] = {
	{ "serviceAccountName", NULL, "ServiceAccount" },
	{ "serviceAccount", NULL, "ServiceAccount" },
	{ "secretName", NULL, "Secret" },
	{ "name", "secretRef", "Secret" },
	{ "name", "secretKeyRef", "Secret" },
	{ "name", "secret", "Secret" },
	{ "name", "imagePullSecrets", "Secret" },
	{ "name", "configMapRef", "ConfigMap" },
	{ "name", "configMapKeyRef", "ConfigMap" },
	{ "name", "configMap", "ConfigMap" },
	{ "claimName", NULL, "PersistentVolumeClaim" },
	{ "volumeName", NULL, "PersistentVolume" },
	{ "priorityClassName", NULL, "PriorityClass" },
	{ "serviceName", NULL, "Service" },
	{ "name", "service", "Service" },
	{ "name", "roleRef", "" },
	{ "name", "subjects", "" },
};

struct renames {
	struct workspace *w;
	struct hash_index index; /* root folder, kind, name → object */
	struct {
		struct k8s_object **items;
		size_t count, capacity;
	} objects;
};

static const char *key_of(const struct renames *r, const struct kustomization *root,
			  const char *kind, const char *name)
{
	return arena_printf(&r->w->snapshot->arena, "%s\n%s\n%s", root->folder, kind, name);
}

static const struct k8s_object *find(const struct renames *r, const struct kustomization *root,
				     const char *kind, const char *name)
{
	uint32_t i;

	return hash_index_get(&r->index, key_of(r, root, kind, name), &i) ? r->objects.items[i] : NULL;
}

static bool is_moved(const struct k8s_object *o)
{
	return o->prefix || o->suffix || (o->root && k8s_get(o->root->node, "namespace"));
}

static void list_objects(struct renames *r)
{
	struct arena *a = &r->w->snapshot->arena;

	for (size_t i = 0; i < r->w->inputs.count; i++) {
		const struct k8s_file *file = r->w->inputs.items[i]->state[FORMAT_K8S];

		for (size_t k = 0; file && k < file->objects.count; k++) {
			struct k8s_object *o = file->objects.items[k];

			if (!o->root)
				continue;
			hash_index_put(a, &r->index, key_of(r, o->root, o->kind, o->name),
				       (uint32_t)r->objects.count);
			*ARENA_PUSH(a, &r->objects) = o;
		}
	}
}

struct name_change {
	struct scalar_change base;
	const struct renames *renames;
	const struct k8s_object *object;
};

static const struct k8s_object *target_of(const struct name_change *c, const struct node *map,
					  const char *above, const char *key, const char *name)
{
	for (size_t i = 0; i < sizeof references / sizeof *references; i++) {
		const struct reference *r = &references[i];
		const char *kind = *r->kind ? r->kind : k8s_text(map, "kind");

		if (kind && strcmp(r->key, key) == 0 && (!r->above || strcmp(r->above, above) == 0))
			return find(c->renames, c->object->root, kind, name);
	}
	return NULL;
}

/* A binding's subject moves with its account; "default" moves with the binding. */
static const char *subject_namespace(const struct name_change *c, const struct node *map)
{
	const char *name = k8s_text(map, "name");
	const struct k8s_object *account;

	if (!name || !node_is(k8s_get(map, "kind"), "ServiceAccount"))
		return NULL;
	account = find(c->renames, c->object->root, "ServiceAccount", name);
	if (account && *account->namespace)
		return account->namespace;
	return strcmp(name, "default") == 0 ? k8s_text(c->object->root->node, "namespace") : NULL;
}

static const struct node *change_name(const struct scalar_change *base, const struct node *map,
				      const char *above, const char *key, const struct node *value)
{
	const struct name_change *c = (const struct name_change *)base;
	struct workspace *w = c->renames->w;
	const struct k8s_object *target = target_of(c, map, above, key, value->text);
	const char *text = NULL;

	if (target)
		text = kustomize_name(w, target);
	else if (strcmp(key, "namespace") == 0 && strcmp(above, "subjects") == 0)
		text = subject_namespace(c, map);
	return text && strcmp(text, value->text) != 0 ?
		       patch_scalar(&w->snapshot->arena, value, text, value->span) :
		       NULL;
}

void kustomize_rename(struct workspace *w)
{
	struct renames r = { .w = w };
	bool moved = false;

	list_objects(&r);
	for (size_t i = 0; i < r.objects.count; i++)
		moved |= is_moved(r.objects.items[i]);
	for (size_t i = 0; moved && i < r.objects.count; i++) {
		struct name_change c = { { change_name }, &r, r.objects.items[i] };

		if (k8s_map(r.objects.items[i]->node, "metadata"))
			kustomize_change_scalars(w, r.objects.items[i], &c.base);
	}
	/* Only now, since references are looked up by the names in the files. */
	for (size_t i = 0; i < r.objects.count; i++)
		r.objects.items[i]->name = kustomize_name(w, r.objects.items[i]);
}

/* The roles and bindings that the operator lifecycle manager makes of a ClusterServiceVersion.
 *
 * Source [known]: operator-framework/api v1alpha1, StrategyDetailsDeployment: clusterPermissions and permissions
 * each pair rules with a service account; the latter hold in the operator's own namespace.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/olm.h"

#include <string.h>

#define RBAC_GROUP "rbac.authorization.k8s.io"

static struct node *text_node(struct arena *a, const char *text, struct span span)
{
	struct node *n = ARENA_NEW(a, struct node);

	*n = (struct node){ .kind = NODE_SCALAR,
			    .text = text,
			    .text_length = (uint32_t)strlen(text),
			    .span = span };
	return n;
}

static struct node *collection(struct arena *a, enum node_kind kind, struct span span)
{
	struct node *n = ARENA_NEW(a, struct node);

	*n = (struct node){ .kind = kind, .style = NODE_BLOCK, .span = span };
	n->items = arena_array(a, 5, sizeof *n->items);
	return n;
}

static void put(struct arena *a, struct node *map, const char *key, struct node *value)
{
	map->items[map->count++] = (struct node_item){ text_node(a, key, value->span), value };
}

static void put_text(struct arena *a, struct node *map, const char *key, const char *text)
{
	put(a, map, key, text_node(a, text, map->span));
}

static struct node *object_node(struct arena *a, const char *kind, const char *name,
				const char *namespace, struct span span)
{
	struct node *o = collection(a, NODE_MAP, span), *metadata = collection(a, NODE_MAP, span);

	put_text(a, o, "apiVersion", RBAC_GROUP "/v1");
	put_text(a, o, "kind", kind);
	put_text(a, metadata, "name", name);
	if (*namespace)
		put_text(a, metadata, "namespace", namespace);
	put(a, o, "metadata", metadata);
	return o;
}

static struct node *binding_node(struct arena *a, const char *kind, const char *role_kind,
				 const char *name, const char *namespace, const struct node *account)
{
	const struct span span = account->span;
	struct node *o = object_node(a, kind, name, namespace, span);
	struct node *ref = collection(a, NODE_MAP, span), *list = collection(a, NODE_SEQ, span);
	struct node *subject = collection(a, NODE_MAP, span);

	put_text(a, ref, "apiGroup", RBAC_GROUP);
	put_text(a, ref, "kind", role_kind);
	put_text(a, ref, "name", name);
	put_text(a, subject, "kind", "ServiceAccount");
	put_text(a, subject, "name", node_text(account));
	if (*namespace)
		put_text(a, subject, "namespace", namespace);
	list->items[list->count++].value = subject;
	put(a, o, "roleRef", ref);
	put(a, o, "subjects", list);
	return o;
}

void k8s_olm_objects(struct arena *a, const struct k8s_object *o,
		     void (*add)(void *context, const struct node *n), void *context)
{
	static const struct {
		const char *key, *role, *binding;
	} lists[] = { { "clusterPermissions", "ClusterRole", "ClusterRoleBinding" },
		      { "permissions", "Role", "RoleBinding" } };
	const struct node *install = node_path(o->node, "spec", "install", "spec", NULL);

	if (strcmp(o->kind, "ClusterServiceVersion") != 0)
		return;
	for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
		const struct node *list = k8s_seq(install, lists[l].key);

		for (uint32_t i = 0; i < node_count(list); i++) {
			const struct node *item = node_at(list, i);
			const struct node *account = k8s_get(item, "serviceAccountName");
			const struct node_item *rules = node_find(item, "rules");
			const char *name;
			struct node *role;

			if (!node_text(account) || !rules || !node_is_seq(rules->value))
				continue;
			name = arena_printf(a, "%s-%s-%u", o->name, node_text(account), i);
			role = object_node(a, lists[l].role, name, o->namespace, rules->key->span);
			role->items[role->count++] = *rules;
			add(context, role);
			add(context, binding_node(a, lists[l].binding, lists[l].role, name,
						  o->namespace, account));
		}
	}
}

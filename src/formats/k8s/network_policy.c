/* NetworkPolicies: what each allows, and which pods it selects.
 *
 * Semantics: networking/v1 of 2026-07. Policies only add; a pod that none selects is open. policyTypes
 * absent means Ingress, and Egress when an egress section exists.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/objects.h"

#include <string.h>

struct direction {
	const char *type, *section, *peers;
};
static const struct direction ingress_rules = { "Ingress", "ingress", "from" },
			      egress_rules = { "Egress", "egress", "to" };

static bool covers(const struct node *spec, const struct direction *d)
{
	const struct node *types = k8s_seq(spec, "policyTypes");

	if (types)
		return k8s_holds(types, d->type);
	return strcmp(d->type, "Ingress") == 0 || node_find(spec, d->section) != NULL;
}

/* A peer for every address, or every pod of every namespace. */
static bool is_every_peer(const struct node *peer)
{
	const char *cidr = k8s_text(k8s_map(peer, "ipBlock"), "cidr");

	if (cidr)
		return k8s_word_in(cidr, "0.0.0.0/0 ::/0") &&
		       !node_count(k8s_seq(k8s_map(peer, "ipBlock"), "except"));
	return k8s_map(peer, "namespaceSelector") &&
	       !node_count(k8s_map(peer, "namespaceSelector")) && !node_count(k8s_get(peer, "podSelector"));
}

/* The rule that lets everything through, as the node to cite, or NULL. A service open to everyone on a
 * port of its own is not that; a way out to everywhere is, on any port. */
static const struct node *open_rule(const struct node *spec, const struct direction *d)
{
	const struct node *rules = k8s_seq(spec, d->section);

	for (uint32_t i = 0; i < node_count(rules); i++) {
		const struct node *rule = node_at(rules, i), *peers = k8s_seq(rule, d->peers);

		if (strcmp(d->type, "Ingress") == 0 && node_count(k8s_seq(rule, "ports")))
			continue;
		if (node_is_map(rule) && !node_count(peers))
			return rule;
		for (uint32_t k = 0; k < node_count(peers); k++)
			if (is_every_peer(node_at(peers, k)))
				return node_at(peers, k);
	}
	return NULL;
}

static const char *verdict(const struct node *spec, const struct direction *d)
{
	if (!covers(spec, d))
		return "none";
	if (!node_count(k8s_seq(spec, d->section)))
		return "denied";
	return open_rule(spec, d) ? "open" : "restricted";
}

static struct span item_place(const struct node *n)
{
	return n->kind == NODE_MAP && n->count && n->items[0].key ? n->items[0].key->span : n->span;
}

static bool policy_selects(const struct k8s_object *policy, const struct k8s_pod *pod)
{
	const struct node *selector = node_path(policy->node, "spec", "podSelector", NULL);

	return k8s_related(policy, pod->object) && node_is_map(selector) &&
	       k8s_selects(selector, k8s_labels(pod));
}

static bool selects_any(struct k8s_world *world, const struct k8s_object *policy)
{
	for (size_t p = 0; p < world->pods.count; p++)
		if (policy_selects(policy, world->pods.items[p]))
			return true;
	return false;
}

/* A peer in the policy's own namespace must be a supplied pod; other namespaces may lie elsewhere. */
static bool peer_exists(struct k8s_world *world, const struct k8s_object *policy,
			const struct node *peer)
{
	const struct node *selector = k8s_map(peer, "podSelector");

	if (!node_count(selector) || k8s_map(peer, "namespaceSelector"))
		return true;
	for (size_t p = 0; p < world->pods.count; p++)
		if (k8s_related(policy, world->pods.items[p]->object) &&
		    k8s_selects(selector, k8s_labels(world->pods.items[p])))
			return true;
	return false;
}

static bool peers_exist(struct k8s_world *world, const struct k8s_object *policy)
{
	static const struct direction *const both[] = { &ingress_rules, &egress_rules };
	const struct node *spec = k8s_map(policy->node, "spec");

	for (size_t d = 0; d < 2; d++) {
		const struct node *rules = k8s_seq(spec, both[d]->section);

		for (uint32_t i = 0; i < node_count(rules); i++) {
			const struct node *peers = k8s_seq(node_at(rules, i), both[d]->peers);

			for (uint32_t k = 0; k < node_count(peers); k++)
				if (!peer_exists(world, policy, node_at(peers, k)))
					return false;
		}
	}
	return true;
}

static bool selects_every_pod(const struct k8s_object *policy)
{
	return !node_count(node_path(policy->node, "spec", "podSelector", NULL));
}

static bool pods_are_supplied(struct k8s_world *world, const struct k8s_object *policy)
{
	for (size_t p = 0; p < world->pods.count; p++)
		if (k8s_near(policy, world->pods.items[p]->object))
			return true;
	return false;
}

static struct fact *describe(struct k8s_world *world, struct k8s_object *o)
{
	struct workspace *w = world->w;
	const struct node *spec = k8s_map(o->node, "spec");
	const struct node *out = covers(spec, &egress_rules) ? open_rule(spec, &egress_rules) : NULL;
	const struct node *in = covers(spec, &ingress_rules) ? open_rule(spec, &ingress_rules) : NULL;
	const struct node *selector = k8s_map(spec, "podSelector");
	struct fact *f = k8s_object_fact(w, o, FACT_NETWORK_POLICY, o->name, o->row->span);

	k8s_attribute(w, f, "egress", verdict(spec, &egress_rules));
	k8s_attribute(w, f, "ingress", verdict(spec, &ingress_rules));
	k8s_attribute(w, f, "covers_egress", covers(spec, &egress_rules) ? "true" : "false");
	k8s_attribute(w, f, "covers_ingress", covers(spec, &ingress_rules) ? "true" : "false");
	k8s_attribute(w, f, "wide", out || in ? "true" : "false");
	k8s_attribute(w, f, "wide_egress", out ? "true" : "false");
	k8s_attribute(w, f, "wide_ingress", in ? "true" : "false");
	k8s_attribute(w, f, "every_pod", node_count(selector) ? "false" : "true");
	if (out || in)
		snapshot_add_hop(w->snapshot, f, item_place(out ? out : in), NULL, "rule");
	if (node_find(spec, "podSelector"))
		snapshot_add_hop(w->snapshot, f, k8s_key(spec, "podSelector"), NULL, "selector");
	return f;
}

static void add_absent(struct k8s_world *world, struct k8s_pod *pod)
{
	for (size_t i = 0; i < pod->rows.count; i++) {
		struct k8s_target t = { .w = world->w, .pod = pod, .row = pod->rows.items[i] };

		/* A sandbox resource brings a policy of its own. */
		if (row_first(t.row, FACT_NETWORK_POLICY, pod->layer))
			continue;
		k8s_absent(&t, FACT_NETWORK_POLICY, "", k8s_place(pod->object->node, "kind"),
			   "no supplied NetworkPolicy selects the pod: all traffic is allowed");
	}
}

static void give_to_pods(struct k8s_world *world, struct k8s_object *policy, const struct fact *f,
			 bool *selected)
{
	for (size_t p = 0; p < world->pods.count; p++) {
		struct k8s_pod *pod = world->pods.items[p];

		if (!policy_selects(policy, pod))
			continue;
		selected[p] = true;
		k8s_give(world, pod, f, (struct span){ 0 }, NULL);
		for (size_t i = 0; k8s_is_true(pod->spec, "hostNetwork") && i < pod->rows.count; i++) {
			struct row *r = pod->rows.items[i];

			k8s_attribute(world->w, r->facts.items[r->facts.count - 1], "host_network",
				      "true");
		}
	}
}

/* A namespace for which no policy at all was supplied. */
static void judge_namespace(struct k8s_world *world, struct k8s_object *ns)
{
	struct fact *f;

	for (size_t i = 0; i < world->objects.count; i++) {
		const struct k8s_object *o = world->objects.items[i];

		if (o->row && strstr(o->kind, "NetworkPolicy") && k8s_near(o, ns) &&
		    (strcmp(o->kind, "CiliumClusterwideNetworkPolicy") == 0 ||
		     k8s_same_namespace(o->namespace, ns->name)))
			return;
	}
	f = k8s_object_fact(world->w, ns, FACT_NETWORK_POLICY, "",
			    k8s_place(ns->node, "kind"));
	f->provenance = PROVENANCE_ABSENT;
	f->note = "no supplied NetworkPolicy is in the namespace: its pods accept all traffic";
}

static bool is_policy(const struct k8s_object *o)
{
	return o->row && strcmp(o->kind, "NetworkPolicy") == 0;
}

void k8s_join_network(struct k8s_world *world)
{
	bool *selected = arena_array(&world->w->snapshot->arena, world->pods.count + 1,
				     sizeof *selected);

	for (size_t i = 0; i < world->objects.count; i++) {
		struct k8s_object *o = world->objects.items[i];
		struct fact *f;

		if (!is_policy(o))
			continue;
		f = describe(world, o);
		if (!selects_every_pod(o) || pods_are_supplied(world, o))
			k8s_attribute(world->w, f, "matches",
				      selects_any(world, o) ? "true" : "false");
		k8s_attribute(world->w, f, "peers", peers_exist(world, o) ? "true" : "false");
		if (!pods_are_supplied(world, o))
			f->note = "no pod near the policy was supplied";
		give_to_pods(world, o, f, selected);
	}
	k8s_join_cilium(world, selected);
	for (size_t i = 0; i < world->objects.count; i++)
		if (world->objects.items[i]->row &&
		    strcmp(world->objects.items[i]->kind, "Namespace") == 0)
			judge_namespace(world, world->objects.items[i]);
	for (size_t p = 0; p < world->pods.count; p++)
		if (!selected[p])
			add_absent(world, world->pods.items[p]);
}

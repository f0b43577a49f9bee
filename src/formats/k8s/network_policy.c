/* NetworkPolicies: what each allows, and which pods it selects.
 *
 * Semantics: networking/v1 of 2026-07. Policies only add; a pod that none selects is open. policyTypes
 * absent means Ingress, and Egress when an egress section exists.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/objects.h"

#include <string.h>

#include "src/formats/k8s/index.h"

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

/* OPEN is the rule that lets everything through, or NULL. */
static const char *verdict(const struct node *spec, const struct direction *d,
			   const struct node *open)
{
	if (!covers(spec, d))
		return "none";
	if (!node_count(k8s_seq(spec, d->section)))
		return "denied";
	return open ? "open" : "restricted";
}

static struct span item_place(const struct node *n)
{
	return n->kind == NODE_MAP && n->count && n->items[0].key ? n->items[0].key->span : n->span;
}

static const struct node *selector_of(const struct k8s_object *policy)
{
	return node_path(policy->node, "spec", "podSelector", NULL);
}

/* What of it the index knows: its labels. */
static const struct id_list *candidates(const struct k8s_world *world,
					const struct k8s_object *policy,
					const struct node *selector)
{
	return k8s_candidates(world, policy->namespace, k8s_map(selector, "matchLabels"), NULL);
}

/* True while there are steps left for a look at the pod. */
static bool may_look(const struct k8s_world *world, const struct k8s_object *policy,
		     const struct node *selector, const struct k8s_pod *pod)
{
	return k8s_may_compare(world, k8s_near_cost(policy) + k8s_selector_cost(selector, pod));
}

static bool policy_selects(const struct k8s_object *policy, const struct node *selector,
			   const struct k8s_pod *pod)
{
	return k8s_related(policy, pod->object) && node_is_map(selector) &&
	       k8s_selects(selector, k8s_labels(pod));
}

/* What is not known for want of steps counts as selected. */
static bool selects_any(struct k8s_world *world, const struct k8s_object *policy,
			const struct node *selector)
{
	const struct id_list *list = candidates(world, policy, selector);

	for (size_t i = 0; i < list->count; i++) {
		const struct k8s_pod *pod = world->pods.items[list->items[i]];

		if (!may_look(world, policy, selector, pod) || policy_selects(policy, selector, pod))
			return true;
	}
	return false;
}

/* A peer in the policy's own namespace must be a supplied pod; other namespaces may lie elsewhere. */
static bool peer_exists(struct k8s_world *world, const struct k8s_object *policy,
			const struct node *peer)
{
	const struct node *selector = k8s_map(peer, "podSelector");

	if (!node_count(selector) || k8s_map(peer, "namespaceSelector"))
		return true;
	return selects_any(world, policy, selector);
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
	return !node_count(selector_of(policy));
}

/* Most policies lie beside their pods. */
static bool pods_are_supplied(struct k8s_world *world, const struct k8s_object *policy)
{
	const struct k8s_file *file = policy->in->state[FORMAT_K8S];
	const struct id_list *beside = name_lists_get(&world->index->folders, file->folder);

	for (size_t p = 0; p < beside->count; p++)
		if (!k8s_may_compare(world, k8s_near_cost(policy)) ||
		    k8s_near(policy, world->pods.items[beside->items[p]]->object))
			return true;
	for (size_t p = 0; p < world->pods.count; p++)
		if (!k8s_may_compare(world, k8s_near_cost(policy)) ||
		    k8s_near(policy, world->pods.items[p]->object))
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

	k8s_attribute(w, f, "egress", verdict(spec, &egress_rules, out));
	k8s_attribute(w, f, "ingress", verdict(spec, &ingress_rules, in));
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

static void add_absent(struct k8s_world *world, struct k8s_pod *pod, bool complete)
{
	for (size_t i = 0; i < pod->rows.count; i++) {
		struct k8s_target t = { .w = world->w, .pod = pod, .row = pod->rows.items[i] };
		struct fact *f;

		/* A sandbox resource brings a policy of its own. */
		if (row_first(t.row, FACT_NETWORK_POLICY, pod->layer))
			continue;
		f = k8s_absent(&t, FACT_NETWORK_POLICY, "", k8s_place(pod->object->node, "kind"),
			       "no supplied NetworkPolicy selects the pod: all traffic is allowed");
		if (complete)
			continue;
		f->provenance = PROVENANCE_UNRESOLVED;
		f->note = "not every supplied NetworkPolicy could be compared with the pod";
	}
}

static void give_to_pod(struct k8s_world *world, struct k8s_pod *pod, const struct fact *f)
{
	k8s_give(world, pod, f, (struct span){ 0 }, NULL);
	for (size_t i = 0; k8s_is_true(pod->spec, "hostNetwork") && i < pod->rows.count; i++) {
		struct row *r = pod->rows.items[i];

		k8s_attribute(world->w, r->facts.items[r->facts.count - 1], "host_network",
			      "true");
	}
}

/* False when there were no steps left to find all of its pods. */
static bool give_to_pods(struct k8s_world *world, struct k8s_object *policy, const struct fact *f,
			 bool *selected)
{
	const struct node *selector = selector_of(policy);
	const struct id_list *list = candidates(world, policy, selector);

	for (size_t i = 0; i < list->count; i++) {
		struct k8s_pod *pod = world->pods.items[list->items[i]];

		if (k8s_is_full(pod) ? !k8s_may_compare(world, 1) :
				       !may_look(world, policy, selector, pod)) {
			k8s_not_joined(world, policy);
			return false;
		}
		/* A full pod is full of policies. */
		if (k8s_is_full(pod) || !policy_selects(policy, selector, pod))
			continue;
		selected[list->items[i]] = true;
		give_to_pod(world, pod, f);
	}
	return true;
}

/* Policies by their namespace; Cilium's clusterwide ones under "". */
static void list_policies(struct k8s_world *world, struct name_lists *policies)
{
	for (size_t i = 0; i < world->objects.count; i++) {
		const struct k8s_object *o = world->objects.items[i];

		if (o->row && strstr(o->kind, "NetworkPolicy"))
			name_lists_add(&world->w->snapshot->arena, policies,
				      k8s_is_clusterwide(o) ? "" : k8s_namespace(o->namespace),
				      (uint32_t)i);
	}
}

static bool some_is_near(struct k8s_world *world, const struct id_list *list,
			 const struct k8s_object *ns)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct k8s_object *o = world->objects.items[list->items[i]];

		if (!k8s_may_compare(world, k8s_near_cost(o)))
			return true;
		if (k8s_near(o, ns) &&
		    (!k8s_is_clusterwide(o) || k8s_cilium_reaches(o, ns->name)))
			return true;
	}
	return false;
}

/* A namespace for which no policy at all was supplied. */
static void judge_namespace(struct k8s_world *world, const struct name_lists *policies,
			    struct k8s_object *ns)
{
	struct fact *f;

	if (some_is_near(world, name_lists_get(policies, k8s_namespace(ns->name)), ns) ||
	    some_is_near(world, name_lists_get(policies, ""), ns))
		return;
	f = k8s_object_fact(world->w, ns, FACT_NETWORK_POLICY, "",
			    k8s_place(ns->node, "kind"));
	f->provenance = PROVENANCE_ABSENT;
	f->note = "no supplied NetworkPolicy is in the namespace: its pods accept all traffic";
}

static void judge_namespaces(struct k8s_world *world)
{
	const struct id_list *list = k8s_of_kind(world, "Namespace");
	struct name_lists policies = { 0 };
	size_t at = 0;

	list_policies(world, &policies);
	for (struct k8s_object *ns; (ns = k8s_next_with_row(world, list, &at));)
		judge_namespace(world, &policies, ns);
}

static bool join_policy(struct k8s_world *world, struct k8s_object *o, bool *selected)
{
	struct fact *f = describe(world, o);
	const bool matches = selects_any(world, o, selector_of(o));
	const bool supplied = matches || pods_are_supplied(world, o);

	if (!selects_every_pod(o) || supplied)
		k8s_attribute(world->w, f, "matches", matches ? "true" : "false");
	k8s_attribute(world->w, f, "peers", peers_exist(world, o) ? "true" : "false");
	k8s_attribute(world->w, f, "pods_supplied", supplied ? "true" : "false");
	if (!supplied)
		f->note = "no pod near the policy was supplied";
	return give_to_pods(world, o, f, selected);
}

void k8s_join_network(struct k8s_world *world)
{
	bool *selected = arena_array(&world->w->snapshot->arena, world->pods.count + 1,
				     sizeof *selected);
	const struct id_list *list = k8s_of_kind(world, "NetworkPolicy");
	bool complete = true;
	size_t at = 0;

	for (struct k8s_object *o; (o = k8s_next_with_row(world, list, &at));)
		complete &= join_policy(world, o, selected);
	complete &= k8s_join_cilium(world, selected);
	judge_namespaces(world);
	for (size_t p = 0; p < world->pods.count; p++)
		if (!selected[p])
			add_absent(world, world->pods.items[p], complete);
}

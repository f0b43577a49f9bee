/* NetworkPolicies: which pods each selects, and the pods and namespaces without one.
 *
 * Semantics: networking/v1 of 2026-07. Policies only add; a pod that none selects is open.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/objects.h"

#include <string.h>

#include "src/formats/k8s/index.h"

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

/* Without a selector, as with an empty one, every pod of the namespace. */
static bool policy_selects(const struct k8s_object *policy, const struct node *selector,
			   const struct k8s_pod *pod)
{
	const bool may_select = !selector || selector->kind == NODE_NULL || node_is_map(selector);

	return may_select && k8s_related(policy, pod->object) &&
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

/* A base's policy speaks of pods that only the builds above it put beside it. */
static bool some_pod_fits(struct k8s_world *world, const struct k8s_object *policy,
			  const struct node *selector)
{
	const struct id_list *list = candidates(world, policy, selector);

	for (size_t i = 0; i < list->count; i++) {
		const struct k8s_pod *pod = world->pods.items[list->items[i]];

		if (!may_look(world, policy, selector, pod) ||
		    (k8s_may_meet(policy, pod->object) && k8s_selects(selector, k8s_labels(pod))))
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
	return some_pod_fits(world, policy, selector);
}

static bool peers_exist(struct k8s_world *world, const struct k8s_object *policy)
{
	static const char *const sections[] = { "ingress", "egress" }, *const ends[] = { "from", "to" };
	const struct node *spec = k8s_map(policy->node, "spec");

	for (size_t d = 0; d < 2; d++) {
		const struct node *rules = k8s_seq(spec, sections[d]);

		for (uint32_t i = 0; i < node_count(rules); i++) {
			const struct node *peers = k8s_seq(node_at(rules, i), ends[d]);

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
	struct fact *f = k8s_object_fact(w, o, FACT_NETWORK_POLICY, o->name, o->row->span);

	k8s_judge_policy(w, f, spec, false);
	k8s_attribute(w, f, "every_pod", node_count(k8s_map(spec, "podSelector")) ? "false" : "true");
	if (node_find(spec, "podSelector"))
		snapshot_add_hop(w->snapshot, f, k8s_key(spec, "podSelector"), NULL, "selector");
	return f;
}

/* What decides that nothing governs the pod: the kind, or the switch that a template sets. */
static struct span absence_place(const struct k8s_object *o)
{
	if (k8s_is_sandbox_template(o))
		return k8s_place(k8s_map(o->node, "spec"), "networkPolicyManagement");
	return k8s_place(o->node, "kind");
}

/* UNKNOWN says why it is not known whether the pod is open, or is NULL. */
static void add_absent(struct k8s_world *world, struct k8s_pod *pod, const char *unknown)
{
	for (size_t i = 0; i < pod->rows.count; i++) {
		struct k8s_target t = { .w = world->w, .pod = pod, .row = pod->rows.items[i] };
		struct fact *f;

		/* A sandbox template brings a policy of its own. */
		if (row_first(t.row, FACT_NETWORK_POLICY, pod->layer))
			continue;
		f = k8s_absent(&t, FACT_NETWORK_POLICY, "", absence_place(pod->object),
			       "no supplied NetworkPolicy selects the pod: all traffic is allowed");
		if (!unknown)
			continue;
		f->provenance = PROVENANCE_UNRESOLVED;
		f->note = unknown;
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

static bool has_namespace(const struct k8s_object *policy)
{
	return !k8s_word_in(policy->kind, "CiliumClusterwideNetworkPolicy AdminNetworkPolicy "
					  "BaselineAdminNetworkPolicy ClusterNetworkPolicy "
					  "GlobalNetworkPolicy");
}

/* Policies by their namespace; those of the cluster under "". */
static void list_policies(struct k8s_world *world, bool foreign_only, struct name_lists *policies)
{
	for (size_t i = 0; i < world->objects.count; i++) {
		const struct k8s_object *o = world->objects.items[i];

		if (o->row && strstr(o->kind, "NetworkPolicy") &&
		    (!foreign_only || k8s_is_foreign_policy(o)))
			name_lists_add(&world->w->snapshot->arena, policies,
				      has_namespace(o) ? k8s_namespace(o->namespace) : "",
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

	list_policies(world, false, &policies);
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

/* The pods that nothing selects: open, unless something that is not evaluated may say otherwise. */
static void judge_rest(struct k8s_world *world, const bool *selected, bool complete)
{
	struct name_lists foreign = { 0 };

	list_policies(world, true, &foreign);
	for (size_t p = 0; p < world->pods.count; p++) {
		const struct k8s_object *o = world->pods.items[p]->object;
		const char *unknown = NULL;

		if (selected[p])
			continue;
		if (!complete)
			unknown = "not every supplied NetworkPolicy could be compared with the pod";
		else if (some_is_near(world, name_lists_get(&foreign, k8s_namespace(o->namespace)), o) ||
			 some_is_near(world, name_lists_get(&foreign, ""), o))
			unknown = "a network policy is supplied whose kind is not evaluated; a dated test "
				  "of connections in the cluster shows what it does";
		add_absent(world, world->pods.items[p], unknown);
	}
}

void k8s_join_network(struct k8s_world *world)
{
	bool *selected = arena_array(&world->w->snapshot->arena, world->pods.count + 1,
				     sizeof *selected);
	const struct id_list *list = k8s_of_kind(world, "NetworkPolicy");
	bool complete = true;
	size_t at = 0;

	for (struct k8s_object *o; (o = k8s_next_with_row(world, list, &at));)
		if (!k8s_is_foreign_policy(o))
			complete &= join_policy(world, o, selected);
	complete &= k8s_join_cilium(world, selected);
	judge_namespaces(world);
	judge_rest(world, selected, complete);
}

/* Policies inside custom resources that run sandboxes (agents.x-k8s.io).
 *
 * Source: kubernetes-sigs/agent-sandbox of 2026-08. networkPolicyManagement defaults to Managed; without a
 * networkPolicy the controller lets traffic out to every public address; an empty one denies all.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/objects.h"

#include <string.h>

/* Only a peer with labels or a network smaller than the world narrows anything. */
static bool peer_narrows(const struct node *peer)
{
	static const char *const selectors[] = { "podSelector", "namespaceSelector" };
	const char *cidr = k8s_text(k8s_map(peer, "ipBlock"), "cidr");

	if (cidr)
		return !k8s_word_in(cidr, "0.0.0.0/0 ::/0");
	for (size_t i = 0; i < 2; i++) {
		const struct node *s = k8s_map(peer, selectors[i]);

		if (node_count(k8s_map(s, "matchLabels")) ||
		    node_count(k8s_seq(s, "matchExpressions")))
			return true;
	}
	return false;
}

static bool rule_narrows(const struct node *rule)
{
	const struct node *to = k8s_seq(rule, "to");

	for (uint32_t i = 0; i < node_count(to); i++)
		if (!peer_narrows(node_at(to, i)))
			return false;
	return node_count(to) > 0;
}

static const char *egress_of(const struct node *spec, struct span *place, const char **note)
{
	const struct node *policy = node_get(spec, "networkPolicy"), *egress;

	*place = policy ? k8s_key(spec, "networkPolicy") : node_key_span(spec);
	if (k8s_text(spec, "networkPolicyManagement") &&
	    !node_is(k8s_get(spec, "networkPolicyManagement"), "Managed")) {
		*place = k8s_place(spec, "networkPolicyManagement");
		*note = "the controller makes no policy unless networkPolicyManagement is Managed";
		return "open";
	}
	if (!policy || policy->kind != NODE_MAP) {
		*note = "without a policy the controller lets traffic out to every public address";
		return "open";
	}
	egress = k8s_get(policy, "egress");
	if (!egress)
		return "denied";
	*place = k8s_key(policy, "egress");
	if (egress->kind != NODE_SEQ) {
		*note = "egress must be a list";
		return "open";
	}
	for (uint32_t i = 0; i < egress->count; i++)
		if (!rule_narrows(node_at(egress, i)))
			return "open";
	return egress->count ? "restricted" : "denied";
}

static void describe(struct workspace *w, struct k8s_object *o, struct row *row)
{
	struct span place;
	const char *note = NULL;
	const char *egress = egress_of(k8s_map(o->node, "spec"), &place, &note);
	struct fact *f = snapshot_add_fact(w->snapshot, row, FACT_NETWORK_POLICY, o->name, place);

	f->layer = k8s_layer(o);
	f->note = note;
	k8s_attribute(w, f, "egress", egress);
	k8s_attribute(w, f, "ingress", "restricted");
	k8s_attribute(w, f, "wide", strcmp(egress, "open") ? "false" : "true");
	k8s_attribute(w, f, "sandbox", "true");
}

void k8s_read_sandbox_policy(struct workspace *w, struct k8s_object *o)
{
	if (!strstr(o->group, "agents.x-k8s.io") || strcmp(o->kind, "SandboxTemplate") != 0)
		return;
	if (o->row)
		describe(w, o, o->row);
	for (size_t p = 0; p < o->pods.count; p++)
		for (size_t i = 0; i < o->pods.items[p]->rows.count; i++)
			describe(w, o, o->pods.items[p]->rows.items[i]);
}

/* What the controller of agent-sandbox (agents.x-k8s.io) adds to the pods of its own resources.
 *
 * Source: kubernetes-sigs/agent-sandbox of 2026-08, extensions/controllers. For pods of a SandboxTemplate the
 * service account token is off unless the pod spec says otherwise; networkPolicyManagement defaults to
 * Managed: one policy a template governs both directions, with the rules of `networkPolicy`, or without one
 * lets in the router alone and out to public addresses, and names are looked up at public servers. A Sandbox
 * that is written itself gets none of that.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/objects.h"

#include <string.h>

#define ROUTER_ONLY "lets in the sandbox router alone and out to public addresses only"

bool k8s_is_sandbox_template(const struct k8s_object *o)
{
	return strcmp(o->kind, "SandboxTemplate") == 0 && strstr(o->group, "agents.x-k8s.io");
}

/* The policy that the controller makes when the template has none. */
static void judge_default(struct workspace *w, struct fact *f)
{
	static const char *const attributes[][2] = {
		{ "egress", "public" },	      { "ingress", "restricted" },
		{ "covers_egress", "true" },  { "covers_ingress", "true" },
		{ "wide", "false" },	      { "wide_egress", "false" },
		{ "wide_ingress", "false" },  { "metadata", "denied" },
	};

	f->provenance = PROVENANCE_ABSENT;
	f->note = "without a networkPolicy the controller's own policy " ROUTER_ONLY;
	for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
		k8s_attribute(w, f, attributes[i][0], attributes[i][1]);
}

static void add_malformed(struct workspace *w, struct fact *f)
{
	f->note = "networkPolicy must be a map: what stands here limits nothing";
	k8s_attribute(w, f, "egress", "open");
	k8s_attribute(w, f, "ingress", "open");
}

static void add_policy(struct workspace *w, struct k8s_object *o, struct row *row)
{
	const struct node *spec = k8s_map(o->node, "spec"), *rules = k8s_map(spec, "networkPolicy");
	const char *name = arena_printf(&w->snapshot->arena, "%s-network-policy", o->name);
	const bool stated = k8s_get(spec, "networkPolicy") != NULL;
	struct fact *f = snapshot_add_fact(w->snapshot, row, FACT_NETWORK_POLICY, name,
					   stated ? k8s_key(spec, "networkPolicy") :
						    node_key_span(spec));

	f->layer = k8s_layer(o);
	k8s_attribute(w, f, "sandbox", "true");
	if (rules)
		k8s_judge_policy(w, f, rules, true);
	else if (!stated)
		judge_default(w, f);
	else if (k8s_templated(w, k8s_get(spec, "networkPolicy")))
		f->provenance = PROVENANCE_TEMPLATED;
	else
		add_malformed(w, f);
}

/* Where the controller's own policy stands, names are looked up outside the cluster. */
static void add_name_servers(struct workspace *w, struct k8s_pod *pod, struct row *row)
{
	struct k8s_target t = { .w = w, .pod = pod, .row = row };

	if (!k8s_get(pod->spec, "dnsPolicy"))
		k8s_absent(&t, FACT_DNS, "None, 8.8.8.8 and 1.1.1.1", node_key_span(pod->spec),
			   "the controller's default beside its own network policy");
}

/* The API takes Managed and Unmanaged only. */
static bool is_managed(const struct node *spec)
{
	const struct node *management = k8s_get(spec, "networkPolicyManagement");

	return !management || node_is(management, "") || node_is(management, "Managed");
}

/* Variables that a claim puts into the sandbox that it gets: their values stand in the claim. */
void k8s_read_sandbox_claim(struct workspace *w, struct k8s_object *o)
{
	const struct node *env = k8s_seq(k8s_map(o->node, "spec"), "env");

	for (uint32_t i = 0; i < node_count(env); i++) {
		const struct node *item = node_at(env, i), *value = k8s_get(item, "value");
		const char *name = k8s_text(item, "name");
		struct fact *f;

		if (!name || !*name)
			continue;
		f = env_fact(w, o->row, name, value ? node_text(value) : "",
			     value ? value->span : k8s_place(item, "name"));
		if (f)
			snapshot_add_hop(w->snapshot, f, k8s_place(item, "name"), name, "variable");
	}
}

/* Both policies default to Disallowed. */
static void add_claim_policies(struct workspace *w, struct k8s_pod *pod, struct row *row)
{
	static const struct {
		const char *key, *what;
	} policies[] = { { "envVarsInjectionPolicy", "variables" },
			 { "volumeClaimTemplatesPolicy", "volumes" } };
	struct k8s_target t = { .w = w, .pod = pod, .row = row };
	const struct node *spec = k8s_map(pod->object->node, "spec");

	for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
		const struct node *n = k8s_get(spec, policies[i].key);
		struct fact *f;

		if (!node_text(n) || node_is(n, "Disallowed"))
			continue;
		f = k8s_fact(&t, FACT_CLAIM_POLICY, n,
			     arena_printf(&w->snapshot->arena, "claims may %s %s",
					  node_is(n, "Overrides") ? "replace" : "add",
					  policies[i].what));
		k8s_set(&t, f, "setting", policies[i].key);
		k8s_set(&t, f, "value", node_text(n));
	}
}

static void add_claims(struct workspace *w, struct k8s_object *o)
{
	for (size_t p = 0; p < o->pods.count; p++)
		for (size_t i = 0; i < o->pods.items[p]->rows.count; i++)
			add_claim_policies(w, o->pods.items[p], o->pods.items[p]->rows.items[i]);
}

void k8s_read_sandbox_policy(struct workspace *w, struct k8s_object *o)
{
	const struct node *spec = k8s_map(o->node, "spec");

	if (!k8s_is_sandbox_template(o))
		return;
	add_claims(w, o);
	if (!is_managed(spec))
		return;
	if (o->row)
		add_policy(w, o, o->row);
	for (size_t p = 0; p < o->pods.count; p++)
		for (size_t i = 0; i < o->pods.items[p]->rows.count; i++) {
			add_policy(w, o, o->pods.items[p]->rows.items[i]);
			if (!k8s_get(spec, "networkPolicy"))
				add_name_servers(w, o->pods.items[p], o->pods.items[p]->rows.items[i]);
		}
}

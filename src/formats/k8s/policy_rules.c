/* What the rules of a NetworkPolicy let through, in each direction.
 *
 * Semantics: networking/v1 of 2026-07. policyTypes absent means Ingress, and Egress when an egress section
 * exists; a direction without rules is closed; a rule without peers is for every address.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/objects.h"

#include <stdlib.h>
#include <string.h>

struct direction {
	const char *type, *section, *peers;
};
static const struct direction ingress_rules = { "Ingress", "ingress", "from" },
			      egress_rules = { "Egress", "egress", "to" };

/* The widest rule of a direction. */
struct opening {
	const struct node *rule; /* as the node to cite; NULL when every rule names its peers */
	const struct node *ports; /* of the rule that it stands in */
	enum reach {
		TO_NAMED,
		TO_LOOKUPS,   /* every address, on the port of name servers only */
		TO_NAMESPACE, /* every pod of the policy's namespace */
		TO_CLUSTER,   /* every pod of every namespace */
		TO_PUBLIC,    /* all but the ranges that are excepted */
		TO_ALL,
	} reach;
	bool metadata; /* the clouds' metadata address is not among the exceptions */
};

static bool covers(const struct node *spec, const struct direction *d)
{
	const struct node *types = k8s_seq(spec, "policyTypes");

	if (types)
		return k8s_holds(types, d->type);
	return strcmp(d->type, "Ingress") == 0 || node_find(spec, d->section) != NULL;
}

/* The address of "A.B.C.D" or "A.B.C.D/N" and the mask of N; false for another form. */
static bool read_range(const char *text, uint32_t *address, uint32_t *mask)
{
	unsigned long bits = 32;
	char *end;

	*address = 0;
	for (unsigned i = 0; i < 4; i++) {
		unsigned long part = strtoul(text, &end, 10);

		if (end == text || part > 255 || (i < 3 && *end != '.'))
			return false;
		*address = *address << 8 | (uint32_t)part;
		text = end + (i < 3);
	}
	if (*end == '/')
		bits = strtoul(end + 1, &end, 10);
	if (*end || bits > 32)
		return false;
	*mask = bits ? UINT32_MAX << (32 - bits) : 0;
	return true;
}

static bool excepts_metadata(const struct node *block)
{
	static const uint32_t metadata = UINT32_C(0xa9fea9fe); /* 169.254.169.254 */
	const struct node *except = k8s_seq(block, "except");
	uint32_t address, mask;

	for (uint32_t i = 0; i < node_count(except); i++) {
		const char *text = node_text(node_at(except, i));

		if (text && read_range(text, &address, &mask) &&
		    (metadata & mask) == (address & mask))
			return true;
	}
	return false;
}

static bool is_world(const struct node *block)
{
	const char *cidr = k8s_text(block, "cidr");

	return cidr && k8s_word_in(cidr, "0.0.0.0/0 ::/0");
}

static enum reach reach_of_pods(const struct node *peer)
{
	const struct node *namespaces = k8s_map(peer, "namespaceSelector");
	const struct node *pods = k8s_map(peer, "podSelector");

	if (node_count(namespaces) || node_count(pods) || (!namespaces && !pods))
		return TO_NAMED;
	return namespaces ? TO_CLUSTER : TO_NAMESPACE;
}

/* A peer that names nothing is refused by the API server; read as one, it holds for everything. */
static enum reach reach_of_peer(const struct node *peer)
{
	const struct node *block = k8s_map(peer, "ipBlock");

	if (is_world(block))
		return node_count(k8s_seq(block, "except")) ? TO_PUBLIC : TO_ALL;
	return node_is_map(peer) && !node_count(peer) ? TO_ALL : reach_of_pods(peer);
}

/* Name lookups only: how far the answers may lead is not the policy's to say. */
static bool is_lookup(const struct node *rule)
{
	const struct node *ports = k8s_seq(rule, "ports");

	for (uint32_t i = 0; i < node_count(ports); i++)
		if (!node_is(k8s_get(node_at(ports, i), "port"), "53") ||
		    k8s_get(node_at(ports, i), "endPort"))
			return false;
	return node_count(ports) > 0;
}

/* PEER is NULL for a rule without peers. IPv6 has metadata addresses of its own; the usual one decides. */
static void widen(struct opening *o, const struct node *rule, const struct node *peer)
{
	const enum reach reach = peer ? reach_of_peer(peer) :
				 is_lookup(rule) ? TO_LOOKUPS : TO_ALL;
	const struct node *block = k8s_map(peer, "ipBlock");

	if (reach > o->reach) {
		o->reach = reach;
		o->rule = peer ? peer : rule;
		o->ports = k8s_seq(rule, "ports");
	}
	o->metadata |= reach == TO_ALL ||
		       (reach == TO_PUBLIC && !node_is(k8s_get(block, "cidr"), "::/0") &&
			!excepts_metadata(block));
}

/* A service open to everyone on a port of its own is not open; a way out to everywhere is, on any port. */
static struct opening opening_of(const struct node *spec, const struct direction *d)
{
	const struct node *rules = k8s_seq(spec, d->section);
	const bool inward = d == &ingress_rules;
	struct opening o = { 0 };

	for (uint32_t i = 0; i < node_count(rules); i++) {
		const struct node *rule = node_at(rules, i), *peers = k8s_seq(rule, d->peers);

		if (inward && node_count(k8s_seq(rule, "ports")))
			continue;
		if (node_is_map(rule) && !node_count(peers))
			widen(&o, rule, NULL);
		for (uint32_t k = 0; k < node_count(peers); k++)
			widen(&o, rule, node_at(peers, k));
	}
	return o;
}

static const char *verdict(const struct node *spec, const struct direction *d, bool governed,
			   const struct opening *o)
{
	static const char *const outward[] = {
		[TO_NAMED] = "restricted",  [TO_LOOKUPS] = "lookups", [TO_NAMESPACE] = "namespace",
		[TO_CLUSTER] = "cluster",   [TO_PUBLIC] = "public",   [TO_ALL] = "open",
	};

	if (!governed)
		return "none";
	if (k8s_map(spec, d->section))
		return "open"; /* no list: refused, or without effect */
	if (!node_count(k8s_seq(spec, d->section)))
		return "denied";
	if (d == &egress_rules)
		return outward[o->reach];
	return o->reach == TO_ALL || o->reach == TO_CLUSTER ? "open" : "restricted";
}

static bool is_wide(const struct opening *o)
{
	return o->reach == TO_CLUSTER || o->reach == TO_ALL;
}

static struct span item_place(const struct node *n)
{
	return n->kind == NODE_MAP && n->count && n->items[0].key ? n->items[0].key->span : n->span;
}

/* "every address on port 443" for a direction that is wide. */
static void say_reach(struct workspace *w, struct fact *f, const char *name, const struct opening *o)
{
	const char *ports = "", *peers = o->reach == TO_CLUSTER ? "every pod of the cluster" : "every address";

	for (uint32_t i = 0; i < node_count(o->ports) && i < 4; i++) {
		const char *port = k8s_text(node_at(o->ports, i), "port");

		if (port)
			ports = arena_printf(&w->snapshot->arena, "%s%s%s", ports, *ports ? ", " : "",
					     port);
	}
	if (is_wide(o))
		k8s_attribute(w, f, name,
			      *ports ? arena_printf(&w->snapshot->arena, "%s on port %s", peers,
						    ports) : peers);
}

void k8s_judge_policy(struct workspace *w, struct fact *f, const struct node *spec, bool both)
{
	const bool governs_out = both || covers(spec, &egress_rules);
	const bool governs_in = both || covers(spec, &ingress_rules);
	const struct opening none = { 0 };
	const struct opening out = governs_out ? opening_of(spec, &egress_rules) : none;
	const struct opening in = governs_in ? opening_of(spec, &ingress_rules) : none;
	const bool wide_out = is_wide(&out), wide_in = is_wide(&in);
	const struct node *cited = wide_out || !wide_in ? out.rule : in.rule;

	k8s_attribute(w, f, "egress", verdict(spec, &egress_rules, governs_out, &out));
	k8s_attribute(w, f, "ingress", verdict(spec, &ingress_rules, governs_in, &in));
	k8s_attribute(w, f, "covers_egress", governs_out ? "true" : "false");
	k8s_attribute(w, f, "covers_ingress", governs_in ? "true" : "false");
	k8s_attribute(w, f, "wide", wide_out || wide_in ? "true" : "false");
	k8s_attribute(w, f, "wide_egress", wide_out ? "true" : "false");
	k8s_attribute(w, f, "wide_ingress", wide_in ? "true" : "false");
	say_reach(w, f, "lets_out", &out);
	say_reach(w, f, "lets_in", &in);
	if (out.reach == TO_PUBLIC && !out.metadata)
		k8s_attribute(w, f, "metadata", "denied");
	if (cited)
		snapshot_add_hop(w->snapshot, f, item_place(cited), NULL, "rule");
}

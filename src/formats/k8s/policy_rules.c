/* What the rules of a NetworkPolicy let through, in each direction.
 *
 * Semantics: networking/v1 of 2026-07 and its defaults. policyTypes absent or empty means Ingress, and Egress
 * when there are egress rules; a direction without rules is closed; a rule without peers is for every
 * address.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/objects.h"

#include <arpa/inet.h>
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
		TO_PUBLIC,    /* all but private networks, the metadata address and what else is excepted */
		TO_MOST,      /* all but exceptions that leave some of those in */
		TO_ALL,
	} reach;
	bool metadata; /* the clouds' metadata address is not among the exceptions */
};

static bool covers(const struct node *spec, const struct direction *d)
{
	const struct node *types = k8s_seq(spec, "policyTypes");

	if (node_count(types))
		return k8s_holds(types, d->type);
	/* "egress: []" alone is no section: the API drops it. */
	return strcmp(d->type, "Ingress") == 0 || node_count(k8s_get(spec, d->section));
}

struct range {
	unsigned char bytes[16]; /* of an IPv4 address the first four */
	unsigned bits;
	bool six;
};

/* "10.0.0.0/8", "fe80::/10", or an address alone; false for another form. */
static bool read_range(const char *text, struct range *out)
{
	const size_t length = text ? strcspn(text, "/") : 0;
	char address[64], *end;
	unsigned long bits;

	if (!length || length >= sizeof address)
		return false;
	memcpy(address, text, length);
	address[length] = '\0';
	*out = (struct range){ .six = strchr(address, ':') != NULL };
	if (inet_pton(out->six ? AF_INET6 : AF_INET, address, out->bytes) != 1)
		return false;
	bits = out->six ? 128 : 32;
	if (text[length]) {
		const unsigned long most = bits;

		bits = strtoul(text + length + 1, &end, 10);
		if (end == text + length + 1 || *end || bits > most)
			return false;
	}
	out->bits = (unsigned)bits;
	return true;
}

static bool contains(const struct range *outer, const struct range *inner)
{
	if (outer->six != inner->six || outer->bits > inner->bits)
		return false;
	for (unsigned i = 0; i < outer->bits; i++)
		if ((outer->bytes[i / 8] ^ inner->bytes[i / 8]) & (0x80u >> i % 8))
			return false;
	return true;
}

static bool is_excepted(const struct node *except, const struct range *inner)
{
	struct range range;

	for (uint32_t i = 0; i < node_count(except); i++)
		if (read_range(node_text(node_at(except, i)), &range) && contains(&range, inner))
			return true;
	return false;
}

/* INNER, as text, lies in the block and none of its exceptions takes it out. */
static bool block_reaches(const struct node *block, const char *inner)
{
	struct range outer, range;

	return read_range(k8s_text(block, "cidr"), &outer) && read_range(inner, &range) &&
	       contains(&outer, &range) && !is_excepted(k8s_seq(block, "except"), &range);
}

static bool block_reaches_metadata(const struct node *block)
{
	return block_reaches(block, "169.254.169.254");
}

/* Private networks, or what answers on link-local addresses. */
static bool block_reaches_inside(const struct node *block)
{
	static const char *const inside[] = { "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16",
					      "fc00::/7" };

	for (size_t i = 0; i < sizeof inside / sizeof *inside; i++)
		if (block_reaches(block, inside[i]))
			return true;
	return block_reaches_metadata(block);
}

/* All addresses, half of them, or all that IPv6 gives out. */
static bool is_world(const struct node *block)
{
	struct range range;

	return read_range(k8s_text(block, "cidr"), &range) && range.bits <= (range.six ? 3 : 1);
}

/* Labels that a template puts in ask for something, whatever it is. */
static bool has_labels(const struct node *selector)
{
	const struct node *labels = k8s_get(selector, "matchLabels");

	return node_count(labels) || (labels && labels->kind == NODE_SCALAR);
}

/* The selector asks for nothing that some namespace lacks: each has the label of its own name. */
static bool is_every_namespace(const struct node *selector)
{
	const struct node *list = k8s_seq(selector, "matchExpressions");

	if (!selector || has_labels(selector))
		return false;
	for (uint32_t i = 0; i < node_count(list); i++)
		if (!node_is(k8s_get(node_at(list, i), "key"), "kubernetes.io/metadata.name") ||
		    !node_is(k8s_get(node_at(list, i), "operator"), "Exists"))
			return false;
	return true;
}

/* No labels asked for, also by empty lists of them. */
static bool is_every_pod(const struct node *selector)
{
	return !has_labels(selector) &&
	       !node_count(k8s_seq(selector, "matchExpressions"));
}

static enum reach reach_of_pods(const struct node *peer)
{
	const struct node *namespaces = k8s_map(peer, "namespaceSelector");
	const struct node *pods = k8s_map(peer, "podSelector");

	if ((namespaces && !is_every_namespace(namespaces)) || !is_every_pod(pods) ||
	    (!namespaces && !pods))
		return TO_NAMED;
	return namespaces ? TO_CLUSTER : TO_NAMESPACE;
}

/* A peer that names nothing is refused by the API server; read as one, it holds for everything. Outward, the
 * exceptions must take out what is inside for the rest to be the public addresses. */
static enum reach reach_of_peer(const struct node *peer, bool inward)
{
	const struct node *block = k8s_map(peer, "ipBlock");
	const bool excepts = node_count(k8s_seq(block, "except")) > 0;

	if (is_world(block))
		return !excepts ? TO_ALL :
		       inward || !block_reaches_inside(block) ? TO_PUBLIC : TO_MOST;
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
static void widen(struct opening *o, const struct node *rule, const struct node *peer, bool inward)
{
	const enum reach reach = peer ? reach_of_peer(peer, inward) :
				 is_lookup(rule) ? TO_LOOKUPS : TO_ALL;
	const struct node *block = k8s_map(peer, "ipBlock");

	if (reach > o->reach) {
		o->reach = reach;
		o->rule = peer ? peer : rule;
		o->ports = k8s_seq(rule, "ports");
	}
	o->metadata |= block ? block_reaches_metadata(block) : reach == TO_ALL;
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
			widen(&o, rule, NULL, inward);
		for (uint32_t k = 0; k < node_count(peers); k++)
			widen(&o, rule, node_at(peers, k), inward);
	}
	return o;
}

static const char *verdict(const struct node *spec, const struct direction *d, bool governed,
			   const struct opening *o)
{
	static const char *const outward[] = {
		[TO_NAMED] = "restricted",  [TO_LOOKUPS] = "lookups", [TO_NAMESPACE] = "namespace",
		[TO_CLUSTER] = "cluster",   [TO_PUBLIC] = "public",   [TO_MOST] = "open",
		[TO_ALL] = "open",
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
	return o->reach == TO_CLUSTER || o->reach >= TO_MOST;
}

static struct span item_place(const struct node *n)
{
	return n->kind == NODE_MAP && n->count && n->items[0].key ? n->items[0].key->span : n->span;
}

/* "every address on port 443" for a direction that is wide. */
static void say_reach(struct workspace *w, struct fact *f, const char *name, const struct opening *o)
{
	const char *ports = "", *peers = o->reach == TO_CLUSTER ? "every pod of the cluster" :
			    o->reach == TO_MOST ? "every address but the exceptions" : "every address";

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

	/* Rules that a template puts in are not known. */
	if (k8s_templated(w, k8s_get(spec, "egress")) || k8s_templated(w, k8s_get(spec, "ingress"))) {
		f->provenance = PROVENANCE_TEMPLATED;
		return;
	}
	k8s_attribute(w, f, "egress", verdict(spec, &egress_rules, governs_out, &out));
	k8s_attribute(w, f, "ingress", verdict(spec, &ingress_rules, governs_in, &in));
	k8s_attribute(w, f, "covers_egress", governs_out ? "true" : "false");
	k8s_attribute(w, f, "covers_ingress", governs_in ? "true" : "false");
	k8s_attribute(w, f, "wide", wide_out || wide_in ? "true" : "false");
	k8s_attribute(w, f, "wide_egress", wide_out ? "true" : "false");
	k8s_attribute(w, f, "wide_ingress", wide_in ? "true" : "false");
	say_reach(w, f, "lets_out", &out);
	say_reach(w, f, "lets_in", &in);
	if (out.reach >= TO_PUBLIC && !out.metadata)
		k8s_attribute(w, f, "metadata", "denied");
	if (cited)
		snapshot_add_hop(w->snapshot, f, item_place(cited), NULL, "rule");
}

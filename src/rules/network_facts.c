/* Questions about ports, addresses and networks.
 * SPDX-License-Identifier: MIT */
#include "src/rules/network_facts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "src/rules/judge.h"

bool address_is_any(const char *address)
{
	static const char *const any[] = { "", "0.0.0.0", "::", "[::]", "*", "0", "::0", NULL };

	return text_is_any(address, any);
}

bool address_is_loopback(const char *address)
{
	return text_begins(address, "127.") || text_begins(address, "localhost") ||
	       text_is_any(address, (const char *const[]){ "::1", "[::1]", NULL });
}

enum port_reach port_reach(const struct fact *f)
{
	const char *address = fact_attribute(f, "host_ip");

	if (!address)
		return fact_is_known(f) ? REACH_ALL : REACH_UNKNOWN;
	if (strpbrk(address, "${"))
		return REACH_UNKNOWN;
	if (address_is_any(address))
		return REACH_ALL;
	return address_is_loopback(address) ? REACH_LOOPBACK : REACH_ADDRESS;
}

/* The first port of a number or a range. */
static bool first_port(const struct fact *f, const char *name, uint64_t *out)
{
	const char *text = attribute_of(f, name);
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	*out = strtoull(text, &end, 10);
	return *out <= 65535 && (*end == '\0' || *end == '-' || *end == '/');
}

bool port_published(const struct fact *f, uint64_t *out)
{
	return first_port(f, "published", out);
}

bool port_target(const struct fact *f, uint64_t *out)
{
	return first_port(f, "target", out) || attribute_number(f, "port", out) ||
	       (f->kind == FACT_CONTAINER_PORT && fact_number(f, out));
}

/* Dotted, decimal, hexadecimal and IPv6 forms. */
bool address_is_numeric(const char *host)
{
	size_t dots = 0, i = 0;

	if (*host == '[' || (strchr(host, ':') && strspn(host, "0123456789abcdefABCDEF:.") ==
							  strlen(host)))
		return true;
	if (text_begins(host, "0x"))
		return isxdigit((unsigned char)host[2]) != 0;
	for (; isdigit((unsigned char)host[i]) || host[i] == '.'; i++)
		dots += host[i] == '.';
	return i > 0 && (host[i] == '\0' || host[i] == ':' || host[i] == '/') &&
	       (dots == 3 || (dots == 0 && i >= 8));
}

static bool is_published(const struct fact *f)
{
	return port_reach(f) != REACH_LOOPBACK;
}

bool row_publishes(struct eval *e)
{
	return eval_find(e, FACT_PORT, is_published) != NULL;
}

static bool is_outside_service(const struct fact *f)
{
	static const char *const types[] = { "NodePort", "LoadBalancer", NULL };

	return text_is_any(attribute_of(f, "type"), types) || *attribute_of(f, "external");
}

static bool is_outside_route(const struct fact *f)
{
	return fact_is_written(f) && !attribute_true(f, "mesh");
}

bool row_is_routed(struct eval *e)
{
	return eval_find(e, FACT_SERVICE, is_outside_service) ||
	       eval_find(e, FACT_INGRESS_ROUTE, is_outside_route) ||
	       eval_find(e, FACT_HOST_PORT, fact_is_written);
}

static bool leads_out(const struct fact *f)
{
	return !attribute_true(f, "internal");
}

bool row_has_no_way_out(struct eval *e)
{
	if (row_says(e, FACT_NETWORK_MODE, "none"))
		return true;
	return row_first(eval_row(e), FACT_NETWORK, eval_layer(e)) &&
	       !eval_find(e, FACT_NETWORK, leads_out);
}

bool policy_stands(const struct fact *f)
{
	return fact_is_written(f) || (f->provenance == PROVENANCE_ABSENT && *f->value);
}

bool policy_governs(const struct fact *f)
{
	return policy_stands(f) && !attribute_true(f, "host_network");
}

static bool limits_egress(const struct fact *f)
{
	static const char *const states[] = { "restricted", "denied",	 "cluster",
					      "namespace",  "lookups", NULL };

	return policy_governs(f) && text_is_any(attribute_of(f, "egress"), states) &&
	       (fact_attribute(f, "wide_egress") || !attribute_true(f, "wide"));
}

static bool lets_out(const struct fact *f)
{
	static const char *const states[] = { "open", "public", NULL };

	return policy_stands(f) && text_is_any(attribute_of(f, "egress"), states);
}

static bool lets_public_out(const struct fact *f)
{
	return policy_governs(f) && fact_attribute_is(f, "egress", "public");
}

static bool lets_all_out(const struct fact *f)
{
	return policy_stands(f) && fact_attribute_is(f, "egress", "open");
}

static bool spares_metadata(const struct fact *f)
{
	return lets_out(f) && !fact_attribute_is(f, "metadata", "denied");
}

static bool denies_metadata(const struct fact *f)
{
	return policy_governs(f) && fact_attribute_is(f, "metadata", "denied");
}

static bool names_peers(const struct fact *f)
{
	static const char *const states[] = { "restricted", "denied", NULL };

	return limits_egress(f) && text_is_any(attribute_of(f, "egress"), states);
}

static bool is_wider(const struct fact *f)
{
	return policy_stands(f) && *attribute_of(f, "egress") && !names_peers(f) &&
	       !fact_attribute_is(f, "egress", "none");
}

bool row_peers_are_named(struct eval *e)
{
	return eval_find(e, FACT_NETWORK_POLICY, names_peers) &&
	       !eval_find(e, FACT_NETWORK_POLICY, is_wider);
}

/* Policies only add: one that lets everything out undoes the limit of another. */
bool row_egress_is_limited(struct eval *e)
{
	return eval_find(e, FACT_NETWORK_POLICY, limits_egress) &&
	       !eval_find(e, FACT_NETWORK_POLICY, lets_out);
}

const char *row_egress_reach(struct eval *e)
{
	static const struct {
		const char *state, *words;
	} reaches[] = {
		{ "open", NULL },
		{ "public", "every public address" },
		{ "cluster", "every pod of the cluster" },
		{ "namespace", "every pod of the namespace" },
		{ "lookups", "every address on the port of name servers" },
	};

	for (size_t i = 0; i < sizeof reaches / sizeof *reaches; i++)
		for (const struct fact *f = eval_first(e, FACT_NETWORK_POLICY); f;
		     f = row_next(eval_row(e), f))
			if (policy_governs(f) && fact_attribute_is(f, "egress", reaches[i].state))
				return reaches[i].words;
	return NULL;
}

bool row_egress_is_public(struct eval *e)
{
	return eval_find(e, FACT_NETWORK_POLICY, lets_public_out) &&
	       !eval_find(e, FACT_NETWORK_POLICY, lets_all_out);
}

bool row_metadata_is_denied(struct eval *e)
{
	return row_egress_is_limited(e) || (eval_find(e, FACT_NETWORK_POLICY, denies_metadata) &&
					    !eval_find(e, FACT_NETWORK_POLICY, spares_metadata));
}

/* Questions about ports, addresses and networks.
 * SPDX-License-Identifier: MIT */
#ifndef RULES_NETWORK_FACTS_H
#define RULES_NETWORK_FACTS_H

#include "model/eval.h"

enum port_reach { REACH_ALL, REACH_LOOPBACK, REACH_ADDRESS, REACH_UNKNOWN };

/* From where a published port can be reached, by its host address. */
enum port_reach port_reach(const struct fact *f);
/* The container's port of a PORT, EXPOSE, CONTAINER_PORT or LISTEN; false when it is not a number. */
bool port_target(const struct fact *f, uint64_t *out);
/* The first host port. */
bool port_published(const struct fact *f, uint64_t *out);
/* True for 0.0.0.0, ::, * and the empty address. */
bool address_is_any(const char *address);
bool address_is_loopback(const char *address);
/* True for a literal IP address in any spelling. */
bool address_is_numeric(const char *host);
/* True when a port of the row is published beyond loopback. */
bool row_publishes(struct eval *e);
/* True when a service of an outside type or a route leads to the row. */
bool row_is_routed(struct eval *e);
/* True when the row has no network, or only networks without a way out. */
bool row_has_no_way_out(struct eval *e);
/* True for a network policy that is written, or that a controller makes by default. */
bool policy_stands(const struct fact *f);
/* True when it also holds for the row: a pod on the host's network is not covered. */
bool policy_governs(const struct fact *f);
/* True when network policies narrow what the row may connect to. */
bool row_egress_is_limited(struct eval *e);
/* True when every way out that they open leads to peers that a rule names. */
bool row_peers_are_named(struct eval *e);
/* What they let the row connect to, in words; NULL when that is everything. */
const char *row_egress_reach(struct eval *e);
/* True when they let it out to all but the ranges that they except. */
bool row_egress_is_public(struct eval *e);
/* True when they keep it from the clouds' metadata address. */
bool row_metadata_is_denied(struct eval *e);

#endif

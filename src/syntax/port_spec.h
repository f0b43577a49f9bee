/* Published ports as they are written for containers: "[[ip:]host:]container[/protocol]" with
 * ranges, and the "target=…,published=…" form of services.
 *
 * Grammar: docker/go-connections nat, docker/cli opts/swarmopts, Compose specification.
 * SPDX-License-Identifier: MIT */
#ifndef SYNTAX_PORT_SPEC_H
#define SYNTAX_PORT_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "model/arena.h"

struct port_range {
	uint32_t begin, end; /* inclusive */
};

struct port_mapping {
	const char *host_ip;    /* "" = every address */
	struct port_range host; /* meaningful with has_host */
	struct port_range container;
	const char *protocol; /* lower case */
	const char *mode;     /* "ingress" or "host"; only from the service form, else NULL */
	const char *error;    /* set when the text is refused; the rest is then undefined */
	bool has_host;        /* false: the engine picks a port, or nothing is published */
};

/* "[[ip:]host:]container[/protocol]"; an IPv6 address may stand in brackets or without. */
struct port_mapping port_parse(struct arena *a, const char *text);
/* The argument of "service --publish": short form without address, or comma separated fields. */
struct port_mapping port_parse_service(struct arena *a, const char *text);

/* How many single mappings M stands for: one for each container port. */
uint32_t port_count(const struct port_mapping *m);
/* The I-th single container port. */
uint32_t port_container(const struct port_mapping *m, uint32_t i);
/* The host port or range that belongs to container port I ("" without one): one to one for equal
 * ranges, the whole range for a single container port. */
const char *port_host(struct arena *a, const struct port_mapping *m, uint32_t i);
/* "ip:host:container/protocol" with an IPv6 address in brackets. */
const char *port_canonical(struct arena *a, const struct port_mapping *m);

/* One number of 0 to 65535; *ERROR is set and 0 returned for anything else. */
uint32_t port_number(struct arena *a, const char *text, const char **error);
/* "begin" or "begin-end". */
struct port_range port_range_parse(struct arena *a, const char *text, const char **error);
/* Splits "port/protocol": the protocol defaults to "tcp"; both are "" when there is no port. */
void port_split_protocol(struct arena *a, const char *text, const char **port,
                         const char **protocol);

/* True for a textual IPv4 or IPv6 address (a zone is allowed in IPv6). */
bool ip_is_valid(const char *text);

#endif

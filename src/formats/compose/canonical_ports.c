/* Ports of a service: short and long forms, ranges.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "model/limits.h"
#include "src/formats/compose/canonical.h"
#include "src/syntax/port_spec.h"

static void port_entry(struct cload *c, struct cvalue *list, const struct cvalue *item,
                       const struct port_mapping *m, uint32_t i)
{
	struct cvalue *entry = canonical_map(c, item);
	const char *published = port_host(c->arena, m, i);

	entry->raw = item->unresolved && item->raw ? item->raw : item->text;
	cvalue_imply(c->arena, entry, "mode", cvalue_string(c->arena, "ingress", item->span));
	if (m->host_ip[0])
		canonical_text(c, entry, "host_ip", item, m->host_ip);
	cvalue_set(c->arena, entry, "target", item->span,
	           cvalue_derive(c->arena, item, CVALUE_INTEGER,
	                         arena_printf(c->arena, "%u", port_container(m, i))));
	if (published[0])
		canonical_text(c, entry, "published", item, published);
	canonical_text(c, entry, "protocol", item, m->protocol);
	cvalue_push(c->arena, list, entry);
}

static const char *range_text(struct cload *c, struct port_range range)
{
	if (range.begin == range.end)
		return arena_printf(c->arena, "%u", range.begin);
	return arena_printf(c->arena, "%u-%u", range.begin, range.end);
}

/* One entry for a text that is refused or too wide to be expanded, with what could be read of it.
 */
static void port_kept(struct cload *c, struct cvalue *list, const struct cvalue *item,
                      const struct port_mapping *m)
{
	struct cvalue *entry = canonical_map(c, item);

	entry->raw = item->unresolved && item->raw ? item->raw : item->text;
	entry->elided = true;
	if (m->host_ip && m->host_ip[0])
		canonical_text(c, entry, "host_ip", item, m->host_ip);
	if (m->container.end)
		canonical_text(c, entry, "target", item, range_text(c, m->container));
	if (m->has_host && m->host.end)
		canonical_text(c, entry, "published", item, range_text(c, m->host));
	if (m->protocol)
		canonical_text(c, entry, "protocol", item, m->protocol);
	cvalue_push(c->arena, list, entry);
}

static void port_short(struct cload *c, struct cvalue *list, struct cvalue *item,
                       const struct cplace *place)
{
	struct port_mapping m = port_parse(c->arena, item->text);

	if (m.error) {
		if (!item->unresolved)
			cload_report(c, COMPOSE_REFUSED, item->span, "%s: %s",
			             cplace_text(c->arena, place), m.error);
		port_kept(c, list, item, &m);
	} else if (port_count(&m) > LIMIT_RANGE_PORTS || c->ports > LIMIT_PORTS) {
		cload_report(c, COMPOSE_NOTICE, item->span,
		             "%s: a range of %u ports is kept as it is",
		             cplace_text(c->arena, place), port_count(&m));
		port_kept(c, list, item, &m);
	} else {
		for (uint32_t i = 0; i < port_count(&m); i++)
			port_entry(c, list, item, &m, i);
		c->ports += port_count(&m);
	}
}

/* "published: 127.0.0.1:8080" is a mistake whose meaning is plain: the address stands in the wrong
 * key. */
static void port_address(struct cload *c, struct cvalue *item, const struct cplace *place)
{
	const struct cvalue *published = cvalue_get(item, "published");
	const char *text = cvalue_text(published), *colon, *ip;

	if (!text || published->unresolved || text[strspn(text, "0123456789-")] == '\0')
		return;
	cload_report(c, COMPOSE_INCONSISTENT, published->span,
	             "%s.published: \"%s\" is no port; an address belongs into host_ip",
	             cplace_text(c->arena, place), text);
	colon = strrchr(text, ':');
	ip =
	    colon && !ip_is_valid(text) ? arena_copy(c->arena, text, (size_t)(colon - text)) : text;
	if (ip_is_valid(ip) && !cvalue_member(item, "host_ip"))
		canonical_text(c, item, "host_ip", published, ip);
}

static void port_long(struct cload *c, struct cvalue *list, struct cvalue *item,
                      const struct cplace *place)
{
	const char *ip = cvalue_text(cvalue_get(item, "host_ip"));

	port_address(c, item, place);
	if (!cvalue_member(item, "target"))
		cload_report(c, COMPOSE_REFUSED, item->span, "%s: missing property 'target'",
		             cplace_text(c->arena, place));
	if (ip && ip[0] && !ip_is_valid(ip))
		cload_report(c, COMPOSE_REFUSED, item->span, "%s: invalid ip address: %s",
		             cplace_text(c->arena, place), ip);
	cvalue_imply(c->arena, item, "mode", cvalue_string(c->arena, "ingress", item->span));
	cvalue_imply(c->arena, item, "protocol", cvalue_string(c->arena, "tcp", item->span));
	cvalue_push(c->arena, list, item);
}

struct cvalue *canonical_ports(struct cload *c, struct cvalue *v, const struct ckey *key,
                               const struct cplace *place)
{
	struct cvalue *list = cvalue_new(c->arena, CVALUE_LIST, v->span);

	(void)key;
	for (size_t i = 0; i < v->count; i++) {
		struct cvalue *item = v->items[i].value;
		struct cplace here = { place, NULL, i };

		if (item->tag == CVALUE_RESET || item->kind == CVALUE_NULL)
			continue;
		if (cvalue_is_map(item))
			port_long(c, list, item, &here);
		else if (cvalue_is_scalar(item))
			port_short(c, list, item, &here);
		else
			cload_report(c, COMPOSE_REFUSED, item->span,
			             "%s must be a number, a string "
			             "or a mapping",
			             cplace_text(c->arena, &here));
	}
	return list;
}

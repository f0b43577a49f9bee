/* Ports, networks and names of a service.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <string.h>

#include "src/formats/compose/rows.h"

static bool same_item(const struct cvalue *a, const struct cvalue *b)
{
	return b && a->raw && a->raw == b->raw && a->span.offset == b->span.offset;
}

/* The value of KEY over items FROM to TO: one number, or "first-last". */
static const char *port_span(const struct crow *r, const struct cvalue *list, size_t from,
                             size_t to, const char *key)
{
	const char *first = cvalue_text(cvalue_get(list->items[from].value, key));
	const char *last = cvalue_text(cvalue_get(list->items[to].value, key));

	if (!first || !last || strcmp(first, last) == 0)
		return first;
	return arena_printf(&r->w->snapshot->arena, "%s-%s", first, last);
}

static const char *port_text(const struct crow *r, const struct cvalue *v, const char *ip,
                             const char *published, const char *target, const char *protocol)
{
	if (v->raw)
		return v->raw;
	return arena_printf(&r->w->snapshot->arena, "%s%s%s%s%s/%s", ip ? ip : "", ip ? ":" : "",
	                    published ? published : "", published ? ":" : "", target ? target : "",
	                    protocol ? protocol : "tcp");
}

/* The address of a short form whose variable has no value: "${ADDRESS}:8080:80". NULL when it is known. */
static const char *variable_address(const struct crow *r, const struct cvalue *v)
{
	size_t depth = 0, colons = 0, first = 0;

	for (size_t i = 0; v->unresolved && v->raw && v->raw[i]; i++) {
		depth += v->raw[i] == '{';
		depth -= v->raw[i] == '}' && depth;
		if (v->raw[i] == ':' && !depth && colons++ == 0)
			first = i;
	}
	if (colons < 2 || v->raw[0] != '$')
		return NULL;
	return arena_copy(&r->w->snapshot->arena, v->raw, first);
}

/* One fact for each item as written; a range is one item. Returns the last index used. */
static size_t port(const struct crow *r, const struct cvalue *list, size_t i)
{
	const struct cvalue *v = list->items[i].value, *ip = cvalue_get(v, "host_ip");
	const char *protocol = cvalue_text(cvalue_get(v, "protocol"));
	const char *published, *target, *address = variable_address(r, v);
	struct fact *f;
	size_t last = i;

	while (same_item(v, cvalue_at(list, last + 1)))
		last++;
	published = port_span(r, list, i, last, "published");
	target = port_span(r, list, i, last, "target");
	f = crow_fact_text(r, FACT_PORT,
	                   port_text(r, v, cvalue_text(ip), published, target, protocol), v);
	if (ip && ip->unresolved)
		f->provenance = PROVENANCE_UNRESOLVED;
	else if (v->elided && !target)
		f->provenance = v->unresolved ? PROVENANCE_UNRESOLVED : PROVENANCE_UNPARSED;
	crow_attribute(r, f, "host_ip", address ? address : cvalue_text(ip) ? ip->text : "");
	crow_attribute(r, f, "published", published);
	crow_attribute(r, f, "target", target);
	crow_attribute(r, f, "protocol", protocol);
	crow_attribute(r, f, "mode", cvalue_text(cvalue_get(v, "mode")));
	return last;
}

static void expose(const struct crow *r)
{
	const struct cvalue *list = cvalue_get(r->service, "expose");

	for (size_t i = 0; cvalue_is_list(list) && i < list->count; i++) {
		const char *text = cvalue_text(list->items[i].value);
		struct fact *f = crow_fact(r, FACT_EXPOSE, list->items[i].value);

		if (!f)
			continue;
		crow_attribute(r, f, "target",
		               arena_copy(&r->w->snapshot->arena, text, strcspn(text, "/")));
		crow_attribute(r, f, "protocol", strchr(text, '/') ? strchr(text, '/') + 1 : "tcp");
	}
}

static void network(const struct crow *r, const struct cmember *m)
{
	const struct cvalue *top = cvalue_path(r->project->model, "networks", m->key, NULL);
	const struct cvalue *internal = cvalue_get(top, "internal");
	struct fact *f;

	if (m->value->implied)
		f = crow_absent(r, FACT_NETWORK, m->key, "Compose default network");
	else
		f = snapshot_add_fact(r->w->snapshot, r->row, FACT_NETWORK, m->key, m->key_span);
	crow_attribute(r, f, "internal", cvalue_is_true(internal) ? "true" : "false");
	if (cvalue_is_true(cvalue_get(top, "external")))
		crow_attribute(r, f, "external", "true");
	if (internal && internal->unresolved)
		f->provenance = PROVENANCE_UNRESOLVED;
}

static void networks(const struct crow *r)
{
	const struct cvalue *map = cvalue_get(r->service, "networks");
	const struct cvalue *mode = cvalue_get(r->service, "network_mode");

	if (cvalue_text(mode) && (mode->text[0] || mode->unresolved))
		crow_fact(r, FACT_NETWORK_MODE, mode);
	for (size_t i = 0; cvalue_is_map(map) && i < map->count; i++)
		network(r, &map->items[i]);
}

/* V's own text is the whole item where a variable without a value stands in the short form. */
static void extra_host(const struct crow *r, const char *name, const struct cvalue *v)
{
	const char *text = v->unresolved && v->raw ? v->raw : cvalue_text(v);
	size_t n = strlen(name);

	if (!text)
		return;
	if (strncmp(text, name, n) == 0 && (text[n] == ':' || text[n] == '='))
		text += n + 1;
	text = arena_printf(&r->w->snapshot->arena, "%s:%s", name, text);
	crow_trace(r, extra_host_fact(r->w, r->row, text, v->span), v);
}

static void extra_hosts(const struct crow *r)
{
	const struct cvalue *map = cvalue_get(r->service, "extra_hosts");

	for (size_t i = 0; cvalue_is_map(map) && i < map->count; i++) {
		const struct cvalue *list = map->items[i].value;

		for (size_t j = 0; j < cvalue_count(list); j++)
			extra_host(r, map->items[i].key, list->items[j].value);
		if (!cvalue_count(list) && list->unresolved)
			extra_host(r, map->items[i].key, list);
	}
}

/* "my-model" gives MY_MODEL_URL unless the service names the variable. */
static const char *model_variable(const struct crow *r, const char *name)
{
	struct arena *a = &r->w->snapshot->arena;
	char *text = arena_strdup(a, name);

	for (char *c = text; *c; c++)
		*c = isalnum((unsigned char)*c) ? (char)toupper((unsigned char)*c) : '_';
	return arena_printf(a, "%s_URL", text);
}

/* Models that the engine serves; the service is told their addresses. */
static void models(const struct crow *r)
{
	const struct cvalue *map = cvalue_get(r->service, "models");

	for (size_t i = 0; cvalue_is_map(map) && i < map->count; i++) {
		const struct cmember *m = &map->items[i];
		const char *variable = cvalue_text(cvalue_get(m->value, "endpoint_var"));
		const struct cvalue *model =
		    cvalue_path(r->project->model, "models", m->key, "model", NULL);
		struct fact *f = snapshot_add_fact(r->w->snapshot, r->row, FACT_AI_MODEL, m->key,
		                                   m->key_span);

		crow_attribute(r, f, "model", cvalue_text(model) ? crow_shown(model) : NULL);
		crow_attribute(r, f, "variable",
		               variable ? variable : model_variable(r, m->key));
	}
}

void crow_network(const struct crow *r)
{
	const struct cvalue *list = cvalue_get(r->service, "ports");

	for (size_t i = 0; cvalue_is_list(list) && i < list->count; i++)
		if (cvalue_is_map(list->items[i].value))
			i = port(r, list, i);
	expose(r);
	networks(r);
	extra_hosts(r);
	models(r);
	crow_facts(r, FACT_DNS, cvalue_get(r->service, "dns"));
}

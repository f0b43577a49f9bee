/* "docker mcp gateway run": every enabled catalog server behind one entry, started by a helper that
 * holds the engine.
 *
 * Flags and defaults: docker/mcp-gateway of 2026-07.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "src/formats/mcp/mcp.h"

#define PRODUCT "docker-mcp-gateway"

static const struct {
	const char *flag;
	const char *by_default; /* NULL: nothing to say when it is absent */
	const char *effect;
	bool takes_value;
} flags[] = {
	{ "block-network", "false", "narrow", false },
	{ "block-secrets", "true", "narrow", false },
	{ "verify-signatures", "true", "narrow", false },
	{ "allow-unauthenticated", NULL, "wide", false },
	{ "enable-all-servers", NULL, "wide", false },
	{ "additional-catalog", NULL, "wide", true },
	{ "additional-registry", NULL, "wide", true },
	{ "catalog", NULL, "wide", true },
	{ "oci-ref", NULL, "wide", true },
	{ "mcp-registry", NULL, "wide", true },
	{ "interceptor", NULL, "wide", true },
	{ "servers", NULL, "narrow", true },
	{ "tools", NULL, "narrow", true },
	{ "cpus", NULL, "narrow", true },
	{ "memory", NULL, "narrow", true },
};

/* The place of --NAME among the words, or NULL; *VALUE is its value. */
static const struct argv_word *find_flag(const struct argv *v, size_t from, const char *name,
                                         bool takes_value, const char **value)
{
	for (size_t i = from; i < v->count; i++) {
		const char *word = v->items[i].text;

		if (strncmp(word, "--", 2) != 0 || !argv_is_option(word + 2, name, value))
			continue;
		if (!*value && takes_value && i + 1 < v->count) {
			*value = v->items[i + 1].text;
			return &v->items[i + 1];
		}
		if (!*value)
			*value = takes_value ? "" : "true";
		return &v->items[i];
	}
	return NULL;
}

static void setting(const struct mcp_server *s, struct fact *f, const char *name,
                    const char *effect)
{
	mcp_set(s, f, "setting", name);
	mcp_set(s, f, "product", PRODUCT);
	mcp_set(s, f, "effect", effect);
}

static void read_flag(const struct mcp_server *s, const struct argv *v, size_t from, size_t i)
{
	const char *value;
	const struct argv_word *word =
	    find_flag(v, from, flags[i].flag, flags[i].takes_value, &value);

	if (word)
		setting(s, mcp_fact(s, FACT_SANDBOX_SETTING, value, word->span), flags[i].flag,
		        flags[i].effect);
	else if (flags[i].by_default)
		setting(s,
		        snapshot_add_absent(s->w->snapshot, s->row, FACT_SANDBOX_SETTING,
		                            flags[i].by_default, v->items[0].span,
		                            "default of docker mcp gateway in 2026-07"),
		        flags[i].flag, flags[i].effect);
}

static void read_listener(const struct mcp_server *s, const struct argv *v, size_t from)
{
	struct arena *a = &s->w->snapshot->arena;
	const char *host = "", *port = "", *value;
	const struct argv_word *at = find_flag(v, from, "port", true, &port);
	const struct argv_word *on = find_flag(v, from, "host", true, &host);
	struct fact *f;

	if (!at && !on)
		return;
	f = mcp_fact(s, FACT_LISTEN, arena_printf(a, "%s:%s", host, port),
	             on ? on->span : at->span);
	mcp_set(s, f, "address", host);
	mcp_set(s, f, "port", port);
	mcp_set(s, f, "auth",
	        find_flag(v, from, "allow-unauthenticated", false, &value) ? "false" : "unknown");
}

void mcp_read_gateway(struct mcp_server *s, const struct argv *v, size_t from)
{
	mcp_fact(s, FACT_HELPER, "docker mcp gateway", v->items[0].span);
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		read_flag(s, v, from, i);
	read_listener(s, v, from);
	if (node_is(node_path(s->entry, "env", "DOCKER_MCP_IN_DIND", NULL), "1"))
		mcp_fact(s, FACT_PRIVILEGED, "true",
		         node_path(s->entry, "env", "DOCKER_MCP_IN_DIND", NULL)->span);
}

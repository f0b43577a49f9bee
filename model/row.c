/* Rows: names and access to facts.
 * SPDX-License-Identifier: MIT */
#include "model/row.h"

#include <string.h>

#include "model/artifact.h"

const char *const row_kind_names[ROW_KIND_COUNT] = {
	[ROW_MAIN] = "main",
	[ROW_INIT] = "init",
	[ROW_SIDECAR] = "sidecar",
	[ROW_EPHEMERAL] = "ephemeral",
	[ROW_INJECTED] = "injected",
	[ROW_HOOK] = "hook",
	[ROW_BUILD] = "build",
	[ROW_TOOL_SUBPROCESS] = "tool-subprocess",
	[ROW_HELPER] = "helper",
	[ROW_SANDBOX_PROCESS] = "sandbox-process",
	[ROW_OBJECT] = "object",
};

const char *const row_role_names[ROLE_COUNT] = {
	[ROLE_UNKNOWN] = "unknown",       [ROLE_AGENT] = "agent",
	[ROLE_TOOL] = "tool",             [ROLE_MCP_SERVER] = "mcp-server",
	[ROLE_HELPER] = "helper",         [ROLE_INFRASTRUCTURE] = "infrastructure",
};

const char *const artifact_state_names[ARTIFACT_STATE_COUNT] = {
	[ARTIFACT_ASSESSED] = "assessed",
	[ARTIFACT_PARTIAL] = "partial",
	[ARTIFACT_NOT_ASSESSED] = "not-assessed",
	[ARTIFACT_IGNORED] = "ignored",
};

const char *const artifact_class_names[CLASS_COUNT] = {
	[CLASS_PROPOSED] = "proposed",   [CLASS_EXAMPLE] = "example",
	[CLASS_GENERATED] = "generated", [CLASS_TEST] = "test",
	[CLASS_EXPORT] = "export",
};

static const struct fact *first_from(const struct row *r, size_t i, enum fact_kind kind,
				     enum layer layer)
{
	const unsigned char *at;

	if (!(r->present[kind / 64] >> (kind % 64) & 1))
		return NULL;
	for (; i < r->kinds.count; i++) {
		at = memchr(r->kinds.items + i, (int)kind, r->kinds.count - i);
		if (!at)
			return NULL;
		i = (size_t)(at - r->kinds.items);
		if (r->facts.items[i]->layer == layer)
			return r->facts.items[i];
	}
	return NULL;
}

const struct fact *row_first(const struct row *r, enum fact_kind kind, enum layer layer)
{
	return first_from(r, 0, kind, layer);
}

struct fact *row_first_mutable(struct row *r, enum fact_kind kind, enum layer layer)
{
	const struct fact *f = row_first(r, kind, layer);

	return f ? r->facts.items[f->ordinal] : NULL;
}

const struct fact *row_next(const struct row *r, const struct fact *f)
{
	return first_from(r, (size_t)f->ordinal + 1, f->kind, f->layer);
}

/* Loopback is reached from the host only. */
static bool is_published(const struct fact *f)
{
	const char *address = fact_attribute(f, "host_ip");

	return fact_is_written(f) &&
	       !(address && (strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0));
}

static bool is_outside_service(const struct fact *f)
{
	return fact_attribute_is(f, "type", "NodePort") ||
	       (fact_attribute_is(f, "type", "LoadBalancer") &&
		!fact_attribute_is(f, "internal", "true"));
}

static bool has_such(const struct row *r, enum fact_kind kind, bool (*fits)(const struct fact *))
{
	for (unsigned layer = LAYER_DECLARED; layer <= LAYER_OBSERVED; layer++)
		for (const struct fact *f = row_first(r, kind, (enum layer)layer); f;
		     f = row_next(r, f))
			if (fits(f))
				return true;
	return false;
}

bool row_is_exposed(const struct row *r)
{
	return has_such(r, FACT_PORT, is_published) || has_such(r, FACT_HOST_PORT, is_published) ||
	       has_such(r, FACT_SERVICE, is_outside_service) ||
	       has_such(r, FACT_INGRESS_ROUTE, fact_is_written);
}

bool row_is_numbered(const struct row *r)
{
	return r->name[strspn(r->name, "0123456789")] == '\0';
}

bool row_has_layer(const struct row *r, enum layer layer)
{
	for (size_t i = 0; i < r->facts.count; i++)
		if (r->facts.items[i]->layer == layer)
			return true;
	return false;
}

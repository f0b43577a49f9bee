/* Where a document keeps its MCP servers.
 * SPDX-License-Identifier: MIT */
#include "src/formats/mcp/mcp.h"

#include <string.h>

#include "model/limits.h"

static bool is_any(const char *text, const char *const *list)
{
	for (; text && *list; list++)
		if (strcmp(text, *list) == 0)
			return true;
	return false;
}

static bool has_any(const struct node *map, const char *const *keys)
{
	for (; *keys; keys++)
		if (node_get(map, *keys))
			return true;
	return false;
}

static bool is_server(const struct node *entry)
{
	static const char *const keys[] = { "command",   "url",     "cmd",       "uri",
		                            "serverUrl", "httpUrl", "transport", NULL };

	return node_is_map(entry) && has_any(entry, keys);
}

static const struct node *member(const struct node *group, uint32_t i)
{
	return node_is_map(group) ? node_resolve(group->items[i].value) : node_at(group, i);
}

/* Whether ANY (or every) member of GROUP satisfies TEST. */
static bool members(const struct node *group, bool (*test)(const struct node *), bool every)
{
	for (uint32_t i = 0; i < node_count(group); i++)
		if (test(member(group, i)) != every)
			return !every;
	return every && node_count(group) > 0;
}

/* --- what each key must hold ---------------------------------------------------------------- */

static bool fits_named(const struct mcp_walk *walk, const struct node *value)
{
	(void)walk;
	return node_is_map(value) || node_is_seq(value);
}

/* "servers" says little by itself: at the top, or under "mcp", with nothing but servers in it. */
static bool fits_servers(const struct mcp_walk *walk, const struct node *value)
{
	const char *parent = walk->frames[walk->depth - 1].key;

	if (!node_is_map(value))
		return false;
	if (parent && strcmp(parent, "mcp") == 0)
		return true;
	return walk->depth == 1 && members(value, is_server, true);
}

static bool is_opencode(const struct node *entry)
{
	const struct node *type = node_get(entry, "type");

	return node_is(type, "local") || node_is(type, "remote") ||
	       node_is_seq(node_get(entry, "command"));
}

static bool fits_opencode(const struct mcp_walk *walk, const struct node *value)
{
	(void)walk;
	return node_is_map(value) && members(value, is_opencode, false);
}

static bool is_goose(const struct node *entry)
{
	static const char *const types[] = { "stdio",           "builtin",  "platform",      "sse",
		                             "streamable_http", "frontend", "inline_python", NULL };

	return is_any(node_text(node_get(entry, "type")), types);
}

static bool fits_goose(const struct mcp_walk *walk, const struct node *value)
{
	return walk->depth == 1 && fits_named(walk, value) && members(value, is_goose, false);
}

static bool is_mcp_toolset(const struct node *entry)
{
	return node_is(node_get(entry, "type"), "mcp");
}

static bool fits_toolsets(const struct mcp_walk *walk, const struct node *value)
{
	(void)walk;
	return node_is_seq(value) && members(value, is_mcp_toolset, false);
}

static bool fits_lists(const struct mcp_walk *walk, const struct node *value)
{
	const char *parent = walk->frames[walk->depth - 1].key;

	return node_is_seq(value) && parent && strcmp(parent, "mcp") == 0;
}

static const struct {
	const char *key;
	bool (*fits)(const struct mcp_walk *walk, const struct node *value);
} shapes[] = {
	{ "mcpServers", fits_named },      { "mcp_servers", fits_named },
	{ "context_servers", fits_named }, { "amp.mcpServers", fits_named },
	{ "mcp.servers", fits_named },     { "mcp.mcpServers", fits_named },
	{ "servers", fits_servers },       { "mcp", fits_opencode },
	{ "extensions", fits_goose },      { "toolsets", fits_toolsets },
	{ "stdio_servers", fits_lists },   { "sse_servers", fits_lists },
	{ "shttp_servers", fits_lists },
};

static bool is_group(const struct mcp_walk *walk, const char *key, const struct node *value)
{
	for (size_t i = 0; key && i < sizeof shapes / sizeof *shapes; i++)
		if (strcmp(key, shapes[i].key) == 0)
			return shapes[i].fits(walk, value);
	return false;
}

/* Below these keys a document describes such files instead of being one. */
static bool is_schema_key(const char *key)
{
	static const char *const keys[] = { "properties", "patternProperties", "$defs",
		                            "definitions", NULL };

	return is_any(key, keys);
}

static void push(struct mcp_walk *walk, const struct node *node, const char *key)
{
	if (walk->depth < MCP_WALK_DEPTH && node_count(node) && !is_schema_key(key)) {
		walk->frames[walk->depth].node = node;
		walk->frames[walk->depth].key = key;
		walk->frames[walk->depth].next = 0;
		walk->depth++;
	}
}

void mcp_walk_start(struct mcp_walk *walk, const struct node *top, const char *path)
{
	*walk = (struct mcp_walk){ .path = path };
	push(walk, node_resolve(top), NULL);
}

/* A plugin's .mcp.json may hold its servers without a key around them. */
static bool is_bare(const struct mcp_walk *walk, const struct node *top)
{
	return path_ends(walk->path, "mcp.json") && node_is_map(top) &&
	       members(top, is_server, true);
}

bool mcp_walk_next(struct mcp_walk *walk, struct mcp_group *group)
{
	const struct node *top = walk->depth ? walk->frames[0].node : NULL;

	while (walk->depth && walk->visits++ < LIMIT_ALIAS_VISITS) {
		const struct node *node = walk->frames[walk->depth - 1].node, *value;
		uint32_t i = walk->frames[walk->depth - 1].next++;
		const char *key;

		if (i >= node_count(node)) {
			walk->depth--;
			continue;
		}
		value = member(node, i);
		key = node_is_map(node) ? node_text(node->items[i].key) : NULL;
		if (is_group(walk, key, value)) {
			walk->found = true;
			*group = (struct mcp_group){ .node = value, .key = key };
			return true;
		}
		push(walk, value, key);
	}
	walk->depth = 0;
	if (walk->found || !top || !is_bare(walk, top))
		return false;
	walk->found = true;
	*group = (struct mcp_group){ .node = top, .key = "", .bare = true };
	return true;
}

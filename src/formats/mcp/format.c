/* MCP client configurations: which files hold server entries.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "src/formats/mcp/mcp.h"

static bool interested(const char *path)
{
	static const char *const others[] = { "package.json", "package-lock.json", "tsconfig.json",
		                              NULL };

	for (size_t i = 0; others[i]; i++)
		if (strcmp(path_base(path), others[i]) == 0)
			return false;
	return path_ends(path, ".json .jsonc .yaml .yml .toml");
}

static bool claims(const char *path, const char *bytes, size_t length)
{
	static const char *const needles[] = { "mcpServers", "mcp_servers", "context_servers",
		                               "toolsets",   "\"servers\"", "\"mcp\"",
		                               "[mcp",       "extensions:", "mcp.servers",
		                               "mcp:",       NULL };

	for (size_t i = 0; needles[i]; i++)
		if (bytes_hold(bytes, length, needles[i]))
			return true;
	return path_ends(path, "mcp.json");
}

/* A schema of such files carries their keys too. */
static bool is_schema(const struct node *top)
{
	const char *schema = node_text(node_get(top, "$schema"));

	return schema && strstr(schema, "json-schema.org") != NULL;
}

static bool recognise(const struct input *in)
{
	for (size_t i = 0; i < in->documents.count; i++) {
		struct mcp_walk walk;
		struct mcp_group group;

		if (is_schema(in->documents.items[i]))
			continue;
		mcp_walk_start(&walk, in->documents.items[i], in->artifact->path);
		if (mcp_walk_next(&walk, &group))
			return true;
	}
	return false;
}

static void read(struct workspace *w, struct input *in)
{
	for (size_t i = 0; i < in->documents.count; i++) {
		struct mcp_walk walk;
		struct mcp_group group;

		if (is_schema(in->documents.items[i]))
			continue;
		mcp_walk_start(&walk, in->documents.items[i], in->artifact->path);
		while (mcp_walk_next(&walk, &group))
			mcp_read_group(w, in, &group);
	}
}

const struct format format_mcp = {
	.id = FORMAT_MCP,
	.syntax = SYNTAX_JSONC,
	.interested = interested,
	.claims = claims,
	.recognise = recognise,
	.read = read,
};

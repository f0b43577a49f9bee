/* Editors with agents: VS Code, Cursor, Zed.
 *
 * Source: vscode-docs of 2026-06 to 2026-10 (keys moved in 2026: both spellings are read),
 * cursor.com pages of 2026, Zed 0.224. SPDX-License-Identifier: MIT */
#include <string.h>

#include "src/formats/settings/settings.h"

/* --- VS Code -------------------------------------------------------------------------------- */

static bool holds_prefix(const struct node *top, const char *const *prefixes)
{
	for (uint32_t i = 0; i < node_count(top); i++)
		for (size_t k = 0; node_text(top->items[i].key) && prefixes[k]; k++)
			if (strncmp(node_text(top->items[i].key), prefixes[k],
			            strlen(prefixes[k])) == 0)
				return true;
	return false;
}

static bool recognise_vscode(const char *path, const struct node *top)
{
	static const char *const prefixes[] = { "chat.agent.", "chat.tools.", "chat.mcp.",
		                                "chat.permissions", NULL };
	const struct node *settings = node_get(top, "settings");

	(void)path;
	return holds_prefix(top, prefixes) ||
	       (path_ends(path, ".code-workspace") && node_is_map(settings) &&
	        holds_prefix(settings, prefixes));
}

static const struct setting_words chat_permissions[] = {
	{ "bypassApprovals", "bypass" },
	{ "autopilot", "bypass" },
	{ "autoApprove", "bypass" },
	{ "default", "ask" },
	{ 0 },
};

static const struct setting vscode[] = {
	{ .path = "chat.agent.sandbox.enabled", .form = SETTING_SANDBOX },
	{ .path = "chat.agent.sandbox", .form = SETTING_SANDBOX },
	{ .path = "chat.agent.sandbox.network.allowNetwork", .form = SETTING_WIDE },
	{ .path = "chat.agent.sandbox.allowNetwork", .form = SETTING_WIDE },
	{ .path = "chat.agent.sandbox.network.allowLocalNetwork", .form = SETTING_WIDE },
	{ .path = "chat.agent.sandbox.network.allowedDomains", .form = SETTING_DOMAINS },
	{ .path = "chat.agent.sandbox.network.deniedDomains", .form = SETTING_DOMAINS_DENIED },
	{ .path = "chat.agent.allowedNetworkDomains", .form = SETTING_DOMAINS },
	{ .path = "chat.agent.deniedNetworkDomains", .form = SETTING_DOMAINS_DENIED },
	{ .path = "chat.agent.networkFilter", .form = SETTING_NARROW },
	{ .path = "chat.agent.sandbox.fileSystem.allowDevToolAccess", .form = SETTING_WIDE },
	{ .path = "chat.agent.sandbox.fileSystem.userConfiguredPaths.readwritePaths",
	  .form = SETTING_WIDE_LIST },
	{ .path = "chat.agent.sandbox.fileSystem.userConfiguredPaths.deniedPaths",
	  .form = SETTING_NARROW_LIST },
	{ .path = "chat.agent.sandbox.mcpServers", .form = SETTING_NARROW },
	{ .path = "chat.agent.sandbox.allowUnsandboxedCommands", .form = SETTING_WIDE },
	{ .path = "chat.tools.terminal.autoApprove", .form = SETTING_TOOLS },
	{ .path = "chat.tools.urls.autoApprove", .form = SETTING_TOOLS },
	{ .path = "chat.tools.edits.autoApprove", .form = SETTING_TOOLS },
	{ .path = "chat.mcp.autostart", .form = SETTING_TRUST },
	{ .path = "chat.mcp.discovery.enabled", .form = SETTING_TRUST },
	{ .path = "chat.permissions.default", .form = SETTING_APPROVALS, .map = chat_permissions },
	{ 0 },
};

static void global_approval(const struct settings *s, const char *path)
{
	const struct node *n = setting_find(s->top, path);

	if (setting_is_true(n))
		setting_fact(s, FACT_APPROVALS, "bypass", n->span, path);
}

static void more_vscode(struct settings *s)
{
	const struct node *on = setting_find(s->top, "chat.agent.sandbox.enabled");

	global_approval(s, "chat.tools.global.autoApprove");
	global_approval(s, "chat.tools.autoApprove");
	/* "allowNetwork" was a value of the switch in 2026-06. */
	if (node_is(on, "allowNetwork"))
		snapshot_set_attribute(s->w->snapshot,
		                       setting_fact(s, FACT_SANDBOX_SETTING, "allowNetwork",
		                                    on->span, "chat.agent.sandbox.network"),
		                       "effect", "wide");
}

const struct product product_vscode = {
	.name = "vscode",
	.recognise = recognise_vscode,
	.settings = vscode,
	.more = more_vscode,
};

/* --- Cursor --------------------------------------------------------------------------------- */

static bool recognise_cursor(const char *path, const struct node *top)
{
	if (path_is(path, ".cursor/sandbox.json .cursor/permissions.json .cursor/cli.json "
	                  ".cursor/cli-config.json"))
		return true;
	return node_is_map(node_get(top, "networkPolicy")) &&
	       (node_get(top, "type") || node_get(top, "additionalReadwritePaths"));
}

static const struct setting cursor[] = {
	{ .path = "additionalReadwritePaths", .form = SETTING_WIDE_LIST },
	{ .path = "additionalReadonlyPaths", .form = SETTING_WIDE_LIST },
	{ .path = "disableTmpWrite", .form = SETTING_NARROW },
	{ .path = "enableSharedBuildCache", .form = SETTING_WIDE },
	{ .path = "readBoundary", .form = SETTING_TEXT },
	{ .path = "networkPolicy.allow", .form = SETTING_DOMAINS },
	{ .path = "networkPolicy.deny", .form = SETTING_DOMAINS_DENIED },
	{ .path = "mcpAllowlist", .form = SETTING_TOOLS },
	{ .path = "terminalAllowlist", .form = SETTING_TOOLS },
	{ .path = "permissions.allow", .form = SETTING_TOOLS },
	{ .path = "permissions.deny", .form = SETTING_TOOLS_DENIED },
	{ 0 },
};

static void more_cursor(struct settings *s)
{
	const struct node *type = node_get(s->top, "type");
	const struct node *network = setting_find(s->top, "networkPolicy.default");
	const struct node *run = node_get(s->top, "autoRun");

	if (node_text(type))
		setting_fact(s, FACT_SANDBOX, node_text(type), type->span, "type");
	if (node_text(network))
		snapshot_set_attribute(s->w->snapshot,
		                       setting_fact(s, FACT_SANDBOX_SETTING, node_text(network),
		                                    network->span, "networkPolicy.default"),
		                       "effect", node_is(network, "allow") ? "wide" : "narrow");
	if (setting_is_true(run))
		setting_fact(s, FACT_APPROVALS, "auto", run->span, "autoRun");
}

const struct product product_cursor = {
	.name = "cursor",
	.recognise = recognise_cursor,
	.settings = cursor,
	.more = more_cursor,
};

/* --- Zed ------------------------------------------------------------------------------------ */

static bool recognise_zed(const char *path, const struct node *top)
{
	const struct node *agent = node_get(top, "agent");

	return !path_ends(path, ".toml .yaml .yml") && node_is_map(agent) &&
	       (node_get(agent, "tool_permissions") ||
	        node_get(agent, "always_allow_tool_actions"));
}

static const struct setting_words zed_modes[] = {
	{ "allow", "bypass" },
	{ "deny", "deny" },
	{ "confirm", "ask" },
	{ 0 },
};

static const struct setting zed[] = {
	{ .path = "agent.tool_permissions.default", .form = SETTING_APPROVALS, .map = zed_modes },
	{ 0 },
};

static void more_zed(struct settings *s)
{
	global_approval(s, "agent.always_allow_tool_actions");
}

const struct product product_zed = {
	.name = "zed",
	.recognise = recognise_zed,
	.settings = zed,
	.more = more_zed,
};

/* Claude Code: settings.json of every scope, and hooks.json of plugins.
 *
 * Source: published types 2.1.332, changelog, pages of 2026-11.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "src/formats/settings/settings.h"

static bool is_permissions(const struct node *n)
{
	static const char *const keys[] = { "allow",
		                            "deny",
		                            "ask",
		                            "defaultMode",
		                            "additionalDirectories",
		                            "disableBypassPermissionsMode" };

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (node_get(n, keys[i]))
			return true;
	return false;
}

static bool is_hooks(const struct node *n)
{
	static const char *const events[] = {
		"PreToolUse",   "PostToolUse",  "Stop",       "SessionStart", "UserPromptSubmit",
		"Notification", "SubagentStop", "PreCompact", "SessionEnd",   "PermissionRequest"
	};

	for (size_t i = 0; i < sizeof events / sizeof *events; i++)
		if (node_get(n, events[i]))
			return true;
	return false;
}

static bool is_sandbox(const struct node *n)
{
	return node_is_map(n) &&
	       (node_get(n, "enabled") || node_is_map(node_get(n, "network")) ||
	        node_is_map(node_get(n, "filesystem")) || node_get(n, "autoAllowBashIfSandboxed"));
}

static bool recognise(const char *path, const struct node *top)
{
	static const char *const keys[] = { "enabledPlugins",
		                            "enableAllProjectMcpServers",
		                            "enabledMcpjsonServers",
		                            "strictKnownMarketplaces",
		                            "allowManagedPermissionRulesOnly",
		                            "allowManagedHooksOnly",
		                            "allowManagedMcpServersOnly",
		                            "apiKeyHelper",
		                            "disableAllHooks" };
	const char *schema = node_text(node_get(top, "$schema"));

	if (schema && strstr(schema, "claude-code-settings"))
		return true;
	if (strstr(path, ".gemini/") || strstr(path, ".qwen/") || strstr(path, ".vscode/") ||
	    strstr(path, ".cursor/") || path_ends(path, ".toml .yaml .yml") ||
	    node_get(top, "kind"))
		return false;
	if (is_permissions(node_get(top, "permissions")) || is_hooks(node_get(top, "hooks")) ||
	    (is_sandbox(node_get(top, "sandbox")) && !node_get(top, "tools")))
		return true;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (node_get(top, keys[i]))
			return true;
	return strstr(path, ".claude/settings") != NULL;
}

static const struct setting_words modes[] = {
	{ "bypassPermissions", "bypass" },
	{ "auto", "auto" },
	{ "acceptEdits", "edits" },
	{ "default", "ask" },
	{ "plan", "ask" },
	{ "dontAsk", "deny" },
	{ 0 },
};

static const struct setting settings[] = {
	{ .path = "sandbox.enabled",
	  .form = SETTING_SANDBOX,
	  .otherwise = "off",
	  .note = "Claude Code default: false; the block tunes a sandbox that this file does not "
	          "turn on" },
	{ .path = "sandbox.failIfUnavailable", .form = SETTING_NARROW },
	{ .path = "sandbox.allowUnsandboxedCommands", .form = SETTING_WIDE },
	{ .path = "sandbox.autoAllowBashIfSandboxed", .form = SETTING_WIDE },
	{ .path = "sandbox.excludedCommands", .form = SETTING_WIDE_LIST },
	{ .path = "sandbox.enabledPlatforms", .form = SETTING_NARROW_LIST },
	{ .path = "sandbox.enableWeakerNestedSandbox", .form = SETTING_WIDE },
	{ .path = "sandbox.allowNestedUserNamespaces", .form = SETTING_WIDE },
	{ .path = "sandbox.enableWeakerNetworkIsolation", .form = SETTING_WIDE },
	{ .path = "sandbox.allowAppleEvents", .form = SETTING_WIDE },
	{ .path = "sandbox.filesystem.allowWrite", .form = SETTING_WIDE_LIST },
	{ .path = "sandbox.filesystem.allowRead", .form = SETTING_WIDE_LIST },
	{ .path = "sandbox.filesystem.denyWrite", .form = SETTING_NARROW_LIST },
	{ .path = "sandbox.filesystem.denyRead", .form = SETTING_NARROW_LIST },
	{ .path = "sandbox.filesystem.disabled", .form = SETTING_WIDE },
	{ .path = "sandbox.network.allowedDomains", .form = SETTING_DOMAINS },
	{ .path = "sandbox.network.deniedDomains", .form = SETTING_DOMAINS_DENIED },
	{ .path = "sandbox.network.strictAllowlist",
	  .form = SETTING_NARROW,
	  .name = "strictAllowlist" },
	{ .path = "sandbox.network.allowUnixSockets",
	  .form = SETTING_WIDE_LIST,
	  .name = "allowUnixSockets" },
	{ .path = "sandbox.network.allowAllUnixSockets",
	  .form = SETTING_WIDE,
	  .name = "allowAllUnixSockets" },
	{ .path = "sandbox.network.allowLocalBinding",
	  .form = SETTING_WIDE,
	  .name = "allowLocalBinding" },
	{ .path = "sandbox.network.allowMachLookup",
	  .form = SETTING_WIDE_LIST,
	  .name = "allowMachLookup" },
	{ .path = "permissions.defaultMode", .form = SETTING_APPROVALS, .map = modes },
	{ .path = "defaultMode", .form = SETTING_APPROVALS, .map = modes },
	{ .path = "permissions.allow", .form = SETTING_TOOLS },
	{ .path = "permissions.deny", .form = SETTING_TOOLS_DENIED },
	{ .path = "permissions.additionalDirectories", .form = SETTING_WIDE_LIST },
	{ .path = "permissions.disableBypassPermissionsMode", .form = SETTING_TEXT },
	{ .path = "permissions.blockReadsOutsideWorkingDirectories", .form = SETTING_NARROW },
	{ .path = "permissions.blockWritesOutsideWorkingDirectories", .form = SETTING_NARROW },
	{ .path = "skipDangerousModePermissionPrompt", .form = SETTING_TRUST },
	{ .path = "enableAllProjectMcpServers", .form = SETTING_TRUST },
	{ .path = "enabledMcpjsonServers", .form = SETTING_TRUST },
	{ .path = "allowManagedPermissionRulesOnly", .form = SETTING_NARROW },
	{ .path = "allowManagedHooksOnly", .form = SETTING_NARROW },
	{ .path = "allowManagedMcpServersOnly", .form = SETTING_NARROW },
	{ .path = "disableAllHooks", .form = SETTING_NARROW },
	{ .path = "apiKeyHelper", .form = SETTING_COMMAND },
	{ .path = "awsAuthRefresh", .form = SETTING_COMMAND },
	{ .path = "awsCredentialExport", .form = SETTING_COMMAND },
	{ .path = "gcpAuthRefresh", .form = SETTING_COMMAND },
	{ .path = "otelHeadersHelper", .form = SETTING_COMMAND },
	{ .path = "statusLine.command", .form = SETTING_COMMAND },
	{ .path = "fileSuggestion.command", .form = SETTING_COMMAND },
	{ .path = "policyHelper", .form = SETTING_COMMAND },
	{ .path = "env", .form = SETTING_ENVIRONMENT },
	{ 0 },
};

/* hooks: {EVENT: [{matcher, hooks: [{type: command, command}]}]} */
static void read_group(const struct settings *s, const char *event, const struct node *group)
{
	const struct node *list = node_get(group, "hooks");

	for (uint32_t i = 0; node_is_seq(list) && i < list->count; i++) {
		const struct node *command = node_get(node_at(list, i), "command");
		struct fact *f;

		if (!node_text(command))
			continue;
		f = setting_fact(s, FACT_HOOK, node_text(command), command->span, "hooks");
		snapshot_set_attribute(s->w->snapshot, f, "event", event);
		snapshot_set_attribute(s->w->snapshot, f, "where", "host");
	}
}

/* What the sandbox does unless it is told otherwise; without a sandbox there is nothing to say. */
static void sandbox_defaults(const struct settings *s)
{
	static const struct {
		const char *key, *setting, *value, *note;
	} defaults[] = {
		{ "failIfUnavailable", "sandbox.failIfUnavailable", "false",
		  "Claude Code default: it warns and runs without the sandbox" },
		{ "allowUnsandboxedCommands", "sandbox.allowUnsandboxedCommands", "true",
		  "Claude Code default: true" },
	};
	const struct node *sandbox = node_get(s->top, "sandbox");

	for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) {
		struct fact *f;

		if (!setting_is_true(node_get(sandbox, "enabled")) ||
		    node_get(sandbox, defaults[i].key))
			continue;
		f = snapshot_add_absent(s->w->snapshot, s->row, FACT_SANDBOX_SETTING,
		                        defaults[i].value, node_key_span(sandbox),
		                        defaults[i].note);
		snapshot_set_attribute(s->w->snapshot, f, "setting", defaults[i].setting);
		snapshot_set_attribute(s->w->snapshot, f, "product", s->product);
		snapshot_set_attribute(s->w->snapshot, f, "effect", "wide");
	}
}

static void more(struct settings *s)
{
	const struct node *hooks = node_get(s->top, "hooks");

	for (uint32_t i = 0; node_is_map(hooks) && i < hooks->count; i++) {
		const struct node *groups = node_resolve(hooks->items[i].value);

		for (uint32_t k = 0; node_is_seq(groups) && k < groups->count; k++)
			if (node_text(hooks->items[i].key))
				read_group(s, node_text(hooks->items[i].key), node_at(groups, k));
	}
	sandbox_defaults(s);
	/* A file of hooks alone belongs to a plugin and says nothing of the sandbox. */
	if (!node_get(s->top, "sandbox") && (node_get(s->top, "permissions") ||
	                                     path_is(s->in->artifact->path, "settings.json "
	                                                                    "settings.local.json")))
		snapshot_set_attribute(
		    s->w->snapshot,
		    snapshot_add_absent(s->w->snapshot, s->row, FACT_SANDBOX, "unset", s->row->span,
		                        "Claude Code default: off, unless another settings "
		                        "layer turns it on"),
		    "product", s->product);
}

const struct product product_claude = {
	.name = "claude-code",
	.recognise = recognise,
	.settings = settings,
	.more = more,
};

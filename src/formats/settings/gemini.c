/* Gemini CLI and Qwen Code: settings.json.
 *
 * Source: gemini-cli 0.56 nightly of 2026-08.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "src/formats/settings/settings.h"

static bool recognise(const char *path, const struct node *top)
{
	const struct node *tools = node_get(top, "tools");

	if (path_ends(path, ".toml .yaml .yml"))
		return false;
	if (strstr(path, ".gemini/settings") || strstr(path, ".qwen/settings") ||
	    strstr(path, "gemini-cli/settings"))
		return true;
	return (node_is_map(tools) && node_get(tools, "sandbox")) ||
	       node_get(node_get(top, "security"), "folderTrust") ||
	       (node_is_map(node_get(top, "general")) && node_get(top, "experimental"));
}

static const struct setting_words modes[] = {
	{ "yolo", "bypass" },
	{ "auto_edit", "edits" },
	{ "default", "ask" },
	{ "plan", "ask" },
	{ 0 },
};

static const struct setting settings[] = {
	{ .path = "general.defaultApprovalMode", .form = SETTING_APPROVALS, .map = modes },
	{ .path = "tools.sandboxNetworkAccess", .form = SETTING_WIDE },
	{ .path = "tools.sandboxAllowedPaths", .form = SETTING_WIDE_LIST },
	{ .path = "security.toolSandboxing", .form = SETTING_NARROW },
	{ .path = "security.disableYoloMode", .form = SETTING_NARROW },
	{ .path = "security.disableAlwaysAllow", .form = SETTING_NARROW },
	{ .path = "security.folderTrust.enabled",
	  .form = SETTING_NARROW,
	  .otherwise = "true",
	  .note = "Gemini CLI default: true" },
	{ .path = "security.environmentVariableRedaction.enabled", .form = SETTING_NARROW },
	{ .path = "admin.secureModeEnabled", .form = SETTING_NARROW },
	{ .path = "tools.allowed", .form = SETTING_TOOLS },
	{ .path = "tools.exclude", .form = SETTING_TOOLS_DENIED },
	{ .path = "autoAccept", .form = SETTING_TRUST },
	{ .path = "tools.autoAccept", .form = SETTING_TRUST },
	{ .path = "tools.discoveryCommand", .form = SETTING_COMMAND },
	{ .path = "tools.callCommand", .form = SETTING_COMMAND },
	{ .path = "mcp.serverCommand", .form = SETTING_COMMAND },
	{ 0 },
};

/* The object form is off without "enabled"; its network is open unless it says otherwise. */
static void read_object(const struct settings *s, const struct node *sandbox)
{
	const struct node *enabled = node_get(sandbox, "enabled");
	const struct node *network = node_get(sandbox, "networkAccess");
	struct fact *f;

	if (enabled)
		setting_fact(s, FACT_SANDBOX, setting_is_true(enabled) ? "on" : "off",
		             enabled->span, "tools.sandbox.enabled");
	else
		setting_fact(s, FACT_SANDBOX, "off", node_key_span(sandbox), "tools.sandbox")
		    ->note = "the object form without \"enabled\": true is off";
	if (!setting_is_true(enabled) || setting_is_false(network))
		return;
	f = network ? setting_fact(s, FACT_SANDBOX_SETTING, "true", network->span,
	                           "tools.sandbox.networkAccess")
	            : snapshot_add_absent(s->w->snapshot, s->row, FACT_SANDBOX_SETTING, "true",
	                                  node_key_span(sandbox), "Gemini CLI default: true");
	snapshot_set_attribute(s->w->snapshot, f, "setting", "tools.sandbox.networkAccess");
	snapshot_set_attribute(s->w->snapshot, f, "effect", "wide");
}

static void more(struct settings *s)
{
	const struct node *sandbox = setting_find(s->top, "tools.sandbox");
	struct fact *f;

	if (!sandbox)
		sandbox = node_get(s->top, "sandbox");
	if (node_is_map(sandbox)) {
		read_object(s, sandbox);
		return;
	}
	if (node_text(sandbox)) {
		setting_fact(s, FACT_SANDBOX,
		             setting_is_true(sandbox)    ? "on"
		             : setting_is_false(sandbox) ? "off"
		                                         : node_text(sandbox),
		             sandbox->span, "tools.sandbox");
		if (node_is(sandbox, "sandbox-exec"))
			setting_fact(s, FACT_SANDBOX_SETTING, "permissive-open", sandbox->span,
			             "SEATBELT_PROFILE");
		return;
	}
	f = snapshot_add_absent(s->w->snapshot, s->row, FACT_SANDBOX, "unset", s->row->span,
	                        "Gemini CLI default: off, unless the environment or a flag turns "
	                        "it on");
	snapshot_set_attribute(s->w->snapshot, f, "product", s->product);
}

const struct product product_gemini = {
	.name = "gemini-cli",
	.recognise = recognise,
	.settings = settings,
	.more = more,
};

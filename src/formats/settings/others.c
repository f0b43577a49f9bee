/* Smaller products: sandbox-runtime and fence policies, goose, opencode, OpenHands.
 *
 * Source: sandbox-runtime 0.0.78, goose and opencode pages of 2026, OpenHands config.template.toml
 * of 2025-11. SPDX-License-Identifier: MIT */
#include <string.h>
#include <strings.h>

#include "src/formats/settings/settings.h"

/* --- sandbox-runtime ------------------------------------------------------------------------ */

static bool recognise_srt(const char *path, const struct node *top)
{
	const struct node *network = node_get(top, "network"), *files = node_get(top, "filesystem");

	(void)path;
	return node_is_map(network) && node_is_map(files) && !node_get(top, "name") &&
	       (node_get(network, "allowedDomains") || node_get(files, "allowWrite") ||
	        node_get(files, "denyRead"));
}

static const struct setting srt[] = {
	{ .path = "network.allowedDomains", .form = SETTING_DOMAINS },
	{ .path = "network.deniedDomains", .form = SETTING_DOMAINS_DENIED },
	{ .path = "network.allowUnixSockets",
	  .form = SETTING_WIDE_LIST,
	  .name = "allowUnixSockets" },
	{ .path = "network.allowAllUnixSockets",
	  .form = SETTING_WIDE,
	  .name = "allowAllUnixSockets" },
	{ .path = "network.allowLocalBinding", .form = SETTING_WIDE, .name = "allowLocalBinding" },
	{ .path = "filesystem.allowWrite", .form = SETTING_WIDE_LIST },
	{ .path = "filesystem.allowRead", .form = SETTING_WIDE_LIST },
	{ .path = "filesystem.denyRead", .form = SETTING_NARROW_LIST },
	{ .path = "filesystem.denyWrite", .form = SETTING_NARROW_LIST },
	{ .path = "enableWeakerNestedSandbox", .form = SETTING_WIDE },
	{ .path = "enableWeakerNetworkIsolation", .form = SETTING_WIDE },
	{ 0 },
};

static void more_srt(struct settings *s)
{
	setting_fact(s, FACT_SANDBOX, "on", s->row->span, "policy file")->note =
	    "a policy for what is started through the launcher";
}

const struct product product_srt = {
	.name = "sandbox-runtime",
	.recognise = recognise_srt,
	.settings = srt,
	.more = more_srt,
};

/* --- goose ---------------------------------------------------------------------------------- */

static bool recognise_goose(const char *path, const struct node *top)
{
	static const char *const keys[] = { "GOOSE_MODE", "GOOSE_PROVIDER", "GOOSE_MODEL",
		                            "GOOSE_ALLOWLIST" };

	(void)path;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (node_get(top, keys[i]))
			return true;
	return false;
}

static const struct setting_words goose_modes[] = {
	{ "auto", "auto" },
	{ "smart_approve", "ask" },
	{ "approve", "ask" },
	{ "chat", "deny" },
	{ 0 },
};

static const struct setting goose[] = {
	{ .path = "GOOSE_MODE", .form = SETTING_APPROVALS, .map = goose_modes },
	{ .path = "GOOSE_ALLOWLIST", .form = SETTING_TEXT },
	{ 0 },
};

static void more_goose(struct settings *s)
{
	struct fact *f;

	if (!node_get(s->top, "GOOSE_MODE")) {
		f = setting_fact(s, FACT_APPROVALS, "", s->row->span, "GOOSE_MODE");
		f->provenance = PROVENANCE_UNRESOLVED;
		f->note = "the default differs by version: auto in 2026, smart_approve in 2025";
	}
}

const struct product product_goose = {
	.name = "goose",
	.recognise = recognise_goose,
	.settings = goose,
	.more = more_goose,
};

/* --- opencode ------------------------------------------------------------------------------- */

static bool recognise_opencode(const char *path, const struct node *top)
{
	const char *schema = node_text(node_get(top, "$schema"));

	return (schema && strstr(schema, "opencode.ai")) ||
	       path_is(path, "opencode.json opencode.jsonc");
}

static const struct setting opencode[] = {
	{ 0 },
};

static void opencode_tool(const struct settings *s, const char *tool, const char *pattern,
                          const struct node *value)
{
	struct fact *f;

	if (!node_is(value, "allow"))
		return;
	f = setting_fact(s, FACT_ALLOWED_TOOL,
	                 pattern ? arena_printf(&s->w->snapshot->arena, "%s(%s)", tool, pattern)
	                         : tool,
	                 value->span, "permission");
	snapshot_set_attribute(s->w->snapshot, f, "effect", "allow");
}

/* permission: "allow", or a map of tool to word or to a map of pattern to word. */
static void more_opencode(struct settings *s)
{
	const struct node *permission = node_get(s->top, "permission");

	if (node_is(permission, "allow"))
		setting_fact(s, FACT_APPROVALS, "bypass", permission->span, "permission");
	for (uint32_t i = 0; node_is_map(permission) && i < permission->count; i++) {
		const char *tool = node_text(permission->items[i].key);
		const struct node *value = node_resolve(permission->items[i].value);

		if (!tool)
			continue;
		if (strcmp(tool, "*") == 0 && node_is(value, "allow"))
			setting_fact(s, FACT_APPROVALS, "bypass", value->span, "permission");
		opencode_tool(s, tool, NULL, value);
		for (uint32_t k = 0; node_is_map(value) && k < value->count; k++)
			if (node_text(value->items[k].key))
				opencode_tool(s, tool, node_text(value->items[k].key),
				              node_resolve(value->items[k].value));
	}
}

const struct product product_opencode = {
	.name = "opencode",
	.recognise = recognise_opencode,
	.settings = opencode,
	.more = more_opencode,
};

/* --- OpenHands ------------------------------------------------------------------------------ */

static bool recognise_openhands(const char *path, const struct node *top)
{
	const struct node *core = node_get(top, "core");

	return path_ends(path, ".toml") && node_is_map(core) &&
	       (node_get(core, "runtime") || node_get(core, "workspace_base") ||
	        node_get(core, "run_as_openhands"));
}

static const struct setting openhands[] = {
	{ .path = "sandbox.use_host_network", .form = SETTING_WIDE, .name = "use_host_network" },
	{ .path = "sandbox.volumes", .form = SETTING_WIDE_LIST },
	{ .path = "sandbox.enable_gpu", .form = SETTING_WIDE },
	{ .path = "sandbox.docker_runtime_kwargs", .form = SETTING_WIDE_LIST },
	{ .path = "security.confirmation_mode", .form = SETTING_NARROW },
	{ 0 },
};

static void more_openhands(struct settings *s)
{
	const struct node *runtime = setting_find(s->top, "core.runtime");
	const struct node *privileged = setting_find(s->top, "kubernetes.privileged");
	bool none = node_is(runtime, "local") || node_is(runtime, "cli");

	if (node_text(runtime))
		setting_fact(s, FACT_SANDBOX, none ? "none" : node_text(runtime), runtime->span,
		             "core.runtime");
	if (setting_is_true(privileged))
		setting_fact(s, FACT_PRIVILEGED, "true", privileged->span, "kubernetes.privileged");
}

const struct product product_openhands = {
	.name = "openhands",
	.recognise = recognise_openhands,
	.settings = openhands,
	.more = more_openhands,
};

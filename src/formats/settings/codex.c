/* Codex: config.toml of the user or of a trusted project, and requirements.toml.
 *
 * Source: configuration schema of 2026-05, pages of 2026-11.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "src/formats/settings/settings.h"

static bool recognise(const char *path, const struct node *top)
{
	static const char *const keys[] = {
		"approval_policy",        "sandbox_workspace_write",  "default_permissions",
		"model_reasoning_effort", "shell_environment_policy", "approvals_reviewer",
		"allowed_sandbox_modes",  "allowed_approval_policies"
	};

	if (!path_ends(path, ".toml"))
		return false;
	if (node_text(node_get(top, "sandbox_mode")) && !node_get(top, "plugins"))
		return true;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (node_get(top, keys[i]))
			return true;
	return path_is(path, ".codex/config.toml codex/config.toml") &&
	       (node_get(top, "model") || node_get(top, "mcp_servers") ||
	        node_get(top, "projects") || node_get(top, "profiles"));
}

static const struct setting_words policies[] = {
	{ "never", "bypass" },
	{ "on-failure", "ask" },
	{ "on-request", "ask" },
	{ "untrusted", "ask" },
	{ 0 },
};

static const struct setting_words reviewers[] = {
	{ "auto_review", "auto" },
	{ "user", "ask" },
	{ 0 },
};

static const struct setting settings[] = {
	{ .path = "approval_policy",
	  .form = SETTING_APPROVALS,
	  .otherwise = "ask",
	  .note = "Codex default: on-request; flags, profiles and managed files may say otherwise",
	  .map = policies },
	{ .path = "approvals_reviewer", .form = SETTING_APPROVALS, .map = reviewers },
	{ .path = "default_permissions", .form = SETTING_TEXT },
	{ .path = "sandbox_workspace_write.network_access",
	  .form = SETTING_WIDE,
	  .otherwise = "false",
	  .note = "Codex default: false" },
	{ .path = "sandbox_workspace_write.writable_roots", .form = SETTING_WIDE_LIST },
	{ .path = "sandbox_workspace_write.exclude_tmpdir_env_var", .form = SETTING_NARROW },
	{ .path = "sandbox_workspace_write.exclude_slash_tmp", .form = SETTING_NARROW },
	{ .path = "features.network_proxy.domains", .form = SETTING_DOMAINS },
	{ .path = "features.network_proxy.dangerously_allow_all_unix_sockets",
	  .form = SETTING_WIDE,
	  .name = "allowAllUnixSockets" },
	{ .path = "shell_environment_policy.inherit", .form = SETTING_TEXT },
	{ .path = "shell_environment_policy.ignore_default_excludes", .form = SETTING_WIDE },
	{ .path = "shell_environment_policy.set", .form = SETTING_ENVIRONMENT },
	{ .path = "allowed_sandbox_modes", .form = SETTING_NARROW_LIST },
	{ .path = "allowed_approval_policies", .form = SETTING_NARROW_LIST },
	{ .path = "allowed_permission_profiles", .form = SETTING_NARROW_LIST },
	{ 0 },
};

/* The mode is a level of sandbox, not a switch. */
static void read_mode(const struct settings *s, const struct node *mode, const char *setting)
{
	const char *text = node_text(mode);

	if (!text)
		return;
	setting_fact(s, FACT_SANDBOX,
	             strcmp(text, "danger-full-access") == 0 ||
	                     strcmp(text, ":danger-full-access") == 0
	                 ? "danger-full-access"
	                 : text,
	             mode->span, setting);
}

/* A failed command is offered again outside the sandbox. */
static void read_policy(const struct settings *s)
{
	const struct node *policy = node_get(s->top, "approval_policy");

	if (node_is(policy, "on-failure"))
		snapshot_set_attribute(s->w->snapshot,
		                       setting_fact(s, FACT_SANDBOX_SETTING, "on-failure",
		                                    policy->span, "approval_policy"),
		                       "effect", "wide");
}

static void read_projects(const struct settings *s)
{
	const struct node *projects = node_get(s->top, "projects");

	for (uint32_t i = 0; node_is_map(projects) && i < projects->count; i++) {
		const struct node *level = node_get(projects->items[i].value, "trust_level");
		const char *path = node_text(projects->items[i].key);

		if (path && node_is(level, "trusted"))
			setting_fact(s, FACT_AUTO_TRUST,
			             arena_printf(&s->w->snapshot->arena, "project %s", path),
			             level->span, "trust_level");
	}
}

static void read_profiles(const struct settings *s)
{
	const struct node *profiles = node_get(s->top, "profiles");

	for (uint32_t i = 0; node_is_map(profiles) && i < profiles->count; i++) {
		const struct node *profile = profiles->items[i].value;
		const struct node *policy = node_get(profile, "approval_policy");

		read_mode(s, node_get(profile, "sandbox_mode"), "profiles.sandbox_mode");
		if (node_is(policy, "never"))
			setting_fact(s, FACT_APPROVALS, "bypass", policy->span,
			             "profiles.approval_policy");
	}
}

static void more(struct settings *s)
{
	read_mode(s, node_get(s->top, "sandbox_mode"), "sandbox_mode");
	read_mode(s, node_get(s->top, "default_permissions"), "default_permissions");
	read_policy(s);
	read_projects(s);
	read_profiles(s);
}

const struct product product_codex = {
	.name = "codex",
	.recognise = recognise,
	.settings = settings,
	.more = more,
};

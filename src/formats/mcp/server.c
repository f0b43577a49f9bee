/* One MCP server entry → one row with its facts.
 * SPDX-License-Identifier: MIT */
#include <string.h>
#include <strings.h>

#include "src/formats/mcp/mcp.h"

#define KEYS(...) ((const char *const[]){ __VA_ARGS__, NULL })

struct fact *mcp_fact(const struct mcp_server *s, enum fact_kind kind, const char *value,
                      struct span span)
{
	return snapshot_add_fact(s->w->snapshot, s->row, kind, value, span);
}

void mcp_set(const struct mcp_server *s, struct fact *f, const char *name, const char *value)
{
	snapshot_set_attribute(s->w->snapshot, f, name, value);
}

const struct node *mcp_field(const struct mcp_server *s, const char *const *keys)
{
	const struct node *nested = node_get(s->entry, "transport");
	const struct node *remote = node_get(s->entry, "remote");
	const struct node *found = NULL;

	for (; *keys && !found; keys++) {
		found = node_get(s->entry, *keys);
		if (!found && node_is_map(nested))
			found = node_get(nested, *keys);
		if (!found && node_is_map(remote))
			found = node_get(remote, *keys);
	}
	return found;
}

/* --- environment ---------------------------------------------------------------------------- */

static void env_pair(const struct mcp_server *s, const char *text, struct span span)
{
	const char *equals = strchr(text, '=');
	struct arena *a = &s->w->snapshot->arena;

	if (equals)
		env_fact(s->w, s->row, arena_copy(a, text, (size_t)(equals - text)), equals + 1,
		         span);
	else
		env_fact(s->w, s->row, text, NULL, span);
}

static void env_list(const struct mcp_server *s, const struct node *list)
{
	for (uint32_t i = 0; i < node_count(list); i++) {
		const struct node *item = node_at(list, i);
		const char *name = node_text(item);

		if (!name)
			name = node_text(node_get(item, "name"));
		if (name)
			env_pair(s, name, item->span);
	}
}

static void env_map(const struct mcp_server *s, const struct node *map)
{
	for (uint32_t i = 0; i < node_count(map); i++) {
		const struct node *key = map->items[i].key;
		const char *value = node_text(map->items[i].value);

		if (!node_text(key))
			continue;
		env_fact(s->w, s->row, node_text(key),
		         value || !node_is_null(map->items[i].value) ? value : "", key->span);
	}
}

static void read_env(const struct mcp_server *s)
{
	static const char *const keys[] = { "env", "environment", "envs", "env_vars", "env_keys" };
	const struct node *file = mcp_field(s, KEYS("envFile", "env_file"));

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const struct node *env = mcp_field(s, KEYS(keys[i]));

		if (node_is_map(env))
			env_map(s, env);
		else if (node_is_seq(env))
			env_list(s, env);
		else if (env && !node_is_null(env))
			input_problem(s->w, s->in, env->span,
			              "server \"%s\": \"%s\" is no map of variables", s->name,
			              keys[i]);
	}
	if (node_text(file))
		mcp_set(s, fact_from_node(s->w, s->row, FACT_ENV_FILE, file), "kind", "file");
}

/* --- trust ---------------------------------------------------------------------------------- */

static bool is_true(const struct node *n)
{
	const char *text = node_text(n);

	return text && (strcasecmp(text, "true") == 0 || strcasecmp(text, "yes") == 0 ||
	                strcasecmp(text, "on") == 0);
}

static bool is_false(const struct node *n)
{
	const char *text = node_text(n);

	return text && (strcasecmp(text, "false") == 0 || strcasecmp(text, "no") == 0 ||
	                strcasecmp(text, "off") == 0);
}

static void allowed_tool(const struct mcp_server *s, const struct node *item, const char *setting)
{
	struct fact *f;

	if (!node_text(item))
		return;
	if (node_is(item, "*") || is_true(item)) {
		f = mcp_fact(s, FACT_AUTO_TRUST, setting, item->span);
		mcp_set(s, f, "tools", "*");
		return;
	}
	if (is_false(item))
		return;
	f = mcp_fact(s, FACT_ALLOWED_TOOL, node_text(item), item->span);
	mcp_set(s, f, "setting", setting);
}

static void read_allowed(const struct mcp_server *s)
{
	static const char *const settings[] = { "alwaysAllow",       "always_allow", "autoApprove",
		                                "auto_approve",      "autoapprove",  "allowedTools",
		                                "alwaysAllowedTools" };

	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		const struct node *list = node_get(s->entry, settings[i]);

		if (!list)
			continue;
		if (!node_is_seq(list))
			allowed_tool(s, list, settings[i]);
		for (uint32_t k = 0; node_is_seq(list) && k < list->count; k++)
			allowed_tool(s, node_at(list, k), settings[i]);
	}
}

/* Codex: [mcp_servers.NAME.tools.TOOL] approval_mode = "approve". */
static void read_tool_modes(const struct mcp_server *s)
{
	const struct node *tools = node_get(s->entry, "tools");

	for (uint32_t i = 0; node_is_map(tools) && i < tools->count; i++) {
		const struct node *mode = node_get(tools->items[i].value, "approval_mode");

		if (node_is(mode, "approve") && node_text(tools->items[i].key))
			mcp_set(s,
			        mcp_fact(s, FACT_ALLOWED_TOOL, node_text(tools->items[i].key),
			                 mode->span),
			        "setting", "approval_mode");
	}
}

static void read_trust(const struct mcp_server *s)
{
	const struct node *trust = node_get(s->entry, "trust");
	const struct node *mode = node_get(s->entry, "default_tools_approval_mode");

	if (is_true(trust))
		mcp_set(s, mcp_fact(s, FACT_AUTO_TRUST, "trust", trust->span), "tools", "*");
	if (node_is(mode, "approve") || node_is(mode, "auto"))
		mcp_set(s, mcp_fact(s, FACT_AUTO_TRUST, "default_tools_approval_mode", mode->span),
		        "tools", "*");
	read_allowed(s);
	read_tool_modes(s);
}

/* VS Code: a server with sandboxEnabled runs in the editor's sandbox and is then not asked about.
 */
static void read_sandbox(const struct mcp_server *s)
{
	const struct node *enabled = node_get(s->entry, "sandboxEnabled");
	struct fact *f;

	if (!node_text(enabled))
		return;
	f = mcp_fact(s, FACT_SANDBOX, is_true(enabled) ? "on" : "off", enabled->span);
	mcp_set(s, f, "product", "vscode");
	mcp_set(s, f, "setting", "sandboxEnabled");
	if (is_true(enabled))
		mcp_fact(s, FACT_AUTO_TRUST, "sandboxEnabled", enabled->span);
}

static void read_activity(const struct mcp_server *s)
{
	const struct node *enabled = node_get(s->entry, "enabled");
	const struct node *disabled = node_get(s->entry, "disabled");
	const struct node *off = is_false(enabled) ? enabled : is_true(disabled) ? disabled : NULL;
	const char *setting = is_false(enabled) ? "enabled: false" : "disabled: true";

	if (!off)
		return;
	mcp_fact(s, FACT_DISABLED, setting, off->span);
	s->row->activity = ROW_DISABLED;
	s->row->activity_reason =
	    arena_printf(&s->w->snapshot->arena, "switched off in its file: %s", setting);
}

/* --- the entry ------------------------------------------------------------------------------ */

static bool has_url(const struct mcp_server *s)
{
	return node_text(mcp_field(s, KEYS("url", "httpUrl", "serverUrl", "uri"))) &&
	       !mcp_field(s, KEYS("command", "cmd", "ref"));
}

static struct row *add_row(const struct mcp_server *s, struct span span)
{
	const struct row_spec spec = {
		.path = s->in->artifact->path,
		.object_kind = "mcp",
		.unit = s->name,
		.kind = s->remote ? ROW_HELPER : ROW_TOOL_SUBPROCESS,
		.role = ROLE_MCP_SERVER,
		.format = FORMAT_MCP,
		.artifact = s->in->artifact->index,
		.span = span,
	};
	struct row *row = snapshot_add_row(s->w->snapshot, &spec);

	row->role_reason = "an entry of an MCP client's server list";
	return row;
}

static void read_entry(struct workspace *w, struct input *in, const char *name,
                       const struct node *entry, struct span span)
{
	struct mcp_server s = { .w = w, .in = in, .entry = entry, .name = name };
	const struct node *cwd;

	s.remote = has_url(&s);
	s.row = add_row(&s, span);
	read_activity(&s);
	mcp_read_launch(&s);
	mcp_read_remote(&s);
	read_env(&s);
	read_trust(&s);
	read_sandbox(&s);
	cwd = mcp_field(&s, KEYS("cwd", "working_dir"));
	if (node_text(cwd))
		fact_from_node(w, s.row, FACT_WORKDIR, cwd);
}

/* goose's own extensions run inside its process: no row of their own. */
static bool is_inside_client(const struct mcp_group *group, const struct node *entry)
{
	const struct node *type = node_get(entry, "type");

	return (strcmp(group->key, "extensions") == 0 &&
	        (node_is(type, "builtin") || node_is(type, "platform") ||
	         node_is(type, "frontend"))) ||
	       (strcmp(group->key, "toolsets") == 0 && !node_is(type, "mcp"));
}

static const char *item_name(struct arena *a, const struct node *entry, uint32_t i)
{
	const char *name = node_text(node_get(entry, "name"));

	if (!name)
		name = node_text(node_get(entry, "ref"));
	if (!name)
		name = node_text(node_get(entry, "command"));
	return name ? name : arena_printf(a, "server %u", i + 1);
}

/* OpenHands lists servers also by their bare address. */
static void read_address(struct workspace *w, struct input *in, const struct node *item)
{
	struct mcp_server s = { .w = w, .in = in, .entry = item, .remote = true };

	s.name = "remote";
	s.row = add_row(&s, item->span);
	mcp_url(&s, node_text(item), item->span, "url");
}

void mcp_read_group(struct workspace *w, struct input *in, const struct mcp_group *group)
{
	struct arena *a = &w->snapshot->arena;
	bool map = node_is_map(group->node);

	for (uint32_t i = 0; i < node_count(group->node); i++) {
		const struct node_item *item = &group->node->items[i];
		const struct node *entry = node_resolve(item->value);
		const char *name = map ? node_text(item->key) : item_name(a, entry, i);

		if (map && name && strcmp(name, "<<") == 0)
			continue;
		if (node_is_map(entry) && name && !is_inside_client(group, entry))
			read_entry(w, in, name, entry, map ? item->key->span : entry->span);
		else if (!map && node_text(entry) && strstr(node_text(entry), "://"))
			read_address(w, in, entry);
		else if (entry && !node_is_map(entry) && !node_is_null(entry))
			input_problem(w, in, item->value->span,
			              "server \"%s\": expected a map of settings",
			              name ? name : "?");
	}
}

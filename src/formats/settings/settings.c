/* Agent settings: products, their files, and the reading of their tables.
 * SPDX-License-Identifier: MIT */
#include "src/formats/settings/settings.h"

#include <string.h>
#include <strings.h>

static const struct product *const products[] = {
	&product_claude, &product_codex, &product_gemini,   &product_vscode,    &product_cursor,
	&product_srt,    &product_goose, &product_opencode, &product_openhands, &product_zed,
};

/* --- finding values ------------------------------------------------------------------------- */

const struct node *setting_find(const struct node *top, const char *path)
{
	for (;;) {
		const struct node *whole = node_get(top, path);
		char key[96];
		size_t n = strcspn(path, ".");

		if (whole || !path[n] || n >= sizeof key)
			return whole;
		memcpy(key, path, n);
		key[n] = '\0';
		if (!node_is_map(node_get(top, key))) {
			/* A flat key such as "a.b" may hold a map with the rest. */
			size_t more = n + 1 + strcspn(path + n + 1, ".");

			if (!path[more] || more >= sizeof key)
				return NULL;
			memcpy(key, path, more);
			key[more] = '\0';
			n = more;
		}
		top = node_get(top, key);
		path += n + 1;
		if (!top)
			return NULL;
	}
}

/* The map that would hold the last key of PATH: its own key's place is where an absence is told. */
static const struct node *holder_of(const struct node *top, const char *path)
{
	const char *dot = strrchr(path, '.');
	char parent[128];

	if (!dot)
		return top;
	if ((size_t)(dot - path) >= sizeof parent)
		return NULL;
	memcpy(parent, path, (size_t)(dot - path));
	parent[dot - path] = '\0';
	return setting_find(top, parent);
}

bool setting_is_true(const struct node *n)
{
	const char *text = node_text(n);

	return text && (strcasecmp(text, "true") == 0 || strcasecmp(text, "on") == 0 ||
	                strcasecmp(text, "yes") == 0);
}

bool setting_is_false(const struct node *n)
{
	const char *text = node_text(n);

	return text && (strcasecmp(text, "false") == 0 || strcasecmp(text, "off") == 0 ||
	                strcasecmp(text, "no") == 0);
}

bool path_is(const char *path, const char *names)
{
	size_t length = strlen(path);

	while (*names) {
		size_t n = strcspn(names, " ");

		if (n && n <= length && strncasecmp(path + length - n, names, n) == 0 &&
		    (n == length || path[length - n - 1] == '/'))
			return true;
		names += n + (names[n] == ' ');
	}
	return false;
}

/* --- one reader a form ---------------------------------------------------------------------- */

struct fact *setting_fact(const struct settings *s, enum fact_kind kind, const char *value,
                          struct span span, const char *setting)
{
	struct fact *f = snapshot_add_fact(s->w->snapshot, s->row, kind, value, span);

	snapshot_set_attribute(s->w->snapshot, f, "setting", setting);
	snapshot_set_attribute(s->w->snapshot, f, "product", s->product);
	return f;
}

static const char *name_of(const struct setting *t)
{
	return t->name ? t->name : t->path;
}

static void effect(const struct settings *s, struct fact *f, bool wide)
{
	snapshot_set_attribute(s->w->snapshot, f, "effect", wide ? "wide" : "narrow");
}

static void bad_type(const struct settings *s, const struct setting *t, const struct node *n,
                     const char *expected)
{
	if (!node_is_null(n))
		input_problem(s->w, s->in, n->span, "setting \"%s\": expected %s", t->path,
		              expected);
}

typedef void reader(const struct settings *s, const struct setting *t, const struct node *n);

static void read_sandbox(const struct settings *s, const struct setting *t, const struct node *n)
{
	const char *text = node_text(n);

	if (!text) {
		bad_type(s, t, n, "true or false");
		return;
	}
	setting_fact(s, FACT_SANDBOX,
	             setting_is_true(n)    ? "on"
	             : setting_is_false(n) ? "off"
	                                   : text,
	             n->span, name_of(t));
}

static void read_switch(const struct settings *s, const struct setting *t, const struct node *n)
{
	bool on = setting_is_true(n);

	if (!on && !setting_is_false(n)) {
		bad_type(s, t, n, "true or false");
		return;
	}
	effect(s, setting_fact(s, FACT_SANDBOX_SETTING, on ? "true" : "false", n->span, name_of(t)),
	       on == (t->form == SETTING_WIDE));
}

/* Calls READ for each scalar of a list, for a lone scalar, or for each key of a map. */
static void each(const struct settings *s, const struct setting *t, const struct node *n,
                 void (*read)(const struct settings *, const struct setting *, const char *,
                              struct span))
{
	if (node_text(n) && *node_text(n))
		read(s, t, node_text(n), n->span);
	for (uint32_t i = 0; node_is_seq(n) && i < n->count; i++)
		if (node_text(node_at(n, i)))
			read(s, t, node_text(node_at(n, i)), node_at(n, i)->span);
	for (uint32_t i = 0; node_is_map(n) && i < n->count; i++)
		if (node_text(n->items[i].key) && !setting_is_false(n->items[i].value))
			read(s, t, node_text(n->items[i].key), n->items[i].key->span);
}

static void list_item(const struct settings *s, const struct setting *t, const char *text,
                      struct span span)
{
	effect(s, setting_fact(s, FACT_SANDBOX_SETTING, text, span, name_of(t)),
	       t->form == SETTING_WIDE_LIST);
}

static void tool_item(const struct settings *s, const struct setting *t, const char *text,
                      struct span span)
{
	struct fact *f = setting_fact(s, FACT_ALLOWED_TOOL, text, span, name_of(t));

	snapshot_set_attribute(s->w->snapshot, f, "effect",
	                       t->form == SETTING_TOOLS ? "allow" : "deny");
}

static void domain_item(const struct settings *s, const struct setting *t, const char *text,
                        struct span span)
{
	struct fact *f = setting_fact(s, FACT_DOMAIN_RULE, text, span, name_of(t));

	snapshot_set_attribute(s->w->snapshot, f, "effect",
	                       t->form == SETTING_DOMAINS ? "allow" : "deny");
}

static void read_list(const struct settings *s, const struct setting *t, const struct node *n)
{
	each(s, t, n, list_item);
}

static void read_tools(const struct settings *s, const struct setting *t, const struct node *n)
{
	each(s, t, n, tool_item);
}

static void read_domains(const struct settings *s, const struct setting *t, const struct node *n)
{
	each(s, t, n, domain_item);
}

static void read_text(const struct settings *s, const struct setting *t, const struct node *n)
{
	if (node_text(n))
		setting_fact(s, FACT_SANDBOX_SETTING, node_text(n), n->span, name_of(t));
}

static void read_approvals(const struct settings *s, const struct setting *t, const struct node *n)
{
	const char *text = node_text(n), *value = "ask";
	struct fact *f;

	if (!text)
		return;
	for (const struct setting_words *m = t->map; m && m->from; m++)
		if (strcasecmp(m->from, text) == 0)
			value = m->to;
	f = setting_fact(s, FACT_APPROVALS, value, n->span, name_of(t));
	snapshot_set_attribute(s->w->snapshot, f, "written", text);
}

static void read_trust(const struct settings *s, const struct setting *t, const struct node *n)
{
	if (setting_is_true(n))
		setting_fact(s, FACT_AUTO_TRUST, name_of(t), n->span, name_of(t));
	for (uint32_t i = 0; node_is_seq(n) && i < n->count; i++)
		if (node_text(node_at(n, i)))
			setting_fact(s, FACT_AUTO_TRUST, node_text(node_at(n, i)),
			             node_at(n, i)->span, name_of(t));
}

static void read_command(const struct settings *s, const struct setting *t, const struct node *n)
{
	const char *text;
	struct fact *f;

	if (!node_text(n) || !*node_text(n))
		return;
	/* A helper that prints its credential is the credential. */
	text = strncmp(node_text(n), "echo ", 5) == 0 ? "echo " SECRET_SHOWN : node_text(n);
	f = setting_fact(s, FACT_HOOK, text, n->span, name_of(t));
	snapshot_set_attribute(s->w->snapshot, f, "event", name_of(t));
	snapshot_set_attribute(s->w->snapshot, f, "where", "host");
}

static void read_environment(const struct settings *s, const struct setting *t,
                             const struct node *n)
{
	(void)t;
	for (uint32_t i = 0; node_is_map(n) && i < n->count; i++)
		if (node_text(n->items[i].key))
			env_fact(s->w, s->row, node_text(n->items[i].key),
			         node_text(n->items[i].value) ? node_text(n->items[i].value) : "",
			         n->items[i].key->span);
}

static reader *const readers[] = {
	[SETTING_SANDBOX] = read_sandbox,     [SETTING_WIDE] = read_switch,
	[SETTING_NARROW] = read_switch,       [SETTING_WIDE_LIST] = read_list,
	[SETTING_NARROW_LIST] = read_list,    [SETTING_TEXT] = read_text,
	[SETTING_APPROVALS] = read_approvals, [SETTING_TRUST] = read_trust,
	[SETTING_TOOLS] = read_tools,         [SETTING_TOOLS_DENIED] = read_tools,
	[SETTING_DOMAINS] = read_domains,     [SETTING_DOMAINS_DENIED] = read_domains,
	[SETTING_COMMAND] = read_command,     [SETTING_ENVIRONMENT] = read_environment,
};

/* --- absence -------------------------------------------------------------------------------- */

static void read_default(const struct settings *s, const struct setting *t)
{
	static const enum fact_kind kinds[] = {
		[SETTING_SANDBOX] = FACT_SANDBOX,        [SETTING_WIDE] = FACT_SANDBOX_SETTING,
		[SETTING_NARROW] = FACT_SANDBOX_SETTING, [SETTING_TEXT] = FACT_SANDBOX_SETTING,
		[SETTING_APPROVALS] = FACT_APPROVALS,
	};
	const struct node *holder = holder_of(s->top, t->path);
	bool on = strcmp(t->otherwise, "true") == 0;
	struct fact *f;

	if (!node_is_map(holder))
		return;
	f = snapshot_add_absent(s->w->snapshot, s->row, kinds[t->form], t->otherwise,
	                        holder == s->top ? s->row->span : node_key_span(holder), t->note);
	snapshot_set_attribute(s->w->snapshot, f, "setting", name_of(t));
	snapshot_set_attribute(s->w->snapshot, f, "product", s->product);
	if (t->form == SETTING_WIDE || t->form == SETTING_NARROW)
		effect(s, f, on == (t->form == SETTING_WIDE));
}

static void read_table(const struct settings *s, const struct setting *table)
{
	for (; table->path; table++) {
		const struct node *n = setting_find(s->top, table->path);

		if (n)
			readers[table->form](s, table, n);
		else if (table->otherwise)
			read_default(s, table);
	}
}

/* --- the format ----------------------------------------------------------------------------- */

static bool interested(const char *path)
{
	return path_ends(path, ".json .jsonc .yaml .yml .toml .code-workspace");
}

static bool claims(const char *path, const char *bytes, size_t length)
{
	static const char *const folders[] = { ".claude/", ".codex/",  ".gemini/",
		                               ".qwen/",   ".cursor/", "opencode.json" };
	static const char *const needles[] = {
		"permissions",
		"sandbox",
		"hooks",
		"enabledPlugins",
		"McpServers",
		"approval",
		"GOOSE_",
		"trust_level",
		"autoApprove",
		"allowedDomains",
		"networkPolicy",
		"folderTrust",
		"tool_permissions",
		"permission",
		"apiKeyHelper",
		"chat.",
		"defaultApprovalMode",
		"always_allow_tool_actions",
		"strictKnownMarketplaces",
		"runtime",
		"mcpServers",
	};

	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		if (strstr(path, folders[i]))
			return true;
	for (size_t i = 0; i < sizeof needles / sizeof *needles; i++)
		if (bytes_hold(bytes, length, needles[i]))
			return true;
	return false;
}

/* A schema describes such files. */
static bool is_schema(const struct node *top)
{
	const char *schema = node_text(node_get(top, "$schema"));

	return (schema && strstr(schema, "json-schema.org")) ||
	       (node_get(top, "$defs") && node_get(top, "properties"));
}

static const struct node *top_of(const struct input *in)
{
	const struct node *top = in->documents.count ? node_resolve(in->documents.items[0]) : NULL;

	return node_is_map(top) && !is_schema(top) ? top : NULL;
}

static const struct product *product_of(const struct input *in)
{
	const struct node *top = top_of(in);

	for (size_t i = 0; top && i < sizeof products / sizeof *products; i++)
		if (products[i]->recognise(in->artifact->path, top))
			return products[i];
	return NULL;
}

static bool recognise(const struct input *in)
{
	return product_of(in) != NULL;
}

static void read(struct workspace *w, struct input *in)
{
	const struct product *product = product_of(in);
	const struct row_spec spec = {
		.path = in->artifact->path,
		.object_kind = "settings",
		.unit = product->name,
		.kind = ROW_SANDBOX_PROCESS,
		.role = ROLE_AGENT,
		.format = FORMAT_AGENT_SETTINGS,
		.artifact = in->artifact->index,
		.span = source_line_span(in->source, 1),
	};
	struct settings s = { .w = w, .in = in, .top = top_of(in), .product = product->name };

	s.row = snapshot_add_row(w->snapshot, &spec);
	s.row->role_reason = "the product whose settings these are";
	in->state[FORMAT_AGENT_SETTINGS] = s.row;
	read_table(&s, product->settings);
	if (product->more)
		product->more(&s);
}

/* Servers in the same file are started by the product. */
static void join(struct workspace *w)
{
	for (size_t i = 0; i < w->snapshot->rows.count; i++) {
		struct row *r = w->snapshot->rows.items[i];
		const struct artifact *artifact = w->snapshot->artifacts.items[r->artifact];
		struct input *in = r->format == FORMAT_MCP && !r->parent
		                       ? workspace_input(w, artifact->path)
		                       : NULL;
		const struct row *agent = in ? in->state[FORMAT_AGENT_SETTINGS] : NULL;

		if (agent)
			r->parent = agent->index + 1;
	}
}

const struct format format_settings = {
	.id = FORMAT_AGENT_SETTINGS,
	.syntax = SYNTAX_JSONC,
	.interested = interested,
	.claims = claims,
	.recognise = recognise,
	.read = read,
	.join = join,
};

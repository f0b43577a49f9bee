/* Exports of docker info and docker version: the engine's own defaults, which hold for every
 * container that says nothing else.
 *
 * Text as printed by docker/cli 2026-08, JSON as in moby api/types/system of 2026-08.
 * SPDX-License-Identifier: MIT */
#include <string.h>
#include <strings.h>

#include "src/formats/exports/export.h"

struct engine {
	struct workspace *w;
	struct row *row;
	struct fact *seccomp;
};

static struct arena *arena_of(const struct engine *e)
{
	return &e->w->snapshot->arena;
}

static struct fact *add(const struct engine *e, enum fact_kind kind, const char *value,
                        struct span span)
{
	return snapshot_add_fact(e->w->snapshot, e->row, kind, value, span);
}

static void set(const struct engine *e, struct fact *f, const char *name, const char *value)
{
	snapshot_set_attribute(e->w->snapshot, f, name, value);
}

/* --- what both forms say -------------------------------------------------------------------- */

static void seccomp_profile(struct engine *e, const char *profile, struct span span)
{
	bool builtin = strcmp(profile, "builtin") == 0 || strcmp(profile, "default") == 0;

	e->seccomp = add(e, FACT_SECCOMP, builtin ? "default" : profile, span);
	if (!builtin && strcmp(profile, "unconfined") != 0)
		set(e, e->seccomp, "profile", profile);
}

static void security_option(struct engine *e, const char *name, struct span span)
{
	if (strcmp(name, "apparmor") == 0)
		add(e, FACT_APPARMOR, "default", span);
	else if (strcmp(name, "selinux") == 0)
		add(e, FACT_SELINUX, "enabled", span);
	else if (strcmp(name, "userns") == 0 || strcmp(name, "rootless") == 0)
		add(e, FACT_USERNS, name, span);
	else if (strcmp(name, "no-new-privileges") == 0)
		add(e, FACT_NO_NEW_PRIVILEGES, "true", span);
	else
		return;
	set(e,
	    add(e, FACT_DAEMON_DEFAULT, arena_printf(arena_of(e), "security option %s", name),
	        span),
	    "setting", name);
}

static bool is_loopback_range(const char *registry)
{
	return strncmp(registry, "127.", 4) == 0 || strncmp(registry, "::1", 3) == 0;
}

static void insecure_registry(struct engine *e, const char *registry, struct span span)
{
	if (*registry && !is_loopback_range(registry))
		set(e, add(e, FACT_REGISTRY, registry, span), "insecure", "true");
}

static void setting(struct engine *e, const char *name, const char *value, struct span span)
{
	if (*value)
		set(e,
		    add(e, FACT_DAEMON_DEFAULT, arena_printf(arena_of(e), "%s=%s", name, value),
		        span),
		    "setting", name);
}

static const char *const settings[] = {
	"Server Version",   "Default Runtime", "Cgroup Version",   "Cgroup Driver",
	"Operating System", "OSType",          "Kernel Version",   "Live Restore Enabled",
	"Runtimes",         "Storage Driver",  "Firewall Backend",
};

/* --- text ----------------------------------------------------------------------------------- */

static bool looks_like_text(const char *bytes, size_t length)
{
	return bytes_hold(bytes, length, "Server Version:") &&
	       (bytes_hold(bytes, length, "Docker Root Dir:") ||
	        bytes_hold(bytes, length, "Security Options:"));
}

struct line {
	const char *text; /* without indentation */
	size_t indent, length;
	struct span span;
};

static struct line line_at(const struct engine *e, const struct source *s, uint32_t number)
{
	struct span span = source_line_span(s, number);
	const char *text = source_text(s, span);
	struct line line = { .span = span };

	if (!text)
		return line;
	while (line.indent < span.length && text[line.indent] == ' ')
		line.indent++;
	line.length = span.length - line.indent;
	while (line.length && strchr(" \t\r", text[line.indent + line.length - 1]))
		line.length--;
	line.text = arena_copy(arena_of(e), text + line.indent, line.length);
	line.span.offset += (uint32_t)line.indent;
	line.span.length = (uint32_t)line.length;
	return line;
}

/* The value behind "NAME: ", or NULL. */
static const char *value_of(const struct line *line, const char *name)
{
	size_t n = strlen(name);

	if (!line->text || strncasecmp(line->text, name, n) != 0 || line->text[n] != ':')
		return NULL;
	return line->text + n + 1 + strspn(line->text + n + 1, " ");
}

/* The lines that are indented deeper than the one at NUMBER belong to it. */
static uint32_t block_end(const struct engine *e, const struct source *s, uint32_t number)
{
	size_t indent = line_at(e, s, number).indent;
	uint32_t end = number + 1;

	while (end <= s->line_count && line_at(e, s, end).length &&
	       line_at(e, s, end).indent > indent)
		end++;
	return end;
}

static void text_security(struct engine *e, const struct source *s, uint32_t from, uint32_t end)
{
	bool seccomp = false;

	for (uint32_t i = from; i < end; i++) {
		struct line line = line_at(e, s, i);
		const char *profile = value_of(&line, "Profile");

		if (profile && seccomp)
			seccomp_profile(e, profile, line.span);
		if (strcmp(line.text, "seccomp") == 0)
			seccomp = true;
		else if (!profile)
			security_option(e, line.text, line.span);
	}
}

static void text_registries(struct engine *e, const struct source *s, uint32_t from, uint32_t end)
{
	for (uint32_t i = from; i < end; i++) {
		struct line line = line_at(e, s, i);

		insecure_registry(e, line.text, line.span);
	}
}

static void text_line(struct engine *e, const struct source *s, uint32_t number)
{
	struct line line = line_at(e, s, number);

	if (!line.length)
		return;
	if (value_of(&line, "Security Options"))
		text_security(e, s, number + 1, block_end(e, s, number));
	else if (value_of(&line, "Insecure Registries"))
		text_registries(e, s, number + 1, block_end(e, s, number));
	else if (strncmp(line.text, "WARNING: ", 9) == 0)
		set(e, add(e, FACT_DAEMON_DEFAULT, line.text + 9, line.span), "setting", "warning");
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
		if (value_of(&line, settings[i]))
			setting(e, settings[i], value_of(&line, settings[i]), line.span);
}

/* --- JSON ----------------------------------------------------------------------------------- */

static const struct node *top_of(const struct input *in)
{
	return in->documents.count ? node_resolve(in->documents.items[0]) : NULL;
}

static bool looks_like_json(const struct node *top)
{
	return node_is_map(top) && node_get(top, "SecurityOptions") &&
	       (node_get(top, "ServerVersion") || node_get(top, "DockerRootDir"));
}

/* "name=seccomp,profile=builtin"; before 2017 the bare name. */
static void json_security(struct engine *e, const struct node *item)
{
	struct arena *a = arena_of(e);
	const char *text = node_text(item), *name, *profile;

	if (!text)
		return;
	name = strncmp(text, "name=", 5) == 0 ? text + 5 : text;
	name = arena_copy(a, name, strcspn(name, ","));
	profile = strstr(text, "profile=");
	if (strcmp(name, "seccomp") == 0)
		seccomp_profile(
		    e, profile ? arena_copy(a, profile + 8, strcspn(profile + 8, ",")) : "default",
		    item->span);
	else
		security_option(e, name, item->span);
}

static void json_list(struct engine *e, const struct node *list,
                      void (*read)(struct engine *, const struct node *))
{
	for (uint32_t i = 0; node_is_seq(list) && i < list->count; i++)
		read(e, node_at(list, i));
}

static void json_registry(struct engine *e, const struct node *item)
{
	if (node_text(item))
		insecure_registry(e, node_text(item), item->span);
}

static void json_warning(struct engine *e, const struct node *item)
{
	if (node_text(item))
		set(e, add(e, FACT_DAEMON_DEFAULT, node_text(item), item->span), "setting",
		    "warning");
}

static void read_json(struct engine *e, const struct node *top)
{
	json_list(e, node_get(top, "SecurityOptions"), json_security);
	json_list(e, node_path(top, "RegistryConfig", "InsecureRegistryCIDRs", NULL),
	          json_registry);
	json_list(e, node_get(top, "Warnings"), json_warning);
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		char key[32];
		size_t used = 0;
		const struct node *value;

		for (const char *p = settings[i]; *p && used < sizeof key - 1; p++)
			if (*p != ' ')
				key[used++] = *p;
		key[used] = '\0';
		value = node_get(top, key);
		if (node_text(value))
			setting(e, settings[i], node_text(value), value->span);
	}
}

/* --- the format ----------------------------------------------------------------------------- */

static bool interested_json(const char *path)
{
	return path_ends(path, ".json .txt");
}

static bool claims_json(const char *path, const char *bytes, size_t length)
{
	(void)path;
	return bytes_hold(bytes, length, "\"SecurityOptions\"");
}

static bool recognise_json(const struct input *in)
{
	return looks_like_json(top_of(in));
}

static bool interested_text(const char *path)
{
	return path_ends(path, ".txt .log .out .info") || !strchr(path_base(path), '.');
}

static bool claims_text(const char *path, const char *bytes, size_t length)
{
	(void)path;
	return looks_like_text(bytes, length);
}

static void finish(struct engine *e, struct input *in, struct span span)
{
	if (!e->seccomp)
		add(e, FACT_DAEMON_DEFAULT, "no seccomp among the security options", span);
	export_observed(e->row, 0);
	export_mark(in, NULL, "engine");
	e->row->export_note = "the engine of one host: a default for its containers";
}

static void read(struct workspace *w, struct input *in)
{
	const struct source *s = in->source;
	struct span first = source_line_span(s, 1);
	const struct row_spec spec = {
		.path = in->artifact->path,
		.object_kind = "engine",
		.unit = "docker",
		.kind = ROW_OBJECT,
		.format = FORMAT_ENGINE_INFO,
		.artifact = in->artifact->index,
		.span = first,
	};
	struct engine e = { .w = w };

	if (export_is_sample(w, in, first))
		return;
	e.row = snapshot_add_row(w->snapshot, &spec);
	if (looks_like_json(top_of(in)))
		read_json(&e, top_of(in));
	else
		for (uint32_t i = 1; i <= s->line_count; i++)
			text_line(&e, s, i);
	finish(&e, in, first);
}

/* The JSON form is parsed, the text form is read line by line. */
const struct format format_engine_info_json = {
	.id = FORMAT_ENGINE_INFO,
	.syntax = SYNTAX_JSON,
	.interested = interested_json,
	.claims = claims_json,
	.recognise = recognise_json,
	.read = read,
};

const struct format format_engine_info = {
	.id = FORMAT_ENGINE_INFO,
	.syntax = SYNTAX_TEXT,
	.interested = interested_text,
	.claims = claims_text,
	.read = read,
};

/* Facts of containers that several formats spell the same way.
 * SPDX-License-Identifier: MIT */
#include "src/formats/run/container_facts.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "src/syntax/port_spec.h"

static struct arena *arena_of(struct workspace *w)
{
	return &w->snapshot->arena;
}

static struct fact *add(struct workspace *w, struct row *r, enum fact_kind kind, const char *value,
                        struct span span)
{
	return snapshot_add_fact(w->snapshot, r, kind, value, span);
}

static void set(struct workspace *w, struct fact *f, const char *name, const char *value)
{
	snapshot_set_attribute(w->snapshot, f, name, value);
}

struct fact *mark_variable(struct fact *f, const char *text)
{
	if (f && text && strchr(text, '$') && f->provenance == PROVENANCE_EXPLICIT)
		f->provenance = PROVENANCE_UNRESOLVED;
	return f;
}

struct fact *capability_fact(struct workspace *w, struct row *r, enum fact_kind kind,
                             const char *text, struct span span)
{
	char *name = arena_strdup(arena_of(w), text);
	struct fact *f;

	for (char *p = name; *p; p++)
		*p = (char)toupper((unsigned char)*p);
	if (strncmp(name, "CAP_", 4) == 0)
		name += 4;
	if (!*name)
		return NULL;
	f = add(w, r, kind, name, span);
	set(w, f, "raw", text);
	return mark_variable(f, text);
}

/* --- security options ----------------------------------------------------------------------- */

static struct fact *nnp_option(struct workspace *w, struct row *r, const char *value,
                               struct span span)
{
	return add(w, r, FACT_NO_NEW_PRIVILEGES, *value ? value : "true", span);
}

static struct fact *seccomp_option(struct workspace *w, struct row *r, const char *value,
                                   struct span span)
{
	struct fact *f;

	if (*value == '{')
		return add(w, r, FACT_SECCOMP, "custom profile", span);
	if (strcmp(value, "builtin") == 0)
		value = "default";
	f = add(w, r, FACT_SECCOMP, value, span);
	if (strcmp(value, "unconfined") != 0 && strcmp(value, "default") != 0)
		set(w, f, "profile", value);
	return f;
}

static struct fact *apparmor_option(struct workspace *w, struct row *r, const char *value,
                                    struct span span)
{
	struct fact *f = add(w, r, FACT_APPARMOR, value, span);

	set(w, f, "source", "field");
	return f;
}

/* "disable", "type:x", "level:x" … */
static struct fact *label_option(struct workspace *w, struct row *r, const char *value,
                                 struct span span)
{
	struct fact *f = add(w, r, FACT_SELINUX, value, span);
	const char *colon = strchr(value, ':');

	if (colon)
		set(w, f, arena_copy(arena_of(w), value, (size_t)(colon - value)), colon + 1);
	return f;
}

static struct fact *mask_option(struct workspace *w, struct row *r, const char *value,
                                struct span span)
{
	bool all = strcasecmp(value, "unconfined") == 0 || strcasecmp(value, "ALL") == 0;

	return add(w, r, FACT_PROC_MASK,
	           all ? "unconfined" : arena_printf(arena_of(w), "unmasked %s", value), span);
}

static const struct {
	const char *name;
	struct fact *(*read)(struct workspace *w, struct row *r, const char *value,
	                     struct span span);
} security_options[] = {
	{ "no-new-privileges", nnp_option }, { "seccomp", seccomp_option },
	{ "apparmor", apparmor_option },     { "label", label_option },
	{ "systempaths", mask_option },      { "unmask", mask_option },
};

struct fact *security_option_fact(struct workspace *w, struct row *r, const char *text,
                                  struct span span)
{
	size_t length = strcspn(text, "=:");
	const char *value = text[length] ? text + length + 1 : "";

	for (size_t i = 0; i < sizeof security_options / sizeof *security_options; i++)
		if (strlen(security_options[i].name) == length &&
		    strncmp(text, security_options[i].name, length) == 0)
			return mark_variable(security_options[i].read(w, r, value, span), value);
	return NULL;
}

/* --- identity ------------------------------------------------------------------------------- */

static bool is_number(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!isdigit((unsigned char)text[i]))
			return false;
	return length > 0;
}

struct fact *user_fact(struct workspace *w, struct row *r, const char *text, struct span span)
{
	struct fact *f = add(w, r, FACT_USER, text, span);
	size_t length = strcspn(text, ":");
	const char *user = arena_copy(arena_of(w), text, length);
	const char *group = text[length] ? text + length + 1 : "";

	if (is_number(user, length))
		set(w, f, "uid", user);
	else if (strcmp(user, "root") == 0)
		set(w, f, "uid", "0");
	if (length && !is_number(user, length) && !strchr(user, '$'))
		set(w, f, "name", user);
	if (is_number(group, strlen(group)))
		set(w, f, "gid", group);
	return mark_variable(f, text);
}

/* --- mounts --------------------------------------------------------------------------------- */

static const char *switch_text(enum volume_switch value)
{
	return value == VOLUME_ON ? "true" : "false";
}

/* "${PWD}", "$(pwd)", "${workspaceFolder}", ".": the reviewed tree itself. */
static bool is_project(const char *source)
{
	static const char *const names[] = { ".",
		                             "./",
		                             "$PWD",
		                             "${PWD}",
		                             "$(pwd)",
		                             "`pwd`",
		                             "%cd%",
		                             "$(PWD)",
		                             "${workspaceFolder}",
		                             "${localWorkspaceFolder}" };

	if (strstr(source, "/.."))
		return false;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t n = strlen(names[i]);

		if (strncasecmp(source, names[i], n) == 0 &&
		    (!source[n] || (source[n] == '/' && names[i][n - 1] != '/')))
			return true;
	}
	return source[0] == '.' && source[1] == '/';
}

/* What a person's tools start by themselves from a folder of the project that a container may change. */
static void autorun_files(struct workspace *w, struct fact *f, const char *source)
{
	static const char *const names[] = {
		".mcp.json",   ".claude",   ".cursor",  ".gemini",      ".codex",  ".devcontainer",
		".envrc",      ".husky",    "Makefile", "package.json", ".github/workflows",
		".vscode/tasks.json",
	};
	const char *slash = strchr(source, '/'), *found = NULL;
	struct arena *a = arena_of(w);

	for (size_t i = 0; w->exists && i < sizeof names / sizeof *names; i++) {
		const char *path = path_join(a, slash ? slash + 1 : "", names[i]);

		if (path && w->exists(w, path))
			found = found ? arena_printf(a, "%s, %s", found, names[i]) : names[i];
	}
	set(w, f, "autorun", found);
}

struct fact *mount_fact(struct workspace *w, struct row *r, const struct volume_spec *mount,
                        struct span span)
{
	const char *source = mount->source ? mount->source : "";
	const char *target = mount->target ? mount->target : "";
	struct fact *f;

	f = add(w, r, FACT_MOUNT,
	        arena_printf(arena_of(w), "%s%s%s%s", source, *source ? ":" : "", target,
	                     mount->read_only == VOLUME_ON ? ":ro" : ""),
	        span);
	set(w, f, "type", mount->type);
	set(w, f, "source", source);
	set(w, f, "target", target);
	set(w, f, "read_only", switch_text(mount->read_only));
	set(w, f, "propagation", mount->propagation);
	set(w, f, "recursive", mount->recursive);
	set(w, f, "subpath", mount->subpath);
	if (is_project(source)) {
		set(w, f, "project", "true");
		autorun_files(w, f, source);
		return f;
	}
	return mark_variable(f, source);
}

/* --- network -------------------------------------------------------------------------------- */

struct fact *port_fact(struct workspace *w, struct row *r, const char *text, struct span span)
{
	struct arena *a = arena_of(w);
	struct port_mapping m = port_parse(a, text);
	struct fact *f = add(w, r, FACT_PORT, text, span);

	if (m.error) {
		f->provenance = strchr(text, '$') ? PROVENANCE_UNRESOLVED : PROVENANCE_UNPARSED;
		return f;
	}
	set(w, f, "host_ip", m.host_ip ? m.host_ip : "");
	if (m.has_host)
		set(w, f, "published",
		    m.host.begin == m.host.end
		        ? arena_printf(a, "%u", m.host.begin)
		        : arena_printf(a, "%u-%u", m.host.begin, m.host.end));
	set(w, f, "target",
	    m.container.begin == m.container.end
	        ? arena_printf(a, "%u", m.container.begin)
	        : arena_printf(a, "%u-%u", m.container.begin, m.container.end));
	set(w, f, "protocol", m.protocol);
	return f;
}

static bool is_mode(const char *text)
{
	static const char *const modes[] = { "host",    "none",  "bridge",      "default",
		                             "private", "pasta", "slirp4netns", "nat" };

	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
		if (strcmp(text, modes[i]) == 0)
			return true;
	return strncmp(text, "container:", 10) == 0 || strncmp(text, "ns:", 3) == 0 ||
	       strncmp(text, "slirp4netns:", 12) == 0 || strncmp(text, "pasta:", 6) == 0;
}

struct fact *network_fact(struct workspace *w, struct row *r, const char *text, struct span span)
{
	const char *name = strncmp(text, "name=", 5) == 0 ? text + 5 : text;

	name = arena_copy(arena_of(w), name, is_mode(name) ? strlen(name) : strcspn(name, ","));
	if (is_mode(name))
		return add(w, r, FACT_NETWORK_MODE, strcmp(name, "default") == 0 ? "bridge" : name,
		           span);
	return mark_variable(add(w, r, FACT_NETWORK, name, span), name);
}

struct fact *extra_host_fact(struct workspace *w, struct row *r, const char *text, struct span span)
{
	struct fact *f = add(w, r, FACT_EXTRA_HOST, text, span);

	if (strstr(text, "host-gateway"))
		set(w, f, "gateway", "true");
	return mark_variable(f, text);
}

/* --- devices, kernel parameters ------------------------------------------------------------- */

struct fact *device_fact(struct workspace *w, struct row *r, const char *text, struct span span)
{
	struct arena *a = arena_of(w);
	size_t host = strcspn(text, ":");
	const char *rest = text[host] ? text + host + 1 : "", *target = rest;
	size_t length = strcspn(rest, ":");
	struct fact *f = add(w, r, FACT_DEVICE, arena_copy(a, text, host), span);

	if (length && strspn(rest, "rwm") == strlen(rest)) {
		set(w, f, "mode", rest);
	} else if (length) {
		set(w, f, "target", arena_copy(a, target, length));
		if (rest[length])
			set(w, f, "mode", rest + length + 1);
	}
	return mark_variable(f, text);
}

struct fact *sysctl_fact(struct workspace *w, struct row *r, const char *text, struct span span)
{
	struct fact *f = add(w, r, FACT_SYSCTL, text, span);

	set(w, f, "name", arena_copy(arena_of(w), text, strcspn(text, "=")));
	return mark_variable(f, text);
}

/* --- defaults ------------------------------------------------------------------------------- */

static const struct {
	enum fact_kind kind;
	const char *value, *note;
} defaults[] = {
	{ FACT_PRIVILEGED, "false", "Docker default" },
	{ FACT_NO_NEW_PRIVILEGES, "false", "Docker default unless the daemon sets it" },
	{ FACT_READ_ONLY_ROOT, "false", "Docker default" },
	{ FACT_USER, "", "the image's USER decides, root when it has none" },
	{ FACT_CAP_DROP, "", "nothing is dropped: the engine's default set stays" },
	{ FACT_SECCOMP, "default", "the engine's built-in profile unless the daemon sets another" },
	{ FACT_APPARMOR, "default", "docker-default where the host has AppArmor" },
	{ FACT_PROC_MASK, "default", "Docker default" },
	{ FACT_PID, "private", "Docker default" },
	{ FACT_IPC, "private", "Docker default" },
	{ FACT_UTS, "private", "Docker default" },
	{ FACT_USERNS, "host", "no user namespace unless the daemon remaps" },
	{ FACT_NETWORK_MODE, "bridge", "Docker default: the engine's default bridge" },
	{ FACT_RUNTIME, "", "the daemon's default runtime" },
	{ FACT_MEMORY_LIMIT, "", "no limit by default" },
	{ FACT_CPU_LIMIT, "", "no limit by default" },
	{ FACT_PIDS_LIMIT, "", "no limit by default" },
};

void container_defaults(struct workspace *w, struct row *r, enum layer layer, struct span ancestor)
{
	for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) {
		if (row_first(r, defaults[i].kind, layer))
			continue;
		if (defaults[i].kind == FACT_NETWORK_MODE && row_first(r, FACT_NETWORK, layer))
			continue;
		snapshot_add_absent(w->snapshot, r, defaults[i].kind, defaults[i].value, ancestor,
		                    defaults[i].note)
		    ->layer = layer;
	}
}

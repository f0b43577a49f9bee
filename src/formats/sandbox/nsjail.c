/* Policies of nsjail in text form.
 *
 * Fields and defaults: google/nsjail config.proto of 2026-06. A policy limits only what is started
 * with it; that is said in the row. SPDX-License-Identifier: MIT */
#include <string.h>

#include "src/formats/run/container_facts.h"
#include "src/syntax/prototext.h"

struct jail {
	struct workspace *w;
	struct input *in;
	struct row *row;
	struct proto proto;
};

static bool interested(const char *path)
{
	return path_ends(path, ".cfg .nsjail .proto.txt .textproto .pbtxt");
}

static bool claims(const char *path, const char *bytes, size_t length)
{
	static const char *const needles[] = { "clone_newnet",   "clone_newuser", "clone_newns",
		                               "clone_newpid",   "rlimit_as",     "mount_proc",
		                               "seccomp_string", "uidmap" };
	unsigned found = 0;

	for (size_t i = 0; i < sizeof needles / sizeof *needles; i++)
		found += bytes_hold(bytes, length, needles[i]);
	return found >= 2 || (found == 1 && strstr(path, "nsjail"));
}

static struct fact *add(const struct jail *j, enum fact_kind kind, const char *value,
                        struct span span)
{
	return snapshot_add_fact(j->w->snapshot, j->row, kind, value, span);
}

static void set(const struct jail *j, struct fact *f, const char *name, const char *value)
{
	snapshot_set_attribute(j->w->snapshot, f, name, value);
}

static void absent(const struct jail *j, enum fact_kind kind, const char *value, const char *note)
{
	snapshot_add_absent(j->w->snapshot, j->row, kind, value, j->row->span, note);
}

static bool is_true(const struct proto_field *f)
{
	return f && f->text && (strcmp(f->text, "true") == 0 || strcmp(f->text, "1") == 0);
}

static const struct proto_field *top(const struct jail *j, const char *name)
{
	const struct proto_field *f = proto_find(&j->proto, -1, name);

	return f && f->text ? f : NULL;
}

/* --- namespaces ----------------------------------------------------------------------------- */

static const struct {
	const char *name;
	enum fact_kind kind; /* FACT_NONE: only the setting */
} namespaces[] = {
	{ "clone_newnet", FACT_NETWORK_MODE },
	{ "clone_newuser", FACT_USERNS },
	{ "clone_newns", FACT_NONE },
	{ "clone_newpid", FACT_PID },
	{ "clone_newipc", FACT_IPC },
	{ "clone_newuts", FACT_UTS },
	{ "clone_newcgroup", FACT_CGROUP_NAMESPACE },
};

static struct fact *setting(const struct jail *j, const struct proto_field *f, const char *effect)
{
	struct fact *fact = add(j, FACT_SANDBOX_SETTING, f->text, f->value);

	set(j, fact, "setting", f->name);
	set(j, fact, "product", "nsjail");
	set(j, fact, "effect", effect);
	return fact;
}

static void read_namespaces(const struct jail *j)
{
	for (size_t i = 0; i < sizeof namespaces / sizeof *namespaces; i++) {
		const struct proto_field *f = top(j, namespaces[i].name);
		bool own = !f || is_true(f);
		enum fact_kind kind = namespaces[i].kind;

		if (f)
			setting(j, f, own ? "narrow" : "wide");
		if (kind && f)
			add(j, kind, own ? "private" : "host", f->value);
		else if (kind)
			absent(j, kind, "private", "nsjail default: a namespace of its own");
	}
}

/* --- switches and lists --------------------------------------------------------------------- */

static const char *const wide_switches[] = { "keep_env", "keep_caps", "no_pivotroot", "skip_setsid",
	                                     "disable_rl" };

static void read_switches(const struct jail *j)
{
	const struct proto_field *nnp = top(j, "disable_no_new_privs");

	for (size_t i = 0; i < sizeof wide_switches / sizeof *wide_switches; i++)
		if (top(j, wide_switches[i]))
			setting(j, top(j, wide_switches[i]),
			        is_true(top(j, wide_switches[i])) ? "wide" : "narrow");
	if (nnp)
		add(j, FACT_NO_NEW_PRIVILEGES, is_true(nnp) ? "false" : "true", nnp->value);
	else
		absent(j, FACT_NO_NEW_PRIVILEGES, "true", "nsjail default");
}

static const struct {
	const char *name;
	enum fact_kind kind;
} limits[] = {
	{ "cgroup_mem_max", FACT_MEMORY_LIMIT },     { "rlimit_as", FACT_MEMORY_LIMIT },
	{ "cgroup_pids_max", FACT_PIDS_LIMIT },      { "rlimit_nproc", FACT_PIDS_LIMIT },
	{ "cgroup_cpu_ms_per_sec", FACT_CPU_LIMIT }, { "rlimit_cpu", FACT_CPU_LIMIT },
};

/* A limit of a control group counts for the whole jail, one of the process is the next best. */
static void read_limits(const struct jail *j)
{
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		const struct proto_field *f = top(j, limits[i].name);

		if (f && strcmp(f->text, "0") != 0 &&
		    !row_first(j->row, limits[i].kind, LAYER_DECLARED))
			set(j, add(j, limits[i].kind, f->text, f->value), "setting", f->name);
	}
	if (!row_first(j->row, FACT_MEMORY_LIMIT, LAYER_DECLARED))
		absent(j, FACT_MEMORY_LIMIT, "4096", "nsjail default: rlimit_as of 4096 MiB");
	if (!row_first(j->row, FACT_PIDS_LIMIT, LAYER_DECLARED))
		absent(j, FACT_PIDS_LIMIT, "1024", "nsjail default: rlimit_nproc of 1024");
}

static void read_lists(const struct jail *j)
{
	for (size_t i = 0; i < j->proto.count; i++) {
		const struct proto_field *f = &j->proto.items[i];
		const char *equals = f->text ? strchr(f->text, '=') : NULL;

		if (f->parent != -1 || !f->text)
			continue;
		if (strcmp(f->name, "cap") == 0)
			capability_fact(j->w, j->row, FACT_CAP_ADD, f->text, f->value);
		else if (strcmp(f->name, "envar") == 0)
			env_fact(j->w, j->row,
			         arena_copy(&j->w->snapshot->arena, f->text,
			                    equals ? (size_t)(equals - f->text) : strlen(f->text)),
			         equals ? equals + 1 : NULL, f->value);
	}
}

static void read_seccomp(const struct jail *j)
{
	const struct proto_field *file = top(j, "seccomp_policy_file");
	const struct proto_field *text = top(j, "seccomp_string");

	if (file)
		set(j, add(j, FACT_SECCOMP, file->text, file->value), "profile", file->text);
	else if (text)
		add(j, FACT_SECCOMP, "custom profile", text->value);
	else
		absent(j, FACT_SECCOMP, "unconfined", "nsjail default: no system call policy");
}

/* --- messages ------------------------------------------------------------------------------- */

static const char *member(const struct jail *j, int32_t message, const char *name)
{
	const struct proto_field *f = proto_find(&j->proto, message, name);

	return f && f->text ? f->text : "";
}

static void read_mount(const struct jail *j, int32_t message)
{
	const struct proto_field *src = proto_find(&j->proto, message, "src");
	const char *type = member(j, message, "fstype");
	bool bind = is_true(proto_find(&j->proto, message, "is_bind"));
	bool writable = is_true(proto_find(&j->proto, message, "rw"));
	struct volume_spec spec = {
		.type = bind    ? "bind"
		        : *type ? type
		                : "bind",
		.source = member(j, message, "src"),
		.target = member(j, message, "dst"),
		.read_only = writable ? VOLUME_OFF : VOLUME_ON,
	};

	mount_fact(j->w, j->row, &spec,
	           src && src->text ? src->value : j->proto.items[message].key);
}

static void read_command(const struct jail *j, int32_t message)
{
	const struct proto_field *path = proto_find(&j->proto, message, "path");

	if (path && path->text)
		set(j, add(j, FACT_COMMAND, path->text, path->value), "form", "exec");
}

static void read_user(const struct jail *j, int32_t message)
{
	const struct proto_field *inside = proto_find(&j->proto, message, "inside_id");

	if (inside && inside->text)
		user_fact(j->w, j->row, inside->text, inside->value);
}

static void read_messages(const struct jail *j)
{
	for (size_t i = 0; i < j->proto.count && i < INT32_MAX; i++) {
		const struct proto_field *f = &j->proto.items[i];

		if (f->parent != -1 || f->text)
			continue;
		if (strcmp(f->name, "mount") == 0)
			read_mount(j, (int32_t)i);
		else if (strcmp(f->name, "exec_bin") == 0)
			read_command(j, (int32_t)i);
		else if (strcmp(f->name, "uidmap") == 0)
			read_user(j, (int32_t)i);
		else if (strcmp(f->name, "user_net") == 0)
			set(j, add(j, FACT_SANDBOX_SETTING, "user_net", f->key), "effect", "wide");
	}
}

static void read_listener(const struct jail *j)
{
	const struct proto_field *mode = top(j, "mode"), *port = top(j, "port");
	const struct proto_field *host = top(j, "bindhost");
	const char *address = host ? host->text : "::";
	struct fact *f;

	if (!mode || strcmp(mode->text, "LISTEN") != 0)
		return;
	f = add(j, FACT_LISTEN,
	        arena_printf(&j->w->snapshot->arena, "%s:%s", address, port ? port->text : ""),
	        port ? port->value : mode->value);
	set(j, f, "address", address);
	set(j, f, "port", port ? port->text : "");
	set(j, f, "auth", "false");
}

/* --- names that nsjail does not know -------------------------------------------------------- */

static bool is_known(const char *name)
{
	static const char *const names[] = {
		"name",
		"description",
		"mode",
		"hostname",
		"cwd",
		"no_pivotroot",
		"port",
		"bindhost",
		"max_conns",
		"max_conns_per_ip",
		"time_limit",
		"daemon",
		"max_cpus",
		"nice_level",
		"log_fd",
		"log_file",
		"log_level",
		"keep_env",
		"envar",
		"keep_caps",
		"cap",
		"silent",
		"skip_setsid",
		"stderr_to_null",
		"pass_fd",
		"disable_no_new_privs",
		"forward_signals",
		"disable_tsc",
		"oom_score_adj",
		"disable_rl",
		"uidmap",
		"gidmap",
		"mount_proc",
		"mount",
		"seccomp_policy_file",
		"seccomp_string",
		"seccomp_log",
		"use_core_scheduling",
		"use_cgroupv2",
		"detect_cgroupv2",
		"cgroupv2_mount",
		"iface_no_lo",
		"iface_own",
		"exec_bin",
		"traffic_rule",
		"user_net",
	};
	static const char *const prefixes[] = { "rlimit_", "persona_", "clone_new",
		                                "cgroup_", "macvlan_", "seccomp_unotify" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
		if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return false;
}

static void read_unknown(const struct jail *j)
{
	for (size_t i = 0; i < j->proto.count; i++) {
		const struct proto_field *f = &j->proto.items[i];

		if (f->parent == -1 && !is_known(f->name))
			set(j, add(j, FACT_IGNORED_SETTING, f->name, f->key), "why",
			    "no field of this name in the configuration: nsjail may refuse the "
			    "file");
	}
}

static void read(struct workspace *w, struct input *in)
{
	struct jail j = { .w = w, .in = in };
	const struct proto_field *name;
	struct row_spec spec = {
		.path = in->artifact->path,
		.object_kind = "nsjail",
		.kind = ROW_SANDBOX_PROCESS,
		.format = FORMAT_NSJAIL,
		.artifact = in->artifact->index,
	};
	struct fact *f;

	proto_read(&w->snapshot->arena, in->source, &j.proto, &in->artifact->problems);
	name = top(&j, "name");
	spec.unit = name ? name->text : path_base(in->artifact->path);
	spec.span = name ? name->key : source_line_span(in->source, 1);
	j.row = snapshot_add_row(w->snapshot, &spec);
	f = add(&j, FACT_SANDBOX, "on", j.row->span);
	set(&j, f, "product", "nsjail");
	f->note = "a policy file: it limits only what is started with it";
	read_namespaces(&j);
	read_switches(&j);
	read_lists(&j);
	read_limits(&j);
	read_seccomp(&j);
	read_messages(&j);
	read_listener(&j);
	read_unknown(&j);
}

const struct format format_nsjail = {
	.id = FORMAT_NSJAIL,
	.syntax = SYNTAX_TEXT,
	.interested = interested,
	.claims = claims,
	.read = read,
};

/* Options of docker, podman and nerdctl as facts.
 * SPDX-License-Identifier: MIT */
#include "src/formats/run/run_facts.h"

#include <string.h>
#include <strings.h>

#include "src/formats/run/container_facts.h"
#include "src/formats/run/secret_words.h"

struct context {
	struct workspace *w;
	struct row *row;
	const struct docker_run *run;
};

typedef void reader(const struct context *c, const struct docker_option *o, enum fact_kind kind);

static struct fact *add(const struct context *c, enum fact_kind kind, const char *value,
                        struct span span)
{
	return snapshot_add_fact(c->w->snapshot, c->row, kind, value, span);
}

static void set(const struct context *c, struct fact *f, const char *name, const char *value)
{
	snapshot_set_attribute(c->w->snapshot, f, name, value);
}

static struct fact *checked(struct fact *f, const struct docker_option *o)
{
	if (f && !o->literal && f->provenance == PROVENANCE_EXPLICIT)
		mark_variable(f, o->value);
	if (f && o->missing)
		f->provenance = PROVENANCE_UNPARSED;
	return f;
}

/* --- one reader a form of value ------------------------------------------------------------- */

static void text(const struct context *c, const struct docker_option *o, enum fact_kind kind)
{
	checked(add(c, kind, o->value, o->value_span), o);
}

static void flag(const struct context *c, const struct docker_option *o, enum fact_kind kind)
{
	bool on = strcasecmp(o->value, "true") == 0 || strcmp(o->value, "1") == 0 ||
	          strcasecmp(o->value, "t") == 0;

	checked(add(c, kind, on ? "true" : "false", o->value_span), o);
}

static void capability(const struct context *c, const struct docker_option *o, enum fact_kind kind)
{
	struct arena *a = &c->w->snapshot->arena;
	const char *list = o->value;

	/* podman takes a comma list. */
	while (*list) {
		size_t n = strcspn(list, ",");

		capability_fact(c->w, c->row, kind, arena_copy(a, list, n), o->value_span);
		list += n + (list[n] == ',');
	}
}

static void security(const struct context *c, const struct docker_option *o, enum fact_kind kind)
{
	(void)kind;
	security_option_fact(c->w, c->row, o->value, o->value_span);
}

static void user(const struct context *c, const struct docker_option *o, enum fact_kind kind)
{
	(void)kind;
	user_fact(c->w, c->row, o->value, o->value_span);
}

static void group(const struct context *c, const struct docker_option *o, enum fact_kind kind)
{
	struct fact *f = checked(add(c, kind, o->value, o->value_span), o);

	if (*o->value && strspn(o->value, "0123456789") == strlen(o->value))
		set(c, f, "gid", o->value);
}

static void add_mount(const struct context *c, const struct docker_option *o,
                      struct volume_spec spec)
{
	struct fact *f;

	if (spec.error && !spec.target && !spec.source)
		spec.source = o->value;
	f = mount_fact(c->w, c->row, &spec, o->value_span);
	if (spec.error && f->provenance == PROVENANCE_EXPLICIT)
		f->provenance = PROVENANCE_UNPARSED;
}

/* -v with a Windows path, "~" or a variable is bound as written by the shell around it. */
static void volume(const struct context *c, const struct docker_option *o, enum fact_kind kind)
{
	struct arena *a = &c->w->snapshot->arena;
	struct volume_spec spec = volume_parse_engine(a, o->value);

	(void)kind;
	if (spec.error || volume_source_is_path(o->value) || strchr(o->value, '$') ||
	    *o->value == '%')
		spec = volume_parse_compose(a, o->value);
	if (spec.source && (*spec.source == '$' || *spec.source == '%'))
		spec.type = "bind";
	add_mount(c, o, spec);
}

static void mount(const struct context *c, const struct docker_option *o, enum fact_kind kind)
{
	(void)kind;
	add_mount(c, o, volume_parse_mount(&c->w->snapshot->arena, o->value));
}

static void publish(const struct context *c, const struct docker_option *o, enum fact_kind kind)
{
	(void)kind;
	port_fact(c->w, c->row, o->value, o->value_span);
}

static void publish_all(const struct context *c, const struct docker_option *o, enum fact_kind kind)
{
	struct fact *f;

	if (strcasecmp(o->value, "true") != 0)
		return;
	f = add(c, kind, "all exposed ports", o->value_span);
	set(c, f, "host_ip", "");
}

static void device(const struct context *c, const struct docker_option *o, enum fact_kind kind)
{
	(void)kind;
	device_fact(c->w, c->row, o->value, o->value_span);
}

static void network(const struct context *c, const struct docker_option *o, enum fact_kind kind)
{
	(void)kind;
	network_fact(c->w, c->row, o->value, o->value_span);
}

static void extra_host(const struct context *c, const struct docker_option *o, enum fact_kind kind)
{
	(void)kind;
	extra_host_fact(c->w, c->row, o->value, o->value_span);
}

static void sysctl(const struct context *c, const struct docker_option *o, enum fact_kind kind)
{
	(void)kind;
	sysctl_fact(c->w, c->row, o->value, o->value_span);
}

static void env(const struct context *c, const struct docker_option *o, enum fact_kind kind)
{
	const char *equals = strchr(o->value, '=');
	struct arena *a = &c->w->snapshot->arena;

	(void)kind;
	if (equals)
		env_fact(c->w, c->row, arena_copy(a, o->value, (size_t)(equals - o->value)),
		         equals + 1, o->value_span);
	else if (*o->value)
		env_fact(c->w, c->row, o->value, NULL, o->value_span);
}

static void env_file(const struct context *c, const struct docker_option *o, enum fact_kind kind)
{
	set(c, checked(add(c, kind, o->value, o->value_span), o), "kind", "file");
}

static void secret(const struct context *c, const struct docker_option *o, enum fact_kind kind)
{
	struct arena *a = &c->w->snapshot->arena;

	set(c, add(c, kind, arena_copy(a, o->value, strcspn(o->value, ",")), o->value_span),
	    "source", "external");
}

static void out_of_memory(const struct context *c, const struct docker_option *o,
                          enum fact_kind kind)
{
	add(c, kind, arena_printf(&c->w->snapshot->arena, "%s=%s", o->name, o->value),
	    o->value_span);
}

static void entrypoint(const struct context *c, const struct docker_option *o, enum fact_kind kind)
{
	set(c, checked(add(c, kind, o->value, o->value_span), o), "form", "exec");
}

static void probe(const struct context *c, const struct docker_option *o, enum fact_kind kind)
{
	struct fact *f = add(c, kind, "exec", o->value_span);

	set(c, f, "event", "health");
	set(c, f, "command", o->value);
}

/* podman: every variable of the caller goes in. */
static void env_host(const struct context *c, const struct docker_option *o, enum fact_kind kind)
{
	struct fact *f;

	if (strcasecmp(o->value, "true") != 0)
		return;
	f = add(c, kind, "the caller's environment", o->value_span);
	set(c, f, "kind", "host");
}

static const struct {
	const char *name;
	enum fact_kind kind;
	reader *read;
} readers[] = {
	{ "privileged", FACT_PRIVILEGED, flag },
	{ "cap-add", FACT_CAP_ADD, capability },
	{ "cap-drop", FACT_CAP_DROP, capability },
	{ "security-opt", FACT_NONE, security },
	{ "user", FACT_USER, user },
	{ "group-add", FACT_GROUP_ADD, group },
	{ "userns", FACT_USERNS, text },
	{ "volume", FACT_MOUNT, volume },
	{ "mount", FACT_MOUNT, mount },
	{ "volumes-from", FACT_VOLUMES_FROM, text },
	{ "tmpfs", FACT_TMPFS, text },
	{ "read-only", FACT_READ_ONLY_ROOT, flag },
	{ "publish", FACT_PORT, publish },
	{ "publish-all", FACT_PORT, publish_all },
	{ "expose", FACT_EXPOSE, text },
	{ "network", FACT_NETWORK, network },
	{ "add-host", FACT_EXTRA_HOST, extra_host },
	{ "dns", FACT_DNS, text },
	{ "pid", FACT_PID, text },
	{ "ipc", FACT_IPC, text },
	{ "uts", FACT_UTS, text },
	{ "cgroupns", FACT_CGROUP_NAMESPACE, text },
	{ "device", FACT_DEVICE, device },
	{ "device-cgroup-rule", FACT_DEVICE_RULE, text },
	{ "gpus", FACT_GPU, text },
	{ "env", FACT_ENV, env },
	{ "env-file", FACT_ENV_FILE, env_file },
	{ "env-host", FACT_ENV_FILE, env_host },
	{ "secret", FACT_SECRET, secret },
	{ "entrypoint", FACT_ENTRYPOINT, entrypoint },
	{ "workdir", FACT_WORKDIR, text },
	{ "init", FACT_INIT, flag },
	{ "health-cmd", FACT_PROBE, probe },
	{ "runtime", FACT_RUNTIME, text },
	{ "isolation", FACT_WINDOWS_ISOLATION, text },
	{ "annotation", FACT_RUNTIME_ANNOTATION, text },
	{ "sysctl", FACT_SYSCTL, sysctl },
	{ "ulimit", FACT_ULIMIT, text },
	{ "memory", FACT_MEMORY_LIMIT, text },
	{ "cpus", FACT_CPU_LIMIT, text },
	{ "cpu-quota", FACT_CPU_LIMIT, text },
	{ "pids-limit", FACT_PIDS_LIMIT, text },
	{ "restart", FACT_RESTART, text },
	{ "oom-kill-disable", FACT_OOM, out_of_memory },
	{ "oom-score-adj", FACT_OOM, out_of_memory },
	{ "pull", FACT_PULL_POLICY, text },
	{ "use-api-socket", FACT_API_SOCKET, flag },
};

static void read_option(const struct context *c, const struct docker_option *o)
{
	for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
		if (strcmp(o->name, readers[i].name) == 0) {
			readers[i].read(c, o, readers[i].kind);
			return;
		}
}

/* "--host tcp://…" of the client itself. */
static void read_globals(const struct context *c)
{
	for (size_t i = 0; i < c->run->global_count; i++) {
		const struct docker_option *o = &c->run->globals[i];
		const char *colon = strstr(o->value, "://");
		struct fact *f;

		if (strcmp(o->name, "host") != 0)
			continue;
		f = checked(add(c, FACT_ENGINE_HOST, "--host", o->value_span), o);
		if (colon)
			set(c, f, "scheme",
			    arena_copy(&c->w->snapshot->arena, o->value,
			               (size_t)(colon - o->value)));
		set(c, f, "address", colon ? colon + 3 : o->value);
	}
}

void run_option_facts(struct workspace *w, struct row *r, const struct docker_run *run)
{
	const struct context c = { .w = w, .row = r, .run = run };

	read_globals(&c);
	for (size_t i = 0; i < run->option_count; i++)
		read_option(&c, &run->options[i]);
}

static void command_fact(const struct context *c)
{
	struct arena *a = &c->w->snapshot->arena;
	const struct docker_run *run = c->run;
	struct argv words = { 0 };

	if (!run->command_count)
		return;
	for (size_t i = 0; i < run->command_count; i++)
		argv_add(a, &words, run->command[i].text, run->command[i].span);
	secret_words(c->w, c->row, &words, 0, true);
	set(c, add(c, FACT_COMMAND, argv_join(a, &words, 0), run->command[0].span), "form", "exec");
}

/* Options hidden in a variable may say what the line does not. */
static void defaults(const struct context *c, struct span ancestor)
{
	size_t before = c->row->facts.count;

	container_defaults(c->w, c->row, LAYER_DECLARED, ancestor);
	for (size_t i = before; c->run->opaque_count && i < c->row->facts.count; i++) {
		struct fact *f = c->row->facts.items[i];

		f->provenance = PROVENANCE_UNRESOLVED;
		f->span = c->run->opaque[0].span;
		f->note = "options are put together when the line runs";
		set(c, f, "default", "true");
	}
}

void run_facts(struct workspace *w, struct row *r, const struct docker_run *run,
               struct span ancestor)
{
	const struct context c = { .w = w, .row = r, .run = run };

	if (run->image.text && run->verb != DOCKER_EXEC)
		image_fact(w, r, FACT_IMAGE, run->image.text, run->image.span);
	run_option_facts(w, r, run);
	command_fact(&c);
	defaults(&c, ancestor);
}

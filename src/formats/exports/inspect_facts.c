/* What an inspected container says, field by field.
 *
 * A key that is there and null or empty means the engine's default; a key that is missing means an
 * engine that did not tell, and gives no fact.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/formats/exports/export.h"
#include "src/formats/run/argv.h"
#include "src/formats/run/container_facts.h"
#include "src/formats/run/secret_words.h"

static struct arena *arena_of(const struct inspect *i)
{
	return &i->w->snapshot->arena;
}

static struct fact *add(const struct inspect *i, enum fact_kind kind, const char *value,
                        struct span span)
{
	return snapshot_add_fact(i->w->snapshot, i->row, kind, value, span);
}

static void set(const struct inspect *i, struct fact *f, const char *name, const char *value)
{
	snapshot_set_attribute(i->w->snapshot, f, name, value);
}

static void absent(const struct inspect *i, enum fact_kind kind, const char *value,
                   struct span span, const char *note)
{
	snapshot_add_absent(i->w->snapshot, i->row, kind, value, span, note);
}

static bool is_true(const struct node *n)
{
	return node_is(n, "true");
}

/* --- scalars of HostConfig ------------------------------------------------------------------ */

static void flag(const struct inspect *i, enum fact_kind kind, const struct node *n)
{
	if (node_text(n))
		add(i, kind, is_true(n) ? "true" : "false", n->span);
}

/* "" and null are the engine's default. */
static void mode(const struct inspect *i, enum fact_kind kind, const struct node *n)
{
	const char *text = node_text(n);

	if (!n)
		return;
	if (text && *text)
		add(i, kind, text, n->span);
	else
		absent(i, kind, kind == FACT_RUNTIME ? "" : "private", n->span,
		       "engine default: the export shows none set");
}

static void userns(const struct inspect *i, enum fact_kind kind, const struct node *n)
{
	const char *text = node_text(n);

	if (text && *text)
		add(i, kind, text, n->span);
	else if (n)
		absent(i, kind, "host", n->span,
		       "none of its own unless the engine remaps, which docker info tells");
}

static void network(const struct inspect *i, enum fact_kind kind, const struct node *n)
{
	const char *text = node_text(n);

	if (text && *text)
		add(i, kind, strcmp(text, "default") == 0 ? "bridge" : text, n->span);
}

/* 0, null and -1 are no limit; Docker counts CPUs in billionths. */
static void limit(const struct inspect *i, enum fact_kind kind, const struct node *n)
{
	const char *text = node_text(n);
	struct arena *a = arena_of(i);

	if (!n)
		return;
	if (!text || strcmp(text, "0") == 0 || *text == '-')
		absent(i, kind, "", n->span, "no limit is set");
	else if (kind == FACT_CPU_LIMIT)
		add(i, kind, arena_printf(a, "%.2f", strtod(text, NULL) / 1e9), n->span);
	else
		add(i, kind, text, n->span);
}

static void restart(const struct inspect *i, enum fact_kind kind, const struct node *n)
{
	const struct node *name = node_get(n, "Name");

	if (node_text(name) && *node_text(name))
		add(i, kind, node_text(name), name->span);
}

static void out_of_memory(const struct inspect *i, enum fact_kind kind, const struct node *n)
{
	if (is_true(n))
		add(i, kind, "oom-kill-disable=true", n->span);
}

static void text(const struct inspect *i, enum fact_kind kind, const struct node *n)
{
	if (node_text(n) && *node_text(n))
		add(i, kind, node_text(n), n->span);
}

/* --- lists ---------------------------------------------------------------------------------- */

static void capabilities(const struct inspect *i, enum fact_kind kind, const struct node *n)
{
	bool any = false;

	for (uint32_t k = 0; k < node_count(n); k++) {
		const struct node *item = node_at(n, k);

		if (node_text(item))
			any |= capability_fact(i->w, i->row, kind, node_text(item), item->span) !=
			       NULL;
	}
	if (n && !any && kind == FACT_CAP_DROP)
		absent(i, kind, "", n->span, "nothing is dropped: the engine's default set stays");
}

static void texts(const struct inspect *i, enum fact_kind kind, const struct node *n)
{
	for (uint32_t k = 0; k < node_count(n); k++)
		if (node_is_seq(n))
			text(i, kind, node_at(n, k));
}

static void groups(const struct inspect *i, enum fact_kind kind, const struct node *n)
{
	for (uint32_t k = 0; k < node_count(n); k++) {
		const struct node *item = node_at(n, k);
		struct fact *f = node_text(item) ? add(i, kind, node_text(item), item->span) : NULL;

		if (f && *f->value && strspn(f->value, "0123456789") == strlen(f->value))
			set(i, f, "gid", f->value);
	}
}

static void extra_hosts(const struct inspect *i, enum fact_kind kind, const struct node *n)
{
	(void)kind;
	for (uint32_t k = 0; k < node_count(n); k++)
		if (node_text(node_at(n, k)))
			extra_host_fact(i->w, i->row, node_text(node_at(n, k)),
			                node_at(n, k)->span);
}

static void devices(const struct inspect *i, enum fact_kind kind, const struct node *n)
{
	for (uint32_t k = 0; k < node_count(n); k++) {
		const struct node *item = node_at(n, k), *path = node_get(item, "PathOnHost");
		struct fact *f;

		if (!node_text(path))
			continue;
		f = add(i, kind, node_text(path), path->span);
		set(i, f, "target", node_text(node_get(item, "PathInContainer")));
		set(i, f, "mode", node_text(node_get(item, "CgroupPermissions")));
	}
}

static void device_requests(const struct inspect *i, enum fact_kind kind, const struct node *n)
{
	for (uint32_t k = 0; k < node_count(n); k++) {
		const struct node *item = node_at(n, k), *driver = node_get(item, "Driver");

		if (node_is_map(item))
			add(i, kind,
			    node_text(driver) && *node_text(driver) ? node_text(driver) : "all",
			    item->span);
	}
}

static void ulimits(const struct inspect *i, enum fact_kind kind, const struct node *n)
{
	for (uint32_t k = 0; k < node_count(n); k++) {
		const struct node *item = node_at(n, k), *name = node_get(item, "Name");
		const char *soft = node_text(node_get(item, "Soft"));
		const char *hard = node_text(node_get(item, "Hard"));

		if (node_text(name))
			add(i, kind,
			    arena_printf(arena_of(i), "%s=%s:%s", node_text(name), soft ? soft : "",
			                 hard ? hard : ""),
			    name->span);
	}
}

/* --- maps ----------------------------------------------------------------------------------- */

static void sysctls(const struct inspect *i, enum fact_kind kind, const struct node *n)
{
	(void)kind;
	for (uint32_t k = 0; node_is_map(n) && k < n->count; k++) {
		const char *name = node_text(n->items[k].key);
		const char *value = node_text(n->items[k].value);

		if (name)
			sysctl_fact(i->w, i->row,
			            arena_printf(arena_of(i), "%s=%s", name, value ? value : ""),
			            n->items[k].key->span);
	}
}

static void keys(const struct inspect *i, enum fact_kind kind, const struct node *n)
{
	for (uint32_t k = 0; node_is_map(n) && k < n->count; k++)
		if (node_text(n->items[k].key))
			add(i, kind, node_text(n->items[k].key), n->items[k].key->span);
}

static void annotations(const struct inspect *i, enum fact_kind kind, const struct node *n)
{
	for (uint32_t k = 0; node_is_map(n) && k < n->count; k++) {
		const char *name = node_text(n->items[k].key);
		const char *value = node_text(n->items[k].value);

		if (name)
			add(i, kind, arena_printf(arena_of(i), "%s=%s", name, value ? value : ""),
			    n->items[k].key->span);
	}
}

static const struct {
	const char *key;
	enum fact_kind kind;
	void (*read)(const struct inspect *i, enum fact_kind kind, const struct node *n);
} host_keys[] = {
	{ "Privileged", FACT_PRIVILEGED, flag },
	{ "ReadonlyRootfs", FACT_READ_ONLY_ROOT, flag },
	{ "Init", FACT_INIT, flag },
	{ "PidMode", FACT_PID, mode },
	{ "IpcMode", FACT_IPC, mode },
	{ "UTSMode", FACT_UTS, mode },
	{ "CgroupnsMode", FACT_CGROUP_NAMESPACE, mode },
	{ "UsernsMode", FACT_USERNS, userns },
	{ "NetworkMode", FACT_NETWORK_MODE, network },
	{ "Isolation", FACT_WINDOWS_ISOLATION, text },
	{ "Memory", FACT_MEMORY_LIMIT, limit },
	{ "NanoCpus", FACT_CPU_LIMIT, limit },
	{ "PidsLimit", FACT_PIDS_LIMIT, limit },
	{ "RestartPolicy", FACT_RESTART, restart },
	{ "OomKillDisable", FACT_OOM, out_of_memory },
	{ "CapAdd", FACT_CAP_ADD, capabilities },
	{ "CapDrop", FACT_CAP_DROP, capabilities },
	{ "GroupAdd", FACT_GROUP_ADD, groups },
	{ "VolumesFrom", FACT_VOLUMES_FROM, texts },
	{ "Dns", FACT_DNS, texts },
	{ "DeviceCgroupRules", FACT_DEVICE_RULE, texts },
	{ "ExtraHosts", FACT_EXTRA_HOST, extra_hosts },
	{ "Devices", FACT_DEVICE, devices },
	{ "DeviceRequests", FACT_GPU, device_requests },
	{ "Ulimits", FACT_ULIMIT, ulimits },
	{ "Sysctls", FACT_SYSCTL, sysctls },
	{ "Tmpfs", FACT_TMPFS, keys },
	{ "Annotations", FACT_RUNTIME_ANNOTATION, annotations },
};

/* --- security ------------------------------------------------------------------------------- */

static void security_options(const struct inspect *i)
{
	const struct node *list = node_get(i->host, "SecurityOpt");
	bool seccomp = false, nnp = false;

	for (uint32_t k = 0; k < node_count(list); k++) {
		const struct node *item = node_at(list, k);
		const struct fact *f =
		    node_text(item)
		        ? security_option_fact(i->w, i->row, node_text(item), item->span)
		        : NULL;

		seccomp |= f && f->kind == FACT_SECCOMP;
		nnp |= f && f->kind == FACT_NO_NEW_PRIVILEGES;
	}
	if (list && !seccomp)
		absent(i, FACT_SECCOMP, i->privileged ? "unconfined" : "default", list->span,
		       i->privileged ? "a privileged container has no seccomp filter by default"
		                     : "the engine's default profile, which docker info tells");
	if (list && !nnp)
		absent(i, FACT_NO_NEW_PRIVILEGES, "false", list->span,
		       "not asked for; the daemon's own default does not show in the export");
}

/* null comes with Privileged, [] with systempaths=unconfined, a list is the default. */
static void masks(const struct inspect *i)
{
	const struct node *masked = node_get(i->host, "MaskedPaths");

	if (!node_is_seq(masked))
		return;
	if (node_count(masked))
		add(i, FACT_PROC_MASK, "default", node_key_span(masked));
	else
		add(i, FACT_PROC_MASK, "unconfined", masked->span);
}

static void profiles(const struct inspect *i)
{
	const struct node *apparmor = node_get(i->top, "AppArmorProfile");
	const struct node *process = node_get(i->top, "ProcessLabel");
	const char *profile = node_text(apparmor);

	if (profile && *profile)
		set(i, add(i, FACT_APPARMOR, profile, apparmor->span), "source", "field");
	else if (apparmor)
		absent(i, FACT_APPARMOR, "none", apparmor->span,
		       "AppArmor is not in use on that host, or the container had not started");
	if (node_text(process) && *node_text(process))
		add(i, FACT_SELINUX, node_text(process), process->span);
}

/* --- identity and process ------------------------------------------------------------------- */

/* The image's USER is merged in already: nothing means root. */
static void identity(const struct inspect *i)
{
	const struct node *user = node_get(i->config, "User");

	if (!node_text(user))
		return;
	if (*node_text(user))
		user_fact(i->w, i->row, node_text(user), user->span);
	else
		set(i, add(i, FACT_USER, "", user->span), "uid", "0");
}

static void image(const struct inspect *i)
{
	const struct node *name = node_get(i->config, "Image"), *id = node_get(i->top, "Image");
	const struct node *digest = node_path(i->top, "ImageManifestDescriptor", "digest", NULL);
	struct fact *f;

	if (!digest)
		digest = node_get(i->top, "ImageDigest");
	if (i->podman && node_text(node_get(i->top, "ImageName")))
		name = node_get(i->top, "ImageName");
	if (!node_text(name))
		name = id;
	if (!node_text(name))
		return;
	/* An id names bytes on that host only and is no reference. */
	if (name == id || strncmp(node_text(name), "sha256:", 7) == 0) {
		set(i, add(i, FACT_IMAGE, node_text(name), name->span), "id", node_text(name));
		return;
	}
	f = image_fact(i->w, i->row, FACT_IMAGE, node_text(name), name->span);
	set(i, f, "id", node_text(id));
	if (node_text(digest) && *node_text(digest))
		set(i, f, "running_digest", node_text(digest));
}

static void command(const struct inspect *i, enum fact_kind kind, const struct node *program,
                    const struct node *args)
{
	struct argv words = { 0 };

	argv_add_node(arena_of(i), &words, program);
	argv_add_node(arena_of(i), &words, args);
	if (!words.count)
		return;
	secret_words(i->w, i->row, &words, 0, true);
	set(i, add(i, kind, argv_join(arena_of(i), &words, 0), words.items[0].span), "form",
	    "exec");
}

static void process(const struct inspect *i)
{
	const struct node *health = node_path(i->config, "Healthcheck", "Test", NULL);

	command(i, FACT_ENTRYPOINT, node_get(i->config, "Entrypoint"), NULL);
	command(i, FACT_COMMAND, node_get(i->top, "Path"), node_get(i->top, "Args"));
	text(i, FACT_WORKDIR, node_get(i->config, "WorkingDir"));
	if (node_count(health))
		set(i, add(i, FACT_PROBE, "exec", health->span), "event", "health");
	text(i, FACT_TARGET_OS, node_get(i->top, "Platform"));
	text(i, FACT_RUNTIME,
	     i->podman ? node_get(i->top, "OCIRuntime") : node_get(i->host, "Runtime"));
}

static void environment(const struct inspect *i)
{
	const struct node *list = node_get(i->config, "Env");

	for (uint32_t k = 0; node_is_seq(list) && k < list->count; k++) {
		const struct node *item = node_at(list, k);
		const char *pair = node_text(item), *equals = pair ? strchr(pair, '=') : NULL;

		if (equals)
			env_fact(i->w, i->row,
			         arena_copy(arena_of(i), pair, (size_t)(equals - pair)), equals + 1,
			         item->span);
	}
}

/* podman: what the process really holds. */
static void effective(const struct inspect *i)
{
	const struct node *list = node_get(i->top, "EffectiveCaps");

	for (uint32_t k = 0; node_is_seq(list) && k < list->count; k++)
		if (node_text(node_at(list, k)))
			capability_fact(i->w, i->row, FACT_CAP_EFFECTIVE,
			                node_text(node_at(list, k)), node_at(list, k)->span);
}

/* --- mounts --------------------------------------------------------------------------------- */

static void mount_object(const struct inspect *i, const struct node *item)
{
	const struct node *source = node_get(item, "Source"), *name = node_get(item, "Name");
	const char *type = node_text(node_get(item, "Type"));
	bool volume = type ? strcmp(type, "volume") == 0 : node_text(name) != NULL;
	const struct node *from = volume && node_text(name) && *node_text(name) ? name : source;
	struct volume_spec spec = {
		.type = volume ? "volume"
		        : type ? type
		               : "bind",
		.source = node_text(from) ? node_text(from) : "",
		.target = node_text(node_get(item, "Destination")),
		.read_only = node_is(node_get(item, "RW"), "false") ? VOLUME_ON : VOLUME_OFF,
	};
	const char *propagation = node_text(node_get(item, "Propagation"));

	if (!spec.target)
		return;
	if (propagation && *propagation)
		spec.propagation = propagation;
	mount_fact(i->w, i->row, &spec, from ? from->span : item->span);
}

static void bind_text(const struct inspect *i, const struct node *item)
{
	struct volume_spec spec;

	if (!node_text(item))
		return;
	spec = volume_parse_compose(arena_of(i), node_text(item));
	mount_fact(i->w, i->row, &spec, item->span);
}

static bool is_in_mounts(const struct node *mounts, const char *bind)
{
	for (uint32_t k = 0; k < node_count(mounts); k++) {
		const char *target = node_text(node_get(node_at(mounts, k), "Destination"));
		const char *found = target ? strstr(bind, target) : NULL;

		if (found && found > bind && found[-1] == ':')
			return true;
	}
	return false;
}

/* Mounts is the result; Binds is what was asked for and counts where Mounts is silent. */
static void mounts(const struct inspect *i)
{
	const struct node *list = node_get(i->top, "Mounts");
	const struct node *binds = node_get(i->host, "Binds");

	for (uint32_t k = 0; node_is_seq(list) && k < list->count; k++)
		if (node_is_map(node_at(list, k)))
			mount_object(i, node_at(list, k));
	for (uint32_t k = 0; node_is_seq(binds) && k < binds->count; k++)
		if (node_text(node_at(binds, k)) &&
		    !is_in_mounts(list, node_text(node_at(binds, k))))
			bind_text(i, node_at(binds, k));
}

/* --- network -------------------------------------------------------------------------------- */

static void binding(const struct inspect *i, const char *container, const struct node *item)
{
	struct arena *a = arena_of(i);
	const struct node *port = node_get(item, "HostPort"), *ip = node_get(item, "HostIp");
	const char *address = node_text(ip) ? node_text(ip) : "";
	const char *published = node_text(port) ? node_text(port) : "";
	size_t target = strcspn(container, "/");
	struct fact *f;

	if (!node_is_map(item))
		return;
	f = add(i, FACT_PORT,
	        arena_printf(a, "%s%s%s:%s", address, *address ? ":" : "", published, container),
	        port ? port->span : item->span);
	set(i, f, "host_ip", address);
	if (*published)
		set(i, f, "published", published);
	set(i, f, "target", arena_copy(a, container, target));
	set(i, f, "protocol", container[target] ? container + target + 1 : "tcp");
}

static bool bindings(const struct inspect *i, const struct node *map)
{
	bool any = false;

	for (uint32_t k = 0; node_is_map(map) && k < map->count; k++) {
		const char *container = node_text(map->items[k].key);
		const struct node *list = node_resolve(map->items[k].value);

		for (uint32_t n = 0; container && node_is_seq(list) && n < list->count; n++) {
			binding(i, container, node_at(list, n));
			any = true;
		}
	}
	return any;
}

static void ports(const struct inspect *i)
{
	const struct node *all = node_get(i->host, "PublishAllPorts");

	if (!bindings(i, node_get(i->host, "PortBindings")))
		bindings(i, node_path(i->top, "NetworkSettings", "Ports", NULL));
	if (is_true(all))
		set(i, add(i, FACT_PORT, "all exposed ports", all->span), "host_ip", "");
	keys(i, FACT_EXPOSE, node_get(i->config, "ExposedPorts"));
	keys(i, FACT_NETWORK, node_path(i->top, "NetworkSettings", "Networks", NULL));
}

void inspect_facts(const struct inspect *i)
{
	image(i);
	identity(i);
	for (size_t k = 0; k < sizeof host_keys / sizeof *host_keys; k++) {
		const struct node *n = node_get(i->host, host_keys[k].key);

		if (n)
			host_keys[k].read(i, host_keys[k].kind, n);
	}
	security_options(i);
	masks(i);
	profiles(i);
	process(i);
	environment(i);
	effective(i);
	mounts(i);
	ports(i);
}

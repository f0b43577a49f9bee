/* daemon.json: the engine's own settings, which are the defaults of every container.
 *
 * Keys: dockerd of 2026-08.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "src/formats/format.h"

struct daemon {
	struct workspace *w;
	struct row *row;
	const struct node *top;
};

static const struct node *top_of(const struct input *in)
{
	const struct node *top = in->documents.count ? node_resolve(in->documents.items[0]) : NULL;

	return node_is_map(top) ? top : NULL;
}

static bool interested(const char *path)
{
	return path_ends(path, ".json");
}

static bool claims(const char *path, const char *bytes, size_t length)
{
	static const char *const needles[] = { "\"userns-remap\"",        "\"seccomp-profile\"",
		                               "\"default-runtime\"",     "\"live-restore\"",
		                               "\"insecure-registries\"", "\"tlsverify\"",
		                               "\"no-new-privileges\"",   "\"icc\"" };

	if (strcmp(path_base(path), "daemon.json") == 0)
		return true;
	for (size_t i = 0; i < sizeof needles / sizeof *needles; i++)
		if (bytes_hold(bytes, length, needles[i]))
			return true;
	return false;
}

static bool recognise(const struct input *in)
{
	static const char *const keys[] = { "userns-remap",
		                            "seccomp-profile",
		                            "default-runtime",
		                            "live-restore",
		                            "insecure-registries",
		                            "tlsverify",
		                            "no-new-privileges",
		                            "icc",
		                            "data-root",
		                            "log-driver",
		                            "storage-driver",
		                            "registry-mirrors",
		                            "exec-opts",
		                            "runtimes",
		                            "hosts",
		                            "dns",
		                            "default-address-pools" };
	const struct node *top = top_of(in);

	if (!top || node_get(top, "services"))
		return false;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (node_get(top, keys[i]) &&
		    (i < 8 || strcmp(path_base(in->artifact->path), "daemon.json") == 0))
			return true;
	return false;
}

static struct fact *add(const struct daemon *d, enum fact_kind kind, const char *value,
                        struct span span)
{
	return snapshot_add_fact(d->w->snapshot, d->row, kind, value, span);
}

static void set(const struct daemon *d, struct fact *f, const char *name, const char *value)
{
	snapshot_set_attribute(d->w->snapshot, f, name, value);
}

/* Every plain setting is told as it is written. */
static void read_scalars(const struct daemon *d)
{
	for (uint32_t i = 0; d->top && i < d->top->count; i++) {
		const char *name = node_text(d->top->items[i].key);
		const struct node *value = node_resolve(d->top->items[i].value);

		if (!name || !node_text(value))
			continue;
		set(d,
		    add(d, FACT_DAEMON_DEFAULT,
		        arena_printf(&d->w->snapshot->arena, "%s=%s", name, node_text(value)),
		        value->span),
		    "setting", name);
	}
}

static void read_identity(const struct daemon *d)
{
	const struct node *remap = node_get(d->top, "userns-remap");
	const struct node *nnp = node_get(d->top, "no-new-privileges");

	if (node_text(remap) && *node_text(remap))
		add(d, FACT_USERNS, node_text(remap), remap->span);
	if (node_text(nnp))
		fact_from_node(d->w, d->row, FACT_NO_NEW_PRIVILEGES, nnp);
}

/* "tcp://…" without verified certificates is the engine for anyone who can connect. */
static void read_hosts(const struct daemon *d)
{
	const struct node *hosts = node_get(d->top, "hosts");
	bool tls = node_is(node_get(d->top, "tlsverify"), "true");

	for (uint32_t i = 0; node_is_seq(hosts) && i < hosts->count; i++) {
		const struct node *item = node_at(hosts, i);
		const char *text = node_text(item), *rest = text ? strstr(text, "://") : NULL;
		struct fact *f;

		if (!rest)
			continue;
		f = add(d, FACT_ENGINE_HOST, "hosts", item->span);
		set(d, f, "scheme",
		    arena_copy(&d->w->snapshot->arena, text, (size_t)(rest - text)));
		set(d, f, "address", rest + 3);
		set(d, f, "tls", tls ? "true" : "false");
	}
}

static void read_registries(const struct daemon *d)
{
	const struct node *list = node_get(d->top, "insecure-registries");

	for (uint32_t i = 0; node_is_seq(list) && i < list->count; i++)
		if (node_text(node_at(list, i)))
			set(d,
			    add(d, FACT_REGISTRY, node_text(node_at(list, i)),
			        node_at(list, i)->span),
			    "insecure", "true");
}

static void read_runtime(const struct daemon *d, const char *name, const struct node *runtime)
{
	const struct node *args = node_get(runtime, "runtimeArgs");

	for (uint32_t i = 0; node_is_seq(args) && i < args->count; i++)
		if (node_text(node_at(args, i)))
			set(d,
			    add(d, FACT_RUNTIME_FLAG, node_text(node_at(args, i)),
			        node_at(args, i)->span),
			    "runtime", name);
}

static void read_runtimes(const struct daemon *d)
{
	const struct node *map = node_get(d->top, "runtimes");

	for (uint32_t i = 0; node_is_map(map) && i < map->count; i++)
		if (node_text(map->items[i].key))
			read_runtime(d, node_text(map->items[i].key), map->items[i].value);
}

static void read(struct workspace *w, struct input *in)
{
	const struct row_spec spec = {
		.path = in->artifact->path,
		.object_kind = "engine",
		.unit = "docker",
		.kind = ROW_OBJECT,
		.format = FORMAT_DAEMON_JSON,
		.artifact = in->artifact->index,
		.span = source_line_span(in->source, 1),
	};
	const struct daemon d = { .w = w,
		                  .row = snapshot_add_row(w->snapshot, &spec),
		                  .top = top_of(in) };

	in->state[FORMAT_DAEMON_JSON] = d.row;
	read_scalars(&d);
	read_identity(&d);
	read_hosts(&d);
	read_registries(&d);
	read_runtimes(&d);
}

/* A runtime that a row names and a daemon.json of the tree defines is a known one. */
static void mark_runtime(struct workspace *w, const char *name)
{
	for (size_t i = 0; i < w->snapshot->rows.count; i++) {
		struct row *r = w->snapshot->rows.items[i];

		for (size_t k = 0; k < r->facts.count; k++)
			if (r->facts.items[k]->kind == FACT_RUNTIME &&
			    strcmp(r->facts.items[k]->value, name) == 0)
				snapshot_set_attribute(w->snapshot, r->facts.items[k], "known",
				                       "true");
	}
}

static void join(struct workspace *w)
{
	for (size_t i = 0; i < w->inputs.count; i++) {
		struct input *in = w->inputs.items[i];
		const struct node *map =
		    in->state[FORMAT_DAEMON_JSON] ? node_get(top_of(in), "runtimes") : NULL;

		for (uint32_t k = 0; node_is_map(map) && k < map->count && k < 64; k++)
			if (node_text(map->items[k].key))
				mark_runtime(w, node_text(map->items[k].key));
	}
}

const struct format format_daemon = {
	.id = FORMAT_DAEMON_JSON,
	.syntax = SYNTAX_JSON,
	.interested = interested,
	.claims = claims,
	.recognise = recognise,
	.read = read,
	.join = join,
};

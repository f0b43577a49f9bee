/* Dev containers: devcontainer.json.
 *
 * Keys: containers.dev specification of 2026; features of the official collection of 2026-11.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "src/formats/run/container_facts.h"
#include "src/formats/run/run_facts.h"
#include "src/formats/run/secret_words.h"

struct devcontainer {
	struct workspace *w;
	struct input *in;
	struct row *row;
	const struct node *top;
	const char *folder; /* of the file */
	bool compose;       /* a Compose service holds the container's settings */
};

static bool interested(const char *path)
{
	const char *base = path_base(path);

	return strcmp(base, "devcontainer.json") == 0 || strcmp(base, ".devcontainer.json") == 0;
}

static const struct node *top_of(const struct input *in)
{
	return in->documents.count ? node_resolve(in->documents.items[0]) : NULL;
}

static bool recognise(const struct input *in)
{
	static const char *const keys[] = {
		"image",   "build", "dockerFile", "dockerComposeFile", "features", "customizations",
		"runArgs", "name",  "remoteUser", "postCreateCommand", "mounts"
	};

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (node_get(top_of(in), keys[i]))
			return true;
	return false;
}

static struct arena *arena_of(const struct devcontainer *d)
{
	return &d->w->snapshot->arena;
}

static const struct node *get(const struct devcontainer *d, const char *key)
{
	return node_get(d->top, key);
}

static struct fact *add(const struct devcontainer *d, enum fact_kind kind, const char *value,
                        struct span span)
{
	return snapshot_add_fact(d->w->snapshot, d->row, kind, value, span);
}

static void set(const struct devcontainer *d, struct fact *f, const char *name, const char *value)
{
	snapshot_set_attribute(d->w->snapshot, f, name, value);
}

/* Calls READ for a scalar, or for each scalar of a list. */
static void each(const struct devcontainer *d, const struct node *n,
                 void (*read)(const struct devcontainer *, const char *, struct span))
{
	if (node_text(n))
		read(d, node_text(n), n->span);
	for (uint32_t i = 0; node_is_seq(n) && i < n->count; i++)
		if (node_text(node_at(n, i)))
			read(d, node_text(node_at(n, i)), node_at(n, i)->span);
}

/* --- image ---------------------------------------------------------------------------------- */

static void read_image(const struct devcontainer *d)
{
	const struct node *image = get(d, "image"), *build = get(d, "build");
	const struct node *file = build ? node_get(build, "dockerfile") : get(d, "dockerFile");
	const struct node *context = build ? node_get(build, "context") : get(d, "context");
	const char *path;
	struct fact *f;

	if (node_text(image))
		image_fact(d->w, d->row, FACT_IMAGE, node_text(image), image->span);
	if (!node_text(file))
		return;
	path = path_join(arena_of(d), d->folder, node_text(file));
	f = add(d, FACT_BUILD, node_text(context) ? node_text(context) : ".", file->span);
	set(d, f, "dockerfile", path);
	set(d, f, "target", node_text(node_get(build, "target")));
}

/* --- privileges ----------------------------------------------------------------------------- */

static void capability(const struct devcontainer *d, const char *text, struct span span)
{
	capability_fact(d->w, d->row, FACT_CAP_ADD, text, span);
}

static void security(const struct devcontainer *d, const char *text, struct span span)
{
	security_option_fact(d->w, d->row, text, span);
}

static void read_user(const struct devcontainer *d)
{
	const struct node *user = get(d, "containerUser"), *tools = get(d, "remoteUser");
	struct fact *f;

	if (node_text(user))
		user_fact(d->w, d->row, node_text(user), user->span);
	if (!node_text(tools))
		return;
	/* Editors and their tools run as this user; the container's own processes do not. */
	f = add(d, FACT_PRIVILEGE_DROP, node_text(tools), tools->span);
	set(d, f, "tool", "remoteUser");
	set(d, f, "closed", "false");
}

static void read_run_args(const struct devcontainer *d)
{
	const struct node *list = get(d, "runArgs");
	uint32_t count = node_is_seq(list) ? list->count : 0;
	struct docker_arg *args = arena_array(arena_of(d), count + 1u, sizeof *args);
	size_t used = 0;
	struct docker_run run;

	for (uint32_t i = 0; i < count; i++) {
		const struct node *item = node_at(list, i);

		if (node_text(item))
			args[used++] = (struct docker_arg){
				.text = node_text(item),
				.span = item->span,
				.literal = !strchr(node_text(item), '$'),
			};
	}
	docker_run_options(arena_of(d), DOCKER_TOOL_DOCKER, args, used, &run);
	run_option_facts(d->w, d->row, &run);
}

/* --- mounts --------------------------------------------------------------------------------- */

static void mount(const struct devcontainer *d, const char *text, struct span span)
{
	struct volume_spec spec = volume_parse_mount(arena_of(d), text);

	if (spec.source || spec.target)
		mount_fact(d->w, d->row, &spec, span);
}

static void mount_object(const struct devcontainer *d, const struct node *n)
{
	const char *type = node_text(node_get(n, "type"));
	const char *source = node_text(node_get(n, "source"));
	struct volume_spec spec = {
		.type = type ? type : "volume",
		.source = source ? source : "",
		.target = node_text(node_get(n, "target")),
		.read_only = node_is(node_get(n, "readonly"), "true") ? VOLUME_ON : VOLUME_OFF,
	};

	if (spec.target)
		mount_fact(d->w, d->row, &spec, n->span);
}

static void default_workspace(const struct devcontainer *d)
{
	struct fact *f = snapshot_add_absent(
	    d->w->snapshot, d->row, FACT_MOUNT, "${localWorkspaceFolder}:/workspaces", d->row->span,
	    "dev container default: the project is bound read-write");

	set(d, f, "type", "bind");
	set(d, f, "source", "${localWorkspaceFolder}");
	set(d, f, "target", "/workspaces");
	set(d, f, "read_only", "false");
	set(d, f, "project", "true");
}

static void read_mounts(const struct devcontainer *d)
{
	const struct node *list = get(d, "mounts"), *workspace = get(d, "workspaceMount");

	each(d, list, mount);
	for (uint32_t i = 0; node_is_seq(list) && i < list->count; i++)
		if (node_is_map(node_at(list, i)))
			mount_object(d, node_at(list, i));
	if (node_text(workspace) && *node_text(workspace))
		mount(d, node_text(workspace), workspace->span);
	else if (!workspace && !d->compose)
		default_workspace(d);
}

/* --- environment and ports ------------------------------------------------------------------ */

static void read_environment(const struct devcontainer *d, const struct node *map)
{
	for (uint32_t i = 0; node_is_map(map) && i < map->count; i++) {
		const char *name = node_text(map->items[i].key);
		const char *value = node_text(map->items[i].value);

		if (name)
			env_fact(d->w, d->row, name, value ? value : "", map->items[i].key->span);
	}
}

static void app_port(const struct devcontainer *d, const char *text, struct span span)
{
	const char *port =
	    strchr(text, ':') ? text : arena_printf(arena_of(d), "%s:%s", text, text);

	port_fact(d->w, d->row, port, span);
}

/* Forwarded by the editor to the loopback of the machine it runs on. */
static void forwarded(const struct devcontainer *d, const char *text, struct span span)
{
	struct fact *f = add(d, FACT_LISTEN, text, span);

	set(d, f, "address", "127.0.0.1");
	set(d, f, "port", strrchr(text, ':') ? strrchr(text, ':') + 1 : text);
	set(d, f, "auth", "unknown");
}

/* --- commands ------------------------------------------------------------------------------- */

static void command(const struct devcontainer *d, const struct node *n, const char *event,
                    bool host)
{
	struct argv words = { 0 };
	struct fact *f;

	if (!argv_add_node(arena_of(d), &words, n) || !words.count)
		return;
	secret_words(d->w, d->row, &words, 0, true);
	f = add(d, host ? FACT_HOST_COMMAND : FACT_HOOK, argv_join(arena_of(d), &words, 0),
	        words.items[0].span);
	set(d, f, "event", event);
	set(d, f, "where", host ? "host" : "container");
}

static void read_commands(const struct devcontainer *d)
{
	static const char *const events[] = { "initializeCommand",    "onCreateCommand",
		                              "updateContentCommand", "postCreateCommand",
		                              "postStartCommand",     "postAttachCommand" };

	for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
		const struct node *n = get(d, events[i]);

		if (!node_is_map(n))
			command(d, n, events[i], i == 0);
		for (uint32_t k = 0; node_is_map(n) && k < n->count; k++)
			command(d, node_resolve(n->items[k].value), events[i], i == 0);
	}
}

/* --- features ------------------------------------------------------------------------------- */

static void docker_in_docker(const struct devcontainer *d, struct span span)
{
	add(d, FACT_PRIVILEGED, "true", span)->note = "asked for by the feature docker-in-docker";
}

static void docker_outside(const struct devcontainer *d, struct span span)
{
	static const struct volume_spec socket = {
		.type = "bind",
		.source = "/var/run/docker.sock",
		.target = "/var/run/docker-host.sock",
	};

	mount_fact(d->w, d->row, &socket, span)->note =
	    "asked for by the feature docker-outside-of-docker";
	security_option_fact(d->w, d->row, "label=disable", span);
}

static void tracing(const struct devcontainer *d, struct span span)
{
	capability_fact(d->w, d->row, FACT_CAP_ADD, "SYS_PTRACE", span);
	security_option_fact(d->w, d->row, "seccomp=unconfined", span);
}

static const struct {
	const char *name; /* last part of the feature's id */
	void (*read)(const struct devcontainer *d, struct span span);
} features[] = {
	{ "docker-in-docker", docker_in_docker },
	{ "docker-outside-of-docker", docker_outside },
	{ "docker-from-docker", docker_outside },
	{ "go", tracing },
	{ "rust", tracing },
};

/* A digest, or a version of three numbers. */
static bool is_pinned(const char *version)
{
	return strchr(version, '@') ||
	       (strchr(version, '.') && strchr(strchr(version, '.') + 1, '.'));
}

static void read_feature(const struct devcontainer *d, const char *id, struct span span)
{
	const char *name = path_base(id), *version = name + strcspn(name, ":@");
	const char *plain = arena_copy(arena_of(d), name, (size_t)(version - name));
	struct fact *f = add(d, FACT_PACKAGE_INSTALL, id, span);

	set(d, f, "manager", "devcontainer feature");
	set(d, f, "name", arena_copy(arena_of(d), id, (size_t)(version - id)));
	set(d, f, "version", *version ? version + 1 : "");
	set(d, f, "pinned", *id == '.' || is_pinned(version) ? "true" : "false");
	for (size_t i = 0; i < sizeof features / sizeof *features; i++)
		if (strcmp(plain, features[i].name) == 0)
			features[i].read(d, span);
}

static void read_features(const struct devcontainer *d)
{
	const struct node *map = get(d, "features");

	for (uint32_t i = 0; node_is_map(map) && i < map->count; i++)
		if (node_text(map->items[i].key))
			read_feature(d, node_text(map->items[i].key), map->items[i].key->span);
}

/* --- the file ------------------------------------------------------------------------------- */

static struct row *add_row(const struct devcontainer *d)
{
	const struct node_item *name = node_find(d->top, "name");
	const char *text = name ? node_text(name->value) : NULL;
	const struct row_spec spec = {
		.path = d->in->artifact->path,
		.object_kind = "devcontainer",
		.unit = text && *text ? text : "devcontainer",
		.kind = ROW_MAIN,
		.format = FORMAT_DEVCONTAINER,
		.artifact = d->in->artifact->index,
		.span = name ? name->key->span : source_line_span(d->in->source, 1),
	};

	return snapshot_add_row(d->w->snapshot, &spec);
}

static void read(struct workspace *w, struct input *in)
{
	struct devcontainer d = { .w = w, .in = in, .top = top_of(in) };

	d.folder = path_folder(&w->snapshot->arena, in->artifact->path);
	d.compose = get(&d, "dockerComposeFile") != NULL;
	d.row = add_row(&d);
	in->state[FORMAT_DEVCONTAINER] = d.row;
	read_image(&d);
	if (node_is(get(&d, "privileged"), "true") || node_is(get(&d, "privileged"), "false"))
		fact_from_node(w, d.row, FACT_PRIVILEGED, get(&d, "privileged"));
	each(&d, get(&d, "capAdd"), capability);
	each(&d, get(&d, "securityOpt"), security);
	read_user(&d);
	if (!d.compose)
		read_run_args(&d);
	read_features(&d);
	read_mounts(&d);
	read_environment(&d, get(&d, "containerEnv"));
	read_environment(&d, get(&d, "remoteEnv"));
	each(&d, get(&d, "appPort"), app_port);
	each(&d, get(&d, "forwardPorts"), forwarded);
	read_commands(&d);
	if (!d.compose)
		container_defaults(w, d.row, LAYER_DECLARED, d.row->span);
}

/* --- the Compose service behind it ---------------------------------------------------------- */

static struct row *service_row(struct workspace *w, const struct input *in, const char *file)
{
	struct arena *a = &w->snapshot->arena;
	const char *service = node_text(node_get(top_of(in), "service"));
	const char *path = path_join(a, path_folder(a, in->artifact->path), file);

	for (size_t i = 0; service && path && i < w->snapshot->rows.count; i++) {
		struct row *r = w->snapshot->rows.items[i];

		if (r->format == FORMAT_COMPOSE && strcmp(r->unit, service) == 0 &&
		    strcmp(w->snapshot->artifacts.items[r->artifact]->path, path) == 0)
			return r;
	}
	return NULL;
}

static void link_service(struct workspace *w, struct row *row, struct row *service)
{
	struct arena *a = &w->snapshot->arena;

	*ARENA_PUSH(a, &row->shares_with) = service->index;
	*ARENA_PUSH(a, &service->shares_with) = row->index;
}

static void join_file(struct workspace *w, const struct input *in, struct row *row)
{
	const struct node *files = node_get(top_of(in), "dockerComposeFile");
	struct row *service = node_text(files) ? service_row(w, in, node_text(files)) : NULL;

	for (uint32_t i = 0; !service && node_is_seq(files) && i < files->count; i++)
		if (node_text(node_at(files, i)))
			service = service_row(w, in, node_text(node_at(files, i)));
	if (service)
		link_service(w, row, service);
	else if (files)
		snapshot_set_attribute(
		    w->snapshot,
		    snapshot_add_fact(w->snapshot, row, FACT_MISSING_FILE,
		                      node_text(files) ? node_text(files) : "Compose service",
		                      files->span),
		    "role", "service");
}

static void join(struct workspace *w)
{
	for (size_t i = 0; i < w->inputs.count; i++) {
		struct input *in = w->inputs.items[i];

		if (in->state[FORMAT_DEVCONTAINER])
			join_file(w, in, in->state[FORMAT_DEVCONTAINER]);
	}
}

const struct format format_devcontainer = {
	.id = FORMAT_DEVCONTAINER,
	.syntax = SYNTAX_JSONC,
	.interested = interested,
	.recognise = recognise,
	.read = read,
	.join = join,
};

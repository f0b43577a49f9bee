/* Image, build and entry chain of a service.
 * SPDX-License-Identifier: MIT */
#include <string.h>
#include <strings.h>

#include "src/formats/compose/rows.h"
#include "src/formats/dockerfile/image.h"

static void build_args(const struct crow *r, const struct cvalue *args)
{
	for (size_t i = 0; cvalue_is_map(args) && i < args->count; i++) {
		const struct cvalue *v = args->items[i].value;
		const char *text = cvalue_text(v);
		struct fact *f = crow_fact_text(r, FACT_BUILD_ARG, args->items[i].key, v);

		crow_attribute(r, f, "secret",
		               name_is_secret(args->items[i].key) ? "true" : "false");
		crow_attribute(r, f, "default",
		               !text                     ? "none"
		               : v->raw && !v->defaulted ? "reference"
		                                         : value_class(text));
	}
}

static void build_privileges(const struct crow *r, const struct cvalue *build)
{
	const struct cvalue *privileged = cvalue_get(build, "privileged");
	const struct cvalue *network = cvalue_get(build, "network");

	crow_facts(r, FACT_BUILD_PRIVILEGE, cvalue_get(build, "entitlements"));
	if (cvalue_is_true(privileged) || (privileged && privileged->unresolved))
		crow_fact_text(r, FACT_BUILD_PRIVILEGE, "privileged", privileged);
	if (cvalue_text(network) && strcmp(network->text, "host") == 0)
		crow_fact_text(r, FACT_BUILD_PRIVILEGE, "network.host", network);
}

static void build_inputs(const struct crow *r, const struct cvalue *build)
{
	const struct cvalue *secrets = cvalue_get(build, "secrets");
	const struct cvalue *ssh = cvalue_get(build, "ssh");

	for (size_t i = 0; cvalue_is_list(secrets) && i < secrets->count; i++)
		crow_fact(r, FACT_BUILD_SECRET, cvalue_get(secrets->items[i].value, "source"));
	for (size_t i = 0; cvalue_is_list(ssh) && i < ssh->count; i++)
		crow_fact(r, FACT_BUILD_SSH, cvalue_get(ssh->items[i].value, "id"));
}

/* The Dockerfile in the tree or in the file itself; NULL when the context lies elsewhere. */
static const char *dockerfile_path(const struct crow *r, const struct cvalue *build)
{
	struct arena *a = &r->w->snapshot->arena;
	const struct cvalue *text = cvalue_get(build, "dockerfile_inline");
	const char *context = cvalue_text(cvalue_get(build, "context"));
	const char *file = cvalue_text(cvalue_get(build, "dockerfile"));
	const char *folder;

	if (cvalue_text(text))
		return image_inline(r->w, text->span, r->name, crow_shown(text));
	if (!context || !file || strstr(context, "://") || strncmp(context, "git@", 4) == 0)
		return NULL;
	folder = path_join(a, r->project->folder, context);
	return folder ? path_join(a, folder, file) : NULL;
}

/* The build context; a password in its URL is left out and told. */
static struct fact *context_fact(const struct crow *r, const struct cvalue *build,
                                 const struct cvalue *context)
{
	const char *shown, *scheme, *at;

	if (!cvalue_text(context) || context->implied)
		return crow_fact_text(r, FACT_BUILD, ".", build);
	shown = crow_shown(context);
	scheme = strstr(shown, "://");
	at = scheme ? strchr(scheme, '@') : NULL;
	if (!at || !url_has_secret(shown))
		return crow_fact(r, FACT_BUILD, context);
	crow_fact_text(r, FACT_SECRET_ARGUMENT, "URL with a password", context);
	return crow_fact_text(r, FACT_BUILD,
	                      arena_printf(&r->w->snapshot->arena, "%.*s%s",
	                                   (int)(scheme + 3 - shown), shown, at + 1),
	                      context);
}

/* Tells the Dockerfile what its arguments are; those without a value stay as the file has them. */
static void give_arguments(const struct crow *r, const char *path, const struct cvalue *args)
{
	struct arena *a = &r->w->snapshot->arena;
	struct image_file *f = image_open(r->w, path);
	struct image_build *build = f ? image_add_build(r->w, f, r->row) : NULL;

	for (size_t i = 0; build && cvalue_is_map(args) && i < args->count; i++) {
		const struct cvalue *v = args->items[i].value;

		if (cvalue_text(v) && !v->unresolved)
			expand_set(a, &build->args, args->items[i].key, v->text, v->span);
	}
}

static void build(const struct crow *r, const struct cvalue *v)
{
	const struct cvalue *context = cvalue_get(v, "context");
	const char *path = dockerfile_path(r, v);
	const char *target = cvalue_text(cvalue_get(v, "target"));
	struct fact *f;

	f = context_fact(r, v, context);
	crow_attribute(r, f, "dockerfile", path);
	crow_attribute(r, f, "target", target);
	if (cvalue_member(v, "dockerfile_inline"))
		crow_attribute(r, f, "inline", "true");
	give_arguments(r, path, cvalue_get(v, "args"));
	build_args(r, cvalue_get(v, "args"));
	build_privileges(r, v);
	build_inputs(r, v);
}

void crow_hook(const struct crow *r, const char *event, const struct cvalue *hook)
{
	const struct cvalue *command = cvalue_get(hook, "command");
	struct fact *f =
	    crow_fact_text(r, FACT_HOOK, crow_words(r, command), command ? command : hook);

	crow_attribute(r, f, "event", event);
	crow_attribute(r, f, "where", "container");
	crow_attribute(r, f, "user", cvalue_text(cvalue_get(hook, "user")));
	crow_attribute(r, f, "privileged",
	               cvalue_is_true(cvalue_get(hook, "privileged")) ? "true" : "false");
	crow_environment(r, cvalue_get(hook, "environment"));
}

static void hooks(const struct crow *r, const char *event)
{
	const struct cvalue *list = cvalue_get(r->service, event);

	for (size_t i = 0; cvalue_is_list(list) && i < list->count; i++)
		if (cvalue_is_map(list->items[i].value))
			crow_hook(r, event, list->items[i].value);
}

static void health(const struct crow *r)
{
	const struct cvalue *check = cvalue_get(r->service, "healthcheck");
	const struct cvalue *test = cvalue_get(check, "test");
	const char *first = cvalue_text(cvalue_at(test, 0));
	struct fact *f;

	if (!first || strcmp(first, "NONE") == 0 || cvalue_is_true(cvalue_get(check, "disable")))
		return;
	f = crow_fact_text(r, FACT_PROBE, "exec", test);
	crow_attribute(r, f, "event", "healthcheck");
	crow_attribute(r, f, "command", crow_words(r, test));
}

void crow_command(const struct crow *r, const struct cvalue *service)
{
	static const struct {
		const char *key;
		enum fact_kind kind;
	} keys[] = { { "entrypoint", FACT_ENTRYPOINT }, { "command", FACT_COMMAND } };

	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		const struct cvalue *v = cvalue_get(service, keys[i].key);

		if (!v || v->kind == CVALUE_NULL)
			continue;
		crow_attribute(r, crow_fact_text(r, keys[i].kind, crow_words(r, v), v), "form",
		               "exec");
	}
}

/* Options whose next word or value is a secret, and words that are one by their shape. */
static void secret_arguments(const struct crow *r, const struct cvalue *list)
{
	for (size_t i = 0; cvalue_is_list(list) && i < list->count; i++) {
		const struct cvalue *v = list->items[i].value, *next = cvalue_at(list, i + 1);
		const char *text = cvalue_text(v), *equals;
		const char *option;

		if (!text)
			continue;
		equals = strchr(text, '=');
		option = arena_copy(&r->w->snapshot->arena, text,
		                    equals ? (size_t)(equals - text) : strlen(text));
		if (url_has_secret(text) || value_token(text))
			crow_fact_text(r, FACT_SECRET_ARGUMENT,
			               url_has_secret(text) ? "URL with a password" : "token", v);
		else if (text[0] == '-' && name_is_secret(option) &&
		         (equals ? strcmp(value_class(equals + 1), "literal") == 0 && !v->raw
		                 : cvalue_text(next) && next->text[0] != '-' && !next->raw &&
		                       strcmp(value_class(next->text), "literal") == 0))
			crow_fact_text(r, FACT_SECRET_ARGUMENT, option, v);
	}
}

static bool claims_isolation(const char *text)
{
	static const char *const words[] = { "sandbox", "gvisor", "isolated", "secure" };

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strstr(text, words[i]))
			return true;
	return false;
}

static void claims(const struct crow *r)
{
	struct arena *a = &r->w->snapshot->arena;
	const struct cvalue *image = cvalue_get(r->service, "image");
	const struct cvalue *labels = cvalue_get(r->service, "labels");

	if (claims_isolation(r->name))
		snapshot_add_fact(r->w->snapshot, r->row, FACT_ISOLATION_LABEL,
		                  arena_printf(a, "service=%s", r->name), r->row->span);
	if (cvalue_text(image) && claims_isolation(image->text))
		crow_fact_text(r, FACT_ISOLATION_LABEL, arena_printf(a, "image=%s", image->text),
		               image);
	for (size_t i = 0; cvalue_is_map(labels) && i < labels->count; i++)
		if (claims_isolation(labels->items[i].key))
			crow_fact_text(r, FACT_ISOLATION_LABEL,
			               arena_printf(a, "label=%s", labels->items[i].key),
			               labels->items[i].value);
}

static void platform(const struct crow *r)
{
	const struct cvalue *v = cvalue_get(r->service, "platform");
	const char *os = cvalue_text(v);

	if (os && !v->unresolved)
		crow_fact_text(r, FACT_TARGET_OS,
		               arena_copy(&r->w->snapshot->arena, os, strcspn(os, "/")), v);
}

/* A service that is built and named after a repository can also be pulled ("compose pull"), unless
 * its policy is to build. */
static bool built_only(const struct crow *r, const char *image)
{
	const char *policy = crow_text(r, "pull_policy");

	return !strchr(image, '/') || (policy && strcmp(policy, "build") == 0);
}

void crow_image(const struct crow *r)
{
	const struct cvalue *image = cvalue_get(r->service, "image");
	const struct cvalue *made = cvalue_get(r->service, "build");
	struct fact *f;

	if (cvalue_text(image) && (image->text[0] || image->unresolved)) {
		f = image_fact(r->w, r->row, FACT_IMAGE, crow_shown(image), image->span);
		crow_trace(r, f, image);
		if (cvalue_is_map(made) && built_only(r, image->text))
			crow_attribute(r, f, "local", "true");
	}
	if (cvalue_is_map(made))
		build(r, made);
	crow_fact(r, FACT_PULL_POLICY, cvalue_get(r->service, "pull_policy"));
	crow_command(r, r->service);
	secret_arguments(r, cvalue_get(r->service, "entrypoint"));
	secret_arguments(r, cvalue_get(r->service, "command"));
	hooks(r, "pre_start");
	hooks(r, "post_start");
	hooks(r, "pre_stop");
	health(r);
	crow_fact(r, FACT_INIT, cvalue_get(r->service, "init"));
	crow_fact(r, FACT_WORKDIR, cvalue_get(r->service, "working_dir"));
	crow_facts(r, FACT_PROFILE, cvalue_get(r->service, "profiles"));
	platform(r);
	claims(r);
}

/* Paths of a model: joining, relating, and moving a model to another project directory.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "model/buf.h"
#include "model/limits.h"
#include "src/formats/compose/load.h"
#include "src/syntax/volume_spec.h"

/* Adds the parts of TEXT to the path in B, resolving "." and "..". */
static void add_parts(struct buf *b, const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "/");
		const char *last = b->length ? strrchr(b->bytes, '/') : NULL;

		if (n == 2 && memcmp(text, "..", 2) == 0 && b->length &&
		    strcmp(last ? last + 1 : b->bytes, "..") != 0 && strcmp(b->bytes, "/") != 0) {
			b->length = last ? (size_t)(last - b->bytes) : 0;
			b->bytes[b->length] = '\0';
		} else if (n > 0 && !(n == 1 && *text == '.')) {
			if (b->length && b->bytes[b->length - 1] != '/')
				buf_putc(b, '/');
			buf_add(b, text, n);
		}
		text += text[n] ? n + 1 : n;
	}
}

const char *compose_join(struct arena *a, const char *folder, const char *path)
{
	struct buf b = { 0 };
	const char *joined;

	if (path[0] == '/' || (path[0] != '/' && folder[0] == '/'))
		buf_putc(&b, '/');
	if (path[0] != '/')
		add_parts(&b, folder);
	add_parts(&b, path);
	joined = arena_copy(a, buf_text(&b), b.length);
	buf_free(&b);
	return joined;
}

const char *compose_relative(struct arena *a, const char *from, const char *path)
{
	struct buf b = { 0 };
	const char *result;
	size_t same = 0, i = 0;

	for (;; i++) {
		bool from_end = from[i] == '\0' || from[i] == '/';
		bool path_end = path[i] == '\0' || path[i] == '/';

		if (from_end && path_end)
			same = i;
		if (from[i] == '\0' || path[i] == '\0' || from[i] != path[i])
			break;
	}
	from += same + (from[same] == '/');
	path += same + (path[same] == '/');
	for (; *from; from += strcspn(from, "/"), from += *from == '/')
		buf_puts(&b, b.length ? "/.." : "..");
	if (*path)
		buf_printf(&b, "%s%s", b.length ? "/" : "", path);
	result = arena_copy(a, b.length ? buf_text(&b) : ".", b.length ? b.length : 1);
	buf_free(&b);
	return result;
}

static bool is_remote(const char *path)
{
	return strstr(path, "://") || strncmp(path, "git@", 4) == 0 ||
	       strncmp(path, "github.com/", 11) == 0 || strncmp(path, "service:", 8) == 0 ||
	       strncmp(path, "oci:", 4) == 0;
}

static bool stays(const struct cvalue *v)
{
	const char *path = cvalue_text(v);

	return !path || !path[0] || strchr("/~$", path[0]) || is_remote(path) || v->implied ||
	       (volume_source_is_path(path) && path[0] != '.') || (v->unresolved && path[0] != '.');
}

static void move(struct cload *c, struct cvalue *v, const char *prefix)
{
	const char *path;

	if (stays(v))
		return;
	path = compose_join(c->arena, prefix, v->text);
	v->text = path[0] ? path : ".";
}

static void rebase(struct cload *c, struct cvalue *v, const struct ckey *key, const char *prefix,
                   unsigned depth)
{
	if (!v || depth > LIMIT_INCLUDE_DEPTH)
		return;
	if (key->path)
		move(c, v, prefix);
	if (key->form == CFORM_VOLUME) {
		const char *type = cvalue_text(cvalue_get(v, "type"));

		if (type && strcmp(type, "bind") == 0)
			move(c, cvalue_get(v, "source"), prefix);
		return;
	}
	for (size_t i = 0; i < cvalue_count(v); i++) {
		const struct ckey *child = v->kind == CVALUE_LIST ? key->item
		                           : key->keys ? schema_child(key, v->items[i].key)
		                                       : NULL;

		if (child)
			rebase(c, v->items[i].value, child, prefix, depth + 1);
	}
}

static void rebase_devices(struct cload *c, const struct cvalue *volumes, const char *prefix)
{
	for (size_t i = 0; i < cvalue_count(volumes); i++) {
		struct cvalue *device =
		    cvalue_path(volumes->items[i].value, "driver_opts", "device", NULL);

		if (cvalue_text(device) && device->text[0] == '.')
			move(c, device, prefix);
	}
}

void paths_rebase(struct cload *c, struct cvalue *model, const char *prefix)
{
	rebase(c, model, &compose_schema, prefix, 0);
	rebase_devices(c, cvalue_get(model, "volumes"), prefix);
}

void paths_rebase_service(struct cload *c, struct cvalue *service, const char *prefix)
{
	const struct ckey *services = schema_child(&compose_schema, "services");

	rebase(c, service, schema_child(services, "any"), prefix, 0);
}

/* Mounts: the comma separated "--mount" form.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "src/syntax/csv_fields.h"
#include "src/syntax/volume_spec.h"

struct mount_field {
	struct arena *arena;
	struct volume_spec *v;
	const char *key, *value; /* VALUE is NULL for a bare key */
};

struct mount_option {
	const char *key;
	const char *type; /* mount type that it belongs to, NULL for every one */
	bool bare;        /* may stand without a value */
	const char *(*apply)(const struct mount_field *f);
};

static const char *read_switch(const struct mount_field *f, enum volume_switch *out)
{
	if (!f->value || strcmp(f->value, "true") == 0 || strcmp(f->value, "1") == 0) {
		*out = VOLUME_ON;
		return NULL;
	}
	if (strcmp(f->value, "false") == 0 || strcmp(f->value, "0") == 0) {
		*out = VOLUME_OFF;
		return NULL;
	}
	if (f->value[0] == '\0')
		return arena_printf(f->arena, "invalid value for '%s': value is empty", f->key);
	return arena_printf(
	    f->arena,
	    "invalid value for '%s': invalid boolean value (\"%s\"): must be one of "
	    "\"true\", \"1\", \"false\", or \"0\" (default \"true\")",
	    f->key, f->value);
}

static const char *apply_type(const struct mount_field *f)
{
	static const char *const types[] = {
		"bind", "volume", "tmpfs", "npipe", "image", "cluster"
	};
	char *lower = arena_strdup(f->arena, f->value);

	for (char *c = lower; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	f->v->type = lower;
	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
		if (strcmp(lower, types[i]) == 0)
			return NULL;
	return arena_printf(f->arena, "invalid mount type '%s'", f->value);
}

static const char *apply_source(const struct mount_field *f)
{
	f->v->source = f->value;
	return NULL;
}

static const char *apply_target(const struct mount_field *f)
{
	f->v->target = f->value;
	return NULL;
}

static const char *apply_read_only(const struct mount_field *f)
{
	return read_switch(f, &f->v->read_only);
}

static const char *apply_create(const struct mount_field *f)
{
	return read_switch(f, &f->v->create_host_path);
}

static const char *apply_nocopy(const struct mount_field *f)
{
	return read_switch(f, &f->v->nocopy);
}

static const char *apply_propagation(const struct mount_field *f)
{
	f->v->propagation = f->value;
	return NULL;
}

static const char *apply_recursive(const struct mount_field *f)
{
	static const char *const words[] = { "enabled", "disabled", "writable", "readonly" };

	f->v->recursive = f->value;
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strcmp(f->value, words[i]) == 0)
			return NULL;
	return arena_printf(f->arena, "invalid value for 'bind-recursive': %s", f->value);
}

static const char *apply_nonrecursive(const struct mount_field *f)
{
	enum volume_switch on = VOLUME_UNSET;
	const char *error = read_switch(f, &on);

	if (!error && on == VOLUME_ON)
		f->v->recursive = "disabled";
	return error;
}

static const char *apply_consistency(const struct mount_field *f)
{
	f->v->consistency = f->value;
	return NULL;
}

static const char *apply_subpath(const struct mount_field *f)
{
	f->v->subpath = f->value;
	return NULL;
}

static const char *apply_driver(const struct mount_field *f)
{
	f->v->driver = f->value;
	return NULL;
}

static void add_pair(const struct mount_field *f, struct volume_pairs *pairs)
{
	const char *equals = strchr(f->value, '=');
	size_t n = equals ? (size_t)(equals - f->value) : strlen(f->value);

	if (n == 0)
		return;
	*ARENA_PUSH(f->arena, pairs) =
	    (struct volume_pair){ arena_copy(f->arena, f->value, n), equals ? equals + 1 : "" };
}

static const char *apply_label(const struct mount_field *f)
{
	add_pair(f, &f->v->labels);
	return NULL;
}

static const char *apply_option(const struct mount_field *f)
{
	add_pair(f, &f->v->options);
	return NULL;
}

static const char *apply_size(const struct mount_field *f)
{
	if (size_parse(f->value, &f->v->tmpfs_size))
		return NULL;
	return arena_printf(f->arena, "invalid value for tmpfs-size: %s", f->value);
}

static const char *apply_mode(const struct mount_field *f)
{
	char *end;
	unsigned long mode = strtoul(f->value, &end, 8);

	if (*end || !isdigit((unsigned char)f->value[0]) || mode > 07777)
		return arena_printf(f->arena, "invalid value for tmpfs-mode: %s", f->value);
	f->v->tmpfs_mode = arena_printf(f->arena, "%04lo", mode);
	return NULL;
}

static const struct mount_option options[] = {
	{ "type", NULL, false, apply_type },
	{ "source", NULL, false, apply_source },
	{ "src", NULL, false, apply_source },
	{ "target", NULL, false, apply_target },
	{ "destination", NULL, false, apply_target },
	{ "dst", NULL, false, apply_target },
	{ "readonly", NULL, true, apply_read_only },
	{ "ro", NULL, true, apply_read_only },
	{ "consistency", NULL, false, apply_consistency },
	{ "bind-propagation", "bind", false, apply_propagation },
	{ "bind-recursive", "bind", false, apply_recursive },
	{ "bind-nonrecursive", "bind", true, apply_nonrecursive },
	{ "bind-create-src", "bind", true, apply_create },
	{ "volume-nocopy", "volume", true, apply_nocopy },
	{ "volume-subpath", "volume", false, apply_subpath },
	{ "volume-label", "volume", false, apply_label },
	{ "volume-driver", "volume", false, apply_driver },
	{ "volume-opt", "volume", false, apply_option },
	{ "image-subpath", "image", false, apply_subpath },
	{ "tmpfs-size", "tmpfs", false, apply_size },
	{ "tmpfs-mode", "tmpfs", false, apply_mode },
};

static const struct mount_option *find_option(const char *key)
{
	for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
		if (strcmp(key, options[i].key) == 0)
			return &options[i];
	return NULL;
}

static bool padded(const char *text)
{
	size_t n = strlen(text);

	return n && (isspace((unsigned char)text[0]) || isspace((unsigned char)text[n - 1]));
}

static const char *trimmed(struct arena *a, const char *text)
{
	size_t n;

	while (isspace((unsigned char)*text))
		text++;
	n = strlen(text);
	while (n && isspace((unsigned char)text[n - 1]))
		n--;
	return arena_copy(a, text, n);
}

/* Reads one field; *USED receives the option that it is. */
static const char *read_field(struct arena *a, struct volume_spec *v, const char *field,
                              const struct mount_option **used)
{
	const char *equals = strchr(field, '=');
	struct mount_field f = { a, v, field, equals ? equals + 1 : NULL };
	char *key =
	    equals ? arena_copy(a, field, (size_t)(equals - field)) : arena_strdup(a, field);

	f.key = key;
	if (padded(key))
		return arena_printf(a,
		                    "invalid option '%s' in '%s': option should not have "
		                    "whitespace",
		                    trimmed(a, key), field);
	if (f.value && padded(f.value))
		return arena_printf(a,
		                    "invalid value for '%s' in '%s': value should not have "
		                    "whitespace",
		                    key, field);
	for (char *c = key; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	*used = find_option(key);
	if (!f.value && (!*used || !(*used)->bare))
		return arena_printf(a, "invalid field '%s' must be a key=value pair", field);
	if (!*used)
		return arena_printf(a, "unknown option '%s' in '%s'", key, field);
	return (*used)->apply(&f);
}

static const char *check_group(struct arena *a, const struct volume_spec *v, const char *group)
{
	if (!group || strcmp(group, v->type) == 0)
		return NULL;
	return arena_printf(a, "cannot mix '%s-*' options with mount type '%s'", group, v->type);
}

static const char *check_whole(struct arena *a, const struct volume_spec *v)
{
	bool writable = v->recursive && strcmp(v->recursive, "writable") == 0;
	bool readonly = v->recursive && strcmp(v->recursive, "readonly") == 0;

	if (v->target[0] == '\0')
		return "target is required";
	if ((writable || readonly) && v->read_only != VOLUME_ON)
		return arena_printf(a,
		                    "option 'bind-recursive=%s' requires 'readonly' to be "
		                    "specified in conjunction",
		                    v->recursive);
	if (readonly && (!v->propagation || strcmp(v->propagation, "rprivate") != 0))
		return "option 'bind-recursive=readonly' requires 'bind-propagation=rprivate' to "
		       "be "
		       "specified in conjunction";
	return NULL;
}

struct volume_spec volume_parse_mount(struct arena *a, const char *text)
{
	struct volume_spec v = { .type = "volume", .source = "", .target = "" };
	struct csv_fields fields = { 0 };
	const char *group[sizeof options / sizeof options[0]];
	size_t groups = 0;

	if (text[0] == '\0')
		v.error = "value is empty";
	else
		v.error = csv_fields_read(a, text, &fields);
	for (size_t i = 0; i < fields.count && !v.error; i++) {
		const struct mount_option *used = NULL;

		v.error = read_field(a, &v, fields.items[i], &used);
		if (!v.error && used && used->type && groups < sizeof group / sizeof group[0])
			group[groups++] = used->type;
	}
	for (size_t i = 0; i < groups && !v.error; i++)
		v.error = check_group(a, &v, group[i]);
	if (!v.error)
		v.error = check_whole(a, &v);
	return v;
}

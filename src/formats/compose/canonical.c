/* Short forms into long ones.
 * SPDX-License-Identifier: MIT */
#include "src/formats/compose/canonical.h"

#include <string.h>

#include "src/syntax/volume_spec.h"
#include "src/syntax/words.h"

typedef struct cvalue *(*canonical)(struct cload *c, struct cvalue *v, const struct ckey *key,
                                    const struct cplace *place);

struct cvalue *canonical_map(struct cload *c, const struct cvalue *v)
{
	struct cvalue *map = cvalue_new(c->arena, CVALUE_MAP, v->span);

	map->variable = v->variable;
	map->unresolved = v->unresolved;
	map->defaulted = v->defaulted;
	map->raw = v->raw;
	return map;
}

/* A text value at the place of LIKE, with its flags. */
static struct cvalue *text_like(struct cload *c, const struct cvalue *like, const char *text)
{
	struct cvalue *v = cvalue_derive(c->arena, like, CVALUE_STRING, text);

	v->tag = CVALUE_PLAIN;
	return v;
}

void canonical_text(struct cload *c, struct cvalue *map, const char *key, const struct cvalue *like,
                    const char *text)
{
	cvalue_set(c->arena, map, key, like->span, text_like(c, like, text));
}

static struct cvalue *strings(struct cload *c, struct cvalue *v, const struct ckey *key,
                              const struct cplace *place)
{
	struct cvalue *list;

	(void)key, (void)place;
	if (v->kind == CVALUE_LIST)
		return v;
	list = cvalue_new(c->arena, CVALUE_LIST, v->span);
	cvalue_push(c->arena, list, v);
	return list;
}

/* The value of one pair; a bare name has none, "name=" an empty one. */
static struct cvalue *pair_value(struct cload *c, const struct cvalue *item, const char *equals,
                                 enum cform form)
{
	struct cvalue *v;

	if (equals)
		return text_like(c, item, arena_strdup(c->arena, equals + 1));
	if (form == CFORM_SETTINGS)
		return text_like(c, item, "");
	v = cvalue_new(c->arena, CVALUE_NULL, item->span);
	v->tag = item->tag;
	return v;
}

static void pair_item(struct cload *c, struct cvalue *map, struct cvalue *item, enum cform form,
                      const struct cplace *place)
{
	const char *text = item->kind == CVALUE_STRING ? item->text : NULL, *equals, *name;

	if (!text) {
		if (item->kind != CVALUE_NULL)
			cload_report(c, COMPOSE_REFUSED, item->span, "%s must be a string",
			             cplace_text(c->arena, place));
		return;
	}
	equals = strchr(text, '=');
	name = equals ? arena_copy(c->arena, text, (size_t)(equals - text)) : text;
	cvalue_set(c->arena, map, name, item->span, pair_value(c, item, equals, form));
}

static struct cvalue *pairs(struct cload *c, struct cvalue *v, const struct ckey *key,
                            const struct cplace *place)
{
	struct cvalue *map = v;

	if (v->kind == CVALUE_LIST) {
		map = canonical_map(c, v);
		for (size_t i = 0; i < v->count; i++)
			pair_item(c, map, v->items[i].value, key->form,
			          &(struct cplace){ place, NULL, i });
		return map;
	}
	for (size_t i = 0; i < map->count; i++) {
		struct cvalue *value = map->items[i].value;

		if (value->tag == CVALUE_RESET)
			continue;
		if (value->kind == CVALUE_MAP || value->kind == CVALUE_LIST)
			cload_report(c, COMPOSE_REFUSED, value->span,
			             "%s.%s must be a boolean, null, number or string",
			             cplace_text(c->arena, place), map->items[i].key);
		else if (value->kind != CVALUE_NULL)
			map->items[i].value = text_like(c, value, value->text);
		else if (key->form == CFORM_SETTINGS && !value->elided)
			map->items[i].value = cvalue_string(c->arena, "", value->span);
	}
	return map;
}

/* Adds the comma separated addresses of TEXT. */
static void host_addresses(struct cload *c, struct cvalue *list, const struct cvalue *item,
                           const char *text)
{
	while (*text) {
		size_t n = strcspn(text, ",");
		const char *address = arena_copy(c->arena, text, n);

		if (n > 2 && address[0] == '[' && address[n - 1] == ']')
			address = arena_copy(c->arena, address + 1, n - 2);
		cvalue_push(c->arena, list, text_like(c, item, address));
		text += text[n] ? n + 1 : n;
	}
}

static struct cvalue *host_list(struct cload *c, struct cvalue *map, const char *name,
                                const struct cvalue *at)
{
	struct cvalue *list = cvalue_get(map, name);

	if (!list) {
		list = cvalue_new(c->arena, CVALUE_LIST, at->span);
		cvalue_set(c->arena, map, name, at->span, list);
	}
	/* An address that is a variable without a value leaves nothing else behind. */
	if (at->unresolved) {
		list->unresolved = true;
		list->raw = at->raw;
		list->variable = at->variable;
	}
	return list;
}

static void host_item(struct cload *c, struct cvalue *map, const struct cvalue *item)
{
	const char *text = cvalue_text(item);
	const char *split = text ? strchr(text, '=') : NULL;

	if (text && !split)
		split = strchr(text, ':');
	if (!split) {
		cload_report(c, COMPOSE_REFUSED, item->span,
		             "a host entry must have the form HOST=ADDRESS");
		return;
	}
	host_addresses(c,
	               host_list(c, map, arena_copy(c->arena, text, (size_t)(split - text)), item),
	               item, split + 1);
}

static struct cvalue *hosts(struct cload *c, struct cvalue *v, const struct ckey *key,
                            const struct cplace *place)
{
	struct cvalue *map = canonical_map(c, v);

	(void)key;
	for (size_t i = 0; i < v->count; i++) {
		struct cvalue *value = v->items[i].value;

		if (v->kind == CVALUE_LIST)
			host_item(c, map, value);
		else if (cvalue_is_list(value))
			cvalue_set(c->arena, map, v->items[i].key, v->items[i].key_span, value);
		else if (value->kind == CVALUE_STRING)
			host_addresses(c, host_list(c, map, v->items[i].key, value), value,
			               value->text);
		else
			cload_report(c, COMPOSE_REFUSED, value->span,
			             "%s.%s must be a string or an array",
			             cplace_text(c->arena, place), v->items[i].key);
	}
	return map;
}

static void ssh_add(struct cload *c, struct cvalue *list, const struct cvalue *at, const char *id,
                    const char *path)
{
	struct cvalue *entry = canonical_map(c, at);

	canonical_text(c, entry, "id", at, id);
	canonical_text(c, entry, "path", at, path);
	cvalue_push(c->arena, list, entry);
}

static struct cvalue *ssh(struct cload *c, struct cvalue *v, const struct ckey *key,
                          const struct cplace *place)
{
	struct cvalue *list = cvalue_new(c->arena, CVALUE_LIST, v->span);

	(void)key, (void)place;
	for (size_t i = 0; i < v->count; i++) {
		const struct cvalue *value = v->items[i].value;
		const char *text = cvalue_text(value), *equals;

		if (v->kind == CVALUE_MAP) {
			ssh_add(c, list, value, v->items[i].key, text ? text : "");
		} else if (text) {
			equals = strchr(text, '=');
			ssh_add(c, list, value,
			        arena_copy(c->arena, text,
			                   equals ? (size_t)(equals - text) : strlen(text)),
			        equals ? equals + 1 : "");
		}
	}
	return list;
}

static struct cvalue *names(struct cload *c, struct cvalue *v, const struct ckey *key,
                            const struct cplace *place)
{
	struct cvalue *map;

	(void)key;
	if (v->kind == CVALUE_MAP)
		return v;
	map = canonical_map(c, v);
	for (size_t i = 0; i < v->count; i++) {
		const struct cvalue *item = v->items[i].value;

		if (item->kind == CVALUE_STRING)
			cvalue_set(c->arena, map, item->text, item->span,
			           cvalue_new(c->arena, CVALUE_NULL, item->span));
		else
			cload_report(c, COMPOSE_REFUSED, item->span, "%s.%zu must be a string",
			             cplace_text(c->arena, place), i);
	}
	return map;
}

static struct cvalue *depends(struct cload *c, struct cvalue *v, const struct ckey *key,
                              const struct cplace *place)
{
	struct cvalue *map = names(c, v, key, place);

	for (size_t i = 0; i < map->count; i++) {
		struct cvalue *value = map->items[i].value;

		if (v->kind == CVALUE_LIST) {
			value = cvalue_new(c->arena, CVALUE_MAP, value->span);
			cvalue_imply(c->arena, value, "condition",
			             cvalue_string(c->arena, "service_started", value->span));
			map->items[i].value = value;
		} else if (cvalue_is_map(value) && !cvalue_member(value, "condition")) {
			cload_report(c, COMPOSE_REFUSED, value->span,
			             "%s.%s: missing property 'condition'",
			             cplace_text(c->arena, place), map->items[i].key);
		}
		if (cvalue_is_map(value))
			cvalue_imply(c->arena, value, "required",
			             cvalue_boolean(c->arena, true, value->span));
	}
	return map;
}

static struct cvalue *command(struct cload *c, struct cvalue *v, const struct ckey *key,
                              const struct cplace *place)
{
	struct word_list words = { 0 };
	struct cvalue *list;

	(void)key;
	if (v->kind == CVALUE_LIST)
		return v;
	list = cvalue_new(c->arena, CVALUE_LIST, v->span);
	list->raw = v->text;
	if (v->unresolved) {
		list->unresolved = true;
		list->raw = v->raw;
		list->variable = v->variable;
	}
	if (!words_split(c->arena, v->text, &words))
		cload_report(c, COMPOSE_REFUSED, v->span, "%s: unclosed quote",
		             cplace_text(c->arena, place));
	for (size_t i = 0; i < words.count; i++)
		cvalue_push(c->arena, list, text_like(c, v, words.items[i]));
	return list;
}

static struct cvalue *test(struct cload *c, struct cvalue *v, const struct ckey *key,
                           const struct cplace *place)
{
	struct cvalue *list;

	(void)key, (void)place;
	if (v->kind == CVALUE_LIST)
		return v;
	list = cvalue_new(c->arena, CVALUE_LIST, v->span);
	cvalue_push(c->arena, list, cvalue_string(c->arena, "CMD-SHELL", v->span));
	cvalue_push(c->arena, list, v);
	return list;
}

static struct cvalue *wrap(struct cload *c, struct cvalue *v, const char *name)
{
	struct cvalue *map;

	if (v->kind == CVALUE_MAP)
		return v;
	map = canonical_map(c, v);
	canonical_text(c, map, name, v, v->text);
	return map;
}

static struct cvalue *build(struct cload *c, struct cvalue *v, const struct ckey *key,
                            const struct cplace *place)
{
	(void)key, (void)place;
	return wrap(c, v, "context");
}

static struct cvalue *extends(struct cload *c, struct cvalue *v, const struct ckey *key,
                              const struct cplace *place)
{
	(void)key, (void)place;
	return wrap(c, v, "service");
}

static struct cvalue *include(struct cload *c, struct cvalue *v, const struct ckey *key,
                              const struct cplace *place)
{
	(void)key, (void)place;
	return wrap(c, v, "path");
}

static struct cvalue *mount(struct cload *c, struct cvalue *v, const struct ckey *key,
                            const struct cplace *place)
{
	(void)key, (void)place;
	return wrap(c, v, "source");
}

static struct cvalue *env_file(struct cload *c, struct cvalue *v, const struct ckey *key,
                               const struct cplace *place)
{
	struct cvalue *map = wrap(c, v, "path");

	(void)key, (void)place;
	cvalue_imply(c->arena, map, "required", cvalue_boolean(c->arena, true, v->span));
	return map;
}

static void volume_bind(struct cload *c, struct cvalue *entry, const struct cvalue *at,
                        const struct volume_spec *spec)
{
	struct cvalue *bind = cvalue_new(c->arena, CVALUE_MAP, at->span);

	if (spec->propagation)
		canonical_text(c, bind, "propagation", at, spec->propagation);
	cvalue_imply(c->arena, bind, "create_host_path", cvalue_boolean(c->arena, true, at->span));
	if (spec->selinux)
		canonical_text(c, bind, "selinux", at, spec->selinux);
	cvalue_set(c->arena, entry, "bind", at->span, bind);
}

static struct cvalue *volume_short(struct cload *c, struct cvalue *v, const struct cplace *place)
{
	struct volume_spec spec = volume_parse_compose(c->arena, v->text);
	struct cvalue *entry = canonical_map(c, v), *options;

	entry->raw = v->text;
	if (spec.error && !v->unresolved)
		cload_report(c, COMPOSE_REFUSED, v->span, "%s: %s", cplace_text(c->arena, place),
		             spec.error);
	entry->unresolved = v->unresolved;
	canonical_text(c, entry, "type", v, spec.type);
	if (spec.source[0])
		canonical_text(c, entry, "source", v, spec.source);
	canonical_text(c, entry, "target", v, spec.target);
	if (spec.read_only == VOLUME_ON)
		cvalue_set(c->arena, entry, "read_only", v->span,
		           cvalue_derive(c->arena, v, CVALUE_BOOLEAN, "true"));
	if (spec.consistency)
		canonical_text(c, entry, "consistency", v, spec.consistency);
	if (strcmp(spec.type, "bind") == 0) {
		volume_bind(c, entry, v, &spec);
	} else {
		options = cvalue_new(c->arena, CVALUE_MAP, v->span);
		if (spec.nocopy == VOLUME_ON)
			cvalue_set(c->arena, options, "nocopy", v->span,
			           cvalue_boolean(c->arena, true, v->span));
		cvalue_set(c->arena, entry, "volume", v->span, options);
	}
	return entry;
}

static struct cvalue *volume(struct cload *c, struct cvalue *v, const struct ckey *key,
                             const struct cplace *place)
{
	const char *type, *source;

	(void)key;
	if (v->kind != CVALUE_MAP)
		return volume_short(c, v, place);
	type = cvalue_text(cvalue_get(v, "type"));
	source = cvalue_text(cvalue_get(v, "source"));
	if (type && strcmp(type, "bind") == 0 && (!source || !source[0]) &&
	    !(source && cvalue_get(v, "source")->unresolved))
		cload_report(c, COMPOSE_REFUSED, v->span,
		             "%s: a bind mount needs a source; it must not be empty",
		             cplace_text(c->arena, place));
	return v;
}

static struct cvalue *device(struct cload *c, struct cvalue *v, const struct ckey *key,
                             const struct cplace *place)
{
	struct cvalue *entry;
	const char *text = v->text, *first, *second;

	(void)key, (void)place;
	if (v->kind == CVALUE_MAP)
		return v;
	entry = canonical_map(c, v);
	entry->raw = text;
	first = strchr(text, ':');
	second = first ? strchr(first + 1, ':') : NULL;
	/* A name such as "vendor.com/class=gpu0" belongs to the device interface and has no parts.
	 */
	if (strchr(text, '=') && text[0] != '/')
		first = second = NULL;
	canonical_text(c, entry, "source", v,
	               first ? arena_copy(c->arena, text, (size_t)(first - text)) : text);
	canonical_text(c, entry, "target", v,
	               !first   ? text
	               : second ? arena_copy(c->arena, first + 1, (size_t)(second - first) - 1)
	                        : first + 1);
	canonical_text(c, entry, "permissions", v, second ? second + 1 : "rwm");
	return entry;
}

static struct cvalue *gpus(struct cload *c, struct cvalue *v, const struct ckey *key,
                           const struct cplace *place)
{
	struct cvalue *list, *entry;

	(void)key;
	if (v->kind == CVALUE_LIST)
		return v;
	if (strcmp(v->text, "all") != 0 && !v->unresolved)
		cload_report(c, COMPOSE_REFUSED, v->span, "%s must be \"all\" or an array",
		             cplace_text(c->arena, place));
	list = cvalue_new(c->arena, CVALUE_LIST, v->span);
	entry = canonical_map(c, v);
	cvalue_set(c->arena, entry, "count", v->span,
	           cvalue_derive(c->arena, v, CVALUE_INTEGER, "-1"));
	cvalue_push(c->arena, list, entry);
	return list;
}

static struct cvalue *request(struct cload *c, struct cvalue *v, const struct ckey *key,
                              const struct cplace *place)
{
	(void)key;
	if (cvalue_member(v, "count") && cvalue_member(v, "device_ids"))
		cload_report(c, COMPOSE_REFUSED, v->span,
		             "%s: \"count\" and \"device_ids\" attributes are exclusive",
		             cplace_text(c->arena, place));
	if (!cvalue_member(v, "device_ids"))
		cvalue_imply(c->arena, v, "count", cvalue_integer(c->arena, -1, v->span));
	return v;
}

static struct cvalue *option(struct cload *c, struct cvalue *v, const struct ckey *key,
                             const struct cplace *place)
{
	struct cvalue *list = strings(c, v, key, place);

	for (size_t i = 0; i < list->count; i++)
		if (cvalue_text(list->items[i].value))
			list->items[i].value =
			    text_like(c, list->items[i].value, list->items[i].value->text);
	return list;
}

static const canonical canonicals[CFORM_COUNT] = {
	[CFORM_STRINGS] = strings,
	[CFORM_PAIRS] = pairs,
	[CFORM_SETTINGS] = pairs,
	[CFORM_HOSTS] = hosts,
	[CFORM_SSH] = ssh,
	[CFORM_NAMES] = names,
	[CFORM_DEPENDS] = depends,
	[CFORM_COMMAND] = command,
	[CFORM_TEST] = test,
	[CFORM_BUILD] = build,
	[CFORM_EXTENDS] = extends,
	[CFORM_INCLUDE] = include,
	[CFORM_PORTS] = canonical_ports,
	[CFORM_VOLUME] = volume,
	[CFORM_DEVICE] = device,
	[CFORM_MOUNT] = mount,
	[CFORM_ENV_FILES] = strings,
	[CFORM_ENV_FILE] = env_file,
	[CFORM_GPUS] = gpus,
	[CFORM_REQUEST] = request,
	[CFORM_OPTION] = option,
};

struct cvalue *canonical_form(struct cload *c, struct cvalue *v, const struct ckey *key,
                              const struct cplace *place)
{
	canonical form = canonicals[key->form];

	return form ? form(c, v, key, place) : v;
}

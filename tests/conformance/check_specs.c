/* Published ports and mounts in each of their spellings.
 * SPDX-License-Identifier: MIT */
#include "tests/conformance/conformance.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "src/syntax/port_spec.h"
#include "src/syntax/volume_spec.h"

/* Messages are compared without quotes, spelling of the first letter and trailing words of others.
 */
static bool same_error(const char *want, const char *got)
{
	if (!got || !*got)
		return !*want;
	if (!*want)
		return false;
	for (const char *at = got; *at; at++) {
		size_t n = 0;

		while (want[n] && tolower((unsigned char)want[n]) == tolower((unsigned char)at[n]))
			n++;
		if (!want[n])
			return true;
	}
	return false;
}

/* Every member of WANT is in GOT with the same value; GOT may hold more. */
static bool covers(const cJSON *got, const cJSON *want)
{
	const cJSON *v;

	if (cJSON_IsArray(want)) {
		if (cJSON_GetArraySize(got) != cJSON_GetArraySize(want))
			return false;
		for (int i = 0; i < cJSON_GetArraySize(want); i++)
			if (!covers(cJSON_GetArrayItem(got, i), cJSON_GetArrayItem(want, i)))
				return false;
		return true;
	}
	if (!cJSON_IsObject(want))
		return cJSON_Compare(got, want, true);
	cJSON_ArrayForEach(
	    v, want) if (!covers(cJSON_GetObjectItemCaseSensitive(got, v->string), v)) return false;
	return true;
}

static enum verdict compare(struct check *c, cJSON *got, const char *error)
{
	const char *text = check_cell(c, "expected_json");
	cJSON *want = *text ? cJSON_Parse(text) : NULL;
	char *shown = cJSON_PrintUnformatted(got);
	bool ok =
	    same_error(check_cell(c, "error"), error) && (error || !want || covers(got, want));
	enum verdict verdict = check_verdict(c, ok, error ? error : shown);

	free(shown);
	cJSON_Delete(want);
	cJSON_Delete(got);
	return verdict;
}

static void text(cJSON *object, const char *key, const char *value)
{
	if (value)
		cJSON_AddStringToObject(object, key, value);
}

/* --- ports ----------------------------------------------------------------------------------- */

static void docker_entry(struct check *c, cJSON *entry, const struct port_mapping *m, uint32_t i)
{
	text(entry, "container",
	     arena_printf(c->arena, "%u/%s", port_container(m, i), m->protocol));
	text(entry, "host_ip", m->host_ip);
	text(entry, "host_port", port_host(c->arena, m, i));
}

static void compose_entry(struct check *c, cJSON *entry, const struct port_mapping *m, uint32_t i)
{
	text(entry, "mode", "ingress");
	text(entry, "protocol", m->protocol);
	cJSON_AddNumberToObject(entry, "target", port_container(m, i));
	if (m->has_host)
		text(entry, "published", port_host(c->arena, m, i));
	if (m->host_ip[0])
		text(entry, "host_ip", m->host_ip);
}

static cJSON *entries(struct check *c, const struct port_mapping *m,
                      void (*fill)(struct check *, cJSON *, const struct port_mapping *, uint32_t))
{
	cJSON *list = cJSON_CreateArray();

	for (uint32_t i = 0; i < port_count(m); i++) {
		cJSON *entry = cJSON_CreateObject();

		fill(c, entry, m, i);
		cJSON_AddItemToArray(list, entry);
	}
	return list;
}

/* A service publishes every host port of a range on its own. */
static cJSON *service_entries(const struct port_mapping *m)
{
	cJSON *list = cJSON_CreateArray();
	uint32_t hosts = m->has_host ? m->host.end - m->host.begin + 1 : 1;
	uint32_t count = m->error ? 0 : hosts > port_count(m) ? hosts : port_count(m);

	for (uint32_t i = 0; i < count; i++) {
		cJSON *entry = cJSON_CreateObject();

		text(entry, "Protocol", m->protocol);
		text(entry, "PublishMode", m->mode);
		cJSON_AddNumberToObject(entry, "TargetPort",
		                        port_container(m, port_count(m) == 1 ? 0 : i));
		if (m->has_host)
			cJSON_AddNumberToObject(entry, "PublishedPort", m->host.begin + i);
		cJSON_AddItemToArray(list, entry);
	}
	return list;
}

static enum verdict check_split(struct check *c, const char *input)
{
	cJSON *got = cJSON_CreateObject();
	const char *port, *protocol;

	port_split_protocol(c->arena, input, &port, &protocol);
	text(got, "port", port);
	text(got, "proto", protocol);
	return compare(c, got, NULL);
}

static enum verdict check_range(struct check *c, const char *input, bool range)
{
	cJSON *got = cJSON_CreateObject();
	const char *error = NULL;
	struct port_range r = { 0, 0 };

	if (range)
		r = port_range_parse(c->arena, input, &error);
	else
		r.begin = port_number(c->arena, input, &error);
	cJSON_AddNumberToObject(got, range ? "begin" : "port", r.begin);
	if (range)
		cJSON_AddNumberToObject(got, "end", r.end);
	return compare(c, got, error);
}

enum verdict check_port(struct check *c)
{
	const char *syntax = check_cell(c, "syntax"), *input = check_cell(c, "input");
	struct port_mapping m = { 0 };
	cJSON *got;

	if (strcmp(syntax, "port/proto") == 0)
		return check_split(c, input);
	if (strncmp(syntax, "port ", 5) == 0)
		return check_range(c, input, strcmp(syntax, "port range") == 0);
	m = strncmp(syntax, "service", 7) == 0 ? port_parse_service(c->arena, input)
	                                       : port_parse(c->arena, input);
	if (strstr(syntax, "string form")) {
		got = cJSON_CreateObject();
		text(got, "canonical", m.error ? NULL : port_canonical(c->arena, &m));
	} else if (strncmp(syntax, "service", 7) == 0) {
		got = service_entries(&m);
	} else {
		got = entries(c, &m,
		              strncmp(syntax, "compose", 7) == 0 ? compose_entry : docker_entry);
	}
	return compare(c, got, m.error);
}

/* --- mounts ---------------------------------------------------------------------------------- */

static void flag(cJSON *object, const char *key, enum volume_switch value)
{
	if (value != VOLUME_UNSET)
		cJSON_AddBoolToObject(object, key, value == VOLUME_ON);
}

static void pairs(cJSON *object, const char *key, const struct volume_pairs *list)
{
	cJSON *map = list->count ? cJSON_AddObjectToObject(object, key) : NULL;

	for (size_t i = 0; i < list->count; i++)
		text(map, list->items[i].key, list->items[i].value);
}

static bool recursive_is(const struct volume_spec *v, const char *word)
{
	return v->recursive && strcmp(v->recursive, word) == 0;
}

static void mount_options(cJSON *got, const struct volume_spec *v)
{
	cJSON *bind = cJSON_AddObjectToObject(got, "BindOptions");
	cJSON *volume = cJSON_AddObjectToObject(got, "VolumeOptions");
	cJSON *tmpfs = cJSON_AddObjectToObject(got, "TmpfsOptions");
	cJSON *image = cJSON_AddObjectToObject(got, "ImageOptions");
	cJSON *driver = cJSON_AddObjectToObject(volume, "DriverConfig");

	text(bind, "Propagation", v->propagation);
	flag(bind, "CreateMountpoint", v->create_host_path);
	flag(bind, "NonRecursive", recursive_is(v, "disabled") ? VOLUME_ON : VOLUME_UNSET);
	flag(bind, "ReadOnlyNonRecursive", recursive_is(v, "writable") ? VOLUME_ON : VOLUME_UNSET);
	flag(bind, "ReadOnlyForceRecursive",
	     recursive_is(v, "readonly") ? VOLUME_ON : VOLUME_UNSET);
	pairs(volume, "Labels", &v->labels);
	text(driver, "Name", v->driver);
	pairs(driver, "Options", &v->options);
	flag(got, "VolumeOptions.NoCopy", v->nocopy);
	cJSON_AddNumberToObject(tmpfs, "SizeBytes", (double)v->tmpfs_size);
	text(tmpfs, "Mode", v->tmpfs_mode);
	text(image, "Subpath", v->subpath);
}

static enum verdict check_mount(struct check *c, const char *input)
{
	struct volume_spec v = volume_parse_mount(c->arena, input);
	cJSON *got = cJSON_CreateObject();

	text(got, "Type", v.type);
	/* The command line resolves a relative source; nothing is resolved here. */
	text(got, "Source", strcmp(v.source, ".") == 0 ? "<absolute path of .>" : v.source);
	text(got, "Target", v.target);
	flag(got, "ReadOnly", v.read_only);
	mount_options(got, &v);
	return compare(c, got, v.error);
}

/* What the engine adds from its own state (driver, copied data) is not read from the text. */
static enum verdict check_engine(struct check *c, const char *input)
{
	struct volume_spec v = volume_parse_engine(c->arena, input);
	cJSON *got = cJSON_Parse(check_cell(c, "expected_json"));
	bool named = strcmp(v.type, "volume") == 0;

	if (!got)
		got = cJSON_CreateObject();
	cJSON_DeleteItemFromObject(got, "Destination");
	cJSON_DeleteItemFromObject(got, named ? "Name" : "Source");
	cJSON_DeleteItemFromObject(got, "Type");
	cJSON_DeleteItemFromObject(got, "RW");
	cJSON_DeleteItemFromObject(got, "Propagation");
	text(got, "Destination", v.target);
	text(got, named ? "Name" : "Source", v.source);
	text(got, "Type", v.type);
	cJSON_AddBoolToObject(got, "RW", v.read_only != VOLUME_ON);
	text(got, "Propagation", v.propagation ? v.propagation : "");
	return compare(c, got, v.error);
}

static cJSON *compose_volume(const struct volume_spec *v)
{
	cJSON *got = cJSON_CreateObject(), *options;

	text(got, "type", v->type);
	text(got, "source", v->source);
	text(got, "target", v->target);
	flag(got, "read_only", v->read_only);
	options = cJSON_AddObjectToObject(got, v->type);
	flag(options, "create_host_path", v->create_host_path);
	text(options, "selinux", v->selinux);
	cJSON_AddBoolToObject(got, "has_source", v->source[0] != '\0');
	return got;
}

enum verdict check_volume(struct check *c)
{
	const char *syntax = check_cell(c, "syntax"), *input = check_cell(c, "input");
	struct volume_spec v;

	if (strncmp(syntax, "docker-cli", 10) == 0)
		return check_mount(c, input);
	if (strncmp(syntax, "engine", 6) == 0)
		return check_engine(c, input);
	v = volume_parse_compose(c->arena, input);
	/* These rows say where the text is split, also of text that is refused. */
	if (strstr(check_cell(c, "expected_json"), "has_source"))
		v.error = NULL;
	return compare(c, compose_volume(&v), v.error);
}

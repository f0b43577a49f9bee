/* One event as one line of JSON, and back.
 * SPDX-License-Identifier: MIT */
#include "src/review/journal_internal.h"

#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "model/json_put.h"
#include "model/limits.h"

/* The members of a line, in the order in which they are written. */
static const struct {
	const char *name;
	size_t offset;
} members[] = {
	{ "id", offsetof(struct event, id) },
	{ "at", offsetof(struct event, when) },
	{ "by", offsetof(struct event, who) },
	{ "key", offsetof(struct event, key) },
	{ "value", offsetof(struct event, value) },
	{ "fingerprint", offsetof(struct event, fingerprint) },
	{ "basis", offsetof(struct event, basis) },
	{ "note", offsetof(struct event, note) },
	{ "owner", offsetof(struct event, owner) },
	{ "expires", offsetof(struct event, expires) },
	{ "path", offsetof(struct event, path) },
	{ "act", offsetof(struct event, act) },
};

#define MEMBER_COUNT (sizeof members / sizeof *members)

void journal_line(const struct event *event, struct buf *out)
{
	struct buf line = { 0 };

	json_put_open(&line, '{');
	json_put_member(&line, "event", event_kind_names[event->kind]);
	for (size_t i = 0; i < MEMBER_COUNT; i++) {
		const char *text;

		memcpy(&text, (const char *)event + members[i].offset, sizeof text);
		if (text && *text)
			json_put_member(&line, members[i].name, text);
	}
	if (event->line)
		json_put_member_number(&line, "line", event->line);
	json_put_close(&line, '}');
	buf_add(out, line.bytes, line.length);
	buf_putc(out, '\n');
	buf_free(&line);
}

static cJSON *parse_object(const char *line, size_t length)
{
	cJSON *json;

	if (length > 16u * LIMIT_NOTE_BYTES)
		return NULL;
	json = cJSON_ParseWithLength(line, length);
	if (json && !cJSON_IsObject(json)) {
		cJSON_Delete(json);
		return NULL;
	}
	return json;
}

/* The number of the schema that the line names; 0 when it names none. */
static long schema_version(const char *line, size_t length)
{
	cJSON *json = parse_object(line, length);
	const char *schema = cJSON_GetStringValue(cJSON_GetObjectItem(json, "schema"));
	long version = schema && strncmp(schema, "boundwalk-review/", 17) == 0 ? strtol(schema + 17, NULL, 10)
									     : 0;

	cJSON_Delete(json);
	return version > 0 ? version : 0;
}

bool journal_is_schema(const char *line, size_t length)
{
	return schema_version(line, length) > 0;
}

bool journal_is_newer(const char *line, size_t length)
{
	return schema_version(line, length) > 1;
}

static void take_members(struct arena *a, const cJSON *json, struct event *out)
{
	const cJSON *line = cJSON_GetObjectItemCaseSensitive(json, "line");
	struct buf ignored = { 0 };

	for (size_t i = 0; i < MEMBER_COUNT; i++) {
		const char *text = cJSON_GetStringValue(
			cJSON_GetObjectItemCaseSensitive(json, members[i].name));

		if (!text || !journal_check_text(members[i].name, text, &ignored))
			text = "";
		text = arena_strdup(a, text);
		memcpy((char *)out + members[i].offset, &text, sizeof text);
	}
	if (cJSON_IsNumber(line) && line->valuedouble >= 0 && line->valuedouble < UINT32_MAX)
		out->line = (uint32_t)line->valuedouble;
	buf_free(&ignored);
}

bool journal_parse(struct arena *a, const char *line, size_t length, struct event *out)
{
	cJSON *json = parse_object(line, length);
	const char *kind = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(json, "event"));
	enum event_kind known = kind ? event_kind_by_name(kind) : EVENT_KIND_COUNT;

	*out = (struct event){ .kind = known };
	if (known != EVENT_KIND_COUNT)
		take_members(a, json, out);
	cJSON_Delete(json);
	return known != EVENT_KIND_COUNT;
}

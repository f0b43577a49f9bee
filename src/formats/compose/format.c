/* The Compose format: recognition by content; rows are made when every file has been read.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "src/formats/compose/stack.h"
#include "src/formats/format.h"

static bool named_compose(const char *path)
{
	const char *base = path_base(path);

	for (; *base; base++)
		if (strncasecmp(base, "compose", 7) == 0 && !isalpha((unsigned char)base[7]))
			return true;
	return false;
}

/* Examples and templates carry a second ending. */
static bool interested(const char *path)
{
	return path_ends(path, ".yml .yaml") ||
	       (named_compose(path) &&
	        path_ends(path, ".json .example .sample .dist .template .tmpl .tpl .j2 .in .base"));
}

static bool claims(const char *path, const char *bytes, size_t length)
{
	return bytes_hold(bytes, length, "services") ||
	       (named_compose(path) && bytes_hold(bytes, length, "include"));
}

/* Counts keys that a Compose service knows; merge keys and extensions say nothing. */
static void count_keys(const struct node *service, size_t *known, size_t *total)
{
	const struct ckey *key = schema_child(schema_child(&compose_schema, "services"), "any");

	for (uint32_t i = 0; i < node_count(service); i++) {
		const char *name = node_text(service->items[i].key);

		if (!name || strcmp(name, "<<") == 0) {
			++*known, ++*total;
			continue;
		}
		if (strncmp(name, "x-", 2) == 0)
			continue;
		++*total;
		if (schema_child(key, name))
			++*known;
	}
}

static bool holds_services(const struct node *services)
{
	size_t known = 0, total = 0, maps = 0;

	for (uint32_t i = 0; i < node_count(services); i++) {
		const struct node *service = node_resolve(services->items[i].value);

		if (!node_is_map(service))
			continue;
		maps++;
		count_keys(service, &known, &total);
	}
	return maps && known && known * 2 >= total;
}

static bool is_project(const struct node *top, const char *path)
{
	const struct node *services = node_get(top, "services");

	if (!node_is_map(top) || (node_get(top, "apiVersion") && node_get(top, "kind")) ||
	    node_get(top, "jobs"))
		return false;
	if (node_is_map(services) && holds_services(services))
		return true;
	return named_compose(path) && (node_is_map(services) || node_get(top, "include"));
}

static bool recognise(const struct input *in)
{
	for (size_t i = 0; i < in->documents.count; i++)
		if (is_project(node_resolve(in->documents.items[i]), in->artifact->path))
			return true;
	return false;
}

static void read(struct workspace *w, struct input *in)
{
	(void)w;
	in->state[FORMAT_COMPOSE] = in;
}

const struct format format_compose = {
	.id = FORMAT_COMPOSE,
	.syntax = SYNTAX_YAML,
	.interested = interested,
	.claims = claims,
	.recognise = recognise,
	.read = read,
	.join = stacks_join,
};

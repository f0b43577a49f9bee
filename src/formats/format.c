/* Helpers that every format uses: paths, inputs, facts from nodes, images.
 * SPDX-License-Identifier: MIT */
#include "src/formats/format.h"

#include <string.h>
#include <strings.h>

struct input *workspace_input(const struct workspace *w, const char *path)
{
	uint32_t index;

	return hash_index_get(&w->input_paths, path, &index) ? w->inputs.items[index] : NULL;
}

void input_parse(struct workspace *w, struct input *in, enum syntax syntax)
{
	struct arena *a = &w->snapshot->arena;

	if (in->parsed || syntax == SYNTAX_TEXT)
		return;
	in->parsed = true;
	if (syntax == SYNTAX_TOML)
		toml_read(a, in->source, &in->documents, &in->artifact->problems);
	else if (syntax == SYNTAX_YAML)
		yaml_read(a, in->source, &in->documents, &in->artifact->problems);
	else
		json_read(a, in->source, syntax == SYNTAX_JSONC, &in->documents,
			  &in->artifact->problems);
}

void input_assess(const struct input *in, enum format_id format)
{
	struct artifact *artifact = in->artifact;

	if (artifact->formats)
		return;
	artifact->format = format;
	artifact->formats = UINT64_C(1) << format;
	artifact->state = ARTIFACT_ASSESSED;
	artifact->reason = NULL;
}

/* Drops the last component of a path under construction; false when there is none left. */
static bool drop_component(char *path, size_t *length)
{
	if (*length == 0)
		return false;
	while (*length && path[*length - 1] != '/')
		--*length;
	if (*length)
		--*length;
	return true;
}

static bool add_component(char *path, size_t *length, const char *part, size_t part_length)
{
	if (part_length == 0 || (part_length == 1 && part[0] == '.'))
		return true;
	if (part_length == 2 && part[0] == '.' && part[1] == '.')
		return drop_component(path, length);
	if (*length)
		path[(*length)++] = '/';
	memcpy(path + *length, part, part_length);
	*length += part_length;
	return true;
}

static bool add_components(char *path, size_t *length, const char *text)
{
	for (;;) {
		size_t part = strcspn(text, "/");

		if (!add_component(path, length, text, part))
			return false;
		text += part;
		if (!*text++)
			return true;
	}
}

const char *path_join(struct arena *a, const char *folder, const char *relative)
{
	char *path;
	size_t length = 0;

	if (!relative || relative[0] == '/')
		return NULL;
	path = arena_alloc(a, strlen(folder) + strlen(relative) + 3);
	if (!add_components(path, &length, folder) || !add_components(path, &length, relative))
		return NULL;
	path[length] = '\0';
	return path;
}

const char *workspace_find(struct workspace *w, const char *folder, const char *name)
{
	const char *const folders[] = { folder, "" };

	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		const char *path = path_join(&w->snapshot->arena, folders[i], name);

		if (path && (!*path || w->exists(w, path)))
			return path;
	}
	return NULL;
}

const char *path_folder(struct arena *a, const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? arena_copy(a, path, (size_t)(slash - path)) : "";
}

const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

bool path_ends(const char *path, const char *suffixes)
{
	size_t length = strlen(path);

	while (*suffixes) {
		size_t n = strcspn(suffixes, " ");

		if (n && n <= length && strncasecmp(path + length - n, suffixes, n) == 0)
			return true;
		suffixes += n + (suffixes[n] == ' ');
	}
	return false;
}

bool bytes_hold(const char *bytes, size_t length, const char *needle)
{
	return length && memmem(bytes, length, needle, strlen(needle));
}

static enum provenance provenance_of(const struct node *value, const char *text)
{
	if (strstr(text, "{{") || strstr(text, "{%") || strstr(text, "<%"))
		return PROVENANCE_TEMPLATED;
	if (value->style == NODE_LITERAL || value->style == NODE_FOLDED)
		return PROVENANCE_EXPLICIT;
	if (strstr(text, "${") || strstr(text, "$("))
		return PROVENANCE_UNRESOLVED;
	return PROVENANCE_EXPLICIT;
}

struct fact *fact_from_node(struct workspace *w, struct row *r, enum fact_kind kind,
			    const struct node *value)
{
	const char *text = node_text(value);
	struct fact *fact;

	value = node_resolve(value);
	fact = snapshot_add_fact(w->snapshot, r, kind, text, value ? value->span : r->span);
	if (value && text)
		fact->provenance = provenance_of(value, text);
	else if (value && value->kind != NODE_NULL)
		fact->provenance = PROVENANCE_UNPARSED;
	return fact;
}

void input_problem(struct workspace *w, struct input *in, struct span span, const char *format, ...)
{
	struct arena *a = &w->snapshot->arena;
	va_list args;

	va_start(args, format);
	problem_add(a, &in->artifact->problems, span, "%s", arena_vprintf(a, format, args));
	va_end(args);
}

/* Names: those of the files that Compose finds by itself, and that of a project, as supplied, as written in
 * its files, or after its folder.
 *
 * It can be asked for while the files are read, because it is a variable too.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <string.h>

#include "src/formats/compose/load.h"

const char *const compose_base_names[4] = { "compose.yaml", "compose.yml", "docker-compose.yml",
	                                    "docker-compose.yaml" };
const char *const compose_override_names[4] = { "compose.override.yml", "compose.override.yaml",
	                                        "docker-compose.override.yml",
	                                        "docker-compose.override.yaml" };

/* Small letters, digits, "-" and "_", beginning with one of the first two. */
static const char *normal_name(struct cload *c, const char *text)
{
	char *name = arena_strdup(c->arena, text), *to = name;

	for (const char *from = text; *from; from++) {
		char ch = (char)tolower((unsigned char)*from);

		if (isalnum((unsigned char)ch) || (to != name && (ch == '-' || ch == '_')))
			*to++ = ch;
	}
	*to = '\0';
	return name;
}

static const char *lookup(void *env, const char *name)
{
	return env_value(env, name);
}

/* The last name that the files given say, or NULL. What is wrong with them is told when they are read
 * for their model. */
static const char *written_name(struct cload *c)
{
	struct cheld *held = c->held;
	const char *name = NULL;

	c->held = ARENA_NEW(c->arena, struct cheld);
	for (size_t i = 0; i < c->options->file_count; i++) {
		struct documents docs = { 0 };

		if (!cload_parse(c, c->options->files[i], &docs))
			continue;
		for (size_t k = 0; k < docs.count; k++) {
			const char *text = node_text(node_get(docs.items[k], "name"));
			struct interpolation result;

			if (text && text[0] &&
			    interpolate(c->arena, text, lookup,
			                (void *)(uintptr_t)c->project_env, &result))
				name = result.text;
		}
	}
	c->held = held;
	return name;
}

const char *project_name(struct cload *c)
{
	const char *supplied = env_value(c->project_env, "COMPOSE_PROJECT_NAME");
	const char *slash = strrchr(c->project->folder, '/');
	const char *name = c->project->name;

	if (name)
		return name;
	if (supplied && supplied[0])
		name = supplied;
	else if (c->project->model)
		name = cvalue_text(cvalue_get(c->project->model, "name"));
	else
		name = written_name(c);
	if (!name || !name[0])
		name = slash ? slash + 1 : c->project->folder;
	if ((!name[0] || strcmp(name, "..") == 0) && c->options->folder_name)
		name = c->options->folder_name;
	c->project->name = normal_name(c, name);
	return c->project->name;
}

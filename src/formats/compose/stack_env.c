/* What the ".env" of a folder says to Compose itself: its files and profiles.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "src/formats/compose/stack.h"

const char *stack_env(struct workspace *w, const char *folder, const char *name)
{
	struct arena *a = &w->snapshot->arena;
	const char *path = path_join(a, folder, ".env");
	struct input *in = path && w->exists(w, path) ? w->open(w, path, FORMAT_DOTENV) : NULL;
	struct problems problems = { 0 };
	struct dotenv values = { 0 };
	const struct dotenv_entry *entry;

	if (!in || !bytes_hold(in->source->bytes, in->source->length, name))
		return NULL;
	dotenv_read(a, in->source, NULL, NULL, &values, &problems);
	entry = dotenv_find(&values, name);
	return entry && entry->value && entry->value[0] ? entry->value : NULL;
}

struct string_list stack_split(struct arena *a, const char *text, const char *separator)
{
	struct string_list list = { 0 };

	while (text && *text) {
		size_t n = strcspn(text, separator);

		if (n)
			*ARENA_PUSH(a, &list) = arena_copy(a, text, n);
		text += text[n] ? n + 1 : n;
	}
	return list;
}

struct string_list stack_env_files(struct workspace *w, const char *folder)
{
	struct arena *a = &w->snapshot->arena;
	const char *value = stack_env(w, folder, "COMPOSE_FILE");
	const char *separator = value ? stack_env(w, folder, "COMPOSE_PATH_SEPARATOR") : NULL;
	struct string_list files = stack_split(a, value, separator ? separator : ":;");

	for (size_t i = 0; i < files.count; i++) {
		const char *path = path_join(a, folder, files.items[i]);
		const struct input *in = path ? workspace_input(w, path) : NULL;

		if (!in || !in->state[FORMAT_COMPOSE])
			return (struct string_list){ 0 };
		files.items[i] = path;
	}
	return files;
}

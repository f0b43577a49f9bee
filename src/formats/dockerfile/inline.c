/* Dockerfiles that stand in another file, as Compose's dockerfile_inline does.
 * SPDX-License-Identifier: MIT */
#include "src/formats/dockerfile/image.h"

const char *image_inline_key(struct arena *a, const char *path, const char *owner)
{
	return arena_printf(a, "%s#%s", path, owner);
}

const char *image_inline(struct workspace *w, struct span span, const char *owner, const char *text)
{
	struct arena *a = &w->snapshot->arena;
	const struct source *whole = snapshot_source(w->snapshot, span.source);
	struct input *file = whole ? workspace_input(w, whole->path) : NULL, *in;
	const char *key;

	if (!file || file->source != whole)
		return NULL;
	key = image_inline_key(a, whole->path, owner);
	if (workspace_input(w, key))
		return key;
	in = ARENA_NEW(a, struct input);
	*in = (struct input){ .artifact = file->artifact,
			      .source = part_add(w, text, span),
			      .given = file->given };
	hash_index_put(a, &w->input_paths, key, (uint32_t)w->inputs.count);
	*ARENA_PUSH(a, &w->inputs) = in;
	image_parse(w, in);
	image_file_of(in)->owner = arena_strdup(a, owner);
	return key;
}

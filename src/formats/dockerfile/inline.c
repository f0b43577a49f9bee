/* Dockerfiles that stand in another file, as Compose's dockerfile_inline does.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "src/formats/dockerfile/image.h"

/* A literal block ("|") keeps the lines of its file; other forms fold them. */
static void place_lines(struct source_part *part)
{
	const char *at = source_text(part->whole, part->span);
	const char *end = part->whole->bytes + part->whole->length;
	uint32_t line = source_line(part->whole, part->span.offset);

	if (!at || *at != '|')
		return;
	part->first_line = line + 1;
	for (uint32_t n = line + 1; n <= part->whole->line_count; n++) {
		struct span text = source_line_span(part->whole, n);
		const char *from = part->whole->bytes + text.offset;
		uint32_t blanks = 0;

		while (blanks < text.length && from + blanks < end && from[blanks] == ' ')
			blanks++;
		if (blanks == text.length)
			continue;
		part->indent = blanks;
		return;
	}
}

/* The text as a source of its own that knows where it stands. */
static struct source *part_of(struct workspace *w, const struct source *whole, const char *text,
			      struct span span)
{
	struct arena *a = &w->snapshot->arena;
	struct source_part *part = ARENA_NEW(a, struct source_part);
	size_t length = strlen(text);
	struct source *s = snapshot_add_source(w->snapshot, whole->path, arena_copy(a, text, length),
					       (uint32_t)length);

	*part = (struct source_part){ .whole = whole, .span = span };
	place_lines(part);
	s->part = part;
	return s;
}

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
			      .source = part_of(w, whole, text, span),
			      .given = file->given };
	hash_index_put(a, &w->input_paths, key, (uint32_t)w->inputs.count);
	*ARENA_PUSH(a, &w->inputs) = in;
	image_parse(w, in);
	image_file_of(in)->owner = arena_strdup(a, owner);
	return key;
}

/* Texts that stand inside other files: as sources of their own, and as files that a row sees.
 * SPDX-License-Identifier: MIT */
#include "src/formats/format.h"

#include <string.h>

static void place_block(struct source_part *part)
{
	const char *end = part->whole->bytes + part->whole->length;
	uint32_t line = source_line(part->whole, part->span.offset);

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

/* A literal block ("|") keeps the lines of its file, a whole file does; other forms fold them. */
static void place_lines(struct source_part *part)
{
	const char *at = source_text(part->whole, part->span);

	if (part->span.offset == 0 && part->span.length == part->whole->length)
		part->first_line = 1;
	else if (at && *at == '|')
		place_block(part);
}

struct source *part_add(struct workspace *w, const char *text, struct span span)
{
	struct arena *a = &w->snapshot->arena;
	const struct source *whole = snapshot_source(w->snapshot, span.source);
	struct source_part *part = ARENA_NEW(a, struct source_part);
	size_t length = strlen(text);
	struct source *s = snapshot_add_source(w->snapshot, whole->path, arena_copy(a, text, length),
					       (uint32_t)length);

	*part = (struct source_part){ .whole = whole, .span = span };
	place_lines(part);
	s->part = part;
	return s;
}

static const char *seen_key(struct arena *a, const struct row *r, const char *path)
{
	return arena_printf(a, "%u %s", r->index, path);
}

void seen_add(struct workspace *w, const struct row *r, const char *path, const char *text,
	      struct span span)
{
	struct arena *a = &w->snapshot->arena;

	hash_index_put(a, &w->seen_index, seen_key(a, r, path), (uint32_t)w->seen.count);
	*ARENA_PUSH(a, &w->seen) = (struct seen_text){ .text = text, .span = span };
}

struct span seen_find(struct workspace *w, const struct row *r, const char *path)
{
	struct seen_text *seen;
	uint32_t index;

	if (!hash_index_get(&w->seen_index, seen_key(&w->snapshot->arena, r, path), &index))
		return (struct span){ 0 };
	seen = &w->seen.items[index];
	if (!seen->part)
		seen->part = part_add(w, seen->text, seen->span);
	return (struct span){ .source = seen->part->id, .length = seen->part->length };
}

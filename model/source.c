/* Line table and positions of one file.
 * SPDX-License-Identifier: MIT */
#include "model/source.h"

#include <string.h>

void source_init(struct source *s, struct arena *a, uint32_t id, const char *path,
		 const char *bytes, uint32_t length)
{
	uint32_t count = 1, at = 0;
	uint32_t *starts;
	const char *p = bytes, *end = bytes + length;

	while ((p = memchr(p, '\n', (size_t)(end - p)))) {
		p++;
		count++;
	}
	starts = arena_array(a, count, sizeof *starts);
	starts[at++] = 0;
	for (p = bytes; (p = memchr(p, '\n', (size_t)(end - p)));)
		starts[at++] = (uint32_t)(++p - bytes);
	*s = (struct source){ .id = id, .path = path, .bytes = bytes, .length = length,
			      .line_starts = starts, .line_count = count };
}

/* The place of byte OFFSET of the part S in its whole. */
static uint32_t whole_offset(const struct source *s, uint32_t offset)
{
	uint32_t line = source_line(s, offset), column = offset - s->line_starts[line - 1];
	struct span there = source_line_span(s->part->whole, s->part->first_line + line - 1);

	column += s->part->indent;
	return there.offset + (column < there.length ? column : there.length);
}

struct span source_whole_span(const struct source *s, struct span span)
{
	uint32_t from, to;

	if (!s || !s->part || span.source != s->id)
		return span;
	if (!s->part->first_line)
		return s->part->span;
	from = whole_offset(s, span.offset);
	to = span.length ? whole_offset(s, span.offset + span.length - 1) + 1 : from;
	return (struct span){ s->part->whole->id, from, to > from ? to - from : 0 };
}

uint32_t source_line(const struct source *s, uint32_t offset)
{
	uint32_t low = 0, high = s->line_count;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (s->line_starts[middle] <= offset)
			low = middle;
		else
			high = middle;
	}
	return low + 1;
}

#define COLUMN_BYTES 16384u /* farther from the start of a line, bytes are counted */

uint32_t source_column(const struct source *s, uint32_t offset)
{
	uint32_t at = s->line_starts[source_line(s, offset) - 1], column = 1;

	if (offset > s->length)
		offset = s->length;
	/* Nobody counts columns so far out; a file of one line with many facts must not cost its square. */
	if (offset - at > COLUMN_BYTES)
		return offset - at + 1;
	for (; at < offset; at++)
		if (((unsigned char)s->bytes[at] & 0xC0) != 0x80)
			column++;
	return column;
}

struct span source_line_span(const struct source *s, uint32_t line)
{
	uint32_t start, end;

	if (line == 0 || line > s->line_count)
		return (struct span){ .source = s->id, .offset = s->length };
	start = s->line_starts[line - 1];
	end = line < s->line_count ? s->line_starts[line] - 1 : s->length;
	if (end > start && s->bytes[end - 1] == '\r')
		end--;
	return (struct span){ .source = s->id, .offset = start, .length = end - start };
}

uint32_t source_end_line(const struct source *s, struct span span)
{
	uint32_t end = span.offset + span.length;

	if (span.length && end && end <= s->length)
		end--;
	return source_line(s, end);
}

const char *source_text(const struct source *s, struct span span)
{
	if (span.source != s->id || span.offset > s->length ||
	    span.length > s->length - span.offset)
		return NULL;
	return s->bytes + span.offset;
}

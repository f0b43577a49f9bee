/* Text folded from pieces of a source, with the way back.
 * SPDX-License-Identifier: MIT */
#include "src/syntax/folded.h"

void folded_add(struct arena *a, struct folded_builder *b, const char *bytes, uint32_t length,
		uint32_t offset)
{
	struct folded_piece *last = b->count ? &b->items[b->count - 1] : NULL;

	if (!length)
		return;
	if (last && last->offset + last->length == offset) {
		last->length += length;
	} else {
		last = ARENA_PUSH(a, b);
		*last = (struct folded_piece){ .at = (uint32_t)b->text.length, .offset = offset,
					       .length = length };
	}
	buf_add(&b->text, bytes, length);
}

void folded_trim(struct folded_builder *b, uint32_t length)
{
	while (length && b->count) {
		struct folded_piece *last = &b->items[b->count - 1];
		uint32_t cut = length < last->length ? length : last->length;

		last->length -= cut;
		b->text.length -= cut;
		b->text.bytes[b->text.length] = '\0';
		length -= cut;
		if (!last->length)
			b->count--;
	}
}

struct folded folded_finish(struct arena *a, struct folded_builder *b, uint32_t source)
{
	struct folded f = { .source = source, .length = (uint32_t)b->text.length,
			    .pieces = b->items, .count = b->count };

	f.text = arena_copy(a, buf_text(&b->text), b->text.length);
	folded_builder_free(b);
	return f;
}

void folded_builder_free(struct folded_builder *b)
{
	buf_free(&b->text);
	*b = (struct folded_builder){ 0 };
}

struct folded folded_from(struct arena *a, const struct source *s, struct span span)
{
	const char *bytes = source_text(s, span);
	struct folded_piece *piece = ARENA_NEW(a, struct folded_piece);

	if (!bytes)
		span = (struct span){ .source = s->id };
	*piece = (struct folded_piece){ .offset = span.offset, .length = span.length };
	return (struct folded){ .source = s->id,
				.text = arena_copy(a, bytes ? bytes : "", span.length),
				.length = span.length,
				.pieces = piece,
				.count = 1 };
}

/* Index of the piece that holds position AT. */
static size_t piece_at(const struct folded *f, uint32_t at)
{
	size_t low = 0, high = f->count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (f->pieces[middle].at <= at)
			low = middle;
		else
			high = middle;
	}
	return low;
}

struct folded folded_slice(struct arena *a, const struct folded *f, uint32_t at, uint32_t length)
{
	struct folded_builder b = { 0 };

	if (at > f->length)
		at = f->length;
	if (length > f->length - at)
		length = f->length - at;
	for (size_t i = f->count ? piece_at(f, at) : 0; i < f->count && length; i++) {
		const struct folded_piece *p = &f->pieces[i];
		uint32_t skip = at - p->at, take = p->length - skip;

		if (take > length)
			take = length;
		folded_add(a, &b, f->text + at, take, p->offset + skip);
		at += take;
		length -= take;
	}
	return folded_finish(a, &b, f->source);
}

uint32_t folded_offset(const struct folded *f, uint32_t at)
{
	const struct folded_piece *p;
	uint32_t within;

	if (!f->count)
		return 0;
	p = &f->pieces[piece_at(f, at)];
	within = at - p->at;
	return p->offset + (within < p->length ? within : p->length);
}

struct span folded_span(const struct folded *f, uint32_t at, uint32_t length)
{
	struct span span = { .source = f->source, .offset = folded_offset(f, at) };

	if (length)
		span.length = folded_offset(f, at + length - 1) + 1 - span.offset;
	return span;
}

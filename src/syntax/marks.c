/* Code point positions to byte offsets with a moving cursor.
 * SPDX-License-Identifier: MIT */
#include "src/syntax/marks.h"

static bool is_ascii(const char *bytes, size_t length)
{
	unsigned char seen = 0;

	for (size_t i = 0; i < length; i++)
		seen |= (unsigned char)bytes[i];
	return seen < 0x80;
}

static bool continues(const struct source *s, size_t offset)
{
	return offset < s->length && ((unsigned char)s->bytes[offset] & 0xC0) == 0x80;
}

void marks_init(struct marks *m, const struct source *s)
{
	*m = (struct marks){ .source = s, .ascii = is_ascii(s->bytes, s->length) };
}

void marks_begin(struct marks *m, uint32_t base)
{
	m->base = base;
	m->index = 0;
	m->offset = base;
}

uint32_t marks_offset(struct marks *m, size_t index)
{
	const struct source *s = m->source;

	if (m->ascii)
		return index < s->length - m->base ? m->base + (uint32_t)index : s->length;
	while (m->index < index && m->offset < s->length) {
		m->offset++;
		while (continues(s, m->offset))
			m->offset++;
		m->index++;
	}
	while (m->index > index) {
		m->offset--;
		while (m->offset > m->base && continues(s, m->offset))
			m->offset--;
		m->index--;
	}
	return (uint32_t)m->offset;
}

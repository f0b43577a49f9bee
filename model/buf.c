/* Growing byte buffer.
 * SPDX-License-Identifier: MIT */
#include "model/buf.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_FORMATTED 63

static void grow(struct buf *b, size_t more)
{
	size_t need, capacity = b->capacity ? b->capacity : 64;
	char *grown;

	if (more >= SIZE_MAX / 2 - b->length)
		abort();
	need = b->length + more + 1;
	while (capacity < need)
		capacity *= 2;
	grown = realloc(b->bytes, capacity);
	if (!grown) {
		fputs("boundwalk: out of memory\n", stderr);
		abort();
	}
	b->bytes = grown;
	b->capacity = capacity;
}

/* Room for MORE bytes and the NUL; there nearly always is some. */
static inline void reserve(struct buf *b, size_t more)
{
	if (more >= b->capacity - b->length)
		grow(b, more);
}

void buf_add(struct buf *b, const void *bytes, size_t length)
{
	reserve(b, length);
	if (length)
		memcpy(b->bytes + b->length, bytes, length);
	b->length += length;
	b->bytes[b->length] = '\0';
}

void buf_puts(struct buf *b, const char *text)
{
	buf_add(b, text, strlen(text));
}

void buf_putc(struct buf *b, char c)
{
	reserve(b, 1);
	b->bytes[b->length++] = c;
	b->bytes[b->length] = '\0';
}

void buf_vprintf(struct buf *b, const char *format, va_list args)
{
	va_list again;
	int length;

	/* Most texts fit at once; the others are formatted again. */
	reserve(b, USUAL_FORMATTED);
	va_copy(again, args);
	length = vsnprintf(b->bytes + b->length, b->capacity - b->length, format, again);
	va_end(again);
	if (length >= 0 && (size_t)length >= b->capacity - b->length) {
		reserve(b, (size_t)length);
		vsnprintf(b->bytes + b->length, (size_t)length + 1, format, args);
	}
	if (length > 0)
		b->length += (size_t)length;
	b->bytes[b->length] = '\0';
}

void buf_printf(struct buf *b, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	buf_vprintf(b, format, args);
	va_end(args);
}

const char *buf_text(const struct buf *b)
{
	return b->bytes ? b->bytes : "";
}

void buf_clear(struct buf *b)
{
	b->length = 0;
	if (b->bytes)
		b->bytes[0] = '\0';
}

void buf_free(struct buf *b)
{
	free(b->bytes);
	*b = (struct buf){ 0 };
}

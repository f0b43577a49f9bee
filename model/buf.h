/* A growing byte buffer, always NUL-terminated.
 *
 * Ownership: the caller owns the struct; buf_free() accepts a zeroed one.
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_BUF_H
#define MODEL_BUF_H

#include <stdarg.h>
#include <stddef.h>

struct buf {
	char *bytes; /* NULL while empty; use buf_text() for a string that is never NULL */
	size_t length, capacity;
};

void buf_add(struct buf *b, const void *bytes, size_t length);
void buf_puts(struct buf *b, const char *text);
void buf_putc(struct buf *b, char c);
void buf_printf(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *b, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));
/* The content as a string, "" when empty; valid until the next change. */
const char *buf_text(const struct buf *b);
void buf_clear(struct buf *b);
void buf_free(struct buf *b);

#endif

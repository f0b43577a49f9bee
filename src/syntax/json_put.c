/* A JSON writer without state: what stands before decides about the comma.
 * SPDX-License-Identifier: MIT */
#include "src/syntax/json_put.h"

#include <inttypes.h>
#include <string.h>

static void separate(struct buf *out)
{
	if (out->length && !strchr("[{:,", out->bytes[out->length - 1]))
		buf_putc(out, ',');
}

/* Length of the UTF-8 sequence at P, 0 for a byte that begins none. */
static size_t sequence(const unsigned char *p, size_t left)
{
	size_t want = *p < 0x80 ? 1 : *p < 0xC2 ? 0 : *p < 0xE0 ? 2 : *p < 0xF0 ? 3 : *p < 0xF5 ? 4 : 0;

	if (want > left)
		return 0;
	for (size_t i = 1; i < want; i++)
		if ((p[i] & 0xC0) != 0x80)
			return 0;
	if ((*p == 0xE0 && p[1] < 0xA0) || (*p == 0xED && p[1] > 0x9F) ||
	    (*p == 0xF0 && p[1] < 0x90) || (*p == 0xF4 && p[1] > 0x8F))
		return 0;
	return want;
}

void json_put_bytes(struct buf *out, const char *bytes, size_t length)
{
	static const char plain[] = "\"\\\b\f\n\r\t", letter[] = "\"\\bfnrt";

	separate(out);
	buf_putc(out, '"');
	for (size_t i = 0; i < length;) {
		unsigned char c = (unsigned char)bytes[i];
		size_t n = sequence((const unsigned char *)bytes + i, length - i);
		const char *which = c ? strchr(plain, c) : NULL;

		if (which) {
			buf_putc(out, '\\');
			buf_putc(out, letter[which - plain]);
		} else if (c < 0x20 || c == 0x7F) {
			buf_printf(out, "\\u%04x", c);
		} else if (!n) {
			buf_puts(out, "\\ufffd");
		} else {
			buf_add(out, bytes + i, n);
		}
		i += n ? n : 1;
	}
	buf_putc(out, '"');
}

void json_put_string(struct buf *out, const char *text)
{
	if (text) {
		json_put_bytes(out, text, strlen(text));
	} else {
		separate(out);
		buf_puts(out, "null");
	}
}

void json_put_open(struct buf *out, char bracket)
{
	separate(out);
	buf_putc(out, bracket);
}

void json_put_close(struct buf *out, char bracket)
{
	buf_putc(out, bracket);
}

void json_put_key(struct buf *out, const char *key)
{
	json_put_string(out, key);
	buf_putc(out, ':');
}

void json_put_number(struct buf *out, int64_t number)
{
	separate(out);
	buf_printf(out, "%" PRId64, number);
}

void json_put_bool(struct buf *out, bool value)
{
	separate(out);
	buf_puts(out, value ? "true" : "false");
}

void json_put_member(struct buf *out, const char *key, const char *text)
{
	json_put_key(out, key);
	json_put_string(out, text);
}

void json_put_member_number(struct buf *out, const char *key, int64_t number)
{
	json_put_key(out, key);
	json_put_number(out, number);
}

void json_put_member_bool(struct buf *out, const char *key, bool value)
{
	json_put_key(out, key);
	json_put_bool(out, value);
}

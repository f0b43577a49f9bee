/* File bytes to UTF-8: byte order marks and UTF-16.
 * SPDX-License-Identifier: MIT */
#include "src/syntax/syntax.h"

#include <string.h>

#define NUL_WINDOW ((size_t)8192)
#define REPLACEMENT 0xFFFDu

static size_t utf8_put(char *out, uint32_t c)
{
	unsigned char *p = (unsigned char *)out;

	if (c < 0x80) {
		p[0] = (unsigned char)c;
		return 1;
	}
	if (c < 0x800) {
		p[0] = (unsigned char)(0xC0 | c >> 6);
		p[1] = (unsigned char)(0x80 | (c & 0x3F));
		return 2;
	}
	if (c < 0x10000) {
		p[0] = (unsigned char)(0xE0 | c >> 12);
		p[1] = (unsigned char)(0x80 | (c >> 6 & 0x3F));
		p[2] = (unsigned char)(0x80 | (c & 0x3F));
		return 3;
	}
	p[0] = (unsigned char)(0xF0 | c >> 18);
	p[1] = (unsigned char)(0x80 | (c >> 12 & 0x3F));
	p[2] = (unsigned char)(0x80 | (c >> 6 & 0x3F));
	p[3] = (unsigned char)(0x80 | (c & 0x3F));
	return 4;
}

static uint32_t unit_at(const unsigned char *p, bool big)
{
	return big ? (uint32_t)p[0] << 8 | p[1] : (uint32_t)p[1] << 8 | p[0];
}

static bool is_high(uint32_t unit)
{
	return unit >= 0xD800 && unit < 0xDC00;
}

static bool is_low(uint32_t unit)
{
	return unit >= 0xDC00 && unit < 0xE000;
}

static size_t convert(const unsigned char *p, size_t length, bool big, char *out)
{
	size_t at = 0, written = 0;

	while (length - at >= 2) {
		uint32_t unit = unit_at(p + at, big), next;

		at += 2;
		next = is_high(unit) && length - at >= 2 ? unit_at(p + at, big) : 0;
		if (is_low(next)) {
			at += 2;
			unit = 0x10000 + ((unit - 0xD800) << 10) + (next - 0xDC00);
		} else if (is_high(unit) || is_low(unit)) {
			unit = REPLACEMENT;
		}
		written += utf8_put(out + written, unit);
	}
	if (at < length)
		written += utf8_put(out + written, REPLACEMENT);
	return written;
}

bool text_decode(struct arena *a, const char *bytes, size_t length, const char **out,
		 size_t *out_length)
{
	const unsigned char *p = (const unsigned char *)bytes;
	bool big = length >= 2 && p[0] == 0xFE && p[1] == 0xFF;
	char *text;

	if (big || (length >= 2 && p[0] == 0xFF && p[1] == 0xFE)) {
		/* A UTF-16 unit of two bytes takes at most three bytes of UTF-8. */
		text = arena_array(a, length / 2 + 2, 3);
		*out_length = convert(p + 2, length - 2, big, text);
		*out = text;
		return true;
	}
	if (length >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) {
		bytes += 3;
		length -= 3;
	} else if (length && memchr(bytes, '\0', length < NUL_WINDOW ? length : NUL_WINDOW)) {
		return false;
	}
	*out = arena_copy(a, bytes, length);
	*out_length = length;
	return true;
}

/* A JSON writer without state: what stands before decides about the comma.
 * SPDX-License-Identifier: MIT */
#include "model/json_put.h"

#include <string.h>

#include "model/text.h"

static void separate(struct buf *out)
{
	char last = out->length ? out->bytes[out->length - 1] : '[';

	if (last != '[' && last != '{' && last != ':' && last != ',')
		buf_putc(out, ',');
}

void json_put_bytes(struct buf *out, const char *bytes, size_t length)
{
	separate(out);
	text_json(out, bytes, length);
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
	char digits[24];
	size_t at = sizeof digits;
	uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;

	do {
		digits[--at] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest);
	if (number < 0)
		digits[--at] = '-';
	separate(out);
	buf_add(out, digits + at, sizeof digits - at);
}

void json_put_raw(struct buf *out, const char *json)
{
	separate(out);
	buf_puts(out, json);
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

/* A JSON writer without state: what stands before decides about the comma.
 * SPDX-License-Identifier: MIT */
#include "model/json_put.h"

#include <inttypes.h>
#include <string.h>

#include "model/text.h"

static void separate(struct buf *out)
{
	if (out->length && !strchr("[{:,", out->bytes[out->length - 1]))
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
	separate(out);
	buf_printf(out, "%" PRId64, number);
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

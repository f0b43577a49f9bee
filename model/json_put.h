/* Writes JSON text piece by piece, for reports and the renderers of `parse`.
 *
 * Commas are put by the writer: an element that follows another at the same level is separated from
 * it. Bytes that are not UTF-8 become U+FFFD; what text_json() escapes is escaped.
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_JSON_PUT_H
#define MODEL_JSON_PUT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/buf.h"

void json_put_open(struct buf *out, char bracket);  /* '[' or '{' as the next element */
void json_put_close(struct buf *out, char bracket); /* ']' or '}' */
void json_put_key(struct buf *out, const char *key);
void json_put_string(struct buf *out, const char *text); /* NULL writes null */
void json_put_bytes(struct buf *out, const char *bytes, size_t length);
void json_put_number(struct buf *out, int64_t number);
void json_put_bool(struct buf *out, bool value);
void json_put_raw(struct buf *out, const char *json); /* a value that is JSON already */
/* Key and value in one. */
void json_put_member(struct buf *out, const char *key, const char *text);
void json_put_member_number(struct buf *out, const char *key, int64_t number);
void json_put_member_bool(struct buf *out, const char *key, bool value);

#endif

/* Parts of the JSON report.
 * SPDX-License-Identifier: MIT */
#ifndef REPORT_JSON_INTERNAL_H
#define REPORT_JSON_INTERNAL_H

#include "model/json_put.h"
#include "src/report/shared.h"

void json_rows(const struct report *r, struct buf *out);
void json_findings(const struct report *r, struct buf *out);
void json_unknowns(const struct report *r, struct buf *out);
/* "path" and "line" of a span. */
void json_place(const struct report *r, struct buf *out, struct span span);
/* A member with text of a reviewed file: secrets hidden. NULL writes null. */
void json_text(struct buf *out, const char *key, const char *text);
/* The same for a sentence. */
void json_prose(struct buf *out, const char *key, const char *text);
/* A member that is null when TEXT is NULL or empty. */
void json_member_or_null(struct buf *out, const char *key, const char *text);
/* A list of the blank-separated words in TEXT. */
void json_words(struct buf *out, const char *text);

#endif

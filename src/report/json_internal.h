/* Parts of the JSON report.
 * SPDX-License-Identifier: MIT */
#ifndef REPORT_JSON_INTERNAL_H
#define REPORT_JSON_INTERNAL_H

#include "model/json_put.h"
#include "src/report/safe.h"
#include "src/report/shared.h"

struct json {
	const struct report *report;
	struct buf *out;
	struct safe_texts safe;
	struct buf text; /* for one at a time */
};

void json_rows(struct json *j);
void json_findings(struct json *j);
void json_unknowns(struct json *j);
/* "path" and "line" of a span. */
void json_place(struct json *j, struct span span);
/* A member with text of a reviewed file: secrets hidden. NULL writes null. */
void json_text(struct json *j, const char *key, const char *text);
/* The same for a sentence. */
void json_prose(struct json *j, const char *key, const char *text);
/* A member that is null when TEXT is NULL or empty. */
void json_member_or_null(struct buf *out, const char *key, const char *text);
/* A list of the blank-separated words in TEXT. */
void json_words(struct buf *out, const char *text);

#endif

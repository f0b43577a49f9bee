/* Shared by the reader of lines and the reader of files.
 * SPDX-License-Identifier: MIT */
#ifndef REVIEW_JOURNAL_INTERNAL_H
#define REVIEW_JOURNAL_INTERNAL_H

#include "src/review/journal.h"

struct event_list {
	struct event *items;
	size_t count, capacity;
};

/* True for the line that names the schema, of any version. */
bool journal_is_schema(const char *line, size_t length);
/* True when it names a later version of the schema. */
bool journal_is_newer(const char *line, size_t length);

#endif

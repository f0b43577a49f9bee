/* The comma separated fields of one option value, with double quotes as in a spreadsheet.
 * SPDX-License-Identifier: MIT */
#ifndef SYNTAX_CSV_FIELDS_H
#define SYNTAX_CSV_FIELDS_H

#include "model/arena.h"

struct csv_fields {
	const char **items;
	size_t count, capacity;
};

/* Splits one line of TEXT. Returns NULL or the reason why it cannot be split. */
const char *csv_fields_read(struct arena *a, const char *text, struct csv_fields *out);

#endif

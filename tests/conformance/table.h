/* A table of tab-separated values with a head line, as test data comes.
 *
 * In a cell "\t", "\n", "\r" and "\\" stand for the characters. Everything lies in the arena.
 * SPDX-License-Identifier: MIT */
#ifndef TESTS_TABLE_H
#define TESTS_TABLE_H

#include <stdbool.h>

#include "model/arena.h"

struct table_row {
	char **cells;
	size_t count;
};

struct table {
	struct table_row head;
	struct {
		struct table_row *items;
		size_t count, capacity;
	} rows;
};

/* The bytes of a file, NUL-terminated, or NULL when it cannot be read. */
char *file_read(struct arena *a, const char *path, size_t *length);
bool table_read(struct table *t, struct arena *a, const char *path);
/* The cell of ROW under COLUMN; "" when there is none. */
const char *table_cell(const struct table *t, const struct table_row *row, const char *column);

#endif

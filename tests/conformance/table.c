/* Tab-separated tables.
 * SPDX-License-Identifier: MIT */
#include "tests/conformance/table.h"

#include <stdio.h>
#include <string.h>

char *file_read(struct arena *a, const char *path, size_t *length)
{
	FILE *f = fopen(path, "rb");
	size_t capacity = 0, count = 0, got;
	char *bytes = NULL;

	if (!f)
		return NULL;
	do {
		bytes = arena_grow(a, bytes, count, &capacity, 1);
		got = fread(bytes + count, 1, capacity - count, f);
		count += got;
	} while (got);
	if (ferror(f))
		bytes = NULL;
	fclose(f);
	*length = count;
	return bytes ? arena_copy(a, bytes, count) : NULL;
}

static void unescape(char *cell)
{
	static const char from[] = "tnr\\", to[] = "\t\n\r\\";
	char *out = cell;

	for (const char *p = cell; *p; p++) {
		const char *found = *p == '\\' && p[1] ? strchr(from, p[1]) : NULL;

		*out++ = found ? to[found - from] : *p;
		if (found)
			p++;
	}
	*out = '\0';
}

/* Splits LINE in place. */
static struct table_row split(struct arena *a, char *line)
{
	struct {
		char **items;
		size_t count, capacity;
	} cells = { 0 };

	while (line) {
		char *tab = strchr(line, '\t');

		if (tab)
			*tab++ = '\0';
		unescape(line);
		*ARENA_PUSH(a, &cells) = line;
		line = tab;
	}
	return (struct table_row){ .cells = cells.items, .count = cells.count };
}

bool table_read(struct table *t, struct arena *a, const char *path)
{
	size_t length = 0;
	char *line = file_read(a, path, &length);

	*t = (struct table){ 0 };
	if (!line)
		return false;
	for (bool head = true; *line; head = false) {
		char *end = strchr(line, '\n');

		if (end)
			*end++ = '\0';
		if (head)
			t->head = split(a, line);
		else if (*line)
			*ARENA_PUSH(a, &t->rows) = split(a, line);
		if (!end)
			break;
		line = end;
	}
	return true;
}

const char *table_cell(const struct table *t, const struct table_row *row, const char *column)
{
	for (size_t i = 0; i < t->head.count && i < row->count; i++)
		if (strcmp(t->head.cells[i], column) == 0)
			return row->cells[i];
	return "";
}

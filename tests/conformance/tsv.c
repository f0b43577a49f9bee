/* Reads the tables that the conformance runners go through.
 * SPDX-License-Identifier: MIT */
#include "tests/conformance/tsv.h"

#include <stdio.h>
#include <string.h>

const char *tsv_file(struct arena *a, const char *dir, const char *name, size_t *length)
{
	FILE *f = fopen(arena_printf(a, "%s/%s", dir, name), "rb");
	char *bytes;
	long size;

	if (!f)
		return NULL;
	if (fseek(f, 0, SEEK_END) != 0 || (size = ftell(f)) < 0) {
		fclose(f);
		return NULL;
	}
	rewind(f);
	bytes = arena_alloc(a, (size_t)size + 1);
	*length = fread(bytes, 1, (size_t)size, f);
	fclose(f);
	return bytes;
}

static const char *cell(struct arena *a, const char *text, size_t length)
{
	char *out = arena_alloc(a, length + 1);
	size_t n = 0;

	for (size_t i = 0; i < length; i++) {
		if (text[i] != '\\' || i + 1 == length) {
			out[n++] = text[i];
			continue;
		}
		i++;
		out[n++] = text[i] == 't' ? '\t' : text[i] == 'n' ? '\n' : text[i];
	}
	return out;
}

static void add_row(struct arena *a, struct tsv *out, const char *line, size_t length,
		    size_t columns)
{
	struct tsv_row *row = ARENA_PUSH(a, out);
	size_t count = 1;

	for (size_t i = 0; i < length; i++)
		count += line[i] == '\t';
	row->count = count > columns ? count : columns;
	row->cells = arena_array(a, row->count, sizeof *row->cells);
	for (size_t i = 0; i < row->count; i++) {
		const char *end = length ? memchr(line, '\t', length) : NULL;
		size_t n = end ? (size_t)(end - line) : length;

		row->cells[i] = cell(a, line, n);
		line += n + (end ? 1 : 0);
		length -= n + (end ? 1 : 0);
	}
}

bool tsv_read(struct arena *a, const char *dir, const char *name, struct tsv *out)
{
	size_t length, columns = 0;
	const char *p = tsv_file(a, dir, name, &length), *end;

	*out = (struct tsv){ 0 };
	if (!p)
		return false;
	for (end = p + length; p < end;) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		size_t n = stop ? (size_t)(stop - p) : (size_t)(end - p);

		if (columns) {
			add_row(a, out, p, n, columns);
		} else {
			columns = 1;
			for (size_t i = 0; i < n; i++)
				columns += p[i] == '\t';
		}
		p += n + (stop ? 1 : 0);
	}
	return true;
}

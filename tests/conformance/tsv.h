/* Tab separated tables with a header line and the escapes \\ \t \n, and whole files.
 * SPDX-License-Identifier: MIT */
#ifndef CONFORMANCE_TSV_H
#define CONFORMANCE_TSV_H

#include "model/source.h"

struct tsv_row {
	const char **cells; /* decoded; at least as many as the header has */
	size_t count;
};

struct tsv {
	struct tsv_row *items;
	size_t count, capacity;
};

/* Reads DIR/NAME without its header line; false when the file cannot be read. */
bool tsv_read(struct arena *a, const char *dir, const char *name, struct tsv *out);
/* The bytes of DIR/NAME with a NUL after them, or NULL. */
const char *tsv_file(struct arena *a, const char *dir, const char *name, size_t *length);

#endif

/* The basis of a mark: a file that was read, with a line or without one, or words with a day.
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_BASIS_H
#define MODEL_BASIS_H

#include "model/cell.h"
#include "model/snapshot.h"

enum basis_fault {
	BASIS_GOOD,
	BASIS_NO_FILE,       /* names no file of the snapshot */
	BASIS_NO_LINE,       /* the file has no such line */
	BASIS_CONFIGURATION, /* observed by what only declares */
};

/* The artifact of "FILE" or "FILE:LINE", or NULL; *LINE is 0 without one, UINT32_MAX when it is no
 * number. */
const struct artifact *basis_artifact(const struct snapshot *s, const char *basis, uint32_t *line);
enum basis_fault basis_check(const struct snapshot *s, const char *basis, enum mark mark);

/* "2026-11-30", and nothing else or somewhere in the text. */
bool text_is_date(const char *text, size_t length);
bool text_holds_date(const char *text);

#endif

/* What the renderers have in common.
 * SPDX-License-Identifier: MIT */
#ifndef REPORT_SHARED_H
#define REPORT_SHARED_H

#include "src/report/report.h"

/* A path as it may be shown: relative to the root; of a file given from elsewhere only its name. */
const char *shared_path(const char *path);
/* The mark that a reader sees: a person's, also when stale, else the proposal. */
enum mark shared_mark(const struct matched_cell *c);
/* Its sub-kind. */
const char *shared_sub(const struct report *r, const struct matched_cell *c);
/* The role of a row: a person's word before the proposal. */
const char *shared_role(const struct report *r, const struct row *row);
/* The export artifact from which the observed facts of the row come, or NULL. */
const struct artifact *shared_export(const struct report *r, const struct row *row,
				     enum field field);

#endif

/* Findings put together for reading: what several rules say about one place stands once.
 *
 * A bundle holds the findings of one row, field, severity and primary place that nobody has decided on; at info
 * only those of one rule. A group holds the bundles of one severity with the same rules. All arrays are
 * indexed by place in match->findings; links are place + 1, 0 at the end.
 * SPDX-License-Identifier: MIT */
#ifndef REPORT_MD_BUNDLE_H
#define REPORT_MD_BUNDLE_H

#include "src/report/md.h"

struct md_bundles {
	size_t *same;     /* the next finding of the bundle */
	size_t *size;     /* of the bundle, at its first finding; 0 elsewhere */
	size_t *next;     /* the first finding of the group's next bundle */
	size_t *places;   /* bundles of the group, at its first finding; 0 elsewhere */
	size_t *findings; /* of the group, at its first finding */
};

/* In arena A. */
struct md_bundles md_bundle(const struct md *m, struct arena *a);

#endif

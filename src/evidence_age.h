/* Exports that are older than the reviewed revision.
 * SPDX-License-Identifier: MIT */
#ifndef SRC_EVIDENCE_AGE_H
#define SRC_EVIDENCE_AGE_H

#include <stdint.h>

#include "model/snapshot.h"

/* Adds FACT_EVIDENCE_AGE (observed) to each row that an export shows which was captured more than
 * LIMIT_EVIDENCE_DAYS before COMMITTED, the time of the reviewed commit in seconds of UTC; 0: no commit is
 * known, and nothing is added. No clock is asked: the same inputs give the same review. */
void evidence_age(struct snapshot *s, int64_t committed);

#endif

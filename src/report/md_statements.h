/* What the findings of a group say: each statement once, under it the files and lines where it holds.
 * SPDX-License-Identifier: MIT */
#ifndef REPORT_MD_STATEMENTS_H
#define REPORT_MD_STATEMENTS_H

#include "src/report/md_bundle.h"

/* The statements of the group that begins at FIRST, as a list. What is the same for most of a group stands in its
 * head (COMMON, a finding of it) and is told again only where it differs; without a head it is NULL, and each
 * statement begins with its rule. */
void md_statements(struct md *m, const struct md_bundles *b, size_t first,
		   const struct matched_finding *common);

/* Pieces that the parts of single findings need too. */
void md_parts(struct md *m, const struct finding *f);
void md_decision(struct md *m, const struct matched_finding *f);
/* "; declared and observed differ, see C-2", if they do. */
void md_conflict(struct md *m, const struct finding *f);
/* "declared", or what an observed finding is at a place that an export does not show. */
const char *md_evidence_at(const struct md *m, const struct finding *f, struct span span);
/* "high, raised from medium because …"; nothing when the severity is the rule's. */
void md_severity_note(struct md *m, const struct matched_finding *f);

#endif

/* Where configuration and a dated export of the same row say different things.
 *
 * Values are compared after normalisation, and only where an export is known to answer: an export that is
 * silent about a kind contradicts nothing.
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_CONFLICT_H
#define MODEL_CONFLICT_H

#include "model/row.h"

/* True when the declared and observed facts of KIND in this row differ. *DECLARED and *OBSERVED (each may
 * be NULL) are set to the facts that show it; one of them is NULL when the other side lacks the value. */
bool conflict_of_kind(const struct row *r, enum fact_kind kind, const struct fact **declared,
		      const struct fact **observed);
/* The same for all kinds of a field: the first that differs. */
bool conflict_of_field(const struct row *r, enum field field, const struct fact **declared,
		       const struct fact **observed);

#endif

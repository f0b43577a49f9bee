/* Renderers: a snapshot with its review becomes bytes. They decide nothing and read no clock: the same
 * inputs and marks give the same bytes.
 * SPDX-License-Identifier: MIT */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "model/match.h"

struct report {
	const struct snapshot *snapshot;
	const struct review *review; /* never NULL; may be empty */
	const struct match *match;   /* of the two */
	const char *version;         /* of the program */
	const char *catalogue;       /* hex digest over the rule table */
	digest_fn *digest;
	const char *review_digest;   /* what a signature would sign now; "" when not known */
	bool is_signed;              /* a signature signs exactly that */
};

void report_json(const struct report *r, struct buf *out);
void report_markdown(const struct report *r, struct buf *out);

#endif

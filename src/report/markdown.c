/* The Markdown report.
 * SPDX-License-Identifier: MIT */
#include "src/report/report.h"

void report_markdown(const struct report *r, struct buf *out)
{
	buf_printf(out, "# Boundary review: %s\n", r->snapshot->scope.root);
}

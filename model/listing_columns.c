/* The table of listings, and what their columns share.
 * SPDX-License-Identifier: MIT */
#include "model/listing_columns.h"

const struct listing_info *const listing_table[LISTING_KIND_COUNT] = {
	[LISTING_INVENTORY] = &listing_inventory, [LISTING_MAP] = &listing_map,
	[LISTING_FINDINGS] = &listing_findings,	  [LISTING_PATHS] = &listing_paths,
	[LISTING_COVERAGE] = &listing_coverage,	  [LISTING_ARTIFACTS] = &listing_artifacts,
};

const struct snapshot *listing_world(const struct listing *l)
{
	return l->match->snapshot;
}

void listing_place(const struct snapshot *s, struct span span, bool line, struct buf *out)
{
	if (!line)
		buf_puts(out, snapshot_path(s, span));
	else if (span_is_set(span))
		buf_printf(out, "%u", snapshot_line(s, span));
}

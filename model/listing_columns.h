/* What the files with the columns of a listing share; for model/listing*.c alone.
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_LISTING_COLUMNS_H
#define MODEL_LISTING_COLUMNS_H

#include "model/listing.h"

#define LISTING_COLUMNS(table) .columns = (table), .column_count = sizeof(table) / sizeof *(table)

extern const struct listing_info listing_inventory, listing_map, listing_findings, listing_paths,
	listing_coverage, listing_artifacts;

const struct snapshot *listing_world(const struct listing *l);
/* Appends the path of SPAN, or its line when there is one. */
void listing_place(const struct snapshot *s, struct span span, bool line, struct buf *out);
/* Orders by the number of the item itself. */
long listing_item_order(const struct listing *l, size_t item);
/* Of the workload whose number is ITEM: "R-07", and "unit/name". */
void listing_row_number(const struct listing *l, size_t item, struct buf *out);
void listing_row_name(const struct listing *l, size_t item, struct buf *out);

#endif

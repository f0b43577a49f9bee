/* A listing as text, tab separated values or JSON.
 * SPDX-License-Identifier: MIT */
#ifndef REPORT_LISTING_H
#define REPORT_LISTING_H

#include "model/listing.h"

/* Aligned columns that fit WIDTH cells (0: as wide as it takes), heads first, the count last. Columns of
 * low priority give way first. ASCII escapes everything that is not. */
void report_listing_text(const struct listing *l, size_t width, bool ascii, struct buf *out);
/* All columns, a head line, one line an item; control characters are made visible. */
void report_listing_tsv(const struct listing *l, struct buf *out);
void report_listing_json(const struct listing *l, struct buf *out);

#endif

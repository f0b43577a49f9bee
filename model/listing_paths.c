/* The columns of the paths out of the boundary.
 * SPDX-License-Identifier: MIT */
#include "model/listing_columns.h"

static const struct path *path_at(const struct listing *l, size_t item)
{
	return &l->match->paths.items[item];
}

static void path_row(const struct listing *l, size_t item, struct buf *out)
{
	listing_row_number(l, match_workload(l->match, path_at(l, item)->from), out);
}

static long path_row_order(const struct listing *l, size_t item)
{
	return (long)match_workload(l->match, path_at(l, item)->from);
}

static void path_from(const struct listing *l, size_t item, struct buf *out)
{
	listing_row_name(l, match_workload(l->match, path_at(l, item)->from), out);
}

static void path_to(const struct listing *l, size_t item, struct buf *out)
{
	(void)l;
	buf_puts(out, reach_target_names[path_at(l, item)->to]);
}

static void path_weakest(const struct listing *l, size_t item, struct buf *out)
{
	buf_puts(out, evidence_names[path_at(l, item)->weakest]);
}

static void path_rules(const struct listing *l, size_t item, struct buf *out)
{
	path_via(path_at(l, item), out);
}

static const struct finding *first_hop(const struct listing *l, size_t item)
{
	return path_at(l, item)->hops.items[0];
}

static void path_file(const struct listing *l, size_t item, struct buf *out)
{
	listing_place(listing_world(l), first_hop(l, item)->citations[0].span, false, out);
}

static void path_line(const struct listing *l, size_t item, struct buf *out)
{
	listing_place(listing_world(l), first_hop(l, item)->citations[0].span, true, out);
}

static const struct listing_column path_columns[] = {
	{ "row", 5, 2, .text = path_row, .number = path_row_order },
	{ "from", 20, 1, .text = path_from },
	{ "to", 24, 1, .text = path_to },
	{ "weakest", 11, 3, .text = path_weakest },
	{ "via", 0, 1, .text = path_rules },
	{ "path", 0, 2, .is_path = true, .text = path_file },
	{ "line", 5, 2, .right = true, .text = path_line },
};

const struct listing_info listing_paths = {
	.name = "paths",
	.items = "paths",
	LISTING_COLUMNS(path_columns),
};

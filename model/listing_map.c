/* The columns of the boundary map, and the mark of a cell.
 * SPDX-License-Identifier: MIT */
#include "model/listing_columns.h"

static const struct matched_cell *cell_at(const struct listing *l, size_t item)
{
	return &l->match->cells[item];
}

static void map_id(const struct listing *l, size_t item, struct buf *out)
{
	listing_row_number(l, item / FIELD_COUNT, out);
}

static void map_row(const struct listing *l, size_t item, struct buf *out)
{
	listing_row_name(l, item / FIELD_COUNT, out);
}

static void map_field(const struct listing *l, size_t item, struct buf *out)
{
	buf_puts(out, field_table[cell_at(l, item)->cell.field].slug);
}

static void map_declared(const struct listing *l, size_t item, struct buf *out)
{
	const struct cell *c = &cell_at(l, item)->cell;

	cell_declared(listing_world(l), c->row, c->field, out);
}

static void map_observed(const struct listing *l, size_t item, struct buf *out)
{
	const struct cell *c = &cell_at(l, item)->cell;

	cell_observed(listing_world(l), c->row, c->field, out);
}

void listing_mark(const struct matched_cell *c, struct buf *out)
{
	char letter = mark_letters[c->marked ? c->marked->mark : c->cell.mark];

	buf_putc(out, c->marked ? letter : (char)(letter | 0x20));
	if (c->freshness == FRESH_STALE)
		buf_putc(out, '~');
	if (c->cell.conflict)
		buf_putc(out, '!');
	if (c->marked && c->marked->disputed)
		buf_putc(out, '?');
}

static void map_mark(const struct listing *l, size_t item, struct buf *out)
{
	listing_mark(cell_at(l, item), out);
}

static long map_mark_order(const struct listing *l, size_t item)
{
	const struct matched_cell *c = cell_at(l, item);

	return (long)c->effective * 2 - (c->marked ? 1 : 0);
}

static void map_evidence(const struct listing *l, size_t item, struct buf *out)
{
	const struct matched_cell *c = cell_at(l, item);

	buf_puts(out, mark_names[c->marked ? c->marked->mark : c->cell.mark]);
	if (!c->marked)
		buf_printf(out, " %s, proposed", c->cell.sub);
	if (c->freshness == FRESH_STALE)
		buf_puts(out, ", stale");
	if (c->cell.conflict)
		buf_puts(out, ", conflict");
	if (c->marked && c->marked->disputed)
		buf_puts(out, ", disputed");
}

static void map_worst(const struct listing *l, size_t item, struct buf *out)
{
	enum severity worst = cell_at(l, item)->worst;

	buf_puts(out, worst < SEVERITY_COUNT ? severity_names[worst] : "");
}

static long map_worst_order(const struct listing *l, size_t item)
{
	return (long)cell_at(l, item)->worst;
}

static struct span cell_place(const struct cell *c)
{
	const struct fact *f = cell_next(c->row, c->field, NULL);

	return f && span_is_set(f->span) ? f->span : c->row->span;
}

static void map_path(const struct listing *l, size_t item, struct buf *out)
{
	listing_place(listing_world(l), cell_place(&cell_at(l, item)->cell), false, out);
}

static void map_line(const struct listing *l, size_t item, struct buf *out)
{
	listing_place(listing_world(l), cell_place(&cell_at(l, item)->cell), true, out);
}

static void map_by(const struct listing *l, size_t item, struct buf *out)
{
	buf_puts(out, cell_at(l, item)->marked ? cell_at(l, item)->marked->who : "");
}

static void map_note(const struct listing *l, size_t item, struct buf *out)
{
	buf_puts(out, cell_at(l, item)->marked ? cell_at(l, item)->marked->note : "");
}

static void map_basis(const struct listing *l, size_t item, struct buf *out)
{
	buf_puts(out, cell_at(l, item)->marked ? cell_at(l, item)->marked->basis : "");
}

static void map_key(const struct listing *l, size_t item, struct buf *out)
{
	const struct cell *c = &cell_at(l, item)->cell;

	buf_printf(out, "%s:%s", c->row->key, field_table[c->field].slug);
}

static const struct listing_column map_columns[] = {
	{ "id", 5, 5, .text = map_id },
	{ "row", 20, 4, .text = map_row },
	{ "field", 16, 1, .text = map_field },
	{ "mark", 4, 1, .text = map_mark, .number = map_mark_order },
	{ "worst", 8, 3, .text = map_worst, .number = map_worst_order },
	{ "declared", 0, 2, .text = map_declared },
	{ "observed", 0, 4, .text = map_observed },
	{ "evidence", 0, 0, .text = map_evidence },
	{ "path", 0, 0, .is_path = true, .text = map_path },
	{ "line", 0, 0, .right = true, .text = map_line },
	{ "by", 0, 0, .text = map_by },
	{ "basis", 0, 0, .text = map_basis },
	{ "note", 0, 0, .text = map_note },
	{ "key", 0, 0, .text = map_key },
};

const struct listing_info listing_map = {
	.name = "map",
	.items = "cells",
	LISTING_COLUMNS(map_columns),
};

/* Rendering of listings.
 * SPDX-License-Identifier: MIT */
#include "src/report/listing.h"

#include <string.h>

#include "model/json_put.h"
#include "model/text.h"

#define MAX_COLUMNS 16
#define WIDEST 72 /* of one column when the width is free */
#define GAP 2

/* The columns to be drawn, with their widths in cells. */
struct layout {
	const struct listing_column *columns[MAX_COLUMNS];
	size_t widths[MAX_COLUMNS];
	size_t count;
	unsigned flags;
};

static void visible_text(const struct listing *l, size_t place, const struct listing_column *c,
			 unsigned flags, struct buf *raw, struct buf *out)
{
	buf_clear(raw);
	buf_clear(out);
	listing_text(l, place, c, raw);
	text_visible(out, buf_text(raw), raw->length, flags | TEXT_ONE_LINE);
}

static size_t natural_width(const struct listing *l, const struct listing_column *c,
			    unsigned flags)
{
	struct buf raw = { 0 }, text = { 0 };
	size_t widest = strlen(c->name);

	for (size_t i = 0; i < l->count && widest < WIDEST; i++) {
		size_t cells;

		visible_text(l, i, c, flags, &raw, &text);
		cells = text_cells(buf_text(&text), text.length);
		widest = cells > widest ? cells : widest;
	}
	buf_free(&raw);
	buf_free(&text);
	return widest > WIDEST ? WIDEST : widest;
}

static size_t total_width(const struct layout *y)
{
	size_t total = 0;

	for (size_t i = 0; i < y->count; i++)
		total += y->widths[i] + (i ? GAP : 0);
	return total;
}

static void drop_column(struct layout *y, size_t at)
{
	for (size_t i = at + 1; i < y->count; i++) {
		y->columns[i - 1] = y->columns[i];
		y->widths[i - 1] = y->widths[i];
	}
	y->count--;
}

static size_t least_important(const struct layout *y)
{
	size_t at = 0;

	for (size_t i = 1; i < y->count; i++)
		if (y->columns[i]->priority >= y->columns[at]->priority)
			at = i;
	return at;
}

/* Free columns shrink first, down to a readable rest; then columns go. */
static void fit_width(struct layout *y, size_t width)
{
	while (total_width(y) > width) {
		size_t over = total_width(y) - width, widest = SIZE_MAX;

		for (size_t i = 0; i < y->count; i++)
			if (y->columns[i]->width == 0 && y->widths[i] > 20 &&
			    (widest == SIZE_MAX || y->widths[i] > y->widths[widest]))
				widest = i;
		if (widest != SIZE_MAX)
			y->widths[widest] -= over < y->widths[widest] - 20 ? over
									   : y->widths[widest] - 20;
		else if (y->count > 1)
			drop_column(y, least_important(y));
		else
			break;
	}
	if (y->count == 1 && y->widths[0] > width)
		y->widths[0] = width;
}

static struct layout make_layout(const struct listing *l, size_t width, unsigned flags)
{
	struct layout y = { .flags = flags };

	for (size_t i = 0; i < l->info->column_count && y.count < MAX_COLUMNS; i++) {
		const struct listing_column *c = &l->info->columns[i];

		if (!c->priority)
			continue;
		y.columns[y.count] = c;
		y.widths[y.count++] = natural_width(l, c, flags);
	}
	if (width)
		fit_width(&y, width);
	return y;
}

static void pad(struct buf *out, size_t cells)
{
	while (cells--)
		buf_putc(out, ' ');
}

static void put_cell(const struct layout *y, size_t column, const char *text, size_t length,
		     struct buf *out)
{
	struct buf fitted = { 0 };
	bool last = column + 1 == y->count;
	size_t used = text_fit(&fitted, text, length, y->widths[column], y->flags,
			       y->columns[column]->is_path);

	if (column)
		pad(out, GAP);
	if (y->columns[column]->right)
		pad(out, y->widths[column] - used);
	buf_add(out, buf_text(&fitted), fitted.length);
	if (!last && !y->columns[column]->right)
		pad(out, y->widths[column] - used);
	buf_free(&fitted);
}

static void end_line(struct buf *out)
{
	while (out->length && out->bytes[out->length - 1] == ' ')
		out->length--;
	buf_putc(out, '\n');
}

void report_listing_text(const struct listing *l, size_t width, bool ascii, struct buf *out)
{
	struct layout y = make_layout(l, width, ascii ? TEXT_ASCII : 0);
	struct buf raw = { 0 };

	for (size_t i = 0; l->count && i < y.count; i++)
		put_cell(&y, i, y.columns[i]->name, strlen(y.columns[i]->name), out);
	if (l->count)
		end_line(out);
	for (size_t place = 0; place < l->count; place++) {
		for (size_t i = 0; i < y.count; i++) {
			buf_clear(&raw);
			listing_text(l, place, y.columns[i], &raw);
			put_cell(&y, i, buf_text(&raw), raw.length, out);
		}
		end_line(out);
	}
	listing_count(l, out);
	buf_putc(out, '\n');
	buf_free(&raw);
}

void report_listing_tsv(const struct listing *l, struct buf *out)
{
	struct buf raw = { 0 }, text = { 0 };

	for (size_t i = 0; i < l->info->column_count; i++)
		buf_printf(out, "%s%s", i ? "\t" : "", l->info->columns[i].name);
	buf_putc(out, '\n');
	for (size_t place = 0; place < l->count; place++) {
		for (size_t i = 0; i < l->info->column_count; i++) {
			visible_text(l, place, &l->info->columns[i], 0, &raw, &text);
			if (i)
				buf_putc(out, '\t');
			buf_add(out, buf_text(&text), text.length);
		}
		buf_putc(out, '\n');
	}
	buf_free(&raw);
	buf_free(&text);
}

static void json_item(const struct listing *l, size_t place, struct buf *raw, struct buf *out)
{
	json_put_open(out, '{');
	for (size_t i = 0; i < l->info->column_count; i++) {
		buf_clear(raw);
		listing_text(l, place, &l->info->columns[i], raw);
		json_put_key(out, l->info->columns[i].name);
		json_put_bytes(out, buf_text(raw), raw->length);
	}
	json_put_close(out, '}');
}

void report_listing_json(const struct listing *l, struct buf *out)
{
	struct buf raw = { 0 };

	json_put_open(out, '{');
	json_put_member(out, "schema", "boundwalk-listing/1");
	json_put_member(out, "listing", l->info->name);
	json_put_member_number(out, "shown", (int64_t)l->count);
	json_put_member_number(out, "total", (int64_t)l->total);
	json_put_key(out, "items");
	json_put_open(out, '[');
	for (size_t place = 0; place < l->count; place++)
		json_item(l, place, &raw, out);
	json_put_close(out, ']');
	json_put_close(out, '}');
	buf_putc(out, '\n');
	buf_free(&raw);
}

/* Wrapping and drawing of documents.
 * SPDX-License-Identifier: MIT */
#include "ui/doc.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "model/secret.h"
#include "model/text.h"
#include "ui/find.h"

void doc_start(struct doc *d, int width, int label_width, bool ascii)
{
	buf_clear(&d->text);
	d->count = 0;
	d->width = width < 8 ? 8 : width;
	d->label_width = label_width > d->width / 2 ? d->width / 2 : label_width;
	d->ascii = ascii;
	d->place = (struct span){ 0 };
}

void doc_free(struct doc *d)
{
	buf_free(&d->text);
	free(d->lines);
	*d = (struct doc){ 0 };
}

static struct doc_line *push_line(struct doc *d)
{
	if (d->count == d->capacity) {
		d->capacity = d->capacity ? 2 * d->capacity : 64;
		d->lines = realloc(d->lines, d->capacity * sizeof *d->lines);
		if (!d->lines)
			abort();
	}
	d->lines[d->count] = (struct doc_line){ .place = d->place };
	return &d->lines[d->count++];
}

/* Bytes of the next line: as many whole words as fit into CELLS, or as much of one word. */
static size_t take_line(const char *text, size_t length, int cells)
{
	size_t used, at = 0, last_blank = 0;
	int width = 0;

	while (at < length && text[at] != '\n') {
		uint32_t point = text_decode_point(text + at, length - at, &used);
		int w = point == TEXT_INVALID ? 1 : text_point_width(point);

		if (w > 0)
			width += w;
		if (width > cells && at > 0)
			return last_blank > 0 && text[at] != ' ' ? last_blank : at;
		if (point == ' ' && at > 0)
			last_blank = at;
		at += used;
	}
	return at;
}

static void add_visible(struct doc *d, enum element element, const char *label, int indent,
                        const char *text, size_t length)
{
	size_t label_at = d->text.length, label_length = label ? strlen(label) : 0;
	bool first = true;

	buf_puts(&d->text, label ? label : "");
	do {
		size_t n = take_line(text, length, d->width - indent);
		struct doc_line *line = push_line(d);

		line->indent = indent;
		line->element = element;
		if (first) {
			line->label = label_at;
			line->label_length = label_length;
			first = false;
		}
		line->start = d->text.length;
		line->length = n;
		buf_add(&d->text, text, n);
		text += n;
		length -= n;
		if (length > 0 && (*text == '\n' || *text == ' ')) {
			text++;
			length--;
		}
	} while (length > 0);
}

static void add(struct doc *d, enum element element, const char *label, int indent,
                const char *text)
{
	struct buf safe = { 0 }, plain = { 0 }, visible = { 0 };

	secret_redact_prose(&safe, text, strlen(text));
	text = buf_text(&safe);
	if (d->ascii) {
		grid_spell_plainly(&plain, text);
		text = buf_text(&plain);
	}
	text_visible(&visible, text, strlen(text), TEXT_TABS | (d->ascii ? TEXT_ASCII : 0));
	add_visible(d, element, label, indent, buf_text(&visible), visible.length);
	buf_free(&safe);
	buf_free(&plain);
	buf_free(&visible);
}

void doc_add(struct doc *d, enum element element, const char *label, const char *text)
{
	add(d, element, label, d->label_width, text);
}

void doc_full(struct doc *d, enum element element, const char *text)
{
	add(d, element, NULL, 0, text);
}

void doc_printf(struct doc *d, enum element element, const char *label, const char *format, ...)
{
	struct buf text = { 0 };
	va_list args;

	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	doc_add(d, element, label, buf_text(&text));
	buf_free(&text);
}

void doc_blank(struct doc *d)
{
	if (d->count > 0 && d->lines[d->count - 1].length > 0)
		push_line(d);
}

void doc_at(struct doc *d, struct span place)
{
	d->place = place;
}

/* Skips CELLS cells at the start of TEXT. */
static size_t skip_cells(const char *text, size_t length, int cells)
{
	size_t used, at = 0;

	while (at < length && cells > 0) {
		uint32_t point = text_decode_point(text + at, length - at, &used);

		cells -= point == TEXT_INVALID ? 1 : text_point_width(point);
		at += used;
	}
	return at;
}

static void draw_line(const struct doc *d, const struct doc_line *line, struct grid *g,
                      struct rect row, const struct doc_view *view)
{
	const char *text = d->text.bytes ? d->text.bytes + line->start : "";
	size_t skip = skip_cells(text, line->length, view->left);
	struct buf part = { 0 };

	if (line->label_length > 0)
		grid_raw(g, row, row.x, row.y, line->indent > 1 ? line->indent - 1 : 0,
		         ELEMENT_LABEL, d->text.bytes + line->label, line->label_length,
		         GRID_CUT_END);
	buf_add(&part, text + skip, line->length - skip);
	grid_text(g, row, row.x + line->indent, row.y, line->element, buf_text(&part));
	if (view->match)
		find_highlight(g, row, view->match);
	buf_free(&part);
}

void doc_draw(const struct doc *d, struct grid *g, struct rect area, struct doc_view view)
{
	for (int y = 0; y < area.h && view.top + (size_t)y < d->count; y++) {
		size_t i = view.top + (size_t)y;
		struct rect row = { area.x, area.y + y, area.w, 1 };

		if (view.focused && i == view.at) {
			grid_text(g, row, row.x, row.y, ELEMENT_TEXT, ">");
			g->cursor_x = row.x;
			g->cursor_y = row.y;
		}
		row.x += 2;
		row.w -= 2;
		draw_line(d, &d->lines[i], g, row, &view);
		if (view.focused && i == view.at)
			grid_select(g, (struct rect){ area.x, row.y, area.w, 1 });
	}
}

void doc_text(const struct doc *d, size_t i, struct buf *out)
{
	const struct doc_line *line;

	if (i >= d->count || !d->text.bytes)
		return;
	line = &d->lines[i];
	if (line->label_length > 0) {
		buf_add(out, d->text.bytes + line->label, line->label_length);
		buf_putc(out, ' ');
	}
	buf_add(out, d->text.bytes + line->start, line->length);
}

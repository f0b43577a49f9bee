/* Decoding of UTF-8, visible text and its fitting into cells.
 * SPDX-License-Identifier: MIT */
#include "model/text.h"

#include <stdio.h>
#include <string.h>

#define MAX_COMBINING 4 /* marks stacked on one character; more are shown as escapes */

uint32_t text_decode_point(const char *bytes, size_t length, size_t *used)
{
	static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p = (const unsigned char *)bytes;
	size_t need;
	uint32_t point;

	*used = 1;
	if (p[0] < 0x80)
		return p[0];
	need = p[0] < 0xC2 ? 0 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : p[0] < 0xF5 ? 4 : 0;
	if (need == 0 || need > length)
		return TEXT_INVALID;
	point = p[0] & (0x7Fu >> need);
	for (size_t i = 1; i < need; i++) {
		if ((p[i] & 0xC0) != 0x80)
			return TEXT_INVALID;
		point = point << 6 | (p[i] & 0x3Fu);
	}
	if (point < smallest[need] || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF))
		return TEXT_INVALID;
	*used = need;
	return point;
}

static size_t encode(char out[4], uint32_t point)
{
	if (point < 0x80) {
		out[0] = (char)point;
		return 1;
	}
	if (point < 0x800) {
		out[0] = (char)(0xC0 | point >> 6);
		out[1] = (char)(0x80 | (point & 0x3F));
		return 2;
	}
	if (point < 0x10000) {
		out[0] = (char)(0xE0 | point >> 12);
		out[1] = (char)(0x80 | (point >> 6 & 0x3F));
		out[2] = (char)(0x80 | (point & 0x3F));
		return 3;
	}
	out[0] = (char)(0xF0 | point >> 18);
	out[1] = (char)(0x80 | (point >> 12 & 0x3F));
	out[2] = (char)(0x80 | (point >> 6 & 0x3F));
	out[3] = (char)(0x80 | (point & 0x3F));
	return 4;
}

void text_encode_point(struct buf *out, uint32_t point)
{
	char bytes[4];

	buf_add(out, bytes, encode(bytes, point));
}

/* A walk over untrusted bytes; each step gives one piece of visible text that must not be split. */
struct walk {
	const char *bytes;
	size_t length, at, column;
	unsigned flags, combining;
	bool has_base;
	char piece[16];
	size_t piece_length, cells;
	bool suspicious; /* of the last piece */
};

enum escape { ESCAPE_CARET, ESCAPE_BYTE, ESCAPE_POINT };

static void set_escape(struct walk *w, enum escape form, uint32_t value)
{
	unsigned number = (unsigned)value;
	int length;

	if (form == ESCAPE_CARET)
		length = snprintf(w->piece, sizeof w->piece, "^%c", (int)(number ^ 0x40u));
	else if (form == ESCAPE_BYTE)
		length = snprintf(w->piece, sizeof w->piece, "\\x%02x", number);
	else
		length = snprintf(w->piece, sizeof w->piece, "\\u{%04X}", number);
	w->piece_length = w->cells = length > 0 ? (size_t)length : 0;
	w->has_base = false;
	w->combining = 0;
	w->suspicious = true;
}

static void set_blanks(struct walk *w)
{
	w->cells = w->piece_length = 8 - w->column % 8;
	memset(w->piece, ' ', w->piece_length);
	w->has_base = false;
}

static void set_kept(struct walk *w, char c)
{
	w->piece[0] = c;
	w->piece_length = 1;
	w->cells = c == '\t' ? 8 - w->column % 8 : 0;
	w->has_base = false;
}

static void set_control(struct walk *w, unsigned char c)
{
	bool before_newline = w->at < w->length && w->bytes[w->at] == '\n';

	if (c == '\t' && w->flags & TEXT_TABS) {
		set_blanks(w);
		return;
	}
	if ((c == '\t' || c == '\n') && !(w->flags & TEXT_ONE_LINE)) {
		set_kept(w, (char)c);
		return;
	}
	set_escape(w, ESCAPE_CARET, c);
	w->suspicious = c != '\t' && c != '\n' && !(c == '\r' && before_newline);
}

static void set_point(struct walk *w, const char *bytes, size_t length, uint32_t point)
{
	int width = text_point_width(point);
	bool stacked = width == 0 && (!w->has_base || w->combining >= MAX_COMBINING);

	if (width < 0 && point < 0xA0) {
		set_escape(w, ESCAPE_BYTE, point);
		return;
	}
	if (width < 0 || stacked || w->flags & TEXT_ASCII) {
		set_escape(w, ESCAPE_POINT, point);
		w->suspicious = width < 0 || stacked;
		return;
	}
	memcpy(w->piece, bytes, length);
	w->piece_length = length;
	w->cells = (size_t)width;
	w->combining = width == 0 ? w->combining + 1 : 0;
	w->has_base = true;
}

/* Sets the next piece; false at the end. */
static bool walk_step(struct walk *w)
{
	const char *bytes = w->bytes + w->at;
	unsigned char c;
	uint32_t point;
	size_t used;

	if (w->at >= w->length)
		return false;
	w->suspicious = false;
	c = (unsigned char)*bytes;
	if (c >= 0x20 && c < 0x7F) {
		w->at++;
		w->piece[0] = (char)c;
		w->piece_length = w->cells = 1;
		w->has_base = true;
		w->combining = 0;
	} else if (c < 0x80) {
		w->at++;
		set_control(w, c);
	} else {
		point = text_decode_point(bytes, w->length - w->at, &used);
		w->at += used;
		if (point == TEXT_INVALID)
			set_escape(w, ESCAPE_BYTE, c);
		else
			set_point(w, bytes, used, point);
	}
	w->column = c == '\n' && w->cells == 0 ? 0 : w->column + w->cells;
	return true;
}

static size_t plain_run(const char *bytes, size_t length)
{
	size_t i = 0;

	while (i < length && (unsigned char)bytes[i] >= 0x20 && (unsigned char)bytes[i] < 0x7F)
		i++;
	return i;
}

bool text_visible(struct buf *out, const char *bytes, size_t length, unsigned flags)
{
	struct walk w = { .bytes = bytes, .length = length, .flags = flags };
	bool suspicious = false;

	for (;;) {
		size_t run = plain_run(bytes + w.at, length - w.at);

		if (run) {
			buf_add(out, bytes + w.at, run);
			w.at += run;
			w.column += run;
			w.has_base = true;
			w.combining = 0;
		}
		if (!walk_step(&w))
			return suspicious;
		buf_add(out, w.piece, w.piece_length);
		suspicious = suspicious || w.suspicious;
	}
}

static struct walk one_line(const char *bytes, size_t length, unsigned flags)
{
	return (struct walk){ .bytes = bytes, .length = length, .flags = flags | TEXT_ONE_LINE };
}

static void add_ellipsis(struct buf *out, unsigned flags)
{
	buf_puts(out, flags & TEXT_ASCII ? "~" : "\xE2\x80\xA6");
}

/* Keeps what fits; when it does not all fit, cuts back to the last place that leaves a cell for the
 * mark. Stops reading as soon as the cut is known. */
static size_t fit_end(struct buf *out, const char *bytes, size_t length, size_t cells,
		      unsigned flags)
{
	struct walk w = one_line(bytes, length, flags);
	size_t used = 0, cut_cells = 0, cut = out->length;

	while (walk_step(&w)) {
		if (used + w.cells > cells) {
			out->length = cut;
			add_ellipsis(out, flags);
			return cut_cells + 1;
		}
		buf_add(out, w.piece, w.piece_length);
		used += w.cells;
		if (used < cells) {
			cut = out->length;
			cut_cells = used;
		}
	}
	return used;
}

static size_t fit_middle(struct buf *out, const char *bytes, size_t length, size_t cells,
			 unsigned flags)
{
	struct walk w = one_line(bytes, length, flags);
	size_t total = 0, seen = 0, head = (cells - 1) / 3, tail = cells - 1 - head, used = 0;

	while (walk_step(&w))
		total += w.cells;
	if (total <= cells)
		return fit_end(out, bytes, length, cells, flags);
	for (w = one_line(bytes, length, flags); walk_step(&w) && seen + w.cells <= head;) {
		buf_add(out, w.piece, w.piece_length);
		seen += w.cells;
	}
	add_ellipsis(out, flags);
	used = seen + 1;
	for (seen = 0, w = one_line(bytes, length, flags); walk_step(&w); seen += w.cells) {
		if (total - seen > tail || (used == head + 1 && w.cells == 0))
			continue;
		buf_add(out, w.piece, w.piece_length);
		used += w.cells;
	}
	return used;
}

size_t text_fit(struct buf *out, const char *bytes, size_t length, size_t cells, unsigned flags,
		bool cut_middle)
{
	if (cells == 0)
		return 0;
	if (cut_middle && cells >= 5)
		return fit_middle(out, bytes, length, cells, flags);
	return fit_end(out, bytes, length, cells, flags);
}

size_t text_cells(const char *visible, size_t length)
{
	size_t cells = 0, at = 0, used;

	while (at < length) {
		size_t run = plain_run(visible + at, length - at);
		uint32_t point;
		int width;

		cells += run;
		at += run;
		if (at >= length)
			break;
		point = text_decode_point(visible + at, length - at, &used);
		width = point == TEXT_INVALID ? 1 : text_point_width(point);
		if (point == '\t')
			cells += 8 - cells % 8;
		else if (width > 0)
			cells += (size_t)width;
		at += used;
	}
	return cells;
}

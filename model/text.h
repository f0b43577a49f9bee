/* Text from untrusted files: decoding, cell width, and the one function that makes it visible.
 *
 * Nothing of a repository reaches a screen, a report, a message or a clipboard except through
 * text_visible() (or the Markdown form built on it). Independent of the locale.
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_TEXT_H
#define MODEL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/buf.h"

#define TEXT_INVALID UINT32_MAX

/* Decodes one code point at BYTES (LENGTH > 0); *USED is set to 1..4. TEXT_INVALID for a byte that
 * begins no well-formed sequence (then *USED is 1): overlong forms, surrogates and values past
 * U+10FFFF are not well formed. */
uint32_t text_decode_point(const char *bytes, size_t length, size_t *used);
/* Appends the UTF-8 form of a valid code point. */
void text_encode_point(struct buf *out, uint32_t point);
/* Cells of a code point: 0 combining, 1, 2 wide; -1 for what must be escaped (C0, C1, DEL, bidi
 * controls, zero-width and format characters, line separators, tags, noncharacters, private use). */
int text_point_width(uint32_t point);

enum text_flags {
	TEXT_PLAIN = 0,
	TEXT_ASCII = 1,      /* escape every non-ASCII point as \u{…} */
	TEXT_ONE_LINE = 2,   /* '\n' and '\t' are escaped too; without it they stay */
	TEXT_TABS = 4,       /* expand tabs to 8 columns */
};

/* Appends BYTES with everything dangerous made visible: control bytes as ^X or \x9b, invalid bytes as
 * \xNN, the other unsafe points as \u{…}. The result is valid UTF-8 without control characters (but
 * '\n' as far as the flags keep it). Returns true when something suspicious was escaped. */
bool text_visible(struct buf *out, const char *bytes, size_t length, unsigned flags);
/* Appends at most CELLS cells of visible one-line text; a cut is marked with "…" ("~" in ASCII) at the
 * end, or in the middle for paths. Never splits a wide character. Returns the cells used. */
size_t text_fit(struct buf *out, const char *bytes, size_t length, size_t cells, unsigned flags,
		bool cut_middle);
/* Cells that visible text occupies. */
size_t text_cells(const char *visible, size_t length);
/* Appends one-line visible text made safe inside a Markdown paragraph or table cell: pipes, backticks,
 * angle brackets, emphasis, links and raw HTML lose their meaning. */
void text_markdown(struct buf *out, const char *bytes, size_t length);
/* As an inline code span: a backtick fence long enough for the content; pipes escaped. */
void text_markdown_code(struct buf *out, const char *bytes, size_t length);
/* Appends a JSON string with quotes; invalid UTF-8 becomes U+FFFD, controls are escaped. */
void text_json(struct buf *out, const char *bytes, size_t length);

#endif

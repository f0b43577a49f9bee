/* A document: wrapped lines of visible text with labels, as the text views show them.
 *
 * Ownership: the owner frees it with doc_free(); a zeroed one is valid.
 * SPDX-License-Identifier: MIT */
#ifndef UI_DOC_H
#define UI_DOC_H

#include "model/source.h"
#include "ui/grid.h"

struct doc_line {
	size_t label, label_length; /* bytes in `text` */
	size_t start, length;
	int indent; /* column of the text */
	enum element element;
	struct span place; /* where Enter goes */
};

struct doc {
	struct buf text;
	struct doc_line *lines;
	size_t count, capacity;
	int width, label_width;
	bool ascii;
	struct span place; /* given to the lines added from now on */
};

/* Empties it for lines of WIDTH cells with labels in LABEL_WIDTH cells. */
void doc_start(struct doc *d, int width, int label_width, bool ascii);
void doc_free(struct doc *d);
/* Adds untrusted text made visible, wrapped beside its label (NULL: none). Newlines begin new
 * lines. */
void doc_add(struct doc *d, enum element element, const char *label, const char *text);
/* The same over the whole width, without label. */
void doc_full(struct doc *d, enum element element, const char *text);
void doc_printf(struct doc *d, enum element element, const char *label, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void doc_blank(struct doc *d);
/* The place of lines added from now on; a zeroed span ends that. */
void doc_at(struct doc *d, struct span place);
/* How a document is looked at: first line, selected line (shown when FOCUSED), columns cut off. */
struct doc_view {
	size_t top, at;
	int left;
	bool focused;
	const char *match; /* text to show as found, or NULL */
};
void doc_draw(const struct doc *d, struct grid *g, struct rect area, struct doc_view view);
/* Text of line I with its label, appended. */
void doc_text(const struct doc *d, size_t i, struct buf *out);

#endif

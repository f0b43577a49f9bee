/* Lists of rows, cells, findings and files, with their columns: the same for panes and for commands.
 *
 * Texts of columns are raw (repository bytes inside): show them through model/text.h. A listing points into
 * its match and must be rebuilt with it.
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_LISTING_H
#define MODEL_LISTING_H

#include "model/match.h"

enum listing_kind {
	LISTING_INVENTORY,
	LISTING_MAP,
	LISTING_FINDINGS,
	LISTING_PATHS,
	LISTING_COVERAGE,
	LISTING_ARTIFACTS,
	LISTING_KIND_COUNT,
};

struct listing;

struct listing_column {
	const char *name;  /* in expressions and as head */
	unsigned width;    /* cells wished for; 0 = the rest of the line */
	unsigned priority; /* 1 is the last to go on a narrow screen; 0 is only in tsv and json */
	bool right;        /* aligned right */
	bool is_path;      /* cut in the middle */
	void (*text)(const struct listing *l, size_t item, struct buf *out);
	long (*number)(const struct listing *l, size_t item); /* sorts by it; NULL: by text */
};

struct listing_info {
	const char *name;  /* of the command */
	const char *items; /* what is counted: "workloads" … */
	const struct listing_column *columns;
	size_t column_count;
};
extern const struct listing_info *const listing_table[LISTING_KIND_COUNT];

struct listing {
	struct arena arena;
	enum listing_kind kind;
	const struct listing_info *info;
	const struct match *match;
	size_t *items; /* item numbers: workload, cell (workload × FIELD_COUNT + field), place in
			  match->findings, or artifact index */
	size_t count;  /* shown */
	size_t total;  /* before filters */
};

void listing_init(struct listing *l, enum listing_kind kind, const struct match *m);
void listing_free(struct listing *l);
/* Keeps what belongs to ROW (inventory, map, findings). */
void listing_only_row(struct listing *l, const struct row *row);
/* Keeps what matches the expression (model/query.h); false with a message, then nothing has changed. */
bool listing_filter(struct listing *l, const char *expression, struct buf *why);
/* Orders by a column; "-name" reverses. Equal items keep their order. */
bool listing_sort(struct listing *l, const char *column, struct buf *why);
/* Appends the text of a column of the item at PLACE (0 … count). */
void listing_text(const struct listing *l, size_t place, const struct listing_column *column,
		  struct buf *out);
const struct listing_column *listing_column(const struct listing_info *info, const char *name);
/* Appends "7 of 42 findings" or "42 findings". */
void listing_count(const struct listing *l, struct buf *out);
/* Appends the letter of a cell's mark with its overlays: "d", "O!", "U~?"; lower case is a proposal. */
void listing_mark(const struct matched_cell *c, struct buf *out);

#endif

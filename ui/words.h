/* The words that lists, filters, searches and copies use for things of the model.
 *
 * What is appended is raw text with repository bytes inside: show it through the grid.
 * SPDX-License-Identifier: MIT */
#ifndef UI_WORDS_H
#define UI_WORDS_H

#include "model/match.h"

/* Letter of a cell's mark: upper case once a person confirmed it. */
char words_mark_letter(const struct matched_cell *cell);
/* '!' conflict, '?' disputed, '~' stale, or ' '. */
char words_overlay(const struct matched_cell *cell);
/* "declared", "observed, stale": the mark's word and the overlays'. */
void words_mark(const struct matched_cell *cell, struct buf *out);
/* "new", "reopened" or the disposition. */
const char *words_decision(const struct matched_finding *f);
/* "compose.yml:18"; nothing for an empty span. */
void words_place(const struct snapshot *s, struct span span, struct buf *out);
/* The first citation's span, or the row's. */
struct span words_finding_span(const struct finding *f);
/* A whole line for filter, search and copy. */
void words_row(const struct snapshot *s, const struct row *row, struct buf *out);
void words_finding(const struct match *m, const struct matched_finding *f, struct buf *out);
void words_cell(const struct match *m, const struct matched_cell *cell, struct buf *out);
/* What an act of the review did: "runner mounts marked declared", "4 decisions: accepted". */
void words_act(const struct match *m, const struct review *review, const struct event *event,
	       struct buf *out);
/* Role as it is shown: the reviewer's, else the proposal; "" when unknown. */
const char *words_role(const struct match *m, const struct row *row);

#endif

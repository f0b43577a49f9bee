/* Finding words in shown text: search, filter and highlighting.
 * SPDX-License-Identifier: MIT */
#ifndef UI_FIND_H
#define UI_FIND_H

#include "ui/grid.h"

/* True when TEXT holds NEEDLE; the case of ASCII letters is ignored. An empty needle is in all. */
bool find_in(const char *text, const char *needle);
/* True when TEXT holds every word of FILTER and none of its words that begin with '-' or '!'. */
bool find_filter(const char *text, const char *filter);
/* Shows every occurrence of NEEDLE in the first line of AREA as a match. */
void find_highlight(struct grid *g, struct rect area, const char *needle);

#endif

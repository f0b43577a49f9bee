/* Equal keys within one map.
 * SPDX-License-Identifier: MIT */
#ifndef SYNTAX_DUPLICATES_H
#define SYNTAX_DUPLICATES_H

#include "model/node.h"
#include "model/problem.h"

/* Adds a problem at every key of MAP that repeats an earlier one, in the order of the file. Keys are
 * compared by their decoded text; keys that are collections are not compared. */
void duplicates_report(const struct node *map, const struct source *s, struct arena *a,
		       struct problems *problems);

#endif

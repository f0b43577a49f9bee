/* Splits a command text into words as tools do that run no shell: quotes and backslashes are
 * removed, nothing is expanded, operators are words like any other.
 * SPDX-License-Identifier: MIT */
#ifndef SYNTAX_WORDS_H
#define SYNTAX_WORDS_H

#include <stdbool.h>

#include "model/arena.h"

struct word_list {
	const char **items;
	size_t count, capacity;
};

/* False when a quote is not closed; the words up to the end are added all the same. */
bool words_split(struct arena *a, const char *text, struct word_list *out);

#endif

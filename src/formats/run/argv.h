/* Words of a command line, each with its place: what a launcher starts and with which arguments.
 *
 * Words come from argument lists in configuration, so nothing is expanded. Everything lies in the
 * arena of the snapshot.
 * SPDX-License-Identifier: MIT */
#ifndef FORMATS_RUN_ARGV_H
#define FORMATS_RUN_ARGV_H

#include "model/node.h"

struct argv_word {
	const char *text;
	struct span span; /* the list item, or the text that was split */
	bool secret;      /* holds a secret value: never shown */
};

struct argv {
	struct argv_word *items;
	size_t count, capacity;
};

void argv_add(struct arena *a, struct argv *v, const char *text, struct span span);
/* Adds the words of TEXT, split at blanks outside quotes; all of them get SPAN. */
void argv_split(struct arena *a, struct argv *v, const char *text, struct span span);
/* Adds a scalar as one word, or each scalar of a list; false when some item is neither. */
bool argv_add_node(struct arena *a, struct argv *v, const struct node *n);
/* The word at I, or "" past the end. */
const char *argv_at(const struct argv *v, size_t i);
/* The words from FROM on joined by blanks, secret ones as "***". */
const char *argv_join(struct arena *a, const struct argv *v, size_t from);
/* Name of the program in a path, in lower case, without ".exe", ".cmd", ".bat". */
const char *argv_program(struct arena *a, const char *path);
/* True when WORD is OPTION or begins with OPTION and '='; *VALUE is then the text after '=' or
 * NULL. */
bool argv_is_option(const char *word, const char *option, const char **value);

#endif

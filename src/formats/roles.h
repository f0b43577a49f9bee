/* Proposals of what rows do: agent, tool, MCP server, helper, infrastructure.
 *
 * A proposal names its evidence (row.role_reason, row.role_span) and binds nobody: a reviewer may say
 * another role. Where no evidence speaks, the role stays unknown.
 * SPDX-License-Identifier: MIT */
#ifndef FORMATS_ROLES_H
#define FORMATS_ROLES_H

#include "src/formats/format.h"

/* Proposes a role for every workload that has none; after all formats have joined. */
void roles_propose(struct workspace *w);

enum role_word_use {
	ROLE_WORD_PRODUCT, /* a product: by program, image or package, and by name when these are open */
	ROLE_WORD_PROGRAM, /* only as a command: too common a word elsewhere */
	ROLE_WORD_NAME,    /* a common word: the last one of a name tells what the named thing is */
};

/* A word of lower-case parts joined by '-'; "a/b" is the end of an image's path, "a/" its folder. */
struct role_word {
	const char *word;
	enum row_role role;
	enum role_word_use use;
	const char *duty;
};
extern const struct role_word role_words[]; /* sorted by strcmp() */
extern const size_t role_word_count;

/* The word of the table that tells most about TEXT (an image's path, a program, a name), or NULL. */
const struct role_word *role_word_in(const char *text);

#endif

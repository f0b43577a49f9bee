/* Words and nesting of shell text; used by shell.c only.
 * SPDX-License-Identifier: MIT */
#ifndef SYNTAX_SHELL_LEX_H
#define SYNTAX_SHELL_LEX_H

#include "src/syntax/shell.h"

#define SHELL_LEX_PLACEHOLDERS 3u /* kinds of them */

/* A $(…), `…` or <(…) whose commands are to be read later. */
struct shell_inner {
	uint32_t from, to;
	int32_t parent;
	uint32_t level;
};

struct shell_lex {
	struct arena *arena;
	const struct folded *text;
	enum shell_flavour flavour;
	uint32_t end; /* of the part that is read */
	/* Of each kind of placeholder: none that opens before this place is closed on its line. */
	uint32_t unclosed[SHELL_LEX_PLACEHOLDERS];
	struct {
		struct shell_inner *items;
		size_t count, capacity;
	} inner; /* found since the last command was finished */
};

/* Reads the word that begins at AT and returns where it ends. */
uint32_t shell_lex_word(struct shell_lex *x, uint32_t at, struct shell_word *out);
/* As above, with the unquoted text and its places in B. */
uint32_t shell_lex_unquote(struct shell_lex *x, uint32_t at, struct folded_builder *b,
			   bool *literal, bool *quoted);
/* The position after the bracket that closes the one at AT (one of "({`" with or without '$'). */
uint32_t shell_lex_nested(const struct shell_lex *x, uint32_t at);
/* Skips blanks, continuation and comments; newlines are not skipped. */
uint32_t shell_lex_blank(const struct shell_lex *x, uint32_t at);
bool shell_lex_is_meta(char c);

#endif

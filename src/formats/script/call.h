/* One command of a shell text with the programs in front of it looked through: env, exec, sudo,
 * timeout and alike start the program that counts.
 * SPDX-License-Identifier: MIT */
#ifndef FORMATS_SCRIPT_CALL_H
#define FORMATS_SCRIPT_CALL_H

#include "src/syntax/shell.h"

struct call {
	const struct shell *shell;
	const struct shell_command *command;
	size_t index;        /* of the command in the shell text */
	size_t at;           /* word of the program; the command's word count when there is none */
	const char *program; /* base name; "" when there is none */
	bool sudo;           /* started by sudo or doas */
	size_t sudo_at;      /* word of sudo */
	bool exec;           /* replaces the shell */
};

void call_init(struct call *c, const struct shell *sh, size_t index);
/* The word I places behind the program, "" past the end. */
const char *call_word(const struct call *c, size_t i);
/* Number of words behind the program. */
size_t call_count(const struct call *c);
bool call_is(const struct call *c, const char *program);
/* True when the program is one of the blank-separated NAMES. */
bool call_is_any(const struct call *c, const char *names);
/* Position (as for call_word) of the first word that is no option, starting at FROM; options in the
 * blank-separated TAKING take the next word. 0 when there is none. */
size_t call_operand(const struct call *c, size_t from, const char *taking);
/* Position of the option NAME ("-k", "--insecure"), also inside a bundle of short options when NAME
 * is a single letter one; 0 when it is not there. "--name=value" counts. */
size_t call_option(const struct call *c, const char *name);
/* The value of option NAME in either form, or NULL. */
const char *call_option_value(const struct call *c, const char *name);
/* The file of "> FILE", NULL without one; errors and copies of descriptors do not count. */
const char *call_redirected(const struct call *c);
/* The same, or the first file of tee. */
const char *call_written(const struct call *c);
/* True when the blank-separated LIST has WORD. */
bool word_in(const char *list, const char *word);
/* The words from FROM on (0: the program), joined by blanks; secrets are "***", long text is cut. */
const char *call_text(struct arena *a, const struct call *c, size_t from);

#endif

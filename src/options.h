/* The command line: one table of options and one of commands; parsing, help, completion and the manual's
 * sections are all made from them.
 * SPDX-License-Identifier: MIT */
#ifndef SRC_OPTIONS_H
#define SRC_OPTIONS_H

#include "model/buf.h"
#include "model/scope.h"
#include "model/arena.h"

enum command_id {
	COMMAND_TUI,
	COMMAND_REPORT,
	COMMAND_INVENTORY,
	COMMAND_MAP,
	COMMAND_FINDINGS,
	COMMAND_PATHS,
	COMMAND_COVERAGE,
	COMMAND_ARTIFACTS,
	COMMAND_SHOW,
	COMMAND_CHECK,
	COMMAND_MARK,
	COMMAND_DECIDE,
	COMMAND_SIGN,
	COMMAND_VERIFY,
	COMMAND_LOG,
	COMMAND_EXPLAIN,
	COMMAND_PARSE,
	COMMAND_PLAY,
	COMMAND_COMPLETION,
	COMMAND_COUNT,
};

struct options {
	struct arena arena;
	enum command_id command;
	const char *format, *output, *filter, *sort, *fail_on, *note, *basis, *owner, *expires;
	const char *role, *decision, *confirm, *revision, *runtime, *os, *kubernetes, *deployment;
	const char *reviewer, *config, *color, *jobs, *size;
	const char *project_directory;
	struct string_list compose_files, profiles, env_files, observed, reviews, settings;
	bool require_signed, list_keys, read_only, quiet, version, help;
	struct string_list arguments;
};

enum option_type { OPTION_FLAG, OPTION_TEXT, OPTION_LIST };

/* One option. CHOICES, when set, are the only words it takes, separated by '|'; TAKES
 * knows other values, which `argument` names. */
struct option_info {
	const char *name;
	char letter; /* 0 without one */
	const char *argument; /* name of the argument in help; NULL for flags */
	enum option_type type;
	size_t offset; /* in struct options */
	bool may_be_empty; /* an empty value is meant; elsewhere it is a variable that was not set */
	const char *choices;
	bool (*takes)(const char *value); /* NULL: every value */
	unsigned long commands; /* bits of enum command_id; 0 = all */
	const char *help;
};
extern const struct option_info option_table[];
extern const size_t option_count;

struct command_info {
	const char *name; /* NULL for the reviewer */
	const char *arguments; /* as in help */
	const char *summary;
	size_t least, most; /* arguments; `most` includes a PATH */
	int (*run)(const struct options *o);
};
extern const struct command_info command_table[COMMAND_COUNT];

/* Parses ARGV; false with a message that ends in what to try. */
bool options_parse(struct options *o, int argc, char **argv, struct buf *why);
void options_free(struct options *o);
/* True when OPTION belongs to COMMAND. */
bool option_applies(const struct option_info *option, enum command_id command);
/* The help of one command, or of the program for COMMAND_TUI. */
void options_help(enum command_id command, struct buf *out);
/* Script for "bash", "zsh" or "fish"; false for another shell. */
bool options_completion(const char *shell, struct buf *out);

#endif

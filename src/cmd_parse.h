/* The command "parse KIND FILE…": what boundwalk reads in one file, as JSON on stdout.
 * SPDX-License-Identifier: MIT */
#ifndef CMD_PARSE_H
#define CMD_PARSE_H

/* ARGV[0] is the kind. Options: --env-file FILE (repeatable; variables as supplied), --profile NAME.
 * Returns the exit code: 0, or 2 when the input is refused or cannot be read. */
int cmd_parse(int argc, char **argv);

#endif

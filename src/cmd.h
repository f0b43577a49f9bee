/* Commands: one file each; every one returns an exit code.
 * SPDX-License-Identifier: MIT */
#ifndef SRC_CMD_H
#define SRC_CMD_H

#include "src/options.h"

enum exit_code {
	EXIT_DONE = 0,
	EXIT_OPEN = 1,     /* open findings, a difference, or a report that does not match */
	EXIT_USAGE = 2,    /* usage or input/output error; nothing was written */
	EXIT_UNSIGNED = 3, /* check --require-signed */
};

int cmd_tui(const struct options *o);
int cmd_report(const struct options *o);
int cmd_listing(const struct options *o); /* inventory, map, findings, paths, coverage, artifacts */
int cmd_show(const struct options *o);
int cmd_check(const struct options *o);
int cmd_mark(const struct options *o);
int cmd_decide(const struct options *o);
int cmd_sign(const struct options *o);
int cmd_verify(const struct options *o);
int cmd_log(const struct options *o);
int cmd_explain(const struct options *o);
int cmd_parse(const struct options *o);
int cmd_play(const struct options *o);
int cmd_completion(const struct options *o);

/* Prints "boundwalk: MESSAGE" on stderr with untrusted bytes made visible; returns EXIT_USAGE. */
int cmd_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Adds the bytes of PATH ("-": standard input) to OUT; false with errno when it cannot be read, EFBIG
 * when it holds more than LIMIT bytes. */
bool cmd_read_file(const char *path, size_t limit, struct buf *out);
/* Writes TEXT to standard output; false (with a message) when that fails. */
bool cmd_print(const struct buf *text);
/* Writes beside the target and renames, so that a reader never sees half a file; what is no
 * regular file (a device, a pipe) is written to in its place. False with a message. */
bool cmd_write_file(const char *path, const struct buf *text, struct buf *why);

#endif

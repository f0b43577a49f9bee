/* The review file: JSON Lines, one event a line, only ever appended to.
 *
 * Format: boundwalk-review(5). The first line names the schema. A line is appended with a single write
 * and fsync, so that an interrupted write leaves at most one torn last line, which readers skip and
 * writers close off. One writer at a time holds a lock on the file. Notes are free text of the
 * reviewer; nothing else of a reviewed file but paths, lines and hashes is written.
 * SPDX-License-Identifier: MIT */
#ifndef REVIEW_JOURNAL_H
#define REVIEW_JOURNAL_H

#include <sys/types.h>

#include "model/review.h"

/* The effects of a writer, to be replaced by tests. */
struct journal_effects {
	ssize_t (*write)(void *context, int fd, const void *bytes, size_t length);
	int (*sync)(void *context, int fd);
	void *context;
};

struct journal {
	int fd; /* 0 = not open */
	char *path;
	bool torn;            /* the last line has no end */
	bool made;            /* the file was not there before */
	uint64_t next;        /* number of the next event */
	char suffix[9];       /* of this writer's event ids */
	struct journal_effects effects;
};

/* Reads PATH into R and folds it. A file that does not exist is an empty review. False with a message when
 * it cannot be read or is too large; torn or foreign lines are counted in r->torn_lines. */
bool journal_read(struct review *r, const char *path, struct buf *why);
/* The same for several files at once: union by event id, in the order of their times. */
bool journal_read_all(struct review *r, const struct string_list *paths, struct buf *why);
/* Opens PATH for writing, makes it with missing folders (0700, file 0600), and locks it; links are not
 * followed. A new file into which nothing is appended is removed again by journal_close(). False with a
 * message that names the holder of the lock. */
bool journal_open(struct journal *j, const char *path, struct buf *why);
/* Fills in the event's id and appends it. False with a message when the disk has not got it; then the
 * file is as before, or ends in a torn line that the next append closes off. */
bool journal_append(struct journal *j, struct event *event, struct arena *a, struct buf *why);
void journal_close(struct journal *j);
/* One event as a line with '\n'. */
void journal_line(const struct event *event, struct buf *out);
/* Reads one line; false when it is no event. Strings live in the arena. */
bool journal_parse(struct arena *a, const char *line, size_t length, struct event *out);
/* False with a message when TEXT is not UTF-8, holds control characters, or is too long for a note. */
bool journal_check_text(const char *name, const char *text, struct buf *why);
/* $XDG_STATE_HOME (or ~/.local/state)/boundwalk/IDENTITY/review.jsonl; NULL without a home. */
const char *journal_default_path(struct arena *a, const char *identity);
/* Current time as UTC text, "2026-11-30T19:44:00Z". */
void journal_now(char out[21]);

#endif

/* What every command opens: the loaded tree, its review and the two laid over each other.
 * SPDX-License-Identifier: MIT */
#ifndef SRC_SESSION_H
#define SRC_SESSION_H

#include "model/match.h"
#include "src/options.h"
#include "src/report/report.h"
#include "src/review/journal.h"

struct session {
	struct arena arena;
	struct snapshot snapshot;
	struct review review;
	struct match match;
	struct journal journal;     /* open only for commands that write */
	struct string_list reviews; /* review files; the first is written */
	char catalogue[DIGEST_HEX];
	char today[11];
	const char *reviewer;
};

struct loader;

/* Opens PATH (NULL = ".") and reads the review as the options say; the loader is to be stepped and given
 * to session_loaded(). NULL with a message; the session is to be closed all the same. */
struct loader *session_begin(struct session *s, const struct options *o, const char *path,
			     struct buf *why);
/* Ends the load, which may be a partial one, and lays the review over it. */
void session_loaded(struct session *s, struct loader *l);
/* Lays the review over the snapshot again, after events. */
void session_match(struct session *s);
/* Loads PATH (NULL = ".") and the review as the options say. False after printing why. */
bool session_open(struct session *s, const struct options *o, const char *path);
void session_close(struct session *s);
/* Opens the review file for writing. False after printing why. */
bool session_write(struct session *s, const struct options *o);
/* Appends an event of this reviewer, now, and fills it in; false with a message. */
bool session_append(struct session *s, struct event *event, struct buf *why);
/* The same; false after printing why. */
bool session_record(struct session *s, struct event *event);
/* The report context of the session. */
struct report session_report(struct session *s);
/* Digest over tree, artifacts, scope, catalogue and all marks: what a signature signs. */
void session_digest(const struct session *s, char out[DIGEST_HEX]);
/* True when a signature signs the review as it stands. */
bool session_is_signed(const struct session *s);

/* --- names that people type ------------------------------------------------------------------ */

/* Place among the workloads of "R-02", a row key, or a name that only one row has; SIZE_MAX after
 * explaining in WHY. */
size_t session_find_row(const struct session *s, const char *name, struct buf *why);
/* "ROW:field" → place and field; false after explaining. */
bool session_find_cell(const struct session *s, const char *key, size_t *workload,
		       enum field *field, struct buf *why);
/* "F-03", a finding id, or a rule name that fired only once; NULL after explaining. */
const struct matched_finding *session_find_finding(const struct session *s, const char *name,
						   struct buf *why);

#endif

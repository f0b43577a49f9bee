/* Findings and verdicts that could not be given.
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_FINDING_H
#define MODEL_FINDING_H

#include "model/rule.h"
#include "model/row.h"

enum evidence { EVIDENCE_DECLARED, EVIDENCE_OBSERVED, EVIDENCE_UNAVAILABLE, EVIDENCE_COUNT };
extern const char *const evidence_names[EVIDENCE_COUNT];

struct citation {
	struct span span;
	const char *role;        /* "subject", "read", "pod", "base", … */
	const struct fact *fact; /* may be NULL */
};

struct finding {
	const char *id;             /* rule@8 hex digits: stable while rule, row and subject stay */
	const char *fingerprint;    /* 64 hex digits over the canonical read set, no positions */
	const struct rule *rule;
	const struct row *row;      /* the first of `rows`, a main container where there is one */
	const struct row **rows;    /* every row for which the same line gives the same finding */
	size_t row_count, row_room; /* room: of the list in memory */
	enum severity severity;     /* before the task gate */
	enum confidence confidence;
	enum evidence evidence;
	const char *message;        /* one sentence; values in it are raw repository text */
	const char *concepts;       /* separated by blanks */
	struct citation *citations; /* the first is the primary place */
	size_t citation_count, citation_room; /* room: 0 or that of the list in memory */
	const char **parts;         /* combinations: ids of the findings joined */
	size_t part_count;
};

struct unknown {
	const struct rule *rule;
	const struct row *row;
	struct span span;
	const char *reason;
};

/* The severity that counts: a task rule is info until the row's task is written. */
enum severity finding_severity(const struct finding *f, bool has_task);

/* True when R is one of the finding's rows. */
bool finding_concerns(const struct finding *f, const struct row *r);

#endif

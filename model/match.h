/* A review laid over a snapshot: marks are current, stale or orphan; counts for status and report.
 *
 * Ownership: arena of the match; it points into both and must be rebuilt when either changes.
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_MATCH_H
#define MODEL_MATCH_H

#include "model/finding.h"
#include "model/reach.h"
#include "model/review.h"

enum freshness { FRESH_NONE, FRESH_CURRENT, FRESH_STALE };

struct matched_cell {
	struct cell cell;           /* the program's proposal */
	const struct marked *marked; /* a person's mark, or NULL: still a proposal */
	enum freshness freshness;
	enum severity worst;        /* of the open findings of this cell; SEVERITY_COUNT: none */
	size_t conflict;            /* number among the cells whose layers differ, from 1; 0: they agree */
	enum mark effective;        /* what counts: a stale mark counts as unavailable until it is renewed */
};

struct matched_finding {
	const struct finding *finding;
	const struct decided *decided; /* NULL: new */
	bool changed;                  /* decided on another fingerprint: reopened */
	bool expired;                  /* the acceptance is past its day: reopened */
	enum severity severity;        /* after the task gate and a person's change */
	enum disposition disposition;
	bool blocking;                 /* critical or high, and not settled (domain rule 4.3.2) */
};

/* What one workload adds up to. */
struct row_tally {
	size_t findings[SEVERITY_COUNT]; /* open */
	size_t confirmed, stale;         /* cells */
};

struct counts {
	size_t cells, confirmed, stale, conflicts, disputed;
	size_t by_mark[MARK_COUNT]; /* effective */
	size_t findings[SEVERITY_COUNT]; /* open */
	size_t settled[SEVERITY_COUNT];  /* accepted, false positive, verified, … */
	size_t blocking, undecided;
	size_t unknowns;
	size_t boundary_unresolved; /* unavailable cells of isolation, control_channels, mounts, privilege_gain, egress */
	size_t files, assessed, partial, not_assessed, ignored;
};

/* The findings of one row, so that nobody looks for them among all. */
struct row_findings {
	size_t first, count;         /* in `row_places`, ascending */
	size_t open[SEVERITY_COUNT]; /* by effective severity, those that are not settled */
	bool leads;                  /* it is the first row of some finding */
};

struct match {
	struct arena arena;
	const struct snapshot *snapshot;
	const struct review *review;
	size_t workload_count;
	size_t *places; /* by row index: place among the workloads + 1; 0 = none */
	const struct row **workloads;  /* inventory order */
	uint32_t *artifact_numbers;    /* by artifact index: the number behind "A" in ids; read first */
	struct row_tally *tallies;     /* one a workload */
	struct matched_cell *cells;    /* workload_count × FIELD_COUNT */
	struct matched_finding *findings; /* by effective severity; then what is meant to be used before
					   * examples and tests, rows that others reach first, agents
					   * first; then by path and line */
	size_t finding_count;
	struct hash_index finding_places; /* by id */
	struct row_findings *by_row;      /* by row index */
	size_t *row_places;               /* places in `findings`, row after row */
	struct {
		const struct marked **items;
		size_t count, capacity;
	} orphans; /* marks whose row is gone */
	struct path_list paths; /* of agents, tools and tool servers; by target, then in inventory order */
	struct counts counts;
};

void match_build(struct match *m, const struct snapshot *s, const struct review *r,
		 digest_fn *digest);
/* The same on a given day ("2026-11-30"): an acceptance that has expired is open again. */
void match_build_on(struct match *m, const struct snapshot *s, const struct review *r,
		    digest_fn *digest, const char *today);
void match_free(struct match *m);
/* The cell of workload I (index in m->workloads). */
const struct matched_cell *match_cell(const struct match *m, size_t workload, enum field field);
/* Index in m->workloads of a row, or SIZE_MAX. */
size_t match_workload(const struct match *m, const struct row *row);

/* The role that a person gave the row, else the proposed one. */
enum row_role match_role(const struct match *m, const struct row *row);
/* Appends which role the rules judged, where a person gave another one than was proposed. */
void match_judged_role(const struct match *m, const struct row *row, struct buf *out);
/* 0 for a finding in a file that is meant to be used, 1 in an example, 2 in a test. */
unsigned match_rank(const struct match *m, const struct finding *f);

/* Place in m->findings of the finding with this id, or SIZE_MAX. */
size_t match_finding(const struct match *m, const char *id);

/* Whether and how the result sentence may be printed (domain rules 4.3). */
struct result_sentence {
	bool allowed;
	struct string_list reasons;  /* why it is withheld, in words, when not allowed */
	size_t boundary_unresolved;  /* "with N boundary checks unresolved" */
	bool declared_only;          /* no observed cell */
};
bool disposition_is_settled(enum disposition d);
/* Text of the note with key RESULT_CONFIRM_KEY that confirms a sentence with unresolved checks: "N". */
#define RESULT_CONFIRM_KEY "result:unresolved"
void match_result(const struct match *m, struct arena *a, struct result_sentence *out);

#endif

/* A cell of the boundary map: row × field.
 *
 * Cells are derived from a row's facts on demand; nothing is stored. The proposal is the program's; a
 * person's mark (model/review.h) is laid over it by model/match.h.
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_CELL_H
#define MODEL_CELL_H

#include "model/buf.h"
#include "model/digest.h"
#include "model/snapshot.h"

enum mark { MARK_DECLARED, MARK_OBSERVED, MARK_UNAVAILABLE, MARK_COUNT };
extern const char *const mark_names[MARK_COUNT];
extern const char mark_letters[MARK_COUNT + 1]; /* "DOU" */

/* Sub-kind of a mark: explicit, absent, templated, told; export, test; not-supplied, unsupported,
 * unparsed, unresolved, not-authorised. */
struct cell {
	const struct row *row;
	enum field field;
	enum mark mark;       /* proposed by the program: declared or unavailable, never observed */
	const char *sub;
	bool conflict;        /* declared and observed values differ: model/conflict.h */
	bool has_observed;    /* an export says something */
	bool applicable;      /* false: the value says why */
	const char *reason;   /* of unavailable: what is missing; else NULL */
	size_t fact_count;    /* facts of this field in the row, both layers */
};

/* Computes the proposal for a cell. */
struct cell cell_of(const struct snapshot *s, const struct row *row, enum field field);
/* Iterates the facts of a cell in order: I-th fact, or NULL past the end. */
const struct fact *cell_fact(const struct row *row, enum field field, size_t i);
/* The fact after PREVIOUS (NULL: the first) in the same order; cheaper than counting. */
const struct fact *cell_next(const struct row *row, enum field field, const struct fact *previous);
/* True for a cell that declares something, but not what its field asks for: not what starts, not what the
 * account may do, not who enforces. */
bool cell_lacks_lead(const struct row *row, enum field field);
/* True for containers of a pod that no manifest can show: said, but no value of the row. */
bool cell_is_unseen(const struct fact *f);
/* False when no fact of KIND is shown by the cell of FIELD. */
bool cell_may_show(enum fact_kind kind, enum field field);
/* True when the cell of FIELD shows F. */
bool cell_shows(const struct fact *f, enum field field);
/* Appends the declared value as one line of raw text (repository bytes inside: show through
 * model/text.h), e.g. "root → 1000 by entrypoint", "3 mounts: /var/run/docker.sock rw, …". */
void cell_declared(const struct snapshot *s, const struct row *row, enum field field,
		   struct buf *out);
/* The same for the observed layer; appends nothing without one. */
void cell_observed(const struct snapshot *s, const struct row *row, enum field field,
		   struct buf *out);
/* Both with the secrets in them, for a writer that hides them in all it writes. */
void cell_declared_raw(const struct snapshot *s, const struct row *row, enum field field,
		       struct buf *out);
void cell_observed_raw(const struct row *row, enum field field, struct buf *out);
/* Fingerprint of everything the cell is made of (64 hex digits): values, provenance, attributes; no
 * positions. A mark is stale when it differs. */
void cell_fingerprint(const struct snapshot *s, const struct row *row, enum field field,
		      digest_fn *digest, char out[DIGEST_HEX]);
/* Key of a cell: "ROWKEY:field"; parsed back by cell_key_split(). */
const char *cell_key(struct arena *a, const struct row *row, enum field field);
/* Splits at the last ':'; false when the field is unknown. *ROW_KEY lies in the arena. */
bool cell_key_split(struct arena *a, const char *key, const char **row_key, enum field *field);

#endif

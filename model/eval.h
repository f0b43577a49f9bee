/* Evaluation: rules × rows → findings and unknowns.
 *
 * A predicate sees one row in one layer (declared, then observed) and reads facts only through the
 * functions below. Every fact it is given is recorded: the read set is the finding's citations
 * (primary first) and, without positions, its fingerprint. A rule cannot forget to cite.
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_EVAL_H
#define MODEL_EVAL_H

#include "model/digest.h"
#include "model/finding.h"
#include "model/snapshot.h"

/* Judges every row with every rule; fills and sorts snapshot->findings and ->unknowns. */
void eval_snapshot(struct snapshot *s, const struct rule_table *tables, size_t table_count,
		   digest_fn *digest);

/* --- for predicates ------------------------------------------------------------------------- */

const struct row *eval_row(const struct eval *e);
const struct snapshot *eval_world(const struct eval *e);
const struct scope *eval_scope(const struct eval *e);
enum layer eval_layer(const struct eval *e);

/* First fact of KIND in this row and layer; recorded. NULL when there is none. */
const struct fact *eval_first(struct eval *e, enum fact_kind kind);
/* The next of the same kind; not recorded: call eval_read() on the one that matters. */
const struct fact *eval_next(struct eval *e, const struct fact *f);
/* First fact of KIND for which MATCHES holds; recorded. */
const struct fact *eval_find(struct eval *e, enum fact_kind kind,
			     bool (*matches)(const struct fact *));
/* First fact of KIND with this value (ASCII case ignored); recorded. */
const struct fact *eval_value(struct eval *e, enum fact_kind kind, const char *value);
/* First fact of KIND in another row (declared first, then observed); recorded. */
const struct fact *eval_in(struct eval *e, const struct row *r, enum fact_kind kind);
/* Row I of those that share something with this row; NULL past the last. */
const struct row *eval_peer(const struct eval *e, size_t i);
const struct row *eval_parent(const struct eval *e);
/* True when single rule SLUG fired on this row in this layer; its finding becomes a part and its
 * citations are read. */
bool eval_part(struct eval *e, const char *slug);
/* As eval_part() without making it a part. */
bool eval_fired(const struct eval *e, const char *slug);

/* Records F as read (also done by the functions above). */
void eval_read(struct eval *e, const struct fact *f);
/* Makes F the primary citation; without it that is the judged fact, else the first one read, else the
 * row itself. */
void eval_subject(struct eval *e, const struct fact *f);
/* Makes the row itself the primary citation; what was read stays cited. */
void eval_subject_row(struct eval *e);
/* One sentence for this finding; without it: the fact's title and value. */
void eval_say(struct eval *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The reason of an unknown verdict; without it: what is unknown about the subject. */
void eval_why(struct eval *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Narrows or replaces the rule's concepts for this finding (a literal, separated by blanks). */
void eval_concepts(struct eval *e, const char *concepts);
/* Adds one more concept to this finding. */
void eval_concept_too(struct eval *e, const char *concept);
void eval_severity(struct eval *e, enum severity severity);
void eval_confidence(struct eval *e, enum confidence confidence);

/* FIRES when F is true, UNKNOWN when it cannot be known, else QUIET. */
enum verdict eval_if_true(struct eval *e, const struct fact *f);
/* FIRES unless F is known to be true (absent counts by its default). */
enum verdict eval_unless_true(struct eval *e, const struct fact *f);
/* UNKNOWN when F's value cannot be known, else FIRES or QUIET by CONDITION. */
enum verdict eval_when(struct eval *e, const struct fact *f, bool condition);

#endif

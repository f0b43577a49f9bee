/* What predicates share: comparing text, and questions about a whole row.
 *
 * Text functions ignore ASCII case. Questions about a row record what they read.
 * SPDX-License-Identifier: MIT */
#ifndef RULES_JUDGE_H
#define RULES_JUDGE_H

#include "model/eval.h"

/* --- text ----------------------------------------------------------------------------------- */

/* True when TEXT is one of the names in LIST (ended by NULL). */
bool text_is_any(const char *text, const char *const *list);
bool text_begins(const char *text, const char *prefix);
bool text_holds(const char *text, const char *needle);
/* True when one of the NEEDLES (ended by NULL) occurs in TEXT. */
bool text_holds_any(const char *text, const char *const *needles);
/* True when TEXT has one of WORDS (ended by NULL), set off by anything but letters, digits, '_' and '-'. */
bool text_has_word(const char *text, const char *const *words);
/* True when the comma-separated LIST has ITEM. */
bool list_has(const char *list, const char *item);
bool list_has_any(const char *list, const char *const *items);

/* --- one fact ------------------------------------------------------------------------------- */

/* The attribute, or "". */
const char *attribute_of(const struct fact *f, const char *name);
/* True when attribute NAME is "true" (or "false"). */
bool attribute_true(const struct fact *f, const char *name);
bool attribute_false(const struct fact *f, const char *name);
/* True when the value reads as true, however it came about. */
bool says_true(const struct fact *f);
/* A number in an attribute; false when there is none. */
bool attribute_number(const struct fact *f, const char *name, uint64_t *out);

/* BAD decides for a known value. An inline default that is bad fires with medium confidence; anything
 * else that is not known is UNKNOWN. */
enum verdict judge_bad(struct eval *e, const struct fact *f, bool bad);
/* FIRES when F is written, whatever its value; QUIET when it is there by absence. */
enum verdict judge_written(struct eval *e, const struct fact *f);
/* FIRES when F reads as true; UNKNOWN when that cannot be told. */
enum verdict judge_true(struct eval *e, const struct fact *f);
/* FIRES when F reads as false or is not set, whatever the rest of the row says. */
enum verdict judge_not_true(struct eval *e, const struct fact *f);
/* True when F is the first of its kind in this row and layer: for rules about a whole list. */
bool first_of_kind(const struct eval *e, const struct fact *f);
/* True when some fact of KIND in the row has VALUE; recorded when it does. */
bool row_says(struct eval *e, enum fact_kind kind, const char *value);

/* --- the row -------------------------------------------------------------------------------- */

/* True when a user namespace of its own is declared for the row. */
bool row_has_userns(struct eval *e);
bool row_is_privileged(struct eval *e);
/* True when CAPABILITY (or ALL) is added, or the row is privileged. */
bool row_can(struct eval *e, const char *capability);
/* Whether the first process runs as uid 0; unknown when the image decides. */
enum tri row_is_root(struct eval *e);
/* True when the files say Windows: Linux settings have no meaning there. */
bool row_is_windows(struct eval *e);
/* True for a Dockerfile stage that is not the one built, whose content does not run. */
bool row_is_spare_stage(struct eval *e);
/* True when the row holds a secret in its environment, a file, an argument or a token. */
bool row_holds_secret(struct eval *e);
/* The runtime named in the row or by the reviewer is one of LIST. */
bool row_runtime_is(struct eval *e, const char *const *list);
/* True when the reviewed Kubernetes version is known and at or above (below) MAJOR.MINOR. */
bool kubernetes_at_least(const struct eval *e, unsigned minor);
bool kubernetes_below(const struct eval *e, unsigned minor);

/* True for a namespace label that makes admission refuse pods below baseline or restricted. */
bool level_is_enforced(const struct fact *f);

#endif

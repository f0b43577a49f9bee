/* A rule: one row of a const table, with its texts and its predicate.
 *
 * The tables are in src/rules, one file a field; rule_tables lists them. A predicate is pure, reads facts
 * only through the eval context (model/eval.h) and returns a verdict.
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_RULE_H
#define MODEL_RULE_H

#include "model/fact.h"
#include "model/format_id.h"

enum severity { SEVERITY_CRITICAL, SEVERITY_HIGH, SEVERITY_MEDIUM, SEVERITY_INFO, SEVERITY_COUNT };
extern const char *const severity_names[SEVERITY_COUNT];
extern const char severity_letters[SEVERITY_COUNT + 1]; /* "CHMi" */

enum confidence { CONFIDENCE_HIGH, CONFIDENCE_MEDIUM, CONFIDENCE_LOW, CONFIDENCE_COUNT };
extern const char *const confidence_names[CONFIDENCE_COUNT];

enum verdict {
	VERDICT_QUIET,
	VERDICT_FIRES,
	VERDICT_UNKNOWN,        /* cannot be told from what was supplied: counted and shown */
	VERDICT_NOT_APPLICABLE,
};

struct eval;

#define RULE_EACH_FACT FACT_KIND_COUNT

struct rule {
	const char *slug;
	enum field field;
	enum severity severity;
	enum confidence confidence;
	const char *trigger, *consequence, *fix, *compatibility, *owner, *restore;
	format_set formats;   /* rows of these formats are judged */
	bool combination;     /* judged after all single rules of the row */
	bool task_context;    /* stays info until the row's task is written */
	const char *concepts; /* neutral names, separated by blanks; "" without one */
	enum fact_kind each;  /* judged once for each fact of this kind; FACT_NONE: once for the row;
			       * RULE_EACH_FACT: once for each fact */
	enum fact_kind also[6]; /* and of these kinds; FACT_NONE ends them */
	enum verdict (*judge)(struct eval *e, const struct fact *f);
};

struct rule_table {
	const struct rule *rules;
	size_t count;
};

/* SEVERITY_COUNT for an unknown name. */
enum severity severity_by_name(const char *name);

#endif

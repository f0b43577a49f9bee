/* Rules of the field enforcement that compare evidence: declared with observed, and its age.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

#include "model/conflict.h"
#include "src/rules/judge.h"

static const char *shown(const struct fact *f)
{
	return f && *f->value ? f->value : "nothing";
}

/* One finding for each kind that differs; the first observed fact of the kind asks. */
static enum verdict declared_observed_conflict(struct eval *e, const struct fact *f)
{
	const struct fact *declared, *observed;

	if (eval_layer(e) != LAYER_OBSERVED || !first_of_kind(e, f) ||
	    !conflict_of_kind(eval_row(e), f->kind, &declared, &observed))
		return VERDICT_QUIET;
	eval_read(e, declared);
	eval_subject(e, observed ? observed : f);
	eval_say(e, "%s: declared %s, observed %s", fact_kind_table[f->kind].title, shown(declared),
		 shown(observed));
	return VERDICT_FIRES;
}

/* Whether an export is too old is told by its date, which the load compares with the review's. */
static enum verdict evidence_stale(struct eval *e, const struct fact *f)
{
	if (f->kind != FACT_EVIDENCE_AGE || !attribute_true(f, "stale"))
		return VERDICT_QUIET;
	eval_say(e, "the evidence is out of date: %s", f->value);
	return VERDICT_FIRES;
}

const struct rule rules_computed[] = {
	{
		.slug = "declared-observed-conflict",
		.field = FIELD_ENFORCEMENT,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"computed: observed value differs from declared value for the same row "
			"and field",
		.consequence =
			"One of the two does not describe what runs; findings on that field "
			"cannot be closed.",
		.fix = "Keep both, find the cause, and re-export.",
		.compatibility = "None.",
		.owner = "security reviewer",
		.restore = RESTORE_NOTHING,
		.formats = FORMAT_ALL,
		.concepts = "",
		.each = RULE_EACH_FACT,
		.judge = declared_observed_conflict,
	},
	{
		.slug = "evidence-stale",
		.field = FIELD_ENFORCEMENT,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"computed: artifact sha256 changed, export older than the agreed age, "
			"or revision moved",
		.consequence = "The mark no longer speaks about the present content.",
		.fix = "Re-read or re-export, then mark again.",
		.compatibility = "None.",
		.owner = "security reviewer",
		.restore = RESTORE_NOTHING,
		.formats = FORMAT_ALL,
		.concepts = "",
		.each = FACT_EVIDENCE_AGE,
		.judge = evidence_stale,
	},
};

const size_t rules_computed_count = sizeof rules_computed / sizeof *rules_computed;

/* Rules of the field enforcement that compare evidence: declared with observed, and its age.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

#include <stdlib.h>
#include <string.h>

#include "src/rules/judge.h"

/* How the values of a kind are made comparable. */
enum form { FORM_SET, FORM_BOOLEAN, FORM_WORD, FORM_USER, FORM_IMAGE, FORM_PORT };

static const struct comparison {
	enum fact_kind kind;
	enum form form;
} comparisons[] = {
	{ FACT_PRIVILEGED, FORM_BOOLEAN },
	{ FACT_NO_NEW_PRIVILEGES, FORM_BOOLEAN },
	{ FACT_ESCALATION, FORM_BOOLEAN },
	{ FACT_READ_ONLY_ROOT, FORM_BOOLEAN },
	{ FACT_CAP_ADD, FORM_SET },
	{ FACT_CAP_DROP, FORM_SET },
	{ FACT_SECCOMP, FORM_WORD },
	{ FACT_APPARMOR, FORM_WORD },
	{ FACT_PID, FORM_WORD },
	{ FACT_IPC, FORM_WORD },
	{ FACT_UTS, FORM_WORD },
	{ FACT_CGROUP_NAMESPACE, FORM_WORD },
	{ FACT_USERNS, FORM_WORD },
	{ FACT_RUNTIME, FORM_WORD },
	{ FACT_USER, FORM_USER },
	{ FACT_IMAGE, FORM_IMAGE },
};

static const char *word_of(const char *value)
{
	static const struct {
		const char *spelling, *word;
	} same[] = {
		{ "runtime/default", "default" }, { "RuntimeDefault", "default" },
		{ "docker/default", "default" },  { "builtin", "default" },
		{ "docker-default", "default" },  { "cri-containerd.apparmor.d", "default" },
		{ "private", "" },		  { "shareable", "" },
		{ "default", "" },		  { "runc", "" },
		{ "io.containerd.runc.v2", "" },  { "unset", "" },
	};

	for (size_t i = 0; i < sizeof same / sizeof *same; i++)
		if (text_is_any(value, (const char *const[]){ same[i].spelling, NULL }))
			return *same[i].word ? word_of("default") : "";
	return value;
}

static const char *without_prefix(const char *capability)
{
	return text_begins(capability, "CAP_") ? capability + 4 : capability;
}

static bool same_set(const struct row *row, enum fact_kind kind, enum layer in, enum layer other)
{
	for (const struct fact *f = row_first(row, kind, in); f; f = row_next(row, f)) {
		const struct fact *twin = row_first(row, kind, other);

		if (!fact_is_written(f) || !*f->value)
			continue;
		while (twin && !text_is_any(without_prefix(twin->value),
					    (const char *const[]){ without_prefix(f->value), NULL }))
			twin = row_next(row, twin);
		if (!twin)
			return false;
	}
	return true;
}

static bool same_image(const struct fact *a, const struct fact *b)
{
	const char *left = attribute_of(a, "digest"), *right = attribute_of(b, "digest");

	if (*left && *right)
		return strcmp(left, right) == 0;
	if (text_begins(a->value, "sha256:") || text_begins(b->value, "sha256:"))
		return true;
	if (*attribute_of(a, "repository") && *attribute_of(b, "repository") &&
	    strcmp(attribute_of(a, "repository"), attribute_of(b, "repository")) != 0)
		return false;
	left = attribute_of(a, "tag");
	right = attribute_of(b, "tag");
	return strcmp(*left ? left : "latest", *right ? right : "latest") == 0;
}

static bool same_user(const struct fact *a, const struct fact *b)
{
	const char *left = fact_attribute(a, "uid"), *right = fact_attribute(b, "uid");

	if (left && right)
		return strcmp(left, right) == 0;
	return strcmp(a->value, b->value) == 0;
}

/* True when both layers say something and mean different things. */
static bool differs(const struct row *row, const struct comparison *c, const struct fact *declared,
		    const struct fact *observed)
{
	switch (c->form) {
	case FORM_SET:
		return !same_set(row, c->kind, LAYER_DECLARED, LAYER_OBSERVED) ||
		       !same_set(row, c->kind, LAYER_OBSERVED, LAYER_DECLARED);
	case FORM_BOOLEAN:
		return fact_truth(declared) != fact_truth(observed) &&
		       fact_truth(declared) != TRI_UNKNOWN && fact_truth(observed) != TRI_UNKNOWN;
	case FORM_USER:
		/* Without a declared user the image's counts, and that is what was seen. */
		return fact_is_written(declared) && !same_user(declared, observed);
	case FORM_IMAGE:
		return fact_is_written(declared) && !same_image(declared, observed);
	case FORM_WORD:
	case FORM_PORT:
	default:
		return !text_is_any(word_of(declared->value),
				    (const char *const[]){ word_of(observed->value), NULL });
	}
}

/* One finding for each kind that differs: the first declared fact of a kind carries it. */
static enum verdict declared_observed_conflict(struct eval *e, const struct fact *observed)
{
	const struct row *row = eval_row(e);

	if (eval_layer(e) != LAYER_OBSERVED || !first_of_kind(e, observed))
		return VERDICT_QUIET;
	for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++) {
		const struct comparison *c = &comparisons[i];
		const struct fact *declared = row_first(row, c->kind, LAYER_DECLARED);

		if (c->kind != observed->kind || !declared || !fact_is_known(declared) ||
		    !differs(row, c, declared, observed))
			continue;
		eval_read(e, declared);
		eval_say(e, "%s: declared %s, observed %s", fact_kind_table[c->kind].title,
			 *declared->value ? declared->value : "nothing",
			 *observed->value ? observed->value : "nothing");
		return VERDICT_FIRES;
	}
	return VERDICT_QUIET;
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
		.fix =
			"Keep both, find the cause, and re-export.",
		.compatibility =
			"None.",
		.owner =
			"security reviewer",
		.restore =
			"Nothing was changed; close the check as unavailable if the evidence "
			"cannot be had.",
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
		.consequence =
			"The mark no longer speaks about the present content.",
		.fix =
			"Re-read or re-export, then mark again.",
		.compatibility =
			"None.",
		.owner =
			"security reviewer",
		.restore =
			"Nothing was changed; close the check as unavailable if the evidence "
			"cannot be had.",
		.formats = FORMAT_ALL,
		.concepts = "",
		.each = FACT_EVIDENCE_AGE,
		.judge = evidence_stale,
	},
};

const size_t rules_computed_count = sizeof rules_computed / sizeof *rules_computed;

/* Rules of the field resources.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

#include <stdlib.h>
#include <string.h>

#include "src/rules/judge.h"

/* Written as 0 or -1 a limit is none. */
static bool is_unlimited(const struct fact *f)
{
	static const char *const none[] = { "", "0", "-1", "0.0", "infinity", "unlimited", "max",
					    NULL };

	return text_is_any(f->value, none);
}

static const struct {
	enum fact_kind kind;
	const char *word, *concept, *message;
} limits[] = {
	{ FACT_MEMORY_LIMIT, "memory", "memory-limit-missing", "no memory limit" },
	{ FACT_CPU_LIMIT, "CPU", "cpu-limit-missing", "no CPU limit" },
	{ FACT_PIDS_LIMIT, "process", "pids-limit-missing", "no limit on the number of processes" },
};
#define LIMIT_COUNT (sizeof limits / sizeof *limits)

/* The absence of KIND that the same place shows as F does, or NULL. */
static const struct fact *absent_beside(struct eval *e, const struct fact *f, enum fact_kind kind)
{
	const struct fact *other = row_first(eval_row(e), kind, eval_layer(e));

	return other && other->provenance == PROVENANCE_ABSENT &&
			       other->span.source == f->span.source &&
			       other->span.offset == f->span.offset ? other : NULL;
}

/* What one place leaves out is one finding. */
static enum verdict no_limits_at_all(struct eval *e, const struct fact *f)
{
	const char *missing[LIMIT_COUNT];
	size_t count = 0;

	for (size_t i = 0; i < LIMIT_COUNT; i++) {
		const struct fact *other = absent_beside(e, f, limits[i].kind);

		if (!other)
			continue;
		if (!count && other != f)
			return VERDICT_QUIET;
		eval_read(e, other);
		if (count)
			eval_concept_too(e, limits[i].concept);
		else
			eval_concepts(e, limits[i].concept);
		missing[count++] = limits[i].word;
	}
	if (count == 3)
		eval_say(e, "no limit on memory, CPU and number of processes");
	else if (count == 2)
		eval_say(e, "no %s limit and no %s limit", missing[0], missing[1]);
	else
		eval_say(e, "no %s limit", count ? missing[0] : "such");
	return judge_bad(e, f, true);
}

static enum verdict no_limits(struct eval *e, const struct fact *f)
{
	if (f->provenance == PROVENANCE_ABSENT)
		return no_limits_at_all(e, f);
	for (size_t i = 0; i < LIMIT_COUNT; i++)
		if (f->kind == limits[i].kind && is_unlimited(f)) {
			eval_concepts(e, limits[i].concept);
			eval_say(e, "%s", limits[i].message);
		}
	return judge_bad(e, f, is_unlimited(f));
}

static bool negative_score(const struct fact *f)
{
	return text_begins(f->value, "oom_score_adj=-") || text_begins(f->value, "OomScoreAdj=-") ||
	       text_begins(f->value, "OOMScoreAdjust=-");
}

/* More restarts than the CIS Docker Benchmark (5.15) allows after failures. */
enum { RESTARTS_ALLOWED = 5 };

static bool restarts_too_often(const struct fact *f)
{
	static const char *const endless[] = { "always", "unless-stopped", "any", NULL };
	const char *colon = strchr(f->value, ':');
	uint64_t attempts;

	if (text_is_any(f->value, endless))
		return !attribute_number(f, "max_attempts", &attempts) ||
		       attempts > RESTARTS_ALLOWED;
	if (!text_begins(f->value, "on-failure"))
		return false;
	if (attribute_number(f, "max_attempts", &attempts))
		return attempts > RESTARTS_ALLOWED;
	return !colon || strtoull(colon + 1, NULL, 10) > RESTARTS_ALLOWED;
}

static enum verdict oom_or_restart_abuse(struct eval *e, const struct fact *f)
{
	static const char *const kill_off[] = { "oom_kill_disable=true", "OomKillDisable=true",
						NULL };

	if (f->kind == FACT_OOM) {
		eval_concepts(e, "");
		return judge_bad(e, f, text_is_any(f->value, kill_off) || negative_score(f));
	}
	if (!fact_is_known(f))
		return VERDICT_UNKNOWN;
	if (!fact_is_written(f) || !restarts_too_often(f))
		return VERDICT_QUIET;
	if (!row_is_privileged(e))
		eval_severity(e, SEVERITY_INFO);
	eval_say(e, "restarts more than %d times, or without end (%s)", RESTARTS_ALLOWED, f->value);
	return VERDICT_FIRES;
}

const struct rule rules_resources[] = {
	{
		.slug = "no-limits",
		.field = FIELD_RESOURCES,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"no memory, CPU or pids limit (mem_limit, cpus, pids_limit, "
			"resources.limits, MemoryMax=, TasksMax=)",
		.consequence = "A runaway tool can starve the host or neighbours.",
		.fix = "Set limits from a measured run.",
		.compatibility = "Too low a limit kills builds.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S | FORMAT_BIT(SYSTEMD),
		.concepts = "memory-limit-missing cpu-limit-missing pids-limit-missing",
		.each = FACT_MEMORY_LIMIT,
		.also = { FACT_CPU_LIMIT, FACT_PIDS_LIMIT },
		.judge = no_limits,
	},
	{
		.slug = "oom-or-restart-abuse",
		.field = FIELD_RESOURCES,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"oom_kill_disable, oom_score_adj strongly negative, restart always with "
			"privileged rights; info for restart always alone",
		.consequence =
			"The host kills something else first, or a bad process always returns.",
		.fix = "Remove the key.",
		.compatibility = "None.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN,
		.concepts = "restart-policy-unbounded",
		.each = FACT_OOM,
		.also = { FACT_RESTART },
		.judge = oom_or_restart_abuse,
	},
};

const size_t rules_resources_count = sizeof rules_resources / sizeof *rules_resources;

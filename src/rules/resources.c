/* Rules of the field resources.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

const struct rule rules_resources[] = {
	{
		.slug = "no-limits",
		.field = FIELD_RESOURCES,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"no memory, CPU or pids limit (mem_limit, cpus, pids_limit, "
			"resources.limits, MemoryMax=, TasksMax=)",
		.consequence =
			"A runaway tool can starve the host or neighbours.",
		.fix =
			"Set limits from a measured run.",
		.compatibility =
			"Too low a limit kills builds.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(SYSTEMD) | FORMAT_BIT(INSPECT),
		.concepts = "memory-limit-missing cpu-limit-missing pids-limit-missing",
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
		.fix =
			"Remove the key.",
		.compatibility =
			"None.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(INSPECT),
		.concepts = "restart-policy-unbounded",
	},
};

const size_t rules_resources_count = sizeof rules_resources / sizeof *rules_resources;

/* Names and gates of findings.
 * SPDX-License-Identifier: MIT */
#include "model/finding.h"

#include <string.h>

const char *const severity_names[SEVERITY_COUNT] = {
	[SEVERITY_CRITICAL] = "critical",
	[SEVERITY_HIGH] = "high",
	[SEVERITY_MEDIUM] = "medium",
	[SEVERITY_INFO] = "info",
};
const char severity_letters[SEVERITY_COUNT + 1] = "CHMi";

const char *const confidence_names[CONFIDENCE_COUNT] = {
	[CONFIDENCE_HIGH] = "high",
	[CONFIDENCE_MEDIUM] = "medium",
	[CONFIDENCE_LOW] = "low",
};

const char *const evidence_names[EVIDENCE_COUNT] = {
	[EVIDENCE_DECLARED] = "declared",
	[EVIDENCE_OBSERVED] = "observed",
	[EVIDENCE_UNAVAILABLE] = "unavailable",
};

enum severity severity_by_name(const char *name)
{
	for (unsigned i = 0; i < SEVERITY_COUNT; i++)
		if (strcmp(severity_names[i], name) == 0)
			return (enum severity)i;
	return SEVERITY_COUNT;
}

enum severity finding_severity(const struct finding *f, bool has_task)
{
	return f->rule->task_context && !has_task ? SEVERITY_INFO : f->severity;
}

bool finding_concerns(const struct finding *f, const struct row *r)
{
	for (size_t i = 0; i < f->row_count; i++)
		if (f->rows[i] == r)
			return true;
	return false;
}

/* What the basis of a mark names.
 * SPDX-License-Identifier: MIT */
#include "model/basis.h"

#include <stdlib.h>
#include <string.h>

const struct artifact *basis_artifact(const struct snapshot *s, const char *basis, uint32_t *line)
{
	const struct artifact *a = snapshot_artifact_by_path(s, basis);
	const char *colon = strrchr(basis, ':');
	struct arena scratch = { 0 };
	unsigned long number;
	char *end;

	*line = 0;
	if (a || !colon)
		return a;
	a = snapshot_artifact_by_path(s, arena_copy(&scratch, basis, (size_t)(colon - basis)));
	arena_free(&scratch);
	number = strtoul(colon + 1, &end, 10);
	*line = *end || number == 0 || number >= UINT32_MAX ? UINT32_MAX : (uint32_t)number;
	return a;
}

enum basis_fault basis_check(const struct snapshot *s, const char *basis, enum mark mark)
{
	uint32_t line;
	const struct artifact *a = basis_artifact(s, basis, &line);

	if (!a)
		return BASIS_NO_FILE;
	if (line == UINT32_MAX || (a->source && line > a->source->line_count))
		return BASIS_NO_LINE;
	/* What shows a running thing is an export or the record of a test, never the configuration. */
	if (mark == MARK_OBSERVED && a->format != FORMAT_NONE && a->class != CLASS_EXPORT)
		return BASIS_CONFIGURATION;
	return BASIS_GOOD;
}

bool text_is_date(const char *text, size_t length)
{
	static const char form[] = "dddd-dd-dd";
	int month, day;

	if (length != sizeof form - 1)
		return false;
	for (size_t i = 0; form[i]; i++) {
		if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != '-')
			return false;
	}
	month = (text[5] - '0') * 10 + text[6] - '0';
	day = (text[8] - '0') * 10 + text[9] - '0';
	return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

bool text_holds_date(const char *text)
{
	for (size_t length = strlen(text); length >= 10; length--, text++) {
		if (text_is_date(text, 10))
			return true;
	}
	return false;
}

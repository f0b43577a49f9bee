/* Rows, cells and findings by the names that people type.
 * SPDX-License-Identifier: MIT */
#include "src/session.h"

#include <stdlib.h>
#include <string.h>

/* The number of "R-02" style names, 0 for others. */
static size_t number_of(const char *name, char letter)
{
	char *end;
	unsigned long number;

	if ((name[0] | 0x20) != letter || name[1] != '-' || name[2] < '0' || name[2] > '9')
		return 0;
	number = strtoul(name + 2, &end, 10);
	return *end ? 0 : number;
}

static bool row_is_called(const struct row *row, const char *name)
{
	return strcmp(row->name, name) == 0 || strcmp(row->unit, name) == 0;
}

size_t session_find_row(const struct session *s, const char *name, struct buf *why)
{
	const struct row *row = snapshot_row_by_key(&s->snapshot, name);
	size_t number = number_of(name, 'r'), found = SIZE_MAX, count = 0;

	if (row && match_workload(&s->match, row) != SIZE_MAX)
		return match_workload(&s->match, row);
	if (number && number <= s->match.workload_count)
		return number - 1;
	for (size_t i = 0; i < s->match.workload_count; i++)
		if (row_is_called(s->match.workloads[i], name)) {
			found = i;
			count++;
		}
	if (count == 1)
		return found;
	if (count > 1)
		buf_printf(why, "\"%s\" is the name of %zu rows; use a key of \"inventory\"", name,
			   count);
	else
		buf_printf(why, "\"%s\" is no row; \"inventory\" lists them", name);
	return SIZE_MAX;
}

bool session_find_cell(const struct session *s, const char *key, size_t *workload,
		       enum field *field, struct buf *why)
{
	struct arena scratch = { 0 };
	const char *row_key;
	bool ok = false;

	if (cell_key_split(&scratch, key, &row_key, field)) {
		*workload = session_find_row(s, row_key, why);
		ok = *workload != SIZE_MAX;
	} else {
		buf_printf(why, "\"%s\" is no cell; write ROW:field, as R-01:identity", key);
	}
	arena_free(&scratch);
	return ok;
}

const struct matched_finding *session_find_finding(const struct session *s, const char *name,
						   struct buf *why)
{
	const struct matched_finding *found = NULL;
	size_t number = number_of(name, 'f'), count = 0;

	if (number && number <= s->match.finding_count)
		return &s->match.findings[number - 1];
	for (size_t i = 0; i < s->match.finding_count; i++) {
		const struct matched_finding *f = &s->match.findings[i];

		if (strcmp(f->finding->id, name) == 0)
			return f;
		if (strcmp(f->finding->rule->slug, name) == 0) {
			found = f;
			count++;
		}
	}
	if (count == 1)
		return found;
	if (count > 1)
		buf_printf(why, "\"%s\" fired %zu times; use an id of \"findings\"", name, count);
	else
		buf_printf(why, "\"%s\" is no finding; \"findings\" lists them", name);
	return NULL;
}

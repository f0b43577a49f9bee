/* All rule tables together.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

#include <string.h>

void rules_tables(struct rule_table out[RULE_TABLE_COUNT])
{
#define X(table) out[RULE_TABLE_##table] = (struct rule_table){ table, table##_count };
	RULE_TABLES(X)
#undef X
}

const struct rule *rules_find(const char *slug)
{
	struct rule_table tables[RULE_TABLE_COUNT];

	rules_tables(tables);
	for (size_t t = 0; t < RULE_TABLE_COUNT; t++)
		for (size_t i = 0; i < tables[t].count; i++)
			if (strcmp(tables[t].rules[i].slug, slug) == 0)
				return &tables[t].rules[i];
	return NULL;
}

/* The action table.
 * SPDX-License-Identifier: MIT */
#include "ui/actions.h"

#include <string.h>

#include "ui/act.h"

const char *const action_group_titles[GROUP_COUNT] = {
	[GROUP_MARKS] = "Marks and decisions", [GROUP_LISTS] = "Lists",
	[GROUP_VIEWS] = "Panes and views",     [GROUP_MOVES] = "Moving",
	[GROUP_PROGRAM] = "Program",
};

const struct action_info action_table[ACTION_COUNT] = {
#define X(constant, function, action_name, default_keys, hint_word, help_text, where, group_of,    \
          flag_set)                                                                                \
	[ACTION_##constant] = {                                                                    \
		.name = (action_name),                                                             \
		.keys = (default_keys),                                                            \
		.hint = (hint_word),                                                               \
		.help = (help_text),                                                               \
		.modes = (where),                                                                  \
		.group = GROUP_##group_of,                                                         \
		.flags = ACTION_##flag_set,                                                        \
		.run = act_##function,                                                             \
	},
	ACTION_LIST(X)
#undef X
};

enum action action_by_name(const char *name)
{
	for (enum action a = 0; a < ACTION_COUNT; a++) {
		if (strcmp(action_table[a].name, name) == 0)
			return a;
	}
	return ACTION_NONE;
}

/* show: one row, cell or finding with its cited lines.
 * SPDX-License-Identifier: MIT */
#include "src/cmd.h"

int cmd_show(const struct options *o)
{
	return cmd_error("%s: not in this build", command_table[o->command].name);
}

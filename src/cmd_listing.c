/* inventory, map, findings, paths, coverage, artifacts.
 * SPDX-License-Identifier: MIT */
#include "src/cmd.h"

int cmd_listing(const struct options *o)
{
	return cmd_error("%s: not in this build", command_table[o->command].name);
}

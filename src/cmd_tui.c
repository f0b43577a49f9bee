/* The reviewer on the terminal.
 * SPDX-License-Identifier: MIT */
#include "src/cmd.h"

#include <unistd.h>

int cmd_tui(const struct options *o)
{
	(void)o;
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return cmd_error("not a terminal; use \"boundwalk report\" for a document");
	return cmd_error("the screen is not in this build; use \"boundwalk report\"");
}

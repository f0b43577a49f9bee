/* Scripts: the reviewer driven by key names from a text, without a terminal.
 *
 * One command a line: `size WxH`, `ascii on|off`, `type TEXT`, `snapshot FILE`, `# remark`; every
 * other line is key names separated by blanks ("j j Enter C-d"). SPDX-License-Identifier: MIT */
#ifndef UI_SCRIPT_H
#define UI_SCRIPT_H

#include "ui/state.h"

/* What the script cannot do itself. */
struct script_host {
	void *context;
	/* Performs the effects of a step; false ends the script (the reviewer quit). */
	bool (*perform)(void *context, struct ui_state *s, unsigned effects);
	/* Keeps a screen; false with a message when it cannot be kept. */
	bool (*keep)(void *context, const char *name, const struct buf *screen, struct buf *why);
};

/* Runs TEXT; false with a message that names the line. */
bool script_run(struct ui_state *s, const char *text, const struct script_host *host,
                struct buf *why);
/* Parses "WIDTHxHEIGHT", 1 to 1000 each. */
bool script_size(const char *text, int *width, int *height);

#endif

/* Settings of the screen: theme, colour, characters and keys, from the user's own file and the
 * command line.
 *
 * Format: boundwalk-config(5). A repository's files are never read for settings.
 * SPDX-License-Identifier: MIT */
#ifndef SRC_CONFIG_H
#define SRC_CONFIG_H

#include "src/options.h"
#include "ui/keymap.h"
#include "ui/theme.h"

struct config {
	enum theme theme;
	const char *color;      /* "auto", "always" or "never" */
	const char *characters; /* "auto", "ascii" or "unicode" */
	struct keymap keymap;
	struct buf problems; /* "FILE:LINE: message" lines; settings go on without the bad line */
};

/* Reads the file that the options name, else the user's (which need not exist), then the settings
 * of the command line. False with a message when a named file cannot be read. */
bool config_load(struct config *c, const struct options *o, struct buf *why);
/* One line of the file; false with a message. */
bool config_line(struct config *c, const char *line, struct buf *why);
void config_free(struct config *c);

#endif

/* The reviewer without its screen: the state of the panes, the sessions behind it, and the effects
 * that need files. The terminal and the player of scripts drive it alike. SPDX-License-Identifier:
 * MIT */
#ifndef SRC_REVIEWER_H
#define SRC_REVIEWER_H

#include "src/config.h"
#include "src/load.h"
#include "src/session.h"
#include "ui/state.h"

struct reviewer {
	const struct options *o;
	const char *path;
	struct session sessions[2]; /* the one that is shown, and the one that is read */
	struct session *now, *next; /* NULL: none yet; none is being read */
	struct loader *loader;
	struct ui_state ui;
	bool asked_scope; /* the scope form was offered */
	bool failed;      /* the tree could not be opened at the start: see `why` */
	struct buf why;
};

void reviewer_init(struct reviewer *r, const struct options *o, const char *path);
/* Takes over theme, keys and characters. */
void reviewer_configure(struct reviewer *r, const struct config *c, bool is_utf8);
void reviewer_free(struct reviewer *r);
/* Opens the tree, again or for the first time. */
void reviewer_load(struct reviewer *r);
/* Reads for about BUDGET_MS; true while there is more. When done, what was read is shown. */
bool reviewer_step(struct reviewer *r, unsigned budget_ms);
/* Ends the reading with what is there. */
void reviewer_stop(struct reviewer *r);
/* Performs the effects that need no terminal; returns the others. */
unsigned reviewer_perform(struct reviewer *r, unsigned effects);

#endif

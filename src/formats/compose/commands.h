/* Command lines that say which Compose files make a stack: "docker compose -f a -f b",
 * COMPOSE_FILE.
 *
 * They are found in the text of make files, scripts, CI files and documentation, and are evidence
 * of a possible stack, never of a running one. SPDX-License-Identifier: MIT */
#ifndef FORMATS_COMPOSE_COMMANDS_H
#define FORMATS_COMPOSE_COMMANDS_H

#include "src/formats/format.h"

struct compose_command {
	const char **paths; /* files in the tree, in order */
	size_t path_count;
	const char *folder; /* --project-directory, in the tree; NULL without */
	struct span span; /* the command, to its last file */
};

struct compose_commands {
	struct compose_command *items;
	size_t count, capacity;
};

/* Every command in the inputs whose files are all among the inputs; the files that hold one become
 * artifacts of the review. */
void commands_collect(struct workspace *w, struct compose_commands *out);

/* True when the command names PATH after another file. */
bool command_names(const struct compose_command *c, const char *path);

/* The shortest command that names PATH after another file, or NULL. */
const struct compose_command *commands_naming(const struct compose_commands *list,
                                              const char *path);

#endif

/* Command lines of docker, podman and nerdctl that start or enter a container.
 *
 * Options stop at the first word that is none (the image of run and create, the container of exec);
 * everything after it belongs to the container. The arity of each option decides which words are
 * values (docker/cli 2026-08, podman 2026-08). Words come from a shell line or from an argument list
 * in a configuration file; results borrow their text. Arrays lie in the arena.
 * SPDX-License-Identifier: MIT */
#ifndef SYNTAX_DOCKER_RUN_H
#define SYNTAX_DOCKER_RUN_H

#include "model/buf.h"
#include "model/source.h"
#include "src/syntax/shell.h"

enum docker_tool { DOCKER_TOOL_DOCKER, DOCKER_TOOL_PODMAN, DOCKER_TOOL_NERDCTL };
enum docker_verb { DOCKER_RUN, DOCKER_CREATE, DOCKER_EXEC };

struct docker_arg {
	const char *text;
	struct span span;
	bool literal; /* no variable or substitution in it */
};

struct docker_option {
	const char *name;  /* long name without dashes, aliases resolved ("net" is "network") */
	const char *value; /* "true" for a bare switch; "" when a value is missing */
	struct span span;  /* the option's word */
	struct span value_span; /* the value's word, or the option's when they are one word */
	bool literal;      /* the value holds no variable */
	bool known;        /* false: not in the tool's list, taken as a switch */
	bool missing;      /* the line ends where its value should be */
};

struct docker_run {
	enum docker_tool tool;
	enum docker_verb verb;
	struct docker_option *globals; /* before the verb: --host, --context, … */
	size_t global_count, global_capacity;
	struct docker_option *options;
	size_t option_count, option_capacity;
	struct docker_arg image; /* or the container of exec; text NULL when the line has none */
	const struct docker_arg *command; /* the words after the image */
	size_t command_count;
	/* Words in option position that hold further options only known at run time: "$ARGS",
	 * "${args[@]}". What is missing among the options is then unknown. */
	struct docker_arg *opaque;
	size_t opaque_count, opaque_capacity;
};

/* Reads ARGS, whose first word is the tool. False when it is no run, create or exec. */
bool docker_run_read(struct arena *a, const struct docker_arg *args, size_t count,
		     struct docker_run *out);
/* The same for the words of a shell command from FIRST on. */
bool docker_run_from_shell(struct arena *a, const struct shell_command *c, size_t first,
			   struct docker_run *out);
/* Options only, as in the options of a GitHub workflow's container or PodmanArgs=. */
void docker_run_options(struct arena *a, enum docker_tool tool, const struct docker_arg *args,
			size_t count, struct docker_run *out);
/* The last option NAME, or NULL. */
const struct docker_option *docker_run_option(const struct docker_run *run, const char *name);
/* The value of a switch: DEFAULT without one. */
bool docker_run_switch(const struct docker_run *run, const char *name, bool otherwise);

void docker_run_to_json(struct buf *out, const struct docker_run *run);

enum docker_arity { DOCKER_BOOL, DOCKER_VALUE, DOCKER_LIST };

struct docker_option_row {
	const char *name;
	const char *canonical; /* NULL: name */
	char letter;           /* 0 without a short form */
	enum docker_arity arity;
};

/* The row of a long NAME (LENGTH bytes) or of a LETTER for TOOL and VERB, or NULL. */
const struct docker_option_row *docker_option_find(enum docker_tool tool, enum docker_verb verb,
						   const char *name, size_t length, char letter);
/* As above for the options before the verb. */
const struct docker_option_row *docker_global_find(enum docker_tool tool, const char *name,
						   size_t length, char letter);

#endif

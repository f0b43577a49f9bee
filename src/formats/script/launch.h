/* Containers and images that scripts of the tree start and build.
 * SPDX-License-Identifier: MIT */
#ifndef FORMATS_SCRIPT_LAUNCH_H
#define FORMATS_SCRIPT_LAUNCH_H

#include "src/formats/format.h"
#include "src/syntax/docker_run.h"

/* One "docker build". */
struct launch_build {
	const char *name;       /* the tag as written, NULL without one */
	const char *dockerfile; /* path in the tree */
	const char *context;    /* folder in the tree */
	const char *target;     /* NULL: the last stage */
	bool unknown;           /* a variable names the target */
	struct span span;
};

/* What one script does with an engine; state[FORMAT_SCRIPT] of its input. */
struct launch_file {
	struct {
		struct launch_build *items;
		size_t count, capacity;
	} builds;
	size_t rows; /* containers seen, those beyond the limit included */
};

bool launch_interested(const char *path);
bool launch_claims(const char *path, const char *bytes, size_t length);
void launch_read(struct workspace *w, struct input *in);
/* The text of a script as shell commands, by the kind of its file. */
void launch_shell(struct workspace *w, struct input *in, struct shell *out);
const struct launch_file *launch_file_of(const struct input *in);

/* Collects the builds of continuous integration and build files (workflows, pipelines, skaffold, bake)
 * that the load has read, as if they were scripts. */
void ci_builds_collect(struct workspace *w);

/* --- inside src/formats/script ------------------------------------------------------------------ */

struct launch_args {
	struct docker_arg *items;
	size_t count, capacity;
};

/* Where a build command stands. */
struct launch_place {
	const char *folder; /* in which it runs */
	struct span span;
};
/* What it says, as written; NULL for what it leaves out. */
struct launch_words {
	const char *tag, *file, *target, *context;
};
/* The value of option NAME if word I is that option, in either form; NULL otherwise. */
const char *launch_option_value(const struct launch_args *args, size_t i, const char *name);
/* Makes the first word the name of the engine; false when it is none. */
bool launch_find_engine(struct launch_args *args);
/* The word behind "build", "buildx build", "image build"; 0 when it is something else. */
size_t launch_build_at(const struct launch_args *args);
void launch_add_build(struct workspace *w, struct input *in, const struct launch_place *place,
		      const struct launch_args *args);
void launch_keep_build(struct workspace *w, struct input *in, const struct launch_place *place,
		       const struct launch_words *b);

/* The assignments of one script, by name. */
struct launch_variables {
	const struct shell *sh;
	struct {
		const struct shell_assignment *assignment;
		uint32_t next; /* index + 1 of the next of this name; 0 at the end */
	} *items;
	size_t count;
	struct hash_index first, last; /* name → index */
	size_t budget; /* bytes that may still be put in place of variables */
};
void launch_variables_init(struct arena *a, const struct shell *sh, struct launch_variables *out);
/* The words of a command from its program on, with the arrays and texts of the same file put in the
 * place of the variables that stand for them. */
void launch_expand(struct arena *a, struct launch_variables *v, size_t command, size_t first,
		   struct launch_args *out);

#endif

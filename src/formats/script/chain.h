/* The entry chain of a row: what its image, file and hooks start, followed into the scripts of the tree.
 * SPDX-License-Identifier: MIT */
#ifndef FORMATS_SCRIPT_CHAIN_H
#define FORMATS_SCRIPT_CHAIN_H

#include "src/formats/dockerfile/image.h"
#include "src/formats/script/steps.h"

#define CHAIN_SCRIPTS 24u /* scripts followed for one row */

struct chain {
	struct workspace *w;
	struct row *row;
	struct image_file *file;         /* what the row runs, when it is built in the tree */
	const struct image_stage *stage; /* NULL when it is not */
	const char *folder;              /* of the row's own file */
	bool host;                       /* what is followed runs on the host */
	bool wrapped;                    /* the text is the entry point itself, not a script's line */
	struct steps steps;
	struct {
		struct pending_script {
			const char *path; /* in the tree, or in the image when BODY is set */
			struct span body; /* its lines, in another file */
			struct span named; /* where it is named */
		} items[CHAIN_SCRIPTS];
		size_t count;
	} scripts;
};

/* chain.c: reads a text as shell commands whose facts stand at PLACE (unset: where they are). WRAPPED: it is
 * what the file starts, not a line of a script. */
void chain_read_text(struct chain *c, const char *value, size_t length, struct span place, bool wrapped);
struct fact *chain_script_fact(struct chain *c, const char *path, const char *state, struct span named);
/* program.c: follows a program in another language; false when it is none. */
bool chain_read_program(struct chain *c, const char *path, const char *interpreter,
			const struct source *source, struct span body, struct span named);

/* Fills row R's silence with what its image says, and follows what it starts. */
void chain_follow_row(struct workspace *w, struct row *r, const struct image_names *names);
/* Takes user, entry point and command of the image over into R where R says nothing. */
void chain_take_image(struct workspace *w, struct row *r, const struct image_stage *stage);
/* The same from the stage of one file that R starts from, for what that one has from another file. */
void chain_take_parent(struct workspace *w, struct row *r, const struct image_stage *stage);
/* The same for every stage that starts from an image which another Dockerfile of the tree builds, the
 * lowest image first. */
void chain_take_bases(struct workspace *w, const struct image_names *names);

#endif

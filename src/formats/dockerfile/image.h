/* Dockerfiles between reading and rows: which stages are built, and what each of them says.
 *
 * Rows are made when every file has been read, because a Compose file or a script decides which stage is
 * the image. Used inside src/formats/dockerfile and by the formats that start what was built.
 * SPDX-License-Identifier: MIT */
#ifndef FORMATS_DOCKERFILE_IMAGE_H
#define FORMATS_DOCKERFILE_IMAGE_H

#include "src/formats/format.h"
#include "src/formats/script/steps.h"
#include "src/syntax/dockerfile_scope.h"

enum image_relation {
	IMAGE_UNUSED,   /* neither built nor needed by what is built */
	IMAGE_COPIED,   /* only copied from */
	IMAGE_ANCESTOR, /* what is built starts from it */
	IMAGE_FINAL,    /* built */
};

/* One COPY or ADD: where a path in the image comes from. */
struct image_copy {
	const char *source; /* in the build context, or in stage FROM */
	const char *target; /* absolute path in the image */
	int32_t from;       /* stage it is copied from; -1: the build context */
	bool folder;        /* target is a folder into which the source is put */
};

/* A file whose lines stand in the Dockerfile itself. */
struct image_text {
	const char *path; /* absolute, in the image */
	struct span body;
};

struct image_stage {
	struct row *row;
	enum image_relation relation;
	const char *workdir; /* at the end of the stage; "/" without one */
	bool powershell;     /* SHELL is PowerShell */
	size_t env_count;    /* variables that it sets */
	struct {
		struct image_copy *items;
		size_t count, capacity;
	} copies;
	struct {
		struct image_text *items;
		size_t count, capacity;
	} texts;
	/* What holds at the end of the stage, inherited or its own; NULL when nobody says. */
	struct fact *user, *entrypoint, *command, *probe;
};

struct image_file {
	struct input *in;
	struct dockerfile parsed;
	struct image_stage *stages; /* parsed.stage_count, at least one: a file without FROM has one */
	size_t stage_count;
	const char **contexts; /* build contexts named elsewhere, folders in the tree */
	size_t context_count, context_capacity;
	const char **targets; /* named elsewhere; NULL entries stand for the last stage */
	const char **target_by; /* who names them, "compose.yaml: service web" */
	size_t target_count, target_capacity, target_by_capacity;
	struct {
		struct image_build *items; /* with the arguments that others give */
		size_t count, capacity;
	} builds;
	size_t trigger_count; /* ONBUILD instructions read in stages below theirs */
	const char *owner; /* service whose file holds the text; NULL for a file of its own */
	bool done;
};

/* One build as another file orders it. */
struct image_build {
	struct expand_vars args; /* memory only: a value may be a secret */
	const struct row *by;
};

/* The parsed file of an input, or NULL. */
struct image_file *image_file_of(const struct input *in);
/* Opens and parses PATH as a Dockerfile; NULL when it is not in the tree. */
struct image_file *image_open(struct workspace *w, const char *path);
/* Reads TEXT, the value at SPAN of a file that was read, as the Dockerfile of OWNER, a name in that file.
 * Returns what image_open() takes for it; NULL when the file is unknown. */
const char *image_inline(struct workspace *w, struct span span, const char *owner, const char *text);
const char *image_inline_key(struct arena *a, const char *path, const char *owner);
/* Adds a build of F that row BY orders; its arguments are filled in by the caller. */
struct image_build *image_add_build(struct workspace *w, struct image_file *f, const struct row *by);
/* The stage that TARGET (NULL: the last) names, or NULL. */
struct image_stage *image_stage_find(struct image_file *f, const char *target);

/* The user of R, where the arguments that R gives decide it. */
void image_user_of_build(struct workspace *w, struct row *r, const struct image_file *f,
			 const struct image_stage *stage);

/* Names under which images are built in the tree, by Compose files and scripts. */
struct image_name {
	const char *dockerfile, *target;
};
struct image_names {
	struct image_name *items;
	size_t count, capacity;
	struct hash_index index; /* normalised name without tag → index */
};
struct image_names image_names(struct workspace *w);
/* The stage that row R starts, when its Dockerfile is in the tree; *FILE is set. */
struct image_stage *image_of_row(struct workspace *w, const struct row *r,
				 const struct image_names *names, struct image_file **file);
/* The stage of another Dockerfile of the tree that a Dockerfile's row starts from, with the fact that
 * names it; NULL when its base is not built in the tree. */
struct image_stage *image_base_of_row(struct workspace *w, const struct row *r,
				      const struct image_names *names, struct fact **base);

/* The path in the tree of the file that stands at PATH (absolute) in the image of STAGE, or NULL. */
const char *image_source_path(struct workspace *w, struct image_file *f,
			      const struct image_stage *stage, const char *path);
/* The lines of the file at PATH in the image of STAGE, when a heredoc of the Dockerfile writes them; an
 * unset span otherwise. */
struct span image_written_text(struct workspace *w, const struct image_file *f,
			       const struct image_stage *stage, const char *path);
/* ABSOLUTE with "." and ".." taken out; NAME below WORKDIR when it is relative. */
const char *image_path(struct arena *a, const char *workdir, const char *name);

/* --- inside src/formats/dockerfile ------------------------------------------------------------- */

/* One stage on its way to facts. */
struct image_reading {
	struct workspace *w;
	struct image_file *file;
	struct image_stage *stage;
	int32_t index; /* of the stage; -1 without FROM */
	struct dockerfile_scope *scope;
	struct steps steps;
	const struct dockerfile_instruction *at; /* being read */
	bool trigger; /* inside ONBUILD */
};

/* format.c */
void image_parse(struct workspace *w, struct input *in);
/* stages.c */
void image_choose_stages(struct workspace *w, struct image_file *f);
void image_add_rows(struct workspace *w, struct image_file *f);
const char *image_relation_text(enum image_relation relation);
/* instruction.c */
void image_read_instruction(struct image_reading *r, const struct dockerfile_instruction *in);
/* The triggers of the stage that the one being read starts from. */
void image_read_triggers(struct image_reading *r, const struct dockerfile_stage *from);
struct fact *image_add_fact(struct image_reading *r, enum fact_kind kind, const char *value,
			    struct span span);
void image_set(struct image_reading *r, struct fact *f, const char *name, const char *value);
/* The word expanded as it stands; *UNSURE when a variable has no value. */
const char *image_expand(struct image_reading *r, const char *text, bool *unsure);
/* written.c */
void image_note_text(struct image_reading *r, const char *path, struct span body);
/* Files that the commands of a RUN write from heredocs. */
void image_note_written(struct image_reading *r, const struct shell *sh);
/* given.c */
/* The arguments that every known build gives alike; NULL without any. */
const struct expand_vars *image_agreed_arguments(struct workspace *w, const struct image_file *f);
/* Adds the places of the arguments in OUT to the chain of F; true when another file gives one. */
bool image_note_arguments(struct image_reading *r, struct fact *f, const struct expansion *out);
/* Facts for what single builds make of the base image BASE, where that differs from what is told. */
size_t image_base_variants(struct image_reading *r, const char *base, struct fact **out, size_t room);
/* copy.c */
/* NAME of COPY --from or RUN --mount=from, unless it is a stage. */
void image_read_source_image(struct image_reading *r, const char *name, struct span span);
void image_read_copy(struct image_reading *r, const struct dockerfile_instruction *in);
/* variables.c */
void image_read_arg(struct image_reading *r, const struct dockerfile_instruction *in);
/* True for a variable that says where a secret's file lies. */
bool image_names_secret_file(const char *name);
void image_read_env(struct image_reading *r, const struct dockerfile_instruction *in);
/* process.c */
void image_read_process(struct image_reading *r, const struct dockerfile_instruction *in);
void image_read_health(struct image_reading *r, const struct dockerfile_instruction *in);

#endif

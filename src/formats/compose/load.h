/* What the steps of loading a Compose project share.
 * SPDX-License-Identifier: MIT */
#ifndef FORMATS_COMPOSE_LOAD_H
#define FORMATS_COMPOSE_LOAD_H

#include "src/formats/compose/compose.h"
#include "src/formats/compose/schema.h"

struct cload {
	struct arena *arena;
	const struct compose_options *options;
	struct compose_project *project;
	const struct compose_env *env; /* of the file being read */
	const struct compose_env *project_env;
	uint32_t budget;               /* alias visits left */
	uint32_t ports;                /* single ports that ranges were expanded to */
	size_t used_before;            /* of the arena, when the project began */
	bool exhausted;                /* that was reported */
	struct {
		struct cload_read *items; /* files that were read once and are named again */
		size_t count, capacity;
	} reads;
	struct hash_index read_index;  /* path → index in reads */
	struct cheld *held;            /* set: what is reported waits here */
};

/* One file that others name: what it says depends on the variables it was read with. */
struct cload_read {
	const struct compose_env *env;
	struct compose_env *values; /* of an env file; NULL: there is none */
	struct cvalue *services;    /* of a file that is extended */
	struct cheld *held;         /* what is wrong with them */
};

/* Problems that count only when the part of the file that they lie in is used. */
struct cheld {
	struct compose_problem *items;
	size_t count, capacity;
};

/* True once the project takes more memory than it may; reported at the first time, at AT. Whoever multiplies
 * values (copies, includes, expands) asks before. */
bool cload_exhausted(struct cload *c, struct span at);

/* A place in the model, as linked frames on the stack of the walk. */
struct cplace {
	const struct cplace *up;
	const char *key; /* NULL: the element INDEX of a list */
	size_t index;
};
/* "services.web.ports.0" in the arena; "" for the top. */
const char *cplace_text(struct arena *a, const struct cplace *place);

void cload_report(struct cload *c, enum compose_level level, struct span span, const char *format,
                  ...) __attribute__((format(printf, 4, 5)));

/* Node tree to value tree: aliases and merge keys resolved, scalars interpolated. */
struct cvalue *convert_document(struct cload *c, const struct node *top);

/* Checks V against KEY and turns short forms into long ones, in place or by a new value. */
struct cvalue *shape_value(struct cload *c, struct cvalue *v, const struct ckey *key,
                           const struct cplace *place);
/* Tells of keys that the merged V has without a value although they need one. */
void shape_nulls(struct cload *c, const struct cvalue *v, const struct ckey *key,
                 const struct cplace *place);
/* The special forms of shape_value(), in canonical.c. */
struct cvalue *canonical_form(struct cload *c, struct cvalue *v, const struct ckey *key,
                              const struct cplace *place);

/* Merges OVER into BASE (either may be NULL) and returns the result; OVER's tags are obeyed. */
struct cvalue *merge_values(struct cload *c, struct cvalue *base, struct cvalue *over,
                            const struct ckey *key, const struct cplace *place);
/* Collapses list items of one identity and drops what is still tagged !reset. */
void merge_settle(struct cload *c, struct cvalue *v, const struct ckey *key);

/* Makes the paths of MODEL relative to the project directory that lies at PREFIX from theirs. */
void paths_rebase(struct cload *c, struct cvalue *model, const char *prefix);
/* The same for one service. */
void paths_rebase_service(struct cload *c, struct cvalue *service, const char *prefix);

void normalise_project(struct cload *c);
void check_project(struct cload *c); /* what Compose refuses although every type is right */

/* Reads the variables of FILE (RAW: as they stand) below UNDER; NULL when it does not exist. */
struct compose_env *env_open(struct cload *c, const char *path, bool raw,
                             const struct compose_env *under);
const struct dotenv_entry *env_entry(const struct compose_env *env, const char *name);
const char *env_value(const struct compose_env *env, const char *name);
/* The same from the environment of the file being read; C is a struct cload. */
const char *cload_variable(void *c, const char *name);

/* The name of the project; never NULL, but empty for an unnamed root folder. */
const char *project_name(struct cload *c);
/* Opens PATH and reads its documents; false when there is no such file. */
bool cload_parse(struct cload *c, const char *path, struct documents *docs);
bool cload_open(struct cload *c, const char *path, struct compose_file *out);
/* What PATH gave when it was last read with ENV, or NULL. */
struct cload_read *cload_read_before(struct cload *c, const char *path, const struct compose_env *env);
void cload_read_keep(struct cload *c, const char *path, struct cload_read read);
/* The values of a document; what is wrong with their form goes to HELD, if it is given. */
struct cvalue *cload_document(struct cload *c, const struct node *top, struct cheld *held);
/* Reports what was held back about the bytes from FROM up to TO, once. */
void cload_release(struct cload *c, struct cheld *held, uint32_t from, uint32_t to);
const char *cload_folder(struct arena *a, const char *path);

/* load_extends.c: puts what service NAME of PATH extends under it. */
void extends_resolve(struct cload *c, struct cvalue *services, const char *name, const char *path,
                     const char *folder);

#endif

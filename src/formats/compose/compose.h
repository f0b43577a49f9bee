/* The effective model of a Compose project: include, extends, overrides, !reset and !override,
 * interpolation, short to long syntax, defaults, consistency.
 *
 * Reading never fails as a whole: what Compose would refuse is a problem of level
 * COMPOSE_REFUSED or COMPOSE_INCONSISTENT, and the model holds what could be read. Everything of a
 * project lives in the arena given to compose_load().
 * SPDX-License-Identifier: MIT */
#ifndef FORMATS_COMPOSE_COMPOSE_H
#define FORMATS_COMPOSE_COMPOSE_H

#include "src/formats/compose/cvalue.h"
#include "src/syntax/dotenv.h"
#include "src/syntax/syntax.h"

enum compose_level {
	COMPOSE_REFUSED,      /* there is no model: Compose does not load such a file */
	COMPOSE_INCONSISTENT, /* there is a model, but Compose refuses to use it */
	COMPOSE_NOTICE,
};

/* Names that Compose looks for in a folder, best first. */
extern const char *const compose_base_names[4], *const compose_override_names[4];

struct compose_problem {
	enum compose_level level;
	struct span span;
	const char *message; /* without the place */
};

struct compose_file {
	const struct source *source;
	const struct documents *documents; /* NULL: the loader parses the bytes itself */
};

/* Opens PATH (normalised); false when there is no such file. */
typedef bool (*compose_open)(void *ctx, const char *path, struct compose_file *out);

/* Values of variables, searched from here to `under`. */
struct compose_env {
	struct dotenv values;
	const struct compose_env *under;
};

struct compose_options {
	const char *const *files; /* in order */
	size_t file_count;
	const char *folder;            /* project directory; NULL: that of the first file */
	const char *folder_name;       /* what that folder is called where its path does not say; NULL */
	const struct compose_env *env; /* variables as supplied; may be NULL */
	bool default_env;              /* read ".env" of the project directory below them */
	bool review;                 /* what only the caller's environment lacks is no problem, and
	                              * HOME and PWD stand for "~" and "." */
	const char *const *profiles; /* active ones; "*" for all */
	size_t profile_count;
	compose_open open;
	void *ctx;
};

struct compose_project {
	const char *folder;   /* "" for the root */
	const char *name;     /* given, or after the folder */
	struct cvalue *model; /* a map; services without a profile filter */
	const char *const *profiles;
	size_t profile_count;
	struct {
		struct compose_problem *items;
		size_t count, capacity;
	} problems;
	struct {
		const struct source **items; /* every file that was opened, in order */
		size_t count, capacity;
	} sources;
	struct {
		const char **items; /* files that were named but not found */
		size_t count, capacity;
	} missing;
	struct {
		const char **items; /* files that came in by include */
		size_t count, capacity;
	} included;
	bool refused, inconsistent;
};

void compose_load(struct arena *a, const struct compose_options *options,
                  struct compose_project *out);

/* Whether SERVICE is started with the active profiles. While none is named, every service counts:
 * its `profiles` tell that it is conditional. */
bool compose_active(const struct compose_project *p, const struct cvalue *service);

/* The source that SPAN lies in, or NULL. */
const struct source *compose_source(const struct compose_project *p, struct span span);

/* The first problem of LEVEL with its place ("compose.yaml:5: …"), or NULL. */
const char *compose_error(struct arena *a, const struct compose_project *p,
                          enum compose_level level);

/* Adds {"model": …, "sources": …, "error": …} and a line end to OUT. Secret values are replaced. */
struct buf;
void compose_to_json(struct arena *a, const struct compose_project *p, struct buf *out);

/* PATH relative to folder FROM ("a/b", "a/c" → "../b"); both normalised and relative. */
const char *compose_relative(struct arena *a, const char *from, const char *path);
/* FOLDER/PATH without "." and "a/.."; leading ".." stay; an absolute PATH is returned cleaned. */
const char *compose_join(struct arena *a, const char *folder, const char *path);

#endif

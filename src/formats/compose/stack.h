/* Which files make one deployment, and what each stack becomes.
 *
 * The pair that Compose loads by itself (one base name, one override name in a folder) is the
 * model; files that stand alone are projects of their own; files that only change services of
 * another are overlays: their services become conditional rows and variants of the base's rows.
 * SPDX-License-Identifier: MIT */
#ifndef FORMATS_COMPOSE_STACK_H
#define FORMATS_COMPOSE_STACK_H

#include "src/formats/compose/commands.h"
#include "src/formats/compose/rows.h"
#include "src/formats/compose/schema.h"

/* A loaded stack. */
struct stack {
	struct compose_project project;
	const char **paths;
	const char *folder; /* of the first file */
	size_t path_count;
	bool overlay; /* made for an overlay: no base of others */
	struct {
		struct row **items; /* in the order of the services */
		size_t count, capacity;
	} rows;
	struct hash_index services; /* name → index in rows */
	struct stack *next;
};

void stacks_join(struct workspace *w);

/* stack.c: loads PATHS, one at least, as one project; FOLDER is its directory, NULL for that of the first file. */
struct stack *stack_load(struct workspace *w, const char *const *paths, size_t count,
                         const char *folder);
/* stack_env.c: what NAME is in the ".env" of FOLDER; NULL when there is none. */
const char *stack_env(struct workspace *w, const char *folder, const char *name);
/* Splits TEXT at SEPARATOR; empty parts are left out. */
struct string_list stack_split(struct arena *a, const char *text, const char *separator);
/* The files that COMPOSE_FILE names in the ".env" of FOLDER, paths in the tree; none when one is not there. */
struct string_list stack_env_files(struct workspace *w, const char *folder);
/* Rows for every service of the stack, or only for those that ONLY (a file's input) names; then
 * they are conditional on that file. */
void stack_rows(struct workspace *w, struct stack *s, const struct input *only);
struct row *stack_row(const struct stack *s, const char *service);

/* stack_share.c: tells the rows of S what they share. */
void stack_share(struct workspace *w, const struct stack *s);

/* The map of services in a file's documents that has NAME, or NULL. */
const struct node *file_service(const struct input *in, const char *name, struct span *key);
/* True when some service of the file names neither image, build, extends nor provider. */
bool file_is_overlay(const struct input *in);
/* True when S has every service that the file leaves without a source. */
bool stack_carries(const struct stack *s, const struct input *in);
/* Tells the rows of BASE that FILE changes them, with the command lines that say so; the rows of OVER, made
 * of FILE, become variants of theirs. */
void stack_variants(struct workspace *w, const struct stack *base, const struct stack *over,
                    const struct input *file,
                    const struct compose_commands *commands);

/* stack_changes.c: lists OVER, whose last file is FILE, among the stacks that can be chosen. */
void stack_offer(struct workspace *w, const struct stack *over, const struct input *file,
                 const struct stack *base, const struct compose_commands *commands);
/* The stack that Compose loads by itself, once another was chosen. */
void stack_offer_default(struct workspace *w);
/* The keys of a service, merged ones included: "ports,user". */
const char *service_keys(struct arena *a, const struct node *service);

#endif

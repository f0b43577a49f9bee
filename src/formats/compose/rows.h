/* From a loaded project to rows and facts.
 * SPDX-License-Identifier: MIT */
#ifndef FORMATS_COMPOSE_ROWS_H
#define FORMATS_COMPOSE_ROWS_H

#include "src/formats/compose/compose.h"
#include "src/formats/run/container_facts.h"

/* A service on its way to its row. */
struct crow {
	struct workspace *w;
	const struct compose_project *project;
	const struct cvalue *service;
	const char *name;
	struct row *row;
};

/* --- emit.c: facts from values, with their provenance ----------------------------------------- */

/* Adds provenance and the chain of V to F (NULL is passed through). */
struct fact *crow_trace(const struct crow *r, struct fact *f, const struct cvalue *v);
/* A fact of the scalar V; NULL when V is none. */
struct fact *crow_fact(const struct crow *r, enum fact_kind kind, const struct cvalue *v);
/* A fact of another text at the place of V. */
struct fact *crow_fact_text(const struct crow *r, enum fact_kind kind, const char *text,
                            const struct cvalue *v);
/* A fact for each scalar of the list V. */
void crow_facts(const struct crow *r, enum fact_kind kind, const struct cvalue *list);
/* A fact by absence that cites the service. */
struct fact *crow_absent(const struct crow *r, enum fact_kind kind, const char *value,
                         const char *note);
void crow_attribute(const struct crow *r, struct fact *f, const char *name, const char *value);
/* The text of key KEY of the service, or NULL. */
const char *crow_text(const struct crow *r, const char *key);
/* The words of a list joined by blanks; secret ones are left out. */
const char *crow_words(const struct crow *r, const struct cvalue *list);
/* What a reader may see of V: the text as written when a variable has no value. */
const char *crow_shown(const struct cvalue *v);

/* --- one family of keys each ------------------------------------------------------------------ */

void crow_image(const struct crow *r); /* image, build, entry chain */
/* A command that runs in the container at EVENT, with its own user and privileges. */
void crow_hook(const struct crow *r, const char *event, const struct cvalue *hook);
void crow_command(const struct crow *r, const struct cvalue *service);
void crow_privileges(const struct crow *r); /* identity, privileges, namespaces, root */
void crow_mounts(const struct crow *r);     /* volumes, devices, sockets */
void crow_network(const struct crow *r);    /* ports, networks, names */
void crow_socket_proxy(const struct crow *r);
void crow_secrets(const struct crow *r);    /* environment, env files, secrets */
void crow_environment(const struct crow *r, const struct cvalue *environment);
void crow_resources(const struct crow *r);

/* --- service.c ---------------------------------------------------------------------------------
 */

struct crow_place {
	const char *path; /* file of the row */
	struct span span; /* key of the service in it */
	enum row_activity activity;
	const char *reason;
};
/* The row of service NAME with its facts, and rows of its pre_start steps. */
struct row *crow_add(struct workspace *w, const struct compose_project *project, const char *name,
                     const struct cvalue *service, const struct crow_place *place);

#endif

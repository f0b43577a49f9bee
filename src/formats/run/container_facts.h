/* Facts of containers that command lines, exports and other formats spell the same way.
 *
 * Each function adds to row R with SPAN as the place and returns the fact, or NULL when the text
 * says nothing. Defaults by absence are those of Docker Engine 29 on Linux.
 * SPDX-License-Identifier: MIT */
#ifndef FORMATS_RUN_CONTAINER_FACTS_H
#define FORMATS_RUN_CONTAINER_FACTS_H

#include "src/formats/format.h"
#include "src/syntax/volume_spec.h"

/* FACT_CAP_ADD or FACT_CAP_DROP; the engine takes any case, with or without CAP_. */
struct fact *capability_fact(struct workspace *w, struct row *r, enum fact_kind kind,
                             const char *text, struct span span);
/* One --security-opt: seccomp, AppArmor, SELinux, no-new-privileges, kernel path masks. FOLDER is
 * where a relative profile is looked for ("" without one). */
struct fact *security_option_fact(struct workspace *w, struct row *r, const char *text,
                                  struct span span);
/* "uid", "name", "uid:gid" … */
struct fact *user_fact(struct workspace *w, struct row *r, const char *text, struct span span);
struct fact *mount_fact(struct workspace *w, struct row *r, const struct volume_spec *mount,
                        struct span span);
/* One published port in the short form; several facts for a list of addresses are the caller's. */
struct fact *port_fact(struct workspace *w, struct row *r, const char *text, struct span span);
/* "host[:container[:rwm]]" or a CDI name. */
struct fact *device_fact(struct workspace *w, struct row *r, const char *text, struct span span);
/* A network mode or the name of a network. */
struct fact *network_fact(struct workspace *w, struct row *r, const char *text, struct span span);
/* "name:address". */
struct fact *extra_host_fact(struct workspace *w, struct row *r, const char *text,
                             struct span span);
/* "name=value". */
struct fact *sysctl_fact(struct workspace *w, struct row *r, const char *text, struct span span);
/* Sets the provenance of a value that holds a variable. */
struct fact *mark_variable(struct fact *f, const char *text);
/* Adds what the engine does by default for every kind that R does not speak of in LAYER. */
void container_defaults(struct workspace *w, struct row *r, enum layer layer, struct span ancestor);

#endif

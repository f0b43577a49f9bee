/* Tables about Dockerfile parsing, word expansion, heredocs and the JSON form.
 * SPDX-License-Identifier: MIT */
#ifndef CONFORMANCE_DOCKERFILE_TABLES_H
#define CONFORMANCE_DOCKERFILE_TABLES_H

#include <stdbool.h>
#include <stddef.h>

/* Receives one verdict per row: the table, whether it passed, and what a miss was about. */
typedef void (*conformance_verdict)(void *context, const char *table, bool passed,
				    const char *what);

/* DIR is the folder that holds expected.tsv, env_expand.tsv and so on. False when it is missing. */
bool conformance_dockerfile(const char *dir, conformance_verdict verdict, void *context);

#endif

/* What silence means: the value of a cell about which a row's files say nothing.
 *
 * Sources: Docker Engine 29 and Podman 5 defaults, Compose Specification, Kubernetes 1.34 API reference.
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_CELL_DEFAULT_H
#define MODEL_CELL_DEFAULT_H

#include "model/snapshot.h"

struct silence {
	const char *text; /* the default, or why the value is not known */
	const char *sub;  /* NULL: the documented default holds; else unavailable, and why */
	bool applicable;
};

struct silence silence_of(const struct snapshot *s, const struct row *row, enum field field);

#endif

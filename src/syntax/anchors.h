/* The anchors of one YAML document by name.
 * SPDX-License-Identifier: MIT */
#ifndef SYNTAX_ANCHORS_H
#define SYNTAX_ANCHORS_H

#include "model/node.h"

struct anchor {
	struct anchor *children[4];
	const char *name;
	struct node *node;
};

/* Makes NAME mean N from now on; NAME must outlive the table. */
void anchors_set(struct anchor **root, struct arena *a, const char *name, struct node *n);
/* What NAME means at present, or NULL. */
struct node *anchors_get(struct anchor *const *root, const char *name);

#endif

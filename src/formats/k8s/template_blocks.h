/* Blocks of a Helm template (if, else, end) and what the chart's default values make of them.
 * SPDX-License-Identifier: MIT */
#ifndef FORMATS_K8S_TEMPLATE_BLOCKS_H
#define FORMATS_K8S_TEMPLATE_BLOCKS_H

#include "model/fact.h"
#include "src/formats/k8s/k8s.h"

/* Lists in FILE the branches of SOURCE that the chart's default values leave out; those whose keys the
 * branch that is taken sets too are hidden. */
void template_find_branches(struct workspace *w, const struct source *source, struct k8s_file *file);
/* The truth of CONDITION (the words behind "if") by the default values VALUES; NULL: nothing is known.
 * DECIDES (may be NULL) becomes the first value that it asks for, or stays as it is. */
enum tri template_condition(const struct node *values, const char *condition, size_t length,
			    const struct node **decides);
/* The branch of FILE that the defaults leave out and that holds OFFSET, or NULL. */
const struct k8s_branch *template_branch_at(const struct k8s_file *file, uint32_t offset);

#endif

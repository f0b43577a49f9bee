/* Custom resources of which an operator makes pods (operated.c).
 * SPDX-License-Identifier: MIT */
#ifndef FORMATS_K8S_OPERATED_H
#define FORMATS_K8S_OPERATED_H

#include "src/formats/k8s/k8s.h"

/* True for a custom resource whose spec holds settings of a pod. */
bool k8s_is_operated(const struct k8s_object *o);
/* The pod spec that the resource speaks of; nodes of the resource with the places they have there. */
const struct node *k8s_operated_spec(struct workspace *w, const struct k8s_object *o);

#endif

/* The roles and bindings that a ClusterServiceVersion asks for (olm.c).
 * SPDX-License-Identifier: MIT */
#ifndef FORMATS_K8S_OLM_H
#define FORMATS_K8S_OLM_H

#include "src/formats/k8s/k8s.h"

/* Hands ADD a node for each role and binding; nothing when O is of another kind. */
void k8s_olm_objects(struct arena *a, const struct k8s_object *o,
		     void (*add)(void *context, const struct node *n), void *context);

#endif

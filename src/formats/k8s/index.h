/* What joins look up instead of walking all objects: objects by kind and name, pods by label.
 *
 * Lists hold indices into the world's objects or pods, ascending. What no index can bound, comparing all
 * objects of a kind with all pods, is paid from one budget (LIMIT_COMPARED); when it is used up the rest is
 * not joined, and k8s_not_joined() says so.
 * SPDX-License-Identifier: MIT */
#ifndef FORMATS_K8S_INDEX_H
#define FORMATS_K8S_INDEX_H

#include "model/buf.h"
#include "model/name_lists.h"
#include "src/formats/k8s/k8s.h"

struct k8s_index {
	struct name_lists objects; /* "kind" and "kind\nname" */
	struct name_lists pods;    /* "namespace", "namespace\nkey\nvalue"; namespace "*" for all */
	struct name_lists folders; /* folder of the file → pods */
	struct name_lists owners;  /* name of a pod's object → pods */
	unsigned long left;       /* of LIMIT_COMPARED */
	struct buf key;           /* scratch */
};

void k8s_index_init(struct k8s_world *world, struct k8s_index *index);
void k8s_index_free(struct k8s_index *index);

const struct id_list *k8s_of_kind(const struct k8s_world *world, const char *kind);
const struct id_list *k8s_named(const struct k8s_world *world, const char *kind, const char *name);
/* The next object of LIST, from place *AT on, that has a row of its own; NULL at the end. */
struct k8s_object *k8s_next_with_row(const struct k8s_world *world, const struct id_list *list,
				     size_t *at);
/* The pods that a selector's matchLabels MATCH may select in NAMESPACE (NULL: in all): the shortest list of
 * those of its labels. BARE (may be NULL) gives the label's name from the selector's key, NULL for a key
 * that is no label. */
const struct id_list *k8s_candidates(const struct k8s_world *world, const char *namespace,
				     const struct node *match, const char *(*bare)(const char *));
/* Takes COST steps; false when the budget is used up. */
bool k8s_may_compare(const struct k8s_world *world, size_t cost);
/* Steps of comparing SELECTOR with the labels of POD. */
size_t k8s_selector_cost(const struct node *selector, const struct k8s_pod *pod);
/* Says that more than LIMIT_JOINED objects apply to O. */
void k8s_too_many(const struct k8s_world *world, const struct k8s_object *o);
/* Says that O could not be compared with everything it may apply to. */
void k8s_not_joined(const struct k8s_world *world, const struct k8s_object *o);

#endif

/* Readers of objects that are no workloads; each adds facts to the object's own row.
 * SPDX-License-Identifier: MIT */
#ifndef FORMATS_K8S_OBJECTS_H
#define FORMATS_K8S_OBJECTS_H

#include "model/name_lists.h"
#include "src/formats/k8s/k8s.h"

void k8s_read_service(struct workspace *w, struct k8s_object *o);
void k8s_read_ingress(struct workspace *w, struct k8s_object *o);
void k8s_read_route(struct workspace *w, struct k8s_object *o);
/* Annotations of O that put text into the ingress controller's configuration. */
void k8s_read_snippets(struct workspace *w, struct k8s_object *o);
void k8s_read_namespace(struct workspace *w, struct k8s_object *o);
void k8s_read_sandbox_claim(struct workspace *w, struct k8s_object *o);
void k8s_read_config_map(struct workspace *w, struct k8s_object *o);
void k8s_read_secret(struct workspace *w, struct k8s_object *o);
void k8s_read_persistent_volume(struct workspace *w, struct k8s_object *o);
void k8s_read_priority_class(struct workspace *w, struct k8s_object *o);
void k8s_read_runtime_class(struct workspace *w, struct k8s_object *o);
void k8s_read_pod_security_policy(struct workspace *w, struct k8s_object *o);
void k8s_read_constraints(struct workspace *w, struct k8s_object *o);
void k8s_read_admission_configuration(struct workspace *w, struct k8s_object *o);
/* A node's settings that decide who reaches the kubelet, and what it gives containers by default. */
void k8s_read_kubelet(struct workspace *w, struct k8s_object *o);
void k8s_read_webhooks(struct workspace *w, struct k8s_object *o);
void k8s_read_kyverno(struct workspace *w, struct k8s_object *o);
void k8s_read_constraint(struct workspace *w, struct k8s_object *o);
/* A network policy of a kind whose rules are not evaluated. */
void k8s_read_foreign_policy(struct workspace *w, struct k8s_object *o);

/* Adds the network policy that the controller makes of a sandbox template to the rows of O. */
void k8s_read_sandbox_policy(struct workspace *w, struct k8s_object *o);
/* True when the controller of agent-sandbox completes the pod spec in O. */
bool k8s_is_sandbox_template(const struct k8s_object *o);
/* Attributes of F: what the rules of a NetworkPolicy's SPEC let through; BOTH: they govern both directions
 * whatever SPEC says. */
void k8s_judge_policy(struct workspace *w, struct fact *f, const struct node *spec, bool both);

/* Gives admission policies to the namespaces and pods that they reach; BINDINGS by "kind\nname". */
void k8s_give_policies(struct k8s_world *world, const struct name_lists *bindings);

/* True for a kind of network policy whose rules are not evaluated. */
bool k8s_is_foreign_policy(const struct k8s_object *o);
/* True for a policy of Cilium for all namespaces. */
bool k8s_is_clusterwide(const struct k8s_object *policy);
/* True when a clusterwide policy of Cilium reaches every pod of NAMESPACE. */
bool k8s_cilium_reaches(const struct k8s_object *o, const char *namespace);
/* Gives Cilium's policies to the pods they select; SELECTED has one flag a pod. False when some could not
 * be compared. */
bool k8s_join_cilium(struct k8s_world *world, bool *selected);

/* --- for joins ------------------------------------------------------------------------------- */

/* The namespace that NAMESPACE means where it is written: "" stands for "default". */
const char *k8s_namespace(const char *namespace);
/* True when namespaces A and B are the same one. */
bool k8s_same_namespace(const char *a, const char *b);
/* True when O may serve BESIDE in one cluster: not a test's object with another's; where no namespace is
 * written, near each other in the tree, since examples of one repository do not meet; and O is the
 * nearest version of its kind and name, not part of another rendering of BESIDE. */
bool k8s_near(const struct k8s_object *o, const struct k8s_object *beside);
/* Near and in the same namespace. */
bool k8s_related(const struct k8s_object *o, const struct k8s_object *beside);
/* True when A and B stand near each other and in one namespace, whichever build of the tree each is of. */
bool k8s_may_meet(const struct k8s_object *a, const struct k8s_object *b);
/* Folders between the files of A and B, up and down. */
size_t k8s_path_distance(const struct k8s_object *a, const struct k8s_object *b);
/* Steps that k8s_near() takes for O. */
size_t k8s_near_cost(const struct k8s_object *o);
/* Lists objects of one kind, namespace and name, in the order given (file by file). */
void k8s_link_versions(struct arena *a, struct k8s_object **objects, size_t count);
/* The object of KIND with NAME that is related to BESIDE, or NULL. */
struct k8s_object *k8s_find_object(const struct k8s_world *world, const char *kind,
				   const char *name, const struct k8s_object *beside);
/* True when the pod takes no further objects, which has been said. */
bool k8s_is_full(const struct k8s_pod *pod);
/* Copies FACT to every row of POD in the pod's layer, with a link to PLACE. */
void k8s_give(struct k8s_world *world, struct k8s_pod *pod, const struct fact *fact,
	      struct span place, const char *role);
/* Every pair of MATCH among the labels. */
bool k8s_labels_hold(const struct node *match, const struct node *labels);
/* One of a selector's matchExpressions against the value that its key has, NULL for none. */
bool k8s_expression_holds(const struct node *expression, const char *have);
/* All of a selector's matchExpressions against labels. */
bool k8s_expressions_hold(const struct node *expressions, const struct node *labels);
/* True when both are quantities and the first is larger. */
bool k8s_quantity_exceeds(const char *value, const char *most);
/* What O's row says of O as a route, or NULL. */
struct fact *k8s_route_fact(const struct k8s_object *o);
/* Labels of the pod. */
const struct node *k8s_labels(const struct k8s_pod *pod);
/* Name of the account that the pod runs under. */
const char *k8s_account(const struct k8s_pod *pod);
/* Sets NAME on the facts about that account in all of the pod's rows. */
void k8s_mark_account(struct k8s_world *world, const struct k8s_pod *pod, const char *name, bool value);

#endif

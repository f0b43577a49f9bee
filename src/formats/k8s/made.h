/* Pod specs that a controller makes of settings spread over a custom resource, as one node each.
 *
 * The nodes made here live in the arena of the load; every value in them keeps its span in the file.
 * SPDX-License-Identifier: MIT */
#ifndef FORMATS_K8S_MADE_H
#define FORMATS_K8S_MADE_H

#include "src/formats/k8s/k8s.h"

/* A pod spec that was made, and the map in the file that its settings stand in. */
struct made_pod {
	const struct node *spec, *metadata; /* spec NULL: nothing was made */
	const struct node *taken;	    /* a pod template that went into it, or NULL */
	bool completed;			    /* the controller adds settings that the file does not show */
};

/* Of an Argo workflow's TEMPLATE, with what WORKFLOW (its spec) gives to all of them. */
struct made_pod made_of_workflow(struct arena *a, const struct node *workflow,
				 const struct node *template);
/* Of a map with `steps` that are containers (Tekton); OUTER has the run's own settings or is NULL. */
struct made_pod made_of_steps(struct arena *a, const struct node *task, const struct node *outer);
/* Of a map that holds the settings of one container beside settings of its own; NAME for the container. SHARED
 * has the image where MAP has none, or is NULL. */
struct made_pod made_of_container(struct arena *a, const struct node *map, const char *name,
				  const struct node *shared);
/* Of a template whose parts are named one by one: `pod` and `<name>Container`. */
struct made_pod made_of_parts(struct arena *a, const struct node *template);
/* Of a pod template that leaves its containers to the controller. */
struct made_pod made_of_rest(struct arena *a, const struct node *spec);

/* True when MAP has an image and settings that only a container has. */
bool made_is_container(const struct node *map);
bool made_is_steps(const struct node *map);
bool made_is_parts(const struct node *map);
/* True when a map of a pod template has settings of a pod. */
bool made_is_rest(const struct node *map);

#endif

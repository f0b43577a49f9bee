/* Kustomize trees: bases, patches, images, namespace and names applied where they are plain data.
 *
 * A manifest below a kustomization is not read before all files are known. When exactly one chain of
 * kustomizations leads to it, it is read as that chain changes it, each changed value with its former
 * place as a link; when several overlays share it, they become variants and the base is read as it is.
 * Generators, plug-ins and remote bases are not assessed.
 * SPDX-License-Identifier: MIT */
#ifndef FORMATS_K8S_KUSTOMIZE_H
#define FORMATS_K8S_KUSTOMIZE_H

#include "src/formats/k8s/k8s.h"

struct changes;
struct name_lists;

struct kustomization {
	struct input *in;
	const struct node *node;
	const char *folder;
	struct {
		struct kustomization **items; /* that list this one's folder */
		size_t count, capacity;
	} parents;
	struct changes *changes; /* its patches, NULL until they are asked for */
	struct name_lists *images; /* its image entries by name, NULL until they are asked for */
	bool cut; /* it was said that not all of it is applied */
};

/* True when a folder above PATH has a kustomization. */
bool kustomize_governs(struct workspace *w, const char *path);
/* Applies the kustomizations of the tree to the objects of deferred files. */
void kustomize_apply(struct workspace *w);

/* --- patches (kustomize_patch.c) --------------------------------------------------------------- */

/* BASE with the strategic merge patch PATCH; new nodes lie in the arena, unchanged ones are shared. Takes its
 * steps from *LEFT; when they are used up, BASE as it is and 0 left. */
const struct node *patch_merge(struct arena *a, const struct node *base, const struct node *patch,
			       unsigned long *left);
/* BASE with one JSON 6902 operation; NULL when its path leads nowhere or the operation is unknown. */
const struct node *patch_operate(struct arena *a, const struct node *base,
				 const struct node *operation, unsigned long *left);
/* Parses YAML that stands as text in a scalar; spans are those of the file. */
const struct node *patch_parse(struct workspace *w, struct input *in, const struct node *text);
/* A scalar TEXT in place of FORMER (may be NULL), which it keeps. */
struct node *patch_scalar(struct arena *a, const struct node *former, const char *text,
			  struct span span);

#endif

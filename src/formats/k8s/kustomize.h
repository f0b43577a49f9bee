/* Kustomize trees: bases, patches, images, namespace and names applied where they are plain data.
 *
 * A manifest below a kustomization is not read before all files are known. When exactly one chain of
 * kustomizations leads to it, it is read as that chain changes it, each changed value with its former
 * place as a link; when several overlays share it, the base is read as it is and each overlay makes an
 * object of its own, in the overlay's file. Generators, plug-ins and remote bases are not assessed.
 * SPDX-License-Identifier: MIT */
#ifndef FORMATS_K8S_KUSTOMIZE_H
#define FORMATS_K8S_KUSTOMIZE_H

#include "model/hash_index.h"
#include "src/formats/k8s/k8s.h"

struct changes;
struct name_lists;

struct kustomization {
	struct input *in;
	const struct node *node;
	const char *folder;
	struct kustomizations parents, components; /* that list its folder; that it lists */
	struct changes *changes; /* its patches, NULL until they are asked for */
	struct name_lists *images; /* its image entries by name, NULL until they are asked for */
	struct name_lists *merged[2]; /* the same for generators that change what is there: ConfigMaps, Secrets */
	struct hash_index held; /* keys of the objects whose outermost kustomization it is */
	uint32_t visit; /* the last walk that met it */
	const struct node *missing; /* the first entry, also of a base, that could not be taken */
	bool cut;     /* it was said that not all of it is applied */
	bool crowded; /* it was said that its overlays are too many */
};

/* Says what of the kustomization N is of a wrong type, and what takes a program to know (kustomize_check.c). */
void kustomize_check(struct workspace *w, struct input *in, const struct node *n);
/* True when a folder above PATH has a kustomization. */
bool kustomize_governs(struct workspace *w, const char *path);
/* Applies the kustomizations of the tree to the objects of deferred files. */
void kustomize_apply(struct workspace *w);

/* --- changes (kustomize_change.c, _labels.c, _names.c, _target.c) --------------------------------- */

struct kustomize_run {
	struct workspace *w;
	unsigned long left; /* of LIMIT_COMPARED */
};

/* Takes COST steps; when there are none left, false, which is said once a kustomization. */
bool kustomize_may(struct kustomize_run *g, struct kustomization *k, size_t cost);
/* O as K changes it; names change in kustomize_rename(). */
void kustomize_change(struct kustomize_run *g, struct kustomization *k, struct k8s_object *o);
void kustomize_label(struct kustomize_run *g, const struct kustomization *k, struct k8s_object *o);
/* True when O is what TARGET asks for. */
bool kustomize_is_target(struct workspace *w, const struct node *target,
			 const struct k8s_object *o);
/* Says which patterns of TARGET (may be NULL) are not read. */
void kustomize_check_target(struct workspace *w, const struct kustomization *k,
			    const struct node *target);
/* Says which patches of K changed nothing; once all objects went through. */
void kustomize_report_patches(struct kustomize_run *g, struct kustomization *k);
/* True for a name that is more than a name. */
bool kustomize_is_pattern(const char *text);
/* Gives all objects their names and lets references follow. */
void kustomize_rename(struct workspace *w);
/* The name of O with prefix and suffix. */
const char *kustomize_name(struct workspace *w, const struct k8s_object *o);
/* N in place of O's node. */
void kustomize_replace(struct k8s_object *o, const struct node *n);

/* A change of scalars: what stands in place of VALUE under KEY in MAP, itself under ABOVE; NULL to leave it. */
struct scalar_change {
	const struct node *(*of)(const struct scalar_change *change, const struct node *map,
				 const char *above, const char *key, const struct node *value);
};
/* All scalars of O's maps; unchanged objects keep their nodes. Returns the maps and lists visited. */
size_t kustomize_change_scalars(struct workspace *w, struct k8s_object *o,
				const struct scalar_change *change);

/* --- generators (kustomize_generate.c) ----------------------------------------------------------- */

/* Hands each object that K generates to MADE. */
void kustomize_generate(struct kustomize_run *run, struct kustomization *k,
			void (*made)(void *context, struct kustomization *k, struct k8s_object *o),
			void *context);
/* What K's generators merge into O or put in place of its content. */
void kustomize_merge_generated(struct kustomize_run *run, struct kustomization *k, struct k8s_object *o);

/* --- patches (kustomize_patch.c) --------------------------------------------------------------- */

/* BASE with the strategic merge patch PATCH; new nodes lie in the arena, unchanged ones are shared. Takes its
 * steps from *LEFT; when they are used up, BASE as it is and 0 left. */
const struct node *patch_merge(struct arena *a, const struct node *base, const struct node *patch,
			       unsigned long *left);
/* BASE with one JSON 6902 operation; NULL when it does not apply, and *WHY in words. */
const struct node *patch_operate(struct arena *a, const struct node *base,
				 const struct node *operation, unsigned long *left, const char **why);
/* Parses YAML that stands as text in a scalar of IN into OUT; spans are those of the file. None when it cannot
 * be read. */
void patch_parse(struct workspace *w, const struct input *in, const struct node *scalar,
		 struct documents *out);
/* A scalar or a key TEXT in place of FORMER (may be NULL), which it keeps. */
struct node *patch_scalar(struct arena *a, const struct node *former, const char *text,
			  struct span span);

#endif

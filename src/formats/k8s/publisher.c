/* Policies that ask for a signature of images: evidence of a publisher for the pods whose images they name.
 *
 * Kyverno verifyImages (1.13) and ClusterImagePolicy of sigstore's policy controller. That a policy is
 * written does not show that it is applied; it is publisher evidence among the artifacts, no more.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/index.h"
#include "src/formats/k8s/objects.h"

#include <string.h>

/* '*' stands for any run of characters; greedy with one point to go back to. */
static bool pattern_fits(const char *pattern, const char *text)
{
	const char *star = NULL, *from = NULL;

	while (*text) {
		if (*pattern == '*') {
			star = ++pattern;
			from = text;
		} else if (*pattern == *text) {
			pattern++;
			text++;
		} else if (star) {
			pattern = star;
			text = ++from;
		} else {
			return false;
		}
	}
	return pattern[strspn(pattern, "*")] == '\0';
}

static bool names_image(const char *pattern, const struct fact *image)
{
	struct buf full = { 0 };
	const char *domain = fact_attribute(image, "registry");
	const char *path = fact_attribute(image, "repository");
	bool fits = pattern_fits(pattern, image->value);

	if (!fits && domain && path) {
		buf_printf(&full, "%s/%s", domain, path);
		fits = pattern_fits(pattern, buf_text(&full));
		buf_printf(&full, ":%s", fact_attribute(image, "tag") ? fact_attribute(image, "tag")
								      : "latest");
		fits |= pattern_fits(pattern, buf_text(&full));
	}
	buf_free(&full);
	return fits;
}

/* The following are false when there are no steps left to compare with all images. */

static bool give_row(struct k8s_world *world, const struct k8s_object *policy,
		     const struct node *pattern, struct row *r)
{
	struct snapshot *s = world->w->snapshot;
	const struct fact *image = row_first(r, FACT_IMAGE, LAYER_DECLARED);

	if (!image || row_first(r, FACT_PUBLISHER, LAYER_DECLARED))
		return true;
	/* At worst the pattern is compared from each sign of the image on. */
	if (!k8s_may_compare(world, 1 + strlen(node_text(pattern)) * strlen(image->value) / 64))
		return false;
	if (names_image(node_text(pattern), image))
		snapshot_add_fact(s, r, FACT_PUBLISHER,
				  arena_printf(&s->arena, "a signature is asked for by %s %s",
					       policy->kind, policy->name),
				  pattern->span);
	return true;
}

static bool give(struct k8s_world *world, const struct k8s_object *policy,
		 const struct node *pattern)
{
	const char *text = node_text(pattern);

	for (size_t p = 0; text && *text && p < world->pods.count; p++) {
		const struct k8s_pod *pod = world->pods.items[p];

		if (!k8s_may_compare(world, k8s_near_cost(policy)))
			return false;
		if (!k8s_near(policy, pod->object) || k8s_is_full(pod))
			continue;
		for (size_t i = 0; i < pod->rows.count; i++)
			if (!give_row(world, policy, pattern, pod->rows.items[i]))
				return false;
	}
	return true;
}

static bool give_list(struct k8s_world *world, const struct k8s_object *policy,
		      const struct node *list)
{
	for (uint32_t i = 0; i < node_count(list); i++)
		if (!give(world, policy, node_at(list, i)))
			return false;
	return true;
}

static bool read_kyverno(struct k8s_world *world, const struct k8s_object *o)
{
	const struct node *rules = k8s_seq(k8s_map(o->node, "spec"), "rules");

	for (uint32_t i = 0; i < node_count(rules); i++) {
		const struct node *checks = k8s_seq(node_at(rules, i), "verifyImages");

		for (uint32_t k = 0; k < node_count(checks); k++)
			if (!give_list(world, o, k8s_seq(node_at(checks, k), "imageReferences")))
				return false;
	}
	return true;
}

static bool read_sigstore(struct k8s_world *world, const struct k8s_object *o)
{
	const struct node *images = k8s_seq(k8s_map(o->node, "spec"), "images");

	for (uint32_t i = 0; i < node_count(images); i++)
		if (!give(world, o, k8s_get(node_at(images, i), "glob")))
			return false;
	return true;
}

static void each(struct k8s_world *world, const char *kind, const char *group,
		 bool (*read)(struct k8s_world *, const struct k8s_object *))
{
	const struct id_list *list = k8s_of_kind(world, kind);

	for (size_t i = 0; i < list->count; i++) {
		const struct k8s_object *o = world->objects.items[list->items[i]];

		if (strcmp(o->group, group) == 0 && !read(world, o))
			k8s_not_joined(world, o);
	}
}

void k8s_join_publishers(struct k8s_world *world)
{
	each(world, "ClusterPolicy", "kyverno.io", read_kyverno);
	each(world, "Policy", "kyverno.io", read_kyverno);
	each(world, "ClusterImagePolicy", "policy.sigstore.dev", read_sigstore);
}

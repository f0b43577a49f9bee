/* Base images that the tree builds itself: each stage gets what the one below it says.
 * SPDX-License-Identifier: MIT */
#include "src/formats/script/chain.h"

#define BASES 16u /* images on top of each other */

/* The stage of the same file that a stage starts from, or NULL. */
static const struct image_stage *parent_of(const struct image_file *f, const struct image_stage *stage)
{
	size_t index = (size_t)(stage - f->stages);

	if (index >= f->parsed.stage_count || f->parsed.stages[index].parent < 0)
		return NULL;
	return &f->stages[f->parsed.stages[index].parent];
}

/* What ROW starts from in the tree; *BASE is the fact that names it, NULL within one file. */
static const struct image_stage *below(struct workspace *w, struct row *r,
				       const struct image_names *names, struct fact **base)
{
	struct image_file *file;
	const struct image_stage *own = image_of_row(w, r, names, &file), *parent;

	parent = own ? parent_of(file, own) : NULL;
	*base = NULL;
	return parent ? parent : image_base_of_row(w, r, names, base);
}

struct link {
	struct row *row;
	const struct image_stage *below;
	struct fact *base;
};

static void take(struct workspace *w, const struct link *link)
{
	if (!link->below || !link->below->row)
		return;
	if (!link->base) {
		chain_take_parent(w, link->row, link->below);
		return;
	}
	snapshot_set_attribute(w->snapshot, link->base, "local", "true");
	snapshot_add_hop(w->snapshot, link->base, link->below->row->span, link->below->row->name,
			 "image");
	chain_take_image(w, link->row, link->below);
}

void chain_take_bases(struct workspace *w, const struct image_names *names)
{
	size_t count = w->snapshot->rows.count;
	bool *done = arena_array(&w->snapshot->arena, count + 1, sizeof *done);

	for (size_t i = 0; i < count; i++) {
		struct link links[BASES];
		size_t depth = 0;

		for (struct row *r = w->snapshot->rows.items[i];
		     r && depth < BASES && r->format == FORMAT_DOCKERFILE && !done[r->index];) {
			struct link *link = &links[depth++];

			done[r->index] = true;
			link->row = r;
			link->below = below(w, r, names, &link->base);
			r = link->below ? link->below->row : NULL;
		}
		while (depth)
			take(w, &links[--depth]);
	}
}

/* What a row gets from the image that is built in the tree.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "src/formats/script/chain.h"

static struct fact *own(struct row *r, enum fact_kind kind)
{
	return row_first_mutable(r, kind, LAYER_DECLARED);
}

/* Puts FROM in the place of the fact by absence OLD, or adds it; the row's own file stays in the chain. */
static struct fact *put(struct workspace *w, struct row *r, struct fact *old,
			const struct fact *from)
{
	struct fact *f = snapshot_copy_fact(w->snapshot, r, from);

	if (old)
		snapshot_replace_fact(r, old, f);
	snapshot_add_hop(w->snapshot, f, r->span, NOT_SET_HERE, "image");
	return f;
}

/* An image that says nothing either: the absence gets the Dockerfile as a second witness. */
static void deepen(struct workspace *w, struct fact *old, const struct image_stage *stage,
		   const struct fact *from)
{
	if (!old || !from)
		return;
	snapshot_add_hop(w->snapshot, old, from->span, from->value, "image");
	old->note = fact_attribute_is(from, "uid", "0")
			    ? "the image is built from scratch and sets no user: root"
		    : old->kind == FACT_USER
			    ? "neither this file nor the Dockerfile sets it: the base image's holds, "
			      "root when it has none"
			    : "neither this file nor the Dockerfile sets it: the base image decides";
	if (fact_attribute_is(from, "uid", "0"))
		snapshot_set_attribute(w->snapshot, old, "uid", "0");
	(void)stage;
}

static void take(struct workspace *w, struct row *r, enum fact_kind kind,
		 const struct image_stage *stage)
{
	struct fact *mine = own(r, kind);
	const struct fact *theirs = own(stage->row, kind), *later = theirs;

	/* Of several working directories the last holds. */
	while (kind == FACT_WORKDIR && later && (later = row_next(stage->row, later)))
		theirs = later;
	if (mine && mine->provenance != PROVENANCE_ABSENT)
		return;
	if (!theirs)
		return;
	if (theirs->provenance == PROVENANCE_ABSENT)
		deepen(w, mine, stage, theirs);
	else
		put(w, r, mine, theirs);
}

/* Ways to more rights that the image carries; without those from file EXCEPT (0: all). */
static void take_means(struct workspace *w, struct row *r, const struct image_stage *stage,
		       uint32_t except)
{
	size_t count = stage->row->facts.count;

	for (size_t i = 0; i < count; i++) {
		const struct fact *f = stage->row->facts.items[i];

		if (except && f->span.source == except)
			continue;
		if (f->kind == FACT_SETUID || f->kind == FACT_GROUP_ADD ||
		    f->kind == FACT_ENGINE_CLIENT ||
		    (f->kind == FACT_SUDO && fact_attribute_is(f, "nopasswd", "true")))
			put(w, r, NULL, f);
	}
}

static bool is_set(const struct row *r, enum fact_kind kind)
{
	const struct fact *f = row_first(r, kind, LAYER_DECLARED);

	return f && f->provenance != PROVENANCE_ABSENT;
}

void chain_take_image(struct workspace *w, struct row *r, const struct image_stage *stage)
{
	bool entry = is_set(r, FACT_ENTRYPOINT);

	if (!stage->row)
		return;
	take(w, r, FACT_USER, stage);
	/* An entry point of the row's own also empties the image's command. */
	if (!entry)
		take(w, r, FACT_COMMAND, stage);
	take(w, r, FACT_ENTRYPOINT, stage);
	take(w, r, FACT_WORKDIR, stage);
	take(w, r, FACT_PROBE, stage);
	take_means(w, r, stage, 0);
}

void chain_take_parent(struct workspace *w, struct row *r, const struct image_stage *stage)
{
	static const enum fact_kind kinds[] = { FACT_USER, FACT_COMMAND, FACT_ENTRYPOINT, FACT_PROBE };
	bool entry = is_set(r, FACT_ENTRYPOINT);

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		const struct fact *theirs = own(stage->row, kinds[i]);

		if (theirs && theirs->span.source != r->span.source &&
		    !(entry && kinds[i] == FACT_COMMAND))
			take(w, r, kinds[i], stage);
	}
	take_means(w, r, stage, r->span.source);
}

/* Scripts: those that start containers are read by themselves, those of an entry chain once every row
 * is known.
 * SPDX-License-Identifier: MIT */
#include "src/formats/script/chain.h"
#include "src/formats/script/launch.h"

/* Spare stages start nothing. */
static bool starts_something(const struct row *r)
{
	const struct fact *base;

	if (!row_is_workload(r))
		return false;
	if (r->format != FORMAT_DOCKERFILE)
		return r->kind != ROW_BUILD;
	base = row_first(r, FACT_BASE_IMAGE, LAYER_DECLARED);
	return base && !fact_attribute_is(base, "final", "false");
}

static void join(struct workspace *w)
{
	struct image_names names = image_names(w);
	size_t count = w->snapshot->rows.count;

	chain_take_bases(w, &names);
	for (size_t i = 0; i < count; i++)
		if (starts_something(w->snapshot->rows.items[i]))
			chain_follow_row(w, w->snapshot->rows.items[i], &names);
}

const struct format format_script = {
	.id = FORMAT_SCRIPT,
	.syntax = SYNTAX_TEXT,
	.claims = launch_claims,
	.interested = launch_interested,
	.read = launch_read,
	.join = join,
};

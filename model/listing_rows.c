/* The columns of the inventory.
 * SPDX-License-Identifier: MIT */
#include "model/listing_columns.h"

#include <string.h>

#include "model/secret.h"

static const struct row *row_at(const struct listing *l, size_t item)
{
	return l->match->workloads[item];
}

void listing_row_number(const struct listing *l, size_t item, struct buf *out)
{
	(void)l;
	buf_printf(out, "R-%02zu", item + 1);
}

long listing_item_order(const struct listing *l, size_t item)
{
	(void)l;
	return (long)item;
}

void listing_row_name(const struct listing *l, size_t item, struct buf *out)
{
	const struct row *row = row_at(l, item);

	if (*row->unit && strcmp(row->unit, row->name) != 0)
		buf_printf(out, "%s/", row->unit);
	buf_puts(out, row->name);
}

static void row_kind(const struct listing *l, size_t item, struct buf *out)
{
	buf_puts(out, row_kind_names[row_at(l, item)->kind]);
}

static void row_role(const struct listing *l, size_t item, struct buf *out)
{
	const struct row *row = row_at(l, item);
	const char *said = l->match->review ? review_role(l->match->review, row->key) : NULL;

	buf_puts(out, said ? said : row_role_names[row->role]);
}

/* Who says so: a person, or the program with its ground. */
static void row_role_by(const struct listing *l, size_t item, struct buf *out)
{
	const struct row *row = row_at(l, item);

	if (l->match->review && review_role(l->match->review, row->key))
		buf_puts(out, "reviewer");
	else if (row->role != ROLE_UNKNOWN)
		buf_printf(out, "proposed: %s", row->role_reason ? row->role_reason : "");
}

static void row_image(const struct listing *l, size_t item, struct buf *out)
{
	const struct fact *f = row_first(row_at(l, item), FACT_IMAGE, LAYER_DECLARED);

	if (!f)
		f = row_first(row_at(l, item), FACT_BASE_IMAGE, LAYER_DECLARED);
	if (f)
		secret_redact(out, f->value, strlen(f->value));
}

static void row_findings(const struct listing *l, size_t item, struct buf *out)
{
	const struct row_tally *t = &l->match->tallies[item];
	size_t start = out->length;

	for (unsigned i = 0; i < SEVERITY_COUNT; i++)
		if (t->findings[i])
			buf_printf(out, "%s%c%zu", out->length > start ? " " : "",
				   severity_letters[i], t->findings[i]);
}

static long row_findings_order(const struct listing *l, size_t item)
{
	const struct row_tally *t = &l->match->tallies[item];
	long order = 0;

	for (unsigned i = 0; i < SEVERITY_COUNT; i++)
		order = order * 1000 - (long)(t->findings[i] > 999 ? 999 : t->findings[i]);
	return order;
}

static void row_confirmed(const struct listing *l, size_t item, struct buf *out)
{
	buf_printf(out, "%zu/%d", l->match->tallies[item].confirmed, FIELD_COUNT);
}

static long row_confirmed_order(const struct listing *l, size_t item)
{
	return (long)l->match->tallies[item].confirmed;
}

static void row_path(const struct listing *l, size_t item, struct buf *out)
{
	const struct row *row = row_at(l, item);

	if (span_is_set(row->span)) /* a base's container is of the overlay that lists it */
		listing_place(listing_world(l), row->span, false, out);
	else
		buf_puts(out, listing_world(l)->artifacts.items[row->artifact]->path);
}

static void row_line(const struct listing *l, size_t item, struct buf *out)
{
	listing_place(listing_world(l), row_at(l, item)->span, true, out);
}

static long row_line_order(const struct listing *l, size_t item)
{
	return (long)snapshot_line(listing_world(l), row_at(l, item)->span);
}

static void row_parent(const struct listing *l, size_t item, struct buf *out)
{
	const struct row *row = row_at(l, item);
	size_t parent = SIZE_MAX;

	if (row->parent)
		parent = match_workload(l->match,
					listing_world(l)->rows.items[row->parent - 1]);

	if (parent != SIZE_MAX)
		listing_row_number(l, parent, out);
}

static void row_task(const struct listing *l, size_t item, struct buf *out)
{
	const char *task = l->match->review
				   ? review_task(l->match->review, row_at(l, item)->key)
				   : NULL;

	buf_puts(out, task ? task : "");
}

static void row_state(const struct listing *l, size_t item, struct buf *out)
{
	const struct row *row = row_at(l, item);

	if (row->activity == ROW_ACTIVE)
		buf_puts(out, "active");
	else if (row->activity_reason)
		buf_puts(out, row->activity_reason);
	else
		buf_puts(out, row->activity == ROW_DISABLED ? "disabled" : "conditional");
}

static void row_level(const struct listing *l, size_t item, struct buf *out)
{
	const struct pod_security *p = row_at(l, item)->pod_security;

	buf_puts(out, p ? p->level : "");
}

static void row_class(const struct listing *l, size_t item, struct buf *out)
{
	const struct artifact *a = listing_world(l)->artifacts.items[row_at(l, item)->artifact];

	buf_puts(out, artifact_class_names[a->class]);
}

static void row_key(const struct listing *l, size_t item, struct buf *out)
{
	buf_puts(out, row_at(l, item)->key);
}

static const struct listing_column inventory_columns[] = {
	{ "id", 5, 4, .text = listing_row_number, .number = listing_item_order },
	{ "name", 24, 1, .text = listing_row_name },
	{ "kind", 10, 3, .text = row_kind },
	{ "role", 10, 3, .text = row_role },
	{ "findings", 12, 2, .text = row_findings, .number = row_findings_order },
	{ "confirmed", 9, 5, .right = true, .text = row_confirmed, .number = row_confirmed_order },
	{ "path", 0, 2, .is_path = true, .text = row_path },
	{ "line", 5, 2, .right = true, .text = row_line, .number = row_line_order },
	{ "parent", 6, 6, .text = row_parent },
	{ "image", 0, 0, .text = row_image },
	{ "state", 0, 0, .text = row_state },
	{ "class", 0, 0, .text = row_class },
	{ "pod_security", 0, 0, .text = row_level },
	{ "task", 0, 0, .text = row_task },
	{ "key", 0, 0, .text = row_key },
	{ "role_by", 0, 0, .text = row_role_by },
};

const struct listing_info listing_inventory = {
	.name = "inventory",
	.items = "workloads",
	LISTING_COLUMNS(inventory_columns),
};

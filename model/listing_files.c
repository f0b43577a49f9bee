/* The columns of the files: all that were seen, and those not read in full.
 * SPDX-License-Identifier: MIT */
#include "model/listing_columns.h"

static const struct artifact *artifact_at(const struct listing *l, size_t item)
{
	return listing_world(l)->artifacts.items[item];
}

static void artifact_number(const struct listing *l, size_t item, struct buf *out)
{
	buf_printf(out, "A%u", l->match->artifact_numbers[item]);
}

static long artifact_order(const struct listing *l, size_t item)
{
	return (long)l->match->artifact_numbers[item];
}

static void artifact_path(const struct listing *l, size_t item, struct buf *out)
{
	buf_puts(out, artifact_at(l, item)->path);
}

static void artifact_format(const struct listing *l, size_t item, struct buf *out)
{
	buf_puts(out, format_table[artifact_at(l, item)->format].name);
}

static void artifact_class(const struct listing *l, size_t item, struct buf *out)
{
	buf_puts(out, artifact_class_names[artifact_at(l, item)->class]);
}

static void artifact_state(const struct listing *l, size_t item, struct buf *out)
{
	buf_puts(out, artifact_state_names[artifact_at(l, item)->state]);
}

static long artifact_state_order(const struct listing *l, size_t item)
{
	return (long)artifact_at(l, item)->state;
}

static void artifact_reason(const struct listing *l, size_t item, struct buf *out)
{
	buf_puts(out, artifact_at(l, item)->reason ? artifact_at(l, item)->reason : "");
}

static void artifact_problems(const struct listing *l, size_t item, struct buf *out)
{
	const struct artifact *a = artifact_at(l, item);

	if (a->problems.count)
		buf_printf(out, "%zu", a->problems.count + a->problems.dropped);
}

static long artifact_problems_order(const struct listing *l, size_t item)
{
	const struct artifact *a = artifact_at(l, item);

	return -(long)(a->problems.count + a->problems.dropped);
}

static void artifact_first_problem(const struct listing *l, size_t item, struct buf *out)
{
	const struct artifact *a = artifact_at(l, item);

	if (a->problems.count)
		buf_printf(out, "line %u: %s", snapshot_line(listing_world(l), a->problems.items[0].span),
			   a->problems.items[0].message);
}

static void artifact_digest(const struct listing *l, size_t item, struct buf *out)
{
	char hex[DIGEST_HEX];

	if (!artifact_at(l, item)->has_digest)
		return;
	digest_hex(artifact_at(l, item)->sha256, hex);
	buf_puts(out, hex);
}

static void artifact_bytes(const struct listing *l, size_t item, struct buf *out)
{
	buf_printf(out, "%llu", (unsigned long long)artifact_at(l, item)->bytes);
}

static long artifact_bytes_order(const struct listing *l, size_t item)
{
	return (long)artifact_at(l, item)->bytes;
}

static void artifact_captured(const struct listing *l, size_t item, struct buf *out)
{
	buf_puts(out, artifact_at(l, item)->captured_at ? artifact_at(l, item)->captured_at : "");
}

static const struct listing_column artifact_columns[] = {
	{ "id", 5, 4, .text = artifact_number, .number = artifact_order },
	{ "path", 0, 1, .is_path = true, .text = artifact_path },
	{ "format", 14, 2, .text = artifact_format },
	{ "class", 9, 3, .text = artifact_class },
	{ "state", 12, 1, .text = artifact_state, .number = artifact_state_order },
	{ "reason", 0, 4, .text = artifact_reason },
	{ "problems", 0, 0, .right = true, .text = artifact_problems,
	  .number = artifact_problems_order },
	{ "bytes", 0, 0, .right = true, .text = artifact_bytes, .number = artifact_bytes_order },
	{ "captured", 0, 0, .text = artifact_captured },
	{ "sha256", 0, 0, .text = artifact_digest },
};

static const struct listing_column coverage_columns[] = {
	{ "state", 12, 1, .text = artifact_state, .number = artifact_state_order },
	{ "path", 0, 1, .is_path = true, .text = artifact_path },
	{ "format", 14, 4, .text = artifact_format },
	{ "reason", 0, 2, .text = artifact_reason },
	{ "problems", 8, 3, .right = true, .text = artifact_problems,
	  .number = artifact_problems_order },
	{ "first", 0, 4, .text = artifact_first_problem },
	{ "id", 0, 0, .text = artifact_number, .number = artifact_order },
};

const struct listing_info listing_coverage = {
	.name = "coverage",
	.items = "files not read in full",
	LISTING_COLUMNS(coverage_columns),
};
const struct listing_info listing_artifacts = {
	.name = "artifacts",
	.items = "files",
	LISTING_COLUMNS(artifact_columns),
};

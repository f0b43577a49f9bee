/* The columns of the findings.
 * SPDX-License-Identifier: MIT */
#include "model/listing_columns.h"

#include <string.h>

#include "model/secret.h"

static const struct matched_finding *finding_at(const struct listing *l, size_t item)
{
	return &l->match->findings[item];
}

static void finding_number(const struct listing *l, size_t item, struct buf *out)
{
	(void)l;
	buf_printf(out, "F-%02zu", item + 1);
}

static void finding_severity_text(const struct listing *l, size_t item, struct buf *out)
{
	buf_puts(out, severity_names[finding_at(l, item)->severity]);
}

static long finding_severity_order(const struct listing *l, size_t item)
{
	return (long)finding_at(l, item)->severity;
}

static void finding_rule(const struct listing *l, size_t item, struct buf *out)
{
	buf_puts(out, finding_at(l, item)->finding->rule->slug);
}

static void finding_row(const struct listing *l, size_t item, struct buf *out)
{
	const struct finding *f = finding_at(l, item)->finding;

	buf_puts(out, f->row->name);
	if (f->row_count > 1)
		buf_printf(out, " +%zu", f->row_count - 1);
}

static void finding_field(const struct listing *l, size_t item, struct buf *out)
{
	buf_puts(out, field_table[finding_at(l, item)->finding->rule->field].slug);
}

static void finding_evidence(const struct listing *l, size_t item, struct buf *out)
{
	buf_puts(out, evidence_names[finding_at(l, item)->finding->evidence]);
}

static void finding_confidence(const struct listing *l, size_t item, struct buf *out)
{
	buf_puts(out, confidence_names[finding_at(l, item)->finding->confidence]);
}

static void finding_disposition(const struct listing *l, size_t item, struct buf *out)
{
	const struct matched_finding *f = finding_at(l, item);

	buf_puts(out, disposition_names[f->disposition]);
	if (f->changed || f->expired)
		buf_puts(out, f->expired ? " (expired)" : " (changed)");
}

static void finding_path(const struct listing *l, size_t item, struct buf *out)
{
	listing_place(listing_world(l), finding_at(l, item)->finding->citations[0].span, false, out);
}

static void finding_line(const struct listing *l, size_t item, struct buf *out)
{
	listing_place(listing_world(l), finding_at(l, item)->finding->citations[0].span, true, out);
}

static long finding_line_order(const struct listing *l, size_t item)
{
	return (long)snapshot_line(listing_world(l), finding_at(l, item)->finding->citations[0].span);
}

static void finding_message(const struct listing *l, size_t item, struct buf *out)
{
	const char *message = finding_at(l, item)->finding->message;

	secret_redact_prose(out, message, strlen(message));
}

static void finding_concepts(const struct listing *l, size_t item, struct buf *out)
{
	buf_puts(out, finding_at(l, item)->finding->concepts);
}

static void finding_row_key(const struct listing *l, size_t item, struct buf *out)
{
	const struct finding *f = finding_at(l, item)->finding;

	for (size_t i = 0; i < f->row_count; i++)
		buf_printf(out, "%s%s", i ? " " : "", f->rows[i]->key);
}

static void finding_key(const struct listing *l, size_t item, struct buf *out)
{
	buf_puts(out, finding_at(l, item)->finding->id);
}

static const struct listing_column finding_columns[] = {
	{ "id", 5, 5, .text = finding_number, .number = listing_item_order },
	{ "severity", 8, 1, .text = finding_severity_text, .number = finding_severity_order },
	{ "rule", 26, 1, .text = finding_rule },
	{ "row", 16, 3, .text = finding_row },
	{ "evidence", 8, 3, .text = finding_evidence },
	{ "disposition", 12, 2, .text = finding_disposition },
	{ "path", 0, 2, .is_path = true, .text = finding_path },
	{ "line", 5, 2, .right = true, .text = finding_line, .number = finding_line_order },
	{ "message", 0, 4, .text = finding_message },
	{ "field", 0, 0, .text = finding_field },
	{ "confidence", 0, 0, .text = finding_confidence },
	{ "concepts", 0, 0, .text = finding_concepts },
	{ "row_key", 0, 0, .text = finding_row_key },
	{ "key", 0, 0, .text = finding_key },
};

const struct listing_info listing_findings = {
	.name = "findings",
	.items = "findings",
	LISTING_COLUMNS(finding_columns),
};

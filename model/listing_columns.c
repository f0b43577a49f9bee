/* The columns of every listing.
 * SPDX-License-Identifier: MIT */
#include "model/listing.h"

#include <stdio.h>
#include <string.h>

#include "model/secret.h"

#define COLUMNS(table) .columns = (table), .column_count = sizeof(table) / sizeof *(table)

static const struct snapshot *world(const struct listing *l)
{
	return l->match->snapshot;
}

static void add_place(const struct snapshot *s, struct span span, bool line, struct buf *out)
{
	if (!line)
		buf_puts(out, snapshot_path(s, span));
	else if (span_is_set(span))
		buf_printf(out, "%u", snapshot_line(s, span));
}

/* --- inventory ---------------------------------------------------------------------------------- */

static const struct row *row_at(const struct listing *l, size_t item)
{
	return l->match->workloads[item];
}

static void row_number(const struct listing *l, size_t item, struct buf *out)
{
	(void)l;
	buf_printf(out, "R-%02zu", item + 1);
}

static long row_order(const struct listing *l, size_t item)
{
	(void)l;
	return (long)item;
}

static void row_name(const struct listing *l, size_t item, struct buf *out)
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
	buf_puts(out, world(l)->artifacts.items[row_at(l, item)->artifact]->path);
}

static void row_line(const struct listing *l, size_t item, struct buf *out)
{
	add_place(world(l), row_at(l, item)->span, true, out);
}

static long row_line_order(const struct listing *l, size_t item)
{
	return (long)snapshot_line(world(l), row_at(l, item)->span);
}

static void row_parent(const struct listing *l, size_t item, struct buf *out)
{
	const struct row *row = row_at(l, item);
	size_t parent = row->parent ? match_workload(l->match, world(l)->rows.items[row->parent - 1])
				    : SIZE_MAX;

	if (parent != SIZE_MAX)
		row_number(l, parent, out);
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
	const struct artifact *a = world(l)->artifacts.items[row_at(l, item)->artifact];

	buf_puts(out, artifact_class_names[a->class]);
}

static void row_key(const struct listing *l, size_t item, struct buf *out)
{
	buf_puts(out, row_at(l, item)->key);
}

static const struct listing_column inventory_columns[] = {
	{ "id", 5, 4, .text = row_number, .number = row_order },
	{ "name", 24, 1, .text = row_name },
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

/* --- boundary map ------------------------------------------------------------------------------- */

static const struct matched_cell *cell_at(const struct listing *l, size_t item)
{
	return &l->match->cells[item];
}

static void map_id(const struct listing *l, size_t item, struct buf *out)
{
	row_number(l, item / FIELD_COUNT, out);
}

static void map_row(const struct listing *l, size_t item, struct buf *out)
{
	row_name(l, item / FIELD_COUNT, out);
}

static void map_field(const struct listing *l, size_t item, struct buf *out)
{
	buf_puts(out, field_table[cell_at(l, item)->cell.field].slug);
}

static void map_declared(const struct listing *l, size_t item, struct buf *out)
{
	const struct cell *c = &cell_at(l, item)->cell;

	cell_declared(world(l), c->row, c->field, out);
}

static void map_observed(const struct listing *l, size_t item, struct buf *out)
{
	const struct cell *c = &cell_at(l, item)->cell;

	cell_observed(world(l), c->row, c->field, out);
}

void listing_mark(const struct matched_cell *c, struct buf *out)
{
	char letter = mark_letters[c->marked ? c->marked->mark : c->cell.mark];

	buf_putc(out, c->marked ? letter : (char)(letter | 0x20));
	if (c->freshness == FRESH_STALE)
		buf_putc(out, '~');
	if (c->cell.conflict)
		buf_putc(out, '!');
	if (c->marked && c->marked->disputed)
		buf_putc(out, '?');
}

static void map_mark(const struct listing *l, size_t item, struct buf *out)
{
	listing_mark(cell_at(l, item), out);
}

static long map_mark_order(const struct listing *l, size_t item)
{
	const struct matched_cell *c = cell_at(l, item);

	return (long)c->effective * 2 - (c->marked ? 1 : 0);
}

static void map_evidence(const struct listing *l, size_t item, struct buf *out)
{
	const struct matched_cell *c = cell_at(l, item);

	buf_puts(out, mark_names[c->marked ? c->marked->mark : c->cell.mark]);
	if (!c->marked)
		buf_printf(out, " %s, proposed", c->cell.sub);
	if (c->freshness == FRESH_STALE)
		buf_puts(out, ", stale");
	if (c->cell.conflict)
		buf_puts(out, ", conflict");
	if (c->marked && c->marked->disputed)
		buf_puts(out, ", disputed");
}

static void map_worst(const struct listing *l, size_t item, struct buf *out)
{
	enum severity worst = cell_at(l, item)->worst;

	buf_puts(out, worst < SEVERITY_COUNT ? severity_names[worst] : "");
}

static long map_worst_order(const struct listing *l, size_t item)
{
	return (long)cell_at(l, item)->worst;
}

static struct span cell_place(const struct cell *c)
{
	const struct fact *f = cell_next(c->row, c->field, NULL);

	return f && span_is_set(f->span) ? f->span : c->row->span;
}

static void map_path(const struct listing *l, size_t item, struct buf *out)
{
	add_place(world(l), cell_place(&cell_at(l, item)->cell), false, out);
}

static void map_line(const struct listing *l, size_t item, struct buf *out)
{
	add_place(world(l), cell_place(&cell_at(l, item)->cell), true, out);
}

static void map_by(const struct listing *l, size_t item, struct buf *out)
{
	buf_puts(out, cell_at(l, item)->marked ? cell_at(l, item)->marked->who : "");
}

static void map_note(const struct listing *l, size_t item, struct buf *out)
{
	buf_puts(out, cell_at(l, item)->marked ? cell_at(l, item)->marked->note : "");
}

static void map_basis(const struct listing *l, size_t item, struct buf *out)
{
	buf_puts(out, cell_at(l, item)->marked ? cell_at(l, item)->marked->basis : "");
}

static void map_key(const struct listing *l, size_t item, struct buf *out)
{
	const struct cell *c = &cell_at(l, item)->cell;

	buf_printf(out, "%s:%s", c->row->key, field_table[c->field].slug);
}

static const struct listing_column map_columns[] = {
	{ "id", 5, 5, .text = map_id },
	{ "row", 20, 4, .text = map_row },
	{ "field", 16, 1, .text = map_field },
	{ "mark", 4, 1, .text = map_mark, .number = map_mark_order },
	{ "worst", 8, 3, .text = map_worst, .number = map_worst_order },
	{ "declared", 0, 2, .text = map_declared },
	{ "observed", 0, 4, .text = map_observed },
	{ "evidence", 0, 0, .text = map_evidence },
	{ "path", 0, 0, .is_path = true, .text = map_path },
	{ "line", 0, 0, .right = true, .text = map_line },
	{ "by", 0, 0, .text = map_by },
	{ "basis", 0, 0, .text = map_basis },
	{ "note", 0, 0, .text = map_note },
	{ "key", 0, 0, .text = map_key },
};

/* --- findings ----------------------------------------------------------------------------------- */

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
	add_place(world(l), finding_at(l, item)->finding->citations[0].span, false, out);
}

static void finding_line(const struct listing *l, size_t item, struct buf *out)
{
	add_place(world(l), finding_at(l, item)->finding->citations[0].span, true, out);
}

static long finding_line_order(const struct listing *l, size_t item)
{
	return (long)snapshot_line(world(l), finding_at(l, item)->finding->citations[0].span);
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
	{ "id", 5, 5, .text = finding_number, .number = row_order },
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

/* --- files -------------------------------------------------------------------------------------- */

static const struct artifact *artifact_at(const struct listing *l, size_t item)
{
	return world(l)->artifacts.items[item];
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
		buf_printf(out, "line %u: %s", snapshot_line(world(l), a->problems.items[0].span),
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

/* --- paths -------------------------------------------------------------------------------------- */

static const struct path *path_at(const struct listing *l, size_t item)
{
	return &l->match->paths.items[item];
}

static void path_row(const struct listing *l, size_t item, struct buf *out)
{
	row_number(l, match_workload(l->match, path_at(l, item)->from), out);
}

static long path_row_order(const struct listing *l, size_t item)
{
	return (long)match_workload(l->match, path_at(l, item)->from);
}

static void path_from(const struct listing *l, size_t item, struct buf *out)
{
	row_name(l, match_workload(l->match, path_at(l, item)->from), out);
}

static void path_to(const struct listing *l, size_t item, struct buf *out)
{
	(void)l;
	buf_puts(out, reach_target_names[path_at(l, item)->to]);
}

static void path_weakest(const struct listing *l, size_t item, struct buf *out)
{
	buf_puts(out, evidence_names[path_at(l, item)->weakest]);
}

static void path_rules(const struct listing *l, size_t item, struct buf *out)
{
	path_via(path_at(l, item), out);
}

static const struct finding *first_hop(const struct listing *l, size_t item)
{
	return path_at(l, item)->hops.items[0];
}

static void path_file(const struct listing *l, size_t item, struct buf *out)
{
	buf_puts(out, snapshot_path(world(l), first_hop(l, item)->citations[0].span));
}

static void path_line(const struct listing *l, size_t item, struct buf *out)
{
	add_place(world(l), first_hop(l, item)->citations[0].span, true, out);
}

static const struct listing_column path_columns[] = {
	{ "row", 5, 2, .text = path_row, .number = path_row_order },
	{ "from", 20, 1, .text = path_from },
	{ "to", 24, 1, .text = path_to },
	{ "weakest", 11, 3, .text = path_weakest },
	{ "via", 0, 1, .text = path_rules },
	{ "path", 0, 2, .is_path = true, .text = path_file },
	{ "line", 5, 2, .right = true, .text = path_line },
};

const struct listing_info listing_table[LISTING_KIND_COUNT] = {
	[LISTING_INVENTORY] = { "inventory", "workloads", COLUMNS(inventory_columns) },
	[LISTING_MAP] = { "map", "cells", COLUMNS(map_columns) },
	[LISTING_FINDINGS] = { "findings", "findings", COLUMNS(finding_columns) },
	[LISTING_PATHS] = { "paths", "paths", COLUMNS(path_columns) },
	[LISTING_COVERAGE] = { "coverage", "files not read in full", COLUMNS(coverage_columns) },
	[LISTING_ARTIFACTS] = { "artifacts", "files", COLUMNS(artifact_columns) },
};

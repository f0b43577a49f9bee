/* Rows and cells of the JSON report.
 * SPDX-License-Identifier: MIT */
#include "src/report/json_internal.h"

#include <string.h>

static void put_hops(struct json *j, const struct fact *f)
{
	json_put_key(j->out, "via");
	json_put_open(j->out, '[');
	for (uint32_t i = 0; i < f->via_count; i++) {
		json_put_open(j->out, '{');
		json_place(j, f->via[i].span);
		json_put_member(j->out, "role", f->via[i].role);
		json_text(j, "value", f->via[i].value);
		json_put_close(j->out, '}');
	}
	json_put_close(j->out, ']');
}

static void put_fact(struct json *j, const struct fact *f)
{
	json_put_open(j->out, '{');
	json_put_member(j->out, "name", fact_kind_table[f->kind].name);
	json_text(j, "value", f->value);
	json_put_member(j->out, "provenance", provenance_names[f->provenance]);
	json_place(j, f->span);
	json_put_member_number(j->out, "column", snapshot_column(j->report->snapshot, f->span));
	if (f->attribute_count) {
		json_put_key(j->out, "attributes");
		json_put_open(j->out, '{');
		for (uint32_t i = 0; i < f->attribute_count; i++)
			json_text(j, f->attributes[i].name, f->attributes[i].value);
		json_put_close(j->out, '}');
	}
	put_hops(j, f);
	if (f->note)
		json_prose(j, "note", f->note);
	json_put_close(j->out, '}');
}

static void put_facts(struct json *j, const struct matched_cell *c, enum layer layer)
{
	const struct row *row = c->cell.row;
	const struct fact *f;

	json_put_key(j->out, "facts");
	json_put_open(j->out, '[');
	for (f = cell_next(row, c->cell.field, NULL); f; f = cell_next(row, c->cell.field, f))
		if (f->layer == layer)
			put_fact(j, f);
	json_put_close(j->out, ']');
}

static void put_overlays(struct buf *out, const struct matched_cell *c)
{
	json_put_key(out, "overlays");
	json_put_open(out, '[');
	if (!c->marked)
		json_put_string(out, "proposed");
	if (c->freshness == FRESH_STALE)
		json_put_string(out, "stale");
	if (c->cell.conflict)
		json_put_string(out, "conflict");
	if (c->marked && c->marked->disputed)
		json_put_string(out, "disputed");
	json_put_close(out, ']');
}

static void put_observed(struct json *j, const struct matched_cell *c)
{
	const struct artifact *export = shared_export(j->report, c->cell.row, c->cell.field);

	json_put_key(j->out, "observed");
	json_put_open(j->out, '{');
	buf_clear(&j->text);
	cell_observed_raw(c->cell.row, c->cell.field, &j->text);
	json_prose(j, "value", buf_text(&j->text));
	if (export)
		json_put_member(j->out, "artifact", shared_path(export->path));
	if (export && export->captured_at)
		json_put_member(j->out, "captured_at", export->captured_at);
	if (export && export->target)
		json_put_member(j->out, "target", export->target);
	put_facts(j, c, LAYER_OBSERVED);
	json_put_close(j->out, '}');
}

static void put_cell(struct json *j, const struct matched_cell *c)
{
	json_put_key(j->out, field_table[c->cell.field].slug);
	json_put_open(j->out, '{');
	json_put_member(j->out, "mark", mark_names[shared_mark(c)]);
	json_put_member(j->out, "sub", shared_sub(j->report, c));
	buf_clear(&j->text);
	cell_declared_raw(j->report->snapshot, c->cell.row, c->cell.field, &j->text);
	json_prose(j, "value", buf_text(&j->text));
	if (!c->cell.applicable)
		json_put_member_bool(j->out, "applicable", false);
	put_overlays(j->out, c);
	put_facts(j, c, LAYER_DECLARED);
	if (c->cell.has_observed)
		put_observed(j, c);
	json_put_member(j->out, "marked_by", c->marked ? c->marked->who : NULL);
	json_put_member(j->out, "marked_at", c->marked ? c->marked->when : NULL);
	json_member_or_null(j->out, "note", c->marked ? c->marked->note : NULL);
	if (c->marked && *c->marked->basis)
		json_put_member(j->out, "basis", c->marked->basis);
	json_put_close(j->out, '}');
}

static void put_pod_security(struct json *j, const struct pod_security *p)
{
	json_put_key(j->out, "pod_security");
	json_put_open(j->out, '{');
	json_put_member(j->out, "version", p->version);
	json_put_member_bool(j->out, "version_assumed", p->version_assumed);
	json_put_member(j->out, "level", p->level);
	json_put_key(j->out, "violations");
	json_put_open(j->out, '[');
	for (size_t i = 0; i < p->count; i++) {
		json_put_open(j->out, '{');
		json_put_member(j->out, "check", p->violations[i].check);
		json_put_member(j->out, "level", p->violations[i].level);
		json_place(j, p->violations[i].span);
		json_put_close(j->out, '}');
	}
	json_put_close(j->out, ']');
	json_put_close(j->out, '}');
}

static const char *image_of(const struct row *row)
{
	const struct fact *f = row_first(row, FACT_IMAGE, LAYER_DECLARED);

	if (!f)
		f = row_first(row, FACT_IMAGE, LAYER_OBSERVED);
	return f && *f->value ? f->value : NULL;
}

static void put_relations(struct json *j, const struct row *row)
{
	json_put_member(j->out, "parent",
			row->parent ? j->report->snapshot->rows.items[row->parent - 1]->key : NULL);
	json_put_member(j->out, "role", shared_role(j->report, row));
	json_put_member(j->out, "role_reason",
			review_role(j->report->review, row->key) ? NULL : row->role_reason);
	json_put_member(j->out, "task", review_task(j->report->review, row->key));
	json_text(j, "image", image_of(row));
	json_put_key(j->out, "shares_with");
	json_put_open(j->out, '[');
	for (size_t i = 0; i < row->shares_with.count; i++)
		json_put_string(j->out, j->report->snapshot->rows.items[row->shares_with.items[i]]->key);
	json_put_close(j->out, ']');
}

static void put_head(struct json *j, const struct row *row)
{
	const struct snapshot *world = j->report->snapshot;
	const struct artifact *a = world->artifacts.items[row->artifact];
	const char *path = span_is_set(row->span) ? snapshot_path(world, row->span) : a->path;

	json_put_member(j->out, "key", row->key);
	json_put_member(j->out, "name", row->name);
	json_put_member(j->out, "unit", row->unit);
	json_put_member(j->out, "kind", row_kind_names[row->kind]);
	json_put_member(j->out, "object_kind", row->object_kind);
	json_put_member(j->out, "namespace", row->namespace);
	json_put_member(j->out, "format", format_table[row->format].name);
	json_put_member(j->out, "path", shared_path(path));
	json_put_member_number(j->out, "line", snapshot_line(world, row->span));
	if (row->activity != ROW_ACTIVE)
		json_prose(j, "activity", row->activity_reason ? row->activity_reason
					     : row->activity == ROW_DISABLED ? "disabled"
									     : "conditional");
}

static void put_row(struct json *j, size_t workload)
{
	const struct row *row = j->report->match->workloads[workload];

	json_put_open(j->out, '{');
	put_head(j, row);
	put_relations(j, row);
	if (row->export_note)
		json_prose(j, "export_note", row->export_note);
	if (row->pod_security)
		put_pod_security(j, row->pod_security);
	json_put_key(j->out, "cells");
	json_put_open(j->out, '{');
	for (unsigned field = 0; field < FIELD_COUNT; field++)
		put_cell(j, match_cell(j->report->match, workload, (enum field)field));
	json_put_close(j->out, '}');
	json_put_close(j->out, '}');
}

/* Objects without a workload (RBAC, policies, daemon settings), to which findings may belong. */
static void put_object(struct json *j, const struct row *row)
{
	json_put_open(j->out, '{');
	put_head(j, row);
	json_put_close(j->out, '}');
}

void json_rows(struct json *j)
{
	json_put_key(j->out, "rows");
	json_put_open(j->out, '[');
	for (size_t i = 0; i < j->report->match->workload_count; i++)
		put_row(j, i);
	json_put_close(j->out, ']');
	json_put_key(j->out, "objects");
	json_put_open(j->out, '[');
	for (size_t i = 0; i < j->report->snapshot->rows.count; i++)
		if (!row_is_workload(j->report->snapshot->rows.items[i]))
			put_object(j, j->report->snapshot->rows.items[i]);
	json_put_close(j->out, ']');
}

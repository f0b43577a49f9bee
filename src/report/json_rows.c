/* Rows and cells of the JSON report.
 * SPDX-License-Identifier: MIT */
#include "src/report/json_internal.h"

#include <string.h>

static void put_hops(const struct report *r, struct buf *out, const struct fact *f)
{
	json_put_key(out, "via");
	json_put_open(out, '[');
	for (uint32_t i = 0; i < f->via_count; i++) {
		json_put_open(out, '{');
		json_place(r, out, f->via[i].span);
		json_put_member(out, "role", f->via[i].role);
		json_text(out, "value", f->via[i].value);
		json_put_close(out, '}');
	}
	json_put_close(out, ']');
}

static void put_fact(const struct report *r, struct buf *out, const struct fact *f)
{
	json_put_open(out, '{');
	json_put_member(out, "name", fact_kind_table[f->kind].name);
	json_text(out, "value", f->value);
	json_put_member(out, "provenance", provenance_names[f->provenance]);
	json_place(r, out, f->span);
	json_put_member_number(out, "column", snapshot_column(r->snapshot, f->span));
	if (f->attribute_count) {
		json_put_key(out, "attributes");
		json_put_open(out, '{');
		for (uint32_t i = 0; i < f->attribute_count; i++)
			json_text(out, f->attributes[i].name, f->attributes[i].value);
		json_put_close(out, '}');
	}
	put_hops(r, out, f);
	if (f->note)
		json_prose(out, "note", f->note);
	json_put_close(out, '}');
}

static void put_facts(const struct report *r, struct buf *out, const struct matched_cell *c,
		      enum layer layer)
{
	const struct row *row = c->cell.row;
	const struct fact *f;

	json_put_key(out, "facts");
	json_put_open(out, '[');
	for (f = cell_next(row, c->cell.field, NULL); f; f = cell_next(row, c->cell.field, f))
		if (f->layer == layer)
			put_fact(r, out, f);
	json_put_close(out, ']');
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

static void put_observed(const struct report *r, struct buf *out, const struct matched_cell *c,
			 struct buf *text)
{
	const struct artifact *export = shared_export(r, c->cell.row, c->cell.field);

	json_put_key(out, "observed");
	json_put_open(out, '{');
	buf_clear(text);
	cell_observed(r->snapshot, c->cell.row, c->cell.field, text);
	json_put_member(out, "value", buf_text(text));
	if (export)
		json_put_member(out, "artifact", shared_path(export->path));
	if (export && export->captured_at)
		json_put_member(out, "captured_at", export->captured_at);
	if (export && export->target)
		json_put_member(out, "target", export->target);
	put_facts(r, out, c, LAYER_OBSERVED);
	json_put_close(out, '}');
}

static void put_cell(const struct report *r, struct buf *out, const struct matched_cell *c,
		     struct buf *text)
{
	json_put_key(out, field_table[c->cell.field].slug);
	json_put_open(out, '{');
	json_put_member(out, "mark", mark_names[shared_mark(c)]);
	json_put_member(out, "sub", shared_sub(r, c));
	buf_clear(text);
	cell_declared(r->snapshot, c->cell.row, c->cell.field, text);
	json_put_member(out, "value", buf_text(text));
	if (!c->cell.applicable)
		json_put_member_bool(out, "applicable", false);
	put_overlays(out, c);
	put_facts(r, out, c, LAYER_DECLARED);
	if (c->cell.has_observed)
		put_observed(r, out, c, text);
	json_put_member(out, "marked_by", c->marked ? c->marked->who : NULL);
	json_put_member(out, "marked_at", c->marked ? c->marked->when : NULL);
	json_member_or_null(out, "note", c->marked ? c->marked->note : NULL);
	if (c->marked && *c->marked->basis)
		json_put_member(out, "basis", c->marked->basis);
	json_put_close(out, '}');
}

static void put_pod_security(const struct report *r, struct buf *out,
			     const struct pod_security *p)
{
	json_put_key(out, "pod_security");
	json_put_open(out, '{');
	json_put_member(out, "version", p->version);
	json_put_member_bool(out, "version_assumed", p->version_assumed);
	json_put_member(out, "level", p->level);
	json_put_key(out, "violations");
	json_put_open(out, '[');
	for (size_t i = 0; i < p->count; i++) {
		json_put_open(out, '{');
		json_put_member(out, "check", p->violations[i].check);
		json_put_member(out, "level", p->violations[i].level);
		json_place(r, out, p->violations[i].span);
		json_put_close(out, '}');
	}
	json_put_close(out, ']');
	json_put_close(out, '}');
}

static const char *image_of(const struct row *row)
{
	const struct fact *f = row_first(row, FACT_IMAGE, LAYER_DECLARED);

	if (!f)
		f = row_first(row, FACT_IMAGE, LAYER_OBSERVED);
	return f && *f->value ? f->value : NULL;
}

static void put_relations(const struct report *r, struct buf *out, const struct row *row)
{
	json_put_member(out, "parent",
			row->parent ? r->snapshot->rows.items[row->parent - 1]->key : NULL);
	json_put_member(out, "role", shared_role(r, row));
	json_put_member(out, "role_reason", review_role(r->review, row->key) ? NULL : row->role_reason);
	json_put_member(out, "task", review_task(r->review, row->key));
	json_text(out, "image", image_of(row));
	json_put_key(out, "shares_with");
	json_put_open(out, '[');
	for (size_t i = 0; i < row->shares_with.count; i++)
		json_put_string(out, r->snapshot->rows.items[row->shares_with.items[i]]->key);
	json_put_close(out, ']');
}

static void put_head(const struct report *r, struct buf *out, const struct row *row)
{
	const struct artifact *a = r->snapshot->artifacts.items[row->artifact];
	const char *path = span_is_set(row->span) ? snapshot_path(r->snapshot, row->span) : a->path;

	json_put_member(out, "key", row->key);
	json_put_member(out, "name", row->name);
	json_put_member(out, "unit", row->unit);
	json_put_member(out, "kind", row_kind_names[row->kind]);
	json_put_member(out, "object_kind", row->object_kind);
	json_put_member(out, "namespace", row->namespace);
	json_put_member(out, "format", format_table[row->format].name);
	json_put_member(out, "path", shared_path(path));
	json_put_member_number(out, "line", snapshot_line(r->snapshot, row->span));
	if (row->activity != ROW_ACTIVE)
		json_prose(out, "activity", row->activity_reason ? row->activity_reason
					     : row->activity == ROW_DISABLED ? "disabled"
									     : "conditional");
}

static void put_row(const struct report *r, struct buf *out, size_t workload, struct buf *text)
{
	const struct row *row = r->match->workloads[workload];

	json_put_open(out, '{');
	put_head(r, out, row);
	put_relations(r, out, row);
	if (row->export_note)
		json_prose(out, "export_note", row->export_note);
	if (row->pod_security)
		put_pod_security(r, out, row->pod_security);
	json_put_key(out, "cells");
	json_put_open(out, '{');
	for (unsigned field = 0; field < FIELD_COUNT; field++)
		put_cell(r, out, match_cell(r->match, workload, (enum field)field), text);
	json_put_close(out, '}');
	json_put_close(out, '}');
}

/* Objects without a workload (RBAC, policies, daemon settings), to which findings may belong. */
static void put_object(const struct report *r, struct buf *out, const struct row *row)
{
	json_put_open(out, '{');
	put_head(r, out, row);
	json_put_close(out, '}');
}

void json_rows(const struct report *r, struct buf *out)
{
	struct buf text = { 0 };

	json_put_key(out, "rows");
	json_put_open(out, '[');
	for (size_t i = 0; i < r->match->workload_count; i++)
		put_row(r, out, i, &text);
	json_put_close(out, ']');
	json_put_key(out, "objects");
	json_put_open(out, '[');
	for (size_t i = 0; i < r->snapshot->rows.count; i++)
		if (!row_is_workload(r->snapshot->rows.items[i]))
			put_object(r, out, r->snapshot->rows.items[i]);
	json_put_close(out, ']');
	buf_free(&text);
}

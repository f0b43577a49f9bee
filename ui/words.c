/* Words for marks, decisions, places and list lines.
 * SPDX-License-Identifier: MIT */
#include "ui/words.h"

#include <string.h>

char words_mark_letter(const struct matched_cell *cell)
{
	char letter = mark_letters[cell->effective];

	if (cell->marked && cell->freshness == FRESH_CURRENT)
		return letter;
	return (char)(letter - 'A' + 'a');
}

char words_overlay(const struct matched_cell *cell)
{
	if (cell->cell.conflict)
		return '!';
	if (cell->marked && cell->marked->disputed)
		return '?';
	return cell->freshness == FRESH_STALE ? '~' : ' ';
}

void words_mark(const struct matched_cell *cell, struct buf *out)
{
	buf_puts(out, mark_names[cell->effective]);
	if (!cell->marked)
		buf_puts(out, ", proposed");
	if (cell->freshness == FRESH_STALE)
		buf_puts(out, ", stale");
	if (cell->cell.conflict)
		buf_puts(out, ", conflict");
	if (cell->marked && cell->marked->disputed)
		buf_puts(out, ", disputed");
}

const char *words_decision(const struct matched_finding *f)
{
	return f->changed ? "reopened" : disposition_names[f->disposition];
}

void words_place(const struct snapshot *s, struct span span, struct buf *out)
{
	if (span_is_set(span))
		buf_printf(out, "%s:%u", snapshot_path(s, span), snapshot_line(s, span));
}

struct span words_finding_span(const struct finding *f)
{
	if (f->citation_count > 0 && span_is_set(f->citations[0].span))
		return f->citations[0].span;
	return f->row ? f->row->span : (struct span){ 0 };
}

const char *words_role(const struct match *m, const struct row *row)
{
	for (size_t i = 0; m->review && i < m->review->roles.count; i++) {
		if (strcmp(m->review->roles.items[i].key, row->key) == 0)
			return m->review->roles.items[i].text;
	}
	return row->role == ROLE_UNKNOWN ? "" : row_role_names[row->role];
}

void words_row(const struct snapshot *s, const struct row *row, struct buf *out)
{
	buf_printf(out, "%s %s %s %s ", row->name, row_kind_names[row->kind],
	           row_role_names[row->role], row->object_kind);
	words_place(s, row->span, out);
}

void words_finding(const struct match *m, const struct matched_finding *f, struct buf *out)
{
	buf_printf(out, "%s %s %s %s ", severity_names[f->severity], f->finding->rule->slug,
	           evidence_names[f->finding->evidence], words_decision(f));
	words_place(m->snapshot, words_finding_span(f->finding), out);
	if (f->finding->row)
		buf_printf(out, " %s", f->finding->row->name);
	buf_printf(out, " %s", f->finding->message ? f->finding->message : "");
}

void words_cell(const struct match *m, const struct matched_cell *cell, struct buf *out)
{
	buf_printf(out, "%s ", field_table[cell->cell.field].slug);
	cell_declared(m->snapshot, cell->cell.row, cell->cell.field, out);
	buf_putc(out, ' ');
	cell_observed(m->snapshot, cell->cell.row, cell->cell.field, out);
	buf_putc(out, ' ');
	words_mark(cell, out);
}

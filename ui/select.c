/* Linked selection: moving one pane moves the others.
 * SPDX-License-Identifier: MIT */
#include "ui/core.h"

#include <string.h>

#include "ui/words.h"

static void set_key(struct buf *b, const char *text)
{
	/* TEXT may lie in B itself. */
	struct buf next = { 0 };

	buf_puts(&next, text);
	buf_free(b);
	*b = next;
}

/* --- resolving -------------------------------------------------------------------------------- */

const struct row *ui_row(const struct ui_state *s)
{
	if (!s->loaded || s->row_key.length == 0)
		return NULL;
	return snapshot_row_by_key(s->snapshot, buf_text(&s->row_key));
}

size_t ui_workload(const struct ui_state *s)
{
	const struct row *row = ui_row(s);

	return row && row_is_workload(row) ? match_workload(&s->match, row) : SIZE_MAX;
}

const struct matched_cell *ui_cell(const struct ui_state *s)
{
	size_t workload = ui_workload(s);

	return workload == SIZE_MAX ? NULL : match_cell(&s->match, workload, s->field);
}

size_t ui_finding_index(const struct ui_state *s)
{
	if (!s->loaded || s->finding_id.length == 0)
		return SIZE_MAX;
	return match_finding(&s->match, buf_text(&s->finding_id));
}

const struct matched_finding *ui_finding(const struct ui_state *s)
{
	size_t i = ui_finding_index(s);

	return i == SIZE_MAX ? NULL : &s->match.findings[i];
}

const struct source *ui_source(const struct ui_state *s)
{
	const struct artifact *a;

	if (!s->loaded || s->source_path.length == 0)
		return NULL;
	a = snapshot_artifact_by_path(s->snapshot, buf_text(&s->source_path));
	return a ? a->source : NULL;
}

struct span ui_selected_span(const struct ui_state *s)
{
	const struct matched_finding *f = ui_finding(s);
	const struct row *row = ui_row(s);
	const struct fact *fact;

	if (s->subject == SUBJECT_FINDING && f)
		return words_finding_span(f->finding);
	if (s->subject == SUBJECT_CELL && row) {
		fact = cell_fact(row, s->field, 0);
		if (fact)
			return fact->span;
	}
	return row ? row->span : (struct span){ 0 };
}

/* --- lists ------------------------------------------------------------------------------------ */

static size_t find_workload_item(const struct ui_state *s, const struct row *row)
{
	for (size_t i = 0; i < s->workloads.count; i++) {
		if (s->workloads.items[i].row == row)
			return i;
	}
	return SIZE_MAX;
}

static size_t find_index(const struct index_view *v, size_t value)
{
	for (size_t i = 0; i < v->count; i++) {
		if (v->items[i] == value)
			return i;
	}
	return SIZE_MAX;
}

static void clamp_cursor(struct cursor *c, size_t at, size_t count)
{
	if (at != SIZE_MAX)
		c->at = at;
	if (c->at >= count)
		c->at = count ? count - 1 : 0;
}

void ui_find_cursors(struct ui_state *s)
{
	const struct row *row = ui_row(s);

	clamp_cursor(&s->cursors[PANE_WORKLOADS], row ? find_workload_item(s, row) : SIZE_MAX,
	             s->workloads.count);
	clamp_cursor(&s->cursors[PANE_FINDINGS], find_index(&s->findings, ui_finding_index(s)),
	             s->findings.count);
	clamp_cursor(&s->cursors[PANE_MAP], find_index(&s->fields, s->field), s->fields.count);
	s->cursors[PANE_SOURCE].at = s->source_line ? s->source_line - 1 : 0;
}

static bool list_holds_selection(const struct ui_state *s)
{
	switch (s->focus) {
	case PANE_WORKLOADS:
		return find_workload_item(s, ui_row(s)) != SIZE_MAX;
	case PANE_FINDINGS:
		return find_index(&s->findings, ui_finding_index(s)) != SIZE_MAX;
	case PANE_MAP:
		return find_index(&s->fields, s->field) != SIZE_MAX;
	case PANE_SOURCE:
	case PANE_DETAIL:
	case PANE_COUNT:
		break;
	}
	return true;
}

void ui_settle(struct ui_state *s)
{
	if (s->loaded && s->mode == MODE_MAIN && !list_holds_selection(s))
		ui_list_go(s, s->cursors[s->focus].at);
}

void ui_rebuild_row_lists(struct ui_state *s)
{
	const struct row *row = ui_row(s);

	if (!s->loaded)
		return;
	buf_clear(&s->filter_why[PANE_MAP]);
	buf_clear(&s->filter_why[PANE_FINDINGS]);
	view_fields(&s->fields, &s->match, ui_workload(s), buf_text(&s->filters[PANE_MAP]),
	            &s->filter_why[PANE_MAP]);
	view_findings(&s->findings, &s->match, s->all_findings ? NULL : row, s->finding_order,
	              buf_text(&s->filters[PANE_FINDINGS]), &s->filter_why[PANE_FINDINGS]);
	/* Without a selected row there would be nothing to narrow to. */
	if (!s->all_findings && !row)
		s->findings.count = s->findings.total = 0;
}

void ui_rebuild(struct ui_state *s)
{
	if (!s->loaded)
		return;
	buf_clear(&s->filter_why[PANE_WORKLOADS]);
	view_workloads(&s->workloads, &s->match, s->workload_order,
	               buf_text(&s->filters[PANE_WORKLOADS]), &s->filter_why[PANE_WORKLOADS]);
	ui_rebuild_row_lists(s);
	ui_find_cursors(s);
}

/* --- linking ---------------------------------------------------------------------------------- */

void ui_show_span(struct ui_state *s, struct span span)
{
	if (!span_is_set(span))
		return;
	set_key(&s->source_path, snapshot_path(s->snapshot, span));
	s->source_line = snapshot_line(s->snapshot, span);
	s->cursors[PANE_SOURCE].left = 0;
}

static void set_row(struct ui_state *s, const struct row *row)
{
	if (strcmp(buf_text(&s->row_key), row->key) == 0)
		return;
	set_key(&s->row_key, row->key);
	if (!s->all_findings)
		s->cursors[PANE_FINDINGS] = (struct cursor){ 0 };
	ui_rebuild_row_lists(s);
}

/* One line may give several rows the same finding: the selected one stays when it is among them. */
static void set_finding_row(struct ui_state *s, const struct finding *f)
{
	const struct row *row = ui_row(s);

	if (f->row && !(row && finding_concerns(f, row)))
		set_row(s, f->row);
}

static const struct matched_finding *first_finding_of(const struct ui_state *s,
                                                      const struct row *row)
{
	for (size_t i = 0; i < s->findings.count; i++) {
		const struct matched_finding *f = &s->match.findings[s->findings.items[i]];

		if (finding_concerns(f->finding, row))
			return f;
	}
	return NULL;
}

void ui_select_row(struct ui_state *s, const struct row *row)
{
	const struct matched_finding *f;

	set_row(s, row);
	f = first_finding_of(s, row);
	set_key(&s->finding_id, f ? f->finding->id : "");
	if (f)
		s->field = f->finding->rule->field;
	s->subject = SUBJECT_ROW;
	ui_show_span(s, row->span);
	ui_find_cursors(s);
}

void ui_select_field(struct ui_state *s, enum field field)
{
	const struct row *row = ui_row(s);

	s->field = field;
	s->subject = SUBJECT_CELL;
	set_key(&s->finding_id, "");
	for (size_t i = 0; row && i < s->match.finding_count; i++) {
		const struct finding *f = s->match.findings[i].finding;

		if (finding_concerns(f, row) && f->rule->field == field) {
			set_key(&s->finding_id, f->id);
			break;
		}
	}
	ui_show_span(s, ui_selected_span(s));
	ui_find_cursors(s);
}

void ui_select_finding(struct ui_state *s, const struct matched_finding *f)
{
	set_key(&s->finding_id, f->finding->id);
	s->field = f->finding->rule->field;
	s->subject = SUBJECT_FINDING;
	set_finding_row(s, f->finding);
	ui_show_span(s, words_finding_span(f->finding));
	ui_find_cursors(s);
}

static bool line_has(const struct ui_state *s, struct span span, uint32_t source, uint32_t line)
{
	return span.source == source && line >= snapshot_line(s->snapshot, span) &&
	       line <= snapshot_end_line(s->snapshot, span);
}

/* The fact of ROW that the line says most about: the shortest span. */
static const struct fact *fact_at(const struct ui_state *s, const struct row *row, uint32_t source,
                                  uint32_t line)
{
	const struct fact *best = NULL;

	for (size_t i = 0; i < row->facts.count; i++) {
		const struct fact *f = row->facts.items[i];

		if (f->provenance == PROVENANCE_ABSENT || !line_has(s, f->span, source, line))
			continue;
		if (!best || f->span.length < best->span.length)
			best = f;
	}
	return best;
}

static const struct fact *fact_of_line(const struct ui_state *s, uint32_t source, uint32_t line,
                                       const struct row **row)
{
	const struct row *selected = ui_row(s);
	const struct fact *f = selected ? fact_at(s, selected, source, line) : NULL;

	*row = selected;
	for (size_t i = 0; !f && i < s->match.workload_count; i++) {
		*row = s->match.workloads[i];
		f = fact_at(s, *row, source, line);
	}
	return f;
}

void ui_select_line(struct ui_state *s, uint32_t line)
{
	const struct source *source = ui_source(s);
	const struct row *row;
	const struct fact *f;

	if (!source)
		return;
	s->source_line = line;
	f = fact_of_line(s, source->id, line, &row);
	if (f) {
		set_row(s, row);
		s->field = fact_kind_table[f->kind].field;
		s->subject = SUBJECT_CELL;
		set_key(&s->finding_id, "");
	}
	for (size_t i = 0; i < s->match.finding_count; i++) {
		const struct matched_finding *m = &s->match.findings[i];

		if (!line_has(s, words_finding_span(m->finding), source->id, line) ||
		    (f && !finding_concerns(m->finding, row)))
			continue;
		set_key(&s->finding_id, m->finding->id);
		s->field = m->finding->rule->field;
		s->subject = SUBJECT_FINDING;
		set_finding_row(s, m->finding);
		break;
	}
	ui_find_cursors(s);
}

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

/* What nobody has confirmed stands in brackets. */
static const char *const role_proposals[ROLE_COUNT] = {
	[ROLE_AGENT] = "(agent)",   [ROLE_TOOL] = "(tool)",	      [ROLE_MCP_SERVER] = "(mcp)",
	[ROLE_HELPER] = "(helper)", [ROLE_INFRASTRUCTURE] = "(infra)",
};

const char *words_role(const struct match *m, const struct row *row)
{
	const char *said = m->review ? review_role(m->review, row->key) : NULL;

	if (said)
		return said;
	return row->role == ROLE_UNKNOWN ? "" : role_proposals[row->role];
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
		buf_printf(out, " %s", f->finding->row->label);
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

/* --- acts ------------------------------------------------------------------------------------- */

/* A finding's rule, a cell's or a row's name, else the key itself. */
static void act_subject(const struct match *m, const char *key, struct buf *out)
{
	size_t finding = match_finding(m, key);
	const struct row *row = snapshot_row_by_key(m->snapshot, key);
	struct arena a = { 0 };
	const char *row_key;
	enum field field;

	if (finding != SIZE_MAX) {
		buf_puts(out, m->findings[finding].finding->rule->slug);
	} else if (row) {
		buf_puts(out, row->label);
	} else if (cell_key_split(&a, key, &row_key, &field)) {
		row = snapshot_row_by_key(m->snapshot, row_key);
		buf_printf(out, "%s %s", row ? row->label : row_key, field_table[field].slug);
	} else {
		buf_puts(out, key);
	}
	arena_free(&a);
}

static const struct {
	const char *many, *before;
	bool subject, value;
} act_words[EVENT_KIND_COUNT] = {
	[EVENT_MARK] = { "marks", " marked ", true, true },
	[EVENT_CLEAR] = { "marks taken back", " taken back", true, false },
	[EVENT_NOTE] = { "comments", ": comment", true, false },
	[EVENT_ROLE] = { "roles", ": role ", true, true },
	[EVENT_TASK] = { "tasks", ": task", true, false },
	[EVENT_DISPOSITION] = { "decisions", ": ", true, true },
	[EVENT_SEVERITY] = { "severities", ": severity ", true, true },
	[EVENT_MOVE] = { "moves", ": moved", true, false },
	[EVENT_SIGN] = { "signatures", "signed off: ", false, true },
	[EVENT_UNSIGN] = { "signatures taken back", "signature taken back", false, false },
	[EVENT_UNDO] = { "acts", "undo", false, false },
	[EVENT_REDO] = { "acts", "redo", false, false },
	[EVENT_SCOPE] = { "settings", ": ", true, true },
};

void words_act(const struct match *m, const struct review *review, const struct event *event,
	       struct buf *out)
{
	size_t events = 0;

	for (size_t i = 0; event->act[0] && i < review->events.count; i++)
		events += strcmp(review->events.items[i].act, event->act) == 0;
	/* A signature comes with the number that it confirms. */
	if (events > 1 && event->kind != EVENT_SIGN) {
		buf_printf(out, "%zu %s", events, act_words[event->kind].many);
		return;
	}
	if (act_words[event->kind].subject)
		act_subject(m, event->key, out);
	buf_puts(out, act_words[event->kind].before);
	if (act_words[event->kind].value)
		buf_puts(out, event->value);
}

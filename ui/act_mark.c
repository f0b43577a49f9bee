/* Marks, decisions and comments: from a key to events.
 * SPDX-License-Identifier: MIT */
#include "ui/act.h"

#include <string.h>

#include "ui/core.h"
#include "ui/mark.h"
#include "ui/words.h"

/* --- what an act is about --------------------------------------------------------------------- */

static void add_cell(struct target_list *t, const struct row *row, enum field field)
{
	if (!row || !row_is_workload(row))
		return;
	for (size_t i = 0; i < t->count; i++) {
		if (t->items[i].row == row && t->items[i].field == field)
			return;
	}
	*ARENA_PUSH(&t->arena, t) = (struct target){ .row = row, .field = field };
}

static void add_finding(struct target_list *t, const struct matched_finding *f)
{
	for (size_t i = 0; i < t->count; i++) {
		if (t->items[i].finding == f->finding)
			return;
	}
	*ARENA_PUSH(&t->arena, t) = (struct target){
		.row = f->finding->row,
		.field = f->finding->rule->field,
		.finding = f->finding,
	};
}

static void add_tag(const struct ui_state *s, struct target_list *t, const char *key, bool cells)
{
	size_t finding = match_finding(&s->match, key);
	const char *row_key;
	enum field field;

	if (finding != SIZE_MAX && !cells)
		add_finding(t, &s->match.findings[finding]);
	else if (finding != SIZE_MAX)
		add_cell(t, s->match.findings[finding].finding->row,
			 s->match.findings[finding].finding->rule->field);
	else if (cells && cell_key_split(&t->arena, key, &row_key, &field))
		add_cell(t, snapshot_row_by_key(s->snapshot, row_key), field);
}

static void add_range(const struct ui_state *s, struct target_list *t, bool cells)
{
	for (size_t i = 0; s->mode == MODE_MAIN && i < ui_list_count(s); i++) {
		if (!ui_is_range(s, i))
			continue;
		if (s->focus == PANE_MAP && cells)
			add_cell(t, ui_row(s), (enum field)s->fields.items[i]);
		if (s->focus == PANE_FINDINGS && cells)
			add_cell(t, s->match.findings[s->findings.items[i]].finding->row,
			         s->match.findings[s->findings.items[i]].finding->rule->field);
		if (s->focus == PANE_FINDINGS && !cells)
			add_finding(t, &s->match.findings[s->findings.items[i]]);
	}
}

/* Where one finding is on the screen, what is tagged out of sight is left alone. */
static size_t tags_that_count(const struct ui_state *s)
{
	return s->mode == MODE_PRESENT ? 0 : s->tags.count;
}

/* After an act nothing is tagged any more. */
static void forget_targets(struct ui_state *s)
{
	if (s->mode != MODE_PRESENT)
		tags_clear(&s->tags);
	s->ranging = false;
}

/* A filter that leaves nothing leaves nothing to act on either. */
static bool all_is_filtered_out(const struct ui_state *s)
{
	return s->mode == MODE_MAIN && s->filters[s->focus].length > 0 && ui_list_count(s) == 0;
}

void targets_cells(const struct ui_state *s, struct target_list *t)
{
	if (!s->loaded || all_is_filtered_out(s))
		return;
	for (size_t i = 0; i < tags_that_count(s); i++)
		add_tag(s, t, s->tags.items[i], true);
	if (s->ranging)
		add_range(s, t, true);
	if (t->count == 0 && tags_that_count(s) == 0)
		add_cell(t, ui_row(s), s->field);
}

void targets_findings(const struct ui_state *s, struct target_list *t)
{
	if (!s->loaded || all_is_filtered_out(s))
		return;
	for (size_t i = 0; i < tags_that_count(s); i++)
		add_tag(s, t, s->tags.items[i], false);
	if (s->ranging)
		add_range(s, t, false);
	if (t->count == 0 && ui_finding(s))
		add_finding(t, ui_finding(s));
}

const struct fact *target_fact(const struct target *t, enum layer layer)
{
	const struct fact *f;

	for (size_t i = 0; (f = cell_fact(t->row, t->field, i)); i++) {
		if (f->layer == layer)
			return f;
	}
	return NULL;
}

/* What a prompt is about: "openhands egress", or "3 cells". */
static void name_targets(const struct target_list *t, const char *many, struct buf *out)
{
	if (t->count != 1)
		buf_printf(out, "%zu %s", t->count, many);
	else if (t->items[0].finding)
		buf_puts(out, t->items[0].finding->rule->slug);
	else
		buf_printf(out, "%s %s", t->items[0].row->label,
		           field_table[t->items[0].field].slug);
}

/* --- marks ------------------------------------------------------------------------------------ */

static void add_mark(struct ui_state *s, const struct target *t, enum mark mark, const char *basis,
                     const char *note)
{
	enum layer layer = mark == MARK_OBSERVED ? LAYER_OBSERVED : LAYER_DECLARED;
	const struct fact *fact = target_fact(t, layer);
	struct span span = fact ? fact->span : t->row->span;
	char fingerprint[DIGEST_HEX];
	struct arena a = { 0 };
	struct buf place = { 0 };

	words_place(s->snapshot, span, &place);
	cell_fingerprint(s->snapshot, t->row, t->field, s->digest, fingerprint);
	outbox_add(s, &(struct event){
	                  .kind = EVENT_MARK,
	                  .key = cell_key(&a, t->row, t->field),
	                  .fingerprint = fingerprint,
	                  .value = mark_names[mark],
	                  .basis = basis  ? basis
	                           : fact ? buf_text(&place)
	                                  : "",
	                  .note = note,
	                  .path = snapshot_path(s->snapshot, span),
	                  .line = snapshot_line(s->snapshot, span),
	              });
	buf_free(&place);
	arena_free(&a);
}

unsigned mark_targets(struct ui_state *s, enum mark mark, const char *basis, const char *note)
{
	struct target_list t = { 0 };
	struct buf name = { 0 };
	size_t left_out = 0;
	unsigned effects;

	targets_cells(s, &t);
	outbox_begin(s);
	for (size_t i = 0; i < t.count; i++) {
		/* Without a basis of its own a cell is not observed because another is. */
		if (mark == MARK_OBSERVED && !basis && !target_fact(&t.items[i], LAYER_OBSERVED))
			left_out++;
		else
			add_mark(s, &t.items[i], mark, mark == MARK_UNAVAILABLE ? "" : basis, note);
	}
	name_targets(&t, "cells", &name);
	effects = outbox_end(s, "%s marked %s%s; z undoes", buf_text(&name), mark_names[mark],
	                     left_out ? " where an export says so" : "");
	if (t.count == 0)
		ui_say(s, MESSAGE_WARNING, "no cell is selected");
	forget_targets(s);
	buf_free(&name);
	arena_free(&t.arena);
	return effects;
}

static unsigned ask_about(struct ui_state *s, const struct target_list *t, enum prompt_kind kind,
                          const char *before, const char *after, const char *proposal)
{
	struct buf label = { 0 };

	buf_puts(&label, before);
	name_targets(t, kind == PROMPT_TRIAGE || kind == PROMPT_TRIAGE_NOTE ? "findings" : "cells",
	             &label);
	buf_puts(&label, after);
	prompt_ask(&s->prompt, kind, buf_text(&label), proposal);
	buf_free(&label);
	return UI_REDRAW;
}

static bool all_declared(const struct ui_state *s, const struct target_list *t)
{
	for (size_t i = 0; i < t->count; i++) {
		if (cell_of(s->snapshot, t->items[i].row, t->items[i].field).mark != MARK_DECLARED)
			return false;
	}
	return true;
}

unsigned act_declared(struct ui_state *s)
{
	struct target_list t = { 0 };
	unsigned effects;

	targets_cells(s, &t);
	if (all_declared(s, &t))
		effects = mark_targets(s, MARK_DECLARED, NULL, "");
	else
		effects = ask_about(s, &t, PROMPT_TOLD, "declared: ", ", who said so", NULL);
	arena_free(&t.arena);
	return effects;
}

unsigned act_observed(struct ui_state *s)
{
	struct target_list t = { 0 };
	struct buf proposal = { 0 };
	const struct fact *fact;
	unsigned effects = UI_REDRAW;

	targets_cells(s, &t);
	for (size_t i = 0; i < t.count && proposal.length == 0; i++) {
		fact = target_fact(&t.items[i], LAYER_OBSERVED);
		if (fact)
			words_place(s->snapshot, fact->span, &proposal);
	}
	if (t.count == 0)
		ui_say(s, MESSAGE_WARNING, "no cell is selected");
	else
		effects = ask_about(s, &t, PROMPT_BASIS,
		                    "observed: ", ", basis (export:line, or day and tool)",
		                    buf_text(&proposal));
	buf_free(&proposal);
	arena_free(&t.arena);
	return effects;
}

unsigned act_unavailable(struct ui_state *s)
{
	struct target_list t = { 0 };
	const char *proposal = NULL;
	unsigned effects = UI_REDRAW;
	struct cell cell;

	targets_cells(s, &t);
	if (t.count == 0) {
		ui_say(s, MESSAGE_WARNING, "no cell is selected");
		return effects;
	}
	cell = cell_of(s->snapshot, t.items[0].row, t.items[0].field);
	if (cell.mark == MARK_UNAVAILABLE)
		proposal = cell.reason ? cell.reason : cell.sub;
	effects = ask_about(s, &t, PROMPT_REASON, "unavailable: ", ", reason", proposal);
	arena_free(&t.arena);
	return effects;
}

static unsigned clear_decision(struct ui_state *s, const struct matched_finding *f)
{
	outbox_begin(s);
	outbox_add(s, &(struct event){
	                  .kind = EVENT_DISPOSITION,
	                  .key = f->finding->id,
	                  .fingerprint = f->finding->fingerprint,
	                  .value = disposition_names[DISPOSITION_NEW],
	              });
	return outbox_end(s, "decision on %s taken back; z undoes", f->finding->rule->slug);
}

unsigned act_clear(struct ui_state *s)
{
	const struct matched_finding *f = ui_finding(s);
	struct target_list t = { 0 };
	unsigned effects;

	if (f && f->decided && f->disposition != DISPOSITION_NEW && tags_that_count(s) == 0 &&
	    s->subject == SUBJECT_FINDING)
		return clear_decision(s, f);
	targets_cells(s, &t);
	outbox_begin(s);
	for (size_t i = 0; i < t.count; i++) {
		const char *key = cell_key(&t.arena, t.items[i].row, t.items[i].field);

		if (review_mark(s->review, key))
			outbox_add(s, &(struct event){ .kind = EVENT_CLEAR, .key = key });
	}
	effects = outbox_end(s, "back to the proposal; z undoes");
	if (!(effects & UI_EVENTS))
		ui_say(s, MESSAGE_INFO, "nothing to clear: no mark and no decision here");
	arena_free(&t.arena);
	return effects;
}

/* --- decisions -------------------------------------------------------------------------------- */

unsigned decide_targets(struct ui_state *s, enum disposition disposition, const char *note,
                        const char *owner, const char *until)
{
	struct target_list t = { 0 };
	struct buf name = { 0 };
	unsigned effects;

	targets_findings(s, &t);
	outbox_begin(s);
	for (size_t i = 0; i < t.count; i++) {
		const struct finding *f = t.items[i].finding;
		struct span span = words_finding_span(f);

		outbox_add(s, &(struct event){
		                  .kind = EVENT_DISPOSITION,
		                  .key = f->id,
		                  .fingerprint = f->fingerprint,
		                  .value = disposition_names[disposition],
		                  .note = note,
		                  .owner = owner,
		                  .expires = until,
		                  .path = snapshot_path(s->snapshot, span),
		                  .line = snapshot_line(s->snapshot, span),
		              });
	}
	name_targets(&t, "findings", &name);
	effects =
	    outbox_end(s, "%s: %s; z undoes", buf_text(&name), disposition_names[disposition]);
	forget_targets(s);
	buf_free(&name);
	arena_free(&t.arena);
	return effects;
}

unsigned decide(struct ui_state *s, enum disposition disposition)
{
	static const bool wants_reason[DISPOSITION_COUNT] = {
		[DISPOSITION_ACCEPTED] = true,
		[DISPOSITION_FALSE_POSITIVE] = true,
		[DISPOSITION_DUPLICATE] = true,
		[DISPOSITION_NOT_APPLICABLE] = true,
	};
	struct target_list t = { 0 };
	struct buf after = { 0 };
	unsigned effects = UI_REDRAW;

	targets_findings(s, &t);
	s->prompt.choice = (int)disposition;
	buf_printf(&after, " %s, reason", disposition_names[disposition]);
	if (t.count == 0)
		ui_say(s, MESSAGE_WARNING, "no finding is selected");
	else if (wants_reason[disposition])
		effects = ask_about(s, &t, PROMPT_TRIAGE_NOTE, "", buf_text(&after), NULL);
	else
		effects = decide_targets(s, disposition, "", "", "");
	buf_free(&after);
	arena_free(&t.arena);
	return effects;
}

unsigned act_triage(struct ui_state *s)
{
	struct target_list t = { 0 };
	struct buf after = { 0 };
	unsigned effects = UI_REDRAW;

	targets_findings(s, &t);
	for (size_t i = 1; i < DISPOSITION_COUNT; i++)
		buf_printf(&after, "%s %zu %s", i == 1 ? ": " : " ", i, disposition_names[i]);
	buf_puts(&after, "  0 new");
	if (t.count == 0)
		ui_say(s, MESSAGE_WARNING, "no finding is selected");
	else
		effects = ask_about(s, &t, PROMPT_TRIAGE, "", buf_text(&after), NULL);
	buf_free(&after);
	arena_free(&t.arena);
	return effects;
}

unsigned act_severity(struct ui_state *s)
{
	struct target_list t = { 0 };
	unsigned effects = UI_REDRAW;

	targets_findings(s, &t);
	if (t.count == 0)
		ui_say(s, MESSAGE_WARNING, "no finding is selected");
	else
		effects = ask_about(s, &t, PROMPT_SEVERITY, "severity of ",
				    ":  1 critical  2 high  3 medium  4 info  0 the rule's", NULL);
	arena_free(&t.arena);
	return effects;
}

unsigned judge_targets(struct ui_state *s, enum severity severity, const char *note)
{
	const char *name = severity == SEVERITY_COUNT ? "" : severity_names[severity];
	struct target_list t = { 0 };
	unsigned effects;

	targets_findings(s, &t);
	outbox_begin(s);
	for (size_t i = 0; i < t.count; i++)
		outbox_add(s, &(struct event){ .kind = EVENT_SEVERITY,
					       .key = t.items[i].finding->id,
					       .fingerprint = t.items[i].finding->fingerprint,
					       .value = name,
					       .note = note });
	effects = outbox_end(s, "severity %s; z undoes", name[0] ? name : "as the rule says");
	forget_targets(s);
	arena_free(&t.arena);
	return effects;
}

unsigned act_decide_1(struct ui_state *s)
{
	return decide(s, DISPOSITION_CONFIRMED);
}

unsigned act_decide_2(struct ui_state *s)
{
	return decide(s, DISPOSITION_ACCEPTED);
}

unsigned act_decide_3(struct ui_state *s)
{
	return decide(s, DISPOSITION_FALSE_POSITIVE);
}

unsigned act_decide_4(struct ui_state *s)
{
	return decide(s, DISPOSITION_NEEDS_EVIDENCE);
}

unsigned act_follow_up(struct ui_state *s)
{
	return decide(s, DISPOSITION_NEEDS_EVIDENCE);
}

/* --- words ------------------------------------------------------------------------------------ */

static void name_subject(const struct ui_state *s, struct buf *out)
{
	const struct matched_finding *f = ui_finding(s);
	const struct row *row = ui_row(s);

	if (f && s->subject == SUBJECT_FINDING)
		buf_printf(out, "comment on %s", f->finding->rule->slug);
	else if (row && s->subject == SUBJECT_CELL)
		buf_printf(out, "comment on %s %s", row->label, field_table[s->field].slug);
	else
		buf_printf(out, "comment on %s", row ? row->label : "nothing");
}

unsigned act_comment(struct ui_state *s)
{
	struct buf label = { 0 };

	if (!ui_row(s) && !ui_finding(s)) {
		ui_say(s, MESSAGE_WARNING, "nothing is selected");
		return UI_REDRAW;
	}
	name_subject(s, &label);
	prompt_ask(&s->prompt, PROMPT_COMMENT, buf_text(&label), NULL);
	buf_free(&label);
	return UI_REDRAW;
}

unsigned act_task(struct ui_state *s)
{
	const struct row *row = ui_row(s);
	struct buf label = { 0 };

	if (!row || !row_is_workload(row)) {
		ui_say(s, MESSAGE_WARNING, "no workload is selected");
		return UI_REDRAW;
	}
	buf_printf(&label, "what %s needs to do", row->label);
	prompt_ask(&s->prompt, PROMPT_TASK, buf_text(&label), review_task(s->review, row->key));
	buf_free(&label);
	return UI_REDRAW;
}

unsigned act_role(struct ui_state *s)
{
	const struct row *row = ui_row(s);
	struct buf label = { 0 };

	if (!row || !row_is_workload(row)) {
		ui_say(s, MESSAGE_WARNING, "no workload is selected");
		return UI_REDRAW;
	}
	buf_printf(&label, "role of %s:", row->label);
	for (unsigned role = ROLE_AGENT; role < ROLE_COUNT; role++)
		buf_printf(&label, "  %u %s", role, row_role_names[role]);
	prompt_ask(&s->prompt, PROMPT_ROLE, buf_text(&label), NULL);
	buf_free(&label);
	return UI_REDRAW;
}

unsigned act_sign(struct ui_state *s)
{
	struct buf label = { 0 };

	buf_puts(&label, "sign off");
	if (!s->loaded || s->snapshot->partial || s->progress.active) {
		ui_say(s, MESSAGE_WARNING,
		       "not everything was read: read again before signing off");
		buf_free(&label);
		return UI_REDRAW;
	}
	if (s->match.counts.boundary_unresolved > 0)
		buf_printf(&label, ", %zu boundary check%s unresolved",
		           s->match.counts.boundary_unresolved,
		           s->match.counts.boundary_unresolved > 1 ? "s" : "");
	if (s->match.counts.blocking > 0)
		buf_printf(&label, ", %zu critical or high open", s->match.counts.blocking);
	buf_puts(&label, ":  1 approved  2 approved with conditions  3 changes required");
	prompt_ask(&s->prompt, PROMPT_SIGN, buf_text(&label), NULL);
	buf_free(&label);
	return UI_REDRAW;
}

unsigned act_undo(struct ui_state *s)
{
	return outbox_undo(s);
}

unsigned act_redo(struct ui_state *s)
{
	return outbox_redo(s);
}

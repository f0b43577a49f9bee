/* What the answers to prompts do.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "model/basis.h"
#include "model/kube_version.h"
#include "ui/act.h"
#include "ui/core.h"
#include "ui/mark.h"

static void set_text(struct buf *b, const char *text)
{
	struct buf next = { 0 };

	buf_puts(&next, text);
	buf_free(b);
	*b = next;
}

/* --- search, filter, command ------------------------------------------------------------------ */

static unsigned done_search(struct ui_state *s, const char *value)
{
	set_text(&s->search, value);
	return act_search_next(s);
}

static unsigned set_filter(struct ui_state *s, const char *value)
{
	if (s->mode == MODE_HELP) {
		set_text(&s->help_filter, value);
		s->texts[MODE_HELP] = (struct cursor){ 0 };
		return UI_REDRAW;
	}
	set_text(&s->filters[s->focus], value);
	ui_rebuild(s);
	return UI_REDRAW;
}

static unsigned done_filter(struct ui_state *s, const char *value)
{
	set_filter(s, value);
	ui_settle(s);
	if (s->mode == MODE_MAIN && s->filter_why[s->focus].length > 0)
		ui_say(s, MESSAGE_WARNING, "%s", buf_text(&s->filter_why[s->focus]));
	return UI_REDRAW;
}

static unsigned run_command(struct ui_state *s, const char *command)
{
	enum action action;
	enum theme theme;

	if (command[0] == '\0')
		return UI_REDRAW;
	if (strncmp(command, "theme ", 6) == 0) {
		theme = theme_by_name(command + 6);
		if (theme == THEME_COUNT)
			ui_say(s, MESSAGE_WARNING,
			       "no such theme: default, light, dark, mono or contrast");
		else
			s->theme = theme;
		return UI_REDRAW | UI_CLEAR;
	}
	action = action_by_name(command);
	if (action == ACTION_NONE) {
		ui_say(s, MESSAGE_WARNING, "no action \"%s\", press ? for the list", command);
		return UI_REDRAW;
	}
	if (!(action_table[action].modes & (1u << s->mode))) {
		ui_say(s, MESSAGE_WARNING, "%s does nothing in this view", command);
		return UI_REDRAW;
	}
	if (s->read_only && (action_table[action].flags & ACTION_MUTATES)) {
		ui_say(s, MESSAGE_WARNING, "read-only: %s changes nothing", command);
		return UI_REDRAW;
	}
	return action_table[action].run(s);
}

/* --- marks ------------------------------------------------------------------------------------ */

/* Asks again when something is needed and nothing was said. */
static bool missing(struct ui_state *s, const char *value, const char *what)
{
	if (value[0])
		return false;
	s->prompt.active = true;
	ui_say(s, MESSAGE_WARNING, "%s is needed; Esc leaves it", what);
	return true;
}

static unsigned done_told(struct ui_state *s, const char *value)
{
	if (missing(s, value, "who said so"))
		return UI_REDRAW;
	return mark_targets(s, MARK_DECLARED, NULL, value);
}

/* A file that was read, or words that tell the day at least: "x" is nobody's observation. */
static const char *basis_problem(const struct ui_state *s, const char *basis)
{
	switch (basis_check(s->snapshot, basis, MARK_OBSERVED)) {
	case BASIS_GOOD:
		return NULL;
	case BASIS_NO_LINE:
		return "the file has no such line";
	case BASIS_CONFIGURATION:
		return "that file is configuration: an export or a test is needed";
	case BASIS_NO_FILE:
		break;
	}
	return text_holds_date(basis) ? NULL
				      : "neither a file that was read nor a day, as 2027-01-31";
}

static unsigned done_basis(struct ui_state *s, const char *value)
{
	const char *problem;

	if (missing(s, value, "a basis"))
		return UI_REDRAW;
	problem = s->loaded && s->prompt.text.length > 0 ? basis_problem(s, value) : NULL;
	if (problem) {
		s->prompt.active = true;
		ui_say(s, MESSAGE_WARNING, "%s; Esc leaves it", problem);
		return UI_REDRAW;
	}
	/* The proposal stands for each cell's own place in its export. */
	return mark_targets(s, MARK_OBSERVED, s->prompt.text.length > 0 ? value : NULL, "");
}

static unsigned done_reason(struct ui_state *s, const char *value)
{
	if (missing(s, value, "a reason"))
		return UI_REDRAW;
	return mark_targets(s, MARK_UNAVAILABLE, NULL, value);
}

static unsigned done_comment(struct ui_state *s, const char *value)
{
	const struct matched_finding *f = ui_finding(s);
	const struct row *row = ui_row(s);
	struct arena a = { 0 };
	const char *key = "";

	if (value[0] == '\0')
		return UI_REDRAW;
	if (f && s->subject == SUBJECT_FINDING)
		key = f->finding->id;
	else if (row && s->subject == SUBJECT_CELL)
		key = cell_key(&a, row, s->field);
	else if (row)
		key = row->key;
	outbox_begin(s);
	outbox_add(s, &(struct event){ .kind = EVENT_NOTE, .key = key, .note = value });
	arena_free(&a);
	return outbox_end(s, "comment kept; z undoes");
}

static unsigned done_task(struct ui_state *s, const char *value)
{
	const struct row *row = ui_row(s);

	if (!row || value[0] == '\0')
		return UI_REDRAW;
	outbox_begin(s);
	outbox_add(s, &(struct event){ .kind = EVENT_TASK, .key = row->key, .value = value });
	return outbox_end(s, "task of %s written; findings that depend on it count now", row->label);
}

/* --- decisions -------------------------------------------------------------------------------- */

static unsigned done_triage_note(struct ui_state *s, const char *value)
{
	if (missing(s, value, "a reason"))
		return UI_REDRAW;
	set_text(&s->prompt.note, value);
	if (s->prompt.choice != DISPOSITION_ACCEPTED)
		return decide_targets(s, (enum disposition)s->prompt.choice, value, "", "");
	prompt_ask(&s->prompt, PROMPT_OWNER, "who owns the accepted risk", NULL);
	return UI_REDRAW;
}

static unsigned done_severity_note(struct ui_state *s, const char *value)
{
	if (missing(s, value, "a reason"))
		return UI_REDRAW;
	return judge_targets(s, (enum severity)s->prompt.choice, value);
}

static unsigned done_owner(struct ui_state *s, const char *value)
{
	if (missing(s, value, "an owner"))
		return UI_REDRAW;
	set_text(&s->prompt.owner, value);
	prompt_ask(&s->prompt, PROMPT_UNTIL, "accepted until (YYYY-MM-DD)", NULL);
	return UI_REDRAW;
}

static unsigned done_until(struct ui_state *s, const char *value)
{
	if (!text_is_date(value, strlen(value))) {
		s->prompt.active = true;
		ui_say(s, MESSAGE_WARNING, "a date as 2027-01-31 is needed; Esc leaves it");
		return UI_REDRAW;
	}
	return decide_targets(s, DISPOSITION_ACCEPTED, buf_text(&s->prompt.note),
	                      buf_text(&s->prompt.owner), value);
}

static unsigned done_sign_role(struct ui_state *s, const char *value)
{
	static const char *const decisions[] = { "approved", "approved with conditions",
		                                 "changes required" };
	struct buf confirmed = { 0 };

	/* The label named the number, so that signing confirms it. */
	buf_printf(&confirmed, "%zu", s->match.counts.boundary_unresolved);
	outbox_begin(s);
	if (s->match.counts.boundary_unresolved > 0)
		outbox_add(s, &(struct event){ .kind = EVENT_NOTE,
		                               .key = RESULT_CONFIRM_KEY,
		                               .note = buf_text(&confirmed) });
	outbox_add(s, &(struct event){
	                  .kind = EVENT_SIGN, .value = decisions[s->prompt.choice], .key = value });
	buf_free(&confirmed);
	return outbox_end(s, "signed off: %s; z undoes", decisions[s->prompt.choice]);
}

/* --- others ----------------------------------------------------------------------------------- */

static unsigned done_export(struct ui_state *s, const char *value)
{
	if (missing(s, value, "a file name"))
		return UI_REDRAW;
	set_text(&s->export_path, value);
	return UI_EXPORT | UI_REDRAW;
}

static bool is_word_of(const char *words, const char *word)
{
	size_t length = strlen(word);

	while (*words) {
		size_t n = strcspn(words, " ");

		if (n == length && strncmp(words, word, n) == 0)
			return true;
		words += n + (words[n] == ' ');
	}
	return false;
}

static unsigned done_scope(struct ui_state *s, const char *value)
{
	static const char *const keys[SCOPE_LINES] = {
		[SCOPE_RUNTIME] = "runtime",
		[SCOPE_OS] = "os",
		[SCOPE_KUBERNETES] = "kubernetes",
		[SCOPE_DEPLOYMENT] = "deployment",
		[SCOPE_COMPOSE] = "compose-files",
		[SCOPE_PROFILES] = "profiles",
	};
	static const char *const choices[SCOPE_LINES] = {
		[SCOPE_RUNTIME] = "docker podman containerd cri-o none",
		[SCOPE_OS] = "linux windows darwin",
	};
	size_t at = s->texts[MODE_SCOPE].at;

	if (at >= SCOPE_APPLY)
		return UI_REDRAW;
	if (value[0] && choices[at] && !is_word_of(choices[at], value)) {
		s->prompt.active = true;
		ui_say(s, MESSAGE_WARNING, "\"%s\" is none of %s", value, choices[at]);
		return UI_REDRAW;
	}
	if (at == SCOPE_KUBERNETES && value[0] && !kube_version_is_valid(value)) {
		s->prompt.active = true;
		ui_say(s, MESSAGE_WARNING, "\"%s\" is no version such as 1.34, or latest", value);
		return UI_REDRAW;
	}
	if (at == SCOPE_REVIEWER && value[0] == '\0')
		return UI_REDRAW;
	set_text(&s->scope[at], value);
	ui_list_go(s, at + 1);
	if (!keys[at])
		return UI_REDRAW;
	outbox_begin(s);
	outbox_add(s, &(struct event){ .kind = EVENT_SCOPE, .key = keys[at], .value = value });
	return outbox_end(s, "%s: %s", keys[at], value);
}

static unsigned (*const done[PROMPT_KIND_COUNT])(struct ui_state *, const char *) = {
	[PROMPT_SEARCH] = done_search,
	[PROMPT_FILTER] = done_filter,
	[PROMPT_COMMAND] = run_command,
	[PROMPT_TOLD] = done_told,
	[PROMPT_BASIS] = done_basis,
	[PROMPT_REASON] = done_reason,
	[PROMPT_COMMENT] = done_comment,
	[PROMPT_TASK] = done_task,
	[PROMPT_TRIAGE_NOTE] = done_triage_note,
	[PROMPT_SEVERITY_NOTE] = done_severity_note,
	[PROMPT_OWNER] = done_owner,
	[PROMPT_UNTIL] = done_until,
	[PROMPT_EXPORT] = done_export,
	[PROMPT_SIGN_ROLE] = done_sign_role,
	[PROMPT_SCOPE] = done_scope,
};

unsigned ui_prompt_accept(struct ui_state *s)
{
	struct buf value = { 0 };
	unsigned effects = UI_REDRAW;
	enum prompt_kind kind = s->prompt.kind;

	/* An emptied filter is empty; it has no proposal. */
	buf_puts(&value, prompt_value(&s->prompt));
	s->prompt.active = false;
	if (done[kind])
		effects = done[kind](s, buf_text(&value));
	buf_free(&value);
	return effects;
}

unsigned ui_prompt_changed(struct ui_state *s)
{
	if (s->prompt.kind == PROMPT_FILTER)
		return set_filter(s, buf_text(&s->prompt.text));
	return UI_REDRAW;
}

unsigned ui_prompt_cancel(struct ui_state *s)
{
	s->prompt.active = false;
	if (s->prompt.kind == PROMPT_FILTER)
		return set_filter(s, buf_text(&s->prompt.saved));
	return UI_REDRAW;
}

/* What a figure means for each prompt that is a choice. */
static unsigned chose_triage(struct ui_state *s, unsigned figure)
{
	return decide(s, (enum disposition)figure);
}

static unsigned chose_severity(struct ui_state *s, unsigned figure)
{
	if (figure == 0)
		return judge_targets(s, SEVERITY_COUNT, "");
	s->prompt.choice = (int)figure - 1;
	prompt_ask(&s->prompt, PROMPT_SEVERITY_NOTE, "why this severity", NULL);
	return UI_REDRAW;
}

static unsigned chose_role(struct ui_state *s, unsigned figure)
{
	const struct row *row = ui_row(s);

	s->prompt.active = false;
	if (!row)
		return UI_REDRAW;
	outbox_begin(s);
	outbox_add(s, &(struct event){ .kind = EVENT_ROLE,
				       .key = row->key,
				       .value = row_role_names[figure] });
	return outbox_end(s, "%s is %s, as you say; z undoes", row->label, row_role_names[figure]);
}

static unsigned chose_sign(struct ui_state *s, unsigned figure)
{
	s->prompt.choice = (int)figure - 1;
	prompt_ask(&s->prompt, PROMPT_SIGN_ROLE, "in which role", "lead reviewer");
	return UI_REDRAW;
}

static const struct {
	unsigned first, last;
	unsigned (*chose)(struct ui_state *s, unsigned figure);
} choices[PROMPT_KIND_COUNT] = {
	[PROMPT_TRIAGE] = { 0, DISPOSITION_COUNT - 1, chose_triage },
	[PROMPT_SEVERITY] = { 0, SEVERITY_COUNT, chose_severity },
	[PROMPT_SIGN] = { 1, 3, chose_sign },
	[PROMPT_ROLE] = { ROLE_AGENT, ROLE_COUNT - 1, chose_role },
};

bool ui_prompt_is_choice(const struct prompt *p)
{
	return choices[p->kind].chose != NULL;
}

bool ui_prompt_choice(struct ui_state *s, ui_key key, unsigned *effects)
{
	enum prompt_kind kind = s->prompt.kind;
	unsigned figure = key >= '0' && key <= '9' ? (unsigned)(key - '0') : 10;

	if (!choices[kind].chose)
		return false;
	if (key == KEY_CODE_ESCAPE || key == KEY_CODE_BACKSPACE || key == 'q') {
		s->prompt.active = false;
		return true;
	}
	if (figure < choices[kind].first || figure > choices[kind].last) {
		ui_say(s, MESSAGE_WARNING, "press one of the figures; Esc leaves it");
		return true;
	}
	s->prompt.active = false;
	*effects = choices[kind].chose(s, figure) | UI_REDRAW;
	return true;
}

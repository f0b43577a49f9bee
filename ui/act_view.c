/* Opening and closing views, following, copying, leaving.
 * SPDX-License-Identifier: MIT */
#include "ui/act.h"

#include <string.h>

#include "model/secret.h"
#include "model/text.h"
#include "ui/core.h"
#include "ui/words.h"

/* --- views ------------------------------------------------------------------------------------ */

static unsigned toggle(struct ui_state *s, enum mode mode)
{
	if (s->mode == mode)
		ui_close(s);
	else
		ui_open(s, mode);
	return UI_REDRAW;
}

unsigned act_matrix(struct ui_state *s)
{
	toggle(s, MODE_MATRIX);
	if (s->mode == MODE_MATRIX && ui_workload(s) != SIZE_MAX)
		s->texts[MODE_MATRIX].at = ui_workload(s);
	return UI_REDRAW;
}

unsigned act_present(struct ui_state *s)
{
	if (s->mode != MODE_PRESENT && !ui_finding(s)) {
		if (!s->loaded || s->match.finding_count == 0) {
			ui_say(s, MESSAGE_INFO, "no finding to present");
			return UI_REDRAW;
		}
		ui_select_finding(s, &s->match.findings[0]);
	}
	/* What is said there is said about the finding. */
	if (s->mode != MODE_PRESENT)
		ui_select_finding(s, ui_finding(s));
	return toggle(s, MODE_PRESENT);
}

unsigned act_scope(struct ui_state *s)
{
	return toggle(s, MODE_SCOPE);
}

unsigned act_coverage(struct ui_state *s)
{
	return toggle(s, MODE_COVERAGE);
}

unsigned act_log(struct ui_state *s)
{
	return toggle(s, MODE_LOG);
}

unsigned act_help(struct ui_state *s)
{
	buf_clear(&s->help_filter);
	return toggle(s, MODE_HELP);
}

unsigned act_export(struct ui_state *s)
{
	if (!s->loaded) {
		ui_say(s, MESSAGE_INFO, "nothing was read yet");
		return UI_REDRAW;
	}
	return UI_PREVIEW;
}

unsigned act_write(struct ui_state *s)
{
	prompt_ask(&s->prompt, PROMPT_EXPORT, "write the report to", buf_text(&s->export_path));
	return UI_REDRAW;
}

/* --- following -------------------------------------------------------------------------------- */

static unsigned follow(struct ui_state *s, struct span place)
{
	if (!span_is_set(place)) {
		ui_say(s, MESSAGE_INFO, "this line names no place");
		return UI_REDRAW;
	}
	while (ui_close(s))
		;
	ui_show_span(s, place);
	s->cursors[PANE_SOURCE].at = s->source_line ? s->source_line - 1 : 0;
	return act_pane_4(s);
}

static struct span doc_place(const struct doc *d, size_t i)
{
	return i < d->count ? d->lines[i].place : (struct span){ 0 };
}

static unsigned enter_detail(struct ui_state *s)
{
	struct span place = doc_place(&s->detail, s->cursors[PANE_DETAIL].at);

	return follow(s, span_is_set(place) ? place : ui_selected_span(s));
}

static unsigned enter_main(struct ui_state *s)
{
	if (s->focus == PANE_WORKLOADS)
		return act_pane_2(s);
	if (s->focus == PANE_SOURCE)
		return act_pane_5(s);
	if (s->focus == PANE_DETAIL)
		return enter_detail(s);
	/* The source may show what was selected in the other pane. */
	if (s->focus == PANE_FINDINGS && ui_finding(s) && s->subject != SUBJECT_FINDING)
		ui_select_finding(s, ui_finding(s));
	return act_pane_4(s);
}

static bool has_format(const struct ui_state *s, enum format_id format)
{
	for (size_t i = 0; s->loaded && i < s->match.workload_count; i++)
		if (s->match.workloads[i]->format == format)
			return true;
	return false;
}

/* What the files suggest; it counts only once the reviewer takes it. */
static const char *scope_proposal(const struct ui_state *s, size_t line)
{
	if (line == SCOPE_RUNTIME && has_format(s, FORMAT_COMPOSE))
		return "docker";
	if (line == SCOPE_RUNTIME && has_format(s, FORMAT_K8S))
		return "containerd";
	if (line == SCOPE_OS && s->loaded && s->match.workload_count > 0)
		return "linux";
	return "";
}

/* The files of a stack become a setting of the review, and the tree is read again with them. */
static unsigned take_stack(struct ui_state *s, const struct possible_stack *stack)
{
	struct buf *files = &s->scope[SCOPE_COMPOSE];
	unsigned effects;

	buf_clear(files);
	scope_list(&stack->files, files);
	outbox_begin(s);
	outbox_add(s, &(struct event){ .kind = EVENT_SCOPE, .key = "compose-files",
	                               .value = buf_text(files) });
	effects = outbox_end(s, "compose-files: %s", buf_text(files));
	while (ui_close(s))
		;
	return effects | UI_RELOAD | UI_REDRAW;
}

static unsigned edit_scope_line(struct ui_state *s)
{
	static const char *const labels[SCOPE_LINES] = {
		[SCOPE_RUNTIME] = "runtime: docker, podman, containerd, cri-o or none",
		[SCOPE_OS] = "operating system: linux, windows or darwin",
		[SCOPE_KUBERNETES] = "Kubernetes version, as 1.34",
		[SCOPE_DEPLOYMENT] = "deployment version",
		[SCOPE_COMPOSE] = "Compose files in order, separated by blanks",
		[SCOPE_PROFILES] = "active profiles, separated by blanks",
		[SCOPE_REVIEWER] = "your name in the review",
	};
	size_t at = s->texts[MODE_SCOPE].at;

	if (s->read_only) {
		ui_say(s, MESSAGE_WARNING, "read-only: the scope stays as it is");
		return UI_REDRAW;
	}
	if (scope_stack(s, at))
		return take_stack(s, scope_stack(s, at));
	if (at == SCOPE_APPLY) {
		while (ui_close(s))
			;
		return UI_RELOAD | UI_REDRAW;
	}
	prompt_ask(&s->prompt, PROMPT_SCOPE, labels[at],
		   s->scope[at].length > 0 ? buf_text(&s->scope[at]) : scope_proposal(s, at));
	return UI_REDRAW;
}

unsigned act_enter(struct ui_state *s)
{
	if (!s->loaded && s->mode != MODE_SCOPE)
		return UI_REDRAW;
	if (s->mode == MODE_MAIN)
		return enter_main(s);
	if (s->mode == MODE_SCOPE)
		return edit_scope_line(s);
	if (s->mode == MODE_COVERAGE)
		return follow(s, doc_place(&s->doc, s->texts[s->mode].at));
	if (s->mode == MODE_MATRIX)
		s->focus = PANE_MAP;
	if (s->mode == MODE_PRESENT)
		s->focus = PANE_FINDINGS;
	ui_close(s);
	return UI_REDRAW;
}

unsigned act_back(struct ui_state *s)
{
	if (s->progress.active)
		return UI_STOP | UI_REDRAW;
	if (ui_close(s))
		return UI_REDRAW;
	if (s->ranging || s->tags.count > 0) {
		s->ranging = false;
		tags_clear(&s->tags);
		return UI_REDRAW;
	}
	if (s->zoom != ZOOM_NORMAL) {
		s->zoom = ZOOM_NORMAL;
		return UI_REDRAW;
	}
	buf_clear(&s->search);
	s->focus = s->focus == PANE_SOURCE || s->focus == PANE_DETAIL ? PANE_FINDINGS : s->focus;
	return UI_REDRAW;
}

unsigned act_edit(struct ui_state *s)
{
	struct span place = { 0 };

	if (s->mode == MODE_COVERAGE)
		place = doc_place(&s->doc, s->texts[s->mode].at);
	else if (s->mode == MODE_MAIN && s->focus == PANE_DETAIL)
		place = doc_place(&s->detail, s->cursors[PANE_DETAIL].at);
	buf_clear(&s->edit_path);
	if (span_is_set(place)) {
		buf_puts(&s->edit_path, snapshot_path(s->snapshot, place));
		s->edit_line = snapshot_line(s->snapshot, place);
	} else {
		buf_puts(&s->edit_path, buf_text(&s->source_path));
		s->edit_line = s->source_line;
	}
	if (s->edit_path.length == 0) {
		ui_say(s, MESSAGE_INFO, "no file is selected");
		return UI_REDRAW;
	}
	return UI_EDIT | UI_REDRAW;
}

/* --- copying ---------------------------------------------------------------------------------- */

unsigned act_copy(struct ui_state *s)
{
	struct buf raw = { 0 }, safe = { 0 };

	buf_clear(&s->clip);
	if (s->mode == MODE_PRESENT && ui_finding(s))
		words_finding(&s->match, ui_finding(s), &raw);
	else
		ui_list_text(s, ui_list_cursor(s)->at, &raw);
	secret_redact_prose(&safe, buf_text(&raw), raw.length);
	text_visible(&s->clip, buf_text(&safe), safe.length, TEXT_ONE_LINE);
	buf_free(&safe);
	buf_free(&raw);
	return s->clip.length > 0 ? UI_COPY | UI_REDRAW : UI_REDRAW;
}

static void markdown(struct buf *out, const char *text)
{
	struct buf safe = { 0 };

	secret_redact_prose(&safe, text, strlen(text));
	text_markdown(out, buf_text(&safe), safe.length);
	buf_free(&safe);
}

static void copy_finding(struct ui_state *s, const struct matched_finding *f)
{
	struct buf place = { 0 };

	words_place(s->snapshot, words_finding_span(f->finding), &place);
	buf_printf(&s->clip, "**%s** (%s): ", f->finding->rule->slug, severity_names[f->severity]);
	markdown(&s->clip, f->finding->message ? f->finding->message : "");
	buf_puts(&s->clip, " — ");
	text_markdown_code(&s->clip, buf_text(&place), place.length);
	buf_putc(&s->clip, '\n');
	buf_free(&place);
}

unsigned act_copy_markdown(struct ui_state *s)
{
	const struct matched_finding *f = ui_finding(s);
	struct buf raw = { 0 };

	buf_clear(&s->clip);
	if (f && (s->subject == SUBJECT_FINDING || s->mode == MODE_PRESENT)) {
		copy_finding(s, f);
	} else {
		ui_list_text(s, ui_list_cursor(s)->at, &raw);
		markdown(&s->clip, buf_text(&raw));
	}
	buf_free(&raw);
	return s->clip.length > 0 ? UI_COPY | UI_REDRAW : UI_REDRAW;
}

/* --- program ---------------------------------------------------------------------------------- */

unsigned act_command(struct ui_state *s)
{
	prompt_ask(&s->prompt, PROMPT_COMMAND, ":", NULL);
	return UI_REDRAW;
}

unsigned act_reload(struct ui_state *s)
{
	(void)s;
	return UI_RELOAD | UI_REDRAW;
}

unsigned act_redraw(struct ui_state *s)
{
	(void)s;
	return UI_CLEAR | UI_REDRAW;
}

unsigned act_suspend(struct ui_state *s)
{
	(void)s;
	return UI_SUSPEND | UI_REDRAW;
}

unsigned act_close(struct ui_state *s)
{
	return ui_close(s) ? UI_REDRAW : UI_QUIT;
}

unsigned act_quit(struct ui_state *s)
{
	(void)s;
	return UI_QUIT;
}

/* Life of the state: begin, end, the model, messages, views.
 * SPDX-License-Identifier: MIT */
#include "ui/state.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "model/text.h"
#include "ui/core.h"

enum { LOG_MESSAGES = 500 };

void ui_init(struct ui_state *s)
{
	*s = (struct ui_state){ .width = 80, .height = 24 };
	keymap_defaults(&s->keymap);
	s->focus = PANE_FINDINGS;
	s->tab = PANE_MAP;
	s->subject = SUBJECT_FINDING;
	ui_arrange(s);
}

void ui_drop_model(struct ui_state *s)
{
	if (s->loaded)
		match_free(&s->match);
	s->match = (struct match){ 0 };
	s->loaded = false;
	s->snapshot = NULL;
	s->workloads.count = s->findings.count = s->fields.count = 0;
}

void ui_free(struct ui_state *s)
{
	ui_drop_model(s);
	prompt_free(&s->prompt);
	free(s->message.text);
	for (size_t i = 0; i < s->log.count; i++)
		free(s->log.items[i].text);
	free(s->log.items);
	buf_free(&s->progress.stage);
	buf_free(&s->progress.path);
	buf_free(&s->row_key);
	buf_free(&s->finding_id);
	buf_free(&s->source_path);
	tags_free(&s->tags);
	workload_view_free(&s->workloads);
	index_view_free(&s->findings);
	index_view_free(&s->fields);
	for (size_t i = 0; i < PANE_COUNT; i++) {
		buf_free(&s->filters[i]);
		buf_free(&s->filter_why[i]);
	}
	buf_free(&s->help_filter);
	buf_free(&s->search);
	doc_free(&s->detail);
	doc_free(&s->doc);
	for (size_t i = 0; i < SCOPE_LINES; i++)
		buf_free(&s->scope[i]);
	outbox_free(&s->outbox);
	buf_free(&s->clip);
	buf_free(&s->preview);
	buf_free(&s->export_path);
	buf_free(&s->edit_path);
	buf_free(&s->review_path);
	buf_free(&s->tree_path);
	*s = (struct ui_state){ 0 };
}

static void set_text(struct buf *b, const char *text)
{
	buf_clear(b);
	buf_puts(b, text);
}

/* The form shows what holds, until the reviewer types something else. */
static void fill_scope(struct ui_state *s)
{
	const struct scope *scope = &s->snapshot->scope;
	const char *values[SCOPE_LINES] = {
		[SCOPE_RUNTIME] = scope->runtime,
		[SCOPE_OS] = scope->os,
		[SCOPE_KUBERNETES] = scope->kubernetes,
		[SCOPE_DEPLOYMENT] = scope->deployment,
	};
	const struct string_list *lists[SCOPE_LINES] = {
		[SCOPE_COMPOSE] = &scope->compose_files,
		[SCOPE_PROFILES] = &scope->profiles,
	};

	for (size_t i = 0; i < SCOPE_LINES; i++) {
		if (values[i] && values[i][0])
			set_text(&s->scope[i], values[i]);
		if (!lists[i])
			continue;
		buf_clear(&s->scope[i]);
		scope_list(lists[i], &s->scope[i]);
	}
}

/* The first time: the worst finding, else the first workload. */
static void select_first(struct ui_state *s)
{
	if (s->row_key.length > 0 && ui_row(s))
		return;
	if (s->match.finding_count > 0)
		ui_select_finding(s, &s->match.findings[0]);
	else if (s->match.workload_count > 0)
		ui_select_row(s, s->match.workloads[0]);
	else if (s->snapshot->rows.count > 0)
		ui_select_row(s, s->snapshot->rows.items[0]);
}

void ui_set_model(struct ui_state *s, const struct snapshot *snapshot, struct review *review)
{
	bool new_snapshot = s->snapshot != snapshot;

	ui_drop_model(s);
	s->snapshot = snapshot;
	s->review = review;
	match_build_on(&s->match, snapshot, review, s->digest, s->today);
	s->loaded = true;
	if (new_snapshot)
		fill_scope(s);
	s->doc_fresh = false;
	ui_rebuild(s);
	select_first(s);
	ui_find_cursors(s);
	ui_settle(s);
	ui_arrange(s);
}

static void log_message(struct ui_state *s, struct message message)
{
	if (s->log.count == LOG_MESSAGES) {
		free(s->log.items[0].text);
		memmove(s->log.items, s->log.items + 1, (LOG_MESSAGES - 1) * sizeof *s->log.items);
		s->log.count--;
	}
	if (s->log.count == s->log.capacity) {
		s->log.capacity = s->log.capacity ? 2 * s->log.capacity : 16;
		s->log.items = realloc(s->log.items, s->log.capacity * sizeof *s->log.items);
		if (!s->log.items)
			abort();
	}
	s->log.items[s->log.count++] = message;
}

static char *copy_text(const char *text)
{
	size_t length = strlen(text);
	char *copy = malloc(length + 1);

	if (!copy)
		abort();
	memcpy(copy, text, length + 1);
	return copy;
}

void ui_say(struct ui_state *s, enum message_level level, const char *format, ...)
{
	struct buf text = { 0 };
	va_list args;

	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	free(s->message.text);
	s->message = (struct message){ level, copy_text(buf_text(&text)) };
	log_message(s, (struct message){ level, copy_text(buf_text(&text)) });
	buf_free(&text);
}

void ui_set_preview(struct ui_state *s, const char *bytes, size_t length)
{
	buf_clear(&s->preview);
	buf_add(&s->preview, bytes, length);
	s->doc_fresh = false;
	if (s->mode != MODE_EXPORT)
		ui_open(s, MODE_EXPORT);
	ui_arrange(s);
}

void ui_open(struct ui_state *s, enum mode mode)
{
	if (s->mode == mode)
		return;
	if (s->below_count == sizeof s->below / sizeof *s->below)
		s->below_count--;
	s->below[s->below_count++] = s->mode;
	s->mode = mode;
	s->doc_fresh = false;
	s->texts[mode] = (struct cursor){ 0 };
}

bool ui_close(struct ui_state *s)
{
	if (s->below_count == 0)
		return false;
	s->mode = s->below[--s->below_count];
	s->doc_fresh = false;
	return true;
}

/* --- tags ------------------------------------------------------------------------------------- */

static size_t tag_at(const struct tag_set *t, const char *key)
{
	size_t i = 0;

	while (i < t->count && strcmp(t->items[i], key) != 0)
		i++;
	return i;
}

bool tags_have(const struct tag_set *t, const char *key)
{
	return tag_at(t, key) < t->count;
}

void tags_add(struct tag_set *t, const char *key)
{
	if (tags_have(t, key))
		return;
	if (t->count == t->capacity) {
		t->capacity = t->capacity ? 2 * t->capacity : 16;
		t->items = realloc(t->items, t->capacity * sizeof *t->items);
		if (!t->items)
			abort();
	}
	t->items[t->count++] = copy_text(key);
}

bool tags_toggle(struct tag_set *t, const char *key)
{
	size_t at = tag_at(t, key);

	if (at == t->count) {
		tags_add(t, key);
		return true;
	}
	free(t->items[at]);
	memmove(t->items + at, t->items + at + 1, (t->count - at - 1) * sizeof *t->items);
	t->count--;
	return false;
}

void tags_clear(struct tag_set *t)
{
	for (size_t i = 0; i < t->count; i++)
		free(t->items[i]);
	t->count = 0;
}

void tags_free(struct tag_set *t)
{
	tags_clear(t);
	free(t->items);
	*t = (struct tag_set){ 0 };
}

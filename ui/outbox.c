/* Events on their way to the journal, and undo of whole acts.
 * SPDX-License-Identifier: MIT */
#include <stdarg.h>

#include "ui/core.h"
#include "ui/words.h"

void outbox_free(struct outbox *o)
{
	arena_free(&o->arena);
	buf_free(&o->said);
	*o = (struct outbox){ 0 };
}

static void drop_events(struct outbox *o)
{
	arena_free(&o->arena);
	o->arena = (struct arena){ 0 };
	o->events.items = NULL;
	o->events.count = o->events.capacity = o->next = 0;
	o->undo = o->redo = false;
}

void outbox_begin(struct ui_state *s)
{
	drop_events(&s->outbox);
	buf_clear(&s->outbox.said);
}

static const char *kept(struct arena *a, const char *text)
{
	return arena_strdup(a, text ? text : "");
}

void outbox_add(struct ui_state *s, const struct event *event)
{
	struct arena *a = &s->outbox.arena;

	*ARENA_PUSH(a, &s->outbox.events) = (struct event){
		.kind = event->kind,
		.id = "",
		.who = "",
		.when = "",
		.key = kept(a, event->key),
		.fingerprint = kept(a, event->fingerprint),
		.value = kept(a, event->value),
		.basis = kept(a, event->basis),
		.note = kept(a, event->note),
		.owner = kept(a, event->owner),
		.expires = kept(a, event->expires),
		.path = kept(a, event->path),
		.line = event->line,
		.act = "",
	};
}

unsigned outbox_end(struct ui_state *s, const char *format, ...)
{
	struct outbox *o = &s->outbox;
	va_list args;

	if (o->events.count == 0)
		return UI_REDRAW;
	va_start(args, format);
	buf_clear(&o->said);
	buf_vprintf(&o->said, format, args);
	va_end(args);
	return UI_EVENTS | UI_REDRAW;
}

unsigned outbox_undo(struct ui_state *s)
{
	struct outbox *o = &s->outbox;

	outbox_begin(s);
	if (!s->review) {
		ui_say(s, MESSAGE_INFO, "nothing to undo");
		return UI_REDRAW;
	}
	o->undo = true;
	return UI_EVENTS | UI_REDRAW;
}

unsigned outbox_redo(struct ui_state *s)
{
	struct outbox *o = &s->outbox;

	outbox_begin(s);
	if (!s->review) {
		ui_say(s, MESSAGE_INFO, "nothing to redo");
		return UI_REDRAW;
	}
	o->redo = true;
	return UI_EVENTS | UI_REDRAW;
}

static void finish(struct ui_state *s)
{
	if (s->outbox.said.length > 0)
		ui_say(s, MESSAGE_INFO, "%s", buf_text(&s->outbox.said));
	buf_clear(&s->outbox.said);
	drop_events(&s->outbox);
	if (s->loaded)
		ui_set_model(s, s->snapshot, s->review);
}

/* Names the event that undo or redo is about; false when there is none. */
static bool take_undo(struct ui_state *s, struct event *out, bool undo)
{
	bool *wanted = undo ? &s->outbox.undo : &s->outbox.redo;
	const struct event *about;

	if (!*wanted)
		return false;
	*wanted = false;
	buf_clear(&s->outbox.said);
	about = undo ? review_undoable(s->review, buf_text(&s->scope[SCOPE_REVIEWER]))
	             : review_redoable(s->review, buf_text(&s->scope[SCOPE_REVIEWER]));
	if (!about || !s->loaded) {
		buf_puts(&s->outbox.said, undo ? "nothing to undo" : "nothing to redo");
		return false;
	}
	buf_puts(&s->outbox.said, undo ? "undone: " : "done again: ");
	words_act(&s->match, s->review, about, &s->outbox.said);
	buf_puts(&s->outbox.said, undo ? "; Z brings it back" : "; z undoes");
	*out = (struct event){
		.kind = undo ? EVENT_UNDO : EVENT_REDO,
		.id = "",
		.who = "",
		.when = "",
		.key = about->key,
		.fingerprint = "",
		.value = about->id,
		.basis = "",
		.note = "",
		.owner = "",
		.expires = "",
		.path = "",
		.act = "",
	};
	return true;
}

bool ui_take_event(struct ui_state *s, struct event *out)
{
	struct outbox *o = &s->outbox;

	if (o->next < o->events.count) {
		*out = o->events.items[o->next++];
		out->act = o->events.count > 1 ? UI_SHARED_ACT : "";
		return true;
	}
	if (take_undo(s, out, true) || take_undo(s, out, false))
		return true;
	finish(s);
	return false;
}

void ui_event_written(struct ui_state *s, const struct event *event)
{
	review_apply(s->review, event);
}

void ui_event_failed(struct ui_state *s, const char *why)
{
	buf_clear(&s->outbox.said);
	drop_events(&s->outbox);
	ui_say(s, MESSAGE_ERROR, "not saved: %s", why);
	if (s->loaded)
		ui_set_model(s, s->snapshot, s->review);
}

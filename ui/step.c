/* One event in, effects out.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "ui/core.h"

static void forget_message(struct ui_state *s)
{
	free(s->message.text);
	s->message = (struct message){ 0 };
}

static unsigned run_action(struct ui_state *s, enum action action, ui_key key)
{
	char name[KEY_NAME_BYTES], help[KEY_NAME_BYTES];

	key_spell(key, name);
	if (action == ACTION_NONE) {
		keymap_first(&s->keymap, ACTION_HELP, help);
		ui_say(s, MESSAGE_WARNING, "nothing is bound to %s here, press %s for help", name,
		       help);
		return UI_REDRAW;
	}
	if (s->read_only && (action_table[action].flags & ACTION_MUTATES)) {
		ui_say(s, MESSAGE_WARNING, "read-only: %s changes nothing",
		       action_table[action].name);
		return UI_REDRAW;
	}
	return action_table[action].run(s) | UI_REDRAW;
}

static unsigned prompt_step(struct ui_state *s, ui_key key)
{
	unsigned effects = UI_REDRAW;

	if (ui_prompt_choice(s, key, &effects))
		return effects;
	switch (prompt_key(&s->prompt, key)) {
	case PROMPT_ACCEPTED:
		return ui_prompt_accept(s) | UI_REDRAW;
	case PROMPT_CANCELLED:
		return ui_prompt_cancel(s) | UI_REDRAW;
	case PROMPT_CHANGED:
		return ui_prompt_changed(s) | UI_REDRAW;
	case PROMPT_GOES_ON:
		break;
	}
	return UI_REDRAW;
}

/* Pasted text answers a question and does nothing else: a line of it would be a row of commands. */
static unsigned paste_step(struct ui_state *s, ui_key key)
{
	if (!s->prompt.active || ui_prompt_is_choice(&s->prompt)) {
		ui_say(s, MESSAGE_WARNING, "pasted text is left out: no text is asked for");
		return UI_REDRAW;
	}
	return prompt_step(s, key == KEY_CODE_ENTER || key == KEY_CODE_TAB ? ' ' : key);
}

/* Somebody who types on after a key that was not taken believes a prompt to be open. */
static bool is_typed_on(const struct ui_state *s, const struct ui_event *event)
{
	return s->refused && event->quick && !event->pasted && key_is_text(event->key) &&
	       (!s->prompt.active || ui_prompt_is_choice(&s->prompt));
}

static unsigned key_step(struct ui_state *s, const struct ui_event *event)
{
	unsigned effects;

	if (is_typed_on(s, event)) {
		ui_say(s, MESSAGE_WARNING, "typed on after a key that does nothing here: left out");
		return UI_REDRAW;
	}
	forget_message(s);
	if (event->pasted)
		effects = paste_step(s, event->key);
	else if (s->prompt.active)
		effects = prompt_step(s, event->key);
	else
		effects = run_action(s, keymap_find(&s->keymap, s->mode, event->key), event->key);
	s->refused = !event->pasted && s->message.text && s->message.level == MESSAGE_WARNING;
	return effects;
}

static unsigned progress_step(struct ui_state *s, const struct ui_event *event)
{
	s->progress.active = event->stage != NULL;
	s->progress.done = event->done;
	s->progress.total = event->total;
	buf_clear(&s->progress.stage);
	buf_puts(&s->progress.stage, event->stage ? event->stage : "");
	buf_clear(&s->progress.path);
	buf_puts(&s->progress.path, event->path ? event->path : "");
	return UI_REDRAW;
}

unsigned ui_step(struct ui_state *s, const struct ui_event *event)
{
	unsigned effects = 0;

	switch (event->kind) {
	case UI_EVENT_KEY:
		effects = key_step(s, event);
		break;
	case UI_EVENT_RESIZE:
		s->width = event->width > 0 ? event->width : 0;
		s->height = event->height > 0 ? event->height : 0;
		s->doc_fresh = false;
		effects = UI_REDRAW;
		break;
	case UI_EVENT_PROGRESS:
		effects = progress_step(s, event);
		break;
	}
	ui_arrange(s);
	return effects;
}

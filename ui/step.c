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

static unsigned key_step(struct ui_state *s, ui_key key)
{
	forget_message(s);
	if (s->prompt.active)
		return prompt_step(s, key);
	return run_action(s, keymap_find(&s->keymap, s->mode, key), key);
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
		effects = key_step(s, event->key);
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

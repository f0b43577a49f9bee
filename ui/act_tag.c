/* Tags and ranges: what an act on several lines is about.
 * SPDX-License-Identifier: MIT */
#include "ui/act.h"
#include "ui/core.h"

static void tag_line(struct ui_state *s, size_t i, bool only_add)
{
	struct arena a = { 0 };
	const char *key = NULL;

	if (s->mode == MODE_MATRIX && ui_row(s))
		key = cell_key(&a, ui_row(s), s->field);
	else if (s->focus == PANE_MAP && ui_row(s) && i < s->fields.count)
		key = cell_key(&a, ui_row(s), (enum field)s->fields.items[i]);
	else if (s->focus == PANE_FINDINGS && i < s->findings.count)
		key = s->match.findings[s->findings.items[i]].finding->id;
	if (key && only_add)
		tags_add(&s->tags, key);
	else if (key)
		tags_toggle(&s->tags, key);
	else
		ui_say(s, MESSAGE_INFO, "tag findings, or fields of the boundary map");
	arena_free(&a);
}

unsigned act_tag(struct ui_state *s)
{
	size_t at = ui_list_cursor(s)->at;

	if (!s->loaded)
		return UI_REDRAW;
	if (s->ranging) {
		for (size_t i = 0; i < ui_list_count(s); i++) {
			if (ui_is_range(s, i))
				tag_line(s, i, true);
		}
		s->ranging = false;
		return UI_REDRAW;
	}
	tag_line(s, at, false);
	if (s->mode == MODE_MAIN && at + 1 < ui_list_count(s))
		ui_list_go(s, at + 1);
	return UI_REDRAW;
}

unsigned act_range(struct ui_state *s)
{
	if (s->focus != PANE_MAP && s->focus != PANE_FINDINGS) {
		ui_say(s, MESSAGE_INFO, "ranges are for findings and for the boundary map");
		return UI_REDRAW;
	}
	s->ranging = !s->ranging;
	s->range_from = s->cursors[s->focus].at;
	return UI_REDRAW;
}

bool ui_is_range(const struct ui_state *s, size_t i)
{
	size_t at = s->cursors[s->focus].at, from = s->range_from;

	if (!s->ranging || s->mode != MODE_MAIN)
		return false;
	return at < from ? i >= at && i <= from : i >= from && i <= at;
}

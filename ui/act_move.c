/* Moving, searching, filtering, panes and views.
 * SPDX-License-Identifier: MIT */
#include "ui/act.h"

#include "ui/core.h"
#include "ui/find.h"
#include "ui/words.h"

/* --- moving in the list ----------------------------------------------------------------------- */

static unsigned go(struct ui_state *s, bool down, size_t lines)
{
	size_t at = ui_list_cursor(s)->at;

	if (down)
		ui_list_go(s, at + lines);
	else
		ui_list_go(s, at > lines ? at - lines : 0);
	return UI_REDRAW;
}

static size_t page(const struct ui_state *s, int divisor)
{
	int lines = ui_list_height(s) / divisor;

	return lines > 1 ? (size_t)lines : 1;
}

unsigned act_down(struct ui_state *s)
{
	return go(s, true, 1);
}

unsigned act_up(struct ui_state *s)
{
	return go(s, false, 1);
}

unsigned act_half_down(struct ui_state *s)
{
	return go(s, true, page(s, 2));
}

unsigned act_half_up(struct ui_state *s)
{
	return go(s, false, page(s, 2));
}

unsigned act_page_down(struct ui_state *s)
{
	return go(s, true, page(s, 1));
}

unsigned act_page_up(struct ui_state *s)
{
	return go(s, false, page(s, 1));
}

unsigned act_first(struct ui_state *s)
{
	ui_list_cursor(s)->left = 0;
	return go(s, false, SIZE_MAX);
}

unsigned act_last(struct ui_state *s)
{
	size_t count = ui_list_count(s);

	if (count > 0)
		ui_list_go(s, count - 1);
	return UI_REDRAW;
}

static unsigned sideways(struct ui_state *s, int direction)
{
	struct cursor *c = ui_list_cursor(s);

	if (s->mode == MODE_MATRIX) {
		if (direction > 0 ? s->field + 1 < FIELD_COUNT : s->field > 0)
			ui_select_field(s, (enum field)((int)s->field + direction));
		return UI_REDRAW;
	}
	c->left += 8 * direction;
	if (c->left < 0)
		c->left = 0;
	if (c->left > 4000)
		c->left = 4000;
	return UI_REDRAW;
}

unsigned act_left(struct ui_state *s)
{
	return sideways(s, -1);
}

unsigned act_right(struct ui_state *s)
{
	return sideways(s, 1);
}

/* --- search and filter ------------------------------------------------------------------------ */

unsigned act_search(struct ui_state *s)
{
	if (s->mode == MODE_HELP)
		return act_filter(s);
	prompt_ask(&s->prompt, PROMPT_SEARCH, "search", buf_text(&s->search));
	return UI_REDRAW;
}

static unsigned search(struct ui_state *s, bool down)
{
	size_t count = ui_list_count(s), at = ui_list_cursor(s)->at;
	struct buf text = { 0 };
	bool found = false;

	if (s->search.length == 0) {
		ui_say(s, MESSAGE_INFO, "nothing was searched for yet");
		return UI_REDRAW;
	}
	for (size_t n = 1; n <= count && !found; n++) {
		size_t i = down ? (at + n) % count : (at + count - n) % count;

		buf_clear(&text);
		ui_list_text(s, i, &text);
		found = text.length > 0 && find_in(buf_text(&text), buf_text(&s->search));
		if (found)
			ui_list_go(s, i);
	}
	if (!found)
		ui_say(s, MESSAGE_WARNING, "no match for %s", buf_text(&s->search));
	buf_free(&text);
	return UI_REDRAW;
}

unsigned act_search_next(struct ui_state *s)
{
	return search(s, true);
}

unsigned act_search_back(struct ui_state *s)
{
	return search(s, false);
}

/* Source and detail show what is selected among the findings: those are filtered there. */
static struct buf *filter_of(struct ui_state *s)
{
	if (s->mode == MODE_HELP)
		return &s->help_filter;
	if (s->focus == PANE_SOURCE || s->focus == PANE_DETAIL)
		s->focus = PANE_FINDINGS;
	return &s->filters[s->focus];
}

unsigned act_filter(struct ui_state *s)
{
	struct buf *filter = filter_of(s);

	buf_clear(&s->prompt.saved);
	buf_puts(&s->prompt.saved, buf_text(filter));
	prompt_ask(&s->prompt, PROMPT_FILTER, "filter", NULL);
	buf_puts(&s->prompt.text, buf_text(filter));
	s->prompt.at = s->prompt.text.length;
	return UI_REDRAW;
}

unsigned act_filter_clear(struct ui_state *s)
{
	struct buf *filter = filter_of(s);

	buf_clear(filter);
	ui_rebuild(s);
	return UI_REDRAW;
}

unsigned act_sort(struct ui_state *s)
{
	if (s->focus == PANE_WORKLOADS) {
		s->workload_order = (s->workload_order + 1) % WORKLOAD_ORDERS;
		ui_say(s, MESSAGE_INFO, "workloads %s", workload_order_names[s->workload_order]);
	} else if (s->focus == PANE_FINDINGS) {
		s->finding_order = (s->finding_order + 1) % FINDING_ORDERS;
		ui_say(s, MESSAGE_INFO, "findings %s", finding_order_names[s->finding_order]);
	} else {
		ui_say(s, MESSAGE_INFO, "this pane has one order");
	}
	ui_rebuild(s);
	return UI_REDRAW;
}

unsigned act_all(struct ui_state *s)
{
	s->all_findings = !s->all_findings;
	ui_say(s, MESSAGE_INFO, "findings of %s",
	       s->all_findings ? "all workloads" : "the selected workload");
	ui_rebuild(s);
	return UI_REDRAW;
}

/* --- findings across workloads ---------------------------------------------------------------- */

static unsigned step_finding(struct ui_state *s, bool on, bool undecided)
{
	size_t count = s->loaded ? s->match.finding_count : 0, at = ui_finding_index(s);

	for (size_t n = 1; n <= count; n++) {
		size_t i = at == SIZE_MAX ? (on ? n - 1 : count - n)
		           : on           ? (at + n) % count
		                          : (at + count - n) % count;
		const struct matched_finding *f = &s->match.findings[i];

		if (undecided && f->disposition != DISPOSITION_NEW && !f->changed)
			continue;
		ui_select_finding(s, f);
		s->texts[MODE_PRESENT] = (struct cursor){ 0 };
		if (i != at && at != SIZE_MAX && on != (i > at))
			ui_say(s, MESSAGE_INFO,
			       on ? "from the last finding to the first"
			          : "from the first finding to the last");
		return UI_REDRAW;
	}
	ui_say(s, MESSAGE_INFO, undecided && count ? "every finding is decided" : "no findings");
	return UI_REDRAW;
}

unsigned act_finding_next(struct ui_state *s)
{
	return step_finding(s, true, false);
}

unsigned act_finding_back(struct ui_state *s)
{
	return step_finding(s, false, false);
}

unsigned act_open_next(struct ui_state *s)
{
	return step_finding(s, true, true);
}

unsigned act_open_back(struct ui_state *s)
{
	return step_finding(s, false, true);
}

/* --- panes ------------------------------------------------------------------------------------ */

static unsigned focus(struct ui_state *s, enum pane pane)
{
	s->focus = pane;
	ui_settle(s);
	s->ranging = false;
	if (pane == PANE_MAP || pane == PANE_SOURCE || pane == PANE_DETAIL)
		s->tab = pane;
	return UI_REDRAW;
}

unsigned act_pane_next(struct ui_state *s)
{
	return focus(s, (s->focus + 1) % PANE_COUNT);
}

unsigned act_pane_back(struct ui_state *s)
{
	return focus(s, (s->focus + PANE_COUNT - 1) % PANE_COUNT);
}

unsigned act_pane_1(struct ui_state *s)
{
	return focus(s, PANE_WORKLOADS);
}

unsigned act_pane_2(struct ui_state *s)
{
	return focus(s, PANE_MAP);
}

unsigned act_pane_3(struct ui_state *s)
{
	return focus(s, PANE_FINDINGS);
}

unsigned act_pane_4(struct ui_state *s)
{
	return focus(s, PANE_SOURCE);
}

unsigned act_pane_5(struct ui_state *s)
{
	return focus(s, PANE_DETAIL);
}

unsigned act_zoom_in(struct ui_state *s)
{
	s->zoom = s->zoom + 1 < ZOOM_COUNT ? s->zoom + 1 : ZOOM_NORMAL;
	/* Between normal and full there is nothing where one pane is open anyway. */
	if (s->zoom == ZOOM_HALF && s->layout.kind == LAYOUT_ACCORDION)
		s->zoom = ZOOM_FULL;
	return UI_REDRAW;
}

unsigned act_zoom_out(struct ui_state *s)
{
	s->zoom = s->zoom > ZOOM_NORMAL ? s->zoom - 1 : ZOOM_NORMAL;
	if (s->zoom == ZOOM_HALF && s->layout.kind == LAYOUT_ACCORDION)
		s->zoom = ZOOM_NORMAL;
	return UI_REDRAW;
}

unsigned act_narrower(struct ui_state *s)
{
	if (s->shift > -40)
		s->shift -= 4;
	return UI_REDRAW;
}

unsigned act_wider(struct ui_state *s)
{
	if (s->shift < 40)
		s->shift += 4;
	return UI_REDRAW;
}

/* The list that keys move in, its scrolling, and the arrangement of the screen.
 * SPDX-License-Identifier: MIT */
#include "ui/core.h"

const struct pane_class *const pane_classes[PANE_COUNT] = {
	[PANE_WORKLOADS] = &pane_workloads, [PANE_MAP] = &pane_map,
	[PANE_FINDINGS] = &pane_findings,   [PANE_SOURCE] = &pane_source,
	[PANE_DETAIL] = &pane_detail,
};

size_t ui_list_count(const struct ui_state *s)
{
	if (s->mode == MODE_MAIN)
		return pane_classes[s->focus]->count(s);
	if (s->mode == MODE_MATRIX)
		return matrix_count(s);
	return s->mode == MODE_SCOPE ? scope_count(s) : s->doc.count;
}

struct cursor *ui_list_cursor(struct ui_state *s)
{
	return s->mode == MODE_MAIN ? &s->cursors[s->focus] : &s->texts[s->mode];
}

int ui_list_height(const struct ui_state *s)
{
	struct rect inside;

	if (s->mode != MODE_MAIN)
		return layout_view_inside(&s->layout).h - (s->mode == MODE_MATRIX);
	inside = layout_inside(&s->layout, s->focus);
	return inside.h - pane_classes[s->focus]->head;
}

void ui_list_text(const struct ui_state *s, size_t i, struct buf *out)
{
	if (s->mode == MODE_MAIN)
		pane_classes[s->focus]->text(s, i, out);
	else if (s->mode == MODE_MATRIX)
		matrix_text(s, i, out);
	else if (s->mode == MODE_SCOPE)
		buf_puts(out, i < SCOPE_LINES ? buf_text(&s->scope[i]) : "");
	else
		doc_text(&s->doc, i, out);
}

/* Headings of the workloads cannot be selected. */
static size_t skip_headings(const struct ui_state *s, size_t i, bool upwards)
{
	const struct workload_view *v = &s->workloads;
	size_t at = i;

	if (s->mode != MODE_MAIN || s->focus != PANE_WORKLOADS)
		return i;
	while (upwards && at > 0 && !v->items[at].row)
		at--;
	while (at < v->count && !v->items[at].row)
		at++;
	return at < v->count ? at : i;
}

void ui_list_go(struct ui_state *s, size_t i)
{
	size_t count = ui_list_count(s);
	struct cursor *c = ui_list_cursor(s);

	if (count == 0)
		return;
	if (i >= count)
		i = count - 1;
	i = skip_headings(s, i, i < c->at);
	c->at = i;
	if (s->mode == MODE_MAIN && pane_classes[s->focus]->chosen)
		pane_classes[s->focus]->chosen(s, i);
	if (s->mode == MODE_MATRIX)
		matrix_chosen(s, i);
}

size_t scroll_to(size_t top, size_t at, size_t count, int height)
{
	size_t h = height > 0 ? (size_t)height : 1;

	if (at < top)
		top = at;
	if (at >= top + h)
		top = at - h + 1;
	if (top + h > count)
		top = count > h ? count - h : 0;
	return top;
}

/* --- arrangement ------------------------------------------------------------------------------ */

static void arrange_pane(struct ui_state *s, enum pane pane)
{
	struct rect inside = layout_inside(&s->layout, pane);
	struct cursor *c = &s->cursors[pane];
	size_t count = pane_classes[pane]->count(s);

	if (c->at >= count)
		c->at = count ? count - 1 : 0;
	c->top = scroll_to(c->top, c->at, count, inside.h - pane_classes[pane]->head);
	/* The heading of the first line stays in view. */
	if (pane == PANE_WORKLOADS && c->top > 0 && c->top == c->at &&
	    !s->workloads.items[c->top - 1].row && inside.h > 1)
		c->top--;
}

static void arrange_source(struct ui_state *s)
{
	struct rect inside = layout_inside(&s->layout, PANE_SOURCE);
	struct cursor *c = &s->cursors[PANE_SOURCE];
	size_t count = pane_source.count(s);
	/* Closed, it keeps some lines before the selected one for when it opens. */
	size_t h = inside.h > 0 ? (size_t)inside.h : 15;

	/* What another pane selects comes with a few lines around it. */
	size_t margin = s->focus == PANE_SOURCE ? 0 : h / 4;

	if (c->at < c->top + margin || c->at + margin >= c->top + h)
		c->top = c->at > h / 3 ? c->at - h / 3 : 0;
	c->top = scroll_to(c->top, c->at, count, (int)h);
}

static void fill_doc(struct ui_state *s)
{
	static void (*const fill[MODE_COUNT])(const struct ui_state *, struct doc *) = {
		[MODE_PRESENT] = doc_present,   [MODE_HELP] = doc_help,
		[MODE_EXPORT] = doc_export,     [MODE_LOG] = doc_log,
		[MODE_COVERAGE] = doc_coverage,
	};

	/* The report and the list of files can be long; nothing in them follows a key. */
	if (s->doc_fresh && (s->mode == MODE_EXPORT || s->mode == MODE_COVERAGE))
		return;
	doc_start(&s->doc, s->layout.body.w - 4, 0, s->ascii);
	if (fill[s->mode])
		fill[s->mode](s, &s->doc);
	s->doc_fresh = true;
}

static void arrange_detail(struct ui_state *s)
{
	struct rect inside = layout_inside(&s->layout, PANE_DETAIL);

	doc_start(&s->detail, inside.w - 3, inside.w < 50 ? 9 : 11, s->ascii);
	if (s->loaded && layout_is_open(&s->layout, PANE_DETAIL))
		doc_detail(s, &s->detail);
}

void ui_arrange(struct ui_state *s)
{
	struct cursor *c = &s->texts[s->mode];
	size_t count;

	s->layout = layout_compute(s->width, s->height, s->focus, s->tab, s->zoom, s->shift);
	s->tab = s->layout.tab;
	arrange_detail(s);
	for (enum pane p = 0; p < PANE_COUNT; p++) {
		if (p != PANE_SOURCE)
			arrange_pane(s, p);
	}
	arrange_source(s);
	if (s->mode == MODE_MAIN)
		return;
	fill_doc(s);
	count = ui_list_count(s);
	if (c->at >= count)
		c->at = count ? count - 1 : 0;
	c->top = scroll_to(c->top, c->at, count, ui_list_height(s));
}

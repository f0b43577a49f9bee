/* Full-screen texts: help, messages, coverage, the report's preview.
 * SPDX-License-Identifier: MIT */
#include "ui/core.h"

#include <string.h>

#include "ui/find.h"
#include "ui/words.h"

/* --- help ------------------------------------------------------------------------------------- */

static bool help_line(const struct ui_state *s, struct doc *d, enum action a)
{
	const struct action_info *info = &action_table[a];
	struct buf keys = { 0 }, all = { 0 };
	bool shown;

	keymap_names(&s->keymap, a, &keys);
	buf_printf(&all, "%s %s %s", buf_text(&keys), info->name, info->help);
	shown = find_filter(buf_text(&all), buf_text(&s->help_filter)) &&
	        !(s->read_only && (info->flags & ACTION_MUTATES));
	/* The names are for ":"; without room for them the words go first. */
	if (shown && d->width < 50)
		doc_add(d, ELEMENT_TEXT, buf_text(&keys), info->help);
	else if (shown)
		doc_printf(d, ELEMENT_TEXT, buf_text(&keys), "%-16s %s", info->name, info->help);
	buf_free(&keys);
	buf_free(&all);
	return shown;
}

static size_t help_group(const struct ui_state *s, struct doc *d, enum action_group group,
                         enum mode mode, bool here)
{
	size_t lines = 0, head = d->count;

	doc_blank(d);
	doc_full(d, ELEMENT_HEADING, action_group_titles[group]);
	for (enum action a = 0; a < ACTION_COUNT; a++) {
		if (action_table[a].group == group &&
		    here == ((action_table[a].modes & (1u << mode)) != 0))
			lines += help_line(s, d, a);
	}
	if (lines == 0)
		d->count = head;
	return lines;
}

/* What works in the view that help was asked in comes first. */
void doc_help(const struct ui_state *s, struct doc *d)
{
	enum mode mode = s->below_count > 0 ? s->below[s->below_count - 1] : MODE_MAIN;
	size_t lines = 0, head;

	d->label_width = 15;
	for (enum action_group g = 0; g < GROUP_COUNT; g++)
		lines += help_group(s, d, g, mode, true);
	head = d->count;
	doc_blank(d);
	doc_full(d, ELEMENT_TITLE_FOCUS, "In other views");
	for (enum action_group g = 0; g < GROUP_COUNT; g++) {
		size_t more = help_group(s, d, g, mode, false);

		lines += more;
		if (more > 0)
			head = d->count;
	}
	d->count = head;
	if (lines == 0)
		doc_full(d, ELEMENT_DIM, "No action holds these words. F clears the filter.");
	if (s->help_filter.length > 0)
		return;
	doc_blank(d);
	doc_full(d, ELEMENT_HEADING, "Signs");
	doc_add(d, ELEMENT_TEXT, "D O U", "declared, observed, unavailable: confirmed by a person");
	doc_add(d, ELEMENT_TEXT, "d o u", "the same as the program proposes it");
	doc_add(d, ELEMENT_TEXT, "! ~ ?", "conflict, stale, disputed between reviewers");
	doc_add(d, ELEMENT_TEXT, "C H M i", "critical, high, medium, info");
	doc_add(d, ELEMENT_TEXT, "> *", "selected line; tagged, or in the source: cited");
}

/* --- messages --------------------------------------------------------------------------------- */

void doc_log(const struct ui_state *s, struct doc *d)
{
	static const char *const levels[] = {
		[MESSAGE_INFO] = "", [MESSAGE_WARNING] = "warning", [MESSAGE_ERROR] = "error"
	};

	d->label_width = 10;
	for (size_t i = s->log.count; i-- > 0;)
		doc_add(d, s->log.items[i].level == MESSAGE_ERROR ? ELEMENT_ERROR : ELEMENT_TEXT,
		        levels[s->log.items[i].level], s->log.items[i].text);
	if (s->log.count == 0)
		doc_full(d, ELEMENT_DIM, "No message so far.");
}

/* --- coverage --------------------------------------------------------------------------------- */

static void add_problems(const struct ui_state *s, struct doc *d, const struct artifact *a)
{
	for (size_t i = 0; i < a->problems.count; i++) {
		const struct problem *p = &a->problems.items[i];

		doc_at(d, p->span);
		doc_printf(d, ELEMENT_WARNING, "", "%s:%u %s", a->path,
		           snapshot_line(s->snapshot, p->span), p->message);
	}
	doc_at(d, (struct span){ 0 });
	if (a->problems.dropped > 0)
		doc_printf(d, ELEMENT_DIM, "", "and %zu more problems in %s", a->problems.dropped,
		           a->path);
}

static void add_artifacts(const struct ui_state *s, struct doc *d, enum artifact_state state,
                          const char *heading)
{
	size_t shown = 0;

	for (size_t i = 0; i < s->snapshot->artifacts.count; i++) {
		const struct artifact *a = s->snapshot->artifacts.items[i];

		if (a->state != state)
			continue;
		if (shown++ == 0) {
			doc_blank(d);
			doc_full(d, ELEMENT_HEADING, heading);
		}
		if (a->source)
			doc_at(d, (struct span){ .source = a->source->id });
		doc_printf(d, ELEMENT_TEXT, "", "%s  %s%s%s", a->path,
		           format_table[a->format].title, a->reason ? ": " : "",
		           a->reason ? a->reason : "");
		doc_at(d, (struct span){ 0 });
		add_problems(s, d, a);
	}
}

static void add_unknowns(const struct ui_state *s, struct doc *d)
{
	if (s->snapshot->unknowns.count == 0)
		return;
	doc_blank(d);
	doc_full(d, ELEMENT_HEADING, "Verdicts that could not be given");
	for (size_t i = 0; i < s->snapshot->unknowns.count && i < 2000; i++) {
		const struct unknown *u = &s->snapshot->unknowns.items[i];
		struct buf place = { 0 };

		words_place(s->snapshot, u->span, &place);
		doc_at(d, u->span);
		doc_printf(d, ELEMENT_TEXT, "", "%s  %s  %s: %s", buf_text(&place),
		           u->row ? u->row->label : "", u->rule->slug, u->reason ? u->reason : "");
		doc_at(d, (struct span){ 0 });
		buf_free(&place);
	}
}

/* Enter at one of them goes to its line; what was marked there has changed. */
static void add_stale(const struct ui_state *s, struct doc *d)
{
	for (size_t i = 0; i < s->match.workload_count * FIELD_COUNT; i++) {
		const struct matched_cell *c = &s->match.cells[i];
		const struct fact *f;

		if (!c->marked || c->freshness != FRESH_STALE)
			continue;
		f = cell_fact(c->cell.row, c->cell.field, 0);
		doc_at(d, f ? f->span : c->cell.row->span);
		doc_printf(d, ELEMENT_STALE, "", "stale: %s %s, marked %s by %s", c->cell.row->label,
			   field_table[c->cell.field].slug, mark_names[c->marked->mark],
			   c->marked->who);
	}
	doc_at(d, (struct span){ 0 });
}

void doc_coverage(const struct ui_state *s, struct doc *d)
{
	const struct counts *c = &s->match.counts;

	d->label_width = 2;
	if (!s->loaded)
		return;
	if (s->snapshot->partial)
		doc_full(d, ELEMENT_WARNING,
		         "Reading was stopped: what follows is partial and cannot be signed off.");
	doc_printf(d, ELEMENT_TEXT, "",
	           "%zu files: %zu assessed, %zu in part, %zu not assessed, %zu of no known format",
	           c->files, c->assessed, c->partial, c->not_assessed, c->ignored);
	doc_printf(d, ELEMENT_TEXT, "",
	           "%zu cells: %zu declared, %zu observed, %zu unavailable, %zu verdicts unknown",
	           c->cells, c->by_mark[MARK_DECLARED], c->by_mark[MARK_OBSERVED],
	           c->by_mark[MARK_UNAVAILABLE], c->unknowns);
	for (size_t i = 0; i < s->snapshot->limits.count; i++)
		doc_add(d, ELEMENT_TEXT, "", s->snapshot->limits.items[i]);
	add_stale(s, d);
	for (size_t i = 0; i < s->match.orphans.count; i++)
		doc_printf(d, ELEMENT_STALE, "", "mark without a row: %s",
		           s->match.orphans.items[i]->key);
	add_artifacts(s, d, ARTIFACT_NOT_ASSESSED, "Not assessed");
	add_artifacts(s, d, ARTIFACT_PARTIAL, "Read in part");
	add_unknowns(s, d);
	add_artifacts(s, d, ARTIFACT_ASSESSED, "Assessed");
}

/* --- export ----------------------------------------------------------------------------------- */

static void add_sentence(const struct ui_state *s, struct doc *d)
{
	struct result_sentence result = { 0 };
	struct arena a = { 0 };

	match_result(&s->match, &a, &result);
	if (result.allowed) {
		doc_full(d, ELEMENT_HEADING, "The report may say:");
		doc_full(d, ELEMENT_TEXT, "  No blocking issue found in reviewed scope.");
		if (result.boundary_unresolved > 0)
			doc_printf(d, ELEMENT_TEXT, "", "  with %zu boundary checks unresolved",
			           result.boundary_unresolved);
		if (result.declared_only)
			doc_full(d, ELEMENT_TEXT,
			         "  from declared configuration only; runtime "
			         "enforcement was not observed");
	} else {
		doc_full(d, ELEMENT_HEADING, "The report withholds the result sentence:");
		for (size_t i = 0; i < result.reasons.count; i++)
			doc_printf(d, ELEMENT_TEXT, "", "  %s", result.reasons.items[i]);
	}
	arena_free(&a);
	doc_blank(d);
	doc_full(d, ELEMENT_HEADING, "The report as it will be written:");
}

/* Lines as they are: the report is not wrapped, it can be moved sideways. */
void doc_export(const struct ui_state *s, struct doc *d)
{
	if (!s->loaded)
		return;
	add_sentence(s, d);
	d->width = 1 << 20;
	doc_full(d, ELEMENT_TEXT, buf_text(&s->preview));
}

/* --- drawing ---------------------------------------------------------------------------------- */

static const char *const titles[MODE_COUNT] = {
	[MODE_HELP] = "Help",
	[MODE_EXPORT] = "Export",
	[MODE_LOG] = "Messages, latest first",
	[MODE_COVERAGE] = "Coverage: what was read and what was not",
};

void draw_text_view(const struct ui_state *s, struct grid *g, struct rect area)
{
	const struct cursor *c = &s->texts[s->mode];
	struct rect inside = draw_view_frame(s, g, area);
	struct rect row = { area.x + 1, area.y, area.w - 2, 1 };
	int x;

	x = grid_text(g, row, row.x, row.y, ELEMENT_TITLE_FOCUS, titles[s->mode]);
	if (s->mode == MODE_HELP && s->help_filter.length > 0) {
		x = grid_text(g, row, x, row.y, ELEMENT_TITLE_FOCUS, " ");
		x = grid_value(g, row, x, row.y, row.w, ELEMENT_TITLE_FOCUS,
		               buf_text(&s->help_filter));
	}
	grid_text(g, row, x, row.y, ELEMENT_TITLE_FOCUS, " ");
	if (x < row.x + row.w - 14)
		grid_printf(g, row, row.x + row.w - 14, row.y, ELEMENT_TITLE, " %zu/%zu ",
			    s->doc.count ? c->at + 1 : 0, s->doc.count);
	doc_draw(&s->doc, g, inside,
	         (struct doc_view){ .top = c->top,
	                            .at = c->at,
	                            .left = c->left,
	                            .focused = true,
	                            .match = ui_highlight(s) });
}

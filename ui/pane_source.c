/* Source: the lines of the file that the selection cites.
 * SPDX-License-Identifier: MIT */
#include "ui/core.h"

#include <string.h>

#include "model/digest.h"
#include "model/limits.h"
#include "model/secret.h"
#include "model/text.h"
#include "ui/find.h"
#include "ui/words.h"

static size_t count(const struct ui_state *s)
{
	const struct source *source = ui_source(s);

	if (!source)
		return 0;
	/* The empty line after a last newline is none. */
	if (source->line_count > 1 && source_line_span(source, source->line_count).length == 0)
		return source->line_count - 1;
	return source->line_count;
}

/* Secrets are hidden here, before anything is drawn, searched or copied. */
static void text(const struct ui_state *s, size_t i, struct buf *out)
{
	const struct source *source = ui_source(s);

	if (source && i < source->line_count)
		secret_redact_line(out, source, (uint32_t)i + 1);
}

static void chosen(struct ui_state *s, size_t i)
{
	ui_select_line(s, (uint32_t)i + 1);
}

/* Lines that the selection cites, as ranges. */
struct cited {
	struct {
		uint32_t first, last;
	} ranges[64];
	size_t count;
};

static void cite(const struct ui_state *s, struct cited *c, const struct source *source,
                 struct span span)
{
	if (span.source != source->id || c->count == sizeof c->ranges / sizeof *c->ranges)
		return;
	c->ranges[c->count].first = snapshot_line(s->snapshot, span);
	c->ranges[c->count].last = snapshot_end_line(s->snapshot, span);
	c->count++;
}

static void collect_cited(const struct ui_state *s, struct cited *c, const struct source *source)
{
	const struct matched_finding *f = ui_finding(s);
	const struct row *row = ui_row(s);
	const struct fact *fact = NULL;

	if (f && s->subject == SUBJECT_FINDING) {
		for (size_t i = 0; i < f->finding->citation_count; i++)
			cite(s, c, source, f->finding->citations[i].span);
		return;
	}
	if (row && s->subject == SUBJECT_ROW)
		cite(s, c, source, row->span);
	if (!row || s->subject != SUBJECT_CELL)
		return;
	while ((fact = cell_next(row, s->field, fact))) {
		cite(s, c, source, fact->span);
		for (size_t i = 0; i < fact->via_count; i++)
			cite(s, c, source, fact->via[i].span);
	}
}

static bool is_cited(const struct cited *c, uint32_t line)
{
	for (size_t i = 0; i < c->count; i++) {
		if (line >= c->ranges[i].first && line <= c->ranges[i].last)
			return true;
	}
	return false;
}

static int number_width(size_t lines)
{
	int width = 4;

	for (; lines >= 10000; lines /= 10)
		width++;
	return width;
}

/* Drops the first CELLS cells of visible text. */
static const char *sideways(const char *visible, int cells)
{
	size_t used, length = strlen(visible), at = 0;

	while (at < length && cells > 0) {
		uint32_t point = text_decode_point(visible + at, length - at, &used);
		int width = text_point_width(point);

		cells -= width > 0 ? width : 0;
		at += used;
	}
	return visible + at;
}

static void draw_line(const struct ui_state *s, struct grid *g, struct rect row,
                      const struct source *source, uint32_t line, enum element element)
{
	struct buf raw = { 0 }, visible = { 0 };
	const char *shown;

	secret_redact_line(&raw, source, line);
	text_visible(&visible, buf_text(&raw), raw.length, TEXT_TABS | (g->ascii ? TEXT_ASCII : 0));
	shown = sideways(buf_text(&visible), s->cursors[PANE_SOURCE].left);
	grid_value(g, row, row.x, row.y, row.w, element, shown);
	buf_free(&raw);
	buf_free(&visible);
}

static void draw_nothing(const struct ui_state *s, struct grid *g, struct rect inside)
{
	if (s->source_path.length > 0)
		draw_empty(g, inside, "This file was not read; C says why.");
	else
		draw_empty(g, inside, "The lines behind the selection are shown here.");
}

static void draw(const struct ui_state *s, struct grid *g, struct rect inside, bool focused)
{
	const struct source *source = ui_source(s);
	const struct cursor *c = &s->cursors[PANE_SOURCE];
	size_t lines = count(s);
	struct cited cited = { 0 };
	int numbers = number_width(lines);

	if (!s->loaded)
		return;
	if (!source) {
		draw_nothing(s, g, inside);
		return;
	}
	collect_cited(s, &cited, source);
	for (int y = 0; y < inside.h && c->top + (size_t)y < lines; y++) {
		uint32_t line = (uint32_t)(c->top + (size_t)y) + 1;
		struct rect row = { inside.x, inside.y + y, inside.w, 1 }, rest = row;
		bool here = line == c->at + 1, marked = is_cited(&cited, line);

		draw_gutter(g, row, here, focused, marked);
		grid_printf(g, row, row.x + 2, row.y, ELEMENT_LINE_NUMBER, "%*u", numbers, line);
		rest.x += numbers + 4;
		rest.w -= numbers + 4;
		draw_line(s, g, rest, source, line, marked ? ELEMENT_CITED : ELEMENT_TEXT);
		if (ui_highlight(s) && focused)
			find_highlight(g, rest, ui_highlight(s));
		if (here)
			grid_select(g, row);
	}
}

static void title(const struct ui_state *s, struct buf *out)
{
	const struct artifact *a;
	char hex[DIGEST_HEX];

	if (!s->loaded || s->source_path.length == 0)
		return;
	buf_printf(out, " ─ %s:%u", buf_text(&s->source_path), s->source_line);
	a = snapshot_artifact_by_path(s->snapshot, buf_text(&s->source_path));
	if (!a)
		return;
	if (a->has_digest) {
		digest_hex(a->sha256, hex);
		buf_printf(out, " ─ %.8s", hex);
	}
	if (a->class != CLASS_PROPOSED)
		buf_printf(out, " ─ %s", artifact_class_names[a->class]);
	if (a->state == ARTIFACT_PARTIAL)
		buf_puts(out, " ─ read in part");
}

static void brief(const struct ui_state *s, struct buf *out)
{
	const struct source *source = ui_source(s);

	if (s->source_path.length == 0)
		return;
	buf_printf(out, " ─ %s:%u", buf_text(&s->source_path), s->source_line);
	if (source && s->source_line > 0) {
		struct buf line = { 0 };

		secret_redact_line(&line, source, s->source_line);
		buf_printf(out, " ─ %s", buf_text(&line) + strspn(buf_text(&line), " \t"));
		buf_free(&line);
	}
}

const struct pane_class pane_source = {
	.name = "Source",
	.count = count,
	.text = text,
	.chosen = chosen,
	.draw = draw,
	.title = title,
	.brief = brief,
};

/* Pieces of Markdown.
 * SPDX-License-Identifier: MIT */
#include "src/report/md.h"

#include <string.h>

#include "model/limits.h"
#include "model/secret.h"
#include "model/text.h"

void md_printf(struct md *m, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	buf_vprintf(m->out, format, args);
	va_end(args);
}

void md_end(struct md *m)
{
	buf_free(&m->quoted);
	safe_free(&m->safe);
}

void md_text(struct md *m, const char *text)
{
	const char *safe = safe_text(&m->safe, text, SAFE_PROSE);

	text_markdown(m->out, safe, strlen(safe));
}

void md_own(struct md *m, const char *text)
{
	text_markdown(m->out, text, strlen(text));
}

void md_code(struct md *m, const char *text)
{
	const char *safe = safe_text(&m->safe, text, SAFE_PROSE);

	text_markdown_code(m->out, safe, strlen(safe));
}

void md_short(struct md *m, const char *text, size_t cells)
{
	const char *safe = safe_text(&m->safe, text, SAFE_PROSE);
	struct buf cut = { 0 };

	text_fit(&cut, safe, strlen(safe), cells, TEXT_PLAIN, false);
	if (cut.length)
		text_markdown(m->out, cut.bytes, cut.length);
	else
		buf_puts(m->out, MD_DASH);
	buf_free(&cut);
}

static const char *const class_words[] = {
	[CLASS_PROPOSED] = "",		[CLASS_EXAMPLE] = ", example",
	[CLASS_GENERATED] = ", generated", [CLASS_TEST] = ", test",
	[CLASS_EXPORT] = "",
};

static void add_artifact(struct md *m, struct span span)
{
	const struct snapshot *s = m->report->snapshot;
	const struct artifact *a = snapshot_artifact_by_path(s, snapshot_path(s, span));

	if (a)
		md_printf(m, " (A%u%s)", m->report->match->artifact_numbers[a->index],
			  class_words[a->class]);
}

void md_file(struct md *m, struct span span)
{
	md_code(m, shared_path(snapshot_path(m->report->snapshot, span)));
	add_artifact(m, span);
}

void md_lines(struct md *m, struct span span)
{
	uint32_t first = snapshot_line(m->report->snapshot, span);
	uint32_t last = snapshot_end_line(m->report->snapshot, span);

	md_printf(m, "%u", first);
	if (last > first)
		md_printf(m, MD_DASH "%u", last);
}

void md_place(struct md *m, struct span span)
{
	if (!span_is_set(span)) {
		buf_puts(m->out, MD_DASH);
		return;
	}
	md_code(m, shared_path(snapshot_path(m->report->snapshot, span)));
	buf_putc(m->out, ':');
	md_lines(m, span);
	add_artifact(m, span);
}

void md_places(struct md *m, uint32_t source, const struct span *spans, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		buf_puts(m->out, i ? ", " : "");
		if (spans[i].source != source)
			md_code(m, shared_path(snapshot_path(m->report->snapshot, spans[i])));
		if (!i || spans[i].source != source)
			buf_putc(m->out, ':');
		md_lines(m, spans[i]);
		source = spans[i].source;
	}
}

enum artifact_class md_class(const struct md *m, struct span span)
{
	const struct snapshot *s = m->report->snapshot;
	const struct artifact *a = snapshot_artifact_by_path(s, snapshot_path(s, span));

	return a ? a->class : CLASS_PROPOSED;
}

static void read_quoted(struct md *m, const struct source *source, uint32_t line)
{
	struct buf safe = { 0 };
	const char *text;
	size_t skip;

	secret_redact_line(&safe, source, line);
	text = buf_text(&safe);
	skip = strspn(text, " \t");
	buf_clear(&m->quoted);
	text_fit(&m->quoted, text + skip, safe.length - skip, MD_LINE_CELLS, TEXT_TABS, false);
	m->quoted_source = source->id;
	m->quoted_line = line;
	buf_free(&safe);
}

void md_quote(struct md *m, struct span span)
{
	const struct source *source = snapshot_source(m->report->snapshot, span.source);
	uint32_t line;

	if (!source)
		return;
	line = source_line(source, span.offset);
	if (m->quoted_source != source->id || m->quoted_line != line)
		read_quoted(m, source, line);
	if (m->quoted.length)
		text_markdown_code(m->out, m->quoted.bytes, m->quoted.length);
}

void md_count(struct md *m, size_t count, const char *one, const char *many)
{
	md_printf(m, "%zu %s", count, count == 1 ? one : many);
}

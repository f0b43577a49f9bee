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

/* A report says the same of many rows: short texts are read once. */
#define SAFE_BYTES 2048
#define SAFE_TEXTS 50000

struct md_safe {
	struct arena arena;
	struct hash_index index; /* text → index in items */
	struct {
		const char **items;
		size_t count, capacity;
	} texts;
	struct buf last; /* of a text that is not kept */
};

void md_start(struct md *m)
{
	struct arena arena = { 0 };

	m->safe = ARENA_NEW(&arena, struct md_safe);
	m->safe->arena = arena;
}

void md_end(struct md *m)
{
	struct arena arena = m->safe->arena;

	buf_free(&m->quoted);
	buf_free(&m->safe->last);
	m->safe = NULL;
	arena_free(&arena);
}

/* TEXT without secrets; valid until the next call. */
static const char *safe_text(struct md *m, const char *text)
{
	struct md_safe *safe = m->safe;
	uint32_t at;

	if (hash_index_get(&safe->index, text, &at))
		return safe->texts.items[at];
	buf_clear(&safe->last);
	secret_redact_prose(&safe->last, text, strlen(text));
	if (safe->texts.count < SAFE_TEXTS && strlen(text) <= SAFE_BYTES) {
		hash_index_put(&safe->arena, &safe->index, arena_strdup(&safe->arena, text),
			       (uint32_t)safe->texts.count);
		*ARENA_PUSH(&safe->arena, &safe->texts) =
			arena_strdup(&safe->arena, buf_text(&safe->last));
	}
	return buf_text(&safe->last);
}

void md_text(struct md *m, const char *text)
{
	const char *safe = safe_text(m, text);

	text_markdown(m->out, safe, strlen(safe));
}

void md_own(struct md *m, const char *text)
{
	text_markdown(m->out, text, strlen(text));
}

void md_code(struct md *m, const char *text)
{
	const char *safe = safe_text(m, text);

	text_markdown_code(m->out, safe, strlen(safe));
}

void md_short(struct md *m, const char *text, size_t cells)
{
	const char *safe = safe_text(m, text);
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

void md_place(struct md *m, struct span span)
{
	const struct snapshot *s = m->report->snapshot;
	const char *path = snapshot_path(s, span);
	const struct artifact *a = snapshot_artifact_by_path(s, path);
	uint32_t first = snapshot_line(s, span), last = snapshot_end_line(s, span);

	if (!span_is_set(span)) {
		buf_puts(m->out, MD_DASH);
		return;
	}
	md_code(m, shared_path(path));
	md_printf(m, ":%u", first);
	if (last > first)
		md_printf(m, MD_DASH "%u", last);
	if (a)
		md_printf(m, " (A%u%s)", m->report->match->artifact_numbers[a->index],
			  class_words[a->class]);
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

void md_row_id(struct md *m, const struct row *row)
{
	size_t workload = row ? match_workload(m->report->match, row) : SIZE_MAX;

	if (workload == SIZE_MAX)
		buf_puts(m->out, MD_DASH);
	else
		md_printf(m, "R-%02zu", workload + 1);
}

void md_row(struct md *m, const struct row *row)
{
	if (match_workload(m->report->match, row) == SIZE_MAX) {
		md_text(m, row->object_kind);
		buf_putc(m->out, ' ');
	} else {
		md_row_id(m, row);
		buf_putc(m->out, ' ');
	}
	if (row_is_numbered(row))
		md_printf(m, "%s ", row->object_kind);
	md_text(m, row->name);
}

/* Objects have no number: two that read alike, of two files, are one name here; the places tell them
 * apart. */
static bool is_named(const struct md *m, const struct finding *f, size_t count)
{
	const struct row *row = f->rows[count];

	if (row == f->row)
		return true;
	if (match_workload(m->report->match, row) != SIZE_MAX)
		return false;
	for (size_t i = 0; i <= count; i++) {
		const struct row *other = i ? f->rows[i - 1] : f->row;

		if (match_workload(m->report->match, other) == SIZE_MAX &&
		    strcmp(other->object_kind, row->object_kind) == 0 &&
		    strcmp(other->name, row->name) == 0)
			return true;
	}
	return false;
}

void md_rows(struct md *m, const struct finding *f)
{
	size_t listed = 0;

	md_row(m, f->row);
	for (size_t i = 0; i < f->row_count; i++) {
		if (is_named(m, f, i))
			continue;
		if (++listed > MD_MOST_ROWS)
			continue;
		buf_puts(m->out, ", ");
		if (match_workload(m->report->match, f->rows[i]) == SIZE_MAX)
			md_row(m, f->rows[i]);
		else
			md_row_id(m, f->rows[i]);
	}
	if (listed > MD_MOST_ROWS) {
		buf_puts(m->out, " and ");
		md_count(m, listed - MD_MOST_ROWS, "more row", "more rows");
	}
}

void md_row_ranges(struct md *m, const size_t *workloads, size_t count)
{
	if (count > 3 && count == m->report->match->workload_count) {
		buf_puts(m->out, "all rows");
		return;
	}
	for (size_t i = 0, last; i < count; i = last + 1) {
		last = i;
		while (last + 1 < count && workloads[last + 1] == workloads[last] + 1)
			last++;
		if (last - i < 2)
			last = i;
		md_printf(m, "%sR-%02zu", i ? ", " : "", workloads[i] + 1);
		if (last > i)
			md_printf(m, MD_DASH "R-%02zu", workloads[last] + 1);
	}
}

void md_count(struct md *m, size_t count, const char *one, const char *many)
{
	md_printf(m, "%zu %s", count, count == 1 ? one : many);
}

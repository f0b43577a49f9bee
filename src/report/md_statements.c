/* Statements of a group of findings with their places.
 * SPDX-License-Identifier: MIT */
#include "src/report/md_statements.h"

#include <string.h>

void md_parts(struct md *m, const struct finding *f)
{
	for (size_t i = 0; i < f->part_count; i++) {
		size_t number = match_finding(m->report->match, f->parts[i]) + 1;

		buf_puts(m->out, i ? ", " : " (parts ");
		if (number)
			md_printf(m, "F-%02zu ", number);
		md_printf(m, "`%.*s`", (int)strcspn(f->parts[i], "@"), f->parts[i]);
	}
	if (f->part_count)
		buf_putc(m->out, ')');
}

void md_conflict(struct md *m, const struct finding *f)
{
	const struct match *match = m->report->match;
	size_t workload = match_workload(match, f->row), number;

	if (workload == SIZE_MAX)
		return;
	number = match_cell(match, workload, f->rule->field)->conflict;
	if (number)
		md_printf(m, "; declared and observed differ, see C-%zu", number);
}

void md_decision(struct md *m, const struct matched_finding *f)
{
	const struct decided *d = f->decided;

	md_printf(m, "%s", disposition_names[f->disposition]);
	if (!d)
		return;
	if (f->changed || f->expired)
		md_printf(m, ", open again: %s",
			  f->expired ? "the acceptance has expired"
				     : "what was decided on has changed");
	if (*d->note) {
		buf_puts(m->out, ": ");
		md_text(m, d->note);
	}
	if (*d->owner) {
		buf_puts(m->out, "; owner ");
		md_text(m, d->owner);
	}
	if (*d->expires) {
		buf_puts(m->out, ", until ");
		md_text(m, d->expires);
	}
	if (d->who) {
		buf_puts(m->out, " (");
		md_text(m, d->who);
		md_printf(m, ", %.10s)", d->when ? d->when : "");
	}
}

/* An observed finding is cited where it is declared too: only an export shows what was observed. */
const char *md_evidence_at(const struct md *m, const struct finding *f, struct span span)
{
	enum artifact_class class = md_class(m, span);

	if (f->evidence == EVIDENCE_OBSERVED && class != CLASS_EXPORT && class != CLASS_TEST)
		return "declared, and observed";
	return evidence_names[f->evidence];
}

void md_severity_note(struct md *m, const struct matched_finding *f)
{
	const struct finding *raw = f->finding;

	if (f->severity == raw->severity)
		return;
	md_printf(m, "%s, %s from %s because ", severity_names[f->severity],
		  f->severity > raw->severity ? "lowered" : "raised", severity_names[raw->severity]);
	if (f->decided && f->decided->has_severity)
		md_text(m, f->decided->severity_note);
	else
		buf_puts(m->out, "the row's task is not written");
}

/* --- gathering -------------------------------------------------------------------------------------- */

struct numbers {
	size_t *items; /* places in match->findings */
	size_t count, capacity;
};

/* Findings of one statement at the same lines. */
struct lines {
	struct span span;
	struct numbers findings;
};

/* Lines of one file that read alike and have the same further places. */
struct file {
	struct span span;
	const char *tail;
	struct {
		struct lines *items;
		size_t count, capacity;
	} lines;
};

struct statement {
	const char *text;
	struct {
		struct file *items;
		size_t count, capacity;
	} files;
};

struct statements {
	struct md *m;
	const struct md_bundles *bundles;
	const struct matched_finding *common;
	struct arena arena;
	struct hash_index index; /* of statements, files and lines */
	struct {
		struct statement *items;
		size_t count, capacity;
	} list;
	struct buf text;
};

/* Length of the beginning up to ": " that two messages share. */
static size_t shared_start(const char *a, const char *b)
{
	size_t shared = 0;

	for (size_t i = 0; a[i] && a[i] == b[i]; i++)
		if (i && a[i] == ' ' && a[i - 1] == ':')
			shared = i + 1;
	return shared;
}

static void say(struct statements *s, size_t leader)
{
	const struct matched_finding *findings = s->m->report->match->findings;
	const char *before = "";

	for (size_t at = leader + 1; at; at = s->bundles->same[at - 1]) {
		const struct finding *f = findings[at - 1].finding;

		if (strcmp(before, f->message) != 0) {
			buf_puts(s->m->out, *before ? "; " : "");
			md_text(s->m, f->message + shared_start(before, f->message));
		}
		if (s->common && f->confidence != s->common->finding->confidence)
			md_printf(s->m, " (confidence %s)", confidence_names[f->confidence]);
		before = f->message;
	}
}

static void say_severity(struct statements *s, const struct matched_finding *f)
{
	if (f->severity == f->finding->severity)
		return;
	buf_puts(s->m->out, " (");
	if (f->severity == SEVERITY_INFO && !(f->decided && f->decided->has_severity))
		md_printf(s->m, "%s once its task is written",
			  severity_names[f->finding->severity]);
	else
		md_severity_note(s->m, f);
	buf_putc(s->m->out, ')');
}

/* What differs from the group's head. */
static void say_differences(struct statements *s, const struct matched_finding *f)
{
	const struct matched_finding *common = s->common;
	const char *usual = common ? md_evidence_at(s->m, common->finding,
						    common->finding->citations[0].span)
				   : evidence_names[EVIDENCE_DECLARED];
	const char *evidence = md_evidence_at(s->m, f->finding, f->finding->citations[0].span);

	say_severity(s, f);
	if (strcmp(evidence, usual) != 0)
		md_printf(s->m, " (%s)", evidence);
	if (f->decided || f->disposition != DISPOSITION_NEW) {
		buf_puts(s->m->out, " (");
		md_decision(s->m, f);
		buf_putc(s->m->out, ')');
	}
}

static void say_rule(struct statements *s, const struct finding *f)
{
	if (!s->common)
		md_printf(s->m, "`%s`, confidence %s: ", f->rule->slug,
			  confidence_names[f->confidence]);
}

/* A line that only names the row says nothing more than the row's name does. */
static bool names_row(const char *quote, const struct row *row)
{
	const char *at = quote + strspn(quote, "`- ");
	size_t length = strlen(row->name);

	if (strncmp(at, "name: ", 6) != 0)
		return false;
	at += 6 + strspn(at + 6, "\"'");
	return length && strncmp(at, row->name, length) == 0 && at[length + strspn(at + length, "`\"'")] == '\0';
}

/* At info, which has no head, lines are not quoted. */
static void say_quote(struct statements *s, const struct finding *f)
{
	struct buf quote = { 0 }, *out = s->m->out;

	if (!s->common)
		return;
	s->m->out = &quote;
	md_quote(s->m, f->citations[0].span);
	s->m->out = out;
	if (quote.length && !names_row(buf_text(&quote), f->row))
		buf_printf(out, " %s", buf_text(&quote));
	buf_free(&quote);
}

static void say_tail(struct statements *s, const struct finding *f)
{
	struct md *m = s->m;
	struct span *further = arena_array(&s->arena, f->citation_count, sizeof *further);
	size_t count = 0;

	say_quote(s, f);
	for (size_t i = 1; i < f->citation_count; i++)
		if (span_is_set(f->citations[i].span))
			further[count++] = f->citations[i].span;
	buf_puts(m->out, count ? ", also " : "");
	md_places(m, f->citations[0].span.source, further, count);
	md_conflict(m, f);
}

static const char *take_text(struct statements *s)
{
	const char *text = arena_strdup(&s->arena, buf_text(&s->text));

	buf_clear(&s->text);
	return text;
}

static struct statement *statement_of(struct statements *s, const char *text)
{
	uint32_t at;

	if (!hash_index_get(&s->index, text, &at)) {
		at = (uint32_t)s->list.count;
		hash_index_put(&s->arena, &s->index, text, at);
		*ARENA_PUSH(&s->arena, &s->list) = (struct statement){ .text = text };
	}
	return &s->list.items[at];
}

static struct file *file_of(struct statements *s, struct statement *said, struct span span,
			    const char *tail)
{
	const char *key = arena_printf(&s->arena, "\n%zu %u %s", (size_t)(said - s->list.items),
				       (unsigned)span.source, tail);
	uint32_t at;

	if (!hash_index_get(&s->index, key, &at)) {
		at = (uint32_t)said->files.count;
		hash_index_put(&s->arena, &s->index, key, at);
		*ARENA_PUSH(&s->arena, &said->files) = (struct file){ .span = span, .tail = tail };
	}
	return &said->files.items[at];
}

static struct lines *lines_of(struct statements *s, const struct statement *said,
			      struct file *file, struct span span)
{
	const char *key = arena_printf(&s->arena, "\n\n%zu %zu %u %u",
				       (size_t)(said - s->list.items),
				       (size_t)(file - said->files.items), (unsigned)span.offset,
				       (unsigned)span.length);
	uint32_t at;

	if (!hash_index_get(&s->index, key, &at)) {
		at = (uint32_t)file->lines.count;
		hash_index_put(&s->arena, &s->index, key, at);
		*ARENA_PUSH(&s->arena, &file->lines) = (struct lines){ .span = span };
	}
	return &file->lines.items[at];
}

static void gather_bundle(struct statements *s, size_t leader)
{
	const struct matched_finding *f = &s->m->report->match->findings[leader];
	const struct span span = f->finding->citations[0].span;
	struct buf *out = s->m->out;
	struct statement *said;
	struct lines *lines;
	struct file *file;

	s->m->out = &s->text;
	say_rule(s, f->finding);
	say(s, leader);
	say_differences(s, f);
	said = statement_of(s, take_text(s));
	say_tail(s, f->finding);
	file = file_of(s, said, span, take_text(s));
	s->m->out = out;
	lines = lines_of(s, said, file, span);
	for (size_t at = leader + 1; at; at = s->bundles->same[at - 1])
		*ARENA_PUSH(&s->arena, &lines->findings) = at - 1;
}

/* --- writing ---------------------------------------------------------------------------------------- */

static void add_lines(struct statements *s, const struct lines *lines)
{
	const struct numbers *n = &lines->findings;
	const struct finding **findings = arena_array(&s->arena, n->count, sizeof *findings);

	for (size_t i = 0; i < n->count; i++) {
		md_printf(s->m, "%sF-%02zu", i ? ", " : "", n->items[i] + 1);
		findings[i] = s->m->report->match->findings[n->items[i]].finding;
	}
	buf_putc(s->m->out, ' ');
	md_rows(s->m, findings, n->count);
	buf_puts(s->m->out, " :");
	md_lines(s->m, lines->span);
	for (size_t i = 0; i < n->count; i++)
		md_parts(s->m, findings[i]);
}

static void add_statement(struct statements *s, const struct statement *said)
{
	md_printf(s->m, "- %s\n", said->text);
	for (size_t i = 0; i < said->files.count; i++) {
		const struct file *file = &said->files.items[i];

		buf_puts(s->m->out, "  - ");
		md_file(s->m, file->span);
		buf_puts(s->m->out, file->tail);
		buf_puts(s->m->out, ": ");
		for (size_t k = 0; k < file->lines.count; k++) {
			buf_puts(s->m->out, k ? "; " : "");
			add_lines(s, &file->lines.items[k]);
		}
		buf_putc(s->m->out, '\n');
	}
}

void md_statements(struct md *m, const struct md_bundles *b, size_t first,
		   const struct matched_finding *common)
{
	struct statements s = { .m = m, .bundles = b, .common = common };

	for (size_t at = first + 1; at; at = b->next[at - 1])
		gather_bundle(&s, at - 1);
	for (size_t i = 0; i < s.list.count; i++)
		add_statement(&s, &s.list.items[i]);
	buf_free(&s.text);
	arena_free(&s.arena);
}

/* Pieces of Markdown that every section uses. All text of reviewed files goes through md_text() or md_code():
 * secrets hidden, bytes made visible, markup without effect.
 * SPDX-License-Identifier: MIT */
#ifndef REPORT_MD_H
#define REPORT_MD_H

#include "src/report/safe.h"
#include "src/report/shared.h"

#define MD_DASH "\xE2\x80\x93" /* an empty cell of a table */
#define MD_LINE_CELLS 120      /* of a quoted source line */
#define MD_MOST_ROWS 40    /* runs of rows at one place, listed; the JSON report has all */
#define MD_VALUE_CELLS 110     /* of a value in a wide table */

struct md {
	const struct report *report;
	struct buf *out;
	struct safe_texts safe;
	/* The line that was quoted last: on a line with many findings it is read once. */
	struct buf quoted;
	uint32_t quoted_source, quoted_line;
};

/* Behind the last piece. */
void md_end(struct md *m);

void md_text(struct md *m, const char *text);
/* Text of a rule or field: ours, so that nothing is hidden. */
void md_own(struct md *m, const char *text);
void md_code(struct md *m, const char *text);
/* md_text() cut to CELLS; a dash when empty. */
void md_short(struct md *m, const char *text, size_t cells);
/* "`path`:12–14 (A3)", with the class of an example, a test or a generated file; a dash for a span that is
 * nowhere. */
void md_place(struct md *m, struct span span);
/* "`path` (A3)", with the class. */
void md_file(struct md *m, struct span span);
/* "12–14". */
void md_lines(struct md *m, struct span span);
/* ":12–14, 20, `other`:3, 9": several places, a path only where it is not the one before; SOURCE is the file
 * that was named before them. */
void md_places(struct md *m, uint32_t source, const struct span *spans, size_t count);
/* Class of the file that SPAN lies in. */
enum artifact_class md_class(const struct md *m, struct span span);
/* The first line of SPAN, trimmed, as code; nothing when there is none. */
void md_quote(struct md *m, struct span span);
/* "R-03 name"; kind and name of a row that is no workload. */
void md_row(struct md *m, const struct row *row);
/* The rows of findings, each once: workloads of one name as runs of numbers with the name, then objects; the
 * other way round where the first finding is about an object. */
void md_rows(struct md *m, const struct finding *const *findings, size_t count);
/* "R-03", or a dash. */
void md_row_id(struct md *m, const struct row *row);
/* Workloads by number, ascending, runs of them as "R-03–R-07"; "all rows" when none is missing. */
void md_row_ranges(struct md *m, const size_t *workloads, size_t count);
/* "one finding", "3 findings". */
void md_count(struct md *m, size_t count, const char *one, const char *many);
void md_printf(struct md *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

void md_head(struct md *m);
void md_summary(struct md *m);
void md_scope(struct md *m);
void md_workloads(struct md *m);
void md_pods(struct md *m);
void md_map(struct md *m);
void md_findings(struct md *m);
void md_evidence(struct md *m);
void md_coverage(struct md *m);
void md_unknowns(struct md *m);
void md_changes(struct md *m);
void md_signoff(struct md *m);
void md_annex_hashes(struct md *m);
void md_annex_map(struct md *m);
void md_annex_rules(struct md *m);

/* The result paragraph, or why it is withheld. */
void md_result(struct md *m);

#endif

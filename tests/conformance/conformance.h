/* Families of conformance tables: one check of one row each.
 *
 * To add a family, write a check in a file of its own, declare it here and give it a row in the table
 * of conformance.c under the name of its folder, which holds expected.tsv and whatever that names.
 * SPDX-License-Identifier: MIT */
#ifndef TESTS_CONFORMANCE_H
#define TESTS_CONFORMANCE_H

#include "model/buf.h"
#include "tests/conformance/table.h"

enum verdict {
	VERDICT_PASS,
	VERDICT_MISS,
	VERDICT_KNOWN, /* a miss that the table puts down to a library */
	VERDICT_SKIP,  /* says nothing, is not counted */
};

struct check {
	const char *directory; /* of the table */
	const struct table *table;
	const struct table_row *row;
	struct arena *arena;   /* emptied after each row */
	struct buf *detail;    /* why it is a miss, one line */
};

/* The row's cell under COLUMN, or "". */
const char *check_cell(const struct check *c, const char *column);
/* The bytes of the file that the cell names; NULL when it names none that can be read. */
char *check_file(const struct check *c, const char *column, size_t *length);

/* A pass, or a miss with GOT as its detail. */
enum verdict check_verdict(struct check *c, bool passed, const char *got);

enum verdict check_json(struct check *c);
enum verdict check_yaml(struct check *c);
enum verdict check_dockerfile(struct check *c);
enum verdict check_directive(struct check *c);
enum verdict check_expand(struct check *c);
enum verdict check_words(struct check *c);
enum verdict check_words_expand(struct check *c);
enum verdict check_json_form(struct check *c);
enum verdict check_heredoc_word(struct check *c);
enum verdict check_heredoc_line(struct check *c);
enum verdict check_image_ref(struct check *c);
enum verdict check_image_grammar(struct check *c);
enum verdict check_docker_run(struct check *c);
enum verdict check_docker_flags(struct check *c);
enum verdict check_interpolation(struct check *c);
enum verdict check_dotenv(struct check *c);
enum verdict check_port(struct check *c);
enum verdict check_volume(struct check *c);

#endif

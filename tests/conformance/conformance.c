/* Runs conformance tables: conformance [-v] [-d DEVIATIONS] DIRECTORY [NAME…]
 *
 * Prints "NAME passed/total" for each known table that the directory holds; -v lists the misses. Rows that
 * a library decides otherwise are listed in DEVIATIONS (table, row, reason). The run fails when another
 * row is missed, or when a listed one passes: then the list is out of date.
 * SPDX-License-Identifier: MIT */
#include "tests/conformance/conformance.h"

#include <stdio.h>
#include <string.h>

struct family {
	const char *name; /* of the folder, unless directory says otherwise */
	enum verdict (*check)(struct check *c);
	const char *directory; /* NULL: name */
	const char *file;      /* NULL: expected.tsv */
};

static const struct family families[] = {
	{ .name = "json", .check = check_json },
	{ .name = "yaml", .check = check_yaml },
	{ .name = "dockerfile-parse", .check = check_dockerfile },
	{ "dockerfile-directives", check_directive, "dockerfile-parse", "directives.tsv" },
	{ "dockerfile-expand", check_expand, "dockerfile-parse", "env_expand.tsv" },
	{ "dockerfile-words", check_words, "dockerfile-parse", "words.tsv" },
	{ "dockerfile-words-expand", check_words_expand, "dockerfile-parse", "words_expand.tsv" },
	{ "dockerfile-json-form", check_json_form, "dockerfile-parse", "json_form.tsv" },
	{ "dockerfile-heredoc-words", check_heredoc_word, "dockerfile-parse", "heredoc_words.tsv" },
	{ "dockerfile-heredoc-lines", check_heredoc_line, "dockerfile-parse", "heredoc_lines.tsv" },
	{ .name = "image-ref", .check = check_image_ref },
	{ "image-ref-grammar", check_image_grammar, "image-ref", "grammar.tsv" },
	{ .name = "docker-run", .check = check_docker_run },
	{ "docker-run-flags", check_docker_flags, "docker-run", "flags.tsv" },
	{ "compose-interpolation", check_interpolation, "compose", "interpolation.tsv" },
	{ "compose-dotenv", check_dotenv, "compose", "dotenv.tsv" },
	{ .name = "port-spec", .check = check_port },
	{ .name = "volume-spec", .check = check_volume },
};

const char *check_cell(const struct check *c, const char *column)
{
	return table_cell(c->table, c->row, column);
}

char *check_file(const struct check *c, const char *column, size_t *length)
{
	const char *name = check_cell(c, column);

	if (!*name)
		return NULL;
	return file_read(c->arena, arena_printf(c->arena, "%s/%s", c->directory, name), length);
}

enum verdict check_verdict(struct check *c, bool passed, const char *got)
{
	if (!passed)
		buf_puts(c->detail, got);
	return passed ? VERDICT_PASS : VERDICT_MISS;
}

struct options {
	const char *directory;
	bool verbose;
	struct table deviations;
	char **names; /* of the tables that are wanted; none: all */
	int name_count;
};

/* Why a row of a table may be missed; NULL when it may not. A row is named by its first cell, or by the
 * first two where the first is not its own. */
static const char *reason_for(const struct options *o, const struct family *family,
			      const struct table_row *row)
{
	const struct table *t = &o->deviations;

	for (size_t i = 0; row->count && i < t->rows.count; i++) {
		const char *name = table_cell(t, &t->rows.items[i], "row");
		size_t n = strlen(row->cells[0]);

		if (strcmp(table_cell(t, &t->rows.items[i], "table"), family->name) != 0 ||
		    strncmp(name, row->cells[0], n) != 0)
			continue;
		if (!name[n] || (name[n] == ' ' && row->count > 1 &&
				 strcmp(name + n + 1, row->cells[1]) == 0))
			return table_cell(t, &t->rows.items[i], "reason");
	}
	return NULL;
}

static void print_row(const char *word, const struct family *family, const struct table_row *row,
		      const char *detail)
{
	printf("  %s %s %s: %s\n", word, family->name, row->count ? row->cells[0] : "", detail);
}

struct counts {
	size_t verdicts[VERDICT_SKIP + 1];
	size_t stale; /* listed and passed */
};

static void run_row(const struct options *o, const struct family *family, struct check *check,
		    struct counts *counts)
{
	const char *reason = reason_for(o, family, check->row);
	enum verdict verdict = family->check(check);

	if (verdict == VERDICT_MISS && reason)
		verdict = VERDICT_KNOWN;
	counts->verdicts[verdict]++;
	if (verdict == VERDICT_PASS && reason) {
		counts->stale++;
		print_row("passes, but is listed", family, check->row, reason);
	}
	if (!o->verbose)
		return;
	if (verdict == VERDICT_MISS)
		print_row("miss", family, check->row, buf_text(check->detail));
	else if (verdict == VERDICT_KNOWN)
		print_row(reason ? "known" : "known, but not listed", family, check->row,
			  reason ? reason : buf_text(check->detail));
}

/* False when the table fails the run. */
static bool run_table(const struct options *o, const struct family *family, const char *directory,
		      const struct table *table)
{
	struct counts counts = { 0 };
	const size_t *n = counts.verdicts;
	struct buf detail = { 0 };

	for (size_t i = 0; i < table->rows.count; i++) {
		struct arena arena = { 0 };
		struct check check = { directory, table, &table->rows.items[i], &arena, &detail };

		buf_clear(&detail);
		run_row(o, family, &check, &counts);
		arena_free(&arena);
	}
	buf_free(&detail);
	printf("%s %zu/%zu", family->name, n[VERDICT_PASS],
	       n[VERDICT_PASS] + n[VERDICT_MISS] + n[VERDICT_KNOWN]);
	if (n[VERDICT_KNOWN])
		printf(" (%zu known deviations of a library)", n[VERDICT_KNOWN]);
	putchar('\n');
	return !n[VERDICT_MISS] && !counts.stale;
}

static bool is_wanted(const struct options *o, const char *name)
{
	for (int i = 0; i < o->name_count; i++)
		if (strcmp(o->names[i], name) == 0)
			return true;
	return !o->name_count;
}

/* False when the command line is not understood. */
static bool read_options(struct options *o, struct arena *a, int argc, char **argv)
{
	int i = 1;

	for (; i < argc && argv[i][0] == '-'; i++) {
		if (strcmp(argv[i], "-v") == 0)
			o->verbose = true;
		else if (strcmp(argv[i], "-d") != 0 || ++i == argc ||
			 !table_read(&o->deviations, a, argv[i]))
			return false;
	}
	if (i == argc)
		return false;
	o->directory = argv[i++];
	o->names = argv + i;
	o->name_count = argc - i;
	return true;
}

int main(int argc, char **argv)
{
	struct arena arena = { 0 };
	struct options o = { 0 };
	size_t found = 0;
	bool ok = true;

	if (!read_options(&o, &arena, argc, argv)) {
		fputs("usage: conformance [-v] [-d DEVIATIONS] DIRECTORY [NAME...]\n", stderr);
		return 2;
	}
	for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
		struct table table;
		const struct family *f = &families[i];
		const char *directory = arena_printf(&arena, "%s/%s", o.directory,
						     f->directory ? f->directory : f->name);

		if (is_wanted(&o, f->name) &&
		    table_read(&table, &arena,
			       arena_printf(&arena, "%s/%s", directory,
					    f->file ? f->file : "expected.tsv"))) {
			ok &= run_table(&o, f, directory, &table);
			found++;
		}
	}
	arena_free(&arena);
	if (!found)
		fprintf(stderr, "conformance: no known table in %s\n", o.directory);
	return !found ? 2 : !ok;
}

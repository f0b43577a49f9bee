/* Runs conformance tables: conformance DIRECTORY [-v] [NAME…]
 *
 * Prints "NAME passed/total" for each known table that the directory holds; -v lists the misses.
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

static void print_miss(const struct family *family, const struct table_row *row, enum verdict verdict,
		       const struct buf *detail)
{
	printf("  %s %s %s: %s\n", verdict == VERDICT_KNOWN ? "known" : "miss", family->name,
	       row->count ? row->cells[0] : "", buf_text(detail));
}

static void run_table(const struct family *family, const char *directory, const struct table *table,
		      bool verbose)
{
	size_t counts[VERDICT_SKIP + 1] = { 0 };
	struct buf detail = { 0 };

	for (size_t i = 0; i < table->rows.count; i++) {
		struct arena arena = { 0 };
		const struct table_row *row = &table->rows.items[i];
		struct check check = { directory, table, row, &arena, &detail };
		enum verdict verdict;

		buf_clear(&detail);
		verdict = family->check(&check);
		counts[verdict]++;
		if (verbose && (verdict == VERDICT_MISS || verdict == VERDICT_KNOWN))
			print_miss(family, row, verdict, &detail);
		arena_free(&arena);
	}
	buf_free(&detail);
	printf("%s %zu/%zu", family->name, counts[VERDICT_PASS],
	       counts[VERDICT_PASS] + counts[VERDICT_MISS] + counts[VERDICT_KNOWN]);
	if (counts[VERDICT_KNOWN])
		printf(" (%zu known deviations of a library)", counts[VERDICT_KNOWN]);
	putchar('\n');
}

static bool is_wanted(const char *name, char **names, int count)
{
	bool any = false;

	for (int i = 0; i < count; i++) {
		if (strcmp(names[i], "-v") == 0)
			continue;
		any = true;
		if (strcmp(names[i], name) == 0)
			return true;
	}
	return !any;
}

static bool is_verbose(char **names, int count)
{
	for (int i = 0; i < count; i++)
		if (strcmp(names[i], "-v") == 0)
			return true;
	return false;
}

int main(int argc, char **argv)
{
	size_t found = 0;

	if (argc < 2) {
		fputs("usage: conformance DIRECTORY [-v] [NAME...]\n", stderr);
		return 2;
	}
	for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
		struct arena arena = { 0 };
		struct table table;
		const struct family *f = &families[i];
		const char *directory = arena_printf(&arena, "%s/%s", argv[1],
						     f->directory ? f->directory : f->name);

		if (is_wanted(families[i].name, argv + 2, argc - 2) &&
		    table_read(&table, &arena,
			       arena_printf(&arena, "%s/%s", directory,
					    f->file ? f->file : "expected.tsv"))) {
			run_table(&families[i], directory, &table, is_verbose(argv + 2, argc - 2));
			found++;
		}
		arena_free(&arena);
	}
	if (!found)
		fprintf(stderr, "conformance: no known table in %s\n", argv[1]);
	return found ? 0 : 2;
}

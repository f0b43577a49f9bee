/* Compares a whole load with the least that reading the same files costs: reading all candidate files and
 * running libyaml's parser over the YAML ones. Prints the ratio; figures of one run belong together.
 * usage: bench DIRECTORY [ROUNDS]
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <yaml.h>

#include "src/load.h"
#include "src/repo/repo.h"

#define MAX_ROUNDS 51

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void parse_yaml(const struct repo_bytes *bytes)
{
	yaml_parser_t parser;
	yaml_event_t event;
	bool end = false;

	yaml_parser_initialize(&parser);
	yaml_parser_set_input_string(&parser, (const unsigned char *)bytes->bytes, bytes->length);
	while (!end && yaml_parser_parse(&parser, &event)) {
		end = event.type == YAML_STREAM_END_EVENT;
		yaml_event_delete(&event);
	}
	yaml_parser_delete(&parser);
}

static bool ends(const char *path, const char *suffix)
{
	size_t a = strlen(path), b = strlen(suffix);

	return a >= b && strcmp(path + a - b, suffix) == 0;
}

/* Milliseconds to list the tree, read YAML files and Dockerfiles, and parse the former. */
static double least(const char *path)
{
	struct arena arena = { 0 };
	struct buf why = { 0 };
	double start = now();
	struct repo *repo = repo_open(&arena, path, NULL, &why);

	repo_list(repo);
	for (size_t i = 0; repo && i < repo_count(repo); i++) {
		const struct repo_entry *entry = repo_at(repo, i);
		struct repo_bytes bytes;
		bool yaml = ends(entry->path, ".yaml") || ends(entry->path, ".yml");

		if (!yaml && !ends(entry->path, "Dockerfile"))
			continue;
		if (repo_read(repo, entry, &arena, &bytes) && yaml)
			parse_yaml(&bytes);
	}
	repo_close(repo);
	arena_free(&arena);
	buf_free(&why);
	return now() - start;
}

static double whole(const char *path, size_t counts[3])
{
	struct load_options options = { .path = path };
	struct snapshot s = { 0 };
	struct buf why = { 0 };
	double start = now();

	load_all(&options, &s, &why);
	counts[0] = s.files_seen;
	counts[1] = s.rows.count;
	counts[2] = s.findings.count;
	snapshot_free(&s);
	buf_free(&why);
	return now() - start;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	unsigned rounds = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 7;
	double a[MAX_ROUNDS], b[MAX_ROUNDS];
	size_t counts[3];

	if (argc < 2 || rounds < 1 || rounds > MAX_ROUNDS) {
		fprintf(stderr, "usage: bench DIRECTORY [ROUNDS]\n");
		return 2;
	}
	for (unsigned i = 0; i < rounds; i++) {
		a[i] = least(argv[1]);
		b[i] = whole(argv[1], counts);
	}
	qsort(a, rounds, sizeof *a, compare);
	qsort(b, rounds, sizeof *b, compare);
	printf("%zu files, %zu rows, %zu findings: read and parse %.0f ms, whole load %.0f ms, "
	       "ratio %.2f (medians of %u)\n",
	       counts[0], counts[1], counts[2], a[rounds / 2], b[rounds / 2],
	       b[rounds / 2] / a[rounds / 2], rounds);
	return 0;
}

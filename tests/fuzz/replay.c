/* Replays the corpora without a fuzzer: every file whole, cut short at many places, and with bytes
 * flipped in a fixed pattern, so that any compiler finds what the fuzzer found.
 * usage: replay CORPUS_DIRECTORY
 * SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/targets.h"

#define MAX_BYTES ((size_t)256 * 1024)
#define CUTS 24
#define FLIPS 24

static void run_variants(const struct fuzz_target *target, uint8_t *bytes, size_t length)
{
	uint32_t state = 1;

	target->run(bytes, length);
	for (size_t i = 1; i < CUTS && length > CUTS; i++)
		target->run(bytes, length * i / CUTS);
	for (size_t i = 0; i < FLIPS && length; i++) {
		size_t at;
		uint8_t former;

		state = state * 1664525u + 1013904223u;
		at = state % length;
		former = bytes[at];
		bytes[at] = (uint8_t)(state >> 24);
		target->run(bytes, length);
		bytes[at] = former;
	}
}

/* An exact-size copy, so that a read past the end is seen by the address sanitizer. */
static void run_file(const struct fuzz_target *target, const char *path)
{
	uint8_t *buffer = malloc(MAX_BYTES), *exact;
	FILE *f = fopen(path, "rb");
	size_t length = f && buffer ? fread(buffer, 1, MAX_BYTES, f) : 0;

	if (f)
		fclose(f);
	exact = malloc(length ? length : 1);
	if (exact && buffer) {
		memcpy(exact, buffer, length);
		run_variants(target, exact, length);
	}
	free(exact);
	free(buffer);
}

static unsigned run_folder(const struct fuzz_target *target, const char *corpus)
{
	char path[4096];
	unsigned files = 0;
	struct dirent *entry;
	DIR *folder;

	snprintf(path, sizeof path, "%s/%s", corpus, target->name);
	folder = opendir(path);
	while (folder && (entry = readdir(folder))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof path, "%s/%s/%s", corpus, target->name, entry->d_name);
		run_file(target, path);
		files++;
	}
	if (folder)
		closedir(folder);
	return files;
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: replay CORPUS_DIRECTORY\n");
		return 2;
	}
	for (const struct fuzz_target *target = fuzz_targets; target->name; target++) {
		unsigned files = run_folder(target, argv[1]);

		printf("%s: %u files\n", target->name, files);
		if (!files)
			return 1;
	}
	return 0;
}

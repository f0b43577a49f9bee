/* Entry point.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "src/load.h"

int main(int argc, char **argv)
{
	struct snapshot s = { 0 };
	struct buf why = { 0 };
	struct load_options options = { .path = argc > 1 ? argv[1] : "." };

	if (!load_all(&options, &s, &why)) {
		fprintf(stderr, "boundwalk: %s\n", buf_text(&why));
		return 2;
	}
	printf("%zu files, %zu artifacts, %zu rows, %zu findings, %s %s\n", s.files_seen,
	       s.artifacts.count, s.rows.count, s.findings.count, s.scope.revision, s.scope.tree);
	snapshot_free(&s);
	return 0;
}

/* Files of a temporary folder: written with the folders above them, and removed with everything beside them.
 * SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_FOLDER_H
#define TESTS_UNIT_FOLDER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "model/buf.h"

static inline void folder_put(const char *root, const char *path, const void *bytes, size_t length)
{
	struct buf full = { 0 };
	FILE *file;

	buf_printf(&full, "%s/%s", root, path);
	for (char *slash = strchr(full.bytes + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(full.bytes, 0755);
		*slash = '/';
	}
	file = fopen(full.bytes, "wb");
	buf_free(&full);
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
}

static inline int folder_remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

/* Links are removed, not followed. */
static inline void folder_remove(const char *root)
{
	nftw(root, folder_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

#endif

/* Trees that are made larger on purpose: files of a repeated part, written, loaded and removed again.
 * SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_GROWN_H
#define TESTS_UNIT_GROWN_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "model/buf.h"
#include "src/load.h"

/* One file, or one file each when the path has a '@'; '@' becomes the number of the repetition. */
struct part {
	const char *path, *head, *each, *tail;
};

static inline void put_numbered(struct buf *out, const char *text, size_t number)
{
	for (; text && *text; text++) {
		if (*text == '@')
			buf_printf(out, "%zu", number);
		else
			buf_putc(out, *text);
	}
}

static inline void write_file(const char *root, const char *path, const struct buf *content)
{
	struct buf full = { 0 };
	FILE *file;

	buf_printf(&full, "%s/%s", root, path);
	for (char *p = strchr(full.bytes + strlen(root) + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		mkdir(full.bytes, 0700);
		*p = '/';
	}
	file = fopen(full.bytes, "w");
	assert_non_null(file);
	fwrite(buf_text(content), 1, content->length, file);
	fclose(file);
	buf_free(&full);
}

static inline void write_part(const char *root, const struct part *p, size_t count)
{
	struct buf path = { 0 }, content = { 0 };
	const bool several = strchr(p->path, '@') != NULL;

	put_numbered(&content, p->head, 0);
	for (size_t i = 0; i < count; i++) {
		put_numbered(&content, p->each, i);
		if (!several)
			continue;
		put_numbered(&content, p->tail, i);
		buf_clear(&path);
		put_numbered(&path, p->path, i);
		write_file(root, buf_text(&path), &content);
		buf_clear(&content);
		put_numbered(&content, p->head, i + 1);
	}
	if (!several) {
		put_numbered(&content, p->tail, count);
		write_file(root, p->path, &content);
	}
	buf_free(&path);
	buf_free(&content);
}

static inline int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

/* Writes a tree of PARTS, each repeated COUNT times, into a new folder whose name replaces ROOT's X. */
static inline void make_grown(char *root, const struct part *parts, size_t part_count, size_t count)
{
	assert_non_null(mkdtemp(root));
	for (size_t i = 0; i < part_count && parts[i].path; i++)
		write_part(root, &parts[i], count);
}

static inline void remove_grown(const char *root)
{
	nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Loads such a tree. The snapshot stays, the files go. */
static inline void load_grown(const struct part *parts, size_t part_count, size_t count,
			      size_t most_bytes, struct snapshot *s)
{
	char root[] = "/tmp/test_grown.XXXXXX";
	struct load_options options = { .path = root, .most_bytes = most_bytes };
	struct buf why = { 0 };

	make_grown(root, parts, part_count, count);
	assert_true(load_all(&options, s, &why));
	remove_grown(root);
	buf_free(&why);
}

#endif

/* Trees that are made larger on purpose: files of a repeated part, written, loaded and removed again.
 * SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_GROWN_H
#define TESTS_UNIT_GROWN_H

#include "tests/unit/folder.h"

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
		folder_put(root, buf_text(&path), buf_text(&content), content.length);
		buf_clear(&content);
		put_numbered(&content, p->head, i + 1);
	}
	if (!several) {
		put_numbered(&content, p->tail, count);
		folder_put(root, p->path, buf_text(&content), content.length);
	}
	buf_free(&path);
	buf_free(&content);
}

/* Writes a tree of PARTS, each repeated COUNT times, into a new folder whose name replaces ROOT's X. */
static inline void make_grown(char *root, const struct part *parts, size_t part_count, size_t count)
{
	assert_non_null(mkdtemp(root));
	for (size_t i = 0; i < part_count && parts[i].path; i++)
		write_part(root, &parts[i], count);
}

/* Loads such a tree. The snapshot stays, the files go. */
static inline void load_grown(const struct part *parts, size_t part_count, size_t count,
			      size_t most_bytes, struct snapshot *s)
{
	char root[] = "/tmp/test_grown.XXXXXX";
	struct load_options options = { .path = root, .most_bytes = most_bytes };
	struct buf why = { 0 };
	bool loaded;

	make_grown(root, parts, part_count, count);
	loaded = load_all(&options, s, &why);
	folder_remove(root);
	buf_free(&why);
	assert_true(loaded);
}

#endif

/* A tree of files in memory, read and joined with the formats that a test names.
 * SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_TREE_HELP_H
#define TESTS_UNIT_TREE_HELP_H

#include "tests/unit/format_help.h"

struct tree_file {
	const char *path, *text;
};

struct tree {
	struct reading reading;
	const struct tree_file *files;
	size_t count;
};

static inline struct input *tree_input(struct tree *t, const char *path)
{
	struct workspace *w = &t->reading.workspace;
	struct input *in;

	for (size_t i = 0; i < t->count; i++) {
		if (strcmp(t->files[i].path, path) != 0)
			continue;
		in = workspace_input(w, path);
		if (in)
			return in;
		in = add_text(&t->reading, path, t->files[i].text);
		hash_index_put(&t->reading.snapshot.arena, &w->input_paths, in->artifact->path,
			       (uint32_t)w->inputs.count - 1);
		return in;
	}
	return NULL;
}

static inline struct input *tree_open(struct workspace *w, const char *path, enum format_id format)
{
	struct input *in = tree_input(w->host, path);

	if (in && !in->artifact->formats)
		in->artifact->format = format;
	return in;
}

static inline bool tree_exists(struct workspace *w, const char *path)
{
	const struct tree *t = w->host;
	size_t n = strlen(path);

	for (size_t i = 0; i < t->count; i++)
		if (strncmp(t->files[i].path, path, n) == 0 &&
		    (t->files[i].path[n] == '\0' || t->files[i].path[n] == '/'))
			return true;
	return false;
}

static inline void tree_offer(struct tree *t, const struct format *format, const char *path)
{
	struct workspace *w = &t->reading.workspace;
	struct input *in = tree_input(t, path);

	if ((format->interested && !format->interested(path)) ||
	    (format->claims && !format->claims(path, in->source->bytes, in->source->length)))
		return;
	input_parse(w, in, format->syntax);
	if (format->recognise && !format->recognise(in))
		return;
	if (format->read)
		format->read(w, in);
}

/* Reads all files with each format of a list ended by NULL, then joins in that order. */
static inline void tree_load(struct tree *t, const struct tree_file *files, size_t count,
			     const struct format *const *formats)
{
	*t = (struct tree){ .files = files, .count = count };
	t->reading.workspace = (struct workspace){ .snapshot = &t->reading.snapshot,
						   .open = tree_open,
						   .exists = tree_exists,
						   .host = t };
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; formats[k]; k++)
			if (!formats[k]->interested || formats[k]->interested(files[i].path))
				tree_offer(t, formats[k], files[i].path);
	for (size_t k = 0; formats[k]; k++)
		if (formats[k]->join)
			formats[k]->join(&t->reading.workspace);
}

static inline void tree_free(struct tree *t)
{
	reading_free(&t->reading);
}

static inline bool has_fact(const struct row *row, enum fact_kind kind, const char *value)
{
	for (size_t i = 0; i < row->facts.count; i++)
		if (row->facts.items[i]->kind == kind &&
		    (!value || strcmp(row->facts.items[i]->value, value) == 0))
			return true;
	return false;
}

/* The fact of KIND with VALUE has NAME set to IS. */
static inline void assert_value_attribute(const struct row *row, enum fact_kind kind,
					  const char *value, const char *name, const char *is)
{
	const char *found = fact_attribute(fact_of(row, kind, value), name);

	if (!found || strcmp(found, is) != 0)
		fail_msg("%s: %s %s has %s=%s, not %s", row->key, fact_kind_table[kind].name, value,
			 name, found ? found : "(none)", is);
}

#endif

/* Reading one text with one format, for tests of formats.
 * SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_FORMAT_HELP_H
#define TESTS_UNIT_FORMAT_HELP_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/classify.h"
#include "src/formats/format.h"

extern const struct format format_mcp, format_inspect, format_image_inspect, format_engine_info,
    format_engine_info_json;

struct reading {
	struct snapshot snapshot;
	struct workspace workspace;
};

static inline struct input *add_text(struct reading *r, const char *path, const char *text)
{
	struct arena *a = &r->snapshot.arena;
	struct input *in = ARENA_NEW(a, struct input);
	size_t length = strlen(text);

	r->workspace.snapshot = &r->snapshot;
	in->artifact = snapshot_add_artifact(&r->snapshot, path);
	in->source =
	    snapshot_add_source(&r->snapshot, path, arena_copy(a, text, length), (uint32_t)length);
	in->artifact->source = in->source;
	in->artifact->class = classify(path, text, strlen(text));
	*ARENA_PUSH(a, &r->workspace.inputs) = in;
	return in;
}

/* Reads TEXT as FORMAT; false when the format does not take the file. */
static inline bool read_text(struct reading *r, const struct format *format, const char *path,
                             enum syntax syntax, const char *text)
{
	struct input *in = add_text(r, path, text);

	if (format->interested && !format->interested(path))
		return false;
	if (format->claims && !format->claims(path, in->source->bytes, in->source->length))
		return false;
	input_parse(&r->workspace, in, syntax);
	if (format->recognise && !format->recognise(in))
		return false;
	if (format->read)
		format->read(&r->workspace, in);
	return true;
}

static inline void reading_free(struct reading *r)
{
	snapshot_free(&r->snapshot);
}

static inline const struct row *row_of(const struct reading *r, const char *key)
{
	const struct row *row = snapshot_row_by_key(&r->snapshot, key);

	if (!row) {
		fail_msg("no row %s", key);
		abort();
	}
	return row;
}

/* The first fact of KIND with VALUE in any layer. */
static inline const struct fact *fact_of(const struct row *row, enum fact_kind kind,
                                         const char *value)
{
	for (size_t i = 0; i < row->facts.count; i++)
		if (row->facts.items[i]->kind == kind &&
		    (!value || strcmp(row->facts.items[i]->value, value) == 0))
			return row->facts.items[i];
	fail_msg("%s: no %s with value %s", row->key, fact_kind_table[kind].name,
	         value ? value : "(any)");
	abort();
}

/* A fact of KIND with VALUE stands on LINE (0: any). */
static inline void assert_value(const struct row *row, enum fact_kind kind, const char *value,
                                const struct reading *r, uint32_t line)
{
	const struct fact *f = fact_of(row, kind, value);

	if (line)
		assert_int_equal(snapshot_line(&r->snapshot, f->span), line);
}

static inline void assert_attribute(const struct row *row, enum fact_kind kind, const char *name,
                                    const char *value)
{
	const char *is = fact_attribute(fact_of(row, kind, NULL), name);

	if (!is || strcmp(is, value) != 0)
		fail_msg("%s: %s has %s=%s, not %s", row->key, fact_kind_table[kind].name, name,
		         is ? is : "(none)", value);
}

static inline void assert_not_in(const char *text, const char *secret)
{
	if (text && strstr(text, secret))
		fail_msg("kept: %s", text);
}

/* TEXT occurs in no value, attribute, note or problem. */
static inline void assert_no_text(const struct reading *r, const char *text)
{
	for (size_t i = 0; i < r->snapshot.rows.count; i++) {
		const struct row *row = r->snapshot.rows.items[i];

		assert_not_in(row->export_note, text);
		for (size_t k = 0; k < row->facts.count; k++) {
			const struct fact *f = row->facts.items[k];

			assert_not_in(f->value, text);
			assert_not_in(f->note, text);
			for (uint32_t n = 0; n < f->attribute_count; n++)
				assert_not_in(f->attributes[n].value, text);
		}
	}
	for (size_t i = 0; i < r->snapshot.artifacts.count; i++)
		for (size_t k = 0; k < r->snapshot.artifacts.items[i]->problems.count; k++)
			assert_not_in(r->snapshot.artifacts.items[i]->problems.items[k].message,
			              text);
}

#endif

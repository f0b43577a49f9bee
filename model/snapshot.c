/* Building and reading a snapshot.
 * SPDX-License-Identifier: MIT */
#include "model/snapshot.h"

#include <limits.h>
#include <string.h>

#include "model/buf.h"
#include "model/limits.h"

void snapshot_free(struct snapshot *s)
{
	struct arena arena = s->arena;

	*s = (struct snapshot){ 0 };
	arena_free(&arena);
}

struct artifact *snapshot_add_artifact(struct snapshot *s, const char *path)
{
	struct artifact *artifact = ARENA_NEW(&s->arena, struct artifact);

	artifact->index = (uint32_t)s->artifacts.count;
	artifact->path = arena_strdup(&s->arena, path);
	*ARENA_PUSH(&s->arena, &s->artifacts) = artifact;
	hash_index_put(&s->arena, &s->artifact_paths, artifact->path, artifact->index);
	return artifact;
}

struct source *snapshot_add_source(struct snapshot *s, const char *path, const char *bytes,
				   uint32_t length)
{
	struct source *source = ARENA_NEW(&s->arena, struct source);

	source_init(source, &s->arena, (uint32_t)s->sources.count + 1,
		    arena_strdup(&s->arena, path), bytes, length);
	*ARENA_PUSH(&s->arena, &s->sources) = source;
	return source;
}

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

/* Equal names are counted under their common key, so that ten thousand of them stay cheap. */
static const char *unique_key(struct snapshot *s, const struct row_spec *spec)
{
	const char *base;
	uint32_t seen = 0;

	base = arena_printf(&s->arena, "%s#%s/%s/%s%s%s", or_empty(spec->path),
			    or_empty(spec->object_kind), or_empty(spec->namespace),
			    or_empty(spec->unit), spec->container && *spec->container ? "/" : "",
			    or_empty(spec->container));
	hash_index_get(&s->row_bases, base, &seen);
	hash_index_put(&s->arena, &s->row_bases, base, seen + 1);
	return seen ? arena_printf(&s->arena, "%s~%u", base, seen + 1) : base;
}

/* Nobody outside the reader of a part knows the part: its places become those of the file. */
static struct span in_file(const struct snapshot *s, struct span span)
{
	return source_whole_span(snapshot_source(s, span.source), span);
}

struct row *snapshot_add_row(struct snapshot *s, const struct row_spec *spec)
{
	struct row *row = ARENA_NEW(&s->arena, struct row);
	const char *name = spec->container && *spec->container ? spec->container : spec->unit;

	*row = (struct row){
		.index = (uint32_t)s->rows.count,
		.key = unique_key(s, spec),
		.name = arena_strdup(&s->arena, or_empty(name)),
		.label = arena_strdup(&s->arena, or_empty(name)),
		.unit = arena_strdup(&s->arena, or_empty(spec->unit)),
		.object_kind = arena_strdup(&s->arena, or_empty(spec->object_kind)),
		.namespace = arena_strdup(&s->arena, or_empty(spec->namespace)),
		.kind = spec->kind,
		.role = spec->role,
		.format = spec->format,
		.artifact = spec->artifact,
		.span = in_file(s, spec->span),
	};
	*ARENA_PUSH(&s->arena, &s->rows) = row;
	hash_index_put(&s->arena, &s->row_keys, row->key, row->index);
	return row;
}

/* "{{ .Values.web.name }}" is a name only for a renderer: "web.name" says as much. */
static void add_plain(struct buf *out, const char *text)
{
	static const char values[] = ".Values.";
	const char *open, *close;

	while ((open = strstr(text, "{{")) && (close = strstr(open, "}}"))) {
		const char *from = memmem(open, (size_t)(close - open), values, sizeof values - 1);

		buf_add(out, text, (size_t)(open - text));
		from = from ? from + sizeof values - 1 : open + 2 + strspn(open + 2, "- ");
		buf_add(out, from, strcspn(from, " |)-}"));
		text = close + 2;
	}
	buf_puts(out, text);
}

void snapshot_label_rows(struct snapshot *s)
{
	for (size_t i = 0; i < s->rows.count; i++) {
		struct row *row = s->rows.items[i];
		struct buf label = { 0 };

		if ((row->format != FORMAT_K8S && row->format != FORMAT_HELM) ||
		    row->kind == ROW_OBJECT || !*row->unit)
			continue;
		add_plain(&label, row->unit);
		if ((row->shares_with.count || row->operated) && strcmp(row->unit, row->name) != 0)
			buf_printf(&label, "/%s", row->name);
		row->label = arena_copy(&s->arena, buf_text(&label), label.length);
		buf_free(&label);
	}
}

_Static_assert(FACT_KIND_COUNT <= UCHAR_MAX, "the kinds of a row's facts are bytes");

static struct fact *push_fact(struct snapshot *s, struct row *r, enum fact_kind kind)
{
	struct fact *fact = ARENA_NEW(&s->arena, struct fact);

	fact->kind = kind;
	fact->row = r->index;
	fact->ordinal = (uint32_t)r->facts.count;
	*ARENA_PUSH(&s->arena, &r->facts) = fact;
	*ARENA_PUSH(&s->arena, &r->kinds) = (unsigned char)kind;
	r->present[kind / 64] |= UINT64_C(1) << (kind % 64);
	return fact;
}

static const char *shown_copy(struct snapshot *s, const char *value)
{
	size_t length = strlen(or_empty(value));

	return arena_copy(&s->arena, or_empty(value),
			  length > LIMIT_SCALAR_SHOWN ? LIMIT_SCALAR_SHOWN : length);
}

struct fact *snapshot_add_fact(struct snapshot *s, struct row *r, enum fact_kind kind,
			       const char *value, struct span span)
{
	struct fact *fact = push_fact(s, r, kind);

	fact->value = shown_copy(s, value);
	fact->span = in_file(s, span);
	return fact;
}

struct fact *snapshot_add_absent(struct snapshot *s, struct row *r, enum fact_kind kind,
				 const char *default_value, struct span ancestor, const char *note)
{
	struct fact *fact = snapshot_add_fact(s, r, kind, default_value, ancestor);

	fact->provenance = PROVENANCE_ABSENT;
	fact->note = arena_strdup(&s->arena, note);
	return fact;
}

void snapshot_set_attribute(struct snapshot *s, struct fact *f, const char *name,
			    const char *value)
{
	struct attribute *grown;

	if (!value)
		return;
	for (uint32_t i = 0; i < f->attribute_count; i++)
		if (strcmp(f->attributes[i].name, name) == 0) {
			f->attributes[i].value = shown_copy(s, value);
			return;
		}
	if (f->attribute_count % 4 == 0) {
		grown = arena_array(&s->arena, f->attribute_count + 4u, sizeof *grown);
		if (f->attribute_count)
			memcpy(grown, f->attributes, f->attribute_count * sizeof *grown);
		f->attributes = grown;
	}
	f->attributes[f->attribute_count++] = (struct attribute){
		.name = arena_strdup(&s->arena, name),
		.value = shown_copy(s, value),
	};
}

void snapshot_add_hop(struct snapshot *s, struct fact *f, struct span span, const char *value,
		      const char *role)
{
	if (f->via_count >= f->via_room) {
		struct hop *grown;

		f->via_room = f->via_count < 2 ? f->via_count + 1 : f->via_count * 2;
		grown = arena_array(&s->arena, f->via_room, sizeof *grown);
		if (f->via_count)
			memcpy(grown, f->via, f->via_count * sizeof *grown);
		f->via = grown;
	}
	f->via[f->via_count++] = (struct hop){
		.span = in_file(s, span),
		.value = value ? shown_copy(s, value) : NULL,
		.role = arena_strdup(&s->arena, or_empty(role)),
	};
	if (f->provenance == PROVENANCE_EXPLICIT && (!role || !*role || strcmp(role, "base") == 0))
		f->provenance = PROVENANCE_OVERRIDDEN;
}

struct fact *snapshot_copy_fact(struct snapshot *s, struct row *to, const struct fact *f)
{
	struct fact *copy = push_fact(s, to, f->kind);
	uint32_t row = copy->row, ordinal = copy->ordinal;

	*copy = *f;
	copy->row = row;
	copy->ordinal = ordinal;
	copy->via_room = 0;
	if (f->attribute_count) {
		copy->attributes = arena_array(&s->arena, (f->attribute_count + 3u) / 4 * 4,
					       sizeof *copy->attributes);
		memcpy(copy->attributes, f->attributes,
		       f->attribute_count * sizeof *copy->attributes);
	}
	return copy;
}

void snapshot_replace_fact(struct row *r, const struct fact *old, struct fact *last)
{
	r->facts.items[old->ordinal] = last;
	r->kinds.items[old->ordinal] = (unsigned char)last->kind;
	last->ordinal = old->ordinal;
	r->facts.count--;
	r->kinds.count--;
}

const struct source *snapshot_source(const struct snapshot *s, uint32_t id)
{
	return id && id <= s->sources.count ? s->sources.items[id - 1] : NULL;
}

const struct row *snapshot_row_by_key(const struct snapshot *s, const char *key)
{
	uint32_t index;

	return hash_index_get(&s->row_keys, key, &index) ? s->rows.items[index] : NULL;
}

const struct artifact *snapshot_artifact_by_path(const struct snapshot *s, const char *path)
{
	uint32_t index;

	return hash_index_get(&s->artifact_paths, path, &index) ? s->artifacts.items[index] : NULL;
}

const char *snapshot_path(const struct snapshot *s, struct span span)
{
	const struct source *source;

	span = in_file(s, span);
	source = snapshot_source(s, span.source);
	return source ? source->path : "";
}

uint32_t snapshot_line(const struct snapshot *s, struct span span)
{
	const struct source *source;

	span = in_file(s, span);
	source = snapshot_source(s, span.source);
	return source ? source_line(source, span.offset) : 0;
}

uint32_t snapshot_end_line(const struct snapshot *s, struct span span)
{
	const struct source *source;

	span = in_file(s, span);
	source = snapshot_source(s, span.source);
	return source ? source_end_line(source, span) : 0;
}

uint32_t snapshot_column(const struct snapshot *s, struct span span)
{
	const struct source *source;

	span = in_file(s, span);
	source = snapshot_source(s, span.source);
	return source ? source_column(source, span.offset) : 0;
}

bool row_is_workload(const struct row *r)
{
	return r->kind != ROW_OBJECT;
}

/* Follows if, else and end through a template's bytes.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/template_blocks.h"

#include <stdlib.h>
#include <string.h>

enum { OPEN_BLOCKS = 64, COMPARED = 8 };

/* One block that is open: an if, or with, range, define and the like, which only need their end. */
struct open_block {
	bool conditional;
	uint32_t group;     /* number of the if */
	uint32_t from;      /* where its present branch starts */
	enum tri state;     /* of the present branch */
	enum tri so_far;    /* whether an earlier branch was taken */
	struct span condition; /* of the present branch: the words of its if; for else those of the first */
	const struct node *decides;
};

struct branches {
	struct k8s_branch *items;
	size_t count, capacity;
};

struct blocks {
	struct workspace *w;
	const struct source *source;
	struct k8s_file *file;
	const struct node *values;
	struct open_block open[OPEN_BLOCKS];
	unsigned depth, ignored; /* ignored: blocks open beyond the limit */
	uint32_t groups;
	struct branches all;
};

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && memchr("- \t\r\n", *at, 5))
		at++;
	return at;
}

static bool takes(const char **at, const char *end, const char *word)
{
	size_t size = strlen(word);

	if ((size_t)(end - *at) < size || memcmp(*at, word, size) != 0)
		return false;
	if (*at + size < end && !memchr(" \t\r\n-(}", (*at)[size], 7))
		return false;
	*at = skip_blanks(*at + size, end);
	return true;
}

static enum tri negation(enum tri truth)
{
	return truth == TRI_TRUE ? TRI_FALSE : truth == TRI_FALSE ? TRI_TRUE : TRI_UNKNOWN;
}

static struct span words_of(const struct blocks *b, const char *from, const char *to)
{
	while (to > from && memchr("- \t\r\n", to[-1], 5))
		to--;
	return (struct span){ b->source->id, (uint32_t)(from - b->source->bytes),
			      (uint32_t)(to - from) };
}

static void begin_branch(struct blocks *b, struct open_block *o, const char *from, const char *to,
			 uint32_t next)
{
	enum tri truth;

	o->condition = words_of(b, from, to);
	o->decides = NULL;
	truth = template_condition(b->values, from, o->condition.length, &o->decides);
	o->state = o->so_far == TRI_TRUE  ? TRI_FALSE :
		   o->so_far == TRI_FALSE ? truth :
		   truth == TRI_FALSE	  ? TRI_FALSE :
					    TRI_UNKNOWN;
	if (truth == TRI_TRUE && o->so_far != TRI_UNKNOWN)
		o->so_far = TRI_TRUE;
	else if (truth == TRI_UNKNOWN && o->so_far == TRI_FALSE)
		o->so_far = TRI_UNKNOWN;
	o->from = next;
}

static const char *note_of(const struct blocks *b, const struct open_block *o)
{
	const struct snapshot *s = b->w->snapshot;
	const char *words = source_text(b->source, o->condition);
	const char *shown = arena_printf(&b->w->snapshot->arena, "%.*s",
					 (int)(o->condition.length < 120 ? o->condition.length : 120),
					 words ? words : "");

	if (o->decides)
		return arena_printf(&b->w->snapshot->arena,
				    "not part of the chart's defaults: depends on %s, set in %s:%u", shown,
				    snapshot_path(s, o->decides->span),
				    snapshot_line(s, o->decides->span));
	return arena_printf(&b->w->snapshot->arena,
			    "not part of the chart's defaults: depends on %s, which they do not set", shown);
}

static void end_branch(struct blocks *b, const struct open_block *o, uint32_t to)
{
	if (!o->conditional)
		return;
	*ARENA_PUSH(&b->w->snapshot->arena, &b->all) = (struct k8s_branch){
		.from = o->from,
		.to = to,
		.group = o->group,
		.off = o->state == TRI_FALSE,
		.taken = o->state == TRI_TRUE,
		.note = o->state == TRI_FALSE ? note_of(b, o) : NULL,
	};
}

static void open_block(struct blocks *b, const char *from, const char *to, bool conditional, uint32_t next)
{
	struct open_block *o;

	if (b->depth == OPEN_BLOCKS) {
		b->ignored++;
		return;
	}
	o = &b->open[b->depth++];
	*o = (struct open_block){ .conditional = conditional, .group = b->groups++, .so_far = TRI_FALSE };
	if (conditional)
		begin_branch(b, o, from, to, next);
}

/* "else" alone holds when nothing before it did; its words stay those of the branch before. */
static void otherwise(struct blocks *b, const char *from, const char *to, uint32_t start, uint32_t next)
{
	struct open_block *o = b->depth && !b->ignored ? &b->open[b->depth - 1] : NULL;

	if (!o || !o->conditional)
		return;
	end_branch(b, o, start);
	if (takes(&from, to, "if")) {
		begin_branch(b, o, from, to, next);
		return;
	}
	o->state = negation(o->so_far);
	o->from = next;
}

static void close_block(struct blocks *b, uint32_t start)
{
	if (b->ignored)
		b->ignored--;
	else if (b->depth)
		end_branch(b, &b->open[--b->depth], start);
}

static void expression(struct blocks *b, uint32_t start, uint32_t end)
{
	static const char *const others[] = { "with", "range", "define", "block" };
	const char *bytes = b->source->bytes, *to = bytes + end - 2;
	const char *at = skip_blanks(bytes + start + 2, to);

	if (takes(&at, to, "if"))
		open_block(b, at, to, true, end);
	else if (takes(&at, to, "else"))
		otherwise(b, at, to, start, end);
	else if (takes(&at, to, "end"))
		close_block(b, start);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (takes(&at, to, others[i]))
			open_block(b, at, to, false, end);
}

/* The first line of a branch that sets a key: "\n   key:", with its indentation, in TEXT's own bytes. */
static bool first_key(const char *bytes, const struct k8s_branch *br, const char **key, size_t *length)
{
	const char *at = memchr(bytes + br->from, '\n', br->to - br->from), *end = bytes + br->to;

	while (at && at < end) {
		const char *line = at + 1;
		const char *stop = memchr(line, '\n', (size_t)(end - line));
		const char *colon;

		if (!stop)
			stop = end;
		colon = memchr(line, ':', (size_t)(stop - line));
		while (line < stop && *line == ' ')
			line++;
		if (line < stop && *line != '#' && *line != '{') {
			*key = at;
			*length = colon ? (size_t)(colon + 1 - at) : 0;
			return colon && *line != '-';
		}
		at = stop < end ? stop : NULL;
	}
	return false;
}

/* A branch that is left out and sets the key that the taken one sets would replace its value. */
static void hide_rivals(struct blocks *b)
{
	const char *bytes = b->source->bytes, *key;
	size_t length;

	for (size_t i = 0; i < b->all.count; i++) {
		struct k8s_branch *off = &b->all.items[i];

		if (!off->off || !first_key(bytes, off, &key, &length))
			continue;
		for (size_t k = i > COMPARED ? i - COMPARED : 0;
		     k < b->all.count && k < i + COMPARED && !off->hidden; k++) {
			const struct k8s_branch *on = &b->all.items[k];

			off->hidden = on->group == off->group && on->taken &&
				      memmem(bytes + on->from, on->to - on->from, key, length);
		}
	}
}

static int compare_starts(const void *left, const void *right)
{
	const struct k8s_branch *a = left, *b = right;

	return (a->from > b->from) - (a->from < b->from);
}

void template_find_branches(struct workspace *w, const struct source *source, struct k8s_file *file)
{
	struct blocks b = { .w = w, .source = source, .file = file };
	const char *bytes = source->bytes;

	if (!file->values || !file->values->documents.count)
		return;
	b.values = node_resolve(file->values->documents.items[0]);
	for (uint32_t at = 0; at + 1 < source->length;) {
		const char *end;

		if (bytes[at] != '{' || bytes[at + 1] != '{') {
			at++;
			continue;
		}
		end = memmem(bytes + at, source->length - at, "}}", 2);
		if (!end)
			break;
		expression(&b, at, (uint32_t)(end - bytes) + 2);
		at = (uint32_t)(end - bytes) + 2;
	}
	hide_rivals(&b);
	for (size_t i = 0; i < b.all.count; i++)
		if (b.all.items[i].off)
			*ARENA_PUSH(&w->snapshot->arena, &file->branches) = b.all.items[i];
	if (file->branches.count > 1)
		qsort(file->branches.items, file->branches.count, sizeof *file->branches.items,
		      compare_starts);
}

const struct k8s_branch *template_branch_at(const struct k8s_file *file, uint32_t offset)
{
	size_t low = 0, high = file ? file->branches.count : 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (file->branches.items[middle].from <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	/* Branches lie in each other or apart: few steps back lead to one that holds the offset. */
	for (unsigned steps = 0; low > 0 && steps < OPEN_BLOCKS; steps++)
		if (file->branches.items[--low].to > offset)
			return &file->branches.items[low];
	return NULL;
}

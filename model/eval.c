/* The eval context: what a predicate may read, and how reads become citations.
 * SPDX-License-Identifier: MIT */
#include "model/eval_private.h"

#include <string.h>
#include <strings.h>

const struct row *eval_row(const struct eval *e)
{
	return e->row;
}

const struct snapshot *eval_world(const struct eval *e)
{
	return e->snapshot;
}

const struct scope *eval_scope(const struct eval *e)
{
	return &e->snapshot->scope;
}

enum layer eval_layer(const struct eval *e)
{
	return e->layer;
}

void eval_read(struct eval *e, const struct fact *f)
{
	if (!f || e->read_count >= MAX_READS)
		return;
	for (size_t i = 0; i < e->read_count; i++)
		if (e->reads[i] == f)
			return;
	e->reads[e->read_count++] = f;
}

const struct fact *eval_first(struct eval *e, enum fact_kind kind)
{
	const struct fact *f = row_first(e->row, kind, e->layer);

	eval_read(e, f);
	return f;
}

const struct fact *eval_next(struct eval *e, const struct fact *f)
{
	return row_next(e->snapshot->rows.items[f->row], f);
}

const struct fact *eval_find(struct eval *e, enum fact_kind kind,
			     bool (*matches)(const struct fact *))
{
	const struct fact *f = row_first(e->row, kind, e->layer);

	while (f && !matches(f))
		f = row_next(e->row, f);
	eval_read(e, f);
	return f;
}

const struct fact *eval_value(struct eval *e, enum fact_kind kind, const char *value)
{
	const struct fact *f = row_first(e->row, kind, e->layer);

	while (f && !fact_is_nocase(f, value))
		f = row_next(e->row, f);
	eval_read(e, f);
	return f;
}

const struct fact *eval_in(struct eval *e, const struct row *r, enum fact_kind kind)
{
	const struct fact *f = row_first(r, kind, LAYER_DECLARED);

	if (!f)
		f = row_first(r, kind, LAYER_OBSERVED);
	eval_read(e, f);
	return f;
}

const struct row *eval_peer(const struct eval *e, size_t i)
{
	return i < e->row->shares_with.count
		       ? e->snapshot->rows.items[e->row->shares_with.items[i]]
		       : NULL;
}

const struct row *eval_parent(const struct eval *e)
{
	return e->row->parent ? e->snapshot->rows.items[e->row->parent - 1] : NULL;
}

static const struct finding *fired_finding(const struct eval *e, const char *slug)
{
	for (size_t i = e->first_of_row; i < e->snapshot->findings.count; i++)
		if (strcmp(e->snapshot->findings.items[i]->rule->slug, slug) == 0)
			return e->snapshot->findings.items[i];
	return NULL;
}

bool eval_fired(const struct eval *e, const char *slug)
{
	return fired_finding(e, slug) != NULL;
}

bool eval_part(struct eval *e, const char *slug)
{
	const struct finding *part = fired_finding(e, slug);

	if (!part)
		return false;
	if (e->part_count < MAX_PARTS)
		e->parts[e->part_count++] = part->id;
	for (size_t i = 0; i < part->citation_count; i++)
		eval_read(e, part->citations[i].fact);
	return true;
}

void eval_subject(struct eval *e, const struct fact *f)
{
	eval_read(e, f);
	e->subject = f;
}

void eval_subject_row(struct eval *e)
{
	e->about_row = true;
}

void eval_say(struct eval *e, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	e->message = arena_vprintf(&e->snapshot->arena, format, args);
	va_end(args);
}

void eval_why(struct eval *e, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	e->reason = arena_vprintf(&e->snapshot->arena, format, args);
	va_end(args);
}

void eval_concepts(struct eval *e, const char *concepts)
{
	e->concepts = concepts;
}

void eval_concept_too(struct eval *e, const char *concept)
{
	e->concepts = arena_printf(&e->snapshot->arena, "%s%s%s", e->concepts,
				   *e->concepts ? " " : "", concept);
}

void eval_severity(struct eval *e, enum severity severity)
{
	e->severity = severity;
}

void eval_confidence(struct eval *e, enum confidence confidence)
{
	e->confidence = confidence;
}

enum verdict eval_if_true(struct eval *e, const struct fact *f)
{
	enum tri truth = fact_truth(f);

	if (!f)
		return VERDICT_QUIET;
	return eval_when(e, f, truth == TRI_TRUE);
}

enum verdict eval_unless_true(struct eval *e, const struct fact *f)
{
	return eval_when(e, f, fact_truth(f) != TRI_TRUE);
}

enum verdict eval_when(struct eval *e, const struct fact *f, bool condition)
{
	if (f && !fact_is_known(f)) {
		e->subject = e->subject ? e->subject : f;
		return VERDICT_UNKNOWN;
	}
	return condition ? VERDICT_FIRES : VERDICT_QUIET;
}

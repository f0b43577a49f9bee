/* The evaluation loop: every rule on every row and layer, verdicts to findings and unknowns.
 * SPDX-License-Identifier: MIT */
#include "model/eval_private.h"

#include <string.h>

static void put_fact(struct buf *out, const struct fact *f)
{
	buf_puts(out, fact_kind_table[f->kind].name);
	buf_putc(out, '=');
	buf_puts(out, f->value);
	buf_putc(out, '/');
	buf_puts(out, provenance_names[f->provenance]);
	for (uint32_t k = 0; k < f->attribute_count; k++) {
		buf_putc(out, ';');
		buf_puts(out, f->attributes[k].name);
		buf_putc(out, '=');
		buf_puts(out, f->attributes[k].value);
	}
	buf_putc(out, '\n');
}

static const char *fingerprint(struct eval *e)
{
	unsigned char digest[DIGEST_BYTES];
	char hex[DIGEST_HEX];

	buf_clear(&e->text);
	buf_puts(&e->text, e->rule->slug);
	buf_putc(&e->text, '\n');
	buf_puts(&e->text, e->row->key);
	buf_putc(&e->text, '\n');
	for (size_t i = 0; i < e->read_count; i++)
		put_fact(&e->text, e->reads[i]);
	e->digest(e->text.bytes, e->text.length, digest);
	digest_hex(digest, hex);
	return arena_strdup(&e->snapshot->arena, hex);
}

/* What makes two findings of one rule on one row the same although a value changed. */
static const char *identity_of(const struct fact *f)
{
	static const char *const names[] = { "target", "name", "setting" };
	const char *value = NULL;

	for (size_t i = 0; !value && i < sizeof names / sizeof *names; i++)
		value = fact_attribute(f, names[i]);
	return value ? value : f->value;
}

/* An id need not resist an attacker, only tell findings apart: a cheap hash does. */
static const char *id_of(struct eval *e, const struct fact *subject, uint32_t ordinal)
{
	uint64_t hash;

	buf_clear(&e->text);
	buf_puts(&e->text, e->row->key);
	buf_putc(&e->text, '\n');
	buf_puts(&e->text, subject ? fact_kind_table[subject->kind].name : "");
	buf_putc(&e->text, '\n');
	buf_puts(&e->text, subject ? identity_of(subject) : "");
	if (ordinal)
		buf_printf(&e->text, "\n%u", ordinal);
	hash = hash_bytes(e->text.bytes, e->text.length);
	return arena_printf(&e->snapshot->arena, "%s@%08x", e->rule->slug,
			    (unsigned)(hash ^ (hash >> 32)));
}

/* Equal subjects are told apart by their order; both layers count from the start, so that a finding of
 * the observed layer gets the id of its declared twin. */
static const char *make_id(struct eval *e, const struct fact *subject)
{
	struct hash_index *ids = &e->ids[e->layer];
	const char *first = id_of(e, subject, 0), *id = first;
	uint32_t equal = 0, taken;

	if (hash_index_get(ids, first, &equal))
		do
			id = id_of(e, subject, equal++);
		while (hash_index_get(ids, id, &taken));
	hash_index_put(&e->snapshot->arena, ids, first, equal ? equal : 1);
	if (id != first)
		hash_index_put(&e->snapshot->arena, ids, id, 1);
	return id;
}

static const char *default_message(const struct eval *e, const struct fact *subject)
{
	struct arena *a = &e->snapshot->arena;
	const struct fact_kind_info *kind;

	if (!subject)
		return e->rule->consequence;
	kind = &fact_kind_table[subject->kind];
	if (subject->provenance == PROVENANCE_ABSENT)
		return arena_printf(a, "%s is not set%s%s", kind->title,
				    *subject->value ? "; by default: " : "", subject->value);
	return arena_printf(a, "%s%s%s", kind->title, *subject->value ? ": " : "",
			    subject->value);
}

static void add_citation(struct arena *a, struct finding *f, struct citation c, size_t *capacity)
{
	struct {
		struct citation *items;
		size_t count, capacity;
	} list = { f->citations, f->citation_count, *capacity };

	for (size_t i = 0; i < f->citation_count; i++)
		if (memcmp(&f->citations[i].span, &c.span, sizeof c.span) == 0)
			return;
	*ARENA_PUSH(a, &list) = c;
	f->citations = list.items;
	f->citation_count = list.count;
	*capacity = list.capacity;
}

static void cite(const struct eval *e, struct finding *f, const struct fact *subject)
{
	struct arena *a = &e->snapshot->arena;
	size_t capacity = 0;

	add_citation(a, f,
		     (struct citation){ .span = subject ? subject->span : e->row->span,
					.role = "subject", .fact = subject },
		     &capacity);
	for (uint32_t i = 0; subject && i < subject->via_count; i++)
		add_citation(a, f,
			     (struct citation){ .span = subject->via[i].span,
						.role = subject->via[i].role, .fact = subject },
			     &capacity);
	/* A fact of another file says where the cause is; the row says whom it concerns. */
	if (subject && subject->span.source != e->row->span.source && span_is_set(e->row->span))
		add_citation(a, f, (struct citation){ .span = e->row->span, .role = "row" },
			     &capacity);
	for (size_t i = 0; i < e->read_count; i++)
		if (e->reads[i] != subject && span_is_set(e->reads[i]->span))
			add_citation(a, f,
				     (struct citation){ .span = e->reads[i]->span, .role = "read",
							.fact = e->reads[i] },
				     &capacity);
}

static const char *with_condition(const struct eval *e, const char *message)
{
	if (e->row->activity == ROW_ACTIVE || !e->row->activity_reason)
		return message;
	return arena_printf(&e->snapshot->arena, "%s (%s)", message, e->row->activity_reason);
}

static void add_finding(struct eval *e, const struct fact *subject)
{
	struct arena *a = &e->snapshot->arena;
	struct finding *f = ARENA_NEW(a, struct finding);

	*f = (struct finding){
		.id = make_id(e, subject),
		.fingerprint = fingerprint(e),
		.rule = e->rule,
		.row = e->row,
		.severity = e->row->activity == ROW_DISABLED ? SEVERITY_INFO : e->severity,
		.confidence = e->confidence,
		.evidence = e->layer == LAYER_OBSERVED ? EVIDENCE_OBSERVED : EVIDENCE_DECLARED,
		.message = with_condition(e, e->message ? e->message
							: default_message(e, subject)),
		.concepts = e->concepts,
		.part_count = e->part_count,
	};
	f->parts = arena_array(a, e->part_count, sizeof *f->parts);
	for (size_t i = 0; i < e->part_count; i++)
		f->parts[i] = e->parts[i];
	cite(e, f, subject);
	*ARENA_PUSH(a, &e->snapshot->findings) = f;
}

static const char *unknown_reason(const struct eval *e, const struct fact *subject)
{
	if (e->reason)
		return e->reason;
	if (subject && subject->note)
		return subject->note;
	if (subject)
		return arena_printf(&e->snapshot->arena, "%s is %s",
				    fact_kind_table[subject->kind].title,
				    provenance_names[subject->provenance]);
	return "not enough was supplied";
}

static void add_unknown(struct eval *e, const struct fact *subject)
{
	*ARENA_PUSH(&e->snapshot->arena, &e->snapshot->unknowns) = (struct unknown){
		.rule = e->rule,
		.row = e->row,
		.span = subject ? subject->span : e->row->span,
		.reason = unknown_reason(e, subject),
	};
}

static void judge_once(struct eval *e, const struct fact *f)
{
	enum verdict verdict;
	const struct fact *subject;

	e->read_count = e->part_count = 0;
	e->subject = NULL;
	e->about_row = false;
	e->message = e->reason = NULL;
	e->concepts = e->rule->concepts;
	e->severity = e->rule->severity;
	e->confidence = e->rule->confidence;
	eval_read(e, f);
	verdict = e->rule->judge(e, f);
	subject = e->about_row ? NULL : e->subject ? e->subject : f ? f : e->read_count ? e->reads[0] : NULL;
	if (verdict == VERDICT_FIRES)
		add_finding(e, subject);
	else if (verdict == VERDICT_UNKNOWN)
		add_unknown(e, subject);
}

static void judge_each(struct eval *e, enum fact_kind kind)
{
	const struct fact *f;

	for (f = row_first(e->row, kind, e->layer); f; f = row_next(e->row, f))
		judge_once(e, f);
}

static void judge_rule(struct eval *e, const struct rule *rule)
{
	e->rule = rule;
	if (rule->each == FACT_NONE) {
		judge_once(e, NULL);
		return;
	}
	if (rule->each == RULE_EACH_FACT) {
		for (size_t i = 0; i < e->row->facts.count; i++)
			if (e->row->facts.items[i]->layer == e->layer)
				judge_once(e, e->row->facts.items[i]);
		return;
	}
	judge_each(e, rule->each);
	for (size_t i = 0; i < sizeof rule->also / sizeof *rule->also && rule->also[i]; i++)
		judge_each(e, rule->also[i]);
}

static void plan_pass(struct eval *e, const struct rule_table *tables, size_t table_count,
		      enum format_id format, bool combinations)
{
	for (size_t t = 0; t < table_count; t++)
		for (size_t i = 0; i < tables[t].count; i++) {
			const struct rule *rule = &tables[t].rules[i];

			if (rule->judge && rule->combination == combinations &&
			    (rule->formats >> format & 1))
				*ARENA_PUSH(&e->snapshot->arena, &e->plans[format]) = rule;
		}
}

static void plan(struct eval *e, const struct rule_table *tables, size_t table_count)
{
	for (unsigned format = 0; format < FORMAT_COUNT; format++) {
		plan_pass(e, tables, table_count, (enum format_id)format, false);
		plan_pass(e, tables, table_count, (enum format_id)format, true);
	}
}

static void judge_row(struct eval *e)
{
	for (size_t i = 0; i < e->plans[e->row->format].count; i++)
		judge_rule(e, e->plans[e->row->format].items[i]);
}

static struct finding *twin_of(const struct snapshot *s, const struct hash_index *ids,
			       const struct finding *f)
{
	uint32_t at;

	return hash_index_get(ids, f->id, &at) ? s->findings.items[at] : NULL;
}

static void cite_observed(struct snapshot *s, struct finding *twin, const struct finding *f)
{
	size_t capacity = twin->citation_count;

	twin->evidence = EVIDENCE_OBSERVED;
	for (size_t k = 0; k < f->citation_count; k++) {
		struct citation c = f->citations[k];

		c.role = "observed";
		add_citation(&s->arena, twin, c, &capacity);
	}
}

/* A finding that the observed layer repeats becomes one finding: the declared place stays first, the
 * evidence is the stronger one, and the export's place is cited beside it. */
static void merge_layers(struct snapshot *s, size_t declared, size_t observed)
{
	struct hash_index ids = { 0 };
	size_t kept = observed;

	for (size_t k = declared; k < observed; k++)
		hash_index_put(&s->arena, &ids, s->findings.items[k]->id, (uint32_t)k);
	for (size_t i = observed; i < s->findings.count; i++) {
		struct finding *f = s->findings.items[i], *twin = twin_of(s, &ids, f);

		if (twin)
			cite_observed(s, twin, f);
		else
			s->findings.items[kept++] = f;
	}
	s->findings.count = kept;
}

void eval_snapshot(struct snapshot *s, const struct rule_table *tables, size_t table_count,
		   digest_fn *digest)
{
	struct eval e = { .snapshot = s, .digest = digest };

	s->findings.count = s->unknowns.count = 0;
	plan(&e, tables, table_count);
	for (size_t i = 0; i < s->rows.count; i++) {
		size_t declared = s->findings.count, observed;

		e.row = s->rows.items[i];
		e.layer = LAYER_DECLARED;
		e.first_of_row = declared;
		if (row_has_layer(e.row, LAYER_DECLARED))
			judge_row(&e);
		observed = s->findings.count;
		if (!row_has_layer(e.row, LAYER_OBSERVED))
			continue;
		e.layer = LAYER_OBSERVED;
		e.first_of_row = observed;
		judge_row(&e);
		merge_layers(s, declared, observed);
	}
	buf_free(&e.text);
	findings_settle(s);
}

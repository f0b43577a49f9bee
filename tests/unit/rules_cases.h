/* Table-driven checks of rules: small snapshots written as text, and what a rule says about them.
 *
 * FACTS is one fact a line: MARK KIND|VALUE|attribute=value|…; MARK is '-' absent, '?' unresolved, '~'
 * templated, '!' observed, or none. "row NAME FORMAT KIND ROLE" begins another row that shares with the
 * first; "at VERSION" sets the Kubernetes version. Line N of the text is line N of the source.
 * SPDX-License-Identifier: MIT */
#ifndef TESTS_RULES_CASES_H
#define TESTS_RULES_CASES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/eval.h"
#include "model/snapshot.h"
#include "src/rules/rules.h"

struct rule_case {
	const char *slug;
	enum format_id format;
	const char *facts;
	enum verdict expect;
	const char *concepts; /* of the first finding; NULL: not looked at */
	const char *severity; /* the same */
};

static void simple_digest(const void *bytes, size_t length, unsigned char out[DIGEST_BYTES])
{
	const unsigned char *text = bytes;
	uint64_t state = 1469598103934665603u;

	for (size_t i = 0; i < length; i++)
		state = (state ^ text[i]) * 1099511628211u;
	for (size_t i = 0; i < DIGEST_BYTES; i++) {
		state = (state ^ i) * 1099511628211u;
		out[i] = (unsigned char)(state >> 32);
	}
}

static void read_fact(struct snapshot *s, struct row *row, char *line, struct span span)
{
	enum provenance provenance = PROVENANCE_EXPLICIT;
	enum layer layer = LAYER_DECLARED;
	char *part, *save = NULL;
	struct fact *fact;

	for (;; line++) {
		if (*line == '-')
			provenance = PROVENANCE_ABSENT;
		else if (*line == '?')
			provenance = PROVENANCE_UNRESOLVED;
		else if (*line == '~')
			provenance = PROVENANCE_TEMPLATED;
		else if (*line == '!')
			layer = LAYER_OBSERVED;
		else
			break;
	}
	part = strchr(line, '|');
	if (part)
		*part++ = '\0';
	if (fact_kind_by_name(line) == FACT_NONE)
		fail_msg("no kind of fact is called %s", line);
	save = part ? strchr(part, '|') : NULL;
	if (save)
		*save++ = '\0';
	fact = snapshot_add_fact(s, row, fact_kind_by_name(line), part ? part : "", span);
	fact->provenance = provenance;
	fact->layer = layer;
	while ((part = save) && *part) {
		char *equals;

		save = strchr(part, '|');
		if (save)
			*save++ = '\0';
		equals = strchr(part, '=');
		assert_non_null(equals);
		*equals = '\0';
		snapshot_set_attribute(s, fact, part, equals + 1);
	}
}

static struct row *read_row(struct snapshot *s, const char *line, struct span span)
{
	char name[64] = "main", format[64] = "", kind[64] = "main", role[64] = "unknown",
	     object[64] = "service";
	struct row_spec spec = { .path = "file", .span = span };
	struct row *row;

	sscanf(line, "row %63s %63s %63s %63s %63s", name, format, kind, role, object);
	for (unsigned i = 0; i < FORMAT_COUNT; i++)
		if (strcmp(format_table[i].name, format) == 0)
			spec.format = (enum format_id)i;
	for (unsigned i = 0; i < ROW_KIND_COUNT; i++)
		if (strcmp(row_kind_names[i], kind) == 0)
			spec.kind = (enum row_kind)i;
	for (unsigned i = 0; i < ROLE_COUNT; i++)
		if (strcmp(row_role_names[i], role) == 0)
			spec.role = (enum row_role)i;
	spec.object_kind = object;
	spec.unit = "unit";
	spec.container = name;
	row = snapshot_add_row(s, &spec);
	if (s->rows.count > 1) {
		struct row *first = s->rows.items[0];

		*ARENA_PUSH(&s->arena, &first->shares_with) = row->index;
		*ARENA_PUSH(&s->arena, &row->shares_with) = first->index;
	}
	return row;
}

static void read_case(struct snapshot *s, enum format_id format, const char *facts)
{
	const char *text = arena_strdup(&s->arena, facts);
	struct row *row = NULL;
	uint32_t offset = 0;
	struct source *source;
	char first[80];

	snapshot_add_artifact(s, "file");
	source = snapshot_add_source(s, "file", text, (uint32_t)strlen(text));
	while (text[offset]) {
		uint32_t length = (uint32_t)strcspn(text + offset, "\n");
		struct span span = { .source = source->id, .offset = offset, .length = length };
		char *line = arena_copy(&s->arena, text + offset, length);

		if (strncmp(line, "at ", 3) == 0) {
			s->scope.kubernetes = line + 3;
		} else if (strncmp(line, "row ", 4) == 0) {
			row = read_row(s, line, span);
		} else if (length) {
			if (!row) {
				snprintf(first, sizeof first, "row main %s",
					 format_table[format].name);
				row = read_row(s, first, span);
			}
			read_fact(s, row, line, span);
		}
		offset += length + (text[offset + length] == '\n');
	}
}

static const struct finding *finding_of(const struct snapshot *s, const char *slug)
{
	for (size_t i = 0; i < s->findings.count; i++)
		if (s->findings.items[i]->row->index == 0 &&
		    strcmp(s->findings.items[i]->rule->slug, slug) == 0)
			return s->findings.items[i];
	return NULL;
}

static enum verdict verdict_of(const struct snapshot *s, const char *slug)
{
	if (finding_of(s, slug))
		return VERDICT_FIRES;
	for (size_t i = 0; i < s->unknowns.count; i++)
		if (strcmp(s->unknowns.items[i].rule->slug, slug) == 0)
			return VERDICT_UNKNOWN;
	return VERDICT_QUIET;
}

static void evaluate(struct snapshot *s, enum format_id format, const char *facts)
{
	struct rule_table tables[RULE_TABLE_COUNT];

	s->scope.kubernetes = s->scope.runtime = s->scope.os = "";
	read_case(s, format, facts);
	rules_tables(tables);
	eval_snapshot(s, tables, RULE_TABLE_COUNT, simple_digest);
}

static void check_case(const struct rule_case *c)
{
	static const char *const names[] = { "quiet", "fires", "unknown", "not applicable" };
	struct snapshot s = { 0 };
	const struct finding *f;
	enum verdict got;

	evaluate(&s, c->format, c->facts);
	got = verdict_of(&s, c->slug);
	if (!rules_find(c->slug))
		fail_msg("no rule is called %s", c->slug);
	if (got != c->expect)
		fail_msg("%s is %s, expected %s for:\n%s", c->slug, names[got], names[c->expect],
			 c->facts);
	f = finding_of(&s, c->slug);
	if (c->concepts && f && strcmp(f->concepts, c->concepts) != 0)
		fail_msg("%s has concepts \"%s\", expected \"%s\" for:\n%s", c->slug, f->concepts,
			 c->concepts, c->facts);
	if (c->severity && f && strcmp(severity_names[f->severity], c->severity) != 0)
		fail_msg("%s is %s, expected %s for:\n%s", c->slug, severity_names[f->severity],
			 c->severity, c->facts);
	snapshot_free(&s);
}

static void check_cases(const struct rule_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++)
		check_case(&cases[i]);
}

#define FIRES VERDICT_FIRES
#define QUIET VERDICT_QUIET
#define UNKNOWN VERDICT_UNKNOWN
#define CHECK(cases) check_cases(cases, sizeof cases / sizeof *cases)

#endif

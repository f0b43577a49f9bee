/* Bundles and groups of findings.
 * SPDX-License-Identifier: MIT */
#include "src/report/md_bundle.h"

#include <string.h>

#include "model/hash_index.h"

/* Findings with the same key make a bundle. */
static const char *bundle_key(struct arena *a, const struct matched_finding *f, size_t place)
{
	const struct finding *raw = f->finding;
	const struct span span = raw->citations[0].span;

	if (f->decided || f->severity != raw->severity)
		return arena_printf(a, "%zu", place);
	return arena_printf(a, "%u %s %u %u %u %u %u %zu", (unsigned)f->severity,
			    f->severity == SEVERITY_INFO ? raw->rule->slug : "", raw->row->index,
			    (unsigned)raw->rule->field, (unsigned)raw->evidence,
			    (unsigned)span.source, span.offset, raw->row_count);
}

static void make_bundles(const struct match *match, struct arena *a, struct md_bundles *b,
			 size_t *last)
{
	struct hash_index index = { 0 };

	for (size_t i = 0; i < match->finding_count; i++) {
		const char *key = bundle_key(a, &match->findings[i], i);
		uint32_t first = (uint32_t)i;

		if (hash_index_get(&index, key, &first))
			b->same[last[first]] = i + 1;
		else
			hash_index_put(a, &index, key, first);
		last[first] = i;
		b->size[first]++;
	}
}

/* Severity and rules, each once, in order. */
static const char *group_key(struct arena *a, const struct match *match, const struct md_bundles *b,
			     size_t leader)
{
	const struct rule *before = NULL;
	const char *key = arena_printf(a, "%u", (unsigned)match->findings[leader].severity);

	for (size_t at = leader + 1; at; at = b->same[at - 1]) {
		const struct rule *rule = match->findings[at - 1].finding->rule;

		if (rule != before)
			key = arena_printf(a, "%s %s", key, rule->slug);
		before = rule;
	}
	return key;
}

static void make_groups(const struct md *m, struct arena *a, struct md_bundles *b, size_t *last)
{
	const struct match *match = m->report->match;
	struct hash_index index = { 0 };

	for (size_t i = 0; i < match->finding_count; i++) {
		const char *key = b->size[i] ? group_key(a, match, b, i) : NULL;
		uint32_t first = (uint32_t)i;

		if (!key)
			continue;
		if (hash_index_get(&index, key, &first))
			b->next[last[first]] = i + 1;
		else
			hash_index_put(a, &index, key, first);
		last[first] = i;
		b->places[first]++;
		b->findings[first] += b->size[i];
	}
}

struct md_bundles md_bundle(const struct md *m, struct arena *a)
{
	const size_t count = m->report->match->finding_count + 1;
	struct md_bundles b = {
		.same = arena_array(a, count, sizeof *b.same),
		.size = arena_array(a, count, sizeof *b.size),
		.next = arena_array(a, count, sizeof *b.next),
		.places = arena_array(a, count, sizeof *b.places),
		.findings = arena_array(a, count, sizeof *b.findings),
	};
	size_t *last = arena_array(a, count, sizeof *last);

	make_bundles(m->report->match, a, &b, last);
	make_groups(m, a, &b, last);
	return b;
}

/* Section 3: which level of the Pod Security Standards each pod has, and what it violates. Pods that violate the same
 * checks share a line.
 * SPDX-License-Identifier: MIT */
#include "src/report/md.h"

#include <string.h>

/* The rows of one pod follow each other. */
struct pod {
	size_t first, count;
	const struct pod_security *security;
};

/* Pods of one level that violate the same checks. */
struct alike {
	const char *title; /* level and checks */
	struct {
		struct pod *items;
		size_t count, capacity;
	} pods;
};

struct levels {
	struct md *m;
	struct arena arena;
	struct hash_index index;
	struct {
		struct alike *items;
		size_t count, capacity;
	} list;
};

static bool begins_check(const struct pod_security *p, size_t i)
{
	return i == 0 || strcmp(p->violations[i - 1].check, p->violations[i].check) != 0;
}

static const char *title_of(struct levels *l, const struct pod_security *p)
{
	const char *title = arena_printf(&l->arena, "| %s%s | ", p->level,
					 p->templated ? " (templated)" : "");

	for (size_t i = 0; i < p->count; i++)
		if (begins_check(p, i))
			title = arena_printf(&l->arena, "%s%s%s%s", title, i ? ", " : "",
					     p->violations[i].check,
					     strcmp(p->violations[i].level, "baseline") ?
						     "" :
						     " (baseline)");
	return p->count ? title : arena_printf(&l->arena, "%s" MD_DASH, title);
}

static void gather(struct levels *l, struct pod pod)
{
	const char *title = title_of(l, pod.security);
	uint32_t at;

	if (!hash_index_get(&l->index, title, &at)) {
		at = (uint32_t)l->list.count;
		hash_index_put(&l->arena, &l->index, title, at);
		*ARENA_PUSH(&l->arena, &l->list) = (struct alike){ .title = title };
	}
	*ARENA_PUSH(&l->arena, &l->list.items[at].pods) = pod;
}

/* Where the check that begins at FIRST is violated, each line once; the file SOURCE has been named. */
static const char *places_of(struct levels *l, const struct pod_security *p, size_t first,
			     uint32_t source)
{
	const struct snapshot *s = l->m->report->snapshot;
	struct span *spans = arena_array(&l->arena, p->count - first, sizeof *spans);
	struct buf text = { 0 }, *out = l->m->out;
	const char *copy;
	size_t count = 0;

	for (size_t i = first; i < p->count && (i == first || !begins_check(p, i)); i++) {
		const struct span span = p->violations[i].span;

		if (count && span.source == spans[count - 1].source &&
		    snapshot_line(s, span) == snapshot_line(s, spans[count - 1]))
			continue;
		spans[count++] = span;
	}
	l->m->out = &text;
	md_places(l->m, source, spans, count);
	l->m->out = out;
	copy = arena_strdup(&l->arena, buf_text(&text));
	buf_free(&text);
	return copy;
}

/* The places once when all checks have the same. */
static void add_places(struct levels *l, const struct pod_security *p)
{
	const char *all = p->count ? places_of(l, p, 0, 0) : "";
	uint32_t source = 0;
	bool same = true;

	for (size_t i = 0; same && i < p->count; i++)
		same = !begins_check(p, i) || strcmp(places_of(l, p, i, 0), all) == 0;
	if (same) {
		md_printf(l->m, "%s%s", *all ? " " : "", all);
		return;
	}
	for (size_t i = 0; i < p->count; i++) {
		if (begins_check(p, i))
			md_printf(l->m, "%s%s %s", i ? ", " : " ", p->violations[i].check,
				  places_of(l, p, i, source));
		source = p->violations[i].span.source;
	}
}

static void add_alike(struct levels *l, const struct alike *alike)
{
	size_t *rows = arena_array(&l->arena, l->m->report->match->workload_count, sizeof *rows);
	size_t count = 0;

	md_printf(l->m, "%s | ", alike->title);
	for (size_t i = 0; i < alike->pods.count; i++) {
		const struct pod *pod = &alike->pods.items[i];

		if (pod->security->count)
			count = 0;
		for (size_t k = 0; k < pod->count; k++)
			rows[count++] = pod->first + k;
		if (!pod->security->count)
			continue;
		buf_puts(l->m->out, i ? "; " : "");
		md_row_ranges(l->m, rows, count);
		add_places(l, pod->security);
	}
	if (!alike->pods.items[0].security->count)
		md_row_ranges(l->m, rows, count);
	buf_puts(l->m->out, " |\n");
}

void md_pods(struct md *m)
{
	const struct match *match = m->report->match;
	struct levels l = { .m = m };
	const struct pod_security *any;

	for (size_t i = 0, n; i < match->workload_count; i += n) {
		const struct pod_security *p = match->workloads[i]->pod_security;

		for (n = 1; p && i + n < match->workload_count &&
			    match->workloads[i + n]->pod_security == p;)
			n++;
		if (p)
			gather(&l, (struct pod){ i, n, p });
	}
	if (!l.list.count)
		return;
	any = l.list.items[0].pods.items[0].security;
	md_printf(m, "Pod Security Standards, policy %s%s: the level of each pod and every check that it "
		     "violates, of restricted where nothing is said; of the pods, each place of a "
		     "violation.\n\n| Level | Violated checks | Rows and places |\n|---|---|---|\n",
		  any->version, any->version_assumed ? " (assumed)" : "");
	for (size_t i = 0; i < l.list.count; i++)
		add_alike(&l, &l.list.items[i]);
	buf_putc(m->out, '\n');
	arena_free(&l.arena);
}

/* Section 7: checks that could not be answered. Rules that fail for the same reason at the same places share a line.
 * SPDX-License-Identifier: MIT */
#include "src/report/md.h"

/* One rule and reason. */
struct question {
	const char *rule, *reason;
	struct {
		const struct unknown **items;
		size_t count, capacity;
	} asked;
};

struct answerless {
	const char *text; /* reason and places */
	const char *rules;
};

struct questions {
	struct md *m;
	struct arena arena;
	struct hash_index by_rule, by_text;
	struct {
		struct question *items;
		size_t count, capacity;
	} list;
	struct {
		struct answerless *items;
		size_t count, capacity;
	} lines;
};

static void gather(struct questions *q, const struct unknown *u)
{
	const char *key = arena_printf(&q->arena, "%s\n%s", u->rule->slug, u->reason);
	uint32_t at;

	if (!hash_index_get(&q->by_rule, key, &at)) {
		at = (uint32_t)q->list.count;
		hash_index_put(&q->arena, &q->by_rule, key, at);
		*ARENA_PUSH(&q->arena, &q->list) =
			(struct question){ .rule = u->rule->slug, .reason = u->reason };
	}
	*ARENA_PUSH(&q->arena, &q->list.items[at].asked) = u;
}

static void add_places(struct questions *q, const struct question *one)
{
	struct md *m = q->m;
	const struct unknown *before = NULL;

	for (size_t i = 0; i < one->asked.count; i++) {
		const struct unknown *u = one->asked.items[i];

		if (before && before->row == u->row && before->span.source == u->span.source &&
		    before->span.offset == u->span.offset)
			continue;
		buf_puts(m->out, before ? ", " : "");
		md_row(m, u->row);
		buf_putc(m->out, ' ');
		if (span_is_set(u->span))
			md_places(m, before ? before->span.source : 0, &u->span, 1);
		before = u;
	}
}

/* Joins a rule to the line that says the same. */
static void join(struct questions *q, const struct question *one)
{
	struct buf text = { 0 }, *out = q->m->out;
	const char *key;
	uint32_t at;

	q->m->out = &text;
	md_short(q->m, one->reason, 2 * MD_VALUE_CELLS);
	buf_puts(&text, " | ");
	add_places(q, one);
	q->m->out = out;
	key = arena_strdup(&q->arena, buf_text(&text));
	buf_free(&text);
	if (hash_index_get(&q->by_text, key, &at)) {
		q->lines.items[at].rules = arena_printf(&q->arena, "%s, `%s`",
							q->lines.items[at].rules, one->rule);
		return;
	}
	hash_index_put(&q->arena, &q->by_text, key, (uint32_t)q->lines.count);
	*ARENA_PUSH(&q->arena, &q->lines) = (struct answerless){
		key, arena_printf(&q->arena, "`%s`", one->rule) };
}

void md_unknowns(struct md *m)
{
	const struct snapshot *s = m->report->snapshot;
	struct questions q = { .m = m };

	for (size_t i = 0; i < s->unknowns.count; i++)
		gather(&q, &s->unknowns.items[i]);
	for (size_t i = 0; i < q.list.count; i++)
		join(&q, &q.list.items[i]);
	if (q.lines.count)
		buf_puts(m->out, "### Checks that could not be answered\n\n"
				 "| Rules | Why | Where |\n|---|---|---|\n");
	for (size_t i = 0; i < q.lines.count; i++)
		md_printf(m, "| %s | %s |\n", q.lines.items[i].rules, q.lines.items[i].text);
	if (q.lines.count)
		buf_putc(m->out, '\n');
	arena_free(&q.arena);
}

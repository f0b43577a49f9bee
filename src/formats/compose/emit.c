/* Facts from values of the model, with provenance and chain.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "model/buf.h"
#include "src/formats/compose/rows.h"
#include "src/syntax/words.h"

const char *crow_shown(const struct cvalue *v)
{
	return v->unresolved && v->raw ? v->raw : v->text;
}

static void add_chain(const struct crow *r, struct fact *f, const struct cformer *former)
{
	const struct cformer *links[16];
	size_t n = 0;

	for (; former && n < sizeof links / sizeof links[0]; former = former->next)
		links[n++] = former;
	while (n-- > 0)
		snapshot_add_hop(r->w->snapshot, f, links[n]->span,
		                 f->kind == FACT_ENV ? NULL : links[n]->text, NULL);
}

struct fact *crow_trace(const struct crow *r, struct fact *f, const struct cvalue *v)
{
	struct arena *a = &r->w->snapshot->arena;

	if (!f)
		return NULL;
	if (v->unresolved) {
		f->provenance = PROVENANCE_UNRESOLVED;
		f->note = arena_printf(a, "variable %s has no value in the files supplied",
		                       v->variable ? v->variable : "");
	} else if (v->text && strstr(v->text, "{{") && f->kind != FACT_ENV) {
		f->provenance = PROVENANCE_TEMPLATED;
	} else if (v->defaulted) {
		f->note = arena_printf(a, "declared default; variable %s may change it",
		                       v->variable ? v->variable : "");
	}
	if (v->variable)
		snapshot_set_attribute(r->w->snapshot, f, "variable", v->variable);
	add_chain(r, f, v->former);
	return f;
}

struct fact *crow_fact_text(const struct crow *r, enum fact_kind kind, const char *text,
                            const struct cvalue *v)
{
	return crow_trace(r, snapshot_add_fact(r->w->snapshot, r->row, kind, text, v->span), v);
}

struct fact *crow_fact(const struct crow *r, enum fact_kind kind, const struct cvalue *v)
{
	if (!cvalue_is_scalar(v))
		return NULL;
	return crow_fact_text(r, kind, crow_shown(v), v);
}

void crow_facts(const struct crow *r, enum fact_kind kind, const struct cvalue *list)
{
	for (size_t i = 0; cvalue_is_list(list) && i < list->count; i++)
		crow_fact(r, kind, list->items[i].value);
}

struct fact *crow_absent(const struct crow *r, enum fact_kind kind, const char *value,
                         const char *note)
{
	return snapshot_add_absent(r->w->snapshot, r->row, kind, value, r->row->span, note);
}

void crow_attribute(const struct crow *r, struct fact *f, const char *name, const char *value)
{
	if (f)
		snapshot_set_attribute(r->w->snapshot, f, name, value);
}

const char *crow_text(const struct crow *r, const char *key)
{
	return cvalue_text(cvalue_get(r->service, key));
}

static bool is_secret_word(const char *word)
{
	const char *equals = strchr(word, '=');

	return url_has_secret(word) || value_token(word) ||
	       (equals && word[0] == '-' && equals[1] &&
	        strcmp(value_class(equals + 1), "literal") == 0 && name_is_secret(word));
}

/* A line with a variable that has no value is shown as it is written: its words are not known. */
static void put_line(const struct crow *r, struct buf *b, const char *line)
{
	struct word_list words = { 0 };

	words_split(&r->w->snapshot->arena, line, &words);
	for (size_t i = 0; i < words.count; i++)
		buf_printf(b, "%s%s", i ? " " : "",
		           is_secret_word(words.items[i]) ? "***" : words.items[i]);
}

const char *crow_words(const struct crow *r, const struct cvalue *list)
{
	bool as_written = list && list->unresolved && list->raw;
	struct buf b = { 0 };
	const char *text;

	if (as_written)
		put_line(r, &b, list->raw);

	for (size_t i = 0; !as_written && i < cvalue_count(list); i++) {
		const struct cvalue *v = list->items[i].value;

		if (!cvalue_is_scalar(v))
			continue;
		if (b.length)
			buf_putc(&b, ' ');
		buf_puts(&b, is_secret_word(v->text) ? "***" : crow_shown(v));
	}
	text = arena_copy(&r->w->snapshot->arena, buf_text(&b), b.length);
	buf_free(&b);
	return text;
}

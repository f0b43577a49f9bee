/* The effective model as JSON, with the chain of each value.
 *
 * Recursion is bounded by LIMIT_DEPTH. Values that names or the text show to be secrets, and those of env
 * files, are replaced.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "model/buf.h"
#include "model/limits.h"
#include "src/formats/compose/load.h"
#include "src/formats/format.h"
#include "model/json_put.h"

#define REDACTED "<redacted>"

struct writer {
	struct arena *arena;
	const struct compose_project *project;
	struct buf *out;
	bool in_secrets; /* below the project's secrets */
};

/* What the text itself shows to be a secret is hidden. */
static void put_text(struct writer *w, const char *text)
{
	struct buf shown = { 0 };

	secret_redact(&shown, text, strlen(text));
	json_put_string(w->out, buf_text(&shown));
	buf_free(&shown);
}

/* True for what JSON takes as a number with a fraction: "0.5", "1.25". */
static bool is_decimal(const char *text)
{
	size_t whole = strspn(text += *text == '-', "0123456789");
	size_t fraction = text[whole] == '.' ? strspn(text + whole + 1, "0123456789") : 0;

	return whole && fraction && (whole == 1 || text[0] != '0') &&
	       text[whole + 1 + fraction] == '\0';
}

static void put_scalar(struct writer *w, const struct cvalue *v, bool secret)
{
	if (v->kind == CVALUE_NULL)
		json_put_string(w->out, NULL);
	else if (v->kind == CVALUE_BOOLEAN)
		json_put_bool(w->out, strcmp(v->text, "true") == 0);
	else if (v->external || (secret && v->text[0]))
		json_put_string(w->out, REDACTED);
	else if (v->kind == CVALUE_INTEGER && strlen(v->text) < 16)
		json_put_number(w->out, strtoll(v->text, NULL, 10));
	else if (v->kind == CVALUE_FLOAT && is_decimal(v->text))
		json_put_raw(w->out, v->text);
	else
		put_text(w, v->text);
}

/* Names of variables, labels, options and extensions can say that the value is a secret; "content" is one below
 * the project's secrets. */
static bool is_secret_member(const struct writer *w, const char *key, const char *text)
{
	return secret_value(key, text, strlen(text)) ||
	       (w->in_secrets && strcmp(key, "content") == 0);
}

/* The option's name when WORD is an option that carries a secret, else NULL. */
static const char *secret_option(struct arena *a, const char *word)
{
	const char *name = word ? arena_copy(a, word, strcspn(word, "=")) : NULL;

	return name && name[0] == '-' && name_is_secret(name) ? name : NULL;
}

/* At most three words before item I of a list, with blanks between. */
static void words_before(const struct cvalue *list, size_t i, struct buf *out)
{
	for (size_t k = i > 3 ? i - 3 : 0; k < i; k++)
		if (cvalue_text(list->items[k].value))
			buf_printf(out, "%s%s", out->length ? " " : "",
				   cvalue_text(list->items[k].value));
}

/* An item of a list that may be a command: "--token=x", "x" behind "--token", "name:x" behind "-u". */
static bool put_secret_word(struct writer *w, const struct cvalue *list, size_t i)
{
	const char *text = cvalue_text(list->items[i].value);
	const char *before = i ? cvalue_text(list->items[i - 1].value) : NULL;
	const char *option = secret_option(w->arena, text);
	struct buf words = { 0 }, shown = { 0 };

	if (!text || list->items[i].value->external || list->items[i].value->kind != CVALUE_STRING)
		return false;
	if (secret_option(w->arena, before) && !strchr(before, '=') && !option) {
		json_put_string(w->out, REDACTED);
		return true;
	}
	words_before(list, i, &words);
	secret_redact_word(&shown, buf_text(&words), text);
	json_put_string(w->out, buf_text(&shown));
	buf_free(&words);
	buf_free(&shown);
	return true;
}

static void put_value(struct writer *w, const struct cvalue *v, unsigned depth);

static void put_member(struct writer *w, const struct cmember *m, unsigned depth)
{
	json_put_key(w->out, m->key);
	if (cvalue_is_scalar(m->value))
		put_scalar(w, m->value, is_secret_member(w, m->key, cvalue_text(m->value)));
	else
		put_value(w, m->value, depth + 1);
}

static void put_value(struct writer *w, const struct cvalue *v, unsigned depth)
{
	if (depth > LIMIT_DEPTH || (v->kind != CVALUE_MAP && v->kind != CVALUE_LIST)) {
		if (cvalue_is_scalar(v) || v->kind == CVALUE_NULL)
			put_scalar(w, v, false);
		else
			json_put_string(w->out, NULL);
		return;
	}
	json_put_open(w->out, v->kind == CVALUE_MAP ? '{' : '[');
	for (size_t i = 0; i < v->count; i++) {
		const struct cmember *m = &v->items[i];

		if (m->key)
			put_member(w, m, depth);
		else if (!put_secret_word(w, v, i))
			put_value(w, m->value, depth + 1);
	}
	json_put_close(w->out, v->kind == CVALUE_MAP ? '}' : ']');
}

static bool is_short_env_file(const struct cvalue *entry)
{
	return cvalue_is_true(cvalue_get(entry, "required")) && !cvalue_member(entry, "format");
}

/* An env file that is required and has no format is its path, as in the specification's form. */
static void put_env_files(struct writer *w, const struct cvalue *list)
{
	json_put_open(w->out, '[');
	for (size_t i = 0; i < cvalue_count(list); i++) {
		const struct cvalue *entry = list->items[i].value;

		if (is_short_env_file(entry) && cvalue_member(entry, "path"))
			put_value(w, cvalue_get(entry, "path"), 0);
		else
			put_value(w, entry, 0);
	}
	json_put_close(w->out, ']');
}

/* Models that are only named stay the list of names. */
static bool only_names(const struct cvalue *map)
{
	for (size_t i = 0; i < map->count; i++)
		if (map->items[i].value->kind != CVALUE_NULL)
			return false;
	return map->count > 0;
}

static void put_names(struct writer *w, const struct cvalue *map)
{
	json_put_open(w->out, '[');
	for (size_t i = 0; i < map->count; i++)
		json_put_string(w->out, map->items[i].key);
	json_put_close(w->out, ']');
}

static void put_missing(struct writer *w, const struct cvalue *service, const char *key,
                        const char *brackets)
{
	if (cvalue_member(service, key))
		return;
	json_put_key(w->out, key);
	json_put_open(w->out, brackets[0]);
	json_put_close(w->out, brackets[1]);
}

static void put_service(struct writer *w, const char *name, const struct cvalue *service)
{
	json_put_open(w->out, '{');
	json_put_member(w->out, "name", name);
	for (size_t i = 0; cvalue_is_map(service) && i < service->count; i++) {
		const struct cmember *m = &service->items[i];

		if (strcmp(m->key, "name") == 0)
			continue;
		if (strcmp(m->key, "env_file") == 0 && cvalue_is_list(m->value)) {
			json_put_key(w->out, m->key);
			put_env_files(w, m->value);
		} else if (strcmp(m->key, "models") == 0 && cvalue_is_map(m->value) &&
		         only_names(m->value)) {
			json_put_key(w->out, m->key);
			put_names(w, m->value);
		} else {
			put_member(w, m, 1);
		}
	}
	put_missing(w, service, "environment", "{}");
	put_missing(w, service, "ports", "[]");
	put_missing(w, service, "volumes", "[]");
	json_put_close(w->out, '}');
}

static void put_services(struct writer *w, const struct cvalue *services)
{
	json_put_open(w->out, '{');
	for (size_t i = 0; cvalue_is_map(services) && i < services->count; i++) {
		const struct cmember *m = &services->items[i];

		if (!compose_active(w->project, m->value))
			continue;
		json_put_key(w->out, m->key);
		put_service(w, m->key, m->value);
	}
	json_put_close(w->out, '}');
}

static void put_model(struct writer *w)
{
	const struct cvalue *model = w->project->model;

	json_put_open(w->out, '{');
	json_put_member(w->out, "name", w->project->name);
	for (size_t i = 0; i < model->count; i++) {
		const struct cmember *m = &model->items[i];

		if (strcmp(m->key, "name") == 0)
			continue;
		w->in_secrets = strcmp(m->key, "secrets") == 0;
		if (strcmp(m->key, "services") == 0) {
			json_put_key(w->out, m->key);
			put_services(w, m->value);
		} else {
			put_member(w, m, 0);
		}
	}
	json_put_close(w->out, '}');
}

/* --- sources -------------------------------------------------------------------------------- */

static const char *place(struct writer *w, struct span span)
{
	const struct source *s = compose_source(w->project, span);

	return s ? arena_printf(w->arena, "%s:%u", s->path, source_line(s, span.offset)) : NULL;
}

static void put_chain(struct writer *w, const struct cplace *at, const struct cvalue *v)
{
	const char *chain = place(w, v->span);

	if (!chain || v->implied)
		return;
	if (place(w, v->origin))
		chain = arena_printf(w->arena, "%s → %s", place(w, v->origin), chain);
	for (const struct cformer *f = v->former; f; f = f->next) {
		const char *before = place(w, f->span);

		if (before)
			chain = arena_printf(w->arena, "%s → %s", before, chain);
	}
	json_put_member(w->out, cplace_text(w->arena, at), chain);
}

static void put_sources(struct writer *w, const struct cplace *at, const struct cvalue *v,
                        unsigned depth)
{
	if (at && (v->kind != CVALUE_MAP || v->former))
		put_chain(w, at, v);
	if (depth > LIMIT_DEPTH)
		return;
	for (size_t i = 0; i < cvalue_count(v); i++) {
		struct cplace here = { at, v->items[i].key, i };

		if (depth == 1 && strcmp(at->key, "services") == 0 &&
		    !compose_active(w->project, v->items[i].value))
			continue;
		put_sources(w, &here, v->items[i].value, depth + 1);
	}
}

static const char *problem_text(struct writer *w, const struct compose_problem *p)
{
	const char *where = place(w, p->span);

	return where ? arena_printf(w->arena, "%s: %s", where, p->message) : p->message;
}

static void put_problems(struct writer *w)
{
	static const char *const levels[] = { "refused", "inconsistent", "notice" };

	json_put_key(w->out, "problems");
	json_put_open(w->out, '[');
	for (size_t i = 0; i < w->project->problems.count; i++) {
		const struct compose_problem *p = &w->project->problems.items[i];

		json_put_open(w->out, '{');
		json_put_member(w->out, "level", levels[p->level]);
		json_put_member(w->out, "message", problem_text(w, p));
		json_put_close(w->out, '}');
	}
	json_put_close(w->out, ']');
}

const char *compose_error(struct arena *a, const struct compose_project *p,
                          enum compose_level level)
{
	struct writer w = { .arena = a, .project = p };

	for (size_t i = 0; i < p->problems.count; i++)
		if (p->problems.items[i].level == level)
			return problem_text(&w, &p->problems.items[i]);
	return NULL;
}

void compose_to_json(struct arena *a, const struct compose_project *p, struct buf *out)
{
	struct writer w = { .arena = a, .project = p, .out = out };

	json_put_open(out, '{');
	json_put_key(out, "model");
	if (p->refused)
		json_put_string(out, NULL);
	else
		put_model(&w);
	json_put_key(out, "sources");
	json_put_open(out, '{');
	if (!p->refused)
		put_sources(&w, NULL, p->model, 0);
	json_put_close(out, '}');
	json_put_member(out, "error", compose_error(a, p, COMPOSE_REFUSED));
	put_problems(&w);
	json_put_close(out, '}');
	buf_putc(out, '\n');
}

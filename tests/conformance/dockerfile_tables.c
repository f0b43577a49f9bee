/* Runs the Dockerfile tables in process.
 * SPDX-License-Identifier: MIT */
#include "tests/conformance/dockerfile_tables.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/syntax/dockerfile_internal.h"
#include "src/syntax/dockerfile_scope.h"
#include "tests/conformance/tsv.h"

struct run {
	struct arena *arena;
	const char *dir;
	conformance_verdict verdict;
	void *context;
	struct problems problems;
	struct source source;
};

static void tell(struct run *r, const char *table, bool passed, const char *what, const char *got)
{
	r->verdict(r->context, table, passed,
		   passed ? what : arena_printf(r->arena, "%s -> %s", what, got));
}

static void read_text(struct run *r, const char *text, size_t length, struct dockerfile *out)
{
	r->problems = (struct problems){ 0 };
	source_init(&r->source, r->arena, 1, "Dockerfile", text, (uint32_t)length);
	dockerfile_read(r->arena, &r->source, out, &r->problems);
}

static const char *first_problem(const struct run *r)
{
	return r->problems.count ? r->problems.items[0].message : "(no problem)";
}

/* A Go-quoted string, as far as the expected trees need it. */
static void put_quoted(struct buf *out, const char *text)
{
	buf_puts(out, " \"");
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			buf_putc(out, '\\');
		if (*text == '\t')
			buf_puts(out, "\\t");
		else
			buf_putc(out, *text);
	}
	buf_putc(out, '"');
}

static const char *tree(struct run *r, const struct dockerfile *d)
{
	struct buf out = { 0 };
	const char *text;

	for (size_t i = 0; i < d->count; i++) {
		const struct dockerfile_instruction *in = &d->items[i];

		buf_putc(&out, '(');
		for (const char *p = in->name; *p; p++)
			buf_putc(&out, (char)tolower((unsigned char)*p));
		for (size_t k = 0; in->form != DOCKERFILE_PAIRS && k < in->arg_count; k++)
			put_quoted(&out, in->args[k].text);
		for (size_t k = 0; k < in->pair_count; k++) {
			put_quoted(&out, in->pairs[k].name);
			put_quoted(&out, in->pairs[k].value ? in->pairs[k].value : "");
			put_quoted(&out, in->pairs[k].equals ? "=" : "");
		}
		buf_puts(&out, ")\n");
	}
	text = arena_copy(r->arena, buf_text(&out), out.length);
	buf_free(&out);
	return text;
}

static bool equal_trimmed(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b);

	while (n && a[n - 1] == '\n')
		n--;
	while (m && b[m - 1] == '\n')
		m--;
	return n == m && memcmp(a, b, n) == 0;
}

static const char *string_of(const cJSON *object, const char *key)
{
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItem(object, key));

	return text ? text : "";
}

static bool same_heredoc(const struct run *r, const cJSON *want,
			 const struct dockerfile_heredoc *got)
{
	const char *content = string_of(want, cJSON_HasObjectItem(want, "Data") ? "Data" : "Content");
	const char *name = string_of(want, cJSON_HasObjectItem(want, "Path") ? "Path" : "Name");
	const cJSON *expand = cJSON_GetObjectItem(want, "Expand");

	return strcmp(name, got->name) == 0 &&
	       (!expand || cJSON_IsTrue(expand) == got->expand) &&
	       cJSON_IsTrue(cJSON_GetObjectItem(want, "Chomp")) == got->chomp &&
	       strlen(content) == got->content.length &&
	       memcmp(content, r->source.bytes + got->content.offset, got->content.length) == 0;
}

static bool same_heredocs(const struct run *r, const cJSON *want,
			  const struct dockerfile_instruction *got)
{
	size_t count = cJSON_IsArray(want) ? (size_t)cJSON_GetArraySize(want) : 0;

	if (count != got->heredoc_count)
		return false;
	for (size_t i = 0; i < count; i++)
		if (!same_heredoc(r, cJSON_GetArrayItem(want, (int)i), &got->heredocs[i]))
			return false;
	return true;
}

static bool check_heredocs(const struct run *r, const struct dockerfile *d, const cJSON *want)
{
	const cJSON *list = cJSON_GetObjectItem(want, "instructions");

	if ((size_t)cJSON_GetArraySize(list) + 1 != d->count)
		return false;
	for (size_t i = 1; i < d->count; i++)
		if (!same_heredocs(r, cJSON_GetArrayItem(list, (int)i - 1), &d->items[i]))
			return false;
	return true;
}

static bool check_lines(const struct run *r, const struct dockerfile *d, const cJSON *want)
{
	const cJSON *list = cJSON_GetObjectItem(want, "instructions");

	(void)r;
	if ((size_t)cJSON_GetArraySize(list) != d->count)
		return false;
	for (size_t i = 0; i < d->count; i++) {
		const cJSON *pair = cJSON_GetArrayItem(list, (int)i);

		if (d->items[i].first_line != (uint32_t)cJSON_GetArrayItem(pair, 0)->valueint ||
		    d->items[i].last_line != (uint32_t)cJSON_GetArrayItem(pair, 1)->valueint)
			return false;
	}
	return true;
}

static bool check_copy(const struct run *r, const struct dockerfile *d, const cJSON *want)
{
	const struct dockerfile_instruction *in = &d->items[0];
	const cJSON *paths = cJSON_GetObjectItem(want, "SourcePaths");
	size_t plain = 0;

	for (size_t i = 0; i + 1 < in->arg_count; i++) {
		struct dockerfile_heredoc h;

		if (dockerfile_heredoc_word(r->arena, in->args[i].text, &h) == 1)
			continue;
		if ((int)plain >= cJSON_GetArraySize(paths) ||
		    strcmp(cJSON_GetArrayItem(paths, (int)plain)->valuestring, in->args[i].text))
			return false;
		plain++;
	}
	return in->arg_count &&
	       strcmp(in->args[in->arg_count - 1].text, string_of(want, "DestPath")) == 0 &&
	       same_heredocs(r, cJSON_GetObjectItem(want, "SourceContents"), in);
}

static bool check_form(const struct run *r, const struct dockerfile *d, const cJSON *want)
{
	const struct dockerfile_instruction *in = &d->items[0];
	const cJSON *command = cJSON_GetObjectItem(want, "command");

	if (cJSON_IsTrue(cJSON_GetObjectItem(want, "shell_form")) == (in->form == DOCKERFILE_EXEC) ||
	    (size_t)cJSON_GetArraySize(command) != in->arg_count)
		return false;
	for (size_t i = 0; i < in->arg_count; i++)
		if (strcmp(cJSON_GetArrayItem(command, (int)i)->valuestring, in->args[i].text) != 0)
			return false;
	return same_heredocs(r, cJSON_GetObjectItem(want, "files"), in);
}

static bool check_flags(const struct run *r, const struct dockerfile *d, const cJSON *want)
{
	const cJSON *list = cJSON_GetObjectItem(want, "flags_used");

	(void)r;
	for (int i = 0; i < cJSON_GetArraySize(list); i++)
		if (!dockerfile_flag(&d->items[0], cJSON_GetArrayItem(list, i)->valuestring))
			return false;
	return true;
}

static bool check_arg(const struct run *r, const struct dockerfile_instruction *in, size_t index,
		      const cJSON *want)
{
	const struct dockerfile_pair *p = index < in->pair_count ? &in->pairs[index] : NULL;

	return p && strcmp(p->name, string_of(want, "key")) == 0 &&
	       strcmp(p->value ? p->value : "", string_of(want, "value")) == 0 &&
	       strcmp(dockerfile_doc(r->arena, &r->source, in, p->name),
		      string_of(want, "doc")) == 0;
}

static bool check_comments(const struct run *r, const struct dockerfile *d, const cJSON *want)
{
	const cJSON *stage = cJSON_GetArrayItem(cJSON_GetObjectItem(want, "stages"), 0), *command;
	size_t at = 2;

	if (d->count < 2 ||
	    !check_arg(r, &d->items[0], 0, cJSON_GetArrayItem(cJSON_GetObjectItem(want, "meta_args"), 0)) ||
	    strcmp(dockerfile_doc(r->arena, &r->source, &d->items[1], string_of(stage, "name")),
		   string_of(stage, "doc")) != 0)
		return false;
	cJSON_ArrayForEach(command, cJSON_GetObjectItem(stage, "commands")) {
		const cJSON *list = cJSON_GetObjectItem(command, "arg");

		for (int i = 0; i < cJSON_GetArraySize(list); i++)
			if (at >= d->count ||
			    !check_arg(r, &d->items[at], (size_t)i, cJSON_GetArrayItem(list, i)))
				return false;
		at++;
	}
	return at == d->count;
}

typedef bool (*json_check)(const struct run *r, const struct dockerfile *d, const cJSON *want);

static json_check check_for(const char *kind)
{
	static const struct {
		const char *kind;
		json_check check;
	} checks[] = {
		{ "line-numbers", check_lines },	 { "heredoc", check_heredocs },
		{ "copy-heredoc", check_copy },		 { "run-form", check_form },
		{ "run-flags", check_flags },		 { "comments-args", check_comments },
	};

	for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++)
		if (strcmp(checks[i].kind, kind) == 0)
			return checks[i].check;
	return NULL;
}

static void check_file(struct run *r, const struct tsv_row *row)
{
	size_t length = 0;
	const char *text = tsv_file(r->arena, r->dir, row->cells[0], &length), *want;
	json_check check = check_for(row->cells[1]);
	struct dockerfile d;
	cJSON *json;

	read_text(r, text ? text : "", length, &d);
	if (strcmp(row->cells[2], "error") == 0) {
		tell(r, "dockerfile-files", d.refused, row->cells[0], "accepted");
		return;
	}
	want = tsv_file(r->arena, r->dir, row->cells[4], &length);
	if (!check) {
		const char *got = tree(r, &d);

		tell(r, "dockerfile-files", want && equal_trimmed(want, got), row->cells[0], got);
		return;
	}
	json = cJSON_Parse(want ? want : "");
	tell(r, "dockerfile-files", json && d.count && check(r, &d, json), row->cells[0],
	     first_problem(r));
	cJSON_Delete(json);
}

static void run_files(struct run *r)
{
	struct tsv t;

	tsv_read(r->arena, r->dir, "expected.tsv", &t);
	for (size_t i = 0; i < t.count; i++)
		check_file(r, &t.items[i]);
}

static void run_directives(struct run *r)
{
	struct tsv t;

	tsv_read(r->arena, r->dir, "directives.tsv", &t);
	for (size_t i = 0; i < t.count; i++) {
		const char **c = t.items[i].cells, *value = "";
		struct dockerfile d;
		uint32_t line = 0;

		read_text(r, c[0], strlen(c[0]), &d);
		for (size_t k = 0; k < d.directive_count; k++)
			if (strcmp(d.directives[k].name, c[1]) == 0) {
				value = d.directives[k].value;
				line = source_line(&r->source, d.directives[k].span.offset);
			}
		tell(r, "dockerfile-directives",
		     strcmp(value, c[2]) == 0 && (!*c[3] || line == strtoul(c[3], NULL, 10)), c[0],
		     value);
	}
}

static void run_expand(struct run *r)
{
	struct expand_vars vars = { 0 };
	struct tsv t;

	expand_set(r->arena, &vars, "PWD", "/home", (struct span){ 0 });
	expand_set(r->arena, &vars, "SHELL", "bash", (struct span){ 0 });
	expand_set(r->arena, &vars, "KOREAN", "한국어", (struct span){ 0 });
	expand_set(r->arena, &vars, "NULL", "", (struct span){ 0 });
	tsv_read(r->arena, r->dir, "env_expand.tsv", &t);
	for (size_t i = 0; i < t.count; i++) {
		const char **c = t.items[i].cells;
		struct expansion e;
		bool passed;

		if (strcmp(c[0], "W") == 0)
			continue;
		expand_word(r->arena, &vars, c[1], '\\', &e);
		passed = strcmp(c[2], "error") == 0 ? e.error != NULL
						    : !e.error && strcmp(c[2], e.text) == 0;
		tell(r, "dockerfile-expand", passed, c[1], e.error ? e.error : e.text);
	}
}

static void run_words_expand(struct run *r)
{
	struct tsv t;

	tsv_read(r->arena, r->dir, "words_expand.tsv", &t);
	for (size_t i = 0; i < t.count; i++) {
		const char **c = t.items[i].cells;
		struct expand_vars vars = { 0 };
		struct expansion e;
		struct buf got = { 0 };
		cJSON *env = cJSON_Parse(c[0]), *entry;

		cJSON_ArrayForEach(entry, env) {
			const char *equals = strchr(entry->valuestring, '=');

			expand_set(r->arena, &vars,
				   arena_copy(r->arena, entry->valuestring,
					      (size_t)(equals - entry->valuestring)),
				   arena_strdup(r->arena, equals + 1), (struct span){ 0 });
		}
		cJSON_Delete(env);
		expand_word(r->arena, &vars, c[1], '\\', &e);
		for (size_t k = 0; k < e.word_count; k++)
			buf_printf(&got, "%s%s", k ? "," : "", e.words[k]);
		tell(r, "dockerfile-words-expand", strcmp(buf_text(&got), c[2]) == 0, c[1],
		     arena_strdup(r->arena, buf_text(&got)));
		buf_free(&got);
	}
}

static bool same_list(const char *want, const struct dockerfile_instruction *in)
{
	cJSON *list = cJSON_Parse(want);
	bool same = list && (size_t)cJSON_GetArraySize(list) == in->arg_count;

	for (size_t i = 0; same && i < in->arg_count; i++)
		same = strcmp(cJSON_GetArrayItem(list, (int)i)->valuestring, in->args[i].text) == 0;
	cJSON_Delete(list);
	return same;
}

/* An instruction whose body is TEXT as it stands. */
static struct dockerfile_reader body_of(struct run *r, const char *text, struct dockerfile *d,
					struct dockerfile_instruction *in)
{
	source_init(&r->source, r->arena, 1, "Dockerfile", text, (uint32_t)strlen(text));
	*d = (struct dockerfile){ .escape = '\\' };
	*in = (struct dockerfile_instruction){ .name = "TEST" };
	in->body = folded_from(r->arena, &r->source,
			       (struct span){ .source = 1, .length = (uint32_t)strlen(text) });
	return (struct dockerfile_reader){ .arena = r->arena, .source = &r->source, .out = d,
					   .problems = &r->problems };
}

static void run_words(struct run *r)
{
	struct dockerfile_instruction in;
	struct dockerfile d;
	struct tsv t;

	tsv_read(r->arena, r->dir, "words.tsv", &t);
	for (size_t i = 0; i < t.count; i++) {
		const char **c = t.items[i].cells;
		struct dockerfile_reader reader = body_of(r, c[0], &d, &in);

		dockerfile_quoted_words(&reader, &in);
		tell(r, "dockerfile-words", same_list(c[1], &in), c[0], "other words");
	}
}

static void run_json_form(struct run *r)
{
	struct dockerfile_instruction in;
	struct dockerfile d;
	struct tsv t;

	tsv_read(r->arena, r->dir, "json_form.tsv", &t);
	for (size_t i = 0; i < t.count; i++) {
		const char **c = t.items[i].cells;
		struct dockerfile_reader reader = body_of(r, c[0], &d, &in);
		enum dockerfile_exec got = dockerfile_exec_form(&reader, &in, 0);
		bool want = strcmp(c[1], "ok") == 0;

		tell(r, "dockerfile-json-form",
		     (got == DOCKERFILE_STRINGS) == want && (!want || same_list(c[2], &in)), c[0],
		     "other verdict");
	}
}

static void run_heredoc_words(struct run *r)
{
	struct tsv t;

	tsv_read(r->arena, r->dir, "heredoc_words.tsv", &t);
	for (size_t i = 0; i < t.count; i++) {
		const char **c = t.items[i].cells, *got = "not-a-heredoc";
		struct dockerfile_heredoc h;
		int found = dockerfile_heredoc_word(r->arena, c[0], &h);

		if (found)
			got = found < 0 ? "error" : h.name;
		tell(r, "dockerfile-heredoc-words", strcmp(got, c[1]) == 0, c[0], got);
	}
}

static void run_heredoc_lines(struct run *r)
{
	struct tsv t;

	tsv_read(r->arena, r->dir, "heredoc_lines.tsv", &t);
	for (size_t i = 0; i < t.count; i++) {
		const char **c = t.items[i].cells;
		cJSON *want = cJSON_Parse(c[1]);
		size_t count = cJSON_IsArray(want) ? (size_t)cJSON_GetArraySize(want) : 0;
		struct dockerfile d;
		bool same;

		read_text(r, c[0], strlen(c[0]), &d);
		same = d.count == 1 && d.items[0].heredoc_count == count;
		for (size_t k = 0; same && k < count; k++)
			same = strcmp(d.items[0].heredocs[k].name,
				      cJSON_GetArrayItem(want, (int)k)->valuestring) == 0;
		cJSON_Delete(want);
		tell(r, "dockerfile-heredoc-lines", same, c[0], "other names");
	}
}

bool conformance_dockerfile(const char *dir, conformance_verdict verdict, void *context)
{
	static void (*const runs[])(struct run *) = {
		run_files, run_directives, run_expand, run_words_expand,
		run_words, run_json_form, run_heredoc_words, run_heredoc_lines,
	};
	struct arena arena = { 0 };
	struct run r = { .arena = &arena, .dir = dir, .verdict = verdict, .context = context };
	struct tsv t;
	bool there = tsv_read(&arena, dir, "expected.tsv", &t);

	for (size_t i = 0; there && i < sizeof runs / sizeof runs[0]; i++)
		runs[i](&r);
	arena_free(&arena);
	return there;
}

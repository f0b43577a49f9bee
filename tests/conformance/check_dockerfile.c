/* Dockerfiles: trees, refusals, line numbers, heredocs, directives.
 * SPDX-License-Identifier: MIT */
#include "tests/conformance/conformance.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "src/syntax/dockerfile_internal.h"

/* One row at work. */
struct run {
	struct arena *arena;
	struct problems problems;
	struct source source;
};

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

enum verdict check_dockerfile(struct check *c)
{
	size_t length = 0;
	const char *text = check_file(c, "file", &length), *want;
	json_check check = check_for(check_cell(c, "kind"));
	struct run r = { .arena = c->arena };
	struct dockerfile d;
	enum verdict result;
	cJSON *json;

	read_text(&r, text ? text : "", length, &d);
	if (strcmp(check_cell(c, "expect"), "error") == 0)
		return check_verdict(c, d.refused, "accepted");
	want = check_file(c, "expected_file", &length);
	if (!check) {
		const char *got = tree(&r, &d);

		return check_verdict(c, want && equal_trimmed(want, got), got);
	}
	json = cJSON_Parse(want ? want : "");
	result = check_verdict(c, json && d.count && check(&r, &d, json), first_problem(&r));
	cJSON_Delete(json);
	return result;
}

enum verdict check_directive(struct check *c)
{
	const char *text = check_cell(c, "text"), *value = "", *line = check_cell(c, "line");
	struct run r = { .arena = c->arena };
	struct dockerfile d;
	uint32_t at = 0;

	read_text(&r, text, strlen(text), &d);
	for (size_t k = 0; k < d.directive_count; k++)
		if (strcmp(d.directives[k].name, check_cell(c, "directive")) == 0) {
			value = d.directives[k].value;
			at = source_line(&r.source, d.directives[k].span.offset);
		}
	return check_verdict(c,
		       strcmp(value, check_cell(c, "value_or_empty_if_absent")) == 0 &&
			       (!*line || at == strtoul(line, NULL, 10)),
		       value);
}

/* Words of Dockerfiles: splitting, expansion, the JSON form, heredoc words.
 * SPDX-License-Identifier: MIT */
#include "tests/conformance/conformance.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "src/syntax/dockerfile_internal.h"
#include "src/syntax/expand.h"

enum verdict check_expand(struct check *c)
{
	const char *want = check_cell(c, "expected_or_error");
	struct expand_vars vars = { 0 };
	struct expansion e;

	if (strcmp(check_cell(c, "platform"), "W") == 0)
		return VERDICT_SKIP;
	expand_set(c->arena, &vars, "PWD", "/home", (struct span){ 0 });
	expand_set(c->arena, &vars, "SHELL", "bash", (struct span){ 0 });
	expand_set(c->arena, &vars, "KOREAN", "한국어", (struct span){ 0 });
	expand_set(c->arena, &vars, "NULL", "", (struct span){ 0 });
	expand_word(c->arena, &vars, check_cell(c, "input"), '\\', &e);
	return check_verdict(c,
		       strcmp(want, "error") == 0 ? e.error != NULL
						  : !e.error && strcmp(want, e.text) == 0,
		       e.error ? e.error : e.text);
}

enum verdict check_words_expand(struct check *c)
{
	struct expand_vars vars = { 0 };
	struct expansion e;
	struct buf got = { 0 };
	cJSON *env = cJSON_Parse(check_cell(c, "env_json")), *entry;
	enum verdict result;

	cJSON_ArrayForEach(entry, env) {
		const char *equals = strchr(entry->valuestring, '=');

		expand_set(c->arena, &vars,
			   arena_copy(c->arena, entry->valuestring,
				      (size_t)(equals - entry->valuestring)),
			   arena_strdup(c->arena, equals + 1), (struct span){ 0 });
	}
	cJSON_Delete(env);
	expand_word(c->arena, &vars, check_cell(c, "input"), '\\', &e);
	for (size_t k = 0; k < e.word_count; k++)
		buf_printf(&got, "%s%s", k ? "," : "", e.words[k]);
	result = check_verdict(c,
			 strcmp(buf_text(&got),
				check_cell(c, "expected_words_comma_or_error")) == 0,
			 buf_text(&got));
	buf_free(&got);
	return result;
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

/* An instruction whose body is the input as it stands, and its reader. */
struct body {
	struct dockerfile_reader reader;
	struct dockerfile_instruction in;
	struct dockerfile file;
	struct source source;
	struct problems problems;
};

static void body_init(struct body *b, struct check *c)
{
	const char *text = check_cell(c, "input");
	uint32_t length = (uint32_t)strlen(text);

	*b = (struct body){ .file.escape = '\\', .in.name = "TEST" };
	source_init(&b->source, c->arena, 1, "Dockerfile", text, length);
	b->in.body = folded_from(c->arena, &b->source,
				 (struct span){ .source = 1, .length = length });
	b->reader = (struct dockerfile_reader){ .arena = c->arena, .source = &b->source,
						.out = &b->file, .problems = &b->problems };
}

enum verdict check_words(struct check *c)
{
	struct body b;

	body_init(&b, c);
	dockerfile_quoted_words(&b.reader, &b.in);
	return check_verdict(c, same_list(check_cell(c, "expected_json"), &b.in), "other words");
}

enum verdict check_json_form(struct check *c)
{
	bool want = strcmp(check_cell(c, "expect"), "ok") == 0;
	enum dockerfile_exec got;
	struct body b;

	body_init(&b, c);
	got = dockerfile_exec_form(&b.reader, &b.in, 0);
	return check_verdict(c,
		       (got == DOCKERFILE_STRINGS) == want &&
			       (!want || same_list(check_cell(c, "expected_json"), &b.in)),
		       "other verdict");
}

enum verdict check_heredoc_word(struct check *c)
{
	struct dockerfile_heredoc h;
	int found = dockerfile_heredoc_word(c->arena, check_cell(c, "word"), &h);
	const char *got = found == 0 ? "not-a-heredoc" : found < 0 ? "error" : h.name;

	return check_verdict(c, strcmp(got, check_cell(c, "name_or_verdict")) == 0, got);
}

enum verdict check_heredoc_line(struct check *c)
{
	const char *text = check_cell(c, "line");
	cJSON *want = cJSON_Parse(check_cell(c, "heredoc_names_json"));
	size_t count = cJSON_IsArray(want) ? (size_t)cJSON_GetArraySize(want) : 0;
	struct problems problems = { 0 };
	struct source source;
	struct dockerfile d;
	bool same;

	source_init(&source, c->arena, 1, "Dockerfile", text, (uint32_t)strlen(text));
	dockerfile_read(c->arena, &source, &d, &problems);
	same = d.count == 1 && d.items[0].heredoc_count == count;
	for (size_t k = 0; same && k < count; k++)
		same = strcmp(d.items[0].heredocs[k].name,
			      cJSON_GetArrayItem(want, (int)k)->valuestring) == 0;
	cJSON_Delete(want);
	return check_verdict(c, same, "other names");
}

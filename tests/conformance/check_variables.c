/* Variable references and environment files, with the variables that the tables presuppose.
 * SPDX-License-Identifier: MIT */
#include "tests/conformance/conformance.h"

#include <string.h>

#include <cjson/cJSON.h>

#include "src/syntax/dotenv.h"

static const char *table_variable(void *ctx, const char *name)
{
	static const struct {
		const char *name, *value;
	} variables[] = { { "FOO", "first" }, { "BAR", "" }, { "JSON", "{\"json\":2}" } };

	(void)ctx;
	for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
		if (strcmp(variables[i].name, name) == 0)
			return variables[i].value;
	return NULL;
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

/* Whether TEXT holds WORD, the case of letters ignored. */
static bool holds(const char *text, const char *word)
{
	for (; *text; text++) {
		size_t n = 0;

		while (word[n] && lower(text[n]) == lower(word[n]))
			n++;
		if (!word[n])
			return true;
	}
	return false;
}

enum verdict check_interpolation(struct check *c)
{
	const char *want = check_cell(c, "error");
	struct interpolation r;
	const char *error;

	interpolate(c->arena, check_cell(c, "template"), table_variable, NULL, &r);
	error = r.error ? r.error : r.required;
	if (*want)
		return check_verdict(c, error && holds(error, want), error ? error : r.text);
	return check_verdict(c, !error && strcmp(r.text, check_cell(c, "expected")) == 0,
	                     error ? error : r.text);
}

static const char *environment_variable(void *ctx, const char *name)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(ctx, name);

	return cJSON_IsString(v) ? v->valuestring : NULL;
}

static bool same_values(const cJSON *want, const struct dotenv *got)
{
	const cJSON *v;
	size_t count = 0;

	cJSON_ArrayForEach(v, want)
	{
		const struct dotenv_entry *e = dotenv_find(got, v->string);

		count++;
		if (!e || !e->value || !cJSON_IsString(v) || strcmp(e->value, v->valuestring) != 0)
			return false;
	}
	return count == got->count;
}

enum verdict check_dotenv(struct check *c)
{
	const char *text = check_cell(c, "text"), *error = check_cell(c, "error");
	const char *colon = strchr(check_cell(c, "environment"), '{');
	cJSON *environment = colon ? cJSON_Parse(colon) : NULL;
	cJSON *want = cJSON_Parse(check_cell(c, "expected_json"));
	struct dotenv got = { 0 };
	struct problems problems = { 0 };
	struct source source;
	bool ok;

	source_init(&source, c->arena, 1, "env", text, (uint32_t)strlen(text));
	dotenv_read(c->arena, &source, environment ? environment_variable : NULL, environment, &got,
	            &problems);
	ok = *error ? problems.count && holds(problems.items[0].message, error)
	            : problems.count == 0 && same_values(want, &got);
	cJSON_Delete(environment);
	cJSON_Delete(want);
	return check_verdict(c, ok, problems.count ? problems.items[0].message : "other values");
}

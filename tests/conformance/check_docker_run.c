/* Command lines of docker run: which words are options, values, image and command.
 *
 * Rows about what a single value may say are the business of the formats that judge it.
 * SPDX-License-Identifier: MIT */
#include "tests/conformance/conformance.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "src/syntax/docker_run.h"

/* The row's words behind "docker run", from an array or a shell line. */
static struct docker_arg *arguments(struct check *c, const cJSON *input, size_t *count)
{
	struct docker_arg *args = arena_array(c->arena, 64, sizeof *args);
	struct source source;
	struct folded text;
	struct shell sh;
	const cJSON *item;

	args[0].text = "docker";
	args[1].text = "run";
	*count = 2;
	cJSON_ArrayForEach(item, input)
		if (*count < 64)
			args[(*count)++] = (struct docker_arg){
				.text = arena_strdup(c->arena, item->valuestring), .literal = true
			};
	if (!cJSON_IsString(input))
		return args;
	source_init(&source, c->arena, 1, "line", arena_strdup(c->arena, input->valuestring),
		    (uint32_t)strlen(input->valuestring));
	text = folded_from(c->arena, &source, (struct span){ 1, 0, source.length });
	shell_read(c->arena, &text, SHELL_POSIX, &sh);
	for (size_t i = 0; sh.count && i < sh.items[0].words.count && *count < 64; i++)
		args[(*count)++] = (struct docker_arg){ .text = sh.items[0].words.items[i].text,
							.literal = true };
	return args;
}

/* The values of option NAME that hold (or do not hold) a colon, against an array or null. */
static bool same_values(const struct docker_run *run, const char *name, int colon,
			const cJSON *want)
{
	int at = 0;

	for (size_t i = 0; i < run->option_count; i++) {
		const struct docker_option *o = &run->options[i];

		if (strcmp(o->name, name) != 0 || (colon >= 0 && colon != !!strchr(o->value, ':')))
			continue;
		if (at >= cJSON_GetArraySize(want) ||
		    strcmp(cJSON_GetArrayItem(want, at)->valuestring, o->value) != 0)
			return false;
		at++;
	}
	return at == cJSON_GetArraySize(want);
}

static bool unknown(const struct docker_run *run)
{
	for (size_t i = 0; i < run->option_count; i++)
		if (!run->options[i].known)
			return true;
	return false;
}

static bool same(const struct docker_run *run, const cJSON *want)
{
	const cJSON *item;

	if (unknown(run))
		return false;
	cJSON_ArrayForEach(item, want) {
		if (strcmp(item->string, "Binds") == 0 && !same_values(run, "volume", 1, item))
			return false;
		if (strcmp(item->string, "anonymous_volumes") == 0 &&
		    !same_values(run, "volume", 0, item))
			return false;
		if (strcmp(item->string, "links") == 0 && !same_values(run, "link", -1, item))
			return false;
		if (strcmp(item->string, "PidMode") == 0 &&
		    strcmp(docker_run_option(run, "pid")->value, item->valuestring) != 0)
			return false;
	}
	return true;
}

enum verdict check_docker_run(struct check *c)
{
	const char *kind = check_cell(c, "kind"), *error = check_cell(c, "error");
	cJSON *input, *want;
	enum verdict result;
	struct docker_run run;
	struct docker_arg *args;
	size_t count;

	if (strncmp(kind, "argv", 4) != 0 || (*error && !strstr(error, "unknown")))
		return VERDICT_SKIP;
	input = cJSON_Parse(check_cell(c, "input_json"));
	want = cJSON_Parse(check_cell(c, "expected_json"));
	args = arguments(c, input, &count);
	if (!docker_run_read(c->arena, args, count, &run))
		result = check_verdict(c, false, "not recognised");
	else
		result = check_verdict(c, *error ? unknown(&run) : same(&run, want),
				       check_cell(c, "input_json"));
	cJSON_Delete(input);
	cJSON_Delete(want);
	return result;
}

enum verdict check_docker_flags(struct check *c)
{
	const char *name = check_cell(c, "flag"), *letter = check_cell(c, "shorthand");
	const struct docker_option_row *row =
		docker_option_find(DOCKER_TOOL_DOCKER, DOCKER_RUN, name, strlen(name), 0);
	bool takes = strcmp(check_cell(c, "takes_value"), "yes") == 0;

	return check_verdict(c, row && row->letter == *letter && (row->arity != DOCKER_BOOL) == takes,
			     name);
}

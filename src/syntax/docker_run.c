/* Reads docker run command lines option by option.
 * SPDX-License-Identifier: MIT */
#include "src/syntax/docker_run.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "model/json_put.h"

#define RUN_APPEND(a, list, n, cap)                                                               \
	((list) = arena_grow((a), (list), (n), &(cap), sizeof *(list)), &(list)[(n)++])

struct reader {
	struct arena *arena;
	const struct docker_arg *args;
	size_t count, at;
	struct docker_run *out;
	bool global; /* before the verb */
};

static const struct docker_option_row *find(const struct reader *r, const char *name,
					    size_t length, char letter)
{
	return r->global ? docker_global_find(r->out->tool, name, length, letter)
			 : docker_option_find(r->out->tool, r->out->verb, name, length, letter);
}

static struct docker_option *add(struct reader *r, const char *name,
				 const struct docker_arg *arg)
{
	struct docker_run *out = r->out;
	struct docker_option *o =
		r->global ? RUN_APPEND(r->arena, out->globals, out->global_count,
				       out->global_capacity)
			  : RUN_APPEND(r->arena, out->options, out->option_count,
				       out->option_capacity);

	*o = (struct docker_option){ .name = name, .value = "true", .span = arg->span,
				     .value_span = arg->span, .literal = true, .known = true };
	return o;
}

/* Takes the next word as the value of O. */
static void take_value(struct reader *r, struct docker_option *o)
{
	if (r->at == r->count) {
		o->value = "";
		o->missing = true;
		return;
	}
	o->value = r->args[r->at].text;
	o->value_span = r->args[r->at].span;
	o->literal = r->args[r->at].literal;
	r->at++;
}

/* The rest of ARG's word from VALUE on is the value; its span is cut when the word is unquoted. */
static void own_value(struct docker_option *o, const struct docker_arg *arg, const char *value)
{
	o->value = value;
	o->literal = arg->literal;
	if (strlen(arg->text) == arg->span.length) {
		uint32_t skip = (uint32_t)(value - arg->text);

		o->value_span.offset += skip;
		o->value_span.length -= skip;
	}
}

static void long_option(struct reader *r, const struct docker_arg *arg)
{
	const char *name = arg->text + 2, *equals = strchr(name, '=');
	size_t length = equals ? (size_t)(equals - name) : strlen(name);
	const struct docker_option_row *row = find(r, name, length, 0);
	struct docker_option *o;

	if (row)
		name = row->canonical ? row->canonical : row->name;
	else
		name = arena_copy(r->arena, name, length);
	o = add(r, name, arg);
	o->known = row != NULL;
	if (equals)
		own_value(o, arg, equals + 1);
	else if (row && row->arity != DOCKER_BOOL)
		take_value(r, o);
}

/* "-itv /a:/b", "-p80:80", "-e=X=1": switches up to the first letter that takes a value. */
static void short_options(struct reader *r, const struct docker_arg *arg)
{
	for (const char *p = arg->text + 1; *p; p++) {
		const struct docker_option_row *row = find(r, NULL, 0, *p);
		struct docker_option *o;

		o = add(r, row ? row->canonical ? row->canonical : row->name
			       : arena_copy(r->arena, p, 1),
			arg);
		o->known = row != NULL;
		if (p[1] == '=') {
			own_value(o, arg, p + 2);
			return;
		}
		if (!row || row->arity == DOCKER_BOOL)
			continue;
		if (p[1])
			own_value(o, arg, p + 1);
		else
			take_value(r, o);
		return;
	}
}

static bool holds(const char *text, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (const char *p = text; *p; p++)
			if (strncasecmp(p, words[i], strlen(words[i])) == 0)
				return true;
	return false;
}

/* A word that is one variable and nothing else. */
static bool only_variable(const char *text)
{
	const char *p = text;

	if (*p++ != '$')
		return false;
	if (*p == '{' || *p == '(')
		return text[strlen(text) - 1] == (*p == '{' ? '}' : ')');
	while (isalnum((unsigned char)*p) || *p == '_')
		p++;
	return !*p;
}

/* A make function that gives options or nothing. */
static bool is_make_condition(const char *text)
{
	static const char *const functions[] = { "$(if ", "$(and ", "$(or ", "$(foreach ",
						 "$(addprefix " };

	for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
		if (strncmp(text, functions[i], strlen(functions[i])) == 0)
			return true;
	return false;
}

/* Tells "$ARGS" in option position from "$IMAGE": by its name, else by what follows. */
static bool opaque_options(const struct reader *r)
{
	static const char *const lists[] = { "[@]", "[*]", "opt", "arg", "flag", "param",
					     "mount", "volume", "port", "device", "gpu", "env",
					     "tty", "limits", "network" };
	static const char *const images[] = { "image", "img", "tag", "repo", "container",
					      "target" };
	const char *text = r->args[r->at].text, *next;

	if (r->args[r->at].literal || !only_variable(text))
		return false;
	if (is_make_condition(text))
		return r->at + 1 < r->count;
	if (strstr(text, "[@]") || strstr(text, "[*]") || strcmp(text, "$@") == 0 ||
	    strcmp(text, "$*") == 0)
		return r->at + 1 < r->count;
	if (r->at + 1 == r->count || holds(text, images, sizeof images / sizeof images[0]))
		return false;
	if (holds(text, lists, sizeof lists / sizeof lists[0]))
		return true;
	next = r->args[r->at + 1].text;
	return next[0] == '-' || strpbrk(next, ":/") != NULL ||
	       holds(next, images, sizeof images / sizeof images[0]);
}

static void read_options(struct reader *r)
{
	while (r->at < r->count) {
		const struct docker_arg *arg = &r->args[r->at];
		const char *text = arg->text;

		if (strcmp(text, "--") == 0) {
			r->at++;
			return;
		}
		if (text[0] == '-' && text[1]) {
			r->at++;
			if (text[1] == '-')
				long_option(r, arg);
			else
				short_options(r, arg);
		} else if (!r->global && opaque_options(r)) {
			*RUN_APPEND(r->arena, r->out->opaque, r->out->opaque_count,
				    r->out->opaque_capacity) = *arg;
			r->at++;
		} else {
			return;
		}
	}
}

static bool is_tool(const char *text, enum docker_tool *tool)
{
	static const char *const names[] = {
		[DOCKER_TOOL_DOCKER] = "docker",
		[DOCKER_TOOL_PODMAN] = "podman",
		[DOCKER_TOOL_NERDCTL] = "nerdctl",
	};
	const char *back = strrchr(text, '\\'), *base = shell_base_name(back ? back + 1 : text);

	for (int i = 0; i < 3; i++) {
		size_t n = strlen(names[i]);

		if (strncmp(base, names[i], n) == 0 &&
		    (!base[n] || strcasecmp(base + n, ".exe") == 0 ||
		     strcmp(base + n, ".lima") == 0)) {
			*tool = (enum docker_tool)i;
			return true;
		}
	}
	return false;
}

static bool read_verb(struct reader *r)
{
	static const char *const verbs[] = { [DOCKER_RUN] = "run", [DOCKER_CREATE] = "create",
					     [DOCKER_EXEC] = "exec" };

	if (r->at < r->count && strcmp(r->args[r->at].text, "container") == 0)
		r->at++;
	for (int i = 0; r->at < r->count && i < 3; i++)
		if (strcmp(r->args[r->at].text, verbs[i]) == 0) {
			r->out->verb = (enum docker_verb)i;
			r->at++;
			return true;
		}
	return false;
}

bool docker_run_read(struct arena *a, const struct docker_arg *args, size_t count,
		     struct docker_run *out)
{
	struct reader r = { .arena = a, .args = args, .count = count, .out = out,
			    .global = true };

	*out = (struct docker_run){ 0 };
	if (!count || !is_tool(args[0].text, &out->tool))
		return false;
	r.at = 1;
	read_options(&r);
	if (!read_verb(&r))
		return false;
	r.global = false;
	read_options(&r);
	if (r.at < count) {
		out->image = args[r.at++];
		out->command = args + r.at;
		out->command_count = count - r.at;
	}
	return true;
}

bool docker_run_from_shell(struct arena *a, const struct shell_command *c, size_t first,
			   struct docker_run *out)
{
	struct docker_arg *args;
	size_t count = first < c->words.count ? c->words.count - first : 0;

	args = arena_array(a, count, sizeof *args);
	for (size_t i = 0; i < count; i++) {
		const struct shell_word *w = &c->words.items[first + i];

		args[i] = (struct docker_arg){ .text = w->text, .span = w->span,
					       .literal = w->literal };
	}
	return docker_run_read(a, args, count, out);
}

void docker_run_options(struct arena *a, enum docker_tool tool, const struct docker_arg *args,
			size_t count, struct docker_run *out)
{
	struct reader r = { .arena = a, .args = args, .count = count, .out = out };

	*out = (struct docker_run){ .tool = tool };
	read_options(&r);
	out->command = args + r.at;
	out->command_count = count - r.at;
}

const struct docker_option *docker_run_option(const struct docker_run *run, const char *name)
{
	for (size_t i = run->option_count; i-- > 0;)
		if (strcmp(run->options[i].name, name) == 0)
			return &run->options[i];
	return NULL;
}

bool docker_run_switch(const struct docker_run *run, const char *name, bool otherwise)
{
	const struct docker_option *o = docker_run_option(run, name);

	if (!o)
		return otherwise;
	return strcasecmp(o->value, "true") == 0 || strcmp(o->value, "1") == 0 ||
	       strcasecmp(o->value, "t") == 0;
}

/* Values of these may be secrets: only the name before '=' is written. */
static bool is_secret_option(const char *name)
{
	return strcmp(name, "env") == 0 || strcmp(name, "creds") == 0;
}

static void put_option(struct buf *out, const struct docker_option *o)
{
	json_put_open(out, '{');
	json_put_member(out, "name", o->name);
	json_put_key(out, "value");
	if (is_secret_option(o->name))
		json_put_bytes(out, o->value,
			       strcmp(o->name, "env") == 0 ? strcspn(o->value, "=") : 0);
	else
		json_put_string(out, o->value);
	if (!o->known)
		json_put_member_bool(out, "known", false);
	if (o->missing)
		json_put_member_bool(out, "missing", true);
	json_put_close(out, '}');
}

static void put_args(struct buf *out, const char *key, const struct docker_arg *args, size_t count)
{
	json_put_key(out, key);
	json_put_open(out, '[');
	for (size_t i = 0; i < count; i++)
		json_put_string(out, args[i].text);
	json_put_close(out, ']');
}

void docker_run_to_json(struct buf *out, const struct docker_run *run)
{
	static const char *const tools[] = { "docker", "podman", "nerdctl" };
	static const char *const verbs[] = { "run", "create", "exec" };

	json_put_open(out, '{');
	json_put_member(out, "tool", tools[run->tool]);
	json_put_member(out, "verb", verbs[run->verb]);
	json_put_key(out, "globals");
	json_put_open(out, '[');
	for (size_t i = 0; i < run->global_count; i++)
		put_option(out, &run->globals[i]);
	json_put_close(out, ']');
	json_put_key(out, "options");
	json_put_open(out, '[');
	for (size_t i = 0; i < run->option_count; i++)
		put_option(out, &run->options[i]);
	json_put_close(out, ']');
	json_put_member(out, run->verb == DOCKER_EXEC ? "container" : "image", run->image.text);
	put_args(out, "command", run->command, run->command_count);
	put_args(out, "opaque", run->opaque, run->opaque_count);
	json_put_close(out, '}');
}

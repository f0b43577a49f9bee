/* Reads a Dockerfile: instruction by instruction, each through the reader of its kind.
 * SPDX-License-Identifier: MIT */
#include "src/syntax/dockerfile.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/buf.h"
#include "model/limits.h"
#include "src/syntax/dockerfile_internal.h"

enum reading { READ_NOTHING, READ_BLANKS, READ_LIST, READ_COMMAND, READ_LINE, READ_PAIRS,
	       READ_HEALTH };

static const struct {
	const char *name;
	enum reading reading;
	bool heredocs;
} kinds[DOCKERFILE_KINDS] = {
	[DOCKERFILE_UNKNOWN] = { "UNKNOWN", READ_LINE, false },
	[DOCKERFILE_TEMPLATE] = { "TEMPLATE", READ_LINE, false },
	[DOCKERFILE_ADD] = { "ADD", READ_LIST, true },
	[DOCKERFILE_ARG] = { "ARG", READ_PAIRS, false },
	[DOCKERFILE_CMD] = { "CMD", READ_COMMAND, false },
	[DOCKERFILE_COPY] = { "COPY", READ_LIST, true },
	[DOCKERFILE_ENTRYPOINT] = { "ENTRYPOINT", READ_COMMAND, false },
	[DOCKERFILE_ENV] = { "ENV", READ_PAIRS, false },
	[DOCKERFILE_EXPOSE] = { "EXPOSE", READ_BLANKS, false },
	[DOCKERFILE_FROM] = { "FROM", READ_BLANKS, false },
	[DOCKERFILE_HEALTHCHECK] = { "HEALTHCHECK", READ_HEALTH, false },
	[DOCKERFILE_LABEL] = { "LABEL", READ_PAIRS, false },
	[DOCKERFILE_MAINTAINER] = { "MAINTAINER", READ_LINE, false },
	[DOCKERFILE_ONBUILD] = { "ONBUILD", READ_NOTHING, false },
	[DOCKERFILE_RUN] = { "RUN", READ_COMMAND, true },
	[DOCKERFILE_SHELL] = { "SHELL", READ_COMMAND, false },
	[DOCKERFILE_STOPSIGNAL] = { "STOPSIGNAL", READ_LINE, false },
	[DOCKERFILE_USER] = { "USER", READ_LINE, false },
	[DOCKERFILE_VOLUME] = { "VOLUME", READ_LIST, false },
	[DOCKERFILE_WORKDIR] = { "WORKDIR", READ_LINE, false },
};

const char *dockerfile_kind_name(enum dockerfile_kind kind)
{
	return kinds[kind].name;
}

void dockerfile_refuse(struct dockerfile_reader *r, struct span span, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	problem_add(r->arena, r->problems, span, "%s", arena_vprintf(r->arena, format, args));
	va_end(args);
	r->out->refused = true;
}

static enum dockerfile_kind find_kind(const char *upper)
{
	for (int k = DOCKERFILE_ADD; k < DOCKERFILE_KINDS; k++)
		if (strcmp(kinds[k].name, upper) == 0)
			return (enum dockerfile_kind)k;
	return DOCKERFILE_UNKNOWN;
}

/* A first word that no builder could take for an instruction. */
static bool placeholder(const char *word, size_t length)
{
	return dockerfile_is_templated(word, length) || strncmp(word, "${", 2) == 0 ||
	       strncmp(word, "%%", 2) == 0;
}

static const char *upper(struct arena *a, const char *text, size_t length)
{
	char *copy = arena_copy(a, text, length);

	for (char *p = copy; *p; p++)
		*p = (char)toupper((unsigned char)*p);
	return copy;
}

static const char *lower(struct arena *a, const char *text)
{
	char *copy = arena_strdup(a, text);

	for (char *p = copy; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return copy;
}

/* Reads an array of strings from AT; false when the text is something else. */
static bool exec_form(struct dockerfile_reader *r, struct dockerfile_instruction *in, uint32_t at)
{
	enum dockerfile_exec found = dockerfile_exec_form(r, in, at);

	if (found == DOCKERFILE_NOT_JSON)
		return false;
	in->form = DOCKERFILE_EXEC;
	if (found == DOCKERFILE_NOT_STRINGS)
		dockerfile_refuse(r, in->span, "%s: an array in the JSON form holds only strings",
				  in->name);
	return true;
}

static void health(struct dockerfile_reader *r, struct dockerfile_instruction *in)
{
	const struct folded *b = &in->body;
	uint32_t end = 0, next;

	while (end < b->length && !dockerfile_blank(b->text[end]))
		end++;
	for (next = end; next < b->length && dockerfile_blank(b->text[next]);)
		next++;
	in->form = DOCKERFILE_LINE;
	if (!end)
		return;
	in->word = upper(r->arena, b->text, end);
	in->word_span = folded_span(b, 0, end);
	if (!exec_form(r, in, next))
		dockerfile_line_word(r, in, next);
}

static void read_arguments(struct dockerfile_reader *r, struct dockerfile_instruction *in)
{
	enum reading reading = kinds[in->kind].reading;

	if ((reading == READ_LIST || reading == READ_COMMAND) && exec_form(r, in, 0))
		return;
	if (reading == READ_LIST || reading == READ_BLANKS) {
		in->form = DOCKERFILE_WORDS;
		dockerfile_blank_words(r, in);
	} else if (reading == READ_COMMAND || reading == READ_LINE) {
		in->form = DOCKERFILE_LINE;
		dockerfile_line_word(r, in, 0);
	} else if (reading == READ_PAIRS) {
		dockerfile_pairs(r, in);
	} else if (reading == READ_HEALTH) {
		health(r, in);
	}
}

static void read_instruction(struct dockerfile_reader *r, struct dockerfile_instruction *in,
			     const struct folded *text)
{
	uint32_t end = 0;

	while (end < text->length && !dockerfile_blank(text->text[end]))
		end++;
	in->span = folded_span(text, 0, text->length);
	in->name_span = folded_span(text, 0, end);
	in->templated = in->templated || dockerfile_is_templated(text->text, text->length);
	if (placeholder(text->text, end)) {
		in->kind = DOCKERFILE_TEMPLATE;
		in->name = kinds[in->kind].name;
		in->templated = true;
		end = 0;
	} else {
		in->name = upper(r->arena, text->text, end);
		in->kind = find_kind(in->name);
	}
	r->out->templated = r->out->templated || in->templated;
	if (in->kind == DOCKERFILE_TEMPLATE || in->kind == DOCKERFILE_UNKNOWN)
		in->body = folded_slice(r->arena, text, end, text->length - end);
	else
		dockerfile_split(r, in, text, end);
	read_arguments(r, in);
	if (kinds[in->kind].heredocs && in->form != DOCKERFILE_EXEC)
		dockerfile_find_heredocs(r, in);
}

/* Names of stages know no case. */
static bool find_name(const struct dockerfile *d, const char *target, uint32_t *index)
{
	struct buf plain = { 0 };
	bool found;

	for (const char *p = target; *p; p++)
		buf_putc(&plain, (char)tolower((unsigned char)*p));
	found = hash_index_get(&d->stage_names, buf_text(&plain), index);
	buf_free(&plain);
	return found;
}

int32_t dockerfile_find_stage(const struct dockerfile *d, const char *target)
{
	char *end;
	unsigned long number;
	uint32_t index;

	if (!target)
		return (int32_t)d->stage_count - 1;
	if (find_name(d, target, &index))
		return (int32_t)index;
	number = strtoul(target, &end, 10);
	if (isdigit((unsigned char)*target) && *end == '\0' && number < d->stage_count)
		return (int32_t)number;
	return -1;
}

static void begin_stage(struct dockerfile_reader *r, struct dockerfile_instruction *in)
{
	struct dockerfile *d = r->out;
	const struct dockerfile_flag *platform = dockerfile_flag(in, "platform");
	struct dockerfile_stage stage = { .from = d->count - 1, .base = "", .parent = -1 };

	if (in->arg_count) {
		stage.base = in->args[0].text;
		stage.base_span = in->args[0].span;
	}
	if (in->arg_count == 3 && strcasecmp(in->args[1].text, "as") == 0) {
		stage.name = in->word = lower(r->arena, in->args[2].text);
		in->word_span = in->args[2].span;
	}
	stage.platform = platform ? platform->value : NULL;
	/* A number names a stage in COPY --from only, never in FROM. */
	if (!isdigit((unsigned char)*stage.base))
		stage.parent = dockerfile_find_stage(d, stage.base);
	if (stage.name)
		hash_index_put(r->arena, &d->stage_names, stage.name, (uint32_t)d->stage_count);
	*DOCKERFILE_APPEND(r->arena, d->stages, d->stage_count, d->stage_capacity) = stage;
	in->stage = (int32_t)d->stage_count - 1;
}

static void read_trigger(struct dockerfile_reader *r, struct dockerfile_instruction *in)
{
	struct dockerfile_instruction *t;

	if (!in->body.length)
		return;
	t = ARENA_NEW(r->arena, struct dockerfile_instruction);
	t->stage = in->stage;
	t->first_line = in->first_line;
	read_instruction(r, t, &in->body);
	dockerfile_read_heredocs(r, t);
	t->last_line = source_line(r->source, r->at ? r->at - 1 : 0);
	in->trigger = t;
	if (t->kind != DOCKERFILE_ONBUILD && t->kind != DOCKERFILE_FROM)
		dockerfile_check(r, t);
}

static void finish(struct dockerfile_reader *r, struct dockerfile_instruction *in)
{
	const struct dockerfile_instruction *t = in->trigger ? in->trigger : in;
	struct dockerfile *d = r->out;

	in->last_line = source_line(r->source, r->at ? r->at - 1 : 0);
	if (t->heredoc_count && t->heredocs[t->heredoc_count - 1].terminated) {
		struct span end = source_line_span(r->source, in->last_line);

		in->span.length = end.offset + end.length - in->span.offset;
	}
	if (d->stage_count)
		d->stages[d->stage_count - 1].end = d->count;
	dockerfile_check(r, in);
}

void dockerfile_read(struct arena *a, const struct source *s, struct dockerfile *out,
		     struct problems *problems)
{
	struct dockerfile_reader r = { .arena = a, .source = s, .out = out,
				       .problems = problems };
	struct dockerfile_instruction next = { 0 };
	struct folded text;
	bool control;

	*out = (struct dockerfile){ .escape = '\\' };
	dockerfile_directives(&r);
	while (dockerfile_next_text(&r, &text, &next, &control)) {
		struct dockerfile_instruction *in;

		if (out->count == LIMIT_INSTRUCTIONS) {
			dockerfile_refuse(&r, folded_span(&text, 0, text.length),
					  "too many instructions, the rest is not assessed");
			break;
		}
		in = DOCKERFILE_APPEND(a, out->items, out->count, out->capacity);
		*in = next;
		next = (struct dockerfile_instruction){ 0 };
		in->templated = control;
		in->stage = (int32_t)out->stage_count - 1;
		in->first_line = source_line(s, folded_offset(&text, 0));
		read_instruction(&r, in, &text);
		if (in->kind == DOCKERFILE_FROM)
			begin_stage(&r, in);
		dockerfile_read_heredocs(&r, in);
		if (in->kind == DOCKERFILE_ONBUILD)
			read_trigger(&r, in);
		finish(&r, in);
	}
	dockerfile_check_order(&r);
}

const struct dockerfile_flag *dockerfile_flag(const struct dockerfile_instruction *in,
					      const char *name)
{
	for (size_t i = in->flag_count; i-- > 0;)
		if (strcmp(in->flags[i].name, name) == 0)
			return &in->flags[i];
	return NULL;
}

const char *dockerfile_flag_part(struct arena *a, const struct dockerfile_flag *flag,
				 const char *name)
{
	size_t length = strlen(name);

	for (const char *p = flag ? flag->value : NULL; p && *p;) {
		size_t part = strcspn(p, ",");

		if (part >= length && strncasecmp(p, name, length) == 0) {
			if (part == length)
				return "";
			if (p[length] == '=')
				return arena_copy(a, p + length + 1, part - length - 1);
		}
		p += part;
		p += *p == ',';
	}
	return NULL;
}

const char *dockerfile_doc(struct arena *a, const struct source *s,
			   const struct dockerfile_instruction *in, const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < in->comment_count && length; i++) {
		const char *p = source_text(s, in->comments[i]), *end;

		if (!p)
			continue;
		end = p + in->comments[i].length;
		while (p < end && (dockerfile_blank(*p) || *p == '#'))
			p++;
		if ((size_t)(end - p) > length && strncmp(p, name, length) == 0 && p[length] == ' ')
			return arena_copy(a, p + length + 1, (size_t)(end - p) - length - 1);
	}
	return "";
}

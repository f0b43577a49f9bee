/* Words, flags and name-value pairs of one instruction.
 * SPDX-License-Identifier: MIT */
#include "src/syntax/dockerfile_internal.h"

#include <string.h>

bool dockerfile_is_templated(const char *text, size_t length)
{
	for (size_t i = 0; i + 1 < length; i++) {
		size_t end = i + 1;

		if (text[i] == '{' && (text[i + 1] == '{' || text[i + 1] == '%' ||
				       (text[i + 1] == '#' && (i == 0 || text[i - 1] != '$'))))
			return true;
		if (text[i] == '<' && text[i + 1] == '%')
			return true;
		if (text[i] != '@')
			continue;
		/* @NAME@ in capitals, as configure scripts fill in. */
		while (end < length && ((text[end] >= 'A' && text[end] <= 'Z') ||
					(text[end] >= '0' && text[end] <= '9') || text[end] == '_'))
			end++;
		if (end > i + 1 && end < length && text[end] == '@')
			return true;
	}
	return false;
}

static struct dockerfile_word *add_word(struct dockerfile_reader *r,
					struct dockerfile_instruction *in, uint32_t at,
					uint32_t length)
{
	struct dockerfile_word *w =
		DOCKERFILE_APPEND(r->arena, in->args, in->arg_count, in->arg_capacity);

	*w = (struct dockerfile_word){
		.text = arena_copy(r->arena, in->body.text + at, length),
		.span = folded_span(&in->body, at, length),
		.at = at,
		.length = length,
		.templated = dockerfile_is_templated(in->body.text + at, length),
	};
	return w;
}

void dockerfile_line_word(struct dockerfile_reader *r, struct dockerfile_instruction *in,
			  uint32_t at)
{
	if (at < in->body.length)
		add_word(r, in, at, in->body.length - at);
}

void dockerfile_blank_words(struct dockerfile_reader *r, struct dockerfile_instruction *in)
{
	const struct folded *b = &in->body;
	bool closed = true; /* some placeholder may still end */

	for (uint32_t at = 0, start; at < b->length;) {
		while (at < b->length && dockerfile_blank(b->text[at]))
			at++;
		for (start = at; at < b->length && !dockerfile_blank(b->text[at]);) {
			/* A placeholder's own blanks do not separate words. */
			const char *end = NULL;

			if (closed && strncmp(b->text + at, "{{", 2) == 0) {
				end = strstr(b->text + at, "}}");
				closed = end != NULL;
			}
			at = end ? (uint32_t)(end - b->text) + 2 : at + 1;
		}
		if (at > start)
			add_word(r, in, start, at - start);
	}
}

/* The end of the quoted or plain word at AT; an escape takes the next byte along. */
static uint32_t word_end(const char *text, uint32_t at, uint32_t length, char escape)
{
	char quote = '\0';

	for (; at < length; at++) {
		if (!quote && dockerfile_blank(text[at]))
			break;
		if (text[at] == escape && quote != '\'') {
			at++;
			continue;
		}
		if (quote && text[at] == quote)
			quote = '\0';
		else if (!quote && (text[at] == '\'' || text[at] == '"'))
			quote = text[at];
	}
	return at < length ? at : length;
}

void dockerfile_quoted_words(struct dockerfile_reader *r, struct dockerfile_instruction *in)
{
	const struct folded *b = &in->body;

	for (uint32_t at = 0, end; at < b->length; at = end) {
		while (at < b->length && dockerfile_blank(b->text[at]))
			at++;
		end = word_end(b->text, at, b->length, r->out->escape);
		if (end > at)
			add_word(r, in, at, end - at);
	}
}

static void add_pair(struct dockerfile_reader *r, struct dockerfile_instruction *in,
		     const struct dockerfile_word *w)
{
	const char *equals = strchr(w->text, '=');
	uint32_t name = equals ? (uint32_t)(equals - w->text) : w->length;
	struct dockerfile_pair *p =
		DOCKERFILE_APPEND(r->arena, in->pairs, in->pair_count, in->pair_capacity);

	*p = (struct dockerfile_pair){
		.name = arena_copy(r->arena, w->text, name),
		.value = equals ? arena_strdup(r->arena, equals + 1) : NULL,
		.name_span = folded_span(&in->body, w->at, name),
		.equals = equals != NULL,
		.templated = w->templated,
	};
	if (equals)
		p->value_span = folded_span(&in->body, w->at + name + 1, w->length - name - 1);
}

/* "ENV name the rest is the value" */
static void old_pair(struct dockerfile_reader *r, struct dockerfile_instruction *in)
{
	const struct folded *b = &in->body;
	uint32_t name = 0, value;
	struct dockerfile_pair *p =
		DOCKERFILE_APPEND(r->arena, in->pairs, in->pair_count, in->pair_capacity);

	while (name < b->length && !dockerfile_blank(b->text[name]))
		name++;
	for (value = name; value < b->length && dockerfile_blank(b->text[value]);)
		value++;
	*p = (struct dockerfile_pair){
		.name = arena_copy(r->arena, b->text, name),
		.name_span = folded_span(b, 0, name),
		.templated = dockerfile_is_templated(b->text, b->length),
	};
	if (value < b->length) {
		p->value = arena_copy(r->arena, b->text + value, b->length - value);
		p->value_span = folded_span(b, value, b->length - value);
	} else if (!p->templated) {
		dockerfile_refuse(r, in->span, "%s must have two arguments", in->name);
	}
}

void dockerfile_pairs(struct dockerfile_reader *r, struct dockerfile_instruction *in)
{
	in->form = DOCKERFILE_PAIRS;
	dockerfile_quoted_words(r, in);
	if (!in->arg_count)
		return;
	if (in->kind != DOCKERFILE_ARG && !strchr(in->args[0].text, '=')) {
		old_pair(r, in);
		return;
	}
	for (size_t i = 0; i < in->arg_count; i++) {
		const struct dockerfile_word *w = &in->args[i];

		if (in->kind != DOCKERFILE_ARG && !strchr(w->text, '=')) {
			if (!w->templated)
				dockerfile_refuse(r, w->span,
						  "%s: no \"=\" in an argument; write name=value",
						  in->name);
			continue;
		}
		add_pair(r, in, w);
	}
}

/* One flag word with quotes and escapes removed. */
static void add_flag(struct dockerfile_reader *r, struct dockerfile_instruction *in,
		     const struct folded *text, uint32_t at, uint32_t end)
{
	char *flat = arena_alloc(r->arena, (size_t)(end - at) + 1), *equals;
	struct dockerfile_flag *f =
		DOCKERFILE_APPEND(r->arena, in->flags, in->flag_count, in->flag_capacity);
	size_t n = 0;
	char quote = '\0';

	for (uint32_t i = at + 2; i < end; i++) {
		char c = text->text[i];

		if (c == '\\' && i + 1 < end)
			flat[n++] = text->text[++i];
		else if (quote ? c == quote : (c == '\'' || c == '"'))
			quote = quote ? '\0' : c;
		else
			flat[n++] = c;
	}
	equals = strchr(flat, '=');
	if (equals)
		*equals = '\0';
	*f = (struct dockerfile_flag){
		.name = flat,
		.value = equals ? equals + 1 : NULL,
		.span = folded_span(text, at, end - at),
		.templated = dockerfile_is_templated(text->text + at, end - at),
	};
}

void dockerfile_split(struct dockerfile_reader *r, struct dockerfile_instruction *in,
		      const struct folded *text, uint32_t at)
{
	uint32_t end = text->length;
	bool bare = false; /* "--" alone ends the flags */

	while (end > at && dockerfile_blank(text->text[end - 1]))
		end--;
	while (!bare) {
		uint32_t stop;

		while (at < end && dockerfile_blank(text->text[at]))
			at++;
		if (end - at < 2 || memcmp(text->text + at, "--", 2) != 0)
			break;
		stop = word_end(text->text, at, end, '\\');
		if (stop - at > 2)
			add_flag(r, in, text, at, stop);
		bare = stop - at == 2;
		at = stop;
	}
	while (at < end && dockerfile_blank(text->text[at]))
		at++;
	in->body = folded_slice(r->arena, text, at, end - at);
}

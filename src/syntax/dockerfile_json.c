/* A read Dockerfile as JSON, for `parse dockerfile`.
 * SPDX-License-Identifier: MIT */
#include "src/syntax/dockerfile.h"

#include "model/json_put.h"
#include "model/secret.h"

static const char *const form_names[] = {
	[DOCKERFILE_WORDS] = "words",
	[DOCKERFILE_PAIRS] = "pairs",
	[DOCKERFILE_EXEC] = "exec",
	[DOCKERFILE_LINE] = "line",
};

static void put_line(struct buf *out, const struct source *s, struct span span)
{
	json_put_member_number(out, "line", source_line(s, span.offset));
}

static void put_flags(struct buf *out, const struct source *s,
		      const struct dockerfile_instruction *in)
{
	json_put_key(out, "flags");
	json_put_open(out, '[');
	for (size_t i = 0; i < in->flag_count; i++) {
		json_put_open(out, '{');
		json_put_member(out, "name", in->flags[i].name);
		json_put_member(out, "value", in->flags[i].value);
		put_line(out, s, in->flags[i].span);
		json_put_close(out, '}');
	}
	json_put_close(out, ']');
}

/* Words of a command may carry secrets: their values are hidden. */
static void put_word(struct buf *out, const struct dockerfile_instruction *in, size_t i)
{
	struct buf before = { 0 }, shown = { 0 };

	for (size_t k = i > 3 ? i - 3 : 0; k < i; k++)
		buf_printf(&before, "%s%s", before.length ? " " : "", in->args[k].text);
	secret_redact_word(&shown, buf_text(&before), in->args[i].text);
	json_put_member(out, "text", buf_text(&shown));
	buf_free(&before);
	buf_free(&shown);
}

static void put_args(struct buf *out, const struct source *s,
		     const struct dockerfile_instruction *in)
{
	json_put_key(out, "args");
	json_put_open(out, '[');
	for (size_t i = 0; i < in->arg_count; i++) {
		json_put_open(out, '{');
		if (i && secret_follows(in->args[i - 1].text, in->args[i].text))
			json_put_member(out, "text", SECRET_SHOWN);
		else
			put_word(out, in, i);
		put_line(out, s, in->args[i].span);
		if (in->args[i].templated)
			json_put_member_bool(out, "templated", true);
		json_put_close(out, '}');
	}
	json_put_close(out, ']');
}

/* Values are left out: an ENV may hold a secret. */
static void put_pairs(struct buf *out, const struct source *s,
		      const struct dockerfile_instruction *in)
{
	if (in->form != DOCKERFILE_PAIRS) {
		put_args(out, s, in);
		return;
	}
	json_put_key(out, "pairs");
	json_put_open(out, '[');
	for (size_t i = 0; i < in->pair_count; i++) {
		json_put_open(out, '{');
		json_put_member(out, "name", in->pairs[i].name);
		json_put_member_bool(out, "has_value", in->pairs[i].value != NULL);
		put_line(out, s, in->pairs[i].name_span);
		json_put_close(out, '}');
	}
	json_put_close(out, ']');
}

static void put_heredocs(struct buf *out, const struct source *s,
			 const struct dockerfile_instruction *in)
{
	json_put_key(out, "heredocs");
	json_put_open(out, '[');
	for (size_t i = 0; i < in->heredoc_count; i++) {
		const struct dockerfile_heredoc *h = &in->heredocs[i];
		struct buf shown = { 0 };

		json_put_open(out, '{');
		json_put_member(out, "name", h->name);
		json_put_member_bool(out, "expand", h->expand);
		json_put_member_bool(out, "chomp", h->chomp);
		json_put_member_number(out, "descriptor", h->descriptor);
		put_line(out, s, h->content);
		json_put_key(out, "content");
		secret_redact(&shown, s->bytes + h->content.offset, h->content.length);
		json_put_bytes(out, buf_text(&shown), shown.length);
		buf_free(&shown);
		json_put_close(out, '}');
	}
	json_put_close(out, ']');
}

static void put_body(struct buf *out, const struct source *s,
		     const struct dockerfile_instruction *in)
{
	json_put_member(out, "name", in->name);
	json_put_member_number(out, "line", in->first_line);
	json_put_member_number(out, "end_line", in->last_line);
	json_put_member(out, "form", form_names[in->form]);
	json_put_member_bool(out, "templated", in->templated);
	if (in->word)
		json_put_member(out, "word", in->word);
	put_flags(out, s, in);
	put_pairs(out, s, in);
	put_heredocs(out, s, in);
}

static void put_instruction(struct buf *out, const struct source *s,
			    const struct dockerfile_instruction *in)
{
	json_put_open(out, '{');
	put_body(out, s, in);
	json_put_member_number(out, "stage", in->stage);
	if (in->trigger) {
		json_put_key(out, "trigger");
		json_put_open(out, '{');
		put_body(out, s, in->trigger);
		json_put_close(out, '}');
	}
	json_put_close(out, '}');
}

static void put_stages(struct buf *out, const struct source *s, const struct dockerfile *d)
{
	json_put_key(out, "stages");
	json_put_open(out, '[');
	for (size_t i = 0; i < d->stage_count; i++) {
		json_put_open(out, '{');
		json_put_member(out, "base", d->stages[i].base);
		json_put_member(out, "name", d->stages[i].name);
		json_put_member(out, "platform", d->stages[i].platform);
		json_put_member_number(out, "parent", d->stages[i].parent);
		put_line(out, s, d->stages[i].base_span);
		json_put_close(out, '}');
	}
	json_put_close(out, ']');
}

void dockerfile_to_json(struct buf *out, const struct source *s, const struct dockerfile *d,
			const struct problems *problems)
{
	json_put_open(out, '{');
	json_put_key(out, "directives");
	json_put_open(out, '[');
	for (size_t i = 0; i < d->directive_count; i++) {
		json_put_open(out, '{');
		json_put_member(out, "name", d->directives[i].name);
		json_put_member(out, "value", d->directives[i].value);
		put_line(out, s, d->directives[i].span);
		json_put_close(out, '}');
	}
	json_put_close(out, ']');
	put_stages(out, s, d);
	json_put_key(out, "instructions");
	json_put_open(out, '[');
	for (size_t i = 0; i < d->count; i++)
		put_instruction(out, s, &d->items[i]);
	json_put_close(out, ']');
	json_put_member_bool(out, "refused", d->refused);
	json_put_key(out, "problems");
	json_put_open(out, '[');
	for (size_t i = 0; problems && i < problems->count; i++) {
		json_put_open(out, '{');
		json_put_member(out, "message", problems->items[i].message);
		put_line(out, s, problems->items[i].span);
		json_put_close(out, '}');
	}
	json_put_close(out, ']');
	json_put_close(out, '}');
}

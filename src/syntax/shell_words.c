/* Ways into shell text: Dockerfile instructions, and scripts handed to a shell as a word.
 * SPDX-License-Identifier: MIT */
#include "src/syntax/shell.h"

#include <string.h>

#include "src/syntax/shell_lex.h"

const char *shell_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void exec_command(struct arena *a, const struct dockerfile_instruction *in,
			 struct shell *out)
{
	struct shell_command *c;

	if (!in->arg_count)
		return;
	c = ARENA_PUSH(a, out);
	*c = (struct shell_command){ .parent = -1, .span = in->args[0].span };
	for (size_t i = 0; i < in->arg_count; i++) {
		const struct dockerfile_word *w = &in->args[i];

		*ARENA_PUSH(a, &c->words) = (struct shell_word){
			.text = w->text, .span = w->span, .at = w->at, .length = w->length,
			.literal = !strchr(w->text, '$'), .quoted = true, .json = true
		};
		c->span.length = w->span.offset + w->span.length - c->span.offset;
	}
}

/* The heredocs of the instruction in the order of the redirections that name them. */
static void attach_heredocs(const struct dockerfile_instruction *in, struct shell *out)
{
	size_t next = 0;

	for (size_t i = 0; i < out->count; i++)
		for (size_t k = 0; k < out->items[i].redirect_count; k++) {
			struct shell_redirect *r = &out->items[i].redirects[k];

			if (strncmp(r->op, "<<", 2) != 0 || r->op[2] == '<' ||
			    next == in->heredoc_count)
				continue;
			r->body = in->heredocs[next].content;
			r->expand = in->heredocs[next++].expand;
		}
}

static bool only_heredoc(const struct dockerfile_instruction *in)
{
	struct span last;

	if (in->heredoc_count != 1)
		return false;
	last = in->heredocs[0].word;
	return last.offset == folded_offset(&in->body, 0) &&
	       last.offset + last.length == folded_offset(&in->body, in->body.length);
}

void shell_read_instruction(struct arena *a, const struct source *s,
			    const struct dockerfile_instruction *in, struct shell *out)
{
	struct folded text = in->body;

	*out = (struct shell){ .text = text };
	if (in->form == DOCKERFILE_EXEC) {
		exec_command(a, in, out);
		return;
	}
	if (only_heredoc(in)) {
		text = folded_from(a, s, in->heredocs[0].content);
		shell_read(a, &text, SHELL_POSIX, out);
		return;
	}
	if (in->kind == DOCKERFILE_HEALTHCHECK && in->arg_count)
		text = folded_slice(a, &in->body, in->args[0].at, in->args[0].length);
	shell_read(a, &text, SHELL_POSIX, out);
	attach_heredocs(in, out);
}

struct folded shell_word_text(struct arena *a, const struct shell *sh,
			      const struct shell_word *word)
{
	struct folded_builder b = { 0 };
	struct shell_lex lex = { .arena = a, .text = &sh->text, .end = word->at + word->length };
	size_t length = strlen(word->text);
	bool literal, quoted;

	if (!word->json) {
		shell_lex_unquote(&lex, word->at, &b, &literal, &quoted);
	} else {
		/* With escapes in it the word has no byte-exact places; its start stands for all. */
		uint32_t start = folded_offset(&sh->text, word->at) + 1;
		bool exact = length + 2 == word->span.length;

		for (size_t i = 0; i < length; i++)
			folded_add(a, &b, word->text + i, 1, exact ? start + (uint32_t)i : start);
	}
	return folded_finish(a, &b, sh->text.source);
}

const struct shell_word *shell_inline_script(const struct shell_command *c, size_t first)
{
	static const char *const shells[] = { "sh", "bash", "dash", "ash", "zsh", "ksh", "mksh" };
	bool known = false, script = false;

	if (first >= c->words.count)
		return NULL;
	for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++)
		known = known ||
			strcmp(shell_base_name(c->words.items[first].text), shells[i]) == 0;
	for (size_t i = first + 1; known && i < c->words.count; i++) {
		const char *text = c->words.items[i].text;

		if (strcmp(text, "-o") == 0 || strcmp(text, "+o") == 0 ||
		    strcmp(text, "--rcfile") == 0 || strcmp(text, "--init-file") == 0)
			i++;
		else if (text[0] != '-' && text[0] != '+')
			return script ? &c->words.items[i] : NULL;
		else if (text[0] == '-' && text[1] != '-' && strchr(text, 'c'))
			script = true;
	}
	return NULL;
}

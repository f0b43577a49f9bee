/* Heredocs of ADD, COPY and RUN: which words begin one, and the lines that belong to it.
 * SPDX-License-Identifier: MIT */
#include "src/syntax/dockerfile_internal.h"

#include <string.h>

#include "model/limits.h"

/* Length of "<<" or "<<-" with the digits before it; 0 when WORD does not begin with one. */
static size_t prefix(const char *word, uint32_t *descriptor, bool *chomp)
{
	const char *p = word;

	for (*descriptor = 0; *p >= '0' && *p <= '9'; p++)
		if (*descriptor < 100000)
			*descriptor = *descriptor * 10 + (uint32_t)(*p - '0');
	if (p[0] != '<' || p[1] != '<' || p[2] == '<')
		return 0;
	p += 2;
	*chomp = *p == '-';
	return (size_t)(p - word) + *chomp;
}

/* Bytes of the word at P, quotes and escapes taken into account. *UNCLOSED when a quote is open. */
static size_t word_length(const char *p, bool *unclosed)
{
	char quote = '\0';
	size_t n = 0;

	for (; p[n]; n++) {
		if (!quote && dockerfile_blank(p[n]))
			break;
		if (p[n] == '\\' && quote != '\'' && p[n + 1])
			n++;
		else if (quote && p[n] == quote)
			quote = '\0';
		else if (!quote && (p[n] == '\'' || p[n] == '"'))
			quote = p[n];
	}
	*unclosed = quote != '\0';
	return n;
}

/* Copies a word without its quotes; *QUOTED when there were some. */
static const char *unquote(struct arena *a, const char *p, size_t length, bool *quoted)
{
	char *out = arena_alloc(a, length + 1), quote = '\0';
	size_t n = 0;

	*quoted = false;
	for (size_t i = 0; i < length; i++) {
		if (p[i] == '\\' && quote != '\'' && i + 1 < length &&
		    (!quote || strchr("\"$\\", p[i + 1])))
			out[n++] = p[++i];
		else if (quote ? p[i] == quote : (p[i] == '\'' || p[i] == '"')) {
			quote = quote ? '\0' : p[i];
			*quoted = true;
		} else {
			out[n++] = p[i];
		}
	}
	return out;
}

int dockerfile_heredoc_word(struct arena *a, const char *word, struct dockerfile_heredoc *out)
{
	bool chomp = false, unclosed, quoted;
	uint32_t descriptor;
	size_t skip = prefix(word, &descriptor, &chomp), length;

	if (!skip)
		return 0;
	while (dockerfile_blank(word[skip]))
		skip++;
	length = word_length(word + skip, &unclosed);
	if (unclosed)
		return -1;
	if (!length || word[skip + length] || memchr(word + skip, '<', length))
		return 0;
	*out = (struct dockerfile_heredoc){ .descriptor = descriptor, .chomp = chomp };
	out->name = unquote(a, word + skip, length, &quoted);
	out->expand = !quoted;
	return 1;
}

void dockerfile_find_heredocs(struct dockerfile_reader *r, struct dockerfile_instruction *in)
{
	const char *text = in->body.text;
	bool unclosed = false, chomp;
	uint32_t descriptor;

	if (!strstr(text, "<<"))
		return;
	for (size_t at = 0, end; text[at]; at = end) {
		struct dockerfile_heredoc found;
		size_t skip;

		if (dockerfile_blank(text[at])) {
			end = at + 1;
			continue;
		}
		skip = prefix(text + at, &descriptor, &chomp);
		for (end = at + skip; skip && dockerfile_blank(text[end]);)
			end++;
		end += word_length(text + end, &unclosed);
		if (unclosed)
			break;
		if (dockerfile_heredoc_word(r->arena, arena_copy(r->arena, text + at, end - at),
					    &found) != 1)
			continue;
		found.word = folded_span(&in->body, (uint32_t)at, (uint32_t)(end - at));
		*DOCKERFILE_APPEND(r->arena, in->heredocs, in->heredoc_count,
				   in->heredoc_capacity) = found;
	}
	/* A quote that is not closed makes the whole line unreadable as words. */
	if (unclosed)
		in->heredoc_count = 0;
}

static bool terminates(const struct dockerfile_line *line, const struct dockerfile_heredoc *h)
{
	const char *p = line->text;
	uint32_t length = line->length;

	while (h->chomp && length && *p == '\t') {
		p++;
		length--;
	}
	return strlen(h->name) == length && memcmp(p, h->name, length) == 0;
}

void dockerfile_read_heredocs(struct dockerfile_reader *r, struct dockerfile_instruction *in)
{
	for (size_t i = 0; i < in->heredoc_count; i++) {
		struct dockerfile_heredoc *h = &in->heredocs[i];
		uint32_t start = r->at;
		struct dockerfile_line line;

		h->content = (struct span){ .source = r->source->id, .offset = start };
		while (!h->terminated && r->open_ends < LIMIT_OPEN_ENDS &&
		       dockerfile_next_line(r, &line)) {
			h->terminated = terminates(&line, h);
			h->content.length = line.offset - start;
		}
		if (h->terminated)
			continue;
		/* What follows is more likely to be the rest of the file than a text. */
		dockerfile_refuse(r, h->word, "heredoc \"%s\" is not terminated", h->name);
		r->open_ends++;
		h->content.length = 0;
		r->at = start;
		break;
	}
}

/* Shared by the dockerfile_*.c files only.
 * SPDX-License-Identifier: MIT */
#ifndef SYNTAX_DOCKERFILE_INTERNAL_H
#define SYNTAX_DOCKERFILE_INTERNAL_H

#include "src/syntax/dockerfile.h"

struct dockerfile_reader {
	struct arena *arena;
	const struct source *source;
	struct dockerfile *out;
	struct problems *problems;
	uint32_t at; /* offset of the next unread line */
	unsigned open_ends; /* heredocs and tags whose end did not come */
};

/* One physical line; next is the offset after its line end. */
struct dockerfile_line {
	const char *text;
	uint32_t offset, length, next;
};

#define DOCKERFILE_APPEND(a, list, n, cap)                                                        \
	((list) = arena_grow((a), (list), (n), &(cap), sizeof *(list)), &(list)[(n)++])

static inline bool dockerfile_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r' || c == '\n';
}

/* Adds a problem and marks the file as refused. */
void dockerfile_refuse(struct dockerfile_reader *r, struct span span, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* dockerfile_lines.c: reads the leading directives; takes the next physical line. */
void dockerfile_directives(struct dockerfile_reader *r);
bool dockerfile_next_line(struct dockerfile_reader *r, struct dockerfile_line *line);
/* The next instruction's text with its continuation lines; false at the end of the file. COMMENTS
 * receives the comment lines above it. *CONTROL is set when template control lines were left out. */
bool dockerfile_next_text(struct dockerfile_reader *r, struct folded *out,
			  struct dockerfile_instruction *comments, bool *control);

/* dockerfile_words.c: fills flags and body, then args or pairs, from TEXT after the name. */
void dockerfile_split(struct dockerfile_reader *r, struct dockerfile_instruction *in,
		      const struct folded *text, uint32_t at);
void dockerfile_blank_words(struct dockerfile_reader *r, struct dockerfile_instruction *in);
void dockerfile_line_word(struct dockerfile_reader *r, struct dockerfile_instruction *in,
			  uint32_t at);
/* Splits like BuildKit's own word reader: quotes kept, escapes kept. */
void dockerfile_quoted_words(struct dockerfile_reader *r, struct dockerfile_instruction *in);
void dockerfile_pairs(struct dockerfile_reader *r, struct dockerfile_instruction *in);

/* dockerfile_exec.c: reads a JSON array of strings at AT of the body. */
enum dockerfile_exec { DOCKERFILE_NOT_JSON, DOCKERFILE_NOT_STRINGS, DOCKERFILE_STRINGS };
enum dockerfile_exec dockerfile_exec_form(struct dockerfile_reader *r,
					  struct dockerfile_instruction *in, uint32_t at);

/* dockerfile_heredoc.c: finds the heredoc words of a body; reads their lines. */
void dockerfile_find_heredocs(struct dockerfile_reader *r, struct dockerfile_instruction *in);
void dockerfile_read_heredocs(struct dockerfile_reader *r, struct dockerfile_instruction *in);
/* One word: 1 and *OUT filled, 0 when it is none, -1 when its quotes are not closed. */
int dockerfile_heredoc_word(struct arena *a, const char *word, struct dockerfile_heredoc *out);

/* dockerfile_check.c: number of arguments, known flags, what stands where. */
void dockerfile_check(struct dockerfile_reader *r, struct dockerfile_instruction *in);
/* Once for the whole file: something before FROM, or no FROM at all. */
void dockerfile_check_order(struct dockerfile_reader *r);

#endif

/* What the tests of the readers share: read a text, look at the result.
 * SPDX-License-Identifier: MIT */
#ifndef TESTS_SYNTAX_HELP_H
#define TESTS_SYNTAX_HELP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/limits.h"
#include "src/syntax/syntax.h"

struct reading {
	struct arena arena;
	struct source source;
	struct documents documents;
	struct problems problems;
};

static inline void reading_begin(struct reading *r, const char *text, size_t length)
{
	*r = (struct reading){ 0 };
	source_init(&r->source, &r->arena, 1, "file", arena_copy(&r->arena, text, length),
		    (uint32_t)length);
}

static inline void assert_span(const struct reading *r, struct span span, const char *text)
{
	const char *bytes = source_text(&r->source, span);

	assert_non_null(bytes);
	assert_int_equal(span.length, strlen(text));
	assert_memory_equal(bytes, text, span.length);
}

static inline void assert_problem(const struct reading *r, size_t i, uint32_t line, uint32_t column,
				  const char *word)
{
	assert_true(i < r->problems.count);
	assert_non_null(strstr(r->problems.items[i].message, word));
	assert_int_equal(source_line(&r->source, r->problems.items[i].span.offset), line);
	assert_int_equal(source_column(&r->source, r->problems.items[i].span.offset), column);
}

/* COUNT times WORD after PREFIX, in the arena. */
static inline char *repeated(struct arena *a, const char *prefix, const char *word, size_t count)
{
	size_t head = strlen(prefix), size = strlen(word);
	char *text = arena_alloc(a, head + size * count + 1);

	memcpy(text, prefix, head);
	for (size_t i = 0; i < count; i++)
		memcpy(text + head + i * size, word, size);
	return text;
}

#endif

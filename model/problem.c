/* Problem rows.
 * SPDX-License-Identifier: MIT */
#include "model/problem.h"

#include "model/limits.h"

void problem_add(struct arena *a, struct problems *list, struct span span, const char *format, ...)
{
	struct problem *row;
	va_list args;

	if (list->count >= LIMIT_PROBLEMS) {
		list->dropped++;
		return;
	}
	row = ARENA_PUSH(a, list);
	va_start(args, format);
	*row = (struct problem){ .span = span, .message = arena_vprintf(a, format, args) };
	va_end(args);
}

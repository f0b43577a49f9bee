/* An arena: memory that is given back all at once.
 *
 * Ownership: whatever an arena hands out lives until arena_free(). Running out of memory is a
 * programmer-level failure and ends the program through arena_oom(). A zeroed struct is valid.
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_ARENA_H
#define MODEL_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *head;
	size_t used; /* bytes handed out, for tests and figures */
};

/* Returns zeroed memory of SIZE bytes, aligned for any type; never NULL. */
void *arena_alloc(struct arena *a, size_t size);
/* As arena_alloc() for COUNT elements of SIZE bytes; the product is checked. */
void *arena_array(struct arena *a, size_t count, size_t size);
/* Grows an arena array: returns a copy of OLD with room for WANT elements (at least doubling).
 * *CAPACITY is updated. */
void *arena_grow(struct arena *a, void *old, size_t count, size_t *capacity, size_t size);
/* Copies LENGTH bytes and adds a NUL. */
char *arena_copy(struct arena *a, const char *bytes, size_t length);
/* Copies a NUL-terminated string; NULL stays NULL. */
char *arena_strdup(struct arena *a, const char *text);
/* snprintf into the arena. */
char *arena_printf(struct arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *a, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));
void arena_free(struct arena *a);

/* Allocates one zeroed object of TYPE. */
#define ARENA_NEW(a, type) ((type *)arena_alloc((a), sizeof(type)))
/* Appends to an arena-backed vector {TYPE *items; size_t count, capacity}; evaluates to the slot. */
#define ARENA_PUSH(a, vec)                                                                        \
	((vec)->items = arena_grow((a), (vec)->items, (vec)->count, &(vec)->capacity,             \
				   sizeof *(vec)->items),                                         \
	 &(vec)->items[(vec)->count++])

#endif

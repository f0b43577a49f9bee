/* Arena: a list of blocks, bump allocation, zeroed memory.
 * SPDX-License-Identifier: MIT */
#include "model/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_BYTES ((size_t)4 * 1024) /* most arenas of one function need no more */
#define BLOCK_BYTES ((size_t)256 * 1024)
#define USUAL_FORMATTED 256
#define ALIGNMENT (_Alignof(max_align_t))

struct arena_block {
	struct arena_block *next;
	size_t used, size;
	_Alignas(max_align_t) unsigned char bytes[];
};

static _Noreturn void out_of_memory(void)
{
	static const char message[] = "boundwalk: out of memory\n";

	fputs(message, stderr);
	abort();
}

/* Of NEED bytes at least; each block is larger than the one before, up to BLOCK_BYTES. */
static struct arena_block *block_new(const struct arena *a, size_t need)
{
	size_t size = a->head && a->head->size > FIRST_BYTES / 2 ? a->head->size : FIRST_BYTES / 2;
	struct arena_block *block;

	size = size < BLOCK_BYTES / 2 ? size * 2 : BLOCK_BYTES;
	size = need > size ? need : size;
	if (size > SIZE_MAX - sizeof *block)
		out_of_memory();
	block = calloc(1, sizeof *block + size);
	if (!block)
		out_of_memory();
	block->size = size;
	return block;
}

void *arena_alloc(struct arena *a, size_t size)
{
	struct arena_block *block = a->head;
	void *result;

	if (size > SIZE_MAX - ALIGNMENT)
		out_of_memory();
	size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	if (size > BLOCK_BYTES / 4 && block) {
		/* A large object gets a block of its own behind the head, so that the room left in
		 * the head stays in use. */
		struct arena_block *own = block_new(a, size);

		own->next = block->next;
		block->next = own;
		block = own;
	} else if (!block || block->size - block->used < size) {
		block = block_new(a, size);
		block->next = a->head;
		a->head = block;
	}
	result = block->bytes + block->used;
	block->used += size;
	a->used += size;
	return result;
}

void *arena_array(struct arena *a, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size)
		out_of_memory();
	return arena_alloc(a, count * size);
}

void *arena_grow(struct arena *a, void *old, size_t count, size_t *capacity, size_t size)
{
	void *grown;

	if (count < *capacity)
		return old;
	*capacity = *capacity ? *capacity * 2 : 8;
	grown = arena_array(a, *capacity, size);
	if (count)
		memcpy(grown, old, count * size);
	return grown;
}

char *arena_copy(struct arena *a, const char *bytes, size_t length)
{
	char *copy = arena_alloc(a, length + 1);

	if (length)
		memcpy(copy, bytes, length);
	return copy;
}

char *arena_strdup(struct arena *a, const char *text)
{
	return text ? arena_copy(a, text, strlen(text)) : NULL;
}

char *arena_vprintf(struct arena *a, const char *format, va_list args)
{
	char usual[USUAL_FORMATTED];
	va_list again;
	int length;
	char *text;

	va_copy(again, args);
	length = vsnprintf(usual, sizeof usual, format, again);
	va_end(again);
	if (length < 0)
		return arena_strdup(a, "");
	/* Most texts fit at once; the others are formatted again. */
	if ((size_t)length < sizeof usual)
		return arena_copy(a, usual, (size_t)length);
	text = arena_alloc(a, (size_t)length + 1);
	vsnprintf(text, (size_t)length + 1, format, args);
	return text;
}

char *arena_printf(struct arena *a, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = arena_vprintf(a, format, args);
	va_end(args);
	return text;
}

void arena_free(struct arena *a)
{
	struct arena_block *block = a->head;

	while (block) {
		struct arena_block *next = block->next;

		free(block);
		block = next;
	}
	*a = (struct arena){ 0 };
}

/* The stacks that a reviewer can choose, each with what it would change.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "model/buf.h"
#include "model/limits.h"
#include "src/formats/compose/stack.h"

#define SERVICES_MAX 12u /* that are told of one file */

const char *service_keys(struct arena *a, const struct node *service)
{
	uint32_t budget = LIMIT_PROBLEMS;
	const struct node *flat = node_flatten(a, service, &budget);
	struct buf b = { 0 };
	const char *text;

	for (uint32_t i = 0; i < node_count(flat); i++)
		if (node_text(flat->items[i].key))
			buf_printf(&b, "%s%s", b.length ? "," : "", node_text(flat->items[i].key));
	text = arena_copy(a, buf_text(&b), b.length);
	buf_free(&b);
	return text;
}

static void put_service(struct arena *a, struct buf *b, const struct stack *base, const char *name,
                        const struct node *service)
{
	const char *keys;

	if (b->length)
		buf_puts(b, "; ");
	if (!base || !stack_row(base, name)) {
		buf_printf(b, "new service %s", name);
		return;
	}
	buf_printf(b, "%s: ", name);
	keys = service_keys(a, service);
	for (const char *c = keys; *c; c++)
		buf_puts(b, *c == ',' ? ", " : (const char[]){ *c, '\0' });
}

/* "web: ports, user; new service db", and other sections by their names. */
static const char *changes_of(struct arena *a, const struct input *file, const struct stack *base)
{
	struct buf b = { 0 };
	const char *text;
	size_t told = 0;

	for (size_t i = 0; i < file->documents.count; i++) {
		const struct node *services = node_get(file->documents.items[i], "services");

		for (uint32_t k = 0; node_is_map(services) && k < services->count; k++) {
			const char *name = node_text(services->items[k].key);

			if (name && told++ < SERVICES_MAX)
				put_service(a, &b, base, name,
				            node_resolve(services->items[k].value));
		}
	}
	if (told > SERVICES_MAX)
		buf_printf(&b, "; %zu more services", told - SERVICES_MAX);
	text = arena_copy(a, buf_text(&b), b.length);
	buf_free(&b);
	return text;
}

static struct possible_stack *add_stack(struct workspace *w)
{
	struct possible_stack *s;

	if (w->snapshot->stacks.count >= LIMIT_PROBLEMS)
		return NULL;
	s = ARENA_PUSH(&w->snapshot->arena, &w->snapshot->stacks);
	*s = (struct possible_stack){ .changes = "" };
	return s;
}

void stack_offer(struct workspace *w, const struct stack *over, const struct input *file,
                 const struct stack *base, const struct compose_commands *commands)
{
	struct possible_stack *s = add_stack(w);

	if (!s)
		return;
	for (size_t i = 0; i < over->path_count; i++)
		*ARENA_PUSH(&w->snapshot->arena, &s->files) = over->paths[i];
	s->changes = changes_of(&w->snapshot->arena, file, base);
	for (size_t i = 0; i < commands->count && !s->source; i++)
		if (command_names(&commands->items[i], file->artifact->path)) {
			s->source = commands->items[i].span.source;
			s->offset = commands->items[i].span.offset;
		}
}

void stack_offer_default(struct workspace *w)
{
	struct possible_stack *s = add_stack(w);

	if (s)
		s->changes = "what Compose loads by itself";
}

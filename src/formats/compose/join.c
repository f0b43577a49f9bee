/* Groups the Compose files of a tree into stacks.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "model/limits.h"
#include "src/formats/compose/stack.h"

struct group_file {
	struct input *in;
	const char *folder;
	bool used; /* part of a stack that has its rows */
};

struct grouping {
	struct workspace *w;
	struct group_file *files;
	size_t count;
	struct stack *stacks; /* newest first */
	struct compose_commands commands;
};

static struct group_file *find_path(struct grouping *g, const char *path)
{
	for (size_t i = 0; i < g->count; i++)
		if (strcmp(g->files[i].in->artifact->path, path) == 0)
			return &g->files[i];
	return NULL;
}

static struct group_file *find_named(struct grouping *g, const char *folder,
                                     const char *const names[4])
{
	for (size_t n = 0; n < 4; n++)
		for (size_t i = 0; i < g->count; i++)
			if (strcmp(g->files[i].folder, folder) == 0 &&
			    strcmp(path_base(g->files[i].in->artifact->path), names[n]) == 0)
				return &g->files[i];
	return NULL;
}

static bool has_standard_name(const char *path)
{
	for (size_t n = 0; n < 4; n++)
		if (strcmp(path_base(path), compose_base_names[n]) == 0)
			return true;
	return false;
}

/* What the stack was read from needs no rows of its own: its files, what they include, and what
 * they extend unless that is a project by its name. */
static void mark_used(struct grouping *g, const struct stack *s)
{
	const struct compose_project *p = &s->project;
	struct group_file *file;

	for (size_t i = 0; i < s->path_count; i++)
		if ((file = find_path(g, s->paths[i])))
			file->used = true;
	for (size_t i = 0; i < p->included.count; i++)
		if ((file = find_path(g, p->included.items[i])))
			file->used = true;
	for (size_t i = 0; i < p->sources.count; i++)
		if (!has_standard_name(p->sources.items[i]->path) &&
		    (file = find_path(g, p->sources.items[i]->path)))
			file->used = true;
}

static struct stack *add_stack_in(struct grouping *g, const char *const *paths, size_t count,
                                  const struct input *only, const char *folder)
{
	struct stack *s = stack_load(g->w, paths, count, folder);

	stack_rows(g->w, s, only);
	mark_used(g, s);
	s->overlay = only != NULL;
	s->next = g->stacks;
	g->stacks = s;
	return s;
}

static struct stack *add_stack(struct grouping *g, const char *const *paths, size_t count,
                               const struct input *only)
{
	return add_stack_in(g, paths, count, only, NULL);
}

static size_t depth(const char *folder)
{
	size_t n = folder[0] != '\0';

	for (; *folder; folder++)
		n += *folder == '/';
	return n;
}

/* --- the stack named on the command line ---------------------------------------------------------
 */

static void add_given(struct grouping *g)
{
	const struct string_list *given = &g->w->snapshot->scope.compose_files;
	struct arena *a = &g->w->snapshot->arena;
	const char *directory = g->w->snapshot->scope.project_directory;
	const char **paths = arena_array(a, given->count + 1, sizeof *paths);

	for (size_t i = 0; i < given->count; i++) {
		const char *path = path_join(a, "", given->items[i]);

		paths[i] = path ? path : given->items[i];
	}
	if (!given->count)
		return;
	add_stack_in(g, paths, given->count, NULL,
	             directory ? path_join(a, "", directory) : NULL);
	stack_offer_default(g->w);
}

/* --- the pair that loads by itself ---------------------------------------------------------------
 */

static void add_pair(struct grouping *g, struct group_file *base)
{
	struct group_file *over = find_named(g, base->folder, compose_override_names);
	const char *paths[2] = { base->in->artifact->path, NULL };

	if (over && over->used)
		over = NULL;
	if (over)
		paths[1] = over->in->artifact->path;
	add_stack(g, paths, over ? 2 : 1, NULL);
}

static bool any_used(struct grouping *g, const struct string_list *paths)
{
	for (size_t i = 0; i < paths->count; i++) {
		const struct group_file *file = find_path(g, paths->items[i]);

		if (file && file->used)
			return true;
	}
	return false;
}

/* The files that the ".env" of a folder names are what Compose loads there. */
static void add_env_stacks(struct grouping *g)
{
	struct hash_index asked = { 0 };
	uint32_t at;

	for (size_t i = 0; i < g->count; i++) {
		const char *folder = g->files[i].folder;
		struct string_list files;

		if (g->files[i].used || hash_index_get(&asked, folder, &at))
			continue;
		hash_index_put(&g->w->snapshot->arena, &asked, folder, 0);
		files = stack_env_files(g->w, folder);
		if (files.count && !any_used(g, &files))
			add_stack_in(g, files.items, files.count, NULL, folder);
	}
}

static void add_pairs(struct grouping *g)
{
	size_t deepest = 0;

	for (size_t i = 0; i < g->count; i++)
		if (depth(g->files[i].folder) > deepest)
			deepest = depth(g->files[i].folder);
	for (size_t level = 0; level <= deepest; level++)
		for (size_t i = 0; i < g->count; i++) {
			struct group_file *file = &g->files[i];

			if (!file->used && depth(file->folder) == level &&
			    find_named(g, file->folder, compose_base_names) == file)
				add_pair(g, file);
		}
}

/* --- everything else
 * ------------------------------------------------------------------------------ */

static size_t common_prefix(const char *a, const char *b)
{
	size_t n = 0;

	while (a[n] && a[n] == b[n])
		n++;
	return n;
}

/* Steps from FOLDER up to the folder of the stack's first file; SIZE_MAX when it is not above. */
static size_t steps_up(const struct stack *s, const char *folder)
{
	size_t n = strlen(s->folder);

	if (strncmp(folder, s->folder, n) != 0 || (n && folder[n] && folder[n] != '/'))
		return SIZE_MAX;
	return depth(folder) - depth(s->folder);
}

/* The stack that an overlay belongs to: in its folder or the nearest one above, with the services that it
 * changes; of several the pair that loads by itself, else the one whose name is nearest. */
static struct stack *base_of(const struct grouping *g, const struct group_file *file)
{
	struct stack *best = NULL;
	size_t score = 0;

	for (struct stack *s = g->stacks; s; s = s->next) {
		size_t points = common_prefix(s->paths[0], file->in->artifact->path) + 1;
		size_t steps = steps_up(s, file->folder);

		if (s->overlay || steps > LIMIT_INCLUDE_DEPTH || !stack_carries(s, file->in))
			continue;
		points += 10000 * (LIMIT_INCLUDE_DEPTH - steps);
		if (has_standard_name(s->paths[0]))
			points += 1000;
		if (points > score) {
			score = points;
			best = s;
		}
	}
	return best;
}

/* The stack whose first file is PATH, or NULL. */
static struct stack *stack_of(const struct grouping *g, const char *path)
{
	for (struct stack *s = g->stacks; s; s = s->next)
		if (!s->overlay && strcmp(s->paths[0], path) == 0)
			return s;
	return NULL;
}

/* FILE, the last one of OVER, lies over BASE (NULL: over nothing that is known). */
static void tell_over(struct grouping *g, const struct group_file *file, const struct stack *base,
                      const struct stack *over)
{
	stack_offer(g->w, over, file->in, base, &g->commands);
	if (base)
		stack_variants(g->w, base, over, file->in, &g->commands);
}

/* The files up to and with FILE, as a command line names them. */
static void add_commanded(struct grouping *g, struct group_file *file,
                          const struct compose_command *command)
{
	const struct stack *base = stack_of(g, command->paths[0]);
	size_t count = 0;

	while (count < command->path_count &&
	       strcmp(command->paths[count], file->in->artifact->path) != 0)
		count++;
	tell_over(g, file, base,
	          add_stack_in(g, command->paths, count + 1, file->in, command->folder));
}

static void add_overlay(struct grouping *g, struct group_file *file)
{
	struct arena *a = &g->w->snapshot->arena;
	const struct compose_command *command =
	    commands_naming(&g->commands, file->in->artifact->path);
	const struct stack *base = base_of(g, file);
	const char **paths;

	if (command) {
		add_commanded(g, file, command);
		return;
	}
	if (!base) {
		add_stack(g, (const char *[]){ file->in->artifact->path }, 1, NULL);
		return;
	}
	paths = arena_array(a, base->path_count + 1, sizeof *paths);
	memcpy(paths, base->paths, base->path_count * sizeof *paths);
	paths[base->path_count] = file->in->artifact->path;
	tell_over(g, file, base, add_stack(g, paths, base->path_count + 1, file->in));
}

static void add_standing_alone(struct grouping *g)
{
	for (size_t i = 0; i < g->count; i++) {
		struct group_file *file = &g->files[i];
		const struct stack *pair = NULL, *alone;

		if (file->used || file_is_overlay(file->in) ||
		    commands_naming(&g->commands, file->in->artifact->path))
			continue;
		for (const struct stack *s = g->stacks; s && !pair; s = s->next)
			if (strcmp(s->folder, file->folder) == 0 && has_standard_name(s->paths[0]))
				pair = s;
		alone = add_stack(g, (const char *[]){ file->in->artifact->path }, 1, NULL);
		if (pair)
			tell_over(g, file, pair, alone);
	}
}

void stacks_join(struct workspace *w)
{
	struct grouping g = { .w = w };
	struct arena *a = &w->snapshot->arena;

	g.files = arena_array(a, w->inputs.count + 1, sizeof *g.files);
	for (size_t i = 0; i < w->inputs.count; i++)
		if (w->inputs.items[i]->state[FORMAT_COMPOSE])
			g.files[g.count++] =
			    (struct group_file){ w->inputs.items[i],
				                 path_folder(a, w->inputs.items[i]->artifact->path),
				                 false };
	commands_collect(w, &g.commands);
	add_given(&g);
	add_env_stacks(&g);
	add_pairs(&g);
	add_standing_alone(&g);
	for (size_t i = 0; i < g.count; i++)
		if (!g.files[i].used)
			add_overlay(&g, &g.files[i]);
}

/* Scope form: what the review is about, in the reviewer's words.
 * SPDX-License-Identifier: MIT */
#include "ui/core.h"

static const struct {
	const char *label, *help;
} lines[SCOPE_LINES] = {
	[SCOPE_RUNTIME] = { "Runtime", "docker, podman, containerd, cri-o or none; some defaults "
	                               "depend on it" },
	[SCOPE_OS] = { "Operating system", "linux, windows or darwin" },
	[SCOPE_KUBERNETES] = { "Kubernetes",
	                       "version as 1.34; empty: the latest known, and said so" },
	[SCOPE_DEPLOYMENT] = { "Deployment", "version in your own words" },
	[SCOPE_COMPOSE] = { "Compose files", "in order, separated by blanks; empty: what Compose loads "
	                                     "by itself" },
	[SCOPE_PROFILES] = { "Profiles", "active Compose profiles, separated by blanks" },
	[SCOPE_REVIEWER] = { "Reviewer", "the name that your marks carry" },
	[SCOPE_APPLY] = { "Read again with these", "the tree is read again; marks stay" },
};

/* Possible stacks stand below the form, after a line for its help and a head. */
size_t scope_count(const struct ui_state *s)
{
	return SCOPE_LINES + (s->snapshot ? s->snapshot->stacks.count : 0);
}

const struct possible_stack *scope_stack(const struct ui_state *s, size_t line)
{
	return line >= SCOPE_LINES && line < scope_count(s)
	               ? &s->snapshot->stacks.items[line - SCOPE_LINES]
	               : NULL;
}

void scope_list(const struct string_list *list, struct buf *out)
{
	for (size_t i = 0; i < list->count; i++)
		buf_printf(out, "%s%s", i ? " " : "", list->items[i]);
}

static void stack_text(const struct ui_state *s, const struct possible_stack *stack, struct buf *out)
{
	struct span span = { .source = stack->source, .offset = stack->offset };

	scope_list(&stack->files, out);
	if (stack->changes[0])
		buf_printf(out, "%s%s", out->length ? "  ·  " : "", stack->changes);
	if (stack->source)
		buf_printf(out, "  ·  %s:%u", snapshot_path(s->snapshot, span),
		           snapshot_line(s->snapshot, span));
}

static void draw_stack(const struct ui_state *s, struct grid *g, struct rect row,
                       const struct possible_stack *stack, bool current)
{
	struct buf text = { 0 };
	int x = draw_gutter(g, row, current, true, false);

	stack_text(s, stack, &text);
	x += grid_text(g, row, x, row.y, ELEMENT_LABEL, "stack  ");
	grid_value(g, row, x, row.y, row.w - (x - row.x), ELEMENT_TEXT, buf_text(&text));
	buf_free(&text);
}

static const char *help_of(size_t line)
{
	return line < SCOPE_LINES ? lines[line].help
	                          : "Enter takes these Compose files and reads the tree again";
}

void draw_scope(const struct ui_state *s, struct grid *g, struct rect area)
{
	struct rect inside = draw_view_frame(s, g, area);
	struct rect title = { area.x + 1, area.y, area.w - 2, 1 };
	const struct cursor *c = &s->texts[MODE_SCOPE];

	grid_value(g, title, title.x, title.y, title.w, ELEMENT_TITLE_FOCUS,
	           "Scope of the review ─ Esc skips it, S opens it again");
	for (int y = 0; y < inside.h && c->top + (size_t)y < scope_count(s); y++) {
		size_t i = c->top + (size_t)y;
		struct rect row = { inside.x, inside.y + y, inside.w, 1 };
		const struct possible_stack *stack = scope_stack(s, i);
		int x;

		if (stack) {
			draw_stack(s, g, row, stack, i == c->at);
			if (i == c->at)
				grid_select(g, row);
			continue;
		}
		x = draw_gutter(g, row, i == c->at, true, false);
		grid_text(g, row, x, row.y, i == SCOPE_APPLY ? ELEMENT_KEY : ELEMENT_LABEL,
		          lines[i].label);
		x += 19;
		if (i != SCOPE_APPLY && s->scope[i].length > 0)
			grid_value(g, row, x, row.y, row.w, ELEMENT_TEXT,
				   buf_text(&s->scope[i]));
		else if (i != SCOPE_APPLY)
			grid_text(g, row, x, row.y, ELEMENT_DIM, grid_glyph(g, GLYPH_NOTHING));
		if (i == c->at)
			grid_select(g, row);
	}
	if (inside.h > (int)scope_count(s) + 1)
		grid_text(g, inside, inside.x + 2, inside.y + (int)scope_count(s) + 1, ELEMENT_DIM,
			  help_of(c->at));
}

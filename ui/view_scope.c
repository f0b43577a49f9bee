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
	[SCOPE_REVIEWER] = { "Reviewer", "the name that your marks carry" },
	[SCOPE_APPLY] = { "Read again with these", "the tree is read again; marks stay" },
};

void draw_scope(const struct ui_state *s, struct grid *g, struct rect area)
{
	struct rect inside = draw_view_frame(s, g, area);
	struct rect title = { area.x + 1, area.y, area.w - 2, 1 };
	const struct cursor *c = &s->texts[MODE_SCOPE];

	grid_value(g, title, title.x, title.y, title.w, ELEMENT_TITLE_FOCUS,
	           "Scope of the review ─ Esc skips it, S opens it again");
	for (int y = 0; y < inside.h && c->top + (size_t)y < SCOPE_LINES; y++) {
		size_t i = c->top + (size_t)y;
		struct rect row = { inside.x, inside.y + y, inside.w, 1 };
		int x = draw_gutter(g, row, i == c->at, true, false);

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
	if (inside.h > SCOPE_LINES + 1)
		grid_text(g, inside, inside.x + 2, inside.y + SCOPE_LINES + 1, ELEMENT_DIM,
			  lines[c->at < SCOPE_LINES ? c->at : 0].help);
}

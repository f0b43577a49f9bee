/* Files whose lines stand in the Dockerfile: heredocs of COPY, and of RUN with a file behind them.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "src/formats/dockerfile/image.h"

void image_note_text(struct image_reading *r, const char *path, struct span body)
{
	struct arena *a = &r->w->snapshot->arena;

	if (!*path || strchr(path, '$') || !body.length)
		return;
	*ARENA_PUSH(a, &r->stage->texts) =
		(struct image_text){ image_path(a, r->stage->workdir, path), body };
}

void image_note_written(struct image_reading *r, const struct shell *sh)
{
	for (size_t i = 0; i < sh->count; i++) {
		const char *path;
		struct call c;

		call_init(&c, sh, i);
		path = call_is_any(&c, "cat tee") ? call_written(&c) : NULL;
		if (!path)
			continue;
		for (size_t k = 0; k < c.command->redirect_count; k++) {
			const struct shell_redirect *redirect = &c.command->redirects[k];

			if (strncmp(redirect->op, "<<", 2) == 0 && redirect->op[2] != '<')
				image_note_text(r, path, redirect->body);
		}
	}
}

struct span image_written_text(struct workspace *w, const struct image_file *f,
			       const struct image_stage *stage, const char *path)
{
	for (size_t n = 0; stage && n < 16; n++) {
		size_t index = (size_t)(stage - f->stages);
		int32_t next = f->parsed.stage_count ? f->parsed.stages[index].parent : -1;

		for (size_t i = stage->texts.count; i-- > 0;)
			if (strcmp(stage->texts.items[i].path, path) == 0)
				return stage->texts.items[i].body;
		for (size_t i = stage->copies.count; i-- > 0; ) {
			const struct image_copy *c = &stage->copies.items[i];

			if (c->from < 0)
				continue;
			if (strcmp(c->target, path) == 0 ||
			    (c->folder && strcmp(path_base(c->source), path_base(path)) == 0)) {
				next = c->from;
				path = image_path(&w->snapshot->arena, "/", c->source);
				break;
			}
		}
		stage = next >= 0 ? &f->stages[next] : NULL;
	}
	return (struct span){ 0 };
}

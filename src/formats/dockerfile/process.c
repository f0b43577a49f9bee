/* ENTRYPOINT, CMD and HEALTHCHECK.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "src/formats/dockerfile/image.h"
#include "src/formats/run/secret_words.h"

/* The words of the instruction joined by blanks, without secret values. */
static const char *words_text(struct image_reading *r, const struct dockerfile_instruction *in)
{
	struct arena *a = &r->w->snapshot->arena;
	struct argv v = { 0 };

	for (size_t i = 0; i < in->arg_count; i++) {
		if (in->form == DOCKERFILE_EXEC)
			argv_add(a, &v, in->args[i].text, in->args[i].span);
		else
			argv_split(a, &v, in->args[i].text, in->args[i].span);
	}
	secret_words(r->w, r->stage->row, &v, 0, true);
	return argv_join(a, &v, 0);
}

/* Replaces what an earlier instruction of this stage said: only the last counts. */
static void hold(struct image_reading *r, struct fact **held, struct fact *f)
{
	struct row *row = r->stage->row;

	if (*held && (*held)->row == row->index && *held != f)
		snapshot_replace_fact(row, *held, f);
	*held = f;
}

void image_read_process(struct image_reading *r, const struct dockerfile_instruction *in)
{
	bool entry = in->kind == DOCKERFILE_ENTRYPOINT;
	const char *text = words_text(r, in);
	struct fact *f = image_add_fact(r, entry ? FACT_ENTRYPOINT : FACT_COMMAND, text,
					in->span);

	image_set(r, f, "form", in->form == DOCKERFILE_EXEC ? "exec" : "shell");
	hold(r, entry ? &r->stage->entrypoint : &r->stage->command, f);
	/* A new ENTRYPOINT empties the CMD of the base. */
	if (entry && r->stage->command && r->stage->command->row != r->stage->row->index)
		r->stage->command = NULL;
}

void image_read_health(struct image_reading *r, const struct dockerfile_instruction *in)
{
	const char *text;
	struct fact *f;

	if (in->word && strcmp(in->word, "NONE") == 0) {
		r->stage->probe = NULL;
		return;
	}
	text = words_text(r, in);
	f = image_add_fact(r, FACT_PROBE, "exec", in->span);
	image_set(r, f, "event", "healthcheck");
	image_set(r, f, "command", text);
	hold(r, &r->stage->probe, f);
}

/* Build arguments that other files give, and the base images that they choose.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "model/limits.h"
#include "src/formats/dockerfile/image.h"
#include "src/formats/run/container_facts.h"

#define VARIANTS_MAX 16u /* builds of one file that are told apart */

static bool every_build_gives(const struct image_file *f, const struct expand_var *var)
{
	for (size_t i = 0; i < f->builds.count; i++) {
		const struct expand_var *other = expand_find(&f->builds.items[i].args, var->name);

		if (!other || !other->value || strcmp(other->value, var->value) != 0)
			return false;
	}
	return true;
}

const struct expand_vars *image_agreed_arguments(struct workspace *w, const struct image_file *f)
{
	struct arena *a = &w->snapshot->arena;
	struct expand_vars *agreed;

	if (f->builds.count == 0 || f->builds.count < f->target_count)
		return NULL;
	agreed = ARENA_NEW(a, struct expand_vars);
	for (size_t i = 0; i < f->builds.items[0].args.count; i++) {
		const struct expand_var *var = &f->builds.items[0].args.items[i];

		if (var->value && every_build_gives(f, var))
			expand_set(a, agreed, var->name, var->value, var->span);
	}
	return agreed;
}

/* Where the Dockerfile itself gives argument NAME a default, ahead of the first FROM. */
static struct span default_place(const struct image_file *f, const char *name)
{
	size_t end = f->parsed.stage_count ? f->parsed.stages[0].from : 0;

	for (size_t i = 0; i < end; i++) {
		const struct dockerfile_instruction *in = &f->parsed.items[i];

		for (size_t k = 0; in->kind == DOCKERFILE_ARG && k < in->pair_count; k++)
			if (strcmp(in->pairs[k].name, name) == 0)
				return in->pairs[k].value ? in->pairs[k].value_span
							  : in->pairs[k].name_span;
	}
	return (struct span){ 0 };
}

bool image_note_arguments(struct image_reading *r, struct fact *f, const struct expansion *out)
{
	struct arena *a = &r->w->snapshot->arena;
	bool given = false;

	for (size_t i = 0; i < out->use_count; i++) {
		const struct expand_use *use = &out->uses[i];

		if (!use->var || !use->var->value || !span_is_set(use->var->span))
			continue;
		if (use->var->span.source != r->file->in->source->id) {
			struct span here = default_place(r->file, use->name);

			if (span_is_set(here))
				snapshot_add_hop(r->w->snapshot, f, here, use->name, "argument");
			given = true;
			f->note = arena_printf(a, "build argument %s is given at %s:%u", use->name,
					       snapshot_path(r->w->snapshot, use->var->span),
					       snapshot_line(r->w->snapshot, use->var->span));
		}
		snapshot_add_hop(r->w->snapshot, f, use->var->span, use->var->value, "argument");
	}
	return given;
}

/* What BASE is for one build: its arguments over the defaults ahead of the first FROM. */
static void expand_for(struct image_reading *r, const struct image_build *build, const char *base,
		       struct expansion *out)
{
	struct arena *a = &r->w->snapshot->arena;
	const struct dockerfile *d = &r->file->parsed;
	struct dockerfile_scope scope;

	dockerfile_scope_init(a, &scope, d, &build->args);
	for (size_t i = 0; i < d->stages[0].from; i++)
		dockerfile_scope_apply(a, &scope, &d->items[i]);
	dockerfile_scope_expand(a, &scope, r->at, base, out);
}

static bool told(const struct row *row, const char *name)
{
	for (const struct fact *f = row_first(row, FACT_BASE_IMAGE, LAYER_DECLARED); f;
	     f = row_next(row, f))
		if (strcmp(f->value, name) == 0)
			return true;
	return false;
}

size_t image_base_variants(struct image_reading *r, const char *base, struct fact **out, size_t room)
{
	size_t count = 0;

	for (size_t i = 0; i < r->file->builds.count && i < VARIANTS_MAX && count < room; i++) {
		const struct image_build *build = &r->file->builds.items[i];
		struct expansion e = { 0 };
		struct fact *f;

		expand_for(r, build, base, &e);
		if (e.error || e.unresolved || !*e.text || told(r->stage->row, e.text))
			continue;
		f = image_fact(r->w, r->stage->row, FACT_BASE_IMAGE, e.text,
			       r->file->parsed.stages[r->index].base_span);
		image_note_arguments(r, f, &e);
		out[count++] = f;
	}
	return count;
}

/* --- what a single build makes of USER ---------------------------------------------------------- */

/* The last USER instruction of the stage or of those that it starts from, or NULL. */
static const struct dockerfile_instruction *last_user(const struct dockerfile *d, int32_t stage)
{
	for (unsigned n = 0; stage >= 0 && n < LIMIT_STAGES; n++) {
		for (size_t i = d->stages[stage].end; i-- > d->stages[stage].from;)
			if (d->items[i].kind == DOCKERFILE_USER && d->items[i].arg_count)
				return &d->items[i];
		stage = d->stages[stage].parent;
	}
	return NULL;
}

static const struct image_build *build_of(const struct image_file *f, const struct row *r)
{
	for (size_t i = 0; i < f->builds.count; i++)
		if (f->builds.items[i].by == r)
			return &f->builds.items[i];
	return NULL;
}

void image_user_of_build(struct workspace *w, struct row *r, const struct image_file *f,
			 const struct image_stage *stage)
{
	struct arena *a = &w->snapshot->arena;
	const struct image_build *build = build_of(f, r);
	const struct dockerfile_instruction *in =
		last_user(&f->parsed, f->parsed.stage_count ? (int32_t)(stage - f->stages) : -1);
	const struct fact *old = build && in ? row_first(r, FACT_USER, LAYER_DECLARED) : NULL;
	struct fact *user;
	struct dockerfile_scope scope;
	struct expansion out = { 0 };

	if (!old || !build->args.count || !strchr(in->args[0].text, '$') ||
	    snapshot_line(w->snapshot, in->span) > snapshot_line(w->snapshot, old->span) ||
	    strcmp(snapshot_path(w->snapshot, in->span), snapshot_path(w->snapshot, old->span)) != 0)
		return;
	dockerfile_scope_init(a, &scope, &f->parsed, &build->args);
	for (const struct dockerfile_instruction *at = f->parsed.items; at < in; at++)
		dockerfile_scope_apply(a, &scope, at);
	dockerfile_scope_expand(a, &scope, in, in->args[0].text, &out);
	if (out.error || out.unresolved || !*out.text || strcmp(out.text, old->value) == 0)
		return;
	user = user_fact(w, r, out.text, old->span);
	snapshot_add_hop(w->snapshot, user, r->span, NOT_SET_HERE, "image");
	for (size_t i = 0; i < out.use_count; i++)
		if (out.uses[i].var && span_is_set(out.uses[i].var->span))
			snapshot_add_hop(w->snapshot, user, out.uses[i].var->span, out.text, "argument");
	snapshot_replace_fact(r, old, user);
}

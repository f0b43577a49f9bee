/* Stages: which are built, which are only used, and the row of each.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "model/limits.h"
#include "src/formats/dockerfile/image.h"

const char *image_relation_text(enum image_relation relation)
{
	static const char *const texts[] = {
		[IMAGE_UNUSED] = "unused", [IMAGE_COPIED] = "copied",
		[IMAGE_ANCESTOR] = "ancestor", [IMAGE_FINAL] = "final",
	};

	return texts[relation];
}

struct image_stage *image_stage_find(struct image_file *f, const char *target)
{
	int32_t index = dockerfile_find_stage(&f->parsed, target);

	if (!f->stages || f->stage_count == 0)
		return NULL;
	if (f->parsed.stage_count == 0)
		return &f->stages[0];
	return index < 0 ? NULL : &f->stages[index];
}

/* --- which stages count ----------------------------------------------------------------------- */

static void raise(struct image_file *f, int32_t index, enum image_relation relation, bool *changed)
{
	if (index < 0 || (size_t)index >= f->stage_count || f->stages[index].relation >= relation)
		return;
	f->stages[index].relation = relation;
	*changed = true;
}

static int32_t stage_named(const struct dockerfile *d, const char *name, size_t before)
{
	int32_t index = name ? dockerfile_find_stage(d, name) : -1;

	return index >= 0 && (size_t)index < before ? index : -1;
}

/* COPY --from and RUN --mount=from of a stage that counts. */
static void used_by(struct workspace *w, struct image_file *f, size_t stage, bool *changed)
{
	const struct dockerfile *d = &f->parsed;

	for (size_t i = d->stages[stage].from; i < d->stages[stage].end; i++) {
		const struct dockerfile_instruction *in = &d->items[i];

		for (size_t k = 0; k < in->flag_count; k++) {
			const struct dockerfile_flag *flag = &in->flags[k];
			const char *from = NULL;

			if (strcmp(flag->name, "from") == 0)
				from = flag->value;
			else if (strcmp(flag->name, "mount") == 0)
				from = dockerfile_flag_part(&w->snapshot->arena, flag, "from");
			raise(f, stage_named(d, from, stage), IMAGE_COPIED, changed);
		}
	}
}

static void spread(struct workspace *w, struct image_file *f)
{
	bool changed = true;

	for (size_t round = 0; changed && round <= f->stage_count; round++) {
		changed = false;
		for (size_t i = f->parsed.stage_count; i-- > 0;) {
			enum image_relation relation = f->stages[i].relation;
			int32_t parent = f->parsed.stages[i].parent;

			if (relation == IMAGE_UNUSED)
				continue;
			raise(f, parent, relation == IMAGE_FINAL ? IMAGE_ANCESTOR : relation,
			      &changed);
			used_by(w, f, i, &changed);
		}
	}
}

void image_choose_stages(struct workspace *w, struct image_file *f)
{
	bool any = false, ignored;

	if (f->parsed.stage_count > LIMIT_STAGES) {
		input_problem(w, f->in, f->parsed.stages[LIMIT_STAGES].base_span,
			      "%s: more than %u stages: the others are not assessed",
			      f->in->artifact->path, LIMIT_STAGES);
		f->parsed.stage_count = LIMIT_STAGES;
	}
	f->stage_count = f->parsed.stage_count ? f->parsed.stage_count : 1;
	f->stages = arena_array(&w->snapshot->arena, f->stage_count, sizeof *f->stages);
	if (f->parsed.stage_count == 0) {
		f->stages[0].relation = IMAGE_FINAL;
		return;
	}
	for (size_t i = 0; i < f->target_count; i++) {
		int32_t index = dockerfile_find_stage(&f->parsed, f->targets[i]);

		if (index < 0)
			continue;
		raise(f, index, IMAGE_FINAL, &ignored);
		any = true;
	}
	if (!any)
		f->stages[f->stage_count - 1].relation = IMAGE_FINAL;
	spread(w, f);
}

/* --- rows ------------------------------------------------------------------------------------- */

static const char *stage_name(struct arena *a, const struct image_file *f, size_t index)
{
	if (f->parsed.stage_count == 0)
		return "fragment";
	if (f->parsed.stages[index].name)
		return f->parsed.stages[index].name;
	return arena_printf(a, "%zu", index);
}

static struct span stage_span(const struct image_file *f, size_t index)
{
	if (f->parsed.stage_count)
		return f->parsed.items[f->parsed.stages[index].from].span;
	return f->parsed.count ? f->parsed.items[0].span : (struct span){ 0 };
}

static const char *unused_reason(struct arena *a, const struct image_file *f)
{
	for (size_t i = 0; i < f->target_count; i++)
		if (f->targets[i] && dockerfile_find_stage(&f->parsed, f->targets[i]) >= 0)
			return arena_printf(a, "stage not built: %s names target %s",
					    f->target_by[i], f->targets[i]);
	return "stage not built: the last stage is the image and does not use it";
}

static void add_row(struct workspace *w, struct image_file *f, size_t index)
{
	struct arena *a = &w->snapshot->arena;
	struct image_stage *stage = &f->stages[index];
	const struct row_spec spec = {
		.path = f->in->artifact->path,
		.object_kind = "stage",
		.namespace = f->owner,
		.unit = stage_name(a, f, index),
		.kind = ROW_BUILD,
		.format = FORMAT_DOCKERFILE,
		.artifact = f->in->artifact->index,
		.span = stage_span(f, index),
	};

	stage->row = snapshot_add_row(w->snapshot, &spec);
	if (stage->relation == IMAGE_UNUSED) {
		stage->row->activity = ROW_DISABLED;
		stage->row->activity_reason = unused_reason(a, f);
	}
}

/* --- inheritance ------------------------------------------------------------------------------ */

/* What a stage takes over from the one it starts from, for the questions asked about the image. */
static const enum fact_kind inherited[] = { FACT_SETUID, FACT_GROUP_ADD, FACT_EXPOSE,
					    FACT_SOCKET_GROUP_JOIN, FACT_ENGINE_CLIENT };

static struct fact *take_over(struct workspace *w, struct row *to, struct fact *f)
{
	return f ? snapshot_copy_fact(w->snapshot, to, f) : NULL;
}

static void inherit(struct workspace *w, struct image_file *f, size_t index)
{
	struct image_stage *stage = &f->stages[index];
	int32_t parent = f->parsed.stage_count ? f->parsed.stages[index].parent : -1;
	const struct image_stage *from;

	stage->workdir = "/";
	if (parent < 0)
		return;
	from = &f->stages[parent];
	stage->workdir = from->workdir;
	stage->powershell = from->powershell;
	stage->user = from->user;
	stage->entrypoint = from->entrypoint;
	stage->command = from->command;
	stage->probe = from->probe;
	for (size_t i = 0; i < sizeof inherited / sizeof *inherited; i++)
		for (const struct fact *x = row_first(from->row, inherited[i], LAYER_DECLARED); x;
		     x = row_next(from->row, x))
			snapshot_copy_fact(w->snapshot, stage->row, x);
	for (const struct fact *x = row_first(from->row, FACT_SUDO, LAYER_DECLARED); x;
	     x = row_next(from->row, x))
		if (fact_attribute_is(x, "nopasswd", "true"))
			snapshot_copy_fact(w->snapshot, stage->row, x);
}

/* The values that hold at the end, as facts of the stage's row. */
static void settle(struct workspace *w, struct image_file *f, size_t index)
{
	struct image_stage *stage = &f->stages[index];
	struct span place = f->parsed.stage_count ? stage->row->span : (struct span){ 0 };
	bool scratch = f->parsed.stage_count &&
		       strcmp(f->parsed.stages[index].base, "scratch") == 0;
	struct fact **held[] = { &stage->user, &stage->entrypoint, &stage->command,
				 &stage->probe };

	for (size_t i = 0; i < sizeof held / sizeof *held; i++)
		if (*held[i] && (*held[i])->row != stage->row->index)
			*held[i] = take_over(w, stage->row, *held[i]);
	if (!f->parsed.stage_count)
		return;
	if (!stage->user) {
		struct fact *user = snapshot_add_absent(
			w->snapshot, stage->row, FACT_USER, scratch ? "root" : "", place,
			scratch ? "an image from scratch runs as root unless it sets a user"
				: "the base image's user holds, root when it has none");

		if (scratch)
			snapshot_set_attribute(w->snapshot, user, "uid", "0");
	}
	if (!stage->entrypoint && !stage->command && stage->relation == IMAGE_FINAL)
		snapshot_add_absent(w->snapshot, stage->row, FACT_ENTRYPOINT, "", place,
				    "the base image decides what starts");
}

/* --- facts ------------------------------------------------------------------------------------ */

static void frontend(struct workspace *w, struct image_file *f, struct row *row)
{
	for (size_t i = 0; i < f->parsed.directive_count; i++)
		if (strcmp(f->parsed.directives[i].name, "syntax") == 0)
			image_fact(w, row, FACT_BUILD_FRONTEND, f->parsed.directives[i].value,
				   f->parsed.directives[i].span);
}

/* ARGs before the first FROM belong to no stage: their secrets are told on the built one. */
static void read_head(struct image_reading *r, size_t end)
{
	for (size_t i = 0; i < end; i++) {
		r->at = &r->file->parsed.items[i];
		image_read_instruction(r, r->at);
		dockerfile_scope_apply(&r->w->snapshot->arena, r->scope, r->at);
	}
}

static void suppressions(struct workspace *w, const struct image_file *f, struct row *row,
			 const struct dockerfile_instruction *in)
{
	static const struct {
		const char *mark, *tool;
	} marks[] = {
		{ "hadolint ignore=", "hadolint" }, { "hadolint global ignore=", "hadolint" },
		{ "checkov:skip=", "checkov" },     { "trivy:ignore:", "trivy" },
		{ "kics-scan ignore", "kics" },     { "kics-scan disable", "kics" },
		{ "nosemgrep", "semgrep" },         { "nosec", "nosec" },
		{ "#tfsec:ignore", "tfsec" },
	};

	for (size_t i = 0; i < in->comment_count; i++) {
		const char *text = source_text(f->in->source, in->comments[i]);

		for (size_t k = 0; text && k < sizeof marks / sizeof *marks; k++)
			if (bytes_hold(text, in->comments[i].length, marks[k].mark))
				snapshot_add_fact(w->snapshot, row, FACT_SUPPRESSION,
						  arena_printf(&w->snapshot->arena, "%s: %.*s",
							       marks[k].tool,
							       (int)in->comments[i].length, text),
						  in->comments[i]);
	}
}

static void read_stage(struct image_reading *r, size_t from, size_t end)
{
	for (size_t i = from; i < end; i++) {
		r->at = &r->file->parsed.items[i];
		suppressions(r->w, r->file, r->stage->row, r->at);
		image_read_instruction(r, r->at);
		dockerfile_scope_apply(&r->w->snapshot->arena, r->scope, r->at);
		if (i == from && r->index >= 0 && r->file->parsed.stages[r->index].parent >= 0)
			image_read_triggers(
				r, &r->file->parsed.stages[r->file->parsed.stages[r->index].parent]);
	}
}

static struct image_reading start_reading(struct workspace *w, struct image_file *f, size_t index,
					  struct dockerfile_scope *scope)
{
	return (struct image_reading){
		.w = w,
		.file = f,
		.stage = &f->stages[index],
		.index = f->parsed.stage_count ? (int32_t)index : -1,
		.scope = scope,
		.steps = { .w = w, .row = f->stages[index].row, .where = STEPS_BUILD },
	};
}

static size_t final_stage(const struct image_file *f)
{
	for (size_t i = f->stage_count; i-- > 0;)
		if (f->stages[i].relation == IMAGE_FINAL)
			return i;
	return f->stage_count - 1;
}

void image_add_rows(struct workspace *w, struct image_file *f)
{
	struct arena *a = &w->snapshot->arena;
	struct dockerfile_scope scope;
	struct image_reading r;
	size_t built = final_stage(f);

	dockerfile_scope_init(a, &scope, &f->parsed, image_agreed_arguments(w, f));
	for (size_t i = 0; i < f->stage_count; i++)
		add_row(w, f, i);
	frontend(w, f, f->stages[built].row);
	r = start_reading(w, f, built, &scope);
	f->stages[built].workdir = "/";
	read_head(&r, f->parsed.stage_count ? f->parsed.stages[0].from : f->parsed.count);
	if (!f->parsed.stage_count) {
		settle(w, f, 0);
		return;
	}
	for (size_t i = 0; i < f->stage_count; i++) {
		r = start_reading(w, f, i, &scope);
		inherit(w, f, i);
		read_stage(&r, f->parsed.stages[i].from, f->parsed.stages[i].end);
		settle(w, f, i);
	}
}

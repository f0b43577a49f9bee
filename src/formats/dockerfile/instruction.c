/* Instructions of a Dockerfile as facts.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "model/limits.h"
#include "src/formats/dockerfile/image.h"
#include "src/formats/run/container_facts.h"

typedef void reader(struct image_reading *r, const struct dockerfile_instruction *in);

struct fact *image_add_fact(struct image_reading *r, enum fact_kind kind, const char *value,
			    struct span span)
{
	struct fact *f = snapshot_add_fact(r->w->snapshot, r->stage->row, kind, value, span);

	if (dockerfile_is_templated(f->value, strlen(f->value)))
		f->provenance = PROVENANCE_TEMPLATED;
	if (r->trigger)
		snapshot_set_attribute(r->w->snapshot, f, "onbuild", "true");
	return f;
}

void image_set(struct image_reading *r, struct fact *f, const char *name, const char *value)
{
	snapshot_set_attribute(r->w->snapshot, f, name, value);
}

const char *image_expand(struct image_reading *r, const char *text, bool *unsure)
{
	struct expansion out = { 0 };

	*unsure = false;
	if (!text || !strpbrk(text, "$\"'\\`"))
		return text;
	dockerfile_scope_expand(&r->w->snapshot->arena, r->scope, r->at, text, &out);
	*unsure = out.unresolved || out.error;
	return *unsure ? text : out.text;
}

/* --- FROM ------------------------------------------------------------------------------------- */

static const char *platform_os(struct arena *a, const char *platform)
{
	return platform && !strchr(platform, '$')
		       ? arena_copy(a, platform, strcspn(platform, "/"))
		       : NULL;
}

/* Arguments that the builder sets by itself in FROM lines. */
static bool is_given(const char *name)
{
	return word_in("TARGETPLATFORM TARGETOS TARGETARCH TARGETVARIANT BUILDPLATFORM BUILDOS BUILDARCH "
		       "BUILDVARIANT",
		       name);
}

/* A variable declared in a stage above is not seen by FROM: the build stops there. What its author meant
 * is still worth judging. */
static const char *meant_base(struct image_reading *r, const char *base)
{
	for (int32_t i = r->index; i-- > 0;) {
		struct expansion out = { 0 };

		expand_word(&r->w->snapshot->arena, &r->scope->stages[i], base,
			    r->file->parsed.escape, &out);
		if (!out.error && !out.unresolved && *out.text)
			return out.text;
	}
	return NULL;
}

/* FROM takes a name that nobody declares for nothing; only a declared one can be given a value. */
static const char *expand_base(struct image_reading *r, const char *base, bool *unsure)
{
	struct expansion out = { 0 };

	*unsure = false;
	if (!strchr(base, '$'))
		return base;
	dockerfile_scope_expand(&r->w->snapshot->arena, r->scope, r->at, base, &out);
	*unsure = out.error || !*out.text;
	for (size_t i = 0; i < out.use_count; i++)
		*unsure |= out.uses[i].outcome == EXPAND_UNRESOLVED &&
			   (out.uses[i].var || is_given(out.uses[i].name));
	return *unsure ? base : out.text;
}

/* Where only the registry or a folder of the name is a variable, tag and digest are still known. */
static void known_tail(struct image_reading *r, struct fact *f)
{
	const char *tail = path_base(f->value), *colon, *digest;

	if (f->provenance != PROVENANCE_UNRESOLVED || tail == f->value || strpbrk(tail, "${}")) {
		colon = strrchr(f->value, '}');
		if (!colon || strncmp(colon, "}:", 2) != 0 || strchr(colon, '/'))
			return;
		tail = colon + 1;
	}
	digest = strchr(tail, '@');
	colon = strchr(tail, ':');
	f->provenance = PROVENANCE_EXPLICIT;
	f->note = "part of the name is a build argument without a value";
	if (digest)
		image_set(r, f, "digest", digest + 1);
	else if (colon)
		image_set(r, f, "tag", colon + 1);
}

static void note_arguments(struct image_reading *r, struct fact *f, const char *base)
{
	struct expansion out = { 0 };

	dockerfile_scope_expand(&r->w->snapshot->arena, r->scope, r->at, base, &out);
	if (!image_note_arguments(r, f, &out))
		f->note = "named by a build argument; its default is shown";
}

static struct fact *base_fact(struct image_reading *r, const struct dockerfile_stage *stage)
{
	bool unsure;
	const char *name = expand_base(r, stage->base, &unsure);
	const char *meant = unsure ? meant_base(r, stage->base) : NULL;
	struct fact *f;

	if (meant)
		name = meant;
	if (stage->parent >= 0 || strcmp(name, "scratch") == 0) {
		f = image_add_fact(r, FACT_BASE_IMAGE, name, stage->base_span);
		image_set(r, f, stage->parent >= 0 ? "stage_reference" : "scratch", "true");
		return f;
	}
	f = image_fact(r->w, r->stage->row, FACT_BASE_IMAGE, name, stage->base_span);
	known_tail(r, f);
	if (meant)
		f->note = "FROM does not see this argument, which is declared in a stage: the build stops "
			  "here; its value is shown";
	else if (!unsure && strcmp(name, stage->base) != 0)
		note_arguments(r, f, stage->base);
	return f;
}

static void set_relation(struct image_reading *r, struct fact *f,
			 const struct dockerfile_stage *stage)
{
	image_set(r, f, "stage", r->stage->row->name);
	image_set(r, f, "final", r->stage->relation == IMAGE_FINAL ? "true" : "false");
	image_set(r, f, "relation", image_relation_text(r->stage->relation));
	image_set(r, f, "platform", stage->platform);
}

/* The base image as the file says it, and as single builds choose it by their arguments. */
static struct fact *base_facts(struct image_reading *r, const struct dockerfile_stage *stage)
{
	struct fact *chosen[8], *f = NULL;
	size_t count, builds = r->file->builds.count;
	bool unsure;

	/* The defaults count where somebody builds with them. */
	expand_base(r, stage->base, &unsure);
	if (stage->parent >= 0 || !builds || (!unsure && builds < r->file->target_count))
		f = base_fact(r, stage);
	count = stage->parent < 0 && strchr(stage->base, '$')
			? image_base_variants(r, stage->base, chosen,
					      sizeof chosen / sizeof *chosen)
			: 0;
	if (!f && !count)
		f = base_fact(r, stage);
	for (size_t i = 0; i < count; i++)
		set_relation(r, chosen[i], stage);
	return f ? f : chosen[0];
}

static void from(struct image_reading *r, const struct dockerfile_instruction *in)
{
	const struct dockerfile_stage *stage = &r->file->parsed.stages[r->index];
	struct fact *f = base_facts(r, stage);
	const char *os = platform_os(&r->w->snapshot->arena, stage->platform);

	(void)in;
	set_relation(r, f, stage);
	for (int32_t at = stage->parent, n = 0; at >= 0 && n < 16; n++) {
		const struct dockerfile_stage *parent = &r->file->parsed.stages[at];

		snapshot_add_hop(r->w->snapshot, f, parent->base_span, parent->base, "stage");
		at = parent->parent;
	}
	if (os && strcmp(os, "windows") == 0)
		image_add_fact(r, FACT_TARGET_OS, os, stage->base_span);
	else if (strstr(f->value, "windows/") || strstr(f->value, "nanoserver") ||
		 strstr(f->value, "windowsservercore"))
		image_add_fact(r, FACT_TARGET_OS, "windows", stage->base_span);
}

/* --- RUN -------------------------------------------------------------------------------------- */

static void run_mount(struct image_reading *r, const struct dockerfile_flag *flag)
{
	struct arena *a = &r->w->snapshot->arena;
	const char *type = dockerfile_flag_part(a, flag, "type");
	const char *target = dockerfile_flag_part(a, flag, "target");
	const char *id = dockerfile_flag_part(a, flag, "id");
	bool secret = type && strcmp(type, "secret") == 0;
	bool ssh = type && strcmp(type, "ssh") == 0;

	if (!target)
		target = dockerfile_flag_part(a, flag, "dst");
	if (!target)
		target = dockerfile_flag_part(a, flag, "destination");
	image_read_source_image(r, dockerfile_flag_part(a, flag, "from"), flag->span);
	r->steps.secret_mount |= secret;
	if (secret || ssh)
		image_add_fact(r, secret ? FACT_BUILD_SECRET : FACT_BUILD_SSH,
			       id ? id : target ? target : "default", flag->span);
	if (target && !secret && !ssh)
		image_set(r, image_add_fact(r, FACT_BUILD_MOUNT, target, flag->span), "type",
			  type ? type : "bind");
}

static void run_flags(struct image_reading *r, const struct dockerfile_instruction *in)
{
	static const struct {
		const char *name, *value, *privilege;
	} privileges[] = {
		{ "security", "insecure", "security.insecure" },
		{ "network", "host", "network.host" },
	};

	for (size_t i = 0; i < in->flag_count; i++) {
		const struct dockerfile_flag *flag = &in->flags[i];

		if (strcmp(flag->name, "mount") == 0 && flag->value)
			run_mount(r, flag);
		if (strcmp(flag->name, "device") == 0)
			image_add_fact(r, FACT_BUILD_PRIVILEGE, "device", flag->span);
		for (size_t k = 0; k < sizeof privileges / sizeof *privileges; k++)
			if (strcmp(flag->name, privileges[k].name) == 0 && flag->value &&
			    strcmp(flag->value, privileges[k].value) == 0)
				image_add_fact(r, FACT_BUILD_PRIVILEGE, privileges[k].privilege,
					       flag->span);
	}
}

static void run_fact(struct image_reading *r, struct fact *f)
{
	if (r->trigger)
		image_set(r, f, "onbuild", "true");
	if (f->kind != FACT_SECRET_WRITTEN)
		return;
	if (r->stage->relation == IMAGE_ANCESTOR)
		image_set(r, f, "ancestor", "true");
	if (r->stage->relation == IMAGE_COPIED)
		image_set(r, f, "copied", "true");
}

static bool names_powershell(const char *program)
{
	const char *name = strrchr(program, '\\');

	return word_in("powershell pwsh powershell.exe pwsh.exe",
		       shell_base_name(name ? name + 1 : program));
}

/* Under such a SHELL, or as the first word of a line. */
static bool is_powershell(const struct image_reading *r, const struct dockerfile_instruction *in,
			  const struct shell *sh)
{
	if (sh->count && sh->items[0].words.count &&
	    names_powershell(sh->items[0].words.items[0].text))
		return true;
	return r->stage->powershell && in->form != DOCKERFILE_EXEC;
}

static void shell(struct image_reading *r, const struct dockerfile_instruction *in)
{
	r->stage->powershell = in->arg_count && names_powershell(in->args[0].text);
}

static void run(struct image_reading *r, const struct dockerfile_instruction *in)
{
	struct shell sh;
	size_t first = r->stage->row->facts.count;

	r->steps.secret_mount = false;
	run_flags(r, in);
	shell_read_instruction(&r->w->snapshot->arena, r->file->in->source, in, &sh);
	r->steps.powershell = is_powershell(r, in, &sh);
	steps_read(&r->steps, &sh);
	image_note_written(r, &sh);
	if (r->steps.powershell)
		step_powershell(&r->steps, &sh.text);
	for (size_t i = first; i < r->stage->row->facts.count; i++)
		run_fact(r, r->stage->row->facts.items[i]);
}

/* --- small ones ------------------------------------------------------------------------------- */

static const char *whole(struct image_reading *r, const struct dockerfile_instruction *in,
			 bool *unsure)
{
	*unsure = false;
	return in->arg_count ? image_expand(r, in->args[0].text, unsure) : NULL;
}

static void user(struct image_reading *r, const struct dockerfile_instruction *in)
{
	bool unsure;
	const char *name = whole(r, in, &unsure);
	struct fact *f;

	if (!name || !*name)
		return;
	f = user_fact(r->w, r->stage->row, name, in->args[0].span);
	if (unsure)
		f->provenance = PROVENANCE_UNRESOLVED;
	if (dockerfile_is_templated(name, strlen(name)))
		f->provenance = PROVENANCE_TEMPLATED;
	if (strcmp(name, in->args[0].text) != 0)
		f->note = "named by a variable; its value in the file is shown";
	/* Only the last USER starts the image; an earlier one is a link of its chain. */
	if (r->stage->user && r->stage->user->row == r->stage->row->index &&
	    r->stage->row->facts.count >= 2) {
		struct fact *old = r->stage->user;

		snapshot_replace_fact(r->stage->row, old, f);
		snapshot_add_hop(r->w->snapshot, f, old->span, old->value, "earlier");
	}
	r->stage->user = f;
}

static void workdir(struct image_reading *r, const struct dockerfile_instruction *in)
{
	bool unsure;
	const char *path = whole(r, in, &unsure);
	struct fact *f;

	if (!path || !*path)
		return;
	r->stage->workdir = image_path(&r->w->snapshot->arena, r->stage->workdir, path);
	f = image_add_fact(r, FACT_WORKDIR, unsure ? path : r->stage->workdir, in->args[0].span);
	if (unsure)
		f->provenance = PROVENANCE_UNRESOLVED;
}

static void expose_one(struct image_reading *r, const char *text, struct span span, bool unsure)
{
	struct arena *a = &r->w->snapshot->arena;
	size_t length = strcspn(text, "/");
	struct fact *f = image_add_fact(r, FACT_EXPOSE, text, span);

	image_set(r, f, "target", arena_copy(a, text, length));
	image_set(r, f, "protocol", text[length] ? text + length + 1 : "tcp");
	if (unsure)
		f->provenance = PROVENANCE_UNRESOLVED;
}

static void expose(struct image_reading *r, const struct dockerfile_instruction *in)
{
	for (size_t i = 0; i < in->arg_count; i++) {
		bool unsure;
		const char *text = image_expand(r, in->args[i].text, &unsure);

		expose_one(r, text, in->args[i].span, unsure);
	}
}

static void label(struct image_reading *r, const struct dockerfile_instruction *in)
{
	static const char *const claims[] = { "sandbox", "gvisor", "isolated", "secure" };
	struct arena *a = &r->w->snapshot->arena;

	for (size_t i = 0; i < in->pair_count; i++) {
		bool unsure;
		const char *name = image_expand(r, in->pairs[i].name, &unsure);

		image_add_fact(r, FACT_IMAGE_LABEL, name, in->pairs[i].name_span);
		for (size_t k = 0; k < sizeof claims / sizeof *claims; k++)
			if (strcmp(name, claims[k]) == 0)
				image_add_fact(r, FACT_ISOLATION_LABEL,
					       arena_printf(a, "label=%s", name),
					       in->pairs[i].name_span);
	}
}

static void volume(struct image_reading *r, const struct dockerfile_instruction *in)
{
	for (size_t i = 0; i < in->arg_count; i++) {
		bool unsure;
		const char *path = image_expand(r, in->args[i].text, &unsure);
		struct fact *f = image_add_fact(r, FACT_MOUNT, path, in->args[i].span);

		image_set(r, f, "type", "volume");
		image_set(r, f, "target", path);
		image_set(r, f, "read_only", "false");
		image_set(r, f, "anonymous", "true");
		if (unsure)
			f->provenance = PROVENANCE_UNRESOLVED;
	}
}

/* A trigger runs in the images that start from this one: it changes nothing of what holds here. */
static void onbuild(struct image_reading *r, const struct dockerfile_instruction *in)
{
	static const bool told[DOCKERFILE_KINDS] = {
		[DOCKERFILE_RUN] = true, [DOCKERFILE_COPY] = true, [DOCKERFILE_ADD] = true,
		[DOCKERFILE_ARG] = true, [DOCKERFILE_ENV] = true,
	};

	if (!in->trigger || !told[in->trigger->kind])
		return;
	r->trigger = true;
	image_read_instruction(r, in->trigger);
	r->trigger = false;
}

void image_read_triggers(struct image_reading *r, const struct dockerfile_stage *from)
{
	for (size_t i = from->from; i < from->end; i++) {
		const struct dockerfile_instruction *in = &r->file->parsed.items[i];
		struct dockerfile_instruction *here;

		if (in->kind != DOCKERFILE_ONBUILD || !in->trigger ||
		    in->trigger->kind == DOCKERFILE_ONBUILD || in->trigger->kind == DOCKERFILE_FROM)
			continue;
		if (r->file->trigger_count++ == LIMIT_TRIGGERS)
			input_problem(r->w, r->file->in, in->span,
				      "%s: the triggers are read %u times in the stages that start from "
				      "theirs; more are not assessed",
				      r->file->in->artifact->path, LIMIT_TRIGGERS);
		if (r->file->trigger_count > LIMIT_TRIGGERS)
			return;
		here = ARENA_NEW(&r->w->snapshot->arena, struct dockerfile_instruction);
		*here = *in->trigger;
		here->stage = r->index;
		r->at = here;
		image_read_instruction(r, here);
		dockerfile_scope_apply(&r->w->snapshot->arena, r->scope, here);
	}
}

static void template(struct image_reading *r, const struct dockerfile_instruction *in)
{
	struct fact *f = image_add_fact(r, FACT_BUILD, "part filled in by a template", in->span);

	f->provenance = PROVENANCE_TEMPLATED;
	f->note = "what a template puts here is not known: the image may hold more than is shown";
}

static reader *const readers[DOCKERFILE_KINDS] = {
	[DOCKERFILE_TEMPLATE] = template,
	[DOCKERFILE_ADD] = image_read_copy,
	[DOCKERFILE_ARG] = image_read_arg,
	[DOCKERFILE_CMD] = image_read_process,
	[DOCKERFILE_COPY] = image_read_copy,
	[DOCKERFILE_ENTRYPOINT] = image_read_process,
	[DOCKERFILE_ENV] = image_read_env,
	[DOCKERFILE_EXPOSE] = expose,
	[DOCKERFILE_FROM] = from,
	[DOCKERFILE_HEALTHCHECK] = image_read_health,
	[DOCKERFILE_LABEL] = label,
	[DOCKERFILE_ONBUILD] = onbuild,
	[DOCKERFILE_RUN] = run,
	[DOCKERFILE_SHELL] = shell,
	[DOCKERFILE_USER] = user,
	[DOCKERFILE_VOLUME] = volume,
	[DOCKERFILE_WORKDIR] = workdir,
};

void image_read_instruction(struct image_reading *r, const struct dockerfile_instruction *in)
{
	if (readers[in->kind] && !(in->kind == DOCKERFILE_FROM && r->index < 0))
		readers[in->kind](r, in);
}

/* Loading in slices: list, read and recognise, compare with the revision, join, judge.
 * SPDX-License-Identifier: MIT */
#include "src/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "model/limits.h"
#include "src/classify.h"
#include "src/evidence_age.h"
#include "src/formats/format.h"
#include "src/formats/roles.h"
#include "src/repo/digest.h"
#include "src/repo/repo.h"
#include "src/rules/rules.h"

#define LIST_SLICE 512
#define COMPARE_SLICE 64
#define OBSERVED_PREFIX "observed:"

struct tree {
	struct repo *repo;
	const char *prefix; /* put before paths; "" for the tree under review */
	size_t next;        /* entry to be read */
};

struct loader {
	struct snapshot snapshot;
	struct workspace workspace;
	struct {
		struct tree *items;
		size_t count, capacity;
	} trees; /* the first is the tree under review */
	enum load_stage stage;
	size_t tree; /* being read */
	const char *path;
	const char *identity;
	size_t most_bytes; /* of the arena */
	size_t join;
	bool stopped;
};

/* --- one file ------------------------------------------------------------------------------- */

static struct artifact *artifact_for(struct loader *l, const char *path)
{
	const struct artifact *known = snapshot_artifact_by_path(&l->snapshot, path);
	struct artifact *added;

	if (known)
		return l->snapshot.artifacts.items[known->index];
	added = snapshot_add_artifact(&l->snapshot, path);
	/* Where a file stands tells most, also of one that is not read. */
	added->class = classify(path, "", 0);
	return added;
}

static void not_read(struct artifact *artifact, enum artifact_state state, const char *reason)
{
	artifact->state = state;
	artifact->reason = reason;
}

static bool any_interest(const char *path)
{
	for (size_t i = 0; format_list[i]; i++)
		if (!format_list[i]->interested || format_list[i]->interested(path))
			return true;
	return false;
}

/* Reads and decodes a file; false when the artifact already says why not. */
static bool read_text(struct loader *l, struct artifact *artifact, const struct repo *repo,
		      const struct repo_entry *entry, struct repo_bytes *raw, const char **text,
		      size_t *length)
{
	struct arena *a = &l->snapshot.arena;

	if (!repo_read(repo, entry, a, raw)) {
		not_read(artifact, ARTIFACT_NOT_ASSESSED, raw->reason);
		return false;
	}
	artifact->bytes = raw->length;
	if (!text_decode(a, raw->bytes, raw->length, text, length)) {
		not_read(artifact, ARTIFACT_NOT_ASSESSED, "not text");
		return false;
	}
	return true;
}

static struct input *add_input(struct loader *l, struct artifact *artifact,
			       const struct repo_bytes *raw, const char *text, size_t length)
{
	struct arena *a = &l->snapshot.arena;
	struct input *in = ARENA_NEW(a, struct input);

	artifact->source = snapshot_add_source(&l->snapshot, artifact->path, text,
					       (uint32_t)length);
	artifact->class = classify(artifact->path, text, length);
	artifact->has_digest = true;
	digest_sha256(raw->bytes, raw->length, artifact->sha256);
	in->artifact = artifact;
	in->source = artifact->source;
	hash_index_put(a, &l->workspace.input_paths, artifact->path,
		       (uint32_t)l->workspace.inputs.count);
	*ARENA_PUSH(a, &l->workspace.inputs) = in;
	return in;
}

static enum syntax syntax_for(const char *path, enum syntax wanted)
{
	if (wanted == SYNTAX_TEXT)
		return wanted;
	if (path_ends(path, ".yaml .yml"))
		return SYNTAX_YAML;
	if (path_ends(path, ".toml"))
		return SYNTAX_TOML;
	/* Editors allow comments in many of these files; a file without any reads the same. */
	return path_ends(path, ".json .jsonc .code-workspace") ? SYNTAX_JSONC : wanted;
}

static void set_state(struct artifact *artifact)
{
	if (artifact->state == ARTIFACT_ASSESSED && artifact->problems.count) {
		artifact->state = ARTIFACT_PARTIAL;
		artifact->reason = "problems in the file";
	}
}

/* Lets every claiming format decide and read. */
static void recognise(struct loader *l, struct input *in, const bool *claimed)
{
	struct artifact *artifact = in->artifact;
	bool failed;

	for (size_t i = 0; format_list[i]; i++)
		if (claimed[i])
			input_parse(&l->workspace, in,
				    syntax_for(artifact->path, format_list[i]->syntax));
	failed = in->parsed && in->documents.failed;
	for (size_t i = 0; format_list[i]; i++) {
		const struct format *format = format_list[i];

		if (!claimed[i] || (format->recognise && !format->recognise(in)))
			continue;
		if (!artifact->formats)
			artifact->format = format->id;
		artifact->formats |= UINT64_C(1) << format->id;
		if (format->read)
			format->read(&l->workspace, in);
	}
	if (artifact->formats)
		not_read(artifact, ARTIFACT_ASSESSED, NULL);
	else if (failed)
		not_read(artifact, ARTIFACT_NOT_ASSESSED, "could not be parsed");
	else
		not_read(artifact, ARTIFACT_IGNORED, "content of no known format");
}

static bool claim(const char *path, const char *text, size_t length, bool *claimed)
{
	bool any = false;

	for (size_t i = 0; format_list[i]; i++) {
		const struct format *format = format_list[i];

		claimed[i] = (!format->interested || format->interested(path)) &&
			     (!format->claims || format->claims(path, text, length));
		any |= claimed[i];
	}
	return any;
}

static void read_entry(struct loader *l, const struct tree *tree, const struct repo_entry *entry)
{
	struct arena *a = &l->snapshot.arena;
	const char *path = *tree->prefix ? arena_printf(a, "%s%s", tree->prefix, entry->path)
					 : entry->path;
	struct artifact *artifact = artifact_for(l, path);
	bool claimed[FORMAT_COUNT + 1] = { false };
	struct repo_bytes raw;
	const char *text;
	size_t length;

	l->path = artifact->path;
	l->snapshot.files_seen++;
	artifact->bytes = entry->size;
	if (artifact->source)
		return;
	if (entry->kind == REPO_SKIPPED) {
		not_read(artifact, ARTIFACT_IGNORED, entry->reason);
		return;
	}
	if (entry->kind != REPO_FILE && entry->kind != REPO_TOO_LARGE) {
		not_read(artifact, ARTIFACT_NOT_ASSESSED, entry->reason);
		return;
	}
	if (!any_interest(path)) {
		not_read(artifact, ARTIFACT_IGNORED, "name of no known format");
		return;
	}
	if (a->used > l->most_bytes) {
		not_read(artifact, ARTIFACT_NOT_ASSESSED, "the tree is too large to be held in memory");
		return;
	}
	if (!read_text(l, artifact, tree->repo, entry, &raw, &text, &length))
		return;
	if (!claim(path, text, length, claimed)) {
		not_read(artifact, ARTIFACT_IGNORED, "content of no known format");
		return;
	}
	recognise(l, add_input(l, artifact, &raw, text, length), claimed);
}

/* --- what formats may ask ------------------------------------------------------------------- */

static struct input *open_path(struct workspace *w, const char *path, enum format_id format)
{
	struct loader *l = w->host;
	struct input *in = workspace_input(w, path);
	const struct repo_entry *entry;
	struct artifact *artifact;
	struct repo_bytes raw;
	const char *text;
	size_t length;

	if (!in) {
		entry = repo_find(l->trees.items[0].repo, path);
		if (!entry || (entry->kind != REPO_FILE && entry->kind != REPO_TOO_LARGE))
			return NULL;
		artifact = artifact_for(l, entry->path);
		if (!read_text(l, artifact, l->trees.items[0].repo, entry, &raw, &text, &length))
			return NULL;
		in = add_input(l, artifact, &raw, text, length);
	}
	input_assess(in, format);
	return in;
}

static bool path_exists(struct workspace *w, const char *path)
{
	const struct repo *repo = ((struct loader *)w->host)->trees.items[0].repo;

	return repo_find(repo, path) || repo_has_directory(repo, path);
}

/* --- start ---------------------------------------------------------------------------------- */

static bool add_tree(struct loader *l, const char *path, const char *revision, const char *prefix,
		     struct buf *why)
{
	struct repo *repo = repo_open(&l->snapshot.arena, path, revision, why);

	if (!repo)
		return false;
	*ARENA_PUSH(&l->snapshot.arena, &l->trees) = (struct tree){ .repo = repo,
								    .prefix = prefix };
	return true;
}

static struct string_list copy_list(struct arena *a, const struct string_list *from)
{
	struct string_list copy = { 0 };

	for (size_t i = 0; i < from->count; i++)
		*ARENA_PUSH(a, &copy) = arena_strdup(a, from->items[i]);
	return copy;
}

static const char *copy_or_empty(struct arena *a, const char *text)
{
	return text ? arena_strdup(a, text) : "";
}

static void set_scope(struct loader *l, const struct scope *given)
{
	struct arena *a = &l->snapshot.arena;
	const struct repo_info *info = repo_info(l->trees.items[0].repo);

	l->snapshot.scope = (struct scope){
		.root = arena_strdup(a, info->name),
		.revision = copy_or_empty(a, info->revision),
		.tree = "not-git",
		.runtime = copy_or_empty(a, given->runtime),
		.os = copy_or_empty(a, given->os),
		.kubernetes = copy_or_empty(a, given->kubernetes),
		.deployment = copy_or_empty(a, given->deployment),
		.compose_files = copy_list(a, &given->compose_files),
		.project_directory = given->project_directory ?
					     arena_strdup(a, given->project_directory) : NULL,
		.profiles = copy_list(a, &given->profiles),
		.env_files = copy_list(a, &given->env_files),
	};
	l->identity = arena_printf(a, "%016llx",
				   (unsigned long long)hash_bytes(info->real_path,
								  strlen(info->real_path)));
}

/* An environment file named on the command line may lie anywhere: it is the reviewer's, not the tree's. */
static bool add_env_file(struct loader *l, const char *path, struct buf *why)
{
	struct arena *a = &l->snapshot.arena;
	struct repo *repo = repo_open(a, path, NULL, why);
	struct artifact *artifact;
	struct repo_bytes raw;
	const char *text;
	size_t length;
	struct input *in;

	if (!repo)
		return false;
	repo_list(repo);
	artifact = artifact_for(l, path);
	if (repo_count(repo) == 1 &&
	    read_text(l, artifact, repo, repo_at(repo, 0), &raw, &text, &length)) {
		in = add_input(l, artifact, &raw, text, length);
		in->given = true;
		artifact->format = FORMAT_DOTENV;
		artifact->formats = FORMAT_BIT(DOTENV);
	}
	repo_close(repo);
	return true;
}

struct loader *load_start(const struct load_options *options, struct buf *why)
{
	struct loader *l = calloc(1, sizeof *l);
	bool ok;

	if (!l)
		abort();
	l->workspace = (struct workspace){ .snapshot = &l->snapshot, .open = open_path,
					   .exists = path_exists, .host = l };
	l->most_bytes = options->most_bytes ? options->most_bytes : LIMIT_SNAPSHOT_BYTES;
	ok = add_tree(l, options->path ? options->path : ".", options->revision, "", why);
	for (size_t i = 0; ok && i < options->observed.count; i++)
		ok = add_tree(l, options->observed.items[i], NULL, OBSERVED_PREFIX, why);
	for (size_t i = 0; ok && i < options->scope.env_files.count; i++)
		ok = add_env_file(l, options->scope.env_files.items[i], why);
	if (!ok) {
		load_free(l);
		return NULL;
	}
	set_scope(l, &options->scope);
	return l;
}

void load_free(struct loader *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->trees.count; i++)
		repo_close(l->trees.items[i].repo);
	snapshot_free(&l->snapshot);
	free(l);
}

/* --- steps ---------------------------------------------------------------------------------- */

static bool step_listing(struct loader *l)
{
	for (size_t i = 0; i < l->trees.count; i++)
		if (repo_list_step(l->trees.items[i].repo, LIST_SLICE))
			return false;
	return true;
}

static bool step_reading(struct loader *l)
{
	struct tree *tree = &l->trees.items[l->tree];

	if (tree->next < repo_count(tree->repo))
		read_entry(l, tree, repo_at(tree->repo, tree->next++));
	if (tree->next < repo_count(tree->repo))
		return false;
	return ++l->tree >= l->trees.count;
}

static void take_status(struct loader *l)
{
	const struct repo_info *info = repo_info(l->trees.items[0].repo);
	struct scope *scope = &l->snapshot.scope;
	struct arena *a = &l->snapshot.arena;

	scope->tree = info->state == REPO_NOT_GIT ? "not-git"
		      : info->dirty_count	  ? "dirty"
						  : "clean";
	for (size_t i = 0; i < info->change_count; i++)
		if (info->changes[i].flags & ~(unsigned)REPO_IGNORED)
			*ARENA_PUSH(a, &scope->changed) = arena_strdup(a, info->changes[i].path);
}

static bool step_comparing(struct loader *l)
{
	if (repo_status_step(l->trees.items[0].repo, COMPARE_SLICE))
		return false;
	take_status(l);
	return true;
}

static bool step_joining(struct loader *l)
{
	if (format_list[l->join] && format_list[l->join]->join)
		format_list[l->join]->join(&l->workspace);
	return !format_list[l->join] || !format_list[++l->join];
}

static bool step_judging(struct loader *l)
{
	struct rule_table tables[RULE_TABLE_COUNT];

	for (size_t i = 0; i < l->snapshot.artifacts.count; i++)
		set_state(l->snapshot.artifacts.items[i]);
	roles_propose(&l->workspace);
	evidence_age(&l->snapshot, repo_info(l->trees.items[0].repo)->committed);
	rules_tables(tables);
	eval_snapshot(&l->snapshot, tables, RULE_TABLE_COUNT, digest_sha256);
	return true;
}

/* One unit of work of each stage; true when the stage is over. */
static bool (*const stage_steps[])(struct loader *) = {
	[LOAD_LISTING] = step_listing,	 [LOAD_READING] = step_reading,
	[LOAD_COMPARING] = step_comparing, [LOAD_JOINING] = step_joining,
	[LOAD_JUDGING] = step_judging,
};

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

bool load_step(struct loader *l, unsigned budget_ms)
{
	double until = now_ms() + budget_ms;

	while (l->stage != LOAD_DONE) {
		if (stage_steps[l->stage](l))
			l->stage = (enum load_stage)(l->stage + 1);
		if (now_ms() >= until)
			break;
	}
	return l->stage != LOAD_DONE;
}

void load_progress(const struct loader *l, struct load_progress *out)
{
	*out = (struct load_progress){ .stage = l->stage, .path = l->path ? l->path : "" };
	for (size_t i = 0; i < l->trees.count; i++) {
		out->done += l->trees.items[i].next;
		out->total += repo_count(l->trees.items[i].repo);
	}
}

const char *load_identity(const struct loader *l)
{
	return l->identity;
}

/* Files that a stopped load never looked at still end in a coverage state. */
static void mark_unread(struct loader *l)
{
	for (size_t i = 0; i < l->trees.count; i++) {
		struct tree *tree = &l->trees.items[i];

		for (; tree->next < repo_count(tree->repo); tree->next++) {
			const struct repo_entry *entry = repo_at(tree->repo, tree->next);

			if (!snapshot_artifact_by_path(&l->snapshot, entry->path))
				not_read(snapshot_add_artifact(&l->snapshot, entry->path),
					 ARTIFACT_NOT_ASSESSED, "reading was stopped");
			l->snapshot.files_seen++;
		}
	}
}

void load_finish(struct loader *l, struct snapshot *out)
{
	if (l->stage < LOAD_JOINING) {
		l->snapshot.partial = true;
		mark_unread(l);
		if (l->stage <= LOAD_COMPARING)
			take_status(l);
		l->stage = LOAD_JOINING;
	}
	while (load_step(l, 1000))
		continue;
	snapshot_label_rows(&l->snapshot);
	l->snapshot.finished = true;
	*out = l->snapshot;
	l->snapshot = (struct snapshot){ 0 };
	load_free(l);
}

bool load_all(const struct load_options *options, struct snapshot *out, struct buf *why)
{
	struct loader *l = load_start(options, why);

	if (!l)
		return false;
	while (load_step(l, 1000))
		continue;
	load_finish(l, out);
	return true;
}

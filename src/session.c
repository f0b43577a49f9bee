/* Opening and closing of a session.
 * SPDX-License-Identifier: MIT */
#include "src/session.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/cmd.h"
#include "src/load.h"
#include "src/repo/digest.h"
#include "src/rules/rules.h"

static void hash_catalogue(char out[DIGEST_HEX])
{
	struct rule_table tables[RULE_TABLE_COUNT];
	unsigned char digest[DIGEST_BYTES];
	struct buf text = { 0 };

	rules_tables(tables);
	for (size_t t = 0; t < RULE_TABLE_COUNT; t++)
		for (size_t i = 0; i < tables[t].count; i++) {
			const struct rule *r = &tables[t].rules[i];

			buf_printf(&text, "%s\n%s\n%d%d%d%d\n%s\n%s\n%s\n%s\n%s\n%s\n%s\n",
				   r->slug, field_table[r->field].slug, (int)r->severity,
				   (int)r->confidence, r->combination, r->task_context,
				   r->trigger, r->consequence, r->fix, r->compatibility, r->owner,
				   r->restore, r->concepts);
		}
	digest_sha256(buf_text(&text), text.length, digest);
	digest_hex(digest, out);
	buf_free(&text);
}

static void show_progress(const struct loader *l, bool visible)
{
	struct load_progress p;

	if (!visible)
		return;
	load_progress(l, &p);
	fprintf(stderr, "\rreading %zu of %s%zu files", p.done,
		p.stage == LOAD_LISTING ? "~" : "", p.total);
	fflush(stderr);
}

static void step_load(struct loader *l, bool progress)
{
	while (load_step(l, 200))
		show_progress(l, progress);
	if (progress)
		fputs("\r\033[K", stderr);
}

static const char *given_or_reviewed(const struct session *s, const char *given, const char *name)
{
	const char *kept = given ? NULL : review_scope(&s->review, name);

	return kept ? kept : given;
}

/* Words of the review's setting NAME, unless GIVEN has some. */
static struct string_list listed(struct session *s, struct string_list given, const char *name)
{
	const char *kept = given.count ? NULL : review_scope(&s->review, name);

	for (; kept && *kept; kept += strspn(kept, " ")) {
		size_t n = strcspn(kept, " ");

		if (n)
			*ARENA_PUSH(&s->arena, &given) = arena_copy(&s->arena, kept, n);
		kept += n;
	}
	return given;
}

static struct load_options load_options(struct session *s, const struct options *o,
					const char *path)
{
	return (struct load_options){
		.path = path,
		.revision = o->revision,
		.observed = o->observed,
		.scope = {
			.runtime = given_or_reviewed(s, o->runtime, "runtime"),
			.os = given_or_reviewed(s, o->os, "os"),
			.kubernetes = given_or_reviewed(s, o->kubernetes, "kubernetes"),
			.deployment = given_or_reviewed(s, o->deployment, "deployment"),
			.compose_files = listed(s, o->compose_files, "compose-files"),
			.project_directory = o->project_directory,
			.profiles = listed(s, o->profiles, "profiles"),
			.env_files = o->env_files,
		},
	};
}

static struct loader *start(struct session *s, const struct options *o, const char *path,
			    struct buf *why)
{
	struct load_options options = load_options(s, o, path);

	return load_start(&options, why);
}

static bool read_review(struct session *s, const struct options *o, const char *identity,
			struct buf *why)
{
	const char *path;

	s->reviews = o->reviews;
	if (!s->reviews.count) {
		path = journal_default_path(&s->arena, identity);
		if (!path)
			return true;
		*ARENA_PUSH(&s->arena, &s->reviews) = path;
	}
	return journal_read_all(&s->review, &s->reviews, why);
}

/* The review may hold the intended runtime and versions, which the load needs: so the tree is opened, then
 * the review is found by the tree's identity, and the load starts anew when it has something to say. */
static struct loader *start_reviewed(struct session *s, const struct options *o, const char *path,
				     struct buf *why)
{
	struct loader *l = start(s, o, path, why);

	if (!l)
		return NULL;
	if (!read_review(s, o, load_identity(l), why)) {
		load_free(l);
		return NULL;
	}
	if (s->review.scopes.count) {
		load_free(l);
		l = start(s, o, path, why);
	}
	return l;
}

static const char *reviewer_name(const struct options *o)
{
	const char *name = o->reviewer ? o->reviewer : getenv("USER");
	const struct passwd *entry;

	if (name && *name)
		return name;
	entry = getpwuid(getuid());
	return entry && entry->pw_name ? entry->pw_name : "reviewer";
}

struct loader *session_begin(struct session *s, const struct options *o, const char *path,
			     struct buf *why)
{
	*s = (struct session){ 0 };
	s->reviewer = arena_strdup(&s->arena, reviewer_name(o));
	return start_reviewed(s, o, path, why);
}

void session_match(struct session *s)
{
	match_free(&s->match);
	match_build_on(&s->match, &s->snapshot, &s->review, digest_sha256, s->today);
}

void session_loaded(struct session *s, struct loader *l)
{
	char now[21];

	load_finish(l, &s->snapshot);
	hash_catalogue(s->catalogue);
	journal_now(now);
	snprintf(s->today, sizeof s->today, "%.10s", now);
	session_match(s);
}

bool session_open(struct session *s, const struct options *o, const char *path)
{
	bool progress = !o->quiet && isatty(STDERR_FILENO) && isatty(STDOUT_FILENO);
	struct buf why = { 0 };
	struct loader *l = session_begin(s, o, path, &why);

	if (!l) {
		cmd_error("%s", buf_text(&why));
		session_close(s);
	} else {
		step_load(l, progress);
		session_loaded(s, l);
	}
	buf_free(&why);
	return l != NULL;
}

void session_close(struct session *s)
{
	journal_close(&s->journal);
	match_free(&s->match);
	review_free(&s->review);
	snapshot_free(&s->snapshot);
	arena_free(&s->arena);
}

bool session_write(struct session *s, const struct options *o)
{
	struct buf why = { 0 };
	bool ok = false;

	if (o->read_only)
		cmd_error("nothing is recorded with --read-only");
	else if (!s->reviews.count)
		cmd_error("no place for the review: set XDG_STATE_HOME or use --review FILE");
	else if (!journal_open(&s->journal, s->reviews.items[0], &why))
		cmd_error("%s", buf_text(&why));
	else
		ok = true;
	buf_free(&why);
	return ok;
}

static bool check_event(const struct event *e, struct buf *why)
{
	const struct {
		const char *name, *text;
	} texts[] = {
		{ "reviewer", e->who },   { "key", e->key },     { "value", e->value },
		{ "basis", e->basis },    { "note", e->note },   { "owner", e->owner },
		{ "expires", e->expires },
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (texts[i].text && !journal_check_text(texts[i].name, texts[i].text, why))
			return false;
	return true;
}

bool session_append(struct session *s, struct event *event, struct buf *why)
{
	char now[21];

	journal_now(now);
	event->when = arena_strdup(&s->arena, now);
	event->who = s->reviewer;
	return check_event(event, why) && journal_append(&s->journal, event, &s->arena, why);
}

bool session_record(struct session *s, struct event *event)
{
	struct buf why = { 0 };
	bool ok = session_append(s, event, &why);

	if (ok)
		review_apply(&s->review, event);
	else
		cmd_error("%s", buf_text(&why));
	buf_free(&why);
	return ok;
}

struct report session_report(struct session *s)
{
	char digest[DIGEST_HEX];

	session_digest(s, digest);
	return (struct report){
		.snapshot = &s->snapshot,
		.review = &s->review,
		.match = &s->match,
		.version = BOUNDWALK_VERSION,
		.catalogue = s->catalogue,
		.digest = digest_sha256,
		.review_digest = arena_strdup(&s->arena, digest),
		.is_signed = session_is_signed(s),
	};
}

/* --- signatures --------------------------------------------------------------------------------- */

void session_digest(const struct session *s, char out[DIGEST_HEX])
{
	const struct scope *scope = &s->snapshot.scope;
	struct buf text = { 0 };
	unsigned char digest[DIGEST_BYTES];
	char hex[DIGEST_HEX];

	buf_printf(&text, "%s\n%s\n%s\n%s\n%s\n%s\n%d\n", s->catalogue, scope->revision,
		   scope->runtime, scope->os, scope->kubernetes, scope->deployment,
		   s->snapshot.partial);
	for (size_t i = 0; i < scope->compose_files.count; i++)
		buf_printf(&text, "compose-file %s\n", scope->compose_files.items[i]);
	for (size_t i = 0; i < scope->profiles.count; i++)
		buf_printf(&text, "profile %s\n", scope->profiles.items[i]);
	for (size_t i = 0; i < s->snapshot.artifacts.count; i++) {
		const struct artifact *a = s->snapshot.artifacts.items[i];

		if (!a->has_digest)
			continue;
		digest_hex(a->sha256, hex);
		buf_printf(&text, "%s %s\n", a->path, hex);
	}
	review_digest(&s->review, digest_sha256, hex);
	buf_puts(&text, hex);
	digest_sha256(buf_text(&text), text.length, digest);
	digest_hex(digest, out);
	buf_free(&text);
}

bool session_is_signed(const struct session *s)
{
	char digest[DIGEST_HEX];

	session_digest(s, digest);
	for (size_t i = 0; i < s->review.signatures.count; i++)
		if (strcmp(s->review.signatures.items[i].digest, digest) == 0)
			return true;
	return false;
}

/* The JSON report: scope, artifacts, coverage, review; rows and findings have their own files.
 * SPDX-License-Identifier: MIT */
#include "src/report/json_internal.h"

#include <stdio.h>
#include <string.h>

#include "model/secret.h"

void json_place(const struct report *r, struct buf *out, struct span span)
{
	json_put_member(out, "path", shared_path(snapshot_path(r->snapshot, span)));
	json_put_member_number(out, "line", snapshot_line(r->snapshot, span));
}

void json_text(struct buf *out, const char *key, const char *text)
{
	struct buf redacted = { 0 };

	if (text)
		secret_redact(&redacted, text, strlen(text));
	json_put_member(out, key, text ? buf_text(&redacted) : NULL);
	buf_free(&redacted);
}

void json_prose(struct buf *out, const char *key, const char *text)
{
	struct buf redacted = { 0 };

	secret_redact_prose(&redacted, text, strlen(text));
	json_put_member(out, key, buf_text(&redacted));
	buf_free(&redacted);
}

void json_member_or_null(struct buf *out, const char *key, const char *text)
{
	json_put_member(out, key, text && *text ? text : NULL);
}

void json_words(struct buf *out, const char *text)
{
	json_put_open(out, '[');
	while (text && *text) {
		size_t length = strcspn(text, " ");

		if (length)
			json_put_bytes(out, text, length);
		text += length;
		text += strspn(text, " ");
	}
	json_put_close(out, ']');
}

static void put_list(struct buf *out, const char *key, const struct string_list *list)
{
	json_put_key(out, key);
	json_put_open(out, '[');
	for (size_t i = 0; i < list->count; i++)
		json_put_string(out, shared_path(list->items[i]));
	json_put_close(out, ']');
}

static void put_tool(const struct report *r, struct buf *out)
{
	json_put_key(out, "tool");
	json_put_open(out, '{');
	json_put_member(out, "name", "boundwalk");
	json_put_member(out, "version", r->version);
	json_put_member(out, "catalogue", r->catalogue);
	json_put_close(out, '}');
}

static void put_scope(const struct report *r, struct buf *out)
{
	const struct scope *s = &r->snapshot->scope;

	json_put_key(out, "scope");
	json_put_open(out, '{');
	json_put_member(out, "root", s->root);
	json_put_member(out, "revision", s->revision);
	json_put_member(out, "tree", s->tree);
	put_list(out, "changed", &s->changed);
	json_put_member(out, "runtime", s->runtime);
	json_put_member(out, "os", s->os);
	json_put_member(out, "kubernetes", s->kubernetes);
	json_put_member(out, "deployment", s->deployment);
	put_list(out, "compose_files", &s->compose_files);
	if (s->project_directory)
		json_put_member(out, "project_directory", s->project_directory);
	put_list(out, "profiles", &s->profiles);
	put_list(out, "env_files", &s->env_files);
	json_put_member_bool(out, "partial", r->snapshot->partial);
	json_put_close(out, '}');
}

static void put_problems(const struct report *r, struct buf *out, const struct artifact *a)
{
	json_put_key(out, "problems");
	json_put_open(out, '[');
	for (size_t i = 0; i < a->problems.count; i++) {
		const struct problem *p = &a->problems.items[i];

		json_put_open(out, '{');
		json_put_member_number(out, "line", snapshot_line(r->snapshot, p->span));
		json_put_member_number(out, "column", snapshot_column(r->snapshot, p->span));
		json_prose(out, "message", p->message);
		json_put_close(out, '}');
	}
	json_put_close(out, ']');
	if (a->problems.dropped)
		json_put_member_number(out, "problems_dropped", (int64_t)a->problems.dropped);
}

static void put_artifact(const struct report *r, struct buf *out, const struct artifact *a)
{
	char id[16], hex[DIGEST_HEX];

	snprintf(id, sizeof id, "A%u", r->match->artifact_numbers[a->index]);
	if (a->has_digest)
		digest_hex(a->sha256, hex);
	json_put_open(out, '{');
	json_put_member(out, "id", id);
	json_put_member(out, "path", shared_path(a->path));
	json_put_member(out, "format", format_table[a->format].name);
	json_put_member(out, "class", artifact_class_names[a->class]);
	json_put_member(out, "sha256", a->has_digest ? hex : NULL);
	json_put_member_number(out, "bytes", (int64_t)a->bytes);
	json_put_member(out, "state", artifact_state_names[a->state]);
	if (a->reason)
		json_prose(out, "reason", a->reason);
	else
		json_put_member(out, "reason", NULL);
	put_problems(r, out, a);
	if (a->captured_at)
		json_put_member(out, "captured_at", a->captured_at);
	if (a->target)
		json_put_member(out, "target", a->target);
	json_put_close(out, '}');
}

static void put_artifacts(const struct report *r, struct buf *out)
{
	json_put_key(out, "artifacts");
	json_put_open(out, '[');
	for (size_t i = 0; i < r->snapshot->artifacts.count; i++)
		put_artifact(r, out, r->snapshot->artifacts.items[i]);
	json_put_close(out, ']');
}

static void put_coverage(const struct report *r, struct buf *out)
{
	const struct counts *n = &r->match->counts;

	json_put_key(out, "coverage");
	json_put_open(out, '{');
	json_put_member_number(out, "files", (int64_t)n->files);
	json_put_member_number(out, "assessed", (int64_t)n->assessed);
	json_put_member_number(out, "partial", (int64_t)n->partial);
	json_put_member_number(out, "not_assessed", (int64_t)n->not_assessed);
	json_put_member_number(out, "ignored", (int64_t)n->ignored);
	json_put_key(out, "cells");
	json_put_open(out, '{');
	json_put_member_number(out, "observed", (int64_t)n->by_mark[MARK_OBSERVED]);
	json_put_member_number(out, "declared", (int64_t)n->by_mark[MARK_DECLARED]);
	json_put_member_number(out, "unavailable", (int64_t)n->by_mark[MARK_UNAVAILABLE]);
	json_put_close(out, '}');
	put_list(out, "limits", &r->snapshot->limits);
	json_put_close(out, '}');
}

static void put_signatures(const struct report *r, struct buf *out)
{
	json_put_key(out, "signed");
	json_put_open(out, '[');
	for (size_t i = 0; i < r->review->signatures.count; i++) {
		const struct signature *s = &r->review->signatures.items[i];

		json_put_open(out, '{');
		json_put_member(out, "who", s->who);
		json_put_member(out, "role", s->role);
		json_put_member(out, "decision", s->decision);
		json_put_member(out, "when", s->when);
		json_put_member(out, "digest", s->digest);
		json_put_close(out, '}');
	}
	json_put_close(out, ']');
}

static void put_review(const struct report *r, struct buf *out)
{
	json_put_key(out, "review");
	json_put_open(out, '{');
	json_put_member_number(out, "marks", (int64_t)r->review->marks.count);
	json_put_member_number(out, "confirmed", (int64_t)r->match->counts.confirmed);
	json_put_member_number(out, "stale", (int64_t)r->match->counts.stale);
	json_put_member_number(out, "orphan", (int64_t)r->match->orphans.count);
	json_put_member_number(out, "disputed", (int64_t)r->match->counts.disputed);
	put_signatures(r, out);
	json_put_close(out, '}');
}

static void put_hop(const struct report *r, const struct path *p, const struct finding *f,
		    struct buf *out)
{
	const struct fact *fact = f->citations[0].fact;

	json_put_open(out, '{');
	json_put_member(out, "row", p->from->key);
	json_put_member(out, "fact", fact ? fact_kind_table[fact->kind].name : NULL);
	json_put_member(out, "path", snapshot_path(r->snapshot, f->citations[0].span));
	json_put_member_number(out, "line", snapshot_line(r->snapshot, f->citations[0].span));
	json_put_member(out, "finding", f->id);
	json_put_close(out, '}');
}

static void put_paths(const struct report *r, struct buf *out)
{
	json_put_key(out, "paths");
	json_put_open(out, '[');
	for (size_t i = 0; i < r->match->paths.count; i++) {
		const struct path *p = &r->match->paths.items[i];

		json_put_open(out, '{');
		json_put_member(out, "from", p->from->key);
		json_put_member(out, "to", reach_target_names[p->to]);
		json_put_key(out, "hops");
		json_put_open(out, '[');
		for (size_t k = 0; k < p->hops.count; k++)
			put_hop(r, p, p->hops.items[k], out);
		json_put_close(out, ']');
		json_put_member(out, "weakest", evidence_names[p->weakest]);
		json_put_close(out, '}');
	}
	json_put_close(out, ']');
}

void report_json(const struct report *r, struct buf *out)
{
	json_put_open(out, '{');
	json_put_member(out, "schema", "boundwalk/1");
	put_tool(r, out);
	put_scope(r, out);
	put_artifacts(r, out);
	json_rows(r, out);
	json_findings(r, out);
	put_paths(r, out);
	json_unknowns(r, out);
	put_coverage(r, out);
	put_review(r, out);
	json_put_close(out, '}');
	buf_putc(out, '\n');
}

/* The JSON report: scope, artifacts, coverage, review; rows and findings have their own files.
 * SPDX-License-Identifier: MIT */
#include "src/report/json_internal.h"

#include <stdio.h>
#include <string.h>

void json_place(struct json *j, struct span span)
{
	json_put_member(j->out, "path", shared_path(snapshot_path(j->report->snapshot, span)));
	json_put_member_number(j->out, "line", snapshot_line(j->report->snapshot, span));
}

void json_text(struct json *j, const char *key, const char *text)
{
	json_put_member(j->out, key, text ? safe_text(&j->safe, text, SAFE_VALUE) : NULL);
}

void json_prose(struct json *j, const char *key, const char *text)
{
	json_put_member(j->out, key, safe_text(&j->safe, text, SAFE_PROSE));
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

static void put_tool(struct json *j)
{
	json_put_key(j->out, "tool");
	json_put_open(j->out, '{');
	json_put_member(j->out, "name", "boundwalk");
	json_put_member(j->out, "version", j->report->version);
	json_put_member(j->out, "catalogue", j->report->catalogue);
	json_put_close(j->out, '}');
}

static void put_scope(struct json *j)
{
	const struct scope *s = &j->report->snapshot->scope;

	json_put_key(j->out, "scope");
	json_put_open(j->out, '{');
	json_put_member(j->out, "root", s->root);
	json_put_member(j->out, "revision", s->revision);
	json_put_member(j->out, "tree", s->tree);
	put_list(j->out, "changed", &s->changed);
	json_put_member(j->out, "runtime", s->runtime);
	json_put_member(j->out, "os", s->os);
	json_put_member(j->out, "kubernetes", s->kubernetes);
	json_put_member(j->out, "deployment", s->deployment);
	put_list(j->out, "compose_files", &s->compose_files);
	if (s->project_directory)
		json_put_member(j->out, "project_directory", s->project_directory);
	put_list(j->out, "profiles", &s->profiles);
	put_list(j->out, "env_files", &s->env_files);
	json_put_member_bool(j->out, "partial", j->report->snapshot->partial);
	json_put_close(j->out, '}');
}

static void put_problems(struct json *j, const struct artifact *a)
{
	json_put_key(j->out, "problems");
	json_put_open(j->out, '[');
	for (size_t i = 0; i < a->problems.count; i++) {
		const struct problem *p = &a->problems.items[i];

		json_put_open(j->out, '{');
		json_put_member_number(j->out, "line", snapshot_line(j->report->snapshot, p->span));
		json_put_member_number(j->out, "column", snapshot_column(j->report->snapshot, p->span));
		json_prose(j, "message", p->message);
		json_put_close(j->out, '}');
	}
	json_put_close(j->out, ']');
	if (a->problems.dropped)
		json_put_member_number(j->out, "problems_dropped", (int64_t)a->problems.dropped);
}

static void put_artifact(struct json *j, const struct artifact *a)
{
	char id[16], hex[DIGEST_HEX];

	snprintf(id, sizeof id, "A%u", j->report->match->artifact_numbers[a->index]);
	if (a->has_digest)
		digest_hex(a->sha256, hex);
	json_put_open(j->out, '{');
	json_put_member(j->out, "id", id);
	json_put_member(j->out, "path", shared_path(a->path));
	json_put_member(j->out, "format", format_table[a->format].name);
	json_put_member(j->out, "class", artifact_class_names[a->class]);
	json_put_member(j->out, "sha256", a->has_digest ? hex : NULL);
	json_put_member_number(j->out, "bytes", (int64_t)a->bytes);
	json_put_member(j->out, "state", artifact_state_names[a->state]);
	if (a->reason)
		json_prose(j, "reason", a->reason);
	else
		json_put_member(j->out, "reason", NULL);
	put_problems(j, a);
	if (a->captured_at)
		json_put_member(j->out, "captured_at", a->captured_at);
	if (a->target)
		json_put_member(j->out, "target", a->target);
	json_put_close(j->out, '}');
}

static void put_artifacts(struct json *j)
{
	json_put_key(j->out, "artifacts");
	json_put_open(j->out, '[');
	for (size_t i = 0; i < j->report->snapshot->artifacts.count; i++)
		put_artifact(j, j->report->snapshot->artifacts.items[i]);
	json_put_close(j->out, ']');
}

static void put_coverage(struct json *j)
{
	const struct counts *n = &j->report->match->counts;

	json_put_key(j->out, "coverage");
	json_put_open(j->out, '{');
	json_put_member_number(j->out, "files", (int64_t)n->files);
	json_put_member_number(j->out, "assessed", (int64_t)n->assessed);
	json_put_member_number(j->out, "partial", (int64_t)n->partial);
	json_put_member_number(j->out, "not_assessed", (int64_t)n->not_assessed);
	json_put_member_number(j->out, "ignored", (int64_t)n->ignored);
	json_put_key(j->out, "cells");
	json_put_open(j->out, '{');
	json_put_member_number(j->out, "observed", (int64_t)n->by_mark[MARK_OBSERVED]);
	json_put_member_number(j->out, "declared", (int64_t)n->by_mark[MARK_DECLARED]);
	json_put_member_number(j->out, "unavailable", (int64_t)n->by_mark[MARK_UNAVAILABLE]);
	json_put_close(j->out, '}');
	put_list(j->out, "limits", &j->report->snapshot->limits);
	json_put_close(j->out, '}');
}

static void put_signatures(struct json *j)
{
	json_put_key(j->out, "signed");
	json_put_open(j->out, '[');
	for (size_t i = 0; i < j->report->review->signatures.count; i++) {
		const struct signature *s = &j->report->review->signatures.items[i];

		json_put_open(j->out, '{');
		json_put_member(j->out, "who", s->who);
		json_put_member(j->out, "role", s->role);
		json_put_member(j->out, "decision", s->decision);
		json_put_member(j->out, "when", s->when);
		json_put_member(j->out, "digest", s->digest);
		json_put_close(j->out, '}');
	}
	json_put_close(j->out, ']');
}

static void put_review(struct json *j)
{
	json_put_key(j->out, "review");
	json_put_open(j->out, '{');
	json_put_member_number(j->out, "marks", (int64_t)j->report->review->marks.count);
	json_put_member_number(j->out, "confirmed", (int64_t)j->report->match->counts.confirmed);
	json_put_member_number(j->out, "stale", (int64_t)j->report->match->counts.stale);
	json_put_member_number(j->out, "orphan", (int64_t)j->report->match->orphans.count);
	json_put_member_number(j->out, "disputed", (int64_t)j->report->match->counts.disputed);
	put_signatures(j);
	json_put_close(j->out, '}');
}

static void put_hop(struct json *j, const struct path *p, const struct finding *f)
{
	const struct fact *fact = f->citations[0].fact;

	json_put_open(j->out, '{');
	json_put_member(j->out, "row", p->from->key);
	json_put_member(j->out, "fact", fact ? fact_kind_table[fact->kind].name : NULL);
	json_put_member(j->out, "path", snapshot_path(j->report->snapshot, f->citations[0].span));
	json_put_member_number(j->out, "line",
			       snapshot_line(j->report->snapshot, f->citations[0].span));
	json_put_member(j->out, "finding", f->id);
	json_put_close(j->out, '}');
}

static void put_paths(struct json *j)
{
	json_put_key(j->out, "paths");
	json_put_open(j->out, '[');
	for (size_t i = 0; i < j->report->match->paths.count; i++) {
		const struct path *p = &j->report->match->paths.items[i];

		json_put_open(j->out, '{');
		json_put_member(j->out, "from", p->from->key);
		json_put_member(j->out, "to", reach_target_names[p->to]);
		json_put_key(j->out, "hops");
		json_put_open(j->out, '[');
		for (size_t k = 0; k < p->hops.count; k++)
			put_hop(j, p, p->hops.items[k]);
		json_put_close(j->out, ']');
		json_put_member(j->out, "weakest", evidence_names[p->weakest]);
		json_put_close(j->out, '}');
	}
	json_put_close(j->out, ']');
}

void report_json(const struct report *r, struct buf *out)
{
	struct json j = { .report = r, .out = out };

	json_put_open(out, '{');
	json_put_member(out, "schema", "boundwalk/1");
	put_tool(&j);
	put_scope(&j);
	put_artifacts(&j);
	json_rows(&j);
	json_findings(&j);
	put_paths(&j);
	json_unknowns(&j);
	put_coverage(&j);
	put_review(&j);
	json_put_close(out, '}');
	buf_putc(out, '\n');
	buf_free(&j.text);
	safe_free(&j.safe);
}

/* Reports have every part, the same bytes for the same input, and nothing hostile or secret in them.
 * SPDX-License-Identifier: MIT */
#include "tests/unit/review_help.h"

#include <stdio.h>

#include <cjson/cJSON.h>

#include "model/text.h"
#include "src/report/report.h"

static const struct rule rule = {
	.slug = "docker-socket", .field = FIELD_CONTROL_CHANNELS,
	.severity = SEVERITY_CRITICAL, .trigger = "t", .consequence = "host root",
	.fix = "remove it", .compatibility = "none", .owner = "owner", .restore = "revert",
	.concepts = "docker-socket-mounted",
};

struct world {
	struct snapshot s;
	struct review r;
	struct match m;
};

static void add_finding(struct snapshot *s, struct row *row, const char *id, const char *message)
{
	struct finding *f = ARENA_NEW(&s->arena, struct finding);

	*f = (struct finding){ .id = id, .fingerprint = "f1", .rule = &rule, .row = row,
			       .severity = SEVERITY_CRITICAL, .message = message,
			       .concepts = "docker-socket-mounted other", .row_count = 1 };
	f->rows = arena_array(&s->arena, 1, sizeof *f->rows);
	f->rows[0] = row;
	f->citations = ARENA_NEW(&s->arena, struct citation);
	f->citations[0] = (struct citation){ .span = row->facts.items[2]->span,
					     .role = "subject" };
	f->citation_count = 1;
	*ARENA_PUSH(&s->arena, &s->findings) = f;
}

static struct row *make(struct world *w)
{
	struct row *row;

	*w = (struct world){ 0 };
	row = help_snapshot(&w->s);
	add_finding(&w->s, row, "docker-socket@1", "the socket is mounted");
	return row;
}

static void render(struct world *w, void (*write)(const struct report *, struct buf *),
		   struct buf *out)
{
	struct report report = { .snapshot = &w->s, .review = &w->r, .match = &w->m,
				 .version = "0", .catalogue = "c", .digest = digest_sha256,
				 .review_digest = "d" };

	match_free(&w->m);
	match_build(&w->m, &w->s, &w->r, digest_sha256);
	buf_clear(out);
	write(&report, out);
}

static void unmake(struct world *w)
{
	match_free(&w->m);
	review_free(&w->r);
	snapshot_free(&w->s);
}

static const cJSON *at(const cJSON *json, const char *name)
{
	const cJSON *member = cJSON_GetObjectItemCaseSensitive(json, name);

	if (!member)
		fail_msg("no member %s", name);
	return member;
}

static void test_json_has_the_contract(void **state)
{
	static const char *const parts[] = { "schema", "tool", "scope", "artifacts", "rows",
					     "findings", "paths", "unknowns", "coverage",
					     "review" };
	static const char *const of_finding[] = {
		"id", "fingerprint", "rule", "concepts", "severity", "confidence", "row", "field",
		"path", "line", "column", "end_line", "also", "message", "consequence", "fix",
		"compatibility", "owner", "restore", "evidence", "disposition", "parts",
	};
	struct world w;
	struct buf out = { 0 };
	const cJSON *finding, *cell;
	cJSON *json;

	(void)state;
	make(&w);
	render(&w, report_json, &out);
	json = cJSON_Parse(buf_text(&out));
	assert_non_null(json);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		at(json, parts[i]);
	assert_string_equal(at(json, "schema")->valuestring, "boundwalk/1");
	finding = cJSON_GetArrayItem(at(json, "findings"), 0);
	for (size_t i = 0; i < sizeof of_finding / sizeof *of_finding; i++)
		at(finding, of_finding[i]);
	assert_int_equal(at(finding, "line")->valueint, 6);
	assert_int_equal(cJSON_GetArraySize(at(finding, "concepts")), 2);
	assert_string_equal(at(cJSON_GetArrayItem(at(json, "paths"), 0), "to")->valuestring,
			    "host root");
	assert_int_equal(at(cJSON_GetArrayItem(at(cJSON_GetArrayItem(at(json, "paths"), 0), "hops"),
					       0), "line")->valueint, 6);
	cell = at(at(cJSON_GetArrayItem(at(json, "rows"), 0), "cells"), "mounts");
	assert_string_equal(at(cell, "mark")->valuestring, "declared");
	assert_string_equal(at(cell, "value")->valuestring, "/var/run/docker.sock rw");
	assert_int_equal(cJSON_GetArraySize(at(cell, "facts")), 1);
	cJSON_Delete(json);
	buf_free(&out);
	unmake(&w);
}

static void test_same_bytes_twice(void **state)
{
	struct world w;
	struct buf first = { 0 }, second = { 0 };

	(void)state;
	make(&w);
	render(&w, report_markdown, &first);
	render(&w, report_markdown, &second);
	assert_string_equal(buf_text(&first), buf_text(&second));
	render(&w, report_json, &first);
	render(&w, report_json, &second);
	assert_string_equal(buf_text(&first), buf_text(&second));
	buf_free(&first);
	buf_free(&second);
	unmake(&w);
}

static bool holds(const struct buf *out, const char *text)
{
	return strstr(buf_text(out), text) != NULL;
}

static void test_one_place_is_told_once(void **state)
{
	static const struct rule other = { .slug = "x-socket-ro", .field = FIELD_CONTROL_CHANNELS,
					   .severity = SEVERITY_CRITICAL,
					   .consequence = "requests pass", .fix = "remove",
					   .owner = "owner", .restore = "revert", .concepts = "" };
	struct rule first;
	struct world w;
	struct buf out = { 0 };
	struct row *row;

	(void)state;
	row = make(&w);
	add_finding(&w.s, row, "x-socket-ro@2", "read-only does not help");
	first = rule;
	first.field = other.field;
	w.s.findings.items[0]->rule = &first;
	w.s.findings.items[1]->rule = &other;
	render(&w, report_markdown, &out);
	assert_true(holds(&out, "### F-01, F-02 `docker-socket`, `x-socket-ro` in R-01 agent"));
	assert_true(holds(&out, "- F-02: read-only does not help"));
	assert_true(holds(&out, "| Consequence, `x-socket-ro` | requests pass |"));
	assert_true(holds(&out, "| Owner | owner |"));
	buf_free(&out);
	unmake(&w);
}

static void test_markdown_has_its_sections(void **state)
{
	static const char *const heads[] = {
		"# Boundary review: acme\n", "> [!IMPORTANT]\n", "## 1. Summary\n", "## 2. Scope\n",
		"## 3. Workloads\n", "## 4. Boundary map\n", "## 5. Findings\n",
		"## 6. Declared, observed, unavailable\n", "## 7. Coverage limits\n",
		"## 8. Changes since the marks were made\n", "## 9. Sign-off\n",
		"## Annex A. Hashes\n", "## Annex B. Every cell\n",
	};
	struct world w;
	struct buf out = { 0 };

	(void)state;
	make(&w);
	render(&w, report_markdown, &out);
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		if (!holds(&out, heads[i]))
			fail_msg("no %s", heads[i]);
	assert_true(holds(&out, "### F-01 `docker-socket` in R-01 agent"));
	assert_true(holds(&out, "`- /var/run/docker.sock:/var/run/docker.sock`"));
	assert_true(holds(&out, "Result statement: withheld, because"));
	assert_false(holds(&out, "No blocking issue found"));
	buf_free(&out);
	unmake(&w);
}

static struct row *second_row(struct world *w, const char *name)
{
	struct row_spec spec = { .path = "compose.yml", .object_kind = "service", .unit = name,
				 .kind = ROW_MAIN, .format = FORMAT_COMPOSE,
				 .span = w->s.rows.items[0]->span };
	struct row *row = snapshot_add_row(&w->s, &spec);

	for (size_t i = 0; i < w->s.rows.items[0]->facts.count; i++)
		snapshot_copy_fact(&w->s, row, w->s.rows.items[0]->facts.items[i]);
	return row;
}

static size_t times(const struct buf *out, const char *text)
{
	size_t count = 0;

	for (const char *at = buf_text(out); (at = strstr(at, text)); at++)
		count++;
	return count;
}

/* Annex B says once what rows have alike, with all of them; what one row has alone stands under it. */
static void test_equal_cells_stand_once(void **state)
{
	struct world w;
	struct row *row;
	struct buf out = { 0 }, annex = { 0 };

	(void)state;
	make(&w);
	row = second_row(&w, "second");
	second_row(&w, "third");
	snapshot_add_fact(&w.s, row, FACT_PRIVILEGED, "true", row->span);
	render(&w, report_markdown, &out);
	assert_non_null(strstr(buf_text(&out), "## Annex B"));
	buf_puts(&annex, strstr(buf_text(&out), "## Annex B"));
	assert_int_equal(times(&annex, "acme/agent:1"), 1);
	assert_int_equal(times(&annex, "| image | d | acme/agent:1 | "), 1);
	assert_non_null(strstr(buf_text(&annex), "R-01\xE2\x80\x93R-03 `compose.yml`:"));
	assert_int_equal(times(&annex, "### R-02 second"), 1);
	assert_int_equal(times(&annex, "| privilege_gain | d | privileged"), 1);
	assert_int_equal(times(&annex, "### R-01"), 0);
	buf_free(&out);
	buf_free(&annex);
	unmake(&w);
}

/* The first page names the agents and each rule once, with how often it fired. */
static void test_the_summary_counts_a_rule_once(void **state)
{
	struct world w;
	struct row *row = make(&w);
	struct buf out = { 0 };

	(void)state;
	for (int i = 2; i <= 30; i++)
		add_finding(&w.s, row, arena_printf(&w.s.arena, "docker-socket@%d", i), "again");
	render(&w, report_markdown, &out);
	assert_true(holds(&out, "Agents, as far as files show: R-01 agent (C30 H0)"));
	assert_int_equal(times(&out, "- **critical** `docker-socket`"), 1);
	assert_true(holds(&out, "- **critical** `docker-socket`, 30 findings, first F-01, R-01 agent"));
	assert_true(holds(&out, "agent, proposed"));
	buf_free(&out);
	unmake(&w);
}

/* A statement stands once; under it the file once, and rows whose findings are at one line share it. */
static void test_equal_statements_stand_once(void **state)
{
	struct world w;
	struct row *other[3];
	struct buf out = { 0 };

	(void)state;
	make(&w);
	for (int i = 0; i < 3; i++) {
		other[i] = second_row(&w, arena_printf(&w.s.arena, i < 2 ? "agent" : "third"));
		add_finding(&w.s, other[i], arena_printf(&w.s.arena, "docker-socket@%d", i + 2),
			    i < 2 ? "the socket is mounted" : "the socket is mounted, too");
		w.s.findings.items[i + 1]->citations = w.s.findings.items[0]->citations;
	}
	render(&w, report_markdown, &out);
	assert_int_equal(times(&out, "- the socket is mounted\n"), 1);
	assert_int_equal(times(&out, "- the socket is mounted, too\n"), 1);
	assert_true(holds(&out, ": F-01, F-02, F-03 R-01\xE2\x80\x93R-03 agent :6\n"));
	assert_true(holds(&out, "F-04 R-04 third :6\n"));
	assert_true(holds(&out, "| Evidence | declared |"));
	buf_free(&out);
	unmake(&w);
}

/* Many files are told by folder, many equal rows of the map by the line. */
static void test_a_large_tree_is_joined(void **state)
{
	struct world w;
	struct buf out = { 0 };

	(void)state;
	make(&w);
	for (int i = 0; i < 80; i++) {
		struct artifact *a = snapshot_add_artifact(
			&w.s, arena_printf(&w.s.arena, "deploy/%s/%02d.yaml", i % 2 ? "a" : "b", i));

		a->state = ARTIFACT_ASSESSED;
		a->format = FORMAT_K8S;
	}
	for (int i = 0; i < 60; i++)
		second_row(&w, arena_printf(&w.s.arena, "worker-%02d", i));
	render(&w, report_markdown, &out);
	assert_int_equal(times(&out, "| `deploy/a/` | "), 1);
	assert_int_equal(times(&out, "| `deploy/b/` | "), 1);
	for (int i = 0; i < 80; i++)
		if (!holds(&out, arena_printf(&w.s.arena, " `%02d.yaml`", i)))
			fail_msg("no file %d", i);
	assert_true(holds(&out, "Rows with the same letters share a line."));
	assert_true(holds(&out, "| R-02\xE2\x80\x93R-61 |"));
	buf_free(&out);
	unmake(&w);
}

/* Pods that violate the same checks share a line of the table of levels; so do rules without an answer. */
static void test_equal_pods_and_questions_share_a_line(void **state)
{
	static const struct rule other = { .slug = "other-rule", .consequence = "", .fix = "" };
	struct world w;
	struct row *row;
	struct row_violation violated[2] = { { .check = "runAsNonRoot", .level = "restricted" },
					     { .check = "privileged", .level = "baseline" } };
	struct pod_security pods[2];
	struct buf out = { 0 };

	(void)state;
	row = make(&w);
	violated[0].span = violated[1].span = row->span;
	for (int i = 0; i < 2; i++) {
		struct row *pod = second_row(&w, i ? "two" : "one");

		pods[i] = (struct pod_security){ .version = "latest", .level = "privileged",
						 .violations = violated, .count = 2 };
		pod->pod_security = &pods[i];
		*ARENA_PUSH(&w.s.arena, &w.s.unknowns) = (struct unknown){
			.rule = i ? &other : &rule, .row = row, .span = row->span, .reason = "no value" };
	}
	render(&w, report_markdown, &out);
	assert_int_equal(times(&out, "| privileged | runAsNonRoot, privileged (baseline) | "), 1);
	assert_true(holds(&out, "R-02 `compose.yml`:"));
	assert_true(holds(&out, "; R-03 `compose.yml`:"));
	assert_true(holds(&out, "| `docker-socket`, `other-rule` | no value | R-01 agent `compose.yml`:"));
	buf_free(&out);
	unmake(&w);
}

/* Objects whose name is null or a comment are no "ClusterRole " with nothing behind it. */
static void test_an_object_without_a_name_is_called_so(void **state)
{
	struct world w;
	struct row *row = make(&w);
	struct row_spec spec = { .path = "compose.yml", .object_kind = "ClusterRole", .unit = "",
				 .kind = ROW_OBJECT, .format = FORMAT_COMPOSE, .span = row->span };
	struct buf out = { 0 };

	(void)state;
	w.s.findings.items[0]->row = w.s.findings.items[0]->rows[0] = snapshot_add_row(&w.s, &spec);
	render(&w, report_markdown, &out);
	assert_true(holds(&out, "`docker-socket` in ClusterRole without a name"));
	assert_true(holds(&out, "F-01, ClusterRole without a name: "));
	buf_free(&out);
	unmake(&w);
}

/* A role that two overlays carry is one name of the finding. */
static void test_objects_that_read_alike_are_named_once(void **state)
{
	struct world w;
	struct row *row = make(&w);
	struct finding *f = w.s.findings.items[0];
	struct buf out = { 0 };

	(void)state;
	f->rows = arena_array(&w.s.arena, 4, sizeof *f->rows);
	f->rows[f->row_count = 0] = row;
	for (f->row_count = 1; f->row_count < 4; f->row_count++) {
		struct row_spec spec = { .path = "compose.yml", .object_kind = "ClusterRole",
					 .unit = f->row_count < 3 ? "reader" : "writer",
					 .kind = ROW_OBJECT, .format = FORMAT_COMPOSE,
					 .span = row->span };

		f->rows[f->row_count] = snapshot_add_row(&w.s, &spec);
	}
	render(&w, report_markdown, &out);
	assert_true(holds(&out, "R-01 agent, ClusterRole reader, ClusterRole writer"));
	buf_free(&out);
	unmake(&w);
}

/* Rules have read the proposed role; a report with another one says so. */
static void test_a_given_role_tells_what_was_judged(void **state)
{
	struct world w;
	struct row *row = make(&w);
	struct event given = { .kind = EVENT_ROLE, .id = "e1", .who = "ann", .key = row->key,
			       .value = "tool", .when = "2026-11-20T00:00:00Z" };
	struct buf out = { 0 };

	(void)state;
	render(&w, report_markdown, &out);
	assert_false(holds(&out, "the findings still judge"));
	review_apply(&w.r, &given);
	render(&w, report_markdown, &out);
	assert_true(holds(&out, "tool; the findings still judge it as proposed: agent"));
	buf_free(&out);
	unmake(&w);
}

/* Findings of one rule share its texts, but none is left out. */
static void test_no_finding_is_dropped(void **state)
{
	struct world w;
	struct row *row = make(&w);
	struct buf out = { 0 };

	(void)state;
	for (int i = 2; i <= 400; i++)
		add_finding(&w.s, row, arena_printf(&w.s.arena, "docker-socket@%d", i),
			    arena_printf(&w.s.arena, "message number %d.", i));
	render(&w, report_markdown, &out);
	for (int i = 2; i <= 400; i++) {
		char text[64];

		snprintf(text, sizeof text, "message number %d.", i);
		assert_true(holds(&out, text));
	}
	assert_true(holds(&out, "400 findings"));
	buf_free(&out);
	unmake(&w);
}

static void assert_clean(const struct buf *out)
{
	size_t used;

	for (size_t i = 0; i < out->length; i += used) {
		uint32_t point = text_decode_point(out->bytes + i, out->length - i, &used);

		assert_true(point != TEXT_INVALID);
		if (point != '\n')
			assert_true(text_point_width(point) >= 0);
	}
}

static void test_hostile_names_and_values(void **state)
{
	static const char hostile[] = "a|b`c\x1b[31m\xff\n# head\n<script>\xe2\x80\xae";
	struct world w;
	struct row *row = make(&w);
	struct buf out = { 0 };
	cJSON *json;

	(void)state;
	row->name = row->unit = hostile;
	row->facts.items[0]->value = hostile;
	w.s.artifacts.items[0]->reason = hostile;
	w.s.artifacts.items[0]->state = ARTIFACT_PARTIAL;
	w.s.scope.root = hostile;
	w.s.findings.items[0]->message = hostile;
	render(&w, report_markdown, &out);
	assert_clean(&out);
	assert_false(holds(&out, "\n# head"));
	render(&w, report_json, &out);
	assert_clean(&out);
	json = cJSON_Parse(buf_text(&out));
	assert_non_null(json);
	cJSON_Delete(json);
	buf_free(&out);
	unmake(&w);
}

static void test_secrets_and_absolute_paths_stay_out(void **state)
{
	struct world w;
	struct row *row = make(&w);
	struct buf out = { 0 };
	struct artifact *given;

	(void)state;
	row->facts.items[0]->value = "tool --api-key hunter2secret";
	w.s.findings.items[0]->message = "runs tool --api-key hunter2secret";
	given = snapshot_add_artifact(&w.s, "/home/ann/private/prod.env");
	given->state = ARTIFACT_ASSESSED;
	render(&w, report_markdown, &out);
	assert_false(holds(&out, "hunter2secret"));
	assert_false(holds(&out, "/home/ann"));
	assert_true(holds(&out, "prod.env"));
	render(&w, report_json, &out);
	assert_false(holds(&out, "hunter2secret"));
	assert_false(holds(&out, "/home/ann"));
	buf_free(&out);
	unmake(&w);
}

static void test_a_section_is_named_when_it_has_something(void **state)
{
	struct world w;
	struct buf out = { 0 };
	struct row *row;

	(void)state;
	row = make(&w);
	render(&w, report_markdown, &out);
	assert_true(holds(&out, "0 rule checks could not be answered.\n"));
	assert_false(holds(&out, "### Checks that could not be answered"));
	*ARENA_PUSH(&w.s.arena, &w.s.unknowns) =
		(struct unknown){ .rule = &rule, .row = row, .span = row->span, .reason = "no value" };
	render(&w, report_markdown, &out);
	assert_true(holds(&out, "1 rule check could not be answered (section 7).\n"));
	assert_true(holds(&out, "### Checks that could not be answered"));
	buf_free(&out);
	unmake(&w);
}

static void test_nothing_found_is_said(void **state)
{
	struct world w = { 0 };
	struct buf out = { 0 };

	(void)state;
	w.s.scope = (struct scope){ .root = "empty", .revision = "", .tree = "not-git",
				    .runtime = "", .os = "", .kubernetes = "",
				    .deployment = "" };
	render(&w, report_markdown, &out);
	assert_true(holds(&out, "No workload was found"));
	assert_true(holds(&out, "withheld, because no artifact was read"));
	render(&w, report_json, &out);
	assert_true(holds(&out, "\"rows\":[]"));
	buf_free(&out);
	unmake(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json_has_the_contract),
		cmocka_unit_test(test_same_bytes_twice),
		cmocka_unit_test(test_markdown_has_its_sections),
		cmocka_unit_test(test_one_place_is_told_once),
		cmocka_unit_test(test_equal_cells_stand_once),
		cmocka_unit_test(test_the_summary_counts_a_rule_once),
		cmocka_unit_test(test_equal_statements_stand_once),
		cmocka_unit_test(test_a_large_tree_is_joined),
		cmocka_unit_test(test_equal_pods_and_questions_share_a_line),
		cmocka_unit_test(test_an_object_without_a_name_is_called_so),
		cmocka_unit_test(test_objects_that_read_alike_are_named_once),
		cmocka_unit_test(test_a_given_role_tells_what_was_judged),
		cmocka_unit_test(test_no_finding_is_dropped),
		cmocka_unit_test(test_hostile_names_and_values),
		cmocka_unit_test(test_secrets_and_absolute_paths_stay_out),
		cmocka_unit_test(test_a_section_is_named_when_it_has_something),
		cmocka_unit_test(test_nothing_found_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

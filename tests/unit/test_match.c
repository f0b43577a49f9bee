/* Marks go stale when the files change, findings are reopened, and the result sentence is hard to get.
 * SPDX-License-Identifier: MIT */
#include "tests/unit/review_help.h"

static const struct rule rule = { .slug = "docker-socket", .field = FIELD_CONTROL_CHANNELS,
				  .severity = SEVERITY_CRITICAL, .consequence = "host root" };

static void add_finding(struct snapshot *s, struct row *row)
{
	struct finding *f = ARENA_NEW(&s->arena, struct finding);

	*f = (struct finding){ .id = "docker-socket@1", .fingerprint = "f1", .rule = &rule,
			       .row = row, .severity = SEVERITY_CRITICAL, .message = "m",
			       .concepts = "" };
	f->rows = arena_array(&s->arena, 1, sizeof *f->rows);
	f->rows[0] = row;
	f->row_count = 1;
	f->citations = ARENA_NEW(&s->arena, struct citation);
	f->citations[0] = (struct citation){ .span = row->facts.items[row->facts.count > 2 ? 2 : 0]->span,
					     .role = "subject" };
	f->citation_count = 1;
	*ARENA_PUSH(&s->arena, &s->findings) = f;
}

static void mark(struct review *r, const struct snapshot *s, const struct row *row,
		 enum field field, const char *value, const char *note)
{
	char fingerprint[DIGEST_HEX];
	struct arena a = { 0 };

	cell_fingerprint(s, row, field, digest_sha256, fingerprint);
	review_apply(r, &(struct event){ .kind = EVENT_MARK, .who = "ann", .value = value,
					 .key = cell_key(&a, row, field), .note = note,
					 .fingerprint = fingerprint });
	arena_free(&a);
}

static void decide(struct review *r, const char *disposition, const char *fingerprint,
		   const char *expires)
{
	review_apply(r, &(struct event){ .kind = EVENT_DISPOSITION, .who = "ann",
					 .key = "docker-socket@1", .value = disposition,
					 .fingerprint = fingerprint, .expires = expires });
}

static void test_marks_current_stale_orphan(void **state)
{
	struct snapshot s = { 0 };
	struct row *row = help_snapshot(&s);
	struct review r = { 0 };
	struct match m;

	(void)state;
	mark(&r, &s, row, FIELD_IDENTITY, "observed", "");
	review_apply(&r, &(struct event){ .kind = EVENT_MARK, .who = "ann", .value = "declared",
					  .key = "gone.yml#service//x:image" });
	match_build(&m, &s, &r, digest_sha256);
	assert_int_equal(m.counts.cells, FIELD_COUNT);
	assert_int_equal(m.counts.confirmed, 1);
	assert_int_equal(m.counts.by_mark[MARK_OBSERVED], 1);
	assert_int_equal(m.orphans.count, 1);
	assert_int_equal(match_cell(&m, 0, FIELD_IDENTITY)->freshness, FRESH_CURRENT);
	match_free(&m);
	row->facts.items[1]->value = "1000";
	match_build(&m, &s, &r, digest_sha256);
	assert_int_equal(m.counts.stale, 1);
	assert_int_equal(m.counts.by_mark[MARK_OBSERVED], 0);
	assert_int_equal(match_cell(&m, 0, FIELD_IDENTITY)->effective, MARK_UNAVAILABLE);
	match_free(&m);
	review_free(&r);
	snapshot_free(&s);
}

static void test_decisions_reopen(void **state)
{
	struct snapshot s = { 0 };
	struct row *row = help_snapshot(&s);
	struct review r = { 0 };
	struct match m;

	(void)state;
	add_finding(&s, row);
	match_build(&m, &s, &r, digest_sha256);
	assert_int_equal(m.counts.blocking, 1);
	assert_int_equal(m.tallies[0].findings[SEVERITY_CRITICAL], 1);
	assert_int_equal(match_cell(&m, 0, FIELD_CONTROL_CHANNELS)->worst, SEVERITY_CRITICAL);
	match_free(&m);
	decide(&r, "accepted", "f1", "2027-01-31");
	match_build_on(&m, &s, &r, digest_sha256, "2027-01-31");
	assert_int_equal(m.counts.blocking, 0);
	assert_int_equal(m.counts.settled[SEVERITY_CRITICAL], 1);
	match_free(&m);
	match_build_on(&m, &s, &r, digest_sha256, "2027-02-01");
	assert_true(m.findings[0].expired);
	assert_int_equal(m.counts.blocking, 1);
	match_free(&m);
	decide(&r, "false-positive", "other", "");
	match_build(&m, &s, &r, digest_sha256);
	assert_true(m.findings[0].changed);
	assert_int_equal(m.counts.blocking, 1);
	match_free(&m);
	decide(&r, "fix-verified", "f1", "");
	match_build(&m, &s, &r, digest_sha256);
	assert_int_equal(m.counts.blocking, 1);
	match_free(&m);
	review_free(&r);
	snapshot_free(&s);
}

static bool says(const struct result_sentence *result, const char *needle)
{
	for (size_t i = 0; i < result->reasons.count; i++)
		if (strstr(result->reasons.items[i], needle))
			return true;
	return false;
}

static void mark_all(struct review *r, const struct snapshot *s, const struct row *row)
{
	for (unsigned field = 0; field < FIELD_COUNT; field++) {
		struct cell c = cell_of(s, row, (enum field)field);

		mark(r, s, row, (enum field)field, mark_names[c.mark], "seen");
	}
}

static void test_result_sentence(void **state)
{
	struct snapshot s = { 0 };
	struct row *row = help_snapshot(&s);
	struct review r = { 0 };
	struct result_sentence result;
	struct arena a = { 0 };
	struct match m;

	(void)state;
	add_finding(&s, row);
	match_build(&m, &s, &r, digest_sha256);
	match_result(&m, &a, &result);
	assert_false(result.allowed);
	assert_true(says(&result, "finding is open"));
	assert_true(says(&result, "not confirmed"));
	match_free(&m);
	decide(&r, "accepted", "f1", "2027-01-31");
	mark_all(&r, &s, row);
	match_build(&m, &s, &r, digest_sha256);
	match_result(&m, &a, &result);
	assert_true(result.allowed);
	assert_true(result.declared_only);
	match_free(&m);
	mark(&r, &s, row, FIELD_EGRESS, "unavailable", "firewall not supplied");
	match_build(&m, &s, &r, digest_sha256);
	match_result(&m, &a, &result);
	assert_false(result.allowed);
	assert_int_equal(result.boundary_unresolved, 1);
	match_free(&m);
	review_apply(&r, &(struct event){ .kind = EVENT_NOTE, .who = "ann",
					  .key = RESULT_CONFIRM_KEY, .note = "1" });
	match_build(&m, &s, &r, digest_sha256);
	match_result(&m, &a, &result);
	assert_true(result.allowed);
	s.partial = true;
	match_result(&m, &a, &result);
	assert_false(result.allowed);
	match_free(&m);
	arena_free(&a);
	review_free(&r);
	snapshot_free(&s);
}

static void test_nothing_read_allows_nothing(void **state)
{
	struct snapshot s = { 0 };
	struct review r = { 0 };
	struct result_sentence result;
	struct arena a = { 0 };
	struct match m;

	(void)state;
	match_build(&m, &s, &r, digest_sha256);
	match_result(&m, &a, &result);
	assert_false(result.allowed);
	match_free(&m);
	arena_free(&a);
	snapshot_free(&s);
}

/* Of equal severity: what is meant to be used before tests, then what others reach, then agents. */
static void test_the_worst_for_a_meeting_comes_first(void **state)
{
	static const struct {
		const char *name, *path;
		enum row_role role;
		bool published;
	} rows[] = {
		{ "first-by-path", "a/tests/x.yml", ROLE_AGENT, true },
		{ "database", "b.yml", ROLE_INFRASTRUCTURE, false },
		{ "hidden-agent", "c.yml", ROLE_AGENT, false },
		{ "web", "d.yml", ROLE_INFRASTRUCTURE, true },
		{ "open-agent", "e.yml", ROLE_AGENT, true },
	};
	static const char *const wanted[] = { "open-agent", "web", "hidden-agent", "database",
					      "first-by-path" };
	struct snapshot s = { 0 };
	struct review r = { 0 };
	struct match m;

	(void)state;
	s.scope = (struct scope){ .root = "x", .revision = "", .tree = "", .runtime = "", .os = "",
				  .kubernetes = "", .deployment = "" };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct artifact *a = snapshot_add_artifact(&s, rows[i].path);
		struct source *source = snapshot_add_source(&s, rows[i].path, "name\n", 5);
		struct row_spec spec = { .path = rows[i].path, .object_kind = "service",
					 .unit = rows[i].name, .role = rows[i].role,
					 .format = FORMAT_COMPOSE, .artifact = a->index,
					 .span = { source->id, 0, 4 } };
		struct row *row;

		a->class = strstr(rows[i].path, "tests/") ? CLASS_TEST : CLASS_PROPOSED;
		a->source = source;
		row = snapshot_add_row(&s, &spec);
		snapshot_set_attribute(&s,
				       snapshot_add_fact(&s, row, FACT_PORT, "80:80", row->span),
				       "host_ip", rows[i].published ? "" : "127.0.0.1");
		add_finding(&s, row);
	}
	match_build(&m, &s, &r, digest_sha256);
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		assert_string_equal(m.findings[i].finding->row->name, wanted[i]);
	match_free(&m);
	review_free(&r);
	snapshot_free(&s);
}

/* From an agent to the host, until a person says that the finding is wrong; never from infrastructure. */
static void test_paths_lead_out_of_agents(void **state)
{
	struct snapshot s = { 0 };
	struct review r = { 0 };
	struct match m;
	struct row *row;

	(void)state;
	row = help_snapshot(&s);
	add_finding(&s, row);
	match_build(&m, &s, &r, digest_sha256);
	assert_int_equal(m.paths.count, 1);
	assert_string_equal(reach_target_names[m.paths.items[0].to], "host root");
	assert_string_equal(m.paths.items[0].from->name, "agent");
	assert_int_equal(m.paths.items[0].hops.count, 1);
	assert_int_equal(m.paths.items[0].weakest, EVIDENCE_DECLARED);
	match_free(&m);
	decide(&r, "false-positive", "f1", "");
	match_build(&m, &s, &r, digest_sha256);
	assert_int_equal(m.paths.count, 0);
	match_free(&m);
	row->role = ROLE_INFRASTRUCTURE;
	review_free(&r);
	r = (struct review){ 0 };
	match_build(&m, &s, &r, digest_sha256);
	assert_int_equal(m.paths.count, 0);
	match_free(&m);
	review_free(&r);
	snapshot_free(&s);
}

static void test_children_follow_their_parents(void **state)
{
	struct snapshot s = { 0 };
	struct row *first = help_snapshot(&s), *child, *second;
	struct row_spec spec = { .path = "compose.yml", .object_kind = "service", .unit = "z",
				 .kind = ROW_MAIN, .format = FORMAT_COMPOSE,
				 .span = row_first(first, FACT_USER, LAYER_DECLARED)->span };
	struct match m;

	(void)state;
	second = snapshot_add_row(&s, &spec);
	spec.unit = "hook";
	spec.kind = ROW_HOOK;
	child = snapshot_add_row(&s, &spec);
	child->parent = first->index + 1;
	match_build(&m, &s, &(struct review){ 0 }, digest_sha256);
	assert_int_equal(m.workload_count, 3);
	assert_ptr_equal(m.workloads[0], first);
	assert_ptr_equal(m.workloads[1], child);
	assert_ptr_equal(m.workloads[2], second);
	match_free(&m);
	second->parent = child->index + 1;
	child->parent = second->index + 1;
	match_build(&m, &s, &(struct review){ 0 }, digest_sha256);
	assert_int_equal(m.workload_count, 3);
	match_free(&m);
	snapshot_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_marks_current_stale_orphan),
		cmocka_unit_test(test_decisions_reopen),
		cmocka_unit_test(test_result_sentence),
		cmocka_unit_test(test_nothing_read_allows_nothing),
		cmocka_unit_test(test_the_worst_for_a_meeting_comes_first),
		cmocka_unit_test(test_paths_lead_out_of_agents),
		cmocka_unit_test(test_children_follow_their_parents),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

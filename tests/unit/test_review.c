/* The state of a review is the fold of its events: undo, redo, two reviewers, signatures.
 * SPDX-License-Identifier: MIT */
#include "tests/unit/review_help.h"

#define KEY "compose.yml#service//agent:identity"

static void apply(struct review *r, enum event_kind kind, const char *id, const char *who,
		  const char *key, const char *value)
{
	review_apply(r, &(struct event){ .kind = kind, .id = id, .who = who,
					 .when = "2026-11-30T10:00:00Z", .key = key,
					 .value = value, .fingerprint = "f" });
}

static void test_latest_mark_counts(void **state)
{
	struct review r = { 0 };

	(void)state;
	assert_null(review_mark(&r, KEY));
	apply(&r, EVENT_MARK, "e1", "ann", KEY, "declared");
	apply(&r, EVENT_MARK, "e2", "ann", KEY, "unavailable");
	assert_int_equal(review_mark(&r, KEY)->mark, MARK_UNAVAILABLE);
	assert_int_equal(r.marks.count, 1);
	apply(&r, EVENT_CLEAR, "e3", "ann", KEY, "");
	assert_null(review_mark(&r, KEY));
	apply(&r, EVENT_MARK, "e4", "ann", KEY, "nonsense");
	assert_null(review_mark(&r, KEY));
	review_free(&r);
}

static void test_undo_and_redo(void **state)
{
	struct review r = { 0 };

	(void)state;
	apply(&r, EVENT_MARK, "e1", "ann", KEY, "declared");
	apply(&r, EVENT_MARK, "e2", "ann", KEY, "unavailable");
	apply(&r, EVENT_MARK, "e3", "bob", "other:image", "declared");
	assert_string_equal(review_undoable(&r, "ann")->id, "e2");
	assert_null(review_redoable(&r, "ann"));
	apply(&r, EVENT_UNDO, "e4", "ann", "", "e2");
	assert_int_equal(review_mark(&r, KEY)->mark, MARK_DECLARED);
	assert_string_equal(review_undoable(&r, "ann")->id, "e1");
	assert_string_equal(review_redoable(&r, "ann")->id, "e2");
	apply(&r, EVENT_UNDO, "e5", "ann", "", "e1");
	assert_null(review_mark(&r, KEY));
	assert_null(review_undoable(&r, "ann"));
	assert_string_equal(review_redoable(&r, "ann")->id, "e1");
	apply(&r, EVENT_REDO, "e6", "ann", "", "e1");
	assert_int_equal(review_mark(&r, KEY)->mark, MARK_DECLARED);
	assert_string_equal(review_redoable(&r, "ann")->id, "e2");
	apply(&r, EVENT_MARK, "e7", "ann", KEY, "declared");
	assert_null(review_redoable(&r, "ann"));
	review_free(&r);
}

static void test_one_act_is_undone_together(void **state)
{
	struct review r = { 0 };
	struct event e = { .kind = EVENT_MARK, .id = "e1", .who = "ann", .key = "a:image",
			   .value = "declared", .act = "t1" };

	(void)state;
	review_apply(&r, &e);
	e.id = "e2";
	e.key = "b:image";
	review_apply(&r, &e);
	assert_int_equal(r.marks.count, 2);
	apply(&r, EVENT_UNDO, "e3", "ann", "", "e2");
	assert_int_equal(r.marks.count, 0);
	apply(&r, EVENT_REDO, "e4", "ann", "", "e2");
	assert_int_equal(r.marks.count, 2);
	review_free(&r);
}

static void test_two_reviewers_disagree(void **state)
{
	struct review r = { 0 };

	(void)state;
	apply(&r, EVENT_MARK, "e1", "ann", KEY, "declared");
	apply(&r, EVENT_MARK, "e2", "bob", KEY, "unavailable");
	assert_true(review_mark(&r, KEY)->disputed);
	apply(&r, EVENT_MARK, "e3", "ann", KEY, "unavailable");
	assert_false(review_mark(&r, KEY)->disputed);
	review_free(&r);
}

static void test_decisions_tasks_and_roles(void **state)
{
	struct review r = { 0 };

	(void)state;
	apply(&r, EVENT_DISPOSITION, "e1", "ann", "rule@1", "accepted");
	apply(&r, EVENT_SEVERITY, "e2", "ann", "rule@1", "medium");
	assert_int_equal(review_decision(&r, "rule@1")->disposition, DISPOSITION_ACCEPTED);
	assert_true(review_decision(&r, "rule@1")->has_severity);
	assert_int_equal(review_decision(&r, "rule@1")->severity, SEVERITY_MEDIUM);
	apply(&r, EVENT_TASK, "e3", "ann", "row", "edits one repository");
	apply(&r, EVENT_TASK, "e4", "ann", "row", "runs tests");
	assert_string_equal(review_task(&r, "row"), "runs tests");
	apply(&r, EVENT_TASK, "e5", "ann", "row", "");
	assert_null(review_task(&r, "row"));
	apply(&r, EVENT_SCOPE, "e6", "ann", "runtime", "podman");
	assert_string_equal(review_scope(&r, "runtime"), "podman");
	review_free(&r);
}

static void test_the_same_event_counts_once(void **state)
{
	struct review r = { 0 };
	struct event e = { .kind = EVENT_NOTE, .id = "e1", .key = "k", .note = "text" };

	(void)state;
	assert_true(review_append(&r, &e));
	assert_false(review_append(&r, &e));
	review_fold(&r);
	assert_int_equal(r.notes.count, 1);
	review_free(&r);
}

static void test_digest_ignores_order(void **state)
{
	struct review a = { 0 }, b = { 0 };
	char first[DIGEST_HEX], second[DIGEST_HEX];

	(void)state;
	apply(&a, EVENT_MARK, "e1", "ann", "x:image", "declared");
	apply(&a, EVENT_MARK, "e2", "ann", "y:image", "declared");
	apply(&b, EVENT_MARK, "e2", "ann", "y:image", "declared");
	apply(&b, EVENT_MARK, "e1", "ann", "x:image", "declared");
	review_digest(&a, digest_sha256, first);
	review_digest(&b, digest_sha256, second);
	assert_string_equal(first, second);
	apply(&b, EVENT_CLEAR, "e3", "ann", "x:image", "");
	review_digest(&b, digest_sha256, second);
	assert_string_not_equal(first, second);
	review_free(&a);
	review_free(&b);
}

static void test_signatures(void **state)
{
	struct review r = { 0 };

	(void)state;
	apply(&r, EVENT_SIGN, "e1", "ann", "Lead reviewer", "changes required");
	apply(&r, EVENT_SIGN, "e2", "ann", "Lead reviewer", "no objection");
	assert_int_equal(r.signatures.count, 1);
	assert_string_equal(r.signatures.items[0].decision, "no objection");
	apply(&r, EVENT_UNSIGN, "e3", "ann", "", "");
	assert_int_equal(r.signatures.count, 0);
	review_free(&r);
}

static void test_a_mark_moves(void **state)
{
	struct review r = { 0 };

	(void)state;
	apply(&r, EVENT_MARK, "e1", "ann", "old:image", "declared");
	apply(&r, EVENT_MOVE, "e2", "ann", "old:image", "new:image");
	assert_null(review_mark(&r, "old:image"));
	assert_int_equal(review_mark(&r, "new:image")->mark, MARK_DECLARED);
	review_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_latest_mark_counts),
		cmocka_unit_test(test_undo_and_redo),
		cmocka_unit_test(test_one_act_is_undone_together),
		cmocka_unit_test(test_two_reviewers_disagree),
		cmocka_unit_test(test_decisions_tasks_and_roles),
		cmocka_unit_test(test_the_same_event_counts_once),
		cmocka_unit_test(test_digest_ignores_order),
		cmocka_unit_test(test_signatures),
		cmocka_unit_test(test_a_mark_moves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What a meeting relies on: keys act on what is in sight, questions can be read, slips do nothing.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/ui_sample.h"
#include "ui/core.h"

static void press(struct sample *s, const char *keys)
{
	assert_true(sample_run(s, keys));
}

/* The screen as it is now; valid until the next call. */
static const char *screen(struct sample *s)
{
	buf_clear(&s->out);
	press(s, "snapshot now");
	return buf_text(&s->out);
}

static unsigned key(struct sample *s, ui_key code, bool quick, bool pasted)
{
	unsigned effects =
	    ui_step(&s->ui, &(struct ui_event){
				.kind = UI_EVENT_KEY, .key = code, .quick = quick, .pasted = pasted });

	sample_perform(s, &s->ui, effects);
	return effects;
}

static void test_every_choice_can_be_read(void **state)
{
	static const char *const sizes[] = { "size 80x24", "size 60x20", "size 40x12" };
	struct sample s;
	char name[64];

	(void)state;
	sample_init(&s);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		press(&s, sizes[i]);
		press(&s, "t");
		for (size_t d = 0; d < DISPOSITION_COUNT; d++) {
			snprintf(name, sizeof name, "%zu %s", d, disposition_names[d]);
			assert_non_null(strstr(screen(&s), name));
		}
		press(&s, "Esc =");
		assert_non_null(strstr(screen(&s), "0 the rule's"));
		press(&s, "Esc C-s");
		assert_non_null(strstr(screen(&s), "3 changes required"));
		press(&s, "Esc");
	}
	press(&s, "size 80x24\no");
	assert_non_null(strstr(screen(&s), "basis (export:line, or day and tool)"));
	sample_free(&s);
}

static void test_a_role_is_proposed_until_a_person_says_it(void **state)
{
	struct sample s;

	(void)state;
	sample_init(&s);
	press(&s, "size 160x44\n1 g");
	assert_non_null(strstr(screen(&s), "(agent)"));
	press(&s, "r");
	assert_non_null(strstr(screen(&s), "role of runner:  1 agent  2 tool"));
	press(&s, "2");
	assert_null(strstr(screen(&s), "(agent)"));
	press(&s, "size 80x24\n3");
	assert_non_null(strstr(screen(&s), "runner tool"));
	press(&s, "size 160x44\n1 g");
	assert_non_null(strstr(screen(&s), "tool, as a reviewer says; the findings"));
	press(&s, "z");
	assert_null(strstr(screen(&s), "the findings"));
	assert_non_null(strstr(screen(&s), "(agent)"));
	/* The title of the closed pane, and the line of the closed source without its indentation. */
	press(&s, "size 80x24\n3");
	assert_null(strstr(screen(&s), "((agent))"));
	assert_non_null(strstr(screen(&s), "runner (agent)"));
	assert_null(strstr(screen(&s), "─  "));
	sample_free(&s);
}

static void test_what_an_agent_reaches_is_said(void **state)
{
	struct sample s;

	(void)state;
	sample_init(&s);
	press(&s, "size 160x44\n1 g");
	assert_non_null(strstr(screen(&s), "Reaches"));
	assert_non_null(strstr(screen(&s), "host root, by docker-socket (declared)"));
	press(&s, "3 g p");
	assert_non_null(strstr(screen(&s), "runner → host root"));
	sample_free(&s);
}

static void test_a_filter_keeps_the_selection_in_sight(void **state)
{
	struct sample s;

	(void)state;
	sample_init(&s);
	press(&s, "1 f\ntype fetch\nEnter");
	assert_string_equal(ui_row(&s.ui)->name, "fetch");
	press(&s, "F 3 a g f\ntype root-declared\nEnter d");
	assert_int_equal(s.review.marks.count, 1);
	assert_non_null(strstr(s.review.marks.items[0].key, ":identity"));
	sample_free(&s);
}

static void test_a_decided_finding_leaves_the_filter_and_the_next_is_selected(void **state)
{
	struct sample s;

	(void)state;
	sample_init(&s);
	press(&s, "3 a g f\ntype new\nEnter t 1");
	assert_int_equal(s.ui.findings.count, s.ui.match.finding_count - 1);
	assert_int_equal(ui_finding(&s.ui)->disposition, DISPOSITION_NEW);
	assert_int_equal(s.ui.findings.items[s.ui.cursors[PANE_FINDINGS].at],
			 ui_finding_index(&s.ui));
	sample_free(&s);
}

static void test_what_a_filter_empties_takes_no_mark(void **state)
{
	struct sample s;

	(void)state;
	sample_init(&s);
	press(&s, "3 f\ntype nothing like it\nEnter d t !");
	assert_int_equal(s.review.events.count, 0);
	sample_free(&s);
}

static void test_source_and_detail_filter_the_findings(void **state)
{
	struct sample s;

	(void)state;
	sample_init(&s);
	for (const char *pane = "45"; *pane; pane++) {
		press(&s, *pane == '4' ? "4" : "5");
		press(&s, "f\ntype root\nEnter");
		assert_int_equal(s.ui.focus, PANE_FINDINGS);
		assert_int_equal(s.ui.findings.count, 1);
		press(&s, "F");
	}
	sample_free(&s);
}

static void test_presenting_decides_on_the_finding_shown(void **state)
{
	struct sample s;

	(void)state;
	sample_init(&s);
	press(&s, "3 a g Space Space p Right 1");
	assert_int_equal(s.review.decisions.count, 1);
	assert_int_equal(s.ui.tags.count, 2);
	press(&s, "d");
	assert_true(s.review.marks.count <= 1);
	sample_free(&s);
}

static void test_observed_wants_evidence(void **state)
{
	static const char *const refused[] = { "x", "it was seen", "deploy/compose.yml:4",
					       "exports/inspect.json:4000", "2026-99-99 docker" };
	static const char *const taken[] = { "exports/inspect.json:4", "exports/inspect.json",
					     "2026-11-30 docker inspect runner" };
	struct sample s;
	struct buf script = { 0 };

	(void)state;
	sample_init(&s);
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		buf_clear(&script);
		buf_printf(&script, "2 g o\ntype %s\nEnter", refused[i]);
		press(&s, buf_text(&script));
		assert_true(s.ui.prompt.active);
		assert_int_equal(s.review.marks.count, 0);
		press(&s, "Esc");
	}
	for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
		buf_clear(&script);
		buf_printf(&script, "2 g o\ntype %s\nEnter", taken[i]);
		press(&s, buf_text(&script));
		assert_int_equal(s.review.marks.count, 1);
		assert_string_equal(s.review.marks.items[0].basis, taken[i]);
		press(&s, "z");
	}
	buf_free(&script);
	sample_free(&s);
}

static void test_undo_says_what_it_undid(void **state)
{
	struct sample s;

	(void)state;
	sample_init(&s);
	press(&s, "size 100x30\n3 g t 1 z");
	assert_non_null(strstr(s.ui.message.text, "docker-socket: confirmed"));
	press(&s, "Z");
	assert_non_null(strstr(s.ui.message.text, "docker-socket: confirmed"));
	press(&s, "2 g v j j\nu\ntype no\nEnter z");
	assert_non_null(strstr(s.ui.message.text, "3 marks"));
	sample_free(&s);
}

static void test_typing_on_after_a_refused_key_does_nothing(void **state)
{
	struct sample s;

	(void)state;
	sample_init(&s);
	key(&s, 'X', false, false);
	for (const char *c = "edited!q"; *c; c++)
		assert_int_equal(key(&s, (ui_key)*c, true, false), UI_REDRAW);
	assert_int_equal(s.review.events.count, 0);
	assert_false(s.ui.prompt.active);
	/* After a moment a key is meant. */
	key(&s, 'd', false, false);
	assert_int_equal(s.review.marks.count, 1);
	sample_free(&s);
}

static void test_pasted_text_only_answers_questions(void **state)
{
	struct sample s;

	(void)state;
	sample_init(&s);
	for (const char *c = "d!equit"; *c; c++)
		key(&s, (ui_key)*c, true, true);
	assert_int_equal(s.review.events.count, 0);
	press(&s, "c");
	for (const char *c = "two lines"; *c; c++)
		key(&s, *c == ' ' ? KEY_CODE_ENTER : (ui_key)*c, true, true);
	assert_true(s.ui.prompt.active);
	key(&s, KEY_CODE_ENTER, false, false);
	assert_string_equal(s.review.notes.items[0].text, "two lines");
	sample_free(&s);
}

static void test_the_head_names_what_is_reviewed(void **state)
{
	struct sample s;

	(void)state;
	sample_init(&s);
	s.snapshot.scope.root = "a-tree-with-a-name-that-is-long";
	press(&s, "size 80x24");
	assert_non_null(strstr(screen(&s), "@ 0123456 clean"));
	s.snapshot.scope.revision = "";
	s.snapshot.scope.tree = "not-git";
	press(&s, "size 60x20");
	assert_non_null(strstr(screen(&s), " not-git "));
	sample_free(&s);
}

static void test_help_can_be_read_in_the_least_room(void **state)
{
	struct sample s;

	(void)state;
	sample_init(&s);
	press(&s, "size 20x4\n? /\ntype triage\nEnter");
	assert_non_null(strstr(screen(&s), "Help"));
	press(&s, "j j");
	assert_non_null(strstr(screen(&s), "decide"));
	sample_free(&s);
}

static void test_keys_stay_named_beside_a_long_filter(void **state)
{
	struct sample s;

	(void)state;
	sample_init(&s);
	press(&s, "size 80x24\n3 a f\ntype !accepted !confirmed !duplicate !nothing\nEnter");
	assert_non_null(strstr(screen(&s), "d/o/u mark  t triage  ? help"));
	sample_free(&s);
}

static void test_stale_marks_are_listed_with_their_ground(void **state)
{
	struct sample s;

	(void)state;
	sample_init(&s);
	press(&s, "size 100x30\n3 g d");
	s.snapshot.rows.items[0]->facts.items[3]->value = "/run/docker.sock:/run/docker.sock";
	ui_set_model(&s.ui, &s.snapshot, &s.review);
	assert_int_equal(s.ui.match.counts.stale, 1);
	press(&s, "C");
	assert_non_null(strstr(screen(&s), "stale: runner control_channels, marked declared by ana"));
	press(&s, "q 5");
	assert_non_null(strstr(screen(&s), "what was marked declared has changed since"));
	sample_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_choice_can_be_read),
		cmocka_unit_test(test_a_role_is_proposed_until_a_person_says_it),
		cmocka_unit_test(test_what_an_agent_reaches_is_said),
		cmocka_unit_test(test_a_filter_keeps_the_selection_in_sight),
		cmocka_unit_test(test_a_decided_finding_leaves_the_filter_and_the_next_is_selected),
		cmocka_unit_test(test_what_a_filter_empties_takes_no_mark),
		cmocka_unit_test(test_source_and_detail_filter_the_findings),
		cmocka_unit_test(test_presenting_decides_on_the_finding_shown),
		cmocka_unit_test(test_observed_wants_evidence),
		cmocka_unit_test(test_undo_says_what_it_undid),
		cmocka_unit_test(test_typing_on_after_a_refused_key_does_nothing),
		cmocka_unit_test(test_pasted_text_only_answers_questions),
		cmocka_unit_test(test_the_head_names_what_is_reviewed),
		cmocka_unit_test(test_help_can_be_read_in_the_least_room),
		cmocka_unit_test(test_keys_stay_named_beside_a_long_filter),
		cmocka_unit_test(test_stale_marks_are_listed_with_their_ground),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

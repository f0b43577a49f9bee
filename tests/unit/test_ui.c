/* Keys, actions, layout, search and the prompt.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/ui_sample.h"
#include "ui/core.h"
#include "ui/words.h"
#include "ui/find.h"
#include "ui/key.h"

static void test_key_names_go_both_ways(void **state)
{
	static const char *const names[] = { "j",     "G",   "?",  "Space", "Enter", "Esc", "Tab",
		                             "S-Tab", "C-l", "F1", "F12",   "PgDn",  "BS",  "é" };
	char name[KEY_NAME_BYTES];
	ui_key key;

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		assert_true(key_parse(names[i], strlen(names[i]), &key));
		key_spell(key, name);
		assert_string_equal(name, names[i]);
	}
	assert_false(key_parse("F13", 3, &key));
	assert_false(key_parse("C-L", 3, &key));
	assert_false(key_parse("jj", 2, &key));
	assert_false(key_parse("\x1b", 1, &key));
}

static void test_every_action_has_words_and_keys_that_resolve(void **state)
{
	struct keymap map;

	(void)state;
	keymap_defaults(&map);
	for (enum action a = 0; a < ACTION_COUNT; a++) {
		assert_true(strlen(action_table[a].help) > 1);
		assert_true(map.keys[a][0] != KEY_NONE);
		assert_non_null(action_table[a].run);
		assert_int_equal(action_by_name(action_table[a].name), a);
	}
}

static void test_no_key_is_bound_twice_in_a_mode(void **state)
{
	struct keymap map;

	(void)state;
	keymap_defaults(&map);
	for (enum mode mode = 0; mode < MODE_COUNT; mode++) {
		for (enum action a = 0; a < ACTION_COUNT; a++) {
			if (!(action_table[a].modes & (1u << mode)))
				continue;
			for (size_t i = 0; i < KEYMAP_KEYS && map.keys[a][i]; i++)
				assert_int_equal(keymap_find(&map, mode, map.keys[a][i]), a);
		}
	}
}

static void test_binding_takes_a_key_from_another_action(void **state)
{
	struct keymap map;

	(void)state;
	keymap_defaults(&map);
	assert_true(keymap_bind(&map, ACTION_MATRIX, "d F2"));
	assert_int_equal(keymap_find(&map, MODE_MAIN, 'd'), ACTION_MATRIX);
	assert_int_equal(map.keys[ACTION_DECLARED][0], KEY_NONE);
	assert_int_equal(keymap_find(&map, MODE_MAIN, 'm'), ACTION_NONE);
	assert_false(keymap_bind(&map, ACTION_MATRIX, "nokey"));
}

static void test_help_and_list_hold_every_action(void **state)
{
	struct keymap map;
	struct buf list = { 0 }, manual = { 0 };

	(void)state;
	keymap_defaults(&map);
	keymap_list(&map, &list);
	keymap_manual(&map, &manual);
	for (enum action a = 0; a < ACTION_COUNT; a++) {
		assert_non_null(strstr(buf_text(&list), action_table[a].help));
		assert_non_null(strstr(buf_text(&manual), action_table[a].help));
	}
	buf_free(&list);
	buf_free(&manual);
}

static void test_layout_kinds_by_size(void **state)
{
	static const struct {
		int w, h;
		enum layout_kind kind;
	} cases[] = {
		{ 160, 44, LAYOUT_WIDE },      { 160, 29, LAYOUT_TWO },
		{ 159, 44, LAYOUT_TWO },       { 100, 30, LAYOUT_TWO },
		{ 100, 19, LAYOUT_ACCORDION }, { 99, 30, LAYOUT_ACCORDION },
		{ 80, 24, LAYOUT_ACCORDION },  { 60, 12, LAYOUT_ACCORDION },
		{ 59, 24, LAYOUT_SINGLE },     { 80, 11, LAYOUT_SINGLE },
		{ 20, 4, LAYOUT_SINGLE },      { 19, 40, LAYOUT_TOO_SMALL },
		{ 80, 3, LAYOUT_TOO_SMALL },   { 0, 0, LAYOUT_TOO_SMALL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(
		    layout_compute(cases[i].w, cases[i].h, PANE_FINDINGS, PANE_MAP, ZOOM_NORMAL, 0)
		        .kind,
		    cases[i].kind);
}

/* Panes lie inside the screen, do not overlap, and the focused one can show a line. */
static void check_layout(int w, int h, enum pane focus, enum zoom zoom, int shift)
{
	struct layout l = layout_compute(w, h, focus, PANE_MAP, zoom, shift);

	if (l.kind == LAYOUT_TOO_SMALL)
		return;
	assert_true(layout_inside(&l, focus).h > 0 && layout_inside(&l, focus).w > 0);
	for (enum pane p = 0; p < PANE_COUNT; p++) {
		struct rect r = l.panes[p];

		if (rect_is_empty(r))
			continue;
		assert_true(r.x >= 0 && r.y >= 1 && r.x + r.w <= w && r.y + r.h <= h - 1);
		for (enum pane q = 0; q < p; q++) {
			struct rect o = l.panes[q];

			assert_true(rect_is_empty(o) || r.x >= o.x + o.w || o.x >= r.x + r.w ||
			            r.y >= o.y + o.h || o.y >= r.y + r.h);
		}
	}
}

static void test_layout_holds_at_every_size(void **state)
{
	(void)state;
	for (int w = 1; w <= 240; w += w < 30 ? 1 : 7)
		for (int h = 1; h <= 90; h += h < 40 ? 1 : 9)
			for (enum pane focus = 0; focus < PANE_COUNT; focus++)
				for (enum zoom zoom = 0; zoom < ZOOM_COUNT; zoom++)
					for (int shift = -40; shift <= 40; shift += 40)
						check_layout(w, h, focus, zoom, shift);
}

static void test_filter_words(void **state)
{
	(void)state;
	assert_true(find_filter("critical Docker-Socket new", "docker new"));
	assert_false(find_filter("critical docker-socket new", "docker -new"));
	assert_true(find_filter("critical docker-socket", "!new"));
	assert_true(find_filter("anything", ""));
	assert_true(find_filter("anything", "-"));
	assert_false(find_in("abc", "abcd"));
}

static void press(struct sample *s, const char *keys)
{
	assert_true(sample_run(s, keys));
}

static void test_undo_brings_back_what_was(void **state)
{
	struct sample s;

	(void)state;
	sample_init(&s);
	press(&s, "2 g j d");
	assert_int_equal(s.review.marks.count, 1);
	press(&s, "z");
	assert_int_equal(s.review.marks.count, 0);
	press(&s, "Z");
	assert_int_equal(s.review.marks.count, 1);
	press(&s, "z z z");
	assert_int_equal(s.review.marks.count, 0);
	sample_free(&s);
}

static void test_tagged_cells_are_marked_and_undone_as_one(void **state)
{
	struct sample s;

	(void)state;
	sample_init(&s);
	press(&s, "2 g j j j Space Space j j d");
	assert_int_equal(s.review.marks.count, 2);
	sample_free(&s);
	sample_init(&s);
	press(&s, "size 160x44\n2 g j v j j Space");
	assert_int_equal(s.ui.tags.count, 3);
	press(&s, "u\ntype not supplied\nEnter");
	assert_int_equal(s.review.marks.count, 3);
	assert_int_equal(s.ui.tags.count, 0);
	press(&s, "z");
	assert_int_equal(s.review.marks.count, 0);
	sample_free(&s);
}

static void test_read_only_changes_nothing(void **state)
{
	struct sample s;

	(void)state;
	sample_init(&s);
	s.ui.read_only = true;
	press(
	    &s,
	    "2 g j d\n3 t 1 !\nc\ntype x\nEnter\nz\nC-s 1 Enter\np 1 2 3 4\nEsc\n:\ntype declared\n"
	    "Enter");
	assert_int_equal(s.review.events.count, 0);
	sample_free(&s);
}

static void test_selection_survives_a_reload(void **state)
{
	struct sample s;
	struct snapshot again = { 0 };
	struct buf id = { 0 };

	(void)state;
	sample_init(&s);
	press(&s, "size 100x30\n3 a g j j j");
	buf_puts(&id, buf_text(&s.ui.finding_id));
	sample_snapshot(&again);
	ui_set_model(&s.ui, &again, &s.review);
	snapshot_free(&s.snapshot);
	s.snapshot = again;
	ui_set_model(&s.ui, &s.snapshot, &s.review);
	assert_string_equal(buf_text(&s.ui.finding_id), buf_text(&id));
	press(&s, "j k");
	assert_string_equal(buf_text(&s.ui.finding_id), buf_text(&id));
	buf_free(&id);
	sample_free(&s);
}

/* The cell's place and the finding's differ; opening the finding shows its own. */
static void test_a_finding_opens_its_own_place(void **state)
{
	struct sample s;
	struct span wanted;

	(void)state;
	sample_init(&s);
	press(&s, "size 100x30\n2 g j j j j");
	press(&s, "3 Enter");
	assert_non_null(ui_finding(&s.ui));
	wanted = words_finding_span(ui_finding(&s.ui)->finding);
	assert_int_equal(s.ui.source_line, snapshot_line(&s.snapshot, wanted));
	assert_string_equal(buf_text(&s.ui.source_path), snapshot_path(&s.snapshot, wanted));
	sample_free(&s);
}

static void test_a_partial_load_cannot_be_signed(void **state)
{
	struct sample s;

	(void)state;
	sample_init(&s);
	s.snapshot.partial = true;
	press(&s, "C-s 1 Enter");
	assert_int_equal(s.review.signatures.count, 0);
	s.snapshot.partial = false;
	press(&s, "C-s 1 Enter");
	assert_int_equal(s.review.signatures.count, 1);
	sample_free(&s);
}

static void test_the_screen_before_anything_is_read(void **state)
{
	struct ui_state s;
	struct grid g = { 0 };
	struct buf text = { 0 };

	(void)state;
	ui_init(&s);
	ui_step(&s, &(struct ui_event){ .kind = UI_EVENT_PROGRESS,
	                                .stage = "reading",
	                                .done = 3,
	                                .total = 5500,
	                                .path = "src/values.yaml" });
	for (ui_key key = ' '; key < 127; key++)
		ui_step(&s, &(struct ui_event){ .kind = UI_EVENT_KEY, .key = key });
	ui_step(&s, &(struct ui_event){ .kind = UI_EVENT_KEY, .key = KEY_CODE_ESCAPE });
	assert_true(
	    ui_step(&s, &(struct ui_event){ .kind = UI_EVENT_KEY, .key = KEY_CODE_ESCAPE }) &
	    UI_STOP);
	ui_draw(&s, &g);
	grid_dump(&g, &text);
	assert_non_null(strstr(buf_text(&text), "reading 3 of ~5,500  src/values.yaml"));
	buf_free(&text);
	grid_free(&g);
	ui_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_key_names_go_both_ways),
		cmocka_unit_test(test_every_action_has_words_and_keys_that_resolve),
		cmocka_unit_test(test_no_key_is_bound_twice_in_a_mode),
		cmocka_unit_test(test_binding_takes_a_key_from_another_action),
		cmocka_unit_test(test_help_and_list_hold_every_action),
		cmocka_unit_test(test_layout_kinds_by_size),
		cmocka_unit_test(test_layout_holds_at_every_size),
		cmocka_unit_test(test_filter_words),
		cmocka_unit_test(test_undo_brings_back_what_was),
		cmocka_unit_test(test_tagged_cells_are_marked_and_undone_as_one),
		cmocka_unit_test(test_read_only_changes_nothing),
		cmocka_unit_test(test_selection_survives_a_reload),
		cmocka_unit_test(test_a_finding_opens_its_own_place),
		cmocka_unit_test(test_a_partial_load_cannot_be_signed),
		cmocka_unit_test(test_the_screen_before_anything_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

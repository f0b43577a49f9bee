/* Random keys and sizes: nothing crashes, nothing is drawn outside, the selection stays in sight,
 * and undo takes a mark back. Seeded, so that a failure comes again; FUZZ_STEPS and FUZZ_SEED
 * change the run. SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/text.h"
#include "tests/unit/ui_sample.h"

static uint32_t next_random(uint32_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed;
}

static ui_key random_key(uint32_t *seed)
{
	static const ui_key often[] = {
		'j',  'k',          'j', KEY_CODE_ENTER,    'd', KEY_CODE_ESCAPE,
		'\t', KEY_CODE_TAB, ']', KEY_CODE_PAGE_DOWN
	};
	static const ui_key wide[] = { 0x65e5, 0x301, 0xe9, 0x1f600, 0x202e };
	uint32_t r = next_random(seed) % 100;

	if (r < 30)
		return often[next_random(seed) % (sizeof often / sizeof *often)];
	if (r < 75)
		return ' ' + next_random(seed) % 95;
	if (r < 85)
		return 1 + next_random(seed) % 31;
	if (r < 97)
		return KEY_NAMED + 1 + next_random(seed) % (KEY_CODE_LAST - KEY_NAMED);
	return wide[next_random(seed) % (sizeof wide / sizeof *wide)];
}

static void random_size(uint32_t *seed, struct ui_event *event)
{
	static const int widths[] = { 1, 2, 19, 20, 59, 60, 80, 99, 100, 159, 160, 200, 500 };
	static const int heights[] = { 1, 2, 3, 4, 11, 12, 24, 30, 44, 60, 200 };

	event->kind = UI_EVENT_RESIZE;
	event->width = widths[next_random(seed) % (sizeof widths / sizeof *widths)];
	event->height = heights[next_random(seed) % (sizeof heights / sizeof *heights)];
}

/* Every cell holds a printable point of its width, and a wide one has its second half. */
static void check_grid(const struct grid *g)
{
	for (int y = 0; y < g->height; y++) {
		for (int x = 0; x < g->width; x++) {
			const struct grid_cell *cell = &g->cells[y * g->width + x];

			assert_true(cell->element < ELEMENT_COUNT);
			if (cell->width == 0) {
				assert_true(x > 0 && cell[-1].width == 2);
				continue;
			}
			assert_int_equal(text_point_width(cell->points[0]), cell->width);
			assert_true(cell->width == 1 || x + 1 < g->width);
			assert_true(!g->ascii || cell->points[0] < 0x80);
		}
	}
	assert_true(g->cursor_x >= 0 && g->cursor_y >= 0);
	assert_true(g->width == 0 || g->cursor_x <= g->width);
	assert_true(g->height == 0 || g->cursor_y < g->height);
}

static void check_selection(const struct ui_state *s)
{
	if (s->layout.kind == LAYOUT_TOO_SMALL || s->mode != MODE_MAIN)
		return;
	for (enum pane p = 0; p < PANE_COUNT; p++) {
		const struct cursor *c = &s->cursors[p];

		if (layout_inside(&s->layout, p).h > 1)
			assert_true(c->at >= c->top &&
			            c->at < c->top + (size_t)layout_inside(&s->layout, p).h);
	}
	assert_true(s->row_key.length > 0);
}

static unsigned long number_of(const char *name, unsigned long otherwise)
{
	const char *text = getenv(name);

	return text ? strtoul(text, NULL, 10) : otherwise;
}

static void play(uint32_t seed, unsigned long steps)
{
	struct sample s;
	struct grid g = { 0 };

	sample_init(&s);
	for (unsigned long i = 0; i < steps; i++) {
		struct ui_event event = { .kind = UI_EVENT_KEY, .key = random_key(&seed) };

		if (next_random(&seed) % 16 == 0)
			random_size(&seed, &event);
		if (next_random(&seed) % 256 == 0)
			s.ui.ascii = !s.ui.ascii;
		sample_perform(&s, &s.ui, ui_step(&s.ui, &event));
		if (next_random(&seed) % 512 == 0)
			ui_set_model(&s.ui, &s.snapshot, &s.review);
		check_selection(&s.ui);
		/* Documents of the other character set are made at the next step. */
		if (i % 4 == 0) {
			ui_step(&s.ui, &(struct ui_event){ .kind = UI_EVENT_RESIZE,
			                                   .width = s.ui.width,
			                                   .height = s.ui.height });
			ui_draw(&s.ui, &g);
			check_grid(&g);
		}
	}
	grid_free(&g);
	sample_free(&s);
}

static void test_random_keys_and_sizes(void **state)
{
	(void)state;
	play((uint32_t)number_of("FUZZ_SEED", 20261130), number_of("FUZZ_STEPS", 4000));
}

static void test_every_size_in_any_order(void **state)
{
	struct sample s;
	struct grid g = { 0 };
	uint32_t seed = 7;

	(void)state;
	sample_init(&s);
	for (enum mode mode = MODE_MAIN; mode < MODE_COUNT; mode++) {
		static const char *const keys[MODE_COUNT] = { "Esc", "m", "p", "?",
			                                      "x",   "S", "M", "C" };

		sample_run(&s, "Esc Esc");
		sample_run(&s, keys[mode]);
		for (int i = 0; i < 60; i++) {
			struct ui_event event = { 0 };

			random_size(&seed, &event);
			ui_step(&s.ui, &event);
			ui_draw(&s.ui, &g);
			check_grid(&g);
			assert_int_equal(g.width, event.width);
		}
	}
	grid_free(&g);
	sample_free(&s);
}

static void test_undo_of_any_mark_is_identity(void **state)
{
	static const char *const acts[] = { "d",   "u\ntype why\nEnter", "o\ntype exports/inspect.json:4\nEnter",
		                            "t 1", "c\ntype hm\nEnter",  "T\ntype builds\nEnter" };
	struct sample s;

	(void)state;
	sample_init(&s);
	for (size_t i = 0; i < sizeof acts / sizeof *acts; i++) {
		struct counts before = s.ui.match.counts;
		size_t notes = s.review.notes.count, tasks = s.review.tasks.count;
		size_t events = s.review.events.count;

		sample_run(&s, i == 0 ? "3 g" : "");
		sample_run(&s, acts[i]);
		assert_true(s.review.events.count > events);
		sample_run(&s, "z");
		assert_memory_equal(&before, &s.ui.match.counts, sizeof before);
		assert_int_equal(s.review.notes.count, notes);
		assert_int_equal(s.review.tasks.count, tasks);
	}
	sample_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_keys_and_sizes),
		cmocka_unit_test(test_every_size_in_any_order),
		cmocka_unit_test(test_undo_of_any_mark_is_identity),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The reviewer on a real tree: stopped reading, reload, marks on disk.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "src/reviewer.h"

#define TREE "fixtures/demo"

static char review_path[] = "/tmp/boundwalk-review-XXXXXX";

static void start(struct reviewer *r, struct options *o)
{
	*o = (struct options){ .reviewer = "ana", .quiet = true };
	*ARENA_PUSH(&o->arena, &o->reviews) = review_path;
	reviewer_init(r, o, TREE);
	reviewer_load(r);
}

static void end(struct reviewer *r, struct options *o)
{
	reviewer_free(r);
	arena_free(&o->arena);
}

static void read_all(struct reviewer *r)
{
	while (reviewer_step(r, 1000))
		continue;
	assert_non_null(r->now);
}

static void press(struct reviewer *r, const char *keys)
{
	for (; *keys; keys++)
		reviewer_perform(
		    r, ui_step(&r->ui, &(struct ui_event){ .kind = UI_EVENT_KEY,
		                                           .key = *keys == '\n' ? KEY_CODE_ENTER
		                                                                : (ui_key)*keys }));
}

static void test_stopped_reading_is_partial_and_cannot_be_signed(void **state)
{
	struct reviewer r;
	struct options o;

	(void)state;
	start(&r, &o);
	reviewer_step(&r, 0);
	reviewer_perform(&r, UI_STOP);
	assert_null(r.loader);
	assert_true(r.now->snapshot.partial);
	assert_non_null(strstr(r.ui.message.text, "partial"));
	press(&r, "\x13"
	          "1\n");
	assert_int_equal(r.now->review.signatures.count, 0);
	end(&r, &o);
}

static void test_a_mark_is_on_disk_and_survives_a_reload(void **state)
{
	struct reviewer r;
	struct options o;
	struct buf selected = { 0 };

	(void)state;
	start(&r, &o);
	read_all(&r);
	assert_false(r.now->snapshot.partial);
	press(&r, "3jj2gj");
	press(&r, "d");
	buf_puts(&selected, buf_text(&r.ui.row_key));
	assert_int_equal(r.ui.match.counts.confirmed, 1);
	reviewer_perform(&r, UI_RELOAD);
	read_all(&r);
	assert_string_equal(buf_text(&selected), buf_text(&r.ui.row_key));
	assert_int_equal(r.ui.match.counts.confirmed, 1);
	press(&r, "z");
	assert_int_equal(r.ui.match.counts.confirmed, 0);
	end(&r, &o);
	/* What was said is there for the next one, who may bring it back. */
	start(&r, &o);
	read_all(&r);
	assert_int_equal(r.ui.match.counts.confirmed, 0);
	press(&r, "Z");
	assert_int_equal(r.ui.match.counts.confirmed, 1);
	end(&r, &o);
	buf_free(&selected);
}

static void test_a_second_reviewer_is_told_of_the_lock(void **state)
{
	struct reviewer first, second;
	struct options a, b;

	(void)state;
	start(&first, &a);
	read_all(&first);
	start(&second, &b);
	read_all(&second);
	assert_true(second.ui.read_only);
	assert_int_equal(second.ui.message.level, MESSAGE_ERROR);
	end(&second, &b);
	end(&first, &a);
}

static void test_a_signature_ends_with_the_next_mark(void **state)
{
	struct reviewer r;
	struct options o;

	(void)state;
	start(&r, &o);
	read_all(&r);
	press(&r, "\x13"
	          "3\n");
	assert_true(r.ui.is_signed);
	press(&r, "2gjunot supplied\n");
	assert_false(r.ui.is_signed);
	end(&r, &o);
}

static void test_an_open_preview_follows_the_signature(void **state)
{
	struct reviewer r;
	struct options o;

	(void)state;
	start(&r, &o);
	read_all(&r);
	press(&r, "x");
	assert_non_null(strstr(buf_text(&r.ui.preview), "DRAFT"));
	press(&r, "\x13"
	          "3\n");
	assert_true(r.ui.is_signed);
	assert_null(strstr(buf_text(&r.ui.preview), "DRAFT"));
	press(&r, "z");
	assert_non_null(strstr(buf_text(&r.ui.preview), "DRAFT"));
	end(&r, &o);
}

static void test_a_tree_that_is_not_there_is_said(void **state)
{
	struct options o = { .reviewer = "ana", .quiet = true };
	struct reviewer r;

	(void)state;
	reviewer_init(&r, &o, "/nonexistent/tree");
	reviewer_load(&r);
	assert_true(r.failed);
	assert_true(r.why.length > 0);
	reviewer_free(&r);
}

static int make_review(void **state)
{
	int fd = mkstemp(review_path);

	(void)state;
	return fd >= 0 && close(fd) == 0 && unlink(review_path) == 0 ? 0 : -1;
}

static int remove_review(void **state)
{
	(void)state;
	unlink(review_path);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stopped_reading_is_partial_and_cannot_be_signed),
		cmocka_unit_test(test_a_mark_is_on_disk_and_survives_a_reload),
		cmocka_unit_test(test_a_second_reviewer_is_told_of_the_lock),
		cmocka_unit_test(test_a_signature_ends_with_the_next_mark),
		cmocka_unit_test(test_an_open_preview_follows_the_signature),
		cmocka_unit_test(test_a_tree_that_is_not_there_is_said),
	};

	return cmocka_run_group_tests(tests, make_review, remove_review);
}

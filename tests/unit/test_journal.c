/* The review file survives crashes, full disks, hostile lines and second writers.
 * SPDX-License-Identifier: MIT */
#include "tests/unit/review_help.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/limits.h"
#include "src/review/journal.h"

struct place {
	char folder[64];
	char path[128];
};

static int set_up(void **state)
{
	struct place *p = calloc(1, sizeof *p);

	assert_non_null(p);
	snprintf(p->folder, sizeof p->folder, "/tmp/boundwalk-journal-XXXXXX");
	assert_non_null(mkdtemp(p->folder));
	snprintf(p->path, sizeof p->path, "%s/state/review.jsonl", p->folder);
	*state = p;
	return 0;
}

static void remove_in(const struct place *p, const char *name)
{
	char path[192];

	snprintf(path, sizeof path, "%s/%s", p->folder, name);
	remove(path);
}

static int tear_down(void **state)
{
	struct place *p = *state;

	remove_in(p, "state/review.jsonl");
	remove_in(p, "state/review.jsonl.lock");
	remove_in(p, "state");
	remove_in(p, "second.jsonl");
	remove_in(p, "link");
	rmdir(p->folder);
	free(p);
	return 0;
}

static void write_raw(const char *path, const char *text)
{
	FILE *f = fopen(path, "a");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static bool append(struct journal *j, const char *key, const char *note)
{
	struct arena a = { 0 };
	struct buf why = { 0 };
	struct event e = { .kind = EVENT_MARK, .who = "ann", .when = "2026-11-30T10:00:00Z",
			   .key = key, .value = "declared", .note = note, .path = "compose.yml",
			   .line = 4 };
	bool ok = journal_append(j, &e, &a, &why);

	assert_int_equal(ok, why.length == 0);
	buf_free(&why);
	arena_free(&a);
	return ok;
}

static struct journal opened(const struct place *p)
{
	struct journal j;
	struct buf why = { 0 };

	assert_true(journal_open(&j, p->path, &why));
	return j;
}

static struct review reread(const char *path)
{
	struct review r = { 0 };
	struct buf why = { 0 };

	assert_true(journal_read(&r, path, &why));
	return r;
}

static void test_round_trip(void **state)
{
	struct place *p = *state;
	struct journal j = opened(p);
	struct review r;
	struct stat st;

	assert_true(append(&j, "a:image", "note \"quoted\" \xe6\x97\xa5"));
	assert_true(append(&j, "b:image", ""));
	journal_close(&j);
	r = reread(p->path);
	assert_int_equal(r.marks.count, 2);
	assert_int_equal(r.torn_lines, 0);
	assert_string_equal(review_mark(&r, "a:image")->note, "note \"quoted\" \xe6\x97\xa5");
	assert_int_equal(r.events.items[0].line, 4);
	assert_string_not_equal(r.events.items[0].id, r.events.items[1].id);
	assert_int_equal(stat(p->path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	review_free(&r);
}

static void test_no_file_is_an_empty_review(void **state)
{
	struct place *p = *state;
	struct review r = reread(p->path);

	assert_int_equal(r.events.count, 0);
	review_free(&r);
}

static void test_torn_last_line(void **state)
{
	struct place *p = *state;
	struct journal j = opened(p);
	struct review r;

	append(&j, "a:image", "");
	journal_close(&j);
	write_raw(p->path, "{\"event\":\"mark\",\"id\":\"e9\",\"key\":\"b:im");
	r = reread(p->path);
	assert_int_equal(r.marks.count, 1);
	assert_int_equal(r.torn_lines, 1);
	review_free(&r);
	j = opened(p);
	append(&j, "c:image", "");
	journal_close(&j);
	r = reread(p->path);
	assert_int_equal(r.marks.count, 2);
	assert_non_null(review_mark(&r, "c:image"));
	review_free(&r);
}

static ssize_t write_half(void *context, int fd, const void *bytes, size_t length)
{
	(void)context;
	return write(fd, bytes, length / 2);
}

static ssize_t write_full_disk(void *context, int fd, const void *bytes, size_t length)
{
	(void)context;
	(void)fd;
	(void)bytes;
	(void)length;
	errno = ENOSPC;
	return -1;
}

static int sync_fails(void *context, int fd)
{
	(void)context;
	(void)fd;
	errno = EIO;
	return -1;
}

static void test_failed_writes_leave_no_trace(void **state)
{
	struct place *p = *state;
	struct journal j = opened(p);
	struct journal_effects good = j.effects;
	struct review r;

	append(&j, "a:image", "");
	j.effects.write = write_half;
	assert_false(append(&j, "half:image", ""));
	j.effects.write = write_full_disk;
	assert_false(append(&j, "full:image", ""));
	j.effects = good;
	j.effects.sync = sync_fails;
	assert_false(append(&j, "unsynced:image", ""));
	j.effects = good;
	assert_true(append(&j, "b:image", ""));
	journal_close(&j);
	r = reread(p->path);
	assert_int_equal(r.marks.count, 2);
	assert_int_equal(r.torn_lines, 0);
	assert_non_null(review_mark(&r, "b:image"));
	review_free(&r);
}

static void test_one_writer_at_a_time(void **state)
{
	struct place *p = *state;
	struct journal first = opened(p), second;
	struct buf why = { 0 };

	assert_false(journal_open(&second, p->path, &why));
	assert_non_null(strstr(buf_text(&why), "in use by process"));
	assert_true(append(&first, "a:image", ""));
	journal_close(&first);
	buf_clear(&why);
	assert_true(journal_open(&second, p->path, &why));
	journal_close(&second);
	buf_free(&why);
}

static void test_a_look_leaves_nothing_behind(void **state)
{
	struct place *p = *state;
	struct journal j = opened(p);
	char folder[100];

	journal_close(&j);
	assert_int_not_equal(access(p->path, F_OK), 0);
	snprintf(folder, sizeof folder, "%s/state", p->folder);
	assert_int_not_equal(access(folder, F_OK), 0);
	/* A file that was there stays, also when it is empty. */
	assert_int_equal(mkdir(folder, 0700), 0);
	write_raw(p->path, "");
	j = opened(p);
	journal_close(&j);
	assert_int_equal(access(p->path, F_OK), 0);
}

static void test_links_and_other_things_are_refused(void **state)
{
	struct place *p = *state;
	char link[192];
	struct journal j;
	struct buf why = { 0 };
	struct review r = { 0 };

	snprintf(link, sizeof link, "%s/link", p->folder);
	assert_int_equal(symlink("/dev/null", link), 0);
	assert_false(journal_open(&j, link, &why));
	assert_false(journal_open(&j, p->folder, &why));
	assert_false(journal_open(&j, "/dev/null", &why));
	buf_clear(&why);
	assert_false(journal_read(&r, "/dev/null", &why));
	review_free(&r);
	buf_free(&why);
}

/* Nothing is added to a file that is no review, and nothing read from a newer one. */
static void test_other_files_are_refused(void **state)
{
	static const char *const texts[] = { "# notes\n", "{\"a\": 1}\n", "\001\002",
					     "{\"schema\":\"boundwalk-review/2\"}\n" };
	struct place *p = *state;
	struct journal j = opened(p);

	append(&j, "a:image", "");
	journal_close(&j);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct review r = { 0 };
		struct buf why = { 0 };

		assert_int_equal(truncate(p->path, 0), 0);
		write_raw(p->path, texts[i]);
		assert_false(journal_open(&j, p->path, &why));
		buf_clear(&why);
		assert_false(journal_read(&r, p->path, &why));
		assert_non_null(strstr(buf_text(&why), i < 3 ? "not a review file" : "newer"));
		review_free(&r);
		buf_free(&why);
	}
}

static void test_no_name_is_no_place(void **state)
{
	struct buf why = { 0 };
	struct journal j;

	(void)state;
	assert_false(journal_open(&j, "", &why));
	buf_free(&why);
}

static void test_foreign_lines_are_counted(void **state)
{
	struct place *p = *state;
	struct journal j = opened(p);
	struct review r;

	append(&j, "a:image", "");
	journal_close(&j);
	write_raw(p->path, "not json\n[1,2]\n{\"event\":\"of tomorrow\"}\n{\"event\":1}\n\n");
	write_raw(p->path, "{\"event\":\"mark\",\"id\":\"x\",\"key\":\"b:image\",\"value\":"
			   "\"declared\",\"note\":\"\\u001b[31m\",\"by\":\"ann\"}\n");
	r = reread(p->path);
	assert_int_equal(r.torn_lines, 4);
	assert_string_equal(review_mark(&r, "b:image")->note, "");
	review_free(&r);
}

static void test_two_files_merge(void **state)
{
	struct place *p = *state;
	struct journal j = opened(p);
	char second[192];
	const char *paths[2] = { p->path, second };
	struct string_list list = { paths, 2, 2 };
	struct review r = { 0 };
	struct buf why = { 0 };

	snprintf(second, sizeof second, "%s/second.jsonl", p->folder);
	append(&j, "a:image", "");
	journal_close(&j);
	write_raw(second, "{\"event\":\"mark\",\"id\":\"z1\",\"at\":\"2026-11-30T09:00:00Z\",\"by\":"
			  "\"bob\",\"key\":\"a:image\",\"value\":\"unavailable\"}\n");
	write_raw(second, "{\"event\":\"mark\",\"id\":\"z1\",\"at\":\"2026-11-30T09:00:00Z\",\"by\":"
			  "\"bob\",\"key\":\"a:image\",\"value\":\"unavailable\"}\n");
	assert_true(journal_read_all(&r, &list, &why));
	assert_int_equal(r.events.count, 2);
	assert_int_equal(review_mark(&r, "a:image")->mark, MARK_DECLARED);
	assert_true(review_mark(&r, "a:image")->disputed);
	review_free(&r);
}

static void refused(const char *text)
{
	struct buf why = { 0 };

	assert_false(journal_check_text("note", text, &why));
	assert_true(why.length > 0);
	buf_free(&why);
}

static void test_notes_are_checked(void **state)
{
	struct buf why = { 0 };
	char *large = calloc(1, LIMIT_NOTE_BYTES + 2);

	(void)state;
	assert_non_null(large);
	memset(large, 'x', LIMIT_NOTE_BYTES + 1);
	refused("a\nb");
	refused("\x1b[0m");
	refused("\xff");
	refused("\xe2\x80\xae");
	refused(large);
	assert_true(journal_check_text("note", "plain \xe6\x97\xa5", &why));
	free(large);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_round_trip),
		TEST(test_no_file_is_an_empty_review),
		TEST(test_torn_last_line),
		TEST(test_failed_writes_leave_no_trace),
		TEST(test_one_writer_at_a_time),
		TEST(test_a_look_leaves_nothing_behind),
		TEST(test_links_and_other_things_are_refused),
		TEST(test_other_files_are_refused),
		TEST(test_no_name_is_no_place),
		TEST(test_foreign_lines_are_counted),
		TEST(test_two_files_merge),
		TEST(test_notes_are_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The tree under review: kinds of files, reading, worktrees and their state.
 * SPDX-License-Identifier: MIT */
#include "model/limits.h"
#include "src/repo/digest.h"
#include "tests/unit/git_help.h"
#include "tests/unit/repo_help.h"

static void test_plain_directory(void **state)
{
	struct bench *b = *state;

	put(b, "tree/b/x.yml", "x: 1\n");
	put(b, "tree/b-c", "1");
	put(b, "tree/b.d", "2");
	put(b, "tree/a", "");
	load(b, "tree", NULL);
	assert_string_equal(repo_info(b->repo)->name, "tree");
	assert_int_equal(repo_info(b->repo)->state, REPO_NOT_GIT);
	assert_string_equal(repo_info(b->repo)->revision, "");
	assert_int_equal(repo_count(b->repo), 4);
	expect_sorted(b->repo);
	assert_string_equal(text_of(b, "b/x.yml"), "x: 1\n");
	assert_string_equal(text_of(b, "a"), "");
	assert_null(repo_find(b->repo, "b"));
	assert_true(repo_has_directory(b->repo, "b"));
	assert_true(repo_has_directory(b->repo, ""));
	assert_false(repo_has_directory(b->repo, "b-c"));
	assert_false(repo_has_directory(b->repo, "c"));
}

static void test_nothing_there(void **state)
{
	struct bench *b = *state;

	assert_null(try_open(b, "absent", NULL));
	assert_non_null(strstr(buf_text(&b->why), "no such file or directory"));
	put(b, "tree/a", "");
	assert_null(try_open(b, "tree", "HEAD"));
	assert_non_null(strstr(buf_text(&b->why), "git repository"));
	assert_int_equal(mkfifo(at(b, "pipe"), 0600), 0);
	assert_null(try_open(b, "pipe", NULL));
}

static void test_links_are_not_followed(void **state)
{
	struct bench *b = *state;

	put(b, "secret", "outside\n");
	put(b, "tree/d/file", "inside\n");
	assert_int_equal(symlink("../secret", at(b, "tree/out")), 0);
	assert_int_equal(symlink("/etc/passwd", at(b, "tree/d/absolute")), 0);
	assert_int_equal(symlink("./../d/file", at(b, "tree/d/in")), 0);
	assert_int_equal(symlink("..", at(b, "tree/up")), 0);
	assert_int_equal(symlink("..", at(b, "tree/d/loop")), 0);
	load(b, "tree", NULL);
	assert_int_equal(repo_count(b->repo), 6);
	assert_int_equal(entry(b, "out")->kind, REPO_LINK);
	assert_string_equal(entry(b, "out")->target, "../secret");
	assert_true(entry(b, "out")->outside);
	assert_true(entry(b, "d/absolute")->outside);
	assert_true(entry(b, "up")->outside);
	assert_false(entry(b, "d/in")->outside);
	assert_false(entry(b, "d/loop")->outside);
	refusal(b, "out");
}

static void test_replaced_after_listing(void **state)
{
	struct bench *b = *state;

	put(b, "secret", "outside\n");
	put(b, "other/f", "outside\n");
	put(b, "tree/a", "a");
	put(b, "tree/d/f", "f");
	put(b, "tree/gone", "g");
	put(b, "tree/grown", "1");
	put(b, "tree/pipe", "p");
	load(b, "tree", NULL);
	unlink(at(b, "tree/a"));
	unlink(at(b, "tree/gone"));
	unlink(at(b, "tree/pipe"));
	assert_int_equal(symlink("../secret", at(b, "tree/a")), 0);
	assert_int_equal(mkfifo(at(b, "tree/pipe"), 0600), 0);
	assert_int_equal(rename(at(b, "tree/d"), at(b, "tree/e")), 0);
	assert_int_equal(symlink("../other", at(b, "tree/d")), 0);
	put(b, "tree/grown", "12345");
	refusal(b, "a");
	refusal(b, "d/f");
	refusal(b, "gone");
	refusal(b, "pipe");
	assert_string_equal(text_of(b, "grown"), "12345");
}

static void test_kinds(void **state)
{
	struct bench *b = *state;

	put(b, "tree/large", "");
	assert_int_equal(truncate(at(b, "tree/large"), (off_t)LIMIT_FILE_BYTES + 1), 0);
	put(b, "tree/fits", "");
	assert_int_equal(truncate(at(b, "tree/fits"), (off_t)LIMIT_FILE_BYTES), 0);
	assert_int_equal(mkfifo(at(b, "tree/pipe"), 0600), 0);
	put(b, "tree/node_modules/a/b/c.js", "");
	put(b, "tree/node_modules/d.js", "");
	put(b, "tree/x/vendor/e.yml", "");
	put(b, "tree/x/vendored", "");
	load(b, "tree", NULL);
	assert_int_equal(entry(b, "large")->kind, REPO_TOO_LARGE);
	assert_int_equal(entry(b, "fits")->kind, REPO_FILE);
	assert_int_equal(entry(b, "pipe")->kind, REPO_FIFO);
	assert_int_equal(entry(b, "node_modules")->kind, REPO_SKIPPED);
	assert_int_equal(entry(b, "node_modules")->count, 2);
	assert_int_equal(entry(b, "x/vendor")->count, 1);
	assert_true(repo_has_directory(b->repo, "x/vendor"));
	assert_int_equal(repo_count(b->repo), 6);
	refusal(b, "pipe");
	refusal(b, "large");
	expect_sorted(b->repo);
}

static void test_unreadable(void **state)
{
	struct bench *b = *state;

	if (geteuid() == 0)
		skip();
	put(b, "tree/a", "");
	put(b, "tree/d/f", "");
	put(b, "tree/d-e", "");
	chmod(at(b, "tree/a"), 0);
	chmod(at(b, "tree/d"), 0);
	load(b, "tree", NULL);
	assert_non_null(strstr(refusal(b, "a"), "permission denied"));
	assert_int_equal(entry(b, "d")->kind, REPO_UNREADABLE);
	expect_sorted(b->repo);
	chmod(at(b, "tree/d"), 0700);
}

static void test_weird_names(void **state)
{
	static const char *const names[] = { "a\nb", "\x1b[31m", "\xff\xfe", " ", "-rf", "a\"b'",
					     "..." };
	struct bench *b = *state;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		put(b, arena_printf(&b->arena, "tree/%s/f", names[i]), names[i]);
	load(b, "tree", NULL);
	assert_int_equal(repo_count(b->repo), sizeof names / sizeof *names);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_string_equal(text_of(b, arena_printf(&b->arena, "%s/f", names[i])),
				    names[i]);
	expect_sorted(b->repo);
}

static void test_nul_bytes_are_kept(void **state)
{
	struct bench *b = *state;
	struct repo_bytes out;

	put_bytes(b, "tree/f", "a\0b", 3);
	load(b, "tree", NULL);
	assert_true(repo_read(b->repo, entry(b, "f"), &b->arena, &out));
	assert_int_equal(out.length, 3);
	assert_memory_equal(out.bytes, "a\0b", 4);
}

static void test_lists_in_steps(void **state)
{
	struct bench *b = *state;
	size_t steps = 0;

	for (int i = 0; i < 100; i++)
		put(b, arena_printf(&b->arena, "tree/%d/f", i), "");
	assert_non_null(try_open(b, "tree", NULL));
	while (repo_list_step(b->repo, 10)) {
		steps++;
		assert_true(repo_count(b->repo) <= steps * 10);
		expect_sorted(b->repo);
	}
	assert_true(steps >= 9);
	assert_int_equal(repo_count(b->repo), 100);
}

static void test_single_file(void **state)
{
	struct bench *b = *state;

	put(b, "tree/compose.yml", "x\n");
	put(b, "tree/other", "y\n");
	load(b, "tree/compose.yml", NULL);
	assert_int_equal(repo_count(b->repo), 1);
	assert_string_equal(repo_info(b->repo)->name, "compose.yml");
	assert_string_equal(text_of(b, "compose.yml"), "x\n");
	make_repository(b);
	load(b, "work/agent/Dockerfile", NULL);
	assert_int_equal(repo_info(b->repo)->state, REPO_CLEAN);
	assert_int_equal(repo_count(b->repo), 1);
	load(b, "work/compose.yml", "HEAD~1");
	assert_int_equal(repo_count(b->repo), 1);
	assert_string_equal(text_of(b, "compose.yml"), "old\n");
}

static void test_lfs_pointer(void **state)
{
	static const char pointer[] = "version https://git-lfs.github.com/spec/v1\n"
				      "oid sha256:00\nsize 12345\n";
	struct bench *b = *state;

	put(b, "tree/p", pointer);
	put(b, "tree/q", "version https://git-lfs.github.com/spec/v1 is a sentence\n");
	load(b, "tree", NULL);
	assert_non_null(strstr(refusal(b, "p"), "LFS"));
	text_of(b, "q");
}

static void test_clean_worktree(void **state)
{
	struct bench *b = *state;

	make_repository(b);
	load(b, "work", NULL);
	assert_string_equal(repo_info(b->repo)->name, "work");
	assert_int_equal(strlen(repo_info(b->repo)->revision), 40);
	assert_int_equal(repo_info(b->repo)->state, REPO_CLEAN);
	assert_int_equal(repo_info(b->repo)->change_count, 0);
	assert_int_equal(repo_count(b->repo), 3);
	assert_true(entry(b, "run")->executable);
	assert_false(entry(b, "compose.yml")->executable);
}

static void test_dirty_worktree(void **state)
{
	struct bench *b = *state;

	make_repository(b);
	put(b, "work/compose.yml", "newer\n");
	put(b, "work/agent/Dockerfile", "FROM scratcH\n"); /* same size */
	stage(b, "agent/Dockerfile");
	unlink(at(b, "work/run"));
	put(b, "work/added", "");
	stage(b, "added");
	put(b, "work/loose", "");
	load(b, "work", NULL);
	assert_int_equal(repo_info(b->repo)->state, REPO_DIRTY);
	assert_int_equal(change(b, "compose.yml"), REPO_UNSTAGED);
	assert_int_equal(change(b, "agent/Dockerfile"), REPO_STAGED);
	assert_int_equal(change(b, "run"), REPO_UNSTAGED);
	assert_int_equal(change(b, "added"), REPO_STAGED);
	assert_int_equal(change(b, "loose"), REPO_UNTRACKED);
	assert_int_equal(repo_info(b->repo)->dirty_count, 5);
}

static void test_same_stat_does_not_hide_a_change(void **state)
{
	struct bench *b = *state;

	make_repository(b);
	put(b, "work/compose.yml", "neW\n");
	load(b, "work", NULL);
	assert_int_equal(change(b, "compose.yml"), REPO_UNSTAGED);
}

static void test_mode_and_type_changes(void **state)
{
	struct bench *b = *state;

	make_repository(b);
	chmod(at(b, "work/run"), 0644);
	unlink(at(b, "work/compose.yml"));
	assert_int_equal(symlink("run", at(b, "work/compose.yml")), 0);
	load(b, "work", NULL);
	assert_int_equal(change(b, "run"), REPO_UNSTAGED);
	assert_int_equal(change(b, "compose.yml"), REPO_UNSTAGED);
}

static void test_tracked_link_is_clean(void **state)
{
	struct bench *b = *state;

	make_repository(b);
	assert_int_equal(symlink("run", at(b, "work/link")), 0);
	put(b, "work/vendor/x/y.c", "int y;\n");
	stage(b, "link");
	stage(b, "vendor/x/y.c");
	commit(b);
	load(b, "work", NULL);
	assert_int_equal(repo_info(b->repo)->state, REPO_CLEAN);
	put(b, "work/vendor/x/y.c", "int z;\n");
	load(b, "work", NULL);
	assert_int_equal(change(b, "vendor/x/y.c"), REPO_UNSTAGED);
	load(b, "work", "HEAD");
	assert_int_equal(entry(b, "link")->kind, REPO_LINK);
	assert_string_equal(entry(b, "link")->target, "run");
	assert_int_equal(entry(b, "vendor")->count, 1);
}

static void test_ignored_files_are_listed(void **state)
{
	struct bench *b = *state;

	make_repository(b);
	put(b, "work/.gitignore",
	    "# comment\n*.log\n!keep.log\n/build/\ndoc/**/x\nnode_modules\n\\#odd\r\n[ab].t?t\n");
	put(b, "work/sub/.gitignore", "!special.log\nlocal/*.tmp\n");
	stage(b, ".gitignore");
	stage(b, "sub/.gitignore");
	commit(b);
	put(b, "work/a.log", "");
	put(b, "work/sub/b.log", "");
	put(b, "work/sub/special.log", "");
	put(b, "work/keep.log", "");
	put(b, "work/build/deep/compose.yml", "evil\n");
	put(b, "work/sub/build/f", "");
	put(b, "work/doc/1/2/x", "");
	put(b, "work/doc/x", "");
	put(b, "work/sub/local/1.tmp", "");
	put(b, "work/sub/local/d/1.tmp", "");
	put(b, "work/node_modules/m", "");
	put(b, "work/#odd", "");
	put(b, "work/a.txt", "");
	put(b, "work/c.txt", "");
	load(b, "work", NULL);
	assert_string_equal(text_of(b, "build/deep/compose.yml"), "evil\n");
	assert_int_equal(change(b, "build/deep/compose.yml"), REPO_IGNORED);
	assert_int_equal(change(b, "a.log"), REPO_IGNORED);
	assert_int_equal(change(b, "sub/b.log"), REPO_IGNORED);
	assert_int_equal(change(b, "sub/special.log"), REPO_UNTRACKED);
	assert_int_equal(change(b, "keep.log"), REPO_UNTRACKED);
	assert_int_equal(change(b, "sub/build/f"), REPO_UNTRACKED);
	assert_int_equal(change(b, "doc/1/2/x"), REPO_IGNORED);
	assert_int_equal(change(b, "doc/x"), REPO_IGNORED);
	assert_int_equal(change(b, "sub/local/1.tmp"), REPO_IGNORED);
	assert_int_equal(change(b, "sub/local/d/1.tmp"), REPO_UNTRACKED);
	assert_int_equal(change(b, "node_modules"), REPO_IGNORED);
	assert_int_equal(change(b, "#odd"), REPO_IGNORED);
	assert_int_equal(change(b, "a.txt"), REPO_IGNORED);
	assert_int_equal(change(b, "c.txt"), REPO_UNTRACKED);
	assert_int_equal(repo_info(b->repo)->dirty_count, 5);
	load(b, "work/sub", NULL);
	assert_int_equal(change(b, "b.log"), REPO_IGNORED);
	assert_int_equal(change(b, "special.log"), REPO_UNTRACKED);
}

static void test_subdirectory_as_root(void **state)
{
	struct bench *b = *state;

	make_repository(b);
	put(b, "work/compose.yml", "changed elsewhere\n");
	put(b, "work/agent-2/x", "");
	load(b, "work/agent", NULL);
	assert_int_equal(repo_info(b->repo)->state, REPO_CLEAN);
	assert_int_equal(strlen(repo_info(b->repo)->revision), 40);
	assert_int_equal(repo_count(b->repo), 1);
	assert_string_equal(text_of(b, "Dockerfile"), "FROM scratch\n");
	load(b, "work/agent", "HEAD~1");
	assert_int_equal(repo_count(b->repo), 1);
	assert_string_equal(text_of(b, "Dockerfile"), "FROM scratch\n");
	load(b, "work/agent-2", NULL);
	assert_int_equal(repo_info(b->repo)->state, REPO_NOT_GIT);
	assert_non_null(repo_info(b->repo)->note);
	assert_null(try_open(b, "work/agent-2", "HEAD"));
}

static void test_revision_from_blobs(void **state)
{
	struct bench *b = *state;
	char head[41];

	make_repository(b);
	load(b, "work", NULL);
	memcpy(head, repo_info(b->repo)->revision, sizeof head);
	put(b, "work/compose.yml", "dirty\n");
	put(b, "work/untracked", "");
	load(b, "work", "HEAD");
	assert_true(repo_info(b->repo)->from_revision);
	assert_string_equal(repo_info(b->repo)->revision, head);
	assert_int_equal(repo_info(b->repo)->state, REPO_CLEAN);
	assert_int_equal(repo_count(b->repo), 3);
	assert_string_equal(text_of(b, "compose.yml"), "new\n");
	assert_true(entry(b, "run")->executable);
	load(b, "work", "HEAD~1");
	assert_string_equal(text_of(b, "compose.yml"), "old\n");
	head[10] = '\0';
	load(b, "work", head);
	assert_string_equal(text_of(b, "compose.yml"), "new\n");
	assert_null(try_open(b, "work", "no-such-branch"));
	assert_null(try_open(b, "work", "HEAD:compose.yml"));
}

static void test_digest(void **state)
{
	char hex[DIGEST_HEX];

	(void)state;
	digest_sha256_hex("abc", 3, hex);
	assert_string_equal(hex,
			    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	digest_sha256_hex(NULL, 0, hex);
	assert_string_equal(hex,
			    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_plain_directory),
		TEST(test_nothing_there),
		TEST(test_links_are_not_followed),
		TEST(test_replaced_after_listing),
		TEST(test_kinds),
		TEST(test_unreadable),
		TEST(test_weird_names),
		TEST(test_nul_bytes_are_kept),
		TEST(test_lists_in_steps),
		TEST(test_single_file),
		TEST(test_lfs_pointer),
		TEST(test_clean_worktree),
		TEST(test_dirty_worktree),
		TEST(test_same_stat_does_not_hide_a_change),
		TEST(test_mode_and_type_changes),
		TEST(test_tracked_link_is_clean),
		TEST(test_ignored_files_are_listed),
		TEST(test_subdirectory_as_root),
		TEST(test_revision_from_blobs),
		cmocka_unit_test(test_digest),
	};

	return cmocka_run_group_tests(tests, hold_git, release_git);
}

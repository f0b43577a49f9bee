/* The tree under review: kinds, reading, revisions, state, and hostile git directories.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <ftw.h>
#include <git2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/limits.h"
#include "src/repo/digest.h"
#include "src/repo/repo.h"

struct bench {
	char root[64]; /* temporary directory */
	struct arena arena;
	struct repo *repo;
	git_repository *git;
	struct buf why;
};

static char *at(struct bench *b, const char *path)
{
	return arena_printf(&b->arena, "%s/%s", b->root, path);
}

static void put_bytes(struct bench *b, const char *path, const void *bytes, size_t length)
{
	char *full = at(b, path);
	FILE *f;

	for (char *slash = strchr(full + strlen(b->root) + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(full, 0755);
		*slash = '/';
	}
	f = fopen(full, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, length, f), length);
	fclose(f);
}

static void put(struct bench *b, const char *path, const char *text)
{
	put_bytes(b, path, text, strlen(text));
}

static int set_up(void **state)
{
	struct bench *b = calloc(1, sizeof *b);

	assert_non_null(b);
	strcpy(b->root, "/tmp/test_repo.XXXXXX");
	assert_non_null(mkdtemp(b->root));
	git_libgit2_init();
	git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
	for (int level = GIT_CONFIG_LEVEL_PROGRAMDATA; level <= GIT_CONFIG_LEVEL_GLOBAL; level++)
		git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, level, "");
	*state = b;
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static int tear_down(void **state)
{
	struct bench *b = *state;

	repo_close(b->repo);
	git_repository_free(b->git);
	git_libgit2_shutdown();
	nftw(b->root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	arena_free(&b->arena);
	buf_free(&b->why);
	free(b);
	return 0;
}

/* Opens PATH below the temporary directory; NULL when refused. */
static struct repo *try_open(struct bench *b, const char *path, const char *revision)
{
	repo_close(b->repo);
	buf_clear(&b->why);
	b->repo = repo_open(&b->arena, at(b, path), revision, &b->why);
	return b->repo;
}

static struct repo *load(struct bench *b, const char *path, const char *revision)
{
	if (!try_open(b, path, revision))
		fail_msg("%s", buf_text(&b->why));
	repo_list(b->repo);
	repo_status(b->repo);
	return b->repo;
}

static const struct repo_entry *entry(struct bench *b, const char *path)
{
	const struct repo_entry *e = repo_find(b->repo, path);

	if (!e)
		fail_msg("%s is not listed", path);
	return e;
}

static const char *text_of(struct bench *b, const char *path)
{
	struct repo_bytes out;

	if (!repo_read(b->repo, entry(b, path), &b->arena, &out))
		fail_msg("%s: %s", path, out.reason);
	assert_int_equal(strlen(out.bytes), out.length);
	return out.bytes;
}

static const char *refusal(struct bench *b, const char *path)
{
	struct repo_bytes out;

	assert_false(repo_read(b->repo, entry(b, path), &b->arena, &out));
	assert_null(out.bytes);
	assert_non_null(out.reason);
	return out.reason;
}

static unsigned change(struct bench *b, const char *path)
{
	const struct repo_info *info = repo_info(b->repo);

	for (size_t i = 0; i < info->change_count; i++)
		if (strcmp(info->changes[i].path, path) == 0)
			return info->changes[i].flags;
	return 0;
}

static void expect_sorted(struct repo *r)
{
	for (size_t i = 1; i < repo_count(r); i++)
		assert_true(strcmp(repo_at(r, i - 1)->path, repo_at(r, i)->path) < 0);
}

static void init(struct bench *b, const char *path, bool bare)
{
	git_repository_free(b->git);
	assert_int_equal(git_repository_init(&b->git, at(b, path), bare), 0);
}

static void stage(struct bench *b, const char *path)
{
	git_index *index;

	assert_int_equal(git_repository_index(&index, b->git), 0);
	assert_int_equal(git_index_add_bypath(index, path), 0);
	assert_int_equal(git_index_write(index), 0);
	git_index_free(index);
}

/* Commits tree TREE (of the index without one) on HEAD. */
static void commit_tree(struct bench *b, const git_oid *tree_id)
{
	git_signature *who;
	git_commit *parent = NULL;
	git_tree *tree;
	git_oid id;

	assert_int_equal(git_tree_lookup(&tree, b->git, tree_id), 0);
	assert_int_equal(git_signature_new(&who, "Nobody", "nobody@example.org", 1700000000, 0), 0);
	if (git_reference_name_to_id(&id, b->git, "HEAD") == 0)
		assert_int_equal(git_commit_lookup(&parent, b->git, &id), 0);
	assert_int_equal(git_commit_create_v(&id, b->git, "HEAD", who, who, NULL, "x", tree,
					     parent ? 1 : 0, parent),
			 0);
	git_commit_free(parent);
	git_tree_free(tree);
	git_signature_free(who);
}

static void commit(struct bench *b)
{
	git_index *index;
	git_oid id;

	assert_int_equal(git_repository_index(&index, b->git), 0);
	assert_int_equal(git_index_write_tree(&id, index), 0);
	git_index_free(index);
	commit_tree(b, &id);
}

/* work/: compose.yml, agent/Dockerfile and run (executable), committed twice. */
static void make_repository(struct bench *b)
{
	init(b, "work", false);
	put(b, "work/compose.yml", "old\n");
	put(b, "work/agent/Dockerfile", "FROM scratch\n");
	put(b, "work/run", "#!/bin/sh\n");
	chmod(at(b, "work/run"), 0755);
	stage(b, "compose.yml");
	stage(b, "agent/Dockerfile");
	stage(b, "run");
	commit(b);
	put(b, "work/compose.yml", "new\n");
	stage(b, "compose.yml");
	commit(b);
}

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

static void test_bare_and_git_directory(void **state)
{
	struct bench *b = *state;

	make_repository(b);
	load(b, "work/.git", NULL);
	assert_string_equal(repo_info(b->repo)->name, "work");
	assert_string_equal(text_of(b, "compose.yml"), "new\n");
	assert_int_equal(rename(at(b, "work/.git"), at(b, "bare.git")), 0);
	load(b, "bare.git", NULL);
	assert_string_equal(repo_info(b->repo)->name, "bare.git");
	assert_int_equal(repo_count(b->repo), 3);
	load(b, "bare.git", "HEAD~1");
	assert_string_equal(text_of(b, "compose.yml"), "old\n");
}

static void test_no_commit_yet(void **state)
{
	struct bench *b = *state;

	init(b, "work", false);
	put(b, "work/a", "");
	load(b, "work", NULL);
	assert_string_equal(repo_info(b->repo)->revision, "");
	assert_int_equal(repo_info(b->repo)->state, REPO_DIRTY);
	assert_int_equal(change(b, "a"), REPO_UNTRACKED);
	init(b, "empty.git", true);
	assert_null(try_open(b, "empty.git", NULL));
}

static void test_submodules(void **state)
{
	struct bench *b = *state;
	git_index_entry link = { .mode = GIT_FILEMODE_COMMIT, .path = "sub" };
	git_index *index;

	make_repository(b);
	git_oid_fromstr(&link.id, "0123456789012345678901234567890123456789");
	assert_int_equal(git_repository_index(&index, b->git), 0);
	assert_int_equal(git_index_add(index, &link), 0);
	assert_int_equal(git_index_write(index), 0);
	git_index_free(index);
	commit(b);
	mkdir(at(b, "work/sub"), 0755);
	init(b, "work/nested", false);
	put(b, "work/nested/compose.yml", "");
	put(b, "work/sub-x", "");
	load(b, "work", NULL);
	assert_int_equal(entry(b, "sub")->kind, REPO_SUBMODULE);
	assert_int_equal(entry(b, "nested")->kind, REPO_SUBMODULE);
	assert_null(repo_find(b->repo, "nested/compose.yml"));
	assert_int_equal(change(b, "sub"), 0);
	expect_sorted(b->repo);
	load(b, "work", "HEAD");
	assert_int_equal(entry(b, "sub")->kind, REPO_SUBMODULE);
	refusal(b, "sub");
}

static void test_dot_git_that_is_none_hides_nothing(void **state)
{
	struct bench *b = *state;

	put(b, "tree/d/.git", "not a link\n");
	put(b, "tree/d/compose.yml", "");
	put(b, "tree/.git/compose.yml", "");
	load(b, "tree", NULL);
	entry(b, "d/compose.yml");
	entry(b, "d/.git");
	entry(b, ".git/compose.yml");
}

static void test_configuration_is_not_obeyed(void **state)
{
	struct bench *b = *state;

	make_repository(b);
	assert_int_equal(mkfifo(at(b, "trap"), 0600), 0); /* opening it would block for ever */
	put(b, "work/.git/config",
	    arena_printf(&b->arena,
			 "[include]\n\tpath = %s\n[core]\n\tautocrlf = true\n\tworktree = /etc\n"
			 "\tfsmonitor = /bin/false\n\tbare = true\n\texcludesFile = %s\n"
			 "[filter \"f\"]\n\tclean = /bin/false\n\trequired = true\n",
			 at(b, "trap"), at(b, "trap")));
	put(b, "work/.git/info/attributes", "* filter=f\n");
	load(b, "work", NULL);
	assert_int_equal(repo_info(b->repo)->state, REPO_CLEAN);
	load(b, "work", "HEAD");
	assert_string_equal(text_of(b, "compose.yml"), "new\n");
}

static int give_away(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return lchown(path, 12345, 12345);
}

static void test_foreign_owner(void **state)
{
	struct bench *b = *state;

	if (geteuid() != 0)
		skip();
	make_repository(b);
	assert_int_equal(nftw(at(b, "work"), give_away, 16, FTW_PHYS), 0);
	git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 1);
	load(b, "work", NULL);
	assert_int_equal(repo_info(b->repo)->state, REPO_CLEAN);
	assert_int_equal(strlen(repo_info(b->repo)->revision), 40);
	load(b, "work", "HEAD");
	assert_string_equal(text_of(b, "compose.yml"), "new\n");
}

static void test_git_file_out_of_the_tree(void **state)
{
	struct bench *b = *state;

	make_repository(b);
	put(b, "other/.git", "gitdir: ../work/.git\n");
	put(b, "other/a", "");
	load(b, "other", NULL);
	assert_int_equal(repo_info(b->repo)->state, REPO_NOT_GIT);
	assert_non_null(strstr(repo_info(b->repo)->note, "not followed"));
	assert_null(try_open(b, "other", "HEAD"));
	assert_int_equal(repo_count(load(b, "other", NULL)), 1);
}

static void test_linked_worktree(void **state)
{
	struct bench *b = *state;
	git_worktree *worktree;

	make_repository(b);
	assert_int_equal(git_worktree_add(&worktree, b->git, "second", at(b, "second"), NULL), 0);
	git_worktree_free(worktree);
	load(b, "second", NULL);
	assert_int_equal(repo_info(b->repo)->state, REPO_CLEAN);
	assert_int_equal(strlen(repo_info(b->repo)->revision), 40);
	assert_string_equal(text_of(b, "compose.yml"), "new\n");
	load(b, "second", "HEAD~1");
	assert_string_equal(text_of(b, "compose.yml"), "old\n");
}

static void test_hostile_git_directory(void **state)
{
	struct bench *b = *state;

	make_repository(b);
	assert_int_equal(rename(at(b, "work/.git/objects"), at(b, "objects")), 0);
	assert_int_equal(symlink("../../objects", at(b, "work/.git/objects")), 0);
	load(b, "work", NULL);
	assert_int_equal(repo_info(b->repo)->state, REPO_NOT_GIT);
	unlink(at(b, "work/.git/objects"));
	assert_int_equal(rename(at(b, "objects"), at(b, "work/.git/objects")), 0);
	assert_int_equal(mkfifo(at(b, "work/.git/refs/heads/pipe"), 0600), 0);
	load(b, "work", NULL);
	assert_int_equal(repo_info(b->repo)->state, REPO_NOT_GIT);
	assert_non_null(repo_info(b->repo)->note);
	assert_int_equal(repo_count(b->repo), 3);
	unlink(at(b, "work/.git/refs/heads/pipe"));
	put(b, "work/.git/refs/heads/huge", "x");
	assert_int_equal(truncate(at(b, "work/.git/refs/heads/huge"), (off_t)3 << 30), 0);
	load(b, "work", NULL);
	assert_non_null(strstr(repo_info(b->repo)->note, "too large"));
	unlink(at(b, "work/.git/refs/heads/huge"));
	put(b, "work/.git/index", "DIRC nonsense");
	load(b, "work", NULL);
	assert_int_equal(repo_info(b->repo)->state, REPO_CLEAN);
	assert_non_null(repo_info(b->repo)->note);
}

static void test_alternates_are_not_read(void **state)
{
	struct bench *b = *state;

	make_repository(b);
	assert_int_equal(rename(at(b, "work/.git/objects"), at(b, "objects")), 0);
	put(b, "work/.git/objects/info/alternates",
	    arena_printf(&b->arena, "%s\n", at(b, "objects")));
	mkdir(at(b, "work/.git/objects/pack"), 0755);
	load(b, "work", NULL);
	assert_int_equal(repo_info(b->repo)->state, REPO_DIRTY);
	assert_non_null(repo_info(b->repo)->note);
	assert_null(try_open(b, "work", "HEAD"));
}

/* The commit's object claims 100 GB, for which libgit2 would make room. */
static void test_a_commit_that_claims_to_be_huge(void **state)
{
	static const unsigned char object[] = { /* "commit 100000000000", NUL, "tree 0000…" */
		0x78, 0x9c, 0x4b, 0xce, 0xcf, 0xcd, 0xcd, 0x2c, 0x51, 0x30,
		0x34, 0x40, 0x00, 0x86, 0x92, 0xa2, 0xd4, 0x54, 0x05, 0x03,
		0x22, 0x01, 0x17, 0x00, 0x13, 0x14, 0x0e, 0x45,
	};
	struct bench *b = *state;
	const char *hex, *path;

	make_repository(b);
	hex = arena_strdup(&b->arena, repo_info(load(b, "work", "HEAD"))->revision);
	path = arena_printf(&b->arena, "work/.git/objects/%.2s/%s", hex, hex + 2);
	assert_int_equal(unlink(at(b, path)), 0);
	put_bytes(b, path, object, sizeof object);
	assert_null(try_open(b, "work", "HEAD"));
	assert_null(try_open(b, "work", hex));
	load(b, "work", NULL);
	assert_non_null(strstr(repo_info(b->repo)->note, "objects of its commit"));
}

static void test_missing_blob(void **state)
{
	struct bench *b = *state;
	git_oid id;
	char *hex;

	make_repository(b);
	assert_int_equal(git_odb_hash(&id, "new\n", 4, GIT_OBJECT_BLOB), 0);
	hex = arena_strdup(&b->arena, git_oid_tostr_s(&id));
	assert_int_equal(unlink(at(b, arena_printf(&b->arena, "work/.git/objects/%.2s/%s", hex,
						   hex + 2))),
			 0);
	load(b, "work", "HEAD");
	assert_non_null(strstr(refusal(b, "compose.yml"), "missing"));
	text_of(b, "run");
}

/* Writes a tree of one entry without the checks that the library makes on names. */
static void write_tree(struct bench *b, git_oid *tree, const char *mode, const char *name,
		       const git_oid *id)
{
	struct buf raw = { 0 };
	git_odb *odb;

	buf_printf(&raw, "%s %s", mode, name);
	buf_add(&raw, "", 1);
	buf_add(&raw, id->id, 20);
	assert_int_equal(git_repository_odb(&odb, b->git), 0);
	assert_int_equal(git_odb_write(tree, odb, raw.bytes, raw.length, GIT_OBJECT_TREE), 0);
	git_odb_free(odb);
	buf_free(&raw);
}

static void test_bad_names_in_a_tree(void **state)
{
	static const char *const names[] = { "..", ".", ".git", ".GIT", "a/b" };
	struct bench *b = *state;
	git_oid blob, tree;

	make_repository(b);
	assert_int_equal(git_blob_create_from_buffer(&blob, b->git, "x", 1), 0);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		write_tree(b, &tree, "100644", names[i], &blob);
		commit_tree(b, &tree);
		load(b, "work", "HEAD");
		assert_int_equal(repo_count(b->repo), 1);
		assert_int_equal(repo_at(b->repo, 0)->kind, REPO_BAD_NAME);
	}
}

static void test_deep_tree_is_cut(void **state)
{
	struct bench *b = *state;
	git_oid at_depth, next;

	make_repository(b);
	assert_int_equal(git_blob_create_from_buffer(&at_depth, b->git, "x", 1), 0);
	write_tree(b, &next, "100644", "f", &at_depth);
	for (int i = 0; i < 3000; i++) {
		at_depth = next;
		write_tree(b, &next, "40000", "d", &at_depth);
	}
	commit_tree(b, &next);
	load(b, "work", "HEAD");
	assert_int_equal(repo_count(b->repo), 1);
	assert_int_equal(repo_at(b->repo, 0)->kind, REPO_CUT);
	assert_non_null(repo_at(b->repo, 0)->reason);
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

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
		TEST(test_bare_and_git_directory),
		TEST(test_no_commit_yet),
		TEST(test_submodules),
		TEST(test_dot_git_that_is_none_hides_nothing),
		TEST(test_configuration_is_not_obeyed),
		TEST(test_foreign_owner),
		TEST(test_git_file_out_of_the_tree),
		TEST(test_linked_worktree),
		TEST(test_hostile_git_directory),
		TEST(test_alternates_are_not_read),
		TEST(test_a_commit_that_claims_to_be_huge),
		TEST(test_missing_blob),
		TEST(test_bad_names_in_a_tree),
		TEST(test_deep_tree_is_cut),
		cmocka_unit_test(test_digest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

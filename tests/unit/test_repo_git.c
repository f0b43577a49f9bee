/* The tree under review: forms of git directories, and hostile ones.
 * SPDX-License-Identifier: MIT */
#include "tests/unit/git_help.h"
#include "tests/unit/repo_help.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
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
	};

	return cmocka_run_group_tests(tests, hold_git, release_git);
}

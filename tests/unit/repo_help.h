/* A temporary directory with files, a repository and commits, opened as the program opens it.
 * SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_REPO_HELP_H
#define TESTS_UNIT_REPO_HELP_H

#include "tests/unit/folder.h"

#include <git2.h>
#include <unistd.h>

#include "src/repo/repo.h"

struct bench {
	char root[64]; /* temporary directory */
	struct arena arena;
	struct repo *repo;
	git_repository *git;
	struct buf why;
};

static inline char *at(struct bench *b, const char *path)
{
	return arena_printf(&b->arena, "%s/%s", b->root, path);
}

static inline void put_bytes(struct bench *b, const char *path, const void *bytes, size_t length)
{
	folder_put(b->root, path, bytes, length);
}

static inline void put(struct bench *b, const char *path, const char *text)
{
	put_bytes(b, path, text, strlen(text));
}

static inline int set_up(void **state)
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

static inline int tear_down(void **state)
{
	struct bench *b = *state;

	repo_close(b->repo);
	git_repository_free(b->git);
	git_libgit2_shutdown();
	folder_remove(b->root);
	arena_free(&b->arena);
	buf_free(&b->why);
	free(b);
	return 0;
}

/* Opens PATH below the temporary directory; NULL when refused. */
static inline struct repo *try_open(struct bench *b, const char *path, const char *revision)
{
	repo_close(b->repo);
	buf_clear(&b->why);
	b->repo = repo_open(&b->arena, at(b, path), revision, &b->why);
	return b->repo;
}

static inline struct repo *load(struct bench *b, const char *path, const char *revision)
{
	if (!try_open(b, path, revision))
		fail_msg("%s", buf_text(&b->why));
	repo_list(b->repo);
	repo_status(b->repo);
	return b->repo;
}

static inline const struct repo_entry *entry(struct bench *b, const char *path)
{
	const struct repo_entry *e = repo_find(b->repo, path);

	if (!e)
		fail_msg("%s is not listed", path);
	return e;
}

static inline const char *text_of(struct bench *b, const char *path)
{
	struct repo_bytes out;

	if (!repo_read(b->repo, entry(b, path), &b->arena, &out))
		fail_msg("%s: %s", path, out.reason);
	assert_int_equal(strlen(out.bytes), out.length);
	return out.bytes;
}

static inline const char *refusal(struct bench *b, const char *path)
{
	struct repo_bytes out;

	assert_false(repo_read(b->repo, entry(b, path), &b->arena, &out));
	assert_null(out.bytes);
	assert_non_null(out.reason);
	return out.reason;
}

static inline unsigned change(struct bench *b, const char *path)
{
	const struct repo_info *info = repo_info(b->repo);

	for (size_t i = 0; i < info->change_count; i++)
		if (strcmp(info->changes[i].path, path) == 0)
			return info->changes[i].flags;
	return 0;
}

static inline void expect_sorted(struct repo *r)
{
	for (size_t i = 1; i < repo_count(r); i++)
		assert_true(strcmp(repo_at(r, i - 1)->path, repo_at(r, i)->path) < 0);
}

static inline void init(struct bench *b, const char *path, bool bare)
{
	git_repository_free(b->git);
	assert_int_equal(git_repository_init(&b->git, at(b, path), bare), 0);
}

static inline void stage(struct bench *b, const char *path)
{
	git_index *index;

	assert_int_equal(git_repository_index(&index, b->git), 0);
	assert_int_equal(git_index_add_bypath(index, path), 0);
	assert_int_equal(git_index_write(index), 0);
	git_index_free(index);
}

/* Commits tree TREE (of the index without one) on HEAD. */
static inline void commit_tree(struct bench *b, const git_oid *tree_id)
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

static inline void commit(struct bench *b)
{
	git_index *index;
	git_oid id;

	assert_int_equal(git_repository_index(&index, b->git), 0);
	assert_int_equal(git_index_write_tree(&id, index), 0);
	git_index_free(index);
	commit_tree(b, &id);
}

/* work/: compose.yml, agent/Dockerfile and run (executable), committed twice. */
static inline void make_repository(struct bench *b)
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif

/* Finding a git directory and opening it as a plain store of objects and refs.
 *
 * A git directory is as untrusted as the tree. Before libgit2 sees it, every file that libgit2
 * would open is known to be a regular file: a link would lead out, a named pipe would block. Its
 * configuration is replaced by an empty one, and alternate object stores are not opened.
 * SPDX-License-Identifier: MIT */
#include "src/repo/internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <git2/odb_backend.h>
#include <git2/sys/repository.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/limits.h"

struct paths {
	char **items;
	size_t count, capacity;
};

static bool stat_is(const char *directory, const char *name, mode_t type)
{
	char path[PATH_MAX];
	struct stat st;
	int length = snprintf(path, sizeof path, "%s/%s", directory, name);

	return length > 0 && (size_t)length < sizeof path && lstat(path, &st) == 0 &&
	       (st.st_mode & S_IFMT) == type;
}

bool gitdir_is_bare(const char *path)
{
	return stat_is(path, "HEAD", S_IFREG) && stat_is(path, "objects", S_IFDIR) &&
	       stat_is(path, "refs", S_IFDIR);
}

/* The first line of a small file, or NULL. */
static char *read_line(struct arena *a, const char *directory, const char *name)
{
	char text[PATH_MAX + 16];
	int at = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int fd = at < 0 ? -1 : path_retry_open(at, name, O_RDONLY);
	struct stat st;
	ssize_t got = -1;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		got = read(fd, text, sizeof text - 1);
	if (fd >= 0)
		close(fd);
	if (at >= 0)
		close(at);
	if (got <= 0)
		return NULL;
	text[got] = '\0';
	text[strcspn(text, "\r\n")] = '\0';
	return arena_strdup(a, text);
}

/* The real path of TEXT as seen from DIRECTORY, or NULL. */
static char *resolve(struct arena *a, const char *directory, const char *text)
{
	char *joined = *text == '/' ? arena_strdup(a, text) :
				      arena_printf(a, "%s/%s", directory, text);
	char *real = realpath(joined, NULL), *kept = arena_strdup(a, real);

	free(real);
	return kept;
}

static char *parent_of(struct arena *a, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash || slash == path)
		return arena_strdup(a, "/");
	return arena_copy(a, path, (size_t)(slash - path));
}

/* A linked working tree: its git directory names our .git file, and the common directory is the one
 * that holds it. Both directions must agree, so that no file can point us at a stranger's. */
static bool is_linked_worktree(struct arena *a, struct gitdir *g, const char *link)
{
	char *back = read_line(a, g->path, "gitdir");
	char *common = read_line(a, g->path, "commondir");
	char *expected = parent_of(a, parent_of(a, g->path));

	if (!back || !common)
		return false;
	back = resolve(a, g->path, back);
	common = resolve(a, g->path, common);
	if (!back || !common || strcmp(back, link) != 0 || strcmp(common, expected) != 0)
		return false;
	g->common = common;
	return true;
}

/* A submodule: its git directory lies in the .git/modules of a directory above its own. */
static bool is_submodule(struct arena *a, const struct gitdir *g)
{
	for (char *up = g->top; up[1];) {
		char *modules;

		up = parent_of(a, up);
		modules = arena_printf(a, "%s/.git/modules/", up[1] ? up : "");
		if (strncmp(g->path, modules, strlen(modules)) == 0)
			return true;
	}
	return false;
}

static void follow_file(struct arena *a, struct gitdir *g)
{
	char *line = read_line(a, g->top, ".git");

	g->path = NULL;
	if (line && strncmp(line, "gitdir:", 7) == 0)
		g->path = resolve(a, g->top, line + 7 + strspn(line + 7, " \t"));
	if (!g->path) {
		g->refused = "its .git file names no git directory";
		return;
	}
	g->common = g->path;
	if (!is_linked_worktree(a, g, arena_printf(a, "%s/.git", g->top)) && !is_submodule(a, g))
		g->refused = "its .git file leads out of the tree and is not followed";
}

/* True when DIRECTORY has a .git of any kind, which *OUT then tells about. */
static bool found_at(struct arena *a, const char *directory, struct gitdir *out)
{
	char *path = arena_printf(a, "%s/.git", directory[1] ? directory : "");
	struct stat st;

	if (lstat(path, &st) != 0)
		return false;
	*out = (struct gitdir){ .path = path, .common = path, .top = arena_strdup(a, directory) };
	if (S_ISREG(st.st_mode))
		follow_file(a, out);
	else if (!S_ISDIR(st.st_mode))
		out->refused = "its .git is a link and is not followed";
	else if (!gitdir_is_bare(path))
		return false;
	return true;
}

bool gitdir_find(struct arena *a, const char *directory, struct gitdir *out)
{
	struct stat st, above;
	char *at = arena_strdup(a, directory);

	if (stat(at, &st) != 0)
		return false;
	for (;;) {
		if (found_at(a, at, out))
			return true;
		if (!at[1])
			return false;
		at = parent_of(a, at);
		if (stat(at, &above) != 0 || above.st_dev != st.st_dev)
			return false;
	}
}

static bool keep_path(struct paths *list, char *path)
{
	if (list->count == list->capacity) {
		size_t capacity = list->capacity ? 2 * list->capacity : 64;
		char **grown = realloc(list->items, capacity * sizeof *grown);

		if (!grown)
			return false;
		list->items = grown;
		list->capacity = capacity;
	}
	list->items[list->count++] = path;
	return true;
}

/* Looks at one name: directories are kept for later; a file has at most LIMIT bytes (0: any number). Returns
 * what is wrong, or NULL. */
static const char *check_name(struct arena *a, struct paths *pending, const char *directory,
			      const char *name, unsigned char type, off_t limit)
{
	struct stat st;
	char *path;

	if (type == DT_REG && !limit)
		return NULL;
	path = arena_printf(a, "%s/%s", directory, name);
	if (lstat(path, &st) != 0)
		return errno == ENOENT ? NULL : "its git directory cannot be read";
	if (S_ISREG(st.st_mode))
		return limit && st.st_size > limit ? "its git directory holds a file that is too large" : NULL;
	if (S_ISDIR(st.st_mode))
		return keep_path(pending, path) ? NULL : "its git directory is too large";
	return "its git directory holds a link or a special file and is not opened";
}

static const char *check_directory(struct arena *a, struct paths *pending, const char *path,
				   off_t limit, size_t *names)
{
	const char *wrong = NULL;
	DIR *d = opendir(path);
	struct dirent *name;

	if (!d)
		return "its git directory cannot be read";
	while (!wrong && (name = readdir(d))) {
		if (strcmp(name->d_name, ".") == 0 || strcmp(name->d_name, "..") == 0)
			continue;
		if (++*names > LIMIT_FILES)
			wrong = "its git directory holds too many files";
		else
			wrong = check_name(a, pending, path, name->d_name, name->d_type, limit);
	}
	closedir(d);
	return wrong;
}

enum { KIB = 1024, MIB = 1024 * KIB };

/* What libgit2 may open, and the bytes that it may read at once; objects are asked for their size. */
static const struct {
	const char *name;
	off_t limit;
} opened[] = {
	{ "HEAD", 64 * KIB },  { "packed-refs", 64 * MIB }, { "index", 256 * MIB }, { "shallow", 16 * MIB },
	{ "refs", 64 * KIB },  { "objects", 0 },	    { "commondir", 64 * KIB }, { "logs", 64 * MIB },
};

/* Everything below ROOT that libgit2 may open is a directory or a regular file of some size. */
static const char *check_tree(const char *root)
{
	struct arena scratch = { 0 };
	struct paths pending = { 0 };
	const char *wrong = NULL;
	size_t names = 0;

	for (size_t i = 0; !wrong && i < sizeof opened / sizeof *opened; i++) {
		off_t limit = opened[i].limit;

		wrong = check_name(&scratch, &pending, root, opened[i].name, DT_UNKNOWN, limit);
		while (!wrong && pending.count)
			wrong = check_directory(&scratch, &pending, pending.items[--pending.count],
						limit, &names);
	}
	free(pending.items);
	arena_free(&scratch);
	return wrong;
}

/* An object store of this directory alone: alternates are not read. */
static bool set_objects(git_repository *git, const char *common, struct arena *a)
{
	char *path = arena_printf(a, "%s/objects", common);
	git_odb_backend *loose = NULL, *packs = NULL;
	git_odb *odb = NULL;
	bool done = false;

	if (git_odb_new(&odb) == 0 && git_odb_backend_loose(&loose, path, -1, 0, 0, 0) == 0 &&
	    git_odb_add_backend(odb, loose, 1) == 0 && git_odb_backend_pack(&packs, path) == 0 &&
	    git_odb_add_backend(odb, packs, 2) == 0)
		done = git_repository_set_odb(git, odb) == 0;
	git_odb_free(odb);
	return done;
}

static bool set_no_config(git_repository *git)
{
	git_config *config = NULL;
	bool done = git_config_new(&config) == 0 && git_repository_set_config(git, config) == 0;

	git_config_free(config);
	return done;
}

git_repository *gitdir_open(struct arena *a, struct gitdir *g)
{
	git_repository *git = NULL;

	if (!g->refused)
		g->refused = check_tree(g->path);
	if (!g->refused && strcmp(g->path, g->common) != 0)
		g->refused = check_tree(g->common);
	if (g->refused)
		return NULL;
	if (git_repository_open_bare(&git, g->path) == 0 && set_no_config(git) &&
	    set_objects(git, g->common, a))
		return git;
	git_repository_free(git);
	g->refused = "its git directory cannot be opened";
	return NULL;
}

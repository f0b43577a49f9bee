/* The tree on disk: names of a directory and bytes of a file.
 * SPDX-License-Identifier: MIT */
#include "src/repo/internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/limits.h"

#define LINK_BYTES 4096u

static DIR *directory_open(const struct repo *r, const char *path)
{
	int fd = path_open(r->root, *path ? path : ".", O_RDONLY | O_DIRECTORY);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);

	if (fd >= 0 && !d)
		close(fd);
	return d;
}

static bool is_dots(const char *name)
{
	return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]));
}

/* True when NAME in directory FD is a git directory or a file that stands for one. */
static bool is_git_link(int fd, const char *name)
{
	char head[8];
	struct stat st;
	ssize_t got;
	int file, probe;

	if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return false;
	file = path_retry_open(fd, name, O_RDONLY);
	if (file < 0)
		return false;
	if (S_ISDIR(st.st_mode)) {
		probe = fstatat(file, "HEAD", &st, AT_SYMLINK_NOFOLLOW);
		close(file);
		return probe == 0 && S_ISREG(st.st_mode);
	}
	got = S_ISREG(st.st_mode) ? read(file, head, sizeof head) : 0;
	close(file);
	return got >= 7 && memcmp(head, "gitdir:", 7) == 0;
}

static void fill_link(struct repo *r, int fd, const char *name, struct repo_entry *e)
{
	char text[LINK_BYTES];
	ssize_t length = readlinkat(fd, name, text, sizeof text);

	e->kind = REPO_LINK;
	e->target = arena_copy(r->arena, text, length > 0 ? (size_t)length : 0);
	e->outside = path_leads_out(e->path, e->target);
	e->reason = e->outside ? "symbolic link that leads out of the root, not followed" :
				 "symbolic link, not followed";
}

static const char *too_large(struct arena *a)
{
	return arena_printf(a, "larger than %u bytes", LIMIT_FILE_BYTES);
}

static void fill_file(struct repo *r, const struct stat *st, struct repo_entry *e)
{
	e->executable = (st->st_mode & S_IXUSR) != 0;
	if (e->size <= LIMIT_FILE_BYTES)
		return;
	e->kind = REPO_TOO_LARGE;
	e->reason = too_large(r->arena);
}

static void fill_directory(const char *name, struct slot *slot)
{
	slot->directory = !name_is_skipped(name);
	if (slot->directory)
		return;
	slot->entry.kind = REPO_SKIPPED;
	slot->entry.reason = "dependencies";
}

static void fill_special(mode_t mode, struct repo_entry *e)
{
	if (S_ISFIFO(mode)) {
		e->kind = REPO_FIFO;
		e->reason = "named pipe, not opened";
	} else if (S_ISSOCK(mode)) {
		e->kind = REPO_SOCKET;
		e->reason = "socket, not opened";
	} else {
		e->kind = REPO_DEVICE;
		e->reason = "device, not opened";
	}
}

static struct slot *slot_stat(struct repo *r, int fd, const char *directory, const char *name)
{
	struct slot *slot = ARENA_NEW(r->arena, struct slot);
	struct repo_entry *e = &slot->entry;
	struct stat st;

	e->path = repo_path_join(r->arena, directory, name, &e->path_length);
	if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0) {
		e->kind = REPO_UNREADABLE;
		e->reason = path_error(r->arena, "cannot be examined", errno);
		return slot;
	}
	e->size = st.st_size > 0 ? (uint64_t)st.st_size : 0;
	e->size_known = true;
	slot->inode = st.st_ino;
	slot->mtime = st.st_mtim;
	slot->ctime = st.st_ctim;
	if (S_ISREG(st.st_mode))
		fill_file(r, &st, e);
	else if (S_ISDIR(st.st_mode))
		fill_directory(name, slot);
	else if (S_ISLNK(st.st_mode))
		fill_link(r, fd, name, e);
	else
		fill_special(st.st_mode, e);
	return slot;
}

/* Adds the names of D. Returns false when it turns out to be a repository of its own. */
static bool add_names(struct repo *r, DIR *d, const char *path, struct slots *out)
{
	struct dirent *name;

	while (out->count <= LIMIT_FILES && (name = readdir(d))) {
		if (is_dots(name->d_name))
			continue;
		if (strcmp(name->d_name, ".git") == 0 && is_git_link(dirfd(d), ".git")) {
			if (*path)
				return false;
			continue;
		}
		*ARENA_PUSH(r->arena, out) = slot_stat(r, dirfd(d), path, name->d_name);
	}
	return true;
}

bool worktree_names(struct repo *r, struct slot *directory, struct slots *out)
{
	struct repo_entry *e = &directory->entry;
	DIR *d = directory_open(r, e->path);
	bool own;

	if (!d) {
		e->kind = REPO_UNREADABLE;
		e->reason = path_error(r->arena, "directory cannot be read", errno);
		return false;
	}
	own = add_names(r, d, e->path, out);
	closedir(d);
	if (own && (out->count || !index_has_gitlink(r, e->path)))
		return true;
	e->kind = REPO_SUBMODULE;
	e->reason = own ? "submodule, its files are not here" :
			  "another git repository, not part of this one";
	return false;
}

static bool is_directory(int fd, const struct dirent *name)
{
	struct stat st;

	if (name->d_type != DT_UNKNOWN)
		return name->d_type == DT_DIR;
	return fstatat(fd, name->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode);
}

bool worktree_count(struct repo *r, struct walk *w, struct slot *directory)
{
	DIR *d = directory_open(r, directory->entry.path);
	struct dirent *name;

	if (!d)
		return false;
	while (w->counted_names <= LIMIT_FILES && (name = readdir(d))) {
		struct slot *below;

		if (is_dots(name->d_name))
			continue;
		w->counted_names++;
		if (!is_directory(dirfd(d), name)) {
			w->counted->entry.count++;
			continue;
		}
		below = ARENA_NEW(r->arena, struct slot);
		below->entry.path = repo_path_join(r->arena, directory->entry.path, name->d_name,
					      &below->entry.path_length);
		if (below->entry.path_length > PATH_BYTES_MAX)
			w->counted->entry.count_is_least = true;
		else
			*ARENA_PUSH(r->arena, &w->counting) = below;
	}
	closedir(d);
	return true;
}

struct slot *worktree_single(struct repo *r)
{
	return slot_stat(r, r->root, "", r->only);
}

/* Reads FD to its end. Returns false with errno set, or EFBIG when it holds more than the limit. */
static bool read_all(int fd, size_t expected, struct arena *a, struct repo_bytes *out)
{
	size_t capacity = expected < LIMIT_FILE_BYTES ? expected + 1 : LIMIT_FILE_BYTES + 1u;
	char *bytes = arena_alloc(a, capacity + 1), *grown;
	size_t length = 0;

	for (;;) {
		ssize_t got = read(fd, bytes + length, capacity - length);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return false;
		length += (size_t)got;
		if (length > LIMIT_FILE_BYTES) {
			errno = EFBIG;
			return false;
		}
		/* A regular file gives all it has, so this saves asking for the end. */
		if (got == 0 || length == expected)
			break;
		if (length == capacity) {
			capacity = 2 * capacity < LIMIT_FILE_BYTES ? 2 * capacity :
								     LIMIT_FILE_BYTES + 1u;
			grown = arena_alloc(a, capacity + 1);
			memcpy(grown, bytes, length);
			bytes = grown;
		}
	}
	bytes[length] = '\0';
	out->bytes = bytes;
	out->length = length;
	return true;
}

bool file_read(int fd, struct arena *a, struct repo_bytes *out)
{
	struct stat st;
	bool read = false;

	if (fstat(fd, &st) != 0)
		out->reason = path_error(a, "cannot be examined", errno);
	else if (!S_ISREG(st.st_mode))
		out->reason = "no regular file any more: it changed since it was listed";
	else if (st.st_size > (off_t)LIMIT_FILE_BYTES)
		out->reason = too_large(a);
	else if (read_all(fd, st.st_size > 0 ? (size_t)st.st_size : 0, a, out))
		read = true;
	else if (errno == EFBIG)
		out->reason = too_large(a);
	else
		out->reason = path_error(a, "cannot be read", errno);
	close(fd);
	return read;
}

bool worktree_read(const struct repo *r, const struct slot *slot, struct arena *a,
		   struct repo_bytes *out)
{
	int fd = path_open(r->root, slot->entry.path, O_RDONLY);

	if (fd >= 0)
		return file_read(fd, a, out);
	out->reason = path_error(a, "cannot be opened", errno);
	return false;
}

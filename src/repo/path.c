/* Paths below the root: joining, judging link texts, and opening without following links.
 * SPDX-License-Identifier: MIT */
#include "src/repo/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define OPEN_ALWAYS (O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)

char *repo_path_join(struct arena *a, const char *directory, const char *name, size_t *length)
{
	size_t head = strlen(directory), tail = strlen(name);
	char *path = arena_alloc(a, head + tail + 2);

	memcpy(path, directory, head);
	if (head)
		path[head++] = '/';
	memcpy(path + head, name, tail);
	if (length)
		*length = head + tail;
	return path;
}

/* Length of the component at P. */
static size_t component(const char *p)
{
	return strcspn(p, "/");
}

bool path_leads_out(const char *link_path, const char *target)
{
	size_t depth = 0;

	if (target[0] == '/')
		return true;
	for (const char *p = link_path; (p = strchr(p, '/')); p++)
		depth++;
	for (const char *p = target; *p;) {
		size_t length = component(p);

		if (length == 2 && memcmp(p, "..", 2) == 0) {
			if (depth == 0)
				return true;
			depth--;
		} else if (length && !(length == 1 && *p == '.')) {
			depth++;
		}
		p += length;
		p += strspn(p, "/");
	}
	return false;
}

int path_retry_open(int root, const char *name, int flags)
{
	int fd;

	do
		fd = openat(root, name, flags | OPEN_ALWAYS);
	while (fd < 0 && errno == EINTR);
	return fd;
}

/* One component at a time; a directory that is passed through need not be readable. */
static int open_stepwise(int root, const char *path, int flags)
{
	char name[1024];
	int at = root, fd, error;

	for (;;) {
		size_t length = component(path);
		bool last = path[length] == '\0';

		if (length == 0 || length >= sizeof name) {
			fd = -1;
			errno = ENAMETOOLONG;
		} else {
			memcpy(name, path, length);
			name[length] = '\0';
			fd = path_retry_open(at, name, last ? flags : O_PATH | O_DIRECTORY);
		}
		error = errno;
		if (at != root)
			close(at);
		errno = error;
		if (fd < 0 || last)
			return fd;
		at = fd;
		path += length + 1;
	}
}

int path_open(int root, const char *path, int flags)
{
	struct open_how how = { .flags = (unsigned)(flags | OPEN_ALWAYS),
				.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS };
	long fd;

	do
		fd = syscall(SYS_openat2, root, path, &how, sizeof how);
	while (fd < 0 && errno == EINTR);
	/* Old kernels have no openat2 and old sandboxes refuse it; very long paths are refused too. */
	if (fd < 0 && (errno == ENOSYS || errno == EPERM || errno == EAGAIN || errno == ENAMETOOLONG))
		return open_stepwise(root, path, flags);
	return (int)fd;
}

const char *path_error(struct arena *a, const char *what, int error)
{
	switch (error) {
	case EACCES:
	case EPERM:
		return arena_printf(a, "%s: permission denied", what);
	case ENOENT:
	case ENOTDIR:
	case ELOOP:
	case ENXIO:
		return arena_printf(a, "%s: it changed since it was listed", what);
	default:
		return arena_printf(a, "%s: system error %d", what, error);
	}
}

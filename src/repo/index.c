/* The git index and the comparison of one file on disk with what git recorded.
 *
 * Raw bytes are hashed: line-end conversion, filters and attributes play no part.
 * SPDX-License-Identifier: MIT */
#include "src/repo/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <mbedtls/sha1.h>
#include <mbedtls/version.h>

#if MBEDTLS_VERSION_MAJOR < 3
#define SHA1_STARTS mbedtls_sha1_starts_ret
#define SHA1_UPDATE mbedtls_sha1_update_ret
#define SHA1_FINISH mbedtls_sha1_finish_ret
#else
#define SHA1_STARTS mbedtls_sha1_starts
#define SHA1_UPDATE mbedtls_sha1_update
#define SHA1_FINISH mbedtls_sha1_finish
#endif

#define LINK_BYTES 4096u
#define CHUNK_BYTES ((size_t)64 * 1024)

void index_open(struct repo *r)
{
	char *path = arena_printf(r->arena, "%s/index", r->git_path);
	struct stat st;

	if (lstat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return;
	r->index_time = st.st_mtim;
	if (git_index_open(&r->index, path) != 0 || git_index_read(r->index, 1) != 0) {
		git_index_free(r->index);
		r->index = NULL;
	}
}

/* Path of NAME below the repository's top. */
static char *full_path(const struct repo *r, struct arena *a, const char *name)
{
	return *name ? repo_path_join(a, r->prefix, name, NULL) : arena_strdup(a, r->prefix);
}

size_t index_first(const struct repo *r)
{
	size_t at = 0;

	if (!*r->prefix || git_index_find_prefix(&at, r->index, r->prefix) == 0)
		return at;
	return git_index_entrycount(r->index);
}

const char *index_path(const struct repo *r, const git_index_entry *e)
{
	size_t length = strlen(r->prefix);
	const char *path = e->path;

	if (length) {
		if (strncmp(path, r->prefix, length) != 0 || path[length] != '/')
			return NULL;
		path += length + 1;
	}
	return r->only && strcmp(path, r->only) != 0 ? NULL : path;
}

bool index_has_gitlink(const struct repo *r, const char *path)
{
	const git_index_entry *e;

	if (!r->index || !*path)
		return false;
	e = git_index_get_bypath(r->index, full_path(r, r->arena, path), 0);
	return e && e->mode == GIT_FILEMODE_COMMIT;
}

bool index_has_below(const struct repo *r)
{
	size_t at = 0;

	if (!r->index)
		return false;
	if (r->only)
		return git_index_get_bypath(r->index, full_path(r, r->arena, r->only), 0) != NULL;
	return git_index_find_prefix(&at, r->index, arena_printf(r->arena, "%s/", r->prefix)) == 0;
}

static bool same_time(git_index_time recorded, struct timespec found)
{
	if ((uint32_t)recorded.seconds != (uint32_t)found.tv_sec)
		return false;
	return recorded.nanoseconds == 0 || recorded.nanoseconds == (uint32_t)found.tv_nsec;
}

/* A file written in the moment the index was written can change without a trace in its times. */
static bool is_racy(const struct repo *r, const struct disk *d)
{
	if (d->mtime.tv_sec != r->index_time.tv_sec)
		return d->mtime.tv_sec > r->index_time.tv_sec;
	return d->mtime.tv_nsec >= r->index_time.tv_nsec;
}

bool index_stat_same(const struct repo *r, const git_index_entry *e, const struct disk *d)
{
	return e->file_size == (uint32_t)d->size && e->ino == (uint32_t)d->inode &&
	       same_time(e->mtime, d->mtime) && same_time(e->ctime, d->ctime) && !is_racy(r, d);
}

/* Opens the directory that holds PATH; *NAME becomes the last component. */
static int parent_open(const struct repo *r, const char *path, const char **name)
{
	char parent[PATH_BYTES_MAX + 1];
	const char *slash = strrchr(path, '/');

	*name = slash ? slash + 1 : path;
	if (!slash)
		return dup(r->root);
	if ((size_t)(slash - path) >= sizeof parent)
		return -1;
	memcpy(parent, path, (size_t)(slash - path));
	parent[slash - path] = '\0';
	return path_open(r->root, parent, O_RDONLY | O_DIRECTORY);
}

void disk_look(const struct repo *r, const char *path, struct disk *out)
{
	const char *name;
	int parent = parent_open(r, path, &name);
	struct stat st;

	*out = (struct disk){ 0 };
	if (parent < 0)
		return;
	if (fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
		*out = (struct disk){ .type = st.st_mode & S_IFMT,
				      .executable = (st.st_mode & S_IXUSR) != 0,
				      .size = st.st_size > 0 ? (uint64_t)st.st_size : 0,
				      .inode = st.st_ino,
				      .mtime = st.st_mtim,
				      .ctime = st.st_ctim };
	close(parent);
}

static void hash_header(mbedtls_sha1_context *sha, uint64_t size)
{
	char head[40];
	int length = snprintf(head, sizeof head, "blob %llu", (unsigned long long)size);

	mbedtls_sha1_init(sha);
	SHA1_STARTS(sha);
	SHA1_UPDATE(sha, (const unsigned char *)head, (size_t)length + 1);
}

/* Hashes a regular file whose size must be D's; any surprise makes it different. */
static bool hash_file(int fd, uint64_t size, mbedtls_sha1_context *sha)
{
	unsigned char *chunk = malloc(CHUNK_BYTES);
	uint64_t done = 0;
	struct stat st;
	ssize_t got = -1;

	if (chunk && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		while ((got = read(fd, chunk, CHUNK_BYTES)) > 0 || (got < 0 && errno == EINTR)) {
			if (got < 0)
				continue;
			SHA1_UPDATE(sha, chunk, (size_t)got);
			done += (uint64_t)got;
			if (done > size)
				break;
		}
	free(chunk);
	return got == 0 && done == size;
}

static bool link_hash_same(const struct repo *r, const char *path, const git_oid *oid)
{
	char text[LINK_BYTES];
	const char *name;
	int parent = parent_open(r, path, &name);
	ssize_t length = parent < 0 ? -1 : readlinkat(parent, name, text, sizeof text);
	git_oid found;

	if (parent >= 0)
		close(parent);
	return length >= 0 &&
	       git_odb_hash(&found, text, (size_t)length, GIT_OBJECT_BLOB) == 0 &&
	       git_oid_equal(&found, oid);
}

/* False only when the blob is known to have another size. */
static bool blob_size_same(const struct repo *r, const git_oid *oid, uint64_t size)
{
	git_odb *odb = NULL;
	git_object_t type;
	size_t length;
	bool same = true;

	if (git_repository_odb(&odb, r->git) == 0 &&
	    git_odb_read_header(&length, &type, odb, oid) == 0)
		same = length == size && type == GIT_OBJECT_BLOB;
	git_odb_free(odb);
	return same;
}

bool disk_hash_same(const struct repo *r, const char *path, const struct disk *d,
		    const git_oid *oid)
{
	mbedtls_sha1_context sha;
	unsigned char digest[OID_BYTES];
	bool same = false;
	int fd;

	if (S_ISLNK(d->type))
		return link_hash_same(r, path, oid);
	if (!blob_size_same(r, oid, d->size))
		return false;
	fd = path_open(r->root, path, O_RDONLY);
	if (fd < 0)
		return false;
	hash_header(&sha, d->size);
	if (hash_file(fd, d->size, &sha)) {
		SHA1_FINISH(&sha, digest);
		same = memcmp(digest, oid->id, OID_BYTES) == 0;
	}
	mbedtls_sha1_free(&sha);
	close(fd);
	return same;
}

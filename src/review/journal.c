/* Reading and writing of the review file.
 * SPDX-License-Identifier: MIT */
#include "src/review/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "model/limits.h"
#include "model/text.h"
#include "src/review/journal_internal.h"

#define SCHEMA_LINE "{\"schema\":\"boundwalk-review/1\"}\n"

void journal_now(char out[21])
{
	struct timespec now;
	struct tm utc = { 0 };

	clock_gettime(CLOCK_REALTIME, &now);
	gmtime_r(&now.tv_sec, &utc);
	if (!strftime(out, 21, "%Y-%m-%dT%H:%M:%SZ", &utc))
		out[0] = '\0';
}

const char *journal_default_path(struct arena *a, const char *identity)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

	if (state && state[0] == '/')
		return arena_printf(a, "%s/boundwalk/%s/review.jsonl", state, identity);
	if (home && home[0] == '/')
		return arena_printf(a, "%s/.local/state/boundwalk/%s/review.jsonl", home,
				    identity);
	return NULL;
}

bool journal_check_text(const char *name, const char *text, struct buf *why)
{
	size_t length = strlen(text), used;

	if (length > LIMIT_NOTE_BYTES) {
		buf_printf(why, "%s: longer than %u bytes", name, LIMIT_NOTE_BYTES);
		return false;
	}
	for (size_t i = 0; i < length; i += used) {
		uint32_t point = text_decode_point(text + i, length - i, &used);

		if (point == TEXT_INVALID) {
			buf_printf(why, "%s: not UTF-8 text", name);
			return false;
		}
		if (text_point_width(point) < 0) {
			buf_printf(why, "%s: holds a control or invisible character (U+%04X)", name,
				   (unsigned)point);
			return false;
		}
	}
	return true;
}

/* --- reading ------------------------------------------------------------------------------------ */

/* Opens a regular file without following a link or waiting for a FIFO; -1 with errno. */
static int open_regular(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0600);
	struct stat st;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return fd;
	close(fd);
	errno = EINVAL;
	return -1;
}

static void say_errno(struct buf *why, const char *path, int error)
{
	buf_printf(why, "%s: %s", path,
		   error == EINVAL  ? "not a regular file"
		   : error == ELOOP ? "is a link; name the file itself"
				    : strerror(error));
}

static bool read_whole(int fd, struct buf *out)
{
	char block[65536];
	ssize_t got;

	while (out->length <= LIMIT_JOURNAL_BYTES) {
		got = read(fd, block, sizeof block);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got == 0;
		buf_add(out, block, (size_t)got);
	}
	errno = EFBIG;
	return false;
}

static bool read_file(const char *path, struct buf *out, struct buf *why)
{
	int fd = open_regular(path, O_RDONLY);
	bool ok;

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return true;
	if (fd < 0) {
		say_errno(why, path, errno);
		return false;
	}
	ok = read_whole(fd, out);
	if (!ok)
		say_errno(why, path, errno);
	close(fd);
	return ok;
}

/* A file that is not empty begins with the line that names the schema of this version, which may be torn,
 * or with an event; anything else is another file, named by mistake. */
static bool check_kind(const struct buf *text, const char *path, struct buf *why)
{
	const char *begin = buf_text(text), *stop = memchr(begin, '\n', text->length);
	size_t length = stop ? (size_t)(stop - begin) : text->length;
	struct arena scratch = { 0 };
	struct event e;
	bool known;

	if (journal_is_newer(begin, length)) {
		buf_printf(why, "%s: written by a newer version of boundwalk; use that one", path);
		return false;
	}
	known = !length || journal_is_schema(begin, length) ||
		journal_parse(&scratch, begin, length, &e) ||
		(!stop && length < strlen(SCHEMA_LINE) && memcmp(begin, SCHEMA_LINE, length) == 0);
	arena_free(&scratch);
	if (!known)
		buf_printf(why, "%s: not a review file; name another one with --review", path);
	return known;
}

/* Every line that is an event goes into LIST; others are counted. */
static size_t parse_lines(struct arena *a, const struct buf *text, struct event_list *list)
{
	const char *at = buf_text(text), *end = at + text->length;
	size_t torn = 0;

	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		size_t length = (size_t)((stop ? stop : end) - at);
		struct event e;

		if (length && journal_parse(a, at, length, &e))
			*ARENA_PUSH(a, list) = e;
		else if (length && !journal_is_schema(at, length))
			torn++;
		at += length + 1;
	}
	return torn;
}

struct timed {
	const struct event *event;
	size_t place;
};

static int compare_times(const void *left, const void *right)
{
	const struct timed *a = left, *b = right;
	int order = strcmp(a->event->when, b->event->when);

	return order ? order : a->place < b->place ? -1 : a->place > b->place;
}

static void append_in_time(struct review *r, struct arena *a, const struct event_list *list)
{
	struct timed *order = arena_array(a, list->count + 1, sizeof *order);

	for (size_t i = 0; i < list->count; i++)
		order[i] = (struct timed){ &list->items[i], i };
	if (list->count > 1)
		qsort(order, list->count, sizeof *order, compare_times);
	for (size_t i = 0; i < list->count; i++)
		review_append(r, order[i].event);
}

bool journal_read_all(struct review *r, const struct string_list *paths, struct buf *why)
{
	struct arena scratch = { 0 };
	struct event_list list = { 0 };
	bool ok = true;

	for (size_t i = 0; ok && i < paths->count; i++) {
		struct buf text = { 0 };

		ok = read_file(paths->items[i], &text, why) &&
		     check_kind(&text, paths->items[i], why);
		if (ok)
			r->torn_lines += parse_lines(&scratch, &text, &list);
		buf_free(&text);
	}
	if (ok && paths->count > 1)
		append_in_time(r, &scratch, &list);
	for (size_t i = 0; ok && paths->count == 1 && i < list.count; i++)
		review_append(r, &list.items[i]);
	arena_free(&scratch);
	review_fold(r);
	return ok;
}

bool journal_read(struct review *r, const char *path, struct buf *why)
{
	const char *items[1] = { path };

	return journal_read_all(r, &(struct string_list){ .items = items, .count = 1 }, why);
}

/* --- writing ------------------------------------------------------------------------------------ */

static ssize_t plain_write(void *context, int fd, const void *bytes, size_t length)
{
	(void)context;
	return write(fd, bytes, length);
}

static int plain_sync(void *context, int fd)
{
	(void)context;
	return fsync(fd);
}

static void make_folders(const char *path)
{
	char *copy = strdup(path);

	if (!copy)
		return;
	for (char *p = copy + (copy[0] == '/'); (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(copy, 0700);
		*p = '/';
	}
	free(copy);
}

static void holder_path(const char *path, struct buf *out)
{
	buf_printf(out, "%s.lock", path);
}

/* Who holds the lock, for the message only: the lock itself is flock's. */
static void write_holder(const char *path)
{
	struct buf name = { 0 };
	char host[256] = "";
	int fd;

	gethostname(host, sizeof host - 1);
	holder_path(path, &name);
	fd = open_regular(buf_text(&name), O_WRONLY | O_CREAT | O_TRUNC);
	if (fd >= 0) {
		dprintf(fd, "process %ld on %s\n", (long)getpid(), host);
		close(fd);
	}
	buf_free(&name);
}

static void say_holder(struct buf *why, const char *path)
{
	struct buf name = { 0 }, text = { 0 }, ignored = { 0 };

	holder_path(path, &name);
	buf_printf(why, "%s: in use", path);
	if (read_file(buf_text(&name), &text, &ignored) && text.length && text.length < 400) {
		buf_puts(why, " by ");
		text_visible(why, text.bytes, strcspn(text.bytes, "\n"), TEXT_ONE_LINE);
	}
	buf_puts(why, "; close it there, or use --read-only or another --review file");
	buf_free(&name);
	buf_free(&text);
	buf_free(&ignored);
}

static void set_suffix(struct journal *j)
{
	uint32_t noise = 0;

	if (getrandom(&noise, sizeof noise, 0) != (ssize_t)sizeof noise)
		noise = (uint32_t)getpid() ^ (uint32_t)time(NULL);
	snprintf(j->suffix, sizeof j->suffix, "%08x", noise);
}

/* Counts lines for the next id and looks whether the last one has its end. */
static bool look_at_end(struct journal *j, struct buf *why)
{
	struct buf text = { 0 };
	bool ok = read_whole(j->fd, &text);

	if (!ok)
		say_errno(why, j->path, errno);
	ok = ok && check_kind(&text, j->path, why);
	for (size_t i = 0; i < text.length; i++)
		j->next += text.bytes[i] == '\n';
	j->torn = text.length && text.bytes[text.length - 1] != '\n';
	buf_free(&text);
	return ok;
}

static bool write_once(struct journal *j, const struct buf *line, struct buf *why)
{
	off_t before = lseek(j->fd, 0, SEEK_END);
	ssize_t put = j->effects.write(j->effects.context, j->fd, line->bytes, line->length);
	int error = put < 0 ? errno : ENOSPC;

	if (put == (ssize_t)line->length) {
		if (j->effects.sync(j->effects.context, j->fd) == 0) {
			j->torn = false;
			return true;
		}
		error = errno;
	}
	/* Take back what was put; when that fails too, the next line starts anew. */
	if (put > 0 && (before < 0 || ftruncate(j->fd, before) != 0))
		j->torn = line->bytes[put - 1] != '\n';
	buf_printf(why, "%s: not recorded: %s", j->path, strerror(error));
	return false;
}

/* The first line names the schema; a file that records nothing has none. */
static bool start_file(struct journal *j, struct buf *why)
{
	struct buf line = { 0 };
	bool ok;

	if (j->next || j->torn)
		return true;
	buf_puts(&line, SCHEMA_LINE);
	ok = write_once(j, &line, why);
	buf_free(&line);
	j->next += ok;
	return ok;
}

/* Opens and locks; a file that its last holder removed as empty in between is made again. */
static int open_locked(struct journal *j, const char *path, bool *locked)
{
	struct stat st;

	for (unsigned tries = 0; tries < 16; tries++) {
		int fd = open_regular(path, O_RDWR | O_APPEND);

		j->made = fd < 0 && errno == ENOENT;
		if (j->made)
			fd = open_regular(path, O_RDWR | O_APPEND | O_CREAT);
		if (fd < 0)
			return fd;
		*locked = flock(fd, LOCK_EX | LOCK_NB) == 0;
		if (!*locked || (fstat(fd, &st) == 0 && st.st_nlink > 0))
			return fd;
		close(fd);
	}
	errno = EAGAIN;
	return -1;
}

bool journal_open(struct journal *j, const char *path, struct buf *why)
{
	bool locked = false;

	*j = (struct journal){ .effects = { plain_write, plain_sync, NULL } };
	make_folders(path);
	j->fd = open_locked(j, path, &locked);
	if (j->fd < 0) {
		say_errno(why, path, errno);
		j->fd = 0;
		return false;
	}
	if (!locked) {
		j->made = false;
		say_holder(why, path);
		journal_close(j);
		return false;
	}
	j->path = strdup(path);
	if (!j->path)
		abort();
	write_holder(path);
	set_suffix(j);
	if (look_at_end(j, why))
		return true;
	journal_close(j);
	return false;
}

bool journal_append(struct journal *j, struct event *event, struct arena *a, struct buf *why)
{
	struct buf line = { 0 };
	bool ok;

	if (!start_file(j, why))
		return false;
	event->id = arena_printf(a, "e%llu-%s", (unsigned long long)j->next, j->suffix);
	if (j->torn)
		buf_putc(&line, '\n');
	journal_line(event, &line);
	ok = write_once(j, &line, why);
	if (ok)
		j->next++;
	buf_free(&line);
	return ok;
}

/* A look at a tree leaves nothing behind: neither the file made for the lock nor its own folder. */
static void remove_empty(const struct journal *j)
{
	char *slash = strrchr(j->path, '/');

	if (!j->made || j->next || j->torn || unlink(j->path) != 0 || !slash)
		return;
	*slash = '\0';
	(void)rmdir(j->path);
	*slash = '/';
}

void journal_close(struct journal *j)
{
	struct buf name = { 0 };

	if (j->path) {
		holder_path(j->path, &name);
		unlink(buf_text(&name));
		buf_free(&name);
		remove_empty(j);
	}
	if (j->fd > 0)
		close(j->fd);
	free(j->path);
	*j = (struct journal){ 0 };
}

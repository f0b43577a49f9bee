/* What commands share: messages and output.
 * SPDX-License-Identifier: MIT */
#include "src/cmd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/secret.h"
#include "model/text.h"

enum { LONGEST_ERROR = 2000 }; /* bytes; arguments can be long */

int cmd_error(const char *format, ...)
{
	struct buf text = { 0 }, safe = { 0 }, out = { 0 };
	size_t shown;
	va_list args;

	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	shown = text.length < LONGEST_ERROR ? text.length : LONGEST_ERROR;
	secret_redact_prose(&safe, buf_text(&text), shown);
	text_visible(&out, buf_text(&safe), safe.length, TEXT_PLAIN);
	fprintf(stderr, "boundwalk: %s%s\n", buf_text(&out), shown < text.length ? "…" : "");
	buf_free(&text);
	buf_free(&safe);
	buf_free(&out);
	return EXIT_USAGE;
}

/* A reader that has seen enough and left is no error worth a message. */
static bool print_failed(void)
{
	if (errno != EPIPE)
		cmd_error("standard output: %s", strerror(errno));
	return false;
}

bool cmd_print(const struct buf *text)
{
	if (text->length && fwrite(text->bytes, 1, text->length, stdout) != text->length)
		return print_failed();
	return fflush(stdout) == 0 || print_failed();
}

static bool write_all(int fd, const struct buf *text)
{
	size_t done = 0;

	while (done < text->length) {
		ssize_t put = write(fd, text->bytes + done, text->length - done);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return false;
		done += (size_t)put;
	}
	return true;
}

/* A device or a pipe is written to: a file renamed over it would take its place. */
static bool is_special(const char *path)
{
	struct stat about;

	return stat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

static bool write_special(const char *path, const struct buf *text, struct buf *why)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	bool ok = fd >= 0 && write_all(fd, text);

	if (!ok)
		buf_printf(why, "%s: not written: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return ok;
}

bool cmd_read_file(const char *path, size_t limit, struct buf *out)
{
	bool standard = strcmp(path, "-") == 0;
	FILE *f = standard ? stdin : fopen(path, "rbe");
	char block[65536];
	int error = 0;
	size_t got;

	if (!f)
		return false;
	while (out->length <= limit && (got = fread(block, 1, sizeof block, f)) > 0)
		buf_add(out, block, got);
	if (ferror(f))
		error = errno;
	else if (out->length > limit)
		error = EFBIG;
	if (!standard)
		fclose(f);
	errno = error;
	return error == 0;
}

bool cmd_write_file(const char *path, const struct buf *text, struct buf *why)
{
	struct buf beside = { 0 };
	bool ok;
	int fd;

	if (is_special(path))
		return write_special(path, text, why);
	buf_printf(&beside, "%s.%ld.part", path, (long)getpid());
	fd = open(buf_text(&beside), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	ok = fd >= 0 && write_all(fd, text) && fsync(fd) == 0 &&
	     rename(buf_text(&beside), path) == 0;
	if (!ok) {
		buf_printf(why, "%s: not written: %s", path, strerror(errno));
		if (fd >= 0)
			unlink(buf_text(&beside));
	}
	if (fd >= 0)
		close(fd);
	buf_free(&beside);
	return ok;
}

/* report and verify: the whole review as one document.
 * SPDX-License-Identifier: MIT */
#include "src/cmd.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "model/limits.h"
#include "src/session.h"

static const struct {
	const char *name;
	void (*write)(const struct report *r, struct buf *out);
} formats[] = {
	{ "markdown", report_markdown },
	{ "json", report_json },
};

static bool render(struct session *s, const char *format, struct buf *out)
{
	struct report report = session_report(s);

	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (strcmp(formats[i].name, format) == 0) {
			formats[i].write(&report, out);
			return true;
		}
	cmd_error("--format: \"%s\" is none of markdown|json", format);
	return false;
}

static int write_file(const char *path, const struct buf *text)
{
	struct buf why = { 0 };
	int code = EXIT_DONE;

	if (!cmd_write_file(path, text, &why))
		code = cmd_error("%s", buf_text(&why));
	buf_free(&why);
	return code;
}

int cmd_report(const struct options *o)
{
	const char *path = o->arguments.count ? o->arguments.items[0] : ".";
	const char *format = o->format ? o->format : "markdown";
	struct session s;
	struct buf out = { 0 };
	int code = EXIT_USAGE;

	if (!session_open(&s, o, path))
		return EXIT_USAGE;
	if (render(&s, format, &out)) {
		if (o->output && strcmp(o->output, "-") != 0)
			code = write_file(o->output, &out);
		else
			code = cmd_print(&out) ? EXIT_DONE : EXIT_USAGE;
	}
	buf_free(&out);
	session_close(&s);
	return code;
}

static size_t first_difference(const struct buf *a, const struct buf *b)
{
	size_t line = 1, i = 0;

	while (i < a->length && i < b->length && a->bytes[i] == b->bytes[i])
		line += a->bytes[i++] == '\n';
	return line;
}

int cmd_verify(const struct options *o)
{
	const char *report = o->arguments.items[0];
	const char *path = o->arguments.count > 1 ? o->arguments.items[1] : ".";
	struct buf given = { 0 }, now = { 0 };
	struct session s;
	int code = EXIT_USAGE;

	if (!cmd_read_file(report, LIMIT_REPORT_BYTES, &given)) {
		code = cmd_error("%s: %s", report, strerror(errno));
		buf_free(&given);
		return code;
	}
	if (session_open(&s, o, path)) {
		render(&s, given.length && given.bytes[0] == '{' ? "json" : "markdown", &now);
		code = EXIT_DONE;
		if (given.length != now.length ||
		    memcmp(buf_text(&given), buf_text(&now), now.length) != 0) {
			printf("%s: differs from line %zu on\n", report,
			       first_difference(&given, &now));
			code = EXIT_OPEN;
		} else {
			printf("%s: matches, %s\n", report,
			       session_is_signed(&s) ? "signed as it stands" : "not signed");
		}
		session_close(&s);
	}
	buf_free(&given);
	buf_free(&now);
	return code;
}

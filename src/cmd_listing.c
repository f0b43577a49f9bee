/* inventory, map, findings, paths, coverage, artifacts: the panes' lists without the panes.
 * SPDX-License-Identifier: MIT */
#include "src/cmd.h"

#include <langinfo.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "src/report/listing.h"
#include "src/session.h"

static const enum listing_kind kinds[COMMAND_COUNT] = {
	[COMMAND_INVENTORY] = LISTING_INVENTORY, [COMMAND_MAP] = LISTING_MAP,
	[COMMAND_FINDINGS] = LISTING_FINDINGS,   [COMMAND_PATHS] = LISTING_PATHS,
	[COMMAND_COVERAGE] = LISTING_COVERAGE,   [COMMAND_ARTIFACTS] = LISTING_ARTIFACTS,
};

static size_t terminal_width(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
		return 0;
	return size.ws_col;
}

/* A terminal that does not read UTF-8 gets escapes; a file or pipe gets UTF-8. */
static bool ascii_only(void)
{
	return isatty(STDOUT_FILENO) && strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
}

static bool render(const struct listing *l, const char *format, struct buf *out)
{
	if (strcmp(format, "text") == 0)
		report_listing_text(l, terminal_width(), ascii_only(), out);
	else if (strcmp(format, "tsv") == 0)
		report_listing_tsv(l, out);
	else if (strcmp(format, "json") == 0)
		report_listing_json(l, out);
	else
		return false;
	return true;
}

static bool arrange(struct listing *l, const struct options *o, struct buf *why)
{
	return (!o->filter || listing_filter(l, o->filter, why)) &&
	       (!o->sort || listing_sort(l, o->sort, why));
}

int cmd_listing(const struct options *o)
{
	const char *format = o->format ? o->format : "text";
	struct buf out = { 0 }, why = { 0 };
	struct session s;
	struct listing l;
	int code = EXIT_USAGE;

	if (!session_open(&s, o, o->arguments.count ? o->arguments.items[0] : "."))
		return EXIT_USAGE;
	listing_init(&l, kinds[o->command], &s.match);
	if (!arrange(&l, o, &why))
		cmd_error("%s", buf_text(&why));
	else if (!render(&l, format, &out))
		cmd_error("--format: \"%s\" is none of text|tsv|json", format);
	else
		code = cmd_print(&out) ? EXIT_DONE : EXIT_USAGE;
	listing_free(&l);
	buf_free(&out);
	buf_free(&why);
	session_close(&s);
	return code;
}

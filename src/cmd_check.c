/* check: the state of the review as an exit code, for scripts.
 * SPDX-License-Identifier: MIT */
#include "src/cmd.h"

#include <stdio.h>

#include "src/session.h"

static size_t open_findings(const struct counts *n, enum severity threshold)
{
	size_t count = 0;

	for (unsigned i = 0; i <= (unsigned)threshold; i++)
		count += n->findings[i];
	return count;
}

static void say(struct buf *out, size_t count, const char *what)
{
	if (count)
		buf_printf(out, "%zu %s\n", count, what);
}

/* Appends what keeps the review from being complete and signed; nothing when it is. */
static void what_is_missing(const struct session *s, struct buf *out)
{
	const struct counts *n = &s->match.counts;

	if (s->snapshot.partial)
		buf_puts(out, "reading was stopped before the end\n");
	say(out, n->cells - n->confirmed - n->stale, "cells are not confirmed by a person");
	say(out, n->stale, "marks are stale");
	say(out, n->disputed, "cells are disputed");
	if (!session_is_signed(s))
		buf_puts(out, s->review.signatures.count
				      ? "signed, but something has changed since\n"
				      : "not signed\n");
}

int cmd_check(const struct options *o)
{
	enum severity threshold = severity_by_name(o->fail_on ? o->fail_on : "high");
	struct session s;
	struct buf out = { 0 };
	size_t open, start;
	int code = EXIT_DONE;

	if (!session_open(&s, o, o->arguments.count ? o->arguments.items[0] : "."))
		return EXIT_USAGE;
	open = open_findings(&s.match.counts, threshold);
	if (open)
		code = EXIT_OPEN;
	buf_printf(&out, "%zu open finding%s of %s or above\n", open, open == 1 ? "" : "s",
		   severity_names[threshold]);
	start = out.length;
	if (o->require_signed) {
		what_is_missing(&s, &out);
		if (out.length > start && !open)
			code = EXIT_UNSIGNED;
	}
	if (!cmd_print(&out))
		code = EXIT_USAGE;
	buf_free(&out);
	session_close(&s);
	return code;
}

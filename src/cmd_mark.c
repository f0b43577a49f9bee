/* mark, decide, sign, log: what people say, from the command line.
 * SPDX-License-Identifier: MIT */
#include "src/cmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/basis.h"
#include "model/text.h"
#include "src/repo/digest.h"
#include "src/session.h"

static const char *path_argument(const struct options *o, size_t place)
{
	return o->arguments.count > place ? o->arguments.items[place] : ".";
}

/* --- mark --------------------------------------------------------------------------------------- */

static bool check_basis(const struct session *s, const char *basis, enum mark mark,
			struct buf *why)
{
	static const char *const faults[] = {
		[BASIS_NO_FILE] = "is no file of the tree; \"artifacts\" lists them",
		[BASIS_NO_LINE] = "names no line of its file",
		[BASIS_CONFIGURATION] = "is configuration; observed needs an export or the record "
					"of a test",
	};
	enum basis_fault fault = basis_check(&s->snapshot, basis, mark);

	if (fault != BASIS_GOOD)
		buf_printf(why, "basis \"%s\" %s", basis, faults[fault]);
	return fault == BASIS_GOOD;
}

static bool check_mark(const struct session *s, const struct options *o, enum mark mark,
		       const struct cell *proposal, struct buf *why)
{
	bool has_note = o->note && *o->note;

	if (mark == MARK_UNAVAILABLE && !has_note)
		buf_puts(why, "unavailable needs the reason: -m NOTE");
	else if (mark == MARK_OBSERVED && (!o->basis || !*o->basis))
		buf_puts(why, "observed needs what shows it: --basis FILE[:LINE]");
	else if (mark == MARK_DECLARED && proposal->mark != MARK_DECLARED && !has_note)
		buf_puts(why, "no file says it: declared needs who told it, -m NOTE");
	else if (o->basis && *o->basis)
		return check_basis(s, o->basis, mark, why);
	return why->length == 0;
}

static bool record_mark(struct session *s, const struct options *o, size_t workload,
			enum field field)
{
	const struct row *row = s->match.workloads[workload];
	const struct fact *f = cell_next(row, field, NULL);
	struct span place = f ? f->span : row->span;
	char fingerprint[DIGEST_HEX];
	struct event e = {
		.kind = EVENT_MARK,
		.key = cell_key(&s->arena, row, field),
		.value = o->arguments.items[1],
		.fingerprint = fingerprint,
		.basis = o->basis,
		.note = o->note,
		.path = snapshot_path(&s->snapshot, place),
		.line = snapshot_line(&s->snapshot, place),
	};

	cell_fingerprint(&s->snapshot, row, field, digest_sha256, fingerprint);
	return session_record(s, &e);
}

static int mark_cell(struct session *s, const struct options *o, struct buf *why)
{
	enum mark mark = mark_by_name(o->arguments.items[1]);
	size_t workload;
	enum field field;

	if (mark == MARK_COUNT) {
		buf_printf(why, "\"%s\" is none of declared|observed|unavailable",
			   o->arguments.items[1]);
		return EXIT_USAGE;
	}
	if (!session_find_cell(s, o->arguments.items[0], &workload, &field, why) ||
	    !check_mark(s, o, mark, &match_cell(&s->match, workload, field)->cell, why))
		return EXIT_USAGE;
	if (!session_write(s, o) || !record_mark(s, o, workload, field))
		return EXIT_USAGE;
	return EXIT_DONE;
}

/* Opens the session, lets ACT work and say in WHY what is wrong. */
static int with_session(const struct options *o, const char *path,
			int (*act)(struct session *, const struct options *, struct buf *))
{
	struct session s;
	struct buf why = { 0 };
	int code;

	if (!session_open(&s, o, path))
		return EXIT_USAGE;
	code = act(&s, o, &why);
	if (why.length)
		cmd_error("%s", buf_text(&why));
	buf_free(&why);
	session_close(&s);
	return code;
}

int cmd_mark(const struct options *o)
{
	return with_session(o, path_argument(o, 2), mark_cell);
}

/* --- decide ------------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool needs_note(enum disposition d)
{
	return disposition_is_settled(d) || d == DISPOSITION_NEEDS_EVIDENCE;
}

static bool check_decision(const struct session *s, const struct options *o, enum disposition d,
			   struct buf *why)
{
	if (needs_note(d) && (!o->note || !*o->note))
		buf_printf(why, "%s needs the reason: -m NOTE", disposition_names[d]);
	else if (d == DISPOSITION_ACCEPTED && (!o->owner || !*o->owner || !o->expires))
		buf_puts(why, "accepted needs who answers for it and until when: --owner NAME "
			      "--expires DATE");
	else if (o->expires && !text_is_date(o->expires, strlen(o->expires)))
		buf_printf(why, "--expires \"%s\" is no date; write it as 2027-01-31", o->expires);
	else if (o->expires && strcmp(o->expires, s->today) < 0)
		buf_printf(why, "--expires %s is past", o->expires);
	return why->length == 0;
}

static void say_dispositions(const char *given, struct buf *why)
{
	buf_printf(why, "\"%s\" is none of ", given);
	for (unsigned i = 0; i < DISPOSITION_COUNT; i++)
		buf_printf(why, "%s%s", i ? "|" : "", disposition_names[i]);
}

static int decide_finding(struct session *s, const struct options *o, struct buf *why)
{
	enum disposition d = disposition_by_name(o->arguments.items[1]);
	const struct matched_finding *f =
		session_find_finding(s, o->arguments.items[0], why);
	struct event e = { .kind = EVENT_DISPOSITION, .note = o->note, .owner = o->owner,
			   .expires = o->expires, .value = o->arguments.items[1] };

	if (!f)
		return EXIT_USAGE;
	if (d == DISPOSITION_COUNT) {
		say_dispositions(o->arguments.items[1], why);
		return EXIT_USAGE;
	}
	if (!check_decision(s, o, d, why) || !session_write(s, o))
		return EXIT_USAGE;
	e.key = f->finding->id;
	e.fingerprint = f->finding->fingerprint;
	e.path = snapshot_path(&s->snapshot, f->finding->citations[0].span);
	e.line = snapshot_line(&s->snapshot, f->finding->citations[0].span);
	return session_record(s, &e) ? EXIT_DONE : EXIT_USAGE;
}

int cmd_decide(const struct options *o)
{
	return with_session(o, path_argument(o, 2), decide_finding);
}

/* --- sign --------------------------------------------------------------------------------------- */

static bool confirm_unresolved(struct session *s, const struct options *o, struct buf *why)
{
	struct event e = { .kind = EVENT_NOTE, .key = RESULT_CONFIRM_KEY, .note = o->confirm };
	char *end;

	if (!o->confirm)
		return true;
	if (!is_digit(o->confirm[0]) ||
	    strtoull(o->confirm, &end, 10) != s->match.counts.boundary_unresolved || *end) {
		buf_printf(why, "--confirm-unresolved %s: %zu boundary checks are unresolved",
			   o->confirm, s->match.counts.boundary_unresolved);
		return false;
	}
	return session_record(s, &e);
}

static int sign_review(struct session *s, const struct options *o, struct buf *why)
{
	char digest[DIGEST_HEX];
	struct event e = { .kind = EVENT_SIGN,
			   .key = o->role ? o->role : "Reviewer",
			   .value = o->decision ? o->decision : "reviewed",
			   .note = o->note };

	if (s->snapshot.partial) {
		buf_puts(why, "a partial reading cannot be signed");
		return EXIT_USAGE;
	}
	if (!session_write(s, o) || !confirm_unresolved(s, o, why))
		return EXIT_USAGE;
	session_digest(s, digest);
	e.fingerprint = digest;
	if (!session_record(s, &e))
		return EXIT_USAGE;
	printf("signed by %s as %s: %s\n%s\n", s->reviewer, e.key, e.value, digest);
	return EXIT_DONE;
}

int cmd_sign(const struct options *o)
{
	return with_session(o, path_argument(o, 0), sign_review);
}

/* --- log ---------------------------------------------------------------------------------------- */

static void log_event(const struct event *e, struct buf *out)
{
	struct buf line = { 0 };

	buf_printf(&line, "%s  %-12s %-11s %s%s%s", e->when, e->who, event_kind_names[e->kind],
		   e->key, *e->key && *e->value ? " " : "", e->value);
	if (*e->basis)
		buf_printf(&line, "  basis %s", e->basis);
	if (*e->note)
		buf_printf(&line, "  \"%s\"", e->note);
	if (e->undone)
		buf_puts(&line, "  (undone)");
	text_visible(out, buf_text(&line), line.length, TEXT_ONE_LINE);
	buf_putc(out, '\n');
	buf_free(&line);
}

static int print_log(struct session *s, const struct options *o, struct buf *why)
{
	struct buf out = { 0 };
	int code;

	(void)o;
	(void)why;
	for (size_t i = 0; i < s->review.events.count; i++)
		log_event(&s->review.events.items[i], &out);
	if (s->review.torn_lines)
		buf_printf(&out, "%zu lines of the review file could not be read\n",
			   s->review.torn_lines);
	code = cmd_print(&out) ? EXIT_DONE : EXIT_USAGE;
	buf_free(&out);
	return code;
}

int cmd_log(const struct options *o)
{
	return with_session(o, path_argument(o, 0), print_log);
}

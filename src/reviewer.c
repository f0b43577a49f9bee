/* Effects of the reviewer on the review file, the report and the tree.
 * SPDX-License-Identifier: MIT */
#include "src/reviewer.h"

#include <string.h>

#include "src/cmd.h"
#include "src/repo/digest.h"

static void set_text(struct buf *b, const char *text)
{
	buf_clear(b);
	buf_puts(b, text);
}

void reviewer_init(struct reviewer *r, const struct options *o, const char *path)
{
	*r = (struct reviewer){ .o = o, .path = path };
	ui_init(&r->ui);
	r->ui.digest = digest_sha256;
	r->ui.read_only = o->read_only;
	buf_puts(&r->ui.tree_path, path);
}

static void drop_session(struct session **s)
{
	if (*s)
		session_close(*s);
	*s = NULL;
}

void reviewer_configure(struct reviewer *r, const struct config *c, bool is_utf8)
{
	r->ui.theme = c->theme;
	r->ui.keymap = c->keymap;
	r->ui.ascii =
	    strcmp(c->characters, "ascii") == 0 || (strcmp(c->characters, "auto") == 0 && !is_utf8);
	for (const char *line = buf_text(&c->problems); *line;) {
		size_t length = strcspn(line, "\n");

		ui_say(&r->ui, MESSAGE_WARNING, "%.*s", (int)length, line);
		line += length + (line[length] == '\n');
	}
}

void reviewer_free(struct reviewer *r)
{
	ui_free(&r->ui);
	load_free(r->loader);
	drop_session(&r->next);
	drop_session(&r->now);
	buf_free(&r->why);
}

/* --- reading ------------------------------------------------------------------------------------
 */

static const char *const stages[] = {
	[LOAD_LISTING] = "listing", [LOAD_READING] = "reading", [LOAD_COMPARING] = "comparing",
	[LOAD_JOINING] = "joining", [LOAD_JUDGING] = "judging", [LOAD_DONE] = "judging",
};

static void tell_progress(struct reviewer *r)
{
	struct load_progress p = { .stage = LOAD_LISTING };

	if (!r->loader) {
		ui_step(&r->ui, &(struct ui_event){ .kind = UI_EVENT_PROGRESS });
		return;
	}
	load_progress(r->loader, &p);
	ui_step(&r->ui, &(struct ui_event){ .kind = UI_EVENT_PROGRESS,
	                                    .stage = stages[p.stage],
	                                    .done = p.done,
	                                    .total = p.total,
	                                    .path = p.path });
}

void reviewer_load(struct reviewer *r)
{
	struct buf why = { 0 };

	load_free(r->loader);
	drop_session(&r->next);
	r->next = r->now == &r->sessions[0] ? &r->sessions[1] : &r->sessions[0];
	r->loader = session_begin(r->next, r->o, r->path, &why);
	if (!r->loader) {
		drop_session(&r->next);
		ui_say(&r->ui, MESSAGE_ERROR, "%s", buf_text(&why));
		r->failed = !r->now;
		set_text(&r->why, buf_text(&why));
	}
	buf_free(&why);
	tell_progress(r);
}

/* The review file is opened once; a reload keeps it open. */
static void open_review(struct reviewer *r)
{
	struct buf why = { 0 };

	if (r->now->reviews.count > 0)
		set_text(&r->ui.review_path, r->now->reviews.items[0]);
	if (r->ui.read_only || r->now->journal.fd > 0)
		return;
	if (r->now->reviews.count == 0)
		buf_puts(&why, "no place for the review: set XDG_STATE_HOME or use --review FILE");
	else if (journal_open(&r->now->journal, r->now->reviews.items[0], &why))
		return;
	r->ui.read_only = true;
	ui_say(&r->ui, MESSAGE_ERROR, "read-only: %s", buf_text(&why));
	buf_free(&why);
}

static void propose_export(struct reviewer *r)
{
	const char *path = buf_text(&r->ui.review_path), *slash = strrchr(path, '/');

	if (r->ui.export_path.length > 0)
		return;
	if (slash)
		buf_add(&r->ui.export_path, path, (size_t)(slash - path) + 1);
	buf_puts(&r->ui.export_path, "report.md");
}

static bool is_signed(const struct session *s)
{
	return s->review.signatures.count > 0 && session_is_signed(s);
}

/* The session's own match is behind after marks, as the panes have theirs. */
static void render(struct reviewer *r, struct buf *out)
{
	struct report report;

	session_match(r->now);
	report = session_report(r->now);
	report_markdown(&report, out);
}

static void preview(struct reviewer *r)
{
	struct buf text = { 0 };

	render(r, &text);
	ui_set_preview(&r->ui, buf_text(&text), text.length);
	buf_free(&text);
}

/* What the files did to the marks since. */
static void say_changes(struct reviewer *r, bool again)
{
	size_t stale = r->ui.match.counts.stale, orphans = r->ui.match.orphans.count;
	struct buf text = { 0 };

	if (again)
		buf_puts(&text, "read again");
	if (stale > 0)
		buf_printf(&text, "%s%zu mark%s stale", again ? ": " : "", stale,
			   stale > 1 ? "s are" : " is");
	if (orphans > 0)
		buf_printf(&text, "%s%zu without a cell",
			   stale > 0 ? ", " : again ? ": " : "marks: ", orphans);
	if (stale > 0 || orphans > 0)
		buf_puts(&text, "; C lists them");
	if (text.length > 0)
		ui_say(&r->ui, MESSAGE_INFO, "%s", buf_text(&text));
	buf_free(&text);
}

static void show(struct reviewer *r, struct session *read)
{
	struct session *former = r->now;
	bool again = former != NULL;

	if (r->ui.scope[SCOPE_REVIEWER].length == 0)
		buf_puts(&r->ui.scope[SCOPE_REVIEWER], read->reviewer);
	if (former) {
		read->journal = former->journal;
		former->journal = (struct journal){ 0 };
	}
	r->now = read;
	r->next = NULL;
	r->ui.today = read->today;
	r->ui.is_signed = is_signed(read);
	ui_set_model(&r->ui, &read->snapshot, &read->review);
	drop_session(&former);
	open_review(r);
	propose_export(r);
	if (again && r->ui.mode == MODE_EXPORT)
		preview(r);
	say_changes(r, again);
	if (read->snapshot.partial)
		ui_say(&r->ui, MESSAGE_WARNING,
		       "reading was stopped: what is shown is partial and cannot be signed off");
	else if (read->review.torn_lines > 0)
		ui_say(&r->ui, MESSAGE_WARNING, "%zu lines of the review file could not be read",
		       read->review.torn_lines);
}

void reviewer_stop(struct reviewer *r)
{
	if (!r->loader)
		return;
	session_loaded(r->next, r->loader);
	r->loader = NULL;
	show(r, r->next);
	tell_progress(r);
}

bool reviewer_step(struct reviewer *r, unsigned budget_ms)
{
	if (!r->loader)
		return false;
	if (load_step(r->loader, budget_ms)) {
		tell_progress(r);
		return true;
	}
	reviewer_stop(r);
	return false;
}

/* --- effects ------------------------------------------------------------------------------------
 */

static void record(struct reviewer *r)
{
	struct buf why = { 0 };
	char digest[DIGEST_HEX];
	struct event event;
	const char *act = NULL;

	r->now->reviewer = arena_strdup(&r->now->arena, buf_text(&r->ui.scope[SCOPE_REVIEWER]));
	while (ui_take_event(&r->ui, &event)) {
		/* Events of one act carry a time and number that no other act has. */
		if (event.act[0]) {
			if (!act)
				act = arena_printf(&r->now->arena, "act%llu-%s",
				                   (unsigned long long)r->now->journal.next,
				                   r->now->journal.suffix);
			event.act = act;
		}
		if (event.kind == EVENT_SIGN) {
			session_digest(r->now, digest);
			event.fingerprint = digest;
		}
		if (!session_append(r->now, &event, &why)) {
			ui_event_failed(&r->ui, buf_text(&why));
			break;
		}
		ui_event_written(&r->ui, &event);
	}
	r->ui.is_signed = is_signed(r->now);
	buf_free(&why);
}

static void export(struct reviewer *r)
{
	struct buf text = { 0 }, why = { 0 };

	render(r, &text);
	if (cmd_write_file(buf_text(&r->ui.export_path), &text, &why))
		ui_say(&r->ui, MESSAGE_INFO, "%zu bytes written to %s", text.length,
		       buf_text(&r->ui.export_path));
	else
		ui_say(&r->ui, MESSAGE_ERROR, "%s", buf_text(&why));
	buf_free(&text);
	buf_free(&why);
}

unsigned reviewer_perform(struct reviewer *r, unsigned effects)
{
	if (r->now && effects & UI_EVENTS)
		record(r);
	/* A preview that is open follows what was said. */
	if (r->now && (effects & UI_PREVIEW || (effects & UI_EVENTS && r->ui.mode == MODE_EXPORT)))
		preview(r);
	if (r->now && effects & UI_EXPORT)
		export(r);
	if (effects & UI_STOP)
		reviewer_stop(r);
	if (effects & UI_RELOAD)
		reviewer_load(r);
	return effects & ~(unsigned)(UI_EVENTS | UI_PREVIEW | UI_EXPORT | UI_STOP | UI_RELOAD);
}

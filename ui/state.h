/* The state of the reviewer and its one entry: ui_step(state, event) → effects.
 *
 * Pure: no file, clock, locale or terminal. Whoever drives it performs the effects and tells the
 * state what came of them. Selections, tags and marks are keys, never pointers, so that they
 * survive a reload. Ownership: the snapshot and the review are the caller's; everything else is the
 * state's. SPDX-License-Identifier: MIT */
#ifndef UI_STATE_H
#define UI_STATE_H

#include "ui/doc.h"
#include "ui/keymap.h"
#include "ui/layout.h"
#include "ui/prompt.h"
#include "ui/view.h"

enum ui_effect {
	UI_REDRAW = 1,
	UI_EVENTS = 2,  /* take events with ui_take_event(), append them to the journal */
	UI_PREVIEW = 4, /* render the report and hand it to ui_set_preview() */
	UI_EXPORT = 8,  /* write the report to state->export_path */
	UI_EDIT = 16,   /* open state->edit_path at state->edit_line */
	UI_COPY = 32,   /* copy state->clip */
	UI_RELOAD = 64, /* load again with state->scope */
	UI_SUSPEND = 128,
	UI_CLEAR = 256, /* draw from scratch */
	UI_STOP = 512,  /* stop reading, keep what is there */
	UI_QUIT = 1024,
};

enum ui_event_kind { UI_EVENT_KEY, UI_EVENT_RESIZE, UI_EVENT_PROGRESS };

struct ui_event {
	enum ui_event_kind kind;
	ui_key key;
	bool quick;  /* came so soon after the key before that nobody can have read the screen between */
	bool pasted; /* not typed: text from a clipboard */
	int width, height;
	/* UI_EVENT_PROGRESS */
	const char *stage; /* "listing", "reading", "judging"; NULL: done */
	size_t done, total;
	const char *path;
};

enum subject { SUBJECT_ROW, SUBJECT_CELL, SUBJECT_FINDING };

enum message_level { MESSAGE_INFO, MESSAGE_WARNING, MESSAGE_ERROR };

struct message {
	enum message_level level;
	char *text;
};

struct cursor {
	size_t at, top;
	int left;
};

/* Strings in the order they were added. */
struct tag_set {
	char **items;
	size_t count, capacity;
};

/* An event that waits to be written; strings lie in the outbox's arena. */
struct outbox {
	struct arena arena;
	struct {
		struct event *items;
		size_t count, capacity;
	} events;
	size_t next;
	bool undo, redo; /* name their event when it is their turn */
	struct buf said; /* message for when all is written */
};

enum scope_line {
	SCOPE_RUNTIME,
	SCOPE_OS,
	SCOPE_KUBERNETES,
	SCOPE_DEPLOYMENT,
	SCOPE_COMPOSE,  /* files, separated by blanks */
	SCOPE_PROFILES, /* the same */
	SCOPE_REVIEWER,
	SCOPE_APPLY,
	SCOPE_LINES,
};

struct progress {
	bool active;
	struct buf stage, path;
	size_t done, total;
};

struct ui_state {
	/* Set by the caller before the first step; borrowed. */
	digest_fn *digest;
	bool read_only, ascii;
	const char *today;    /* "2026-11-30": acceptances end; NULL: no day */
	struct buf tree_path; /* shown until the tree is read */
	bool is_signed;       /* the review as it stands is signed */
	enum theme theme;

	/* The model. */
	const struct snapshot *snapshot;
	struct review *review;
	struct match match;
	bool loaded; /* snapshot and match are there */

	/* The screen. */
	int width, height;
	struct layout layout;
	enum pane focus, tab;
	enum zoom zoom;
	int shift;
	enum mode mode, below[4];
	size_t below_count;
	struct keymap keymap;
	struct prompt prompt;
	struct message message; /* shown until the next key */
	bool refused;           /* the last key was not taken: who types on does not know it yet */
	struct {
		struct message *items;
		size_t count, capacity;
	} log;
	struct progress progress;

	/* What is selected. */
	struct buf row_key, finding_id, source_path;
	enum field field;
	uint32_t source_line;
	enum subject subject;
	struct tag_set tags;
	bool ranging;
	size_t range_from;

	/* Lists. */
	struct workload_view workloads;
	struct index_view findings, fields;
	struct cursor cursors[PANE_COUNT], texts[MODE_COUNT];
	struct buf filters[PANE_COUNT], help_filter, search;
	struct buf filter_why[PANE_COUNT]; /* what is wrong with a filter; "" = nothing */
	enum workload_order workload_order;
	enum finding_order finding_order;
	bool all_findings;
	struct doc detail, doc; /* of the pane, and of the full-screen view */
	bool doc_fresh;         /* a long document need not be made again */

	/* Scope form. */
	struct buf scope[SCOPE_LINES];

	/* For the effects. */
	struct outbox outbox;
	struct buf clip, preview, export_path, edit_path, review_path;
	uint32_t edit_line;
};

void ui_init(struct ui_state *s);
void ui_free(struct ui_state *s);
/* Handles one event; returns the effects to perform. */
unsigned ui_step(struct ui_state *s, const struct ui_event *event);
/* Draws everything; the grid takes the state's size. */
void ui_draw(const struct ui_state *s, struct grid *g);

/* Lays a snapshot and a review; also after either changed. The former snapshot may be freed after.
 */
void ui_set_model(struct ui_state *s, const struct snapshot *snapshot, struct review *review);
/* Forgets the model (before a snapshot is freed without a new one). */
void ui_drop_model(struct ui_state *s);
/* The report's bytes for the preview. */
void ui_set_preview(struct ui_state *s, const char *bytes, size_t length);
void ui_say(struct ui_state *s, enum message_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* What stands in `act` of events that belong together: the caller puts a name of its own there. */
#define UI_SHARED_ACT "*"
/* The next event to append to the journal, without id, who and when; false when there is none. */
bool ui_take_event(struct ui_state *s, struct event *out);
/* It was written; EVENT has id, who and when. */
void ui_event_written(struct ui_state *s, const struct event *event);
/* It could not be written: the rest is dropped and WHY is shown. */
void ui_event_failed(struct ui_state *s, const char *why);

#endif

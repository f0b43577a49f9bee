/* A review: what people said, as a fold over journal events.
 *
 * An event is one line of the journal (see boundwalk-review(5)); the state is the fold of all of them in
 * order. Undo and redo are events as well. The review owns its arena and keys, never pointers into a
 * snapshot, so that it survives a reload.
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_REVIEW_H
#define MODEL_REVIEW_H

#include "model/cell.h"

enum event_kind {
	EVENT_MARK,
	EVENT_CLEAR,
	EVENT_NOTE,
	EVENT_ROLE,
	EVENT_TASK,
	EVENT_DISPOSITION,
	EVENT_SEVERITY,
	EVENT_MOVE,
	EVENT_SIGN,
	EVENT_UNSIGN,
	EVENT_UNDO, /* names the event undone */
	EVENT_REDO,
	EVENT_SCOPE,
	EVENT_KIND_COUNT,
};
extern const char *const event_kind_names[EVENT_KIND_COUNT];

enum disposition {
	DISPOSITION_NEW,
	DISPOSITION_CONFIRMED,
	DISPOSITION_ACCEPTED,
	DISPOSITION_FALSE_POSITIVE,
	DISPOSITION_NEEDS_EVIDENCE,
	DISPOSITION_FIX_PROPOSED,
	DISPOSITION_FIX_APPLIED,
	DISPOSITION_FIX_VERIFIED,
	DISPOSITION_DUPLICATE,
	DISPOSITION_NOT_APPLICABLE,
	DISPOSITION_COUNT,
};
extern const char *const disposition_names[DISPOSITION_COUNT];

/* One event. Strings are UTF-8 without control characters, "" when not used. */
struct event {
	enum event_kind kind;
	const char *id;    /* unique in the journal: "e" and a number, with the writer's random suffix */
	const char *who, *when; /* when: UTC "2026-11-30T19:44:00Z" */
	const char *key;   /* cell key, row key or finding id */
	const char *fingerprint;
	const char *value; /* mark, role, task, disposition, severity, decision, undone event's id */
	const char *basis; /* FILE[:LINE] */
	const char *note;
	const char *owner, *expires;
	const char *path;  /* place at the time, for people who read the journal */
	uint32_t line;
};

struct marked {
	const char *key; /* cell key */
	enum mark mark;
	const char *fingerprint, *basis, *note, *who, *when, *event;
	bool disputed; /* two reviewers differ */
};

struct decided {
	const char *key; /* finding id */
	enum disposition disposition;
	const char *fingerprint, *note, *owner, *expires, *who, *when, *event;
};

struct noted {
	const char *key, *text, *who, *when;
};

struct signature {
	const char *who, *role, *decision, *when, *digest;
};

struct review {
	struct arena arena;
	struct {
		struct event *items;
		size_t count, capacity;
	} events;
	/* The fold: rebuilt by review_fold(). */
	struct {
		struct marked *items;
		size_t count, capacity;
	} marks;
	struct {
		struct decided *items;
		size_t count, capacity;
	} decisions;
	struct {
		struct noted *items;
		size_t count, capacity;
	} notes, tasks, roles; /* one for a key in tasks and roles */
	struct {
		struct signature *items;
		size_t count, capacity;
	} signatures;
	size_t torn_lines; /* lines of the journal that could not be read */
};

void review_free(struct review *r);
/* Appends a copy of EVENT and folds it in. */
void review_apply(struct review *r, const struct event *event);
/* The latest mark of a cell, or NULL. */
const struct marked *review_mark(const struct review *r, const char *cell_key);
const struct decided *review_decision(const struct review *r, const char *finding_id);
/* The row's task sentence, or NULL. */
const char *review_task(const struct review *r, const char *row_key);
/* The last event of WHO that can be undone (redone), or NULL. */
const struct event *review_undoable(const struct review *r, const char *who);
const struct event *review_redoable(const struct review *r, const char *who);
/* Digest over all current marks and decisions, order-independent; what a signature signs. */
void review_digest(const struct review *r, digest_fn *digest, char out[DIGEST_HEX]);

#endif

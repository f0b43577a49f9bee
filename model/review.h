/* A review: what people said, as a fold over journal events.
 *
 * An event is one line of the journal (see boundwalk-review(5)); the state is the fold of all of them in
 * order. Undo and redo are events as well. The review owns its arena and keys, never pointers into a
 * snapshot, so that it survives a reload.
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_REVIEW_H
#define MODEL_REVIEW_H

#include "model/cell.h"
#include "model/rule.h"

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

/* One event. Strings are UTF-8 without control characters, "" when not used. A signature keeps its role in
 * `key`, its decision in `value` and the digest that it signs in `fingerprint`; a scope event keeps the
 * setting's name in `key`. */
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
	const char *act;   /* events of one act share it and are undone together; "" = alone */
	bool undone;       /* set by the fold */
};

struct marked {
	const char *key; /* cell key */
	enum mark mark;
	const char *fingerprint, *basis, *note, *who, *when, *event;
	bool disputed; /* two reviewers differ */
	const struct opinion *opinions; /* of each reviewer, latest first */
};

/* One reviewer's own mark of a cell. */
struct opinion {
	const char *who;
	enum mark mark;
	const char *fingerprint, *note;
	const struct opinion *next;
};

struct decided {
	const char *key; /* finding id */
	enum disposition disposition;
	const char *fingerprint, *note, *owner, *expires, *who, *when, *event;
	bool has_severity; /* a person changed it */
	enum severity severity;
	const char *severity_note;
};

struct noted {
	const char *key, *text, *who, *when;
};

struct noted_list {
	struct noted *items;
	size_t count, capacity;
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
	struct noted_list notes, tasks, roles, scopes; /* one for a key, but in notes */
	struct {
		struct signature *items;
		size_t count, capacity;
	} signatures;
	size_t torn_lines; /* lines of the journal that could not be read */
	struct hash_index event_index, mark_index, decision_index, task_index, role_index,
		scope_index; /* key (event: id) → place; UINT32_MAX when gone */
};

void review_free(struct review *r);
/* Appends a copy of EVENT and folds it in. */
void review_apply(struct review *r, const struct event *event);
/* Appends without folding, for long journals; call review_fold() afterwards. False when an event of this
 * id is there already: two files merge by union. */
bool review_append(struct review *r, const struct event *event);
void review_fold(struct review *r);
/* The latest mark of a cell, or NULL. */
const struct marked *review_mark(const struct review *r, const char *cell_key);
const struct decided *review_decision(const struct review *r, const char *finding_id);
/* The row's task sentence, or NULL. */
const char *review_task(const struct review *r, const char *row_key);
/* The role given to the row by a person, or NULL. */
const char *review_role(const struct review *r, const char *row_key);
/* A setting of the scope given in the review, or NULL. */
const char *review_scope(const struct review *r, const char *name);
enum disposition disposition_by_name(const char *name); /* DISPOSITION_COUNT when unknown */
enum mark mark_by_name(const char *name);               /* MARK_COUNT when unknown */
enum event_kind event_kind_by_name(const char *name);   /* EVENT_KIND_COUNT when unknown */
/* The last event of WHO that can be undone (redone), or NULL. */
const struct event *review_undoable(const struct review *r, const char *who);
const struct event *review_redoable(const struct review *r, const char *who);
/* Digest over all current marks and decisions, order-independent; what a signature signs. */
void review_digest(const struct review *r, digest_fn *digest, char out[DIGEST_HEX]);

#endif

/* The one-line prompt: a small line editor with a label and a proposal.
 * SPDX-License-Identifier: MIT */
#ifndef UI_PROMPT_H
#define UI_PROMPT_H

#include "model/buf.h"
#include "ui/key.h"

enum prompt_kind {
	PROMPT_SEARCH,
	PROMPT_FILTER,
	PROMPT_COMMAND,
	PROMPT_TOLD,   /* declared without a file: who said so */
	PROMPT_BASIS,  /* observed: where */
	PROMPT_REASON, /* unavailable: why */
	PROMPT_COMMENT,
	PROMPT_TASK,
	PROMPT_ROLE, /* a choice */
	PROMPT_TRIAGE, /* a choice */
	PROMPT_TRIAGE_NOTE,
	PROMPT_SEVERITY, /* a choice */
	PROMPT_SEVERITY_NOTE,
	PROMPT_OWNER,
	PROMPT_UNTIL,
	PROMPT_EXPORT,
	PROMPT_SIGN, /* a choice */
	PROMPT_SIGN_ROLE,
	PROMPT_SCOPE, /* value of a line of the scope form */
	PROMPT_KIND_COUNT,
};

struct prompt {
	bool active;
	enum prompt_kind kind;
	struct buf label, text, proposal;
	struct buf saved; /* what Esc brings back: the former filter */
	size_t at;        /* cursor: byte in text */
	/* Kept between the questions of one act. */
	int choice;
	struct buf note, owner;
};

enum prompt_answer { PROMPT_GOES_ON, PROMPT_CHANGED, PROMPT_ACCEPTED, PROMPT_CANCELLED };

/* Begins a question; an empty answer takes PROPOSAL (may be NULL). */
void prompt_ask(struct prompt *p, enum prompt_kind kind, const char *label, const char *proposal);
/* Handles a key of the editor. */
enum prompt_answer prompt_key(struct prompt *p, ui_key key);
/* What was typed, or else the proposal. */
const char *prompt_value(const struct prompt *p);
void prompt_free(struct prompt *p);

#endif

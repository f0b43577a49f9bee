/* The fold of journal events into the state of a review.
 * SPDX-License-Identifier: MIT */
#include "model/review.h"

#include <stdlib.h>
#include <string.h>

const char *const event_kind_names[EVENT_KIND_COUNT] = {
	[EVENT_MARK] = "mark",
	[EVENT_CLEAR] = "clear",
	[EVENT_NOTE] = "note",
	[EVENT_ROLE] = "role",
	[EVENT_TASK] = "task",
	[EVENT_DISPOSITION] = "disposition",
	[EVENT_SEVERITY] = "severity",
	[EVENT_MOVE] = "move",
	[EVENT_SIGN] = "sign",
	[EVENT_UNSIGN] = "unsign",
	[EVENT_UNDO] = "undo",
	[EVENT_REDO] = "redo",
	[EVENT_SCOPE] = "scope",
};

const char *const disposition_names[DISPOSITION_COUNT] = {
	[DISPOSITION_NEW] = "new",
	[DISPOSITION_CONFIRMED] = "confirmed",
	[DISPOSITION_ACCEPTED] = "accepted",
	[DISPOSITION_FALSE_POSITIVE] = "false-positive",
	[DISPOSITION_NEEDS_EVIDENCE] = "needs-evidence",
	[DISPOSITION_FIX_PROPOSED] = "fix-proposed",
	[DISPOSITION_FIX_APPLIED] = "fix-applied",
	[DISPOSITION_FIX_VERIFIED] = "fix-verified",
	[DISPOSITION_DUPLICATE] = "duplicate",
	[DISPOSITION_NOT_APPLICABLE] = "not-applicable",
};

static unsigned name_index(const char *const *names, unsigned count, const char *name)
{
	unsigned i = 0;

	while (i < count && strcmp(names[i], name) != 0)
		i++;
	return i;
}

enum disposition disposition_by_name(const char *name)
{
	return (enum disposition)name_index(disposition_names, DISPOSITION_COUNT, name);
}

enum mark mark_by_name(const char *name)
{
	return (enum mark)name_index(mark_names, MARK_COUNT, name);
}

enum event_kind event_kind_by_name(const char *name)
{
	return (enum event_kind)name_index(event_kind_names, EVENT_KIND_COUNT, name);
}

void review_free(struct review *r)
{
	struct arena arena = r->arena;

	*r = (struct review){ 0 };
	arena_free(&arena);
}

static bool find(const struct hash_index *index, const char *key, uint32_t *at)
{
	return hash_index_get(index, key, at) && *at != UINT32_MAX;
}

/* --- folding one event -------------------------------------------------------------------------- */

static void set_noted(struct review *r, struct noted_list *notes, struct hash_index *index,
		      const struct event *e)
{
	struct noted noted = { .key = e->key, .text = e->value, .who = e->who, .when = e->when };
	uint32_t at;

	if (find(index, e->key, &at)) {
		notes->items[at] = noted;
		return;
	}
	hash_index_put(&r->arena, index, e->key, (uint32_t)notes->count);
	*ARENA_PUSH(&r->arena, notes) = noted;
}

static struct marked *marked_for(struct review *r, const char *key)
{
	uint32_t at;

	if (find(&r->mark_index, key, &at))
		return &r->marks.items[at];
	hash_index_put(&r->arena, &r->mark_index, key, (uint32_t)r->marks.count);
	*ARENA_PUSH(&r->arena, &r->marks) = (struct marked){ .key = key };
	return &r->marks.items[r->marks.count - 1];
}

static bool is_disputed(const struct marked *m)
{
	for (const struct opinion *o = m->opinions; o; o = o->next)
		if (o->mark != m->mark && strcmp(o->fingerprint, m->fingerprint) == 0)
			return true;
	return false;
}

/* Puts the opinion in front and drops the same person's former one. */
static const struct opinion *with_opinion(struct arena *a, const struct opinion *list,
					  const struct opinion *own)
{
	struct opinion *first = ARENA_NEW(a, struct opinion);
	const struct opinion **tail = &first->next;

	*first = *own;
	first->next = NULL;
	for (; list; list = list->next) {
		struct opinion *copy;

		if (strcmp(list->who, own->who) == 0)
			continue;
		copy = ARENA_NEW(a, struct opinion);
		*copy = *list;
		copy->next = NULL;
		*tail = copy;
		tail = &copy->next;
	}
	return first;
}

static void fold_mark(struct review *r, const struct event *e)
{
	struct marked *m;
	enum mark mark = mark_by_name(e->value);
	struct opinion own = { .who = e->who, .mark = mark, .fingerprint = e->fingerprint,
			       .note = e->note };

	if (mark == MARK_COUNT)
		return;
	m = marked_for(r, e->key);
	*m = (struct marked){
		.key = e->key, .mark = mark, .fingerprint = e->fingerprint, .basis = e->basis,
		.note = e->note, .who = e->who, .when = e->when, .event = e->id,
		.opinions = with_opinion(&r->arena, m->opinions, &own),
	};
	m->disputed = is_disputed(m);
}

static void fold_clear(struct review *r, const struct event *e)
{
	uint32_t at;

	if (!find(&r->mark_index, e->key, &at))
		return;
	hash_index_put(&r->arena, &r->mark_index, e->key, UINT32_MAX);
	r->marks.items[at] = r->marks.items[--r->marks.count];
	if (at < r->marks.count)
		hash_index_put(&r->arena, &r->mark_index, r->marks.items[at].key, at);
}

static struct decided *decided_for(struct review *r, const char *key)
{
	uint32_t at;

	if (find(&r->decision_index, key, &at))
		return &r->decisions.items[at];
	hash_index_put(&r->arena, &r->decision_index, key, (uint32_t)r->decisions.count);
	*ARENA_PUSH(&r->arena, &r->decisions) = (struct decided){
		.key = key, .fingerprint = "", .note = "", .owner = "", .expires = "",
		.severity_note = "",
	};
	return &r->decisions.items[r->decisions.count - 1];
}

static void fold_disposition(struct review *r, const struct event *e)
{
	enum disposition disposition = disposition_by_name(e->value);
	struct decided *d;

	if (disposition == DISPOSITION_COUNT)
		return;
	d = decided_for(r, e->key);
	d->disposition = disposition;
	d->fingerprint = e->fingerprint;
	d->note = e->note;
	d->owner = e->owner;
	d->expires = e->expires;
	d->who = e->who;
	d->when = e->when;
	d->event = e->id;
}

static void fold_severity(struct review *r, const struct event *e)
{
	enum severity severity = severity_by_name(e->value);
	struct decided *d = decided_for(r, e->key);

	d->has_severity = severity != SEVERITY_COUNT;
	d->severity = d->has_severity ? severity : SEVERITY_INFO;
	d->severity_note = e->note;
	if (!*d->fingerprint)
		d->fingerprint = e->fingerprint;
	d->who = e->who;
	d->when = e->when;
	d->event = e->id;
}

static void fold_note(struct review *r, const struct event *e)
{
	*ARENA_PUSH(&r->arena, &r->notes) = (struct noted){
		.key = e->key, .text = *e->note ? e->note : e->value, .who = e->who,
		.when = e->when,
	};
}

static void fold_task(struct review *r, const struct event *e)
{
	set_noted(r, &r->tasks, &r->task_index, e);
}

static void fold_role(struct review *r, const struct event *e)
{
	set_noted(r, &r->roles, &r->role_index, e);
}

static void fold_scope(struct review *r, const struct event *e)
{
	set_noted(r, &r->scopes, &r->scope_index, e);
}

/* A mark follows its cell to another key, as a person confirmed. */
static void fold_move(struct review *r, const struct event *e)
{
	struct marked moved;
	struct event gone = *e;
	uint32_t at;

	if (!*e->value || !find(&r->mark_index, e->key, &at))
		return;
	moved = r->marks.items[at];
	fold_clear(r, &gone);
	moved.key = e->value;
	*marked_for(r, e->value) = moved;
}

static void fold_unsign(struct review *r, const struct event *e)
{
	size_t kept = 0;

	for (size_t i = 0; i < r->signatures.count; i++)
		if (strcmp(r->signatures.items[i].who, e->who) != 0)
			r->signatures.items[kept++] = r->signatures.items[i];
	r->signatures.count = kept;
}

static void fold_sign(struct review *r, const struct event *e)
{
	fold_unsign(r, e);
	*ARENA_PUSH(&r->arena, &r->signatures) = (struct signature){
		.who = e->who, .role = e->key, .decision = e->value, .when = e->when,
		.digest = e->fingerprint,
	};
}

static void (*const folds[EVENT_KIND_COUNT])(struct review *, const struct event *) = {
	[EVENT_MARK] = fold_mark,
	[EVENT_CLEAR] = fold_clear,
	[EVENT_NOTE] = fold_note,
	[EVENT_ROLE] = fold_role,
	[EVENT_TASK] = fold_task,
	[EVENT_DISPOSITION] = fold_disposition,
	[EVENT_SEVERITY] = fold_severity,
	[EVENT_MOVE] = fold_move,
	[EVENT_SIGN] = fold_sign,
	[EVENT_UNSIGN] = fold_unsign,
	[EVENT_SCOPE] = fold_scope,
};

/* --- the whole ---------------------------------------------------------------------------------- */

static bool is_undo(const struct event *e)
{
	return e->kind == EVENT_UNDO || e->kind == EVENT_REDO;
}

static void set_undone(struct review *r, const struct event *e)
{
	const struct event *target;
	uint32_t at;

	if (!find(&r->event_index, e->value, &at))
		return;
	target = &r->events.items[at];
	r->events.items[at].undone = e->kind == EVENT_UNDO;
	if (!*target->act)
		return;
	for (size_t i = 0; i < r->events.count; i++)
		if (!is_undo(&r->events.items[i]) &&
		    strcmp(r->events.items[i].act, target->act) == 0)
			r->events.items[i].undone = e->kind == EVENT_UNDO;
}

static void reset(struct review *r)
{
	r->marks.count = r->decisions.count = r->signatures.count = 0;
	r->notes.count = r->tasks.count = r->roles.count = r->scopes.count = 0;
	r->mark_index = r->decision_index = r->task_index = (struct hash_index){ 0 };
	r->role_index = r->scope_index = (struct hash_index){ 0 };
}

void review_fold(struct review *r)
{
	reset(r);
	for (size_t i = 0; i < r->events.count; i++)
		r->events.items[i].undone = false;
	for (size_t i = 0; i < r->events.count; i++)
		if (is_undo(&r->events.items[i]))
			set_undone(r, &r->events.items[i]);
	for (size_t i = 0; i < r->events.count; i++) {
		const struct event *e = &r->events.items[i];

		if (!e->undone && folds[e->kind])
			folds[e->kind](r, e);
	}
}

static const char *keep(struct review *r, const char *text)
{
	return text && *text ? arena_strdup(&r->arena, text) : "";
}

bool review_append(struct review *r, const struct event *event)
{
	struct event *e;
	uint32_t at;

	if (event->kind >= EVENT_KIND_COUNT)
		return false;
	if (event->id && *event->id && find(&r->event_index, event->id, &at))
		return false;
	e = ARENA_PUSH(&r->arena, &r->events);
	*e = (struct event){
		.kind = event->kind,
		.id = keep(r, event->id),
		.who = keep(r, event->who),
		.when = keep(r, event->when),
		.key = keep(r, event->key),
		.fingerprint = keep(r, event->fingerprint),
		.value = keep(r, event->value),
		.basis = keep(r, event->basis),
		.note = keep(r, event->note),
		.owner = keep(r, event->owner),
		.expires = keep(r, event->expires),
		.path = keep(r, event->path),
		.line = event->line,
		.act = keep(r, event->act),
	};
	if (*e->id)
		hash_index_put(&r->arena, &r->event_index, e->id, (uint32_t)r->events.count - 1);
	return true;
}

void review_apply(struct review *r, const struct event *event)
{
	const struct event *e;

	if (!review_append(r, event))
		return;
	e = &r->events.items[r->events.count - 1];
	if (is_undo(e))
		review_fold(r);
	else if (folds[e->kind])
		folds[e->kind](r, e);
}

const struct marked *review_mark(const struct review *r, const char *cell_key)
{
	uint32_t at;

	return find(&r->mark_index, cell_key, &at) ? &r->marks.items[at] : NULL;
}

const struct decided *review_decision(const struct review *r, const char *finding_id)
{
	uint32_t at;

	return find(&r->decision_index, finding_id, &at) ? &r->decisions.items[at] : NULL;
}

static const char *text_of(const struct noted *items, const struct hash_index *index,
			   const char *key)
{
	uint32_t at;

	return find(index, key, &at) && *items[at].text ? items[at].text : NULL;
}

const char *review_task(const struct review *r, const char *row_key)
{
	return text_of(r->tasks.items, &r->task_index, row_key);
}

const char *review_role(const struct review *r, const char *row_key)
{
	return text_of(r->roles.items, &r->role_index, row_key);
}

const char *review_scope(const struct review *r, const char *name)
{
	return text_of(r->scopes.items, &r->scope_index, name);
}

const struct event *review_undoable(const struct review *r, const char *who)
{
	for (size_t i = r->events.count; i-- > 0;) {
		const struct event *e = &r->events.items[i];

		if (!is_undo(e) && !e->undone && strcmp(e->who, who) == 0)
			return e;
	}
	return NULL;
}

/* A new act ends what could be redone. */
const struct event *review_redoable(const struct review *r, const char *who)
{
	uint32_t at;

	for (size_t i = r->events.count; i-- > 0;) {
		const struct event *e = &r->events.items[i];

		if (strcmp(e->who, who) != 0)
			continue;
		if (!is_undo(e))
			return NULL;
		if (e->kind == EVENT_UNDO && find(&r->event_index, e->value, &at) &&
		    r->events.items[at].undone)
			return &r->events.items[at];
	}
	return NULL;
}

/* --- digest ------------------------------------------------------------------------------------- */

static void add_hash(struct buf *hashes, struct buf *line, digest_fn *digest)
{
	unsigned char hash[DIGEST_BYTES];

	digest(buf_text(line), line->length, hash);
	buf_add(hashes, hash, sizeof hash);
	buf_clear(line);
}

static int compare_hashes(const void *a, const void *b)
{
	return memcmp(a, b, DIGEST_BYTES);
}

void review_digest(const struct review *r, digest_fn *digest, char out[DIGEST_HEX])
{
	struct buf hashes = { 0 }, line = { 0 };
	unsigned char hash[DIGEST_BYTES];

	for (size_t i = 0; i < r->marks.count; i++) {
		const struct marked *m = &r->marks.items[i];

		buf_printf(&line, "mark\n%s\n%s\n%s\n%s\n%s\n%s", m->key, mark_names[m->mark],
			   m->fingerprint, m->basis, m->note, m->who);
		add_hash(&hashes, &line, digest);
	}
	for (size_t i = 0; i < r->decisions.count; i++) {
		const struct decided *d = &r->decisions.items[i];

		buf_printf(&line, "decision\n%s\n%s\n%s\n%s\n%s\n%s\n%s", d->key,
			   disposition_names[d->disposition],
			   d->has_severity ? severity_names[d->severity] : "", d->fingerprint,
			   d->note, d->owner, d->expires);
		add_hash(&hashes, &line, digest);
	}
	for (size_t i = 0; i < r->tasks.count; i++) {
		buf_printf(&line, "task\n%s\n%s", r->tasks.items[i].key, r->tasks.items[i].text);
		add_hash(&hashes, &line, digest);
	}
	if (hashes.length)
		qsort(hashes.bytes, hashes.length / DIGEST_BYTES, DIGEST_BYTES, compare_hashes);
	digest(buf_text(&hashes), hashes.length, hash);
	digest_hex(hash, out);
	buf_free(&line);
	buf_free(&hashes);
}

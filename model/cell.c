/* Cells: which facts they show, what the program proposes, keys and fingerprints.
 * SPDX-License-Identifier: MIT */
#include "model/cell.h"

#include <stdlib.h>
#include <string.h>

#include "model/cell_default.h"
#include "model/conflict.h"

const char *const mark_names[MARK_COUNT] = {
	[MARK_DECLARED] = "declared",
	[MARK_OBSERVED] = "observed",
	[MARK_UNAVAILABLE] = "unavailable",
};
const char mark_letters[MARK_COUNT + 1] = "DOU";

static bool ends_with(const char *text, const char *suffix)
{
	size_t length = strlen(text), need = strlen(suffix);

	return length >= need && strcmp(text + length - need, suffix) == 0;
}

/* A mount of a socket, or of the folder where the host keeps them, is a control channel too. */
static bool mounts_socket(const struct fact *f)
{
	static const char *const folders[] = { "/run", "/var/run", "/run/", "/var/run/",
					       "/tmp/.X11-unix", "/run/dbus", "/var/run/dbus",
					       "/run/systemd", "/run/containerd", "/var/run/containerd" };
	const char *source = fact_attribute(f, "source");

	if (f->kind != FACT_MOUNT)
		return false;
	source = source ? source : f->value;
	if (fact_attribute_is(f, "type", "npipe") || ends_with(source, ".sock") ||
	    ends_with(source, ".socket"))
		return true;
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		if (strcmp(source, folders[i]) == 0)
			return true;
	return false;
}

/* What privileged takes away belongs to the fields that it empties. */
static bool is_emptied(const struct fact *f, enum field field)
{
	return f->kind == FACT_PRIVILEGED && fact_truth(f) == TRI_TRUE &&
	       (field == FIELD_CAPABILITIES || field == FIELD_SYSCALL_FILTER ||
		field == FIELD_MAC_PROFILE || field == FIELD_DEVICES || field == FIELD_ROOT_FS);
}

bool cell_may_show(enum fact_kind kind, enum field field)
{
	const struct fact_kind_info *info = &fact_kind_table[kind];

	return info->field == field || info->second == field || kind == FACT_PRIVILEGED ||
	       (kind == FACT_MOUNT && field == FIELD_CONTROL_CHANNELS);
}

bool cell_shows(const struct fact *f, enum field field)
{
	const struct fact_kind_info *kind = &fact_kind_table[f->kind];

	return kind->field == field || kind->second == field || is_emptied(f, field) ||
	       (field == FIELD_CONTROL_CHANNELS && mounts_socket(f));
}

const struct fact *cell_next(const struct row *row, enum field field, const struct fact *previous)
{
	for (size_t i = previous ? previous->ordinal + 1u : 0; i < row->facts.count; i++)
		if (cell_may_show(row->kinds.items[i], field) &&
		    cell_shows(row->facts.items[i], field))
			return row->facts.items[i];
	return NULL;
}

const struct fact *cell_fact(const struct row *row, enum field field, size_t i)
{
	const struct fact *f = cell_next(row, field, NULL);

	while (f && i--)
		f = cell_next(row, field, f);
	return f;
}

/* What the declared facts of a cell have in common. */
struct tally {
	size_t written, absent, open, unresolved, unparsed, unknown_default;
	bool without_user; /* the user is not known, whatever else is said about identity */
	bool drops;        /* the entrypoint names another */
	const char *reason; /* of the first that is not known */
};

/* Kinds whose default is "nothing": an absence without a value is known all the same. */
static bool is_known_absence(const struct snapshot *s, const struct fact *f)
{
	static const enum fact_kind kinds[] = { FACT_MEMORY_LIMIT, FACT_CPU_LIMIT, FACT_PIDS_LIMIT,
						FACT_RESTART, FACT_SECURITY_CONTEXT, FACT_RUNTIME,
						FACT_CAP_ADD, FACT_NETWORK_POLICY };

	if (f->kind == FACT_CAP_DROP)
		return s->scope.runtime && *s->scope.runtime;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (f->kind == kinds[i])
			return true;
	return false;
}

bool cell_is_unseen(const struct fact *f)
{
	return f->kind == FACT_PEER && fact_attribute_is(f, "kind", "unseen");
}

static void count_fact(const struct snapshot *s, struct tally *t, const struct fact *f)
{
	bool shown = *f->value != '\0';

	/* That there is a securityContext says nothing of what it holds. */
	if ((f->kind == FACT_SECURITY_CONTEXT && fact_is_written(f)) || cell_is_unseen(f))
		return;
	/* What no manifest shows makes nothing else less known. */
	if (f->kind == FACT_PEER)
		return;
	t->without_user |= f->kind == FACT_USER && !shown &&
			   f->provenance != PROVENANCE_TEMPLATED;
	t->drops |= f->kind == FACT_PRIVILEGE_DROP;
	switch (f->provenance) {
	case PROVENANCE_EXPLICIT:
	case PROVENANCE_OVERRIDDEN:
		t->written++;
		return;
	case PROVENANCE_ABSENT:
		shown = shown || is_known_absence(s, f);
		t->absent += shown;
		t->unknown_default += !shown;
		break;
	case PROVENANCE_TEMPLATED:
		t->open++;
		return;
	case PROVENANCE_UNRESOLVED:
		t->open += shown;
		t->unresolved += !shown;
		break;
	case PROVENANCE_UNPARSED:
		t->unparsed++;
		break;
	}
	if (!shown && !t->reason)
		t->reason = f->note;
}

/* --- what a field asks for ---------------------------------------------------------------------- */

#define LEADS 10

/* The kinds that answer a field; what else it shows only stands around them: probes and folders around a
 * start, an account's name around its rights, an operating system around who enforces. */
static const struct lead {
	enum field field;
	bool pods;                    /* of pods only */
	enum fact_kind kinds[LEADS]; /* ended by FACT_NONE */
} leads[] = {
	{ FIELD_ENTRY_CHAIN, false,
	  { FACT_ENTRYPOINT, FACT_COMMAND, FACT_SCRIPT, FACT_ENTRY_STEP, FACT_HOOK,
	    FACT_HOST_COMMAND, FACT_HOST_ENTER, FACT_SHELL_LAUNCH, FACT_DISABLED } },
	{ FIELD_API_AUTHORITY, true, { FACT_RBAC_RULE, FACT_CLOUD_IDENTITY } },
	{ FIELD_ENFORCEMENT, true, { FACT_POLICY, FACT_POD_SECURITY_LABEL, FACT_TEXT_LIMIT } },
};

static bool is_pod(const struct row *row)
{
	return row->kind != ROW_OBJECT &&
	       (row->format == FORMAT_K8S || row->format == FORMAT_HELM ||
		row->format == FORMAT_KUSTOMIZE);
}

static const struct lead *lead_of(const struct row *row, enum field field)
{
	for (size_t i = 0; i < sizeof leads / sizeof *leads; i++)
		if (leads[i].field == field && (!leads[i].pods || is_pod(row)))
			return &leads[i];
	return NULL;
}

static bool is_lead(const struct lead *lead, const struct fact *f)
{
	if (f->kind == FACT_TOKEN_MOUNT && lead->field == FIELD_API_AUTHORITY)
		return fact_truth(f) == TRI_FALSE; /* without a token no right is used */
	if (f->kind == FACT_ENTRYPOINT && !*f->value && f->provenance == PROVENANCE_ABSENT)
		return false;
	for (size_t i = 0; i < LEADS && lead->kinds[i]; i++)
		if (lead->kinds[i] == f->kind)
			return true;
	return false;
}

bool cell_lacks_lead(const struct row *row, enum field field)
{
	const struct lead *lead = lead_of(row, field);

	if (!lead || !row_has_layer(row, LAYER_DECLARED))
		return false;
	for (const struct fact *f = cell_next(row, field, NULL); f; f = cell_next(row, field, f))
		if (f->layer == LAYER_DECLARED && is_lead(lead, f))
			return false;
	return true;
}

static void propose(struct cell *c, enum mark mark, const char *sub, const char *reason)
{
	c->mark = mark;
	c->sub = sub;
	c->reason = reason;
}

static void propose_from(struct cell *c, const struct tally *t)
{
	if (t->without_user && !t->drops)
		propose(c, MARK_UNAVAILABLE,
			t->unparsed ? "unparsed" : t->unresolved ? "unresolved" : "not-supplied",
			t->reason);
	else if (t->open)
		propose(c, MARK_DECLARED, "templated", NULL);
	else if (t->written)
		propose(c, MARK_DECLARED, "explicit", NULL);
	else if (t->unparsed)
		propose(c, MARK_UNAVAILABLE, "unparsed", t->reason);
	else if (t->unresolved)
		propose(c, MARK_UNAVAILABLE, "unresolved", t->reason);
	else if (t->absent)
		propose(c, MARK_DECLARED, "absent", NULL);
	else
		propose(c, MARK_UNAVAILABLE, "not-supplied", t->reason);
}

static void propose_silence(struct cell *c, const struct snapshot *s)
{
	struct silence silence = silence_of(s, c->row, c->field);

	c->applicable = silence.applicable;
	if (!row_has_layer(c->row, LAYER_DECLARED) && row_has_layer(c->row, LAYER_OBSERVED))
		propose(c, MARK_UNAVAILABLE, "not-supplied", "configuration not supplied");
	else if (silence.sub)
		propose(c, MARK_UNAVAILABLE, silence.sub, silence.text);
	else
		propose(c, MARK_DECLARED, "absent", NULL);
}

struct cell cell_of(const struct snapshot *s, const struct row *row, enum field field)
{
	struct cell c = { .row = row, .field = field, .applicable = true };
	const struct lead *lead = lead_of(row, field);
	struct tally tally = { 0 };
	const struct fact *declared, *observed, *f;
	size_t declared_count = 0;

	for (f = cell_next(row, field, NULL); f; f = cell_next(row, field, f)) {
		c.fact_count++;
		if (f->layer == LAYER_OBSERVED) {
			c.has_observed = true;
			continue;
		}
		/* Computed from the others; and that there is a context says nothing of its contents. */
		if (f->kind == FACT_POD_SECURITY ||
		    (f->kind == FACT_SECURITY_CONTEXT && fact_is_written(f)))
			continue;
		declared_count++;
		if (!lead || !lead->pods || is_lead(lead, f))
			count_fact(s, &tally, f);
	}
	if (declared_count && !cell_lacks_lead(row, field))
		propose_from(&c, &tally);
	else
		propose_silence(&c, s);
	c.conflict = c.has_observed && conflict_of_field(row, field, &declared, &observed);
	return c;
}

const char *cell_key(struct arena *a, const struct row *row, enum field field)
{
	return arena_printf(a, "%s:%s", row->key, field_table[field].slug);
}

bool cell_key_split(struct arena *a, const char *key, const char **row_key, enum field *field)
{
	const char *colon = strrchr(key, ':');

	if (!colon)
		return false;
	*field = field_by_slug(colon + 1);
	if (*field == FIELD_NONE)
		return false;
	*row_key = arena_copy(a, key, (size_t)(colon - key));
	return true;
}

/* --- fingerprint ------------------------------------------------------------------------------ */

static void canonical_fact(const struct fact *f, struct buf *out)
{
	buf_printf(out, "%d %s %s\n%s\n", (int)f->layer, fact_kind_table[f->kind].name,
		   provenance_names[f->provenance], f->value);
	for (uint32_t i = 0; i < f->attribute_count; i++)
		buf_printf(out, ";%s=%s\n", f->attributes[i].name, f->attributes[i].value);
	for (uint32_t i = 0; i < f->via_count; i++)
		buf_printf(out, "<%s=%s\n", f->via[i].role, f->via[i].value ? f->via[i].value : "");
}

static int compare_digests(const void *a, const void *b)
{
	return memcmp(a, b, DIGEST_BYTES);
}

/* Each fact is hashed alone and the hashes are sorted: the order in the file does not count. */
void cell_fingerprint(const struct snapshot *s, const struct row *row, enum field field,
		      digest_fn *digest, char out[DIGEST_HEX])
{
	struct buf digests = { 0 }, text = { 0 };
	unsigned char hash[DIGEST_BYTES];
	const struct fact *f;

	for (f = cell_next(row, field, NULL); f; f = cell_next(row, field, f)) {
		buf_clear(&text);
		canonical_fact(f, &text);
		digest(buf_text(&text), text.length, hash);
		buf_add(&digests, hash, sizeof hash);
	}
	if (digests.length)
		qsort(digests.bytes, digests.length / DIGEST_BYTES, DIGEST_BYTES, compare_digests);
	else
		buf_puts(&digests, silence_of(s, row, field).text);
	buf_puts(&digests, field_table[field].slug);
	digest(buf_text(&digests), digests.length, hash);
	digest_hex(hash, out);
	buf_free(&text);
	buf_free(&digests);
}

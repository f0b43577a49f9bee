/* The value of a cell in words, one line.
 * SPDX-License-Identifier: MIT */
#include "model/cell.h"

#include <string.h>

#include "model/cell_default.h"
#include "model/secret.h"

#define SHOWN_ITEMS 4 /* of one kind; the rest is counted */
#define ARROW " \xE2\x86\x92 "

/* How one kind is worded. TRUE and FALSE words stand alone; otherwise the value follows the title unless it
 * speaks for itself. */
struct wording {
	const char *if_true, *if_false;
	bool bare;          /* the value alone */
	bool note_alone;    /* of an absence without a value: its note says all */
	const char *prefix; /* before the value, instead of the title */
};

static const struct wording wordings[FACT_KIND_COUNT] = {
	[FACT_IMAGE] = { .bare = true },
	[FACT_BASE_IMAGE] = { .prefix = "from " },
	[FACT_COPIED_IMAGE] = { .prefix = "files from " },
	[FACT_ENGINE_CLIENT] = { .prefix = "client in the image: " },
	[FACT_USER] = { .bare = true, .note_alone = true },
	[FACT_PRIVILEGED] = { .if_true = "privileged", .if_false = "not privileged" },
	[FACT_NO_NEW_PRIVILEGES] = { .if_true = "no new privileges",
				     .if_false = "escalation allowed" },
	[FACT_ESCALATION] = { .if_true = "escalation allowed", .if_false = "escalation refused" },
	[FACT_READ_ONLY_ROOT] = { .if_true = "read-only", .if_false = "writable" },
	[FACT_RUN_AS_NON_ROOT] = { .if_true = "must not be root", .if_false = "no check against root" },
	[FACT_TOKEN_MOUNT] = { .if_true = "account token mounted",
			       .if_false = "no account token" },
	[FACT_API_SOCKET] = { .if_true = "engine socket by flag",
			      .if_false = "no engine socket by flag" },
	[FACT_SHARE_PROCESS] = { .if_true = "processes shared in the pod",
				 .if_false = "processes not shared in the pod" },
	[FACT_HOST_PROCESS] = { .if_true = "Windows HostProcess",
				.if_false = "not a HostProcess" },
	[FACT_INIT] = { .if_true = "init process", .if_false = "no init process" },
	[FACT_MOUNT] = { .bare = true },
	[FACT_CLAIM_POLICY] = { .bare = true },
	[FACT_PRIVILEGE_DROP] = { .prefix = "drops to " },
	[FACT_SECCOMP] = { .prefix = "seccomp " },
	[FACT_APPARMOR] = { .prefix = "AppArmor " },
	[FACT_CAP_ADD] = { .prefix = "adds " },
	[FACT_CAP_DROP] = { .prefix = "drops ", .note_alone = true },
	[FACT_CAP_EFFECTIVE] = { .prefix = "effective " },
	[FACT_RUNTIME] = { .prefix = "runtime ", .note_alone = true },
	[FACT_SECURITY_CONTEXT] = { .note_alone = true },
	[FACT_MEMORY_LIMIT] = { .prefix = "memory " },
	[FACT_CPU_LIMIT] = { .prefix = "CPU " },
	[FACT_PIDS_LIMIT] = { .prefix = "processes " },
	[FACT_PID] = { .prefix = "PID " },
	[FACT_IPC] = { .prefix = "IPC " },
	[FACT_UTS] = { .prefix = "UTS " },
	[FACT_NETWORK_MODE] = { .prefix = "network " },
	[FACT_RBAC_RULE] = { .prefix = "may " },
	[FACT_PEER] = { .prefix = "same pod: " },
	[FACT_NETWORK_POLICY] = { .note_alone = true },
	[FACT_POD_SECURITY_LABEL] = { .prefix = "namespace label ", .note_alone = true },
	[FACT_FEATURE] = { .bare = true },
};

/* The kinds whose items are listed under one heading when there are several. */
static const char *plural_of(enum fact_kind kind)
{
	static const char *const plurals[FACT_KIND_COUNT] = {
		[FACT_MOUNT] = "mounts",        [FACT_PORT] = "published ports",
		[FACT_ENV] = "variables",       [FACT_ENV_FILE] = "environment files",
		[FACT_DEVICE] = "devices",      [FACT_SECRET] = "secrets",
		[FACT_NETWORK] = "networks",    [FACT_PACKAGE_INSTALL] = "package installations",
		[FACT_DOWNLOAD] = "downloads",  [FACT_COPY] = "copied contents",
		[FACT_ENTRY_STEP] = "entry steps", [FACT_RBAC_RULE] = "granted rights",
		[FACT_BUILD_ARG] = "build arguments", [FACT_PROBE] = "probes",
	};

	return plurals[kind];
}

/* A pod's volumes are told apart by their kind, a host's path is one by its looks. */
static bool is_pod_volume(const struct fact *f)
{
	static const char *const types[] = { "emptyDir", "configMap", "secret", "projected",
					     "persistentVolumeClaim", "ephemeral", "downwardAPI",
					     "csi", "nfs", "gitRepo" };

	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (fact_attribute_is(f, "type", types[i]) && fact_attribute(f, "volume"))
			return !fact_attribute(f, "pv");
	return false;
}

static void add_mount(const struct fact *f, struct buf *out)
{
	const char *source = fact_attribute(f, "source"), *target = fact_attribute(f, "target");

	if (is_pod_volume(f))
		buf_printf(out, "%s ", fact_attribute(f, "type"));
	if (!source || !target)
		buf_puts(out, f->value);
	else if (!*source || strcmp(source, target) == 0)
		buf_puts(out, target);
	else
		buf_printf(out, "%s" ARROW "%s", source, target);
	if (fact_attribute(f, "read_only"))
		buf_puts(out, fact_attribute_is(f, "read_only", "true") ? " ro" : " rw");
}

static void add_env(const struct fact *f, struct buf *out)
{
	const char *class = fact_attribute(f, "class");

	buf_puts(out, f->value);
	if (fact_attribute_is(f, "secret", "true"))
		buf_printf(out, " (secret%s%s)", class ? ", " : "", class ? class : "");
}

/* "livenessProbe" of a list of probes is the liveness one. */
static void add_probe(const struct fact *f, struct buf *out)
{
	const char *event = fact_attribute(f, "event");
	const char *end = event ? strstr(event, "Probe") : NULL;

	buf_puts(out, f->value);
	if (end)
		buf_printf(out, " (%.*s)", (int)(end - event), event);
}

#define SHOWN_COMMAND 200u /* bytes of a command line; a script may stand in one */

/* On one line, blanks and line ends as one blank, cut between characters. */
static void add_command(const struct fact *f, struct buf *out)
{
	const size_t start = out->length;
	bool blank = false;

	for (const char *at = f->value; *at; at++) {
		if (strchr(" \t\r\n", *at)) {
			blank = out->length > start;
			continue;
		}
		if (out->length - start >= SHOWN_COMMAND && ((unsigned char)*at & 0xC0) != 0x80) {
			buf_puts(out, "\xE2\x80\xA6");
			return;
		}
		if (blank)
			buf_putc(out, ' ');
		blank = false;
		buf_putc(out, *at);
	}
}

/* Root has many spellings; a reader looks for one. */
static void add_user(const struct fact *f, struct buf *out)
{
	bool root = fact_attribute_is(f, "uid", "0") || fact_is(f, "0");

	buf_puts(out, f->value);
	if (root && strstr(f->value, "root") == NULL)
		buf_puts(out, " (root)");
}

/* Former values that this one replaced; links of another kind (a mount's volume, a right's binding) are
 * places to look at and no values. */
static bool replaces(const struct fact *f, const struct hop *hop)
{
	static const char *const layers[] = { "pod", "image", "stage" };

	if (!hop->value || strcmp(hop->value, f->value) == 0 || f->kind == FACT_MOUNT ||
	    strcmp(hop->value, NOT_SET_HERE) == 0)
		return false;
	for (size_t i = 0; i < sizeof layers / sizeof *layers; i++)
		if (strcmp(hop->role, layers[i]) == 0)
			return true;
	return f->provenance == PROVENANCE_OVERRIDDEN;
}

/* The image says it and the row's own file does not: the chain has no former value. */
static bool is_of_image(const struct fact *f)
{
	for (uint32_t i = 0; i < f->via_count; i++)
		if (strcmp(f->via[i].role, "image") == 0 && f->via[i].value &&
		    strcmp(f->via[i].value, NOT_SET_HERE) == 0)
			return true;
	return false;
}

static bool begins_with_title(const struct fact *f)
{
	const char *title = fact_kind_table[f->kind].title;
	size_t length = strlen(title);

	return strncmp(f->value, title, length) == 0 && f->value[length] == ' ';
}

static void add_chain(const struct fact *f, struct buf *out)
{
	const char *last = NULL; /* a step that changed nothing is none */

	for (uint32_t i = 0; i < f->via_count; i++) {
		const struct hop *hop = &f->via[i];

		if (!replaces(f, hop) || (last && strcmp(last, hop->value) == 0))
			continue;
		buf_printf(out, "%s%s%s" ARROW, hop->value, *hop->role ? " in " : "", hop->role);
		last = hop->value;
	}
}

/* A level that the pod does not meet is worth a word: enforced, its pods are refused. */
static void add_label(const struct fact *f, struct buf *out)
{
	buf_printf(out, "%s: %s", fact_attribute(f, "mode"), f->value);
	if (fact_attribute_is(f, "met", "false"))
		buf_puts(out, fact_attribute_is(f, "mode", "enforce") ?
				      " (not met: the pod is refused)" : " (not met)");
}

static void add_value(const struct fact *f, struct buf *out)
{
	if (f->kind == FACT_MOUNT)
		add_mount(f, out);
	else if (f->kind == FACT_ENV)
		add_env(f, out);
	else if (f->kind == FACT_USER)
		add_user(f, out);
	else if (f->kind == FACT_PROBE)
		add_probe(f, out);
	else if (f->kind == FACT_ENTRYPOINT || f->kind == FACT_COMMAND || f->kind == FACT_HOOK ||
		 f->kind == FACT_ENTRY_STEP)
		add_command(f, out);
	else if (f->kind == FACT_POD_SECURITY_LABEL && fact_attribute(f, "mode"))
		add_label(f, out);
	else
		buf_puts(out, f->value);
}

/* A default that options which are put together elsewhere may change. */
static bool is_open_default(const struct fact *f)
{
	return f->provenance == PROVENANCE_UNRESOLVED && fact_attribute_is(f, "default", "true");
}

static void add_provenance(const struct fact *f, struct buf *out)
{
	static const char *const words[] = {
		[PROVENANCE_ABSENT] = " by default",
		[PROVENANCE_TEMPLATED] = " (templated)",
		[PROVENANCE_UNRESOLVED] = " (not resolved)",
		[PROVENANCE_UNPARSED] = " (not read)",
		[PROVENANCE_OVERRIDDEN] = "",
		[PROVENANCE_EXPLICIT] = "",
	};

	if (is_open_default(f))
		buf_puts(out, fact_is_nocase(f, "default") ? " (options not resolved)" :
							     " by default (options not resolved)");
	else if (f->provenance != PROVENANCE_ABSENT || !fact_is_nocase(f, "default"))
		buf_puts(out, words[f->provenance]);
}

/* The policy by which a level was found, and each check that is violated, once: the places of a check
 * follow each other. */
static void add_level(const struct fact *f, struct buf *out)
{
	const char *version = fact_attribute(f, "version");
	size_t listed = 0;

	buf_printf(out, " (policy %s%s)", version ? version : "latest",
		   fact_attribute_is(f, "assumed", "true") ? ", assumed" : "");
	for (uint32_t i = 0; i < f->via_count; i++)
		if (!i || strcmp(f->via[i - 1].role, f->via[i].role) != 0)
			buf_printf(out, "%s%s", listed++ ? ", " : ", violates ", f->via[i].role);
}

/* What objects of the namespace or the cluster say to a value. */
static void add_remark(const struct fact *f, struct buf *out)
{
	static const struct {
		const char *attribute, *before;
	} remarks[] = {
		{ "change_policy", "" },
		{ "limit_range", "default of LimitRange " },
		{ "maximum", "refused: above the maximum " },
	};
	const bool ignored = f->kind == FACT_FEATURE && fact_attribute_is(f, "ignored", "true");

	for (size_t i = 0; i < sizeof remarks / sizeof *remarks; i++)
		if (fact_attribute(f, remarks[i].attribute))
			buf_printf(out, " (%s%s)", remarks[i].before,
				   fact_attribute(f, remarks[i].attribute));
	if (fact_is(f, "Localhost") && fact_attribute(f, "profile"))
		buf_printf(out, " %s", fact_attribute(f, "profile"));
	if (fact_attribute_is(f, "dead", "true"))
		buf_puts(out, " (without effect)");
	if (fact_attribute(f, "emptied"))
		buf_printf(out, " (without effect: %s)", fact_attribute(f, "emptied"));
	if (f->kind == FACT_POD_SECURITY)
		add_level(f, out);
	if (f->kind == FACT_PRIORITY && fact_attribute(f, "value"))
		buf_printf(out, " (%s)", fact_attribute(f, "value"));
	if (f->kind == FACT_FEATURE && fact_attribute(f, "default_on"))
		buf_printf(out, " (%s Kubernetes %s)",
			   ignored ? "without effect before" : "needs",
			   fact_attribute(f, "default_on"));
}

/* A policy's name says nothing of what it lets through in the field's direction. */
static void add_policy_remark(const struct fact *f, enum field field, struct buf *out)
{
	static const struct {
		const char *state, *out, *in;
	} words[] = {
		{ "open", "lets everything out", "lets everyone in" },
		{ "public", "lets out to public addresses", "limits who connects" },
		{ "cluster", "lets out to every pod of the cluster", "" },
		{ "namespace", "lets out to every pod of the namespace", "" },
		{ "lookups", "lets only name lookups out", "" },
		{ "restricted", "limits the way out", "limits who connects" },
		{ "denied", "lets nothing out", "lets nobody in" },
		{ "none", "says nothing of the way out", "says nothing of who connects" },
	};
	const bool outward = field == FIELD_EGRESS;
	const char *reach = fact_attribute(f, outward ? "lets_out" : "lets_in");

	if (f->kind != FACT_NETWORK_POLICY || !*f->value)
		return;
	if (fact_attribute_is(f, "host_network", "true")) {
		buf_puts(out, " (does not cover the host's network)");
		return;
	}
	if (reach) {
		buf_printf(out, " (lets %s %s)", outward ? "out to" : "in", reach);
		return;
	}
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (fact_attribute_is(f, outward ? "egress" : "ingress", words[i].state))
			buf_printf(out, " (%s)", outward ? words[i].out : words[i].in);
}

/* What privileged means for a field other than its own. */
static const char *emptied_by_privileged(const struct fact *f, enum field field)
{
	static const char *const words[FIELD_COUNT] = {
		[FIELD_CAPABILITIES] = "all: privileged",
		[FIELD_SYSCALL_FILTER] = "privileged: no default filter",
		[FIELD_MAC_PROFILE] = "privileged: no default profile",
		[FIELD_DEVICES] = "all devices of the host: privileged",
		[FIELD_ROOT_FS] = "privileged: no masked or read-only kernel paths",
	};

	return f->kind == FACT_PRIVILEGED ? words[field] : NULL;
}

/* What Kubernetes itself calls these settings of a pod. */
static const char *prefix_of(const struct row *row, const struct fact *f)
{
	static const struct {
		enum fact_kind kind;
		const char *prefix;
	} pods[] = {
		{ FACT_ENTRYPOINT, "command " },
		{ FACT_COMMAND, "args " },
		{ FACT_RESTART, "restart policy of the pod " },
	};

	if (f->kind == FACT_RESTART && fact_attribute_is(f, "level", "container"))
		return "restart policy of the container ";
	if (row->format == FORMAT_K8S || row->format == FORMAT_HELM)
		for (size_t i = 0; i < sizeof pods / sizeof *pods; i++)
			if (pods[i].kind == f->kind && !is_of_image(f))
				return pods[i].prefix;
	return wordings[f->kind].prefix;
}

/* The pod and its account may say different things; the pod's word holds. */
static void add_account(const struct fact *f, struct buf *out)
{
	for (uint32_t i = 0; f->kind == FACT_TOKEN_MOUNT && i < f->via_count; i++)
		if (strcmp(f->via[i].role, "account") == 0 && f->via[i].value &&
		    strcmp(f->via[i].value, f->value) != 0)
			buf_puts(out, ": the pod says so, its account does not");
}

/* A token that a volume asks for, whatever automounting does. */
static void add_projected(const struct fact *f, struct buf *out)
{
	const char *audience = fact_attribute(f, "audience"), *seconds = fact_attribute(f, "expires");

	buf_puts(out, "account token projected");
	if (audience)
		buf_printf(out, " for %s", audience);
	if (seconds)
		buf_printf(out, ", valid %s s", seconds);
}

static void add_phrase(const struct row *row, const struct fact *f, enum field field,
		       struct buf *out)
{
	const struct wording *w = &wordings[f->kind];
	enum tri truth = fact_truth(f);
	const char *emptied = emptied_by_privileged(f, field);

	if (emptied) {
		buf_puts(out, emptied);
		return;
	}
	if (cell_is_unseen(f)) {
		buf_printf(out, "%s: not shown by a manifest", f->value);
		return;
	}
	if (f->kind == FACT_TOKEN_MOUNT && fact_attribute_is(f, "source", "projected")) {
		add_projected(f, out);
	} else if (w->if_true && is_open_default(f)) {
		buf_puts(out, fact_is(f, "true") ? w->if_true : w->if_false);
	} else if (w->if_true && truth != TRI_UNKNOWN) {
		buf_puts(out, truth == TRI_TRUE ? w->if_true : w->if_false);
	} else if (!*f->value && f->note && w->note_alone) {
		buf_puts(out, f->note);
		return;
	} else if (!*f->value) {
		buf_puts(out, fact_kind_table[f->kind].title);
		if (f->kind == FACT_ENTRYPOINT && f->provenance == PROVENANCE_EXPLICIT)
			buf_puts(out, " emptied");
		if (f->provenance == PROVENANCE_ABSENT) {
			buf_puts(out, f->note ? ": " : " not stated");
			buf_puts(out, f->note ? f->note : "");
			return;
		}
	} else {
		if (prefix_of(row, f))
			buf_puts(out, prefix_of(row, f));
		else if (!w->bare && !begins_with_title(f))
			buf_printf(out, "%s ", fact_kind_table[f->kind].title);
		add_chain(f, out);
		add_value(f, out);
	}
	if (f->kind == FACT_PRIVILEGE_DROP)
		buf_puts(out, " by entrypoint");
	add_provenance(f, out);
	if (is_of_image(f))
		buf_puts(out, " of the image");
	add_account(f, out);
	add_remark(f, out);
	add_policy_remark(f, field, out);
}

static void separate(struct buf *out, size_t start, const char *separator)
{
	if (out->length > start)
		buf_puts(out, separator);
}

/* True when the only step F of the start is what KIND says already. */
static bool is_start(const struct row *row, enum fact_kind kind, const struct fact *f)
{
	const struct fact *start = row_first(row, kind, f->layer);

	return start && strcmp(start->value, f->value) == 0;
}

/* Defaults that privileged makes void, and words that another fact of the row says better. */
static bool is_idle(const struct row *row, const struct fact *f)
{
	static const enum fact_kind emptied[] = { FACT_CAP_DROP, FACT_SECCOMP, FACT_APPARMOR,
						  FACT_PROC_MASK };

	if (row->operated && f->provenance == PROVENANCE_UNRESOLVED && !*f->value)
		return true;
	if (f->kind == FACT_SECURITY_CONTEXT)
		return fact_is_written(f);
	if (f->kind == FACT_WORKDIR) /* the last one holds */
		return row_next(row, f) != NULL;
	if (f->kind == FACT_ENTRYPOINT) /* what holds then is said before all else */
		return !*f->value && f->provenance == PROVENANCE_ABSENT;
	if (f->kind == FACT_ENTRY_STEP)
		return is_start(row, FACT_ENTRYPOINT, f) || is_start(row, FACT_COMMAND, f);
	if (f->kind == FACT_RBAC_SUBJECT)
		return row->kind != ROW_OBJECT && strncmp(f->value, "ServiceAccount:", 15) == 0;
	if (f->provenance != PROVENANCE_ABSENT ||
	    fact_truth(row_first(row, FACT_PRIVILEGED, f->layer)) != TRI_TRUE)
		return false;
	for (size_t i = 0; i < sizeof emptied / sizeof *emptied; i++)
		if (emptied[i] == f->kind)
			return true;
	return false;
}

static bool is_shown(const struct row *row, const struct fact *f, enum field field)
{
	return cell_shows(f, field) && !is_idle(row, f);
}

/* Writes the items of one kind: each as a phrase, or as a counted list. */
static void add_kind(const struct row *row, enum field field, enum fact_kind kind,
		     enum layer layer, struct buf *out, size_t start)
{
	const char *plural = plural_of(kind);
	const struct fact *f = row_first(row, kind, layer);
	size_t count = 0, shown = 0;

	for (const struct fact *g = f; g; g = row_next(row, g))
		count += is_shown(row, g, field);
	if (!count)
		return;
	if (count > 1 && plural)
		separate(out, start, "; "), buf_printf(out, "%zu %s: ", count, plural);
	for (; f && shown < SHOWN_ITEMS; f = row_next(row, f)) {
		if (!is_shown(row, f, field))
			continue;
		if (count > 1 && plural) {
			buf_puts(out, shown ? ", " : "");
			add_value(f, out);
			add_provenance(f, out);
		} else if (shown && prefix_of(row, f) && f->provenance == PROVENANCE_EXPLICIT) {
			buf_puts(out, ", ");
			add_value(f, out);
		} else {
			separate(out, start, "; ");
			add_phrase(row, f, field, out);
		}
		shown++;
	}
	if (count > shown)
		buf_printf(out, " and %zu more", count - shown);
}

/* "root → 1000 by entrypoint": where the entrypoint changes the user, that is the value. */
static bool add_identity(const struct row *row, enum layer layer, struct buf *out)
{
	const struct fact *user = row_first(row, FACT_USER, layer);
	const struct fact *drop = row_first(row, FACT_PRIVILEGE_DROP, layer);

	if (!user || !drop || !*user->value)
		return false;
	add_user(user, out);
	buf_printf(out, ARROW "%s by entrypoint", *drop->value ? drop->value : "other user");
	if (fact_attribute_is(drop, "closed", "false"))
		buf_puts(out, ", only if that succeeds");
	return true;
}

static void add_kinds(const struct row *row, enum field field, enum layer layer, struct buf *out)
{
	size_t start = out->length;
	bool identity = field == FIELD_IDENTITY && add_identity(row, layer, out);

	for (unsigned kind = 1; kind < FACT_KIND_COUNT; kind++) {
		if (!(row->present[kind / 64] >> (kind % 64) & 1) ||
		    !cell_may_show((enum fact_kind)kind, field))
			continue;
		if (identity && (kind == FACT_USER || kind == FACT_PRIVILEGE_DROP))
			continue;
		add_kind(row, field, (enum fact_kind)kind, layer, out, start);
	}
}

void cell_declared_raw(const struct snapshot *s, const struct row *row, enum field field,
		       struct buf *out)
{
	size_t start = out->length, before;

	if (cell_lacks_lead(row, field))
		buf_printf(out, "%s; ", silence_of(s, row, field).text);
	before = out->length;
	add_kinds(row, field, LAYER_DECLARED, out);
	if (before > start && out->length == before)
		out->bytes[out->length -= 2] = '\0';
	if (out->length > start)
		return;
	if (!row_has_layer(row, LAYER_DECLARED) && row_has_layer(row, LAYER_OBSERVED))
		buf_puts(out, "configuration not supplied");
	else
		buf_puts(out, silence_of(s, row, field).text);
}

void cell_observed_raw(const struct row *row, enum field field, struct buf *out)
{
	add_kinds(row, field, LAYER_OBSERVED, out);
}

void cell_declared(const struct snapshot *s, const struct row *row, enum field field,
		   struct buf *out)
{
	struct buf text = { 0 };

	cell_declared_raw(s, row, field, &text);
	secret_redact_prose(out, buf_text(&text), text.length);
	buf_free(&text);
}

void cell_observed(const struct snapshot *s, const struct row *row, enum field field,
		   struct buf *out)
{
	struct buf text = { 0 };

	(void)s;
	cell_observed_raw(row, field, &text);
	secret_redact_prose(out, buf_text(&text), text.length);
	buf_free(&text);
}

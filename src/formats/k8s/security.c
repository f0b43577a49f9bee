/* Security settings of a container: its own value, else the pod's, else the documented default.
 *
 * Inheritance and defaults: Kubernetes API core/v1 of 2026-07. A container's value replaces the pod's;
 * what exists only in containers is not looked for at pod level (see ignored.c).
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/k8s.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/buf.h"

struct span k8s_missing_at(const struct k8s_target *t)
{
	return node_find(t->container, "securityContext") ? k8s_key(t->container, "securityContext") :
							    t->anchor;
}

/* The place of KEY where it is written without a value, or was taken out. */
static struct span missing_key(const struct k8s_target *t, const char *key)
{
	return node_find(t->security, key) ? k8s_key(t->security, key) : k8s_missing_at(t);
}

/* A pod spec without containers has no defaults to speak of. */
static void absent(const struct k8s_target *t, enum fact_kind kind, const char *value,
		   struct span ancestor, const char *note)
{
	if (t->container)
		k8s_absent(t, kind, value, ancestor, note);
}

void k8s_missing(const struct k8s_target *t, enum fact_kind kind, const char *value, const char *note)
{
	const char *key = kind == FACT_SECCOMP ? "seccompProfile" : "appArmorProfile";

	absent(t, kind, value, missing_key(t, key), note);
}

/* The effective node of KEY in the container's map or the pod's, with the pod's as a link of the chain;
 * NULL when neither has it. */
static struct fact *inherited_in(const struct k8s_target *t, enum fact_kind kind,
				 const struct node *container, const struct node *pod, const char *key)
{
	const struct node *own = k8s_get(container, key), *pods = k8s_get(pod, key);
	struct fact *f;

	if (!own && !pods)
		return NULL;
	f = k8s_fact(t, kind, own ? own : pods, NULL);
	if (own && pods)
		snapshot_add_hop(t->w->snapshot, f, pods->span, node_text(pods), "pod");
	k8s_set(t, f, "level", own ? "container" : "pod");
	return f;
}

static struct fact *inherited(const struct k8s_target *t, enum fact_kind kind, const char *key)
{
	return inherited_in(t, kind, t->security, t->pod->security, key);
}

static void flag(const struct k8s_target *t, enum fact_kind kind, const char *key,
		 const char *by_default, const char *note)
{
	const struct node *own = k8s_get(t->security, key);
	const char *canonical = k8s_is_true(t->security, key)  ? "true" :
				k8s_is_false(t->security, key) ? "false" :
								 NULL;

	if (own)
		k8s_fact(t, kind, own, canonical);
	else
		absent(t, kind, by_default, missing_key(t, key), note);
}

static bool is_number(const char *text)
{
	return *text && text[strspn(text, "0123456789")] == '\0';
}

/* A flag that is neither true nor false was not read. */
static void check_truth(struct fact *f)
{
	if (f && f->provenance == PROVENANCE_EXPLICIT && fact_truth(f) == TRI_UNKNOWN)
		f->provenance = PROVENANCE_UNPARSED;
}

/* An id in another of YAML 1.1's spellings ("0x0", "0o17", "017") in decimal; other text stays. */
static void in_decimal(const struct k8s_target *t, struct fact *f)
{
	const char *text = f ? f->value : "";
	const bool octal = text[0] == '0' && text[1] == 'o';
	unsigned long value;
	char *end;

	if (text[0] != '0' || !text[1])
		return;
	value = strtoul(text + (octal ? 2 : 0), &end, octal ? 8 : 0);
	if (!*end && end != text)
		f->value = arena_printf(&t->w->snapshot->arena, "%lu", value);
}

static void read_user(const struct k8s_target *t)
{
	struct fact *user = inherited(t, FACT_USER, "runAsUser");
	struct fact *group = inherited(t, FACT_GROUP, "runAsGroup");
	struct fact *must = inherited(t, FACT_RUN_AS_NON_ROOT, "runAsNonRoot");

	in_decimal(t, user);
	in_decimal(t, group);
	if (user && is_number(user->value))
		k8s_set(t, user, "uid", user->value);
	if (!user)
		absent(t, FACT_USER, "", missing_key(t, "runAsUser"),
			   "runAsUser is not set: the image's USER decides, root when it has none");
	if (group && is_number(group->value))
		k8s_set(t, group, "gid", group->value);
	if (!group)
		absent(t, FACT_GROUP, "", missing_key(t, "runAsGroup"),
			   "runAsGroup is not set: the image decides, group 0 when it names none");
	check_truth(must);
	if (!must)
		absent(t, FACT_RUN_AS_NON_ROOT, "false", missing_key(t, "runAsNonRoot"),
			   "Kubernetes default: nothing checks that the user is not root");
}

static void read_groups(const struct k8s_target *t)
{
	const struct node *list = k8s_seq(t->pod->security, "supplementalGroups");
	const struct node *fs = k8s_get(t->pod->security, "fsGroup");
	const struct node *policy = k8s_get(t->pod->security, "supplementalGroupsPolicy");

	for (uint32_t i = 0; i < node_count(list); i++)
		if (node_text(node_at(list, i)))
			k8s_set(t, k8s_fact(t, FACT_GROUP_ADD, node_at(list, i), NULL), "gid",
				node_text(node_at(list, i)));
	if (fs) {
		struct fact *f = k8s_fact(t, FACT_FS_GROUP, fs, NULL);

		k8s_set(t, f, "gid", node_text(fs));
		k8s_set(t, f, "change_policy",
			k8s_text(t->pod->security, "fsGroupChangePolicy"));
	}
	if (policy)
		k8s_fact(t, FACT_GROUPS_POLICY, policy, NULL);
	else
		absent(t, FACT_GROUPS_POLICY, "Merge", node_key_span(t->pod->spec),
			   "Kubernetes default: groups of the image's /etc/group are added");
}

/* containerd puts CAP_ in front of every name, so "CAP_X" names nothing there; CRI-O takes both. */
static void read_capability(const struct k8s_target *t, enum fact_kind kind, const struct node *n)
{
	const char *raw = node_text(n);
	bool prefixed = raw && strncasecmp(raw, "CAP_", 4) == 0;
	char *name;
	struct fact *f;

	if (!raw)
		return;
	if (prefixed && strcasecmp(raw + 4, "ALL") == 0)
		prefixed = false;
	name = arena_strdup(&t->w->snapshot->arena, prefixed ? raw + 4 : raw);
	for (char *p = name; *p; p++)
		if (*p >= 'a' && *p <= 'z')
			*p = (char)(*p - 32);
	f = k8s_fact(t, kind, n, name);
	k8s_set(t, f, "raw", raw);
	if (prefixed) {
		k8s_set(t, f, "effective", "false");
		f->note = "containerd adds CAP_ itself and knows no capability of this spelling; "
			  "CRI-O does";
	} else if (strcmp(name, "CAP_ALL") == 0) {
		k8s_set(t, f, "effective", "false");
		f->note = "the word for all is ALL; no runtime knows a capability of this name";
	}
}

static void read_capabilities(const struct k8s_target *t)
{
	static const struct {
		const char *key;
		enum fact_kind kind;
	} lists[] = { { "add", FACT_CAP_ADD }, { "drop", FACT_CAP_DROP } };
	const struct node *map = k8s_map(t->security, "capabilities");

	for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
		const struct node *list = k8s_seq(map, lists[l].key);

		for (uint32_t i = 0; i < node_count(list); i++)
			read_capability(t, lists[l].kind, node_at(list, i));
	}
	if (!k8s_seq(map, "drop") || !node_count(k8s_seq(map, "drop")))
		absent(t, FACT_CAP_DROP, "",
			   map ? k8s_key(map, "drop") : missing_key(t, "capabilities"),
			   "nothing is dropped: the runtime's default set stays");
}

static void read_windows(const struct k8s_target *t)
{
	static const struct {
		const char *key;
		enum fact_kind kind;
	} options[] = { { "hostProcess", FACT_HOST_PROCESS },
			{ "runAsUserName", FACT_WINDOWS_USER },
			{ "gmsaCredentialSpecName", FACT_WINDOWS_ACCOUNT } };
	const struct node *own = k8s_map(t->security, "windowsOptions");
	const struct node *pods = k8s_map(t->pod->security, "windowsOptions");

	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		inherited_in(t, options[i].kind, own, pods, options[i].key);
}

static void read_proc_mount(const struct k8s_target *t)
{
	const struct node *n = k8s_get(t->security, "procMount");
	struct fact *f;

	/* Another word than the two is refused; it was not meant to keep the masks. */
	if (n && node_text(n) && *node_text(n)) {
		f = k8s_fact(t, FACT_PROC_MASK, n, node_is(n, "Default") ? "default" : "unconfined");
		if (!k8s_word_in(node_text(n), "Default Unmasked") &&
		    f->provenance != PROVENANCE_TEMPLATED)
			f->note = "the API takes Default or Unmasked";
	} else if (n) {
		f = k8s_fact(t, FACT_PROC_MASK, n, "");
		f->provenance = PROVENANCE_UNPARSED;
	} else {
		k8s_missing(t, FACT_PROC_MASK, "default", "Kubernetes default: /proc stays masked");
	}
}

static void read_context(const struct k8s_target *t)
{
	const bool own = node_count(t->security) > 0, pods = node_count(t->pod->security) > 0;

	if (own || pods)
		k8s_set(t,
			k8s_fact_at(t, FACT_SECURITY_CONTEXT, "set",
				    k8s_key(own ? t->container : t->pod->spec, "securityContext")),
			"level", own && pods ? "both" : own ? "container" : "pod");
	else
		absent(t, FACT_SECURITY_CONTEXT, "", t->anchor,
			   "neither the pod nor the container has a securityContext");
}

/* What privileged takes away stays written and does nothing; a named AppArmor profile holds. */
static void mark_emptied(const struct k8s_target *t)
{
	if (!k8s_is_true(t->security, "privileged"))
		return;
	for (size_t i = 0; i < t->row->facts.count; i++) {
		struct fact *f = t->row->facts.items[i];

		if (f->layer != t->pod->layer || f->provenance == PROVENANCE_ABSENT)
			continue;
		if (f->kind == FACT_CAP_ADD || f->kind == FACT_CAP_DROP ||
		    f->kind == FACT_SECCOMP || f->kind == FACT_PROC_MASK ||
		    (f->kind == FACT_APPARMOR && fact_is(f, "RuntimeDefault")))
			k8s_set(t, f, "emptied", "privileged");
	}
}

/* Windows knows none of the Linux fields, so their defaults say nothing either. */
static void read_windows_only(const struct k8s_target *t)
{
	struct fact *must = inherited(t, FACT_RUN_AS_NON_ROOT, "runAsNonRoot");

	read_windows(t);
	check_truth(must);
	if (!must)
		k8s_missing(t, FACT_RUN_AS_NON_ROOT, "false",
			    "Kubernetes default: nothing checks which user it is");
	if (!row_first(t->row, FACT_WINDOWS_USER, t->pod->layer))
		k8s_missing(t, FACT_USER, "",
			    "runAsUserName is not set: the image's user decides");
}

void k8s_read_security(const struct k8s_target *t)
{
	read_context(t);
	if (t->pod->windows) {
		read_windows_only(t);
		return;
	}
	read_user(t);
	read_groups(t);
	flag(t, FACT_PRIVILEGED, "privileged", "false", "Kubernetes default");
	flag(t, FACT_ESCALATION, "allowPrivilegeEscalation", "true",
	     "Kubernetes default: no_new_privs is not set");
	flag(t, FACT_READ_ONLY_ROOT, "readOnlyRootFilesystem", "false",
	     "Kubernetes default: the root file system is writable");
	read_capabilities(t);
	k8s_read_profiles(t);
	read_windows(t);
	read_proc_mount(t);
	mark_emptied(t);
}

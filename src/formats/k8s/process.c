/* What a container runs: image, command, hooks, and the words in it that leave the container.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/template.h"

#include <string.h>

static void read_image(const struct k8s_target *t)
{
	const struct node *n = k8s_get(t->container, "image");
	const char *text = node_text(n);
	struct fact *f;

	if (!text || !*text)
		return;
	f = image_fact(t->w, t->row, FACT_IMAGE, text, n->span);
	if (!f)
		return;
	f->layer = t->pod->layer;
	k8s_add_former(t->w, f, n);
	if (k8s_templated(t->w, n)) {
		f->provenance = PROVENANCE_TEMPLATED;
		f->note = template_default(t->w, n->span, NULL);
	}
}

/* The tag itself, or all that stands where one could, is a renderer's to write. */
static bool tag_is_open(const struct k8s_target *t, const char *image)
{
	const char *end = strrchr(image, '}'), *colon = strrchr(image, ':');

	const struct fact *f = row_first(t->row, FACT_IMAGE, t->pod->layer);

	if (f && f->provenance == PROVENANCE_TEMPLATED && !end) /* a placeholder */
		return !colon || strchr(colon, '/');
	if (!k8s_templated(t->w, k8s_get(t->container, "image")) || !end)
		return false;
	return !colon || end > colon;
}

static void read_pull_policy(const struct k8s_target *t)
{
	const struct node *n = k8s_get(t->container, "imagePullPolicy");
	const char *image = k8s_text(t->container, "image");
	const char *slash = image ? strrchr(image, '/') : NULL;
	const char *last = slash ? slash : image;
	const char *tag = last ? strchr(last, ':') : NULL;
	const bool digest = image && strchr(image, '@');
	struct fact *f;

	if (n)
		k8s_fact(t, FACT_PULL_POLICY, n, NULL);
	else if (image && !digest && tag_is_open(t, image)) {
		f = k8s_absent(t, FACT_PULL_POLICY, "", k8s_place(t->container, "image"), NULL);
		f->provenance = PROVENANCE_TEMPLATED;
		f->note = "Always for the tag latest or none, else IfNotPresent: the tag is not known";
	} else if (image && !digest && (!tag || strcmp(tag, ":latest") == 0))
		k8s_absent(t, FACT_PULL_POLICY, "Always", k8s_place(t->container, "image"),
			   "Kubernetes default for the tag latest or none");
	else if (image)
		k8s_absent(t, FACT_PULL_POLICY, "IfNotPresent", k8s_place(t->container, "image"),
			   "Kubernetes default for a tag other than latest");
}

static bool is_boundary(char c)
{
	return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		 c == '_' || c == '-' || c == '.');
}

/* Finds WORD as a whole word in TEXT. */
static const char *find_word(const char *text, const char *word)
{
	size_t length = strlen(word);

	for (const char *p = text; (p = strstr(p, word)); p += length)
		if ((p == text || is_boundary(p[-1])) && is_boundary(p[length]))
			return p;
	return NULL;
}

/* The list item of N that holds WORD, else N. */
static const struct node *item_with(const struct node *n, const char *word)
{
	for (uint32_t i = 0; i < node_count(n) && node_is_seq(n); i++) {
		const char *text = node_text(node_at(n, i));

		if (text && find_word(text, word))
			return node_at(n, i);
	}
	return n;
}

/* Scripts of several lines are followed line by line (formats/script). */
static void look_for_escape(const struct k8s_target *t, const struct node *n, const char *words)
{
	const char *enter = find_word(words, "nsenter"), *root = find_word(words, "chroot");

	if (enter && (strstr(enter, "-t 1") || strstr(enter, "-t1") ||
		      strstr(enter, "--target 1") || strstr(enter, "--target=1")))
		k8s_fact(t, FACT_HOST_ENTER, item_with(n, "nsenter"), "nsenter into process 1");
	else if (root && !strchr(words, '\n') && (strstr(root, "/host") || strstr(root, "/rootfs") || strstr(root, "/node")))
		k8s_fact(t, FACT_HOST_ENTER, item_with(n, "chroot"), "chroot into a host mount");
	else if (find_word(words, "kubectl") && find_word(words, "debug") &&
		 (strstr(words, "node/") || strstr(words, "--profile=sysadmin")))
		k8s_fact(t, FACT_HOST_ENTER, item_with(n, "debug"), "kubectl debug of a node");
	if (find_word(words, "sudo"))
		k8s_fact(t, FACT_SUDO, item_with(n, "sudo"), "sudo");
}

/* What the word, or its part behind "=", is by its own shape; NULL for nothing secret. */
static const char *shape_of(const char *word)
{
	const char *equals = strchr(word, '=');

	if (url_has_secret(word) || (equals && url_has_secret(equals + 1)))
		return "URL with a secret";
	if (value_token(word))
		return value_token(word);
	return equals ? value_token(equals + 1) : NULL;
}

/* Addresses with a password and known tokens, in any word of any item, scripts included. */
static void look_for_shapes(const struct k8s_target *t, const struct node *n)
{
	static const char blanks[] = " \t\r\n\"'`;|&()<>";
	const char *text = node_text(n);

	while (text && *text) {
		const size_t length = strcspn(text, blanks);
		const char *what =
			length ? shape_of(arena_copy(&t->w->snapshot->arena, text, length)) : NULL;

		if (what) {
			k8s_set(t, k8s_fact(t, FACT_SECRET_ARGUMENT, n, what), "class", "literal");
			return;
		}
		text += length;
		text += strspn(text, blanks);
	}
}

/* A command line may carry a secret: such words are cut to the option's name. */
static void look_for_secrets(const struct k8s_target *t, const struct node *list)
{
	if (node_text(list))
		look_for_shapes(t, list);
	for (uint32_t i = 0; i < node_count(list) && node_is_seq(list); i++) {
		const struct node *n = node_at(list, i);
		const char *text = node_text(n), *equals = text ? strchr(text, '=') : NULL;
		const char *name, *value;
		char *copy;

		look_for_shapes(t, n);
		if (!text || text[0] != '-')
			continue;
		value = equals ? equals + 1 : node_text(node_at(list, i + 1));
		copy = arena_copy(&t->w->snapshot->arena, text,
				  equals ? (size_t)(equals - text) : strlen(text));
		name = copy + strspn(copy, "-");
		if (!value || value[0] == '-' || !name_is_secret(name) ||
		    strcmp(value_class(value), "literal") != 0 || strchr(value, '/'))
			continue;
		k8s_set(t, k8s_fact(t, FACT_SECRET_ARGUMENT, n, copy), "class", "literal");
	}
}

static bool words_hold_secret(const struct k8s_target *t)
{
	for (size_t i = 0; i < t->row->facts.count; i++)
		if (t->row->facts.items[i]->kind == FACT_SECRET_ARGUMENT)
			return true;
	return false;
}

/* Who reaches the node's own interface, when the container starts the kubelet. */
static void read_kubelet_flags(const struct k8s_target *t, const struct node *list)
{
	static const char *const flags[] = { "anonymous-auth=", "authorization-mode=",
					     "read-only-port=" };

	for (uint32_t i = 0; i < node_count(list); i++) {
		const char *text = node_text(node_at(list, i));

		text = text ? text + strspn(text, "-") : "";
		for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
			if (strncmp(text, flags[k], strlen(flags[k])) == 0)
				k8s_fact(t, FACT_DAEMON_DEFAULT, node_at(list, i), text);
	}
}

static void read_command(const struct k8s_target *t, const char *key, enum fact_kind kind)
{
	const struct node *n = k8s_get(t->container, key);
	const char *words;
	struct fact *f;

	if (!n)
		return;
	words = k8s_joined(t->w, n, " ");
	look_for_secrets(t, n);
	f = k8s_fact(t, kind, n,
		     words_hold_secret(t) ? "(holds a secret, not shown)" : words);
	if (n->kind == NODE_SEQ)
		f->span = k8s_key(t->container, key);
	k8s_set(t, f, "form", "exec");
	look_for_escape(t, n, words);
	if (find_word(words, "kubelet"))
		read_kubelet_flags(t, n);
}

static void read_handler(const struct k8s_target *t, const struct node *handler, const char *event,
			 bool hook)
{
	static const struct {
		const char *key, *value;
	} ways[] = { { "httpGet", "http" }, { "tcpSocket", "tcp" }, { "grpc", "grpc" } };
	const struct node *command = k8s_get(k8s_map(handler, "exec"), "command");
	struct fact *f;

	if (command) {
		const char *words = k8s_joined(t->w, command, " ");

		f = k8s_fact(t, hook ? FACT_HOOK : FACT_PROBE, command,
			     hook ? words : "exec");
		f->span = k8s_key(k8s_map(handler, "exec"), "command");
		k8s_set(t, f, "event", event);
		k8s_set(t, f, "command", words);
		if (hook)
			k8s_set(t, f, "where", "container");
		look_for_escape(t, command, words);
	}
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		const struct node *way = k8s_map(handler, ways[i].key);
		const char *host = k8s_text(way, "host");

		if (!way)
			continue;
		f = k8s_fact_at(t, FACT_PROBE, ways[i].value,
				host ? k8s_place(way, "host") : k8s_key(handler, ways[i].key));
		k8s_set(t, f, "event", event);
		k8s_set(t, f, "host", host);
	}
}

static void read_handlers(const struct k8s_target *t)
{
	static const char *const probes[] = { "livenessProbe", "readinessProbe", "startupProbe" };
	static const char *const hooks[] = { "postStart", "preStop" };
	const struct node *lifecycle = k8s_map(t->container, "lifecycle");

	for (size_t i = 0; i < sizeof probes / sizeof *probes; i++)
		read_handler(t, k8s_map(t->container, probes[i]), probes[i], false);
	for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++)
		read_handler(t, k8s_map(lifecycle, hooks[i]), hooks[i], true);
}

void k8s_read_process(const struct k8s_target *t)
{
	const struct node *workdir = k8s_get(t->container, "workingDir");

	read_image(t);
	read_pull_policy(t);
	read_command(t, "command", FACT_ENTRYPOINT);
	read_command(t, "args", FACT_COMMAND);
	if (workdir)
		k8s_fact(t, FACT_WORKDIR, workdir, NULL);
	read_handlers(t);
}

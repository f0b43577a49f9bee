/* ConfigMaps, Secrets, PersistentVolumes, RuntimeClasses and Namespaces on their own.
 *
 * Values of ConfigMaps and Secrets are looked at and never kept: a fact names key and kind only.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/objects.h"

#include <string.h>
#include <strings.h>

#include "model/buf.h"

static void add_secret(struct workspace *w, struct k8s_object *o, const char *name,
		       const char *class, struct span span)
{
	struct fact *f = k8s_object_fact(w, o, FACT_SECRET_OBJECT, name, span);

	k8s_attribute(w, f, "kind", o->kind);
	k8s_attribute(w, f, "class", class);
}

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '-' || c == '.';
}

/* Name and value of a line "name: value" or "name = value"; false when it is none. */
static bool split_line(const char *line, size_t length, struct buf *name, struct buf *value)
{
	size_t i = 0, start;

	buf_clear(name);
	buf_clear(value);
	while (i < length && strchr(" \t\"'-", line[i]))
		i++;
	start = i;
	while (i < length && is_name_char(line[i]))
		i++;
	if (i == start)
		return false;
	buf_add(name, line + start, i - start);
	while (i < length && strchr(" \t\"'", line[i]))
		i++;
	if (i == length || (line[i] != ':' && line[i] != '='))
		return false;
	i++;
	while (i < length && strchr(" \t\"'", line[i]))
		i++;
	while (length > i && strchr(" \t\r\"',;", line[length - 1]))
		length--;
	buf_add(value, line + i, length - i);
	return length > i;
}

/* "key" alone is the word for an entry, a label or a sort: only a value that looks generated is a secret there. */
static bool names_secret(const char *name, const char *value)
{
	if (strcasecmp(name, "key") == 0 &&
	    (strlen(value) < 8 || !strpbrk(value, "0123456789") || strpbrk(value, " /:")))
		return false;
	return name_is_secret(name);
}

static bool pair_is_secret(const struct buf *name, const struct buf *value)
{
	return value_token(buf_text(value)) || url_has_secret(buf_text(value)) ||
	       (names_secret(buf_text(name), buf_text(value)) &&
		strcmp(named_class(buf_text(name), buf_text(value)), "literal") == 0);
}

/* Text between quotes from AT on; the place behind it, or 0. */
static size_t quoted(const char *line, size_t length, size_t at, struct buf *out)
{
	const char *end;

	if (at >= length || line[at] != '"')
		return 0;
	end = memchr(line + at + 1, '"', length - at - 1);
	if (!end)
		return 0;
	buf_clear(out);
	buf_add(out, line + at + 1, (size_t)(end - line) - at - 1);
	return (size_t)(end - line) + 1;
}

/* Some `"name": "value"` of a line of JSON is a secret. */
static bool json_is_secret(const char *line, size_t length, struct buf *name, struct buf *value)
{
	for (size_t at = 0; at < length;) {
		size_t next = quoted(line, length, at, name), second;

		if (!next) {
			at++;
			continue;
		}
		at = next;
		while (next < length && strchr(" \t", line[next]))
			next++;
		if (next == length || line[next] != ':')
			continue;
		next++;
		while (next < length && strchr(" \t", line[next]))
			next++;
		second = quoted(line, length, next, value);
		if (!second)
			continue;
		if (pair_is_secret(name, value))
			return true;
		at = second;
	}
	return false;
}

static bool line_is_secret(const char *line, size_t length, struct buf *name, struct buf *value)
{
	if (bytes_hold(line, length, "PRIVATE KEY-----") && bytes_hold(line, length, "-----BEGIN")) {
		buf_clear(name);
		buf_puts(name, "private key");
		return true;
	}
	/* A list or a map is no value itself; its entries stand on lines of their own. */
	if (!split_line(line, length, name, value) || strchr("[{", buf_text(value)[0]))
		return memchr(line, '{', length) && json_is_secret(line, length, name, value);
	return pair_is_secret(name, value);
}

/* Configuration files inside a value: each line that gives a secret a literal value. */
static void read_lines(struct workspace *w, struct k8s_object *o, const char *key,
		       const struct node *n)
{
	const struct source *s = snapshot_source(w->snapshot, n->span.source);
	const char *text = s ? source_text(s, n->span) : NULL;
	struct buf name = { 0 }, value = { 0 };
	uint32_t at = 0;
	unsigned found = 0;

	while (text && at < n->span.length && found < 20) {
		const char *end = memchr(text + at, '\n', n->span.length - at);
		uint32_t length = end ? (uint32_t)(end - text) - at : n->span.length - at;

		if (line_is_secret(text + at, length, &name, &value)) {
			add_secret(w, o,
				   arena_printf(&w->snapshot->arena, "%s: %s", key, buf_text(&name)),
				   "literal",
				   (struct span){ n->span.source, n->span.offset + at, length });
			found++;
		}
		at += length + 1;
	}
	buf_free(&name);
	buf_free(&value);
}

/* Settings and references are no secrets whatever their key is called. */
static bool may_be_secret(const char *class)
{
	return strcmp(class, "literal") == 0 || strcmp(class, "placeholder") == 0;
}

void k8s_read_config_map(struct workspace *w, struct k8s_object *o)
{
	const struct node *data = k8s_map(o->node, "data");

	for (uint32_t i = 0; i < node_count(data); i++) {
		const char *key = node_text(data->items[i].key);
		const struct node *n = node_resolve(data->items[i].value);
		const char *value = node_text(n);

		if (!key || !value)
			continue;
		if (strchr(value, '\n') || n->style == NODE_LITERAL || n->style == NODE_FOLDED)
			read_lines(w, o, key, n);
		else if (value_token(value) || url_has_secret(value))
			add_secret(w, o, key, "literal", n->span);
		else if (names_secret(key, value) && may_be_secret(named_class(key, value)))
			add_secret(w, o, key, named_class(key, value), n->span);
		else
			read_lines(w, o, key, n);
	}
}

/* Keys that tell where and as whom to log in: no secret, though a Secret holds them. */
static bool is_plain_key(const char *key)
{
	static const char *const plain[] = { "type",	 "url",	     "name",	 "project",
					     "username", "user",     "host",	 "hostname",
					     "port",	 "endpoint", "region",	 "database",
					     "dbname",	 "server",   "email",	 "namespace",
					     "enableOCI", "insecure", "ca.crt",	 "tls.crt" };

	const char *last = strrchr(key, '.') ? strrchr(key, '.') + 1 : key;

	/* "webhook.azuredevops.username" */
	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
		if (strcmp(key, plain[i]) == 0 || strcmp(last, plain[i]) == 0)
			return true;
	return false;
}

static void read_entry(struct workspace *w, struct k8s_object *o, const struct node_item *item,
		       bool encoded)
{
	const char *key = node_text(item->key);
	const struct node *n = node_resolve(item->value);
	const char *value = node_text(n);

	if (!key || !value || !*value)
		return;
	if (is_plain_key(key) && !url_has_secret(value))
		return;
	if (!encoded && path_ends(key, ".yaml .yml .ini .conf .cfg .toml .json .properties .env"))
		read_lines(w, o, key, n);
	else
		add_secret(w, o, key, named_class(key, value), item->key->span);
}

void k8s_read_secret(struct workspace *w, struct k8s_object *o)
{
	static const char *const maps[] = { "data", "stringData" };
	const struct node *type = k8s_get(o->node, "type");

	if (node_is(type, "kubernetes.io/service-account-token")) {
		struct fact *f = k8s_object_fact(w, o, FACT_SECRET_OBJECT, o->name, type->span);

		k8s_attribute(w, f, "kind", "Secret");
		k8s_attribute(w, f, "type", node_text(type));
	}
	for (size_t m = 0; m < sizeof maps / sizeof *maps; m++) {
		const struct node *data = k8s_map(o->node, maps[m]);

		for (uint32_t i = 0; i < node_count(data); i++)
			read_entry(w, o, &data->items[i], m == 0);
	}
}

void k8s_read_persistent_volume(struct workspace *w, struct k8s_object *o)
{
	static const char *const kinds[] = { "hostPath", "local" };
	const struct node *path = NULL;
	const char *kind = NULL;
	struct fact *f;

	for (size_t i = 0; !node_text(path) && i < sizeof kinds / sizeof *kinds; i++) {
		kind = kinds[i];
		path = k8s_get(k8s_map(k8s_map(o->node, "spec"), kind), "path");
	}

	if (!node_text(path))
		return;
	f = k8s_object_fact(w, o, FACT_MOUNT, arena_printf(&w->snapshot->arena, "%s:", node_text(path)),
			    path->span);
	k8s_attribute(w, f, "type", "bind");
	k8s_attribute(w, f, "source", node_text(path));
	k8s_attribute(w, f, "target", "");
	k8s_attribute(w, f, "read_only", "false");
	k8s_attribute(w, f, "volume", o->name);
	k8s_attribute(w, f, "pv", kind);
}

void k8s_read_priority_class(struct workspace *w, struct k8s_object *o)
{
	const char *preemption = k8s_text(o->node, "preemptionPolicy");
	struct fact *f = k8s_object_fact(w, o, FACT_PRIORITY, o->name, o->row->span);

	k8s_attribute(w, f, "value", k8s_text(o->node, "value"));
	k8s_attribute(w, f, "preemption", preemption ? preemption : "PreemptLowerPriority");
	k8s_attribute(w, f, "global", k8s_is_true(o->node, "globalDefault") ? "true" : "false");
}

void k8s_read_runtime_class(struct workspace *w, struct k8s_object *o)
{
	const struct node *handler = k8s_get(o->node, "handler");
	struct fact *f;

	if (!handler)
		handler = k8s_get(k8s_map(k8s_map(o->node, "spec"), "handler"), "name");
	if (!node_text(handler))
		return;
	f = k8s_object_fact(w, o, FACT_RUNTIME, node_text(handler), handler->span);
	k8s_attribute(w, f, "known", "true");
	k8s_attribute(w, f, "class", o->name);
}

/* The admission plugin refuses a namespace whose labels it cannot read. */
static void check_level(struct workspace *w, const struct k8s_object *o, const struct node *labels,
			const char *key, const char *words)
{
	const struct node *n = k8s_get(labels, key);

	if (!node_text(n) || k8s_templated(w, n) || o->overlaid || k8s_word_in(node_text(n), words) ||
	    (strcmp(words, "latest") == 0 && strncmp(node_text(n), "v1.", 3) == 0))
		return;
	input_problem(w, o->in, n->span, "Namespace \"%s\": %s cannot be \"%s\"; write %s", o->name,
		      key, node_text(n), strcmp(words, "latest") == 0 ?
						 "latest or a version such as v1.34" :
						 "privileged, baseline or restricted");
}

void k8s_read_namespace(struct workspace *w, struct k8s_object *o)
{
	static const char *const modes[] = { "enforce", "audit", "warn" };
	const struct node *labels = k8s_map(o->metadata, "labels");
	struct arena *a = &w->snapshot->arena;
	bool enforced = false;

	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
		const char *key = arena_printf(a, "pod-security.kubernetes.io/%s", modes[i]);
		const char *version = k8s_text(labels, arena_printf(a, "%s-version", key));
		struct fact *f;

		check_level(w, o, labels, key, "privileged baseline restricted");
		check_level(w, o, labels, arena_printf(a, "%s-version", key), "latest");
		if (!k8s_text(labels, key))
			continue;
		enforced |= i == 0;
		f = k8s_object_fact(w, o, FACT_POD_SECURITY_LABEL, k8s_text(labels, key),
				    k8s_place(labels, key));
		k8s_attribute(w, f, "mode", modes[i]);
		k8s_attribute(w, f, "version", version ? version : "latest");
		if (k8s_templated(w, k8s_get(labels, key)))
			f->provenance = PROVENANCE_TEMPLATED;
	}
	if (!enforced) {
		struct fact *f = k8s_object_fact(w, o, FACT_POD_SECURITY_LABEL, "", o->row->span);

		f->provenance = PROVENANCE_ABSENT;
		f->note = "no enforce label: the cluster's default applies, privileged unless it says "
			  "otherwise";
		k8s_attribute(w, f, "mode", "enforce");
	}
}

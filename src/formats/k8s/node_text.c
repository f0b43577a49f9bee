/* Values of manifests: lookups that respect null, templated text, and facts with the pod's layer.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/k8s.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/buf.h"
#include "model/kube_version.h"
#include "src/formats/k8s/template.h"
#include "src/formats/k8s/template_blocks.h"

const struct node *k8s_get(const struct node *map, const char *key)
{
	const struct node *n = node_get(map, key);

	return n && n->kind != NODE_NULL ? n : NULL;
}

const struct node *k8s_map(const struct node *map, const char *key)
{
	const struct node *n = node_get(map, key);

	return n && n->kind == NODE_MAP ? n : NULL;
}

const struct node *k8s_seq(const struct node *map, const char *key)
{
	const struct node *n = node_get(map, key);

	return n && n->kind == NODE_SEQ ? n : NULL;
}

const char *k8s_text(const struct node *map, const char *key)
{
	return node_text(k8s_get(map, key));
}

static bool is_word(const struct node *map, const char *key, const char *words)
{
	char lower[8];
	const char *text = k8s_text(map, key);
	size_t length = text ? strlen(text) : 0;

	if (!length || length >= sizeof lower)
		return false;
	for (size_t i = 0; i <= length; i++)
		lower[i] = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] + 32) : text[i];
	return k8s_word_in(lower, words);
}

bool k8s_is_true(const struct node *map, const char *key)
{
	return is_word(map, key, "true yes on y");
}

bool k8s_is_false(const struct node *map, const char *key)
{
	return is_word(map, key, "false no off n");
}

struct span k8s_key(const struct node *map, const char *key)
{
	const struct node_item *item = node_find(map, key);

	if (item && item->key)
		return item->key->span;
	return map ? node_key_span(map) : (struct span){ 0 };
}

struct span k8s_place(const struct node *map, const char *key)
{
	const struct node *value = k8s_get(map, key);

	return value && value->kind == NODE_SCALAR ? value->span : k8s_key(map, key);
}

static bool holds(const char *text, size_t length, const char *needle)
{
	return text && bytes_hold(text, length, needle);
}

bool k8s_templated(const struct workspace *w, const struct node *n)
{
	const struct source *s;

	n = node_resolve(n);
	if (!n || n->kind != NODE_SCALAR)
		return false;
	if (holds(n->text, n->text_length, "{{") || holds(n->text, n->text_length, "${") ||
	    holds(n->text, n->text_length, "$("))
		return true;
	s = snapshot_source(w->snapshot, n->span.source);
	return s && holds(source_text(s, n->span), n->span.length, "{{");
}

bool k8s_word_in(const char *text, const char *words)
{
	size_t length = text ? strlen(text) : 0;

	while (length && *words) {
		size_t word = strcspn(words, " ");

		if (word == length && memcmp(words, text, word) == 0)
			return true;
		words += word + (words[word] == ' ');
	}
	return false;
}

const char *k8s_joined(struct workspace *w, const struct node *n, const char *separator)
{
	struct buf out = { 0 };
	const char *copy;

	if (node_text(n))
		return node_text(n);
	for (uint32_t i = 0; i < node_count(n) && node_is_seq(n); i++) {
		const char *text = node_text(node_at(n, i));

		if (i)
			buf_puts(&out, separator);
		if (text && !*text && *separator == ' ')
			text = "\"\""; /* an empty word of a command line */
		buf_puts(&out, text ? text : "");
	}
	copy = arena_strdup(&w->snapshot->arena, buf_text(&out));
	buf_free(&out);
	return copy;
}

bool k8s_holds(const struct node *n, const char *text)
{
	for (uint32_t i = 0; i < node_count(n) && node_is_seq(n); i++)
		if (node_is(node_at(n, i), text))
			return true;
	return false;
}

unsigned k8s_minor(const struct workspace *w)
{
	unsigned minor;

	kube_version_minor(w->snapshot->scope.kubernetes, &minor);
	return minor;
}

static void mark_templated(const struct workspace *w, struct fact *f, const struct node *n)
{
	const char *by_default = template_default(w, n->span, NULL);

	f->provenance = PROVENANCE_TEMPLATED;
	f->note = by_default ? by_default : "known only once the template is rendered";
}

/* A setting in a branch that the chart's defaults leave out, of a container that they do not. */
static void mark_branch(const struct k8s_target *t, struct fact *f)
{
	const struct input *in = t->pod->object->in;
	const struct k8s_branch *branch;
	uint32_t owner;

	if (!in->state[FORMAT_K8S] || f->span.source != in->source->id)
		return;
	branch = template_branch_at(in->state[FORMAT_K8S], f->span.offset);
	owner = t->container ? t->container->span.offset : t->pod->spec->span.offset;
	if (!branch || (owner >= branch->from && owner < branch->to))
		return;
	f->provenance = PROVENANCE_TEMPLATED;
	f->note = branch->note;
}

void k8s_add_former(const struct workspace *w, struct fact *f, const struct node *n)
{
	const struct node *former = n && n->kind == NODE_SCALAR ? n->target : NULL;

	for (unsigned i = 0; former && i < 16; i++, former = former->target)
		snapshot_add_hop(w->snapshot, f, former->span, former->text, "base");
}

struct fact *k8s_fact(const struct k8s_target *t, enum fact_kind kind, const struct node *node,
		      const char *value)
{
	struct fact *f;
	const bool templated = k8s_templated(t->w, node);

	node = node_resolve(node);
	f = snapshot_add_fact(t->w->snapshot, t->row, kind, value ? value : node_text(node),
			      node ? node->span : t->anchor);
	f->layer = t->pod->layer;
	if (templated)
		mark_templated(t->w, f, node);
	k8s_add_former(t->w, f, node);
	mark_branch(t, f);
	return f;
}

struct fact *k8s_fact_at(const struct k8s_target *t, enum fact_kind kind, const char *value,
			 struct span span)
{
	struct fact *f = snapshot_add_fact(t->w->snapshot, t->row, kind, value, span);

	f->layer = t->pod->layer;
	mark_branch(t, f);
	return f;
}

struct fact *k8s_absent(const struct k8s_target *t, enum fact_kind kind, const char *value,
			struct span ancestor, const char *note)
{
	const struct k8s_opaque *opaque = template_opaque(t, kind);
	struct fact *f = snapshot_add_absent(t->w->snapshot, t->row, kind, opaque ? "" : value,
					     opaque ? opaque->span : ancestor, note);

	f->layer = t->pod->layer;
	if (t->pod->operated && kind != FACT_NETWORK_POLICY) {
		/* Which policies were supplied is no matter of the operator's. */
		f->value = "";
		f->provenance = PROVENANCE_UNRESOLVED;
		f->note = "the operator that makes the pod decides";
	} else if (opaque) {
		const char *by_default = template_default(
			t->w, opaque->span, template_field(kind, opaque));

		f->provenance = PROVENANCE_TEMPLATED;
		f->note = by_default ? by_default : "a template expression may set it";
	}
	return f;
}

void k8s_set(const struct k8s_target *t, struct fact *f, const char *name, const char *value)
{
	snapshot_set_attribute(t->w->snapshot, f, name, value);
}

enum layer k8s_layer(const struct k8s_object *o)
{
	return o->exported ? LAYER_OBSERVED : LAYER_DECLARED;
}

struct fact *k8s_object_fact(struct workspace *w, const struct k8s_object *o, enum fact_kind kind,
			     const char *value, struct span span)
{
	struct fact *f = snapshot_add_fact(w->snapshot, o->row, kind, value, span);

	f->layer = k8s_layer(o);
	return f;
}

void k8s_attribute(struct workspace *w, struct fact *f, const char *name, const char *value)
{
	snapshot_set_attribute(w->snapshot, f, name, value);
}

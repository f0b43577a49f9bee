/* The defaults that a chart's values give to expressions: shown as defaults, never as values.
 *
 * A chart above that holds this one under charts/ sets its values under its name, and wins. Inside a `with` the
 * dot is what that names.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/template.h"

#include <string.h>

#include "model/buf.h"

#define SCOPES 8u /* blocks inside blocks that are followed */

static bool is_path_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
	       c == '-';
}

/* Follows "a.b.c" from TEXT in the tree. */
static const struct node *follow(const struct node *n, const char *text, size_t length)
{
	struct buf key = { 0 };
	size_t i = 0;

	while (n && i < length && is_path_byte(text[i])) {
		buf_clear(&key);
		while (i < length && is_path_byte(text[i]))
			buf_putc(&key, text[i++]);
		n = node_get(n, buf_text(&key));
		if (i + 1 < length && text[i] == '.' && is_path_byte(text[i + 1]))
			i++;
	}
	buf_free(&key);
	return n;
}

static const struct node *top_of(const struct input *in)
{
	return in && in->documents.count ? node_resolve(in->documents.items[0]) : NULL;
}

static const struct k8s_file *file_of(const struct workspace *w, const struct source *s)
{
	const struct input *in = workspace_input(w, s->path);

	return in ? in->state[FORMAT_K8S] : NULL;
}

/* A value that charts above set, the outermost first, else the chart's own. */
static const struct node *value_at(const struct k8s_file *file, const char *path, size_t length)
{
	for (unsigned i = file->above_count; i-- > 0;) {
		const struct node *n = top_of(file->above[i].values);

		n = follow(n, file->above[i].prefix, strlen(file->above[i].prefix));
		n = follow(n, path, length);
		if (n)
			return n;
	}
	return follow(top_of(file->values), path, length);
}

/* The innermost block around OFFSET that changes what the dot means, or NULL. */
static const struct k8s_dot *dot_at(const struct k8s_file *file, uint32_t offset)
{
	size_t low = 0, high = file->dots.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (file->dots.items[middle].from <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	for (unsigned steps = 0; low > 0 && steps < 64; steps++)
		if (file->dots.items[--low].to > offset)
			return &file->dots.items[low];
	return NULL;
}

/* What a path of TEXT begins with: ".Values." or "$.Values.", else a dot that stands alone or begins a name. */
static const char *path_in(const char *text, size_t length, bool *rooted)
{
	static const char prefix[] = ".Values.";
	const char *at = memmem(text, length, prefix, sizeof prefix - 1);

	*rooted = at != NULL;
	if (at)
		return at + sizeof prefix - 1;
	for (size_t i = 1; i + 1 < length; i++)
		if (text[i] == '.' && strchr(" ({-\t", text[i - 1]) &&
		    (is_path_byte(text[i + 1]) || strchr(" )|}-\t", text[i + 1])))
			return text + i + 1;
	return NULL;
}

/* Resolves the first path of EXPRESSION; *NAMED tells whether it names a value at all. */
static const struct node *resolve(const struct k8s_file *file, const struct source *s,
				  struct span expression, bool *named)
{
	struct span rest[SCOPES];
	const struct node *n;
	unsigned depth = 0;

	*named = false;
	for (;;) {
		const char *text = source_text(s, expression), *at;
		const struct k8s_dot *dot;
		bool rooted;

		at = text ? path_in(text, expression.length, &rooted) : NULL;
		if (!at)
			return NULL;
		rest[depth] = (struct span){ s->id, (uint32_t)(at - s->bytes),
					     (uint32_t)(text + expression.length - at) };
		if (rooted)
			break;
		dot = dot_at(file, expression.offset);
		if (!dot || !dot->with.length || ++depth == SCOPES)
			return NULL;
		expression = dot->with;
	}
	*named = true;
	n = value_at(file, s->bytes + rest[depth].offset, rest[depth].length);
	while (n && depth-- > 0)
		n = follow(n, s->bytes + rest[depth].offset, rest[depth].length);
	return n;
}

/* Empty values give way to the template's own default. */
static bool is_empty(const struct node *n)
{
	if (!n || n->kind == NODE_NULL)
		return true;
	if (n->kind != NODE_SCALAR)
		return node_count(n) == 0;
	return !n->text_length || (n->style == NODE_PLAIN && k8s_word_in(n->text, "false 0"));
}

/* The literal that "default" names in TEXT, in the arena; NULL for none. */
static const char *own_default(struct arena *a, const char *text, size_t length)
{
	const char *at = memmem(text, length, "default ", 8), *end = text + length, *stop;

	if (!at)
		return NULL;
	for (at += 8; at < end && *at == ' '; at++)
		continue;
	if (at < end && *at == '"') {
		stop = memchr(at + 1, '"', (size_t)(end - at - 1));
		return stop ? arena_copy(a, at + 1, (size_t)(stop - at - 1)) : NULL;
	}
	for (stop = at; stop < end && (is_path_byte(*stop) || *stop == '.'); stop++)
		continue;
	/* A path is no literal. */
	return stop > at && *at != '.' ? arena_copy(a, at, (size_t)(stop - at)) : NULL;
}

/* The text of a default, unless it is a secret. */
static const char *shown(const char *text)
{
	return value_token(text) || url_has_secret(text) ? "not shown, it is a secret" : text;
}

static const char *in_place(const struct workspace *w, const char *words, struct span span,
			    const char *value)
{
	return arena_printf(&w->snapshot->arena, "%s %s:%u%s%s", words, snapshot_path(w->snapshot, span),
			    snapshot_line(w->snapshot, span), value ? ": " : "",
			    value ? shown(value) : "");
}

/* FIELD ("limits.memory") of the default map N. */
static const char *field_default(const struct workspace *w, const struct node *n, const char *field)
{
	const struct node *inner = follow(n, field, strlen(field));

	if (!inner || inner->kind == NODE_NULL)
		return in_place(w, "not set by the default in", n->span, NULL);
	if (inner->kind != NODE_SCALAR)
		return in_place(w, "set in", inner->span, NULL);
	return in_place(w, "default in", inner->span, inner->text);
}

static const char *describe(const struct workspace *w, const struct node *n, const char *field)
{
	if (n->kind == NODE_MAP && field)
		return field_default(w, n, field);
	if (n->kind != NODE_SCALAR)
		return in_place(w, is_empty(n) ? "empty by default in" : "set in", n->span, NULL);
	return in_place(w, "default in", n->span, n->text);
}

/* TEXT with every expression replaced by its default, in OUT; false when one has none. */
static bool fill_in(const struct workspace *w, const struct k8s_file *file, const struct source *s,
		    struct span whole, struct buf *out)
{
	const char *text = source_text(s, whole), *end = text + whole.length, *open, *close;

	for (const char *at = text; at < end; at = close + 2) {
		struct span expression;
		const struct node *n;
		const char *own;
		bool named;

		open = memmem(at, (size_t)(end - at), "{{", 2);
		buf_add(out, at, (size_t)((open ? open : end) - at));
		close = open ? memmem(open, (size_t)(end - open), "}}", 2) : NULL;
		if (!close)
			return !open;
		expression = (struct span){ s->id, (uint32_t)(open - s->bytes), (uint32_t)(close + 2 - open) };
		n = resolve(file, s, expression, &named);
		own = is_empty(n) ? own_default(&w->snapshot->arena, open, expression.length) : NULL;
		if (!own && (!n || n->kind != NODE_SCALAR))
			return false;
		buf_puts(out, own ? own : n->text);
	}
	return true;
}

/* Several expressions in one value: what it is when each has its default. */
static const char *whole_default(const struct workspace *w, const struct k8s_file *file,
				 const struct source *s, struct span whole, const struct node *first)
{
	const char *text = source_text(s, whole), *words = NULL;
	const bool quoted = whole.length > 1 && text && strchr("'\"", *text);
	struct buf out = { 0 };

	whole.offset += quoted;
	whole.length -= quoted ? 2u : 0u;
	if (fill_in(w, file, s, whole, &out))
		words = in_place(w, "default in", first->span, buf_text(&out));
	buf_free(&out);
	return words;
}

static bool has_several(const char *text, size_t length)
{
	const char *first = memmem(text, length, "}}", 2);

	return first && (memmem(first, (size_t)(text + length - first), "{{", 2) ||
			 (*text != '{' && length && !(strchr("'\"", *text) && text[1] == '{')));
}

const char *template_default(const struct workspace *w, struct span expression, const char *field)
{
	const struct source *s = snapshot_source(w->snapshot, expression.source);
	const struct k8s_file *file = s ? file_of(w, s) : NULL;
	const char *text = s ? source_text(s, expression) : NULL, *own;
	const struct node *n;
	bool named;

	if (!file || !text || !bytes_hold(text, expression.length, "{{"))
		return NULL;
	n = resolve(file, s, expression, &named);
	if (!field && n && n->kind == NODE_SCALAR && has_several(text, expression.length))
		return whole_default(w, file, s, expression, n);
	own = is_empty(n) ? own_default(&w->snapshot->arena, text, expression.length) : NULL;
	if (own)
		return in_place(w, "default in the template,", expression, own);
	return n && n->kind != NODE_NULL ? describe(w, n, field) : NULL;
}

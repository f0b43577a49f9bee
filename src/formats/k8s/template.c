/* Hides the expressions of a Helm template and remembers those that put in whole settings.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/template.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/limits.h"
#include "src/formats/k8s/template_blocks.h"

#define DOTS_OPEN 64u /* deeper blocks are not followed */

struct hide {
	struct workspace *w;
	struct input *in;
	struct k8s_file *file;
	char *bytes; /* the copy */
	uint32_t length;
	size_t open[DOTS_OPEN]; /* blocks: index of their dot, SIZE_MAX for an if */
	size_t depth;
};

static uint32_t line_start(const struct hide *h, uint32_t at)
{
	while (at > 0 && h->bytes[at - 1] != '\n')
		at--;
	return at;
}

static bool is_blank(const struct hide *h, uint32_t from, uint32_t to)
{
	for (; from < to; from++)
		if (!memchr(" \t\r", h->bytes[from], 3))
			return false;
	return true;
}

/* Offset behind the quoted text at AT; AT itself when it does not end on its line. */
static uint32_t text_end(const struct hide *h, uint32_t at)
{
	const char quote = h->bytes[at];

	for (uint32_t i = at + 1; i < h->length && h->bytes[i] != '\n'; i++) {
		if (h->bytes[i] == '\\' && quote == '"')
			i++;
		else if (h->bytes[i] == quote)
			return i;
	}
	return at;
}

static bool starts_document(const struct hide *h, uint32_t at)
{
	return h->bytes[at] == '\n' && h->length - at > 3 && memcmp(h->bytes + at + 1, "---", 3) == 0;
}

/* Offset behind the "}}" that closes the expression at AT. Where another one begins, or a document, before it is
 * closed, it ends with its line: then what follows is read. */
static uint32_t expression_end(const struct hide *h, uint32_t at)
{
	const char *line = memchr(h->bytes + at, '\n', h->length - at);
	const uint32_t head = h->length - at < 6 ? h->length - at : 6;
	const bool comment = memmem(h->bytes + at, head, "/*", 2) != NULL;

	for (uint32_t i = at + 2; i + 1 < h->length; i++) {
		if (h->bytes[i] == '}' && h->bytes[i + 1] == '}')
			return i + 2;
		if (comment)
			continue;
		if (h->bytes[i] == '"' || h->bytes[i] == '`')
			i = text_end(h, i);
		else if ((h->bytes[i] == '{' && h->bytes[i + 1] == '{') || starts_document(h, i))
			break;
	}
	return line ? (uint32_t)(line - h->bytes) : h->length;
}

/* True when only expressions and blanks follow up to the line end. */
static bool rest_is_hidden(const struct hide *h, uint32_t at)
{
	while (at < h->length && h->bytes[at] != '\n') {
		if (at + 1 < h->length && h->bytes[at] == '{' && h->bytes[at + 1] == '{')
			at = expression_end(h, at);
		else if (memchr(" \t\r", h->bytes[at], 3))
			at++;
		else
			return false;
	}
	return true;
}

static bool begins(const char *text, size_t length, const char *word)
{
	size_t size = strlen(word);

	return length >= size && memcmp(text, word, size) == 0;
}

static size_t skip_open(const char *text, size_t length)
{
	size_t at = 0;

	while (at < length && memchr("{- \t\r\n", text[at], 6))
		at++;
	return at;
}

/* Behind a key they put in its value; on a line of their own nobody knows what. */
static bool is_call(const char *text, size_t length)
{
	size_t at = skip_open(text, length);

	return begins(text + at, length - at, "template") || begins(text + at, length - at, "required");
}

/* if, end, comments and assignments put nothing in. */
static bool is_control(const char *text, size_t length)
{
	static const char *const words[] = { "if",  "else", "end",   "range",    "with",  "define",
					     "block", "/*",   "break", "continue", "fail", "$" };

	const size_t open = skip_open(text, length);

	text += open;
	length -= open;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (begins(text, length, words[i]))
			return *text != '$' || memmem(text, length, ":=", 2) ||
			       memmem(text, length, " = ", 3);
	return false;
}

/* The column at which the text is put in: the argument of nindent or indent, else the expression's own. */
static uint32_t indent_of(const char *text, size_t length, uint32_t column)
{
	const char *word = memmem(text, length, "indent ", 7);
	char *end;
	unsigned long value;

	if (!word)
		return column;
	value = strtoul(word + 7, &end, 10);
	return end == word + 7 || value > 200 ? column : (uint32_t)value;
}

/* The key of the line at START when it ends in ':', in the arena; "" for the first line of a list item;
 * NULL for any other. */
static const char *key_of_line(const struct hide *h, uint32_t start, uint32_t end)
{
	bool item = false;

	while (start < end && memchr(" \t-", h->bytes[start], 3)) {
		item |= h->bytes[start] == '-';
		start++;
	}
	while (end > start && memchr(" \t\r", h->bytes[end - 1], 3))
		end--;
	if (end == start || h->bytes[end - 1] != ':')
		return item ? "" : NULL;
	return arena_copy(&h->w->snapshot->arena, h->bytes + start, end - 1 - start);
}

static uint32_t column_of_line(const struct hide *h, uint32_t start)
{
	uint32_t at = start;

	while (at < h->length && (h->bytes[at] == ' ' || h->bytes[at] == '\t'))
		at++;
	return at - start;
}

/* Finds the line above that is indented less: that is what the text is put into. */
static void find_parent(const struct hide *h, uint32_t at, uint32_t indent, struct k8s_opaque *o)
{
	uint32_t start = line_start(h, at);

	for (unsigned lines = 0; start > 0 && lines < 400; lines++) {
		uint32_t end = start - 1;

		start = line_start(h, end);
		if (is_blank(h, start, end) || h->bytes[start + column_of_line(h, start)] == '#')
			continue;
		if (column_of_line(h, start) >= indent)
			continue;
		o->parent = start + column_of_line(h, start);
		o->key = key_of_line(h, start, end);
		if (!o->key)
			o->key = "?";
		return;
	}
	o->key = "?";
}

/* Names of charts' values and helpers say what they put in: "imagePullSecrets", "podSecurityContext". */
static const char *hint_of(const char *text, size_t length)
{
	static const char *const words[] = {
		"securityContext", "imagePullSecret", "toleration", "affinity", "nodeSelector",
		"topologySpread", "label", "annotation", "resources", "volumeMount", "volume",
		"initContainer", "sidecar", "extraContainer", "env", "probe", "lifecycle", "port",
		"hostAliases", "priorityClass", "dnsConfig", "dnsPolicy", "image", "command", "args",
		"serviceAccountName", "hostNetwork", "hostPID", "hostIPC", "hostUsers",
		"runtimeClassName", "automountServiceAccountToken", "strategy", "schedulerName",
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		for (size_t at = 0; at + strlen(words[i]) <= length; at++)
			if (strncasecmp(text + at, words[i], strlen(words[i])) == 0)
				return words[i];
	return NULL;
}

static void remember(struct hide *h, uint32_t at, uint32_t end)
{
	struct k8s_opaque o = { .span = { h->in->source->id, at, end - at } };
	uint32_t indent = indent_of(h->bytes + at, end - at, at - line_start(h, at));

	find_parent(h, at, indent, &o);
	o.hint = hint_of(h->bytes + at, end - at);
	*ARENA_PUSH(&h->w->snapshot->arena, &h->file->opaques) = o;
}

static void blank(struct hide *h, uint32_t at, uint32_t end)
{
	for (; at < end; at++)
		if (h->bytes[at] != '\n' && h->bytes[at] != '\r')
			h->bytes[at] = ' ';
}

/* Inside a value the expression becomes plain letters of equal length. */
static void flatten(struct hide *h, uint32_t at, uint32_t end)
{
	for (; at < end; at++) {
		char c = h->bytes[at];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		      c == '.' || (unsigned char)c >= 0x80))
			h->bytes[at] = '_';
	}
}

/* "securityContext: {{ toYaml … }}": the expression puts in the whole of a setting that is read by its parts. */
static bool puts_in_map(struct hide *h, uint32_t at, uint32_t end)
{
	uint32_t start = line_start(h, at), from = start + column_of_line(h, start), key_end = at;
	struct k8s_opaque o = { .span = { h->in->source->id, at, end - at }, .parent = from };

	while (key_end > from && memchr(" \t", h->bytes[key_end - 1], 2))
		key_end--;
	if (key_end == from || h->bytes[key_end - 1] != ':' || !rest_is_hidden(h, end))
		return false;
	o.key = key_of_line(h, start, key_end);
	if (!o.key || !k8s_word_in(o.key, "securityContext resources limits capabilities"))
		return false;
	o.hint = hint_of(h->bytes + at, end - at);
	*ARENA_PUSH(&h->w->snapshot->arena, &h->file->opaques) = o;
	blank(h, at, end);
	return true;
}

/* Follows the blocks in which the dot is something else. */
static void follow_dot(struct hide *h, uint32_t at, uint32_t end)
{
	static const char *const blocks[] = { "if", "with", "range", "define", "block" };
	const char *text = h->bytes + at + 2;
	size_t length = end - at - 2;

	while (length && memchr("- \t\r\n", *text, 5))
		text++, length--;
	for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
		struct k8s_dot dot = { .from = end, .to = h->length };

		if (!begins(text, length, blocks[i]))
			continue;
		if (h->depth < DOTS_OPEN)
			h->open[h->depth] = i ? h->file->dots.count : SIZE_MAX;
		h->depth++;
		if (i == 1)
			dot.with = (struct span){ h->in->source->id, at, end - at };
		if (i)
			*ARENA_PUSH(&h->w->snapshot->arena, &h->file->dots) = dot;
		return;
	}
	if (begins(text, length, "end") && h->depth && --h->depth < DOTS_OPEN &&
	    h->open[h->depth] != SIZE_MAX)
		h->file->dots.items[h->open[h->depth]].to = at;
}

static void hide_expression(struct hide *h, uint32_t at, uint32_t end)
{
	const bool control = is_control(h->bytes + at, end - at);
	const bool call = is_call(h->bytes + at, end - at);

	if (is_blank(h, line_start(h, at), at) && (control || call || rest_is_hidden(h, end))) {
		if (!control && !call)
			remember(h, at, end);
		blank(h, at, end);
	} else if (control && rest_is_hidden(h, end)) {
		blank(h, at, end);
	} else if (!puts_in_map(h, at, end)) {
		flatten(h, at, end);
	}
}

static void hide_branches(struct hide *h)
{
	for (size_t i = 0; i < h->file->branches.count; i++) {
		const struct k8s_branch *branch = &h->file->branches.items[i];

		if (branch->hidden)
			blank(h, branch->from, branch->to);
	}
}

static void hide_all(struct hide *h)
{
	template_find_branches(h->w, h->in->source, h->file);
	hide_branches(h);
	for (uint32_t at = 0; at + 1 < h->length;) {
		uint32_t end;

		if (h->bytes[at] != '{' || h->bytes[at + 1] != '{') {
			at++;
			continue;
		}
		end = expression_end(h, at);
		if (h->bytes[end - 1] != '}' || h->bytes[end - 2] != '}')
			input_problem(h->w, h->in, (struct span){ h->in->source->id, at, end - at },
				      "template: the expression is not closed by \"}}\"");
		follow_dot(h, at, end);
		hide_expression(h, at, end);
		at = end;
	}
}

static void restore_text(struct workspace *w, const struct source *s, struct node *n)
{
	const char *text = source_text(s, n->span);
	uint32_t skip = n->style == NODE_DOUBLE || n->style == NODE_SINGLE;

	if (!text || n->style == NODE_LITERAL || n->style == NODE_FOLDED ||
	    n->span.length < 2 * skip || !bytes_hold(text, n->span.length, "{{"))
		return;
	n->text_length = n->span.length - 2 * skip;
	n->text = arena_copy(&w->snapshot->arena, text + skip, n->text_length);
}

/* Gives scalars back the text of the file, expressions included. */
static void restore_all(struct workspace *w, struct input *in)
{
	struct {
		struct node **items;
		size_t count, capacity;
	} open = { 0 };
	struct arena *a = &w->snapshot->arena;

	for (size_t i = 0; i < in->documents.count; i++)
		*ARENA_PUSH(a, &open) = in->documents.items[i];
	for (size_t i = 0; i < open.count && open.count < LIMIT_NODES; i++) {
		struct node *n = open.items[i];

		if (n && n->kind == NODE_SCALAR)
			restore_text(w, in->source, n);
		for (uint32_t k = 0; n && k < n->count; k++) {
			if (n->items[k].key)
				*ARENA_PUSH(a, &open) = n->items[k].key;
			*ARENA_PUSH(a, &open) = n->items[k].value;
		}
	}
}

/* Both branches of an if are read, so equal keys are no fault; what cannot be read is one problem. */
static void keep_problems(struct workspace *w, struct input *in, const struct problems *found)
{
	for (size_t i = 0; i < found->count; i++) {
		const struct problem *p = &found->items[i];

		if (strstr(p->message, "duplicate"))
			continue;
		input_problem(w, in, p->span, "%s; a template is read without rendering it, export "
			      "it with helm template to have all of it assessed", p->message);
		return;
	}
}

void template_read(struct workspace *w, struct input *in, struct k8s_file *file)
{
	struct arena *a = &w->snapshot->arena;
	struct hide h = { .w = w, .in = in, .file = file, .length = in->source->length };
	struct source hidden = *in->source;
	struct problems found = { 0 };

	h.bytes = arena_copy(a, in->source->bytes, in->source->length);
	/* Another format may have tried the unrendered text: what it could not read says nothing. */
	in->artifact->problems.count = 0;
	hide_all(&h);
	hidden.bytes = h.bytes;
	file->template = true;
	in->parsed = true;
	in->documents = (struct documents){ 0 };
	yaml_read(a, &hidden, &in->documents, &found);
	restore_all(w, in);
	keep_problems(w, in, &found);
}

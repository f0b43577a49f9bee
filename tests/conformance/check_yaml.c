/* YAML: what must be read or refused, and the events of what is read.
 *
 * Events are made from the node tree; whether a document or a collection was marked explicitly is
 * not part of the tree and not compared.
 * SPDX-License-Identifier: MIT */
#include "tests/conformance/conformance.h"

#include <string.h>

#include "model/limits.h"
#include "src/syntax/syntax.h"

struct level {
	const struct node *node;
	size_t next; /* keys and values counted separately in maps */
};

static void put_properties(struct buf *out, const struct node *n)
{
	if (n->anchor)
		buf_printf(out, " &%s", n->anchor);
	if (!n->tag)
		return;
	if (strncmp(n->tag, "!!", 2) == 0)
		buf_printf(out, " <tag:yaml.org,2002:%s>", n->tag + 2);
	else
		buf_printf(out, " <%s>", n->tag);
}

static void put_escaped(struct buf *out, const char *text, size_t length)
{
	static const char from[] = "\n\t\r\b\\", to[] = "ntrb\\";

	for (size_t i = 0; i < length; i++) {
		const char *found = text[i] ? strchr(from, text[i]) : NULL;

		if (found)
			buf_putc(out, '\\');
		buf_putc(out, found ? to[found - from] : text[i]);
	}
}

static void put_value(struct buf *out, const struct source *s, const struct node *n)
{
	static const char marks[] = { [NODE_PLAIN] = ':',   [NODE_SINGLE] = '\'',
				      [NODE_DOUBLE] = '"',  [NODE_LITERAL] = '|',
				      [NODE_FOLDED] = '>' };

	if (n->kind == NODE_ALIAS) {
		buf_printf(out, "=ALI *%s\n", n->anchor);
		return;
	}
	buf_puts(out, "=VAL");
	put_properties(out, n);
	buf_printf(out, " %c", marks[n->style]);
	if (n->kind == NODE_NULL)
		put_escaped(out, source_text(s, n->span), n->span.length);
	else
		put_escaped(out, n->text, n->text_length);
	buf_putc(out, '\n');
}

static const struct node *next_child(struct level *level)
{
	const struct node *n = level->node;
	size_t i = level->next++;

	if (n->kind == NODE_SEQ)
		return i < n->count ? n->items[i].value : NULL;
	if (i / 2 >= n->count)
		return NULL;
	return i % 2 ? n->items[i / 2].value : n->items[i / 2].key;
}

static void put_tree(struct buf *out, const struct source *s, const struct node *n)
{
	struct level levels[LIMIT_DEPTH + 1];
	size_t depth = 0;

	while (n) {
		if (n->kind == NODE_MAP || n->kind == NODE_SEQ) {
			buf_puts(out, n->kind == NODE_MAP ? "+MAP" : "+SEQ");
			put_properties(out, n);
			buf_putc(out, '\n');
			levels[depth++] = (struct level){ .node = n };
		} else {
			put_value(out, s, n);
		}
		n = NULL;
		while (depth && !(n = next_child(&levels[depth - 1])))
			buf_puts(out, levels[--depth].node->kind == NODE_MAP ? "-MAP\n" : "-SEQ\n");
	}
}

static void put_events(struct buf *out, const struct source *s, const struct documents *documents)
{
	buf_puts(out, "+STR\n");
	for (size_t i = 0; i < documents->count; i++) {
		buf_puts(out, "+DOC\n");
		put_tree(out, s, documents->items[i]);
		buf_puts(out, "-DOC\n");
	}
	buf_puts(out, "-STR\n");
}

static bool starts(const char *line, const char *word)
{
	return strncmp(line, word, strlen(word)) == 0;
}

/* Copies the expected events without the marks that a tree does not keep. */
static void normalise(struct buf *out, const char *events)
{
	while (*events) {
		const char *end = strchr(events, '\n'), *rest = events;

		if (!end)
			end = events + strlen(events);
		if (starts(events, "+DOC") || starts(events, "-DOC")) {
			buf_add(out, events, 4);
			rest = end;
		} else if (starts(events, "+MAP {}") || starts(events, "+SEQ []")) {
			buf_add(out, events, 4);
			rest = events + 7;
		}
		buf_add(out, rest, (size_t)(end - rest));
		buf_putc(out, '\n');
		events = *end ? end + 1 : end;
	}
}

static void describe_difference(struct buf *detail, const char *want, const char *got)
{
	size_t at = 0, start;

	while (want[at] && want[at] == got[at])
		at++;
	for (start = at; start && want[start - 1] != '\n';)
		start--;
	buf_printf(detail, "wants \"%.*s\", reads \"%.*s\"", (int)strcspn(want + start, "\n"),
		   want + start, (int)strcspn(got + start, "\n"), got + start);
}

static bool same_events(struct check *c, const struct source *s, const struct documents *documents)
{
	size_t length;
	const char *events = check_file(c, "events_file", &length);
	struct buf want = { 0 }, got = { 0 };
	bool same = true;

	if (events) {
		normalise(&want, events);
		put_events(&got, s, documents);
		same = strcmp(buf_text(&want), buf_text(&got)) == 0;
		if (!same)
			describe_difference(c->detail, buf_text(&want), buf_text(&got));
	}
	buf_free(&want);
	buf_free(&got);
	return same;
}

static bool passes(struct check *c, const char *bytes, size_t length)
{
	struct documents documents = { 0 };
	struct problems problems = { 0 };
	struct source source;
	const char *text;
	size_t text_length;
	bool ok = strcmp(check_cell(c, "expect"), "ok") == 0;

	if (!text_decode(c->arena, bytes, length, &text, &text_length)) {
		buf_puts(c->detail, "not text");
		return !ok;
	}
	source_init(&source, c->arena, 1, check_cell(c, "file"), text, (uint32_t)text_length);
	yaml_read(c->arena, &source, &documents, &problems);
	if (ok == (documents.failed == 0))
		return !ok || same_events(c, &source, &documents);
	buf_puts(c->detail, ok ? problems.items[0].message : "read without a problem");
	return false;
}

enum verdict check_yaml(struct check *c)
{
	size_t length;
	const char *bytes = check_file(c, "file", &length);

	if (!bytes) {
		buf_puts(c->detail, "no such file");
		return VERDICT_MISS;
	}
	if (passes(c, bytes, length))
		return VERDICT_PASS;
	return *check_cell(c, "libyaml_known_deviation") ? VERDICT_KNOWN : VERDICT_MISS;
}

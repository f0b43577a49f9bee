/* .gitignore rules, only to tell build output from changes: what they name is still listed.
 * SPDX-License-Identifier: MIT */
#include "src/repo/internal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RULE_TESTS 50000000u /* pattern tests in all before giving up */
#define RULE_BYTES 1024u     /* longer patterns are not applied */

struct rule {
	const char *base; /* directory of its file below the top: "" or "a/b" */
	const char *pattern;
	size_t order;
	bool negated, directory_only, anchored;
};

struct rules {
	struct rule *items;
	size_t count, capacity;
};

struct ignores {
	struct arena *arena;
	const char *prefix;
	struct rules rules; /* weakest first */
	size_t tests;
	char *ignored; /* the last directory that was found to be ignored */
	char *clear;   /* and the last one that was not */
};

/* One bracket expression at P (after '['). Returns its end after ']', NULL when it has none. */
static const char *match_class(const char *p, unsigned char c, bool *matched)
{
	bool negated = *p == '!' || *p == '^', hit = false, first = true;

	p += negated;
	for (; *p && (first || *p != ']'); first = false) {
		unsigned char low, high;

		if (*p == '\\' && p[1])
			p++;
		low = high = (unsigned char)*p++;
		if (*p == '-' && p[1] && p[1] != ']') {
			p += 1 + (p[1] == '\\' && p[2]);
			high = (unsigned char)*p++;
		}
		hit |= low <= c && c <= high;
	}
	if (*p != ']')
		return NULL;
	*matched = c != '/' && hit != negated;
	return p + 1;
}

/* Matches the plain element at *P against C and moves past it. */
static bool match_one(const char **p, char c)
{
	const char *at = *p, *end;
	bool matched = false;

	*p = at + 1;
	if (!c)
		return false;
	if (*at == '?')
		return c != '/';
	if (*at == '[' && (end = match_class(at + 1, (unsigned char)c, &matched))) {
		*p = end;
		return matched;
	}
	if (*at == '\\' && at[1]) {
		at++;
		*p = at + 1;
	}
	return *at == c;
}

/* Where a match can be taken up again after a mismatch. */
struct restart {
	const char *pattern, *text;
};

static bool take_up(struct restart *star, struct restart *deep, struct restart *at)
{
	const char *slash;

	if (star->pattern && *star->text && *star->text != '/') {
		star->text++;
		*at = *star;
		return true;
	}
	slash = deep->pattern ? strchr(deep->text, '/') : NULL;
	if (!slash)
		return false;
	deep->text = slash + 1;
	star->pattern = NULL;
	*at = *deep;
	return true;
}

/* gitignore globs: '*' and '?' stop at '/', a component "**" spans directories. Only the last star of
 * each kind needs to be taken up again, so the time is bounded by the product of the lengths. */
static bool glob(const char *pattern, const char *text)
{
	struct restart star = { 0 }, deep = { 0 }, at = { pattern, text };

	for (;;) {
		bool begins = at.pattern == pattern || at.pattern[-1] == '/';

		if (begins && strcmp(at.pattern, "**") == 0)
			return *at.text != '\0';
		if (begins && strncmp(at.pattern, "**/", 3) == 0) {
			at.pattern += 3;
			deep = at;
			star.pattern = NULL;
		} else if (*at.pattern == '*') {
			at.pattern += strspn(at.pattern, "*");
			star = at;
		} else if (!*at.pattern && !*at.text) {
			return true;
		} else if (*at.pattern && match_one(&at.pattern, *at.text)) {
			at.text++;
		} else if (!take_up(&star, &deep, &at)) {
			return false;
		}
	}
}

/* Drops unescaped spaces at the end and a CR. */
static size_t trimmed(const char *line, size_t length)
{
	if (length && line[length - 1] == '\r')
		length--;
	while (length && line[length - 1] == ' ' && (length < 2 || line[length - 2] != '\\'))
		length--;
	return length;
}

static void add_rule(struct ignores *g, const char *base, const char *line, size_t length)
{
	struct rule rule = { .base = base };

	length = trimmed(line, length);
	if (!length || length > RULE_BYTES || *line == '#')
		return;
	rule.negated = *line == '!';
	line += rule.negated;
	length -= rule.negated;
	rule.directory_only = length && line[length - 1] == '/';
	length -= rule.directory_only;
	rule.anchored = memchr(line, '/', length) != NULL;
	if (length && *line == '/') {
		line++;
		length--;
	}
	if (!length)
		return;
	rule.pattern = arena_copy(g->arena, line, length);
	*ARENA_PUSH(g->arena, &g->rules) = rule;
}

static void add_rules(struct ignores *g, const char *base, const struct repo_bytes *file)
{
	const char *at = file->bytes, *end = at + file->length;

	while (at < end) {
		const char *line_end = memchr(at, '\n', (size_t)(end - at));

		if (!line_end)
			line_end = end;
		add_rule(g, base, at, (size_t)(line_end - at));
		at = line_end + 1;
	}
}

static void add_file(struct ignores *g, int fd, const char *base)
{
	struct repo_bytes file = { 0 };

	if (fd >= 0 && file_read(fd, g->arena, &file))
		add_rules(g, base, &file);
}

static int open_below(const char *directory, const char *path)
{
	int root = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC), fd;

	if (root < 0)
		return -1;
	fd = path_open(root, path, O_RDONLY);
	close(root);
	return fd;
}

/* The rules of the directories from the repository's top down to the root, the root's own left to
 * the listing unless the root is a single file. */
static void add_above(struct repo *r, struct ignores *g)
{
	const char *at = r->prefix;

	while (*at || r->only) {
		char *base = arena_copy(r->arena, r->prefix, (size_t)(at - r->prefix));
		size_t length = strlen(base);

		if (length && base[length - 1] == '/')
			base[length - 1] = '\0';
		add_file(g, open_below(r->top, repo_path_join(r->arena, base, ".gitignore", NULL)), base);
		if (!*at)
			break;
		at += strcspn(at, "/");
		at += *at == '/';
	}
}

static bool is_rule_file(const struct repo_entry *e)
{
	static const char name[] = ".gitignore";
	size_t length = sizeof name - 1;

	if (e->kind != REPO_FILE || e->path_length < length)
		return false;
	return strcmp(e->path + e->path_length - length, name) == 0 &&
	       (e->path_length == length || e->path[e->path_length - length - 1] == '/');
}

static void add_listed(struct repo *r, struct ignores *g)
{
	for (size_t i = 0; i < r->walk.list.count; i++) {
		const struct repo_entry *e = &r->walk.list.items[i]->entry;
		const char *slash = strrchr(e->path, '/');
		char *directory, *base;

		if (r->only || !is_rule_file(e))
			continue;
		directory = arena_copy(r->arena, e->path, slash ? (size_t)(slash - e->path) : 0);
		base = *directory ? repo_path_join(r->arena, r->prefix, directory, NULL) :
				    arena_strdup(r->arena, r->prefix);
		add_file(g, path_open(r->root, e->path, O_RDONLY), base);
	}
}

/* Deeper files are stronger; rules of one file keep their order. */
static int compare_rules(const void *x, const void *y)
{
	const struct rule *a = x, *b = y;
	size_t la = strlen(a->base), lb = strlen(b->base);

	if (la != lb)
		return la < lb ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

struct ignores *ignores_read(struct repo *r)
{
	struct ignores *g = ARENA_NEW(r->arena, struct ignores);

	g->arena = r->arena;
	g->prefix = r->prefix;
	add_file(g, open_below(r->common_path, "info/exclude"), "");
	add_above(r, g);
	add_listed(r, g);
	for (size_t i = 0; i < g->rules.count; i++)
		g->rules.items[i].order = i;
	if (g->rules.count > 1)
		qsort(g->rules.items, g->rules.count, sizeof *g->rules.items, compare_rules);
	return g;
}

static bool rule_matches(const struct rule *rule, const char *path, bool directory)
{
	size_t length = strlen(rule->base);
	const char *slash;

	if (rule->directory_only && !directory)
		return false;
	if (length) {
		if (strncmp(path, rule->base, length) != 0 || path[length] != '/')
			return false;
		path += length + 1;
	}
	slash = strrchr(path, '/');
	return glob(rule->pattern, rule->anchored || !slash ? path : slash + 1);
}

/* Whether the last rule that speaks of PATH ignores it; parents are not looked at. */
static bool is_named(struct ignores *g, const char *path, bool directory)
{
	for (size_t i = g->rules.count; i-- > 0;) {
		if (++g->tests > RULE_TESTS)
			return false;
		if (rule_matches(&g->rules.items[i], path, directory))
			return !g->rules.items[i].negated;
	}
	return false;
}

static bool lies_in(const char *path, const char *directory)
{
	size_t length = directory ? strlen(directory) : 0;

	return length && strncmp(path, directory, length) == 0 && path[length] == '/';
}

bool ignores_match(struct ignores *g, const char *path, bool directory)
{
	char *full = repo_path_join(g->arena, g->prefix, path, NULL);
	char *slash = full;

	if (lies_in(full, g->ignored))
		return true;
	if (lies_in(full, g->clear))
		slash = full + strlen(g->clear) + 1;
	while ((slash = strchr(slash, '/'))) {
		*slash = '\0';
		if (is_named(g, full, true)) {
			g->ignored = full;
			return true;
		}
		g->clear = arena_strdup(g->arena, full);
		*slash++ = '/';
	}
	return is_named(g, full, directory);
}

bool ignores_gave_up(const struct ignores *g)
{
	return g->tests > RULE_TESTS;
}

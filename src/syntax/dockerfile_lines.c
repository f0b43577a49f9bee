/* Physical lines of a Dockerfile to instruction texts: directives, comments, continuation.
 * SPDX-License-Identifier: MIT */
#include "src/syntax/dockerfile_internal.h"

#include <ctype.h>
#include <string.h>

#include "model/limits.h"

bool dockerfile_next_line(struct dockerfile_reader *r, struct dockerfile_line *line)
{
	const struct source *s = r->source;
	const char *start = s->bytes + r->at, *end;

	if (r->at >= s->length)
		return false;
	end = memchr(start, '\n', s->length - r->at);
	line->text = start;
	line->offset = r->at;
	line->length = end ? (uint32_t)(end - start) : s->length - r->at;
	line->next = r->at + line->length + (end ? 1 : 0);
	while (line->length && start[line->length - 1] == '\r')
		line->length--;
	r->at = line->next;
	return true;
}

static uint32_t indent(const struct dockerfile_line *line)
{
	uint32_t n = 0;

	while (n < line->length && dockerfile_blank(line->text[n]))
		n++;
	return n;
}

/* "KEY = VALUE" after the comment mark; fills *OUT when it is one. */
static bool directive(struct dockerfile_reader *r, const struct dockerfile_line *line,
		      uint32_t from, struct dockerfile_directive *out)
{
	const char *p = line->text + from, *end = line->text + line->length, *key;
	char *name;

	while (p < end && dockerfile_blank(*p))
		p++;
	for (key = p; p < end && isalnum((unsigned char)*p);)
		p++;
	if (p == key || isdigit((unsigned char)*key))
		return false;
	name = arena_copy(r->arena, key, (size_t)(p - key));
	while (p < end && dockerfile_blank(*p))
		p++;
	if (p == end || *p++ != '=')
		return false;
	while (p < end && dockerfile_blank(*p))
		p++;
	for (key = p; p < end && !dockerfile_blank(*p);)
		p++;
	if (p == key)
		return false;
	for (char *c = name; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	out->name = name;
	out->value = arena_copy(r->arena, key, (size_t)(p - key));
	out->span = (struct span){ .source = r->source->id, .offset = line->offset,
				   .length = line->length };
	return true;
}

static void keep_directive(struct dockerfile_reader *r, const struct dockerfile_directive *found,
			   bool after_shebang)
{
	struct dockerfile *d = r->out;

	for (size_t i = 0; i < d->directive_count; i++)
		if (strcmp(d->directives[i].name, found->name) == 0) {
			dockerfile_refuse(r, found->span, "parser directive \"%s\" is given twice",
					  found->name);
			return;
		}
	if (strcmp(found->name, "escape") == 0) {
		if (after_shebang)
			return;
		if (strcmp(found->value, "\\") != 0 && strcmp(found->value, "`") != 0) {
			dockerfile_refuse(r, found->span, "escape must be \\ or `");
			return;
		}
		d->escape = found->value[0];
	}
	*DOCKERFILE_APPEND(r->arena, d->directives, d->directive_count, d->directive_capacity) =
		*found;
}

void dockerfile_directives(struct dockerfile_reader *r)
{
	struct dockerfile_line line;
	struct dockerfile_directive found;
	uint32_t start = r->at;
	bool shebang = false;

	for (bool first = true; dockerfile_next_line(r, &line); first = false) {
		uint32_t at = indent(&line), mark = 1;

		if (first && line.length >= 2 && memcmp(line.text, "#!", 2) == 0) {
			shebang = true;
			continue;
		}
		if (at + 2 <= line.length && memcmp(line.text + at, "//", 2) == 0)
			mark = 2;
		else if (at == line.length || line.text[at] != '#')
			break;
		if (!directive(r, &line, at + mark, &found))
			break;
		if (strcmp(found.name, "syntax") == 0 || strcmp(found.name, "escape") == 0 ||
		    strcmp(found.name, "check") == 0)
			keep_directive(r, &found, shebang);
		else
			break;
	}
	r->at = start;
}

/* Cuts a continuation mark with the blanks after it; true when there was one. */
static bool continued(const struct dockerfile_line *line, char escape, uint32_t *length)
{
	uint32_t n = line->length;

	while (n && (line->text[n - 1] == ' ' || line->text[n - 1] == '\t'))
		n--;
	*length = line->length;
	if (!n || line->text[n - 1] != escape || (n > 1 && line->text[n - 2] == escape))
		return false;
	*length = n - 1;
	return true;
}

static bool starts(const char *p, const char *end, const char *word)
{
	size_t length = strlen(word);

	return (size_t)(end - p) >= length && memcmp(p, word, length) == 0;
}

/* A line that steers a template engine and leaves no text: {% if %}, {# note #}, {{ end }}. */
static bool control_line(const struct dockerfile_line *line)
{
	static const char *const words[] = { "if ", "else", "end", "range ", "with ", "define ",
					     "block ", "/*", "#if", "#each", "/if", "/each" };
	const char *p = line->text + indent(line), *end = line->text + line->length;

	while (end > p && dockerfile_blank(end[-1]))
		end--;
	if (starts(p, end, "{%") || starts(p, end, "{#"))
		return end - p >= 4 && end[-1] == '}' && (end[-2] == '%' || end[-2] == '#');
	if (!starts(p, end, "{{") || end - p < 4 || end[-1] != '}' || end[-2] != '}')
		return false;
	for (p += 2; p < end && (*p == '-' || *p == ' ');)
		p++;
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (starts(p, end, words[i]))
			return true;
	return false;
}

static void comment_line(struct dockerfile_reader *r, const struct dockerfile_line *line,
			 struct dockerfile_instruction *out)
{
	struct span *row = DOCKERFILE_APPEND(r->arena, out->comments, out->comment_count,
					     out->comment_capacity);

	*row = (struct span){ .source = r->source->id, .offset = line->offset,
			      .length = line->length };
}

static bool is_comment(const struct dockerfile_line *line)
{
	uint32_t at = indent(line);

	return at < line->length && line->text[at] == '#';
}

/* A template tag that is opened on LINE and closed on a later one belongs to one text. */
static void finish_tag(struct dockerfile_reader *r, struct folded_builder *b,
		       const struct dockerfile_line *line)
{
	static const char *const tags[][2] = { { "{%", "%}" }, { "{#", "#}" }, { "{{", "}}" } };
	const char *end = line->text + line->length, *close = NULL;
	const char *p = line->text + indent(line);
	uint32_t resume = r->at;
	struct dockerfile_line next;

	for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++)
		if (starts(p, end, tags[i][0]))
			close = tags[i][1];
	for (; close && p + 1 < end; p++)
		if (memcmp(p, close, 2) == 0)
			return;
	if (r->open_ends >= LIMIT_OPEN_ENDS)
		return;
	for (unsigned i = 0; close && i < 200 && dockerfile_next_line(r, &next); i++)
		for (uint32_t at = 0; at + 1 < next.length; at++)
			if (memcmp(next.text + at, close, 2) == 0) {
				folded_add(r->arena, b, r->source->bytes + resume,
					   next.offset + next.length - resume, resume);
				return;
			}
	r->open_ends += close != NULL;
	r->at = resume;
}

static void continuation_lines(struct dockerfile_reader *r, struct folded_builder *b,
			       bool *control)
{
	struct dockerfile_line line;
	bool more = true;
	uint32_t length;

	while (more && dockerfile_next_line(r, &line)) {
		if (is_comment(&line) || indent(&line) == line.length)
			continue;
		if (control_line(&line)) {
			*control = true;
			continue;
		}
		more = continued(&line, r->out->escape, &length);
		folded_add(r->arena, b, line.text, length, line.offset);
	}
}

bool dockerfile_next_text(struct dockerfile_reader *r, struct folded *out,
			  struct dockerfile_instruction *comments, bool *control)
{
	struct folded_builder b = { 0 };
	struct dockerfile_line line;
	uint32_t length, skip;
	bool more;

	*control = false;
	while (dockerfile_next_line(r, &line)) {
		skip = indent(&line);
		if (is_comment(&line)) {
			comment_line(r, &line, comments);
			continue;
		}
		if (skip == line.length) {
			comments->comment_count = 0;
			continue;
		}
		more = continued(&line, r->out->escape, &length);
		if (length > skip)
			folded_add(r->arena, &b, line.text + skip, length - skip,
				   line.offset + skip);
		if (more)
			continuation_lines(r, &b, control);
		else
			finish_tag(r, &b, &line);
		if (b.text.length) {
			*out = folded_finish(r->arena, &b, r->source->id);
			return true;
		}
		folded_builder_free(&b);
	}
	return false;
}

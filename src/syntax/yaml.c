/* Reads YAML streams: the whole stream at once, and document by document when that fails.
 *
 * A line that begins "---" or "..." ends whatever stands before it, in quotes and block scalars too,
 * so a broken stream can be cut there without knowing what is broken.
 * SPDX-License-Identifier: MIT */
#include "src/syntax/syntax.h"

#include <string.h>

#include "src/syntax/yaml_events.h"

struct checkpoint {
	size_t documents, failed, problems, dropped;
	uint32_t nodes;
};

struct failure {
	enum yaml_result why;
	uint32_t at;
	const char *message; /* arena */
};

static struct checkpoint checkpoint_of(const struct yaml_reader *r)
{
	return (struct checkpoint){
		.documents = r->out->count,
		.failed = r->out->failed,
		.problems = r->builder.problems->count,
		.dropped = r->builder.problems->dropped,
		.nodes = r->builder.nodes,
	};
}

static void go_back(struct yaml_reader *r, const struct checkpoint *c)
{
	r->out->count = c->documents;
	r->out->failed = c->failed;
	r->builder.problems->count = c->problems;
	r->builder.problems->dropped = c->dropped;
	r->builder.nodes = c->nodes;
}

static bool is_marker(const struct source *s, uint32_t at, const char *marker)
{
	if (s->length - at < 3 || memcmp(s->bytes + at, marker, 3) != 0)
		return false;
	return s->length - at == 3 || memchr(" \t\r\n", s->bytes[at + 3], 4);
}

static uint32_t next_line(const struct source *s, uint32_t at)
{
	const char *end = memchr(s->bytes + at, '\n', s->length - at);

	return end ? (uint32_t)(end - s->bytes) + 1 : s->length;
}

/* Blank, a comment or a directive: what may stand before "---". */
static bool is_preamble(const struct source *s, uint32_t at)
{
	if (s->bytes[at] == '%')
		return true;
	while (at < s->length && memchr(" \t\r", s->bytes[at], 3))
		at++;
	return at == s->length || s->bytes[at] == '\n' || s->bytes[at] == '#';
}

static uint32_t chunk_end(const struct source *s, uint32_t at)
{
	bool begun = false;

	for (; at < s->length; at = next_line(s, at)) {
		if (is_marker(s, at, "..."))
			return next_line(s, at);
		if (is_marker(s, at, "---")) {
			if (begun)
				return at;
			begun = true;
		} else if (!begun) {
			begun = !is_preamble(s, at);
		}
	}
	return s->length;
}

static bool contains(const char *bytes, size_t length, const char *word)
{
	size_t size = strlen(word);

	for (const char *p = bytes; (p = memchr(p, *word, length - (size_t)(p - bytes))); p++)
		if (length - (size_t)(p - bytes) >= size && memcmp(p, word, size) == 0)
			return true;
	return false;
}

static const char *advice(const struct source *s, uint32_t at, uint32_t start, uint32_t end)
{
	if (contains(s->bytes + start, end - start, "{{"))
		return "; a template must be rendered first";
	if (at < s->length && s->bytes[at] == '\t')
		return "; indent with spaces instead of tabs";
	return "";
}

/* "while parsing a block mapping" with the line where that began, if it is another one. */
static const char *context_of(struct yaml_reader *r, const yaml_parser_t *parser, uint32_t at)
{
	const struct source *s = r->builder.source;
	uint32_t line;

	if (!parser->context)
		return "";
	line = source_line(s, marks_offset(&r->marks, parser->context_mark.index));
	if (line == source_line(s, at))
		return arena_printf(r->builder.arena, " %s", parser->context);
	return arena_printf(r->builder.arena, " %s that begins on line %lu", parser->context,
			    (unsigned long)line);
}

static uint32_t refusal_offset(struct yaml_reader *r, const yaml_parser_t *parser, uint32_t end)
{
	uint32_t base = r->marks.base;

	if (parser->error == YAML_READER_ERROR)
		return parser->problem_offset < end - base ?
			       base + (uint32_t)parser->problem_offset : end;
	/* Without its colon the key is at fault, not the place where the search ended. */
	if (parser->context && strcmp(parser->context, "while scanning a simple key") == 0)
		return marks_offset(&r->marks, parser->context_mark.index);
	return marks_offset(&r->marks, parser->problem_mark.index);
}

static void describe_refusal(struct yaml_reader *r, const yaml_parser_t *parser, uint32_t end,
			     struct failure *f)
{
	f->at = refusal_offset(r, parser, end);
	f->message = arena_printf(r->builder.arena, "YAML is not read: %s%s%s",
				  parser->problem ? parser->problem : "not understood",
				  context_of(r, parser, f->at),
				  advice(r->builder.source, f->at, r->marks.base, end));
}

static const char too_many_documents[] = "YAML is not read further: too many documents";

static void describe_limit(struct yaml_reader *r, struct failure *f)
{
	static const char *const messages[] = {
		[YAML_TOO_DEEP] = "YAML is not read: nested too deep",
		[YAML_TOO_MANY_NODES] = "YAML is not read further: too many values in one file",
		[YAML_TOO_MANY_DOCUMENTS] = too_many_documents,
	};

	f->at = r->at;
	f->message = messages[f->why];
}

/* Reads the bytes START to END; what went wrong is in the result. */
static struct failure read_range(struct yaml_reader *r, uint32_t start, uint32_t end)
{
	struct failure f = { .why = YAML_GOES_ON };
	yaml_parser_t parser;
	yaml_event_t event;
	bool more = true;

	if (!yaml_parser_initialize(&parser))
		return (struct failure){ .why = YAML_BROKEN, .at = start,
					 .message = "YAML is not read: out of memory" };
	yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&parser, (const unsigned char *)r->builder.source->bytes + start,
				     end - start);
	marks_begin(&r->marks, start);
	r->at = start;
	while (more && f.why == YAML_GOES_ON) {
		if (!yaml_parser_parse(&parser, &event)) {
			f.why = YAML_BROKEN;
			describe_refusal(r, &parser, end, &f);
			break;
		}
		more = event.type != YAML_STREAM_END_EVENT;
		f.why = yaml_take(r, &event);
		yaml_event_delete(&event);
	}
	if (f.why != YAML_GOES_ON && f.why != YAML_BROKEN)
		describe_limit(r, &f);
	builder_take(&r->builder);
	yaml_parser_delete(&parser);
	return f;
}

static void report(struct yaml_reader *r, const struct failure *f)
{
	const struct source *s = r->builder.source;

	r->out->failed++;
	problem_add(r->builder.arena, r->builder.problems,
		    (struct span){ .source = s->id, .offset = f->at }, "%s", f->message);
}

static bool ends_reading(const struct failure *f)
{
	return f->why == YAML_TOO_MANY_NODES || f->why == YAML_TOO_MANY_DOCUMENTS;
}

/* JSON is almost YAML: the parser refuses surrogate escapes, keys of over 1024 characters and tabs
 * that JSON allows. */
static bool read_as_json(struct yaml_reader *r)
{
	const struct source *s = r->builder.source;
	struct documents documents = { 0 };
	struct problems problems = { 0 };
	uint32_t at = 0;

	while (at < s->length && memchr(" \t\r\n", s->bytes[at], 4))
		at++;
	if (at == s->length || (s->bytes[at] != '{' && s->bytes[at] != '['))
		return false;
	json_read(r->builder.arena, s, false, &documents, &problems);
	if (documents.failed)
		return false;
	for (size_t i = 0; i < problems.count; i++)
		problem_add(r->builder.arena, r->builder.problems, problems.items[i].span, "%s",
			    problems.items[i].message);
	*ARENA_PUSH(r->builder.arena, r->out) = documents.items[0];
	return true;
}

static void read_in_chunks(struct yaml_reader *r)
{
	const struct source *s = r->builder.source;
	uint32_t end;

	for (uint32_t start = 0; start < s->length; start = end) {
		struct checkpoint before = checkpoint_of(r);
		struct failure f;

		end = chunk_end(s, start);
		if (r->out->count + r->out->failed >= LIMIT_DOCUMENTS)
			f = (struct failure){ .why = YAML_TOO_MANY_DOCUMENTS, .at = start,
					      .message = too_many_documents };
		else
			f = read_range(r, start, end);
		if (f.why == YAML_GOES_ON)
			continue;
		if (!ends_reading(&f))
			go_back(r, &before);
		report(r, &f);
		if (ends_reading(&f))
			return;
	}
}

void yaml_read(struct arena *a, const struct source *s, struct documents *out,
	       struct problems *problems)
{
	struct yaml_reader r = { .out = out };
	struct checkpoint before;
	struct failure f;

	builder_init(&r.builder, a, s, problems);
	before = checkpoint_of(&r);
	marks_init(&r.marks, s);
	f = read_range(&r, 0, s->length);
	if (ends_reading(&f)) {
		report(&r, &f);
	} else if (f.why != YAML_GOES_ON) {
		go_back(&r, &before);
		if (f.why == YAML_BROKEN && read_as_json(&r))
			;
		else if (chunk_end(s, 0) == s->length)
			report(&r, &f);
		else
			read_in_chunks(&r);
	}
	builder_free(&r.builder);
}

/* Dockerfile variable expansion: one pass over the word with a stack of open quotes and braces.
 * SPDX-License-Identifier: MIT */
#include "src/syntax/expand.h"

#include <ctype.h>
#include <string.h>

#include "model/limits.h"

enum frame_kind { FRAME_TOP, FRAME_DOUBLE, FRAME_OPERAND, FRAME_PATTERN };

struct frame {
	enum frame_kind kind;
	bool raw;            /* keep the escape character in the result */
	bool colon, doubled; /* ":-" against "-", "//" against "/" */
	char op;
	const char *name;
	const char *pattern; /* of '/', once it is complete */
	size_t start;        /* where this frame's output begins */
};

struct output {
	char *bytes;
	bool *solid; /* per byte: a blank here does not separate words */
	size_t length, capacity;
};

struct expander {
	struct arena *arena;
	const struct expand_vars *vars;
	const char *p;
	char escape;
	struct output out;
	struct frame frames[LIMIT_EXPAND_DEPTH];
	size_t depth;
	struct expansion *result;
};

static uint32_t hash_name(const char *name)
{
	uint32_t hash = 2166136261u;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619u;
	return hash;
}

static struct expand_var *search(const struct expand_vars *vars, const char *name, uint32_t hash)
{
	for (size_t i = 0; i < vars->count; i++)
		if (vars->items[i].hash == hash && strcmp(vars->items[i].name, name) == 0)
			return &vars->items[i];
	return NULL;
}

struct expand_var *expand_set(struct arena *a, struct expand_vars *vars, const char *name,
			      const char *value, struct span span)
{
	uint32_t hash = hash_name(name);
	struct expand_var *var = search(vars, name, hash);

	if (!var)
		var = vars->count < LIMIT_VARIABLES ? ARENA_PUSH(a, vars)
						    : ARENA_NEW(a, struct expand_var);
	*var = (struct expand_var){ .name = name, .value = value, .span = span, .hash = hash };
	return var;
}

const struct expand_var *expand_find(const struct expand_vars *vars, const char *name)
{
	return vars ? search(vars, name, hash_name(name)) : NULL;
}

static void fail(struct expander *e, const char *message)
{
	if (!e->result->error)
		e->result->error = message;
}

static void put(struct expander *e, const char *bytes, size_t length, bool solid)
{
	struct output *o = &e->out;

	if (length > LIMIT_EXPANDED - o->length) {
		fail(e, "the expanded text is too long");
		return;
	}
	if (o->length + length > o->capacity) {
		size_t grown = (o->length + length) * 2 + 32;
		char *text = arena_alloc(e->arena, grown);
		bool *marks = arena_array(e->arena, grown, sizeof *marks);

		if (o->length) {
			memcpy(text, o->bytes, o->length);
			memcpy(marks, o->solid, o->length * sizeof *marks);
		}
		o->bytes = text;
		o->solid = marks;
		o->capacity = grown;
	}
	for (size_t i = 0; i < length; i++) {
		o->bytes[o->length] = bytes[i];
		o->solid[o->length++] = solid;
	}
}

static struct frame *top(struct expander *e)
{
	return &e->frames[e->depth - 1];
}

static struct frame *push(struct expander *e, enum frame_kind kind, bool raw)
{
	static struct frame const empty;
	struct frame *f;

	if (e->depth == LIMIT_EXPAND_DEPTH) {
		fail(e, "substitutions are nested too deeply");
		return top(e);
	}
	f = &e->frames[e->depth++];
	*f = empty;
	f->kind = kind;
	f->raw = raw;
	f->start = e->out.length;
	return f;
}

static void note(struct expander *e, const char *name, enum expand_outcome outcome,
		 const struct expand_var *var)
{
	struct expansion *r = e->result;

	r->uses = arena_grow(e->arena, r->uses, r->use_count, &r->use_capacity, sizeof *r->uses);
	r->uses[r->use_count++] =
		(struct expand_use){ .name = name, .outcome = outcome, .var = var };
	if (outcome == EXPAND_UNRESOLVED || (outcome == EXPAND_VALUE && var && var->unsure))
		r->unresolved = true;
}

/* Reads a name after '$' or "${": digits, one special parameter, or letters, digits and '_'. Bytes
 * past ASCII are taken as letters, which is right for every name that occurs. */
static const char *read_name(struct expander *e)
{
	const char *start = e->p;

	if (isdigit((unsigned char)*e->p)) {
		while (isdigit((unsigned char)*e->p))
			e->p++;
	} else if (*e->p && strchr("@*#?-$!", *e->p)) {
		e->p++;
	} else {
		while (isalnum((unsigned char)*e->p) || *e->p == '_' || (unsigned char)*e->p >= 128)
			e->p++;
	}
	return arena_copy(e->arena, start, (size_t)(e->p - start));
}

static bool quoted(const struct expander *e)
{
	return e->frames[e->depth - 1].kind == FRAME_DOUBLE;
}

static void put_value(struct expander *e, const char *text)
{
	put(e, text, strlen(text), quoted(e));
}

static void plain_value(struct expander *e, const char *name)
{
	const struct expand_var *var = expand_find(e->vars, name);

	note(e, name, var && var->value ? EXPAND_VALUE : EXPAND_UNRESOLVED, var);
	if (var && var->value)
		put_value(e, var->value);
}

/* After "${name": a closing brace or an operator. */
static void open_brace(struct expander *e)
{
	bool colon = false, doubled = false;
	struct frame *f;
	const char *name;
	char op;

	if (*e->p == '\0') {
		fail(e, "missing '}'");
		return;
	}
	if (strchr("{}:", *e->p)) {
		fail(e, "bad substitution");
		return;
	}
	name = read_name(e);
	op = *e->p;
	if (op)
		e->p++;
	if (op == '}') {
		plain_value(e, name);
		return;
	}
	if (op == ':') {
		colon = true;
		op = *e->p;
		if (op)
			e->p++;
	}
	if (!op || !strchr(colon ? "-+?" : "-+?#%/", op)) {
		fail(e, op ? "unsupported modifier in substitution" : "missing '}'");
		return;
	}
	if (op == '/' && *e->p == '/') {
		doubled = true;
		e->p++;
	}
	f = push(e, op == '/' ? FRAME_PATTERN : FRAME_OPERAND, strchr("#%/", op) != NULL);
	f->op = op;
	f->colon = colon;
	f->doubled = doubled;
	f->name = name;
}

static void dollar(struct expander *e)
{
	const char *name;

	e->p++;
	if (*e->p == '{') {
		e->p++;
		open_brace(e);
		return;
	}
	name = read_name(e);
	if (*name)
		plain_value(e, name);
	else
		put(e, "$", 1, false);
}

static void required(struct expander *e, const struct frame *f, const char *word, bool set)
{
	const char *message = *word ? word
				    : (set ? "is not allowed to be empty" : "is not allowed to be unset");

	fail(e, arena_printf(e->arena, "%s: %s", f->name, message));
}

/* The value of a complete ${name<op>WORD}. */
static const char *apply(struct expander *e, const struct frame *f, const char *word)
{
	const struct expand_var *var = expand_find(e->vars, f->name);
	const char *value = var && var->value ? var->value : "";
	bool set = var && var->value, empty = !set || (f->colon && !*value);
	const char *result;

	switch (f->op) {
	case '-':
		note(e, f->name, empty ? EXPAND_DEFAULT : EXPAND_VALUE, var);
		return empty ? word : value;
	case '+':
		note(e, f->name, empty ? EXPAND_DEFAULT : EXPAND_VALUE, var);
		return empty ? "" : word;
	case '?':
		note(e, f->name, empty ? EXPAND_UNRESOLVED : EXPAND_VALUE, var);
		if (empty)
			required(e, f, word, set);
		return value;
	default:
		note(e, f->name, set ? EXPAND_VALUE : EXPAND_UNRESOLVED, var);
		result = expand_pattern(e->arena, value, f->op, f->doubled,
					f->op == '/' ? f->pattern : word, word, &e->result->error);
		return result ? result : "";
	}
}

static void close_frame(struct expander *e)
{
	struct frame f = *top(e);
	const char *word;

	e->p++;
	word = arena_copy(e->arena, e->out.bytes ? e->out.bytes + f.start : "",
			  e->out.length - f.start);
	e->out.length = f.start;
	if (f.kind == FRAME_PATTERN) {
		f.pattern = word;
		f.kind = FRAME_OPERAND;
		*top(e) = f;
		return;
	}
	if ((f.op == '#' || f.op == '%') && word[0] == f.op) {
		f.doubled = true;
		word++;
	}
	e->depth--;
	put_value(e, apply(e, &f, word));
}

static void single_quote(struct expander *e)
{
	const char *end = strchr(e->p + 1, '\'');

	if (!end) {
		fail(e, "a single quote is not closed");
		return;
	}
	put(e, e->p + 1, (size_t)(end - e->p - 1), true);
	e->p = end + 1;
}

static void escaped(struct expander *e)
{
	const struct frame *f = top(e);
	char next = e->p[1];

	if (f->raw || (f->kind == FRAME_DOUBLE && next && next != '"' && next != '$' &&
		       next != e->escape))
		put(e, e->p, 1, true);
	e->p++;
	if (next) {
		put(e, e->p, 1, true);
		e->p++;
	}
}

static void step_double(struct expander *e)
{
	if (*e->p == '"') {
		e->p++;
		e->depth--;
	} else if (*e->p == '$') {
		dollar(e);
	} else if (*e->p == e->escape) {
		escaped(e);
	} else {
		put(e, e->p++, 1, true);
	}
}

static void step(struct expander *e)
{
	const struct frame *f = top(e);

	if (f->kind == FRAME_DOUBLE) {
		step_double(e);
	} else if ((f->kind == FRAME_OPERAND && *e->p == '}') ||
		   (f->kind == FRAME_PATTERN && *e->p == '/')) {
		close_frame(e);
	} else if (*e->p == '\'') {
		single_quote(e);
	} else if (*e->p == '"') {
		e->p++;
		push(e, FRAME_DOUBLE, f->raw);
	} else if (*e->p == '$') {
		dollar(e);
	} else if (*e->p == e->escape) {
		escaped(e);
	} else {
		put(e, e->p++, 1, false);
	}
}

static void split_words(struct expander *e)
{
	struct expansion *r = e->result;
	const struct output *o = &e->out;

	for (size_t i = 0, start; i < o->length; i++) {
		while (i < o->length && !o->solid[i] && isspace((unsigned char)o->bytes[i]))
			i++;
		for (start = i; i < o->length; i++)
			if (!o->solid[i] && isspace((unsigned char)o->bytes[i]))
				break;
		if (i == start)
			break;
		r->words = arena_grow(e->arena, r->words, r->word_count, &r->word_capacity,
				      sizeof *r->words);
		r->words[r->word_count++] = arena_copy(e->arena, o->bytes + start, i - start);
	}
}

void expand_word(struct arena *a, const struct expand_vars *vars, const char *text, char escape,
		 struct expansion *out)
{
	static const char *const unclosed[] = {
		[FRAME_DOUBLE] = "a double quote is not closed",
		[FRAME_OPERAND] = "missing '}'",
		[FRAME_PATTERN] = "missing '/' in ${}",
	};
	struct expander e = { .arena = a, .vars = vars, .p = text, .escape = escape,
			      .result = out };

	*out = (struct expansion){ .text = "" };
	push(&e, FRAME_TOP, false);
	while (*e.p && !out->error)
		step(&e);
	if (!out->error && e.depth > 1)
		fail(&e, unclosed[top(&e)->kind]);
	if (out->error)
		return;
	out->length = (uint32_t)e.out.length;
	out->text = arena_copy(a, e.out.bytes, e.out.length);
	split_words(&e);
}

/* Puts the arrays and option texts that a script collects in the place of their variables.
 *
 * Every assignment of the file to that name counts, conditional ones too: the result is what the
 * command may hold at most. The number of words and of nested names is limited.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <string.h>

#include "src/formats/script/launch.h"

#define WORDS_MAX 512u
#define NESTED_MAX 4u
#define BYTES_MAX (1024u * 1024) /* put in place of variables in one file */

void launch_variables_init(struct arena *a, const struct shell *sh, struct launch_variables *out)
{
	size_t count = 0;
	uint32_t before;

	for (size_t i = 0; i < sh->count; i++)
		count += sh->items[i].assignment_count;
	*out = (struct launch_variables){ .sh = sh, .budget = BYTES_MAX };
	out->items = arena_array(a, count, sizeof *out->items);
	for (size_t i = 0; i < sh->count; i++)
		for (size_t k = 0; k < sh->items[i].assignment_count; k++) {
			const struct shell_assignment *x = &sh->items[i].assignments[k];
			uint32_t index = (uint32_t)out->count++;

			out->items[index].assignment = x;
			if (hash_index_get(&out->last, x->name, &before))
				out->items[before].next = index + 1;
			else
				hash_index_put(a, &out->first, x->name, index);
			hash_index_put(a, &out->last, x->name, index);
		}
}

struct expansion_run {
	struct arena *arena;
	struct launch_variables *variables;
	struct launch_args *out;
	const char *names[NESTED_MAX]; /* being expanded */
	size_t depth;
};

/* The name in "$X", "${X}", "${X[@]}", "${X[*]}", "${X[@]:-}" or "${X+…}"; NULL for anything else. */
static const char *variable_of(struct arena *a, const char *word, bool *array)
{
	size_t n;

	*array = false;
	if (word[0] != '$')
		return NULL;
	word += 1 + (word[1] == '{');
	for (n = 0; isalnum((unsigned char)word[n]) || word[n] == '_'; n++)
		;
	if (!n || isdigit((unsigned char)word[0]))
		return NULL;
	if (word[-1] != '{')
		return word[n] ? NULL : arena_copy(a, word, n);
	*array = strncmp(word + n, "[@]", 3) == 0 || strncmp(word + n, "[*]", 3) == 0;
	if (!*array && word[n] != '}' && word[n] != ':' && word[n] != '+' && word[n] != '-')
		return NULL;
	return word[strlen(word) - 1] == '}' ? arena_copy(a, word, n) : NULL;
}

static void add(struct expansion_run *r, const struct shell_word *word)
{
	size_t cost = word->length < r->variables->budget ? word->length : r->variables->budget;

	if (r->depth)
		r->variables->budget -= cost;
	if (r->out->count < WORDS_MAX)
		*ARENA_PUSH(r->arena, r->out) = (struct docker_arg){ .text = word->text,
								     .span = word->span,
								     .literal = word->literal };
}

static bool busy(const struct expansion_run *r, const char *name)
{
	for (size_t i = 0; i < r->depth; i++)
		if (strcmp(r->names[i], name) == 0)
			return true;
	return r->depth == NESTED_MAX;
}

static void add_word(struct expansion_run *r, const struct shell_word *word, bool whole);

/* The words of a text such as OPTS="--rm -v a:b". */
static void add_text(struct expansion_run *r, const struct shell_word *value)
{
	struct folded text;
	struct shell inner;
	size_t cost = value->length + 64;

	if (r->variables->budget < cost) {
		r->variables->budget = 0;
		return;
	}
	r->variables->budget -= cost;
	text = shell_word_text(r->arena, r->variables->sh, value);
	shell_read(r->arena, &text, SHELL_POSIX, &inner);
	for (size_t i = 0; i < inner.count; i++) {
		const struct shell_command *c = &inner.items[i];

		if (c->parent < 0)
			for (size_t k = 0; k < c->words.count; k++)
				add_word(r, &c->words.items[k], false);
	}
}

static const struct shell_assignment *first_assignment(const struct launch_variables *v,
						       const char *name, bool *single)
{
	uint32_t index;

	if (!hash_index_get(&v->first, name, &index))
		return NULL;
	*single = v->items[index].next == 0;
	return v->items[index].assignment;
}

static void add_assignment(struct expansion_run *r, const struct shell_assignment *x)
{
	if (!x->array) {
		add_text(r, &x->value);
		return;
	}
	for (size_t i = 0; i < x->elements.count; i++)
		add_word(r, &x->elements.items[i], true);
}

static void add_all(struct expansion_run *r, const char *name)
{
	const struct launch_variables *v = r->variables;
	uint32_t index;

	r->names[r->depth++] = name;
	if (hash_index_get(&v->first, name, &index))
		for (index++; index && r->out->count < WORDS_MAX; index = v->items[index - 1].next)
			add_assignment(r, v->items[index - 1].assignment);
	r->depth--;
}

static void add_word(struct expansion_run *r, const struct shell_word *word, bool whole)
{
	bool array, single = false;
	const char *name = variable_of(r->arena, word->text, &array);
	const struct shell_assignment *known =
		name ? first_assignment(r->variables, name, &single) : NULL;

	if (name && busy(r, name))
		return;
	if (!known || r->variables->budget == 0) {
		add(r, word);
	} else if (array || known->array || (!word->quoted && !whole)) {
		add_all(r, name);
	} else if (single && known->value.literal && !known->append) {
		struct shell_word copy = known->value;

		copy.span = word->span;
		add(r, &copy);
	} else {
		add(r, word);
	}
}

void launch_expand(struct arena *a, struct launch_variables *v, size_t command, size_t first,
		   struct launch_args *out)
{
	struct expansion_run r = { .arena = a, .variables = v, .out = out };
	const struct shell_words *words = &v->sh->items[command].words;

	for (size_t i = first; i < words->count; i++)
		add_word(&r, &words->items[i], false);
}

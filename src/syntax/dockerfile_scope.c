/* ARG and ENV through the stages of a Dockerfile.
 * SPDX-License-Identifier: MIT */
#include "src/syntax/dockerfile_scope.h"

#include <string.h>

#include "model/limits.h"

void dockerfile_scope_init(struct arena *a, struct dockerfile_scope *scope,
			   const struct dockerfile *file, const struct expand_vars *given)
{
	*scope = (struct dockerfile_scope){ .file = file, .given = given };
	scope->stages = arena_array(a, file->stage_count, sizeof *scope->stages);
}

const struct expand_vars *dockerfile_scope_vars(const struct dockerfile_scope *scope,
						const struct dockerfile_instruction *in)
{
	if (in->stage < 0 || in->kind == DOCKERFILE_FROM)
		return &scope->global;
	return &scope->stages[in->stage];
}

void dockerfile_scope_expand(struct arena *a, const struct dockerfile_scope *scope,
			     const struct dockerfile_instruction *in, const char *text,
			     struct expansion *out)
{
	expand_word(a, dockerfile_scope_vars(scope, in), text, scope->file->escape, out);
}

static struct expand_vars *vars_of(struct dockerfile_scope *scope,
				   const struct dockerfile_instruction *in)
{
	return in->stage < 0 ? &scope->global : &scope->stages[in->stage];
}

static void inherit(struct arena *a, struct dockerfile_scope *scope, int32_t stage)
{
	int32_t parent = scope->file->stages[stage].parent;
	const struct expand_vars *from;

	if (parent < 0)
		return;
	from = &scope->stages[parent];
	for (size_t i = 0; i < from->count && scope->inherited < LIMIT_INHERITED; i++) {
		*ARENA_PUSH(a, &scope->stages[stage]) = from->items[i];
		scope->inherited++;
	}
}

/* ENV a=1 b=$a takes the older a: all values are made before any is set. */
static void set_env(struct arena *a, struct dockerfile_scope *scope,
		    const struct dockerfile_instruction *in)
{
	struct expand_vars *vars = vars_of(scope, in);
	struct expansion *values = arena_array(a, in->pair_count, sizeof *values);

	for (size_t i = 0; i < in->pair_count; i++)
		expand_word(a, vars, in->pairs[i].value ? in->pairs[i].value : "",
			    scope->file->escape, &values[i]);
	for (size_t i = 0; i < in->pair_count; i++) {
		const struct dockerfile_pair *pair = &in->pairs[i];
		struct expand_var *var =
			expand_set(a, vars, pair->name, values[i].text, pair->value_span);

		var->env = true;
		var->unsure = values[i].unresolved || values[i].error || pair->templated;
	}
}

static void set_arg(struct arena *a, struct dockerfile_scope *scope,
		    const struct dockerfile_instruction *in, const struct dockerfile_pair *pair)
{
	struct expand_vars *vars = vars_of(scope, in);
	const struct expand_var *given = expand_find(scope->given, pair->name);
	const struct expand_var *old = expand_find(vars, pair->name);
	const struct expand_var *global = expand_find(&scope->global, pair->name);
	struct expansion value = { 0 };

	if (old && old->env)
		return;
	if (pair->value)
		expand_word(a, vars, pair->value, scope->file->escape, &value);
	if (given) {
		expand_set(a, vars, pair->name, given->value, given->span);
	} else if (pair->value) {
		struct expand_var *var =
		    expand_set(a, vars, pair->name, value.text, pair->value_span);

		var->unsure = value.unresolved || value.error || pair->templated;
	} else if (global && in->stage >= 0) {
		struct expand_var copy = *global;

		*expand_set(a, vars, pair->name, NULL, pair->name_span) = copy;
	} else if (!old) {
		expand_set(a, vars, pair->name, NULL, pair->name_span);
	}
}

void dockerfile_scope_apply(struct arena *a, struct dockerfile_scope *scope,
			    const struct dockerfile_instruction *in)
{
	if (in->kind == DOCKERFILE_FROM && in->stage >= 0)
		inherit(a, scope, in->stage);
	else if (in->kind == DOCKERFILE_ENV)
		set_env(a, scope, in);
	for (size_t i = 0; in->kind == DOCKERFILE_ARG && i < in->pair_count; i++)
		set_arg(a, scope, in, &in->pairs[i]);
}

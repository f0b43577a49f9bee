/* Which ARG and ENV values hold at an instruction of a Dockerfile.
 *
 * Rules (BuildKit 2026-08): an ARG before the first FROM is seen by FROM lines only, until a stage
 * declares it again without a value; ENV beats ARG; a stage that starts from another one keeps its
 * ENV and ARG; the words of one instruction are expanded with what held before it. Values lie in
 * memory only and may be secrets: never copy them into facts or messages.
 * SPDX-License-Identifier: MIT */
#ifndef SYNTAX_DOCKERFILE_SCOPE_H
#define SYNTAX_DOCKERFILE_SCOPE_H

#include "src/syntax/dockerfile.h"
#include "src/syntax/expand.h"

struct dockerfile_scope {
	const struct dockerfile *file;
	struct expand_vars global;  /* the ARGs before the first FROM */
	struct expand_vars *stages; /* per stage, as they stand at its last applied instruction */
	const struct expand_vars *given; /* build arguments from outside; may be NULL */
	size_t inherited;                /* variables copied so far, at most LIMIT_INHERITED */
};

/* Starts before the first instruction. GIVEN (Compose build.args, --build-arg) outlives the scope. */
void dockerfile_scope_init(struct arena *a, struct dockerfile_scope *scope,
			   const struct dockerfile *file, const struct expand_vars *given);
/* Applies instruction IN after it was judged. Apply all instructions in order. */
void dockerfile_scope_apply(struct arena *a, struct dockerfile_scope *scope,
			    const struct dockerfile_instruction *in);
/* Expands a word of IN as it stands before IN is applied. */
void dockerfile_scope_expand(struct arena *a, const struct dockerfile_scope *scope,
			     const struct dockerfile_instruction *in, const char *text,
			     struct expansion *out);
/* The variables IN sees. */
const struct expand_vars *dockerfile_scope_vars(const struct dockerfile_scope *scope,
						const struct dockerfile_instruction *in);

#endif

/* Dockerfiles as BuildKit reads them, with the place of everything.
 *
 * Grammar: BuildKit frontend/dockerfile, 2026-08 (parser directives, continuation, heredocs, exec
 * and shell forms, flags). Nothing is expanded here; see expand.h and dockerfile_scope.h. A file
 * always gives a result: what BuildKit would refuse is a problem row and the instruction is kept.
 * Template text ({{ }}, {% %}, @NAME@) is marked, not refused. Everything lives in the arena.
 * SPDX-License-Identifier: MIT */
#ifndef SYNTAX_DOCKERFILE_H
#define SYNTAX_DOCKERFILE_H

#include "model/hash_index.h"
#include "model/problem.h"
#include "src/syntax/folded.h"

enum dockerfile_kind {
	DOCKERFILE_UNKNOWN,
	DOCKERFILE_TEMPLATE, /* a line that only a template engine understands */
	DOCKERFILE_ADD,
	DOCKERFILE_ARG,
	DOCKERFILE_CMD,
	DOCKERFILE_COPY,
	DOCKERFILE_ENTRYPOINT,
	DOCKERFILE_ENV,
	DOCKERFILE_EXPOSE,
	DOCKERFILE_FROM,
	DOCKERFILE_HEALTHCHECK,
	DOCKERFILE_LABEL,
	DOCKERFILE_MAINTAINER,
	DOCKERFILE_ONBUILD,
	DOCKERFILE_RUN,
	DOCKERFILE_SHELL,
	DOCKERFILE_STOPSIGNAL,
	DOCKERFILE_USER,
	DOCKERFILE_VOLUME,
	DOCKERFILE_WORKDIR,
	DOCKERFILE_KINDS
};

enum dockerfile_form {
	DOCKERFILE_WORDS, /* arguments separated by blanks */
	DOCKERFILE_PAIRS, /* name=value, or the old "name value" */
	DOCKERFILE_EXEC,  /* a JSON array of strings */
	DOCKERFILE_LINE,  /* one text: a shell command, or the single value of USER and the like */
};

struct dockerfile_word {
	const char *text; /* as written, quotes included; decoded in the exec form */
	struct span span;
	uint32_t at, length; /* position in the instruction's body, as written */
	bool templated;
};

struct dockerfile_flag {
	const char *name;  /* without the dashes */
	const char *value; /* NULL without '=' */
	struct span span;  /* the whole flag */
	bool templated;
};

struct dockerfile_pair {
	const char *name;  /* as written */
	const char *value; /* as written, quotes included; NULL for "ARG name" */
	struct span name_span, value_span;
	bool equals;       /* false in the old form */
	bool templated;
};

struct dockerfile_heredoc {
	const char *name;
	uint32_t descriptor; /* 0 as written without one */
	bool expand;         /* false when the name was quoted */
	bool chomp;          /* "<<-": leading tabs are dropped */
	bool terminated;
	struct span word;    /* the "<<NAME" in the instruction */
	struct span content; /* the lines, without the terminator; as written */
};

struct dockerfile_instruction {
	enum dockerfile_kind kind;
	const char *name; /* upper case */
	struct span name_span;
	struct span span; /* from the name to the last byte, heredocs included */
	uint32_t first_line, last_line;
	int32_t stage; /* from 0; -1 before the first FROM */
	bool templated;
	enum dockerfile_form form;
	struct folded body; /* everything after the flags, trimmed */
	struct dockerfile_flag *flags;
	size_t flag_count, flag_capacity;
	struct dockerfile_word *args; /* one word in the line form; none when the body is empty */
	size_t arg_count, arg_capacity;
	struct dockerfile_pair *pairs; /* ENV, LABEL, ARG */
	size_t pair_count, pair_capacity;
	struct dockerfile_heredoc *heredocs;
	size_t heredoc_count, heredoc_capacity;
	/* ONBUILD's instruction. HEALTHCHECK has its type ("CMD", "NONE") in word and the command in
	 * args; FROM has its stage name there when it gives one. */
	struct dockerfile_instruction *trigger;
	const char *word;
	struct span word_span;
	/* The comment lines directly above, first to last. */
	struct span *comments;
	size_t comment_count, comment_capacity;
};

struct dockerfile_stage {
	const char *base; /* as written, not expanded */
	const char *name; /* lower case, NULL without "AS" */
	const char *platform;
	struct span base_span;
	size_t from, end; /* instructions [from, end) */
	int32_t parent;   /* the earlier stage that base names, or -1 */
};

struct dockerfile_directive {
	const char *name; /* lower case: "syntax", "escape", "check" */
	const char *value;
	struct span span;
};

struct dockerfile {
	char escape;
	struct dockerfile_directive *directives;
	size_t directive_count, directive_capacity;
	struct dockerfile_instruction *items;
	size_t count, capacity;
	struct dockerfile_stage *stages;
	size_t stage_count, stage_capacity;
	struct hash_index stage_names; /* in lower case → the last of that name */
	bool templated; /* some part needs a template engine first */
	bool refused;   /* BuildKit would not accept the file */
};

void dockerfile_read(struct arena *a, const struct source *s, struct dockerfile *out,
		     struct problems *problems);

/* The upper-case name of KIND; "UNKNOWN" and "TEMPLATE" for the first two. */
const char *dockerfile_kind_name(enum dockerfile_kind kind);
/* The flag NAME (the last of equal ones), or NULL. */
const struct dockerfile_flag *dockerfile_flag(const struct dockerfile_instruction *in,
					      const char *name);
/* The part NAME of a comma separated flag value such as --mount's; "" for a part without '=';
 * NULL when it is not there. */
const char *dockerfile_flag_part(struct arena *a, const struct dockerfile_flag *flag,
				 const char *name);
/* The stage that TARGET names (by name or number), the last one for NULL; -1 for none. */
int32_t dockerfile_find_stage(const struct dockerfile *d, const char *target);
/* The text that documents NAME in the comments above an instruction, "" without one. */
const char *dockerfile_doc(struct arena *a, const struct source *s,
			   const struct dockerfile_instruction *in, const char *name);
/* True when LENGTH bytes hold a placeholder of a template engine. */
bool dockerfile_is_templated(const char *text, size_t length);

/* {"directives": …, "stages": …, "instructions": …, "problems": …} */
void dockerfile_to_json(struct buf *out, const struct source *s, const struct dockerfile *d,
			const struct problems *problems);

#endif

/* Shell text as a flat list of commands, without running or expanding anything.
 *
 * Tolerant on purpose: what no shell would accept still gives the commands that can be told apart.
 * Control words (if, then, do, {, …) are separators, function bodies are read where they stand, the
 * commands inside $(…), `…` and <(…) follow at the end of the list with parent set. Quotes and
 * escapes are removed from words; expansions are kept as written. Everything lies in the arena.
 * SPDX-License-Identifier: MIT */
#ifndef SYNTAX_SHELL_H
#define SYNTAX_SHELL_H

#include "src/syntax/dockerfile.h"
#include "src/syntax/folded.h"

enum shell_kind {
	SHELL_SIMPLE,
	SHELL_FOR,      /* words: for NAME in WORD… */
	SHELL_CASE,     /* words: case WORD in */
	SHELL_FUNCTION, /* words: NAME */
	SHELL_TEST,     /* words: [[ … ]] */
};

enum shell_connector {
	SHELL_START, /* the first command of the text or of a substitution */
	SHELL_SEQUENCE,
	SHELL_AND,
	SHELL_OR,
	SHELL_PIPE, /* reads what the command before it in the list writes */
};

struct shell_word {
	const char *text; /* unquoted; expansions as written */
	struct span span; /* as written */
	uint32_t at, length; /* position in the text, as written */
	bool literal;     /* no expansion of any kind in it */
	bool quoted;      /* some part was quoted or escaped */
	bool json;        /* a decoded word of an exec form */
};

struct shell_words {
	struct shell_word *items;
	size_t count, capacity;
};

struct shell_assignment {
	const char *name;
	bool append, array;
	struct shell_word value;      /* "" for an array */
	struct shell_words elements;  /* of an array */
	struct span span;
};

struct shell_redirect {
	char op[4];               /* "<" ">" ">>" "<<" "<<-" "<<<" ">&" "<&" "&>" ">|" "<>" */
	int descriptor;           /* -1 when none is written */
	struct shell_word target; /* the delimiter of a heredoc */
	struct span body;         /* of a heredoc, unset when its lines are not there */
	bool expand;              /* the heredoc's text is expanded */
};

struct shell_command {
	enum shell_kind kind;
	enum shell_connector before;
	bool background, negated;
	const char *keyword;  /* the control word before it ("then", "do", …), or NULL */
	const char *function; /* the function it stands in, or NULL */
	int32_t parent;       /* index of the command whose word holds it; -1 at the top */
	uint32_t depth;       /* open groups, ifs and loops around it */
	struct shell_words words;
	struct shell_assignment *assignments; /* before the first word */
	size_t assignment_count, assignment_capacity;
	struct shell_redirect *redirects;
	size_t redirect_count, redirect_capacity;
	struct span span; /* first to last byte, heredoc bodies not included */
};

enum shell_flavour {
	SHELL_POSIX, /* sh and bash */
	SHELL_MAKE,  /* a recipe: $$ is one dollar, $(…) is make's own variable */
};

struct shell {
	struct folded text;
	const char *interpreter; /* of a "#!" line, NULL without one */
	struct shell_command *items;
	size_t count, capacity;
	bool truncated; /* LIMIT_SHELL_COMMANDS was reached */
};

void shell_read(struct arena *a, const struct folded *text, enum shell_flavour flavour,
		struct shell *out);

/* The commands of RUN, CMD, ENTRYPOINT or HEALTHCHECK: the shell line, the exec form as one command,
 * or the lines of a RUN that is nothing but a heredoc. */
void shell_read_instruction(struct arena *a, const struct source *s,
			    const struct dockerfile_instruction *in, struct shell *out);

/* WORD's content as a text of its own, quotes removed, places kept: for sh -c 'TEXT', eval TEXT. */
struct folded shell_word_text(struct arena *a, const struct shell *sh,
			      const struct shell_word *word);
/* The word after -c when the words from FIRST on call a shell; NULL otherwise. */
const struct shell_word *shell_inline_script(const struct shell_command *c, size_t first);
/* The last part of a path. */
const char *shell_base_name(const char *path);

#endif

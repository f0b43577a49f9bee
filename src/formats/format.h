/* What a format is, and what formats may ask of the load.
 *
 * Stage 1 (`read`) runs file by file: it adds rows and facts that the file alone can give. Stage 2
 * (`join`) runs once for each format, in table order, after every file has been read: it joins files.
 * Formats add to the snapshot only through model/snapshot.h; bad input becomes problems of the artifact.
 * SPDX-License-Identifier: MIT */
#ifndef FORMATS_FORMAT_H
#define FORMATS_FORMAT_H

#include "model/secret.h"
#include "model/snapshot.h"
#include "src/syntax/syntax.h"

enum syntax {
	SYNTAX_TEXT, /* bytes only: the format parses input->source itself */
	SYNTAX_YAML,
	SYNTAX_JSON,
	SYNTAX_JSONC,
	SYNTAX_TOML,
};

/* One file as formats see it. */
struct input {
	struct artifact *artifact;
	const struct source *source;
	struct documents documents; /* parsed, when a claiming format's syntax is YAML or JSON */
	bool parsed;
	bool given; /* supplied on the command line from outside the tree (--env-file, --observed) */
	void *state[FORMAT_COUNT]; /* private to each format: what `read` keeps for `join` */
};

/* A file that one row sees and whose text stands in a file of the tree: a key of a ConfigMap, the
 * content of a Compose config. */
struct seen_text {
	const char *text;
	struct span span;
	struct source *part; /* made when it is first read */
};

struct workspace {
	struct snapshot *snapshot;
	struct {
		struct input **items; /* files read so far, in path order */
		size_t count, capacity;
	} inputs;
	struct hash_index input_paths; /* path → index in inputs */
	/* Opens another file of the tree by its path (relative to the root, normalised); reads and
	 * registers it as an input when it was not yet (its artifact becomes assessed as FORMAT). NULL when
	 * it does not exist or cannot be read. */
	struct input *(*open)(struct workspace *w, const char *path, enum format_id format);
	/* Whether the tree has an entry of this path (a directory counts). */
	bool (*exists)(struct workspace *w, const char *path);
	struct {
		struct seen_text *items;
		size_t count, capacity;
	} seen;
	struct hash_index seen_index; /* row and path → index in seen */
	void *host; /* private to the load */
};

struct format {
	enum format_id id;
	enum syntax syntax;
	/* Cheap look, before parsing: by path and by needles in the bytes. Must not miss; may be wrong.
	 * PATH decides whether the bytes are read at all: see `interested`. */
	bool (*claims)(const char *path, const char *bytes, size_t length);
	/* Whether a file of this path is worth reading; only then `claims` is asked. */
	bool (*interested)(const char *path);
	/* The decision, after parsing; NULL: a claim decides. */
	bool (*recognise)(const struct input *in);
	void (*read)(struct workspace *w, struct input *in); /* may be NULL */
	void (*join)(struct workspace *w);                   /* may be NULL */
};

extern const struct format *const format_list[]; /* NULL at the end; src/formats/list.c */

/* --- helpers for formats (src/formats/format.c) -------------------------------------------- */

/* The input of PATH among those read, or NULL (does not open). */
struct input *workspace_input(const struct workspace *w, const char *path);
/* Parses the file with SYNTAX when it has not been parsed yet. */
void input_parse(struct workspace *w, struct input *in, enum syntax syntax);
/* The file counts as assessed as FORMAT, when it is of no format yet. */
void input_assess(const struct input *in, enum format_id format);
/* Resolves RELATIVE against the folder FOLDER ("a" + "../c" → "c"); NULL when it leaves the root or
 * is absolute. Result in the arena. */
const char *path_join(struct arena *a, const char *folder, const char *relative);
/* The file or folder that NAME is below FOLDER or, else, below the root; NULL when it is at neither. */
const char *workspace_find(struct workspace *w, const char *folder, const char *name);
/* Folder part ("" at the root) of a path, in the arena; last part of a path. */
const char *path_folder(struct arena *a, const char *path);
const char *path_base(const char *path);
/* True when PATH ends in one of the blank-separated SUFFIXES (ASCII case ignored). */
bool path_ends(const char *path, const char *suffixes);
/* True when BYTES hold NEEDLE. */
bool bytes_hold(const char *bytes, size_t length, const char *needle);

/* Adds a fact from a scalar node; templated text ("{{", "${", "$(" …) sets the provenance. */
struct fact *fact_from_node(struct workspace *w, struct row *r, enum fact_kind kind,
			    const struct node *value);
/* Texts inside other files (src/formats/part.c). The source of TEXT, the value at SPAN of a file. */
struct source *part_add(struct workspace *w, const char *text, struct span span);
/* Row R finds TEXT, the value at SPAN, at the absolute PATH. TEXT is borrowed. */
void seen_add(struct workspace *w, const struct row *r, const char *path, const char *text,
	      struct span span);
/* The lines of what R finds at PATH; unset when nothing is known. */
struct span seen_find(struct workspace *w, const struct row *r, const char *path);

/* Adds a problem to the input's artifact. */
void input_problem(struct workspace *w, struct input *in, struct span span, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Adds FACT_ENV for NAME with the class of VALUE (NULL: passed through); the value is not stored.
 * Also emits what the variable means: ENGINE_HOST (DOCKER_HOST …), PROXY, SSH_AGENT. A secret inside a
 * literal value (a URL with a password) makes the variable secret. */
struct fact *env_fact(struct workspace *w, struct row *r, const char *name, const char *value,
		      struct span span);
/* Adds a fact of KIND (FACT_IMAGE, FACT_BASE_IMAGE …) with the parts of the reference. */
struct fact *image_fact(struct workspace *w, struct row *r, enum fact_kind kind,
			const char *reference, struct span span);

#endif

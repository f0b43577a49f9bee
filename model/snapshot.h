/* A snapshot: everything that one load of one tree gave; built once, then immutable.
 *
 * Ownership: all of it lives in `arena`; snapshot_free() gives it back. Until the load is finished the
 * building functions may add; pointers to rows and facts stay valid, because vectors hold pointers.
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_SNAPSHOT_H
#define MODEL_SNAPSHOT_H

#include "model/artifact.h"
#include "model/hash_index.h"
#include "model/row.h"
#include "model/scope.h"

struct finding;
struct unknown;

struct snapshot {
	struct arena arena;
	struct scope scope;
	struct {
		struct source **items; /* index = source id - 1 */
		size_t count, capacity;
	} sources;
	struct {
		struct artifact **items;
		size_t count, capacity;
	} artifacts;
	struct {
		struct row **items;
		size_t count, capacity;
	} rows;
	struct {
		struct finding **items; /* sorted by path, line, rule; severities order them in a match */
		size_t count, capacity;
	} findings;
	struct {
		struct unknown *items;
		size_t count, capacity;
	} unknowns;
	struct {
		struct possible_stack *items; /* that --compose-file can choose */
		size_t count, capacity;
	} stacks;
	struct string_list limits; /* "skipped node_modules: 1,204 files", … */
	struct hash_index row_keys, row_bases, artifact_paths;
	bool partial;              /* the load was stopped: said everywhere, no sign-off */
	bool finished;
	size_t files_seen;
};

void snapshot_free(struct snapshot *s);

/* --- building ----------------------------------------------------------------------------- */

struct artifact *snapshot_add_artifact(struct snapshot *s, const char *path);
/* Registers BYTES (already in the arena, UTF-8, NUL-terminated) as the source of a path. */
struct source *snapshot_add_source(struct snapshot *s, const char *path, const char *bytes,
				   uint32_t length);

struct row_spec {
	const char *path;        /* artifact path */
	const char *object_kind; /* third part of the key */
	const char *namespace;   /* may be NULL */
	const char *unit;        /* object name */
	const char *container;   /* container name; NULL or "" when the unit is the container */
	enum row_kind kind;
	enum row_role role;
	enum format_id format;
	uint32_t artifact;
	struct span span;
};
/* Adds a row with the key path#object_kind/namespace/unit/container; a key already in use gets a
 * "~2", "~3" … suffix, so that equal names stay distinguishable. */
struct row *snapshot_add_row(struct snapshot *s, const struct row_spec *spec);

/* Labels the rows of pods once all are there; until then a row's label is its name. */
void snapshot_label_rows(struct snapshot *s);
/* Adds a fact with value (copied, cut at LIMIT_SCALAR_SHOWN; NULL = "") and place. */
struct fact *snapshot_add_fact(struct snapshot *s, struct row *r, enum fact_kind kind,
			       const char *value, struct span span);
/* A fact by absence: DEFAULT_VALUE is what holds, NOTE names the default's source. */
struct fact *snapshot_add_absent(struct snapshot *s, struct row *r, enum fact_kind kind,
				 const char *default_value, struct span ancestor, const char *note);
/* Sets or replaces an attribute (copied); a NULL value is ignored. */
void snapshot_set_attribute(struct snapshot *s, struct fact *f, const char *name,
			    const char *value);
/* Appends an earlier place to the chain; PROVENANCE_EXPLICIT becomes PROVENANCE_OVERRIDDEN unless
 * the hop has a role of another layer ("image", "pod" …), which only adds the link. */
void snapshot_add_hop(struct snapshot *s, struct fact *f, struct span span, const char *value,
		      const char *role);
/* Copies fact F to another row (same value, place and chain). */
struct fact *snapshot_copy_fact(struct snapshot *s, struct row *to, const struct fact *f);
/* Puts LAST, the fact that was added last, in the place of OLD, which the row forgets. */
void snapshot_replace_fact(struct row *r, const struct fact *old, struct fact *last);

/* --- reading ------------------------------------------------------------------------------ */

const struct source *snapshot_source(const struct snapshot *s, uint32_t id);
const struct row *snapshot_row_by_key(const struct snapshot *s, const char *key);
const struct artifact *snapshot_artifact_by_path(const struct snapshot *s, const char *path);
/* Path and 1-based line of a span ("" and 0 for an empty one). */
const char *snapshot_path(const struct snapshot *s, struct span span);
uint32_t snapshot_line(const struct snapshot *s, struct span span);
uint32_t snapshot_end_line(const struct snapshot *s, struct span span);
uint32_t snapshot_column(const struct snapshot *s, struct span span);
/* True for rows of the inventory (all but ROW_OBJECT). */
bool row_is_workload(const struct row *r);

#endif

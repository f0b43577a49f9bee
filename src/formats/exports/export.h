/* Dated exports of running things; used inside src/formats/exports.
 *
 * Every fact of an export is in the observed layer. Secret values are dropped while reading.
 * SPDX-License-Identifier: MIT */
#ifndef FORMATS_EXPORTS_EXPORT_H
#define FORMATS_EXPORTS_EXPORT_H

#include "model/name_lists.h"
#include "src/formats/format.h"

/* Declared rows by what an export may call them. */
struct inspect_rows {
	struct name_lists services; /* "path\nname", and "\nname" for those of all files */
	struct name_lists names, images;
};

/* One container of an inspect export while it is read. */
struct inspect {
	struct workspace *w;
	const struct inspect_rows *rows;
	struct input *in;
	const struct node *top;  /* the container's object */
	const struct node *host; /* HostConfig */
	const struct node *config;
	bool podman;
	bool privileged;
	const char *name; /* without the leading slash */
	struct row *row;  /* the declared row that it matches, or its own */
};

/* Adds everything the object says to I->row. */
void inspect_facts(const struct inspect *i);
/* Lists the declared rows of the tree. */
void inspect_rows_list(struct inspect_rows *rows, struct workspace *w);
/* Finds the declared row of a container; NULL when there is none or more than one. *HOW says by
 * what it was found, or why not. */
struct row *inspect_match(const struct inspect *i, const char **how);

/* Marks the artifact as an export captured at WHEN (NULL when the file does not say). */
void export_mark(struct input *in, const char *when, const char *target);
/* True when the export lies among tests or examples: a sample of the format, no evidence of this
 * deployment. Says so as a problem of the file. A file named with --observed is never one. */
bool export_is_sample(struct workspace *w, struct input *in, struct span span);
/* Puts the facts of R from index FROM on into the observed layer. */
void export_observed(struct row *r, size_t from);
/* True for an RFC 3339 time that is not the engine's zero time. */
bool export_time(const char *text);

#endif

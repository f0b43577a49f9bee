/* The keys of a Compose file: what each may hold, how its short form is read and how files merge.
 *
 * Source: Compose specification, schema/compose-spec.json of 2026-06, with the keys of 2026-07
 * (pre_start, build.no_cache_filter). The table is a tree; every walk over a file follows it.
 * SPDX-License-Identifier: MIT */
#ifndef FORMATS_COMPOSE_SCHEMA_H
#define FORMATS_COMPOSE_SCHEMA_H

#include <stdbool.h>

enum cform {
	CFORM_ANY,
	CFORM_BOOLEAN, /* or text that reads as one */
	CFORM_TEXT,
	CFORM_SCALAR,  /* text, number or boolean, read as text */
	CFORM_INTEGER, /* or text that reads as one */
	CFORM_NUMBER,
	CFORM_BYTES, /* a number or text with a unit */
	CFORM_SIZE,  /* the same without fractions */
	CFORM_DURATION,
	CFORM_MODE,         /* file mode, octal when text */
	CFORM_COUNT_OR_ALL, /* a number, or "all" for -1 */
	CFORM_MAP,
	CFORM_LIST,
	CFORM_STRINGS,  /* text or a list of text */
	CFORM_PAIRS,    /* map, or list of NAME=value; a value may be missing */
	CFORM_SETTINGS, /* the same, a missing value is empty */
	CFORM_HOSTS,    /* map or list of name:address; becomes name → addresses */
	CFORM_SSH,      /* list or map of id=path; becomes a list */
	CFORM_NAMES,    /* list of names, or map by name */
	CFORM_DEPENDS,
	CFORM_COMMAND, /* text is split into words */
	CFORM_TEST,    /* text is a shell command */
	CFORM_BUILD,   /* text is the context */
	CFORM_EXTENDS, /* text is the service */
	CFORM_INCLUDE, /* text is the path */
	CFORM_PORTS,
	CFORM_VOLUME,
	CFORM_DEVICE,
	CFORM_MOUNT, /* secret or config of a service */
	CFORM_ENV_FILES,
	CFORM_ENV_FILE,
	CFORM_GPUS,
	CFORM_REQUEST, /* device request */
	CFORM_ULIMIT,
	CFORM_EXTERNAL, /* boolean, or a map with the name */
	CFORM_OPTION,   /* scalar or list of scalars */
	CFORM_COUNT,
};

enum cmerge {
	CMERGE_DEFAULT, /* maps merge, lists append, scalars are replaced */
	CMERGE_REPLACE,
	CMERGE_LOGGING, /* options are dropped when the driver changes */
	CMERGE_IPAM,    /* entries of the same subnet merge */
};

enum cunique {
	CUNIQUE_NONE,
	CUNIQUE_TEXT,
	CUNIQUE_TARGET,
	CUNIQUE_SECRET,
	CUNIQUE_CONFIG,
	CUNIQUE_PORT,
	CUNIQUE_PATH,
};

struct ckey {
	const char *name; /* "*": any name; NULL ends a table */
	enum cform form;
	const struct ckey *keys; /* of the map that it is or becomes */
	const struct ckey *item; /* of the list that it is or becomes */
	enum cmerge merge;
	enum cunique unique;
	bool path;            /* relative to the project directory */
	bool nullable;        /* may be written without a value */
	bool named;           /* the keys of the map are names of objects: letters, digits, "._-" */
	const char *required; /* blank separated keys that the map must have */
	const char *choices;  /* blank separated values, NULL for any */
};

/* The top of a file. */
extern const struct ckey compose_schema;

/* The row of KEY under PARENT, or NULL when PARENT does not know it. Keys that begin "x-" and keys
 * of free maps answer a row that takes anything. */
const struct ckey *schema_child(const struct ckey *parent, const char *key);

#endif

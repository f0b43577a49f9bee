/* What the review is about: root, revision, intended runtime; as given or as proposed by the files.
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_SCOPE_H
#define MODEL_SCOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct string_list {
	const char **items;
	size_t count, capacity;
};

/* One set of Compose files that may be the deployment. */
struct possible_stack {
	struct string_list files;  /* in order; none: what Compose loads by itself */
	const char *changes;       /* what its last file changes, "web: ports, user; new service db" */
	uint32_t source, offset;   /* where a command line names it; source 0: nowhere */
};

struct scope {
	const char *root;       /* base name, never an absolute path */
	const char *revision;   /* commit id in hex, or "" */
	const char *tree;       /* "clean", "dirty" or "not-git" */
	struct string_list changed; /* paths that make it dirty */
	const char *runtime;    /* docker|podman|containerd|cri-o|none, "" when not given */
	const char *os;         /* linux|windows|darwin, "" when not given */
	const char *kubernetes; /* "1.34", "" when not given: latest known is assumed and said so */
	const char *deployment; /* deployment version in the reviewer's words, or "" */
	struct string_list compose_files; /* --compose-file, in order */
	const char *project_directory;    /* of those files; NULL: the folder of the first */
	struct string_list profiles;
	struct string_list env_files;
};

#endif

/* Mounts as they are written for containers: the engine's "-v", the "--mount" fields and the short
 * form of Compose.
 *
 * Grammar: docker/cli opts/mount and moby daemon/volume/mounts (Linux), Compose specification. The
 * forms differ in what they refuse, so each has its own function; the result is one struct.
 * SPDX-License-Identifier: MIT */
#ifndef SYNTAX_VOLUME_SPEC_H
#define SYNTAX_VOLUME_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "model/arena.h"

enum volume_switch { VOLUME_UNSET, VOLUME_OFF, VOLUME_ON };

struct volume_pair {
	const char *key, *value;
};

struct volume_pairs {
	struct volume_pair *items;
	size_t count, capacity;
};

struct volume_spec {
	const char *error;  /* set when the text is refused; the rest is what was read so far */
	const char *type;   /* bind, volume, tmpfs, npipe, image, cluster */
	const char *source; /* "" without one */
	const char *target;
	enum volume_switch read_only;
	enum volume_switch create_host_path; /* bind */
	enum volume_switch nocopy;           /* volume */
	const char *propagation;             /* bind; NULL when not given */
	const char *recursive;               /* bind: enabled, disabled, writable, readonly */
	const char *selinux;                 /* "z", "Z" */
	const char *consistency;
	const char *subpath;                 /* volume, image */
	const char *driver;                  /* volume */
	struct volume_pairs labels, options; /* volume */
	int64_t tmpfs_size;                  /* bytes, 0 when not given */
	const char *tmpfs_mode;              /* four octal digits, NULL when not given */
};

/* A "volumes" item of Compose. Colons inside "${…}" do not split. */
struct volume_spec volume_parse_compose(struct arena *a, const char *text);
/* The argument of the engine's -v on Linux; a source that is no absolute path names a volume. */
struct volume_spec volume_parse_engine(struct arena *a, const char *text);
/* The argument of --mount. A relative bind source is left as it is written. */
struct volume_spec volume_parse_mount(struct arena *a, const char *text);

/* True for what Compose takes as a path: begins with '.', '/', '~', a drive letter or '\\'. */
bool volume_source_is_path(const char *source);

/* A size such as "64m", "1.5gb" or "1024" in bytes; false when it is none. */
bool size_parse(const char *text, int64_t *bytes);

#endif

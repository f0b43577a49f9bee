/* Questions about a FACT_MOUNT.
 * SPDX-License-Identifier: MIT */
#ifndef RULES_MOUNT_FACTS_H
#define RULES_MOUNT_FACTS_H

#include "model/eval.h"

/* Neutral names that a mount of a path with power over the host carries. */
#define SENSITIVE_MOUNT "sensitive-host-path host-path-any"
#define WRITABLE_MOUNT "sensitive-host-path host-path-writable host-path-any"
#include "src/rules/host_paths.h"

/* True when the source is a path of the host: a bind, a hostPath, a named pipe, a claim bound to one. */
bool mount_is_host(const struct fact *f);
/* Classes of the source; 0 unless it is a path of the host. */
unsigned mount_classes(const struct fact *f);
bool mount_is_writable(const struct fact *f);
/* "read-only" or "read-write". */
const char *mount_mode(const struct fact *f);
/* True when the mount is a path of the host of one of CLASSES. */
bool mount_has(const struct fact *f, unsigned classes);
/* The first mount of the row of one of CLASSES; recorded. NULL without one. */
const struct fact *mount_find(struct eval *e, unsigned classes);
/* Says "host path SOURCE is mounted MODE at TARGET" and CONSEQUENCE (may be NULL). */
void mount_say(struct eval *e, const struct fact *f, const char *consequence);
/* FIRES with mount_say() when the mount has CLASSES; UNKNOWN when ASK and its source says nothing. */
enum verdict mount_judge(struct eval *e, const struct fact *f, unsigned classes,
			 const char *consequence, bool ask);

#endif

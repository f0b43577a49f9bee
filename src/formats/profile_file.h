/* Seccomp and AppArmor profiles of the tree: what a supplied profile lets through.
 * SPDX-License-Identifier: MIT */
#ifndef FORMATS_PROFILE_FILE_H
#define FORMATS_PROFILE_FILE_H

#include "src/formats/format.h"

/* The file of the tree that holds the profile NAME for a file in FOLDER, or NULL. */
const char *seccomp_profile_find(struct workspace *w, const char *folder, const char *name);
const char *apparmor_profile_find(struct workspace *w, const char *folder, const char *name);

/* Adds one fact to R for each thing that weakens the profile at PATH: FACT_SECCOMP_WIDE, FACT_MAC_FLAG. */
void seccomp_profile_read(struct workspace *w, struct row *r, enum layer layer, const char *path);
void apparmor_profile_read(struct workspace *w, struct row *r, enum layer layer, const char *path,
			   const char *name);

#endif

/* SHA-256 of bytes, for artifact hashes, fingerprints and digests over marks.
 * SPDX-License-Identifier: MIT */
#ifndef REPO_DIGEST_H
#define REPO_DIGEST_H

#include "model/digest.h"

/* A digest_fn. */
void digest_sha256(const void *bytes, size_t length, unsigned char out[DIGEST_BYTES]);
/* Both steps at once. */
void digest_sha256_hex(const void *bytes, size_t length, char out[DIGEST_HEX]);

#endif

/* SHA-256 of bytes, for artifact hashes, fingerprints and digests over marks.
 * SPDX-License-Identifier: MIT */
#ifndef REPO_DIGEST_H
#define REPO_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define DIGEST_BYTES 32
#define DIGEST_HEX 65 /* with the NUL */

void digest_sha256(const void *bytes, size_t length, uint8_t out[DIGEST_BYTES]);
void digest_hex(const uint8_t digest[DIGEST_BYTES], char out[DIGEST_HEX]);
/* Both steps at once. */
void digest_sha256_hex(const void *bytes, size_t length, char out[DIGEST_HEX]);

#endif

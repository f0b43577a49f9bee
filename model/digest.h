/* The hash function that the pure core is given by its caller (SHA-256).
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_DIGEST_H
#define MODEL_DIGEST_H

#include <stddef.h>

#define DIGEST_BYTES 32
#define DIGEST_HEX (2 * DIGEST_BYTES + 1)

typedef void digest_fn(const void *bytes, size_t length, unsigned char out[DIGEST_BYTES]);

/* Lower-case hex with a NUL. */
void digest_hex(const unsigned char digest[DIGEST_BYTES], char out[DIGEST_HEX]);

#endif

/* SHA-256 through mbed TLS.
 * SPDX-License-Identifier: MIT */
#include "src/repo/digest.h"

#include <stdlib.h>

#include <mbedtls/sha256.h>
#include <mbedtls/version.h>

#if MBEDTLS_VERSION_MAJOR < 3
#define SHA256 mbedtls_sha256_ret
#else
#define SHA256 mbedtls_sha256
#endif

void digest_sha256(const void *bytes, size_t length, unsigned char out[DIGEST_BYTES])
{
	static const unsigned char nothing[1];

	/* A failure can only come from a broken hardware engine; a wrong hash must not go on. */
	if (SHA256(length ? bytes : nothing, length, out, 0) != 0)
		abort();
}

void digest_sha256_hex(const void *bytes, size_t length, char out[DIGEST_HEX])
{
	unsigned char digest[DIGEST_BYTES];

	digest_sha256(bytes, length, digest);
	digest_hex(digest, out);
}

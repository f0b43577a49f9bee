/* Hexadecimal form of a digest.
 * SPDX-License-Identifier: MIT */
#include "model/digest.h"

void digest_hex(const unsigned char digest[DIGEST_BYTES], char out[DIGEST_HEX])
{
	static const char hex[] = "0123456789abcdef";

	for (size_t i = 0; i < DIGEST_BYTES; i++) {
		out[2 * i] = hex[digest[i] >> 4];
		out[2 * i + 1] = hex[digest[i] & 15];
	}
	out[2 * DIGEST_BYTES] = '\0';
}

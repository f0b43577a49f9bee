/* What is fuzzed: one function a target, each fed arbitrary bytes.
 * SPDX-License-Identifier: MIT */
#ifndef FUZZ_TARGETS_H
#define FUZZ_TARGETS_H

#include <stddef.h>
#include <stdint.h>

struct fuzz_target {
	const char *name; /* also the folder of its corpus */
	void (*run)(const uint8_t *bytes, size_t length);
};
extern const struct fuzz_target fuzz_targets[]; /* a NULL name ends it */

#endif

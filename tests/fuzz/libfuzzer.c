/* Entry for a coverage-guided fuzzer; the target is chosen when it is built (-DTARGET="yaml").
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/targets.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	const struct fuzz_target *target = fuzz_targets;

	while (target->name && strcmp(target->name, TARGET) != 0)
		target++;
	if (!target->name)
		abort();
	target->run(bytes, length);
	return 0;
}

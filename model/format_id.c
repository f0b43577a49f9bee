/* Names of the formats.
 * SPDX-License-Identifier: MIT */
#include "model/format_id.h"

const struct format_info format_table[FORMAT_COUNT] = {
#define X(constant, short_name, long_name)                                                         \
	[FORMAT_##constant] = { .name = (short_name), .title = (long_name) },
	FORMAT_LIST(X)
#undef X
};

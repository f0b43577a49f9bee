/* Every format, in the order in which they are asked and joined.
 * SPDX-License-Identifier: MIT */
#include "src/formats/format.h"

const struct format *const format_list[] = {
	NULL,
};

/* Every format, in the order in which they are asked and joined.
 * SPDX-License-Identifier: MIT */
#include "src/formats/format.h"

extern const struct format format_compose;
extern const struct format format_helm;
extern const struct format format_k8s;
extern const struct format format_mcp;

const struct format *const format_list[] = {
	&format_compose,
	&format_k8s,
	&format_helm,
	&format_mcp,
	NULL,
};

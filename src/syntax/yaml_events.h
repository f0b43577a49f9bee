/* One libyaml event after another into node trees; used by yaml.c only.
 * SPDX-License-Identifier: MIT */
#ifndef SYNTAX_YAML_EVENTS_H
#define SYNTAX_YAML_EVENTS_H

#include <yaml.h>

#include "src/syntax/anchors.h"
#include "src/syntax/builder.h"
#include "src/syntax/marks.h"
#include "src/syntax/syntax.h"

enum yaml_result {
	YAML_GOES_ON,
	YAML_TOO_DEEP,
	YAML_TOO_MANY_NODES,
	YAML_TOO_MANY_DOCUMENTS,
	YAML_BROKEN, /* set by the caller when the parser refuses the text */
};

struct yaml_reader {
	struct builder builder;
	struct documents *out;
	struct marks marks;
	struct anchor *anchors;
	uint32_t at; /* offset of the last event, for problems */
};

enum yaml_result yaml_take(struct yaml_reader *r, const yaml_event_t *event);

#endif

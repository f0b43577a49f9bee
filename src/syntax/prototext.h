/* The text form of protocol buffers, as nsjail reads its configuration: fields in a flat list.
 * SPDX-License-Identifier: MIT */
#ifndef SYNTAX_PROTOTEXT_H
#define SYNTAX_PROTOTEXT_H

#include "model/problem.h"

struct proto_field {
	const char *name;
	const char *text; /* decoded value; NULL for a message */
	struct span key, value;
	int32_t parent; /* index of the message that holds it; -1 at the top */
};

struct proto {
	struct proto_field *items;
	size_t count, capacity;
};

/* Reads what can be read; the first thing that cannot is a problem and ends the reading. */
void proto_read(struct arena *a, const struct source *s, struct proto *out,
                struct problems *problems);
/* The last field NAME of message PARENT, or NULL. */
const struct proto_field *proto_find(const struct proto *p, int32_t parent, const char *name);

#endif

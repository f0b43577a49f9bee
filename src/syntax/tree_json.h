/* Node trees as JSON text, as `boundwalk parse yaml|json` prints them.
 * SPDX-License-Identifier: MIT */
#ifndef SYNTAX_TREE_JSON_H
#define SYNTAX_TREE_JSON_H

#include "model/buf.h"
#include "src/syntax/syntax.h"

/* Adds one object with a line feed: {"file", "documents": [NODE…], "failed", "problems": [{"line",
 * "column", "message"}…]}. A NODE has "kind", "line", "column", "offset", "length" and, where it has
 * them, "style", "tag", "anchor"; a scalar "text", an alias "target" (its line and column, or null),
 * a sequence "items": [NODE…], a map "items": [{"key": NODE, "value": NODE}…]. Aliases are not
 * expanded. Bytes that are not UTF-8 become U+FFFD. */
void tree_json_write(struct buf *out, const struct source *s, const struct documents *documents,
		     const struct problems *problems);

#endif

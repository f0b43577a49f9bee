/* Kinds of `parse` that read a text from the command line, and the one that must not show values.
 * SPDX-License-Identifier: MIT */
#ifndef SRC_CMD_PARSE_H
#define SRC_CMD_PARSE_H

#include "model/arena.h"
#include "model/buf.h"
#include "model/problem.h"

/* One JSON object, without a line feed. False when TEXT is refused: the object then has "error". */
typedef bool parse_text_fn(struct arena *a, const char *text, struct buf *out);

parse_text_fn parse_image_text, parse_port_text, parse_volume_text, parse_run_text;
/* Names, places and classes of an environment file; never a value. */
void parse_env_source(struct arena *a, const struct source *s, struct buf *out,
		      struct problems *problems);

#endif

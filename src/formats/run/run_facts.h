/* What a container command line says about its container, option by option.
 *
 * Used for MCP servers, launch scripts, runArgs of dev containers, options of workflow containers
 * and PodmanArgs of quadlets. Each fact's place is the option's own argument.
 * SPDX-License-Identifier: MIT */
#ifndef FORMATS_RUN_RUN_FACTS_H
#define FORMATS_RUN_RUN_FACTS_H

#include "src/formats/format.h"
#include "src/syntax/docker_run.h"

/* Adds the facts of RUN's options to R. Unknown words in option position make the row's silence
 * unknown: see RUN->opaque. */
void run_option_facts(struct workspace *w, struct row *r, const struct docker_run *run);
/* As above, with image, command and, for everything not said, the engine's defaults at ANCESTOR. */
void run_facts(struct workspace *w, struct row *r, const struct docker_run *run,
               struct span ancestor);

#endif

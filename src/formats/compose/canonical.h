/* What the files that turn short forms into long ones share.
 * SPDX-License-Identifier: MIT */
#ifndef FORMATS_COMPOSE_CANONICAL_H
#define FORMATS_COMPOSE_CANONICAL_H

#include "src/formats/compose/load.h"

/* An empty map at the place of V, with its flags. */
struct cvalue *canonical_map(struct cload *c, const struct cvalue *v);
/* Sets KEY to TEXT at the place of LIKE, with its flags. */
void canonical_text(struct cload *c, struct cvalue *map, const char *key, const struct cvalue *like,
                    const char *text);
/* A list of ports, ranges expanded. */
struct cvalue *canonical_ports(struct cload *c, struct cvalue *v, const struct ckey *key,
                               const struct cplace *place);

#endif

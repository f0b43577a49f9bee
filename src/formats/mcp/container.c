/* Servers that run in a container: "docker run -i --rm IMAGE".
 * SPDX-License-Identifier: MIT */
#include "src/formats/mcp/mcp.h"

void mcp_read_container(struct mcp_server *s, const struct argv *v, size_t at)
{
	mcp_set(s, mcp_fact(s, FACT_SANDBOX, "on", v->items[at].span), "product",
		argv_program(&s->w->snapshot->arena, v->items[at].text));
}

/* Proxies in front of an engine's socket: what their variables let through.
 *
 * Names and defaults: Tecnativa/docker-socket-proxy 0.3 and linuxserver/docker-socket-proxy of
 * 2025; what is not set is refused, but for events, ping and version. SPDX-License-Identifier: MIT
 */
#include <string.h>
#include <strings.h>

#include "src/formats/compose/rows.h"

static const char *const permissions[] = {
	"POST",         "CONTAINERS", "EXEC",        "VOLUMES",    "BUILD",
	"IMAGES",       "NETWORKS",   "SECRETS",     "CONFIGS",    "SERVICES",
	"SWARM",        "SYSTEM",     "INFO",        "NODES",      "PLUGINS",
	"TASKS",        "AUTH",       "COMMIT",      "GRPC",       "SESSION",
	"DISTRIBUTION", "EVENTS",     "ALLOW_START", "ALLOW_STOP", "ALLOW_RESTARTS",
};

static bool is_permission(const char *name)
{
	for (size_t i = 0; i < sizeof permissions / sizeof *permissions; i++)
		if (strcmp(permissions[i], name) == 0)
			return true;
	return false;
}

static void permission(const struct crow *r, const struct cmember *m)
{
	const char *text = cvalue_text(m->value);
	bool on = text && (strcmp(text, "1") == 0 || strcasecmp(text, "true") == 0);
	struct fact *f;

	if (!text || !is_permission(m->key))
		return;
	f = crow_fact_text(r, FACT_SOCKET_PROXY, m->key, m->value);
	if (!m->value->unresolved)
		crow_attribute(r, f, "enabled", on ? "true" : "false");
}

void crow_socket_proxy(const struct crow *r)
{
	const struct cvalue *environment = cvalue_get(r->service, "environment");
	const struct cvalue *files = cvalue_get(r->service, "env_file");
	const char *image = crow_text(r, "image");

	if (!image || !strstr(image, "socket-proxy"))
		return;
	for (size_t i = 0; cvalue_is_map(environment) && i < environment->count; i++)
		permission(r, &environment->items[i]);
	if (cvalue_count(files) && !cvalue_count(environment))
		crow_attribute(r, crow_fact_text(r, FACT_SOCKET_PROXY, "env_file", files),
		               "supplied", "false");
}

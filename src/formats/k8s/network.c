/* Ports of a container.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/k8s.h"

#include <string.h>

static void read_port(const struct k8s_target *t, const struct node *item)
{
	const struct node *port = k8s_get(item, "containerPort"), *host = k8s_get(item, "hostPort");
	const char *protocol = k8s_text(item, "protocol");
	struct fact *f;

	if (port) {
		f = k8s_fact(t, FACT_CONTAINER_PORT, port, NULL);
		k8s_set(t, f, "name", k8s_text(item, "name"));
		k8s_set(t, f, "protocol", protocol ? protocol : "TCP");
	}
	if (node_text(host) && *node_text(host) && !node_is(host, "0")) {
		f = k8s_fact(t, FACT_HOST_PORT, host, NULL);
		if (port)
			snapshot_add_hop(t->w->snapshot, f, k8s_place(item, "containerPort"), NULL,
					 "container port");
		k8s_set(t, f, "host_ip", k8s_text(item, "hostIP") ? k8s_text(item, "hostIP") : "");
		k8s_set(t, f, "protocol", protocol ? protocol : "TCP");
	}
}

/* With the host's network every container port is a port of the node. */
void k8s_read_network(const struct k8s_target *t)
{
	const struct node *list = k8s_seq(t->container, "ports");

	for (uint32_t i = 0; i < node_count(list); i++)
		if (node_is_map(node_at(list, i)))
			read_port(t, node_at(list, i));
}

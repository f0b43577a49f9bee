/* KubeletConfiguration: who reaches the node's own interface, and what containers get by default.
 *
 * Source: kubelet.config.k8s.io/v1beta1 of 1.36. In a file anonymous requests are off, authorization is Webhook
 * and the read-only port closed unless it says otherwise.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/objects.h"

void k8s_read_kubelet(struct workspace *w, struct k8s_object *o)
{
	static const struct {
		const char *above[2], *key, *name;
	} settings[] = {
		{ { "authentication", "anonymous" }, "enabled", "authentication.anonymous.enabled" },
		{ { "authorization", NULL }, "mode", "authorization.mode" },
		{ { NULL, NULL }, "readOnlyPort", "readOnlyPort" },
		{ { NULL, NULL }, "seccompDefault", "seccompDefault" },
	};

	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		const struct node *map = o->node;

		for (size_t a = 0; a < 2 && settings[i].above[a]; a++)
			map = k8s_map(map, settings[i].above[a]);
		if (k8s_text(map, settings[i].key))
			k8s_object_fact(w, o, FACT_DAEMON_DEFAULT,
					arena_printf(&w->snapshot->arena, "%s=%s", settings[i].name,
						     k8s_text(map, settings[i].key)),
					k8s_place(map, settings[i].key));
	}
}

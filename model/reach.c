/* Where findings lead, and the words for it.
 * SPDX-License-Identifier: MIT */
#include "model/reach.h"

#include <string.h>

const char *const reach_target_names[REACH_TARGET_COUNT] = {
	[REACH_HOST] = "host root",
	[REACH_CLUSTER] = "cluster rights",
	[REACH_SECRETS] = "secrets of other workloads",
	[REACH_CLOUD] = "cloud identity of the node",
	[REACH_CREDENTIALS] = "files and credentials of the user",
	[REACH_NETWORK] = "open network with credentials",
};

/* Rules that show a step over the boundary by themselves; blank-separated. */
static const char *const leads[REACH_TARGET_COUNT] = {
	[REACH_HOST] = (" docker-socket runtime-socket api-socket-flag x-group-plus-socket "
		       "x-nonroot-docker-socket x-socket-ro x-dind-privileged privileged-container "
		       "host-root-mount host-system-write host-kubelet-dir host-runtime-data "
		       "host-proc-sys x-hostpid-root x-hostpid-ptrace host-enter-command "),
	[REACH_CLUSTER] = (" x-token-cluster-admin rbac-cluster-admin rbac-wildcard rbac-escalate "
			  "rbac-create-pods rbac-exec rbac-nodes-proxy rbac-csr-token-webhook "),
	[REACH_SECRETS] = " rbac-secrets rbac-secrets-create ",
	[REACH_CLOUD] = " x-metadata-noderole ",
	[REACH_CREDENTIALS] = " host-cred-dir host-home mcp-root-wide user-podman-socket ",
	[REACH_NETWORK] = " x-secrets-open-egress ",
};

enum reach_target reach_of(const struct rule *rule)
{
	size_t length = strlen(rule->slug);

	for (unsigned target = 0; target < REACH_TARGET_COUNT; target++)
		for (const char *at = leads[target]; (at = strstr(at, rule->slug)); at += length)
			if (at[-1] == ' ' && at[length] == ' ')
				return (enum reach_target)target;
	return REACH_TARGET_COUNT;
}

void path_via(const struct path *p, struct buf *out)
{
	for (size_t i = 0; i < p->hops.count; i++) {
		size_t k = 0;

		while (k < i && p->hops.items[k]->rule != p->hops.items[i]->rule)
			k++;
		if (k == i)
			buf_printf(out, "%s%s", i ? ", " : "", p->hops.items[i]->rule->slug);
	}
}

/* The rule tables: one or more a field.
 * SPDX-License-Identifier: MIT */
#ifndef RULES_RULES_H
#define RULES_RULES_H

#include "model/eval.h"

/* How a former state comes back: what the finding's reader does to undo a fix. */
#define RESTORE_KEY \
	"Put the former key back in the file from the finding's stored excerpt, then " \
	"recreate the container or re-apply the manifest."
#define RESTORE_MANIFEST \
	"Re-apply the previous manifest revision (kubectl rollout undo needs the cluster " \
	"owner's go-ahead)."
#define RESTORE_LINES \
	"Put the former lines back from the finding's stored excerpt and re-apply the " \
	"manifest."
#define RESTORE_COMMIT \
	"Revert the commit and redeploy; the finding stores the former lines and their " \
	"sha256."
#define RESTORE_SETTINGS \
	"Restore the settings file from version control and restart the agent session."
#define RESTORE_NOTHING \
	"Nothing was changed; close the check as unavailable if the evidence cannot be had."

/* Formats that describe a container of an engine by its own options. */
#define FORMATS_RUN                                                                                \
	(FORMAT_BIT(RUN) | FORMAT_BIT(INSPECT) | FORMAT_BIT(DEVCONTAINER) | FORMAT_BIT(MCP) |      \
	 FORMAT_BIT(QUADLET) | FORMAT_BIT(ECS) | FORMAT_BIT(OCI) | FORMAT_BIT(WORKFLOW) |          \
	 FORMAT_BIT(RUNTIME_EXPORT))
#define FORMATS_K8S (FORMAT_BIT(K8S) | FORMAT_BIT(HELM) | FORMAT_BIT(KUSTOMIZE))
/* Rights are judged on the objects that grant them and on the workloads that hold them. */
#define FORMATS_RBAC (FORMAT_BIT(RBAC) | FORMATS_K8S)
#define FORMATS_DAEMON (FORMAT_BIT(DAEMON_JSON) | FORMAT_BIT(ENGINE_INFO))

/* X(name of the table) */
#define RULE_TABLES(X)                                                                             \
	X(rules_agent_position)                                                                    \
	X(rules_api_authority)                                                                     \
	X(rules_api_authority_more)                                                                \
	X(rules_build)                                                                             \
	X(rules_capabilities)                                                                      \
	X(rules_computed)                                                                          \
	X(rules_control_channels)                                                                  \
	X(rules_credentials)                                                                       \
	X(rules_devices)                                                                           \
	X(rules_egress)                                                                            \
	X(rules_egress_more)                                                                       \
	X(rules_enforcement)                                                                       \
	X(rules_entry_chain)                                                                       \
	X(rules_host_namespaces)                                                                   \
	X(rules_identity)                                                                          \
	X(rules_image)                                                                             \
	X(rules_ingress)                                                                           \
	X(rules_isolation)                                                                         \
	X(rules_mac_profile)                                                                       \
	X(rules_mounts)                                                                            \
	X(rules_privilege_gain)                                                                    \
	X(rules_resources)                                                                         \
	X(rules_root_fs)                                                                           \
	X(rules_sandbox)                                                                           \
	X(rules_services)                                                                          \
	X(rules_syscall_filter)                                                                    \
	X(rules_volumes)                                                                           \
	X(rules_x_capabilities)

#define X(table)                                                                                   \
	extern const struct rule table[];                                                          \
	extern const size_t table##_count;
RULE_TABLES(X)
#undef X

enum {
#define X(table) RULE_TABLE_##table,
	RULE_TABLES(X)
#undef X
	RULE_TABLE_COUNT,
};

/* Fills OUT with all tables. */
void rules_tables(struct rule_table out[RULE_TABLE_COUNT]);
/* The rule of this slug, or NULL. */
const struct rule *rules_find(const char *slug);

#endif

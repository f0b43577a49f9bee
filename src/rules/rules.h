/* The rule tables, one a field, and the predicates' shared helpers.
 * SPDX-License-Identifier: MIT */
#ifndef RULES_RULES_H
#define RULES_RULES_H

#include "model/eval.h"

extern const struct rule rules_agent_position[];
extern const size_t rules_agent_position_count;
extern const struct rule rules_image[];
extern const size_t rules_image_count;
extern const struct rule rules_entry_chain[];
extern const size_t rules_entry_chain_count;
extern const struct rule rules_isolation[];
extern const size_t rules_isolation_count;
extern const struct rule rules_identity[];
extern const size_t rules_identity_count;
extern const struct rule rules_privilege_gain[];
extern const size_t rules_privilege_gain_count;
extern const struct rule rules_capabilities[];
extern const size_t rules_capabilities_count;
extern const struct rule rules_syscall_filter[];
extern const size_t rules_syscall_filter_count;
extern const struct rule rules_mac_profile[];
extern const size_t rules_mac_profile_count;
extern const struct rule rules_host_namespaces[];
extern const size_t rules_host_namespaces_count;
extern const struct rule rules_root_fs[];
extern const size_t rules_root_fs_count;
extern const struct rule rules_mounts[];
extern const size_t rules_mounts_count;
extern const struct rule rules_control_channels[];
extern const size_t rules_control_channels_count;
extern const struct rule rules_devices[];
extern const size_t rules_devices_count;
extern const struct rule rules_ingress[];
extern const size_t rules_ingress_count;
extern const struct rule rules_egress[];
extern const size_t rules_egress_count;
extern const struct rule rules_credentials[];
extern const size_t rules_credentials_count;
extern const struct rule rules_api_authority[];
extern const size_t rules_api_authority_count;
extern const struct rule rules_resources[];
extern const size_t rules_resources_count;
extern const struct rule rules_enforcement[];
extern const size_t rules_enforcement_count;

#define RULE_TABLE_COUNT FIELD_COUNT
/* Fills OUT with the twenty tables in field order. */
void rules_tables(struct rule_table out[RULE_TABLE_COUNT]);
/* The rule of this slug, or NULL. */
const struct rule *rules_find(const char *slug);

#endif

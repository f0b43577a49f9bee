/* All rule tables together.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

#include <string.h>

void rules_tables(struct rule_table out[RULE_TABLE_COUNT])
{
	out[FIELD_AGENT_POSITION] = (struct rule_table){ rules_agent_position, rules_agent_position_count };
	out[FIELD_IMAGE] = (struct rule_table){ rules_image, rules_image_count };
	out[FIELD_ENTRY_CHAIN] = (struct rule_table){ rules_entry_chain, rules_entry_chain_count };
	out[FIELD_ISOLATION] = (struct rule_table){ rules_isolation, rules_isolation_count };
	out[FIELD_IDENTITY] = (struct rule_table){ rules_identity, rules_identity_count };
	out[FIELD_PRIVILEGE_GAIN] = (struct rule_table){ rules_privilege_gain, rules_privilege_gain_count };
	out[FIELD_CAPABILITIES] = (struct rule_table){ rules_capabilities, rules_capabilities_count };
	out[FIELD_SYSCALL_FILTER] = (struct rule_table){ rules_syscall_filter, rules_syscall_filter_count };
	out[FIELD_MAC_PROFILE] = (struct rule_table){ rules_mac_profile, rules_mac_profile_count };
	out[FIELD_HOST_NAMESPACES] = (struct rule_table){ rules_host_namespaces, rules_host_namespaces_count };
	out[FIELD_ROOT_FS] = (struct rule_table){ rules_root_fs, rules_root_fs_count };
	out[FIELD_MOUNTS] = (struct rule_table){ rules_mounts, rules_mounts_count };
	out[FIELD_CONTROL_CHANNELS] = (struct rule_table){ rules_control_channels, rules_control_channels_count };
	out[FIELD_DEVICES] = (struct rule_table){ rules_devices, rules_devices_count };
	out[FIELD_INGRESS] = (struct rule_table){ rules_ingress, rules_ingress_count };
	out[FIELD_EGRESS] = (struct rule_table){ rules_egress, rules_egress_count };
	out[FIELD_CREDENTIALS] = (struct rule_table){ rules_credentials, rules_credentials_count };
	out[FIELD_API_AUTHORITY] = (struct rule_table){ rules_api_authority, rules_api_authority_count };
	out[FIELD_RESOURCES] = (struct rule_table){ rules_resources, rules_resources_count };
	out[FIELD_ENFORCEMENT] = (struct rule_table){ rules_enforcement, rules_enforcement_count };
}

const struct rule *rules_find(const char *slug)
{
	struct rule_table tables[RULE_TABLE_COUNT];

	rules_tables(tables);
	for (size_t t = 0; t < RULE_TABLE_COUNT; t++)
		for (size_t i = 0; i < tables[t].count; i++)
			if (strcmp(tables[t].rules[i].slug, slug) == 0)
				return &tables[t].rules[i];
	return NULL;
}

/* Rules of the field agent_position.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

const struct rule rules_agent_position[] = {
	{
		.slug = "approvals-bypassed",
		.field = FIELD_AGENT_POSITION,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"--dangerously-skip-permissions, permission mode bypassPermissions, "
			"approval_policy=never, Gemini --yolo or approval mode yolo, global "
			"auto-approve",
		.consequence =
			"No person stands between a model decision and its effect, so the OS "
			"boundary is the only control left.",
		.fix =
			"Keep the bypass only where the row's isolation fields are observed, "
			"otherwise use on-request approvals.",
		.compatibility =
			"Unattended runs need an allow list instead.",
		.owner =
			"agent operator",
		.restore =
			"Restore the settings file from version control and restart the agent "
			"session.",
		.formats = FORMAT_BIT(AGENT_SETTINGS) | FORMAT_BIT(CLI),
		.task_context = true,
		.concepts = "",
	},
	{
		.slug = "privileged-helper",
		.field = FIELD_AGENT_POSITION,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"the agent can call a service, sudo script or API whose own row is "
			"missing or wider than the agent's",
		.consequence =
			"The agent acts outside its box through that helper; the helper's row "
			"is the real boundary.",
		.fix =
			"Add the helper as a row, and narrow its accepted requests.",
		.compatibility =
			"None until narrowed.",
		.owner =
			"service owner",
		.restore =
			"Nothing was changed; close the check as unavailable if the evidence "
			"cannot be had.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(K8S) | FORMAT_BIT(SCRIPT) |
			   FORMAT_BIT(MCP) | FORMAT_BIT(INSPECT),
		.concepts = "",
	},
	{
		.slug = "mcp-auto-trusted",
		.field = FIELD_AGENT_POSITION,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"project-level server definitions start without consent: "
			"enableAllProjectMcpServers, Gemini trust: true, chat.mcp.autostart, "
			"sandboxEnabled auto-approval",
		.consequence =
			"A repository change adds code that starts by itself.",
		.fix =
			"Require per-server approval and pin the file's hash.",
		.compatibility =
			"One prompt per change.",
		.owner =
			"agent operator",
		.restore =
			"Restore the settings file from version control and restart the agent "
			"session.",
		.formats = FORMAT_BIT(MCP) | FORMAT_BIT(AGENT_SETTINGS),
		.concepts = "mcp-excessive-tool-permission",
	},
	{
		.slug = "subprocess-wider",
		.field = FIELD_AGENT_POSITION,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"computed: a tool or helper row has a wider value than its parent agent "
			"row in mounts, control_channels, egress, credentials or identity; high "
			"when the wider field is control_channels, credentials or identity",
		.consequence =
			"The agent's effective access is the union of its own row and this one.",
		.fix =
			"Narrow the tool row, or treat the union as the agent's boundary.",
		.compatibility =
			"Depends on the tool.",
		.owner =
			"service owner",
		.restore =
			"Nothing was changed; close the check as unavailable if the evidence "
			"cannot be had.",
		.formats = FORMAT_ALL,
		.concepts = "",
	},
};

const size_t rules_agent_position_count = sizeof rules_agent_position / sizeof *rules_agent_position;

/* Rules of the field privilege_gain.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

const struct rule rules_privilege_gain[] = {
	{
		.slug = "privileged-container",
		.field = FIELD_PRIVILEGE_GAIN,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"privileged: true, --privileged, devcontainer privileged, "
			"DOCKER_MCP_IN_DIND=1 for the MCP gateway",
		.consequence =
			"All capabilities, all host devices, writable /sys, no masked paths, no "
			"seccomp and no default LSM profile: root here is root on the host (in "
			"a rootless or remapped engine, the mapped user).",
		.fix =
			"Remove the flag and add the one capability or device that the error "
			"message names.",
		.compatibility =
			"Nested Docker, FUSE or device work must be rearranged.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(DEVCONTAINER) | FORMAT_BIT(MCP) | FORMAT_BIT(INSPECT),
		.concepts = "privileged-container",
	},
	{
		.slug = "nnp-missing",
		.field = FIELD_PRIVILEGE_GAIN,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"Docker/Compose without no-new-privileges in security_opt and daemon "
			"default off; systemd without NoNewPrivileges=",
		.consequence =
			"Set-uid binaries and file capabilities in the image still raise "
			"privilege.",
		.fix =
			"Add no-new-privileges:true (or NoNewPrivileges=yes).",
		.compatibility =
			"sudo, ping with file caps and su stop working.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(SYSTEMD) |
			   FORMAT_BIT(DEVCONTAINER) | FORMAT_BIT(INSPECT),
		.concepts = "privilege-escalation-allowed",
	},
	{
		.slug = "ape-not-false",
		.field = FIELD_PRIVILEGE_GAIN,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"allowPrivilegeEscalation unset or true in any container kind (the API "
			"refuses false next to privileged: true or an added CAP_SYS_ADMIN)",
		.consequence =
			"The no_new_privs flag is not set, so set-uid programs keep their "
			"effect.",
		.fix =
			"Set it to false on every container.",
		.compatibility =
			"Same as nnp-missing.",
		.owner =
			"service owner",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S),
		.concepts = "privilege-escalation-allowed",
	},
	{
		.slug = "sudo-nopasswd",
		.field = FIELD_PRIVILEGE_GAIN,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"Dockerfile or cloud-init writes NOPASSWD sudoers for the agent user; "
			"severity high when the rule is ALL",
		.consequence =
			"The non-root user is root whenever it wishes.",
		.fix =
			"Limit the rule to one root-owned script with no arguments, or drop it.",
		.compatibility =
			"Self-service package installs stop.",
		.owner =
			"image maintainer",
		.restore =
			"Revert the commit and redeploy; the finding stores the former lines "
			"and their sha256.",
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(DEVCONTAINER),
		.concepts = "sudo-used",
	},
	{
		.slug = "setuid-added",
		.field = FIELD_PRIVILEGE_GAIN,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"chmod u+s, chmod 4xxx, setcap in the Dockerfile",
		.consequence =
			"A path to extra privilege is built into the image.",
		.fix =
			"Remove the bit or the capability.",
		.compatibility =
			"The tool needs another way to do its privileged step.",
		.owner =
			"image maintainer",
		.restore =
			"Revert the commit and redeploy; the finding stores the former lines "
			"and their sha256.",
		.formats = FORMAT_BIT(DOCKERFILE),
		.concepts = "",
	},
	{
		.slug = "x-ape-setuid",
		.field = FIELD_PRIVILEGE_GAIN,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"escalation allowed AND set-uid, file capabilities or sudo in the image",
		.consequence =
			"The non-root user becomes container root at will, with the bounding "
			"set the runtime left.",
		.fix =
			"Forbid escalation.",
		.compatibility =
			"sudo stops.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(INSPECT),
		.combination = true,
		.concepts = "",
	},
	{
		.slug = "security-context-absent",
		.field = FIELD_PRIVILEGE_GAIN,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"neither the pod nor the container nor the service states any security "
			"setting",
		.consequence =
			"Every protection of this row is the default of a runtime that is not "
			"part of the supplied evidence.",
		.fix =
			"State user, escalation, capabilities and seccomp for the row.",
		.compatibility =
			"Images that need root or default capabilities must be named.",
		.owner =
			"service owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(K8S) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(INSPECT),
		.concepts = "security-context-missing",
	},
};

const size_t rules_privilege_gain_count = sizeof rules_privilege_gain / sizeof *rules_privilege_gain;

/* Rules of the field privilege gain.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

#include "src/rules/judge.h"

static enum verdict privileged_container(struct eval *e, const struct fact *f)
{
	enum verdict verdict = judge_true(e, f);

	if (verdict == VERDICT_FIRES)
		eval_say(e, "the container is privileged: every capability and device, no default "
			    "seccomp or AppArmor profile; dropping capabilities has no effect "
			    "beside it");
	return verdict;
}

static enum verdict nnp_missing(struct eval *e, const struct fact *f)
{
	enum verdict verdict = judge_not_true(e, f);

	if (verdict == VERDICT_FIRES)
		eval_say(e, f->provenance == PROVENANCE_ABSENT
				    ? "no-new-privileges is not set"
				    : "no-new-privileges is switched off");
	return verdict;
}

static enum verdict ape_not_false(struct eval *e, const struct fact *f)
{
	if (row_is_windows(e))
		return VERDICT_NOT_APPLICABLE;
	if (fact_truth(f) == TRI_FALSE)
		return VERDICT_QUIET;
	if (!fact_is_known(f))
		return VERDICT_UNKNOWN;
	eval_say(e, "%s%s",
		 f->provenance == PROVENANCE_ABSENT
			 ? "allowPrivilegeEscalation is not set; by default it is true"
			 : "allowPrivilegeEscalation is true",
		 row_is_privileged(e) ? "; the API takes false only once privileged is gone" : "");
	return VERDICT_FIRES;
}

static enum verdict sudo_nopasswd(struct eval *e, const struct fact *f)
{
	if (row_is_spare_stage(e) || !attribute_true(f, "nopasswd"))
		return VERDICT_QUIET;
	if (attribute_true(f, "all"))
		eval_severity(e, SEVERITY_HIGH);
	eval_say(e, "sudo without a password%s: %s",
		 attribute_true(f, "all") ? " for every command" : "", f->value);
	return VERDICT_FIRES;
}

static enum verdict sudo_in_use(struct eval *e, const struct fact *f)
{
	static const char *const words[] = { "sudo", NULL };

	if (f->kind == FACT_SUDO)
		return attribute_true(f, "nopasswd") ? VERDICT_QUIET : judge_written(e, f);
	if (!fact_is_written(f) || !text_has_word(f->value, words))
		return VERDICT_QUIET;
	eval_say(e, "the start command calls sudo");
	return VERDICT_FIRES;
}

static enum verdict setuid_added(struct eval *e, const struct fact *f)
{
	return row_is_spare_stage(e) ? VERDICT_QUIET : judge_written(e, f);
}

static enum verdict security_context_absent(struct eval *e, const struct fact *f)
{
	if (f->provenance != PROVENANCE_ABSENT)
		return VERDICT_QUIET;
	eval_say(e, eval_row(e)->format == FORMAT_COMPOSE
			    ? "the service states no security setting"
			    : "neither the pod nor the container states a security context");
	return VERDICT_FIRES;
}

static bool raises_rights(const struct fact *f)
{
	return fact_is_written(f);
}

static enum verdict x_ape_setuid(struct eval *e, const struct fact *f)
{
	const struct fact *means;

	(void)f;
	if (!eval_fired(e, "ape-not-false") && !eval_fired(e, "nnp-missing"))
		return VERDICT_QUIET;
	means = eval_find(e, FACT_SETUID, raises_rights);
	if (!means)
		means = eval_find(e, FACT_SUDO, raises_rights);
	if (!means)
		return VERDICT_QUIET;
	eval_part(e, "ape-not-false");
	eval_part(e, "nnp-missing");
	eval_part(e, "setuid-added");
	eval_part(e, "sudo-nopasswd");
	eval_subject(e, means);
	eval_say(e, "escalation is allowed and the image holds a way to use it: %s", means->value);
	return VERDICT_FIRES;
}

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
		.compatibility = "Nested Docker, FUSE or device work must be rearranged.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.concepts = "privileged-container",
		.each = FACT_PRIVILEGED,
		.judge = privileged_container,
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
		.fix = "Add no-new-privileges:true (or NoNewPrivileges=yes).",
		.compatibility = "sudo, ping with file caps and su stop working.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMAT_BIT(SYSTEMD),
		.concepts = "privilege-escalation-allowed",
		.each = FACT_NO_NEW_PRIVILEGES,
		.judge = nnp_missing,
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
		.fix = "Set it to false on every container.",
		.compatibility = "Same as nnp-missing.",
		.owner = "service owner",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S,
		.concepts = "privilege-escalation-allowed",
		.each = FACT_ESCALATION,
		.judge = ape_not_false,
	},
	{
		.slug = "sudo-nopasswd",
		.field = FIELD_PRIVILEGE_GAIN,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"Dockerfile or cloud-init writes NOPASSWD sudoers for the agent user; "
			"severity high when the rule is ALL",
		.consequence = "The non-root user is root whenever it wishes.",
		.fix = "Limit the rule to one root-owned script with no arguments, or drop it.",
		.compatibility = "Self-service package installs stop.",
		.owner = "image maintainer",
		.restore = RESTORE_COMMIT,
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(IMAGE_INSPECT) |
			   FORMAT_BIT(DEVCONTAINER) | FORMAT_BIT(SCRIPT) | FORMAT_BIT(COMPOSE),
		.concepts = "sudo-used",
		.each = FACT_SUDO,
		.judge = sudo_nopasswd,
	},
	{
		.slug = "sudo-in-use",
		.field = FIELD_PRIVILEGE_GAIN,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "sudo in a build step or in the start command",
		.consequence =
			"The image holds a set-uid program, and who may use it is decided by a "
			"file in the image.",
		.fix = "Switch the user with USER, or drop rights once with setpriv or gosu.",
		.compatibility = "Scripts that call sudo must change.",
		.owner = "image maintainer",
		.restore = RESTORE_COMMIT,
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(IMAGE_INSPECT) |
			   FORMAT_BIT(COMPOSE) | FORMATS_K8S | FORMATS_RUN | FORMAT_BIT(SCRIPT),
		.concepts = "sudo-used",
		.each = FACT_SUDO,
		.also = { FACT_ENTRYPOINT, FACT_COMMAND },
		.judge = sudo_in_use,
	},
	{
		.slug = "setuid-added",
		.field = FIELD_PRIVILEGE_GAIN,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "chmod u+s, chmod 4xxx, setcap in the Dockerfile",
		.consequence = "A path to extra privilege is built into the image.",
		.fix = "Remove the bit or the capability.",
		.compatibility = "The tool needs another way to do its privileged step.",
		.owner = "image maintainer",
		.restore = RESTORE_COMMIT,
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(IMAGE_INSPECT),
		.concepts = "",
		.each = FACT_SETUID,
		.judge = setuid_added,
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
		.fix = "State user, escalation, capabilities and seccomp for the row.",
		.compatibility = "Images that need root or default capabilities must be named.",
		.owner = "service owner",
		.restore = RESTORE_LINES,
		.formats = FORMATS_K8S | FORMAT_BIT(COMPOSE) | FORMAT_BIT(INSPECT),
		.concepts = "security-context-missing",
		.each = FACT_SECURITY_CONTEXT,
		.judge = security_context_absent,
	},
	{
		.slug = "x-ape-setuid",
		.field = FIELD_PRIVILEGE_GAIN,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger = "escalation allowed AND set-uid, file capabilities or sudo in the image",
		.consequence =
			"The non-root user becomes container root at will, with the bounding "
			"set the runtime left.",
		.fix = "Forbid escalation.",
		.compatibility = "sudo stops.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S |
			   FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(IMAGE_INSPECT),
		.combination = true,
		.concepts = "",
		.judge = x_ape_setuid,
	},
};

const size_t rules_privilege_gain_count =
	sizeof rules_privilege_gain / sizeof *rules_privilege_gain;

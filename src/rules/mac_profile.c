/* Rules of the field mandatory access control.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

#include "src/rules/judge.h"
#include "src/rules/mount_facts.h"

static enum verdict apparmor_unconfined(struct eval *e, const struct fact *f)
{
	if (f->provenance == PROVENANCE_ABSENT)
		return VERDICT_QUIET;
	if (fact_is_nocase(f, "unconfined"))
		eval_say(e, "AppArmor is switched off");
	return judge_bad(e, f, fact_is_nocase(f, "unconfined"));
}

static bool is_standard_type(const char *type)
{
	static const char *const types[] = { "",
					     "container_t",
					     "container_init_t",
					     "container_kvm_t",
					     "container_engine_t",
					     "svirt_lxc_net_t",
					     NULL };

	return text_is_any(type, types);
}

static enum verdict selinux_off_or_raised(struct eval *e, const struct fact *f)
{
	bool off = fact_is_nocase(f, "disable") || fact_is_nocase(f, "label=disable") ||
		   fact_is_nocase(f, "disabled");

	if (f->provenance == PROVENANCE_ABSENT)
		return VERDICT_QUIET;
	if (!fact_is_known(f))
		return VERDICT_UNKNOWN;
	if (!off && is_standard_type(attribute_of(f, "type")) && !*attribute_of(f, "user") &&
	    !*attribute_of(f, "role"))
		return VERDICT_QUIET;
	if (eval_find(e, FACT_MOUNT, mount_is_host))
		eval_severity(e, SEVERITY_HIGH);
	if (off)
		eval_say(e, "SELinux separation is switched off");
	else
		eval_say(e, "the SELinux context is outside the standard set: %s", f->value);
	return VERDICT_FIRES;
}

static enum verdict lsm_assumed(struct eval *e, const struct fact *f)
{
	if (row_is_windows(e))
		return VERDICT_NOT_APPLICABLE;
	if (f->provenance == PROVENANCE_ABSENT && f->kind == FACT_APPARMOR) {
		if (row_is_privileged(e))
			return VERDICT_QUIET;
		eval_say(e, "no AppArmor profile is set: the runtime's default holds only where the "
			    "host has AppArmor, which is not in evidence");
		return VERDICT_FIRES;
	}
	if (!fact_is_written(f) || fact_is_nocase(f, "unconfined") ||
	    fact_is_nocase(f, "disable"))
		return VERDICT_QUIET;
	eval_concepts(e, "");
	if (f->kind == FACT_APPARMOR && fact_attribute_is(f, "source", "field") &&
	    kubernetes_below(e, 30))
		eval_say(e, "appArmorProfile has no effect before Kubernetes 1.30");
	else
		eval_say(e, "the profile %s is declared; whether the host enforces it is not in "
			    "evidence", f->value);
	return VERDICT_FIRES;
}

static bool sets_something(const struct fact *f)
{
	return fact_is_written(f) && *f->value;
}

static enum verdict hardening_absent(struct eval *e, const struct fact *f)
{
	static const enum fact_kind kinds[] = { FACT_APPARMOR, FACT_SELINUX, FACT_SECCOMP,
						FACT_CAP_DROP };

	if (row_is_windows(e))
		return VERDICT_NOT_APPLICABLE;
	if (f->provenance != PROVENANCE_ABSENT)
		return VERDICT_QUIET;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (eval_find(e, kinds[i], sets_something))
			return VERDICT_QUIET;
	eval_say(e, "no AppArmor, SELinux or seccomp setting, and no dropped capability");
	return VERDICT_FIRES;
}

static enum verdict mac_profile_complain(struct eval *e, const struct fact *f)
{
	if (!fact_is_written(f))
		return VERDICT_QUIET;
	eval_say(e, "the supplied AppArmor profile does not hold: %s", f->value);
	return VERDICT_FIRES;
}

static enum verdict x_sysadmin_noapparmor(struct eval *e, const struct fact *f)
{
	(void)f;
	if (!eval_fired(e, "cap-sys-admin") && !eval_fired(e, "cap-all"))
		return VERDICT_QUIET;
	if (!eval_part(e, "apparmor-unconfined") && !eval_part(e, "selinux-off-or-raised"))
		return VERDICT_QUIET;
	eval_part(e, "cap-sys-admin");
	eval_part(e, "cap-all");
	eval_say(e, "SYS_ADMIN without AppArmor or SELinux: mount and the paths to the host are open");
	return VERDICT_FIRES;
}

const struct rule rules_mac_profile[] = {
	{
		.slug = "apparmor-unconfined",
		.field = FIELD_MAC_PROFILE,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "apparmor=unconfined, appArmorProfile Unconfined, annotation unconfined",
		.consequence =
			"Writes to sensitive /proc and /sys paths and mounts are left to the "
			"other layers.",
		.fix = "Return to the runtime default profile.",
		.compatibility = "FUSE or mount users need a tailored profile.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.concepts = "apparmor-unconfined apparmor-unset",
		.each = FACT_APPARMOR,
		.judge = apparmor_unconfined,
	},
	{
		.slug = "selinux-off-or-raised",
		.field = FIELD_MAC_PROFILE,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"label=disable or label:disable, seLinuxOptions type spc_t or outside "
			"the standard list, user or role set; high together with a host mount",
		.consequence =
			"SELinux no longer separates the process from host files and other "
			"containers; only mounts and uid decide what it reaches.",
		.fix = "Remove the option; relabel the one volume with :z or :Z.",
		.compatibility = "Relabelling changes the host files' label.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.concepts = "selinux-weakened",
		.each = FACT_SELINUX,
		.judge = selinux_off_or_raised,
	},
	{
		.slug = "lsm-assumed",
		.field = FIELD_MAC_PROFILE,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"a profile is declared but the host OS and its enabled LSMs are not in "
			"evidence; AppArmor field with target below 1.30; profile file missing",
		.consequence =
			"Without that LSM nothing is enforced: SELinux options and Docker's "
			"AppArmor option are then ignored without a word, while containerd "
			"under Kubernetes refuses to start a container that names an AppArmor "
			"profile.",
		.fix =
			"Add the node OS, kernel and aa-status or getenforce output as a dated "
			"export.",
		.compatibility = "None, review only.",
		.owner = "security reviewer",
		.restore = RESTORE_NOTHING,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_K8S | FORMATS_RUN,
		.concepts = "apparmor-unset",
		.each = FACT_APPARMOR,
		.also = { FACT_SELINUX },
		.judge = lsm_assumed,
	},
	{
		.slug = "hardening-absent",
		.field = FIELD_MAC_PROFILE,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"no AppArmor, SELinux or seccomp setting and no dropped capability on "
			"the row",
		.consequence =
			"No kernel-side restriction is declared for code that a model may "
			"choose.",
		.fix = "Drop all capabilities and set RuntimeDefault seccomp.",
		.compatibility = "Rarely breaks; test workloads that use raw sockets or mounts.",
		.owner = "service owner",
		.restore = RESTORE_LINES,
		.formats = FORMATS_K8S,
		.concepts = "linux-hardening-absent",
		.each = FACT_SECCOMP,
		.judge = hardening_absent,
	},
	{
		.slug = "mac-profile-complain",
		.field = FIELD_MAC_PROFILE,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"supplied AppArmor profile with flag complain or unconfined, or a bare "
			"mount or ptrace rule",
		.consequence =
			"Violations are logged, not stopped, or the rule gives back what the "
			"default denies.",
		.fix = "Enforce the profile and name the paths.",
		.compatibility = "Run in complain mode on a test host first.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.concepts = "",
		.each = FACT_MAC_FLAG,
		.judge = mac_profile_complain,
	},
	{
		.slug = "x-sysadmin-noapparmor",
		.field = FIELD_MAC_PROFILE,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "SYS_ADMIN AND apparmor unconfined (or label disabled)",
		.consequence =
			"Mount host resources or use cgroup and kernel interfaces to leave the "
			"container.",
		.fix = "Restore the profile and remove the capability.",
		.compatibility = "FUSE users need a tailored profile.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.combination = true,
		.concepts = "",
		.judge = x_sysadmin_noapparmor,
	},
};

const size_t rules_mac_profile_count = sizeof rules_mac_profile / sizeof *rules_mac_profile;

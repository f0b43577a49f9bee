/* Rules of the field mac_profile.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

const struct rule rules_mac_profile[] = {
	{
		.slug = "apparmor-unconfined",
		.field = FIELD_MAC_PROFILE,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"apparmor=unconfined, appArmorProfile Unconfined, annotation unconfined",
		.consequence =
			"Writes to sensitive /proc and /sys paths and mounts are left to the "
			"other layers.",
		.fix =
			"Return to the runtime default profile.",
		.compatibility =
			"FUSE or mount users need a tailored profile.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(DEVCONTAINER) | FORMAT_BIT(INSPECT),
		.concepts = "apparmor-unconfined",
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
		.fix =
			"Remove the option; relabel the one volume with :z or :Z.",
		.compatibility =
			"Relabelling changes the host files' label.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(INSPECT),
		.concepts = "selinux-weakened",
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
		.compatibility =
			"None, review only.",
		.owner =
			"security reviewer",
		.restore =
			"Nothing was changed; close the check as unavailable if the evidence "
			"cannot be had.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(K8S) | FORMAT_BIT(RUN) |
			   FORMAT_BIT(INSPECT),
		.concepts = "apparmor-unset",
	},
	{
		.slug = "x-sysadmin-noapparmor",
		.field = FIELD_MAC_PROFILE,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"SYS_ADMIN AND apparmor unconfined (or label disabled)",
		.consequence =
			"Mount host resources or use cgroup and kernel interfaces to leave the "
			"container.",
		.fix =
			"Restore the profile and remove the capability.",
		.compatibility =
			"FUSE users need a tailored profile.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(DEVCONTAINER) | FORMAT_BIT(INSPECT),
		.combination = true,
		.concepts = "",
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
		.fix =
			"Drop all capabilities and set RuntimeDefault seccomp.",
		.compatibility =
			"Rarely breaks; test workloads that use raw sockets or mounts.",
		.owner =
			"service owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(K8S),
		.concepts = "linux-hardening-absent",
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
		.fix =
			"Enforce the profile and name the paths.",
		.compatibility =
			"Run in complain mode on a test host first.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(INSPECT),
		.concepts = "",
	},
};

const size_t rules_mac_profile_count = sizeof rules_mac_profile / sizeof *rules_mac_profile;

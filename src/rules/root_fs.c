/* Rules of the field root_fs.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

const struct rule rules_root_fs[] = {
	{
		.slug = "rootfs-writable",
		.field = FIELD_ROOT_FS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"readOnlyRootFilesystem not true, read_only absent, --read-only absent, "
			"systemd ProtectSystem not strict",
		.consequence =
			"Code run by the agent can alter its own tools and persist until the "
			"container is replaced.",
		.fix =
			"Make it read-only and add tmpfs or volumes for the few written paths.",
		.compatibility =
			"Caches and package managers need a writable path.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(SYSTEMD) | FORMAT_BIT(INSPECT),
		.task_context = true,
		.concepts = "root-fs-writable",
	},
	{
		.slug = "proc-masks-off",
		.field = FIELD_ROOT_FS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"systempaths=unconfined; podman unmask=ALL; procMount: Unmasked "
			"(current API servers accept it only with hostUsers: false); critical "
			"for uid 0 with AppArmor off and no user namespace",
		.consequence =
			"Kernel interfaces that the runtime hides or makes read-only become "
			"usable; root with neither AppArmor nor a user namespace can set "
			"core_pattern and so run a program on the host.",
		.fix =
			"Return to the default masks.",
		.compatibility =
			"Nested rootless containers want Unmasked; pair it with a user "
			"namespace.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(K8S) | FORMAT_BIT(RUN) | FORMAT_BIT(COMPOSE) |
			   FORMAT_BIT(INSPECT),
		.concepts = "unmasked-proc",
	},
	{
		.slug = "unsafe-sysctl",
		.field = FIELD_ROOT_FS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"sysctls outside the safe list of the target version (Kubernetes), or "
			"any sysctl outside that list (compose, run)",
		.consequence =
			"The value is namespaced but weakly isolated: it can weaken the row's "
			"network or starve the node. Names that are not namespaced are refused "
			"by the runtime, unsafe ones by the kubelet unless the node allows them.",
		.fix =
			"Remove it or set it on the node by the owner.",
		.compatibility =
			"Tuned network stacks may slow down.",
		.owner =
			"platform team",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) |
			   FORMAT_BIT(INSPECT),
		.concepts = "unsafe-sysctls",
	},
	{
		.slug = "build-mounts-system-dir",
		.field = FIELD_ROOT_FS,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"WORKDIR or a RUN --mount target on a system directory",
		.consequence =
			"Build steps write where the operating system reads.",
		.fix =
			"Use a directory of the application's own.",
		.compatibility =
			"Paths in scripts change.",
		.owner =
			"image owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(DOCKERFILE),
		.concepts = "build-mount-system-dir",
	},
};

const size_t rules_root_fs_count = sizeof rules_root_fs / sizeof *rules_root_fs;

/* Rules of the field syscall_filter.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

const struct rule rules_syscall_filter[] = {
	{
		.slug = "seccomp-unconfined",
		.field = FIELD_SYSCALL_FILTER,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"security_opt seccomp=unconfined (or with a colon), seccompProfile "
			"Unconfined, daemon seccomp-profile unconfined",
		.consequence =
			"Calls the default profile withholds (mount, unshare, setns, keyctl, "
			"bpf, io_uring, userfaultfd, perf and others) become reachable; new "
			"user namespaces, and with them more kernel code, are open to any uid.",
		.fix =
			"Use the default profile, or a Localhost profile that adds only the "
			"failing call.",
		.compatibility =
			"Debuggers, browsers with their own sandbox and nested containers may "
			"need a tuned profile.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(DEVCONTAINER) | FORMAT_BIT(DAEMON_JSON) |
			   FORMAT_BIT(INSPECT),
		.concepts = "seccomp-unconfined",
	},
	{
		.slug = "seccomp-unset-k8s",
		.field = FIELD_SYSCALL_FILTER,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"no seccompProfile at pod or container level and no evidence of kubelet "
			"seccompDefault: true",
		.consequence =
			"Without that kubelet setting the container runs unfiltered.",
		.fix =
			"Set RuntimeDefault at pod level.",
		.compatibility =
			"Rarely breaks; check profilers.",
		.owner =
			"service owner",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S),
		.concepts = "seccomp-unset",
	},
	{
		.slug = "seccomp-custom-unseen",
		.field = FIELD_SYSCALL_FILTER,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"Localhost or json profile named but the file is not supplied",
		.consequence =
			"The filter may be wider than the default.",
		.fix =
			"Add the profile file to the artifacts.",
		.compatibility =
			"None, review only.",
		.owner =
			"security reviewer",
		.restore =
			"Nothing was changed; close the check as unavailable if the evidence "
			"cannot be had.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(INSPECT),
		.concepts = "",
	},
	{
		.slug = "seccomp-annotation-dead",
		.field = FIELD_SYSCALL_FILTER,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"seccomp.security.alpha.kubernetes.io annotations with target version "
			"1.27 or later and no field",
		.consequence =
			"The annotation is ignored, so the intended filter is not applied.",
		.fix =
			"Use securityContext.seccompProfile.",
		.compatibility =
			"None.",
		.owner =
			"service owner",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S),
		.concepts = "",
	},
	{
		.slug = "seccomp-custom-wide",
		.field = FIELD_SYSCALL_FILTER,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"supplied profile with default action ALLOW or LOG, or allowing without "
			"condition any of mount, unshare, setns, bpf, keyctl, io_uring_setup, "
			"userfaultfd, perf_event_open, open_by_handle_at, init_module, "
			"kexec_load",
		.consequence =
			"The filter is weaker than the runtime's default, or none.",
		.fix =
			"Start from the default profile and add only the failing call.",
		.compatibility =
			"Test on a disposable copy.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(DAEMON_JSON) | FORMAT_BIT(INSPECT),
		.concepts = "",
	},
	{
		.slug = "x-seccomp-off-caps",
		.field = FIELD_SYSCALL_FILTER,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"seccomp unconfined AND any of SYS_ADMIN, SYS_PTRACE, SYS_MODULE, BPF, "
			"DAC_READ_SEARCH",
		.consequence =
			"The default profile opens only the calls tied to a granted capability "
			"and keeps the rest (keyctl, userfaultfd, io_uring, kexec) shut; here "
			"nothing is shut.",
		.fix =
			"Restore the default profile.",
		.compatibility =
			"See seccomp-unconfined.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(INSPECT),
		.combination = true,
		.concepts = "",
	},
};

const size_t rules_syscall_filter_count = sizeof rules_syscall_filter / sizeof *rules_syscall_filter;

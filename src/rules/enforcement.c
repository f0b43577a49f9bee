/* Rules of the field enforcement.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

const struct rule rules_enforcement[] = {
	{
		.slug = "psa-not-enforced",
		.field = FIELD_ENFORCEMENT,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"namespace has no pod-security.kubernetes.io/enforce label, or "
			"enforce=privileged, or only warn/audit, and no other enforcing policy "
			"is supplied",
		.consequence =
			"Weak pods are admitted.",
		.fix =
			"Label enforce=baseline or restricted with a pinned version after a dry "
			"run.",
		.compatibility =
			"Some workloads will be refused on next create.",
		.owner =
			"cluster admin",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S),
		.concepts = "namespace-policy-missing",
	},
	{
		.slug = "policy-unbound",
		.field = FIELD_ENFORCEMENT,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"ValidatingAdmissionPolicy without a binding, ConstraintTemplate "
			"without a constraint, policy or PolicyException excluding this "
			"namespace or workload, or match not covering pod sub-kinds",
		.consequence =
			"The definition exists but does not govern this workload.",
		.fix =
			"Supply or add the binding with Deny for this namespace.",
		.compatibility =
			"New pods may be refused.",
		.owner =
			"cluster admin",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S),
		.concepts = "",
	},
	{
		.slug = "policy-audit-only",
		.field = FIELD_ENFORCEMENT,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"Kyverno failureAction Audit or unset, Gatekeeper enforcementAction "
			"dryrun or warn, binding without Deny, webhook failurePolicy Ignore "
			"(the default of Gatekeeper's chart)",
		.consequence =
			"Violations are recorded or skipped, not stopped; with Ignore, only "
			"while the webhook does not answer.",
		.fix =
			"Move to enforcing after the report is clean.",
		.compatibility =
			"New pods may be refused.",
		.owner =
			"cluster admin",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S),
		.concepts = "",
	},
	{
		.slug = "feature-too-new",
		.field = FIELD_ENFORCEMENT,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"field set that the target version ignores or gates (hostUsers before "
			"1.25 and off by default until 1.33; appArmorProfile before 1.30; "
			"recursiveReadOnly off until 1.31; procMount off until 1.33; "
			"supplementalGroupsPolicy off until 1.33; image volumes off until "
			"1.35), or Linux field on a Windows pod",
		.consequence =
			"The setting reads as a control but may not be applied.",
		.fix =
			"Record the server and node versions, or use the older mechanism.",
		.compatibility =
			"None.",
		.owner =
			"platform team",
		.restore =
			"Nothing was changed; close the check as unavailable if the evidence "
			"cannot be had.",
		.formats = FORMAT_BIT(K8S),
		.concepts = "",
	},
	{
		.slug = "text-as-boundary",
		.field = FIELD_ENFORCEMENT,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"MCP roots, allowed-directory prompts, CLAUDE.md or AGENTS.md "
			"instructions, tool annotations or server-side path checks are the only "
			"limit named for files or commands",
		.consequence =
			"None of these restrict the operating system; roots are described as "
			"guidance and are deprecated since the 2026-07-28 revision.",
		.fix =
			"Name the mount, uid or sandbox rule that enforces it, or mark "
			"unavailable.",
		.compatibility =
			"None.",
		.owner =
			"service owner",
		.restore =
			"Nothing was changed; close the check as unavailable if the evidence "
			"cannot be had.",
		.formats = FORMAT_BIT(MCP) | FORMAT_BIT(AGENT_SETTINGS),
		.concepts = "",
	},
	{
		.slug = "declared-observed-conflict",
		.field = FIELD_ENFORCEMENT,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"computed: observed value differs from declared value for the same row "
			"and field",
		.consequence =
			"One of the two does not describe what runs; findings on that field "
			"cannot be closed.",
		.fix =
			"Keep both, find the cause, and re-export.",
		.compatibility =
			"None.",
		.owner =
			"security reviewer",
		.restore =
			"Nothing was changed; close the check as unavailable if the evidence "
			"cannot be had.",
		.formats = FORMAT_ALL,
		.concepts = "",
	},
	{
		.slug = "evidence-stale",
		.field = FIELD_ENFORCEMENT,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"computed: artifact sha256 changed, export older than the agreed age, "
			"or revision moved",
		.consequence =
			"The mark no longer speaks about the present content.",
		.fix =
			"Re-read or re-export, then mark again.",
		.compatibility =
			"None.",
		.owner =
			"security reviewer",
		.restore =
			"Nothing was changed; close the check as unavailable if the evidence "
			"cannot be had.",
		.formats = FORMAT_ALL,
		.concepts = "",
	},
	{
		.slug = "policy-admits-privileged",
		.field = FIELD_ENFORCEMENT,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"PodSecurityPolicy, SecurityContextConstraints or namespace label that "
			"admits privileged containers",
		.consequence =
			"A policy that lets this through gives no evidence about any workload, "
			"and an attacker who may create pods picks the weakest one it admits.",
		.fix =
			"Tighten that field of the policy, first in audit or warn mode.",
		.compatibility =
			"Workloads that rely on it are refused once enforced.",
		.owner =
			"platform owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(K8S),
		.concepts = "policy-admits-privileged",
	},
	{
		.slug = "policy-admits-escalation",
		.field = FIELD_ENFORCEMENT,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"policy that does not forbid allowPrivilegeEscalation",
		.consequence =
			"A policy that lets this through gives no evidence about any workload, "
			"and an attacker who may create pods picks the weakest one it admits.",
		.fix =
			"Tighten that field of the policy, first in audit or warn mode.",
		.compatibility =
			"Workloads that rely on it are refused once enforced.",
		.owner =
			"platform owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(K8S),
		.concepts = "policy-admits-privilege-escalation",
	},
	{
		.slug = "policy-admits-root",
		.field = FIELD_ENFORCEMENT,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"policy that admits uid 0 (RunAsAny, no MustRunAsNonRoot)",
		.consequence =
			"A policy that lets this through gives no evidence about any workload, "
			"and an attacker who may create pods picks the weakest one it admits.",
		.fix =
			"Tighten that field of the policy, first in audit or warn mode.",
		.compatibility =
			"Workloads that rely on it are refused once enforced.",
		.owner =
			"platform owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(K8S),
		.concepts = "policy-admits-root",
	},
	{
		.slug = "policy-admits-capabilities",
		.field = FIELD_ENFORCEMENT,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"policy that allows added capabilities or requires no drop",
		.consequence =
			"A policy that lets this through gives no evidence about any workload, "
			"and an attacker who may create pods picks the weakest one it admits.",
		.fix =
			"Tighten that field of the policy, first in audit or warn mode.",
		.compatibility =
			"Workloads that rely on it are refused once enforced.",
		.owner =
			"platform owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(K8S),
		.concepts = "policy-admits-capabilities",
	},
	{
		.slug = "policy-admits-host-namespaces",
		.field = FIELD_ENFORCEMENT,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"policy that allows host network, pid or ipc",
		.consequence =
			"A policy that lets this through gives no evidence about any workload, "
			"and an attacker who may create pods picks the weakest one it admits.",
		.fix =
			"Tighten that field of the policy, first in audit or warn mode.",
		.compatibility =
			"Workloads that rely on it are refused once enforced.",
		.owner =
			"platform owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(K8S),
		.concepts = "policy-admits-host-namespaces",
	},
	{
		.slug = "policy-admits-host-path",
		.field = FIELD_ENFORCEMENT,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"policy without an allow list of host paths",
		.consequence =
			"A policy that lets this through gives no evidence about any workload, "
			"and an attacker who may create pods picks the weakest one it admits.",
		.fix =
			"Tighten that field of the policy, first in audit or warn mode.",
		.compatibility =
			"Workloads that rely on it are refused once enforced.",
		.owner =
			"platform owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(K8S),
		.concepts = "policy-admits-host-path",
	},
	{
		.slug = "policy-seccomp-unset",
		.field = FIELD_ENFORCEMENT,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"policy that requires no seccomp profile",
		.consequence =
			"A policy that lets this through gives no evidence about any workload, "
			"and an attacker who may create pods picks the weakest one it admits.",
		.fix =
			"Tighten that field of the policy, first in audit or warn mode.",
		.compatibility =
			"Workloads that rely on it are refused once enforced.",
		.owner =
			"platform owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(K8S),
		.concepts = "policy-seccomp-unset",
	},
	{
		.slug = "psa-exempt",
		.field = FIELD_ENFORCEMENT,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"PodSecurity AdmissionConfiguration exempts this namespace, a runtime "
			"class the row can name, a user, or a controller's service account",
		.consequence =
			"Exempt requests skip enforce, audit and warn; exempting a controller "
			"exempts whoever may create its workloads.",
		.fix =
			"Narrow the exemption to one namespace.",
		.compatibility =
			"Platform pods may need it.",
		.owner =
			"platform team",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S),
		.concepts = "",
	},
	{
		.slug = "psp-removed",
		.field = FIELD_ENFORCEMENT,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"PodSecurityPolicy supplied with target 1.25 or later",
		.consequence =
			"The kind no longer exists there: nothing it says is applied.",
		.fix =
			"Use namespace labels or an admission policy.",
		.compatibility =
			"New pods may be refused.",
		.owner =
			"platform team",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S),
		.concepts = "deprecated-api",
	},
};

const size_t rules_enforcement_count = sizeof rules_enforcement / sizeof *rules_enforcement;

/* Rules of the field enforcement.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

#include "src/rules/judge.h"

static bool enforces(const struct fact *f)
{
	return fact_is_written(f) && attribute_true(f, "bound") &&
	       (fact_attribute_is(f, "action", "enforce") || fact_attribute_is(f, "action", "deny"));
}

/* What a webhook refuses is in its program. */
static bool may_refuse(const struct fact *f)
{
	return enforces(f) && fact_attribute_is(f, "engine", "webhook");
}

static bool is_policy_of_pods(const struct fact *f)
{
	return enforces(f) && !may_refuse(f);
}

static enum verdict psa_not_enforced(struct eval *e, const struct fact *f)
{
	if (!first_of_kind(e, f))
		return VERDICT_QUIET;
	if (eval_find(e, FACT_POD_SECURITY_LABEL, level_is_enforced) ||
	    eval_find(e, FACT_POLICY, is_policy_of_pods))
		return VERDICT_QUIET;
	if (!fact_is_known(f))
		return VERDICT_UNKNOWN;
	if (eval_find(e, FACT_POLICY, may_refuse)) {
		eval_why(e, "a webhook is asked about pods, and what it refuses is not in evidence");
		return VERDICT_UNKNOWN;
	}
	if (f->provenance == PROVENANCE_ABSENT)
		eval_say(e, "the namespace enforces no pod security level");
	else if (fact_attribute_is(f, "mode", "enforce"))
		eval_say(e, "the namespace enforces level %s, which admits everything", f->value);
	else
		eval_say(e, "the namespace only %ss at level %s", attribute_of(f, "mode"), f->value);
	return VERDICT_FIRES;
}

static enum verdict policy_unbound(struct eval *e, const struct fact *f)
{
	/* What is gone from the version under review needs no binding: psp-removed says so. */
	if (fact_attribute_is(f, "engine", "PodSecurityPolicy") && !kubernetes_below(e, 25))
		return VERDICT_QUIET;
	if (attribute_false(f, "bound"))
		eval_say(e, attribute_true(f, "excluded") ?
				    "policy %s would apply here and leaves this place out" :
				    "policy %s is defined and nothing applies it here", f->value);
	else if (attribute_false(f, "pods"))
		eval_say(e, "policy %s looks at what makes pods and not at pods", f->value);
	else
		return VERDICT_QUIET;
	return VERDICT_FIRES;
}

static enum verdict policy_audit_only(struct eval *e, const struct fact *f)
{
	static const char *const soft[] = { "audit", "warn", "dryrun", "ignore", NULL };

	if (fact_attribute_is(f, "parameter", "missing"))
		eval_say(e, "policy %s lets everything through while its parameter is missing, and it "
			    "was not supplied", f->value);
	else if (fact_attribute_is(f, "failure", "Ignore"))
		eval_say(e, "%s lets everything through when its server does not answer", f->value);
	else if (text_is_any(attribute_of(f, "action"), soft))
		eval_say(e, "policy %s does not refuse anything (%s)", f->value,
			 attribute_of(f, "action"));
	else
		return VERDICT_QUIET;
	return VERDICT_FIRES;
}

static enum verdict feature_too_new(struct eval *e, const struct fact *f)
{
	const char *since = attribute_of(f, "since");

	if (f->kind == FACT_IGNORED_SETTING) {
		eval_say(e, "%s has no effect: %s", f->value, attribute_of(f, "why"));
		return judge_written(e, f);
	}
	if (attribute_false(f, "ignored"))
		return VERDICT_QUIET;
	eval_say(e, "%s %s%s%s", f->value,
		 attribute_true(f, "ignored") ? "has no effect in the version under review"
					      : "depends on the version",
		 *since ? ", since " : "", since);
	return attribute_true(f, "ignored") ? VERDICT_FIRES : VERDICT_QUIET;
}

static enum verdict text_as_boundary(struct eval *e, const struct fact *f)
{
	if (f->kind == FACT_TEXT_LIMIT)
		eval_confidence(e, CONFIDENCE_MEDIUM);
	eval_say(e, "the only limit named is text: %s", f->value);
	return judge_written(e, f);
}

static enum verdict admits(struct eval *e, const struct fact *f, const char *what,
			   const char *message)
{
	if (!list_has(attribute_of(f, "admits"), what))
		return VERDICT_QUIET;
	eval_say(e, "%s %s %s", f->kind == FACT_POLICY ? "policy" : "level", f->value, message);
	return VERDICT_FIRES;
}

static enum verdict policy_admits_privileged(struct eval *e, const struct fact *f)
{
	return admits(e, f, "privileged", "admits privileged containers");
}

static enum verdict policy_admits_escalation(struct eval *e, const struct fact *f)
{
	return admits(e, f, "escalation", "does not forbid privilege escalation");
}

static enum verdict policy_admits_root(struct eval *e, const struct fact *f)
{
	return admits(e, f, "root", "admits uid 0");
}

static enum verdict policy_admits_capabilities(struct eval *e, const struct fact *f)
{
	return admits(e, f, "capabilities", "admits added capabilities or asks for no drop");
}

static enum verdict policy_admits_host_namespaces(struct eval *e, const struct fact *f)
{
	return admits(e, f, "host-namespaces", "admits host namespaces");
}

static enum verdict policy_admits_host_path(struct eval *e, const struct fact *f)
{
	return admits(e, f, "host-path", "has no list of allowed host paths");
}

static enum verdict policy_seccomp_unset(struct eval *e, const struct fact *f)
{
	return admits(e, f, "seccomp", "asks for no seccomp profile");
}

static enum verdict psa_exempt(struct eval *e, const struct fact *f)
{
	const char *exempt = attribute_of(f, "exempts");

	if (!*exempt)
		return VERDICT_QUIET;
	eval_say(e, "pod security exempts %s", exempt);
	return VERDICT_FIRES;
}

static enum verdict psp_removed(struct eval *e, const struct fact *f)
{
	if (!text_is_any(attribute_of(f, "engine"),
			 (const char *const[]){ "PodSecurityPolicy", "PSP", NULL }) ||
	    !first_of_kind(e, f) || kubernetes_below(e, 25))
		return VERDICT_QUIET;
	eval_say(e, "PodSecurityPolicy %s: the kind is gone since Kubernetes 1.25", f->value);
	return VERDICT_FIRES;
}

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
		.consequence = "Weak pods are admitted.",
		.fix =
			"Label enforce=baseline or restricted with a pinned version after a dry "
			"run.",
		.compatibility = "Some workloads will be refused on next create.",
		.owner = "cluster admin",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S,
		.concepts = "namespace-policy-missing",
		.each = FACT_POD_SECURITY_LABEL,
		.judge = psa_not_enforced,
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
		.consequence = "The definition exists but does not govern this workload.",
		.fix = "Supply or add the binding with Deny for this namespace.",
		.compatibility = "New pods may be refused.",
		.owner = "cluster admin",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S,
		.concepts = "",
		.each = FACT_POLICY,
		.judge = policy_unbound,
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
		.fix = "Move to enforcing after the report is clean.",
		.compatibility = "New pods may be refused.",
		.owner = "cluster admin",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S,
		.concepts = "",
		.each = FACT_POLICY,
		.judge = policy_audit_only,
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
		.consequence = "The setting reads as a control but may not be applied.",
		.fix = "Record the server and node versions, or use the older mechanism.",
		.compatibility = "None.",
		.owner = "platform team",
		.restore = RESTORE_NOTHING,
		.formats = FORMATS_K8S,
		.concepts = "",
		.each = FACT_FEATURE,
		.also = { FACT_IGNORED_SETTING },
		.judge = feature_too_new,
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
		.compatibility = "None.",
		.owner = "service owner",
		.restore = RESTORE_NOTHING,
		.formats = FORMAT_BIT(MCP) | FORMAT_BIT(AGENT_SETTINGS),
		.concepts = "",
		.each = FACT_TEXT_LIMIT,
		.also = { FACT_ACCESS_ROOT },
		.judge = text_as_boundary,
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
		.fix = "Tighten that field of the policy, first in audit or warn mode.",
		.compatibility = "Workloads that rely on it are refused once enforced.",
		.owner = "platform owner",
		.restore = RESTORE_LINES,
		.formats = FORMATS_K8S,
		.concepts = "policy-admits-privileged",
		.each = FACT_POLICY,
		.also = { FACT_POD_SECURITY_LABEL },
		.judge = policy_admits_privileged,
	},
	{
		.slug = "policy-admits-escalation",
		.field = FIELD_ENFORCEMENT,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "policy that does not forbid allowPrivilegeEscalation",
		.consequence =
			"A policy that lets this through gives no evidence about any workload, "
			"and an attacker who may create pods picks the weakest one it admits.",
		.fix = "Tighten that field of the policy, first in audit or warn mode.",
		.compatibility = "Workloads that rely on it are refused once enforced.",
		.owner = "platform owner",
		.restore = RESTORE_LINES,
		.formats = FORMATS_K8S,
		.concepts = "policy-admits-privilege-escalation",
		.each = FACT_POLICY,
		.also = { FACT_POD_SECURITY_LABEL },
		.judge = policy_admits_escalation,
	},
	{
		.slug = "policy-admits-root",
		.field = FIELD_ENFORCEMENT,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "policy that admits uid 0 (RunAsAny, no MustRunAsNonRoot)",
		.consequence =
			"A policy that lets this through gives no evidence about any workload, "
			"and an attacker who may create pods picks the weakest one it admits.",
		.fix = "Tighten that field of the policy, first in audit or warn mode.",
		.compatibility = "Workloads that rely on it are refused once enforced.",
		.owner = "platform owner",
		.restore = RESTORE_LINES,
		.formats = FORMATS_K8S,
		.concepts = "policy-admits-root",
		.each = FACT_POLICY,
		.also = { FACT_POD_SECURITY_LABEL },
		.judge = policy_admits_root,
	},
	{
		.slug = "policy-admits-capabilities",
		.field = FIELD_ENFORCEMENT,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "policy that allows added capabilities or requires no drop",
		.consequence =
			"A policy that lets this through gives no evidence about any workload, "
			"and an attacker who may create pods picks the weakest one it admits.",
		.fix = "Tighten that field of the policy, first in audit or warn mode.",
		.compatibility = "Workloads that rely on it are refused once enforced.",
		.owner = "platform owner",
		.restore = RESTORE_LINES,
		.formats = FORMATS_K8S,
		.concepts = "policy-admits-capabilities",
		.each = FACT_POLICY,
		.also = { FACT_POD_SECURITY_LABEL },
		.judge = policy_admits_capabilities,
	},
	{
		.slug = "policy-admits-host-namespaces",
		.field = FIELD_ENFORCEMENT,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "policy that allows host network, pid or ipc",
		.consequence =
			"A policy that lets this through gives no evidence about any workload, "
			"and an attacker who may create pods picks the weakest one it admits.",
		.fix = "Tighten that field of the policy, first in audit or warn mode.",
		.compatibility = "Workloads that rely on it are refused once enforced.",
		.owner = "platform owner",
		.restore = RESTORE_LINES,
		.formats = FORMATS_K8S,
		.concepts = "policy-admits-host-namespaces",
		.each = FACT_POLICY,
		.also = { FACT_POD_SECURITY_LABEL },
		.judge = policy_admits_host_namespaces,
	},
	{
		.slug = "policy-admits-host-path",
		.field = FIELD_ENFORCEMENT,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "policy without an allow list of host paths",
		.consequence =
			"A policy that lets this through gives no evidence about any workload, "
			"and an attacker who may create pods picks the weakest one it admits.",
		.fix = "Tighten that field of the policy, first in audit or warn mode.",
		.compatibility = "Workloads that rely on it are refused once enforced.",
		.owner = "platform owner",
		.restore = RESTORE_LINES,
		.formats = FORMATS_K8S,
		.concepts = "policy-admits-host-path",
		.each = FACT_POLICY,
		.also = { FACT_POD_SECURITY_LABEL },
		.judge = policy_admits_host_path,
	},
	{
		.slug = "policy-seccomp-unset",
		.field = FIELD_ENFORCEMENT,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "policy that requires no seccomp profile",
		.consequence =
			"A policy that lets this through gives no evidence about any workload, "
			"and an attacker who may create pods picks the weakest one it admits.",
		.fix = "Tighten that field of the policy, first in audit or warn mode.",
		.compatibility = "Workloads that rely on it are refused once enforced.",
		.owner = "platform owner",
		.restore = RESTORE_LINES,
		.formats = FORMATS_K8S,
		.concepts = "policy-seccomp-unset",
		.each = FACT_POLICY,
		.also = { FACT_POD_SECURITY_LABEL },
		.judge = policy_seccomp_unset,
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
		.fix = "Narrow the exemption to one namespace.",
		.compatibility = "Platform pods may need it.",
		.owner = "platform team",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S,
		.concepts = "",
		.each = FACT_POLICY,
		.judge = psa_exempt,
	},
	{
		.slug = "psp-removed",
		.field = FIELD_ENFORCEMENT,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "PodSecurityPolicy supplied with target 1.25 or later",
		.consequence = "The kind no longer exists there: nothing it says is applied.",
		.fix = "Use namespace labels or an admission policy.",
		.compatibility = "New pods may be refused.",
		.owner = "platform team",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S,
		.concepts = "deprecated-api",
		.each = FACT_POLICY,
		.judge = psp_removed,
	},
};

const size_t rules_enforcement_count = sizeof rules_enforcement / sizeof *rules_enforcement;

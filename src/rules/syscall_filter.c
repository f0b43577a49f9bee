/* Rules of the field system call filter.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

#include "src/rules/judge.h"

/* "label:seccomp:unconfined": the engine takes it for a label it does not know. */
static bool is_misplaced(const struct fact *f)
{
	return f->kind == FACT_SELINUX && fact_is_written(f) &&
	       (text_begins(f->value, "seccomp:unconfined") ||
		text_begins(f->value, "seccomp=unconfined"));
}

static enum verdict seccomp_misplaced(struct eval *e, const struct fact *f)
{
	if (!is_misplaced(f))
		return VERDICT_QUIET;
	eval_severity(e, SEVERITY_INFO);
	eval_confidence(e, CONFIDENCE_LOW);
	eval_say(e, "seccomp is to be switched off, but as a label: the filter stays until someone "
		    "corrects the line");
	return VERDICT_FIRES;
}

static enum verdict seccomp_unconfined(struct eval *e, const struct fact *f)
{
	bool off = f->kind == FACT_DAEMON_DEFAULT
			   ? fact_is_nocase(f, "seccomp-profile=unconfined")
			   : fact_is_nocase(f, "unconfined");

	if (f->kind == FACT_SELINUX)
		return seccomp_misplaced(e, f);
	/* By absence a profile is judged by seccomp-unset-k8s. */
	if (f->provenance == PROVENANCE_ABSENT)
		return VERDICT_QUIET;
	if (!fact_is_known(f) && f->kind == FACT_DAEMON_DEFAULT)
		return VERDICT_QUIET;
	if (off)
		eval_say(e, f->kind == FACT_DAEMON_DEFAULT
				    ? "the engine's default is no seccomp filter"
				    : "seccomp is switched off");
	return judge_bad(e, f, off);
}

static bool kubelet_default(const struct fact *f)
{
	return text_begins(f->value, "seccompDefault=true");
}

/* The API refused any other text, and later versions do not read it. */
static bool asks_for_profile(const struct fact *f)
{
	return fact_is_written(f) && !attribute_true(f, "policy") &&
	       (fact_is(f, "runtime/default") || fact_is(f, "docker/default") ||
		text_begins(f->value, "localhost/"));
}

static bool is_of_policies(const struct fact *f)
{
	return attribute_true(f, "policy");
}

static enum verdict seccomp_unset_k8s(struct eval *e, const struct fact *f)
{
	if (row_is_windows(e))
		return VERDICT_NOT_APPLICABLE;
	if (!fact_is_known(f))
		return VERDICT_UNKNOWN;
	if (attribute_true(f, "invalid")) {
		eval_say(e, "the seccomp profile \"%s\" names no profile, and the API refuses it",
			 f->value);
		return VERDICT_FIRES;
	}
	if (f->provenance != PROVENANCE_ABSENT)
		return VERDICT_QUIET;
	if (eval_find(e, FACT_DAEMON_DEFAULT, kubelet_default))
		return VERDICT_QUIET;
	if (!kubernetes_at_least(e, 27) && eval_find(e, FACT_SECCOMP_ANNOTATION, asks_for_profile)) {
		eval_why(e, "the annotation sets a profile before Kubernetes 1.27 and none after");
		return VERDICT_UNKNOWN;
	}
	/* A reader of the file would take it for a profile: it is cited. */
	eval_find(e, FACT_SECCOMP_ANNOTATION, is_of_policies);
	eval_say(e, "no seccomp profile is set: Unconfined unless the kubelet's seccompDefault is on");
	return VERDICT_FIRES;
}

static enum verdict seccomp_custom_unseen(struct eval *e, const struct fact *f)
{
	const char *profile = attribute_of(f, "profile");

	if (!fact_is_written(f) || !attribute_false(f, "supplied"))
		return VERDICT_QUIET;
	eval_say(e, "the seccomp profile %s is named but not supplied",
		 *profile ? profile : f->value);
	return VERDICT_FIRES;
}

static enum verdict seccomp_annotation_dead(struct eval *e, const struct fact *f)
{
	const struct fact *field = row_first(eval_row(e), FACT_SECCOMP, eval_layer(e));

	if (!fact_is_written(f) || fact_is_written(field))
		return VERDICT_QUIET;
	if (kubernetes_below(e, 27) && !is_of_policies(f))
		return VERDICT_QUIET;
	eval_read(e, field);
	eval_say(e, is_of_policies(f)
			    ? "the annotation is one of PodSecurityPolicies: on a pod it has no effect"
			    : "only the annotation asks for seccomp: from Kubernetes 1.27 it has no effect");
	return VERDICT_FIRES;
}

static enum verdict seccomp_custom_wide(struct eval *e, const struct fact *f)
{
	(void)e;
	if (!fact_is_written(f))
		return VERDICT_QUIET;
	eval_say(e, "the supplied seccomp profile allows %s", f->value);
	return VERDICT_FIRES;
}

static enum verdict x_seccomp_off_caps(struct eval *e, const struct fact *f)
{
	static const char *const names[] = { "SYS_ADMIN", "SYS_PTRACE", "SYS_MODULE", "BPF",
					     "DAC_READ_SEARCH", NULL };

	(void)f;
	if (!eval_fired(e, "seccomp-unconfined") || row_is_privileged(e) ||
	    eval_find(e, FACT_SELINUX, is_misplaced))
		return VERDICT_QUIET;
	for (size_t i = 0; names[i]; i++)
		if (row_can(e, names[i])) {
			eval_part(e, "seccomp-unconfined");
			eval_say(e, "no system call filter stands in front of %s", names[i]);
			return VERDICT_FIRES;
		}
	return VERDICT_QUIET;
}

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
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S | FORMATS_DAEMON,
		.concepts = "seccomp-unconfined seccomp-unset",
		.each = FACT_SECCOMP,
		.also = { FACT_DAEMON_DEFAULT, FACT_SELINUX },
		.judge = seccomp_unconfined,
	},
	{
		.slug = "seccomp-unset-k8s",
		.field = FIELD_SYSCALL_FILTER,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"no seccompProfile at pod or container level and no evidence of kubelet "
			"seccompDefault: true",
		.consequence = "Without that kubelet setting the container runs unfiltered.",
		.fix = "Set RuntimeDefault at pod level.",
		.compatibility = "Rarely breaks; check profilers.",
		.owner = "service owner",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S,
		.concepts = "seccomp-unset",
		.each = FACT_SECCOMP,
		.judge = seccomp_unset_k8s,
	},
	{
		.slug = "seccomp-custom-unseen",
		.field = FIELD_SYSCALL_FILTER,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "Localhost or json profile named but the file is not supplied",
		.consequence = "The filter may be wider than the default.",
		.fix = "Add the profile file to the artifacts.",
		.compatibility = "None, review only.",
		.owner = "security reviewer",
		.restore = RESTORE_NOTHING,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.concepts = "",
		.each = FACT_SECCOMP,
		.judge = seccomp_custom_unseen,
	},
	{
		.slug = "seccomp-annotation-dead",
		.field = FIELD_SYSCALL_FILTER,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"seccomp.security.alpha.kubernetes.io annotations with target version "
			"1.27 or later and no field; on a pod, those of PodSecurityPolicies",
		.consequence = "The annotation is ignored, so the intended filter is not applied.",
		.fix = "Use securityContext.seccompProfile.",
		.compatibility = "None.",
		.owner = "service owner",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S,
		.concepts = "",
		.each = FACT_SECCOMP_ANNOTATION,
		.judge = seccomp_annotation_dead,
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
		.consequence = "The filter is weaker than the runtime's default, or none.",
		.fix = "Start from the default profile and add only the failing call.",
		.compatibility = "Test on a disposable copy.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S | FORMATS_DAEMON,
		.concepts = "",
		.each = FACT_SECCOMP_WIDE,
		.judge = seccomp_custom_wide,
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
		.fix = "Restore the default profile.",
		.compatibility = "See seccomp-unconfined.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.combination = true,
		.concepts = "",
		.judge = x_seccomp_off_caps,
	},
};

const size_t rules_syscall_filter_count =
	sizeof rules_syscall_filter / sizeof *rules_syscall_filter;

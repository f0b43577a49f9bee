/* Rules of the field capabilities.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

#include "src/rules/capabilities_table.h"
#include "src/rules/judge.h"

#define ADDED "capability-added-any"
#define DANGEROUS "capability-added-dangerous capability-added-any"

static bool adds(const struct fact *f, const char *name)
{
	return fact_is_known(f) && f->provenance != PROVENANCE_ABSENT && fact_is_nocase(f, name);
}

/* "CAP_X" in a manifest: containerd knows no such name, CRI-O does. */
static bool is_dead_spelling(struct eval *e, const struct fact *f)
{
	static const char *const containerd[] = { "containerd", "docker", NULL };

	return attribute_false(f, "effective") && row_runtime_is(e, containerd);
}

static enum verdict added(struct eval *e, const struct fact *f, const char *name)
{
	static const char *const crio[] = { "cri-o", "crio", NULL };

	if (!adds(f, name) || is_dead_spelling(e, f))
		return VERDICT_QUIET;
	if (attribute_false(f, "effective") && !row_runtime_is(e, crio)) {
		eval_confidence(e, CONFIDENCE_MEDIUM);
		eval_say(e, "capability %s is added as %s: CRI-O grants it, containerd knows no such "
			    "name", name, attribute_of(f, "raw"));
	} else {
		eval_say(e, "capability %s is added", name);
	}
	return VERDICT_FIRES;
}

static enum verdict cap_all(struct eval *e, const struct fact *f)
{
	return added(e, f, "ALL");
}

/* The one rule that says that an added capability could not be read. */
static enum verdict cap_sys_admin(struct eval *e, const struct fact *f)
{
	if (!fact_is_known(f))
		return VERDICT_UNKNOWN;
	if (added(e, f, "SYS_ADMIN") != VERDICT_FIRES)
		return VERDICT_QUIET;
	if (row_has_userns(e))
		eval_severity(e, SEVERITY_MEDIUM);
	return VERDICT_FIRES;
}

static enum verdict cap_sys_module(struct eval *e, const struct fact *f)
{
	return added(e, f, "SYS_MODULE");
}

static enum verdict cap_sys_rawio(struct eval *e, const struct fact *f)
{
	return added(e, f, "SYS_RAWIO");
}

static bool shares_pid(const struct fact *f)
{
	return fact_is_written(f) && !fact_is_nocase(f, "private") && *f->value;
}

static enum verdict cap_sys_ptrace(struct eval *e, const struct fact *f)
{
	if (added(e, f, "SYS_PTRACE") != VERDICT_FIRES)
		return VERDICT_QUIET;
	if (eval_find(e, FACT_PID, shares_pid) || row_says(e, FACT_SHARE_PROCESS, "true"))
		eval_severity(e, SEVERITY_HIGH);
	return VERDICT_FIRES;
}

static enum verdict cap_dac_read_search(struct eval *e, const struct fact *f)
{
	if (added(e, f, "DAC_READ_SEARCH") != VERDICT_FIRES)
		return VERDICT_QUIET;
	if (row_says(e, FACT_CAP_DROP, "DAC_OVERRIDE") || row_says(e, FACT_CAP_DROP, "ALL") ||
	    row_has_userns(e))
		eval_severity(e, SEVERITY_HIGH);
	return VERDICT_FIRES;
}

static enum verdict cap_bpf(struct eval *e, const struct fact *f)
{
	if (added(e, f, "CHECKPOINT_RESTORE") == VERDICT_FIRES) {
		eval_severity(e, SEVERITY_MEDIUM);
		return VERDICT_FIRES;
	}
	return added(e, f, "BPF") == VERDICT_FIRES ? VERDICT_FIRES : added(e, f, "PERFMON");
}

static enum verdict cap_net_admin(struct eval *e, const struct fact *f)
{
	return added(e, f, "NET_ADMIN");
}

/* Added, or kept because no drop names it and the runtime's default set holds it. */
static enum verdict cap_net_raw(struct eval *e, const struct fact *f)
{
	static const char *const without[] = { "podman", "cri-o", "crio", NULL };

	if (f->kind == FACT_CAP_ADD) {
		eval_concepts(e, "capability-net-raw " DANGEROUS);
		return added(e, f, "NET_RAW");
	}
	if (!first_of_kind(e, f) || row_is_windows(e))
		return VERDICT_QUIET;
	if (row_says(e, FACT_CAP_DROP, "ALL") || row_says(e, FACT_CAP_DROP, "NET_RAW") ||
	    row_says(e, FACT_CAP_ADD, "NET_RAW") || row_runtime_is(e, without))
		return VERDICT_QUIET;
	if (!fact_is_known(f))
		return VERDICT_UNKNOWN;
	eval_say(e, "NET_RAW is not dropped: it is in the default set of Docker and containerd");
	return VERDICT_FIRES;
}

static enum verdict cap_drop_all_missing(struct eval *e, const struct fact *f)
{
	if (!first_of_kind(e, f))
		return VERDICT_QUIET;
	if (row_is_windows(e))
		return VERDICT_NOT_APPLICABLE;
	if (row_says(e, FACT_CAP_DROP, "ALL"))
		return VERDICT_QUIET;
	if (!fact_is_known(f))
		return VERDICT_UNKNOWN;
	if (row_is_privileged(e))
		eval_say(e, "ALL is not dropped, and beside privileged a drop has no effect: remove "
			    "that first");
	else
		eval_say(e, f->provenance == PROVENANCE_ABSENT
				    ? "no capability is dropped, so the runtime's default set stays"
				    : "capabilities are dropped one by one, not ALL");
	return VERDICT_FIRES;
}

static enum verdict cap_misc_host(struct eval *e, const struct fact *f)
{
	const struct capability *c = capability_find(f->value);

	if (!c || !c->misc_host || added(e, f, c->name) != VERDICT_FIRES)
		return VERDICT_QUIET;
	if (c->tier == CAPABILITY_SMALL) {
		eval_severity(e, SEVERITY_INFO);
		eval_concepts(e, ADDED);
	}
	return VERDICT_FIRES;
}

static enum verdict capabilities_untouched(struct eval *e, const struct fact *f)
{
	if (row_is_windows(e))
		return VERDICT_NOT_APPLICABLE;
	if (f->provenance != PROVENANCE_ABSENT &&
	    !(f->layer == LAYER_OBSERVED && !*f->value))
		return VERDICT_QUIET;
	eval_say(e, "no capability is dropped");
	return VERDICT_FIRES;
}

static enum verdict cap_added_other(struct eval *e, const struct fact *f)
{
	const struct capability *c = capability_find(f->value);

	if (!fact_is_written(f) || !*f->value || (c && c->own_rule && !is_dead_spelling(e, f)))
		return VERDICT_QUIET;
	/* Every profile allows this one beside a drop of ALL. */
	if (fact_is_nocase(f, "NET_BIND_SERVICE"))
		eval_concepts(e, "");
	if (attribute_false(f, "effective"))
		eval_say(e, "%s is added in a spelling that %s does not know",
			 *attribute_of(f, "raw") ? attribute_of(f, "raw") : f->value,
			 is_dead_spelling(e, f) ? "the runtime" : "containerd");
	else
		eval_say(e, "capability %s is added%s", f->value,
			 c && c->by_default ? " (it is in the default set too)" : "");
	return VERDICT_FIRES;
}

const struct rule rules_capabilities[] = {
	{
		.slug = "cap-all",
		.field = FIELD_CAPABILITIES,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "cap_add ALL or capabilities.add ALL",
		.consequence =
			"Every kernel privilege that is not namespaced is usable against the "
			"host.",
		.fix = "Drop ALL and add the named capability.",
		.compatibility = "Find the needed one by test on a disposable copy.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.concepts = "capability-added-dangerous capability-added-any",
		.each = FACT_CAP_ADD,
		.judge = cap_all,
	},
	{
		.slug = "cap-sys-admin",
		.field = FIELD_CAPABILITIES,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "SYS_ADMIN added without a user namespace",
		.consequence =
			"Mounting, namespaces and most kernel controls; once it is granted the "
			"default seccomp profile itself opens mount, setns, unshare, bpf and "
			"the like.",
		.fix =
			"Remove it; use a narrower capability, a FUSE helper or a user "
			"namespace.",
		.compatibility = "In-container mounts and nested sandboxes stop.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S | FORMAT_BIT(SYSTEMD),
		.concepts = "capability-sys-admin capability-added-dangerous capability-added-any",
		.each = FACT_CAP_ADD,
		.judge = cap_sys_admin,
	},
	{
		.slug = "cap-sys-module",
		.field = FIELD_CAPABILITIES,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "SYS_MODULE added",
		.consequence = "The process can load code into the host kernel.",
		.fix = "Load the module on the host at boot instead.",
		.compatibility = "VPN or driver containers need a host step.",
		.owner = "platform team",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.concepts = "capability-sys-module capability-added-dangerous capability-added-any",
		.each = FACT_CAP_ADD,
		.judge = cap_sys_module,
	},
	{
		.slug = "cap-sys-rawio",
		.field = FIELD_CAPABILITIES,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "SYS_RAWIO added",
		.consequence = "Port and raw device access reach firmware and disks.",
		.fix = "Remove it and pass the one device file.",
		.compatibility = "Hardware tools may stop.",
		.owner = "platform team",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.concepts = "capability-added-dangerous capability-added-any",
		.each = FACT_CAP_ADD,
		.judge = cap_sys_rawio,
	},
	{
		.slug = "cap-sys-ptrace",
		.field = FIELD_CAPABILITIES,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"SYS_PTRACE added; high when a PID namespace is shared with another "
			"container; dev container features go and rust add it together with "
			"seccomp=unconfined",
		.consequence =
			"Memory of every process in the row's PID namespace, whatever its uid, "
			"can be read and changed, keys included; with host PID that is the "
			"host's own.",
		.fix = "Drop it; the default profile already allows tracing one's own children.",
		.compatibility = "Attach-style debuggers stop.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.concepts = "capability-added-dangerous capability-added-any",
		.each = FACT_CAP_ADD,
		.judge = cap_sys_ptrace,
	},
	{
		.slug = "cap-dac-read-search",
		.field = FIELD_CAPABILITIES,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"DAC_READ_SEARCH added without a user namespace; high when DAC_OVERRIDE "
			"is dropped (then read only)",
		.consequence =
			"Any file of a host file system that is mounted in can be opened by "
			"handle, past the mount; engines and kubelets bind /etc/hosts from the "
			"host, so no declared mount is needed. SELinux labels may still refuse.",
		.fix = "Remove it; back-up jobs should run on the host or via snapshots.",
		.compatibility = "Back-up or indexing agents need a new route.",
		.owner = "platform team",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.concepts = "capability-added-dangerous capability-added-any",
		.each = FACT_CAP_ADD,
		.judge = cap_dac_read_search,
	},
	{
		.slug = "cap-bpf",
		.field = FIELD_CAPABILITIES,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "BPF or PERFMON added; medium for CHECKPOINT_RESTORE",
		.consequence =
			"BPF with PERFMON loads tracing programs that read the memory of the "
			"kernel and of every process; either alone opens a large kernel "
			"surface. CHECKPOINT_RESTORE follows other processes' mapped files.",
		.fix = "Move tracing to a node-level agent.",
		.compatibility = "In-container profiling stops.",
		.owner = "platform team",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.concepts = "capability-added-dangerous capability-added-any",
		.each = FACT_CAP_ADD,
		.judge = cap_bpf,
	},
	{
		.slug = "cap-net-admin",
		.field = FIELD_CAPABILITIES,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "NET_ADMIN added",
		.consequence =
			"The process can rewrite its own firewall, routes and interfaces, and "
			"reaches netfilter code in the kernel that ordinary processes do not.",
		.fix = "Set the rules from an init step that ends, or from the host.",
		.compatibility = "VPN and in-container firewall scripts must move.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.task_context = true,
		.concepts = "capability-added-dangerous capability-added-any",
		.each = FACT_CAP_ADD,
		.judge = cap_net_admin,
	},
	{
		.slug = "cap-net-raw",
		.field = FIELD_CAPABILITIES,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"NET_RAW added, or kept by default (Docker and containerd keep it; "
			"Podman and newer CRI-O do not)",
		.consequence =
			"Forged packets on the bridge or pod network: ARP and DNS spoofing of "
			"neighbours.",
		.fix = "Drop NET_RAW or drop ALL.",
		.compatibility =
			"ping then needs net.ipv4.ping_group_range, which Docker and containerd "
			"2.x set by default.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.concepts = "capability-net-raw",
		.each = FACT_CAP_ADD,
		.also = { FACT_CAP_DROP },
		.judge = cap_net_raw,
	},
	{
		.slug = "cap-drop-all-missing",
		.field = FIELD_CAPABILITIES,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "no drop of ALL in a container",
		.consequence =
			"The runtime's default set stays, including file ownership and set-id "
			"powers the task may not need.",
		.fix = "Drop ALL and add back what a test run shows.",
		.compatibility =
			"Entry scripts that chown or drop users need CHOWN, SETUID, SETGID.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.concepts = "capabilities-not-dropped-all",
		.each = FACT_CAP_DROP,
		.judge = cap_drop_all_missing,
	},
	{
		.slug = "cap-misc-host",
		.field = FIELD_CAPABILITIES,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"SYS_TIME, SYS_BOOT, SYS_RESOURCE, SYS_NICE, SYSLOG, SYS_PACCT, "
			"AUDIT_CONTROL, AUDIT_READ, MAC_ADMIN, MAC_OVERRIDE, IPC_OWNER or "
			"LINUX_IMMUTABLE added; info for IPC_LOCK, WAKE_ALARM, LEASE or "
			"BLOCK_SUSPEND",
		.consequence =
			"Clock, limits, kernel log, accounting, audit or label rules that are "
			"not namespaced can be read or changed.",
		.fix = "Remove the capability.",
		.compatibility = "Time sync or profiling containers are affected.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S | FORMAT_BIT(SYSTEMD),
		.concepts = "capability-added-dangerous capability-added-any",
		.each = FACT_CAP_ADD,
		.judge = cap_misc_host,
	},
	{
		.slug = "capabilities-untouched",
		.field = FIELD_CAPABILITIES,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "no capability is dropped",
		.consequence =
			"The runtime's default set stays, which depends on the runtime and is "
			"not in evidence.",
		.fix = "Drop ALL and add back what the process is seen to need.",
		.compatibility =
			"Binding low ports or changing owners needs the capability added back.",
		.owner = "service owner",
		.restore = RESTORE_LINES,
		.formats = FORMATS_K8S | FORMAT_BIT(COMPOSE) | FORMATS_RUN,
		.concepts = "capabilities-none-dropped",
		.each = FACT_CAP_DROP,
		.judge = capabilities_untouched,
	},
	{
		.slug = "cap-added-other",
		.field = FIELD_CAPABILITIES,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "any added capability that no other rule names",
		.consequence = "A kernel power was asked for; the artifacts do not say what for.",
		.fix = "Name the reason, or drop it.",
		.compatibility = "Find the need by a test run.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.task_context = true,
		.concepts = "capability-added-any",
		.each = FACT_CAP_ADD,
		.judge = cap_added_other,
	},
};

const size_t rules_capabilities_count = sizeof rules_capabilities / sizeof *rules_capabilities;

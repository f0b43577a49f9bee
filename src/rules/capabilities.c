/* Rules of the field capabilities.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

const struct rule rules_capabilities[] = {
	{
		.slug = "cap-all",
		.field = FIELD_CAPABILITIES,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"cap_add ALL or capabilities.add ALL",
		.consequence =
			"Every kernel privilege that is not namespaced is usable against the "
			"host.",
		.fix =
			"Drop ALL and add the named capability.",
		.compatibility =
			"Find the needed one by test on a disposable copy.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(DEVCONTAINER) | FORMAT_BIT(INSPECT),
		.concepts = "capability-added-dangerous capability-added-any",
	},
	{
		.slug = "cap-sys-admin",
		.field = FIELD_CAPABILITIES,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"SYS_ADMIN added without a user namespace",
		.consequence =
			"Mounting, namespaces and most kernel controls; once it is granted the "
			"default seccomp profile itself opens mount, setns, unshare, bpf and "
			"the like.",
		.fix =
			"Remove it; use a narrower capability, a FUSE helper or a user "
			"namespace.",
		.compatibility =
			"In-container mounts and nested sandboxes stop.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(DEVCONTAINER) | FORMAT_BIT(SYSTEMD) | FORMAT_BIT(INSPECT),
		.concepts = "capability-sys-admin capability-added-dangerous capability-added-any",
	},
	{
		.slug = "cap-sys-module",
		.field = FIELD_CAPABILITIES,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"SYS_MODULE added",
		.consequence =
			"The process can load code into the host kernel.",
		.fix =
			"Load the module on the host at boot instead.",
		.compatibility =
			"VPN or driver containers need a host step.",
		.owner =
			"platform team",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(INSPECT),
		.concepts = "capability-sys-module capability-added-dangerous capability-added-any",
	},
	{
		.slug = "cap-sys-rawio",
		.field = FIELD_CAPABILITIES,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"SYS_RAWIO added",
		.consequence =
			"Port and raw device access reach firmware and disks.",
		.fix =
			"Remove it and pass the one device file.",
		.compatibility =
			"Hardware tools may stop.",
		.owner =
			"platform team",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(INSPECT),
		.concepts = "capability-added-dangerous capability-added-any",
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
		.fix =
			"Drop it; the default profile already allows tracing one's own children.",
		.compatibility =
			"Attach-style debuggers stop.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(DEVCONTAINER) | FORMAT_BIT(INSPECT),
		.concepts = "capability-added-dangerous capability-added-any",
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
		.fix =
			"Remove it; back-up jobs should run on the host or via snapshots.",
		.compatibility =
			"Back-up or indexing agents need a new route.",
		.owner =
			"platform team",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(INSPECT),
		.concepts = "capability-added-dangerous capability-added-any",
	},
	{
		.slug = "cap-bpf",
		.field = FIELD_CAPABILITIES,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"BPF or PERFMON added; medium for CHECKPOINT_RESTORE",
		.consequence =
			"BPF with PERFMON loads tracing programs that read the memory of the "
			"kernel and of every process; either alone opens a large kernel "
			"surface. CHECKPOINT_RESTORE follows other processes' mapped files.",
		.fix =
			"Move tracing to a node-level agent.",
		.compatibility =
			"In-container profiling stops.",
		.owner =
			"platform team",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(INSPECT),
		.concepts = "capability-added-dangerous capability-added-any",
	},
	{
		.slug = "cap-net-admin",
		.field = FIELD_CAPABILITIES,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"NET_ADMIN added",
		.consequence =
			"The process can rewrite its own firewall, routes and interfaces, and "
			"reaches netfilter code in the kernel that ordinary processes do not.",
		.fix =
			"Set the rules from an init step that ends, or from the host.",
		.compatibility =
			"VPN and in-container firewall scripts must move.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(DEVCONTAINER) | FORMAT_BIT(INSPECT),
		.task_context = true,
		.concepts = "capability-added-dangerous capability-added-any",
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
		.fix =
			"Drop NET_RAW or drop ALL.",
		.compatibility =
			"ping then needs net.ipv4.ping_group_range, which Docker and containerd "
			"2.x set by default.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(INSPECT),
		.concepts = "capability-net-raw",
	},
	{
		.slug = "cap-drop-all-missing",
		.field = FIELD_CAPABILITIES,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"no drop of ALL in a container",
		.consequence =
			"The runtime's default set stays, including file ownership and set-id "
			"powers the task may not need.",
		.fix =
			"Drop ALL and add back what a test run shows.",
		.compatibility =
			"Entry scripts that chown or drop users need CHOWN, SETUID, SETGID.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(INSPECT),
		.concepts = "capabilities-not-dropped-all",
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
		.fix =
			"Remove the capability.",
		.compatibility =
			"Time sync or profiling containers are affected.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(SYSTEMD) | FORMAT_BIT(INSPECT),
		.concepts = "capability-added-dangerous capability-added-any",
	},
	{
		.slug = "x-netraw-hostnet",
		.field = FIELD_CAPABILITIES,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"NET_RAW AND host network",
		.consequence =
			"Sniff and forge traffic on the host's own interfaces.",
		.fix =
			"Drop NET_RAW.",
		.compatibility =
			"Packet capture stops.",
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
	{
		.slug = "x-netadmin-hostnet",
		.field = FIELD_CAPABILITIES,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"NET_ADMIN AND host network",
		.consequence =
			"Rewrites the host's firewall and routes, other pods' traffic included.",
		.fix =
			"Move to a pod network.",
		.compatibility =
			"CNI-like agents are platform rows.",
		.owner =
			"platform team",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(INSPECT),
		.combination = true,
		.concepts = "",
	},
	{
		.slug = "x-dacread-hostmount",
		.field = FIELD_CAPABILITIES,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"DAC_READ_SEARCH AND any host bind mount",
		.consequence =
			"File handles reach the rest of that file system, beyond the mounted "
			"folder.",
		.fix =
			"Drop the capability.",
		.compatibility =
			"Back-up tools change.",
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
	{
		.slug = "x-cap-nonroot-softens",
		.field = FIELD_CAPABILITIES,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"added capability AND non-root uid AND engine Docker, containerd or "
			"CRI-O with its defaults AND no set-uid, sudo or file capability (or "
			"no_new_privs)",
		.consequence =
			"These engines put it in the bounding set only, so the process does not "
			"hold it; lower the paired finding one step once the uid is observed. "
			"Podman makes it effective.",
		.fix =
			"Drop the capability: it has no effect here.",
		.compatibility =
			"None.",
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
	{
		.slug = "capabilities-untouched",
		.field = FIELD_CAPABILITIES,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"no capability is dropped",
		.consequence =
			"The runtime's default set stays, which depends on the runtime and is "
			"not in evidence.",
		.fix =
			"Drop ALL and add back what the process is seen to need.",
		.compatibility =
			"Binding low ports or changing owners needs the capability added back.",
		.owner =
			"service owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(K8S) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) |
			   FORMAT_BIT(INSPECT),
		.concepts = "capabilities-none-dropped",
	},
	{
		.slug = "cap-added-other",
		.field = FIELD_CAPABILITIES,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"any added capability that no other rule names",
		.consequence =
			"A kernel power was asked for; the artifacts do not say what for.",
		.fix =
			"Name the reason, or drop it.",
		.compatibility =
			"Find the need by a test run.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(INSPECT),
		.task_context = true,
		.concepts = "capability-added-any",
	},
};

const size_t rules_capabilities_count = sizeof rules_capabilities / sizeof *rules_capabilities;

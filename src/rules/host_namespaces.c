/* Rules of the field host_namespaces.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

const struct rule rules_host_namespaces[] = {
	{
		.slug = "host-pid",
		.field = FIELD_HOST_NAMESPACES,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"hostPID: true, pid: host, --pid=host, bwrap without --unshare-pid "
			"while binding /proc",
		.consequence =
			"All host processes and their arguments are visible; environment and "
			"open files follow where uid and ptrace checks allow, and root in the "
			"row may signal them where no LSM stops it.",
		.fix =
			"Remove it; expose the needed figures through a node exporter.",
		.compatibility =
			"Debug or monitoring tools lose sight of the host.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(BWRAP) | FORMAT_BIT(INSPECT),
		.concepts = "host-pid",
	},
	{
		.slug = "host-ipc",
		.field = FIELD_HOST_NAMESPACES,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"hostIPC: true, ipc: host, --ipc=host",
		.consequence =
			"System V shared memory, message queues and /dev/shm of host programs "
			"can be read or written where their permissions allow.",
		.fix =
			"Raise shm_size instead, or share with one named container.",
		.compatibility =
			"Some GPU and database set-ups rely on it.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(INSPECT),
		.concepts = "host-ipc",
	},
	{
		.slug = "host-network",
		.field = FIELD_HOST_NAMESPACES,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"hostNetwork: true, network_mode: host, --network=host",
		.consequence =
			"Loopback-only services, abstract UNIX sockets, node agents and the "
			"node's metadata service are one connect away; NetworkPolicy usually "
			"does not apply.",
		.fix =
			"Use a bridge or pod network and publish the one port.",
		.compatibility =
			"Service discovery, multicast and very low latency needs change.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(INSPECT),
		.task_context = true,
		.concepts = "host-network",
	},
	{
		.slug = "cgroup-host",
		.field = FIELD_HOST_NAMESPACES,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"cgroup: host, --cgroupns=host, writable /sys/fs/cgroup mount, "
			"security_opt writable-cgroups, annotation "
			"cgroup2-mount-hierarchy-rw.crio.io, systemd Delegate= for the agent",
		.consequence =
			"The process sees and, where writable, changes other workloads' limits; "
			"on cgroup v1 a writable release_agent runs a program as host root "
			"(needs SYS_ADMIN; before the fix of CVE-2022-0492 a new user namespace "
			"was enough).",
		.fix =
			"Use the private cgroup namespace and a read-only mount.",
		.compatibility =
			"systemd in containers needs delegation.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(SYSTEMD) |
			   FORMAT_BIT(INSPECT),
		.concepts = "cgroup-not-default",
	},
	{
		.slug = "process-namespace-shared",
		.field = FIELD_HOST_NAMESPACES,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"shareProcessNamespace: true, pid: service:X or container:X, with a "
			"credential-holding peer",
		.consequence =
			"Peers' processes and arguments and, where uid or SYS_PTRACE allow, "
			"their environment and root file system are readable through /proc.",
		.fix =
			"Split the peer out, or drop the sharing.",
		.compatibility =
			"Side-by-side debugging changes.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(K8S) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(INSPECT),
		.task_context = true,
		.concepts = "",
	},
	{
		.slug = "host-uts",
		.field = FIELD_HOST_NAMESPACES,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"uts: host or --uts=host; medium with SYS_ADMIN",
		.consequence =
			"The host's name is shared and, with SYS_ADMIN, can be changed.",
		.fix =
			"Remove the key.",
		.compatibility =
			"None.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(INSPECT),
		.concepts = "",
	},
	{
		.slug = "x-hostpid-ptrace",
		.field = FIELD_HOST_NAMESPACES,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"host PID AND SYS_PTRACE (or privileged)",
		.consequence =
			"Inject code into a root host process.",
		.fix =
			"Remove either; start with host PID.",
		.compatibility =
			"Host debugging stops.",
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
		.slug = "x-hostpid-root",
		.field = FIELD_HOST_NAMESPACES,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"host PID AND root identity without user namespace",
		.consequence =
			"Environment, open files and root links of same-uid host processes can "
			"be followed wherever the ptrace and LSM checks allow, and such "
			"processes can be killed.",
		.fix =
			"Remove host PID.",
		.compatibility =
			"Monitoring changes.",
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

const size_t rules_host_namespaces_count = sizeof rules_host_namespaces / sizeof *rules_host_namespaces;

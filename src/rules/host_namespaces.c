/* Rules of the field host namespaces.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

#include "src/rules/judge.h"
#include "src/rules/mount_facts.h"

static enum verdict is_host(struct eval *e, const struct fact *f, const char *what)
{
	enum verdict verdict = judge_bad(e, f, text_is_any(f->value, (const char *const[]){
							       "host", "true", NULL }));

	if (verdict == VERDICT_FIRES)
		eval_say(e, "the host's %s is shared", what);
	return verdict;
}

static enum verdict host_pid(struct eval *e, const struct fact *f)
{
	return is_host(e, f, "PID namespace");
}

static enum verdict host_ipc(struct eval *e, const struct fact *f)
{
	return is_host(e, f, "IPC namespace");
}

static enum verdict host_network(struct eval *e, const struct fact *f)
{
	return is_host(e, f, "network");
}

static enum verdict cgroup_host(struct eval *e, const struct fact *f)
{
	switch ((unsigned)f->kind) {
	case FACT_CGROUP_NAMESPACE:
		return is_host(e, f, "cgroup namespace");
	case FACT_CGROUP_PARENT:
		eval_severity(e, SEVERITY_INFO);
		return judge_written(e, f);
	default:
		if (!mount_is_host(f) || !mount_is_writable(f) ||
		    !text_begins(attribute_of(f, "source"), "/sys/fs/cgroup"))
			return VERDICT_QUIET;
		mount_say(e, f, "the control groups can be changed");
		return VERDICT_FIRES;
	}
}

static bool peer_holds_secret(struct eval *e, const struct row *peer)
{
	static const enum fact_kind kinds[] = { FACT_SECRET, FACT_ENV_FILE, FACT_SECRET_ARGUMENT };

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (fact_is_written(eval_in(e, peer, kinds[i])))
			return true;
	for (const struct fact *f = row_first(peer, FACT_ENV, LAYER_DECLARED); f;
	     f = row_next(peer, f))
		if (attribute_true(f, "secret")) {
			eval_read(e, f);
			return true;
		}
	return false;
}

static enum verdict process_namespace_shared(struct eval *e, const struct fact *f)
{
	const struct row *peer;
	bool shared = f->kind == FACT_SHARE_PROCESS ? says_true(f)
						    : text_begins(f->value, "service:") ||
							      text_begins(f->value, "container:");

	if (!shared || !fact_is_known(f))
		return fact_is_known(f) ? VERDICT_QUIET : VERDICT_UNKNOWN;
	for (size_t i = 0; (peer = eval_peer(e, i)); i++)
		if (peer_holds_secret(e, peer)) {
			eval_say(e, "processes of %s are visible, and it holds credentials",
				 peer->name);
			return VERDICT_FIRES;
		}
	eval_severity(e, SEVERITY_INFO);
	eval_say(e, "the process namespace is shared with another container");
	return VERDICT_FIRES;
}

static enum verdict host_uts(struct eval *e, const struct fact *f)
{
	enum verdict verdict = is_host(e, f, "UTS namespace");

	if (verdict == VERDICT_FIRES && row_can(e, "SYS_ADMIN"))
		eval_severity(e, SEVERITY_MEDIUM);
	return verdict;
}

static enum verdict x_hostpid_ptrace(struct eval *e, const struct fact *f)
{
	(void)f;
	if (!eval_fired(e, "host-pid") || !row_can(e, "SYS_PTRACE"))
		return VERDICT_QUIET;
	eval_part(e, "host-pid");
	eval_part(e, "cap-sys-ptrace");
	eval_part(e, "privileged-container");
	eval_say(e, "host processes are visible and can be traced: code runs in them as root");
	return VERDICT_FIRES;
}

static enum verdict x_hostpid_root(struct eval *e, const struct fact *f)
{
	(void)f;
	if (!eval_fired(e, "host-pid") || row_has_userns(e))
		return VERDICT_QUIET;
	if (!eval_part(e, "root-declared") && !eval_part(e, "root-by-default"))
		return VERDICT_QUIET;
	eval_part(e, "host-pid");
	eval_say(e, "root without a user namespace sees the host's processes, their environment "
		    "and their root folders");
	return VERDICT_FIRES;
}

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
		.fix = "Remove it; expose the needed figures through a node exporter.",
		.compatibility = "Debug or monitoring tools lose sight of the host.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S | FORMAT_BIT(BWRAP),
		.concepts = "host-pid",
		.each = FACT_PID,
		.judge = host_pid,
	},
	{
		.slug = "host-ipc",
		.field = FIELD_HOST_NAMESPACES,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "hostIPC: true, ipc: host, --ipc=host",
		.consequence =
			"System V shared memory, message queues and /dev/shm of host programs "
			"can be read or written where their permissions allow.",
		.fix = "Raise shm_size instead, or share with one named container.",
		.compatibility = "Some GPU and database set-ups rely on it.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.concepts = "host-ipc",
		.each = FACT_IPC,
		.judge = host_ipc,
	},
	{
		.slug = "host-network",
		.field = FIELD_HOST_NAMESPACES,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "hostNetwork: true, network_mode: host, --network=host",
		.consequence =
			"Loopback-only services, abstract UNIX sockets, node agents and the "
			"node's metadata service are one connect away; NetworkPolicy usually "
			"does not apply.",
		.fix = "Use a bridge or pod network and publish the one port.",
		.compatibility = "Service discovery, multicast and very low latency needs change.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.task_context = true,
		.concepts = "host-network",
		.each = FACT_NETWORK_MODE,
		.judge = host_network,
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
		.fix = "Use the private cgroup namespace and a read-only mount.",
		.compatibility = "systemd in containers needs delegation.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMAT_BIT(SYSTEMD),
		.concepts = "cgroup-not-default",
		.each = FACT_CGROUP_NAMESPACE,
		.also = { FACT_CGROUP_PARENT, FACT_MOUNT },
		.judge = cgroup_host,
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
		.fix = "Split the peer out, or drop the sharing.",
		.compatibility = "Side-by-side debugging changes.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMATS_K8S | FORMAT_BIT(COMPOSE) | FORMAT_BIT(INSPECT),
		.task_context = true,
		.concepts = "",
		.each = FACT_SHARE_PROCESS,
		.also = { FACT_PID },
		.judge = process_namespace_shared,
	},
	{
		.slug = "host-uts",
		.field = FIELD_HOST_NAMESPACES,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "uts: host or --uts=host; medium with SYS_ADMIN",
		.consequence = "The host's name is shared and, with SYS_ADMIN, can be changed.",
		.fix = "Remove the key.",
		.compatibility = "None.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN,
		.concepts = "",
		.each = FACT_UTS,
		.judge = host_uts,
	},
	{
		.slug = "x-hostpid-ptrace",
		.field = FIELD_HOST_NAMESPACES,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "host PID AND SYS_PTRACE (or privileged)",
		.consequence = "Inject code into a root host process.",
		.fix = "Remove either; start with host PID.",
		.compatibility = "Host debugging stops.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.combination = true,
		.concepts = "",
		.judge = x_hostpid_ptrace,
	},
	{
		.slug = "x-hostpid-root",
		.field = FIELD_HOST_NAMESPACES,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger = "host PID AND root identity without user namespace",
		.consequence =
			"Environment, open files and root links of same-uid host processes can "
			"be followed wherever the ptrace and LSM checks allow, and such "
			"processes can be killed.",
		.fix = "Remove host PID.",
		.compatibility = "Monitoring changes.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.combination = true,
		.concepts = "",
		.judge = x_hostpid_root,
	},
};

const size_t rules_host_namespaces_count =
	sizeof rules_host_namespaces / sizeof *rules_host_namespaces;

/* Table of the twenty fields.
 * SPDX-License-Identifier: MIT */
#include "model/field.h"

#include <string.h>

const struct field_info field_table[FIELD_COUNT] = {
	[FIELD_AGENT_POSITION] = {
		.slug = "agent_position",
		.title = "Agent position",
		.abbreviation = "pos",
		.question =
			"Is the model loop inside this boundary, outside it, or able to ask a "
			"more privileged service to act outside?",
		.when_absent =
			"never guessed: unavailable",
		.observed_by =
			"process tree export with date",
	},
	[FIELD_IMAGE] = {
		.slug = "image",
		.title = "Image and publisher",
		.abbreviation = "img",
		.question =
			"Which content runs: repository, tag, digest, publisher evidence, "
			"base images?",
		.when_absent =
			"tag latest; pull policy by the platform's rule",
		.observed_by =
			"image id or repo digest in an export",
	},
	[FIELD_ENTRY_CHAIN] = {
		.slug = "entry_chain",
		.title = "Entry chain",
		.abbreviation = "ent",
		.question =
			"What starts: entrypoint, arguments, wrapper scripts, init, hooks, "
			"probes that execute?",
		.when_absent =
			"image defaults, unavailable without the image configuration",
		.observed_by =
			"argv of the running process",
	},
	[FIELD_ISOLATION] = {
		.slug = "isolation",
		.title = "Isolation mechanism",
		.abbreviation = "iso",
		.question =
			"Plain namespaces, user namespace, gVisor, micro-VM, bwrap, Seatbelt, "
			"Landlock, product sandbox, none?",
		.when_absent =
			"container: plain namespaces without user namespace; process: none",
		.observed_by =
			"uid_map, namespace inodes, runtime in the export, sandbox policy "
			"report",
	},
	[FIELD_IDENTITY] = {
		.slug = "identity",
		.title = "Identity",
		.abbreviation = "uid",
		.question =
			"uid, gid, supplementary groups, mapping?",
		.when_absent =
			"image USER, else root; system unit: root",
		.observed_by =
			"Uid, Gid, Groups of the process status",
	},
	[FIELD_PRIVILEGE_GAIN] = {
		.slug = "privilege_gain",
		.title = "Privilege gain",
		.abbreviation = "prv",
		.question =
			"Can the process gain rights: privileged, no_new_privs, set-uid, sudo?",
		.when_absent =
			"not privileged; escalation allowed",
		.observed_by =
			"NoNewPrivs of the process status",
	},
	[FIELD_CAPABILITIES] = {
		.slug = "capabilities",
		.title = "Capabilities",
		.abbreviation = "cap",
		.question =
			"Which effective, bounding and ambient sets?",
		.when_absent =
			"the runtime's default set, unknown until the runtime is; for a "
			"non-root user none effective",
		.observed_by =
			"CapEff, CapBnd, CapAmb",
	},
	[FIELD_SYSCALL_FILTER] = {
		.slug = "syscall_filter",
		.title = "System call filter",
		.abbreviation = "sec",
		.question =
			"Which seccomp profile?",
		.when_absent =
			"Docker: default; Kubernetes: Unconfined unless the kubelet defaults; "
			"unit and bwrap: none",
		.observed_by =
			"Seccomp and Seccomp_filters of the process status",
	},
	[FIELD_MAC_PROFILE] = {
		.slug = "mac_profile",
		.title = "Mandatory access control",
		.abbreviation = "mac",
		.question =
			"AppArmor, SELinux, Landlock?",
		.when_absent =
			"the runtime's profile if the host has the module, else nothing",
		.observed_by =
			"attr/current, aa-status, getenforce",
	},
	[FIELD_HOST_NAMESPACES] = {
		.slug = "host_namespaces",
		.title = "Shared namespaces",
		.abbreviation = "ns",
		.question =
			"Which of pid, ipc, uts, cgroup, user, network, mount are shared with "
			"the host or peers?",
		.when_absent =
			"private, except user and, on cgroup v1, cgroup; in a pod network and "
			"ipc are shared",
		.observed_by =
			"namespace inodes compared",
	},
	[FIELD_ROOT_FS] = {
		.slug = "root_fs",
		.title = "Root file system",
		.abbreviation = "root",
		.question =
			"Writable or not, tmpfs, masked kernel paths, sysctls?",
		.when_absent =
			"writable, default masks",
		.observed_by =
			"mountinfo",
	},
	[FIELD_MOUNTS] = {
		.slug = "mounts",
		.title = "Mounts",
		.abbreviation = "mnt",
		.question =
			"Each host path or volume: source, target, mode, recursion, "
			"propagation, relation to the task?",
		.when_absent =
			"none, but workspaces are implied by dev containers and product "
			"sandboxes",
		.observed_by =
			"Mounts of the export, mountinfo",
	},
	[FIELD_CONTROL_CHANNELS] = {
		.slug = "control_channels",
		.title = "Control channels",
		.abbreviation = "ctl",
		.question =
			"Which engine sockets, remote engines, agents and buses can be "
			"reached?",
		.when_absent =
			"none declared; a process without mount isolation reaches all of its "
			"user's",
		.observed_by =
			"sockets visible in the mount namespace, group membership",
	},
	[FIELD_DEVICES] = {
		.slug = "devices",
		.title = "Devices",
		.abbreviation = "dev",
		.question =
			"Which device nodes, GPU, device rules?",
		.when_absent =
			"the default set; a process: all its user may open",
		.observed_by =
			"devices of the export, /dev of the namespace",
	},
	[FIELD_INGRESS] = {
		.slug = "ingress",
		.title = "Ingress",
		.abbreviation = "in",
		.question =
			"Listeners, bind addresses, published ports, routes in front, "
			"authentication in evidence?",
		.when_absent =
			"none published; peers on the same network still reach it",
		.observed_by =
			"listening sockets of that namespace",
	},
	[FIELD_EGRESS] = {
		.slug = "egress",
		.title = "Egress",
		.abbreviation = "out",
		.question =
			"Network mode, policy, proxy, name service, domain lists, metadata "
			"service, host gateway?",
		.when_absent =
			"open",
		.observed_by =
			"recorded blocked and allowed connections, flow logs",
	},
	[FIELD_CREDENTIALS] = {
		.slug = "credentials",
		.title = "Credentials",
		.abbreviation = "cred",
		.question =
			"Names and places of secrets, how injected, who else sees them? "
			"Values never.",
		.when_absent =
			"a process inherits its parent's environment",
		.observed_by =
			"names seen in the running row",
	},
	[FIELD_API_AUTHORITY] = {
		.slug = "api_authority",
		.title = "API authority",
		.abbreviation = "api",
		.question =
			"What may the row's identities do: RBAC, cloud role, engine rights, "
			"tool scopes?",
		.when_absent =
			"Kubernetes: default account with token mounted; rights unavailable "
			"without bindings",
		.observed_by =
			"can-i list or policy export",
	},
	[FIELD_RESOURCES] = {
		.slug = "resources",
		.title = "Resources",
		.abbreviation = "res",
		.question =
			"Memory, CPU, process, file and time limits?",
		.when_absent =
			"unlimited",
		.observed_by =
			"cgroup files",
	},
	[FIELD_ENFORCEMENT] = {
		.slug = "enforcement",
		.title = "Enforcement",
		.abbreviation = "enf",
		.question =
			"Who makes it so: admission bound to this workload, managed settings, "
			"daemon defaults, disabled profiles, unsupported features?",
		.when_absent =
			"nothing beyond the runtime",
		.observed_by =
			"export of the binding from the target, a recorded refusal",
	},
};

enum field field_by_slug(const char *slug)
{
	for (unsigned i = 0; i < FIELD_COUNT; i++)
		if (strcmp(field_table[i].slug, slug) == 0)
			return (enum field)i;
	return FIELD_NONE;
}

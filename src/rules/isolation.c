/* Rules of the field isolation.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

const struct rule rules_isolation[] = {
	{
		.slug = "sandbox-off",
		.field = FIELD_ISOLATION,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"Codex sandbox_mode=danger-full-access or --yolo, Cursor "
			"type=insecure_none, Claude sandbox.enabled=false or unset, VS Code "
			"chat.agent.sandbox.enabled off or unset, Gemini tools.sandbox false; "
			"no outer container row; Gemini tools.sandbox as an object without "
			"enabled: true; OpenHands runtime = cli or local",
		.consequence =
			"Every command the model proposes runs with the user's own files, "
			"sockets and network.",
		.fix =
			"Turn the product's sandbox on, or start the agent in a container row "
			"that is itself reviewed.",
		.compatibility =
			"Tools that write outside the workspace or need open network will "
			"prompt or fail.",
		.owner =
			"agent operator",
		.restore =
			"Restore the settings file from version control and restart the agent "
			"session.",
		.formats = FORMAT_BIT(AGENT_SETTINGS) | FORMAT_BIT(CLI),
		.concepts = "",
	},
	{
		.slug = "sandbox-fail-open",
		.field = FIELD_ISOLATION,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"Claude sandbox.enabled=true without failIfUnavailable=true; launcher "
			"uses bwrap --unshare-user-try or --unshare-cgroup-try; landlock policy "
			"set to best effort; srt without a settings file (built-in policy) or "
			"on an architecture without its socket filter; landrun --best-effort",
		.consequence =
			"When the kernel feature or package is missing the agent starts with "
			"less isolation than the file suggests and nobody notices.",
		.fix =
			"Require the mechanism (failIfUnavailable=true, non-try flags) so that "
			"a missing feature stops the start.",
		.compatibility =
			"Hosts without bubblewrap, user namespaces or a new enough kernel stop "
			"working until fixed.",
		.owner =
			"agent operator",
		.restore =
			"Restore the settings file from version control and restart the agent "
			"session.",
		.formats = FORMAT_BIT(AGENT_SETTINGS) | FORMAT_BIT(BWRAP),
		.concepts = "",
	},
	{
		.slug = "sandbox-escape-hatch",
		.field = FIELD_ISOLATION,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"Claude allowUnsandboxedCommands not false; VS Code "
			"chat.agent.sandbox.allowUnsandboxedCommands not false; Codex "
			"approval_policy=on-failure",
		.consequence =
			"A command that fails inside the sandbox can be rerun outside it after "
			"one approval, so the boundary is only as strong as that click.",
		.fix =
			"Set the key to false, or record who approves and where the approvals "
			"are logged.",
		.compatibility =
			"Commands that cannot run sandboxed fail instead of asking.",
		.owner =
			"agent operator",
		.restore =
			"Restore the settings file from version control and restart the agent "
			"session.",
		.formats = FORMAT_BIT(AGENT_SETTINGS),
		.concepts = "",
	},
	{
		.slug = "sandbox-excluded-commands",
		.field = FIELD_ISOLATION,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"Claude sandbox.excludedCommands is not empty; severity high when it "
			"names docker, podman, kubectl, ssh, sudo or a shell",
		.consequence =
			"Listed commands run with no file or network limits and can do the work "
			"the sandbox was to stop.",
		.fix =
			"Remove the entry, or replace it with a narrow wrapper that takes fixed "
			"arguments.",
		.compatibility =
			"The named tool must then work inside the sandbox or be run by a person.",
		.owner =
			"agent operator",
		.restore =
			"Restore the settings file from version control and restart the agent "
			"session.",
		.formats = FORMAT_BIT(AGENT_SETTINGS),
		.concepts = "",
	},
	{
		.slug = "sandbox-weakened",
		.field = FIELD_ISOLATION,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"Claude sandbox.filesystem.disabled=true, "
			"enableWeakerNestedSandbox=true, enableWeakerNetworkIsolation=true or "
			"network.allowAllUnixSockets=true",
		.consequence =
			"One half of the isolation (files, sockets or network) is gone while "
			"the other half still looks on.",
		.fix =
			"Delete the key and grant the single path, socket or domain the task "
			"needs.",
		.compatibility =
			"Nested containers or TLS proxies may need another arrangement.",
		.owner =
			"agent operator",
		.restore =
			"Restore the settings file from version control and restart the agent "
			"session.",
		.formats = FORMAT_BIT(AGENT_SETTINGS),
		.concepts = "",
	},
	{
		.slug = "seatbelt-permissive",
		.field = FIELD_ISOLATION,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"SEATBELT_PROFILE permissive-open or unset with Gemini sandbox-exec; "
			"custom .sb containing (allow default)",
		.consequence =
			"Reads of the whole disk, keys included, and all outbound traffic stay "
			"allowed; only writes are confined.",
		.fix =
			"Choose a restrictive or strict profile, proxied where egress matters.",
		.compatibility =
			"Tools reading caches or config outside the project may break.",
		.owner =
			"agent operator",
		.restore =
			"Restore the settings file from version control and restart the agent "
			"session.",
		.formats = FORMAT_BIT(AGENT_SETTINGS) | FORMAT_BIT(SEATBELT),
		.concepts = "",
	},
	{
		.slug = "runtime-sandbox-holes",
		.field = FIELD_ISOLATION,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"runsc runtimeArgs hold --network=host, --host-uds=open or all, or "
			"--allow-flag-override (pod annotations dev.gvisor.flag.* then change "
			"the sandbox); medium for --net-raw or --allow-packet-socket-write; a "
			"Kata runtime entry with privileged_without_host_devices=false used by "
			"a privileged pod",
		.consequence =
			"The user-space kernel still stands but the named door leads to host "
			"sockets or the host network stack.",
		.fix =
			"Remove the argument from the runtime entry used by this workload.",
		.compatibility =
			"Workloads relying on host sockets or raw packets need a different "
			"runtime class.",
		.owner =
			"host admin",
		.restore =
			"Revert the commit and redeploy; the finding stores the former lines "
			"and their sha256.",
		.formats = FORMAT_BIT(DAEMON_JSON) | FORMAT_BIT(RUNTIMECLASS),
		.concepts = "",
	},
	{
		.slug = "runtime-class-unseen",
		.field = FIELD_ISOLATION,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"runtimeClassName, compose runtime or --runtime names a runtime whose "
			"RuntimeClass object or daemon.json entry is not among the artifacts",
		.consequence =
			"The pod asks for a handler; whether the node runs it, and with which "
			"flags, is not known.",
		.fix =
			"Add the RuntimeClass and the node's runtime configuration, or a dated "
			"runtime export, to the artifacts.",
		.compatibility =
			"None, review only.",
		.owner =
			"security reviewer",
		.restore =
			"Nothing was changed; close the check as unavailable if the evidence "
			"cannot be had.",
		.formats = FORMAT_BIT(K8S) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) |
			   FORMAT_BIT(INSPECT),
		.concepts = "runtime-class-not-hardened",
	},
	{
		.slug = "sandbox-by-name-only",
		.field = FIELD_ISOLATION,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"A label, annotation, namespace, service or image name says sandbox, "
			"gvisor, isolated or secure while no isolating field is set",
		.consequence =
			"Readers may take a name for a control; no restriction follows from it.",
		.fix =
			"State the real isolation field in the map, or remove the claim from "
			"the label.",
		.compatibility =
			"None.",
		.owner =
			"service owner",
		.restore =
			"Revert the commit and redeploy; the finding stores the former lines "
			"and their sha256.",
		.formats = FORMAT_BIT(K8S) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(DOCKERFILE) |
			   FORMAT_BIT(INSPECT),
		.concepts = "",
	},
	{
		.slug = "windows-hostprocess",
		.field = FIELD_ISOLATION,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"windowsOptions.hostProcess true at pod or container level",
		.consequence =
			"The container runs as a process on the Windows host with the chosen "
			"host account.",
		.fix =
			"Use a normal Windows container, or move the task to a dedicated "
			"node-management workload.",
		.compatibility =
			"Node agents that manage drivers or networking need the mode.",
		.owner =
			"platform team",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S),
		.concepts = "windows-host-process",
	},
	{
		.slug = "userns-forced-host",
		.field = FIELD_ISOLATION,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"compose userns_mode: host, --userns=host, or hostUsers: true written "
			"out while the daemon or cluster default remaps",
		.consequence =
			"Root in the container is again root's uid on the host, undoing the "
			"remap for this workload.",
		.fix =
			"Drop the override so that the daemon or cluster default applies.",
		.compatibility =
			"Bind mounts owned by host uids may need chown or idmapped mounts.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(INSPECT),
		.concepts = "host-user-namespace",
	},
	{
		.slug = "mcp-unsandboxed",
		.field = FIELD_ISOLATION,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"stdio MCP server entry with no container, no sandboxEnabled and client "
			"sandbox that covers shell commands only",
		.consequence =
			"The tool runs with the person's full rights even though the agent's "
			"shell is confined.",
		.fix =
			"Start it through a container or sandbox wrapper, or enable the "
			"client's MCP sandbox.",
		.compatibility =
			"Paths inside the wrapper differ.",
		.owner =
			"agent operator",
		.restore =
			"Restore the settings file from version control and restart the agent "
			"session.",
		.formats = FORMAT_BIT(MCP) | FORMAT_BIT(AGENT_SETTINGS),
		.concepts = "",
	},
	{
		.slug = "runtime-annotation",
		.field = FIELD_ISOLATION,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"annotations a runtime reads as configuration: "
			"io.katacontainers.config.*, dev.gvisor.flag.*, cdi.k8s.io/*, *.crio.io "
			"or io.kubernetes.cri-o.* (devices, seccomp-profile, userns-mode, "
			"writable cgroups)",
		.consequence =
			"Where the node allows the prefix, the pod's author changes devices, "
			"filter or sandbox beside the fields that pod security checks.",
		.fix =
			"Remove it, and refuse the prefix by policy.",
		.compatibility =
			"Workloads tuned that way need a runtime class.",
		.owner =
			"platform team",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S),
		.concepts = "",
	},
	{
		.slug = "x-userns-softens",
		.field = FIELD_ISOLATION,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"root or SYS_ADMIN finding AND hostUsers: false, rootless daemon or "
			"userns-remap in evidence",
		.consequence =
			"Powers are held over the namespace only; lower the paired finding one "
			"step if the mapping is observed, not merely declared.",
		.fix =
			"Record the mapping export (uid_map) to support it.",
		.compatibility =
			"None.",
		.owner =
			"security reviewer",
		.restore =
			"Nothing was changed; close the check as unavailable if the evidence "
			"cannot be had.",
		.formats = FORMAT_BIT(K8S) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) |
			   FORMAT_BIT(INSPECT),
		.combination = true,
		.concepts = "",
	},
	{
		.slug = "x-sandbox-unix-socket",
		.field = FIELD_ISOLATION,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"file sandbox shows the host tree read-only (bwrap --ro-bind / /, "
			"Seatbelt read all, Landlock below ABI 9) AND a control socket exists "
			"on the host and AF_UNIX is not filtered",
		.consequence =
			"Connecting to a socket is not a write; the sandbox does not stop it.",
		.fix =
			"Mask the socket path or filter AF_UNIX.",
		.compatibility =
			"Local IPC tools stop.",
		.owner =
			"agent operator",
		.restore =
			"Restore the settings file from version control and restart the agent "
			"session.",
		.formats = FORMAT_BIT(BWRAP) | FORMAT_BIT(SEATBELT) | FORMAT_BIT(LANDLOCK) |
			   FORMAT_BIT(AGENT_SETTINGS),
		.combination = true,
		.concepts = "",
	},
	{
		.slug = "x-bwrap-tty",
		.field = FIELD_ISOLATION,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"bwrap without --new-session AND no TIOCSTI filter AND shared terminal, "
			"kernel without the legacy TIOCSTI switch off",
		.consequence =
			"Input can be pushed to the parent terminal.",
		.fix =
			"Add --new-session.",
		.compatibility =
			"Job control in the sandbox changes.",
		.owner =
			"agent operator",
		.restore =
			"Restore the settings file from version control and restart the agent "
			"session.",
		.formats = FORMAT_BIT(BWRAP),
		.combination = true,
		.concepts = "",
	},
	{
		.slug = "x-escape-hatch-unattended",
		.field = FIELD_ISOLATION,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"sandbox-escape-hatch AND approvals-bypassed",
		.consequence =
			"Leaving the sandbox needs no person at all.",
		.fix =
			"Close the hatch for unattended runs.",
		.compatibility =
			"Some commands fail.",
		.owner =
			"agent operator",
		.restore =
			"Restore the settings file from version control and restart the agent "
			"session.",
		.formats = FORMAT_BIT(AGENT_SETTINGS) | FORMAT_BIT(CLI),
		.combination = true,
		.concepts = "",
	},
};

const size_t rules_isolation_count = sizeof rules_isolation / sizeof *rules_isolation;

/* Rules of the field mounts.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

const struct rule rules_mounts[] = {
	{
		.slug = "host-root-mount",
		.field = FIELD_MOUNTS,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"bind or hostPath of / (any mode); bwrap --bind / / or --dev-bind / /",
		.consequence =
			"Writable: full host takeover by editing any file. Read-only: every "
			"secret on the disk.",
		.fix =
			"Mount the exact directory needed.",
		.compatibility =
			"List the paths the job opens first.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(BWRAP) | FORMAT_BIT(DEVCONTAINER) | FORMAT_BIT(INSPECT),
		.concepts = "sensitive-host-path host-path-any",
	},
	{
		.slug = "host-system-write",
		.field = FIELD_MOUNTS,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"writable /etc, /usr, /bin, /sbin, /lib, /boot, /root, /var/spool/cron, "
			"/etc/cron.d, /etc/systemd, /etc/kubernetes/manifests, /opt/cni, "
			"/etc/cni, /lib/modules",
		.consequence =
			"A changed unit, cron entry, static pod manifest, library or CNI "
			"plug-in runs as host root; needs uid 0 or the uid that owns those "
			"files.",
		.fix =
			"Make it read-only or copy the one file in as a config.",
		.compatibility =
			"Installers that place host files need a host-side step.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(INSPECT),
		.concepts = "sensitive-host-path host-path-writable host-path-any",
	},
	{
		.slug = "host-kubelet-dir",
		.field = FIELD_MOUNTS,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"/var/lib/kubelet, /etc/kubernetes, /var/lib/etcd, /var/lib/rancher "
			"mounted",
		.consequence =
			"Node and control-plane keys, all pods' secrets and tokens.",
		.fix =
			"Use the API with a narrow role.",
		.compatibility =
			"CSI and device plug-ins need sub-paths, reviewed as such.",
		.owner =
			"platform team",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) |
			   FORMAT_BIT(INSPECT),
		.concepts = "sensitive-host-path cloud-credential-path host-path-any",
	},
	{
		.slug = "host-runtime-data",
		.field = FIELD_MOUNTS,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"/var/lib/docker, /var/lib/containerd, /var/lib/containers, "
			"/run/containerd mounted; high when read-only and no socket lies inside",
		.consequence =
			"Other containers' files and environment (config.v2.json) and, when "
			"writable, images that run next; /run/containerd also holds the socket.",
		.fix =
			"Read logs or metrics through an exporter.",
		.compatibility =
			"Log shippers need the logs sub-path read-only; Docker's containers/ "
			"folder there also holds each container's environment.",
		.owner =
			"platform team",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(INSPECT),
		.concepts = "sensitive-host-path host-path-any",
	},
	{
		.slug = "host-proc-sys",
		.field = FIELD_MOUNTS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"host /proc, /sys or /sys/kernel/debug mounted; critical when writable; "
			"medium for /sys or /sys/fs/cgroup read-only",
		.consequence =
			"Kernel settings such as core_pattern run programs as host root; "
			"read-only still shows other processes.",
		.fix =
			"Mount the single file a metric needs, read-only.",
		.compatibility =
			"Node exporters are the usual exception; treat as their own row.",
		.owner =
			"platform team",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(BWRAP) | FORMAT_BIT(INSPECT),
		.concepts = "sensitive-host-path host-path-any",
	},
	{
		.slug = "host-home",
		.field = FIELD_MOUNTS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"a home directory (or /home, /Users) mounted as a whole",
		.consequence =
			"Shell start-up files, keys and tokens of the person are in reach.",
		.fix =
			"Mount the project directory only.",
		.compatibility =
			"Tool caches need a volume.",
		.owner =
			"agent operator",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(DEVCONTAINER) |
			   FORMAT_BIT(BWRAP) | FORMAT_BIT(MCP) | FORMAT_BIT(INSPECT),
		.concepts = "sensitive-host-path host-path-any",
	},
	{
		.slug = "host-cred-dir",
		.field = FIELD_MOUNTS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"~/.ssh, ~/.aws, ~/.azure, ~/.config/gcloud, ~/.kube, ~/.docker, "
			"~/.gnupg, ~/.netrc, ~/.npmrc, ~/.config/gh mounted, any mode",
		.consequence =
			"The agent can act as that person elsewhere; read-only does not lessen "
			"it.",
		.fix =
			"Issue a short-lived, narrow credential for the task and mount that "
			"file.",
		.compatibility =
			"Git or cloud commands need the new credential.",
		.owner =
			"agent operator",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(DEVCONTAINER) |
			   FORMAT_BIT(BWRAP) | FORMAT_BIT(MCP) | FORMAT_BIT(INSPECT),
		.concepts = "cloud-credential-path sensitive-host-path host-path-any",
	},
	{
		.slug = "project-writable",
		.field = FIELD_MOUNTS,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"the project directory is mounted read-write",
		.consequence =
			"Usually the task itself; record why, and which files in it other tools "
			"run.",
		.fix =
			"None, unless the task is read-only: then mount ro.",
		.compatibility =
			"Editing tasks need it.",
		.owner =
			"agent operator",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(DEVCONTAINER) |
			   FORMAT_BIT(BWRAP) | FORMAT_BIT(INSPECT),
		.task_context = true,
		.concepts = "",
	},
	{
		.slug = "autorun-files-writable",
		.field = FIELD_MOUNTS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"a writable project mount holds .git/hooks, .git/config, "
			".vscode/tasks.json, .devcontainer, .mcp.json, .claude, .cursor, "
			".github/workflows, Makefile or package.json scripts",
		.consequence =
			"Text the agent writes is later run by the person's editor, shell or CI "
			"outside the boundary.",
		.fix =
			"Bind those paths read-only over the project mount, and review their "
			"diffs.",
		.compatibility =
			"Agents asked to edit CI need a person to merge.",
		.owner =
			"agent operator",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(DEVCONTAINER) |
			   FORMAT_BIT(BWRAP) | FORMAT_BIT(MCP) | FORMAT_BIT(INSPECT),
		.task_context = true,
		.concepts = "",
	},
	{
		.slug = "mount-propagation-shared",
		.field = FIELD_MOUNTS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"propagation shared or rshared, mountPropagation Bidirectional "
			"(Kubernetes accepts it only for a privileged container); high when the "
			"row can mount (SYS_ADMIN or privileged)",
		.consequence =
			"Mounts made inside appear on the host; without the right to mount, "
			"only the host's later mounts flow in.",
		.fix =
			"Use private or HostToContainer.",
		.compatibility =
			"CSI drivers need it; treat as platform rows.",
		.owner =
			"platform team",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(INSPECT),
		.concepts = "",
	},
	{
		.slug = "var-log-write",
		.field = FIELD_MOUNTS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"writable hostPath /var/log or a parent",
		.consequence =
			"Symbolic links placed there are followed by the node's log reader and "
			"return other host files to whoever may read logs through the API "
			"(pods/log, nodes/log).",
		.fix =
			"Mount read-only, or write logs to stdout.",
		.compatibility =
			"File-based loggers change.",
		.owner =
			"service owner",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S),
		.concepts = "sensitive-host-path host-path-writable host-path-any",
	},
	{
		.slug = "host-tmp",
		.field = FIELD_MOUNTS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"/tmp or /var/tmp mounted; high for $XDG_RUNTIME_DIR (/run/user/UID)",
		.consequence =
			"Sockets and scratch files of other programs are shared; a runtime "
			"directory holds the user's D-Bus, agent and rootless engine sockets.",
		.fix =
			"Use tmpfs or a named volume.",
		.compatibility =
			"Tools exchanging files via /tmp need a folder.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(BWRAP) | FORMAT_BIT(INSPECT),
		.concepts = "host-path-any",
	},
	{
		.slug = "ro-not-recursive",
		.field = FIELD_MOUNTS,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"read-only bind of a tree with sub-mounts; Kubernetes readOnly without "
			"recursiveReadOnly; bind-recursive=writable; kernel below 5.12",
		.consequence =
			"Sub-mounts below a read-only mount may still be writable.",
		.fix =
			"Ask for recursive read-only where the runtime has it.",
		.compatibility =
			"Fails on old kernels or runtimes.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(INSPECT),
		.concepts = "",
	},
	{
		.slug = "mcp-root-wide",
		.field = FIELD_MOUNTS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"filesystem-like MCP server argument /, ~, $HOME, C:\\ or a parent of "
			"the project",
		.consequence =
			"The tool reads and writes far more than the task.",
		.fix =
			"Pass the project directory, and sandbox the process.",
		.compatibility =
			"Cross-project work needs more arguments.",
		.owner =
			"agent operator",
		.restore =
			"Restore the settings file from version control and restart the agent "
			"session.",
		.formats = FORMAT_BIT(MCP),
		.concepts = "mcp-broad-filesystem",
	},
	{
		.slug = "x-ro-root-rw-hostpath",
		.field = FIELD_MOUNTS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"read-only root file system AND any writable host mount outside the "
			"project",
		.consequence =
			"The first does not make the second read-only; persistence and "
			"tampering remain possible.",
		.fix =
			"Make the mount ro or narrower.",
		.compatibility =
			"Writers need another path.",
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
		.slug = "x-userns-hostmount",
		.field = FIELD_MOUNTS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"user namespace declared AND host paths world-writable or owned by the "
			"mapped range, or volumes idmapped",
		.consequence =
			"The namespace does not protect data deliberately shared: Kubernetes "
			"maps volumes back, so root in such a pod writes a hostPath as uid 0.",
		.fix =
			"Narrow the mount.",
		.compatibility =
			"Shared caches change.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(K8S) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) |
			   FORMAT_BIT(INSPECT),
		.combination = true,
		.concepts = "",
	},
	{
		.slug = "x-autorun-hosthook",
		.field = FIELD_MOUNTS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"autorun-files-writable AND a host-side hook, editor task or CI job "
			"reads those files",
		.consequence =
			"The agent's edit runs on the host at the next open or push.",
		.fix =
			"Mount those files read-only and require review.",
		.compatibility =
			"Agents cannot edit them.",
		.owner =
			"agent operator",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(DEVCONTAINER) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(MCP) |
			   FORMAT_BIT(INSPECT),
		.combination = true,
		.concepts = "",
	},
	{
		.slug = "volume-type-outside-restricted",
		.field = FIELD_MOUNTS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"a volume of a type outside the restricted profile (nfs, iscsi, "
			"flexVolume, …)",
		.consequence =
			"The node mounts it with the kubelet's rights and its content is "
			"outside the cluster's control.",
		.fix =
			"Use a PersistentVolumeClaim or an ephemeral type.",
		.compatibility =
			"Existing data has to be reachable through a storage class.",
		.owner =
			"service owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(K8S),
		.concepts = "restricted-volume-type",
	},
	{
		.slug = "hostpath-other",
		.field = FIELD_MOUNTS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"any hostPath that no other rule names; info for a compose or run bind "
			"outside the project",
		.consequence =
			"A node directory is shared: its content outlives the pod and crosses "
			"to others there, and the pod fails the baseline profile.",
		.fix =
			"Use a PersistentVolumeClaim, emptyDir or ConfigMap, else read-only and "
			"the exact path.",
		.compatibility =
			"Data moves once.",
		.owner =
			"service owner",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) |
			   FORMAT_BIT(INSPECT),
		.task_context = true,
		.concepts = "host-path-any host-path-writable",
	},
	{
		.slug = "pv-hostpath",
		.field = FIELD_MOUNTS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"PersistentVolume of type hostPath or local; the severity of its path's "
			"own rule when that is higher",
		.consequence =
			"A claim brings the node's directory into a pod; pod security does not "
			"look behind claims.",
		.fix =
			"Use a storage class, or bind it to one claim by claimRef.",
		.compatibility =
			"Static data must migrate.",
		.owner =
			"platform team",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S),
		.concepts = "host-path-any",
	},
	{
		.slug = "gitrepo-volume",
		.field = FIELD_MOUNTS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"volumes[].gitRepo",
		.consequence =
			"Before the fix of CVE-2024-10220 hooks of the repository ran outside "
			"the container, on the node; the driver is off by default from 1.33.",
		.fix =
			"Clone in an init container into an emptyDir.",
		.compatibility =
			"The init container needs git and its credential.",
		.owner =
			"service owner",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S),
		.concepts = "restricted-volume-type",
	},
	{
		.slug = "subpath-old-kubelet",
		.field = FIELD_MOUNTS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"subPath or subPathExpr with target 1.22.0-1, 1.21.0-4, 1.20.0-10 or up "
			"to 1.19.14",
		.consequence =
			"A symbolic-link exchange reaches host files outside the volume "
			"(CVE-2021-25741).",
		.fix =
			"Upgrade the kubelet, or mount without subPath.",
		.compatibility =
			"None after the upgrade.",
		.owner =
			"platform team",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S),
		.concepts = "subpath-symlink-cve",
	},
	{
		.slug = "volume-shared",
		.field = FIELD_MOUNTS,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"one writable volume mounted in several containers or services",
		.consequence =
			"What one writes another reads or runs: the weaker one decides.",
		.fix =
			"Mount it read-only in all but one.",
		.compatibility =
			"Sidecars that exchange files need it.",
		.owner =
			"service owner",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(INSPECT),
		.concepts = "volume-shared-between-containers",
	},
};

const size_t rules_mounts_count = sizeof rules_mounts / sizeof *rules_mounts;

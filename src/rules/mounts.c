/* Rules of the field mounts: paths of the host.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

#include "src/rules/judge.h"
#include "src/rules/mount_facts.h"

/* The narrowing that every rule over a host path shares. */
static enum verdict host_mount(struct eval *e, const struct fact *f, unsigned classes,
			       const char *consequence)
{
	enum verdict verdict = mount_judge(e, f, classes, consequence, false);

	if (verdict == VERDICT_FIRES)
		eval_concepts(e, mount_is_writable(f) ? WRITABLE_MOUNT : SENSITIVE_MOUNT);
	return verdict;
}

static enum verdict host_root_mount(struct eval *e, const struct fact *f)
{
	enum verdict verdict = mount_judge(e, f, HOST_PATH_ROOT, "the whole host", true);

	if (verdict == VERDICT_FIRES)
		eval_concepts(e, mount_is_writable(f) ? WRITABLE_MOUNT : SENSITIVE_MOUNT);
	return verdict;
}

/* Paths that a rule of their own judges. */
#define OWN_RULE                                                                                   \
	(HOST_PATH_KUBELET | HOST_PATH_RUNTIME_DATA | HOST_PATH_CREDENTIAL | HOST_PATH_ORDINARY)

static enum verdict host_system_write(struct eval *e, const struct fact *f)
{
	unsigned classes = mount_classes(f);

	if (!mount_is_writable(f) || (classes & OWN_RULE && !(classes & HOST_PATH_KUBELET)))
		return VERDICT_QUIET;
	return host_mount(e, f, HOST_PATH_SYSTEM, "what is changed there runs as host root");
}

/* The folder of one node plug-in, which holds its socket; that of the kubelet's own drivers holds volumes. */
static bool is_plugin_folder(const struct fact *f)
{
	static const char parent[] = "/var/lib/kubelet/plugins/";
	const char *source = attribute_of(f, "source");

	return text_begins(source, parent) && source[sizeof parent - 1] &&
	       !text_begins(source + sizeof parent - 1, "kubernetes.io");
}

static enum verdict host_kubelet_dir(struct eval *e, const struct fact *f)
{
	unsigned classes = mount_classes(f);
	const bool plugin = is_plugin_folder(f);
	format_set kubernetes = FORMATS_K8S;

	/* Sockets of plug-ins are another rule's: no key lies beside them. */
	if ((classes & HOST_PATH_RUNTIME_SOCKET) && !(classes & HOST_PATH_PARENT))
		return VERDICT_QUIET;
	/* A parent such as /var says nothing of a kubelet on an engine's host. */
	if ((classes & HOST_PATH_PARENT) && !(kubernetes >> eval_row(e)->format & 1))
		return VERDICT_QUIET;
	if (mount_judge(e, f, HOST_PATH_KUBELET,
			plugin ? "who writes there answers the kubelet as that plug-in" :
				 "keys and secrets of the node",
			false) != VERDICT_FIRES)
		return VERDICT_QUIET;
	if (plugin)
		eval_severity(e, SEVERITY_MEDIUM);
	eval_concepts(e, mount_is_writable(f) ? "cloud-credential-path " WRITABLE_MOUNT
					      : "cloud-credential-path " SENSITIVE_MOUNT);
	return VERDICT_FIRES;
}

static enum verdict host_runtime_data(struct eval *e, const struct fact *f)
{
	const unsigned sockets = HOST_PATH_ENGINE_SOCKET | HOST_PATH_RUNTIME_SOCKET;
	unsigned classes = mount_classes(f);

	if (!(classes & HOST_PATH_RUNTIME_DATA) || (classes & sockets && !(classes & HOST_PATH_PARENT)))
		return VERDICT_QUIET;
	if (!mount_is_writable(f) && !(classes & sockets))
		eval_severity(e, SEVERITY_HIGH);
	return host_mount(e, f, HOST_PATH_RUNTIME_DATA, "the content of every container");
}

static enum verdict host_proc_sys(struct eval *e, const struct fact *f)
{
	const char *source = attribute_of(f, "source");
	bool sys = text_begins(source, "/sys") && !text_begins(source, "/sys/kernel/debug");

	if (mount_is_writable(f))
		eval_severity(e, SEVERITY_CRITICAL);
	else if (sys)
		eval_severity(e, SEVERITY_MEDIUM);
	return host_mount(e, f, HOST_PATH_PROC_SYS, NULL);
}

static enum verdict host_home(struct eval *e, const struct fact *f)
{
	return host_mount(e, f, HOST_PATH_HOME, "a whole home folder with its keys");
}

/* An MCP server's directory argument is a mount in all but name: mcp-root-wide judges it. */
static enum verdict host_cred_dir(struct eval *e, const struct fact *f)
{
	unsigned classes = mount_classes(f);
	enum verdict verdict;

	if (classes & HOST_PATH_KUBELET)
		return VERDICT_QUIET;
	verdict = mount_judge(e, f, HOST_PATH_CREDENTIAL,
			      mount_is_writable(f) ? "credentials can be read and changed"
						   : "read-only keeps nobody from reading them",
			      true);
	if (verdict == VERDICT_FIRES)
		eval_concepts(e, mount_is_writable(f) ? "cloud-credential-path " WRITABLE_MOUNT
						      : "cloud-credential-path " SENSITIVE_MOUNT);
	return verdict;
}

static enum verdict project_writable(struct eval *e, const struct fact *f)
{
	if (!attribute_true(f, "project") || !mount_is_writable(f) || !mount_is_host(f))
		return VERDICT_QUIET;
	eval_say(e, "the project folder %s is mounted read-write at %s", attribute_of(f, "source"),
		 attribute_of(f, "target"));
	return VERDICT_FIRES;
}

/* What a person's tools, an editor or CI start by themselves. */
static enum verdict autorun_files_writable(struct eval *e, const struct fact *f)
{
	static const char *const files[] = { ".git", ".vscode", ".devcontainer", ".mcp.json",
					     ".claude", ".cursor", ".gemini", ".codex", ".github",
					     ".envrc", "Makefile", "package.json", NULL };
	const char *source = attribute_of(f, "source");

	if (!attribute_true(f, "project") || !mount_is_writable(f) || !mount_is_host(f))
		return VERDICT_QUIET;
	if (!fact_attribute(f, "autorun") && !text_has_word(source, files))
		return VERDICT_QUIET;
	eval_say(e, "files that start by themselves on the host can be changed: %s",
		 fact_attribute(f, "autorun") ? attribute_of(f, "autorun") : source);
	return VERDICT_FIRES;
}

static enum verdict mount_propagation_shared(struct eval *e, const struct fact *f)
{
	static const char *const shared[] = { "shared", "rshared", "Bidirectional", NULL };

	if (!text_is_any(attribute_of(f, "propagation"), shared))
		return VERDICT_QUIET;
	if (row_can(e, "SYS_ADMIN"))
		eval_severity(e, SEVERITY_HIGH);
	eval_say(e, "mounts made at %s appear on the host (propagation %s)",
		 attribute_of(f, "target"), attribute_of(f, "propagation"));
	return VERDICT_FIRES;
}

static enum verdict var_log_write(struct eval *e, const struct fact *f)
{
	return mount_is_writable(f) ? host_mount(e, f, HOST_PATH_LOG,
						 "links there are followed by the node's log server")
				    : VERDICT_QUIET;
}

static enum verdict host_tmp(struct eval *e, const struct fact *f)
{
	unsigned classes = mount_classes(f);

	if (classes & HOST_PATH_SESSION)
		eval_severity(e, SEVERITY_HIGH);
	return mount_judge(e, f, HOST_PATH_TMP | HOST_PATH_SESSION, NULL, false);
}

static enum verdict ro_not_recursive(struct eval *e, const struct fact *f)
{
	static const char *const below[] = { "writable", "false", "Disabled", "IfPossible", NULL };
	const char *recursive = attribute_of(f, "recursive");

	if (!mount_is_host(f) || mount_is_writable(f))
		return VERDICT_QUIET;
	if (*recursive && !text_is_any(recursive, below))
		return VERDICT_QUIET;
	/* A file or socket has nothing mounted below it. */
	if (!*recursive && !(mount_classes(f) &
			     (HOST_PATH_ROOT | HOST_PATH_HOME | HOST_PATH_PARENT |
			      HOST_PATH_SENSITIVE | HOST_PATH_RUNTIME_DATA | HOST_PATH_KUBELET)))
		return VERDICT_QUIET;
	eval_say(e, "%s is read-only, but what is mounted below it may stay writable",
		 attribute_of(f, "source"));
	return VERDICT_FIRES;
}

/* Everything that one of the rules above, or of the control channels and devices, names. */
#define NAMED                                                                                      \
	(HOST_PATH_ROOT | HOST_PATH_KUBELET | HOST_PATH_RUNTIME_DATA | HOST_PATH_PROC_SYS |        \
	 HOST_PATH_HOME | HOST_PATH_CREDENTIAL | HOST_PATH_TMP | HOST_PATH_ENGINE_SOCKET |         \
	 HOST_PATH_RUNTIME_SOCKET | HOST_PATH_USER_SOCKET)

static bool is_named(const struct eval *e, const struct fact *f, unsigned classes)
{
	format_set kubernetes = FORMATS_K8S;
	bool on_node = kubernetes >> eval_row(e)->format & 1;

	if ((classes & HOST_PATH_PARENT) && !on_node)
		classes &= ~(unsigned)HOST_PATH_KUBELET;
	return (classes & NAMED) || (mount_is_writable(f) && (classes & HOST_PATH_SYSTEM) &&
				     !(classes & HOST_PATH_ORDINARY)) ||
	       (mount_is_writable(f) && on_node && (classes & HOST_PATH_LOG));
}

static enum verdict hostpath_other(struct eval *e, const struct fact *f)
{
	unsigned classes = mount_classes(f);
	bool sensitive = classes & (HOST_PATH_SYSTEM | HOST_PATH_SENSITIVE | HOST_PATH_LOG |
				    HOST_PATH_DEVICE | HOST_PATH_BUS_SOCKET);
	format_set kubernetes = FORMATS_K8S;

	if (!mount_is_host(f) || fact_attribute(f, "pv") || is_named(e, f, classes))
		return VERDICT_QUIET;
	if (attribute_true(f, "project") || fact_attribute_is(f, "type", "npipe"))
		return VERDICT_QUIET;
	if (!fact_is_known(f) && !classes && host_path_is_opaque(fact_attribute(f, "source")))
		return VERDICT_UNKNOWN;
	if (!(kubernetes >> eval_row(e)->format & 1))
		eval_severity(e, SEVERITY_INFO);
	if (classes & HOST_PATH_ORDINARY)
		sensitive = false;
	if (mount_is_writable(f))
		eval_concepts(e, sensitive ? WRITABLE_MOUNT : "host-path-any host-path-writable");
	else
		eval_concepts(e, sensitive ? SENSITIVE_MOUNT : "host-path-any");
	mount_say(e, f, NULL);
	return VERDICT_FIRES;
}

const struct rule rules_mounts[] = {
	{
		.slug = "host-root-mount",
		.field = FIELD_MOUNTS,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "bind or hostPath of / (any mode); bwrap --bind / / or --dev-bind / /",
		.consequence =
			"Writable: full host takeover by editing any file. Read-only: every "
			"secret on the disk.",
		.fix = "Mount the exact directory needed.",
		.compatibility = "List the paths the job opens first.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S | FORMAT_BIT(BWRAP),
		.concepts = "sensitive-host-path host-path-any",
		.each = FACT_MOUNT,
		.judge = host_root_mount,
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
		.fix = "Make it read-only or copy the one file in as a config.",
		.compatibility = "Installers that place host files need a host-side step.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.concepts = "sensitive-host-path host-path-writable host-path-any",
		.each = FACT_MOUNT,
		.judge = host_system_write,
	},
	{
		.slug = "host-kubelet-dir",
		.field = FIELD_MOUNTS,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"/var/lib/kubelet, /etc/kubernetes, /var/lib/etcd, /var/lib/rancher "
			"mounted",
		.consequence = "Node and control-plane keys, all pods' secrets and tokens.",
		.fix = "Use the API with a narrow role.",
		.compatibility = "CSI and device plug-ins need sub-paths, reviewed as such.",
		.owner = "platform team",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S | FORMAT_BIT(COMPOSE) | FORMATS_RUN,
		.concepts = "sensitive-host-path cloud-credential-path host-path-any",
		.each = FACT_MOUNT,
		.judge = host_kubelet_dir,
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
		.fix = "Read logs or metrics through an exporter.",
		.compatibility =
			"Log shippers need the logs sub-path read-only; Docker's containers/ "
			"folder there also holds each container's environment.",
		.owner = "platform team",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.concepts = "sensitive-host-path host-path-any",
		.each = FACT_MOUNT,
		.judge = host_runtime_data,
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
		.fix = "Mount the single file a metric needs, read-only.",
		.compatibility = "Node exporters are the usual exception; treat as their own row.",
		.owner = "platform team",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S | FORMAT_BIT(BWRAP),
		.concepts = "sensitive-host-path host-path-any",
		.each = FACT_MOUNT,
		.judge = host_proc_sys,
	},
	{
		.slug = "host-home",
		.field = FIELD_MOUNTS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "a home directory (or /home, /Users) mounted as a whole",
		.consequence = "Shell start-up files, keys and tokens of the person are in reach.",
		.fix = "Mount the project directory only.",
		.compatibility = "Tool caches need a volume.",
		.owner = "agent operator",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S | FORMAT_BIT(BWRAP),
		.concepts = "sensitive-host-path host-path-any",
		.each = FACT_MOUNT,
		.judge = host_home,
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
		.compatibility = "Git or cloud commands need the new credential.",
		.owner = "agent operator",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S | FORMAT_BIT(BWRAP),
		.concepts = "cloud-credential-path sensitive-host-path host-path-any",
		.each = FACT_MOUNT,
		.judge = host_cred_dir,
	},
	{
		.slug = "project-writable",
		.field = FIELD_MOUNTS,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "the project directory is mounted read-write",
		.consequence =
			"Usually the task itself; record why, and which files in it other tools "
			"run.",
		.fix = "None, unless the task is read-only: then mount ro.",
		.compatibility = "Editing tasks need it.",
		.owner = "agent operator",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMAT_BIT(BWRAP),
		.task_context = true,
		.concepts = "",
		.each = FACT_MOUNT,
		.judge = project_writable,
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
		.compatibility = "Agents asked to edit CI need a person to merge.",
		.owner = "agent operator",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMAT_BIT(BWRAP),
		.task_context = true,
		.concepts = "",
		.each = FACT_MOUNT,
		.judge = autorun_files_writable,
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
		.fix = "Use private or HostToContainer.",
		.compatibility = "CSI drivers need it; treat as platform rows.",
		.owner = "platform team",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.concepts = "volume-shared-between-containers",
		.each = FACT_MOUNT,
		.judge = mount_propagation_shared,
	},
	{
		.slug = "var-log-write",
		.field = FIELD_MOUNTS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger = "writable hostPath /var/log or a parent",
		.consequence =
			"Symbolic links placed there are followed by the node's log reader and "
			"return other host files to whoever may read logs through the API "
			"(pods/log, nodes/log).",
		.fix = "Mount read-only, or write logs to stdout.",
		.compatibility = "File-based loggers change.",
		.owner = "service owner",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S,
		.concepts = "sensitive-host-path host-path-writable host-path-any",
		.each = FACT_MOUNT,
		.judge = var_log_write,
	},
	{
		.slug = "host-tmp",
		.field = FIELD_MOUNTS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "/tmp or /var/tmp mounted; high for $XDG_RUNTIME_DIR (/run/user/UID)",
		.consequence =
			"Sockets and scratch files of other programs are shared; a runtime "
			"directory holds the user's D-Bus, agent and rootless engine sockets.",
		.fix = "Use tmpfs or a named volume.",
		.compatibility = "Tools exchanging files via /tmp need a folder.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S | FORMAT_BIT(BWRAP),
		.concepts = "host-path-any",
		.each = FACT_MOUNT,
		.judge = host_tmp,
	},
	{
		.slug = "ro-not-recursive",
		.field = FIELD_MOUNTS,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"read-only bind of a tree with sub-mounts; Kubernetes readOnly without "
			"recursiveReadOnly; bind-recursive=writable; kernel below 5.12",
		.consequence = "Sub-mounts below a read-only mount may still be writable.",
		.fix = "Ask for recursive read-only where the runtime has it.",
		.compatibility = "Fails on old kernels or runtimes.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.concepts = "",
		.each = FACT_MOUNT,
		.judge = ro_not_recursive,
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
		.compatibility = "Data moves once.",
		.owner = "service owner",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S | FORMAT_BIT(COMPOSE) | FORMATS_RUN,
		.task_context = true,
		.concepts = "host-path-any host-path-writable",
		.each = FACT_MOUNT,
		.judge = hostpath_other,
	},
};

const size_t rules_mounts_count = sizeof rules_mounts / sizeof *rules_mounts;

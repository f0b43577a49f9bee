/* Rules of the field mounts: volumes, directory arguments and combinations.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

#include <string.h>

#include "src/rules/judge.h"
#include "src/rules/mount_facts.h"

/* A folder given to a file server that holds more than a project. */
static enum verdict mcp_root_wide(struct eval *e, const struct fact *f)
{
	unsigned classes = host_path_classes(f->value);
	static const char *const wide[] = { ".", "*", "**", "/*", "/**", NULL };
	bool above = text_begins(f->value, "..") || text_holds(f->value, "/../") ||
		     fact_attribute(f, "wide");

	if (text_is_any(f->value, wide))
		above = !fact_is(f, ".");
	if (!(classes & (HOST_PATH_ROOT | HOST_PATH_HOME | HOST_PATH_SYSTEM | HOST_PATH_CREDENTIAL |
			 HOST_PATH_PROC_SYS | HOST_PATH_SENSITIVE | HOST_PATH_RUNTIME_DATA |
			 HOST_PATH_KUBELET)) &&
	    !above && !text_holds(f->value, "*"))
		return !fact_is_known(f) && host_path_is_opaque(f->value) ? VERDICT_UNKNOWN
									  : VERDICT_QUIET;
	eval_say(e, "the server may use everything below %s; the limit is the server's own",
		 f->value);
	return VERDICT_FIRES;
}

static enum verdict volume_type_outside_restricted(struct eval *e, const struct fact *f)
{
	static const char *const restricted[] = { "configMap", "csi", "downwardAPI", "emptyDir",
						  "ephemeral", "image", "persistentVolumeClaim",
						  "projected", "secret", "volume", "tmpfs", NULL };
	const char *type = attribute_of(f, "type");

	if (!*type || text_is_any(type, restricted) || fact_attribute(f, "pv"))
		return VERDICT_QUIET;
	/* A path of the host is a matter of its own rules. */
	if (mount_is_host(f))
		eval_severity(e, SEVERITY_INFO);
	eval_say(e, "volume %s is of type %s, outside the restricted profile",
		 *attribute_of(f, "name") ? attribute_of(f, "name") : attribute_of(f, "source"),
		 mount_is_host(f) ? "hostPath" : type);
	return VERDICT_FIRES;
}

static enum verdict pv_hostpath(struct eval *e, const struct fact *f)
{
	const char *kind = fact_attribute(f, "pv");
	unsigned classes = mount_classes(f);

	if (!kind)
		return VERDICT_QUIET;
	if (classes & (HOST_PATH_ROOT | HOST_PATH_KUBELET | HOST_PATH_RUNTIME_DATA |
		       HOST_PATH_ENGINE_SOCKET | HOST_PATH_RUNTIME_SOCKET) ||
	    ((classes & HOST_PATH_SYSTEM) && mount_is_writable(f)))
		eval_severity(e, SEVERITY_CRITICAL);
	else if (classes & (HOST_PATH_PROC_SYS | HOST_PATH_LOG | HOST_PATH_HOME))
		eval_severity(e, SEVERITY_HIGH);
	if (classes & (HOST_PATH_ROOT | HOST_PATH_SYSTEM | HOST_PATH_KUBELET |
		       HOST_PATH_RUNTIME_DATA | HOST_PATH_PROC_SYS | HOST_PATH_LOG))
		eval_concepts(e, "sensitive-host-path host-path-any");
	eval_say(e, "the claim is bound to a %s volume at %s on the node", kind,
		 attribute_of(f, "source"));
	return VERDICT_FIRES;
}

static enum verdict gitrepo_volume(struct eval *e, const struct fact *f)
{
	if (!fact_attribute_is(f, "type", "gitRepo"))
		return VERDICT_QUIET;
	if (kubernetes_at_least(e, 33)) {
		eval_severity(e, SEVERITY_INFO);
		eval_say(e, "a gitRepo volume: the driver is off by default from Kubernetes 1.33, and "
			    "where it is on, hooks of the repository ran on the node (CVE-2024-10220)");
		return VERDICT_FIRES;
	}
	eval_say(e, "a gitRepo volume: hooks of the repository ran on the node (CVE-2024-10220)");
	return VERDICT_FIRES;
}

static enum verdict subpath_old_kubelet(struct eval *e, const struct fact *f)
{
	const char *subpath = attribute_of(f, "subpath");

	if (!*subpath)
		return VERDICT_QUIET;
	if (!kubernetes_below(e, 23))
		return VERDICT_QUIET;
	eval_say(e, "subPath %s on a kubelet that may still follow links (CVE-2021-25741)", subpath);
	return VERDICT_FIRES;
}

static bool same_volume(const struct fact *a, const struct fact *b)
{
	const char *left = fact_attribute(a, "source"), *right = fact_attribute(b, "source");

	return left && right && *left && strcmp(left, right) == 0 &&
	       strcmp(attribute_of(a, "type"), attribute_of(b, "type")) == 0;
}

static enum verdict volume_shared(struct eval *e, const struct fact *f)
{
	static const char *const read[] = { "configMap", "secret", "projected", "downwardAPI",
					    "image", "tmpfs", NULL };
	const struct row *peer;

	if (!mount_is_writable(f) || text_is_any(attribute_of(f, "type"), read) ||
	    !*attribute_of(f, "target"))
		return VERDICT_QUIET;
	for (size_t i = 0; (peer = eval_peer(e, i)); i++)
		for (const struct fact *other = row_first(peer, FACT_MOUNT, eval_layer(e)); other;
		     other = row_next(peer, other))
			if (same_volume(f, other) && *attribute_of(other, "target")) {
				eval_read(e, other);
				eval_say(e, "volume %s is shared with %s",
					 attribute_of(f, "source"), peer->name);
				return VERDICT_FIRES;
			}
	return VERDICT_QUIET;
}

static bool is_outside_write(const struct fact *f)
{
	return mount_is_host(f) && mount_is_writable(f) && !attribute_true(f, "project") &&
	       !(mount_classes(f) & (HOST_PATH_ORDINARY | HOST_PATH_ENGINE_SOCKET |
				     HOST_PATH_RUNTIME_SOCKET | HOST_PATH_USER_SOCKET));
}

static bool is_true(const struct fact *f)
{
	return fact_truth(f) == TRI_TRUE;
}

static enum verdict x_ro_root_rw_hostpath(struct eval *e, const struct fact *f)
{
	const struct fact *mount;

	(void)f;
	if (!eval_find(e, FACT_READ_ONLY_ROOT, is_true))
		return VERDICT_QUIET;
	mount = eval_find(e, FACT_MOUNT, is_outside_write);
	if (!mount)
		return VERDICT_QUIET;
	eval_subject(e, mount);
	eval_say(e, "the root file system is read-only, yet host path %s is mounted read-write",
		 attribute_of(mount, "source"));
	return VERDICT_FIRES;
}

static bool is_host_write(const struct fact *f)
{
	return mount_is_host(f) && mount_is_writable(f);
}

static enum verdict x_userns_hostmount(struct eval *e, const struct fact *f)
{
	const struct fact *mount;

	(void)f;
	if (!row_has_userns(e))
		return VERDICT_QUIET;
	mount = eval_find(e, FACT_MOUNT, is_host_write);
	if (!mount)
		return VERDICT_QUIET;
	eval_subject(e, mount);
	eval_say(e, "a user namespace does not soften host path %s: volumes are mapped back or the "
		    "files may be open to the mapped range", attribute_of(mount, "source"));
	return VERDICT_FIRES;
}

static enum verdict x_autorun_hosthook(struct eval *e, const struct fact *f)
{
	(void)f;
	if (!eval_fired(e, "autorun-files-writable") || !eval_part(e, "host-side-hook"))
		return VERDICT_QUIET;
	eval_part(e, "autorun-files-writable");
	eval_say(e, "what the row writes is started on the host by a hook");
	return VERDICT_FIRES;
}

const struct rule rules_volumes[] = {
	{
		.slug = "mcp-root-wide",
		.field = FIELD_MOUNTS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"filesystem-like MCP server argument /, ~, $HOME, C:\\ or a parent of "
			"the project",
		.consequence = "The tool reads and writes far more than the task.",
		.fix = "Pass the project directory, and sandbox the process.",
		.compatibility = "Cross-project work needs more arguments.",
		.owner = "agent operator",
		.restore = RESTORE_SETTINGS,
		.formats = FORMAT_BIT(MCP),
		.concepts = "mcp-broad-filesystem",
		.each = FACT_ACCESS_ROOT,
		.judge = mcp_root_wide,
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
		.fix = "Use a PersistentVolumeClaim or an ephemeral type.",
		.compatibility = "Existing data has to be reachable through a storage class.",
		.owner = "service owner",
		.restore = RESTORE_LINES,
		.formats = FORMATS_K8S,
		.concepts = "restricted-volume-type",
		.each = FACT_MOUNT,
		.judge = volume_type_outside_restricted,
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
		.fix = "Use a storage class, or bind it to one claim by claimRef.",
		.compatibility = "Static data must migrate.",
		.owner = "platform team",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S,
		.concepts = "host-path-any",
		.each = FACT_MOUNT,
		.judge = pv_hostpath,
	},
	{
		.slug = "gitrepo-volume",
		.field = FIELD_MOUNTS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "volumes[].gitRepo",
		.consequence =
			"Before the fix of CVE-2024-10220 hooks of the repository ran outside "
			"the container, on the node; the driver is off by default from 1.33.",
		.fix = "Clone in an init container into an emptyDir.",
		.compatibility = "The init container needs git and its credential.",
		.owner = "service owner",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S,
		.concepts = "restricted-volume-type",
		.each = FACT_MOUNT,
		.judge = gitrepo_volume,
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
		.fix = "Upgrade the kubelet, or mount without subPath.",
		.compatibility = "None after the upgrade.",
		.owner = "platform team",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S,
		.concepts = "subpath-symlink-cve",
		.each = FACT_MOUNT,
		.judge = subpath_old_kubelet,
	},
	{
		.slug = "volume-shared",
		.field = FIELD_MOUNTS,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "one writable volume mounted in several containers or services",
		.consequence = "What one writes another reads or runs: the weaker one decides.",
		.fix = "Mount it read-only in all but one.",
		.compatibility = "Sidecars that exchange files need it.",
		.owner = "service owner",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S | FORMAT_BIT(COMPOSE) | FORMAT_BIT(INSPECT),
		.concepts = "volume-shared-between-containers",
		.each = FACT_MOUNT,
		.judge = volume_shared,
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
		.fix = "Make the mount ro or narrower.",
		.compatibility = "Writers need another path.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.combination = true,
		.concepts = "",
		.judge = x_ro_root_rw_hostpath,
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
		.fix = "Narrow the mount.",
		.compatibility = "Shared caches change.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMATS_K8S | FORMAT_BIT(COMPOSE) | FORMATS_RUN,
		.combination = true,
		.concepts = "",
		.judge = x_userns_hostmount,
	},
	{
		.slug = "x-autorun-hosthook",
		.field = FIELD_MOUNTS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"autorun-files-writable AND a host-side hook, editor task or CI job "
			"reads those files",
		.consequence = "The agent's edit runs on the host at the next open or push.",
		.fix = "Mount those files read-only and require review.",
		.compatibility = "Agents cannot edit them.",
		.owner = "agent operator",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(DEVCONTAINER) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(MCP) |
			   FORMAT_BIT(INSPECT),
		.combination = true,
		.concepts = "",
		.judge = x_autorun_hosthook,
	},
};

const size_t rules_volumes_count = sizeof rules_volumes / sizeof *rules_volumes;

/* Rules of the field root file system.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

#include "src/rules/host_paths.h"
#include "src/rules/judge.h"

static enum verdict rootfs_writable(struct eval *e, const struct fact *f)
{
	enum verdict verdict;

	if (row_is_windows(e))
		return VERDICT_NOT_APPLICABLE;
	verdict = judge_not_true(e, f);
	if (verdict == VERDICT_FIRES)
		eval_say(e, "the root file system is writable");
	return verdict;
}

static bool no_apparmor(const struct fact *f)
{
	return fact_is_nocase(f, "unconfined");
}

static enum verdict proc_masks_off(struct eval *e, const struct fact *f)
{
	static const char *const off[] = { "unconfined", "unmasked", "all", NULL };
	format_set kubernetes = FORMATS_K8S;
	bool open = text_is_any(f->value, off);

	/* procMount knows two values; anything else is not the default. */
	if (kubernetes >> eval_row(e)->format & 1)
		open = fact_is_written(f) && !fact_is_nocase(f, "default");

	if (open && row_is_root(e) == TRI_TRUE && eval_find(e, FACT_APPARMOR, no_apparmor) &&
	    !row_has_userns(e))
		eval_severity(e, SEVERITY_CRITICAL);
	if (open)
		eval_say(e, "the masks over kernel paths in /proc and /sys are off");
	return judge_bad(e, f, open);
}

static enum verdict unsafe_sysctl(struct eval *e, const struct fact *f)
{
	if (!fact_is_written(f) || attribute_true(f, "safe"))
		return fact_is_known(f) ? VERDICT_QUIET : VERDICT_UNKNOWN;
	eval_say(e, "kernel parameter %s is outside the safe set", f->value);
	return VERDICT_FIRES;
}

static enum verdict build_mounts_system_dir(struct eval *e, const struct fact *f)
{
	unsigned classes = host_path_classes(f->value);

	if (!fact_is_written(f) || row_is_spare_stage(e))
		return VERDICT_QUIET;
	if (!(classes & (HOST_PATH_SYSTEM | HOST_PATH_PROC_SYS | HOST_PATH_DEVICE |
			 HOST_PATH_ROOT)) ||
	    text_begins(f->value, "/usr/local") || text_begins(f->value, "/usr/src") ||
	    text_begins(f->value, "/usr/app") || text_begins(f->value, "/usr/share") ||
	    (f->kind == FACT_WORKDIR && (classes & HOST_PATH_HOME)))
		return VERDICT_QUIET;
	if (f->kind == FACT_WORKDIR && (classes & HOST_PATH_ROOT))
		return VERDICT_QUIET;
	eval_say(e, "%s %s lies in a system directory", fact_kind_table[f->kind].title, f->value);
	return VERDICT_FIRES;
}

const struct rule rules_root_fs[] = {
	{
		.slug = "rootfs-writable",
		.field = FIELD_ROOT_FS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"readOnlyRootFilesystem not true, read_only absent, --read-only absent, "
			"systemd ProtectSystem not strict",
		.consequence =
			"Code run by the agent can alter its own tools and persist until the "
			"container is replaced.",
		.fix = "Make it read-only and add tmpfs or volumes for the few written paths.",
		.compatibility = "Caches and package managers need a writable path.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S | FORMAT_BIT(SYSTEMD),
		.task_context = true,
		.concepts = "root-fs-writable",
		.each = FACT_READ_ONLY_ROOT,
		.judge = rootfs_writable,
	},
	{
		.slug = "proc-masks-off",
		.field = FIELD_ROOT_FS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"systempaths=unconfined; podman unmask=ALL; procMount: Unmasked "
			"(current API servers accept it only with hostUsers: false); critical "
			"for uid 0 with AppArmor off and no user namespace",
		.consequence =
			"Kernel interfaces that the runtime hides or makes read-only become "
			"usable; root with neither AppArmor nor a user namespace can set "
			"core_pattern and so run a program on the host.",
		.fix = "Return to the default masks.",
		.compatibility =
			"Nested rootless containers want Unmasked; pair it with a user "
			"namespace.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMATS_K8S | FORMATS_RUN | FORMAT_BIT(COMPOSE),
		.concepts = "unmasked-proc",
		.each = FACT_PROC_MASK,
		.judge = proc_masks_off,
	},
	{
		.slug = "unsafe-sysctl",
		.field = FIELD_ROOT_FS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"sysctls outside the safe list of the target version (Kubernetes), or "
			"any sysctl outside that list (compose, run)",
		.consequence =
			"The value is namespaced but weakly isolated: it can weaken the row's "
			"network or starve the node. Names that are not namespaced are refused "
			"by the runtime, unsafe ones by the kubelet unless the node allows them.",
		.fix = "Remove it or set it on the node by the owner.",
		.compatibility = "Tuned network stacks may slow down.",
		.owner = "platform team",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S | FORMAT_BIT(COMPOSE) | FORMATS_RUN,
		.concepts = "unsafe-sysctls",
		.each = FACT_SYSCTL,
		.judge = unsafe_sysctl,
	},
	{
		.slug = "build-mounts-system-dir",
		.field = FIELD_ROOT_FS,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "WORKDIR or a RUN --mount target on a system directory",
		.consequence = "Build steps write where the operating system reads.",
		.fix = "Use a directory of the application's own.",
		.compatibility = "Paths in scripts change.",
		.owner = "image owner",
		.restore = RESTORE_LINES,
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(IMAGE_INSPECT),
		.concepts = "build-mount-system-dir",
		.each = FACT_WORKDIR,
		.also = { FACT_BUILD_MOUNT },
		.judge = build_mounts_system_dir,
	},
};

const size_t rules_root_fs_count = sizeof rules_root_fs / sizeof *rules_root_fs;

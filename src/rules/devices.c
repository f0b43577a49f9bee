/* Rules of the field devices.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

#include <string.h>

#include "src/rules/judge.h"
#include "src/rules/mount_facts.h"

enum device_class { DEVICE_OTHER, DEVICE_RAW, DEVICE_STRONG, DEVICE_SPECIAL };

/* By the beginning of the name below /dev. */
static const struct {
	const char *begins;
	enum device_class is;
} devices[] = {
	{ "sd", DEVICE_RAW },       { "nvme", DEVICE_RAW },   { "vd", DEVICE_RAW },
	{ "xvd", DEVICE_RAW },      { "hd", DEVICE_RAW },     { "dm-", DEVICE_RAW },
	{ "mapper", DEVICE_RAW },   { "md", DEVICE_RAW },     { "mmcblk", DEVICE_RAW },
	{ "loop", DEVICE_RAW },     { "disk", DEVICE_RAW },   { "mem", DEVICE_RAW },
	{ "kmem", DEVICE_RAW },     { "port", DEVICE_RAW },   { "block", DEVICE_RAW },
	{ "uinput", DEVICE_STRONG }, { "input", DEVICE_STRONG }, { "vfio", DEVICE_STRONG },
	{ "tty", DEVICE_STRONG },   { "kvm", DEVICE_SPECIAL }, { "fuse", DEVICE_SPECIAL },
	{ "net/tun", DEVICE_SPECIAL }, { "vhost", DEVICE_SPECIAL }, { "kmsg", DEVICE_SPECIAL },
	{ "nvidia", DEVICE_SPECIAL }, { "dri", DEVICE_SPECIAL }, { "kfd", DEVICE_SPECIAL },
	{ "dxg", DEVICE_SPECIAL },
};

static const char *device_path(const struct fact *f)
{
	if (f->kind == FACT_MOUNT)
		return mount_is_host(f) ? attribute_of(f, "source") : "";
	return f->value;
}

static enum device_class device_class(const char *path)
{
	static const char *const whole[] = { "/dev", "/dev/", "/dev/*", NULL };

	if (text_is_any(path, whole))
		return DEVICE_RAW;
	if (!text_begins(path, "/dev/"))
		return DEVICE_OTHER;
	for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
		if (text_begins(path + 5, devices[i].begins))
			return devices[i].is;
	return DEVICE_OTHER;
}

static enum verdict device_raw(struct eval *e, const struct fact *f)
{
	if (f->kind == FACT_DEVICE && !fact_is_known(f))
		return VERDICT_UNKNOWN;
	if (device_class(device_path(f)) != DEVICE_RAW)
		return VERDICT_QUIET;
	if (attribute_false(f, "mounted"))
		eval_severity(e, SEVERITY_INFO);
	eval_say(e, attribute_false(f, "mounted") ?
			    "%s is a volume of the pod that no container mounts" :
			    "%s reaches the host's disks or memory past every file permission",
		 device_path(f));
	return VERDICT_FIRES;
}

/* "TYPE MAJOR:MINOR ACCESS"; making a node alone ("m") opens nothing. */
static enum verdict device_cgroup_wide(struct eval *e, const struct fact *f)
{
	const char *access = strrchr(f->value, ' ');

	if (!fact_is_known(f))
		return VERDICT_UNKNOWN;
	if (!text_holds(f->value, "*:*") || !access || !strpbrk(access, "rw"))
		return VERDICT_QUIET;
	eval_say(e, "device rule \"%s\" admits every device", f->value);
	return VERDICT_FIRES;
}

static enum verdict device_special(struct eval *e, const struct fact *f)
{
	enum device_class is = device_class(device_path(f));

	if (f->kind == FACT_GPU) {
		eval_say(e, "a GPU is given to the row: %s", f->value);
		return judge_written(e, f);
	}
	if (is == DEVICE_STRONG)
		eval_severity(e, SEVERITY_HIGH);
	else if (is != DEVICE_SPECIAL)
		return VERDICT_QUIET;
	eval_say(e, "host device %s is given to the row", device_path(f));
	return VERDICT_FIRES;
}

static bool names_gpu(const struct fact *f)
{
	return text_begins(f->value, "NVIDIA_VISIBLE_DEVICES");
}

static bool preloads(const struct fact *f)
{
	return fact_is(f, "LD_PRELOAD");
}

static bool is_nvidia(const struct fact *f)
{
	return fact_is_written(f) && text_holds(f->value, "nvidia");
}

static bool lacks_digest(const struct fact *f)
{
	return !*attribute_of(f, "digest");
}

static enum verdict gpu_toolkit(struct eval *e, const struct fact *f)
{
	const struct fact *gpu = eval_first(e, FACT_GPU);
	const struct fact *variable = eval_find(e, FACT_ENV, names_gpu);
	const struct fact *runtime = eval_find(e, FACT_RUNTIME, is_nvidia);

	(void)f;
	if (!gpu && !runtime && !variable)
		return VERDICT_QUIET;
	if (!variable && !eval_find(e, FACT_IMAGE, lacks_digest))
		return VERDICT_QUIET;
	if (eval_find(e, FACT_ENV, preloads))
		eval_severity(e, SEVERITY_HIGH);
	if (variable && !gpu && !runtime) {
		eval_subject(e, variable);
		eval_say(e, "NVIDIA_VISIBLE_DEVICES asks for a GPU that the row does not request");
	} else {
		eval_say(e, "a GPU through the NVIDIA toolkit, whose version is not in evidence, "
			    "for an image that can change");
	}
	return VERDICT_FIRES;
}

static enum verdict x_mknod_device_rule(struct eval *e, const struct fact *f)
{
	(void)f;
	if (!eval_fired(e, "device-cgroup-wide"))
		return VERDICT_QUIET;
	/* MKNOD is in the default set: only a drop takes it away. */
	if (!row_can(e, "MKNOD") &&
	    (row_says(e, FACT_CAP_DROP, "ALL") || row_says(e, FACT_CAP_DROP, "MKNOD")))
		return VERDICT_QUIET;
	eval_part(e, "device-cgroup-wide");
	eval_say(e, "device nodes can be made and the device rule admits them");
	return VERDICT_FIRES;
}

const struct rule rules_devices[] = {
	{
		.slug = "device-raw",
		.field = FIELD_DEVICES,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"block devices (/dev/sd*, nvme*, vd*, dm-*, mapper), /dev/mem, "
			"/dev/kmem, /dev/port, or the whole /dev",
		.consequence =
			"Reads and writes below the file system or straight to memory, for uid "
			"0 or the device's group (/dev/mem and /dev/port also need SYS_RAWIO).",
		.fix = "Pass only the needed device.",
		.compatibility = "Disk tools belong on the host.",
		.owner = "platform team",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.concepts = "",
		.each = FACT_DEVICE,
		.also = { FACT_MOUNT },
		.judge = device_raw,
	},
	{
		.slug = "device-cgroup-wide",
		.field = FIELD_DEVICES,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "device_cgroup_rules with a *:* or b *:* and rwm",
		.consequence =
			"Any device node that can be made or found may be opened; MKNOD is in "
			"the default set of Docker and containerd.",
		.fix = "Name major and minor numbers.",
		.compatibility = "Hot-plug set-ups need a rule each.",
		.owner = "platform team",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN,
		.concepts = "",
		.each = FACT_DEVICE_RULE,
		.judge = device_cgroup_wide,
	},
	{
		.slug = "device-special",
		.field = FIELD_DEVICES,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"/dev/kvm, /dev/fuse, /dev/net/tun, /dev/vhost*, /dev/kmsg, GPU device "
			"nodes or gpus: all; high for uinput, /dev/input, /dev/vfio or host tty "
			"nodes",
		.consequence = "Larger kernel or driver surface, shared hardware state.",
		.fix = "Keep only if the task names it.",
		.compatibility = "GPU work needs it.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.task_context = true,
		.concepts = "",
		.each = FACT_DEVICE,
		.also = { FACT_MOUNT, FACT_GPU },
		.judge = device_special,
	},
	{
		.slug = "gpu-toolkit",
		.field = FIELD_DEVICES,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"GPU through the NVIDIA runtime (runtime nvidia, --gpus, gpus, "
			"nvidia.com/gpu) with a mutable or third-party image and no toolkit "
			"version in evidence; NVIDIA_VISIBLE_DEVICES set without a GPU request; "
			"high for LD_PRELOAD in such an image",
		.consequence =
			"Hooks run as host root on image content: crafted images took the host "
			"up to toolkit 1.16.1 (CVE-2024-0132) and 1.17.7 (CVE-2025-23266); by "
			"default the variable alone grants GPUs.",
		.fix =
			"Record the toolkit version (1.17.8 or later) and set "
			"accept-nvidia-visible-devices-envvar-when-unprivileged=false.",
		.compatibility = "Pods must request the GPU resource.",
		.owner = "host admin",
		.restore = RESTORE_COMMIT,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S |
			   FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(IMAGE_INSPECT),
		.concepts = "",
		.judge = gpu_toolkit,
	},
	{
		.slug = "x-mknod-device-rule",
		.field = FIELD_DEVICES,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "MKNOD AND wide device cgroup rule",
		.consequence = "Create and open a node for the host disk.",
		.fix = "Narrow the rule or drop MKNOD.",
		.compatibility = "Hot-plug changes.",
		.owner = "platform team",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN,
		.combination = true,
		.concepts = "",
		.judge = x_mknod_device_rule,
	},
};

const size_t rules_devices_count = sizeof rules_devices / sizeof *rules_devices;

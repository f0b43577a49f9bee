/* Rules of the field devices.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

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
		.fix =
			"Pass only the needed device.",
		.compatibility =
			"Disk tools belong on the host.",
		.owner =
			"platform team",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(DEVCONTAINER) | FORMAT_BIT(INSPECT),
		.concepts = "",
	},
	{
		.slug = "device-cgroup-wide",
		.field = FIELD_DEVICES,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"device_cgroup_rules with a *:* or b *:* and rwm",
		.consequence =
			"Any device node that can be made or found may be opened; MKNOD is in "
			"the default set of Docker and containerd.",
		.fix =
			"Name major and minor numbers.",
		.compatibility =
			"Hot-plug set-ups need a rule each.",
		.owner =
			"platform team",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(INSPECT),
		.concepts = "",
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
		.consequence =
			"Larger kernel or driver surface, shared hardware state.",
		.fix =
			"Keep only if the task names it.",
		.compatibility =
			"GPU work needs it.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(INSPECT),
		.task_context = true,
		.concepts = "",
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
		.compatibility =
			"Pods must request the GPU resource.",
		.owner =
			"host admin",
		.restore =
			"Revert the commit and redeploy; the finding stores the former lines "
			"and their sha256.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(INSPECT),
		.concepts = "",
	},
	{
		.slug = "x-mknod-device-rule",
		.field = FIELD_DEVICES,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"MKNOD AND wide device cgroup rule",
		.consequence =
			"Create and open a node for the host disk.",
		.fix =
			"Narrow the rule or drop MKNOD.",
		.compatibility =
			"Hot-plug changes.",
		.owner =
			"platform team",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(INSPECT),
		.combination = true,
		.concepts = "",
	},
};

const size_t rules_devices_count = sizeof rules_devices / sizeof *rules_devices;

/* Rules of the field identity.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

const struct rule rules_identity[] = {
	{
		.slug = "root-declared",
		.field = FIELD_IDENTITY,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"USER root/0, user: root, runAsUser: 0, --user 0, systemd User=root, no "
			"user namespace declared",
		.consequence =
			"A flaw in the kernel or a mount is met with uid 0 rather than an "
			"ordinary uid.",
		.fix =
			"Set a numeric non-root user the image supports.",
		.compatibility =
			"Ports below 1024, package installs and root-owned volumes may fail.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(RUN) | FORMAT_BIT(SYSTEMD) | FORMAT_BIT(INSPECT),
		.concepts = "explicit-root-uid runs-as-root",
	},
	{
		.slug = "root-by-default",
		.field = FIELD_IDENTITY,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"no user set anywhere and the image config is not supplied",
		.consequence =
			"Docker and Kubernetes fall back to the image user, which is root when "
			"none is given.",
		.fix =
			"Set the user explicitly, or supply the image config.",
		.compatibility =
			"As for root-declared.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(RUN) | FORMAT_BIT(INSPECT),
		.concepts = "runs-as-root",
	},
	{
		.slug = "nonroot-without-uid",
		.field = FIELD_IDENTITY,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"runAsNonRoot: true with no runAsUser and an unknown or named image USER",
		.consequence =
			"The kubelet refuses to start uid 0 and cannot verify a name, so the "
			"pod may fail rather than run unsafely; the effective uid is unknown.",
		.fix =
			"Add a numeric runAsUser.",
		.compatibility =
			"None once the uid owns its files.",
		.owner =
			"service owner",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S),
		.concepts = "non-numeric-user",
	},
	{
		.slug = "root-group",
		.field = FIELD_IDENTITY,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"runAsGroup 0, fsGroup 0, supplementalGroups holding 0, group_add root, "
			"--group-add 0",
		.consequence =
			"Group 0 can write files that images and hosts leave group-writable for "
			"root.",
		.fix =
			"Use a dedicated group id.",
		.compatibility =
			"OpenShift style images expect group 0; check first.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(K8S) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) |
			   FORMAT_BIT(INSPECT),
		.concepts = "root-group",
	},
	{
		.slug = "docker-group",
		.field = FIELD_IDENTITY,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"group_add, SupplementaryGroups= or supplementalGroups names docker, "
			"podman, libvirt, lxd, incus or disk, or a gid known for them; medium "
			"for kvm",
		.consequence =
			"Membership equals owning the daemon behind the socket (for disk: the "
			"block devices) whenever that socket or device node is reachable.",
		.fix =
			"Remove the group; ask a separate service for the one action needed.",
		.compatibility =
			"Local image builds by the agent stop.",
		.owner =
			"host admin",
		.restore =
			"Revert the commit and redeploy; the finding stores the former lines "
			"and their sha256.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(SYSTEMD) | FORMAT_BIT(INSPECT),
		.concepts = "",
	},
	{
		.slug = "x-nonroot-image-root",
		.field = FIELD_IDENTITY,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"runAsNonRoot true, no numeric uid, and image USER empty, 0 or a name",
		.consequence =
			"The pod will not start, and someone may remove the check to make it "
			"run.",
		.fix =
			"Set runAsUser to a numeric uid the image supports.",
		.compatibility =
			"File ownership in the image.",
		.owner =
			"service owner",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S) | FORMAT_BIT(DOCKERFILE),
		.combination = true,
		.concepts = "",
	},
	{
		.slug = "uid-low",
		.field = FIELD_IDENTITY,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"uid at or below 10000",
		.consequence =
			"The uid may equal that of a real account on the host when a file "
			"system is shared.",
		.fix =
			"Pick a uid over 10000.",
		.compatibility =
			"Files owned by the old uid need a new owner.",
		.owner =
			"image owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(K8S) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) |
			   FORMAT_BIT(INSPECT),
		.concepts = "low-uid",
	},
	{
		.slug = "gid-low",
		.field = FIELD_IDENTITY,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"gid at or below 10000",
		.consequence =
			"The gid may equal that of a real group on the host when a file system "
			"is shared.",
		.fix =
			"Pick a gid over 10000.",
		.compatibility =
			"Group-owned files need a new group.",
		.owner =
			"image owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(K8S) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) |
			   FORMAT_BIT(INSPECT),
		.concepts = "low-gid",
	},
};

const size_t rules_identity_count = sizeof rules_identity / sizeof *rules_identity;

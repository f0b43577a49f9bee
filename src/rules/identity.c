/* Rules of the field identity.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

#include <string.h>

#include "src/rules/judge.h"

static bool drop_is_known(const struct fact *f)
{
	static const char *const root[] = { "root", "0", "", NULL };

	return fact_is_written(f) && !text_is_any(f->value, root);
}

static void say_root(struct eval *e, const struct fact *f)
{
	const struct fact *drop = eval_find(e, FACT_PRIVILEGE_DROP, drop_is_known);

	if (drop)
		eval_say(e, "starts as root (%s); the entrypoint changes to %s by %s%s", f->value,
			 drop->value, attribute_of(drop, "tool"),
			 attribute_true(drop, "closed") ? " and stops when that fails" : "");
	else if (*f->value)
		eval_say(e, "the process runs as root (user %s)", f->value);
	else
		eval_say(e, "the process runs as root");
	if (row_has_userns(e) || (drop && attribute_true(drop, "closed")))
		eval_severity(e, SEVERITY_INFO);
}

static enum verdict root_declared(struct eval *e, const struct fact *f)
{
	if (row_is_spare_stage(e))
		return VERDICT_QUIET;
	if (!fact_is_known(f))
		return VERDICT_UNKNOWN;
	if (f->provenance == PROVENANCE_ABSENT || row_is_root(e) != TRI_TRUE)
		return VERDICT_QUIET;
	say_root(e, f);
	return VERDICT_FIRES;
}

/* "gcr.io/distroless/static:nonroot" says that its user is not root; only the image can show it. */
static bool name_says_nonroot(const struct fact *f)
{
	static const char *const words[] = { "nonroot", "rootless", "unprivileged", NULL };

	return text_has_word(f->value, words) || text_holds_any(f->value, words);
}

static enum verdict root_by_default(struct eval *e, const struct fact *f)
{
	const char *why = "no user is set, so the image decides, and its configuration was not "
			  "supplied: root unless it says otherwise";

	if (row_is_spare_stage(e) || f->provenance != PROVENANCE_ABSENT)
		return VERDICT_QUIET;
	if (row_is_windows(e))
		return VERDICT_NOT_APPLICABLE;
	if (row_is_root(e) == TRI_FALSE)
		return VERDICT_QUIET;
	if (eval_find(e, FACT_IMAGE, name_says_nonroot) ||
	    eval_find(e, FACT_BASE_IMAGE, name_says_nonroot)) {
		eval_why(e, "the image's name says that it does not run as root; its configuration "
			    "was not supplied");
		return VERDICT_UNKNOWN;
	}
	if (row_is_root(e) == TRI_TRUE)
		why = "no user is set and the image runs as root";
	else if (eval_row(e)->format == FORMAT_DOCKERFILE)
		why = "the stage sets no user, so it runs as the base image does: root unless that "
		      "says otherwise";
	eval_say(e, "%s", why);
	return VERDICT_FIRES;
}

static enum verdict nonroot_without_uid(struct eval *e, const struct fact *f)
{
	const struct fact *user = eval_first(e, FACT_USER);

	if (f->kind == FACT_USER) {
		/* A stage whose user is a name: an orchestrator cannot check it. */
		if (eval_row(e)->format != FORMAT_DOCKERFILE || row_is_spare_stage(e) ||
		    !fact_is_written(f) || fact_attribute(f, "uid") || !*f->value ||
		    row_is_root(e) == TRI_TRUE || (*f->value >= '0' && *f->value <= '9'))
			return VERDICT_QUIET;
		eval_say(e, "the user is a name (%s): runAsNonRoot cannot be checked against it",
			 f->value);
		return VERDICT_FIRES;
	}
	if (fact_truth(f) != TRI_TRUE || (user && fact_attribute(user, "uid")))
		return VERDICT_QUIET;
	if (user && fact_is_written(user) && user->value[0] >= '0' && user->value[0] <= '9')
		return VERDICT_QUIET;
	eval_say(e, "runAsNonRoot is true without runAsUser: the image's user decides whether the "
		    "container starts");
	return VERDICT_FIRES;
}

static enum verdict root_group(struct eval *e, const struct fact *f)
{
	static const char *const root[] = { "0", "root", NULL };
	const char *group = f->kind == FACT_USER ? attribute_of(f, "gid") : f->value;

	if (f->kind == FACT_USER && *group == '\0') {
		group = strchr(f->value, ':');
		group = group ? group + 1 : "";
	}
	if (!fact_is_known(f) && f->kind != FACT_USER)
		return VERDICT_UNKNOWN;
	if (!fact_is_written(f) || !text_is_any(group, root) || row_is_spare_stage(e))
		return VERDICT_QUIET;
	eval_say(e, "%s is the root group", fact_kind_table[f->kind].title);
	return VERDICT_FIRES;
}

/* Numbers differ between distributions: those seen for docker on common ones. */
static enum verdict docker_group(struct eval *e, const struct fact *f)
{
	static const char *const engine[] = { "docker", "podman", "libvirt", "lxd", "incus", "disk",
					      "libvirt-qemu", NULL };
	static const char *const numbers[] = { "999", "998", "997", "994", "991", "984", "972",
					       "131", "988", NULL };
	static const char *const kvm[] = { "kvm", NULL };

	if (!fact_is_known(f))
		return VERDICT_UNKNOWN;
	if (row_is_spare_stage(e) || !fact_is_written(f))
		return VERDICT_QUIET;
	if (text_is_any(f->value, kvm))
		eval_severity(e, SEVERITY_MEDIUM);
	else if (text_is_any(f->value, numbers))
		eval_confidence(e, CONFIDENCE_LOW);
	else if (!text_is_any(f->value, engine))
		return VERDICT_QUIET;
	eval_say(e, "the process is in group %s%s", f->value,
		 text_is_any(f->value, numbers) ? ", a number often given to the docker group" : "");
	return VERDICT_FIRES;
}

static bool group_number(const struct fact *f, uint64_t *out)
{
	return f->kind == FACT_USER ? attribute_number(f, "gid", out) : fact_number(f, out);
}

static enum verdict low(struct eval *e, const struct fact *f, bool known, uint64_t id,
			const char *what)
{
	if (row_is_windows(e))
		return VERDICT_NOT_APPLICABLE;
	if (!fact_is_known(f))
		return VERDICT_UNKNOWN;
	if (known && id > 10000)
		return VERDICT_QUIET;
	if (known) {
		eval_say(e, "%s %llu is at or below 10000", what, (unsigned long long)id);
		return VERDICT_FIRES;
	}
	if (f->provenance != PROVENANCE_ABSENT)
		return VERDICT_QUIET;
	eval_confidence(e, CONFIDENCE_MEDIUM);
	eval_say(e, "no %s is set: the image's own, usually low, is used", what);
	return VERDICT_FIRES;
}

static enum verdict uid_low(struct eval *e, const struct fact *f)
{
	uint64_t uid = 0;
	bool known = attribute_number(f, "uid", &uid) ||
		     (fact_is_written(f) && fact_number(f, &uid));

	return low(e, f, known, uid, "uid");
}

static enum verdict gid_low(struct eval *e, const struct fact *f)
{
	uint64_t gid = 0;
	bool known = group_number(f, &gid);

	if (f->kind == FACT_USER && (!known || row_first(eval_row(e), FACT_GROUP, eval_layer(e))))
		return VERDICT_QUIET;
	return low(e, f, known && f->provenance != PROVENANCE_ABSENT, gid, "gid");
}

static bool must_not_be_root(const struct fact *f)
{
	return fact_truth(f) == TRI_TRUE;
}

static bool is_image_user(const struct fact *f)
{
	return fact_attribute(f, "uid") == NULL;
}

static enum verdict x_nonroot_image_root(struct eval *e, const struct fact *f)
{
	const struct fact *must = eval_find(e, FACT_RUN_AS_NON_ROOT, must_not_be_root);

	if (!must)
		return VERDICT_QUIET;
	if (fact_attribute_is(f, "uid", "0") && f->via_count)
		eval_say(e, "runAsNonRoot is true and the user is root: the container will "
			    "not start until somebody changes one of them");
	else if (fact_is_written(f) && f->via_count && is_image_user(f))
		eval_say(e, "runAsNonRoot is true and the image's user is the name %s: the kubelet "
			    "cannot check it and refuses the start", f->value);
	else
		return VERDICT_QUIET;
	eval_part(e, "nonroot-without-uid");
	return VERDICT_FIRES;
}

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
		.fix = "Set a numeric non-root user the image supports.",
		.compatibility =
			"Ports below 1024, package installs and root-owned volumes may fail.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(IMAGE_INSPECT) |
			   FORMAT_BIT(COMPOSE) | FORMATS_K8S | FORMATS_RUN | FORMAT_BIT(SYSTEMD),
		.concepts = "explicit-root-uid runs-as-root",
		.each = FACT_USER,
		.judge = root_declared,
	},
	{
		.slug = "root-by-default",
		.field = FIELD_IDENTITY,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger = "no user set anywhere and the image config is not supplied",
		.consequence =
			"Docker and Kubernetes fall back to the image user, which is root when "
			"none is given.",
		.fix = "Set the user explicitly, or supply the image config.",
		.compatibility = "As for root-declared.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(IMAGE_INSPECT) |
			   FORMAT_BIT(COMPOSE) | FORMATS_K8S | FORMATS_RUN,
		.concepts = "runs-as-root",
		.each = FACT_USER,
		.judge = root_by_default,
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
		.fix = "Add a numeric runAsUser.",
		.compatibility = "None once the uid owns its files.",
		.owner = "service owner",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S,
		.concepts = "non-numeric-user",
		.each = FACT_RUN_AS_NON_ROOT,
		.also = { FACT_USER },
		.judge = nonroot_without_uid,
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
		.fix = "Use a dedicated group id.",
		.compatibility = "OpenShift style images expect group 0; check first.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMATS_K8S | FORMAT_BIT(COMPOSE) | FORMATS_RUN,
		.concepts = "root-group",
		.each = FACT_GROUP,
		.also = { FACT_GROUP_ADD, FACT_FS_GROUP, FACT_USER },
		.judge = root_group,
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
		.fix = "Remove the group; ask a separate service for the one action needed.",
		.compatibility = "Local image builds by the agent stop.",
		.owner = "host admin",
		.restore = RESTORE_COMMIT,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S | FORMAT_BIT(SYSTEMD),
		.concepts = "",
		.each = FACT_GROUP_ADD,
		.also = { FACT_GROUP },
		.judge = docker_group,
	},
	{
		.slug = "uid-low",
		.field = FIELD_IDENTITY,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "uid at or below 10000",
		.consequence =
			"The uid may equal that of a real account on the host when a file "
			"system is shared.",
		.fix = "Pick a uid over 10000.",
		.compatibility = "Files owned by the old uid need a new owner.",
		.owner = "image owner",
		.restore = RESTORE_LINES,
		.formats = FORMATS_K8S | FORMAT_BIT(COMPOSE) | FORMATS_RUN,
		.concepts = "low-uid",
		.each = FACT_USER,
		.judge = uid_low,
	},
	{
		.slug = "gid-low",
		.field = FIELD_IDENTITY,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "gid at or below 10000",
		.consequence =
			"The gid may equal that of a real group on the host when a file system "
			"is shared.",
		.fix = "Pick a gid over 10000.",
		.compatibility = "Group-owned files need a new group.",
		.owner = "image owner",
		.restore = RESTORE_LINES,
		.formats = FORMATS_K8S | FORMAT_BIT(COMPOSE) | FORMATS_RUN,
		.concepts = "low-gid",
		.each = FACT_GROUP,
		.also = { FACT_USER },
		.judge = gid_low,
	},
	{
		.slug = "x-nonroot-image-root",
		.field = FIELD_IDENTITY,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "runAsNonRoot true, no numeric uid, and image USER empty, 0 or a name",
		.consequence =
			"The pod will not start, and someone may remove the check to make it "
			"run.",
		.fix = "Set runAsUser to a numeric uid the image supports.",
		.compatibility = "File ownership in the image.",
		.owner = "service owner",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S | FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(IMAGE_INSPECT),
		.combination = true,
		.concepts = "",
		.each = FACT_USER,
		.judge = x_nonroot_image_root,
	},
};

const size_t rules_identity_count = sizeof rules_identity / sizeof *rules_identity;

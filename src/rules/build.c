/* Rules of the field image: what a build does.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

#include "src/rules/judge.h"

static bool is_add(const struct fact *f)
{
	return fact_attribute_is(f, "tool", "ADD");
}

static enum verdict build_remote_script(struct eval *e, const struct fact *f)
{
	bool piped = attribute_true(f, "piped");

	if (!piped && !attribute_false(f, "verified"))
		return VERDICT_QUIET;
	eval_concepts(e, attribute_false(f, "tls") ? "unverified-download"
			 : is_add(f)		   ? "add-remote-url"
						   : "");
	if (!piped && !is_add(f))
		eval_confidence(e, CONFIDENCE_MEDIUM);
	if (row_is_spare_stage(e) && !piped)
		eval_severity(e, SEVERITY_INFO);
	eval_say(e, piped ? "%s is fetched and run in one step"
			  : "%s is fetched without a checksum", f->value);
	return VERDICT_FIRES;
}

static enum verdict tls_check_off(struct eval *e, const struct fact *f)
{
	if (f->kind == FACT_TLS_OFF)
		eval_say(e, "certificates are not checked: %s", f->value);
	else if (attribute_false(f, "tls"))
		eval_say(e, "%s is fetched without checking the certificate", f->value);
	else
		return VERDICT_QUIET;
	return judge_written(e, f);
}

static enum verdict add_for_copy(struct eval *e, const struct fact *f)
{
	if (!attribute_true(f, "add"))
		return VERDICT_QUIET;
	eval_say(e, "ADD is used where COPY would do: %s", f->value);
	return VERDICT_FIRES;
}

/* A stage that only gives files away does not keep its history. */
static void soften_copied_stage(struct eval *e, const struct fact *f)
{
	if (attribute_true(f, "copied") || fact_attribute_is(f, "stage", "copied") ||
	    (row_is_spare_stage(e) && !attribute_true(f, "ancestor")))
		eval_severity(e, SEVERITY_INFO);
}

static enum verdict build_secret_kept(struct eval *e, const struct fact *f)
{
	if (!attribute_true(f, "secret"))
		return VERDICT_QUIET;
	if (f->kind == FACT_ENV && fact_attribute_is(f, "class", "empty"))
		return VERDICT_QUIET;
	/* The next one to fill it in leaves the real value there. */
	if (f->kind == FACT_ENV && fact_attribute_is(f, "class", "placeholder")) {
		eval_severity(e, SEVERITY_MEDIUM);
		eval_confidence(e, CONFIDENCE_LOW);
	}
	if (f->kind == FACT_SECRET_WRITTEN && attribute_true(f, "removed"))
		return VERDICT_QUIET;
	if (f->kind == FACT_SECRET_WRITTEN)
		eval_confidence(e, CONFIDENCE_MEDIUM);
	if (f->kind == FACT_COPY)
		eval_concepts(e, "");
	soften_copied_stage(e, f);
	eval_say(e, f->kind == FACT_COPY	     ? "%s is copied into the image and stays in its layers"
		    : f->kind == FACT_SECRET_WRITTEN ? "a secret is left in the layer: %s"
						     : "the value of %s stays in the image's history",
		 f->value);
	return VERDICT_FIRES;
}

static enum verdict build_privileged(struct eval *e, const struct fact *f)
{
	/* For the concept of a shared network it matters which privilege it is. */
	if (text_holds(f->value, "network"))
		eval_concepts(e, "host-network");
	eval_say(e, "a build step is given %s", f->value);
	return judge_written(e, f);
}

static enum verdict label_runtime_reserved(struct eval *e, const struct fact *f)
{
	if (!text_begins(f->value, "containerd.io/restart"))
		return VERDICT_QUIET;
	eval_say(e, "label %s is one that containerd acted on by itself (CVE-2026-53488)",
		 f->value);
	return VERDICT_FIRES;
}

static enum verdict build_frontend(struct eval *e, const struct fact *f)
{
	bool usual = text_begins(f->value, "docker/dockerfile:") ||
		     text_begins(f->value, "docker/dockerfile@") ||
		     fact_is(f, "docker/dockerfile") ||
		     text_begins(f->value, "docker.io/docker/dockerfile");

	if (!fact_is_written(f) || (usual && text_holds(f->value, "@sha256:")))
		return VERDICT_QUIET;
	if (usual)
		eval_severity(e, SEVERITY_INFO);
	eval_say(e, usual ? "the build frontend %s is not pinned by digest"
			  : "the build frontend %s reads this file and decides what the build does",
		 f->value);
	return VERDICT_FIRES;
}

static enum verdict stage_copied_whole(struct eval *e, const struct fact *f)
{
	if (!attribute_true(f, "whole"))
		return VERDICT_QUIET;
	eval_say(e, "the whole file system of %s is copied", *attribute_of(f, "from")
								 ? attribute_of(f, "from")
								 : "a stage");
	return VERDICT_FIRES;
}

const struct rule rules_build[] = {
	{
		.slug = "build-remote-script",
		.field = FIELD_IMAGE,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"RUN pipes curl or wget into a shell, or ADD/RUN fetches http(s) or git "
			"content with no checksum or commit",
		.consequence =
			"Whoever controls that address at build time chooses code inside the "
			"boundary.",
		.fix = "Pin by checksum (ADD --checksum, sha256sum -c) or commit id.",
		.compatibility = "Upstream changes need a deliberate update.",
		.owner = "image maintainer",
		.restore = RESTORE_COMMIT,
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(IMAGE_INSPECT),
		.concepts = "add-remote-url",
		.each = FACT_DOWNLOAD,
		.judge = build_remote_script,
	},
	{
		.slug = "tls-check-off",
		.field = FIELD_IMAGE,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"a download, a package manager or a variable switches certificate "
			"checks off (curl -k, wget --no-check-certificate, pip --trusted-host, "
			"npm strict-ssl false, NODE_TLS_REJECT_UNAUTHORIZED=0, "
			"PYTHONHTTPSVERIFY=0, GIT_SSL_NO_VERIFY, yum sslverify=false)",
		.consequence =
			"Anyone on the path chooses what is fetched, at build time or at run "
			"time.",
		.fix = "Remove the switch and add the certificate authority that is missing.",
		.compatibility = "Internal servers need their authority in the image.",
		.owner = "image maintainer",
		.restore = RESTORE_COMMIT,
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(IMAGE_INSPECT) |
			   FORMAT_BIT(SCRIPT) | FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.concepts = "unverified-download",
		.each = FACT_TLS_OFF,
		.also = { FACT_DOWNLOAD },
		.judge = tls_check_off,
	},
	{
		.slug = "add-for-copy",
		.field = FIELD_IMAGE,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "ADD of local files, where COPY would do",
		.consequence =
			"ADD unpacks archives and accepts addresses: what arrives can differ "
			"from what is read.",
		.fix = "Use COPY; keep ADD for a checked address or an archive to unpack.",
		.compatibility = "Archives are no longer unpacked by themselves.",
		.owner = "image maintainer",
		.restore = RESTORE_COMMIT,
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(IMAGE_INSPECT),
		.concepts = "add-remote-url",
		.each = FACT_COPY,
		.judge = add_for_copy,
	},
	{
		.slug = "build-secret-kept",
		.field = FIELD_IMAGE,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"ARG or ENV with a secret-like name (for ARG also without a default: "
			"the value passed at build time stays in the image history), COPY of "
			".env, id_rsa, .npmrc, kubeconfig, or RUN writing a token, in the final "
			"stage or one it is built FROM; info in a stage that is only copied from",
		.consequence =
			"The value stays in image layers or history for anyone who can pull.",
		.fix =
			"Use RUN --mount=type=secret, rotate the value, and extend "
			".dockerignore.",
		.compatibility = "The build command must pass the secret.",
		.owner = "image maintainer",
		.restore = RESTORE_COMMIT,
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(IMAGE_INSPECT),
		.concepts = "secret-in-build-arg-or-env",
		.each = FACT_BUILD_ARG,
		.also = { FACT_ENV, FACT_COPY, FACT_SECRET_WRITTEN },
		.judge = build_secret_kept,
	},
	{
		.slug = "build-privileged",
		.field = FIELD_IMAGE,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"build.privileged true, entitlements security.insecure, network.host or "
			"device, RUN --security=insecure, RUN --network=host",
		.consequence =
			"A security.insecure step runs as docker run --privileged on the "
			"builder, dependency hooks included; network.host gives it the "
			"builder's own loopback and network.",
		.fix = "Drop the entitlement, or move that step to a disposable builder.",
		.compatibility = "Nested container builds may need rootless buildkit.",
		.owner = "image maintainer",
		.restore = RESTORE_COMMIT,
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(IMAGE_INSPECT) |
			   FORMAT_BIT(COMPOSE) | FORMAT_BIT(INSPECT),
		.concepts = "",
		.each = FACT_BUILD_PRIVILEGE,
		.judge = build_privileged,
	},
	{
		.slug = "label-runtime-reserved",
		.field = FIELD_IMAGE,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger = "image LABEL that begins containerd.io/restart",
		.consequence =
			"containerd before the fix of CVE-2026-53488 took such a label from the "
			"image as its own and ran the named log program as host root.",
		.fix = "Remove the label; record the containerd version.",
		.compatibility = "None.",
		.owner = "image maintainer",
		.restore = RESTORE_COMMIT,
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(IMAGE_INSPECT),
		.concepts = "",
		.each = FACT_IMAGE_LABEL,
		.judge = label_runtime_reserved,
	},
	{
		.slug = "build-frontend",
		.field = FIELD_IMAGE,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"# syntax= names an image other than docker/dockerfile; info for "
			"docker/dockerfile without digest",
		.consequence = "That image reads the file and decides what the build does.",
		.fix = "Use docker/dockerfile with a digest.",
		.compatibility = "Extensions of another frontend stop.",
		.owner = "image maintainer",
		.restore = RESTORE_COMMIT,
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(IMAGE_INSPECT),
		.concepts = "",
		.each = FACT_BUILD_FRONTEND,
		.judge = build_frontend,
	},
	{
		.slug = "stage-copied-whole",
		.field = FIELD_IMAGE,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "COPY --from=stage / /",
		.consequence =
			"All that the builder stage held, tools and secrets included, enters "
			"the final image.",
		.fix = "Copy the named files only.",
		.compatibility = "None when the needed files are named.",
		.owner = "image owner",
		.restore = RESTORE_LINES,
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(IMAGE_INSPECT),
		.concepts = "copy-whole-filesystem",
		.each = FACT_COPY,
		.judge = stage_copied_whole,
	},
};

const size_t rules_build_count = sizeof rules_build / sizeof *rules_build;
